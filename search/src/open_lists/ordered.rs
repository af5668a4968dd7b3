//! The least queue, priority and estimate first: greedy search, A* and their relatives.

use crate::configuration::Ties;
use crate::open_list::{NodeId, OpenList, Waiting};
use std::collections::{BTreeMap, VecDeque};

/// Nodes in buckets of equal rank.
pub struct Ordered {
    ties: Ties,
    buckets: BTreeMap<(u32, u32, u32), VecDeque<NodeId>>,
    /// Buckets that got empty, for later use.
    spare: Vec<VecDeque<NodeId>>,
    len: usize,
}

/// How many empty buckets are worth keeping.
const SPARE: usize = 64;

impl Ordered {
    /// Nothing yet.
    pub fn new(ties: Ties) -> Self {
        Ordered { ties, buckets: BTreeMap::new(), spare: Vec::new(), len: 0 }
    }
}

impl OpenList for Ordered {
    fn extend(&mut self, nodes: &mut Vec<Waiting>) {
        self.len += nodes.len();
        for Waiting { node, queue, priority, estimate } in nodes.drain(..) {
            let spare = &mut self.spare;
            let bucket = self.buckets.entry((queue, priority, estimate));
            bucket.or_insert_with(|| spare.pop().unwrap_or_default()).push_back(node);
        }
    }

    fn pop(&mut self) -> Option<NodeId> {
        let mut first = self.buckets.first_entry()?;
        let node = match self.ties {
            Ties::Lifo => first.get_mut().pop_back(),
            Ties::Fifo => first.get_mut().pop_front(),
        };
        if first.get().is_empty() {
            let bucket = first.remove();
            if self.spare.len() < SPARE {
                self.spare.push(bucket);
            }
        }
        self.len -= node.is_some() as usize;
        node
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        let words: usize = self.buckets.values().map(VecDeque::capacity).sum();
        words * size_of::<NodeId>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(ties: Ties) -> Vec<NodeId> {
        let mut open = Ordered::new(ties);
        let waiting = |node, queue, priority, estimate| Waiting { node, queue, priority, estimate };
        open.extend(&mut vec![waiting(0, 1, 0, 0), waiting(1, 0, 5, 2), waiting(2, 0, 5, 1)]);
        open.extend(&mut vec![waiting(3, 0, 5, 1), waiting(4, 0, 4, 4)]);
        assert_eq!(open.len(), 5);
        std::iter::from_fn(|| open.pop()).collect()
    }

    #[test]
    fn queues_come_before_priorities_and_estimates() {
        assert_eq!(order(Ties::Lifo), [4, 3, 2, 1, 0]);
        assert_eq!(order(Ties::Fifo), [4, 2, 3, 1, 0]);
    }
}
