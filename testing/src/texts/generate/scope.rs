//! What names stand for in a random program.

use crate::texts::parts::Piece;

/// The names that can be used somewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub places: Vec<Place>,
    pub channels: Vec<Channel>,
    /// Arrays with their lengths, and simple variables: what `for` and `select` run over.
    pub arrays: Vec<(String, u32)>,
    pub counters: Vec<String>,
    /// Variables of a struct's type.
    pub structs: Vec<(String, usize)>,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Kind {
    Bit,
    Bool,
    #[default]
    Byte,
    Pid,
    Short,
    Int,
    Unsigned(u32),
    Mtype,
    /// The subtype of `mtype`.
    Subtype,
}

impl Kind {
    /// The declaration of a variable.
    pub fn declare(self, name: &str) -> String {
        match self {
            Kind::Bit => format!("bit {name}"),
            Kind::Bool => format!("bool {name}"),
            Kind::Byte => format!("byte {name}"),
            Kind::Pid => format!("pid {name}"),
            Kind::Short => format!("short {name}"),
            Kind::Int => format!("int {name}"),
            Kind::Unsigned(bits) => format!("unsigned {name} : {bits}"),
            Kind::Mtype => format!("mtype {name}"),
            Kind::Subtype => format!("mtype:fruit {name}"),
        }
    }

    /// Whether any value fits without making the state space large.
    pub fn is_narrow(self) -> bool {
        matches!(self, Kind::Bit | Kind::Bool | Kind::Unsigned(_))
    }

    /// Whether its values are never negative.
    pub fn is_natural(self) -> bool {
        !matches!(self, Kind::Short | Kind::Int) && !self.is_symbol()
    }

    /// Whether its values have names.
    pub fn is_symbol(self) -> bool {
        matches!(self, Kind::Mtype | Kind::Subtype)
    }
}

/// Something a number can be stored in.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub pieces: Vec<Piece>,
    pub kind: Kind,
}

impl Place {
    pub fn plain(name: &str, kind: Kind) -> Self {
        Place { pieces: vec![Piece::Text(name.into())], kind }
    }

    pub fn array(name: &str, length: u32, kind: Kind) -> Self {
        Place { pieces: vec![Piece::Text(name.into()), Piece::Index(length)], kind }
    }
}

/// Something that a message can be sent to.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub pieces: Vec<Piece>,
    pub shape: usize,
    /// Nothing if it may be any channel of the shape.
    pub capacity: Option<u32>,
    /// Whether it is a variable that can be assigned.
    pub variable: bool,
}

impl Channel {
    pub fn plain(name: &str, shape: usize, capacity: Option<u32>) -> Self {
        Channel { pieces: vec![Piece::Text(name.into())], shape, capacity, variable: false }
    }
}

/// The fields of a channel's messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub fields: Vec<Field>,
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Number(Kind),
    /// A channel of this shape.
    Channel(usize),
    /// A struct of this type.
    Struct(usize),
}

/// A `typedef`.
#[derive(Clone, Debug, Default)]
pub(super) struct StructType {
    pub name: String,
    /// Places inside, their pieces after the name of the variable.
    pub places: Vec<Place>,
    /// Whether there is a channel `.k` of the first shape inside.
    pub has_channel: bool,
}

/// A proctype.
#[derive(Clone, Debug, Default)]
pub(super) struct Proctype {
    pub name: String,
    pub active: u32,
    pub parameters: Vec<Parameter>,
    /// The numbers of the active ones.
    pub pids: Vec<u32>,
    /// What other processes may refer to, once the body is there.
    pub labels: Vec<String>,
    pub variables: Vec<String>,
}

/// A parameter of a proctype: a number, or a channel of a shape.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub name: String,
    pub kind: Kind,
    pub shape: Option<usize>,
}

impl Parameter {
    pub fn declaration(&self) -> String {
        match self.shape {
            Some(_) => format!("chan {}", self.name),
            None => self.kind.declare(&self.name),
        }
    }
}
