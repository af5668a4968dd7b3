//! Sequences and statements.

use super::{Failed, Parse, Parser};
use crate::ast::{
    Block, Exclusive, Expr, ExprKind, ForRange, Name, Reference, Span, Statement, StatementKind,
};
use crate::lexer::{Token, TokenKind};
use source::{Descent, Diagnostic};

/// What may end a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closer {
    /// `}`
    Brace,
    /// `::`, `fi` or `od`
    Option,
}

/// What statements begin with, apart from names.
const STATEMENTS: &[&str] = &[
    "if", "do", "for", "select", "break", "else", "goto", "atomic", "d_step", "assert", "printf",
    "printm", "skip", "run", "timeout", "unless",
];

impl Parser<'_> {
    /// `;` or `->`, written or implied.
    pub(super) fn at_separator(&self) -> bool {
        matches!(self.kind(), TokenKind::Semicolon | TokenKind::Arrow | TokenKind::Implied)
    }

    /// `{ sequence }`
    pub(super) fn block(&mut self, what: &str) -> Parse<Block> {
        let start = self.cursor.at;
        let message = format!("before {what}");
        let open = self.expect(TokenKind::OpenBrace, &message)?;
        let statements = self.nested(|parser| parser.sequence(Closer::Brace))?;
        if !self.at(TokenKind::CloseBrace) {
            let message = format!("expected `}}` after {what}, found {}", self.found());
            let diagnostic = Diagnostic::error(message, self.gap_or_here());
            let line = self.cursor.sources.line(open);
            return Err(self.report(diagnostic.hint(format!("its `{{` is in line {line}"))));
        }
        self.advance();
        Ok(Block { statements, span: self.since(start) })
    }

    /// Steps with separators between them, up to what closes the sequence.
    fn sequence(&mut self, closer: Closer) -> Parse<Vec<Statement>> {
        let mut list = vec![];
        if self.ends_sequence() {
            self.expected::<()>("a statement").ok();
            if self.is_closed(closer) {
                return Ok(list);
            }
        }
        loop {
            let step = self.step();
            match step {
                Ok(step) => {
                    let separated = self.separators() || self.separates_itself(&step);
                    list.push(step);
                    if self.is_closed(closer) {
                        return Ok(list);
                    }
                    if !separated && !self.at(TokenKind::End) {
                        self.missing_separator();
                        self.recover_step();
                    }
                }
                Err(Failed) => self.recover_step(),
            }
            while self.ends_sequence() {
                if self.is_closed(closer)
                    || self.at(TokenKind::End)
                    || self.at(TokenKind::CloseBrace)
                {
                    return Ok(list);
                }
                self.expected::<()>("a statement").ok();
                self.advance();
                self.separators();
            }
            if self.at(TokenKind::End) || self.starts_unit() {
                return Ok(list);
            }
        }
    }

    fn separators(&mut self) -> bool {
        let found = self.at_separator();
        while self.at_separator() {
            self.advance();
        }
        found
    }

    /// Whether no separator is needed after a statement.
    fn separates_itself(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Inline(_) | StatementKind::Else => true,
            StatementKind::Unless(_, escape) => self.separates_itself(escape),
            _ => self.follows(TokenKind::CloseBrace),
        }
    }

    fn missing_separator(&mut self) {
        let found = self.found();
        let message = format!("expected `;` or `->` after the statement, found {found}");
        let last = self.token_before().filter(|it| it.kind == TokenKind::Word);
        let misspelt = last.and_then(|it| self.alike(self.text_of(it), STATEMENTS));
        let hint = misspelt.or_else(|| {
            Some(match self.kind() {
                TokenKind::Assign => "to compare, write `==`".to_string(),
                TokenKind::Int | TokenKind::OpenParen => format!("put `;` before {found}"),
                TokenKind::Word if !self.ends_sequence() => format!("put `;` before {found}"),
                _ => return None,
            })
        });
        let diagnostic = Diagnostic::error(message, self.here());
        self.report(Diagnostic { hint, ..diagnostic });
    }

    fn ends_sequence(&self) -> bool {
        match self.kind() {
            TokenKind::CloseBrace | TokenKind::ColonColon | TokenKind::End => true,
            TokenKind::Word => matches!(self.word(), "fi" | "od"),
            _ => false,
        }
    }

    fn is_closed(&self, closer: Closer) -> bool {
        match closer {
            Closer::Brace => self.at(TokenKind::CloseBrace),
            Closer::Option => self.ends_sequence() && !self.at(TokenKind::CloseBrace),
        }
    }

    /// Skips past the next separator at this level, or to before what ends the sequence.
    fn recover_step(&mut self) {
        let mut open = 0u32;
        while !self.at(TokenKind::End) && !self.starts_unit() {
            if open == 0 && self.ends_sequence() {
                return;
            }
            match self.kind() {
                TokenKind::OpenBrace => open += 1,
                TokenKind::CloseBrace => open = open.saturating_sub(1),
                TokenKind::Word if matches!(self.word(), "if" | "do") => open += 1,
                TokenKind::Word if matches!(self.word(), "fi" | "od") => {
                    open = open.saturating_sub(1)
                }
                _ => {}
            }
            let separated = open == 0 && self.at_separator();
            self.advance();
            if separated {
                self.separators();
                return;
            }
        }
    }

    fn step(&mut self) -> Parse<Statement> {
        let start = self.cursor.at;
        if self.at_mtype_names() {
            return self.error("`mtype` constants are declared outside processes", self.here());
        }
        if self.starts_declaration() {
            let variables = self.variables()?;
            return Ok(self.unlabelled(StatementKind::Variables(variables), start));
        }
        if let Some(exclusive) = self.exclusive() {
            return self.exclusive_claim(exclusive);
        }
        let body = self.statement()?;
        if !self.eat_word("unless") {
            return Ok(body);
        }
        let escape = self.statement()?;
        if self.at_word("unless") {
            return self.error("`unless` cannot be chained without braces", self.here());
        }
        let kind = StatementKind::Unless(Box::new(body), Box::new(escape));
        Ok(self.unlabelled(kind, start))
    }

    fn unlabelled(&self, kind: StatementKind, start: usize) -> Statement {
        let (span, text) = (self.since(start), self.wording(&kind, start));
        Statement { labels: vec![], kind, span, text }
    }

    fn exclusive(&self) -> Option<Exclusive> {
        match self.word() {
            "xr" => Some(Exclusive::Receive),
            "xs" => Some(Exclusive::Send),
            _ => None,
        }
    }

    fn exclusive_claim(&mut self, exclusive: Exclusive) -> Parse<Statement> {
        let start = self.cursor.at;
        self.advance();
        let mut channels = vec![self.reference()?];
        while self.eat(TokenKind::Comma) {
            channels.push(self.reference()?);
        }
        Ok(self.unlabelled(StatementKind::Exclusive(exclusive, channels), start))
    }

    /// A statement with its labels.
    pub(super) fn statement(&mut self) -> Parse<Statement> {
        let labels = self.labels()?;
        let start = self.cursor.at;
        if !labels.is_empty() && (self.ends_sequence() || self.at_separator()) {
            return Ok(labelled_skip(labels));
        }
        let kind = self.nested(|parser| parser.statement_kind())?;
        if self.in_trace && !is_event(&kind) {
            let span = self.since(start);
            self.remark("only sends and receives are events of a trace", span);
        }
        let (span, text) = (self.since(start), self.wording(&kind, start));
        Ok(Statement { labels, kind, span, text })
    }

    fn labels(&mut self) -> Parse<Vec<Name>> {
        let mut labels = vec![];
        while self.at_label() {
            labels.push(self.name("a label")?);
            self.advance();
        }
        if !labels.is_empty() && (self.starts_declaration() || self.exclusive().is_some()) {
            let message = "a label belongs before a statement, not before a declaration";
            return self.error(message, self.here());
        }
        Ok(labels)
    }

    fn at_label(&self) -> bool {
        let name = self.name_ahead(0);
        self.kind_ahead(1) == TokenKind::Colon
            && name.is_some_and(|name| !self.proctypes.contains(name))
    }

    fn statement_kind(&mut self) -> Parse<StatementKind> {
        match self.word() {
            "if" => Ok(StatementKind::If(self.options("fi")?)),
            "do" => Ok(StatementKind::Do(self.options("od")?)),
            "for" => self.for_loop(),
            "select" => self.select(),
            "break" => self.simple(StatementKind::Break),
            "else" => self.simple(StatementKind::Else),
            "goto" => {
                self.advance();
                Ok(StatementKind::Goto(self.name("a label")?))
            }
            "atomic" => {
                self.advance();
                Ok(StatementKind::Atomic(self.block("the statements of `atomic`")?))
            }
            "d_step" => {
                self.advance();
                Ok(StatementKind::DStep(self.block("the statements of `d_step`")?))
            }
            "assert" => {
                self.advance();
                Ok(StatementKind::Assert(self.expression()?))
            }
            "printf" => self.printf(),
            "printm" => self.printm(),
            "set_priority" => self.set_priority(),
            "return" => self.return_value(),
            "c_code" | "c_decl" | "c_expr" | "c_state" | "c_track" => self.embedded_c(),
            _ if self.at(TokenKind::OpenBrace) => {
                Ok(StatementKind::Block(self.block("the block")?))
            }
            word if self.name_ahead(0).is_some() => self.named_statement(word),
            _ => self.condition(),
        }
    }

    fn simple(&mut self, kind: StatementKind) -> Parse<StatementKind> {
        self.advance();
        Ok(kind)
    }

    fn condition(&mut self) -> Parse<StatementKind> {
        if !self.starts_expression() && !self.at(TokenKind::Unknown) {
            let message = format!("expected a statement, found {}", self.found());
            let diagnostic = Diagnostic::error(message, self.here());
            return Err(self.report(match self.follows(TokenKind::Implied) {
                true => diagnostic.hint("the line break before it counts as `;`"),
                false => diagnostic,
            }));
        }
        Ok(StatementKind::Expr(self.expression()?))
    }

    fn starts_expression(&self) -> bool {
        match self.kind() {
            TokenKind::Int | TokenKind::Char | TokenKind::OpenParen => true,
            TokenKind::Minus | TokenKind::Tilde | TokenKind::Exclamation => true,
            TokenKind::Word => matches!(
                self.word(),
                "true"
                    | "false"
                    | "skip"
                    | "timeout"
                    | "np_"
                    | "run"
                    | "len"
                    | "full"
                    | "empty"
                    | "nfull"
                    | "nempty"
                    | "enabled"
                    | "pc_value"
                    | "get_priority"
            ),
            _ => false,
        }
    }

    /// A statement that begins with a name: assignment, send, receive, call or condition.
    fn named_statement(&mut self, word: &str) -> Parse<StatementKind> {
        if self.inlines.contains_key(word) {
            return self.inline_call(None);
        }
        let start = self.cursor.at;
        let target = self.reference()?;
        match self.kind() {
            TokenKind::Assign => {
                self.advance();
                if self.inlines.contains_key(self.word()) {
                    return self.inline_call(Some(target));
                }
                Ok(StatementKind::Assign(target, self.expression()?))
            }
            TokenKind::Increment => self.simple(StatementKind::Increment(target)),
            TokenKind::Decrement => self.simple(StatementKind::Decrement(target)),
            TokenKind::Exclamation | TokenKind::Exclamations => self.send(target),
            TokenKind::Question | TokenKind::Questions
                if self.kind_ahead(1) != TokenKind::OpenBracket =>
            {
                self.receive(target)
            }
            TokenKind::OpenParen => self.unknown_call(word, start),
            _ => {
                self.cursor.at = start;
                Ok(StatementKind::Expr(self.expression()?))
            }
        }
    }

    fn unknown_call(&mut self, word: &str, start: usize) -> Parse<StatementKind> {
        let message = format!("`{word}` is not an inline defined above");
        let span = self.cursor.tokens[start].span;
        let diagnostic = Diagnostic::error(message, span);
        Err(self.report(match self.proctypes.contains(word) {
            true => diagnostic.hint(format!("a proctype is started with `run {word}(...)`")),
            false => Diagnostic { hint: self.alike(word, STATEMENTS), ..diagnostic },
        }))
    }

    /// The options between `if` and `fi` or `do` and `od`.
    fn options(&mut self, closer: &str) -> Parse<Vec<Block>> {
        let opener = self.word();
        let first = self.advance().span;
        if !self.at(TokenKind::ColonColon) {
            let message = format!("expected `::` after `{opener}`, found {}", self.found());
            let hint = format!("write `{opener} :: condition -> statements :: else {closer}`");
            return Err(self.report(Diagnostic::error(message, self.here()).hint(hint)));
        }
        let mut options = vec![];
        while self.at(TokenKind::ColonColon) {
            let start = self.cursor.at;
            self.advance();
            let statements = self.nested(|parser| parser.sequence(Closer::Option))?;
            options.push(Block { statements, span: self.since(start) });
        }
        if !self.eat_word(closer) {
            let message = format!("expected `::` or `{closer}`, found {}", self.found());
            let diagnostic = Diagnostic::error(message, self.gap_or_here());
            let line = self.cursor.sources.line(first);
            let hint = format!("this belongs to the `{opener}` in line {line}");
            self.report(diagnostic.hint(hint));
            // The wrong one of the two words still closes the options.
            return match matches!(self.word(), "fi" | "od") {
                true => {
                    self.advance();
                    Ok(options)
                }
                false => Err(Failed),
            };
        }
        Ok(options)
    }

    fn for_loop(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(TokenKind::OpenParen, "after `for`")?;
        let variable = self.reference()?;
        let range = if self.eat_word("in") {
            ForRange::In(self.reference()?)
        } else {
            self.expect(TokenKind::Colon, "or `in` after the loop variable")?;
            let (low, high) = self.range()?;
            ForRange::Between(low, high)
        };
        self.expect(TokenKind::CloseParen, "after the range")?;
        if matches!(self.kind(), TokenKind::Implied | TokenKind::Semicolon) {
            self.advance();
        }
        let body = self.block("the body of the loop")?;
        Ok(StatementKind::For { variable, range, body })
    }

    fn range(&mut self) -> Parse<(Expr, Expr)> {
        let low = self.plain_expression()?;
        self.expect(TokenKind::DotDot, "after the lower bound")?;
        let high = self.plain_expression()?;
        Ok((low, high))
    }

    fn select(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(TokenKind::OpenParen, "after `select`")?;
        let from = self.cursor.at;
        let variable = self.reference()?;
        self.expect(TokenKind::Colon, "after the variable")?;
        let (low, high) = self.range()?;
        self.expect(TokenKind::CloseParen, "after the range")?;
        let plain = variable.parts.iter().all(|part| !part.name.text.contains('_'));
        let scanned =
            plain && self.calls.is_empty() && is_scanned(&self.cursor.tokens[from..self.cursor.at]);
        Ok(StatementKind::Select { variable, low, high, scanned })
    }

    fn printf(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(TokenKind::OpenParen, "after `printf`")?;
        if !self.at(TokenKind::Text) {
            return self.expected("a string");
        }
        let token = self.advance();
        let text = self.text_of(token);
        let format = text.get(1..text.len() - 1).unwrap_or("").to_string();
        let mut values = vec![];
        while self.eat(TokenKind::Comma) {
            values.push(self.plain_expression()?);
        }
        self.expect(TokenKind::CloseParen, "after the values")?;
        Ok(StatementKind::Printf(format, values))
    }

    fn printm(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(TokenKind::OpenParen, "after `printm`")?;
        let value = self.primary()?;
        self.expect(TokenKind::CloseParen, "after the value")?;
        Ok(StatementKind::Printm(value))
    }

    fn set_priority(&mut self) -> Parse<StatementKind> {
        self.advance();
        self.expect(TokenKind::OpenParen, "after `set_priority`")?;
        let process = self.plain_expression()?;
        self.expect(TokenKind::Comma, "between process and priority")?;
        let priority = self.plain_expression()?;
        self.expect(TokenKind::CloseParen, "after the priority")?;
        Ok(StatementKind::SetPriority(process, priority))
    }

    fn return_value(&mut self) -> Parse<StatementKind> {
        let span = self.here();
        let target: Option<Reference> = self.calls.last().and_then(|(_, target)| target.clone());
        self.advance();
        let value = self.expression()?;
        match target {
            Some(target) => Ok(StatementKind::Return { target, value }),
            None => {
                let message = "`return` is only possible in an inline called as `x = f(...)`";
                self.remark(message, span);
                Ok(StatementKind::Expr(value))
            }
        }
    }
}

/// Whether Spin's scanner recognises what stands in the parentheses of a `select`.
fn is_scanned(tokens: &[Token]) -> bool {
    let kinds: Vec<TokenKind> = tokens.iter().map(|token| token.kind).collect();
    matches!(
        kinds[..],
        [
            _,
            TokenKind::Colon,
            TokenKind::Int,
            TokenKind::DotDot,
            TokenKind::Int,
            TokenKind::CloseParen
        ]
    ) && tokens.iter().all(|token| !token.newline && !token.starts_line)
}

/// A label before nothing stands before `skip`.
fn labelled_skip(labels: Vec<Name>) -> Statement {
    let span = labels.last().map_or(Span::default(), |name| name.span);
    let kind = StatementKind::Expr(Expr { kind: ExprKind::Skip, span });
    Statement { labels, kind, span, text: "skip".to_string() }
}

/// Whether a statement may stand in a trace.
fn is_event(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Send(send) => !send.sorted,
        StatementKind::Receive(receive) => !receive.random && !receive.keep,
        StatementKind::If(_) | StatementKind::Do(_) | StatementKind::For { .. } => true,
        StatementKind::Select { .. } | StatementKind::Break | StatementKind::Goto(_) => true,
        _ => false,
    }
}
