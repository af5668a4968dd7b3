//! What the steps of an abstract network cost, as data: whether costs are the same can be asked.

use crate::costs::Costs;
use explore::{Explorer, Step};
use network::Id;

/// What a step of an abstract network costs, by its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepCosts {
    /// What they cost together.
    OfEdges(Costs),
    /// What is said for the first of them, by its number.
    OfFirstEdge(Vec<u32>),
}

impl StepCosts {
    /// The cost of a step.
    pub fn of(&self, explorer: &Explorer, step: Step) -> u32 {
        let mut edges = explorer.edges_of(step);
        match self {
            StepCosts::OfEdges(costs) => costs.of(edges),
            StepCosts::OfFirstEdge(costs) => edges.next().map_or(0, |edge| costs[edge.index()]),
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        match self {
            StepCosts::OfEdges(costs) => costs.bytes(),
            StepCosts::OfFirstEdge(costs) => costs.capacity() * size_of::<u32>(),
        }
    }
}
