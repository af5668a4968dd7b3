//! Several searches by turns: first a trace, found fast; then shorter ones, until the shortest is proven or
//! a limit ends it (docs/algorithms.md, section 2.8).
//!
//! Each search is a row of the catalog. It is suspended when its turn is over and goes on when the next
//! one comes, so that nothing is done twice. Turns are counted in states and steps of computation, so that
//! the same input gives the same result on every machine.

mod attempt;
mod exhaustive;
mod finder;
mod member;
mod search_space;
mod tables;
mod tally;

pub use search_space::SearchSpace;

use crate::catalog::{Budget, HeuristicEntry, Making, Settings};
use crate::heuristic::{TableAccount, UNREACHABLE};
use crate::heuristics::pattern::Explorations;
use crate::problem::Problem;
use crate::target::Target;
use crate::{Limits, Observer, Outcome, Reason, Statistics};
use attempt::{Allowance, Attempt, Spaces};
use exhaustive::Exhaustive;
use finder::{Finder, Relaxations};
use member::Member;
use network::cancellation;
use std::ops::ControlFlow;
use tables::Tables;
use tally::Tally;

/// A plan a user can name.
#[derive(Debug)]
pub struct Plan {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Whether it goes on until the shortest trace is proven, however long that takes.
    until_proven: bool,
}

/// Every plan.
pub const PLANS: &[Plan] = &[
    Plan {
        name: "auto",
        summary: "Find a trace fast, shorten it within reason, and say whether it is the shortest",
        until_proven: false,
    },
    Plan {
        name: "anytime",
        summary: "Find a trace fast, then shorter ones, until the shortest is proven",
        until_proven: true,
    },
];

/// The plan with a name.
pub fn plan(name: &str) -> Option<&'static Plan> {
    PLANS.iter().find(|entry| entry.name == name)
}

/// How much work the first turn of a search is: little, since small models are explored in no time.
const FIRST: u64 = 2_000;

/// How much a search that comes nearer to the goal is given, at most, to come nearer again.
const NEARER: u64 = 100_000;

/// How much work a turn is after so much: a quarter.
fn next_turn(work: u64) -> u64 {
    FIRST.max(work / 4)
}

/// Breadth-first search of single steps is all that a model needs that it explores with so much work.
const SMALL: u64 = 4_000_000;

/// While a trace is looked for, what all other searches may be in work together, beside the one that goes
/// through everything: half as much at first, where many errors are found, and later little, since
/// that one may be all that helps.
fn finder_budget(exhaustive: u64) -> u64 {
    exhaustive.min(SMALL) * 3 / 8 + exhaustive / 10
}

/// A plan at work.
pub struct PlanRun<'r> {
    plan: &'r Plan,
    settings: Settings,
    limits: &'r Limits,
    observer: &'r mut dyn Observer,
    explorations: Option<&'r mut Explorations>,
    tally: Tally,
    first_tables: Tables,
    tables: Vec<TableAccount>,
    proven_by: Option<&'static HeuristicEntry>,
    saved: Option<&'r [u8]>,
    saves: bool,
    to_save: Option<Vec<u8>>,
}

/// A round of attempts to shorten a trace.
#[derive(Clone, Copy)]
struct Round {
    allowance: Allowance,
    /// What breadth-first search may have been in work at its end.
    turn: u64,
}

/// What was found first.
pub struct First<'a> {
    /// The trace, or that there is none.
    pub outcome: Outcome,
    is_exact: bool,
    length: u32,
    relaxations: Relaxations<'a>,
    /// Breadth-first search of single steps, as far as it has come.
    breadth: Option<Member<'a>>,
}

/// The best trace so far.
pub struct Best {
    /// The trace.
    pub outcome: Outcome,
    /// Whether it was found on the space that has all traces, and that is not the other one.
    pub is_exact: bool,
    length: u32,
}

/// Runs a plan on one problem from beginning to end.
pub fn run_plan(
    problem: &Problem,
    plan: &Plan,
    heuristic: Option<&'static HeuristicEntry>,
    settings: &Settings,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<(Outcome, Statistics), String> {
    let mut run = PlanRun::new(plan, settings, limits, observer);
    let space = SearchSpace::of(problem);
    let first = run.find(&space, None, heuristic)?;
    let Best { outcome, .. } = run.shorten(first, &space, &space)?;
    Ok((outcome, run.statistics()))
}

impl<'r> PlanRun<'r> {
    /// Starts a plan.
    pub fn new(
        plan: &'r Plan,
        settings: &Settings,
        limits: &'r Limits,
        observer: &'r mut dyn Observer,
    ) -> PlanRun<'r> {
        PlanRun {
            plan,
            settings: *settings,
            limits,
            observer,
            explorations: None,
            tally: Tally::default(),
            first_tables: Tables::default(),
            tables: Vec::new(),
            proven_by: None,
            saved: None,
            saves: false,
            to_save: None,
        }
    }

    /// The same with a heuristic that is made from what was saved of it, and perhaps to be saved again.
    pub fn with_saved(self, saved: Option<&'r [u8]>, saves: bool) -> PlanRun<'r> {
        PlanRun { saved, saves, ..self }
    }

    /// The same with what was explored for others, which is kept for others again.
    pub fn with_explorations(self, explorations: &'r mut Explorations) -> PlanRun<'r> {
        PlanRun { explorations: Some(explorations), ..self }
    }

    /// The same with tables of distances as soon as so much work is done, however small the model.
    pub fn with_tables_after(self, work: u64) -> PlanRun<'r> {
        PlanRun { first_tables: Tables::after(work), ..self }
    }

    /// What there is of the heuristic to save, if that was asked for.
    pub fn to_save(&mut self) -> Option<Vec<u8>> {
        self.to_save.take()
    }

    /// The tables that estimates were looked up in.
    pub fn tables(&self) -> &[TableAccount] {
        &self.tables
    }

    /// The heuristic without whose infinite estimates it would not be known that there is no trace.
    pub fn proven_by(&self) -> Option<&'static HeuristicEntry> {
        self.proven_by
    }

    /// What all searches did so far.
    pub fn statistics(&self) -> Statistics {
        self.tally.total
    }

    /// Looks for a trace: with an exhaustive search and, by turns with it, with those that
    /// may find one sooner. If there is another ground that has all traces, it is looked for there as
    /// well, as long as the model may be a small one.
    pub fn find<'a>(
        &mut self,
        space: &SearchSpace<'a>,
        exact: Option<&SearchSpace<'a>>,
        heuristic: Option<&'static HeuristicEntry>,
    ) -> Result<First<'a>, String> {
        let found = cancellation::attempt(|| self.find_by_turns(space, exact, heuristic));
        // It may end before there is a search that could tell.
        found.unwrap_or_else(|cause| {
            let outcome = Outcome::Unknown(cause.into());
            let relaxations = Relaxations::new(&space.guide);
            Ok(First { outcome, is_exact: false, length: u32::MAX, relaxations, breadth: None })
        })
    }

    fn find_by_turns<'a>(
        &mut self,
        space: &SearchSpace<'a>,
        exact: Option<&SearchSpace<'a>>,
        heuristic: Option<&'static HeuristicEntry>,
    ) -> Result<First<'a>, String> {
        let mut relaxations = Relaxations::new(&space.guide);
        let mut exhaustive = Exhaustive::new(space, exact, &self.settings)?;
        let mut others = finder::finders(&space.guide, heuristic);
        let mut tables = self.first_tables;
        let sees_nothing = self.sees_nothing(&mut others, space, &mut relaxations)?;
        let (outcome, found_on) = loop {
            if sees_nothing {
                break (Outcome::Unreachable, *space);
            }
            let turn = next_turn(exhaustive.work());
            let member = exhaustive.turn()?;
            let (work, searched) = (member.work() + turn, *member.space());
            match self.resume(member, work, None) {
                Outcome::Unknown(Reason::Budget) => {}
                // Without the others there is more room.
                Outcome::Unknown(Reason::States) if !others.is_empty() => {
                    self.release_all(&mut others)
                }
                Outcome::Unknown(Reason::States) if exhaustive.is_divided() => {
                    exhaustive.unite().into_iter().for_each(|it| self.release(it));
                }
                outcome => break (outcome, searched),
            }
            if heuristic.is_none() {
                self.look_up(&mut tables, exhaustive.work(), space, &mut others)?;
            }
            let outcome =
                self.run_finders(&mut others, space, &mut relaxations, exhaustive.work())?;
            if !is_open(&outcome) {
                break (outcome, *space);
            }
        };
        self.release_all(&mut others);
        let outcome = self.note(&found_on, outcome);
        let length = found_on.length(&outcome);
        let is_exact = found_on.has_all_traces() && !space.has_all_traces();
        Ok(First { outcome, is_exact, length, relaxations, breadth: self.only_breadth(exhaustive) })
    }

    /// Whether the heuristic of the first of the searches knows from the start that there is no way.
    fn sees_nothing<'a>(
        &mut self,
        others: &mut [Finder<'a>],
        space: &SearchSpace<'a>,
        relaxations: &mut Relaxations<'a>,
    ) -> Result<bool, String> {
        let Some(finder) = others.first_mut() else { return Ok(false) };
        // About deadlocks none knows that much.
        if space.guide.seeks_deadlock() {
            return Ok(false);
        }
        let Some(member) = finder.member(space, &mut self.making(), relaxations)? else {
            return Ok(false);
        };
        let sees_nothing = matches!(self.resume(member, 0, None), Outcome::Unreachable);
        self.proven_by = finder.heuristic().filter(|_| sees_nothing);
        Ok(sees_nothing)
    }

    /// Lets a search with new tables join the others, or take the place of the one with smaller tables, if
    /// it is time for them: they may know that there is nothing to find, or where not to look for it.
    fn look_up<'a>(
        &mut self,
        tables: &mut Tables,
        work: u64,
        space: &SearchSpace<'a>,
        others: &mut Vec<Finder<'a>>,
    ) -> Result<(), String> {
        let made = tables.make(work, space, &mut self.making());
        let Some(made) = made.filter(|made| made.initial > 0) else { return Ok(()) };
        let finder = Finder::with_tables(space, &self.settings, made)?;
        let smaller = others.extract_if(.., |it| it.has_own_tables());
        smaller.for_each(|it| self.release_finder(it));
        others.insert(0, finder);
        Ok(())
    }

    /// What there is for making a heuristic.
    fn making(&mut self) -> Making<'_> {
        let budget = Budget { states: self.limits.max_states, ..Budget::default() };
        let (settings, saved) = (&self.settings, self.saved);
        let (observer, explorations) = (&mut *self.observer, self.explorations.as_deref_mut());
        Making { saved, explorations, ..Making::new(settings, budget, observer) }
    }

    fn only_breadth<'a>(&mut self, exhaustive: Exhaustive<'a>) -> Option<Member<'a>> {
        let Exhaustive { breadth, merged, .. } = exhaustive;
        merged.into_iter().for_each(|it| self.release(it));
        breadth
    }

    /// Gives their turns to the searches that may find something sooner than the one that goes through
    /// everything, as far as that one has come.
    fn run_finders<'a>(
        &mut self,
        others: &mut Vec<Finder<'a>>,
        space: &SearchSpace<'a>,
        relaxations: &mut Relaxations<'a>,
        exhaustive: u64,
    ) -> Result<Outcome, String> {
        let turn = finder_budget(exhaustive) / others.len().max(1) as u64;
        if turn < FIRST {
            return Ok(Outcome::Unknown(Reason::Budget));
        }
        let mut at = 0;
        while let Some(finder) = others.get_mut(at) {
            let Some(member) = finder.member(space, &mut self.making(), relaxations)? else {
                others.remove(at);
                continue;
            };
            match self.run_while_nearer(member, turn) {
                Outcome::Unknown(Reason::Budget) => at += 1,
                Outcome::Unknown(Reason::States) => self.release_all(others),
                outcome if space.is_answer(&outcome) => {
                    let is_proof = matches!(outcome, Outcome::Unreachable) && has_pruned(member);
                    self.proven_by = finder.heuristic().filter(|_| is_proof);
                    return Ok(outcome);
                }
                // There may be goals nearer by; the exhaustive search decides.
                _ => self.release_finder(others.remove(at)),
            }
        }
        Ok(Outcome::Unknown(Reason::Budget))
    }

    /// Lets a search go on until all it did is so much work, and further as long as it comes nearer to the
    /// goal.
    fn run_while_nearer(&mut self, member: &mut Member, turn: u64) -> Outcome {
        let mut work = turn;
        loop {
            let before = member.nearest();
            let outcome = self.resume(member, work, None);
            let comes_nearer = member.nearest() < before && before != UNREACHABLE;
            if !is_open(&outcome) || !comes_nearer {
                return outcome;
            }
            work = member.work() + turn.min(NEARER);
        }
    }

    fn release_all(&mut self, others: &mut Vec<Finder>) {
        others.drain(..).for_each(|finder| self.release_finder(finder));
    }

    /// Replaces a trace, if there is one, by shorter ones, by turns with each attempt, until it is proven that there are
    /// none. Careless attempts are made on the space where the trace was found, the others on one
    /// that has all traces of the model.
    pub fn shorten<'a>(
        &mut self,
        first: First<'a>,
        space: &SearchSpace<'a>,
        exact: &SearchSpace<'a>,
    ) -> Result<Best, String> {
        // The space itself may have all traces, and be half explored.
        let exact = if space.has_all_traces() { space } else { exact };
        if !first.outcome.is_unproven() {
            return Ok(first.best());
        }
        let First { outcome, is_exact, length, relaxations, breadth } = first;
        let best = Best { outcome, is_exact, length };
        let allowance = match self.plan.until_proven {
            true => Allowance::ENDLESS,
            false => Allowance::after(self.tally.work),
        };
        self.attempt_all(best, Spaces::new(space, exact, relaxations), breadth, allowance)
    }

    /// Looks for a trace that is shorter than one that somebody has, on a space that has all traces of the model,
    /// until the shortest is proven: unreachable means that there is none.
    pub fn undercut(&mut self, length: u32, space: &SearchSpace) -> Result<Outcome, String> {
        let best = Best { outcome: Outcome::Unknown(Reason::Budget), is_exact: false, length };
        let spaces = Spaces::new(space, space, Relaxations::new(&space.guide));
        Ok(self.attempt_all(best, spaces, None, Allowance::ENDLESS)?.outcome)
    }

    fn attempt_all<'a>(
        &mut self,
        mut best: Best,
        mut spaces: Spaces<'a>,
        breadth: Option<Member<'a>>,
        allowance: Allowance,
    ) -> Result<Best, String> {
        let exact = spaces.exact;
        // Where the goal cannot be nearer, there is nothing to look for.
        let Ok(least) = cancellation::attempt(|| spaces.least_length()) else { return Ok(best) };
        let mut attempts = match best.length <= least {
            true => Vec::new(),
            false if matches!(exact.target, Some(Target::State(_))) => {
                Attempt::towards_state(least > 0, self.first_tables)
            }
            false => Attempt::all(breadth, least > 0, self.first_tables),
        };
        let mut turn = FIRST;
        while best.length > least
            && !attempts.iter().all(|attempt| attempt.is_spent(allowance, best.length))
        {
            let round = Round { allowance, turn };
            if self.shorten_once(&mut attempts, &mut spaces, round, &mut best)?.is_break() {
                return Ok(best);
            }
            turn += next_turn(turn);
        }
        if best.length <= least {
            best.prove(&exact);
        }
        Ok(best)
    }

    /// Gives every attempt a turn; breaks if there is nothing more to learn.
    fn shorten_once<'a>(
        &mut self,
        attempts: &mut Vec<Attempt<'a>>,
        spaces: &mut Spaces<'a>,
        Round { allowance, turn }: Round,
        best: &mut Best,
    ) -> Result<ControlFlow<()>, String> {
        let mut at = 0;
        while let Some(attempt) = attempts.get_mut(at) {
            let most = attempt.most(allowance, best.length);
            let part = attempt.part(turn).min(most);
            let is_exact = attempt.is_exact() && !spaces.space.has_all_traces();
            let begin = || attempt.begin(spaces, &best.outcome, &mut self.making(), turn);
            let Ok(replaced) = cancellation::attempt(begin) else {
                return Ok(ControlFlow::Break(()));
            };
            replaced?.into_iter().for_each(|it| self.release(it));
            let Some(member) = &mut attempt.member else {
                at += 1;
                continue;
            };
            let outcome = self.resume(member, part, Some(best.bound(&spaces.space)));
            let is_over = matches!(outcome, Outcome::Unreachable);
            let space = *member.space();
            attempt.note_progress();
            if self.learn_from(outcome, &space, is_exact, best).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            match is_over {
                true => attempts.remove(at).member.into_iter().for_each(|it| self.release(it)),
                false => at += 1,
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Learns from an attempt; breaks if there is nothing more to learn.
    fn learn_from(
        &mut self,
        outcome: Outcome,
        space: &SearchSpace,
        is_exact: bool,
        best: &mut Best,
    ) -> ControlFlow<()> {
        match outcome {
            Outcome::Unknown(Reason::Budget) => return ControlFlow::Continue(()),
            // Who has no more patience gets what there is.
            Outcome::Unknown(_) => return ControlFlow::Break(()),
            Outcome::Unreachable if space.has_all_traces() => {
                best.prove(space);
                return ControlFlow::Break(());
            }
            Outcome::Unreachable => {}
            Outcome::Reached { .. } => {
                let length = space.length(&outcome);
                *best = Best { outcome: self.note(space, outcome), is_exact, length };
                if space.lacks_room(&best.outcome) {
                    return ControlFlow::Break(());
                }
            }
        }
        match best.outcome.is_unproven() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Notes when the trace that will be reported was found.
    fn note(&mut self, space: &SearchSpace, outcome: Outcome) -> Outcome {
        if let Outcome::Reached { .. } = outcome {
            let total = &mut self.tally.total;
            total.explored_until_found = Some(total.explored);
            self.observer.found(space.length(&outcome));
        }
        outcome
    }

    /// Lets a search go on until all it did is so much work.
    fn resume(&mut self, member: &mut Member, work: u64, below: Option<u32>) -> Outcome {
        let limits = Limits { work: Some(work), below, ..*self.limits };
        member.resume(&limits, &mut self.tally, self.observer)
    }

    /// Gives back what a search for a trace holds, and keeps what is to be told of its heuristic.
    fn release_finder(&mut self, mut finder: Finder) {
        let Some(member) = finder.member.take() else { return };
        // What nobody asked for is told only if it is the proof.
        if !finder.has_own_tables() || self.proven_by.is_some() {
            self.tables.extend(member.heuristic().tables());
        }
        if self.saves && self.to_save.is_none() && !finder.has_own_tables() {
            self.to_save = member.heuristic().saved();
        }
        self.release(member);
    }

    /// Gives back what a search holds.
    fn release(&mut self, member: Member) {
        self.tally.release(&member.statistics());
    }
}

impl First<'_> {
    /// What there is if nothing shorter is looked for.
    pub fn best(self) -> Best {
        let First { outcome, is_exact, length, .. } = self;
        Best { outcome, is_exact, length }
    }
}

impl Best {
    /// What is as long as this is no better. An error that is no answer gives way to a goal that is as near.
    fn bound(&self, space: &SearchSpace) -> u32 {
        self.length.saturating_add(u32::from(!space.is_answer(&self.outcome)))
    }

    /// Says that nothing on a space with all traces is shorter, if that means something.
    fn prove(&mut self, space: &SearchSpace) {
        if space.problem.explorer.layout.has_meta() {
            return;
        }
        match &mut self.outcome {
            Outcome::Reached { shortest, .. } => *shortest = true,
            // The trace that nothing undercuts is not ours.
            other => *other = Outcome::Unreachable,
        }
    }
}

fn has_pruned(member: &Member) -> bool {
    member.statistics().pruned > 0
}

fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(Reason::Budget))
}
