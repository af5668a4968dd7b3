//! What a search found, and what it cost.

use explore::{End, Path};
use network::cancellation::Cause;

/// What a search found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A path that leads to the goal or to a run-time error of the model.
    Reached {
        /// The steps.
        path: Path,
        /// What they lead to.
        end: End,
        /// Whether no shorter path leads to the goal; no cheaper one, if steps have costs.
        shortest: bool,
    },
    /// No reachable state satisfies the goal.
    Unreachable,
    /// The search was stopped.
    Unknown(Reason),
}

impl Outcome {
    /// Whether it is a trace, and there may be a shorter one.
    pub fn is_unproven(&self) -> bool {
        matches!(self, Outcome::Reached { shortest: false, .. })
    }
}

/// Why the outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The limit on stored states was reached.
    States,
    /// The limit on explored states was reached.
    Budget,
    /// The user interrupted the search.
    Interrupted,
    /// Exact zones grew beyond the numbers they are computed with.
    ClockRange,
}

impl From<Cause> for Reason {
    fn from(cause: Cause) -> Reason {
        match cause {
            Cause::Time => Reason::Time,
            Cause::Memory => Reason::Memory,
            Cause::Interruption => Reason::Interrupted,
        }
    }
}

/// Counts of a search (docs/algorithms.md, section 2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States taken from the open list, not stale, and tested against the goal.
    pub explored: u64,
    /// Successors computed.
    pub generated: u64,
    /// States in the store now.
    pub stored: u64,
    /// States taken from the open list that a better one had replaced.
    pub stale: u64,
    /// States whose distance to the goal was estimated.
    pub evaluated: u64,
    /// States explored again because they were reached at a lower cost.
    pub reopened: u64,
    /// States dropped because the heuristic proves them useless.
    pub pruned: u64,
    /// States explored when the trace that is reported was found; those after it served to shorten it
    /// or to prove that it is the shortest.
    pub explored_until_found: Option<u64>,
    /// The greatest length of the open list.
    pub max_open: u64,
    /// The greatest cost of an explored state.
    pub depth: u64,
    /// Bytes that the node store and the open list take.
    pub bytes: u64,
    /// Whether every reachable state was explored, so that nothing can have been missed: no goal, and no
    /// run-time error either.
    pub complete: bool,
}

impl Reason {
    /// The reason in words.
    pub fn describe(self) -> &'static str {
        match self {
            Reason::Time => "the time limit was reached",
            Reason::Memory => "the memory limit was reached",
            Reason::States => "the limit on stored states was reached",
            Reason::Budget => "the limit on explored states was reached",
            Reason::Interrupted => "interrupted",
            Reason::ClockRange => "clock differences grew too large; abstract the zones",
        }
    }
}
