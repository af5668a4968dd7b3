//! The atoms of a goal: its parts without connectives, and whether they are as the goal wants them.
//!
//! Atoms that call functions or look into messages, and those about clocks and buffers that vary,
//! are left out: they are never said to hold.

use crate::footprint::{Spans, Surveyor};
use crate::problem::Problem;
use analysis::Form;
use explore::Questions;
use network::{BinaryOp, ChannelRef, Expr, range_of};

/// The atoms of a goal, by their numbers.
#[derive(Debug)]
pub struct Atoms {
    questions: Questions,
    /// Whether each must hold where the goal is reached, or must not.
    signs: Vec<bool>,
    /// The words that each is about; clocks as in `footprint`.
    pub mentions: Vec<Spans>,
}

/// More than large enough a number of atoms.
const MOST: usize = 4096;

impl Atoms {
    /// The atoms of a problem's goal.
    pub fn of(problem: &Problem) -> Self {
        let (network, layout) = (problem.network(), &problem.explorer.layout);
        let locals = &problem.property().locals;
        let mut found = Vec::new();
        if let Some(goal) = problem.property().claim.expression() {
            let is_atom = |expr: &Expr| {
                matches!(
                    expr,
                    Expr::Conditional(..) | Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, ..)
                )
            };
            let form = Form::of(network, locals, goal, problem.goal_sign(), MOST, &is_atom);
            collect(form, &mut found);
        }
        let surveyor = Surveyor::new(network, layout);
        // Constants as such, so that elements of arrays are known.
        let constant = |part: &Expr| {
            let (low, high) = range_of(network, locals, part);
            (low == high && surveyor.reads(part).is_empty()).then_some(Expr::Const(low))
        };
        found.iter_mut().for_each(|(atom, _)| atom.replace(&constant));
        found.retain(|(atom, _)| !is_left_out(atom));
        let (atoms, signs): (Vec<Expr>, Vec<bool>) = found.into_iter().unzip();
        let mentions = atoms.iter().map(|atom| surveyor.reads(atom)).collect();
        Atoms { questions: Questions::new(network, layout, locals, &atoms), signs, mentions }
    }

    /// Names the state that is asked about from now on.
    pub fn look_at(&mut self, state: &[i32]) {
        self.questions.look_at(state);
    }

    /// Whether the state, for some valuation of its zone, has what the goal wants of an atom.
    pub fn holds(&mut self, atom: usize) -> bool {
        self.questions.may_be(atom, self.signs[atom]).unwrap_or(false)
    }
}

/// Collects the atoms of a form, and the truth values that they must have.
fn collect(form: Form, found: &mut Vec<(Expr, bool)>) {
    match form {
        Form::All(parts) | Form::Any(parts) => {
            parts.into_iter().for_each(|part| collect(part, found));
        }
        Form::Atom(atom, sign) if found.len() < MOST => found.push((atom, sign)),
        Form::Atom(..) => {}
    }
}

fn is_left_out(atom: &Expr) -> bool {
    let varies = |indices: &[Expr]| !indices.iter().all(|index| matches!(index, Expr::Const(_)));
    let mut left_out = false;
    atom.walk(&mut |part| {
        left_out |= match part {
            Expr::Call(..) | Expr::Poll(_) | Expr::Deadlock | Expr::Timeout => true,
            Expr::Clock(it) => {
                let mut clocks = [&it.left].into_iter().chain(&it.right);
                part != atom || it.when.is_some() || clocks.any(|clock| varies(&clock.indices))
            }
            Expr::Probe(_, channel) => match &**channel {
                ChannelRef::Element(_, indices) => varies(indices),
                ChannelRef::Value(_) => true,
            },
            _ => false,
        }
    });
    left_out
}
