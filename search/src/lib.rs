//! Search: one best-first loop over an explorer's states, and the parts plugged into it.
//!
//! Start at [`run`] in `best_first`; [`catalog`] lists the configurations a user can name.

mod best_first;
pub mod catalog;
mod chunks;
mod configuration;
mod costs;
mod discrete_table;
mod edge_set;
mod footprint;
mod guidance;
mod heuristic;
pub mod heuristics;
mod limits;
mod node_store;
mod open_list;
mod open_lists;
mod outcome;
mod partial_order;
mod plan;
mod problem;
mod progress;
mod pruning;
mod random;
mod representative;
mod shared_blocks;
mod symmetry;
mod target;
mod zone_store;

pub use best_first::{Parts, Search, run, run_with};
pub use configuration::{Configuration, Order, Ties, Weight};
pub use costs::{Costs, Rule};
pub use edge_set::EdgeSet;
pub use guidance::{
    Child, Consequence, ContextBounding, ContextEnhanced, Contexts, Guidance, Judgement, Label,
    Parent, Penalty, PreferredSteps, UselessTransitions,
};
pub use heuristic::{Guarantees, Heuristic, TableAccount, UNREACHABLE};
pub use limits::{Control, Limits, Observer, Unlimited};
pub use outcome::{Outcome, Reason, Statistics};
pub use partial_order::{Keeps, PartialOrder, StubbornSets};
pub use plan::{Best, First, PLANS, Plan, PlanRun, SearchSpace, plan, run_plan};
pub use problem::{HeuristicResult, Problem};
pub use pruning::Pruning;
pub use representative::Representatives;
pub use symmetry::{Canonical, Choice, StateSymmetry};
pub use target::{Target, reaching};
