//! The `;` that Spin 6 reads into a line break.
//!
//! Within the braces of a process, claim, type or inline, and outside parentheses, a line break
//! after a token that can end a statement counts as `;`. So `x = a` with `+ b` on the next line
//! is a mistake, and with `- b` it is two statements.

use crate::lexer::{Token, TokenKind};
use crate::parser::is_reserved;
use rustc_hash::FxHashSet;
use source::SourceMap;

/// The tokens with an `Implied` wherever a line break stands for `;`.
pub(crate) fn imply_separators(tokens: &[Token], sources: &SourceMap) -> Vec<Token> {
    let mut layout = Layout {
        sources,
        types: FxHashSet::default(),
        body_follows: false,
        in_body: false,
        braces: 0,
        parens: 0,
    };
    let mut result: Vec<Token> = Vec::with_capacity(tokens.len() + tokens.len() / 8);
    for &token in tokens {
        if let Some(&last) = result.last() {
            if layout.implies(last, token) {
                result.push(implied(last));
            }
            layout.declare(last, token);
        }
        if token.kind == TokenKind::CloseBrace {
            drop_separators(&mut result);
        }
        layout.follow(token);
        result.push(token);
    }
    result
}

/// Before `}` a separator means nothing, not even in a list of types.
fn drop_separators(tokens: &mut Vec<Token>) {
    let is_separator =
        |token: &mut Token| matches!(token.kind, TokenKind::Semicolon | TokenKind::Arrow);
    while tokens.pop_if(is_separator).is_some() {}
}

/// A token without text after `last`.
fn implied(last: Token) -> Token {
    let mut token = Token { kind: TokenKind::Implied, ..last };
    token.text.start = last.text.end;
    token.span.start = last.span.end;
    token
}

struct Layout<'a> {
    sources: &'a SourceMap,
    /// Names of types, proctypes and inlines: no statement ends with one.
    types: FxHashSet<&'a str>,
    /// A word was seen whose braces hold statements or fields.
    body_follows: bool,
    in_body: bool,
    braces: u32,
    parens: u32,
}

impl<'a> Layout<'a> {
    fn text(&self, token: Token) -> &'a str {
        self.sources.snippet(token.text)
    }

    fn implies(&self, last: Token, token: Token) -> bool {
        let redundant = match token.kind {
            TokenKind::Arrow | TokenKind::Semicolon | TokenKind::CloseBrace | TokenKind::End => {
                true
            }
            TokenKind::Word => last.kind == TokenKind::CloseBrace && self.text(token) == "unless",
            _ => false,
        };
        self.in_body && self.parens == 0 && token.newline && !redundant && self.ends(last)
    }

    /// Whether a statement may end with this token.
    fn ends(&self, last: Token) -> bool {
        match last.kind {
            TokenKind::CloseBrace | TokenKind::CloseParen | TokenKind::CloseBracket => true,
            TokenKind::Int | TokenKind::Char | TokenKind::Increment | TokenKind::Decrement => true,
            TokenKind::Word => match self.text(last) {
                "od" | "fi" | "else" | "break" | "skip" | "true" | "false" | "timeout" => true,
                word => !is_reserved(word) && !self.types.contains(word),
            },
            _ => false,
        }
    }

    fn declare(&mut self, last: Token, token: Token) {
        let word = self.text(last);
        if last.kind == TokenKind::Word
            && matches!(word, "typedef" | "proctype" | "D_proctype" | "inline")
        {
            self.types.insert(self.text(token));
        }
    }

    fn follow(&mut self, token: Token) {
        match token.kind {
            TokenKind::OpenParen => self.parens += 1,
            TokenKind::CloseParen => self.parens = self.parens.saturating_sub(1),
            TokenKind::OpenBrace => self.open_brace(),
            TokenKind::CloseBrace => self.close_brace(),
            TokenKind::Word if !self.in_body => {
                self.body_follows |= matches!(
                    self.text(token),
                    "proctype"
                        | "D_proctype"
                        | "init"
                        | "never"
                        | "trace"
                        | "notrace"
                        | "typedef"
                        | "inline"
                );
            }
            _ => {}
        }
    }

    fn open_brace(&mut self) {
        if self.braces == 0 && self.body_follows {
            self.in_body = true;
            self.body_follows = false;
            self.parens = 0;
        }
        self.braces += 1;
    }

    fn close_brace(&mut self) {
        self.braces = self.braces.saturating_sub(1);
        if self.braces == 0 {
            self.in_body = false;
            self.parens = 0;
        }
    }
}
