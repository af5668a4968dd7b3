//! UPPAAL models as trees: coarse enough to be generated easily, fine enough to be shrunk.

use crate::texts::parts::{Expression, Part};

/// A model with a question about it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Model {
    /// What is global, line by line.
    pub declarations: Vec<Declaration>,
    /// The templates, each with its processes.
    pub templates: Vec<Template>,
    /// Whether the processes of a template have a higher priority than those of the one before.
    pub priorities: bool,
    /// `E<>` or `A[]`.
    pub quantifier: &'static str,
    /// What it is about; if there is nothing, the question is whether errors can be raised.
    pub query: Option<Expression>,
    /// Whether it is written as `.xml` instead of `.xta`.
    pub is_xml: bool,
}

/// A declaration: a line, or a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The line without its semicolon, or what stands before the brace.
    pub head: Vec<Part>,
    /// The statements of a function.
    pub body: Option<Vec<Vec<Part>>>,
}

/// A template.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// The declarations of its parameters.
    pub parameters: Vec<String>,
    /// What is local.
    pub declarations: Vec<Declaration>,
    /// Its locations.
    pub locations: Vec<Location>,
    /// The number of the initial one.
    pub initial: usize,
    /// Its edges, in any order.
    pub edges: Vec<Edge>,
    /// Processes with their arguments; none if the template itself stands in the system line.
    pub instances: Vec<(String, Vec<String>)>,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// The parts of its invariant.
    pub invariant: Vec<Expression>,
    /// `commit`, `urgent` or nothing.
    pub kind: &'static str,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Edge {
    /// Where it begins.
    pub source: String,
    /// Where it leads.
    pub target: String,
    /// Its `select` declarations.
    pub selects: Vec<String>,
    /// The parts of its guard.
    pub guard: Vec<Expression>,
    /// The channel with `!` or `?`.
    pub sync: Option<Vec<Part>>,
    /// What it assigns.
    pub assignments: Vec<Vec<Part>>,
}

impl Declaration {
    /// A line that is nothing but text.
    pub fn line(text: impl Into<String>) -> Self {
        Declaration { head: vec![Part::text(text)], body: None }
    }
}
