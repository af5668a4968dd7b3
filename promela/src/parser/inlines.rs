//! Inlines: a definition keeps its tokens, a call parses them anew with its arguments in place.

use super::{Failed, Parse, Parser};
use crate::ast::{InlineCall, InlineDefinition, Name, Reference, StatementKind, Unit};
use crate::lexer::{Token, TokenKind};
use source::{Descent, Diagnostic};
use std::rc::Rc;

/// How many tokens all calls together may open.
const MOST_INLINED: usize = 2_000_000;

/// A defined inline.
pub(super) struct Inline {
    parameters: Vec<Name>,
    /// The body with its braces.
    body: Vec<Token>,
}

impl Parser<'_> {
    pub(super) fn inline_definition(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        self.advance();
        let key = self.word();
        let name = self.name("the name of the inline")?;
        self.expect(TokenKind::OpenParen, "after the name of the inline")?;
        let mut parameters = vec![];
        if !self.at(TokenKind::CloseParen) {
            parameters.push(self.name("a parameter")?);
            while self.eat(TokenKind::Comma) {
                parameters.push(self.name("a parameter")?);
            }
        }
        self.expect(TokenKind::CloseParen, "after the parameters")?;
        let body = self.inline_body()?;
        let inline = Rc::new(Inline { parameters: parameters.clone(), body });
        if self.inlines.insert(key, inline).is_some() {
            self.remark(format!("the inline `{key}` is defined twice"), name.span);
        }
        Ok(Unit::Inline(InlineDefinition { name, parameters, span: self.since(start) }))
    }

    fn inline_body(&mut self) -> Parse<Vec<Token>> {
        let start = self.cursor.at;
        if !self.at(TokenKind::OpenBrace) {
            return self
                .expect(TokenKind::OpenBrace, "before the body of the inline")
                .map(|_| vec![]);
        }
        let open = self.here();
        self.skip_pair(TokenKind::OpenBrace, TokenKind::CloseBrace);
        let body = &self.cursor.tokens[start..self.cursor.at];
        let balanced = body.iter().fold(0i64, |open, token| match token.kind {
            TokenKind::OpenBrace => open + 1,
            TokenKind::CloseBrace => open - 1,
            _ => open,
        });
        if balanced != 0 {
            return self.error("this `{` is never closed", open);
        }
        Ok(body.to_vec())
    }

    /// `f(a, b)`, for `target = f(a, b)` too.
    pub(super) fn inline_call(&mut self, target: Option<Reference>) -> Parse<StatementKind> {
        let start = self.cursor.at;
        let key = self.word();
        let name = self.name("the name of an inline")?;
        let arguments = self.inline_arguments()?;
        let call = self.since(start);
        let Some(inline) = self.inlines.get(key).cloned() else {
            return self.error(format!("`{key}` is not an inline defined above"), call);
        };
        if arguments.len() != inline.parameters.len() {
            let (wanted, given) = (inline.parameters.len(), arguments.len());
            let message = format!("the inline `{key}` takes {wanted} arguments, {given} are given");
            return self.error(message, call);
        }
        if self.calls.iter().any(|(caller, _)| *caller == key) {
            return self.error(format!("the inline `{key}` calls itself"), call);
        }
        let tokens = self.substituted(&inline, &arguments);
        self.inlined += tokens.len();
        if self.inlined > MOST_INLINED {
            let diagnostic = Diagnostic::error("the calls of inlines make too much text", call);
            return Err(self.give_up(diagnostic));
        }
        self.calls.push((key, target.clone()));
        let body = self.within(tokens, |parser| parser.block("the body of the inline"));
        self.calls.pop();
        Ok(StatementKind::Inline(InlineCall { name, target, call, body: body? }))
    }

    /// Runs a production over other tokens and comes back to these.
    fn within<T>(
        &mut self,
        tokens: Vec<Token>,
        production: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let tokens = std::mem::replace(&mut self.cursor.tokens, tokens);
        let at = std::mem::replace(&mut self.cursor.at, 0);
        let result = production(self);
        self.cursor.tokens = tokens;
        self.cursor.at = if self.cursor.gave_up { self.cursor.tokens.len() - 1 } else { at };
        result
    }

    /// The tokens of each argument.
    fn inline_arguments(&mut self) -> Parse<Vec<Vec<Token>>> {
        self.expect(TokenKind::OpenParen, "after the name of the inline")?;
        let mut list = vec![];
        if self.eat(TokenKind::CloseParen) {
            return Ok(list);
        }
        let mut start = self.cursor.at;
        let mut open = 0u32;
        loop {
            match self.kind() {
                TokenKind::OpenParen | TokenKind::OpenBracket => open += 1,
                TokenKind::CloseBracket => open = open.saturating_sub(1),
                TokenKind::CloseParen if open > 0 => open -= 1,
                TokenKind::Comma | TokenKind::CloseParen if open == 0 => {
                    if self.cursor.at == start {
                        return self.expected("an argument");
                    }
                    list.push(self.cursor.tokens[start..self.cursor.at].to_vec());
                    start = self.cursor.at + 1;
                    if self.advance().kind == TokenKind::CloseParen {
                        return Ok(list);
                    }
                    continue;
                }
                TokenKind::End
                | TokenKind::Semicolon
                | TokenKind::OpenBrace
                | TokenKind::CloseBrace
                | TokenKind::ColonColon => {
                    return self
                        .expect(TokenKind::CloseParen, "after the arguments")
                        .map(|_| vec![]);
                }
                TokenKind::Unknown | TokenKind::Text => {
                    self.expected::<()>("an expression").ok();
                    return Err(Failed);
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// The body with arguments for parameters, closed by an `End`.
    fn substituted(&self, inline: &Inline, arguments: &[Vec<Token>]) -> Vec<Token> {
        let mut tokens = Vec::with_capacity(inline.body.len() + 1);
        for &token in &inline.body {
            let text = self.text_of(token);
            let matches = |parameter: &Name| parameter.text == text;
            let index = (token.kind == TokenKind::Word)
                .then(|| inline.parameters.iter().position(matches))
                .flatten();
            match index {
                None => tokens.push(token),
                Some(index) => tokens.extend(arguments[index].iter().map(|argument| Token {
                    // It is read as part of the body, but names know where they come from.
                    span: token.span,
                    newline: false,
                    ..*argument
                })),
            }
        }
        let end = inline.body.last().copied();
        tokens.extend(end.map(|end| Token { kind: TokenKind::End, ..end }));
        tokens
    }
}
