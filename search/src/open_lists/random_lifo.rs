//! Depth-first search that tries the successors of a state in random order.

use crate::open_list::{NodeId, OpenList, Waiting};
use crate::open_lists::Lifo;
use crate::random::Random;

/// A stack whose groups are shuffled.
pub struct RandomLifo {
    stack: Lifo,
    random: Random,
}

impl RandomLifo {
    /// The same seed gives the same order.
    pub fn new(seed: u64) -> Self {
        RandomLifo { stack: Lifo::default(), random: Random::new(seed) }
    }
}

impl OpenList for RandomLifo {
    fn extend(&mut self, nodes: &mut Vec<Waiting>) {
        self.random.shuffle(nodes);
        self.stack.extend(nodes);
    }
    fn pop(&mut self) -> Option<NodeId> {
        self.stack.pop()
    }
    fn len(&self) -> usize {
        self.stack.len()
    }
    fn bytes(&self) -> usize {
        self.stack.bytes()
    }
}
