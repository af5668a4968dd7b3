//! What people are told about the edges of a model: its statements, and what they print.
//!
//! Printing changes nothing, so the edges of the network do not do it. Where an edge has something to
//! print there is another one that does the same and keeps a record in its locals.

use network::{Edge, EdgeId, Id, LocalId, LocationId, ProcessId, ValueNamesId};

/// The words for the edges of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wording {
    /// One for each process of the network, but not for the observers of formulas.
    pub processes: Vec<ProcessWording>,
}

/// The words for the edges of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessWording {
    /// Where it may stay for ever.
    pub ends: Vec<LocationId>,
    /// What it may print.
    pub prints: Vec<Print>,
    /// One for each edge.
    pub edges: Vec<EdgeWording>,
}

/// The words for an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeWording {
    /// Its statement on one line, with what macros stand for; several for an atomic sequence of a
    /// claim.
    pub statement: String,
    /// The same edge with a record of what it prints, if it prints something.
    pub recording: Option<Box<Edge>>,
}

/// A `printf` or `printm`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// The text between the quotes, as written.
    pub format: String,
    /// For each value that it prints, what its type calls the values, if that is known.
    pub values: Vec<Option<ValueNamesId>>,
}

/// The local of a recording edge that holds its record: for each `printf` that was done its number
/// among those of the process, then its values.
pub const RECORD: LocalId = LocalId(0);
/// The local of a recording edge that holds the length of the record.
pub const LENGTH: LocalId = LocalId(1);

impl Wording {
    /// The words for an edge.
    pub fn edge(&self, process: ProcessId, edge: EdgeId) -> Option<&EdgeWording> {
        self.processes.get(process.index())?.edges.get(edge.index())
    }

    /// Whether a process may stay for ever where it is.
    pub fn is_end(&self, process: ProcessId, location: LocationId) -> bool {
        self.processes.get(process.index()).is_some_and(|it| it.ends.contains(&location))
    }
}
