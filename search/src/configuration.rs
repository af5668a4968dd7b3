//! Which search: the order of the open list and what breaks ties in it.

use crate::open_list::OpenList;
use crate::open_lists::{Fifo, Lifo, Ordered, RandomLifo};

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// The order in which states are explored.
    pub order: Order,
    /// Which of equally good states comes first.
    pub ties: Ties,
}

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Those nearest to the initial state first.
    BreadthFirst,
    /// The oldest first, whatever the paths to them cost.
    OldestFirst,
    /// The newest first.
    DepthFirst,
    /// The newest first, successors of a state in random order.
    RandomDepthFirst {
        /// Same seed, same order.
        seed: u64,
    },
    /// The newest first; after each goal that is found, only paths shorter than it.
    BoundedDepthFirst,
    /// Those in the lowest queue first, then those with the least estimate.
    Greedy,
    /// The same, but now and then one of the other queues has its turn.
    GreedyByTurns,
    /// Those that guidance puts into the lowest queue first, then those with the least estimate; what
    /// steps cost is up to guidance, too, and a cheaper path to a state counts as new.
    Guided,
    /// Those with the least sum of cost and weighted estimate first.
    CostAndEstimate {
        /// What the estimate counts.
        weight: Weight,
    },
}

/// How much an estimate counts against a cost, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(pub u32);

impl Weight {
    /// As much as a cost.
    pub const ONE: Weight = Weight(100);

    /// The weighted estimate.
    pub fn of(self, estimate: u32) -> u32 {
        let weighted = u64::from(estimate) * u64::from(self.0) / 100;
        u32::try_from(weighted).unwrap_or(u32::MAX)
    }
}

/// Which of equally good states comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ties {
    /// The newest.
    #[default]
    Lifo,
    /// The oldest.
    Fifo,
}

/// How the cost of a path to a known state matters (docs/algorithms.md, section 1.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dominance {
    /// Not at all: one way is as good as another.
    AnyCost,
    /// States are offered in the order of their cost, so a known one was never more expensive.
    InOrder,
    /// A cheaper path counts as new, also to a state that was explored.
    Reopen,
}

impl From<Order> for Configuration {
    fn from(order: Order) -> Self {
        Configuration { order, ties: Ties::default() }
    }
}

impl Configuration {
    pub(crate) fn open_list(&self) -> Box<dyn OpenList> {
        match self.order {
            Order::BreadthFirst | Order::OldestFirst => Box::new(Fifo::default()),
            Order::DepthFirst | Order::BoundedDepthFirst => Box::new(Lifo::default()),
            Order::RandomDepthFirst { seed } => Box::new(RandomLifo::new(seed)),
            Order::Greedy | Order::Guided | Order::CostAndEstimate { .. } => {
                Box::new(Ordered::new(self.ties))
            }
            Order::GreedyByTurns => Box::new(Ordered::by_turns(self.ties)),
        }
    }

    pub(crate) fn dominance(&self) -> Dominance {
        match self.order {
            Order::BreadthFirst => Dominance::InOrder,
            Order::OldestFirst
            | Order::DepthFirst
            | Order::RandomDepthFirst { .. }
            | Order::Greedy
            | Order::GreedyByTurns => Dominance::AnyCost,
            Order::BoundedDepthFirst | Order::Guided | Order::CostAndEstimate { .. } => {
                Dominance::Reopen
            }
        }
    }

    /// Whether the order looks at estimates.
    pub fn is_directed(&self) -> bool {
        matches!(
            self.order,
            Order::Greedy | Order::GreedyByTurns | Order::Guided | Order::CostAndEstimate { .. }
        )
    }

    /// Whether the search prefers cheaper paths, so that lengths matter to it.
    pub fn is_cost_sensitive(&self) -> bool {
        self.dominance() != Dominance::AnyCost
    }

    /// Whether the path that is found is a cheapest one, if no estimate is too high.
    pub fn is_optimal(&self) -> bool {
        match self.order {
            Order::BreadthFirst | Order::BoundedDepthFirst => true,
            Order::CostAndEstimate { weight } => weight.0 <= Weight::ONE.0,
            _ => false,
        }
    }
}
