//! The one search loop (section 2.1 of the specification). A search algorithm is a configuration of
//! it: which open list, and whether costs matter.

use crate::node_store::{NodeStore, Origin};
use crate::open_list::{NodeId, OpenList};
use crate::open_lists::{Fifo, Lifo, RandomLifo};
use crate::{Control, Limits, Observer, Outcome, Reason, Statistics};
use explore::{End, Explorer, Raised, Workspace, single_steps};

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
    let shortest = configuration.is_optimal() && explorer.layout.meta_packing().bytes() == 0;
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
                Err(raised) => return self.error(node, raised),
            }
        }
        Outcome::Unreachable
    }

    fn begin(&mut self) -> Result<(), Raised> {
        let Search { explorer, store, workspace, fresh, statistics, .. } = self;
        explorer.initial(workspace, &mut |state, step| {
            statistics.generated += 1;
            store.offer(state, Origin { parent: None, step, cost: 0 });
        })?;
        store.settle(fresh);
        self.open.extend(&mut self.fresh);
        Ok(())
    }

    /// Tests a state against the goal and, if it is none, generates its successors.
    fn explore(&mut self, node: NodeId, state: &[i32]) -> Result<bool, Raised> {
        self.statistics.explored += 1;
        self.store.mark_explored(node);
        let depth = self.store.cost(node);
        self.statistics.depth = self.statistics.depth.max(depth as u64);
        if !self.explorer.seeks_dead_ends() {
            if self.is_goal(state)? {
                return Ok(true);
            }
            self.expand(node, state, depth)?;
            return Ok(false);
        }
        // Whether a step is possible need not be found out twice.
        Ok(self.expand(node, state, depth)? == 0 && self.is_goal(state)?)
    }

    fn is_goal(&mut self, state: &[i32]) -> Result<bool, Raised> {
        let is_goal = self.explorer.is_goal(&mut self.workspace, state);
        is_goal.map_err(|error| Raised { error, step: Vec::new() })
    }

    /// Generates the successors of a state; gives their number.
    fn expand(&mut self, node: NodeId, state: &[i32], depth: u32) -> Result<u64, Raised> {
        let cost = if self.costs_matter { depth + 1 } else { 0 };
        let Search { explorer, store, workspace, fresh, statistics, .. } = self;
        let before = statistics.generated;
        let mut visit = |successor: &[i32], step: &[i32]| {
            statistics.generated += 1;
            store.offer(successor, Origin { parent: Some(node), step, cost });
        };
        // Where costs do not matter, it does no harm that longer steps have a higher one.
        match self.costs_matter {
            true => explorer.successors(workspace, state, &mut visit)?,
            false => explorer.long_successors(workspace, state, &mut visit)?,
        }
        store.settle(fresh);
        self.open.extend(&mut self.fresh);
        self.statistics.max_open = self.statistics.max_open.max(self.open.len() as u64);
        Ok(self.statistics.generated - before)
    }

    /// A run-time error that was raised on the way from a node.
    fn error(&self, node: NodeId, raised: Raised) -> Outcome {
        let mut path = self.store.path(node);
        path.extend(single_steps(&raised.step).map(<[i32]>::to_vec));
        let step = path.pop().unwrap_or_default();
        let end = End::Error(Raised { step, ..raised });
        Outcome::Reached { path, end, shortest: false }
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
