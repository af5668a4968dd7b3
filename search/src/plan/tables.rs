//! Tables of distances in abstractions, for what the relaxation does not see: they are made when a plan has
//! worked for a while, and made again with more room when it has worked for much longer.

use super::search_space::{SearchSpace, initial_estimate};
use crate::catalog::{self, Budget, HeuristicEntry, Making};
use crate::heuristic::Heuristic;

/// What a plan does before it makes tables, in work: models that are explored sooner do without.
const SOON: u64 = 16_000_000;

/// How much of what was done before may be spent on making them: a small part, since they may not help.
const PART: u64 = 16;

/// How much more must have been done before they are made again.
const AGAIN: u64 = 8;

/// When tables are made.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    next: u64,
}

impl Default for Tables {
    fn default() -> Self {
        Tables::after(SOON)
    }
}

/// Tables that have just been made.
pub struct Made<'a> {
    /// They.
    pub heuristic: Box<dyn Heuristic + 'a>,
    /// What they say about the state that the search starts from.
    pub initial: u32,
}

impl Tables {
    /// What the tables are.
    pub const ENTRY: &'static HeuristicEntry = &catalog::PATTERNS;

    /// They are made when a plan has done so much.
    pub fn after(work: u64) -> Tables {
        Tables { next: work }
    }

    /// New tables, if it is time for them after so much work.
    pub fn make<'a>(
        &mut self,
        work: u64,
        space: &SearchSpace<'a>,
        making: &mut Making,
    ) -> Option<Made<'a>> {
        if work < self.next {
            return None;
        }
        let work = work.max(SOON);
        self.next = work.saturating_mul(AGAIN);
        let budget = Budget { work: Some(work / PART), ..making.budget };
        // What was saved is of a heuristic that the user chose.
        let making = &mut Making { saved: None, ..making.within(budget) };
        // Where there can be none, others go on.
        let mut heuristic = Tables::ENTRY.build_with(&space.guide, making).ok()?;
        let initial = initial_estimate(&space.guide, &mut *heuristic);
        Some(Made { heuristic, initial })
    }
}
