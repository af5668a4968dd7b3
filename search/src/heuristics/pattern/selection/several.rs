//! Several patterns: a small one around each part that matters, so that together they see more than one large
//! one could hold (docs/algorithms.md, section 3.13).

use super::cone::Cone;
use super::initial_state;
use super::parts::Dependencies;
use crate::catalog::{Budget, Making};
use crate::heuristics::pattern::AbstractProblem;
use crate::heuristics::pattern::collection::{Collection, FirstEdges, LabelledGraph};
use crate::heuristics::relaxation::{Reading, Relaxation};
use crate::problem::Problem;
use abstraction::{Part, Pattern};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many states each pattern may have, as a power of two: small ones first, which cost little.
const SIZES: [f64; 2] = [10.0, 16.0];

/// How many patterns there may be.
const MOST_PATTERNS: usize = 64;

/// A collection of tables for the patterns around all parts that a path of the relaxation touches.
pub fn collection(problem: &Problem, making: &mut Making) -> Result<Collection, String> {
    let edges = FirstEdges::of(problem, making.costs);
    let mut left = making.budget.work;
    let mut graphs: Vec<LabelledGraph> = Vec::new();
    let mut seen = BTreeSet::new();
    for pattern in patterns(problem) {
        let abstracted = AbstractProblem::new(problem, &pattern)?;
        // What could not be kept may have made two of them alike.
        let kept = abstracted.projection.pattern.parts(problem.network());
        if kept.is_empty() || !seen.insert(kept) {
            continue;
        }
        // No single one may take all of what is left.
        let budget = Budget { work: left.map(|left| left / 4), ..making.budget };
        let graph = LabelledGraph::explore(abstracted, &edges, making, budget);
        left = left.map(|left| left.saturating_sub(graph.work()));
        graphs.push(graph);
    }
    let orders = orders(&graphs);
    Ok(Collection::of(&graphs, &orders, &edges))
}

/// The patterns, the largest first.
fn patterns(problem: &Problem) -> Vec<Pattern> {
    let cone = Cone::of(problem);
    let mut patterns: Vec<Pattern> = Vec::new();
    for most_bits in SIZES.into_iter().rev() {
        for &part in &touched(problem) {
            let pattern = cone.around(BTreeSet::from([part]), most_bits);
            if !patterns.contains(&pattern) && patterns.len() < MOST_PATTERNS {
                patterns.push(pattern);
            }
        }
    }
    patterns
}

/// The parts of the goal, and then those that a path through the relaxation touches.
fn touched(problem: &Problem) -> Vec<Part> {
    let dependencies = Dependencies::of(problem.network());
    let goal = dependencies.of_goal(problem);
    let mut others = BTreeSet::new();
    let mut relaxation = Relaxation::new(problem, Reading::Trace);
    let edges = initial_state(problem).and_then(|state| relaxation.path_edges(&state));
    if let Some(edges) = edges {
        for (_, process, edge) in problem.edges().filter(|(number, ..)| edges.contains(*number)) {
            others.extend(dependencies.of_edge(process, edge));
        }
    }
    let others = others.difference(&goal).copied().collect::<Vec<_>>();
    goal.iter().copied().chain(others).collect()
}

/// Orders in which steps are given to tables: those first that say most about the initial state, and the other
/// way round.
fn orders(graphs: &[LabelledGraph]) -> Vec<Vec<usize>> {
    let distances: Vec<u32> = graphs.iter().map(LabelledGraph::initial_distance).collect();
    let mut farthest: Vec<usize> = (0..graphs.len()).collect();
    farthest.sort_by_key(|&at| Reverse(distances[at]));
    let as_found: Vec<usize> = (0..graphs.len()).collect();
    let backwards: Vec<usize> = as_found.iter().rev().copied().collect();
    let mut orders = vec![farthest, as_found, backwards];
    orders.dedup();
    orders
}
