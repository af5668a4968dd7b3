//! What several tests share.

// Each test file uses another part of this.
#![allow(dead_code)]

pub mod answer;
pub mod case;
pub mod comparisons;
pub mod load;
pub mod promises;
pub mod worked;

use search::catalog::{Budget, HeuristicEntry, Making, Settings};
use search::{HeuristicResult, Problem, Unlimited};

/// How many states the tables of heuristics may have: enough for most of the small models of tests, and some
/// tables are truncated.
const MOST_ABSTRACT_STATES: u64 = 2_000;

/// What making a heuristic may be in work: a twentieth of a second.
const MOST_WORK: u64 = 3_000_000;

/// Whether making a heuristic is much work, so that not every small model can be asked.
pub fn is_costly(entry: &HeuristicEntry) -> bool {
    const COSTLY: [&str; 7] = [
        "downward-pattern",
        "downward-pattern-clocks",
        "russian-doll",
        "cone-of-influence",
        "merge-and-shrink",
        "predicate-abstraction",
        "patterns",
    ];
    COSTLY.contains(&entry.name)
}

/// A heuristic for a small model.
pub fn build<'a>(entry: &HeuristicEntry, problem: &Problem<'a>) -> HeuristicResult<'a> {
    let (states, work) = (Some(MOST_ABSTRACT_STATES), Some(MOST_WORK));
    let budget = Budget { states, work, memory: None };
    let (settings, observer) = (&Settings::default(), &mut Unlimited);
    let making = &mut Making { settings, budget, costs: None, saved: None, observer };
    entry.build_with(problem, making)
}
