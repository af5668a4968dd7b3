//! From the syntax tree of a formula to its normal form.

use super::atoms::{Atoms, Shape, shape};
use super::diagram::Diagram;
use super::formula::{FormulaId, Formulas};
use super::{Fallible, Refusal};
use crate::ast::{Expr, Formula, FormulaKind, Span, TemporalBinary, TemporalUnary};

/// Normal forms and the atoms they speak of.
#[derive(Default)]
pub(super) struct NormalForm {
    pub formulas: Formulas,
    pub atoms: Atoms,
}

impl NormalForm {
    /// Diagrams are as high as there are atoms, and recursion goes as deep.
    const MOST_ATOMS: usize = 500;

    /// The normal form of a formula.
    pub fn formula(&mut self, formula: &Formula) -> Fallible<FormulaId> {
        match &formula.kind {
            FormulaKind::Atom(expr) => {
                let diagram = self.condition(expr)?;
                Ok(self.formulas.condition(diagram))
            }
            FormulaKind::Not(operand) => {
                let operand = self.formula(operand)?;
                self.formulas.negate(operand)
            }
            FormulaKind::Unary(operator, operand) => self.unary(*operator, operand, formula.span),
            FormulaKind::Binary(operator, left, right) => {
                let left = self.formula(left)?;
                let right = self.formula(right)?;
                self.binary(*operator, left, right)
            }
        }
    }

    fn unary(
        &mut self,
        operator: TemporalUnary,
        operand: &Formula,
        span: Span,
    ) -> Fallible<FormulaId> {
        let operand = self.formula(operand)?;
        match operator {
            TemporalUnary::Always => {
                let never = self.formulas.constant(false);
                self.formulas.release(never, operand)
            }
            TemporalUnary::Eventually => {
                let always = self.formulas.constant(true);
                self.formulas.until(always, operand)
            }
            TemporalUnary::Next => Err(Refusal::Next(span)),
        }
    }

    fn binary(
        &mut self,
        operator: TemporalBinary,
        left: FormulaId,
        right: FormulaId,
    ) -> Fallible<FormulaId> {
        let formulas = &mut self.formulas;
        match operator {
            TemporalBinary::And => formulas.and(left, right),
            TemporalBinary::Or => formulas.or(left, right),
            TemporalBinary::Until => formulas.until(left, right),
            TemporalBinary::Release => formulas.release(left, right),
            TemporalBinary::Implies => {
                let left = formulas.negate(left)?;
                formulas.or(left, right)
            }
            TemporalBinary::WeakUntil => {
                let either = formulas.or(left, right)?;
                formulas.release(right, either)
            }
            TemporalBinary::Equivalent => {
                let both = formulas.and(left, right)?;
                let (left, right) = (formulas.negate(left)?, formulas.negate(right)?);
                let neither = formulas.and(left, right)?;
                formulas.or(both, neither)
            }
        }
    }

    fn condition(&mut self, expr: &Expr) -> Fallible<Diagram> {
        let diagrams = |it: &mut Self, left: &Expr, right: &Expr| {
            Ok((it.condition(left)?, it.condition(right)?))
        };
        match shape(expr) {
            Shape::Constant(value) => Ok(Diagram::constant(value)),
            Shape::Not(operand) => {
                let operand = self.condition(operand)?;
                self.formulas.diagrams.not(operand)
            }
            Shape::And(left, right) => {
                let (left, right) = diagrams(self, left, right)?;
                self.formulas.diagrams.and(left, right)
            }
            Shape::Or(left, right) => {
                let (left, right) = diagrams(self, left, right)?;
                self.formulas.diagrams.or(left, right)
            }
            Shape::Atom { expr, negated } => self.atom(expr, negated),
        }
    }

    fn atom(&mut self, expr: Expr, negated: bool) -> Fallible<Diagram> {
        let number = self.atoms.number(expr);
        if number >= Self::MOST_ATOMS {
            return Err(Refusal::TooLarge("it has more than 500 different conditions"));
        }
        let diagram = self.formulas.diagrams.atom(number as u32);
        if negated { self.formulas.diagrams.not(diagram) } else { Ok(diagram) }
    }
}

/// The part that makes a formula more than a safety property, if there is only one that can.
pub(super) fn culprit(formula: &Formula) -> Option<Span> {
    let mut found = vec![];
    demands(formula, true, &mut found);
    match found[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The outermost parts that demand something of the future, if taken positively or not.
fn demands(formula: &Formula, positive: bool, found: &mut Vec<Span>) {
    use TemporalBinary as B;
    use TemporalUnary as U;
    match &formula.kind {
        FormulaKind::Atom(_) => {}
        FormulaKind::Not(operand) => demands(operand, !positive, found),
        FormulaKind::Unary(U::Eventually, _) | FormulaKind::Binary(B::Until, ..) if positive => {
            found.push(formula.span);
        }
        FormulaKind::Unary(U::Always, _) | FormulaKind::Binary(B::WeakUntil | B::Release, ..)
            if !positive =>
        {
            found.push(formula.span);
        }
        FormulaKind::Unary(_, operand) => demands(operand, positive, found),
        FormulaKind::Binary(operator, left, right) => {
            let turns = *operator == B::Implies;
            demands(left, positive != turns, found);
            demands(right, positive, found);
            if *operator == B::Equivalent {
                demands(left, !positive, found);
                demands(right, !positive, found);
            }
        }
    }
}
