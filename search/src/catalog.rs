//! The searches a user can name; help texts and tests are made from this table.

use crate::best_first::{Configuration, Order};

/// A search a user can name.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Whether it makes use of a seed.
    pub seeded: bool,
    configure: fn(u64) -> Configuration,
}

impl Entry {
    /// The configuration of the search loop.
    pub fn configuration(&self, seed: u64) -> Configuration {
        (self.configure)(seed)
    }
}

/// Every search.
pub const SEARCHES: &[Entry] = &[
    Entry {
        name: "bfs",
        summary: "Breadth-first: the shortest trace, at the price of all states nearer than it",
        seeded: false,
        configure: |_| Configuration { order: Order::BreadthFirst },
    },
    Entry {
        name: "dfs",
        summary: "Depth-first: little waiting, long traces",
        seeded: false,
        configure: |_| Configuration { order: Order::DepthFirst },
    },
    Entry {
        name: "random-dfs",
        summary: "Depth-first with successors in random order; see --seed",
        seeded: true,
        configure: |seed| Configuration { order: Order::RandomDepthFirst { seed } },
    },
];

/// The search with a name.
pub fn search(name: &str) -> Option<&'static Entry> {
    SEARCHES.iter().find(|entry| entry.name == name)
}
