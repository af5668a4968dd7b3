//! Several searches one after the other: first a trace, found fast; then shorter ones, until the
//! shortest is proven or a limit ends it.
//!
//! Each search is a row of the catalog. Budgets are counted in states and steps of computation, so
//! that the same input gives the same result on every machine.

mod ground;
mod scent;

pub use ground::Ground;

use crate::best_first::{Parts, run_with};
use crate::catalog::{self, Named, Search, Settings};
use crate::configuration::Weight;
use crate::heuristic::Heuristic;
use crate::heuristics::{Reading, Relaxation};
use crate::problem::Problem;
use crate::{Control, Limits, Observer, Outcome, Reason, Statistics};
use network::patience;
use scent::Scent;
use std::ops::ControlFlow;

/// A plan a user can name.
#[derive(Debug)]
pub struct Plan {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Whether it goes on until the shortest trace is proven, however long that takes.
    patient: bool,
}

/// Every plan.
pub const PLANS: &[Plan] = &[
    Plan {
        name: "auto",
        summary: "Find a trace fast, shorten it within reason, and say whether it is the shortest",
        patient: false,
    },
    Plan {
        name: "anytime",
        summary: "Find a trace fast, then shorter ones, until the shortest is proven",
        patient: true,
    },
];

/// The plan with a name.
pub fn plan(name: &str) -> Option<&'static Plan> {
    PLANS.iter().find(|entry| entry.name == name)
}

/// How much work the first search with a heuristic may be, and how many times larger each budget is
/// than the one before.
const FIND: u64 = 100_000;
const FIND_GROWTH: u64 = 4;

/// The same for the searches without one.
const PLAIN: u64 = 100_000;
const PLAIN_GROWTH: u64 = 8;

/// The same for the attempts to shorten a trace.
const SHORTEN: u64 = 125_000;
const SHORTEN_GROWTH: u64 = 8;

/// Attempts this large come after a proof that they are worth while. They take about a second, and are
/// the last of a plan without patience.
const LARGE: u64 = SHORTEN * SHORTEN_GROWTH.pow(3);

/// How many times as much work that proof may be.
const PROOF: u64 = 3;

/// How a shorter trace is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    /// With an estimate that counts much.
    Careless,
    /// With one that counts as much as the way so far.
    Careful,
    /// With one that is never too high, or none.
    Proof,
}

/// What is tried in turn.
const ATTEMPTS: [Attempt; 3] = [Attempt::Proof, Attempt::Careless, Attempt::Careful];

/// A plan at work.
pub struct Hunt<'r> {
    plan: &'r Plan,
    settings: Settings,
    limits: &'r Limits,
    observer: &'r mut dyn Observer,
    total: Statistics,
}

/// The best trace so far.
pub struct Best {
    /// The trace.
    pub outcome: Outcome,
    /// Whether it is one of the model itself, not one of the ground on which the first was found.
    pub is_exact: bool,
    length: u32,
}

/// Runs a plan on one problem from beginning to end.
pub fn run_plan(
    problem: &Problem,
    plan: &Plan,
    heuristic: Option<&'static Named>,
    settings: &Settings,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<(Outcome, Statistics), String> {
    let mut hunt = Hunt::new(plan, settings, limits, observer);
    let ground = Ground { problem: *problem, lengths: None };
    let mut outcome = hunt.find(&ground, heuristic)?;
    if outcome.is_unproven() {
        outcome = hunt.shorten(outcome, &ground, &ground)?.outcome;
    }
    Ok((outcome, hunt.statistics()))
}

impl<'r> Hunt<'r> {
    /// Starts a plan.
    pub fn new(
        plan: &'r Plan,
        settings: &Settings,
        limits: &'r Limits,
        observer: &'r mut dyn Observer,
    ) -> Hunt<'r> {
        Hunt { plan, settings: *settings, limits, observer, total: Statistics::default() }
    }

    /// What all searches did so far.
    pub fn statistics(&self) -> Statistics {
        self.total
    }

    /// Looks for a trace, by turns with each heuristic and breadth first, with growing budgets: where
    /// there is none, the heuristics cost little, and where they help, the rest does.
    pub fn find(
        &mut self,
        ground: &Ground,
        heuristic: Option<&'static Named>,
    ) -> Result<Outcome, String> {
        while_wanted(|| self.find_by_turns(ground, heuristic))
    }

    fn find_by_turns(
        &mut self,
        ground: &Ground,
        heuristic: Option<&'static Named>,
    ) -> Result<Outcome, String> {
        let mut scents = scent::scents(&ground.problem, heuristic);
        let (mut guided, mut plain) = (FIND, PLAIN);
        loop {
            let limits = Limits { work: Some(guided), ..*self.limits };
            for scent in &mut scents {
                let outcome = self.follow_up(ground, scent, &limits)?;
                if !is_open(&outcome) {
                    return Ok(self.note(ground, outcome));
                }
            }
            let limits = Limits { work: Some(plain), ..*self.limits };
            let outcome = self.run(ground, "bfs", Parts::default(), &limits);
            if !is_open(&outcome) {
                return Ok(self.note(ground, outcome));
            }
            guided = guided.saturating_mul(FIND_GROWTH);
            plain = plain.saturating_mul(PLAIN_GROWTH);
        }
    }

    /// Replaces a trace by shorter ones, by turns with each attempt, with growing budgets, until it is
    /// proven that there are none. Careless attempts are made on the ground where the trace was
    /// found, the others on one that has all traces of the model.
    pub fn shorten(
        &mut self,
        found: Outcome,
        ground: &Ground,
        exact: &Ground,
    ) -> Result<Best, String> {
        let mut best = Best { length: ground.length(&found), outcome: found, is_exact: false };
        // Where the goal cannot be nearer, there is nothing to look for.
        let Ok(least) = patience::attempt(|| exact.least_length()) else { return Ok(best) };
        let mut work = SHORTEN;
        while best.length > least && (self.plan.patient || work <= LARGE) {
            for attempt in ATTEMPTS {
                // As long as the trace is easily shortened, there is nothing to prove.
                if attempt == Attempt::Proof && work < LARGE {
                    continue;
                }
                let on = if attempt == Attempt::Careless { ground } else { exact };
                let outcome = while_wanted(|| self.attempt(attempt, on, work, &best, least))?;
                if self.weigh(outcome, on, attempt, &mut best).is_break() {
                    return Ok(best);
                }
            }
            work = work.saturating_mul(SHORTEN_GROWTH);
        }
        if best.length <= least {
            best.prove(exact);
        }
        Ok(best)
    }

    fn attempt(
        &mut self,
        attempt: Attempt,
        ground: &Ground,
        work: u64,
        best: &Best,
        least: u32,
    ) -> Result<Outcome, String> {
        let mut limits = Limits { work: Some(work), below: Some(best.length), ..*self.limits };
        self.settings.weight = match attempt {
            Attempt::Careless => Weight(500),
            Attempt::Careful => Weight::ONE,
            Attempt::Proof => {
                limits.work = Some(work.saturating_mul(PROOF));
                if least == 0 {
                    return Ok(self.run(ground, "bfs", Parts::default(), &limits));
                }
                let layers = Relaxation::new(&ground.problem, Reading::Layers);
                return self.follow(ground, "astar", Box::new(layers), &limits);
            }
        };
        let heuristic = scent::of_end(&ground.problem, &best.outcome)?;
        self.follow(ground, "weighted-astar", heuristic, &limits)
    }

    /// Learns from an attempt; breaks if there is nothing more to learn.
    fn weigh(
        &mut self,
        outcome: Outcome,
        ground: &Ground,
        attempt: Attempt,
        best: &mut Best,
    ) -> ControlFlow<()> {
        match outcome {
            Outcome::Unknown(Reason::Budget) => return ControlFlow::Continue(()),
            // Who has no more patience gets what there is.
            Outcome::Unknown(_) => return ControlFlow::Break(()),
            Outcome::Unreachable if ground.has_all_traces() => {
                best.prove(ground);
                return ControlFlow::Break(());
            }
            Outcome::Unreachable => {}
            Outcome::Reached { .. } => {
                let length = ground.length(&outcome);
                let is_exact = attempt != Attempt::Careless;
                *best = Best { outcome: self.note(ground, outcome), is_exact, length };
            }
        }
        match best.outcome.is_unproven() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// Notes when the trace that will be reported was found.
    fn note(&mut self, ground: &Ground, outcome: Outcome) -> Outcome {
        if let Outcome::Reached { .. } = outcome {
            self.total.explored_until_found = Some(self.total.explored);
            self.observer.found(ground.length(&outcome));
        }
        outcome
    }

    /// Follows a scent with one search after the other.
    fn follow_up(
        &mut self,
        ground: &Ground,
        scent: &mut Scent,
        limits: &Limits,
    ) -> Result<Outcome, String> {
        for search in scent.searches {
            let Some(heuristic) = scent.heuristic()? else { break };
            let outcome = self.follow(ground, search, Box::new(heuristic), limits)?;
            if !is_open(&outcome) {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Unknown(Reason::Budget))
    }

    fn follow<'a>(
        &mut self,
        ground: &Ground<'a>,
        name: &'static str,
        mut heuristic: Box<dyn Heuristic + 'a>,
        limits: &Limits,
    ) -> Result<Outcome, String> {
        let guidance = entry(name)?.guidance(&ground.problem, &self.settings, &mut *heuristic)?;
        let parts = Parts { heuristic: Some(heuristic), guidance, costs: ground.lengths };
        Ok(self.run(ground, name, parts, limits))
    }

    fn run(&mut self, ground: &Ground, name: &str, parts: Parts, limits: &Limits) -> Outcome {
        let Ok(search) = entry(name) else { return Outcome::Unknown(Reason::Budget) };
        let configuration = search.configuration(&self.settings);
        let mut observer = Adding { observer: self.observer, before: self.total };
        let explorer = ground.problem.explorer;
        let (mut outcome, statistics) =
            run_with(explorer, &configuration, parts, limits, &mut observer);
        if let Outcome::Reached { shortest, .. } = &mut outcome {
            *shortest &= ground.has_all_traces();
        }
        self.total = sum(self.total, statistics);
        outcome
    }
}

impl Best {
    /// Says that nothing on a ground with all traces is shorter, if that means something.
    fn prove(&mut self, ground: &Ground) {
        if let Outcome::Reached { shortest, .. } = &mut self.outcome {
            *shortest = !ground.problem.explorer.layout.has_meta();
        }
    }
}

fn entry(name: &str) -> Result<&'static Search, String> {
    catalog::search(name).ok_or_else(|| format!("there is no search `{name}`"))
}

/// What comes of some work, which may end before there is a search that could tell.
fn while_wanted(work: impl FnOnce() -> Result<Outcome, String>) -> Result<Outcome, String> {
    patience::attempt(work).unwrap_or_else(|cause| Ok(Outcome::Unknown(cause.into())))
}

fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(Reason::Budget))
}

/// Tells the observer of all searches together.
struct Adding<'o> {
    observer: &'o mut dyn Observer,
    before: Statistics,
}

impl Observer for Adding<'_> {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        self.observer.tick(&sum(self.before, *statistics))
    }
}

/// What two searches did; they did not run at the same time.
fn sum(a: Statistics, b: Statistics) -> Statistics {
    Statistics {
        explored: a.explored + b.explored,
        generated: a.generated + b.generated,
        stored: a.stored.max(b.stored),
        stale: a.stale + b.stale,
        evaluated: a.evaluated + b.evaluated,
        reopened: a.reopened + b.reopened,
        pruned: a.pruned + b.pruned,
        max_open: a.max_open.max(b.max_open),
        depth: a.depth.max(b.depth),
        bytes: a.bytes.max(b.bytes),
        explored_until_found: a.explored_until_found,
        complete: a.complete || b.complete,
    }
}
