//! Writes a network as text; start reading at [`print`].

use super::lexer::is_plain;
use crate::{
    Arena, Channel, ChannelKind, Claim, Clock, Condition, Dimension, Edge, Failure, Function, Id,
    Local, LocalId, Location, LocationId, LocationKind, Network, Overflow, Priority, Process,
    ProcessId, Property, ScalarSetId, Span, Storage, Type, ValueNames, Variable,
};
use std::collections::HashMap;
use std::fmt::Write;

/// The text form of a network; `parse` gives an equal network back if `verify` finds no defect.
pub fn print(network: &Network) -> String {
    let mut printer = Printer::new(network);
    printer.line("network 1");
    printer.declarations();
    for function in &network.functions {
        printer.function(function);
    }
    for (id, process) in network.processes.enumerate() {
        printer.process(id, process);
    }
    if !network.properties.is_empty() {
        printer.out.push('\n');
    }
    for property in &network.properties {
        printer.property(property);
    }
    printer.out
}

/// How often each name occurs among things of one kind.
type Counts<'a> = HashMap<&'a str, u32>;

fn counts<'a>(names: impl Iterator<Item = &'a String>) -> Counts<'a> {
    let mut counts = HashMap::new();
    for name in names {
        *counts.entry(name.as_str()).or_insert(0) += 1;
    }
    counts
}

/// The text so far, and what is needed to write names that can be found again.
pub(super) struct Printer<'a> {
    pub network: &'a Network,
    pub out: String,
    indent: usize,
    scalar_sets: Counts<'a>,
    value_names: Counts<'a>,
    pub variables: Counts<'a>,
    pub clocks: Counts<'a>,
    pub channels: Counts<'a>,
    pub functions: Counts<'a>,
    pub processes: Counts<'a>,
    locations: Vec<Counts<'a>>,
    locals: Option<&'a Arena<LocalId, Local>>,
    /// Which locals of the owner have been written with their type.
    declared: Vec<bool>,
}

impl<'a> Printer<'a> {
    fn new(network: &'a Network) -> Self {
        let locations = |p: &'a Process| counts(p.locations.iter().map(|l| &l.name));
        Printer {
            network,
            out: String::new(),
            indent: 0,
            scalar_sets: counts(network.scalar_sets.iter().map(|s| &s.name)),
            value_names: counts(network.value_names.iter().map(|n| &n.name)),
            variables: counts(network.variables.iter().map(|v| &v.name)),
            clocks: counts(network.clocks.iter().map(|c| &c.name)),
            channels: counts(network.channels.iter().map(|c| &c.name)),
            functions: counts(network.functions.iter().map(|f| &f.name)),
            processes: counts(network.processes.iter().map(|p| &p.name)),
            locations: network.processes.iter().map(locations).collect(),
            locals: None,
            declared: Vec::new(),
        }
    }

    // ---- pieces ----

    pub fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }
    pub fn display(&mut self, value: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{value}");
    }
    fn line(&mut self, text: &str) {
        self.start();
        self.put(text);
        self.end();
    }
    pub fn start(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }
    pub fn end(&mut self) {
        self.out.push('\n');
    }
    pub fn open(&mut self) {
        self.put(" {\n");
        self.indent += 1;
    }
    /// Closes a block; the line is left unfinished.
    pub fn close(&mut self) {
        self.indent -= 1;
        self.start();
        self.put("}");
    }

    pub fn name(&mut self, name: &str) {
        if is_plain(name) { self.put(name) } else { self.quoted(name) }
    }
    fn quoted(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            match c {
                '"' => self.put("\\\""),
                '\\' => self.put("\\\\"),
                '\n' => self.put("\\n"),
                '\r' => self.put("\\r"),
                '\t' => self.put("\\t"),
                c if c.is_control() => self.display(format_args!("\\u{{{:x}}}", c as u32)),
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }
    /// A reference: the name, and the number where the name alone would not be enough.
    pub fn reference(&mut self, name: Option<&'a str>, count: Option<&u32>, index: usize) {
        self.name(name.unwrap_or("?"));
        if count != Some(&1) {
            self.display(format_args!("##{index}"));
        }
    }
    pub fn location(&mut self, process: ProcessId, id: LocationId) {
        let found = self.network.processes.try_at(process).and_then(|p| p.locations.try_at(id));
        let name = found.map(|location| location.name.as_str());
        let counts = self.locations.get(process.index());
        let count = name.and_then(|name| counts?.get(name).copied());
        self.reference(name, count.as_ref(), id.index());
    }
    fn scalar(&mut self, id: Option<ScalarSetId>) {
        let Some(id) = id else { return };
        let name = self.network.scalar_sets.try_at(id).map(|set| set.name.as_str());
        let count = name.and_then(|name| self.scalar_sets.get(name).copied());
        self.put(" of ");
        self.reference(name, count.as_ref(), id.index());
    }
    pub fn span(&mut self, span: Span) {
        if span != Span::NONE {
            let Span { source, line, column, end_line, end_column } = span;
            let source = source.0;
            self.display(format_args!(" @{source}:{line}:{column}-{end_line}:{end_column}"));
        }
    }
    fn ty(&mut self, ty: Type) {
        match (ty.low, ty.high) {
            (0, 1) => self.put("bool"),
            (i32::MIN, i32::MAX) => self.put("int"),
            (low, high) => self.display(format_args!("int[{low}, {high}]")),
        }
        if ty.overflow == Overflow::Wrap {
            self.put(" wrap");
        }
        self.scalar(ty.scalar);
        if let Some(id) = ty.names {
            let name = self.network.value_names.try_at(id).map(|names| names.name.as_str());
            let count = name.and_then(|name| self.value_names.get(name).copied());
            self.put(" named ");
            self.reference(name, count.as_ref(), id.index());
        }
    }
    fn dimensions(&mut self, dimensions: &[Dimension]) {
        for dimension in dimensions {
            self.display(format_args!("[{}", dimension.size));
            if dimension.first != 0 {
                self.display(format_args!(" from {}", dimension.first));
            }
            self.scalar(dimension.scalar);
            self.put("]");
        }
    }
    /// Values with runs of equal ones drawn together; nothing if all are the expected zeros.
    fn values(&mut self, before: &str, values: &[i32], dimensions: &[Dimension]) {
        let length = dimensions.iter().try_fold(1_u64, |n, d| n.checked_mul(d.size.into()));
        if length == Some(values.len() as u64) && values.iter().all(|&value| value == 0) {
            return;
        }
        self.put(before);
        for (i, run) in values.chunk_by(|a, b| a == b).enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.run(run);
        }
    }

    fn run(&mut self, run: &[i32]) {
        if let [value, _, _, _, ..] = run {
            return self.display(format_args!("{value} * {}", run.len()));
        }
        for (i, value) in run.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.display(value);
        }
    }

    // ---- locals ----

    /// A local with its number, and with its type where it is written for the first time.
    pub fn binder(&mut self, id: LocalId) {
        let local = self.local_reference(id);
        if let (Some(local), Some(declared @ false)) = (local, self.declared.get_mut(id.index())) {
            *declared = true;
            for size in &local.sizes {
                self.display(format_args!("[{size}]"));
            }
            self.put(" : ");
            self.ty(local.ty);
        }
    }
    pub fn local_reference(&mut self, id: LocalId) -> Option<&'a Local> {
        let local = self.locals.and_then(|locals| locals.try_at(id));
        self.name(local.map_or("?", |local| &local.name));
        self.display(format_args!("#{}", id.0));
        local
    }
    /// Writes the body of an owner, and in front of it all its locals that the body does not bind.
    fn body(&mut self, body: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.out);
        body(self);
        let body = std::mem::replace(&mut self.out, before);
        self.undeclared_locals();
        self.put(&body);
    }
    fn enter(&mut self, locals: &'a Arena<LocalId, Local>) {
        self.locals = Some(locals);
        self.declared = vec![false; locals.len()];
    }
    fn undeclared_locals(&mut self) {
        for index in 0..self.declared.len() {
            if !self.declared[index] {
                self.start();
                self.put("local ");
                self.binder(LocalId::new(index));
                self.put(";\n");
            }
        }
    }

    // ---- declarations ----

    fn declarations(&mut self) {
        let network = self.network;
        for (id, source) in network.sources.enumerate() {
            self.display(format_args!("source {} ", id.0));
            self.quoted(&source.path);
            self.end();
        }
        for set in &network.scalar_sets {
            self.put("scalar ");
            self.name(&set.name);
            self.display(format_args!(" {}", set.size));
            self.span(set.span);
            self.end();
        }
        network.value_names.iter().for_each(|names| self.value_names(names));
        network.failures.iter().for_each(|failure| self.failure(failure));
        network.variables.iter().for_each(|variable| self.variable(variable));
        network.clocks.iter().for_each(|clock| self.clock(clock));
        network.channels.iter().for_each(|channel| self.channel(channel));
    }

    fn value_names(&mut self, names: &ValueNames) {
        self.put("names ");
        self.name(&names.name);
        if names.first != 0 {
            self.display(format_args!(" from {}", names.first));
        }
        self.put(" {");
        for (i, name) in names.names.iter().enumerate() {
            self.put(if i == 0 { " " } else { ", " });
            self.name(name);
        }
        self.put(" }\n");
    }

    fn failure(&mut self, failure: &Failure) {
        self.put("failure ");
        self.name(&failure.name);
        self.put(" ");
        self.quoted(&failure.message);
        self.end();
    }

    fn variable(&mut self, variable: &Variable) {
        self.put(if variable.storage == Storage::Constant { "const " } else { "var " });
        self.name(&variable.name);
        self.dimensions(&variable.dimensions);
        self.put(" : ");
        self.ty(variable.ty);
        if variable.storage == Storage::Meta {
            self.put(" meta");
        }
        self.values(" = ", &variable.initial, &variable.dimensions);
        self.span(variable.span);
        self.end();
    }

    fn clock(&mut self, clock: &Clock) {
        self.put("clock ");
        self.name(&clock.name);
        self.dimensions(&clock.dimensions);
        self.values(" = ", &clock.initial, &clock.dimensions);
        self.span(clock.span);
        self.end();
    }

    fn channel(&mut self, channel: &Channel) {
        self.put("chan ");
        self.name(&channel.name);
        self.dimensions(&channel.dimensions);
        match &channel.kind {
            ChannelKind::Handshake => self.put(" : handshake"),
            ChannelKind::Broadcast => self.put(" : broadcast"),
            ChannelKind::Buffered { capacity, fields } => {
                self.display(format_args!(" : buffered {capacity} "));
                self.list(fields, |printer, &field| printer.ty(field));
            }
        }
        if channel.urgent {
            self.put(" urgent");
        }
        self.values(" priority ", &channel.priorities, &channel.dimensions);
        self.span(channel.span);
        self.end();
    }

    /// A list in parentheses.
    pub fn list<'i, T>(&mut self, items: &'i [T], mut item: impl FnMut(&mut Self, &'i T)) {
        self.put("(");
        for (i, entry) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            item(self, entry);
        }
        self.put(")");
    }

    fn function(&mut self, function: &'a Function) {
        self.put("\nfunction ");
        self.name(&function.name);
        self.enter(&function.locals);
        self.list(&function.parameters, |printer, &id| printer.binder(id));
        if let Some(result) = function.result {
            self.put(" -> ");
            self.ty(result);
        }
        self.span(function.span);
        self.open();
        self.body(|printer| printer.statements(&function.body));
        self.close();
        self.end();
    }

    // ---- processes ----

    fn process(&mut self, id: ProcessId, process: &'a Process) {
        self.put("\nprocess ");
        self.name(&process.name);
        if process.template != process.name {
            self.put(" = ");
            self.name(&process.template);
        }
        if !process.arguments.is_empty() {
            self.list(&process.arguments, |printer, argument| {
                printer.name(&argument.name);
                printer.display(format_args!(" = {}", argument.value));
                printer.scalar(argument.scalar);
            });
        }
        self.put(if process.observes { " observes" } else { "" });
        match process.priority {
            Priority::Fixed(0) => {}
            Priority::Fixed(priority) => self.display(format_args!(" priority {priority}")),
            Priority::Variable(id) => {
                self.put(" priority of ");
                self.variable_reference(id);
            }
        }
        self.span(process.span);
        self.open();
        self.members(id, process);
        self.close();
        self.end();
    }

    fn members(&mut self, id: ProcessId, process: &'a Process) {
        for location in &process.locations {
            self.location_item(location);
        }
        self.start();
        self.put("init ");
        self.location(id, process.initial);
        self.put(";\n");
        for edge in &process.edges {
            self.edge(id, edge);
        }
    }

    fn location_item(&mut self, location: &'a Location) {
        self.start();
        self.put(match location.kind {
            LocationKind::Normal => "location ",
            LocationKind::Urgent => "urgent location ",
            LocationKind::Committed => "committed location ",
        });
        self.name(&location.name);
        self.span(location.span);
        self.block(&location.locals, |printer| {
            printer.condition("invariant ", &location.invariant);
            location.rates.iter().for_each(|rate| printer.rate(rate));
        });
    }

    fn edge(&mut self, process: ProcessId, edge: &'a Edge) {
        self.start();
        self.put("edge ");
        self.location(process, edge.source);
        self.put(" -> ");
        self.location(process, edge.target);
        self.span(edge.span);
        self.block(&edge.locals, |printer| {
            for &select in &edge.selects {
                printer.start();
                printer.put("select ");
                printer.binder(select);
                printer.put(";\n");
            }
            printer.condition("when ", &edge.guard);
            printer.action(&edge.action);
            if edge.keeps_control {
                printer.start();
                printer.put("keeps control;\n");
            }
            if edge.preference != 0 {
                printer.start();
                printer.display(format_args!("preference {};\n", edge.preference));
            }
            if !edge.update.is_empty() {
                printer.start();
                printer.put("do");
                printer.open();
                printer.statements(&edge.update);
                printer.close();
                printer.end();
            }
        });
    }

    /// The body of an owner in braces, or just a semicolon if there is none.
    fn block(&mut self, locals: &'a Arena<LocalId, Local>, body: impl FnOnce(&mut Self)) {
        self.enter(locals);
        let outside = self.out.len();
        self.open();
        let inside = self.out.len();
        self.body(body);
        if self.out.len() > inside {
            self.close();
        } else {
            self.indent -= 1;
            self.out.truncate(outside);
            self.put(";");
        }
        self.end();
    }

    fn condition(&mut self, word: &str, condition: &Condition) {
        if *condition == Condition::always() {
            return;
        }
        self.start();
        self.put(word);
        self.conjunction(condition);
        self.span(condition.span);
        self.put(";\n");
    }

    fn property(&mut self, property: &'a Property) {
        self.put("property ");
        self.quoted(&property.text);
        self.put(if property.counts_errors { " counts errors" } else { "" });
        if let Some(observer) = property.observer {
            self.put(" observer ");
            self.process_reference(observer);
        }
        if let Some(beyond) = &property.beyond {
            self.put(" beyond ");
            self.quoted(beyond);
        }
        self.indent = 1;
        self.enter(&property.locals);
        self.end();
        self.body(|printer| match &property.claim {
            Claim::Reachable(expr) => printer.claim("reachable ", expr),
            Claim::Always(expr) => printer.claim("always ", expr),
            Claim::Unsupported(reason) => {
                printer.put("  unsupported ");
                printer.quoted(reason);
            }
        });
        self.indent = 0;
        self.span(property.span);
        self.end();
    }
}
