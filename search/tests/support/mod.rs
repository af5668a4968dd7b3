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

/// The heuristics that are much work to make.
const COSTLY: [&str; 7] = [
    "downward-pattern",
    "downward-pattern-clocks",
    "russian-doll",
    "cone-of-influence",
    "merge-and-shrink",
    "predicate-abstraction",
    "patterns",
];

/// Whether making a heuristic is much work, so that not every small model can be asked.
pub fn is_costly(entry: &HeuristicEntry) -> bool {
    COSTLY.contains(&entry.name)
}

/// All heuristics, of those that are much work to make one by turns.
pub fn heuristics(case: u64) -> impl Iterator<Item = &'static HeuristicEntry> {
    let turn = COSTLY[case as usize % COSTLY.len()];
    let is_asked = move |entry: &&HeuristicEntry| !is_costly(entry) || entry.name == turn;
    search::catalog::HEURISTICS.iter().copied().filter(is_asked)
}

/// A heuristic for a small model.
pub fn build<'a>(entry: &HeuristicEntry, problem: &Problem<'a>) -> HeuristicResult<'a> {
    let (states, work) = (Some(MOST_ABSTRACT_STATES), Some(MOST_WORK));
    let budget = Budget { states, work, ..Budget::default() };
    let (settings, observer) = (&Settings::default(), &mut Unlimited);
    let making = &mut Making::new(settings, budget, observer);
    entry.build_with(problem, making)
}
