//! Top level: proctypes, claims, formulas, types and inlines.

use super::{Parse, Parser};
use crate::ast::{
    Active, Expr, Init, Ltl, Model, Mtype, Name, Never, Proctype, Trace, Typedef, Unit, Variables,
};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

/// What units begin with, apart from types.
const UNITS: &[&str] =
    &["active", "proctype", "init", "never", "trace", "notrace", "ltl", "typedef", "inline"];

impl Parser<'_> {
    /// Everything up to the end of the text.
    pub(super) fn model(&mut self) -> Model {
        let mut units = vec![];
        while !self.at(TokenKind::End) {
            if self.at_separator() {
                self.advance();
                continue;
            }
            let start = self.cursor.at;
            match self.unit() {
                Ok(unit) => units.push(unit),
                Err(_) => self.recover_unit(start),
            }
        }
        if units.is_empty() && !self.cursor.gave_up && self.cursor.diagnostics.count() == 0 {
            let diagnostic = Diagnostic::error("the model is empty", self.here());
            self.report(diagnostic.hint("a model has at least one proctype or init"));
        }
        Model { units }
    }

    fn unit(&mut self) -> Parse<Unit> {
        match self.word() {
            "active" | "proctype" | "D_proctype" => self.proctype(),
            "init" => self.init(),
            "never" => self.never(),
            "trace" | "notrace" => self.trace(),
            "ltl" => self.ltl(),
            "typedef" => self.typedef(),
            "inline" => self.inline_definition(),
            "c_code" | "c_decl" | "c_expr" => self.embedded_c(),
            "c_state" | "c_track" => self.c_state(),
            _ if self.at_mtype_names() => self.mtype(),
            _ if self.starts_declaration() => Ok(Unit::Variables(self.variables()?)),
            word => {
                let message =
                    format!("expected a proctype, `init` or a declaration, found {}", self.found());
                let hint = self.alike(word, UNITS);
                let diagnostic = Diagnostic::error(message, self.here());
                Err(self.report(Diagnostic { hint, ..diagnostic }))
            }
        }
    }

    /// Skips to the next unit, but at least one token.
    fn recover_unit(&mut self, start: usize) {
        if self.cursor.at == start {
            self.advance();
        }
        let taken = &self.cursor.tokens[start..self.cursor.at];
        let mut open = taken.iter().fold(0i32, |open, token| match token.kind {
            TokenKind::OpenBrace => open + 1,
            TokenKind::CloseBrace => (open - 1).max(0),
            _ => open,
        });
        let closed = |open: i32, kind: TokenKind| open == 0 && kind == TokenKind::CloseBrace;
        if self.token_before().is_some_and(|last| closed(open, last.kind)) {
            return;
        }
        while !self.at(TokenKind::End) && !self.starts_unit() {
            let kind = self.advance().kind;
            open +=
                i32::from(kind == TokenKind::OpenBrace) - i32::from(kind == TokenKind::CloseBrace);
            if open <= 0 && matches!(kind, TokenKind::CloseBrace | TokenKind::Semicolon) {
                return;
            }
        }
    }

    fn proctype(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        let active = self.active()?;
        let deterministic = self.at_word("D_proctype");
        if !deterministic && !self.at_word("proctype") {
            return self.expected("`proctype`");
        }
        self.advance();
        self.remember_proctype();
        let name = self.name("the name of the proctype")?;
        self.expect(TokenKind::OpenParen, "after the name of the proctype")?;
        let parameters = self.parameters()?;
        self.expect(TokenKind::CloseParen, "after the parameters")?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.block("the body of the proctype")?;
        let span = self.since(start);
        Ok(Unit::Proctype(Box::new(Proctype {
            active,
            deterministic,
            name,
            parameters,
            priority,
            provided,
            body,
            span,
        })))
    }

    fn remember_proctype(&mut self) {
        if let Some(name) = self.name_ahead(0) {
            self.proctypes.insert(name);
        }
    }

    fn active(&mut self) -> Parse<Active> {
        if !self.eat_word("active") {
            return Ok(Active::No);
        }
        if !self.eat(TokenKind::OpenBracket) {
            return Ok(Active::One);
        }
        let count = self.constant("the number of processes")?;
        self.expect(TokenKind::CloseBracket, "after the number of processes")?;
        Ok(Active::Many(count))
    }

    /// `byte a, b; chan c` between parentheses.
    fn parameters(&mut self) -> Parse<Vec<Variables>> {
        let mut list = vec![];
        if self.at(TokenKind::CloseParen) {
            return Ok(list);
        }
        loop {
            if !self.starts_declaration() {
                return self.expected("the type of a parameter");
            }
            let parameter = self.variables()?;
            if let Some(bad) = parameter.declarators.iter().find(|it| it.initialiser.is_some()) {
                self.remark("a parameter has no initial value", bad.span);
            }
            list.push(parameter);
            if !self.eat(TokenKind::Semicolon) {
                return Ok(list);
            }
        }
    }

    /// `priority 3`, if it is there.
    pub(super) fn priority(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        match self.kind() {
            TokenKind::Int | TokenKind::Char => Ok(Some(self.primary()?)),
            TokenKind::Word => Ok(Some(self.constant("a priority")?)),
            _ => self.expected("a number after `priority`"),
        }
    }

    fn provided(&mut self) -> Parse<Option<Expr>> {
        if !self.eat_word("provided") {
            return Ok(None);
        }
        self.expect(TokenKind::OpenParen, "after `provided`")?;
        let condition = self.expression()?;
        self.expect(TokenKind::CloseParen, "after the condition")?;
        if self.at_word("priority") {
            return self.error("`priority` comes before `provided`", self.here());
        }
        Ok(Some(condition))
    }

    fn init(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        self.advance();
        let priority = self.priority()?;
        let body = self.block("the body of `init`")?;
        Ok(Unit::Init(Init { priority, body, span: self.since(start) }))
    }

    fn optional_name(&mut self, what: &str) -> Parse<Option<Name>> {
        match self.at(TokenKind::Word) {
            true => Ok(Some(self.name(what)?)),
            false => Ok(None),
        }
    }

    fn never(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        self.advance();
        let name = self.optional_name("the name of the claim")?;
        let body = self.block("the body of the claim")?;
        Ok(Unit::Never(Never { name, body, span: self.since(start) }))
    }

    fn trace(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        let forbidden = self.at_word("notrace");
        self.advance();
        self.in_trace = true;
        let body = self.block("the body of the trace");
        self.in_trace = false;
        Ok(Unit::Trace(Trace { forbidden, body: body?, span: self.since(start) }))
    }

    fn ltl(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        self.advance();
        let name = self.optional_name("the name of the formula")?;
        self.expect(TokenKind::OpenBrace, "before the formula")?;
        let formula = self.formula()?;
        while self.at_separator() {
            self.advance();
        }
        self.expect(TokenKind::CloseBrace, "after the formula")?;
        Ok(Unit::Ltl(Ltl { name, formula, span: self.since(start) }))
    }

    fn typedef(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        self.advance();
        if let Some(name) = self.name_ahead(0) {
            self.typedefs.insert(name);
        }
        let name = self.name("the name of the type")?;
        self.expect(TokenKind::OpenBrace, "after the name of the type")?;
        let mut fields = vec![];
        loop {
            if !self.starts_declaration() {
                return self.expected("the type of a field");
            }
            fields.push(self.variables()?);
            if !self.at_separator() {
                break;
            }
            while self.at_separator() {
                self.advance();
            }
            if self.at(TokenKind::CloseBrace) {
                break;
            }
        }
        self.expect(TokenKind::CloseBrace, "after the fields")?;
        Ok(Unit::Typedef(Typedef { name, fields, span: self.since(start) }))
    }

    /// `c_state "int x" "Global"` and `c_track "&x" "sizeof(x)"`.
    fn c_state(&mut self) -> Parse<Unit> {
        let result = self.embedded_c();
        while self.eat(TokenKind::Text) {}
        result
    }

    /// Whether `mtype = { ... }` comes next rather than variables of type `mtype`.
    pub(super) fn at_mtype_names(&self) -> bool {
        let ahead = usize::from(matches!(self.word(), "hidden" | "show" | "local"));
        if self.word_ahead(ahead) != Some("mtype") {
            return false;
        }
        match self.kind_ahead(ahead + 1) {
            TokenKind::Assign | TokenKind::OpenBrace => true,
            TokenKind::Colon => {
                matches!(self.kind_ahead(ahead + 3), TokenKind::Assign | TokenKind::OpenBrace)
            }
            _ => false,
        }
    }

    fn mtype(&mut self) -> Parse<Unit> {
        let start = self.cursor.at;
        if !self.at_word("mtype") {
            let message = format!("`{}` has no meaning for `mtype` constants", self.word());
            self.remark(message, self.here());
            self.advance();
        }
        self.advance();
        let subtype = match self.eat(TokenKind::Colon) {
            true => Some(self.name("the name of the subtype")?),
            false => None,
        };
        if !self.eat(TokenKind::Assign) && subtype.is_some() {
            return self.expected("`=` after the name of the subtype");
        }
        self.expect(TokenKind::OpenBrace, "before the names")?;
        let mut names = vec![];
        while !self.at(TokenKind::CloseBrace) {
            names.push(self.name("the name of a constant")?);
            while self.eat(TokenKind::Comma) {}
        }
        if names.is_empty() {
            return self.expected("the name of a constant");
        }
        self.advance();
        Ok(Unit::Mtype(Mtype { subtype, names, span: self.since(start) }))
    }
}
