//! Formulas of linear temporal logic, with any Promela expression as an atom.
//!
//! One grammar holds both: `<>`, `[]` and `X` bind as tightly as `!`, the binary operators stand
//! between `|` and `&&`, and `->` is loosest, to the left like the others. Spin reads `[] x == 3`
//! as `([] x) == 3` and makes nonsense of it; here that is an error.

use super::expressions::level;
use super::{Parse, Parser, Syntax};
use crate::ast::{
    BinaryOp, Expr, ExprKind, Formula, FormulaKind, Span, TemporalBinary, TemporalUnary, UnaryOp,
};
use crate::lexer::Kind;
use source::{Descent, Diagnostic};

/// An infix operator of a formula.
#[derive(Clone, Copy)]
enum Operator {
    Temporal(TemporalBinary),
    Plain(BinaryOp),
}

impl Parser<'_> {
    /// A whole formula.
    pub(super) fn formula(&mut self) -> Parse<Formula> {
        let before = std::mem::replace(&mut self.syntax, Syntax::Ltl);
        let result = self.nested(|parser| parser.formula_of(level::IMPLY));
        self.syntax = before;
        result
    }

    fn formula_of(&mut self, lowest: u8) -> Parse<Formula> {
        let start = self.cursor.at;
        let mut left = self.formula_prefix()?;
        while let Some((operator, level, length)) = self.formula_operator() {
            if level < lowest {
                break;
            }
            let at = self.here();
            for _ in 0..length {
                self.advance();
            }
            let height = self.cursor.height;
            let right = self.formula_of(level + 1)?;
            self.check_height(self.cursor.height.max(height) + 1, at)?;
            left = self.joined(operator, left, right, start)?;
        }
        Ok(left)
    }

    fn joined(
        &mut self,
        operator: Operator,
        left: Formula,
        right: Formula,
        start: usize,
    ) -> Parse<Formula> {
        let span = self.since(start);
        let kind = match (operator, left.kind, right.kind) {
            (Operator::Plain(operator), FormulaKind::Atom(left), FormulaKind::Atom(right)) => {
                let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
                FormulaKind::Atom(Expr { kind, span })
            }
            (operator, left_kind, right_kind) => {
                self.warn_about_bits(operator, span);
                let Some(operator) = temporal(operator) else {
                    let message = "a temporal formula has no value to compute with";
                    let hint = "put the condition in parentheses, as in `[] (x == 3)`";
                    return Err(self.report(Diagnostic::error(message, span).hint(hint)));
                };
                let left = Formula { kind: left_kind, span: left.span };
                let right = Formula { kind: right_kind, span: right.span };
                FormulaKind::Binary(operator, Box::new(left), Box::new(right))
            }
        };
        Ok(Formula { kind, span })
    }

    /// Spin makes a number of a formula beside `&` or `|`, which nobody can have meant.
    fn warn_about_bits(&mut self, operator: Operator, span: Span) {
        let (written, meant) = match operator {
            Operator::Plain(BinaryOp::BitAnd) => ("&", "&&"),
            Operator::Plain(BinaryOp::BitOr) => ("|", "||"),
            _ => return,
        };
        let message = format!("`{written}` between temporal formulas is read as `{meant}`");
        self.cursor.diagnostics.push(Diagnostic::warning(message, span));
    }

    /// The operator here, its level and how many tokens it has.
    fn formula_operator(&self) -> Option<(Operator, u8, usize)> {
        use TemporalBinary as T;
        let until = |operator| Some((Operator::Temporal(operator), level::UNTIL, 1));
        let arrow = |operator, length| Some((Operator::Temporal(operator), level::IMPLY, length));
        match (self.kind(), self.word()) {
            (Kind::Arrow, _) | (_, "implies") => arrow(T::Implies, 1),
            (_, "equivalent") => arrow(T::Equivalent, 1),
            (Kind::Less, _) if self.joins(Kind::Arrow) => arrow(T::Equivalent, 2),
            (_, "U" | "until" | "stronguntil") => until(T::Until),
            (_, "W" | "weakuntil") => until(T::WeakUntil),
            (_, "V" | "release") => until(T::Release),
            (Kind::Divide, _) if self.joins(Kind::Backslash) => {
                Some((Operator::Plain(BinaryOp::And), level::AND, 2))
            }
            (Kind::Backslash, _) if self.joins(Kind::Divide) => {
                Some((Operator::Plain(BinaryOp::Or), level::OR, 2))
            }
            _ => {
                let (operator, level) = self.infix_operator()?;
                Some((Operator::Plain(operator), level, 1))
            }
        }
    }

    /// Whether a token of this kind follows the next one without a gap.
    fn joins(&self, kind: Kind) -> bool {
        let (first, second) = (self.token(0).text, self.token(1));
        second.kind == kind
            && first.fragment == second.text.fragment
            && first.end == second.text.start
    }

    /// Whether a word comes next that names an operator of formulas, and so nothing else there.
    pub(super) fn at_temporal_word(&self) -> bool {
        matches!(
            self.word(),
            "U" | "V" | "W" | "X" | "always" | "eventually" | "until" | "stronguntil"
        ) || matches!(self.word(), "weakuntil" | "release" | "next" | "implies" | "equivalent")
    }

    /// Whether `[]` comes next, in a formula.
    pub(super) fn at_always(&self) -> bool {
        self.syntax == Syntax::Ltl && self.at(Kind::OpenBracket) && self.joins(Kind::CloseBracket)
    }

    fn formula_prefix(&mut self) -> Parse<Formula> {
        let start = self.cursor.at;
        let (operator, length) = match (self.kind(), self.word()) {
            _ if self.at_always() => (Some(TemporalUnary::Always), 2),
            (Kind::Less, _) if self.joins(Kind::Greater) => (Some(TemporalUnary::Eventually), 2),
            (_, "always") => (Some(TemporalUnary::Always), 1),
            (_, "eventually") => (Some(TemporalUnary::Eventually), 1),
            (_, "X" | "next") => (Some(TemporalUnary::Next), 1),
            (Kind::Exclamation, _) => (None, 1),
            (Kind::Minus, _) => return self.arithmetic(UnaryOp::Minus),
            (Kind::Tilde, _) => return self.arithmetic(UnaryOp::BitNot),
            (Kind::OpenParen, _) => return self.formula_in_parentheses(),
            _ => {
                let atom = self.primary()?;
                return Ok(Formula { span: atom.span, kind: FormulaKind::Atom(atom) });
            }
        };
        for _ in 0..length {
            self.advance();
        }
        let operand = self.nested(|parser| parser.formula_prefix())?;
        let span = self.since(start);
        self.check_height(self.cursor.height + 1, span)?;
        let kind = match (operator, operand.kind) {
            (Some(operator), kind) => {
                let operand = Formula { kind, span: operand.span };
                FormulaKind::Unary(operator, Box::new(operand))
            }
            (None, FormulaKind::Atom(atom)) => {
                let kind = ExprKind::Unary(UnaryOp::Not, Box::new(atom));
                FormulaKind::Atom(Expr { kind, span })
            }
            (None, kind) => FormulaKind::Not(Box::new(Formula { kind, span: operand.span })),
        };
        Ok(Formula { kind, span })
    }

    /// `-x` or `~x`
    fn arithmetic(&mut self, operator: UnaryOp) -> Parse<Formula> {
        let start = self.cursor.at;
        self.advance();
        let operand = self.nested(|parser| parser.formula_prefix())?;
        let FormulaKind::Atom(atom) = operand.kind else {
            return self.error("a temporal formula has no value to compute with", operand.span);
        };
        let span = self.since(start);
        let atom = self.node(ExprKind::Unary(operator, Box::new(atom)), span, 0)?;
        Ok(Formula { kind: FormulaKind::Atom(atom), span })
    }

    fn formula_in_parentheses(&mut self) -> Parse<Formula> {
        let start = self.cursor.at;
        self.advance();
        let mut inner = self.nested(|parser| parser.formula_of(level::IMPLY))?;
        self.expect(Kind::CloseParen, "to close the parenthesis")?;
        inner.span = self.since(start);
        if let FormulaKind::Atom(atom) = &mut inner.kind {
            atom.span = inner.span;
        }
        Ok(inner)
    }
}

/// The same operator between formulas, if it has a meaning there.
fn temporal(operator: Operator) -> Option<TemporalBinary> {
    match operator {
        Operator::Temporal(operator) => Some(operator),
        Operator::Plain(BinaryOp::And | BinaryOp::BitAnd) => Some(TemporalBinary::And),
        Operator::Plain(BinaryOp::Or | BinaryOp::BitOr) => Some(TemporalBinary::Or),
        Operator::Plain(_) => None,
    }
}
