//! Sets of edges, by their numbers over all processes.

use explore::EdgeNumber;
use network::Id;

/// A set of edges.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct EdgeSet(Vec<u64>);

impl EdgeSet {
    /// An empty set for a number of edges.
    pub fn new(edges: usize) -> Self {
        EdgeSet(vec![0; edges.div_ceil(64)])
    }

    /// Adds an edge.
    pub fn insert(&mut self, edge: EdgeNumber) {
        let edge = edge.index();
        self.0[edge / 64] |= 1 << (edge % 64);
    }

    /// Whether an edge is in the set.
    #[inline]
    pub fn contains(&self, edge: EdgeNumber) -> bool {
        let edge = edge.index();
        self.0[edge / 64] & (1 << (edge % 64)) != 0
    }

    /// Adds all edges of another set.
    pub fn unite(&mut self, other: &EdgeSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    /// Makes the set empty.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The edges in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = EdgeNumber> + '_ {
        let words = self.0.iter().enumerate();
        words.flat_map(|(i, &word)| {
            (0..64).filter(move |b| word >> b & 1 != 0).map(move |b| EdgeNumber::new(i * 64 + b))
        })
    }
}
