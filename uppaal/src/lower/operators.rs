//! Operators: logic with its laziness, comparison, arithmetic.

use super::Lowerer;
use super::values::{Formula, Value};
use crate::ast::{self, BinaryOp as Op};
use crate::check::fold;
use crate::check::scope::Access;
use crate::check::types::{INT, Ty};
use network::{BinaryOp, Expr, Place, Statement, StatementKind};

impl<'a> Lowerer<'a> {
    pub(super) fn binary(
        &mut self,
        e: &'a ast::Expr,
        op: Op,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Value<'a> {
        match op {
            Op::And | Op::Or | Op::Imply => self.logic(e, op, left, right),
            Op::Less
            | Op::LessEqual
            | Op::GreaterEqual
            | Op::Greater
            | Op::Equal
            | Op::NotEqual => self.comparison(e, op, left, right),
            Op::Xor => self.exclusive_or(e, left, right),
            _ => self.arithmetic(e, op, left, right),
        }
    }

    /// `&&`, `||`, `imply`: the right side counts only if the left does not decide.
    fn logic(
        &mut self,
        e: &'a ast::Expr,
        op: Op,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Value<'a> {
        let a = self.formula(left);
        let a = if op == Op::Imply { self.negate(a, left.span) } else { a };
        let (b, effects) = self.apart(|it| it.formula(right));
        let conjunction = op == Op::And;
        match (a, b) {
            (Formula::Data(a), Formula::Data(b)) if effects.is_empty() => {
                let e = if conjunction { fold::and(a, b) } else { fold::or(a, b) };
                Value::Data(e, Ty::Bool)
            }
            (Formula::Data(a), Formula::Data(b)) => {
                Value::Data(self.lazy(conjunction, a, b, effects, e.span), Ty::Bool)
            }
            (a, b) => {
                self.emit_all(effects);
                Value::Formula(if conjunction {
                    Formula::And(vec![a, b])
                } else {
                    Formula::Or(vec![a, b])
                })
            }
        }
    }

    /// Lazy logic whose right side has effects, as an `if`.
    fn lazy(
        &mut self,
        conjunction: bool,
        a: Expr,
        b: Expr,
        effects: Vec<Statement>,
        span: ast::Span,
    ) -> Expr {
        let result = self.temporary();
        self.emit(StatementKind::Assign(Place::local(result), a), span);
        let (_, then) = self.apart(|it| {
            it.emit_all(effects);
            it.emit(StatementKind::Assign(Place::local(result), b), span);
        });
        let condition =
            if conjunction { Expr::local(result) } else { fold::not(Expr::local(result)) };
        self.emit(StatementKind::If(condition, then, Vec::new()), span);
        Expr::local(result)
    }

    fn exclusive_or(
        &mut self,
        e: &'a ast::Expr,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Value<'a> {
        let a = self.formula(left);
        let (b, effects) = self.apart(|it| it.formula(right));
        self.differs(a, b, effects, e.span)
    }

    /// Whether two truth values differ.
    fn differs(
        &mut self,
        a: Formula,
        b: Formula,
        effects: Vec<Statement>,
        span: ast::Span,
    ) -> Value<'a> {
        match (a, b) {
            (Formula::Data(mut a), Formula::Data(b)) => {
                self.settle(&mut [&mut a], effects, span);
                Value::Data(fold::binary(BinaryOp::Ne, a, b), Ty::Bool)
            }
            (a, b) => {
                self.emit_all(effects);
                let not_a = self.negate(a.clone(), span);
                let not_b = self.negate(b.clone(), span);
                Value::Formula(Formula::Or(vec![
                    Formula::And(vec![a, not_b]),
                    Formula::And(vec![not_a, b]),
                ]))
            }
        }
    }

    fn comparison(
        &mut self,
        e: &'a ast::Expr,
        op: Op,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Value<'a> {
        let a = self.value(left);
        let mut a = self.simplified(a);
        let (b, effects) = self.apart(|it| {
            let b = it.value(right);
            it.simplified(b)
        });
        match &mut a {
            Value::Data(a, _) => self.settle(&mut [a], effects, e.span),
            Value::View(view) if !effects.is_empty() && view.ty.is_all_data() => {
                // The right side may change what stands on the left.
                let access = Access::ReadOnly("a temporary value");
                let kept = self.local_object("temporary", &view.ty, access, e.span);
                self.copy(&kept, view, e.span);
                self.emit_all(effects);
                *view = kept;
            }
            _ => self.emit_all(effects),
        }
        self.compared(e.span, op, (a, left.span), (b, right.span))
    }

    /// The value with a view of a number read.
    fn simplified(&mut self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::View(view) if view.ty.is_data() => {
                Value::Data(self.read_leaf(&view), view.ty.clone())
            }
            other => other,
        }
    }

    fn compared(
        &mut self,
        span: ast::Span,
        op: Op,
        a: (Value<'a>, ast::Span),
        b: (Value<'a>, ast::Span),
    ) -> Value<'a> {
        let equality = matches!(op, Op::Equal | Op::NotEqual);
        match (&a.0, &b.0) {
            (Value::Error, _) | (_, Value::Error) => Value::Error,
            (Value::Rate(_), _) => self.rate(op, a.0, b, span),
            (_, Value::Rate(_)) => self.rate(op, b.0, a, span),
            (x, y) if is_clock(x) || is_clock(y) => self.compare_clocks(op, a, b, span),
            (Value::Formula(_), _) | (_, Value::Formula(_)) if equality => {
                let left = self.as_formula(a.0, a.1);
                let right = self.as_formula(b.0, b.1);
                let right = if op == Op::Equal { self.negate(right, b.1) } else { right };
                self.differs(left, right, Vec::new(), span)
            }
            (Value::View(x), Value::View(y)) if x.ty.is_compound() && y.ty.is_compound() => {
                if !equality {
                    self.error(span, "arrays and structs can only be compared with `==` and `!=`");
                    return Value::Error;
                }
                let equal = self.compare_views(x, y, span);
                let e = if op == Op::Equal { equal } else { fold::not(equal) };
                Value::Data(e, Ty::Bool)
            }
            (Value::View(x), Value::View(y))
                if matches!((&x.ty, &y.ty), (Ty::Channel { .. }, Ty::Channel { .. })) =>
            {
                self.error(span, "comparing channels is not supported");
                Value::Error
            }
            _ => self.compare_data(op, a, b, span),
        }
    }

    fn compare_data(
        &mut self,
        op: Op,
        a: (Value<'a>, ast::Span),
        b: (Value<'a>, ast::Span),
        span: ast::Span,
    ) -> Value<'a> {
        let (x, x_ty) = self.as_data(a.0, a.1);
        let (y, y_ty) = self.as_data(b.0, b.1);
        let scalars = x_ty.scalar().is_some() || y_ty.scalar().is_some();
        if !x_ty.accepts(&y_ty) {
            self.error(span, format!("`{x_ty}` cannot be compared with `{y_ty}`"));
        } else if scalars && !matches!(op, Op::Equal | Op::NotEqual) {
            self.error(span, "scalars can only be compared with `==` and `!=`");
        }
        Value::Data(fold::binary(operator(op), x, y), Ty::Bool)
    }

    fn arithmetic(
        &mut self,
        e: &'a ast::Expr,
        op: Op,
        left: &'a ast::Expr,
        right: &'a ast::Expr,
    ) -> Value<'a> {
        let a = self.value(left);
        let mut a = self.simplified(a);
        let (b, effects) = self.apart(|it| {
            let b = it.value(right);
            it.simplified(b)
        });
        if let Value::Data(a, _) = &mut a {
            self.settle(&mut [a], effects, e.span);
        } else {
            self.emit_all(effects);
        }
        if matches!((&a, &b), (Value::Error, _) | (_, Value::Error)) {
            return Value::Error;
        }
        if matches!(op, Op::Add | Op::Subtract) && (is_clock(&a) || is_clock(&b)) {
            return self.clock_sum(op, (a, left.span), (b, right.span), e.span);
        }
        let (x, x_ty) = self.as_data(a, left.span);
        let (y, y_ty) = self.as_data(b, right.span);
        self.require_integer(&x_ty, left.span);
        self.require_integer(&y_ty, right.span);
        let bits = matches!(op, Op::BitAnd | Op::BitOr | Op::BitXor);
        let ty = if bits && x_ty == Ty::Bool && y_ty == Ty::Bool { Ty::Bool } else { INT };
        Value::Data(fold::binary(operator(op), x, y), ty)
    }
}

/// Whether the value is a clock or a sum with one.
pub(super) fn is_clock(value: &Value) -> bool {
    match value {
        Value::Linear(_) => true,
        Value::View(view) => view.ty == Ty::Clock,
        _ => false,
    }
}

/// The network's operator; logic is not among them.
pub(super) fn operator(op: Op) -> BinaryOp {
    match op {
        Op::Add => BinaryOp::Add,
        Op::Subtract => BinaryOp::Sub,
        Op::Multiply => BinaryOp::Mul,
        Op::Divide => BinaryOp::Div,
        Op::Modulo => BinaryOp::Rem,
        Op::Power => BinaryOp::Pow,
        Op::BitAnd => BinaryOp::BitAnd,
        Op::BitOr => BinaryOp::BitOr,
        Op::BitXor => BinaryOp::BitXor,
        Op::ShiftLeft => BinaryOp::Shl,
        Op::ShiftRight => BinaryOp::Shr,
        Op::Minimum => BinaryOp::Min,
        Op::Maximum => BinaryOp::Max,
        Op::Less => BinaryOp::Lt,
        Op::LessEqual => BinaryOp::Le,
        Op::Equal => BinaryOp::Eq,
        Op::NotEqual | Op::Xor => BinaryOp::Ne,
        Op::GreaterEqual => BinaryOp::Ge,
        Op::Greater => BinaryOp::Gt,
        Op::And => BinaryOp::And,
        Op::Or | Op::Imply => BinaryOp::Or,
    }
}
