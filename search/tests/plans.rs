//! Plans on random networks against breadth-first search: the same verdicts, every trace replayed,
//! never shorter than the shortest, and as short where that is claimed; `anytime` always claims it.
//!
//! Seen to fail: with a bound that keeps traces of the same length out of reach of the proof (one less
//! than the length), and with a proof that trusts a heuristic without promises.

mod support;

use explore::Abstraction;
use search::catalog::Settings;
use search::{
    Best, Configuration, Limits, Order, Outcome, PLANS, Plan, PlanRun, Problem, SearchSpace, run,
    run_plan,
};
use support::answer::{Answer, replayed};
use support::case::Case;
use testing::StateLimit;
use testing::random::{self, Options};

const MOST_EXPLORED: u64 = 60_000;

/// How a plan is run.
#[derive(Clone, Copy, Debug)]
enum Run {
    Usual,
    /// With tables from the start, which small models do not wait for.
    Tables,
}

impl Run {
    fn of(self, plan: &Plan, problem: &Problem) -> Result<Outcome, String> {
        let (settings, limits) = (Settings::default(), Limits::default());
        let limit = &mut StateLimit(MOST_EXPLORED);
        if let Run::Usual = self {
            return Ok(run_plan(problem, plan, None, &settings, &limits, limit)?.0);
        }
        let mut run = PlanRun::new(plan, &settings, &limits, limit).with_tables_after(0);
        let space = SearchSpace::of(problem);
        let first = run.find(&space, None, None)?;
        let Best { outcome, .. } = run.shorten(first, &space, &space)?;
        Ok(outcome)
    }
}

/// Compares plans with breadth-first search; returns how many traces were compared.
fn compare(seeds: std::ops::Range<u64>, options: Options) -> usize {
    let mut traces = 0;
    for seed in seeds {
        let network = random::network(seed, &options);
        let Ok(case) = Case::compile(network, Abstraction::default()) else { continue };
        let (problem, explorer) = (case.problem(), &case.explorer);
        let limits = Limits::default();
        let bfs = Configuration::from(Order::BreadthFirst);
        let (outcome, _) = run(explorer, &bfs, &limits, &mut StateLimit(MOST_EXPLORED));
        let truth = replayed(&problem, outcome, &format!("seed {seed}"));
        for (plan, run) in PLANS.iter().flat_map(|plan| [(plan, Run::Usual), (plan, Run::Tables)]) {
            let case = format!("seed {seed}, {}, {run:?}", plan.name);
            let outcome = run.of(plan, &problem).unwrap_or_else(|why| panic!("{case}: {why}"));
            match (truth, replayed(&problem, outcome, &case)) {
                (Answer::Unknown, _) | (_, Answer::Unknown) => {}
                (Answer::Reached { length: least, .. }, Answer::Reached { length, shortest }) => {
                    assert!(length >= least, "{case}: {length} < {least}");
                    assert!(!shortest || length == least, "{case}: {length} > {least}");
                    let patient = plan.name == "anytime" && explorer.is_exact();
                    assert!(!patient || shortest, "{case}: {length} is not proven shortest");
                    traces += 1;
                }
                // An error ends a search as a goal does, and it need not count.
                (Answer::Error(_), _) | (_, Answer::Error(_)) => {}
                (expected, found) => assert_eq!(found, expected, "{case}"),
            }
        }
    }
    traces
}

#[test]
fn plans_agree_on_timed_networks() {
    let traces = compare(0..300, Options { strict: true, negated: true, ..Options::default() });
    assert!(traces > 200, "{traces}");
}

#[test]
fn plans_agree_on_message_passing_networks() {
    let traces = compare(0..300, Options::UNTIMED);
    assert!(traces > 100, "{traces}");
}

#[test]
fn plans_agree_on_deadlocks() {
    let traces = compare(0..200, Options { deadlock: true, ..Options::UNTIMED });
    assert!(traces > 60, "{traces}");
}
