//! What a plan follows to a trace: searches and the heuristics that suit a goal.

use super::member::Member;
use super::search_space::{SearchSpace, initial_estimate};
use super::tables::{Made, Tables};
use crate::catalog::{self, HeuristicEntry, Making, SearchEntry, Settings};
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::heuristics::{ActiveProcesses, Reading, Relaxation, Sight};
use crate::outcome::Outcome;
use crate::problem::Problem;
use explore::End;

/// A way to look for a first trace: a search, and what guides it.
pub struct Finder<'a> {
    search: &'static SearchEntry,
    source: HeuristicSource,
    /// The search at work, once it has begun.
    pub member: Option<Member<'a>>,
}

/// Where the heuristic comes from.
#[derive(Clone, Copy)]
enum HeuristicSource {
    /// There is none.
    None,
    /// The user.
    User(&'static HeuristicEntry),
    /// The plan, which has made it already.
    Tables,
    /// What suits the goal.
    ActiveProcesses,
    Relaxation,
}

/// How the first trace is looked for: with the heuristic that the user wants, or with those that suit
/// the goal; and into the depth, where some errors are found by chance.
pub fn finders<'a>(problem: &Problem, wanted: Option<&'static HeuristicEntry>) -> Vec<Finder<'a>> {
    let finder = |search, source| Finder { search, source, member: None };
    let mut finders = Vec::new();
    let sight = Relaxation::sight(problem);
    match wanted {
        Some(entry) => finders.push(finder(&catalog::GREEDY, HeuristicSource::User(entry))),
        None => {
            if sight != Sight::Everything {
                finders.push(finder(&catalog::GREEDY, HeuristicSource::ActiveProcesses));
            }
            if sight != Sight::BesideDeadlock {
                finders.push(finder(&catalog::USELESS_QUEUES, HeuristicSource::Relaxation));
                finders.push(finder(&catalog::PREFERRED, HeuristicSource::Relaxation));
            }
        }
    }
    finders.push(finder(&catalog::DFS, HeuristicSource::None));
    finders
}

impl<'a> Finder<'a> {
    /// One with tables that have just been made.
    pub fn with_tables(
        space: &SearchSpace<'a>,
        settings: &Settings,
        tables: Made<'a>,
    ) -> Result<Finder<'a>, String> {
        let search = &catalog::GREEDY;
        let member = Some(Member::guided(space, search, settings, tables.heuristic)?);
        Ok(Finder { search, source: HeuristicSource::Tables, member })
    }

    /// Whether it is one with tables that nobody asked for.
    pub fn has_own_tables(&self) -> bool {
        matches!(self.source, HeuristicSource::Tables)
    }

    /// The heuristic that guides it.
    pub fn heuristic(&self) -> Option<&'static HeuristicEntry> {
        match self.source {
            HeuristicSource::None => None,
            HeuristicSource::User(entry) => Some(entry),
            HeuristicSource::Tables => Some(Tables::ENTRY),
            HeuristicSource::ActiveProcesses => Some(&catalog::ACTIVE_PROCESSES),
            HeuristicSource::Relaxation => Some(&catalog::RELAXATION_TRACE),
        }
    }

    /// The search for it; none if its heuristic leads nowhere from where the search starts.
    pub fn member(
        &mut self,
        space: &SearchSpace<'a>,
        making: &mut Making,
        relaxations: &mut Relaxations<'a>,
    ) -> Result<Option<&mut Member<'a>>, String> {
        if self.member.is_none() {
            self.member = self.begin(space, making, relaxations)?;
        }
        Ok(self.member.as_mut())
    }

    fn begin(
        &self,
        space: &SearchSpace<'a>,
        making: &mut Making,
        relaxations: &mut Relaxations<'a>,
    ) -> Result<Option<Member<'a>>, String> {
        let settings = making.settings;
        let mut heuristic: Box<dyn Heuristic> = match self.source {
            HeuristicSource::None => {
                return Ok(Some(Member::plain(space, self.search, settings)));
            }
            HeuristicSource::User(entry) => {
                let heuristic = entry.build_with(&space.guide, making)?;
                return Member::guided(space, self.search, settings, heuristic).map(Some);
            }
            HeuristicSource::Tables => return Ok(None),
            HeuristicSource::ActiveProcesses => Box::new(ActiveProcesses::new(&space.guide)),
            HeuristicSource::Relaxation => Box::new(relaxations.trace()),
        };
        let estimate = initial_estimate(&space.guide, &mut *heuristic);
        let leads =
            estimate != 0 && (estimate != UNREACHABLE || heuristic.guarantees().dead_end_safe);
        match leads {
            true => Member::guided(space, self.search, settings, heuristic).map(Some),
            false => Ok(None),
        }
    }
}

/// The relaxations of a problem: large models take their time, so they are made once, when they are first
/// asked for.
pub struct Relaxations<'a> {
    problem: Problem<'a>,
    relaxation: Option<Relaxation>,
}

impl<'a> Relaxations<'a> {
    /// Nothing is made yet.
    pub fn new(problem: &Problem<'a>) -> Self {
        Relaxations { problem: *problem, relaxation: None }
    }

    /// What leads to a goal, apart from deadlocks, which have a heuristic of their own.
    pub fn trace(&mut self) -> Relaxation {
        let problem = &self.problem;
        let make = || Relaxation::without_deadlock(problem, Reading::Trace);
        self.relaxation.get_or_insert_with(make).again(Reading::Trace)
    }

    /// What never says too much.
    pub fn layers(&mut self) -> Relaxation {
        match Relaxation::sight(&self.problem) {
            Sight::Everything => self.trace().again(Reading::Layers),
            _ => Relaxation::new(&self.problem, Reading::Layers),
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
