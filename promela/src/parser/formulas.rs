//! Formulas of linear temporal logic, with any Promela expression as an atom.
//!
//! One grammar holds both: `<>`, `[]` and `X` bind as tightly as `!`, the binary operators stand
//! between `|` and `&&`, and `->` is loosest, to the left like the others. So `[] x == 3` is
//! `([] x) == 3`, in which Spin takes the number of its token `[]` for the value of `[] x`; the same
//! is done here, with a warning.

use super::expressions::level;
use super::{Parse, Parser, Syntax};
use crate::ast::{
    BinaryOp, Expr, ExprKind, Formula, FormulaKind, TemporalBinary, TemporalUnary, UnaryOp,
};
use crate::lexer::TokenKind;
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
                let left = Formula { kind: left_kind, span: left.span };
                let right = Formula { kind: right_kind, span: right.span };
                match operation(operator) {
                    Ok(operator) => FormulaKind::Binary(operator, Box::new(left), Box::new(right)),
                    // What `X` is part of is refused anyway, unless nobody asks for the formula.
                    Err(_) if has_next(&left) || has_next(&right) => {
                        FormulaKind::Binary(TemporalBinary::And, Box::new(left), Box::new(right))
                    }
                    Err(operator) => {
                        let (left, right) = (self.number(left), self.number(right));
                        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
                        FormulaKind::Atom(Expr { kind, span })
                    }
                }
            }
        };
        Ok(Formula { kind, span })
    }

    /// What Spin computes with where a formula stands for a number: that of the operator's token.
    fn number(&mut self, formula: Formula) -> Expr {
        if !matches!(formula.kind, FormulaKind::Atom(_)) {
            let message = "a temporal formula has no value: Spin computes with a number instead";
            let hint = "put the condition in parentheses, as in `[] (x == 3)`";
            self.cursor.diagnostics.push(Diagnostic::warning(message, formula.span).hint(hint));
        }
        token_number(formula)
    }

    /// The operator here, its level and how many tokens it has.
    fn formula_operator(&self) -> Option<(Operator, u8, usize)> {
        use TemporalBinary as T;
        let until = |operator| Some((Operator::Temporal(operator), level::UNTIL, 1));
        let arrow = |operator, length| Some((Operator::Temporal(operator), level::IMPLY, length));
        match (self.kind(), self.word()) {
            (TokenKind::Arrow, _) | (_, "implies") => arrow(T::Implies, 1),
            (_, "equivalent") => arrow(T::Equivalent, 1),
            (TokenKind::Less, _) if self.joins(TokenKind::Arrow) => arrow(T::Equivalent, 2),
            (_, "U" | "until" | "stronguntil") => until(T::Until),
            (_, "W" | "weakuntil") => until(T::WeakUntil),
            (_, "V" | "release") => until(T::Release),
            (TokenKind::Divide, _) if self.joins(TokenKind::Backslash) => {
                Some((Operator::Plain(BinaryOp::And), level::AND, 2))
            }
            (TokenKind::Backslash, _) if self.joins(TokenKind::Divide) => {
                Some((Operator::Plain(BinaryOp::Or), level::OR, 2))
            }
            _ => {
                let (operator, level) = self.infix_operator()?;
                Some((Operator::Plain(operator), level, 1))
            }
        }
    }

    /// Whether a token of this kind follows the next one without a gap.
    fn joins(&self, kind: TokenKind) -> bool {
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
        self.syntax == Syntax::Ltl
            && self.at(TokenKind::OpenBracket)
            && self.joins(TokenKind::CloseBracket)
    }

    fn formula_prefix(&mut self) -> Parse<Formula> {
        let start = self.cursor.at;
        let (operator, length) = match (self.kind(), self.word()) {
            _ if self.at_always() => (Some(TemporalUnary::Always), 2),
            (TokenKind::Less, _) if self.joins(TokenKind::Greater) => {
                (Some(TemporalUnary::Eventually), 2)
            }
            (_, "always") => (Some(TemporalUnary::Always), 1),
            (_, "eventually") => (Some(TemporalUnary::Eventually), 1),
            (_, "X" | "next") => (Some(TemporalUnary::Next), 1),
            (TokenKind::Exclamation, _) => (None, 1),
            (TokenKind::Minus, _) => return self.arithmetic(UnaryOp::Minus),
            (TokenKind::Tilde, _) => return self.arithmetic(UnaryOp::BitNot),
            (TokenKind::OpenParen, _) => return self.formula_in_parentheses(),
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
        if has_next(&operand) {
            return Ok(operand);
        }
        let atom = self.number(operand);
        let span = self.since(start);
        let atom = self.node(ExprKind::Unary(operator, Box::new(atom)), span, 0)?;
        Ok(Formula { kind: FormulaKind::Atom(atom), span })
    }

    fn formula_in_parentheses(&mut self) -> Parse<Formula> {
        let start = self.cursor.at;
        self.advance();
        let mut inner = self.nested(|parser| parser.formula_of(level::IMPLY))?;
        self.expect(TokenKind::CloseParen, "to close the parenthesis")?;
        inner.span = self.since(start);
        if let FormulaKind::Atom(atom) = &mut inner.kind {
            atom.span = inner.span;
        }
        Ok(inner)
    }
}

/// The same operator between formulas, or the one that computes with numbers.
fn operation(operator: Operator) -> Result<TemporalBinary, BinaryOp> {
    match operator {
        Operator::Temporal(operator) => Ok(operator),
        Operator::Plain(BinaryOp::And) => Ok(TemporalBinary::And),
        Operator::Plain(BinaryOp::Or) => Ok(TemporalBinary::Or),
        Operator::Plain(operator) => Err(operator),
    }
}

fn has_next(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Atom(_) => false,
        FormulaKind::Not(operand) => has_next(operand),
        FormulaKind::Unary(operator, operand) => {
            *operator == TemporalUnary::Next || has_next(operand)
        }
        FormulaKind::Binary(_, left, right) => has_next(left) || has_next(right),
    }
}

/// A formula with the numbers that the parser of Spin 6.5.2 has for the tokens of its operators.
fn token_number(formula: Formula) -> Expr {
    use TemporalBinary as Binary;
    let span = formula.span;
    let token = |number| Expr { kind: ExprKind::Int(number), span };
    let not = |operand| Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(operand)), span };
    let join = |operator, left, right| Expr {
        kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        span,
    };
    match formula.kind {
        FormulaKind::Atom(atom) => atom,
        FormulaKind::Not(operand) => not(token_number(*operand)),
        FormulaKind::Unary(TemporalUnary::Always, _) => token(333),
        FormulaKind::Unary(TemporalUnary::Eventually | TemporalUnary::Next, _) => token(334),
        FormulaKind::Binary(operator, left, right) => match operator {
            Binary::And => join(BinaryOp::And, token_number(*left), token_number(*right)),
            Binary::Or => join(BinaryOp::Or, token_number(*left), token_number(*right)),
            Binary::Implies => join(BinaryOp::Or, not(token_number(*left)), token_number(*right)),
            Binary::Equivalent => token(330),
            Binary::Until => token(335),
            // Spin writes it with the two others.
            Binary::WeakUntil => join(BinaryOp::Or, token(333), token(335)),
            Binary::Release => token(337),
        },
    }
}
