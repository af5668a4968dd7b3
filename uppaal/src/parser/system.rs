//! The system section: the `system` line, `progress`, `gantt` and `query` blocks, and the whole
//! of a textual model, whose declarations, processes and instantiations may be mixed.

use super::declarations::Scope;
use super::queries::parse_formula_in;
use super::{Failed, Parse, Parser};
use crate::ast::{
    Declaration, GanttBar, GanttRow, Model, ProcessName, ProgressMeasure, Span, SystemSection,
    Template,
};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

/// What stands in a textual model before its `system` line.
enum Item {
    Declaration(Declaration),
    Template(Box<Template>),
}

impl Parser<'_> {
    /// A whole `.xta` or `.ta` file.
    pub(crate) fn model(&mut self) -> Model {
        let mut items = vec![];
        while !self.at(TokenKind::End) && !self.at_word("system") {
            self.item_or_recover(&mut items);
        }
        let mut model = arrange(items);
        self.system_tail(&mut model.system);
        model
    }

    fn item_or_recover(&mut self, items: &mut Vec<Item>) {
        if self.at_word("process") {
            let before = self.cursor.at;
            match self.process() {
                Ok(template) => items.push(Item::Template(Box::new(template))),
                Err(Failed) => self.recover(before),
            }
            return;
        }
        let mut declarations = vec![];
        self.declaration_or_recover(Scope::System, &mut declarations);
        items.extend(declarations.into_iter().map(Item::Declaration));
    }

    /// The text of the `system` element of an XML model.
    pub(crate) fn system_section(&mut self, system: &mut SystemSection) {
        while !self.at(TokenKind::End) && !self.at_word("system") {
            self.declaration_or_recover(Scope::System, &mut system.declarations);
        }
        self.system_tail(system);
    }

    /// The `system` line and everything after it.
    fn system_tail(&mut self, system: &mut SystemSection) {
        if !self.at_word("system") {
            let message = "there is no `system` line";
            let hint = "end the model with a line such as `system P, Q;`";
            self.report(Diagnostic::error(message, self.here()).hint(hint));
            return;
        }
        let before = self.cursor.at;
        if self.system_line(system).is_err() {
            self.recover(before);
        }
        while !self.at(TokenKind::End) {
            let before = self.cursor.at;
            if self.block_after_system(system).is_err() {
                self.recover(before);
                self.eat(TokenKind::CloseBrace);
            }
            if self.cursor.at == before {
                self.advance();
            }
        }
    }

    fn system_line(&mut self, system: &mut SystemSection) -> Parse<()> {
        let start = self.here();
        self.advance();
        let mut priority = 0;
        loop {
            let name = self.name("the name of a process")?;
            system.processes.push(ProcessName { name, priority });
            if self.eat(TokenKind::Less) {
                priority += 1;
            } else if !self.another(TokenKind::Semicolon, "in the `system` line")? {
                break;
            }
        }
        self.advance();
        system.span = start.to(self.last());
        Ok(())
    }

    fn block_after_system(&mut self, system: &mut SystemSection) -> Parse<()> {
        match (self.word_ahead(0), self.kind_ahead(1)) {
            (Some("progress"), TokenKind::OpenBrace) => self.progress(&mut system.progress),
            (Some("gantt"), TokenKind::OpenBrace) => self.gantt(&mut system.gantt),
            (Some("query"), TokenKind::OpenBrace) => self.query_block(),
            (Some("IO"), TokenKind::Word) => self.io_block(),
            _ => self.expected("the end of the model, `progress` or `gantt`"),
        }
    }

    fn progress(&mut self, list: &mut Vec<ProgressMeasure>) -> Parse<()> {
        self.advance();
        self.advance();
        while !self.at(TokenKind::CloseBrace) {
            let first = self.expression()?;
            let measure = match self.eat(TokenKind::Colon) {
                true => ProgressMeasure { guard: Some(first), measure: self.expression()? },
                false => ProgressMeasure { guard: None, measure: first },
            };
            self.expect(TokenKind::Semicolon, "after the progress measure")?;
            list.push(measure);
        }
        self.advance();
        Ok(())
    }

    fn gantt(&mut self, list: &mut Vec<GanttRow>) -> Parse<()> {
        self.advance();
        self.advance();
        while !self.at(TokenKind::CloseBrace) {
            list.push(self.gantt_row()?);
        }
        self.advance();
        Ok(())
    }

    fn gantt_row(&mut self) -> Parse<GanttRow> {
        let name = self.name("the name of a Gantt row")?;
        let mut bindings = vec![];
        if self.eat(TokenKind::OpenParen) {
            bindings = self.bindings()?;
            self.expect(TokenKind::CloseParen, "after the bindings")?;
        }
        self.expect(TokenKind::Colon, "after the name of the Gantt row")?;
        let mut bars = vec![self.gantt_bar()?];
        while self.another(TokenKind::Semicolon, "after the Gantt bar")? {
            bars.push(self.gantt_bar()?);
        }
        self.advance();
        Ok(GanttRow { name, bindings, bars })
    }

    fn gantt_bar(&mut self) -> Parse<GanttBar> {
        let mut bindings = vec![];
        if self.eat_word("for") {
            self.expect(TokenKind::OpenParen, "after `for`")?;
            bindings = self.bindings()?;
            self.expect(TokenKind::CloseParen, "after the bindings")?;
        }
        let condition = self.expression()?;
        self.expect(TokenKind::Arrow, "between the condition and the colour")?;
        let colour = self.expression()?;
        Ok(GanttBar { bindings, condition, colour })
    }

    /// `IO P { a, b }` of timed input/output automata, which does not change the behaviour.
    fn io_block(&mut self) -> Parse<()> {
        let message = "`IO` declarations are ignored";
        let diagnostic = Diagnostic::warning(message, self.here());
        self.cursor.diagnostics.push(diagnostic);
        self.advance();
        self.recover(self.cursor.at);
        Ok(())
    }

    /// `query { E<> p }`, which UPPAAL's parser knows and its documentation does not.
    fn query_block(&mut self) -> Parse<()> {
        self.advance();
        let open = self.advance().span;
        let mut depth = 1;
        while depth > 0 && !self.at(TokenKind::End) {
            depth += match self.advance().kind {
                TokenKind::OpenBrace => 1,
                TokenKind::CloseBrace => -1,
                _ => 0,
            };
        }
        if depth > 0 {
            return self.error("this `query` block is never closed", open);
        }
        let part = Span { start: open.end, end: self.last().start, ..open };
        self.queries.extend(parse_formula_in(self.cursor.sources, part));
        Ok(())
    }
}

/// Sorts mixed items: what a process may use comes before it, the rest belongs to the system.
fn arrange(items: Vec<Item>) -> Model {
    let last_template = items.iter().rposition(|item| matches!(item, Item::Template(_)));
    let mut model = Model::default();
    for (index, item) in items.into_iter().enumerate() {
        match item {
            Item::Template(template) => model.templates.push(*template),
            Item::Declaration(it @ Declaration::Instantiation(_)) => {
                model.system.declarations.push(it)
            }
            Item::Declaration(it) if Some(index) < last_template => model.declarations.push(it),
            Item::Declaration(it) => model.system.declarations.push(it),
        }
    }
    model
}
