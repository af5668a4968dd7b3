//! Traces as JSON: what `--trace` writes, reports contain and `vizsla replay` reads.
//!
//! The fields are documented in `docs/json.md` and stay as they are. [`TraceFile::of`] makes one
//! from a trace, [`TraceFile::moves`] and [`TraceFile::ending`] lead back.

use crate::describe::Describer;
use crate::load::Model;
use crate::words::{rational, ticks};
use ::replay::{Simulator, State};
use network::{
    Action, Change, ChannelKind, Edge, EdgeId, ErrorKind, Failure, Id, Move, Network, ProcessId,
    Property, RunTimeError, Span, Trace, Type, element_name,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A trace that explains itself.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct TraceFile {
    /// The version of the program that wrote it.
    pub vizsla: String,
    /// The path of the model.
    pub model: String,
    /// The property, as the user wrote it.
    pub query: String,
    /// All times are multiples of one `scale`th of a unit.
    pub scale: i64,
    /// The steps.
    pub steps: Vec<StepEntry>,
    /// The delay after the last step.
    pub final_delay: String,
    /// The time at the end.
    pub time: String,
    /// What is there.
    pub ending: EndingEntry,
}

/// A delay and edges that fire together.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct StepEntry {
    /// The delay before.
    pub delay: String,
    /// The time since the start, after the delay.
    pub time: String,
    /// The edges, the sender first.
    pub edges: Vec<EdgeEntry>,
    /// What they change.
    pub changes: Vec<ChangeEntry>,
}

/// An edge that fires.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct EdgeEntry {
    /// The process.
    pub process: String,
    /// The number of the edge in its process, from 0.
    pub edge: usize,
    /// The location it leaves.
    pub source: String,
    /// The location it enters.
    pub target: String,
    /// The values of its selects.
    pub selects: BTreeMap<String, i32>,
    /// The channel with `!` or `?`; null for an internal edge.
    pub sync: Option<String>,
    /// The statement as it stands in the model, in languages that have statements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// Where it stands.
    pub place: Option<PlaceEntry>,
}

/// A place in a source file.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct PlaceEntry {
    /// The path.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
}

/// A value that a step changes.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ChangeEntry {
    /// What has the value.
    pub kind: ChangeKind,
    /// The name of the process, variable or clock.
    pub name: String,
    /// The value before: the name of a location, a number, or an exact time.
    pub from: Value,
    /// The value after.
    pub to: Value,
    /// The value before by name, if that is another word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_name: Option<String>,
    /// The value after by name, if that is another word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_name: Option<String>,
}

/// What a value belongs to.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// A process.
    Location,
    /// A variable.
    Variable,
    /// The messages in a channel.
    Channel,
    /// A clock.
    Clock,
}

/// A value: a number for variables, text for locations and clocks.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Value {
    /// Of a variable.
    Number(i32),
    /// The name of a location, or the exact value of a clock.
    Text(String),
}

/// What a trace leads to.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct EndingEntry {
    /// Which of the two.
    pub kind: EndingKind,
    /// The run-time error, if it is one.
    pub error: Option<ErrorEntry>,
    /// The edges whose evaluation raises it; none if the state itself does.
    pub edges: Vec<EdgeEntry>,
}

/// What a trace leads to.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum EndingKind {
    /// A state that decides the property.
    Goal,
    /// A run-time error of the model.
    Error,
}

/// A run-time error of the model.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct ErrorEntry {
    /// Its name.
    pub kind: String,
    /// What went wrong, in words.
    pub message: String,
    /// The numbers in the message.
    pub values: Vec<i64>,
    /// The path of the file it happened in.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
}

/// The messages of a channel, the first to be received first: `[1,2] [3,4]`.
fn messages(messages: &[Vec<i32>], show: &dyn Fn(usize, i32) -> String) -> String {
    let fields = |message: &Vec<i32>| {
        let shown = message.iter().enumerate().map(|(field, &value)| show(field, value));
        let fields: Vec<String> = shown.collect();
        format!("[{}]", fields.join(","))
    };
    let all: Vec<String> = messages.iter().map(fields).collect();
    if all.is_empty() { "empty".to_owned() } else { all.join(" ") }
}

impl ChangeEntry {
    fn new(kind: ChangeKind, name: String, from: Value, to: Value) -> ChangeEntry {
        ChangeEntry { kind, name, from, to, from_name: None, to_name: None }
    }

    /// Adds the names of the values where they have some.
    fn named(self, from: String, to: String) -> ChangeEntry {
        let from_name = (from != self.from.to_string()).then_some(from);
        let to_name = (to != self.to.to_string()).then_some(to);
        ChangeEntry { from_name, to_name, ..self }
    }

    /// The value before, in the words of the model.
    pub fn before(&self) -> String {
        self.from_name.clone().unwrap_or_else(|| self.from.to_string())
    }

    /// The value after, in the words of the model.
    pub fn after(&self) -> String {
        self.to_name.clone().unwrap_or_else(|| self.to.to_string())
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl TraceFile {
    /// The description of a trace that has been checked by `replay`.
    pub fn of(model: &Model, property: &Property, trace: &Trace) -> Result<TraceFile, String> {
        let mut writer = Writer::new(model, property, trace.scale)?;
        let mut steps = Vec::new();
        for step in &trace.steps {
            steps.push(writer.step(step)?);
        }
        writer.delay(trace.final_delay)?;
        let ending = writer.ending(&trace.ending);
        Ok(TraceFile {
            vizsla: env!("CARGO_PKG_VERSION").to_string(),
            model: model.path.clone(),
            query: property.text.clone(),
            scale: trace.scale,
            steps,
            final_delay: rational(trace.final_delay.into(), trace.scale),
            time: rational(writer.time, trace.scale),
            ending,
        })
    }

    /// The delay in ticks and the moves of every step, or what is wrong with them.
    pub fn moves(&self, network: &Network) -> Result<Vec<(i64, Vec<Move>)>, String> {
        let read = |(i, step): (usize, &StepEntry)| {
            let delay = delay(&step.delay, self.scale);
            let moves = delay.and_then(|delay| Ok((delay, moves(network, &step.edges)?)));
            moves.map_err(|problem| format!("step {}: {problem}", i + 1))
        };
        self.steps.iter().enumerate().map(read).collect()
    }

    /// The final delay in ticks and the ending, or what is wrong with them.
    pub fn ending(&self, network: &Network) -> Result<(i64, network::Ending), String> {
        let at_end = |problem: String| format!("at the end: {problem}");
        let delay = delay(&self.final_delay, self.scale).map_err(at_end)?;
        let ending = match (self.ending.kind, &self.ending.error) {
            (EndingKind::Goal, None) if self.ending.edges.is_empty() => network::Ending::Goal,
            (EndingKind::Error, Some(error)) => network::Ending::Error {
                error: RunTimeError { kind: error.kind().map_err(at_end)?, span: Span::NONE },
                moves: moves(network, &self.ending.edges).map_err(at_end)?,
            },
            _ => return Err(at_end("the ending contradicts itself".to_string())),
        };
        Ok((delay, ending))
    }
}

impl ErrorEntry {
    /// The description of an error.
    pub fn of(model: &Model, error: &RunTimeError) -> ErrorEntry {
        let place = PlaceEntry::of(model, error.span);
        ErrorEntry {
            kind: error.kind.name().to_string(),
            message: error.kind.to_string(),
            values: error_values(error.kind),
            file: place.as_ref().map(|place| place.file.clone()),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
        }
    }

    fn kind(&self) -> Result<ErrorKind, String> {
        let wrong = || format!("no such run-time error: {} {:?}", self.kind, self.values);
        let values: Result<Vec<i32>, _> = self.values.iter().map(|&v| i32::try_from(v)).collect();
        let kind = match (self.kind.as_str(), values.map_err(|_| wrong())?.as_slice()) {
            ("out-of-range", &[value, low, high]) => ErrorKind::OutOfRange { value, low, high },
            ("index", &[index, size]) => {
                ErrorKind::Index { index, size: size.try_into().map_err(|_| wrong())? }
            }
            ("division-by-zero", []) => ErrorKind::DivisionByZero,
            ("shift", &[count]) => ErrorKind::Shift(count),
            ("negative-exponent", &[exponent]) => ErrorKind::NegativeExponent(exponent),
            ("negative-clock", &[value]) => ErrorKind::NegativeClock(value),
            ("rate", &[rate]) => ErrorKind::Rate(rate),
            ("clock-bound", &[bound]) => ErrorKind::ClockBound(bound),
            ("assertion", []) => ErrorKind::Assertion,
            ("no-channel", &[value]) => ErrorKind::NoChannel(value),
            ("blocked", []) => ErrorKind::Blocked,
            ("endless-loop", []) => ErrorKind::EndlessLoop,
            (name, []) => ErrorKind::Failure(Failure::named(name).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        };
        Ok(kind)
    }
}

/// The numbers that make up an error; [`ErrorEntry::kind`] reads them back.
fn error_values(kind: ErrorKind) -> Vec<i64> {
    match kind {
        ErrorKind::OutOfRange { value, low, high } => vec![value.into(), low.into(), high.into()],
        ErrorKind::Index { index, size } => vec![index.into(), size.into()],
        ErrorKind::Shift(value)
        | ErrorKind::NegativeExponent(value)
        | ErrorKind::NegativeClock(value)
        | ErrorKind::Rate(value)
        | ErrorKind::NoChannel(value)
        | ErrorKind::ClockBound(value) => vec![value.into()],
        ErrorKind::DivisionByZero
        | ErrorKind::Assertion
        | ErrorKind::Blocked
        | ErrorKind::EndlessLoop
        | ErrorKind::Failure(_) => Vec::new(),
    }
}

impl PlaceEntry {
    /// The description of a place; none if the span points nowhere.
    pub fn of(model: &Model, span: Span) -> Option<PlaceEntry> {
        let file = model.source_path(span)?.to_string();
        Some(PlaceEntry { file, line: span.line, column: span.column })
    }
}

/// Follows a trace to know the values before each step.
struct Writer<'a> {
    model: &'a Model,
    simulator: Simulator<'a>,
    /// None if the initial state itself raises an error.
    state: Option<State>,
    time: i128,
}

impl<'a> Writer<'a> {
    fn new(model: &'a Model, property: &Property, scale: i64) -> Result<Self, String> {
        let simulator = Simulator::new(&model.network, scale).map_err(|stop| stop.to_string())?;
        let simulator = simulator.observing(Some(property));
        let state = simulator.initial().ok();
        Ok(Writer { model, simulator, state, time: 0 })
    }

    fn delay(&mut self, ticks: i64) -> Result<(), String> {
        self.time += i128::from(ticks);
        if let (Some(state), 1..) = (&self.state, ticks) {
            let later = self.simulator.delay(state, ticks).map_err(|stop| stop.to_string())?;
            self.state = Some(later);
        }
        Ok(())
    }

    fn step(&mut self, step: &network::Step) -> Result<StepEntry, String> {
        self.delay(step.delay)?;
        let edges = self.edges(&step.moves);
        let state = self.state.as_ref().ok_or("the initial state raises an error")?;
        let changes = step.changes.iter().map(|change| self.change(state, change)).collect();
        let (next, _) = self.simulator.take(state, &step.moves).map_err(|stop| stop.to_string())?;
        self.state = Some(next);
        let scale = self.simulator.scale();
        let (delay, time) = (rational(step.delay.into(), scale), rational(self.time, scale));
        Ok(StepEntry { delay, time, edges, changes })
    }

    fn edges(&self, moves: &[Move]) -> Vec<EdgeEntry> {
        moves.iter().map(|moved| self.edge(moved)).collect()
    }

    fn edge(&self, moved: &Move) -> EdgeEntry {
        let process = &self.model.network.processes[moved.process];
        let edge = &process.edges[moved.edge];
        let names = select_names(edge);
        EdgeEntry {
            process: process.name.clone(),
            edge: moved.edge.index(),
            source: process.locations[edge.source].name.clone(),
            target: process.locations[edge.target].name.clone(),
            selects: names.into_iter().zip(moved.selects.iter().copied()).collect(),
            sync: self.sync(moved, edge),
            statement: self.model.statement_at(edge.span),
            place: PlaceEntry::of(self.model, edge.span),
        }
    }

    /// The element of the channel, or its expression where that raises an error.
    fn sync(&self, moved: &Move, edge: &Edge) -> Option<String> {
        let network = &self.model.network;
        let mark = match edge.action {
            Action::Internal => return None,
            Action::Send(_) => '!',
            Action::Receive(_) => '?',
        };
        let state = self.state.as_ref();
        match state.and_then(|state| self.simulator.channel_of(state, moved).ok().flatten()) {
            Some((channel, element)) => {
                let channel = &network.channels[channel];
                Some(format!("{}{mark}", element_name(&channel.name, &channel.dimensions, element)))
            }
            None => Some(Describer::new(network, &edge.locals).action(&edge.action)),
        }
    }

    fn change(&self, before: &State, change: &Change) -> ChangeEntry {
        let network = &self.model.network;
        match change {
            Change::Channel { channel, element, from, to } => {
                let channel = &network.channels[*channel];
                let name = element_name(&channel.name, &channel.dimensions, *element as usize);
                let text = |it| Value::Text(messages(it, &|_, value| value.to_string()));
                let entry = ChangeEntry::new(ChangeKind::Channel, name, text(from), text(to));
                let fields = fields(&channel.kind);
                let named = |field: usize, value| self.named(fields.get(field), value);
                entry.named(messages(from, &named), messages(to, &named))
            }
            &Change::Location { process, from, to } => {
                let process = &network.processes[process];
                let text = |id| Value::Text(process.locations[id].name.clone());
                let (name, from, to) = (process.name.clone(), text(from), text(to));
                ChangeEntry::new(ChangeKind::Location, name, from, to)
            }
            &Change::Variable { variable, element, from, to } => {
                let variable = &network.variables[variable];
                let name = element_name(&variable.name, &variable.dimensions, element as usize);
                let named = |value| self.named(Some(&variable.ty), value);
                let numbers = (Value::Number(from), Value::Number(to));
                ChangeEntry::new(ChangeKind::Variable, name, numbers.0, numbers.1)
                    .named(named(from), named(to))
            }
            &Change::Clock { clock, element, to } => {
                let declared = &network.clocks[clock];
                let ticks = before.clock(clock, element as usize);
                let name = element_name(&declared.name, &declared.dimensions, element as usize);
                let from = Value::Text(rational(ticks, self.simulator.scale()));
                ChangeEntry::new(ChangeKind::Clock, name, from, Value::Text(to.to_string()))
            }
        }
    }

    /// A value by its name, or as a number.
    fn named(&self, ty: Option<&Type>, value: i32) -> String {
        let name = ty.and_then(|&ty| self.model.network.value_name(ty, value));
        name.map_or_else(|| value.to_string(), str::to_string)
    }

    fn ending(&self, ending: &network::Ending) -> EndingEntry {
        match ending {
            network::Ending::Goal => {
                EndingEntry { kind: EndingKind::Goal, error: None, edges: Vec::new() }
            }
            network::Ending::Error { error, moves } => EndingEntry {
                kind: EndingKind::Error,
                error: Some(ErrorEntry::of(self.model, error)),
                edges: self.edges(moves),
            },
        }
    }
}

/// The types of a message's fields.
fn fields(kind: &ChannelKind) -> &[Type] {
    match kind {
        ChannelKind::Buffered { fields, .. } => fields,
        ChannelKind::Handshake | ChannelKind::Broadcast => &[],
    }
}

/// The names of an edge's selects, with a number where a name alone would not be enough.
fn select_names(edge: &Edge) -> Vec<String> {
    let names: Vec<&String> = edge.selects.iter().map(|&id| &edge.locals[id].name).collect();
    let unique = |name: &String| names.iter().filter(|&&other| other == name).count() == 1;
    let write = |(i, name): (usize, &&String)| {
        if unique(name) { name.to_string() } else { format!("{name}#{i}") }
    };
    names.iter().enumerate().map(write).collect()
}

fn delay(text: &str, scale: i64) -> Result<i64, String> {
    ticks(text, scale)
        .ok_or_else(|| format!("the delay `{text}` is not a whole number of 1/{scale} units"))
}

fn moves(network: &Network, edges: &[EdgeEntry]) -> Result<Vec<Move>, String> {
    edges.iter().map(|entry| entry.find(network)).collect()
}

impl EdgeEntry {
    /// The move that the entry names.
    fn find(&self, network: &Network) -> Result<Move, String> {
        let mut processes = network.processes.enumerate();
        let process: Option<(ProcessId, _)> = processes.find(|(_, p)| p.name == self.process);
        let Some((id, process)) = process else {
            return Err(format!("the model has no process `{}`", self.process));
        };
        // An edge number beyond 32 bits is no edge number.
        let number = u32::try_from(self.edge).ok().map(EdgeId);
        let Some((number, edge)) = number.and_then(|n| Some((n, process.edges.try_at(n)?))) else {
            return Err(format!("the process `{}` has no edge {}", self.process, self.edge));
        };
        let names = select_names(edge);
        let values: Option<Vec<i32>> = names.iter().map(|n| self.selects.get(n).copied()).collect();
        match values {
            Some(selects) if selects.len() == self.selects.len() => {
                Ok(Move { process: id, edge: number, selects })
            }
            _ => Err(format!(
                "the selects of edge {} of `{}` are [{}]",
                self.edge,
                self.process,
                names.join(", ")
            )),
        }
    }
}
