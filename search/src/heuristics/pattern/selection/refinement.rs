//! Patterns that grow by what their shortest paths lack (docs/algorithms.md, section 3.12).

use super::flaw::missing;
use super::parts::Dependencies;
use crate::catalog::{Budget, Making};
use crate::heuristics::pattern::AbstractProblem;
use crate::heuristics::pattern::labelled_graph::{FirstEdges, LabelledGraph};
use crate::problem::Problem;
use abstraction::{Part, Pattern};
use std::collections::BTreeSet;

/// Which share of what is left a single pattern may take.
const SHARE: u64 = 4;

/// How much more work a larger pattern is expected to be, at least.
const GROWTH: u64 = 2;

/// Grows patterns from some parts each, by turns, until nothing is missing or the budget is used up. All that
/// they were on the way are returned; if nothing is missing in one that keeps all parts of the goal, that one
/// alone. Since the first may be all that it takes, it may be more work to begin with than its share: as much as
/// is said, as long as few states wait.
pub fn refined<'a>(
    problem: &Problem<'a>,
    starts: &[BTreeSet<Part>],
    edges: &FirstEdges,
    first: Option<u64>,
    making: &mut Making,
) -> Result<Vec<LabelledGraph<'a>>, String> {
    let dependencies = Dependencies::of(problem.network());
    let (left, known) = (making.budget, BTreeSet::new());
    let goal = dependencies.of_goal(problem);
    let mut refinement = Refinement { problem, dependencies, goal, edges, making, left, known };
    let mut patterns: Vec<Growing> = Vec::new();
    for start in starts {
        let mut pattern = Growing { parts: start.clone(), ..Growing::default() };
        let work = if patterns.is_empty() { first } else { refinement.share() };
        refinement.keep(&mut pattern, start, work)?;
        patterns.push(pattern);
    }
    while patterns.iter().any(|pattern| !pattern.is_done) {
        for pattern in patterns.iter_mut().filter(|pattern| !pattern.is_done) {
            if refinement.grow(pattern)? {
                return Ok(pattern.graphs.pop().into_iter().collect());
            }
        }
    }
    Ok(patterns.into_iter().flat_map(|pattern| pattern.graphs.into_iter().rev()).collect())
}

/// A pattern that grows.
#[derive(Default)]
struct Growing<'a> {
    parts: BTreeSet<Part>,
    /// What cannot be added to it.
    refused: BTreeSet<Part>,
    /// All that it was, the largest last.
    graphs: Vec<LabelledGraph<'a>>,
    is_done: bool,
}

struct Refinement<'r, 'a, 'm> {
    problem: &'r Problem<'a>,
    dependencies: Dependencies<'a>,
    /// The parts of the goal.
    goal: BTreeSet<Part>,
    edges: &'r FirstEdges,
    making: &'r mut Making<'m>,
    left: Budget,
    /// The patterns that were explored.
    known: BTreeSet<Vec<Part>>,
}

impl<'a> Refinement<'_, 'a, '_> {
    /// Adds to a pattern what its path lacks; says whether it has all that it takes to reach the goal.
    fn grow(&mut self, pattern: &mut Growing<'a>) -> Result<bool, String> {
        let Some(graph) = pattern.graphs.last() else {
            pattern.is_done = true;
            return Ok(false);
        };
        let has_room = self.share().is_none_or(|share| graph.work() * GROWTH <= share);
        match missing(self.problem, &self.dependencies, graph, &pattern.refused) {
            Some(missing) => {
                pattern.is_done = !has_room;
                if has_room {
                    self.keep(pattern, &missing, self.share())?;
                }
                Ok(false)
            }
            None => {
                pattern.is_done = true;
                Ok(self.goal.is_subset(&pattern.parts))
            }
        }
    }

    /// What a single pattern may be in work.
    fn share(&self) -> Option<u64> {
        self.left.work.map(|left| left / SHARE)
    }

    /// Makes a pattern keep some more parts, if there is room, with so much work at most. What is more than its
    /// share is not at the expense of others.
    fn keep(
        &mut self,
        pattern: &mut Growing<'a>,
        more: &BTreeSet<Part>,
        work: Option<u64>,
    ) -> Result<(), String> {
        let mut kept = Pattern::nothing(self.problem.network());
        pattern.parts.union(more).for_each(|&part| kept.add(part));
        let abstracted = AbstractProblem::new(self.problem, &kept)?;
        let kept = abstracted.projection.pattern.parts(self.problem.network());
        // What was asked for may be impossible to keep.
        if kept.is_empty() || !self.known.insert(kept) {
            pattern.refused.extend(more);
            return Ok(());
        }
        let budget = Budget { work, work_while_wide: self.share(), ..self.left };
        let graph = LabelledGraph::explore(abstracted, self.edges, self.making, budget);
        let work = self.share().map_or(0, |share| graph.work().min(share));
        self.left.work = self.left.work.map(|left| left - work);
        if graph.is_truncated() {
            pattern.is_done = true;
            return Ok(());
        }
        let bytes = graph.bytes() as u64;
        self.left.memory = self.left.memory.map(|left| left.saturating_sub(bytes));
        pattern.parts.extend(more);
        pattern.graphs.push(graph);
        Ok(())
    }
}
