//! Several patterns, so that together they see more than one large one could hold (docs/algorithms.md, section
//! 3.13).

use super::parts::Dependencies;
use super::refinement::refined;
use super::{initial_state, russian_doll};
use crate::catalog::{Budget, Making};
use crate::heuristics::pattern::Collection;
use crate::heuristics::pattern::labelled_graph::FirstEdges;
use crate::heuristics::pattern::sharing::shared;
use crate::problem::Problem;
use crate::random::Random;
use abstraction::Part;
use std::collections::BTreeSet;

/// Which share of the work the graph of the first pattern may be, which one the others, and which one the
/// orders in which they share steps.
const FIRST: u64 = 4;
const GRAPHS: u64 = 3;
const ORDERS: u64 = 6;

/// How many patterns there may be to begin with.
const MOST_STARTS: usize = 16;

/// Random walks for states to choose orders by: how many, how long, and after how many steps each state comes.
const WALKS: usize = 20;
const WALK_LENGTH: usize = 40;
const STRIDE: usize = 4;

/// A collection of tables for patterns that begin with what a path through the relaxation touches, and with each
/// part of the goal.
pub fn collection(problem: &Problem, making: &mut Making) -> Result<Collection, String> {
    let edges = FirstEdges::of(problem, making.costs);
    let share = |of: u64| making.budget.work.map(|work| work / of);
    let (first, orders) = (share(FIRST), share(ORDERS));
    let budget = Budget { work: share(GRAPHS), ..making.budget };
    let graphs = refined(problem, &starts(problem), &edges, first, &mut making.within(budget))?;
    Ok(shared(&graphs, &edges, &samples(problem), orders.unwrap_or(u64::MAX)))
}

fn starts(problem: &Problem) -> Vec<BTreeSet<Part>> {
    let network = problem.network();
    let touched = russian_doll::pattern(problem).parts(network).into_iter().collect();
    let goal = Dependencies::of(network).of_goal(problem);
    let single = goal.into_iter().map(|part| BTreeSet::from([part]));
    std::iter::once(touched).chain(single).take(MOST_STARTS).collect()
}

/// The initial state, and others that random walks from there come to.
fn samples(problem: &Problem) -> Vec<Vec<i32>> {
    let Some(initial) = initial_state(problem) else { return Vec::new() };
    let mut random = Random::new(0);
    let mut states = vec![initial.clone()];
    for _ in 0..WALKS {
        let mut state = initial.clone();
        for step in 1..=WALK_LENGTH {
            let mut successors = successors(problem, &state);
            random.shuffle(&mut successors);
            let Some(next) = successors.pop() else { break };
            state = next;
            if step % STRIDE == 0 {
                states.push(state.clone());
            }
        }
    }
    states
}

fn successors(problem: &Problem, state: &[i32]) -> Vec<Vec<i32>> {
    let explorer = problem.explorer;
    let mut found = Vec::new();
    // An error is found again by the search itself.
    let _ = explorer.successors(&mut explorer.workspace(), state, &mut |successor, _| {
        found.push(successor.to_vec());
    });
    found
}
