//! The constant expressions of `#if` and `#elif`, in 64-bit arithmetic.

use super::Preprocessor;
use crate::ast::Span;
use crate::lexer::{Kind, Token};

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
        while let Some((&token, behind)) = rest.split_first() {
            let is_defined = token.kind == Kind::Word && self.text(token) == "defined";
            let found = is_defined.then(|| self.defined_operand(behind)).flatten();
            match found {
                Some((value, length)) => {
                    let text = self.sources.make(if value { "1" } else { "0" });
                    resolved.push(Token { kind: Kind::Int, text, ..token });
                    rest = &behind[length..];
                }
                None => {
                    resolved.push(token);
                    rest = behind;
                }
            }
        }
        resolved
    }

    fn defined_operand(&self, rest: &[Token]) -> Option<(bool, usize)> {
        let (name, length) = match rest {
            [open, name, close, ..]
                if open.kind == Kind::OpenParen && close.kind == Kind::CloseParen =>
            {
                (name, 3)
            }
            [name, ..] => (name, 1),
            [] => return None,
        };
        let is_defined = || self.macros.by_name.contains_key(self.text(*name));
        (name.kind == Kind::Word).then(|| (is_defined(), length))
    }

    fn term(&self, token: Token) -> Term {
        let text = self.text(token);
        let value = match token.kind {
            Kind::Int => number(text),
            Kind::Char => text.chars().nth(1).map(|c| i64::from(u32::from(c))),
            // A word that is no macro counts as 0.
            Kind::Word if text != "defined" => Some(0),
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
    kind: Kind,
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
    fn peek(&self) -> Option<Kind> {
        self.terms.get(self.at).map(|term| term.kind)
    }

    fn eat(&mut self, kind: Kind) -> bool {
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
        if self.eat(Kind::Question) {
            let yes = self.conditional(live && condition != 0)?;
            if !self.eat(Kind::Colon) {
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
                Kind::AndAnd => left != 0,
                Kind::BarBar => left == 0,
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
            Kind::Minus => Ok(self.operand(live)?.wrapping_neg()),
            Kind::Plus => self.operand(live),
            Kind::Tilde => Ok(!self.operand(live)?),
            Kind::Exclamation => Ok(i64::from(self.operand(live)? == 0)),
            Kind::Exclamations => Ok(i64::from(self.operand(live)? != 0)),
            Kind::OpenParen => self.parenthesised(live),
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
        match self.eat(Kind::CloseParen) {
            true => Ok(value),
            false => self.fail("expected `)`"),
        }
    }
}

/// The level of an infix operator, loosest 1; 0 for anything else.
fn level(kind: Kind) -> u8 {
    match kind {
        Kind::BarBar => 1,
        Kind::AndAnd => 2,
        Kind::Bar => 3,
        Kind::Caret => 4,
        Kind::Ampersand => 5,
        Kind::Equal | Kind::NotEqual => 6,
        Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual => 7,
        Kind::ShiftLeft | Kind::ShiftRight => 8,
        Kind::Plus | Kind::Minus => 9,
        Kind::Times | Kind::Divide | Kind::Modulo => 10,
        _ => 0,
    }
}

/// The result of an operator; none for a division by zero.
fn apply(operator: Kind, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        Kind::BarBar => i64::from(left != 0 || right != 0),
        Kind::AndAnd => i64::from(left != 0 && right != 0),
        Kind::Bar => left | right,
        Kind::Caret => left ^ right,
        Kind::Ampersand => left & right,
        Kind::Equal => i64::from(left == right),
        Kind::NotEqual => i64::from(left != right),
        Kind::Less => i64::from(left < right),
        Kind::LessEqual => i64::from(left <= right),
        Kind::Greater => i64::from(left > right),
        Kind::GreaterEqual => i64::from(left >= right),
        Kind::ShiftLeft => left.wrapping_shl(right as u32),
        Kind::ShiftRight => left.wrapping_shr(right as u32),
        Kind::Plus => left.wrapping_add(right),
        Kind::Minus => left.wrapping_sub(right),
        Kind::Times => left.wrapping_mul(right),
        Kind::Divide if right == 0 => return None,
        Kind::Divide => left.wrapping_div(right),
        Kind::Modulo if right == 0 => return None,
        _ => left.wrapping_rem(right),
    })
}
