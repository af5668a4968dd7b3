//! Distances in an abstraction of the network, computed beforehand and looked up (pattern databases,
//! docs/algorithms.md, section 3.10).
//!
//! [`StateGraph::explore`] goes through all states of the abstract network, [`StateGraph::distances`] goes
//! back from its goals, and a [`PatternTable`] keeps what an estimate needs of both. Which abstract state
//! a state stands for is said by a [`StateMap`].

mod abstract_costs;
mod abstract_problem;
pub(crate) mod additive;
mod collection;
mod distances;
mod explorations;
mod graph;
pub(crate) mod keyed_numbers;
mod labelled_graph;
mod predecessors;
mod prepared;
mod rows;
pub(crate) mod saved;
pub mod selection;
mod sharing;
mod state_map;
mod step_costs;
mod table;
mod zone_runs;

pub use abstract_problem::AbstractProblem;
pub use additive::tables_of_groups;
pub use collection::Collection;
pub use explorations::Explorations;
pub use graph::{Building, StateGraph};
pub(crate) use graph::{pack, packed_bytes};
pub(crate) use prepared::prepared;
pub use state_map::{StateMap, WordSource};
pub use step_costs::StepCosts;
pub use table::PatternTable;
