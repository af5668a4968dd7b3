//! The cone of influence: parts are the more important the nearer they are to the goal
//! (docs/algorithms.md, section 3.12).

use super::parts::Dependencies;
use crate::problem::Problem;
use abstraction::{Part, Pattern};
use network::{Action, ProcessId};
use std::collections::{BTreeMap, BTreeSet};

/// How many states the kept parts may have together, as a power of two.
const MOST_BITS: f64 = 22.0;

/// Keeps the parts of the goal, what these depend on, and so on, as far as the budget goes: whole layers
/// first, then single parts of the next one.
pub fn pattern(problem: &Problem) -> Pattern {
    let dependencies = Dependencies::of(problem.network());
    let influences = influences(problem, &dependencies);
    let mut pattern = Pattern::nothing(problem.network());
    let mut layer = dependencies.of_goal(problem);
    let mut bits = 0.0;
    while !layer.is_empty() {
        for &part in &layer {
            let with = bits + dependencies.bits(part);
            if with <= MOST_BITS {
                bits = with;
                pattern.add(part);
            }
        }
        if bits >= MOST_BITS {
            break;
        }
        let next = layer.iter().filter_map(|part| influences.get(part)).flatten();
        let next: BTreeSet<Part> = next.copied().filter(|&part| !pattern.keeps(part)).collect();
        // What did not fit does not fit later.
        let next = next.into_iter().filter(|&it| bits + dependencies.bits(it) <= MOST_BITS);
        layer = next.collect();
    }
    pattern
}

/// For each part the parts that some change of it depends on.
fn influences(problem: &Problem, dependencies: &Dependencies) -> BTreeMap<Part, BTreeSet<Part>> {
    let partners = partners(problem, dependencies);
    let mut influences: BTreeMap<Part, BTreeSet<Part>> = BTreeMap::new();
    for (_, process, edge) in problem.edges() {
        let mut needed = dependencies.of_edge(process, edge);
        for channel in dependencies.channels(&edge.action) {
            let others = partners.get(&channel).into_iter().flatten();
            needed.extend(others.map(|&other| Part::Process(other)));
        }
        for part in dependencies.changed_by(process, edge) {
            influences.entry(part).or_default().extend(&needed);
        }
    }
    for process in problem.network().processes.ids() {
        let own = influences.entry(Part::Process(process)).or_default();
        own.extend(dependencies.of_invariants(process));
    }
    influences
}

/// The processes that meet on each channel.
fn partners(
    problem: &Problem,
    dependencies: &Dependencies,
) -> BTreeMap<network::ChannelId, BTreeSet<ProcessId>> {
    let mut partners: BTreeMap<_, BTreeSet<ProcessId>> = BTreeMap::new();
    for (_, process, edge) in problem.edges().filter(|(.., it)| it.action != Action::Internal) {
        for channel in dependencies.channels(&edge.action) {
            partners.entry(channel).or_default().insert(process);
        }
    }
    partners
}
