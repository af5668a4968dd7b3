//! The constant expressions of `#if` and `#elif`, in 64-bit arithmetic.

use super::Preprocessor;
use crate::ast::Span;
use crate::lexer::{Token, TokenKind};

/// How deep a condition may nest.
const DEEPEST: u32 = 100;

impl Preprocessor<'_, '_> {
    /// Whether the condition holds; none if it makes no sense, which is reported.
    pub(super) fn evaluate(&mut self, line: &[Token], span: Span) -> Option<bool> {
        let line = self.resolve_defined(line);
        let line = self.expand_alone(line);
        let terms: Vec<Term> = line.iter().map(|&token| self.term(token)).collect();
        let mut evaluator = Evaluator { terms: &terms, at: 0, depth: 0, end: span };
        let result = evaluator.conditional(true).and_then(|value| match evaluator.peek() {
            None => Ok(value),
            Some(_) => evaluator.fail("expected an operator"),
        });
        match result {
            Ok(value) => Some(value != 0),
            Err((message, span)) => {
                self.error(message, span);
                None
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` before macros are opened.
    fn resolve_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let mut resolved = vec![];
        let mut rest = line;
        while let Some((&token, after)) = rest.split_first() {
            let is_defined = token.kind == TokenKind::Word && self.text(token) == "defined";
            let found = is_defined.then(|| self.defined_operand(after)).flatten();
            match found {
                Some((value, length)) => {
                    let text = self.sources.make(if value { "1" } else { "0" });
                    resolved.push(Token { kind: TokenKind::Int, text, ..token });
                    rest = &after[length..];
                }
                None => {
                    resolved.push(token);
                    rest = after;
                }
            }
        }
        resolved
    }

    fn defined_operand(&self, rest: &[Token]) -> Option<(bool, usize)> {
        let (name, length) = match rest {
            [open, name, close, ..]
                if open.kind == TokenKind::OpenParen && close.kind == TokenKind::CloseParen =>
            {
                (name, 3)
            }
            [name, ..] => (name, 1),
            [] => return None,
        };
        let is_defined = || self.macros.by_name.contains_key(self.text(*name));
        (name.kind == TokenKind::Word).then(|| (is_defined(), length))
    }

    fn term(&self, token: Token) -> Term {
        let text = self.text(token);
        let value = match token.kind {
            TokenKind::Int => number(text),
            TokenKind::Char => text.chars().nth(1).map(|c| i64::from(u32::from(c))),
            // A word that is no macro counts as 0.
            TokenKind::Word if text != "defined" => Some(0),
            _ => None,
        };
        Term { kind: token.kind, value, span: token.span }
    }
}

/// A number as C writes it: decimal, octal or hexadecimal, with a suffix.
fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    value.ok().map(|it| it as i64)
}

/// A token of the condition.
struct Term {
    kind: TokenKind,
    value: Option<i64>,
    span: Span,
}

type Value = Result<i64, (String, Span)>;

struct Evaluator<'a> {
    terms: &'a [Term],
    at: usize,
    depth: u32,
    end: Span,
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<TokenKind> {
        self.terms.get(self.at).map(|term| term.kind)
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == Some(kind);
        self.at += usize::from(found);
        found
    }

    fn fail(&self, message: &str) -> Value {
        let span = self.terms.get(self.at).map_or(self.end, |term| term.span);
        Err((format!("{message} in the condition"), span))
    }

    /// `a ? b : c`; what is not `live` is read but may divide by zero.
    fn conditional(&mut self, live: bool) -> Value {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("too many levels");
        }
        let condition = self.infix(1, live)?;
        let mut value = condition;
        if self.eat(TokenKind::Question) {
            let yes = self.conditional(live && condition != 0)?;
            if !self.eat(TokenKind::Colon) {
                return self.fail("expected `:`");
            }
            let no = self.conditional(live && condition == 0)?;
            value = if condition != 0 { yes } else { no };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn infix(&mut self, lowest: u8, live: bool) -> Value {
        let mut left = self.prefix(live)?;
        while let Some(operator) = self.peek().filter(|&kind| level(kind) >= lowest) {
            self.at += 1;
            let needed = match operator {
                TokenKind::AndAnd => left != 0,
                TokenKind::BarBar => left == 0,
                _ => true,
            };
            let right = self.infix(level(operator) + 1, live && needed)?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None if !live => 0,
                None => return self.fail("division by zero"),
            };
        }
        Ok(left)
    }

    fn prefix(&mut self, live: bool) -> Value {
        let Some(term) = self.terms.get(self.at) else {
            return self.fail("expected a value");
        };
        self.at += 1;
        match term.kind {
            TokenKind::Minus => Ok(self.operand(live)?.wrapping_neg()),
            TokenKind::Plus => self.operand(live),
            TokenKind::Tilde => Ok(!self.operand(live)?),
            TokenKind::Exclamation => Ok(i64::from(self.operand(live)? == 0)),
            TokenKind::Exclamations => Ok(i64::from(self.operand(live)? != 0)),
            TokenKind::OpenParen => self.parenthesised(live),
            _ => term.value.map_or_else(
                || {
                    self.at -= 1;
                    self.fail("expected a value")
                },
                Ok,
            ),
        }
    }

    fn operand(&mut self, live: bool) -> Value {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.fail("too many levels");
        }
        let value = self.prefix(live);
        self.depth -= 1;
        value
    }

    fn parenthesised(&mut self, live: bool) -> Value {
        let value = self.conditional(live)?;
        match self.eat(TokenKind::CloseParen) {
            true => Ok(value),
            false => self.fail("expected `)`"),
        }
    }
}

/// The level of an infix operator, loosest 1; 0 for anything else.
fn level(kind: TokenKind) -> u8 {
    match kind {
        TokenKind::BarBar => 1,
        TokenKind::AndAnd => 2,
        TokenKind::Bar => 3,
        TokenKind::Caret => 4,
        TokenKind::Ampersand => 5,
        TokenKind::Equal | TokenKind::NotEqual => 6,
        TokenKind::Less | TokenKind::LessEqual | TokenKind::Greater | TokenKind::GreaterEqual => 7,
        TokenKind::ShiftLeft | TokenKind::ShiftRight => 8,
        TokenKind::Plus | TokenKind::Minus => 9,
        TokenKind::Times | TokenKind::Divide | TokenKind::Modulo => 10,
        _ => 0,
    }
}

/// The result of an operator; none for a division by zero.
fn apply(operator: TokenKind, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        TokenKind::BarBar => i64::from(left != 0 || right != 0),
        TokenKind::AndAnd => i64::from(left != 0 && right != 0),
        TokenKind::Bar => left | right,
        TokenKind::Caret => left ^ right,
        TokenKind::Ampersand => left & right,
        TokenKind::Equal => i64::from(left == right),
        TokenKind::NotEqual => i64::from(left != right),
        TokenKind::Less => i64::from(left < right),
        TokenKind::LessEqual => i64::from(left <= right),
        TokenKind::Greater => i64::from(left > right),
        TokenKind::GreaterEqual => i64::from(left >= right),
        TokenKind::ShiftLeft => left.wrapping_shl(right as u32),
        TokenKind::ShiftRight => left.wrapping_shr(right as u32),
        TokenKind::Plus => left.wrapping_add(right),
        TokenKind::Minus => left.wrapping_sub(right),
        TokenKind::Times => left.wrapping_mul(right),
        TokenKind::Divide if right == 0 => return None,
        TokenKind::Divide => left.wrapping_div(right),
        TokenKind::Modulo if right == 0 => return None,
        _ => left.wrapping_rem(right),
    })
}
