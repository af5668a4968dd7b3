//! Why there is no model.

use network::Diagnostic;
use std::fmt;

/// Why there is no model.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The input is wrong.
    Input(Vec<Diagnostic>),
    /// Something that was asked for does not suit the language of the model.
    Unsuitable(Unsuitable),
    /// The front end made a network that breaks the rules.
    Defect(String),
}

/// What does not suit a Promela model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuitable {
    /// A file of queries (`Input::query_file`).
    QueryFile,
    /// To look for errors beside queries (`Input::errors`): that is what a model without queries is asked.
    ErrorsBesideQueries,
}

impl fmt::Display for Unsuitable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsuitable::QueryFile => "a query file cannot be used with a Promela model",
            Unsuitable::ErrorsBesideQueries => {
                "a Promela model is checked for errors if there are no queries"
            }
        })
    }
}

impl Refusal {
    /// For a single reason.
    pub fn because(diagnostic: Diagnostic) -> Refusal {
        Refusal::Input(vec![diagnostic])
    }
}

impl From<Box<Diagnostic>> for Refusal {
    fn from(diagnostic: Box<Diagnostic>) -> Refusal {
        Refusal::because(*diagnostic)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unsuitable(what) => what.fmt(f),
            Refusal::Defect(what) => write!(f, "internal defect: {what}"),
            Refusal::Input(diagnostics) => {
                let errors = diagnostics.iter().filter(|it| it.is_error());
                let lines: Vec<String> = errors.map(line).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

/// `m.xta:3:7: x is not declared`.
fn line(diagnostic: &Diagnostic) -> String {
    let message = &diagnostic.message;
    match &diagnostic.place {
        Some(place) => format!("{}:{}:{}: {message}", place.path, place.line, place.column),
        None => message.clone(),
    }
}

impl std::error::Error for Refusal {}
