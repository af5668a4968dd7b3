//! The cone of influence: parts are the more important the nearer they are to the goal
//! (docs/algorithms.md, section 3.12).

use super::parts::Dependencies;
use crate::problem::Problem;
use abstraction::{Part, Pattern};
use network::{Action, ChannelId, Network, ProcessId};
use std::collections::{BTreeMap, BTreeSet};

/// How many states the kept parts may have together, as a power of two.
const MOST_BITS: f64 = 22.0;

/// Keeps the parts of the goal, what these depend on, and so on.
pub fn pattern(problem: &Problem) -> Pattern {
    let goal = Dependencies::of(problem.network()).of_goal(problem);
    Cone::of(problem).around(goal, MOST_BITS)
}

/// What changes of each part depend on.
pub struct Cone<'a> {
    network: &'a Network,
    dependencies: Dependencies<'a>,
    influences: BTreeMap<Part, BTreeSet<Part>>,
}

impl<'a> Cone<'a> {
    pub fn of(problem: &Problem<'a>) -> Cone<'a> {
        let network = problem.network();
        let dependencies = Dependencies::of(network);
        let influences = influences(problem, &dependencies);
        Cone { network, dependencies, influences }
    }

    /// Keeps some parts, what these depend on, and so on, as long as all together have no more states than said:
    /// layer by layer, and of the last one single parts.
    pub fn around(&self, mut layer: BTreeSet<Part>, most_bits: f64) -> Pattern {
        let mut pattern = Pattern::nothing(self.network);
        let mut bits = 0.0;
        while !layer.is_empty() {
            for &part in &layer {
                let with = bits + self.dependencies.bits(part);
                if with <= most_bits {
                    bits = with;
                    pattern.add(part);
                }
            }
            let next = layer.iter().filter_map(|part| self.influences.get(part)).flatten();
            // What does not fit now does not fit later.
            let fits = |part: &Part| {
                !pattern.keeps(*part) && bits + self.dependencies.bits(*part) <= most_bits
            };
            layer = next.copied().filter(fits).collect();
        }
        pattern
    }
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
) -> BTreeMap<ChannelId, BTreeSet<ProcessId>> {
    let mut partners: BTreeMap<_, BTreeSet<ProcessId>> = BTreeMap::new();
    for (_, process, edge) in problem.edges().filter(|(.., it)| it.action != Action::Internal) {
        for channel in dependencies.channels(&edge.action) {
            partners.entry(channel).or_default().insert(process);
        }
    }
    partners
}
