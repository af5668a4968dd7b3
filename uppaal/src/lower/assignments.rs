//! Expressions for their effect: assignments, `++` and `--`, calls.

use super::Lowerer;
use super::operators::{is_clock, operator};
use super::values::Value;
use crate::ast::{self, ExprKind, IncrementOp};
use crate::check::fold;
use crate::check::scope::View;
use crate::check::types::{INT, Ty};
use network::{BinaryOp, Expr, StatementKind};

impl<'a> Lowerer<'a> {
    /// An expression as a statement: its value is not wanted.
    pub(super) fn effect(&mut self, e: &'a ast::Expr) {
        match &e.kind {
            ExprKind::Increment(op, target) => {
                self.increment(e, *op, target, false);
            }
            ExprKind::Call(callee, arguments) => {
                self.call(e, callee, arguments, false);
            }
            ExprKind::Comma(list) => list.iter().for_each(|e| self.effect(e)),
            ExprKind::Conditional(condition, yes, no) => {
                self.conditional_effect(e, condition, yes, no)
            }
            ExprKind::Assign(..) => {
                self.value(e);
            }
            _ => {
                let (value, effects) = self.apart(|it| it.value(e));
                let idle = matches!(value, Value::Error | Value::Data(Expr::Const(1), _));
                if effects.is_empty() && !idle {
                    self.warn(e.span, "this has no effect", "an assignment is written `x = 1`");
                }
                self.emit_all(effects);
            }
        }
    }

    fn conditional_effect(
        &mut self,
        e: &'a ast::Expr,
        condition: &'a ast::Expr,
        yes: &'a ast::Expr,
        no: &'a ast::Expr,
    ) {
        let condition = self.truth(condition);
        let (_, then) = self.apart(|it| it.effect(yes));
        let (_, otherwise) = self.apart(|it| it.effect(no));
        self.emit_if(condition, then, otherwise, e.span);
    }

    /// An `if`, or just the branch that is known to be taken.
    pub(super) fn emit_if(
        &mut self,
        condition: Expr,
        then: Vec<network::Statement>,
        otherwise: Vec<network::Statement>,
        span: ast::Span,
    ) {
        match condition {
            Expr::Const(0) => self.emit_all(otherwise),
            Expr::Const(_) => self.emit_all(then),
            _ => self.emit(StatementKind::If(condition, then, otherwise), span),
        }
    }

    /// `target = value` or `target op= value`; returns the target.
    pub(super) fn assignment(
        &mut self,
        e: &'a ast::Expr,
        op: Option<ast::BinaryOp>,
        target: &'a ast::Expr,
        value: &'a ast::Expr,
    ) -> Value<'a> {
        if let ExprKind::Conditional(condition, yes, no) = &target.kind {
            return self.assignment_to_choice(e, op, (condition, yes, no), value);
        }
        let to = self.target(target);
        let (from, effects) = self.apart(|it| it.value(value));
        let Some(mut to) = to else { return Value::Error };
        self.settle(&mut to.indices.iter_mut().collect::<Vec<_>>(), effects, e.span);
        if matches!(from, Value::Error) {
            return Value::Error;
        }
        let from = (from, value.span);
        match &to.ty {
            Ty::Clock => self.reset(&to, op, from, e.span),
            Ty::Channel { .. } => self.error(target.span, "a channel cannot be assigned"),
            Ty::Array(_) | Ty::Struct(_) => self.assign_compound(&to, op, from, e.span),
            Ty::Error | Ty::Void => return Value::Error,
            _ => self.assign_data(&to, op, from, e.span, target.span),
        }
        Value::View(to)
    }

    /// `(condition ? yes : no) = value`
    fn assignment_to_choice(
        &mut self,
        e: &'a ast::Expr,
        op: Option<ast::BinaryOp>,
        (condition, yes, no): (&'a ast::Expr, &'a ast::Expr, &'a ast::Expr),
        value: &'a ast::Expr,
    ) -> Value<'a> {
        let mut condition = self.truth(condition);
        if !self.is_stable(&condition) {
            condition = self.hold(condition, e.span);
        }
        let (a, then) = self.apart(|it| it.assignment(e, op, yes, value));
        let (b, otherwise) = self.apart(|it| it.assignment(e, op, no, value));
        self.emit_if(condition.clone(), then, otherwise, e.span);
        match (a, b) {
            (Value::View(a), Value::View(b)) if a.ty.is_data() && b.ty.is_data() => {
                let (yes, no) = (self.read_leaf(&a), self.read_leaf(&b));
                Value::Data(fold::conditional(condition, yes, no), a.ty)
            }
            (Value::Error, _) | (_, Value::Error) => Value::Error,
            _ => Value::Nothing,
        }
    }

    /// What is assigned to.
    fn target(&mut self, target: &'a ast::Expr) -> Option<View<'a>> {
        match self.value(target) {
            Value::View(view) => Some(view),
            Value::Error => None,
            _ => {
                self.error(target.span, "only variables can be changed");
                None
            }
        }
    }

    fn reset(
        &mut self,
        to: &View<'a>,
        op: Option<ast::BinaryOp>,
        (from, from_span): (Value<'a>, ast::Span),
        span: ast::Span,
    ) {
        if op.is_some() {
            return self.error(span, "a clock can only be set with `=`");
        }
        if is_clock(&from) {
            let message = "not supported: copying the value of a clock to a clock";
            return self.error_hint(span, message, "a clock can only be set to an integer");
        }
        let (value, ty) = self.as_data(from, from_span);
        self.require_integer(&ty, from_span);
        if !self.may_write(to, span) {
            return;
        }
        if let Some(clock) = self.clock_ref(to) {
            self.emit(StatementKind::Reset(clock, value), span);
        }
    }

    fn assign_compound(
        &mut self,
        to: &View<'a>,
        op: Option<ast::BinaryOp>,
        (from, from_span): (Value<'a>, ast::Span),
        span: ast::Span,
    ) {
        if op.is_some() || !to.ty.is_all_data() {
            return self
                .error(span, format!("a value of type `{}` cannot be changed like this", to.ty));
        }
        let Value::View(from) = from else {
            let (_, ty) = self.as_data(from, from_span);
            if ty != Ty::Error {
                self.mismatch(&ty, &to.ty, from_span);
            }
            return;
        };
        if !to.ty.accepts(&from.ty) {
            return self.mismatch(&from.ty, &to.ty, from_span);
        }
        if self.may_write(to, span) {
            self.copy(to, &from, span);
        }
    }

    fn assign_data(
        &mut self,
        to: &View<'a>,
        op: Option<ast::BinaryOp>,
        (from, from_span): (Value<'a>, ast::Span),
        span: ast::Span,
        target_span: ast::Span,
    ) {
        let (value, ty) = self.as_data(from, from_span);
        if ty == Ty::Error {
            return;
        }
        let (value, ty) = match op {
            None => (value, ty),
            Some(op) => {
                self.require_integer(&ty, from_span);
                self.require_integer(&to.ty, target_span);
                let old = self.read_leaf(to);
                (fold::binary(operator(op), old, value), INT)
            }
        };
        let value = self.coerce(value, &ty, &to.ty, from_span);
        if let Some(place) = self.place(to, target_span) {
            self.emit(StatementKind::Assign(place, value), span);
        }
    }

    /// `++x`, `x--` and the like; `wanted` tells whether the value is used.
    pub(super) fn increment(
        &mut self,
        e: &'a ast::Expr,
        op: IncrementOp,
        target: &'a ast::Expr,
        wanted: bool,
    ) -> Value<'a> {
        let Some(view) = self.target(target) else { return Value::Error };
        if view.ty == Ty::Clock {
            self.error(e.span, "a clock can only be set with `=`");
            return Value::Error;
        }
        let (old, ty) = self.read(&view, target.span);
        if ty == Ty::Error {
            return Value::Error;
        }
        self.require_integer(&ty, target.span);
        let (before, by) = match op {
            IncrementOp::PreIncrement => (false, BinaryOp::Add),
            IncrementOp::PostIncrement => (true, BinaryOp::Add),
            IncrementOp::PreDecrement => (false, BinaryOp::Sub),
            IncrementOp::PostDecrement => (true, BinaryOp::Sub),
        };
        let Some(place) = self.place(&view, target.span) else { return Value::Error };
        let old = if before && wanted { self.hold(old, e.span) } else { old };
        let new = fold::binary(by, old.clone(), Expr::Const(1));
        let new = self.coerce(new, &INT, &ty, e.span);
        self.emit(StatementKind::Assign(place, new), e.span);
        if before { Value::Data(old, ty) } else { Value::View(view) }
    }
}
