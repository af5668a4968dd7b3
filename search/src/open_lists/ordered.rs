//! The least queue, priority and estimate first: greedy search, A* and their relatives.

use crate::configuration::Ties;
use crate::open_list::{NodeId, OpenList, Waiting};
use std::collections::{BTreeMap, VecDeque};

/// Queue, priority and estimate.
type Rank = (u32, u32, u32);

/// Nodes in buckets of equal rank.
pub struct Ordered {
    ties: Ties,
    buckets: BTreeMap<Rank, VecDeque<NodeId>>,
    /// Buckets that got empty, for later use.
    spare: Vec<VecDeque<NodeId>>,
    len: usize,
    /// One node in so many comes from another queue than the first, if there is one.
    turn: u64,
    /// When the next one does.
    due: u64,
}

/// How long a turn is: long enough not to lose sight of a path to the goal, and short beside the time that
/// is lost in a first queue that does not lead there.
const TURN: u64 = 20;

/// How many empty buckets are worth keeping.
const SPARE: usize = 64;

impl Ordered {
    /// Nothing yet.
    pub fn new(ties: Ties) -> Self {
        let (buckets, spare) = (BTreeMap::new(), Vec::new());
        Ordered { ties, buckets, spare, len: 0, turn: u64::MAX, due: u64::MAX }
    }

    /// The same; one node in some comes from a queue that would have to wait.
    pub fn by_turns(ties: Ties) -> Self {
        Ordered { turn: TURN, due: TURN, ..Ordered::new(ties) }
    }

    /// The rank of the node that comes next.
    fn next(&mut self) -> Option<Rank> {
        let first = *self.buckets.first_key_value()?.0;
        self.due -= 1;
        if self.due > 0 {
            return Some(first);
        }
        self.due = self.turn;
        let mut others = self.buckets.range((first.0 + 1, 0, 0)..);
        Some(others.next().map_or(first, |(&rank, _)| rank))
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
        let rank = self.next()?;
        let bucket = self.buckets.get_mut(&rank)?;
        let node = match self.ties {
            Ties::Lifo => bucket.pop_back(),
            Ties::Fifo => bucket.pop_front(),
        };
        if bucket.is_empty() {
            let empty = self.buckets.remove(&rank).filter(|_| self.spare.len() < SPARE);
            self.spare.extend(empty);
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

    #[test]
    fn other_queues_have_their_turn() {
        let mut open = Ordered::by_turns(Ties::Fifo);
        let waiting = |node, queue| Waiting { node, queue, ..Waiting::default() };
        open.extend(&mut (0..30).map(|node| waiting(node, 3)).collect());
        open.extend(&mut (100..130).map(|node| waiting(node, 5)).collect());
        let order: Vec<NodeId> = std::iter::from_fn(|| open.pop()).collect();
        assert_eq!(order[..20], [&(0..19).collect::<Vec<_>>()[..], &[100]].concat());
        assert_eq!(order[20..31], (19..30).collect::<Vec<_>>());
        assert_eq!(order[31..], (101..130).collect::<Vec<_>>());
        assert_eq!(open.len(), 0);
    }

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
