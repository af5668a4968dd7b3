//! What must hold where the goal is reached, in negation normal form.
//!
//! Parts that say where processes are stand apart from tests of data; what can be told neither from
//! locations nor from data (clocks, deadlock) is `Open`. Nothing is lost but what `Open` stands for.

use crate::problem::Problem;
use network::{
    Arena, BinaryOp, Expr, Id, Local, LocalId, Network, ProcessId, Quantifier, UnaryOp, range_of,
};

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
        let locals = &problem.property().locals;
        Writer { network: problem.network(), locals, parts: 0 }.form(expr, problem.goal_sign())
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
    parts: usize,
}

impl Writer<'_> {
    /// The form of an expression, or (sign false) of its opposite.
    fn form(&mut self, expr: &Expr, sign: bool) -> GoalForm {
        self.parts += 1;
        match self.range(expr) {
            (0, 0) => return GoalForm::Known(!sign),
            (low, high) if low > 0 || high < 0 => return GoalForm::Known(sign),
            _ => {}
        }
        match expr {
            Expr::At(process, location) => self.at(*process, location.index(), sign),
            Expr::Clock(_) | Expr::Deadlock => GoalForm::Open,
            Expr::Unary(UnaryOp::Not, a) => self.form(a, !sign),
            Expr::Binary(BinaryOp::And, a, b) => self.both(a, b, sign, sign),
            Expr::Binary(BinaryOp::Or, a, b) => self.both(a, b, sign, !sign),
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                self.equation(expr, (a, b), sign == (*op == BinaryOp::Eq), sign)
            }
            Expr::Conditional(condition, yes, no) => {
                let yes = all(vec![self.form(condition, true), self.form(yes, sign)]);
                let no = all(vec![self.form(condition, false), self.form(no, sign)]);
                any(vec![yes, no])
            }
            Expr::Quantified(Quantifier::ForAll, binder, body) if !is_data(body) => {
                self.instances(*binder, body, sign, sign)
            }
            Expr::Quantified(Quantifier::Exists, binder, body) if !is_data(body) => {
                self.instances(*binder, body, sign, !sign)
            }
            _ if is_testable(expr) => GoalForm::Data(expr.clone(), sign),
            _ => GoalForm::Open,
        }
    }

    fn range(&self, expr: &Expr) -> (i32, i32) {
        range_of(self.network, self.locals, expr)
    }

    fn at(&self, process: ProcessId, location: usize, sign: bool) -> GoalForm {
        let count = self.network.processes[process].locations.len();
        GoalForm::At(process, (0..count).map(|other| (other == location) == sign).collect())
    }

    fn both(&mut self, a: &Expr, b: &Expr, sign: bool, and: bool) -> GoalForm {
        let parts = vec![self.form(a, sign), self.form(b, sign)];
        if and { all(parts) } else { any(parts) }
    }

    /// A truth value that is compared with a constant is meant itself, or its opposite.
    fn equation(
        &mut self,
        whole: &Expr,
        (a, b): (&Expr, &Expr),
        equal: bool,
        sign: bool,
    ) -> GoalForm {
        for (side, other) in [(a, b), (b, a)] {
            let truth = self.range(side) == (0, 1);
            if let (true, false, (value @ 0..=1, 0..=1)) = (truth, is_data(side), self.range(other))
                && self.range(other).1 == value
            {
                return self.form(side, equal == (value == 1));
            }
        }
        if is_testable(whole) { GoalForm::Data(whole.clone(), sign) } else { GoalForm::Open }
    }

    fn instances(&mut self, binder: LocalId, body: &Expr, sign: bool, and: bool) -> GoalForm {
        let ty = self.locals[binder].ty;
        let count = (i64::from(ty.high) - i64::from(ty.low) + 1).max(0) as usize;
        if count.saturating_add(self.parts) > MOST_PARTS {
            return GoalForm::Open;
        }
        let instance = |value| self.form(&body.with(binder, value), sign);
        let parts = (ty.low..=ty.high).map(instance).collect();
        match (and, count) {
            (true, 0) => GoalForm::Known(true),
            (true, _) => all(parts),
            (false, _) => any(parts),
        }
    }
}

/// Whether an expression says nothing about locations, clocks and deadlock.
fn is_data(expr: &Expr) -> bool {
    let mut data = true;
    expr.walk(&mut |e| data &= !matches!(e, Expr::At(..) | Expr::Clock(_) | Expr::Deadlock));
    data
}

/// Whether the words of a state before the zone tell if an expression holds.
fn is_testable(expr: &Expr) -> bool {
    let mut testable = true;
    expr.walk(&mut |e| testable &= !matches!(e, Expr::Clock(_) | Expr::Deadlock));
    testable
}
