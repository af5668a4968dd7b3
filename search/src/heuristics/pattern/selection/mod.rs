//! Which parts of a network a table is made of. Each selection is a row of the catalog.

mod cone;
mod downward;
mod flaw;
mod parts;
mod refinement;
mod russian_doll;
mod safe;
mod several;

use super::{AbstractProblem, Collection};
use crate::catalog::{Budget, Making};
use crate::heuristic::Heuristic;
use crate::heuristics::relaxation::{Reading, Relaxation};
use crate::problem::{HeuristicResult, Problem};
use abstraction::Pattern;
use network::cancellation;
pub(crate) use parts::Dependencies;

/// Chooses the parts that matter for a problem.
pub(crate) type Select = fn(&Problem, &mut Making) -> Result<Pattern, String>;

/// What a table may be in work if nothing is said: some seconds.
const USUAL_WORK: u64 = 600_000_000;

/// What the states of a table may take in memory if nothing is said.
const USUAL_MEMORY: u64 = 1 << 30;

/// The table of the parts that a selection chooses.
pub(crate) fn table(
    problem: &Problem,
    making: &mut Making,
    select: Select,
) -> HeuristicResult<'static> {
    if let Some(saved) = making.saved {
        return Ok(Box::new(AbstractProblem::load(problem, saved)?));
    }
    let making = &mut with_budget(making);
    let pattern = select(problem, making)?;
    Ok(Box::new(AbstractProblem::new(problem, &pattern)?.table(making)))
}

/// The tables of several patterns, added up.
pub(crate) fn tables(problem: &Problem, making: &mut Making) -> HeuristicResult<'static> {
    if let Some(saved) = making.saved {
        return Ok(Box::new(Collection::load(problem, saved)?));
    }
    Ok(Box::new(several::collection(problem, &mut with_budget(making))?))
}

/// What there is for making tables, with a limit on everything.
fn with_budget<'m>(making: &'m mut Making) -> Making<'m> {
    making.within(usual(making.budget))
}

/// What may be spent on tables if nothing is said.
pub(super) fn usual(budget: Budget) -> Budget {
    let Budget { work, memory, .. } = budget;
    Budget { work: work.or(Some(USUAL_WORK)), memory: memory.or(Some(USUAL_MEMORY)), ..budget }
}

/// The parts that a path through the relaxation of the initial state touches.
pub(crate) fn russian_doll(problem: &Problem, _: &mut Making) -> Result<Pattern, String> {
    Ok(russian_doll::pattern(problem))
}

/// The parts that are near to the goal.
pub(crate) fn cone_of_influence(problem: &Problem, _: &mut Making) -> Result<Pattern, String> {
    Ok(cone::pattern(problem))
}

/// The parts without which the goal looks nearer, and all clocks.
pub(crate) fn downward(problem: &Problem, _: &mut Making) -> Result<Pattern, String> {
    downward::pattern(problem)
}

/// The same, with only those clocks without which the goal is nearer.
pub(crate) fn downward_clocks(problem: &Problem, making: &mut Making) -> Result<Pattern, String> {
    let pattern = downward::pattern(problem)?;
    downward::with_few_clocks(problem, pattern, making)
}

/// The first estimate of a relaxation; 0 if there is no state to estimate.
fn initial_estimate(problem: &Problem, relaxation: &mut Relaxation) -> u32 {
    cancellation::check();
    initial_state(problem).map_or(0, |state| relaxation.estimate(&state))
}

fn initial_state(problem: &Problem) -> Option<Vec<i32>> {
    let explorer = problem.explorer;
    let mut found = None;
    // An error is found again by the search itself.
    let _ = explorer.initial(&mut explorer.workspace(), &mut |state, _| {
        found.get_or_insert_with(|| state.to_vec());
    });
    found
}

/// The length of a path through the relaxation of the initial state (h^U).
fn path_length(problem: &Problem) -> u32 {
    initial_estimate(problem, &mut Relaxation::new(problem, Reading::Trace))
}
