//! Downward pattern refinement: drop every part without which the goal looks as far as with it
//! (docs/algorithms.md, section 3.12).

use super::{path_length, safe};
use crate::catalog::{Budget, Making};
use crate::heuristics::pattern::{AbstractProblem, PatternTable};
use crate::problem::Problem;
use abstraction::{Part, Pattern};

/// Which part of the budget finding out about one clock may take.
const SHARE: u64 = 10;

/// All parts but those without which the path through the relaxation is as long. Clocks, which the
/// relaxation does not see, all stay.
pub fn pattern(problem: &Problem) -> Result<Pattern, String> {
    let network = problem.network();
    let mut pattern = Pattern::everything(network);
    safe::parts(problem).into_iter().for_each(|part| pattern.remove(part));
    let reference = length(problem, &pattern)?;
    // Whoever cannot be dropped now cannot be dropped later: fewer parts make paths no longer.
    let mut candidates = pattern.parts(network);
    candidates.retain(|part| !matches!(part, Part::Clock(_)));
    for part in candidates {
        if !pattern.keeps(part) {
            continue;
        }
        let mut smaller = pattern.clone();
        smaller.remove(part);
        let abstracted = AbstractProblem::new(problem, &smaller)?;
        if path_length(&Problem::of(&abstracted.explorer)) == reference {
            // What cannot be kept without it goes as well.
            pattern = abstracted.projection.pattern;
        }
    }
    Ok(pattern)
}

fn length(problem: &Problem, pattern: &Pattern) -> Result<u32, String> {
    let abstracted = AbstractProblem::new(problem, pattern)?;
    Ok(path_length(&Problem::of(&abstracted.explorer)))
}

/// Drops every clock without which the goal is as far in the abstraction as with it.
pub fn with_few_clocks(
    problem: &Problem,
    mut pattern: Pattern,
    making: &mut Making,
) -> Result<Pattern, String> {
    let clocks = pattern.parts(problem.network());
    let clocks: Vec<Part> =
        clocks.into_iter().filter(|part| matches!(part, Part::Clock(_))).collect();
    let Some(reference) = distance(problem, &pattern, making)? else { return Ok(pattern) };
    for clock in clocks {
        let mut smaller = pattern.clone();
        smaller.remove(clock);
        if distance(problem, &smaller, making)? == Some(reference) {
            pattern = smaller;
        }
    }
    Ok(pattern)
}

/// How far the goal is in an abstraction; none if that takes too long to find out.
fn distance(
    problem: &Problem,
    pattern: &Pattern,
    making: &mut Making,
) -> Result<Option<u32>, String> {
    let abstracted = AbstractProblem::new(problem, pattern)?;
    let budget = Budget { work: making.budget.work.map(|work| work / SHARE), ..making.budget };
    let table: PatternTable = abstracted.table(&mut making.within(budget));
    Ok((!table.is_truncated()).then(|| table.initial_distance()))
}
