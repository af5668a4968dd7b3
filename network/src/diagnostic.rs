//! A message about the user's input, as plain data: front ends collect them, `cli` renders them.

use crate::{SourceId, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The input is used all the same.
    Warning,
    /// The input is refused.
    Error,
}

/// One message with its place, the source line and a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where; none for a problem of the whole input.
    pub place: Option<Place>,
    /// A short text for the caret line.
    pub label: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A place in an input file together with its text, ready to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The path as the user gave it.
    pub path: String,
    /// First line, from 1.
    pub line: u32,
    /// First column, from 1, in characters.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
    /// The text of the first line, without its line break.
    pub source_line: String,
    /// What the text belongs to, where the file is not plain text: `template "Train", guard`.
    pub within: Option<String>,
}

impl Place {
    /// The same in a network, one of whose files it lies in.
    pub fn span(&self, source: SourceId) -> Span {
        let Place { line, column, end_line, end_column, .. } = *self;
        Span { source, line, column, end_line, end_column }
    }
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            place: None,
            label: None,
            hint: None,
        }
    }
    /// The same with a place.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }
    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
    /// Whether the input is refused because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
