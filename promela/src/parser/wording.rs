//! The words of a statement as they are read: what macros and the parameters of inlines stand for,
//! on one line, with blanks in the same places everywhere.

use super::{Parser, is_reserved};
use crate::ast::StatementKind;
use crate::lexer::{Token, TokenKind};
use source::Descent;

/// A statement that goes on longer than this many tokens is cut off.
const MOST_TOKENS: usize = 150;

impl Parser<'_> {
    /// The words of a statement whose tokens begin at `start`; empty if it is made of others.
    pub(super) fn wording(&self, kind: &StatementKind, start: usize) -> String {
        let tokens = &self.cursor.tokens[start..self.cursor.at];
        match kind {
            StatementKind::If(_)
            | StatementKind::Do(_)
            | StatementKind::Atomic(_)
            | StatementKind::Block(_)
            | StatementKind::Inline(_)
            | StatementKind::Variables(_)
            | StatementKind::Unless(..) => String::new(),
            StatementKind::For { .. } => {
                let head = tokens.iter().position(|token| token.kind == TokenKind::OpenBrace);
                self.words(&tokens[..head.unwrap_or(tokens.len())])
            }
            _ => self.words(tokens),
        }
    }

    fn words(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        let mut before = Before::Start;
        for &token in tokens.iter().take(MOST_TOKENS) {
            let word = match token.kind {
                TokenKind::Implied => ";",
                _ => self.text_of(token),
            };
            let now = before.then(token.kind, word);
            if now.spaced {
                text.push(' ');
            }
            text.push_str(word);
            before = now.before;
        }
        if tokens.len() > MOST_TOKENS {
            text.push_str(" …");
        }
        text
    }
}

/// What stands to the left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    /// A name, number or closing bracket.
    Operand,
    /// Behind this no blank: `(`, `!`, a sign.
    Tight,
    /// An operator or separator.
    Operator,
}

struct Next {
    spaced: bool,
    before: Before,
}

impl Before {
    /// Whether a token is set apart from what stands to its left, and what it is to the next one.
    fn then(self, kind: TokenKind, word: &str) -> Next {
        let next = |spaced, before| Next { spaced: spaced && self.allows_blank(), before };
        let apart = self != Before::Operand;
        match kind {
            TokenKind::CloseParen | TokenKind::CloseBracket => next(false, Before::Operand),
            TokenKind::Comma | TokenKind::Semicolon | TokenKind::Implied => {
                next(false, Before::Operator)
            }
            TokenKind::Dot | TokenKind::DotDot | TokenKind::At => next(false, Before::Tight),
            TokenKind::OpenParen | TokenKind::OpenBracket => next(apart, Before::Tight),
            // Sends and receives are written without blanks, negations after one.
            TokenKind::Exclamation
            | TokenKind::Exclamations
            | TokenKind::Question
            | TokenKind::Questions => next(apart, Before::Tight),
            TokenKind::Tilde => next(true, Before::Tight),
            TokenKind::Minus if apart => next(true, Before::Tight),
            TokenKind::Increment | TokenKind::Decrement => next(false, Before::Operand),
            TokenKind::Word if is_reserved(word) && sets_apart(word) => {
                next(true, Before::Operator)
            }
            TokenKind::Word | TokenKind::Int | TokenKind::Text | TokenKind::Char => {
                next(true, Before::Operand)
            }
            _ => next(true, Before::Operator),
        }
    }

    fn allows_blank(self) -> bool {
        !matches!(self, Before::Start | Before::Tight)
    }
}

/// Whether a blank stands after a reserved word even before `(`.
fn sets_apart(word: &str) -> bool {
    matches!(word, "run" | "if" | "do" | "else" | "for" | "goto" | "return" | "unless" | "of")
}
