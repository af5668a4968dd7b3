//! Safe parts: independent of all others, so that every path without them becomes one with them by adding
//! steps (docs/algorithms.md, section 3.12). A part that is wrongly called safe costs accuracy, nothing else.

use super::parts::Dependencies;
use crate::problem::Problem;
use abstraction::Part;
use network::{Action, LocationId, LocationKind, Process, ProcessId};

/// The processes that move on their own from each of their locations to each other one.
pub fn parts(problem: &Problem) -> Vec<Part> {
    let network = problem.network();
    let goal = Dependencies::of(network).of_goal(problem);
    let is_committed =
        |it: &Process| it.locations.iter().any(|at| at.kind == LocationKind::Committed);
    // Who is committed keeps all others from moving.
    if network.processes.iter().any(is_committed) {
        return Vec::new();
    }
    let is_safe = |(id, process): &(ProcessId, &Process)| {
        !process.observes && !goal.contains(&Part::Process(*id)) && is_safe(process)
    };
    let safe = network.processes.enumerate().filter(is_safe);
    safe.map(|(id, _)| Part::Process(id)).collect()
}

fn is_safe(process: &Process) -> bool {
    let moves = || process.edges.iter().filter(|edge| edge.source != edge.target);
    let is_free = |edge: &network::Edge| {
        edge.guard.is_always() && edge.action == Action::Internal && edge.update.is_empty()
    };
    let is_quiet = |at: &network::Location| {
        at.kind == LocationKind::Normal && at.invariant.is_always() && at.rates.is_empty()
    };
    moves().all(is_free)
        && process.locations.iter().all(is_quiet)
        && process.locations.ids().all(|at| reaches_all(process, at))
}

/// Whether a process gets from a location to every other.
fn reaches_all(process: &Process, from: LocationId) -> bool {
    process.reachable(from).len() == process.locations.len()
}
