//! Progress: steps that are left out in one state must be taken in a later one. A state in which some were left
//! out is linked to one of its successors; where links go round in a circle, nothing was ever taken of what was
//! left out, and one of the states is to be explored again with all its steps (docs/algorithms.md, section 2.9).

use crate::open_list::NodeId;
use network::cancellation;

/// Links from states in which steps were left out.
#[derive(Default)]
pub struct Links {
    /// For each node where it leads, as far as steps were left out.
    next: Vec<u32>,
    /// The nodes that are to be explored again.
    again: Vec<NodeId>,
}

/// Nothing was left out, or nothing is known yet.
const FREE: u32 = u32::MAX;

/// All steps are to be taken.
const FULL: u32 = u32::MAX - 1;

/// A mark of nodes of which steps were left out: in others, somebody has control and the rest must wait.
const PRUNED: u32 = 1 << 31;

impl Links {
    /// Whether all steps of a node are to be taken.
    pub fn is_full(&self, node: NodeId) -> bool {
        self.next.get(node as usize) == Some(&FULL)
    }

    /// Notes one of the states that a node leads to, and whether steps of it were left out.
    pub fn link(&mut self, node: NodeId, successor: NodeId, has_pruned: bool) {
        assert!(successor < PRUNED >> 1, "too many states for links");
        let at = node as usize;
        if self.next.len() <= at {
            self.next.resize(at + 1, FREE);
        }
        self.next[at] = successor | if has_pruned { PRUNED } else { 0 };
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.next.capacity() * size_of::<u32>()
    }

    /// A node that is to be explored again with all its steps, if there is one. To be asked when nothing else
    /// is left to be explored.
    pub fn ignored(&mut self) -> Option<NodeId> {
        if self.again.is_empty() {
            self.find_circles();
        }
        let node = self.again.pop()?;
        self.next[node as usize] = FULL;
        Some(node)
    }

    /// Follows all links; of each circle, one node is to be explored again.
    fn find_circles(&mut self) {
        // For each node, the walk that it was met on first.
        let mut walks = vec![0; self.next.len()];
        for start in 0..self.next.len() {
            cancellation::check();
            let walk = start as u32 + 1;
            let mut at = start;
            while let Some(to) = self.linked(at) {
                match walks[at] {
                    0 => walks[at] = walk,
                    met if met == walk => {
                        self.again.extend(self.pruned_on_circle(at));
                        break;
                    }
                    _ => break,
                }
                at = to;
            }
        }
    }

    /// Where a node leads, if steps were left out or had to wait.
    fn linked(&self, at: usize) -> Option<usize> {
        let next = *self.next.get(at)?;
        (next != FREE && next != FULL).then_some((next & !PRUNED) as usize)
    }

    /// A node of a circle of which steps were left out.
    fn pruned_on_circle(&self, start: usize) -> Option<NodeId> {
        let mut at = start;
        loop {
            if self.next[at] & PRUNED != 0 {
                return Some(at as NodeId);
            }
            at = self.linked(at)?;
            if at == start {
                return None;
            }
        }
    }
}
