//! Reads a network from its text form: the items; start reading at [`parse`].
//!
//! Names are collected first ([`Symbols`]), then every item is read once. An item with a mistake
//! gives one diagnostic, and reading goes on with the next item.

use super::lexer::{Token, TokenKind, lex};
use super::symbols::{Symbols, Table, name};
use crate::{
    Action, Arena, Argument, Channel, ChannelKind, Claim, Clock, Condition, Diagnostic, Dimension,
    Edge, Failure, Function, Local, LocalId, Location, LocationId, LocationKind, MAX_ELEMENTS,
    Network, Overflow, Priority, Process, ProcessId, Property, Rate, ScalarSet, ScalarSetId,
    Source, SourceId, SourcePlace, Span, Storage, Type, ValueNames, ValueNamesId, Variable,
    VariableId,
};
use std::collections::BTreeMap;

/// The network that a text describes, or everything that is wrong with the text; the places in the
/// diagnostics have no path, since the text has none.
pub fn parse(text: &str) -> Result<Network, Vec<Diagnostic>> {
    let tokens = lex(text);
    let symbols = Symbols::collect(&tokens);
    let mut parser = Parser::new(text, &tokens, &symbols);
    parser.items();
    if parser.diagnostics.is_empty() { Ok(parser.network) } else { Err(parser.diagnostics) }
}

/// After so many diagnostics reading stops.
const MAX_DIAGNOSTICS: usize = 100;

pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    pub position: usize,
    pub symbols: &'t Symbols,
    network: Network,
    diagnostics: Vec<Diagnostic>,
    /// The number of `process` items begun.
    processes: usize,
    /// The elements of all arrays read so far.
    elements: u64,
    pub locals: Locals,
    /// How deeply the statements and expressions being read are nested.
    pub statement_depth: usize,
    pub expression_depth: usize,
}

/// The locals of the edge, location, function or property being read.
#[derive(Default)]
pub(super) struct Locals {
    declared: BTreeMap<u32, Local>,
    /// Which local each mention means, and the token that names it.
    mentioned: Vec<(u32, usize)>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, tokens: &'t [Token<'t>], symbols: &'t Symbols) -> Self {
        Parser {
            text,
            tokens,
            position: 0,
            symbols,
            network: Network::default(),
            diagnostics: Vec::new(),
            processes: 0,
            elements: 0,
            locals: Locals::default(),
            statement_depth: 0,
            expression_depth: 0,
        }
    }

    // ---- tokens ----

    pub fn peek(&self) -> &'t TokenKind<'t> {
        self.peek_at(0)
    }
    pub fn peek_at(&self, ahead: usize) -> &'t TokenKind<'t> {
        &self.tokens[(self.position + ahead).min(self.tokens.len() - 1)].kind
    }
    pub fn advance(&mut self) {
        self.position = (self.position + 1).min(self.tokens.len() - 1);
    }
    pub fn at_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), TokenKind::Symbol(s) if *s == symbol)
    }
    pub fn accept(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }
    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Keyword(w) if *w == word);
        if found {
            self.advance();
        }
        found
    }
    pub fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.accept(symbol) { Ok(()) } else { self.expected(&format!("`{symbol}`")) }
    }
    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }
    pub fn expected<T>(&self, what: &str) -> Parsed<T> {
        if let TokenKind::Bad(reason) = self.peek() {
            return self.fail(*reason);
        }
        let token = &self.tokens[self.position];
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_string(),
            _ => format!("`{}`", &self.text[token.start..token.end]),
        };
        self.fail(format!("expected {what}, found {found}"))
    }
    pub fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.position, message)
    }
    /// An error at the given token.
    pub fn fail_at<T>(&self, position: usize, message: impl Into<String>) -> Parsed<T> {
        let token = &self.tokens[position.min(self.tokens.len() - 1)];
        Err(Box::new(Diagnostic::error(message).at(place(self.text, token.start, token.end))))
    }

    // ---- pieces ----

    pub fn name(&mut self) -> Parsed<&'t str> {
        let Some(name) = name(&self.tokens[self.position]) else {
            return self.expected("a name");
        };
        self.advance();
        Ok(name)
    }
    fn quoted(&mut self) -> Parsed<String> {
        let TokenKind::Quoted(text) = self.peek() else {
            return self.expected("a text in quotes");
        };
        self.advance();
        Ok(text.to_string())
    }
    pub fn natural(&mut self) -> Parsed<u32> {
        let TokenKind::Number(number) = self.peek() else {
            return self.expected("a number");
        };
        let Ok(number) = u32::try_from(*number) else {
            return self.fail("the number is too large");
        };
        self.advance();
        Ok(number)
    }
    pub fn integer(&mut self) -> Parsed<i32> {
        let negative = self.accept("-");
        let TokenKind::Number(number) = self.peek() else {
            return self.expected("a number");
        };
        let value = i64::try_from(*number).map(|n| if negative { -n } else { n });
        let Some(value) = value.ok().and_then(|value| i32::try_from(value).ok()) else {
            return self.fail("the number does not fit into 32 bits");
        };
        self.advance();
        Ok(value)
    }
    /// A name, and the number after it if there is one.
    pub fn numbered_name(&mut self) -> Parsed<(&'t str, Option<u32>)> {
        let name = self.name()?;
        let number = if self.accept("##") { Some(self.natural()?) } else { None };
        Ok((name, number))
    }
    pub fn reference(&mut self, table: &Table, what: &str) -> Parsed<u32> {
        let start = self.position;
        let (name, number) = self.numbered_name()?;
        self.resolve(table, name, number, what, start)
    }
    /// What a name that was read at the given token refers to.
    pub fn resolve(
        &self,
        table: &Table,
        name: &str,
        number: Option<u32>,
        what: &str,
        start: usize,
    ) -> Parsed<u32> {
        table.resolve(name, number, what).or_else(|message| self.fail_at(start, message))
    }
    fn scalar(&mut self) -> Parsed<Option<ScalarSetId>> {
        if !self.accept_word("of") {
            return Ok(None);
        }
        let id = self.reference(&self.symbols.scalar_sets, "scalar set")?;
        Ok(Some(ScalarSetId(id)))
    }
    pub fn span(&mut self) -> Parsed<Span> {
        if !self.accept("@") {
            return Ok(Span::NONE);
        }
        let source = SourceId(self.natural()?);
        self.expect(":")?;
        let (line, column) = self.line_and_column()?;
        self.expect("-")?;
        let (end_line, end_column) = self.line_and_column()?;
        Ok(Span { source, line, column, end_line, end_column })
    }
    fn line_and_column(&mut self) -> Parsed<(u32, u32)> {
        let line = self.natural()?;
        self.expect(":")?;
        Ok((line, self.natural()?))
    }
    fn ty(&mut self) -> Parsed<Type> {
        let mut ty = if self.accept_word("bool") {
            Type::BOOL
        } else {
            self.expect_word("int")?;
            self.range()?
        };
        if self.accept_word("wrap") {
            ty.overflow = Overflow::Wrap;
        }
        ty.scalar = self.scalar()?;
        if self.accept_word("named") {
            let id = self.reference(&self.symbols.value_names, "value names")?;
            ty.names = Some(ValueNamesId(id));
        }
        Ok(ty)
    }
    fn range(&mut self) -> Parsed<Type> {
        if !self.accept("[") {
            return Ok(Type::ANY);
        }
        let low = self.integer()?;
        self.expect(",")?;
        let high = self.integer()?;
        self.expect("]")?;
        Ok(Type::range(low, high))
    }
    fn dimensions(&mut self) -> Parsed<Vec<Dimension>> {
        let mut dimensions = Vec::new();
        while self.accept("[") {
            let size = self.natural()?;
            let first = if self.accept_word("from") { self.integer()? } else { 0 };
            dimensions.push(Dimension { size, first, scalar: self.scalar()? });
            self.expect("]")?;
        }
        Ok(dimensions)
    }
    /// The number of elements of an array, counted against what a network may have in all.
    fn length(&mut self, dimensions: &[Dimension]) -> Parsed<usize> {
        let length = dimensions.iter().try_fold(1_u64, |n, d| n.checked_mul(d.size.into()));
        let total = length.and_then(|length| self.elements.checked_add(length));
        match (length, total) {
            (Some(length), Some(total)) if total <= MAX_ELEMENTS => {
                self.elements = total;
                Ok(length as usize)
            }
            _ => self.fail(format!("the arrays have more than {MAX_ELEMENTS} elements")),
        }
    }
    /// One value per element: all 0 unless the given token introduces others.
    fn values(&mut self, introduced: bool, length: usize) -> Parsed<Vec<i32>> {
        if !introduced {
            return Ok(vec![0; length]);
        }
        let mut values = Vec::new();
        loop {
            let value = self.integer()?;
            let count = if self.accept("*") { self.natural()? as usize } else { 1 };
            if count > length - values.len() {
                return self.fail(format!("more values than the {length} elements"));
            }
            values.resize(values.len() + count, value);
            if !self.accept(",") {
                break;
            }
        }
        if values.len() < length {
            return self.fail(format!("{} values for {length} elements", values.len()));
        }
        Ok(values)
    }
    /// A list in parentheses.
    pub fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("(")?;
        let mut items = Vec::new();
        if self.accept(")") {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(items)
    }

    // ---- locals ----

    /// A local with its number and, at one place, its type.
    pub fn binder(&mut self) -> Parsed<LocalId> {
        let start = self.position;
        let id = self.local_mention()?;
        let dimensions = self.dimensions()?;
        if self.accept(":") {
            let name = name(&self.tokens[start]).unwrap_or_default().to_string();
            let ty = self.ty()?;
            let sizes = dimensions.iter().map(|dimension| dimension.size).collect();
            if self.locals.declared.insert(id.0, Local { name, ty, sizes }).is_some() {
                return self.fail_at(start, "this local is declared twice");
            }
        } else if !dimensions.is_empty() {
            return self.expected("`:` and a type");
        }
        Ok(id)
    }
    pub fn local_mention(&mut self) -> Parsed<LocalId> {
        let start = self.position;
        self.name()?;
        self.expect("#")?;
        let id = self.natural()?;
        self.locals.mentioned.push((id, start));
        Ok(LocalId(id))
    }
    /// The locals of the owner that ends here.
    fn finish_locals(&mut self) -> Parsed<Arena<LocalId, Local>> {
        let locals = std::mem::take(&mut self.locals);
        for (id, position) in locals.mentioned {
            let mention = name(&self.tokens[position]);
            match locals.declared.get(&id) {
                Some(local) if mention == Some(&local.name) => {}
                Some(local) => {
                    let message = format!("local {id} is called \"{}\"", local.name);
                    return self.fail_at(position, message);
                }
                None => return self.fail_at(position, format!("local {id} is not declared")),
            }
        }
        if locals.declared.keys().copied().ne(0..locals.declared.len() as u32) {
            return self.fail("the locals are not numbered from 0 without gaps");
        }
        Ok(locals.declared.into_values().collect())
    }
    fn local_declaration(&mut self) -> Parsed<()> {
        self.binder()?;
        self.expect(";")
    }

    // ---- items ----

    fn items(&mut self) {
        if let Err(diagnostic) = self.header() {
            self.diagnostics.push(*diagnostic);
            return;
        }
        let symbols = self.symbols;
        let ends = symbols.items.iter().skip(1).copied().chain([self.tokens.len() - 1]);
        self.check_reached(symbols.items.first().copied().unwrap_or(self.tokens.len() - 1));
        for (&start, end) in symbols.items.iter().zip(ends) {
            self.position = start;
            match self.item() {
                Ok(()) => self.check_reached(end),
                Err(diagnostic) => self.diagnostics.push(*diagnostic),
            }
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                return;
            }
        }
    }
    fn header(&mut self) -> Parsed<()> {
        self.expect_word("network")?;
        match self.natural()? {
            1 => Ok(()),
            version => self.fail_at(1, format!("version {version} of the text form is unknown")),
        }
    }
    fn check_reached(&mut self, end: usize) {
        if self.position != end {
            let error: Parsed<()> = self.expected("the next item");
            self.diagnostics.extend(error.err().map(|diagnostic| *diagnostic));
        }
    }

    fn item(&mut self) -> Parsed<()> {
        self.locals = Locals::default();
        self.statement_depth = 0;
        self.expression_depth = 0;
        let TokenKind::Keyword(word) = *self.peek() else {
            return self.expected("an item");
        };
        self.advance();
        match word {
            "source" => self.source(),
            "scalar" => self.scalar_set(),
            "names" => self.value_names(),
            "failure" => self.failure(),
            "var" => self.variable(Storage::State),
            "const" => self.variable(Storage::Constant),
            "clock" => self.clock(),
            "chan" => self.channel(),
            "function" => self.function(),
            "process" => self.process(),
            _ => self.property(),
        }
    }

    fn source(&mut self) -> Parsed<()> {
        let start = self.position;
        if self.natural()? as usize != self.network.sources.len() {
            return self.fail_at(start, "sources are numbered from 0 in order");
        }
        let path = self.quoted()?;
        self.network.sources.push(Source { path });
        Ok(())
    }

    fn scalar_set(&mut self) -> Parsed<()> {
        let name = self.name()?.to_string();
        let size = self.natural()?;
        let span = self.span()?;
        self.network.scalar_sets.push(ScalarSet { name, size, span });
        Ok(())
    }

    fn value_names(&mut self) -> Parsed<()> {
        let name = self.name()?.to_string();
        let first = if self.accept_word("from") { self.integer()? } else { 0 };
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.accept("}") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            names.push(self.name()?.to_string());
        }
        self.network.value_names.push(ValueNames { name, first, names });
        Ok(())
    }

    fn failure(&mut self) -> Parsed<()> {
        let name = self.name()?.to_string();
        let message = self.quoted()?;
        self.network.failures.push(Failure { name, message });
        Ok(())
    }

    fn variable(&mut self, storage: Storage) -> Parsed<()> {
        let name = self.name()?.to_string();
        let dimensions = self.dimensions()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let meta = storage == Storage::State && self.accept_word("meta");
        let storage = if meta { Storage::Meta } else { storage };
        let length = self.length(&dimensions)?;
        let introduced = self.accept("=");
        let initial = self.values(introduced, length)?;
        let span = self.span()?;
        self.network.variables.push(Variable { name, ty, dimensions, storage, initial, span });
        Ok(())
    }

    fn clock(&mut self) -> Parsed<()> {
        let name = self.name()?.to_string();
        let dimensions = self.dimensions()?;
        let length = self.length(&dimensions)?;
        let introduced = self.accept("=");
        let initial = self.values(introduced, length)?;
        let span = self.span()?;
        self.network.clocks.push(Clock { name, dimensions, initial, span });
        Ok(())
    }

    fn channel(&mut self) -> Parsed<()> {
        let name = self.name()?.to_string();
        let dimensions = self.dimensions()?;
        self.expect(":")?;
        let kind = self.channel_kind()?;
        let urgent = self.accept_word("urgent");
        let length = self.length(&dimensions)?;
        let introduced = self.accept_word("priority");
        let priorities = self.values(introduced, length)?;
        let span = self.span()?;
        self.network.channels.push(Channel { name, dimensions, kind, urgent, priorities, span });
        Ok(())
    }
    fn channel_kind(&mut self) -> Parsed<ChannelKind> {
        if self.accept_word("handshake") {
            return Ok(ChannelKind::Handshake);
        }
        if self.accept_word("broadcast") {
            return Ok(ChannelKind::Broadcast);
        }
        if !self.accept_word("buffered") {
            return self.expected("`handshake`, `broadcast` or `buffered`");
        }
        let capacity = self.natural()?;
        let fields = self.list(Self::ty)?;
        Ok(ChannelKind::Buffered { capacity, fields })
    }

    fn function(&mut self) -> Parsed<()> {
        let name = self.name()?.to_string();
        let parameters = self.list(Self::binder)?;
        let result = if self.accept("->") { Some(self.ty()?) } else { None };
        let span = self.span()?;
        self.expect("{")?;
        while self.accept_word("local") {
            self.local_declaration()?;
        }
        let body = self.statements_until_close()?;
        let locals = self.finish_locals()?;
        self.network.functions.push(Function { name, parameters, locals, result, body, span });
        Ok(())
    }

    fn property(&mut self) -> Parsed<()> {
        let text = self.quoted()?;
        let counts_errors = self.accept_word("counts");
        if counts_errors {
            self.expect_word("errors")?;
        }
        let observer = match self.accept_word("observer") {
            true => Some(ProcessId(self.reference(&self.symbols.processes, "process")?)),
            false => None,
        };
        let beyond = if self.accept_word("beyond") { Some(self.quoted()?) } else { None };
        while self.accept_word("local") {
            self.local_declaration()?;
        }
        let claim = self.claim()?;
        let span = self.span()?;
        let locals = self.finish_locals()?;
        let property = Property { text, claim, locals, counts_errors, observer, beyond, span };
        self.network.properties.push(property);
        Ok(())
    }
    fn claim(&mut self) -> Parsed<Claim> {
        if self.accept_word("reachable") {
            return Ok(Claim::Reachable(self.expr()?));
        }
        if self.accept_word("always") {
            return Ok(Claim::Always(self.expr()?));
        }
        if self.accept_word("unsupported") {
            return Ok(Claim::Unsupported(self.quoted()?));
        }
        self.expected("`reachable`, `always` or `unsupported`")
    }

    // ---- processes ----

    fn process(&mut self) -> Parsed<()> {
        let table = &self.symbols.locations[self.processes];
        self.processes += 1;
        let name = self.name()?.to_string();
        let template = if self.accept("=") { self.name()?.to_string() } else { name.clone() };
        let arguments = if self.at_symbol("(") { self.list(Self::argument)? } else { Vec::new() };
        let observes = self.accept_word("observes");
        let priority = self.process_priority()?;
        let span = self.span()?;
        let (locations, edges) = (Arena::new(), Arena::new());
        let initial = LocationId(0);
        let mut process = Process {
            name,
            template,
            arguments,
            locations,
            edges,
            initial,
            priority,
            observes,
            span,
        };
        self.members(&mut process, table)?;
        self.network.processes.push(process);
        Ok(())
    }
    fn process_priority(&mut self) -> Parsed<Priority> {
        if !self.accept_word("priority") {
            return Ok(Priority::Fixed(0));
        }
        if !self.accept_word("of") {
            return Ok(Priority::Fixed(self.integer()?));
        }
        let variable = self.reference(&self.symbols.variables, "variable")?;
        Ok(Priority::Variable(VariableId(variable)))
    }
    fn argument(&mut self) -> Parsed<Argument> {
        let name = self.name()?.to_string();
        self.expect("=")?;
        let value = self.integer()?;
        Ok(Argument { name, value, scalar: self.scalar()? })
    }
    fn members(&mut self, process: &mut Process, table: &Table) -> Parsed<()> {
        self.expect("{")?;
        let mut initial = None;
        while !self.accept("}") {
            if self.accept_word("init") {
                if initial.replace(self.location_reference(table)?).is_some() {
                    return self.fail("the process has two initial locations");
                }
                self.expect(";")?;
            } else if self.accept_word("edge") {
                process.edges.push(self.edge(table)?);
            } else {
                process.locations.push(self.location()?);
            }
        }
        match initial {
            Some(initial) => process.initial = initial,
            None => return self.fail("the process has no initial location"),
        }
        Ok(())
    }
    pub fn location_reference(&mut self, table: &Table) -> Parsed<LocationId> {
        Ok(LocationId(self.reference(table, "location")?))
    }

    fn location(&mut self) -> Parsed<Location> {
        let kind = self.location_kind()?;
        let name = self.name()?.to_string();
        let span = self.span()?;
        let (mut invariant, mut rates) = (None, Vec::new());
        let block = self.accept("{");
        while block && !self.accept("}") {
            if self.accept_word("local") {
                self.local_declaration()?;
            } else if self.accept_word("rate") {
                rates.push(self.rate()?);
            } else {
                self.expect_word("invariant")?;
                self.condition(&mut invariant)?;
            }
        }
        if !block {
            self.expect(";")?;
        }
        let invariant = invariant.unwrap_or_else(Condition::always);
        Ok(Location { name, kind, invariant, rates, locals: self.finish_locals()?, span })
    }
    fn location_kind(&mut self) -> Parsed<LocationKind> {
        let kind = match self.peek() {
            TokenKind::Keyword("urgent") => LocationKind::Urgent,
            TokenKind::Keyword("committed") => LocationKind::Committed,
            TokenKind::Keyword("location") => LocationKind::Normal,
            _ => return self.expected("a location, an edge or `}`"),
        };
        if kind != LocationKind::Normal {
            self.advance();
        }
        self.expect_word("location")?;
        Ok(kind)
    }
    fn rate(&mut self) -> Parsed<Rate> {
        let clock = self.clock_ref()?;
        self.expect("=")?;
        let rate = self.expr()?;
        let when = if self.accept_word("when") { Some(self.expr()?) } else { None };
        self.expect(";")?;
        Ok(Rate { when, clock, rate })
    }
    fn condition(&mut self, condition: &mut Option<Condition>) -> Parsed<()> {
        if condition.is_some() {
            return self.fail("there is a condition already");
        }
        let (data, clocks) = self.conjunction()?;
        let span = self.span()?;
        *condition = Some(Condition { data, clocks, span });
        self.expect(";")
    }

    fn edge(&mut self, table: &Table) -> Parsed<Edge> {
        let source = self.location_reference(table)?;
        self.expect("->")?;
        let target = self.location_reference(table)?;
        let span = self.span()?;
        let guard = Condition::always();
        let (selects, update, locals) = (Vec::new(), Vec::new(), Arena::new());
        let action = Action::Internal;
        let (keeps_control, preference) = (false, 0);
        let mut edge = Edge {
            source,
            target,
            selects,
            guard,
            action,
            update,
            keeps_control,
            preference,
            locals,
            span,
        };
        if self.accept("{") {
            self.edge_body(&mut edge)?;
        } else {
            self.expect(";")?;
        }
        edge.locals = self.finish_locals()?;
        Ok(edge)
    }
    fn edge_body(&mut self, edge: &mut Edge) -> Parsed<()> {
        let mut guard = None;
        while !self.accept("}") {
            let TokenKind::Keyword(word) = *self.peek() else {
                return self.expected("a part of an edge or `}`");
            };
            if matches!(word, "send" | "receive") && edge.action != Action::Internal {
                return self.fail("the edge has an action already");
            }
            self.advance();
            match word {
                "local" => self.local_declaration()?,
                "select" => {
                    edge.selects.push(self.binder()?);
                    self.expect(";")?;
                }
                "when" => self.condition(&mut guard)?,
                "send" => {
                    edge.action = Action::Send(self.send()?);
                    self.expect(";")?;
                }
                "receive" => {
                    edge.action = Action::Receive(self.receive()?);
                    self.expect(";")?;
                }
                "keeps" => {
                    self.expect_word("control")?;
                    edge.keeps_control = true;
                    self.expect(";")?;
                }
                "preference" => {
                    edge.preference = self.integer()?;
                    self.expect(";")?;
                }
                "do" => {
                    self.expect("{")?;
                    edge.update.extend(self.statements_until_close()?);
                }
                _ => {
                    self.position -= 1;
                    return self.expected("a part of an edge or `}`");
                }
            }
        }
        edge.guard = guard.unwrap_or_else(Condition::always);
        Ok(())
    }
}

/// The place of some bytes of the text.
fn place(text: &str, start: usize, end: usize) -> SourcePlace {
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let rest = &text[line_start..];
    let source_line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
    let line = text[..start].matches('\n').count() as u32 + 1;
    let column = text[line_start..start].chars().count() as u32 + 1;
    // A token never spans lines.
    let end_column = column + text[start..end].chars().count() as u32;
    SourcePlace {
        path: String::new(),
        line,
        column,
        end_line: line,
        end_column,
        source_line: source_line.to_string(),
        within: None,
    }
}
