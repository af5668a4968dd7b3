//! The small statement language of updates and functions.

use crate::{
    ClockRef, Expr, FailureId, FunctionId, LocationId, Place, ProcessId, Receive, Send, Span,
};

/// A statement with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// `place = value`; beyond the place's range it is an error or wraps, as the type says.
    Assign(Place, Expr),
    /// Sets a clock to an integer; a negative one is a run-time error.
    Reset(ClockRef, Expr),
    /// `if (condition) then else otherwise`.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// `while (condition) body`.
    While(Expr, Vec<Statement>),
    /// Calls a function; a result, if any is wanted, goes to the place.
    Call(Option<Place>, FunctionId, Vec<Expr>),
    /// Leaves the function.
    Return(Option<Expr>),
    /// A run-time error of the model if the condition is 0.
    Assert(Expr),
    /// Sends on a buffered channel; a run-time error if there is no room.
    Send(Send),
    /// Receives from a buffered channel; a run-time error if no message fits.
    Receive(Receive),
    /// A run-time error if the condition is 0: a statement that blocks where it must not.
    Await(Expr),
    /// A run-time error that the language of the model knows.
    Fail(FailureId),
    /// The run-time error that the network has no process left that could be started.
    NoRoom,
    /// Puts a process at a location: how processes are started and ended.
    Enter(ProcessId, LocationId),
}

impl Statement {
    /// The statements directly below.
    pub fn children(&self) -> impl Iterator<Item = &Statement> {
        let (first, second): (&[Statement], &[Statement]) = match &self.kind {
            StatementKind::If(_, then, otherwise) => (then, otherwise),
            StatementKind::While(_, body) => (body, &[]),
            _ => (&[], &[]),
        };
        first.iter().chain(second)
    }
    /// Calls `visit` for this statement and every one below it, in source order.
    pub fn walk(&self, visit: &mut dyn FnMut(&Statement)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
    /// The expressions that stand in the statement itself, in evaluation order:
    /// the value first, then the indices of the place it goes to.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            StatementKind::Assign(place, value) => {
                std::iter::once(value).chain(&place.indices).collect()
            }
            StatementKind::Reset(clock, value) => {
                std::iter::once(value).chain(&clock.indices).collect()
            }
            StatementKind::If(condition, ..)
            | StatementKind::While(condition, _)
            | StatementKind::Assert(condition)
            | StatementKind::Await(condition) => vec![condition],
            StatementKind::Call(place, _, arguments) => {
                let indices = place.iter().flat_map(|place| &place.indices);
                arguments.iter().chain(indices).collect()
            }
            StatementKind::Return(value) => value.iter().collect(),
            StatementKind::Send(send) => {
                send.channel.expressions().iter().chain(&send.message).collect()
            }
            StatementKind::Receive(receive) => {
                let patterns = receive.message.iter().flat_map(crate::Pattern::expressions);
                receive.channel.expressions().iter().chain(patterns).collect()
            }
            StatementKind::Enter(..) | StatementKind::Fail(_) | StatementKind::NoRoom => Vec::new(),
        }
    }
}
