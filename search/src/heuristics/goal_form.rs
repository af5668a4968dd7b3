//! What must hold where the goal is reached, in negation normal form.
//!
//! Parts that say where processes are stand apart from tests of data; what can be told neither from
//! locations nor from data (clocks, deadlock) is `Open`. Nothing is lost but what `Open` stands for.

use crate::problem::Problem;
use analysis::Form;
use network::{Arena, BinaryOp, Expr, Id, Local, LocalId, Network, ProcessId, range_of};

/// A condition on states.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalForm {
    /// Always holds, or never.
    Known(bool),
    /// May hold in any state, as far as this form can tell.
    Open,
    /// The process is at one of the locations that are marked.
    At(ProcessId, Vec<bool>),
    /// The test of data has this outcome.
    Data(Expr, bool),
    /// All of these.
    All(Vec<GoalForm>),
    /// One of these.
    Any(Vec<GoalForm>),
}

/// More instances of quantifiers than this are not written out.
const MOST_PARTS: usize = 20_000;

impl GoalForm {
    /// What must hold where the goal of a problem is reached, errors aside.
    pub fn of(problem: &Problem) -> GoalForm {
        let Some(expr) = problem.property().claim.expression() else {
            return GoalForm::Known(false);
        };
        let (network, locals) = (problem.network(), &problem.property().locals);
        // Connectives between data are taken apart; quantifiers and equations are one test.
        let is_atom = |expr: &Expr| match expr {
            Expr::Quantified(..) | Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) => is_data(expr),
            _ => false,
        };
        let form = Form::of(network, locals, expr, problem.goal_sign(), MOST_PARTS, &is_atom);
        Writer { network, locals }.form(form)
    }

    /// The form with parts that do not matter to somebody left open.
    pub fn keep(self, wanted: &dyn Fn(&GoalForm) -> bool) -> GoalForm {
        let each = |parts: Vec<GoalForm>| parts.into_iter().map(|part| part.keep(wanted)).collect();
        match self {
            GoalForm::All(parts) => all(each(parts)),
            GoalForm::Any(parts) => any(each(parts)),
            GoalForm::Known(_) => self,
            part if wanted(&part) => part,
            _ => GoalForm::Open,
        }
    }

    /// The processes it speaks of.
    pub fn processes(&self, out: &mut Vec<ProcessId>) {
        match self {
            GoalForm::At(process, _) => out.push(*process),
            GoalForm::All(parts) | GoalForm::Any(parts) => {
                parts.iter().for_each(|part| part.processes(out));
            }
            GoalForm::Known(_) | GoalForm::Open | GoalForm::Data(..) => {}
        }
    }
}

/// All of some parts: those about the same process become one.
fn all(parts: Vec<GoalForm>) -> GoalForm {
    let both = |one, other| one && other;
    let mut kept: Vec<GoalForm> = Vec::new();
    for part in parts {
        match part {
            GoalForm::Known(false) => return GoalForm::Known(false),
            GoalForm::Known(true) | GoalForm::Open => {}
            GoalForm::All(inner) => inner.into_iter().for_each(|part| put(&mut kept, part, both)),
            part => put(&mut kept, part, both),
        }
    }
    if kept.iter().any(is_nowhere) {
        return GoalForm::Known(false);
    }
    match kept.len() {
        // Something open was left out, or there was nothing: either way nothing is demanded.
        0 => GoalForm::Open,
        1 => kept.remove(0),
        _ => GoalForm::All(kept),
    }
}

/// Adds a part; one about a process that another is about is merged with it, location by location.
fn put(kept: &mut Vec<GoalForm>, part: GoalForm, merge: fn(bool, bool) -> bool) {
    if let GoalForm::At(process, marks) = &part {
        for other in kept.iter_mut() {
            if let GoalForm::At(same, own) = other
                && same == process
            {
                own.iter_mut().zip(marks).for_each(|(own, mark)| *own = merge(*own, *mark));
                return;
            }
        }
    }
    kept.push(part);
}

fn is_nowhere(part: &GoalForm) -> bool {
    matches!(part, GoalForm::At(_, marks) if !marks.contains(&true))
}

/// One of some parts: those about the same process become one.
fn any(parts: Vec<GoalForm>) -> GoalForm {
    let either = |one, other| one || other;
    let mut kept: Vec<GoalForm> = Vec::new();
    for part in parts {
        match part {
            GoalForm::Known(true) => return GoalForm::Known(true),
            GoalForm::Open => return GoalForm::Open,
            GoalForm::Known(false) => {}
            GoalForm::Any(inner) => inner.into_iter().for_each(|part| put(&mut kept, part, either)),
            part => put(&mut kept, part, either),
        }
    }
    match kept.len() {
        0 => GoalForm::Known(false),
        1 => kept.remove(0),
        _ => GoalForm::Any(kept),
    }
}

struct Writer<'a> {
    network: &'a Network,
    locals: &'a Arena<LocalId, Local>,
}

impl Writer<'_> {
    fn form(&self, form: Form) -> GoalForm {
        let each = |parts: Vec<Form>| parts.into_iter().map(|part| self.form(part)).collect();
        match form {
            Form::All(parts) if parts.is_empty() => GoalForm::Known(true),
            Form::All(parts) => all(each(parts)),
            Form::Any(parts) => any(each(parts)),
            Form::Atom(expr, sign) => self.atom(expr, sign),
        }
    }

    fn atom(&self, expr: Expr, sign: bool) -> GoalForm {
        match (range_of(self.network, self.locals, &expr), &expr) {
            ((0, 0), _) => GoalForm::Known(!sign),
            ((low, high), _) if low > 0 || high < 0 => GoalForm::Known(sign),
            (_, Expr::At(process, location)) => self.at(*process, location.index(), sign),
            _ if is_testable(&expr) => GoalForm::Data(expr, sign),
            _ => GoalForm::Open,
        }
    }

    fn at(&self, process: ProcessId, location: usize, sign: bool) -> GoalForm {
        let count = self.network.processes[process].locations.len();
        GoalForm::At(process, (0..count).map(|other| (other == location) == sign).collect())
    }
}

/// Whether an expression says nothing about locations, clocks and deadlock.
fn is_data(expr: &Expr) -> bool {
    !expr.mentions(&|part| matches!(part, Expr::At(..) | Expr::Clock(_) | Expr::Deadlock))
}

/// Whether the words of a state before the zone tell if an expression holds.
fn is_testable(expr: &Expr) -> bool {
    !expr.mentions(&|part| matches!(part, Expr::Clock(_) | Expr::Deadlock))
}
