//! Sends, receives and polls.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, Pattern, Poll, Receive, Reference, Send, StatementKind, UnaryOp};
use crate::lexer::TokenKind;
use source::Descent;

impl Parser<'_> {
    /// `!a,b` or `!a(b,c)` after a channel.
    pub(super) fn send(&mut self, channel: Reference) -> Parse<StatementKind> {
        let sorted = self.advance().kind == TokenKind::Exclamations;
        let mut arguments = vec![self.plain_expression()?];
        let parenthesised = self.eat(TokenKind::OpenParen);
        if parenthesised {
            arguments.push(self.plain_expression()?);
        }
        while self.eat(TokenKind::Comma) {
            arguments.push(self.plain_expression()?);
        }
        if parenthesised {
            self.expect(TokenKind::CloseParen, "after the message")?;
        }
        Ok(StatementKind::Send(Send { channel, sorted, arguments }))
    }

    /// `?x,y`, `??x`, `?<x>` after a channel.
    pub(super) fn receive(&mut self, channel: Reference) -> Parse<StatementKind> {
        let random = self.advance().kind == TokenKind::Questions;
        let keep = self.eat(TokenKind::Less);
        let mut patterns = vec![];
        self.patterns(&mut patterns)?;
        if keep {
            self.expect(TokenKind::Greater, "after the message")?;
        }
        Ok(StatementKind::Receive(Receive { channel, random, keep, patterns }))
    }

    /// `?[x,y]` or `??[x,y]` after a channel.
    pub(super) fn poll(&mut self, channel: Reference) -> Parse<ExprKind> {
        let random = self.advance().kind == TokenKind::Questions;
        self.expect(TokenKind::OpenBracket, "before the polled message")?;
        let mut patterns = vec![];
        self.patterns(&mut patterns)?;
        self.expect(TokenKind::CloseBracket, "after the polled message")?;
        Ok(ExprKind::Poll(Poll { channel, random, patterns }))
    }

    /// `a,b`, `a(b,c)` or `(a,b)`.
    fn patterns(&mut self, list: &mut Vec<Pattern>) -> Parse<()> {
        loop {
            if self.at(TokenKind::OpenParen) {
                return self.nested(|parser| parser.pattern_group(list));
            }
            list.push(self.pattern()?);
            if self.at(TokenKind::OpenParen) {
                return self.nested(|parser| parser.pattern_group(list));
            }
            if !self.eat(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn pattern_group(&mut self, list: &mut Vec<Pattern>) -> Parse<()> {
        self.advance();
        self.patterns(list)?;
        self.expect(TokenKind::CloseParen, "after the message")?;
        Ok(())
    }

    fn pattern(&mut self) -> Parse<Pattern> {
        match (self.kind(), self.word()) {
            (TokenKind::Word, "eval") => {
                self.advance();
                self.expect(TokenKind::OpenParen, "after `eval`")?;
                let value = self.plain_expression()?;
                self.expect(TokenKind::CloseParen, "after the value")?;
                Ok(Pattern::Eval(value))
            }
            (TokenKind::Word, "true" | "false" | "skip")
            | (TokenKind::Int | TokenKind::Char, _) => Ok(Pattern::Constant(self.primary()?)),
            (TokenKind::Minus, _) => self.negative(),
            (TokenKind::Word, _) => Ok(Pattern::Reference(self.reference()?)),
            _ => self.expected("a variable, a constant or `eval(...)`"),
        }
    }

    fn negative(&mut self) -> Parse<Pattern> {
        let start = self.cursor.at;
        self.advance();
        if !self.at(TokenKind::Int) {
            return self.expected("a number after `-`");
        }
        let value = self.primary()?;
        let kind = ExprKind::Unary(UnaryOp::Minus, Box::new(value));
        Ok(Pattern::Constant(Expr { kind, span: self.since(start) }))
    }
}
