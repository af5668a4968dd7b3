//! First in, first out: breadth-first search.

use crate::open_list::{NodeId, OpenList, Waiting};
use std::collections::VecDeque;

/// A queue.
#[derive(Default)]
pub struct Fifo(VecDeque<NodeId>);

impl OpenList for Fifo {
    fn extend(&mut self, nodes: &mut Vec<Waiting>) {
        self.0.extend(nodes.drain(..).map(|waiting| waiting.node));
    }
    fn pop(&mut self) -> Option<NodeId> {
        self.0.pop_front()
    }
    fn len(&self) -> usize {
        self.0.len()
    }
    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<NodeId>()
    }
}
