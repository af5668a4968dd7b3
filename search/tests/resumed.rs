//! Searches that are suspended before every state they explore: they find, count and hold the same as those
//! that run through.
//!
//! Seen to fail: with the state that is next when a search is suspended dropped, or put back into the
//! open list; and with an error that was found, but may not be the nearest end, taken for the answer.

mod support;

use explore::Abstraction;
use search::catalog::{self, SEARCHES, Settings};
use search::{Limits, Outcome, Parts, Problem, Reason, Search, Statistics};
use support::case::Case;
use testing::StateLimit;
use testing::random::{self, Options};

/// What every search needs beside its order.
fn parts<'a>(search: &catalog::SearchEntry, problem: &Problem<'a>) -> Option<Parts<'a>> {
    if !search.is_directed() {
        return Some(Parts::default());
    }
    let mut heuristic = search.usual_heuristic(problem).build(problem).ok()?;
    let guidance = search.guidance(problem, &Settings::default(), &mut *heuristic).ok()?;
    Some(Parts { heuristic: Some(heuristic), guidance, ..Parts::default() })
}

/// Runs a search with budgets that grow by one; returns how often it was suspended, too.
fn by_turns(search: &mut Search, limit: &mut StateLimit) -> (Outcome, Statistics, usize) {
    let mut turns = 0;
    loop {
        let limits = Limits { work: Some(search.work() + 1), ..Limits::default() };
        match search.resume(&limits, limit) {
            Outcome::Unknown(Reason::Budget) => turns += 1,
            outcome => return (outcome, search.statistics(), turns),
        }
    }
}

fn compare(seeds: std::ops::Range<u64>, options: &Options) -> usize {
    let mut suspended = 0;
    for seed in seeds {
        let network = random::network(seed, options);
        let Ok(case) = Case::compile(network, Abstraction::default()) else { continue };
        let (problem, explorer) = (case.problem(), &case.explorer);
        for search in SEARCHES {
            let configuration = search.configuration(&Settings::default());
            let begin = || {
                let parts = parts(search, &problem)?;
                Some(Search::new(explorer, &configuration, parts))
            };
            let (Some(mut one), Some(mut other)) = (begin(), begin()) else { continue };
            let whole = one.resume(&Limits::default(), &mut StateLimit(2_000));
            let (outcome, statistics, turns) = by_turns(&mut other, &mut StateLimit(2_000));
            let name = search.name;
            assert_eq!(format!("{outcome:?}"), format!("{whole:?}"), "seed {seed}, {name}");
            assert_eq!(statistics, one.statistics(), "seed {seed}, {name}");
            suspended += turns;
        }
    }
    suspended
}

#[test]
fn suspended_searches_go_on_as_if_nothing_had_happened() {
    let programs = Options { out_of_range: true, ..Options::UNTIMED };
    for options in [Options::default(), programs, Options { deadlock: true, ..Options::UNTIMED }] {
        let suspended = compare(0..60, &options);
        assert!(suspended > 1_000, "{suspended}, {options:?}");
    }
}
