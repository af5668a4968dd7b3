//! What a plan follows to a trace: searches and the heuristics that suit a goal.

use super::ground::initial_estimate;
use crate::catalog::{self, Named};
use crate::heuristic::UNREACHABLE;
use crate::heuristics::{ActiveProcesses, Reading, Relaxation};
use crate::outcome::Outcome;
use crate::problem::{Built, Problem};
use explore::End;

/// A way to look for a first trace.
pub struct Scent<'a> {
    /// The name of the search.
    pub search: &'static str,
    problem: Problem<'a>,
    source: Source,
}

/// Where the heuristic comes from.
#[derive(Clone, Copy)]
enum Source {
    Named(&'static Named),
    Relaxation,
}

impl<'a> Scent<'a> {
    /// The heuristic, new for each search.
    pub fn heuristic(&self) -> Built<'a> {
        match self.source {
            Source::Named(entry) => entry.build(&self.problem),
            Source::Relaxation => Ok(Box::new(relaxation(&self.problem))),
        }
    }

    /// Whether it leads anywhere from where the search starts.
    fn is_perceptible(&self) -> bool {
        let Ok(mut heuristic) = self.heuristic() else { return true };
        let estimate = initial_estimate(&self.problem, &mut *heuristic);
        estimate != 0 && (estimate != UNREACHABLE || heuristic.guarantees().dead_end_safe)
    }
}

/// How the first trace is looked for: with the heuristic that the user wants, or with those that suit
/// the goal.
pub fn scents<'a>(problem: &Problem<'a>, heuristic: Option<&'static Named>) -> Vec<Scent<'a>> {
    let scent = |search, source| Scent { search, problem: *problem, source };
    if let Some(entry) = heuristic {
        return vec![scent("greedy", Source::Named(entry))];
    }
    let mut scents = Vec::new();
    let deadlock = problem.seeks_deadlock();
    if let Some(entry) = catalog::heuristic("active-processes").filter(|_| deadlock) {
        scents.push(scent("greedy", Source::Named(entry)));
    }
    if !deadlock || problem.property.counts_errors {
        scents.push(scent("useless-queues", Source::Relaxation));
        scents.push(scent("preferred", Source::Relaxation));
    }
    scents.retain(Scent::is_perceptible);
    scents
}

/// What leads to another end of the same kind.
pub fn of_end<'a>(problem: &Problem<'a>, found: &Outcome) -> Built<'a> {
    let at_goal = matches!(found, Outcome::Reached { end: End::Goal, .. });
    Ok(match at_goal && problem.seeks_deadlock() {
        true => Box::new(ActiveProcesses::new(problem)),
        false => Box::new(relaxation(problem)),
    })
}

/// Deadlocks have a heuristic of their own.
fn relaxation(problem: &Problem) -> Relaxation {
    Relaxation::without_deadlock(problem, Reading::Trace)
}
