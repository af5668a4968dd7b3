//! Sends, receives and polls.

use super::{Parse, Parser};
use crate::ast::{Expr, ExprKind, Pattern, Poll, Receive, Reference, Send, StatementKind, UnaryOp};
use crate::lexer::Kind;
use source::Descent;

impl Parser<'_> {
    /// `!a,b` or `!a(b,c)` behind a channel.
    pub(super) fn send(&mut self, channel: Reference) -> Parse<StatementKind> {
        let sorted = self.advance().kind == Kind::Exclamations;
        let mut arguments = vec![self.plain_expression()?];
        let parenthesised = self.eat(Kind::OpenParen);
        if parenthesised {
            arguments.push(self.plain_expression()?);
        }
        while self.eat(Kind::Comma) {
            arguments.push(self.plain_expression()?);
        }
        if parenthesised {
            self.expect(Kind::CloseParen, "after the message")?;
        }
        Ok(StatementKind::Send(Send { channel, sorted, arguments }))
    }

    /// `?x,y`, `??x`, `?<x>` behind a channel.
    pub(super) fn receive(&mut self, channel: Reference) -> Parse<StatementKind> {
        let random = self.advance().kind == Kind::Questions;
        let keep = self.eat(Kind::Less);
        let mut patterns = vec![];
        self.patterns(&mut patterns)?;
        if keep {
            self.expect(Kind::Greater, "after the message")?;
        }
        Ok(StatementKind::Receive(Receive { channel, random, keep, patterns }))
    }

    /// `?[x,y]` or `??[x,y]` behind a channel.
    pub(super) fn poll(&mut self, channel: Reference) -> Parse<ExprKind> {
        let random = self.advance().kind == Kind::Questions;
        self.expect(Kind::OpenBracket, "before the polled message")?;
        let mut patterns = vec![];
        self.patterns(&mut patterns)?;
        self.expect(Kind::CloseBracket, "after the polled message")?;
        Ok(ExprKind::Poll(Poll { channel, random, patterns }))
    }

    /// `a,b`, `a(b,c)` or `(a,b)`.
    fn patterns(&mut self, list: &mut Vec<Pattern>) -> Parse<()> {
        loop {
            if self.at(Kind::OpenParen) {
                return self.nested(|parser| parser.pattern_group(list));
            }
            list.push(self.pattern()?);
            if self.at(Kind::OpenParen) {
                return self.nested(|parser| parser.pattern_group(list));
            }
            if !self.eat(Kind::Comma) {
                return Ok(());
            }
        }
    }

    fn pattern_group(&mut self, list: &mut Vec<Pattern>) -> Parse<()> {
        self.advance();
        self.patterns(list)?;
        self.expect(Kind::CloseParen, "after the message")?;
        Ok(())
    }

    fn pattern(&mut self) -> Parse<Pattern> {
        match (self.kind(), self.word()) {
            (Kind::Word, "eval") => {
                self.advance();
                self.expect(Kind::OpenParen, "after `eval`")?;
                let value = self.plain_expression()?;
                self.expect(Kind::CloseParen, "after the value")?;
                Ok(Pattern::Eval(value))
            }
            (Kind::Word, "true" | "false" | "skip") | (Kind::Int | Kind::Char, _) => {
                Ok(Pattern::Constant(self.primary()?))
            }
            (Kind::Minus, _) => self.negative(),
            (Kind::Word, _) => Ok(Pattern::Reference(self.reference()?)),
            _ => self.expected("a variable, a constant or `eval(...)`"),
        }
    }

    fn negative(&mut self) -> Parse<Pattern> {
        let start = self.cursor.at;
        self.advance();
        if !self.at(Kind::Int) {
            return self.expected("a number after `-`");
        }
        let value = self.primary()?;
        let kind = ExprKind::Unary(UnaryOp::Minus, Box::new(value));
        Ok(Pattern::Constant(Expr { kind, span: self.since(start) }))
    }
}
