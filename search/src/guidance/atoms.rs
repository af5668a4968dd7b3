//! The atoms of a goal: comparisons of locations, variables, buffer lengths and clocks that can be
//! looked up in the words of a state.
//!
//! Atoms that call functions or look into messages are left out: they are never said to hold.

use crate::arithmetic::{binary, unary};
use crate::footprint::Spans;
use crate::problem::Problem;
use explore::{Home, Layout};
use network::{
    Base, BinaryOp, ChannelRef, ClockConstraint, ClockRef, Dimension, Expr, LocalId, Network,
    Place, Probe, Quantifier, Relation, UnaryOp,
};
use zones::bound;

/// A part of the goal without connectives.
#[derive(Debug)]
pub struct Atom {
    /// The words that it is about; clocks as in `footprint`.
    pub mentions: Spans,
    test: Test,
    /// Whether it must hold where the goal is reached, or must not.
    sign: bool,
}

#[derive(Debug)]
enum Test {
    Data(Term),
    Clock { left: usize, right: usize, relation: Relation, bound: Term },
}

/// An expression over the words of a state.
#[derive(Debug, Clone)]
enum Term {
    Const(i32),
    Word(u32),
    /// The word of an array, given the indices with the size of each dimension.
    Element(u32, Vec<(Term, u32)>),
    Table(Vec<i32>, Vec<(Term, u32)>),
    Unary(UnaryOp, Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    Conditional(Box<Term>, Box<Term>, Box<Term>),
}

/// More than large enough a number of atoms and of values of a quantified name.
const MOST: usize = 4096;

/// The atoms of a problem's goal.
pub fn atoms(problem: &Problem) -> Vec<Atom> {
    let (network, layout) = (problem.network, &problem.explorer.layout);
    let locals = &problem.property.locals;
    let mut reader = Reader { network, layout, locals, bindings: Vec::new(), atoms: Vec::new() };
    if let Some(goal) = problem.property.claim.expression() {
        reader.split(goal, problem.goal_sign());
    }
    reader.atoms
}

impl Atom {
    /// Whether a state, for some valuation of its zone, has what the goal wants here.
    pub fn holds(&self, layout: &Layout, state: &[i32]) -> bool {
        match &self.test {
            Test::Data(term) => term.value(state).is_some_and(|value| (value != 0) == self.sign),
            Test::Clock { left, right, relation, bound } => {
                let Some(bound) = bound.value(state).filter(|b| b.abs() < bound::LIMIT) else {
                    return false;
                };
                let zone = &state[layout.zone()];
                let difference = Difference { zone, dim: layout.dim, left: *left, right: *right };
                difference.may_be(*relation, bound, self.sign)
            }
        }
    }
}

/// A difference of clocks in a zone.
struct Difference<'a> {
    zone: &'a [i32],
    dim: usize,
    left: usize,
    right: usize,
}

impl Difference<'_> {
    fn may_be(&self, relation: Relation, c: i32, sign: bool) -> bool {
        let (below, above) = (bound::lt(c), bound::lt(-c));
        match (relation, sign) {
            (Relation::Lt, true) | (Relation::Ge, false) => self.may_stay(below),
            (Relation::Le, true) | (Relation::Gt, false) => self.may_stay(bound::le(c)),
            (Relation::Ge, true) | (Relation::Lt, false) => self.may_exceed(bound::le(-c)),
            (Relation::Gt, true) | (Relation::Le, false) => self.may_exceed(above),
            (Relation::Eq, true) => self.may_stay(bound::le(c)) && self.may_exceed(bound::le(-c)),
            (Relation::Eq, false) => self.may_stay(below) || self.may_exceed(above),
        }
    }

    fn may_stay(&self, upper: i32) -> bool {
        bound::add(upper, self.zone[self.right * self.dim + self.left]) >= bound::LE_ZERO
    }

    fn may_exceed(&self, lower: i32) -> bool {
        bound::add(lower, self.zone[self.left * self.dim + self.right]) >= bound::LE_ZERO
    }
}

struct Reader<'a> {
    network: &'a Network,
    layout: &'a Layout,
    locals: &'a network::Arena<LocalId, network::Local>,
    /// Quantified names and their values.
    bindings: Vec<(LocalId, i32)>,
    atoms: Vec<Atom>,
}

impl Reader<'_> {
    /// Collects the atoms of an expression that must have this truth value.
    fn split(&mut self, expr: &Expr, sign: bool) {
        match expr {
            Expr::Unary(UnaryOp::Not, a) => self.split(a, !sign),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.split(a, sign);
                self.split(b, sign);
            }
            Expr::Quantified(Quantifier::ForAll | Quantifier::Exists, binder, body) => {
                self.each_value(*binder, &mut |reader| reader.split(body, sign));
            }
            _ if self.atoms.len() < MOST => {
                let test = match expr {
                    Expr::Clock(constraint) => self.clock_test(constraint),
                    _ => self.term(expr).map(Test::Data),
                };
                self.atoms.extend(test.map(|test| self.atom(test, sign)));
            }
            _ => {}
        }
    }

    fn each_value(&mut self, binder: LocalId, visit: &mut dyn FnMut(&mut Self)) {
        let ty = self.locals[binder].ty;
        for value in (ty.low..=ty.high).take(MOST) {
            self.bindings.push((binder, value));
            visit(self);
            self.bindings.pop();
        }
    }

    fn atom(&self, test: Test, sign: bool) -> Atom {
        let mut mentions = Spans::default();
        match &test {
            Test::Data(term) => term.mention(&mut mentions),
            Test::Clock { left, right, bound, .. } => {
                bound.mention(&mut mentions);
                for clock in [*left, *right].into_iter().filter(|&clock| clock > 0) {
                    let at = (self.layout.discrete + clock) as u32;
                    mentions.add(at..at + 1);
                }
            }
        }
        Atom { mentions, test, sign }
    }

    fn clock_test(&mut self, constraint: &ClockConstraint) -> Option<Test> {
        if constraint.when.is_some() {
            return None;
        }
        let left = self.clock(&constraint.left)?;
        let right = constraint.right.as_ref().map_or(Some(0), |clock| self.clock(clock))?;
        let bound = self.term(&constraint.bound)?;
        Some(Test::Clock { left, right, relation: constraint.relation, bound })
    }

    fn clock(&mut self, clock: &ClockRef) -> Option<usize> {
        let dimensions = &self.network.clocks[clock.clock].dimensions;
        let indices = self.indices(dimensions, &clock.indices)?;
        Some(self.layout.clock(clock.clock) as usize + position(&indices, &[])?)
    }

    fn term(&mut self, expr: &Expr) -> Option<Term> {
        let term = match expr {
            Expr::Const(value) => Term::Const(*value),
            Expr::Read(place) => self.place(place)?,
            Expr::At(process, location) => {
                let at = Term::Word(self.layout.location(*process) as u32);
                let location = Term::Const(network::Id::index(*location) as i32);
                Term::Binary(BinaryOp::Eq, Box::new(at), Box::new(location))
            }
            Expr::Unary(op, a) => Term::Unary(*op, Box::new(self.term(a)?)),
            Expr::Binary(op, a, b) => {
                Term::Binary(*op, Box::new(self.term(a)?), Box::new(self.term(b)?))
            }
            Expr::Conditional(a, b, c) => {
                let [a, b, c] = [self.term(a)?, self.term(b)?, self.term(c)?].map(Box::new);
                Term::Conditional(a, b, c)
            }
            Expr::Quantified(quantifier, binder, body) => {
                self.quantified(*quantifier, *binder, body)?
            }
            Expr::Probe(probe, channel) => self.probe(*probe, channel)?,
            Expr::Call(..) | Expr::Clock(_) | Expr::Poll(_) | Expr::Deadlock | Expr::Timeout => {
                return None;
            }
        };
        Some(term)
    }

    fn place(&mut self, place: &Place) -> Option<Term> {
        let id = match place.base {
            Base::Variable(id) => id,
            Base::Local(local) => {
                let bound = self.bindings.iter().rev().find(|binding| binding.0 == local);
                return bound.map(|binding| Term::Const(binding.1));
            }
        };
        let variable = &self.network.variables[id];
        let indices = self.indices(&variable.dimensions, &place.indices)?;
        Some(match (self.layout.home(id), position(&indices, &[])) {
            (Home::State(first), Some(at)) => Term::Word(first + at as u32),
            (Home::State(first), None) => Term::Element(first, indices),
            (Home::Constant(_), _) => Term::Table(variable.initial.clone(), indices),
        })
    }

    fn indices(&mut self, dimensions: &[Dimension], indices: &[Expr]) -> Option<Vec<(Term, u32)>> {
        let pairs = indices.iter().zip(dimensions);
        pairs.map(|(index, dimension)| Some((self.term(index)?, dimension.size))).collect()
    }

    fn quantified(&mut self, quantifier: Quantifier, binder: LocalId, body: &Expr) -> Option<Term> {
        let mut parts = Vec::new();
        self.each_value(binder, &mut |reader| parts.push(reader.term(body)));
        let (op, neutral) = match quantifier {
            Quantifier::ForAll => (BinaryOp::And, 1),
            Quantifier::Exists => (BinaryOp::Or, 0),
            Quantifier::Sum => (BinaryOp::Add, 0),
        };
        parts.into_iter().try_fold(Term::Const(neutral), |all, part| {
            Some(Term::Binary(op, Box::new(all), Box::new(part?)))
        })
    }

    fn probe(&mut self, probe: Probe, channel: &ChannelRef) -> Option<Term> {
        let ChannelRef::Element(id, indices) = channel else { return None };
        let dimensions = &self.network.channels[*id].dimensions;
        let indices = self.indices(dimensions, indices)?;
        let number = self.layout.channel(*id) as usize + position(&indices, &[])?;
        let buffer = self.layout.buffers.get(number).filter(|buffer| buffer.capacity > 0)?;
        let length = Box::new(Term::Word(buffer.at));
        let equal = |value| Box::new(Term::Const(value));
        Some(match probe {
            Probe::Length => *length,
            Probe::Empty => Term::Binary(BinaryOp::Eq, length, equal(0)),
            Probe::Full => Term::Binary(BinaryOp::Eq, length, equal(buffer.capacity as i32)),
        })
    }
}

/// The number of an array's element; none if an index depends on more than is known, or is wrong.
fn position(indices: &[(Term, u32)], state: &[i32]) -> Option<usize> {
    indices.iter().try_fold(0, |at, (index, size)| {
        let index = u32::try_from(index.value(state)?).ok().filter(|index| index < size)?;
        Some(at * *size as usize + index as usize)
    })
}

impl Term {
    /// The value in a state; none if there is an error.
    fn value(&self, state: &[i32]) -> Option<i32> {
        Some(match self {
            Term::Const(value) => *value,
            Term::Word(at) => *state.get(*at as usize)?,
            Term::Element(first, indices) => {
                *state.get(*first as usize + position(indices, state)?)?
            }
            Term::Table(values, indices) => *values.get(position(indices, state)?)?,
            Term::Unary(op, a) => unary(*op, a.value(state)?),
            Term::Binary(BinaryOp::And, a, b) => {
                (a.value(state)? != 0 && b.value(state)? != 0) as i32
            }
            Term::Binary(BinaryOp::Or, a, b) => {
                (a.value(state)? != 0 || b.value(state)? != 0) as i32
            }
            Term::Binary(op, a, b) => binary(*op, a.value(state)?, b.value(state)?)?,
            Term::Conditional(a, b, c) => if a.value(state)? != 0 { b } else { c }.value(state)?,
        })
    }

    fn mention(&self, spans: &mut Spans) {
        match self {
            Term::Const(_) => {}
            Term::Word(at) => spans.add(*at..at + 1),
            Term::Element(first, indices) => {
                let size: u32 = indices.iter().map(|(_, size)| size).product();
                spans.add(*first..first + size);
                indices.iter().for_each(|(index, _)| index.mention(spans));
            }
            Term::Table(_, indices) => indices.iter().for_each(|(index, _)| index.mention(spans)),
            Term::Unary(_, a) => a.mention(spans),
            Term::Binary(_, a, b) => [a, b].into_iter().for_each(|part| part.mention(spans)),
            Term::Conditional(a, b, c) => {
                [a, b, c].into_iter().for_each(|part| part.mention(spans));
            }
        }
    }
}
