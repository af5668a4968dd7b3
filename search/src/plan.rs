//! Several searches one after the other: first a trace, found fast; then shorter ones, until the
//! shortest is proven or a limit ends it.
//!
//! Each search is a row of the catalog. Budgets are counted in states and steps of computation, so
//! that the same input gives the same result on every machine.

use crate::best_first::{Parts, run_with};
use crate::catalog::{self, Named, Search, Settings};
use crate::configuration::Weight;
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::heuristics::{Reading, Relaxation};
use crate::problem::{Built, Problem};
use crate::{Control, Limits, Observer, Outcome, Reason, Statistics};
use explore::End;
use network::Expr;

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

/// How much work the first attempt with a heuristic may be, and how many states the first one without
/// may explore: some tenths of a second.
const FIRST: (u64, u64) = (40_000_000, 200_000);

/// How many times larger each budget is than the one before, with a heuristic and without.
const GROWTH: (u64, u64) = (4, 8);

/// How much work each attempt to shorten a trace may be.
const SHORTENING: u64 = 50_000_000;

/// The weights of those attempts.
const WEIGHTS: [Weight; 3] = [Weight(500), Weight(200), Weight::ONE];

/// The same for the proof that a trace is the shortest, and how many states are explored for it where
/// estimates are of no use.
const PROOF: (u64, u64) = (150_000_000, 300_000);

/// A way to look for a first trace.
struct Attempt<'a> {
    search: &'static str,
    heuristic: Box<dyn Fn() -> Built<'a> + 'a>,
}

/// Runs a plan.
pub fn run_plan(
    problem: &Problem,
    plan: &Plan,
    heuristic: Option<&'static Named>,
    settings: &Settings,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Result<(Outcome, Statistics), String> {
    let mut runner =
        Runner { problem, settings: *settings, limits, observer, total: Statistics::default() };
    let found = runner.find(heuristic)?;
    let outcome = match found {
        Outcome::Reached { shortest: false, .. } => runner.shorten(found, plan.patient)?,
        Outcome::Reached { .. } => runner.note(found),
        settled => settled,
    };
    Ok((outcome, runner.total))
}

struct Runner<'r, 'a> {
    problem: &'r Problem<'a>,
    settings: Settings,
    limits: &'r Limits,
    observer: &'r mut dyn Observer,
    total: Statistics,
}

impl<'a> Runner<'_, 'a> {
    /// Looks for a trace, by turns with each heuristic and breadth first, with growing budgets: where
    /// there is none, the heuristics cost little, and where they help, the rest does.
    fn find(&mut self, heuristic: Option<&'static Named>) -> Result<Outcome, String> {
        let attempts = self.attempts(heuristic);
        let (mut work, mut explored) = FIRST;
        loop {
            let limits = Limits { work: Some(work), ..*self.limits };
            for attempt in &attempts {
                let outcome = self.attempt(attempt.search, (attempt.heuristic)()?, &limits)?;
                if !is_open(&outcome) {
                    return Ok(outcome);
                }
            }
            let plain = Limits { explored: Some(explored), ..*self.limits };
            let outcome = self.run("bfs", Parts::default(), &plain);
            if !is_open(&outcome) {
                return Ok(outcome);
            }
            work *= GROWTH.0;
            explored *= GROWTH.1;
        }
    }

    /// How the first trace is looked for.
    fn attempts(&self, heuristic: Option<&'static Named>) -> Vec<Attempt<'a>> {
        let problem = *self.problem;
        let named = |search, entry: &'static Named| Attempt {
            search,
            heuristic: Box::new(move || entry.build(&problem)),
        };
        if let Some(entry) = heuristic {
            return vec![named("greedy", entry)];
        }
        let mut attempts = Vec::new();
        let deadlock = problem.seeks_deadlock();
        if deadlock && let Some(entry) = catalog::heuristic("active-processes") {
            attempts.push(named("greedy", entry));
        }
        if !deadlock || problem.property.counts_errors {
            let relaxation = move || Relaxation::without_deadlock(&problem, Reading::Trace);
            attempts.push(Attempt {
                search: "useless-queues",
                heuristic: Box::new(move || Ok(Box::new(relaxation()))),
            });
        }
        attempts.retain(|attempt| match (attempt.heuristic)() {
            Ok(mut heuristic) => self.says_something(&mut *heuristic),
            Err(_) => true,
        });
        attempts
    }

    /// Whether a heuristic sees the goal from where the search starts.
    fn says_something(&self, heuristic: &mut dyn Heuristic) -> bool {
        let estimate = self.initial_estimate(heuristic);
        estimate != 0 && (estimate != UNREACHABLE || heuristic.guarantees().dead_end_safe)
    }

    fn initial_estimate(&self, heuristic: &mut dyn Heuristic) -> u32 {
        let explorer = self.problem.explorer;
        let mut estimate = 0;
        let mut workspace = explorer.workspace();
        // An error is found again by the search itself.
        let _ = explorer.initial(&mut workspace, &mut |state, _| {
            estimate = heuristic.estimate(state);
        });
        estimate
    }

    /// Replaces a trace by shorter ones, as long as there are any.
    fn shorten(&mut self, found: Outcome, patient: bool) -> Result<Outcome, String> {
        let mut best = self.note(found);
        // Where the goal cannot be nearer, there is nothing to look for.
        let least = self.least_length();
        for weight in WEIGHTS {
            if length(&best) <= least {
                return Ok(self.proven(best));
            }
            let below = Some(length(&best));
            let limits = Limits { work: Some(SHORTENING), below, ..*self.limits };
            self.settings.weight = weight;
            let guide = self.guide(&best)?;
            match self.attempt("weighted-astar", guide, &limits)? {
                Outcome::Unknown(Reason::Budget) => {}
                shorter @ Outcome::Reached { .. } => best = self.note(shorter),
                Outcome::Unreachable => return Ok(self.proven(best)),
                // Who has no more patience gets what there is.
                Outcome::Unknown(_) => return Ok(best),
            }
        }
        self.prove(best, least, patient)
    }

    /// A length that no trace undercuts.
    fn least_length(&self) -> u32 {
        let mut layers = Relaxation::new(self.problem, Reading::Layers);
        let estimate = self.initial_estimate(&mut layers);
        match layers.guarantees().admissible && estimate != UNREACHABLE {
            true => estimate,
            false => 0,
        }
    }

    /// What leads to another end of the same kind.
    fn guide(&self, best: &Outcome) -> Built<'a> {
        let deadlock = matches!(best, Outcome::Reached { end: End::Goal, .. })
            && self.problem.seeks_deadlock();
        match catalog::heuristic("active-processes").filter(|_| deadlock) {
            Some(entry) => entry.build(self.problem),
            None => Ok(Box::new(Relaxation::without_deadlock(self.problem, Reading::Trace))),
        }
    }

    /// Looks at everything that could be shorter.
    fn prove(&mut self, best: Outcome, least: u32, patient: bool) -> Result<Outcome, String> {
        if length(&best) <= least {
            return Ok(self.proven(best));
        }
        let (work, explored) = PROOF;
        let limits = Limits {
            work: (!patient).then_some(work),
            explored: (!patient).then_some(explored),
            below: Some(length(&best)),
            ..*self.limits
        };
        let outcome = match least > 0 {
            true => {
                let layers = Relaxation::new(self.problem, Reading::Layers);
                self.attempt("astar", Box::new(layers), &limits)?
            }
            false => self.run("bfs", Parts::default(), &limits),
        };
        Ok(match outcome {
            Outcome::Unreachable => self.proven(best),
            Outcome::Reached { .. } => self.note(outcome),
            Outcome::Unknown(_) => best,
        })
    }

    /// Notes when the trace that will be reported was found.
    fn note(&mut self, found: Outcome) -> Outcome {
        self.total.explored_until_found = Some(self.total.explored);
        self.observer.found(length(&found));
        found
    }

    /// A trace than which no shorter one was found although everything was looked at.
    fn proven(&self, best: Outcome) -> Outcome {
        let exact = self.problem.explorer.layout.meta_packing().bytes() == 0;
        match best {
            Outcome::Reached { path, end, .. } => Outcome::Reached { path, end, shortest: exact },
            other => other,
        }
    }

    fn attempt(
        &mut self,
        name: &'static str,
        mut heuristic: Box<dyn Heuristic + 'a>,
        limits: &Limits,
    ) -> Result<Outcome, String> {
        let guidance = entry(name)?.guidance(self.problem, &self.settings, &mut *heuristic)?;
        let parts = Parts { heuristic: Some(heuristic), guidance, costs: None };
        Ok(self.run(name, parts, limits))
    }

    fn run(&mut self, name: &'static str, parts: Parts, limits: &Limits) -> Outcome {
        let Ok(search) = entry(name) else { return Outcome::Unknown(Reason::Budget) };
        let configuration = search.configuration(&self.settings);
        let mut observer = Adding { observer: self.observer, before: self.total };
        let explorer = self.problem.explorer;
        let (outcome, statistics) =
            run_with(explorer, &configuration, parts, limits, &mut observer);
        self.total = sum(self.total, statistics);
        outcome
    }
}

fn entry(name: &str) -> Result<&'static Search, String> {
    catalog::search(name).ok_or_else(|| format!("there is no search `{name}`"))
}

fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(Reason::Budget))
}

fn length(outcome: &Outcome) -> u32 {
    match outcome {
        Outcome::Reached { path, end: End::Error(_), .. } => path.len() as u32 + 1,
        Outcome::Reached { path, .. } => path.len() as u32,
        _ => u32::MAX,
    }
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
    }
}

impl Problem<'_> {
    /// Whether the goal is about deadlocks.
    pub fn seeks_deadlock(&self) -> bool {
        let mut found = false;
        if let Some(expression) = self.property.claim.expression() {
            expression.walk(&mut |e| found |= matches!(e, Expr::Deadlock));
        }
        found
    }
}
