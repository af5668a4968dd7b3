//! What a search is about: the parts of it are built from this.

use crate::heuristic::Heuristic;
use explore::Explorer;
use network::{Network, ProcessId, Property};

/// A question about a network.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The network that is explored.
    pub network: &'a Network,
    /// The question.
    pub property: &'a Property,
    /// Computes states and successors.
    pub explorer: &'a Explorer,
    /// A state that is known to satisfy the goal, for heuristics that look for the way to it.
    pub known_goal: Option<&'a [i32]>,
}

/// A heuristic ready for use, or why there is none for the problem.
pub type Built<'a> = Result<Box<dyn Heuristic + 'a>, String>;

impl<'a> Problem<'a> {
    /// The number of the first edge of each process: steps number edges over all processes.
    pub fn first_edges(&self) -> Vec<usize> {
        let mut next = 0;
        let sizes = self.network.processes.iter().map(|process| process.edges.len());
        let first = |size| {
            next += size;
            next - size
        };
        sizes.map(first).collect()
    }

    /// Whether a process takes part while the property is checked.
    pub fn takes_part(&self, process: ProcessId) -> bool {
        !self.network.processes[process].observes || self.property.observer == Some(process)
    }

    /// Whether the expression of the claim must hold (or must not) where the goal is reached.
    pub fn goal_sign(&self) -> bool {
        matches!(self.property.claim, network::Claim::Reachable(_))
    }
}
