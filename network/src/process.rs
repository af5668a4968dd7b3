//! Processes: locations and edges.

use crate::{
    Arena, ChannelRef, ClockConstraint, ClockRef, EdgeId, Expr, LocalId, LocationId, Place,
    ScalarSetId, Span, Statement, Type, VariableId,
};

/// One running automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// The name the user knows it by: `Train(3)`.
    pub name: String,
    /// The template it was made from.
    pub template: String,
    /// The values it was made with.
    pub arguments: Vec<Argument>,
    /// Locations.
    pub locations: Arena<LocationId, Location>,
    /// Edges.
    pub edges: Arena<EdgeId, Edge>,
    /// Where it starts.
    pub initial: LocationId,
    /// Steps of a process with a higher priority go first.
    pub priority: Priority,
    /// Whether it only watches: it moves along with the others, and only in searches for a property
    /// that names it.
    pub observes: bool,
    /// Where its template stands.
    pub span: Span,
}

/// The priority of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Priority {
    /// Always the same; 0 unless declared.
    Fixed(i32),
    /// The value that a scalar variable has.
    Variable(VariableId),
}

/// A value that a process was made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// The parameter.
    pub name: String,
    /// Its value.
    pub value: i32,
    /// The scalar set it is an element of.
    pub scalar: Option<ScalarSetId>,
}

/// A place of control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// Its name; unique within the process.
    pub name: String,
    /// What it does to time and to other processes.
    pub kind: LocationKind,
    /// What must hold while control is here.
    pub invariant: Condition,
    /// Clocks whose rate is fixed here; all others run at rate 1.
    pub rates: Vec<Rate>,
    /// Locals of the invariant and the rates.
    pub locals: Arena<LocalId, Local>,
    /// Where it stands.
    pub span: Span,
}

/// What a location does to time and to other processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// Nothing.
    Normal,
    /// Time stands still.
    Urgent,
    /// Time stands still, and only steps that leave a committed location are possible.
    Committed,
}

/// A conjunction of a condition on data and constraints on clocks; the data part is evaluated first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The data part.
    pub data: Expr,
    /// The clock constraints, all of which must hold.
    pub clocks: Vec<ClockConstraint>,
    /// Where it stands.
    pub span: Span,
}

/// The rate of a clock: 0 (stopped) or 1; any other value is a run-time error of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rate {
    /// The rate is fixed only if this holds; none means always.
    pub when: Option<Expr>,
    /// The clock.
    pub clock: ClockRef,
    /// Its rate.
    pub rate: Expr,
}

/// A possible move of a process from one location to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it ends.
    pub target: LocationId,
    /// Locals bound to any value of their type, independently, before everything else.
    pub selects: Vec<LocalId>,
    /// When it is possible.
    pub guard: Condition,
    /// What it does together with other processes.
    pub action: Action,
    /// What it changes.
    pub update: Vec<Statement>,
    /// Whether the process goes on alone afterwards, for as long as it can.
    pub keeps_control: bool,
    /// An edge counts only if no edge with a higher preference that leaves the same location can
    /// fire; 0 unless there is a reason.
    pub preference: i32,
    /// Locals of all the above.
    pub locals: Arena<LocalId, Local>,
    /// Where it stands.
    pub span: Span,
}

/// A local variable of an edge, location, function or property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Its name; not necessarily unique.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The sizes of its dimensions; empty for a scalar.
    pub sizes: Vec<u32>,
}

/// What an edge does together with other processes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Internal,
    /// Sends on a channel; with a message, if the channel carries messages.
    Send(Send),
    /// Receives from a channel.
    Receive(Receive),
}

/// A send action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Send {
    /// The channel.
    pub channel: ChannelRef,
    /// The fields of the message.
    pub message: Vec<Expr>,
    /// Whether the message goes to its place in numerical order instead of to the end.
    pub sorted: bool,
    /// Where it stands.
    pub span: Span,
}

/// A receive action.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    /// The channel.
    pub channel: ChannelRef,
    /// What the fields of the message must look like and where they go.
    pub message: Vec<Pattern>,
    /// Whether any message that fits is taken instead of only the first in the buffer.
    pub anywhere: bool,
    /// Whether the message stays in the buffer.
    pub keep: bool,
    /// Where it stands.
    pub span: Span,
}

/// A field of a received message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// Must be equal to the value.
    Equal(Expr),
    /// Goes to the place.
    Store(Place),
    /// Is thrown away.
    Any,
}

impl Pattern {
    /// The expressions in it.
    pub fn expressions(&self) -> &[Expr] {
        match self {
            Pattern::Equal(expr) => std::slice::from_ref(expr),
            Pattern::Store(place) => &place.indices,
            Pattern::Any => &[],
        }
    }
    pub(crate) fn expressions_mut(&mut self) -> &mut [Expr] {
        match self {
            Pattern::Equal(expr) => std::slice::from_mut(expr),
            Pattern::Store(place) => &mut place.indices,
            Pattern::Any => &mut [],
        }
    }
}

impl Process {
    /// The locations that it can get to from one of them by its own edges, that one first.
    pub fn reachable(&self, from: LocationId) -> Vec<LocationId> {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for edge in self.edges.iter().filter(|edge| edge.source == at) {
                if !reached.contains(&edge.target) {
                    reached.push(edge.target);
                }
            }
        }
        reached
    }
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Self {
        Condition { data: Expr::TRUE, clocks: Vec::new(), span: Span::NONE }
    }
    /// Whether it always holds.
    pub fn is_always(&self) -> bool {
        self.data.is_true() && self.clocks.is_empty()
    }
}

impl Local {
    /// The number of elements; 1 for a scalar.
    pub fn len(&self) -> usize {
        self.sizes.iter().map(|&n| n as usize).product()
    }
    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Action {
    /// The channel it is about.
    pub fn channel(&self) -> Option<&ChannelRef> {
        match self {
            Action::Internal => None,
            Action::Send(send) => Some(&send.channel),
            Action::Receive(receive) => Some(&receive.channel),
        }
    }

    /// How many fields its message has.
    pub fn width(&self) -> usize {
        match self {
            Action::Internal => 0,
            Action::Send(send) => send.message.len(),
            Action::Receive(receive) => receive.message.len(),
        }
    }
}
