//! Every search of the catalog, with every heuristic that goes with it, against breadth-first search
//! on random networks: the same verdict, no trace shorter than the shortest, every trace replayed, and
//! "proven shortest" only where it is true.

mod support;

use explore::{Abstraction, End};
use network::Id;
use search::catalog::{self, SEARCHES, SearchEntry, Settings};
use search::{Contexts, Costs, Limits, Outcome, Parts, Penalty, Problem, Ties};
use support::answer::{Answer, replayed};
use support::case::Case;
use testing::StateLimit;
use testing::random::{self, Options};

const MOST_EXPLORED: u64 = 5000;

/// The answer of a search with a heuristic; none if they do not go together.
fn answer(
    problem: &Problem,
    search: &SearchEntry,
    settings: &Settings,
    heuristic: &str,
) -> Option<Answer> {
    let mut parts = Parts::default();
    if search.is_directed() {
        let mut built = support::build(catalog::heuristic(heuristic)?, problem).ok()?;
        parts.guidance = search.guidance(problem, settings, &mut *built).ok()?;
        parts.heuristic = Some(built);
    }
    let configuration = search.configuration(settings);
    let limits = Limits::default();
    let mut limit = StateLimit(MOST_EXPLORED);
    let (outcome, _) =
        search::run_with(problem.explorer, &configuration, parts, &limits, &mut limit);
    Some(replayed(problem, outcome, &format!("{} with {heuristic}", search.name)))
}

/// Every kind of setting, by turns.
fn settings(seed: u64) -> Settings {
    Settings {
        seed,
        ties: if seed.is_multiple_of(2) { Ties::Lifo } else { Ties::Fifo },
        penalty: if seed.is_multiple_of(3) { Penalty::Succ } else { Penalty::Pred },
        contexts: [Contexts::Equal, Contexts::Intersect, Contexts::Exact][(seed % 3) as usize],
        ..Settings::default()
    }
}

/// Compares all searches on some networks; returns how many traces were compared.
fn compare(seeds: std::ops::Range<u64>, options: Options) -> usize {
    let mut traces = 0;
    for seed in seeds {
        let network = random::network(seed, &options);
        let Ok(case) = Case::compile(network, Abstraction::default()) else { continue };
        let problem = case.problem();
        let bfs = catalog::search("bfs").expect("bfs");
        let truth = answer(&problem, bfs, &settings(seed), "blind").expect("an answer");
        for search in SEARCHES {
            for heuristic in support::heuristics(seed) {
                let found = answer(&problem, search, &settings(seed), heuristic.name);
                let case = || format!("seed {seed}, {}, {}", search.name, heuristic.name);
                match (truth, found) {
                    (_, None | Some(Answer::Unknown)) | (Answer::Unknown, _) => {}
                    (
                        Answer::Reached { length: least, .. },
                        Some(Answer::Reached { length, shortest }),
                    ) => {
                        assert!(length >= least, "{}: {length} < {least}", case());
                        assert!(!shortest || length == least, "{}: {length} > {least}", case());
                        traces += 1;
                    }
                    // An error ends a search as a goal does; which one comes first is not fixed.
                    (Answer::Error(_), Some(Answer::Reached { .. } | Answer::Error(_))) => {}
                    (Answer::Reached { .. }, Some(Answer::Error(_))) => {}
                    // What cannot lead to the goal is dropped, errors and all, unless they count.
                    (Answer::Error(_), Some(Answer::Unreachable))
                        if !problem.property().counts_errors => {}
                    (_, Some(found)) => assert_eq!(found, truth, "{}", case()),
                }
                if !search.is_directed() {
                    break;
                }
            }
        }
    }
    traces
}

#[test]
fn all_searches_agree_on_timed_networks() {
    let traces = compare(0..250, Options { strict: true, negated: true, ..Options::default() });
    assert!(traces > 1500, "{traces}");
}

#[test]
fn all_searches_agree_on_message_passing_networks() {
    let traces = compare(0..400, Options::UNTIMED);
    assert!(traces > 800, "{traces}");
}

#[test]
fn all_searches_agree_on_networks_with_observers_and_errors() {
    let plain = Options { clockless: true, ..Options::default() };
    let traces = compare(0..150, Options { observers: true, buffers: true, ..plain })
        + compare(0..150, Options { out_of_range: true, control: true, ..plain });
    assert!(traces > 1000, "{traces}");
}

/// Searches that look at costs agree on the least one, whatever the heuristic.
#[test]
fn costs_are_least_alike() {
    let options = Options { strict: true, ..Options::default() };
    let mut compared = 0;
    for seed in 0..200 {
        let network = random::network(seed, &options);
        let Ok(case) = Case::compile(network, Abstraction::default()) else { continue };
        let (problem, explorer) = (case.problem(), &case.explorer);
        // Costs from 0 to 6, or from 1 so that estimates count.
        let cost = |edge: usize| (edge as u64 * 5 + seed) % 7 + seed % 2;
        let costs = Costs::new(explorer.edges().map(|edge| cost(edge.index()) as u32));
        let least = |name: &str, heuristic: &str| {
            let search = catalog::search(name)?;
            let mut parts = Parts { costs: Some(&costs), ..Parts::default() };
            if search.is_directed() {
                parts.heuristic =
                    Some(support::build(catalog::heuristic(heuristic)?, &problem).ok()?);
            }
            let configuration = search.configuration(&settings(seed));
            let limits = Limits::default();
            let mut limit = StateLimit(MOST_EXPLORED);
            let found = search::run_with(explorer, &configuration, parts, &limits, &mut limit);
            match found.0 {
                Outcome::Reached { path, end: End::Goal, shortest: true } => {
                    Some(costs.of_path(explorer, &path))
                }
                _ => None,
            }
        };
        let Some(truth) = least("astar", "blind") else { continue };
        let others = support::heuristics(seed).map(|named| least("astar", named.name));
        for other in others.chain([least("bounded-dfs", "blind")]).flatten() {
            assert_eq!(other, truth, "seed {seed}");
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}
