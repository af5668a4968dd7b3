//! What a plan searches: a problem, and how long its steps are.

use super::finder::Relaxations;
use crate::costs::Costs;
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::heuristics::{Relaxation, Sight};
use crate::outcome::Outcome;
use crate::partial_order::PartialOrder;
use crate::problem::Problem;
use crate::symmetry::StateSymmetry;
use crate::target::Target;
use explore::End;

/// A problem to be searched.
#[derive(Clone, Copy)]
pub struct SearchSpace<'a> {
    /// The problem.
    pub problem: Problem<'a>,
    /// How many steps of the model each of its steps stands for, if not one. Then the shortest of its
    /// traces need not be the shortest of the model.
    pub lengths: Option<&'a Costs>,
    /// What lets searches that care for the verdict alone leave out steps.
    pub order: Option<&'a PartialOrder>,
    /// What is interchangeable in its states.
    pub symmetry: Option<&'a StateSymmetry>,
    /// Where to end, if not at whatever comes first.
    pub target: Option<Target<'a>>,
    /// What heuristics are made for: the problem itself, or that of getting to the target.
    pub guide: Problem<'a>,
}

impl<'a> SearchSpace<'a> {
    /// All of a problem's steps, each one by itself.
    pub fn of(problem: &Problem<'a>) -> Self {
        SearchSpace {
            problem: *problem,
            lengths: None,
            order: None,
            symmetry: None,
            target: None,
            guide: *problem,
        }
    }

    /// Whether what is shortest here is shortest in the model.
    pub(super) fn has_all_traces(&self) -> bool {
        self.lengths.is_none()
    }

    /// Whether there are only single steps: no merged ones, no atomic sequences.
    pub(super) fn has_single_steps(&self) -> bool {
        self.has_all_traces() && self.problem.explorer.layout.control.is_none()
    }

    /// Whether an outcome is worth ending a plan: not an error that says nothing about the property, unless
    /// the plan has to begin again with room for more processes.
    pub(super) fn is_answer(&self, outcome: &Outcome) -> bool {
        let Outcome::Reached { end: End::Error(raised), .. } = outcome else { return true };
        raised.error.lacks_room() || self.problem.explorer.counts_errors()
    }

    /// Whether a search for a target has to begin again with room for more processes.
    pub(super) fn lacks_room(&self, outcome: &Outcome) -> bool {
        let lacks_room = matches!(outcome, Outcome::Reached { end: End::Error(raised), .. } if raised.lacks_room());
        lacks_room && self.target.is_some()
    }

    /// The length of a trace in steps of the model; that of the path to the error, if it ends with one.
    pub(super) fn length(&self, outcome: &Outcome) -> u32 {
        let Outcome::Reached { path, .. } = outcome else { return u32::MAX };
        match self.lengths {
            Some(lengths) => lengths.of_path(self.problem.explorer, path) as u32,
            None => path.len() as u32,
        }
    }

    /// A length that no trace undercuts.
    pub(super) fn least_length(&self, relaxations: &mut Relaxations) -> u32 {
        if Relaxation::sight(&self.guide) == Sight::Errors {
            return 0;
        }
        let mut layers = relaxations.layers();
        let estimate = initial_estimate(&self.guide, &mut layers);
        match layers.guarantees().admissible && estimate != UNREACHABLE {
            true => estimate,
            false => 0,
        }
    }
}

/// The estimate of the state that the search starts from.
pub(super) fn initial_estimate(problem: &Problem, heuristic: &mut dyn Heuristic) -> u32 {
    let explorer = problem.explorer;
    let mut estimate = 0;
    let mut workspace = explorer.workspace();
    // An error is found again by the search itself.
    let _ = explorer.initial(&mut workspace, &mut |state, _| {
        estimate = heuristic.estimate(state);
    });
    estimate
}
