//! Clock expressions: sums, comparisons, rates, negation.

use super::Lowerer;
use super::values::{Atom, Formula, Linear, Value};
use crate::ast::{self, BinaryOp as Op};
use crate::check::fold;
use crate::check::scope::{Leaf, View};
use crate::check::types::Ty;
use network::{BinaryOp, ClockRef, Expr, Relation};

impl<'a> Lowerer<'a> {
    /// The clock at a view of one.
    pub(super) fn clock_ref(&self, view: &View<'a>) -> Option<ClockRef> {
        match (&view.ty, &view.leaves[view.first]) {
            (Ty::Clock, Leaf::Clock(clock)) => {
                Some(ClockRef { clock: *clock, indices: view.indices.clone() })
            }
            _ => None,
        }
    }

    fn linear(&mut self, value: Value<'a>, span: ast::Span) -> Option<Linear> {
        match value {
            Value::Linear(linear) => Some(linear),
            Value::View(view) if view.ty == Ty::Clock => {
                let plus = self.clock_ref(&view);
                Some(Linear { plus, minus: None, offset: Expr::Const(0) })
            }
            other => {
                let (offset, ty) = self.as_data(other, span);
                if ty == Ty::Error {
                    return None;
                }
                self.require_integer(&ty, span);
                Some(Linear { plus: None, minus: None, offset })
            }
        }
    }

    pub(super) fn negative_clock(&mut self, value: Value<'a>, span: ast::Span) -> Value<'a> {
        self.linear(value, span).map_or(Value::Error, |it| Value::Linear(it.negated()))
    }

    /// The sum or difference of two linear expressions.
    pub(super) fn clock_sum(
        &mut self,
        op: Op,
        a: (Value<'a>, ast::Span),
        b: (Value<'a>, ast::Span),
        span: ast::Span,
    ) -> Value<'a> {
        let (Some(a), Some(b)) = (self.linear(a.0, a.1), self.linear(b.0, b.1)) else {
            return Value::Error;
        };
        let b = if op == Op::Subtract { b.negated() } else { b };
        match a.plus(b) {
            Some(sum) => Value::Linear(sum),
            None => self.too_many_clocks(span),
        }
    }

    fn too_many_clocks(&mut self, span: ast::Span) -> Value<'a> {
        self.error_hint(
            span,
            "a clock constraint compares one clock, or the difference of two, with an integer",
            "write it as `x < e` or `x - y < e`",
        );
        Value::Error
    }

    pub(super) fn compare_clocks(
        &mut self,
        op: Op,
        a: (Value<'a>, ast::Span),
        b: (Value<'a>, ast::Span),
        span: ast::Span,
    ) -> Value<'a> {
        let (Some(a), Some(b)) = (self.linear(a.0, a.1), self.linear(b.0, b.1)) else {
            return Value::Error;
        };
        // Clocks go to the left, so that `5 >= x - y` reads `x - y <= 5`.
        let turned = a.plus.is_none() && a.minus.is_none();
        let (a, b, op) = if turned { (b, a, flipped(op)) } else { (a, b, op) };
        let bound = shifted(BinaryOp::Sub, b.offset.clone(), a.offset.clone());
        let Some(difference) = a.plus(b.negated()) else { return self.too_many_clocks(span) };
        match difference.compared(op, bound) {
            Formula::Data(e) => Value::Data(e, Ty::Bool),
            formula => Value::Formula(formula),
        }
    }

    /// `x'`
    pub(super) fn clock_rate(&mut self, clock: &'a ast::Expr) -> Value<'a> {
        match self.value(clock) {
            Value::View(view) => match self.clock_ref(&view) {
                Some(clock) => Value::Rate(clock),
                None => {
                    self.error(clock.span, "only clocks have a rate");
                    Value::Error
                }
            },
            Value::Error => Value::Error,
            _ => {
                self.error(clock.span, "only clocks have a rate");
                Value::Error
            }
        }
    }

    /// `x' == rate`
    pub(super) fn rate(
        &mut self,
        op: Op,
        clock: Value<'a>,
        (rate, rate_span): (Value<'a>, ast::Span),
        span: ast::Span,
    ) -> Value<'a> {
        let (Value::Rate(clock), Op::Equal) = (clock, op) else {
            self.error(span, "the rate of a clock can only be fixed with `==`");
            return Value::Error;
        };
        let (rate, ty) = self.as_data(rate, rate_span);
        self.require_integer(&ty, rate_span);
        Value::Formula(Formula::Rate(clock, rate))
    }

    /// The opposite of a formula.
    pub(super) fn negate(&mut self, formula: Formula, span: ast::Span) -> Formula {
        match formula {
            Formula::Data(e) => Formula::Data(fold::not(e)),
            Formula::Atom(atom) => atom.negated(),
            Formula::Rate(..) => {
                self.error(span, "the rate of a clock cannot be negated");
                formula
            }
            Formula::And(list) => {
                Formula::Or(list.into_iter().map(|it| self.negate(it, span)).collect())
            }
            Formula::Or(list) => {
                Formula::And(list.into_iter().map(|it| self.negate(it, span)).collect())
            }
        }
    }
}

impl Linear {
    fn negated(self) -> Linear {
        Linear { plus: self.minus, minus: self.plus, offset: opposite(self.offset) }
    }

    /// The sum, unless it has two clocks on one side.
    fn plus(self, other: Linear) -> Option<Linear> {
        let mut plus: Vec<ClockRef> = self.plus.into_iter().chain(other.plus).collect();
        let mut minus: Vec<ClockRef> = self.minus.into_iter().chain(other.minus).collect();
        plus.retain(|clock| match minus.iter().position(|m| m == clock) {
            Some(at) => {
                minus.remove(at);
                false
            }
            None => true,
        });
        if plus.len() > 1 || minus.len() > 1 {
            return None;
        }
        let offset = shifted(BinaryOp::Add, self.offset, other.offset);
        Some(Linear { plus: plus.pop(), minus: minus.pop(), offset })
    }

    /// Compares the clocks alone with a bound.
    fn compared(self, op: Op, bound: Expr) -> Formula {
        let relation = relation(op);
        let (left, right, relation, bound) = match (self.plus, self.minus) {
            (Some(left), right) => (left, right, relation, bound),
            (None, Some(left)) => (left, None, relation.map(Relation::flipped), opposite(bound)),
            // `x - x < 3`: the clocks are gone.
            (None, None) => {
                let op = super::operators::operator(op);
                return Formula::Data(fold::binary(op, Expr::Const(0), bound));
            }
        };
        let atom = |relation| {
            let (left, right, bound) = (left.clone(), right.clone(), bound.clone());
            Formula::Atom(Atom { left, right, relation, bound })
        };
        match relation {
            Some(relation) => atom(relation),
            None => Formula::Or(vec![atom(Relation::Lt), atom(Relation::Gt)]),
        }
    }
}

impl Atom {
    fn negated(self) -> Formula {
        let with = |relation| Formula::Atom(Atom { relation, ..self.clone() });
        match self.relation {
            Relation::Lt => with(Relation::Ge),
            Relation::Le => with(Relation::Gt),
            Relation::Ge => with(Relation::Lt),
            Relation::Gt => with(Relation::Le),
            Relation::Eq => Formula::Or(vec![with(Relation::Lt), with(Relation::Gt)]),
        }
    }
}

/// A sum or difference of offsets. Bringing them to one side is no arithmetic of the model's, so it does
/// not wrap around: numbers that large are no bounds of clocks in any case.
fn shifted(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    match (op, &a, &b) {
        (BinaryOp::Add, Expr::Const(a), Expr::Const(b)) => Expr::Const(a.saturating_add(*b)),
        (BinaryOp::Sub, Expr::Const(a), Expr::Const(b)) => Expr::Const(a.saturating_sub(*b)),
        _ => fold::binary(op, a, b),
    }
}

/// An offset with the other sign, in the same way.
fn opposite(offset: Expr) -> Expr {
    match offset {
        Expr::Const(value) => Expr::Const(value.saturating_neg()),
        other => fold::negative(other),
    }
}

/// The comparison with its sides exchanged.
fn flipped(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::GreaterEqual => Op::LessEqual,
        Op::Greater => Op::Less,
        other => other,
    }
}

/// The relation of a comparison; none for `!=`.
fn relation(op: Op) -> Option<Relation> {
    match op {
        Op::Less => Some(Relation::Lt),
        Op::LessEqual => Some(Relation::Le),
        Op::Equal => Some(Relation::Eq),
        Op::GreaterEqual => Some(Relation::Ge),
        Op::Greater => Some(Relation::Gt),
        _ => None,
    }
}
