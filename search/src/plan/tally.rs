//! What the searches of a plan did, and what they hold: several may be suspended at a time.

use crate::Statistics;

/// Counts over all searches of a plan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// What was done; sizes are the greatest so far.
    pub total: Statistics,
    /// The same as a number, in the unit of `Heuristic::work`.
    pub work: u64,
    /// What is in the stores of all searches now.
    held: Held,
}

#[derive(Clone, Copy, Debug, Default)]
struct Held {
    stored: u64,
    bytes: u64,
}

impl Tally {
    /// How many states are in other stores than that of a search.
    pub fn stored_beside(&self, own: &Statistics) -> u64 {
        self.held.stored - own.stored
    }

    /// Notes what a search did since the last time.
    pub fn note(&mut self, before: &Statistics, now: &Statistics) {
        let Tally { total, held, .. } = self;
        total.explored += now.explored - before.explored;
        total.generated += now.generated - before.generated;
        total.stale += now.stale - before.stale;
        total.evaluated += now.evaluated - before.evaluated;
        total.reopened += now.reopened - before.reopened;
        total.pruned += now.pruned - before.pruned;
        total.max_open = total.max_open.max(now.max_open);
        total.depth = total.depth.max(now.depth);
        total.complete |= now.complete;
        held.stored = held.stored + now.stored - before.stored;
        held.bytes = held.bytes + now.bytes - before.bytes;
        total.stored = total.stored.max(held.stored);
        total.bytes = total.bytes.max(held.bytes);
    }

    /// Notes that the store of a search is gone.
    pub fn release(&mut self, last: &Statistics) {
        self.held.stored -= last.stored;
        self.held.bytes -= last.bytes;
    }
}
