//! Pieces of text with expressions between them, which can be replaced by simpler ones.

use std::fmt::{Display, Formatter, Result};

/// A part of a simple statement or expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it is.
    Text(String),
    /// An expression, which may be replaced by another one.
    Expression(Expression),
}

/// A piece of the name of a variable or channel.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    /// An index below this number, in brackets.
    Index(u32),
}

/// A name in full, with indices below the numbers that are told.
pub(super) fn spell(pieces: &[Piece], mut index: impl FnMut(u32) -> Expression) -> Expression {
    let mut parts: Vec<Part> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => parts.push(text.clone().into()),
            Piece::Index(length) => {
                parts.extend(["[".into(), index(*length).into(), "]".into()]);
            }
        }
    }
    Expression(parts)
}

/// An expression: its parts between the operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression(pub Vec<Part>);

impl Expression {
    /// An expression that is nothing but text.
    pub fn leaf(text: impl Into<String>) -> Self {
        Expression(vec![Part::Text(text.into())])
    }

    /// The expressions inside, one level down.
    pub fn inner(&self) -> impl Iterator<Item = &Expression> {
        self.0.iter().filter_map(|part| match part {
            Part::Expression(inner) => Some(inner),
            Part::Text(_) => None,
        })
    }
}

impl Part {
    /// Text as it is.
    pub fn text(text: impl Into<String>) -> Self {
        Part::Text(text.into())
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Part::Text(text) => f.write_str(text),
            Part::Expression(expression) => write!(f, "{expression}"),
        }
    }
}

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write_parts(f, &self.0)
    }
}

/// Writes parts one after the other.
pub(crate) fn write_parts(f: &mut Formatter<'_>, parts: &[Part]) -> Result {
    parts.iter().try_for_each(|part| write!(f, "{part}"))
}

impl From<Expression> for Part {
    fn from(expression: Expression) -> Self {
        Part::Expression(expression)
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::text(text)
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Part::Text(text)
    }
}
