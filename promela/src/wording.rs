//! What people are told about the edges of a model: its statements, and what they print.

use network::{EdgeId, Expr, Id, LocationId, ProcessId};

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
    /// One for each edge.
    pub edges: Vec<EdgeWording>,
}

/// The words for an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeWording {
    /// Its statement on one line, with what macros stand for; several for an atomic sequence of a
    /// claim.
    pub statement: String,
    /// What it prints.
    pub print: Option<Print>,
}

/// A `printf` or `printm`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// The text between the quotes, as written.
    pub format: String,
    /// The values, evaluated before the step.
    pub values: Vec<Expr>,
}

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
