//! Counterexample-guided selection: what a path through the relaxation touches (docs/algorithms.md,
//! section 3.12).

use super::initial_state;
use super::parts::Dependencies;
use crate::heuristics::relaxation::{Reading, Relaxation};
use crate::problem::Problem;
use abstraction::{Part, Pattern};
use std::collections::BTreeSet;

/// Keeps the parts of the goal, those that the edges of the path look at or change, and the clocks in
/// invariants of the processes among these.
pub fn pattern(problem: &Problem) -> Pattern {
    let dependencies = Dependencies::of(problem.network());
    let mut parts = dependencies.of_goal(problem);
    let mut relaxation = Relaxation::new(problem, Reading::Trace);
    let edges = initial_state(problem).and_then(|state| relaxation.path_edges(&state));
    if let Some(edges) = edges {
        for (_, process, edge) in problem.edges().filter(|(number, ..)| edges.contains(*number)) {
            parts.extend(dependencies.of_edge(process, edge));
        }
    }
    let mut clocks = BTreeSet::new();
    for part in &parts {
        if let Part::Process(id) = part {
            let invariants = dependencies.of_invariants(*id).into_iter();
            clocks.extend(invariants.filter(|it| matches!(it, Part::Clock(_))));
        }
    }
    let mut pattern = Pattern::nothing(problem.network());
    parts.into_iter().chain(clocks).for_each(|part| pattern.add(part));
    pattern
}
