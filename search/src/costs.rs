//! What steps cost.

/// The cost of every edge; a step costs as much as the dearest edge in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    edges: Vec<u32>,
}

impl Costs {
    /// Costs by the number of the edge.
    pub fn new(edges: Vec<u32>) -> Self {
        Costs { edges }
    }

    /// The cost of a step.
    pub fn of(&self, edges: impl Iterator<Item = usize>) -> u32 {
        edges.map(|edge| self.edges[edge]).max().unwrap_or(0)
    }

    /// A cost that no step undercuts.
    pub fn least(&self) -> u32 {
        self.edges.iter().copied().min().unwrap_or(0)
    }
}
