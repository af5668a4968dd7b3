//! Heuristics: estimates of how far a state is from the goal, computed from the network.
//!
//! A heuristic is one file in `heuristics` and one row of the catalog. It declares what its
//! estimates are good for; the search asks the declaration, never the name.

use crate::edge_set::EdgeSet;

/// The estimate of a state from which the goal seems out of reach.
pub const UNREACHABLE: u32 = u32::MAX;

/// The highest estimate that is no proof of a dead end.
pub(crate) const FARTHEST: u32 = 1 << 29;

/// What the estimates of a heuristic are good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantees {
    /// No estimate exceeds the least number of steps to the goal, or the least cost of a path to it.
    pub admissible: bool,
    /// An estimate that is no dead end falls by at most 1 in each step (by what it costs, if estimates are
    /// in costs), and is 0 where the goal is reached.
    pub consistent: bool,
    /// The goal is out of reach from every state whose estimate is [`UNREACHABLE`].
    pub dead_end_safe: bool,
}

impl Guarantees {
    /// Nothing is promised.
    pub const NONE: Guarantees =
        Guarantees { admissible: false, consistent: false, dead_end_safe: false };
    /// Everything is.
    pub const ALL: Guarantees =
        Guarantees { admissible: true, consistent: true, dead_end_safe: true };
    /// An infinite estimate is right; others may be too high.
    pub const DEAD_ENDS: Guarantees = Guarantees { dead_end_safe: true, ..Guarantees::NONE };
}

/// A table that estimates are looked up in: which parts of the network it is made of, by their names, and
/// its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableAccount {
    /// The processes whose locations it knows.
    pub processes: Vec<String>,
    /// The variables whose values it knows.
    pub variables: Vec<String>,
    /// The channels whose messages it knows.
    pub channels: Vec<String>,
    /// The channels of which it knows no more than how many messages there are.
    pub lengths: Vec<String>,
    /// The clocks that it looks at.
    pub clocks: Vec<String>,
    /// The number of abstract states.
    pub states: u64,
    /// The bytes it takes.
    pub bytes: u64,
    /// Whether there are more abstract states than that.
    pub truncated: bool,
    /// Whether the abstract states were known from another table, made for this question or one before it.
    pub reused: bool,
}

/// Estimates how many steps lead from a state to the goal.
pub trait Heuristic {
    /// What the estimates are good for.
    fn guarantees(&self) -> Guarantees;

    /// The estimate of a state.
    fn estimate(&mut self, state: &[i32]) -> u32;

    /// Whether estimates depend on clocks; if not, states that differ in nothing else share theirs.
    fn sees_clocks(&self) -> bool {
        true
    }

    /// Whether estimates are costs of paths to the goal instead of numbers of steps.
    fn is_in_costs(&self) -> bool {
        false
    }

    /// The estimate of a state as if some edges did not exist; none if the heuristic cannot tell.
    fn estimate_without(&mut self, _state: &[i32], _removed: &EdgeSet) -> Option<u32> {
        None
    }

    /// The tables that estimates are looked up in.
    fn tables(&self) -> Vec<TableAccount> {
        Vec::new()
    }

    /// What it was made of with much work, as bytes: `Making::saved` makes it again. None if it would be as
    /// much work, or is little.
    fn saved(&self) -> Option<Vec<u8>> {
        None
    }

    /// How much work all estimates were so far, as steps of computation of a few nanoseconds; the
    /// same on every machine.
    fn work(&self) -> u64 {
        0
    }

    /// The edges that look useful in the state that was estimated last; none if the heuristic does
    /// not say.
    fn preferred(&self) -> Option<&EdgeSet> {
        None
    }
}
