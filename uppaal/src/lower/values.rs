//! What an expression of the model turns into.

use super::Lowerer;
use crate::ast;
use crate::check::fold;
use crate::check::scope::{Leaf, View};
use crate::check::types::Ty;
use network::{BinaryOp, ClockRef, Expr, Place, ProcessId, Relation};

/// A lowered expression.
pub(crate) enum Value<'a> {
    /// A number with its type.
    Data(Expr, Ty),
    /// Something that has a place: variable, array, struct, clock, channel.
    View(View<'a>),
    /// A sum of clocks and an integer.
    Linear(Linear),
    /// A truth value that depends on clocks.
    Formula(Formula),
    /// `x'`
    Rate(ClockRef),
    /// `P` or `P(1)` in a query.
    Process(ProcessId),
    /// A call of a `void` function.
    Nothing,
    /// Something wrong that was reported.
    Error,
}

/// `plus - minus + offset`; at most one clock on either side.
#[derive(Clone)]
pub(crate) struct Linear {
    pub plus: Option<ClockRef>,
    pub minus: Option<ClockRef>,
    pub offset: Expr,
}

/// A truth value over clocks, data and rates.
#[derive(Clone)]
pub(crate) enum Formula {
    /// No clocks in it; 0 or 1.
    Data(Expr),
    Atom(Atom),
    /// `x' == rate`
    Rate(ClockRef, Expr),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// `left - right (relation) bound`
#[derive(Clone)]
pub(crate) struct Atom {
    pub left: ClockRef,
    pub right: Option<ClockRef>,
    pub relation: Relation,
    pub bound: Expr,
}

impl<'a> Lowerer<'a> {
    /// The expression as a number.
    pub(super) fn data(&mut self, e: &'a ast::Expr) -> (Expr, Ty) {
        let value = self.value(e);
        self.as_data(value, e.span)
    }

    /// The expression as a truth value, 0 or 1.
    pub(super) fn truth(&mut self, e: &'a ast::Expr) -> Expr {
        let (lowered, ty) = self.data(e);
        self.as_truth(lowered, &ty, e.span)
    }

    /// The expression as an integer; scalars are none.
    pub(super) fn integer(&mut self, e: &'a ast::Expr) -> Expr {
        let (lowered, ty) = self.data(e);
        self.require_integer(&ty, e.span);
        lowered
    }

    pub(super) fn require_integer(&mut self, ty: &Ty, span: ast::Span) {
        if matches!(ty, Ty::Scalar { .. }) {
            self.error_hint(
                span,
                "a scalar cannot be computed with",
                "scalars can only be assigned, compared for equality and used as an index",
            );
        }
    }

    pub(super) fn as_data(&mut self, value: Value<'a>, span: ast::Span) -> (Expr, Ty) {
        match value {
            Value::Data(e, ty) => return (e, ty),
            Value::View(view) => return self.read(&view, span),
            Value::Linear(_) => self.clock_as_data(span),
            Value::Formula(_) => self.error_hint(
                span,
                "a clock constraint cannot be used as a value",
                "clock constraints are allowed only in guards, invariants and queries",
            ),
            Value::Rate(_) => {
                self.error(span, "the rate of a clock can only be fixed in an invariant: `x' == 0`")
            }
            Value::Process(_) => self.error_hint(
                span,
                "a process is not a value",
                "name one of its locations or variables: `P.location`",
            ),
            Value::Nothing => self.error(span, "the function returns nothing"),
            Value::Error => {}
        }
        (Expr::Const(0), Ty::Error)
    }

    fn clock_as_data(&mut self, span: ast::Span) {
        self.error_hint(
            span,
            "the value of a clock cannot be used in a data expression",
            "clocks can only be compared and reset",
        );
    }

    /// The number at a view.
    pub(super) fn read(&mut self, view: &View<'a>, span: ast::Span) -> (Expr, Ty) {
        match &view.ty {
            Ty::Clock => self.clock_as_data(span),
            Ty::Channel { .. } => self.error(span, "a channel is not a value"),
            Ty::Array(_) => self.error(span, "an array cannot be used as a number"),
            Ty::Struct(_) => self.error(span, "a struct cannot be used as a number"),
            Ty::Error | Ty::Void => {}
            ty => {
                let ty = ty.clone();
                return (self.read_leaf(view), ty);
            }
        }
        (Expr::Const(0), Ty::Error)
    }

    /// The number at a view of a data type.
    pub(super) fn read_leaf(&mut self, view: &View<'a>) -> Expr {
        match &view.leaves[view.first] {
            Leaf::Const(value) => Expr::Const(*value),
            Leaf::Base(base) => {
                self.read_place(Place { base: *base, indices: view.indices.clone() })
            }
            Leaf::Result(call, leaf) => self.call_for_element(call, *leaf, &view.indices),
            // Clocks and channels are no data; the caller has looked.
            Leaf::Clock(_) | Leaf::Channel(_) => Expr::Const(0),
        }
    }

    /// A read, or the constant it is known to give.
    fn read_place(&self, place: Place) -> Expr {
        let constant_indices = place.indices.iter().all(|i| matches!(i, Expr::Const(_)));
        let network::Base::Variable(id) = place.base else { return Expr::Read(place) };
        let variable = &self.network.variables[id];
        if variable.storage != network::Storage::Constant || !constant_indices {
            return Expr::Read(place);
        }
        let mut at = 0;
        for (dimension, index) in variable.dimensions.iter().zip(&place.indices) {
            match index {
                Expr::Const(i) if (0..i64::from(dimension.size)).contains(&i64::from(*i)) => {
                    at = at * dimension.size as usize + *i as usize;
                }
                _ => return Expr::Read(place),
            }
        }
        variable.initial.get(at).map_or(Expr::Read(place), |value| Expr::Const(*value))
    }

    pub(super) fn as_truth(&mut self, e: Expr, ty: &Ty, span: ast::Span) -> Expr {
        self.require_integer(ty, span);
        if *ty == Ty::Bool || fold::is_truth(&e) {
            return e;
        }
        fold::binary(BinaryOp::Ne, e, Expr::Const(0))
    }

    /// A number made to fit a type: integers become truth values where one is wanted.
    pub(super) fn coerce(&mut self, e: Expr, from: &Ty, to: &Ty, span: ast::Span) -> Expr {
        if !to.accepts(from) {
            self.mismatch(from, to, span);
            return e;
        }
        match (to, from) {
            (Ty::Bool, Ty::Int { low: 0, high: 1 }) => e,
            (Ty::Bool, _) => self.as_truth(e, from, span),
            _ => e,
        }
    }

    pub(super) fn mismatch(&mut self, from: &Ty, to: &Ty, span: ast::Span) {
        self.error(span, format!("expected a value of type `{to}`, found `{from}`"));
    }

    /// The expression as a formula over clocks and data.
    pub(super) fn formula(&mut self, e: &'a ast::Expr) -> Formula {
        let value = self.value(e);
        self.as_formula(value, e.span)
    }

    pub(super) fn as_formula(&mut self, value: Value<'a>, span: ast::Span) -> Formula {
        match value {
            Value::Formula(formula) => formula,
            other => {
                let (e, ty) = self.as_data(other, span);
                Formula::Data(self.as_truth(e, &ty, span))
            }
        }
    }
}
