//! The atoms of a goal: its parts without connectives, and whether they are as the goal wants them.
//!
//! Atoms that call functions or look into messages, and those about clocks and buffers that vary,
//! are left out: they are never said to hold.

use crate::footprint::{Spans, Surveyor};
use crate::problem::Problem;
use explore::Questions;
use network::{Arena, BinaryOp, ChannelRef, Expr, Local, LocalId, Quantifier, UnaryOp, range_of};

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
        let mut reader = Reader { locals, found: Vec::new() };
        if let Some(goal) = problem.property().claim.expression() {
            reader.split(goal, problem.goal_sign());
        }
        let surveyor = Surveyor::new(network, layout);
        // Constants as such, so that elements of arrays are known.
        let constant = |part: &Expr| {
            let (low, high) = range_of(network, locals, part);
            (low == high && surveyor.reads(part).is_empty()).then_some(Expr::Const(low))
        };
        reader.found.iter_mut().for_each(|(atom, _)| atom.replace(&constant));
        reader.found.retain(|(atom, _)| !is_left_out(atom));
        let (atoms, signs): (Vec<Expr>, Vec<bool>) = reader.found.into_iter().unzip();
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

struct Reader<'a> {
    locals: &'a Arena<LocalId, Local>,
    /// Atoms, and the truth values that they must have.
    found: Vec<(Expr, bool)>,
}

impl Reader<'_> {
    /// Collects the atoms of an expression that must have this truth value.
    fn split(&mut self, expr: &Expr, sign: bool) {
        match expr {
            _ if self.found.len() >= MOST => {}
            Expr::Unary(UnaryOp::Not, a) => self.split(a, !sign),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.split(a, sign);
                self.split(b, sign);
            }
            Expr::Quantified(Quantifier::ForAll | Quantifier::Exists, binder, body) => {
                let ty = self.locals[*binder].ty;
                let values = (ty.low..=ty.high).take(MOST);
                values.for_each(|value| self.split(&body.with(*binder, value), sign));
            }
            _ => self.found.push((expr.clone(), sign)),
        }
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
