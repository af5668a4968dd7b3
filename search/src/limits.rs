//! What may end a search early, and who is told how it goes.

use crate::{Reason, Statistics};
use explore::{Explorer, Layout};

/// Limits that do not depend on the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The greatest number of states to store.
    pub max_states: Option<u64>,
    /// The greatest amount of work, in the unit of `Heuristic::work`.
    pub work: Option<u64>,
    /// Only paths that cost less than this are of interest.
    pub below: Option<u32>,
}

/// What exploring a state is in work, apart from its successors and from estimates. A unit of work is the
/// sixtieth part of a microsecond, as measured for all of these on models of different kinds.
pub(crate) const WORK_PER_STATE: u64 = 20;

/// What a successor is in work: it grows with the size of states.
pub(crate) fn work_per_successor(explorer: &Explorer) -> u64 {
    let Layout { discrete, dim, .. } = explorer.layout;
    (15 + discrete / 6 + 4 * dim * dim) as u64
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop with the outcome unknown.
    Stop(Reason),
}

/// Is called every few hundred expansions; knows about time, memory and the user's patience.
pub trait Observer {
    /// Told how the search goes; says whether to go on.
    fn tick(&mut self, statistics: &Statistics) -> Control;

    /// The same while a heuristic is made, about the abstract states that are explored for it.
    fn prepares(&mut self, statistics: &Statistics) -> Control {
        self.tick(statistics)
    }

    /// Told the length of a trace when one is found while the search for shorter ones goes on.
    fn found(&mut self, _length: u32) {}
}

/// Lets every search run to its end.
pub struct Unlimited;

impl Observer for Unlimited {
    fn tick(&mut self, _: &Statistics) -> Control {
        Control::Continue
    }
}
