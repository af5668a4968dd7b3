//! Nodes that wait to be explored.

/// The number of a node in the store.
pub type NodeId = u32;

/// A node and what decides when it is explored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Waiting {
    /// The node.
    pub node: NodeId,
    /// Lower queues come first.
    pub queue: u32,
    /// Then lower priorities.
    pub priority: u32,
    /// Then lower estimates.
    pub estimate: u32,
}

/// A queue of nodes.
pub trait OpenList {
    /// Adds the nodes that one expansion gave, in the order in which they were generated.
    fn extend(&mut self, nodes: &mut Vec<Waiting>);
    /// Takes the next node out.
    fn pop(&mut self) -> Option<NodeId>;
    /// The number of nodes in it.
    fn len(&self) -> usize;
    /// The bytes it takes.
    fn bytes(&self) -> usize;
}
