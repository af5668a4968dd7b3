//! The heuristics.

mod active_processes;
mod blind;
mod formula;
mod goal_form;
mod graph_distance;
mod known_goal;
mod local_graph;
mod merge_and_shrink;
mod never_claim;
pub mod pattern;
mod relaxation;
pub(crate) mod risks;

pub use active_processes::ActiveProcesses;
pub use blind::Blind;
pub use formula::Formula;
pub use graph_distance::{Combination, GraphDistance};
pub use known_goal::{Hamming, fsm};
pub use merge_and_shrink::{MergeAndShrink, Sizes};
pub use never_claim::never_claim;
pub use relaxation::{Reading, Relaxation, Sight};
pub use risks::may_raise_errors;
