//! Guidance: judges the steps that lead to new states, so that some wait longer than others.
//!
//! Useless transitions, context bounding and context enhancement are kinds of guidance
//! (docs/algorithms.md, section 4). They reorder, nothing is dropped.

mod atoms;
mod context_bounding;
mod context_enhanced;
mod interference;
mod preferred;
mod useless;

pub use context_bounding::{ContextBounding, Contexts};
pub use context_enhanced::ContextEnhanced;
pub use preferred::PreferredSteps;
pub use useless::{Consequence, Penalty, UselessTransitions};

use crate::heuristic::Heuristic;
use crate::open_list::NodeId;
use crate::problem::Problem;
use explore::{EdgeNumber, Step};

/// A state that is being expanded.
#[derive(Clone, Copy, Debug)]
pub struct Parent<'a> {
    /// Its node.
    pub node: NodeId,
    /// The state.
    pub state: &'a [i32],
    /// The cost of the path to it.
    pub cost: u32,
    /// The step that led to it; none for an initial state.
    pub step: Step<'a>,
}

/// A new successor of it.
#[derive(Clone, Copy, Debug)]
pub struct Child<'a> {
    /// Its node.
    pub node: NodeId,
    /// The state.
    pub state: &'a [i32],
    /// The cost of the path to it.
    pub cost: u32,
    /// The step that led to it.
    pub step: Step<'a>,
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

/// What guidance knows about a node before it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Label {
    /// What must be equal, beside the state, for two nodes to be the same.
    pub number: u32,
    /// The cost of the step to it.
    pub cost: u32,
}

/// Judges steps.
pub trait Guidance {
    /// Told whose successors are to be judged.
    fn enter(&mut self, _heuristic: &mut dyn Heuristic, _parent: &Parent) {}

    /// Where a new successor is to wait.
    fn judge(&mut self, heuristic: &mut dyn Heuristic, parent: &Parent, child: &Child)
    -> Judgement;

    /// What tells the node after a step from others with the same state, and what the step costs, given
    /// the step before (none in an initial state).
    fn label(&mut self, _before: Step, _step: Step) -> Label {
        Label::default()
    }

    /// Whether labels are made use of; then the order of the search is [`crate::Order::Guided`].
    fn is_labelled(&self) -> bool {
        false
    }
}

/// The edges whose choice a step is: the observer moves along whatever the others do, so its edges
/// count only if it moves alone.
fn movers<'a>(
    problem: &Problem<'a>,
    step: Step<'a>,
) -> impl Iterator<Item = EdgeNumber> + Clone + use<'a> {
    let (network, explorer) = (problem.network(), problem.explorer);
    let watches = move |edge: EdgeNumber| network.processes[explorer.edge(edge).0].observes;
    let alone = explorer.edges_of(step).all(watches);
    explorer.edges_of(step).filter(move |&edge| alone || !watches(edge))
}

/// Tries out on the initial state whether a heuristic is able to do something.
fn probe(problem: &Problem, mut able: impl FnMut(&[i32]) -> bool) -> bool {
    let mut answer = true;
    let mut workspace = problem.explorer.workspace();
    // An error of the initial state is a finding of the search.
    let _ = problem.explorer.initial(&mut workspace, &mut |state, _| answer &= able(state));
    answer
}
