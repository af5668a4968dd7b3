//! What a plan follows to a trace: searches and the heuristics that suit a goal.

use super::ground::initial_estimate;
use crate::catalog::Named;
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::heuristics::{ActiveProcesses, Reading, Relaxation};
use crate::outcome::Outcome;
use crate::problem::{Built, Problem};
use explore::End;

/// A way to look for a first trace.
pub struct Scent<'a> {
    /// The names of searches that make use of it.
    pub searches: &'static [&'static str],
    problem: Problem<'a>,
    source: Source,
    /// The heuristic, once it was asked for; none if it leads nowhere.
    heuristic: Option<Option<Box<dyn Heuristic + 'a>>>,
}

/// Where the heuristic comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The user.
    Wish(&'static Named),
    /// What suits the goal.
    ActiveProcesses,
    Relaxation,
}

impl<'a> Scent<'a> {
    /// The heuristic, unless it leads nowhere from where the search starts. It is made when it is first
    /// asked for: large models take their time.
    pub fn heuristic(&mut self) -> Result<Option<&mut (dyn Heuristic + 'a)>, String> {
        if self.heuristic.is_none() {
            self.heuristic = Some(self.build()?);
        }
        Ok(self.heuristic.as_mut().and_then(Option::as_deref_mut))
    }

    fn build(&self) -> Result<Option<Box<dyn Heuristic + 'a>>, String> {
        let mut heuristic: Box<dyn Heuristic> = match self.source {
            Source::Wish(entry) => return entry.build(&self.problem).map(Some),
            Source::ActiveProcesses => Box::new(ActiveProcesses::new(&self.problem)),
            Source::Relaxation => Box::new(relaxation(&self.problem)),
        };
        let estimate = initial_estimate(&self.problem, &mut *heuristic);
        let leads =
            estimate != 0 && (estimate != UNREACHABLE || heuristic.guarantees().dead_end_safe);
        Ok(Some(heuristic).filter(|_| leads))
    }
}

/// How the first trace is looked for: with the heuristic that the user wants, or with those that suit
/// the goal.
pub fn scents<'a>(problem: &Problem<'a>, wish: Option<&'static Named>) -> Vec<Scent<'a>> {
    let scent = |searches, source| Scent { searches, problem: *problem, source, heuristic: None };
    if let Some(entry) = wish {
        return vec![scent(&["greedy"], Source::Wish(entry))];
    }
    let mut scents = Vec::new();
    let deadlock = problem.seeks_deadlock();
    if deadlock {
        scents.push(scent(&["greedy"], Source::ActiveProcesses));
    }
    if !deadlock || problem.property.counts_errors {
        scents.push(scent(&["useless-queues", "preferred"], Source::Relaxation));
    }
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
