//! Guidance: judges the steps that lead to new states, so that some wait longer than others.
//!
//! Useless transitions, context bounding and context enhancement are kinds of guidance (section 4
//! of the specification). They reorder, nothing is dropped.

use crate::heuristic::Heuristic;
use crate::open_list::NodeId;

/// A state that is being expanded.
#[derive(Clone, Copy, Debug)]
pub struct Parent<'a> {
    /// Its node.
    pub node: NodeId,
    /// The state.
    pub state: &'a [i32],
    /// The cost of the way to it.
    pub cost: u32,
    /// The step that led to it; empty for an initial state.
    pub step: &'a [i32],
}

/// A new successor of it.
#[derive(Clone, Copy, Debug)]
pub struct Child<'a> {
    /// Its node.
    pub node: NodeId,
    /// The state.
    pub state: &'a [i32],
    /// The step that led to it.
    pub step: &'a [i32],
    /// Its estimate.
    pub estimate: u32,
}

/// Where a new state is to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Judgement {
    /// States in lower queues come first.
    pub queue: u32,
    /// What is added to the estimate.
    pub penalty: u32,
}

/// Judges steps.
pub trait Guidance {
    /// Told whose successors are to be judged.
    fn enter(&mut self, _heuristic: &mut dyn Heuristic, _parent: &Parent) {}

    /// Where a new successor is to wait.
    fn judge(&mut self, heuristic: &mut dyn Heuristic, parent: &Parent, child: &Child)
    -> Judgement;

    /// What must be equal, beside the state, for two nodes to be the same.
    fn label(&mut self, _step: &[i32]) -> u32 {
        0
    }

    /// Whether labels are made use of.
    fn is_labelled(&self) -> bool {
        false
    }
}
