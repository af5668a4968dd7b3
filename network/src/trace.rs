//! Traces: a run of the network with concrete delays, as plain data.

use crate::{
    ChannelId, ClockId, EdgeId, FailureId, LocationId, Network, ProcessId, Span, VariableId,
};

/// A run from the initial state. Times are whole numbers of ticks, `scale` ticks to a unit of time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Ticks per unit of time; at least 1.
    pub scale: i64,
    /// The steps.
    pub steps: Vec<Step>,
    /// Ticks that pass after the last step.
    pub final_delay: i64,
    /// What is at the end.
    pub ending: Ending,
}

/// What a trace leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A state that satisfies the goal.
    Goal,
    /// A run-time error of the model, raised by the moves below in the last state.
    Error {
        /// What went wrong.
        error: RunTimeError,
        /// The moves whose evaluation raised it; none if the state itself did (invariant, rate).
        moves: Vec<Move>,
    },
}

/// A delay followed by edges that fire together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Ticks that pass before.
    pub delay: i64,
    /// The edges, the sender first, then receivers in process order.
    pub moves: Vec<Move>,
    /// What the edges changed: locations, variables, buffered channels, then clocks that were set.
    pub changes: Vec<Change>,
}

/// An edge that fires.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The process.
    pub process: ProcessId,
    /// Its edge.
    pub edge: EdgeId,
    /// The values of the edge's selects.
    pub selects: Vec<i32>,
}

/// A value that a step changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A process went to another location.
    Location {
        /// The process.
        process: ProcessId,
        /// Where it was.
        from: LocationId,
        /// Where it is.
        to: LocationId,
    },
    /// A variable has another value.
    Variable {
        /// The variable.
        variable: VariableId,
        /// The element of the array; 0 for a scalar.
        element: u32,
        /// The value before.
        from: i32,
        /// The value after.
        to: i32,
    },
    /// A buffered channel holds other messages.
    Channel {
        /// The channel.
        channel: ChannelId,
        /// The element of the array; 0 for a single channel.
        element: u32,
        /// All messages before, the first one to be received first.
        from: Vec<Vec<i32>>,
        /// All messages after.
        to: Vec<Vec<i32>>,
    },
    /// A clock was set.
    Clock {
        /// The clock.
        clock: ClockId,
        /// The element of the array; 0 for a single clock.
        element: u32,
        /// Its value in units of time.
        to: i32,
    },
}

/// A run-time error of the model.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RunTimeError {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The statement or condition in which it did.
    pub span: Span,
}

impl RunTimeError {
    /// Whether the network has no room for a process that is to be started, so that one with more room
    /// may not raise it.
    pub fn lacks_room(&self) -> bool {
        self.kind == ErrorKind::NoRoom
    }
}

/// What can go wrong when a model is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// A value outside the range of what it is assigned to, passed as or returned as.
    OutOfRange {
        /// The value.
        value: i32,
        /// The least value allowed.
        low: i32,
        /// The greatest value allowed.
        high: i32,
    },
    /// An array index out of bounds.
    Index {
        /// The index.
        index: i32,
        /// The size of the dimension.
        size: u32,
    },
    /// A division or remainder by zero.
    DivisionByZero,
    /// A shift by a count outside 0..=31.
    Shift(i32),
    /// A power with a negative exponent.
    NegativeExponent(i32),
    /// A clock set to a negative value.
    NegativeClock(i32),
    /// A clock rate other than 0 and 1, or two different ones.
    Rate(i32),
    /// A clock bound too large to compute with.
    ClockBound(i32),
    /// A failed assertion.
    Assertion,
    /// The use of a channel that there is not: the value of a channel variable.
    NoChannel(i32),
    /// A send or receive inside an update that cannot be done.
    Blocked,
    /// Loops that take more than [`MAX_LOOP_ROUNDS`] rounds in one step.
    EndlessLoop,
    /// A process to be started for which the network has no room.
    NoRoom,
    /// One that only the language of the model knows.
    Failure(FailureId),
}

impl ErrorKind {
    /// The name used in machine-readable output, where the error is one of this network.
    pub fn name(self, network: &Network) -> &str {
        match self {
            ErrorKind::OutOfRange { .. } => "out-of-range",
            ErrorKind::Index { .. } => "index",
            ErrorKind::DivisionByZero => "division-by-zero",
            ErrorKind::Shift(_) => "shift",
            ErrorKind::NegativeExponent(_) => "negative-exponent",
            ErrorKind::NegativeClock(_) => "negative-clock",
            ErrorKind::Rate(_) => "rate",
            ErrorKind::ClockBound(_) => "clock-bound",
            ErrorKind::Assertion => "assertion",
            ErrorKind::NoChannel(_) => "no-channel",
            ErrorKind::Blocked => "blocked",
            ErrorKind::EndlessLoop => "endless-loop",
            ErrorKind::NoRoom => "no-room-for-process",
            ErrorKind::Failure(failure) => &network.failures[failure].name,
        }
    }

    /// What went wrong, in words, where the error is one of this network.
    pub fn message(self, network: &Network) -> String {
        match self {
            ErrorKind::OutOfRange { value, low, high } => {
                format!("the value {value} is outside the range {low}..{high}")
            }
            ErrorKind::Index { index, size } => {
                format!("the index {index} is outside an array of size {size}")
            }
            ErrorKind::DivisionByZero => "division by zero".to_string(),
            ErrorKind::Shift(count) => format!("shift by {count}, which is not in 0..31"),
            ErrorKind::NegativeExponent(e) => format!("power with the negative exponent {e}"),
            ErrorKind::NegativeClock(value) => {
                format!("a clock is set to the negative value {value}")
            }
            ErrorKind::Rate(rate) => format!("a clock gets the rate {rate}, not just 0 or 1"),
            ErrorKind::ClockBound(bound) => {
                format!("a clock is compared with or set to {bound}, which is too large")
            }
            ErrorKind::Assertion => "an assertion fails".to_string(),
            ErrorKind::NoChannel(value) => {
                format!("a channel variable with the value {value} stands for no channel")
            }
            ErrorKind::Blocked => "a statement blocks inside a deterministic step".to_string(),
            ErrorKind::EndlessLoop => "a loop does not seem to end".to_string(),
            ErrorKind::NoRoom => "too many processes run at once".to_string(),
            ErrorKind::Failure(failure) => network.failures[failure].message.clone(),
        }
    }
}

/// The largest absolute value a clock may be compared with or set to.
pub const MAX_CLOCK_BOUND: i32 = 50_000_000;

/// The number of rounds that loops and quantifiers of one step may take, its calls included, before
/// it counts as endless.
pub const MAX_LOOP_ROUNDS: u64 = 10_000_000;
