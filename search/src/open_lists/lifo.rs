//! Last in, first out: depth-first search. The successor generated first is explored first.

use crate::open_list::{NodeId, OpenList, Waiting};

/// A stack.
#[derive(Default)]
pub struct Lifo(Vec<NodeId>);

impl OpenList for Lifo {
    fn extend(&mut self, nodes: &mut Vec<Waiting>) {
        self.0.extend(nodes.drain(..).rev().map(|waiting| waiting.node));
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
