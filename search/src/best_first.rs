//! The one search loop (section 2.1 of the specification). A search algorithm is a configuration of
//! it: which open list, and whether costs matter.

use crate::node_store::{NodeStore, Offer, Origin};
use crate::open_list::{NodeId, OpenList};
use crate::open_lists::{Fifo, Lifo, RandomLifo};
use crate::{Control, Limits, Observer, Outcome, Reason, Statistics};
use explore::{End, Explorer, Raised, Workspace};

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The order in which states are explored.
    pub order: Order,
}

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Those nearest to the initial state first.
    BreadthFirst,
    /// The newest first.
    DepthFirst,
    /// The newest first, successors of a state in random order.
    RandomDepthFirst {
        /// Same seed, same order.
        seed: u64,
    },
}

impl Configuration {
    fn open_list(&self) -> Box<dyn OpenList> {
        match self.order {
            Order::BreadthFirst => Box::new(Fifo::default()),
            Order::DepthFirst => Box::new(Lifo::default()),
            Order::RandomDepthFirst { seed } => Box::new(RandomLifo::new(seed)),
        }
    }

    /// Whether the first goal found is a nearest one.
    pub fn is_optimal(&self) -> bool {
        self.order == Order::BreadthFirst
    }
}

/// How many expansions pass between two calls of the observer.
const TICK: u64 = 256;

/// Searches for the explorer's goal.
pub fn run(
    explorer: &Explorer,
    configuration: &Configuration,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> (Outcome, Statistics) {
    let mut search = Search {
        explorer,
        store: NodeStore::new(explorer, configuration.is_optimal()),
        open: configuration.open_list(),
        statistics: Statistics::default(),
        workspace: explorer.workspace(),
        fresh: Vec::new(),
        // Without an order by cost, a cheaper way to a known state is no reason to explore it again.
        costs_matter: configuration.is_optimal(),
    };
    let shortest = configuration.is_optimal() && explorer.layout.meta_bytes() == 0;
    let outcome = search.run(limits, observer, shortest);
    search.update_sizes();
    (outcome, search.statistics)
}

struct Search<'a> {
    explorer: &'a Explorer,
    store: NodeStore<'a>,
    open: Box<dyn OpenList>,
    statistics: Statistics,
    workspace: Workspace,
    /// The nodes that the current expansion has given.
    fresh: Vec<NodeId>,
    costs_matter: bool,
}

impl Search<'_> {
    fn run(&mut self, limits: &Limits, observer: &mut dyn Observer, shortest: bool) -> Outcome {
        let mut state = vec![0; self.explorer.layout.words()];
        if let Err(raised) = self.begin() {
            return Outcome::Reached { path: Vec::new(), end: End::Error(raised), shortest: false };
        }
        while let Some(node) = self.open.pop() {
            if self.store.is_stale(node) {
                self.statistics.stale += 1;
                continue;
            }
            if let Some(reason) = self.should_stop(limits, observer) {
                return Outcome::Unknown(reason);
            }
            self.store.unpack(node, &mut state);
            match self.explore(node, &state) {
                Ok(false) => {}
                Ok(true) => {
                    return Outcome::Reached {
                        path: self.store.path(node),
                        end: End::Goal,
                        shortest,
                    };
                }
                Err(raised) => {
                    let path = self.store.path(node);
                    return Outcome::Reached { path, end: End::Error(raised), shortest: false };
                }
            }
        }
        Outcome::Unreachable
    }

    fn begin(&mut self) -> Result<(), Raised> {
        let Search { explorer, store, workspace, fresh, statistics, .. } = self;
        explorer.initial(workspace, &mut |state, step| {
            statistics.generated += 1;
            if let Offer::New(node) = store.offer(state, Origin { parent: None, step, cost: 0 }) {
                fresh.push(node);
            }
        })?;
        self.open.extend(&mut self.fresh);
        Ok(())
    }

    /// Tests a state against the goal and, if it is none, generates its successors.
    fn explore(&mut self, node: NodeId, state: &[i32]) -> Result<bool, Raised> {
        self.statistics.explored += 1;
        self.store.mark_explored(node);
        let depth = self.store.cost(node);
        self.statistics.depth = self.statistics.depth.max(depth as u64);
        let is_goal = self.explorer.is_goal(&mut self.workspace, state);
        if is_goal.map_err(|error| Raised { error, step: Vec::new() })? {
            return Ok(true);
        }
        let cost = if self.costs_matter { depth + 1 } else { 0 };
        let Search { explorer, store, workspace, fresh, statistics, .. } = self;
        explorer.successors(workspace, state, &mut |successor, step| {
            statistics.generated += 1;
            let origin = Origin { parent: Some(node), step, cost };
            if let Offer::New(node) = store.offer(successor, origin) {
                fresh.push(node);
            }
        })?;
        self.open.extend(&mut self.fresh);
        self.statistics.max_open = self.statistics.max_open.max(self.open.len() as u64);
        Ok(false)
    }

    fn should_stop(&mut self, limits: &Limits, observer: &mut dyn Observer) -> Option<Reason> {
        if limits.max_states.is_some_and(|max| self.store.len() > max) || self.store.is_full() {
            return Some(Reason::States);
        }
        if self.store.has_overflown() {
            return Some(Reason::ClockRange);
        }
        if !self.statistics.explored.is_multiple_of(TICK) {
            return None;
        }
        self.update_sizes();
        match observer.tick(&self.statistics) {
            Control::Continue => None,
            Control::Stop(reason) => Some(reason),
        }
    }

    fn update_sizes(&mut self) {
        self.statistics.stored = self.store.len();
        self.statistics.bytes = (self.store.bytes() + self.open.bytes()) as u64;
    }
}
