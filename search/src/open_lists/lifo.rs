//! Last in, first out: depth-first search. The successor generated first is explored first.

use crate::open_list::{NodeId, OpenList};

/// A stack.
#[derive(Default)]
pub struct Lifo(Vec<NodeId>);

impl OpenList for Lifo {
    fn extend(&mut self, nodes: &mut Vec<NodeId>) {
        self.0.extend(nodes.drain(..).rev());
    }
    fn pop(&mut self) -> Option<NodeId> {
        self.0.pop()
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<NodeId>()
    }
}
