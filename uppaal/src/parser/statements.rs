//! Statements and blocks. A mistake in one statement does not hide those in the next.

use super::declarations::Scope;
use super::{Failed, Parse, Parser};
use crate::ast::{Block, Expr, Span, Statement, StatementKind};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

impl Parser<'_> {
    /// `{ ... }`, with every mistake inside reported.
    pub(super) fn block(&mut self) -> Parse<Block> {
        self.nested(|parser| parser.open_block())
    }

    fn open_block(&mut self) -> Parse<Block> {
        let start = self.here();
        self.advance();
        let mut statements = vec![];
        while !self.at(TokenKind::CloseBrace) {
            if self.at(TokenKind::End) || self.leaves_block() {
                return self.unclosed(start);
            }
            let before = self.cursor.at;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Failed) => self.recover(before),
            }
            if self.cursor.at == before {
                self.advance();
            }
        }
        self.advance();
        let span = start.to(self.last());
        Ok(Block { statements, span })
    }

    fn leaves_block(&self) -> bool {
        self.starts_section() && !self.at_word("typedef")
    }

    fn unclosed<T>(&mut self, start: Span) -> Parse<T> {
        let diagnostic = Diagnostic::error("this `{` is never closed", start);
        let hint = format!("a `}}` is missing before {}", self.found());
        Err(self.report(diagnostic.hint(hint)))
    }

    fn statement(&mut self) -> Parse<Statement> {
        self.nested(|parser| {
            let start = parser.here();
            let kind = parser.statement_kind()?;
            let span = start.to(parser.last());
            Ok(Statement { kind, span })
        })
    }

    fn statement_kind(&mut self) -> Parse<StatementKind> {
        match self.kind() {
            TokenKind::Semicolon => {
                self.advance();
                return Ok(StatementKind::Empty);
            }
            TokenKind::OpenBrace => return Ok(StatementKind::Block(self.block()?)),
            _ => {}
        }
        match self.word_ahead(0) {
            Some("if") => self.if_statement(),
            Some("for") => self.for_statement(),
            Some("while") => self.while_statement(),
            Some("do") => self.do_statement(),
            Some("return") => self.return_statement(),
            Some("assert") => self.assert_statement(),
            Some("else") => {
                let message = "`else` without an `if` before it";
                self.error(message, self.here())
            }
            Some(_) if self.at_local_declaration() => self.local_declaration(),
            _ => self.expression_statement(),
        }
    }

    /// A type keyword, or two names in a row: a type and a variable.
    fn at_local_declaration(&self) -> bool {
        if self.at_word("typedef") || self.at_type_keyword() {
            return true;
        }
        let infix = matches!(self.word_ahead(1), Some("and" | "or" | "xor" | "imply"));
        self.kind_ahead(1) == TokenKind::Word
            && !infix
            && !self.at_word("not")
            && !self.at_spawn()
            && !self.at_quantifier()
    }

    /// `spawn T(...)`, where `spawn` is no type.
    fn at_spawn(&self) -> bool {
        self.at_word("spawn") && self.kind_ahead(2) == TokenKind::OpenParen
    }

    fn at_quantifier(&self) -> bool {
        matches!(self.word_ahead(0), Some("forall" | "exists" | "sum"))
    }

    fn local_declaration(&mut self) -> Parse<StatementKind> {
        match self.declaration(Scope::Block)? {
            Some(declaration) => Ok(StatementKind::Declaration(declaration)),
            None => Ok(StatementKind::Empty),
        }
    }

    fn expression_statement(&mut self) -> Parse<StatementKind> {
        let expression = self.comma_expression()?;
        self.expect(TokenKind::Semicolon, "after the statement")?;
        Ok(StatementKind::Expr(expression))
    }

    /// `(condition)` after `if` or `while`.
    fn condition(&mut self, word: &str) -> Parse<Expr> {
        self.expect(TokenKind::OpenParen, &format!("after `{word}`"))?;
        let condition = self.comma_expression()?;
        self.expect(TokenKind::CloseParen, "after the condition")?;
        Ok(condition)
    }

    /// The whole chain of `else if` in one loop, so that it does not nest.
    fn if_statement(&mut self) -> Parse<StatementKind> {
        let mut arms = vec![];
        let mut otherwise = None;
        while self.eat_word("if") {
            let condition = self.condition("if")?;
            arms.push((condition, self.statement()?));
            if !self.eat_word("else") {
                break;
            }
            if !self.at_word("if") {
                otherwise = Some(Box::new(self.statement()?));
                break;
            }
        }
        Ok(StatementKind::If { arms, otherwise })
    }

    fn for_statement(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(TokenKind::OpenParen, "after `for`")?;
        if self.at(TokenKind::Word) && self.kind_ahead(1) == TokenKind::Colon {
            let binding = self.binding()?;
            self.expect(TokenKind::CloseParen, "after the type of the loop variable")?;
            let body = Box::new(self.statement()?);
            return Ok(StatementKind::Iterate { binding, body });
        }
        if self.at_type_keyword()
            || self.kind_ahead(1) == TokenKind::Word && self.at(TokenKind::Word)
        {
            return self.declaration_in_for();
        }
        let init = self.optional_until(TokenKind::Semicolon, "after the start of the loop")?;
        let condition = self.optional_until(TokenKind::Semicolon, "after the condition")?;
        let step = self.optional_until(TokenKind::CloseParen, "after the step of the loop")?;
        let body = Box::new(self.statement()?);
        Ok(StatementKind::For { init, condition, step, body })
    }

    fn declaration_in_for<T>(&mut self) -> Parse<T> {
        let message = "a variable cannot be declared inside `for (...)`";
        let hint = "declare it before the loop, or write `for (i : int[0, n])`";
        let diagnostic = Diagnostic::error(message, self.here()).hint(hint);
        let failed = self.report(diagnostic);
        self.skip_parentheses();
        Err(failed)
    }

    /// Skips past the `)` of the parenthesis we are in, lest its `;` look like statements.
    fn skip_parentheses(&mut self) {
        let mut open = 1u32;
        while open > 0
            && !matches!(self.kind(), TokenKind::End | TokenKind::CloseBrace | TokenKind::OpenBrace)
        {
            match self.kind() {
                TokenKind::OpenParen => open += 1,
                TokenKind::CloseParen => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// An expression list that may be missing, and the symbol after it.
    fn optional_until(&mut self, close: TokenKind, after: &str) -> Parse<Option<Expr>> {
        let expression = match self.at(close) {
            true => None,
            false => Some(self.comma_expression()?),
        };
        self.expect(close, after)?;
        Ok(expression)
    }

    fn while_statement(&mut self) -> Parse<StatementKind> {
        self.advance();
        let condition = self.condition("while")?;
        let body = Box::new(self.statement()?);
        Ok(StatementKind::While { condition, body })
    }

    fn do_statement(&mut self) -> Parse<StatementKind> {
        self.advance();
        let body = Box::new(self.statement()?);
        if !self.eat_word("while") {
            return self.expected("`while` after the body of `do`");
        }
        let condition = self.condition("while")?;
        self.expect(TokenKind::Semicolon, "after `do ... while (...)`")?;
        Ok(StatementKind::DoWhile { body, condition })
    }

    fn return_statement(&mut self) -> Parse<StatementKind> {
        self.advance();
        let value = self.optional_until(TokenKind::Semicolon, "after the returned value")?;
        Ok(StatementKind::Return(value))
    }

    fn assert_statement(&mut self) -> Parse<StatementKind> {
        self.advance();
        let condition = self.expression()?;
        self.expect(TokenKind::Semicolon, "after the assertion")?;
        Ok(StatementKind::Assert(condition))
    }
}
