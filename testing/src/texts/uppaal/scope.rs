//! What names stand for in a random model.

use crate::texts::parts::Piece;

/// The names that can be used somewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Variables and elements of arrays that can be written.
    pub places: Vec<Place>,
    /// What can only be read: constants, selected and quantified names.
    pub constants: Vec<Place>,
    pub clocks: Vec<Vec<Piece>>,
    pub channels: Vec<Channel>,
    pub functions: Vec<Function>,
    /// Names of whole structs, which can be copied.
    pub structs: Vec<String>,
}

/// A number with its range.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub pieces: Vec<Piece>,
    pub low: i32,
    pub high: i32,
}

/// A channel or element of an array of channels.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub pieces: Vec<Piece>,
    pub broadcast: bool,
    pub urgent: bool,
}

/// A function on integers.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub parameters: usize,
    /// Whether it gives a value; otherwise it writes variables.
    pub is_pure: bool,
}

impl Place {
    pub fn plain(name: &str, low: i32, high: i32) -> Self {
        Place { pieces: vec![Piece::Text(name.into())], low, high }
    }

    pub fn array(name: &str, length: u32, low: i32, high: i32) -> Self {
        Place { pieces: vec![Piece::Text(name.into()), Piece::Index(length)], low, high }
    }

    /// The name, if there is nothing but it.
    pub fn name(&self) -> Option<&str> {
        match &self.pieces[..] {
            [Piece::Text(name)] => Some(name),
            _ => None,
        }
    }
}

impl Channel {
    /// What stands before the word `chan`.
    pub fn prefix(&self) -> String {
        let urgent = if self.urgent { "urgent " } else { "" };
        let broadcast = if self.broadcast { "broadcast " } else { "" };
        format!("{urgent}{broadcast}")
    }
}
