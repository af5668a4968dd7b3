//! What a plan follows to a trace: searches and the heuristics that suit a goal.

use super::ground::{Ground, initial_estimate};
use super::pursuit::Pursuit;
use crate::catalog::{Named, Settings};
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::heuristics::{ActiveProcesses, Reading, Relaxation};
use crate::outcome::Outcome;
use crate::problem::Problem;
use explore::End;

/// A way to look for a first trace: a search, and what guides it.
pub struct Scent<'a> {
    search: &'static str,
    source: Source,
    /// The search at work, once it has begun.
    pub pursuit: Option<Pursuit<'a>>,
}

/// Where the heuristic comes from.
#[derive(Clone, Copy)]
enum Source {
    /// There is none.
    Nowhere,
    /// The user.
    Wish(&'static Named),
    /// What suits the goal.
    ActiveProcesses,
    Relaxation,
}

/// How the first trace is looked for: with the heuristic that the user wants, or with those that suit
/// the goal; and into the depth, where some errors are found by chance.
pub fn scents<'a>(problem: &Problem, wish: Option<&'static Named>) -> Vec<Scent<'a>> {
    let scent = |search, source| Scent { search, source, pursuit: None };
    let mut scents = Vec::new();
    let deadlock = problem.seeks_deadlock();
    match wish {
        Some(entry) => scents.push(scent("greedy", Source::Wish(entry))),
        None => {
            if deadlock {
                scents.push(scent("greedy", Source::ActiveProcesses));
            }
            if !deadlock || problem.property().counts_errors {
                scents.push(scent("useless-queues", Source::Relaxation));
                scents.push(scent("preferred", Source::Relaxation));
            }
        }
    }
    scents.push(scent("dfs", Source::Nowhere));
    scents
}

impl<'a> Scent<'a> {
    /// The search for it; none if its heuristic leads nowhere from where the search starts.
    pub fn pursuit(
        &mut self,
        ground: &Ground<'a>,
        settings: &Settings,
        senses: &mut Senses<'a>,
    ) -> Result<Option<&mut Pursuit<'a>>, String> {
        if self.pursuit.is_none() {
            self.pursuit = self.begin(ground, settings, senses)?;
        }
        Ok(self.pursuit.as_mut())
    }

    fn begin(
        &self,
        ground: &Ground<'a>,
        settings: &Settings,
        senses: &mut Senses<'a>,
    ) -> Result<Option<Pursuit<'a>>, String> {
        let mut heuristic: Box<dyn Heuristic> = match self.source {
            Source::Nowhere => return Pursuit::plain(ground, self.search, settings).map(Some),
            Source::Wish(entry) => {
                let heuristic = entry.build(&ground.problem)?;
                return Pursuit::guided(ground, self.search, settings, heuristic).map(Some);
            }
            Source::ActiveProcesses => Box::new(ActiveProcesses::new(&ground.problem)),
            Source::Relaxation => Box::new(senses.trace()),
        };
        let estimate = initial_estimate(&ground.problem, &mut *heuristic);
        let leads =
            estimate != 0 && (estimate != UNREACHABLE || heuristic.guarantees().dead_end_safe);
        match leads {
            true => Pursuit::guided(ground, self.search, settings, heuristic).map(Some),
            false => Ok(None),
        }
    }
}

/// The relaxations of a problem: large models take their time, so they are made once, when they are first
/// asked for.
pub struct Senses<'a> {
    problem: Problem<'a>,
    relaxation: Option<Relaxation>,
}

impl<'a> Senses<'a> {
    /// Nothing is made yet.
    pub fn new(problem: &Problem<'a>) -> Self {
        Senses { problem: *problem, relaxation: None }
    }

    /// What leads to a goal, apart from deadlocks, which have a heuristic of their own.
    pub fn trace(&mut self) -> Relaxation {
        let problem = &self.problem;
        let make = || Relaxation::without_deadlock(problem, Reading::Trace);
        self.relaxation.get_or_insert_with(make).again(Reading::Trace)
    }

    /// What never says too much.
    pub fn layers(&mut self) -> Relaxation {
        match self.problem.seeks_deadlock() {
            true => Relaxation::new(&self.problem, Reading::Layers),
            false => self.trace().again(Reading::Layers),
        }
    }

    /// What leads to another end of the same kind.
    pub fn of_end(&mut self, found: &Outcome) -> Box<dyn Heuristic + 'a> {
        let at_goal = matches!(found, Outcome::Reached { end: End::Goal, .. });
        match at_goal && self.problem.seeks_deadlock() {
            true => Box::new(ActiveProcesses::new(&self.problem)),
            false => Box::new(self.trace()),
        }
    }
}
