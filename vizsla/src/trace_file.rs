//! Traces as JSON: what `--trace` writes, reports contain and `vizsla replay` reads.
//!
//! The fields are documented in `docs/json.md` and stay as they are. `follow.rs` makes one from a
//! trace, [`TraceFile::moves`] and [`TraceFile::ending`] lead back.

use crate::Model;
use crate::time::ticks;
use network::{Edge, EdgeId, ErrorKind, Move, Network, ProcessId, RunTimeError, Span};
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
    /// What tells the model from others, to notice that it has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_hash: Option<String>,
    /// The property, as the user wrote it.
    pub query: String,
    /// All times are multiples of one `scale`th of a unit.
    pub scale: i64,
    /// All that the first state holds, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_state: Option<Vec<HeldEntry>>,
    /// The steps.
    pub steps: Vec<StepEntry>,
    /// The delay after the last step.
    pub final_delay: String,
    /// The time at the end.
    pub time: String,
    /// What is there.
    pub ending: EndingEntry,
    /// All that the last state holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_state: Option<Vec<HeldEntry>>,
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
    /// All that the state after them holds, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<HeldEntry>>,
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
    /// The message that passes from the sender to the receiver without a buffer: `[1,2]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The same by name, if that is another word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_name: Option<String>,
    /// What the statement prints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prints: Option<String>,
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

/// A value that a state holds.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct HeldEntry {
    /// What has the value.
    pub kind: ChangeKind,
    /// The name of the process, variable, channel or clock.
    pub name: String,
    /// The value: the name of a location, a number, messages, or an exact time.
    pub value: Value,
    /// The value by name, if that is another word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_name: Option<String>,
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

impl HeldEntry {
    /// A value with its name, where it has one.
    pub fn new(kind: ChangeKind, name: String, value: Value, named: String) -> HeldEntry {
        let value_name = (named != value.to_string()).then_some(named);
        HeldEntry { kind, name, value, value_name }
    }

    /// The value in the words of the model.
    pub fn shown(&self) -> String {
        self.value_name.clone().unwrap_or_else(|| self.value.to_string())
    }
}

impl EdgeEntry {
    /// The message that passes, in the words of the model.
    pub fn passed(&self) -> Option<&str> {
        self.message_name.as_deref().or(self.message.as_deref())
    }
}

impl ChangeEntry {
    /// A change of values without names.
    pub fn new(kind: ChangeKind, name: String, from: Value, to: Value) -> ChangeEntry {
        ChangeEntry { kind, name, from, to, from_name: None, to_name: None }
    }

    /// Adds the names of the values where they have some.
    pub fn named(self, from: String, to: String) -> ChangeEntry {
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
                error: RunTimeError {
                    kind: error.kind(network).map_err(at_end)?,
                    span: Span::NONE,
                },
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
            kind: error.kind.name(&model.network).to_string(),
            message: error.kind.message(&model.network),
            values: error_values(error.kind),
            file: place.as_ref().map(|place| place.file.clone()),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
        }
    }

    fn kind(&self, network: &Network) -> Result<ErrorKind, String> {
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
            ("no-room-for-process", []) => ErrorKind::NoRoom,
            (name, []) => ErrorKind::Failure(network.failure(name).ok_or_else(wrong)?),
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
        | ErrorKind::NoRoom
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

/// The names of an edge's selects, with a number where a name alone would not be enough.
pub fn select_names(edge: &Edge) -> Vec<String> {
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
