//! What a search is about: the parts of it are built from this.

use crate::heuristic::Heuristic;
use explore::{EdgeNumber, Explorer};
use network::{Edge, Expr, Network, ProcessId, Property};

/// A question about a network.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Computes states and successors.
    pub explorer: &'a Explorer,
    /// A state that is known to satisfy the goal, for heuristics that look for the path to it.
    pub known_goal: Option<&'a [i32]>,
}

/// A heuristic ready for use, or why there is none for the problem.
pub type HeuristicResult<'a> = Result<Box<dyn Heuristic + 'a>, String>;

impl<'a> Problem<'a> {
    /// The search for an explorer's goal.
    pub fn of(explorer: &'a Explorer) -> Self {
        Problem { explorer, known_goal: None }
    }

    /// The network that is explored.
    pub fn network(&self) -> &'a Network {
        self.explorer.network()
    }

    /// The question.
    pub fn property(&self) -> &'a Property {
        self.explorer.property()
    }

    /// Every number that steps and [`crate::EdgeSet`]s know an edge by, with its process and the edge.
    /// They come in the order of the network, but an edge has two numbers if its channel may be one
    /// with a buffer or one without (`Explorer::acts_on_buffer`).
    pub fn edges(&self) -> impl Iterator<Item = (EdgeNumber, ProcessId, &'a Edge)> + use<'a> {
        let (network, explorer) = (self.network(), self.explorer);
        explorer.edges().map(move |number| {
            let (process, edge) = explorer.edge(number);
            (number, process, &network.processes[process].edges[edge])
        })
    }

    /// Whether a process takes part while the property is checked.
    pub fn takes_part(&self, process: ProcessId) -> bool {
        !self.network().processes[process].observes || self.property().observer == Some(process)
    }

    /// Whether the expression of the claim must hold (or must not) where the goal is reached.
    pub fn goal_sign(&self) -> bool {
        matches!(self.property().claim, network::Claim::Reachable(_))
    }

    /// Whether the goal is about deadlocks.
    pub fn seeks_deadlock(&self) -> bool {
        let expression = self.property().claim.expression();
        expression.is_some_and(|it| it.mentions(&|part| *part == Expr::Deadlock))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers share a problem, and each makes its own workspace, heuristic and guidance of it.
    #[test]
    fn problems_are_shared_between_threads() {
        fn share<T: Send + Sync>() {}
        share::<Problem>();
    }
}
