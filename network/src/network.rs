//! The network: everything a model says, in one plain data structure.

use crate::{
    Arena, ChannelId, ClockId, Expr, FailureId, FunctionId, Local, LocalId, Process, ProcessId,
    PropertyId, ScalarSetId, Source, SourceId, Span, Statement, ValueNamesId, VariableId,
};

/// A model as every part of the program below the front ends sees it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Network {
    /// The files it came from.
    pub sources: Arena<SourceId, Source>,
    /// Scalar sets.
    pub scalar_sets: Arena<ScalarSetId, ScalarSet>,
    /// Names of values, for reports; they mean nothing.
    pub value_names: Arena<ValueNamesId, ValueNames>,
    /// Run-time errors that only the language of the model knows.
    pub failures: Arena<FailureId, Failure>,
    /// Variables, in declaration order.
    pub variables: Arena<VariableId, Variable>,
    /// Clocks.
    pub clocks: Arena<ClockId, Clock>,
    /// Channels.
    pub channels: Arena<ChannelId, Channel>,
    /// Functions; a function calls only functions before it, so there is no recursion.
    pub functions: Arena<FunctionId, Function>,
    /// Processes, in the order in which broadcast receivers move.
    pub processes: Arena<ProcessId, Process>,
    /// What the user asks.
    pub properties: Arena<PropertyId, Property>,
}

/// The values of a variable, local or function result: `low..=high`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type {
    /// The least value.
    pub low: i32,
    /// The greatest value.
    pub high: i32,
    /// What happens to a value outside.
    pub overflow: Overflow,
    /// The scalar set the values are elements of.
    pub scalar: Option<ScalarSetId>,
    /// What the user calls the values.
    pub names: Option<ValueNamesId>,
}

/// What happens when a value outside the range is assigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Overflow {
    /// A run-time error of the model.
    Error,
    /// The value is cut to the bits of the type: two's complement if `low` is negative.
    Wrap,
}

/// A type whose values are interchangeable: the model is symmetric under their permutations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarSet {
    /// Its name.
    pub name: String,
    /// The number of values; they are `0..size`.
    pub size: u32,
    /// Where it stands.
    pub span: Span,
}

/// What the user calls the values of a type: `first` has the first name, and so on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueNames {
    /// What the user calls the type: `mtype`.
    pub name: String,
    /// The value with the first name.
    pub first: i32,
    /// The names; values beyond have none.
    pub names: Vec<String>,
}

/// A run-time error that only the language of the model knows: what the statement `Fail` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Its name in machine-readable output.
    pub name: String,
    /// What went wrong, in words.
    pub message: String,
}

/// One dimension of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dimension {
    /// The number of elements; indices are `0..size`.
    pub size: u32,
    /// What the user calls the index 0.
    pub first: i32,
    /// The scalar set the indices are elements of.
    pub scalar: Option<ScalarSetId>,
}

/// A variable or an array of variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name: `P(1).x`, `config.speed`.
    pub name: String,
    /// The type of its elements.
    pub ty: Type,
    /// Its dimensions; empty for a scalar.
    pub dimensions: Vec<Dimension>,
    /// Where its value is kept.
    pub storage: Storage,
    /// The initial values, the last dimension running fastest.
    pub initial: Vec<i32>,
    /// Where it stands.
    pub span: Span,
}

/// Where the value of a variable is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// In the state.
    State,
    /// In the state, but states that differ only here are the same.
    Meta,
    /// Outside the state: it never changes.
    Constant,
}

/// A clock or an array of clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Its name.
    pub name: String,
    /// Its dimensions; empty for a single clock.
    pub dimensions: Vec<Dimension>,
    /// The initial values.
    pub initial: Vec<i32>,
    /// Where it stands.
    pub span: Span,
}

/// A channel or an array of channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Its dimensions; empty for a single channel.
    pub dimensions: Vec<Dimension>,
    /// How it synchronises.
    pub kind: ChannelKind,
    /// Whether time stands still while a synchronisation on it is possible.
    pub urgent: bool,
    /// The priority of each element; 0 is that of internal steps, higher goes first.
    pub priorities: Vec<i32>,
    /// Where it stands.
    pub span: Span,
}

/// How a channel synchronises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChannelKind {
    /// One sender and one receiver move together.
    Handshake,
    /// One sender and every process that can receive move together.
    Broadcast,
    /// Messages wait in a queue; with capacity 0, one sender hands its message to one receiver.
    Buffered {
        /// The greatest number of messages.
        capacity: u32,
        /// The types of a message's fields.
        fields: Vec<Type>,
    },
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The scalar locals that arguments are bound to; an argument out of range is a run-time error.
    pub parameters: Vec<LocalId>,
    /// All locals; each starts at 0, or at its least value if 0 is out of range.
    pub locals: Arena<LocalId, Local>,
    /// The type of the result.
    pub result: Option<Type>,
    /// What it does; a path that ends without `return` gives the least value of the result's type.
    pub body: Vec<Statement>,
    /// Where it stands.
    pub span: Span,
}

/// A question about the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// As the user wrote it.
    pub text: String,
    /// What it claims.
    pub claim: Claim,
    /// Locals of the expression.
    pub locals: Arena<LocalId, Local>,
    /// Whether a run-time error of the model violates the property; otherwise it leaves it open.
    pub counts_errors: bool,
    /// The process that moves along with every step while this property is checked.
    pub observer: Option<ProcessId>,
    /// Why the property stays open if its claim is not refuted: it says more than the claim.
    pub beyond: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// What a property claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Some reachable state satisfies the expression.
    Reachable(Expr),
    /// Every reachable state satisfies it.
    Always(Expr),
    /// The property is of a kind that cannot be checked; the text says why.
    Unsupported(String),
}

impl Property {
    /// Asks for a state that does not exist, so that all states are looked at.
    pub fn unreachable() -> Property {
        Property {
            text: "nothing".to_string(),
            claim: Claim::Reachable(Expr::Const(0)),
            counts_errors: false,
            ..Property::no_errors()
        }
    }

    /// Claims that the model raises no run-time error, and nothing else.
    pub fn no_errors() -> Property {
        Property {
            text: NO_ERRORS.to_string(),
            claim: Claim::Always(Expr::TRUE),
            locals: Arena::new(),
            counts_errors: true,
            observer: None,
            beyond: None,
            span: Span::NONE,
        }
    }
}

/// The name of the property that a model raises no errors.
pub const NO_ERRORS: &str = "no errors";

impl Type {
    /// A range whose violation is a run-time error.
    pub fn range(low: i32, high: i32) -> Self {
        Type { low, high, ..Type::ANY }
    }
    /// The truth values.
    pub const BOOL: Type = Type { low: 0, high: 1, ..Type::ANY };
    /// Every 32-bit integer.
    pub const ANY: Type = Type {
        low: i32::MIN,
        high: i32::MAX,
        overflow: Overflow::Error,
        scalar: None,
        names: None,
    };

    /// Whether the value is in range.
    pub fn contains(&self, value: i32) -> bool {
        self.low <= value && value <= self.high
    }
    /// The value a local of this type starts with.
    pub fn zero(&self) -> i32 {
        if self.contains(0) { 0 } else { self.low }
    }
}

impl ValueNames {
    /// The name of a value, if it has one.
    pub fn of(&self, value: i32) -> Option<&str> {
        let index = usize::try_from(i64::from(value) - i64::from(self.first)).ok()?;
        self.names.get(index).map(String::as_str)
    }
}

impl Network {
    /// A value of the type as the user knows it: by its name, if it has one.
    pub fn value_name(&self, ty: Type, value: i32) -> Option<&str> {
        self.value_names.try_at(ty.names?)?.of(value)
    }
    /// The failure with this name.
    pub fn failure(&self, name: &str) -> Option<FailureId> {
        self.failures.enumerate().find(|(_, it)| it.name == name).map(|(id, _)| id)
    }
}

impl Claim {
    /// The expression it is about.
    pub fn expression(&self) -> Option<&Expr> {
        match self {
            Claim::Reachable(expr) | Claim::Always(expr) => Some(expr),
            Claim::Unsupported(_) => None,
        }
    }
}

fn elements(dimensions: &[Dimension]) -> usize {
    dimensions.iter().map(|d| d.size as usize).product()
}

macro_rules! array_length {
    ($($kind:ident)*) => {$(
        impl $kind {
            /// The number of elements; 1 if it is not an array.
            pub fn len(&self) -> usize {
                elements(&self.dimensions)
            }
            /// Whether it has no elements.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }
    )*};
}
array_length!(Variable Clock Channel);

/// The name of an array's element as the user knows it: `a[1][2]`, or just the name for a scalar.
/// Indices go where the name has `[]`, which is how a field of a struct in an array is called
/// (`a[].x`), and after it; with the first dimensions alone, the name of an array in an array.
pub fn element_name(name: &str, dimensions: &[Dimension], element: usize) -> String {
    let mut parts = name.split("[]");
    let mut text = parts.next().unwrap_or("").to_owned();
    for (dimension, index) in dimensions.iter().zip(element_indices(dimensions, element)) {
        let index = i64::from(dimension.first) + i64::from(index);
        text += &format!("[{index}]{}", parts.next().unwrap_or(""));
    }
    parts.for_each(|part| text += &format!("[]{part}"));
    text
}

/// The index of an element in each dimension, from 0.
pub fn element_indices(dimensions: &[Dimension], element: usize) -> Vec<i32> {
    let mut rest = element;
    let index = |dimension: &Dimension| {
        let size = (dimension.size as usize).max(1);
        let index = rest % size;
        rest /= size;
        index as i32
    };
    let mut indices: Vec<i32> = dimensions.iter().rev().map(index).collect();
    indices.reverse();
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_called_as_in_the_source() {
        let dimension = |size, first| Dimension { size, first, scalar: None };
        assert_eq!(element_name("x", &[], 0), "x");
        assert_eq!(element_name("a", &[dimension(3, 1)], 0), "a[1]");
        assert_eq!(element_name("a", &[dimension(2, 0), dimension(3, -1)], 4), "a[1][0]");
        let field = [dimension(2, 0), dimension(3, 0)];
        assert_eq!(element_name("a[].x", &field, 5), "a[1].x[2]");
        assert_eq!(element_name("a[].b[].x", &field[..1], 1), "a[1].b[].x");
    }
}
