//! Formulas as guards and invariants (conjunctions of clock constraints) and as goals (anything).

use super::Lowerer;
use super::values::{Atom, Formula};
use crate::ast;
use crate::check::{fold, walk};
use network::{BinaryOp, ClockConstraint, Condition, Expr, Rate, Span};

/// What a guard or invariant comes to.
pub(super) struct Parts {
    pub condition: Condition,
    pub rates: Vec<Rate>,
    data: Vec<Expr>,
}

impl<'a> Lowerer<'a> {
    /// A guard or invariant; `what` is "a guard" or "an invariant".
    pub(super) fn condition(&mut self, e: Option<&'a ast::Expr>, what: &'static str) -> Parts {
        let mut parts = Parts::default();
        let Some(e) = e.filter(|e| !self.assigns(e, what)) else { return parts };
        let formula = self.pure(what, e.span, |it| it.formula(e));
        self.collect(formula, None, &mut parts, (e.span, what));
        parts.condition.data = fold::join(BinaryOp::And, 1, std::mem::take(&mut parts.data));
        parts.condition.span = self.span(e.span);
        if what == "a guard" && !parts.rates.is_empty() {
            self.error(e.span, "the rate of a clock can only be fixed in an invariant");
        }
        parts
    }

    /// Whether a condition assigns, where it should compare; that is reported.
    pub(super) fn assigns(&mut self, e: &'a ast::Expr, what: &str) -> bool {
        let Some(at) = walk::assignment(e) else { return false };
        let hint = "write `==` to compare; changes belong in an update";
        self.error_hint(at, format!("{what} must not change anything"), hint);
        true
    }

    fn collect(
        &mut self,
        formula: Formula,
        when: Option<Expr>,
        parts: &mut Parts,
        place: (ast::Span, &'static str),
    ) {
        match formula {
            Formula::Data(e) => parts.data.push(match when {
                Some(when) => fold::or(fold::not(when), e),
                None => e,
            }),
            Formula::Atom(atom) => parts.condition.clocks.push(atom.constraint(when)),
            Formula::Rate(clock, rate) => parts.rates.push(Rate { when, clock, rate }),
            Formula::And(list) => {
                for formula in list {
                    self.collect(formula, when.clone(), parts, place);
                }
            }
            Formula::Or(list) => self.collect_disjunction(list, when, parts, place),
        }
    }

    /// A disjunction of data and at most one formula over clocks, which is then conditional.
    fn collect_disjunction(
        &mut self,
        list: Vec<Formula>,
        when: Option<Expr>,
        parts: &mut Parts,
        place: (ast::Span, &'static str),
    ) {
        let (mut data, mut clocks) = (Vec::new(), Vec::new());
        for formula in list {
            match formula.without_clocks() {
                Ok(e) => data.push(e),
                Err(formula) => clocks.push(formula),
            }
        }
        let data = fold::join(BinaryOp::Or, 0, data);
        if matches!(data, Expr::Const(1)) {
            return;
        }
        let Some(rest) = clocks.pop() else {
            return self.collect(Formula::Data(data), when, parts, place);
        };
        if !clocks.is_empty() {
            let hint = if place.1 == "a guard" {
                "use one edge for each alternative"
            } else {
                "write it as a conjunction of `condition imply x <= e`, or split the location"
            };
            let message =
                format!("a disjunction of clock constraints is not allowed in {}", place.1);
            return self.error_hint(place.0, message, hint);
        }
        let when = match (when, fold::not(data)) {
            (when, Expr::Const(1)) => when,
            (Some(when), condition) => Some(fold::and(when, condition)),
            (None, condition) => Some(condition),
        };
        self.collect(rest, when, parts, place);
    }

    /// A formula as a goal.
    pub(super) fn goal(&mut self, formula: Formula, span: ast::Span) -> Expr {
        match formula {
            Formula::Data(e) => e,
            Formula::Atom(atom) => Expr::Clock(Box::new(atom.constraint(None))),
            Formula::Rate(..) => {
                self.error(span, "the rate of a clock cannot be used in a query");
                Expr::Const(0)
            }
            Formula::And(list) => {
                let list = list.into_iter().map(|it| self.goal(it, span)).collect();
                fold::join(BinaryOp::And, 1, list)
            }
            Formula::Or(list) => {
                let list = list.into_iter().map(|it| self.goal(it, span)).collect();
                fold::join(BinaryOp::Or, 0, list)
            }
        }
    }
}

impl Default for Parts {
    fn default() -> Self {
        let condition = Condition { data: Expr::TRUE, clocks: Vec::new(), span: Span::NONE };
        Parts { condition, rates: Vec::new(), data: Vec::new() }
    }
}

impl Formula {
    /// The formula as an expression, if there are no clocks in it.
    fn without_clocks(self) -> Result<Expr, Formula> {
        if !self.is_data() {
            return Err(self);
        }
        Ok(self.into_data())
    }

    fn is_data(&self) -> bool {
        match self {
            Formula::Data(_) => true,
            Formula::Atom(_) | Formula::Rate(..) => false,
            Formula::And(list) | Formula::Or(list) => list.iter().all(Formula::is_data),
        }
    }

    fn into_data(self) -> Expr {
        match self {
            Formula::Data(e) => e,
            Formula::And(list) => {
                fold::join(BinaryOp::And, 1, list.into_iter().map(Formula::into_data).collect())
            }
            Formula::Or(list) => {
                fold::join(BinaryOp::Or, 0, list.into_iter().map(Formula::into_data).collect())
            }
            Formula::Atom(_) | Formula::Rate(..) => Expr::TRUE,
        }
    }
}

impl Atom {
    fn constraint(self, when: Option<Expr>) -> ClockConstraint {
        ClockConstraint {
            when,
            left: self.left,
            right: self.right,
            relation: self.relation,
            bound: self.bound,
        }
    }
}
