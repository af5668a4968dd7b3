//! Searches that leave out steps against breadth-first search that leaves out none, on random networks and random
//! programs: the same verdicts, every trace replayed, and the same lengths where those are kept.
//!
//! Seen to fail: without any of the rules of docs/algorithms.md, section 2.9; each has an example at the end.
//!
//! `SEEDS=20000 cargo test -p vizsla-search --test partial_order` looks at more of them.

mod support;

use explore::Abstraction;
use network::{Network, PropertyId};
use reduce::Passes;
use search::{
    Configuration, Keeps, Limits, Order, Outcome, PartialOrder, Parts, Problem, Pruning,
    Statistics, StubbornSets, run, run_with,
};
use support::answer::{Answer, replayed};
use support::case::{Case, property};
use support::load;
use testing::StateLimit;
use testing::random::{self, Options};
use testing::texts::{Weights, generate};

const MOST_EXPLORED: u64 = 20_000;

fn seeds() -> u64 {
    std::env::var("SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(600)
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    found: u64,
    /// States that were stored by breadth-first search, and with fewer steps.
    all: u64,
    left: u64,
}

fn reduced(problem: &Problem, order: Order, keeps: Keeps) -> Option<(Outcome, Statistics)> {
    let known = PartialOrder::of(problem)?;
    let pruning: Box<dyn Pruning> = Box::new(StubbornSets::new(&known, problem.explorer, keeps));
    let parts = Parts { pruning: Some(pruning), ..Parts::default() };
    let mut limit = StateLimit(MOST_EXPLORED);
    let configuration = Configuration::from(order);
    Some(run_with(problem.explorer, &configuration, parts, &Limits::default(), &mut limit))
}

/// The length of what was found, if something was.
fn length(answer: Answer) -> Option<usize> {
    match answer {
        Answer::Reached { length, .. } | Answer::Error(length) => Some(length),
        _ => None,
    }
}

const WAYS: [(Order, Keeps); 5] = [
    (Order::BreadthFirst, Keeps::Lengths),
    (Order::BreadthFirst, Keeps::Verdict),
    (Order::DepthFirst, Keeps::Verdict),
    (Order::OldestFirst, Keeps::Verdict),
    (Order::RandomDepthFirst { seed: 7 }, Keeps::Verdict),
];

fn compare(network: Network, case: &str, tally: &mut Tally) {
    let Ok(compiled) = Case::compile(network, Abstraction::default()) else { return };
    let (problem, explorer) = (compiled.problem(), &compiled.explorer);
    let bfs = Configuration::from(Order::BreadthFirst);
    let (outcome, all) = run(explorer, &bfs, &Limits::default(), &mut StateLimit(MOST_EXPLORED));
    let truth = replayed(&problem, outcome, case);
    let counts = explorer.counts_errors();
    if truth == Answer::Unknown || !counts && matches!(truth, Answer::Error(_)) {
        return;
    }
    for (order, keeps) in WAYS {
        let case = format!("{case}, {order:?}, {keeps:?}");
        let Some((outcome, left)) = reduced(&problem, order, keeps) else { return };
        let answer = replayed(&problem, outcome, &case);
        // An error that is no answer may be met before the goal.
        if answer == Answer::Unknown || !counts && matches!(answer, Answer::Error(_)) {
            continue;
        }
        let text = || network::print(problem.network());
        assert_eq!(length(answer).is_some(), length(truth).is_some(), "{case}\n{}", text());
        if keeps == Keeps::Lengths {
            assert_eq!(length(answer), length(truth), "{case}\n{}", text());
        }
        if let Answer::Reached { length: claimed, shortest: true } = answer {
            assert_eq!(Some(claimed), length(truth), "{case}");
        }
        tally.compared += 1;
        tally.found += u64::from(length(truth).is_some());
        if order == Order::BreadthFirst && length(truth).is_none() {
            tally.all += all.stored;
            tally.left += left.stored;
        }
    }
}

fn compare_networks(options: Options) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..seeds() {
        let mut network = random::network(seed, &options);
        network.properties[PropertyId(0)].counts_errors = seed % 2 == 0;
        compare(network, &format!("seed {seed}"), &mut tally);
    }
    tally
}

#[test]
fn verdicts_and_lengths_stay_on_networks() {
    let options = Options { observers: false, private: true, ..Options::UNTIMED };
    let tally = compare_networks(options);
    assert!(tally.compared > seeds() && tally.found > seeds() / 2, "{tally:?}");
    assert!(tally.left < tally.all, "{tally:?}");
}

#[test]
fn deadlocks_and_errors_stay_on_networks() {
    let options = Options {
        observers: false,
        private: true,
        deadlock: true,
        out_of_range: true,
        ..Options::UNTIMED
    };
    let tally = compare_networks(options);
    assert!(tally.compared > seeds() && tally.found > seeds() / 2, "{tally:?}");
}

/// Without what makes steps wait for all others.
#[test]
fn verdicts_and_lengths_stay_on_simple_networks() {
    let options = Options {
        observers: false,
        private: true,
        timeouts: false,
        control: false,
        ..Options::UNTIMED
    };
    let tally = compare_networks(options);
    assert!(tally.left < tally.all * 9 / 10, "{tally:?}");
}

#[test]
fn verdicts_and_lengths_stay_on_programs() {
    let mut tally = Tally::default();
    for seed in 0..seeds() {
        let mut weights = Weights::default();
        if seed % 2 == 0 {
            for weight in ["send=40", "receive=40", "channel=100", "rendezvous=10"] {
                weights.set(weight).expect("a weight");
            }
        }
        let text = generate(seed, &weights).to_string();
        let options = promela::Options { deadlock: seed % 3 == 0, ..Default::default() };
        let network = load::promela(&text, &[], options);
        let passes = Passes { clear: seed % 4 > 0, merge: seed % 4 > 1 };
        let reduced = reduce::reduce(&network, property(&network), passes);
        compare(Network::clone(&reduced.network), &format!("seed {seed}"), &mut tally);
    }
    assert!(tally.compared > seeds() && tally.found > seeds() / 2, "{tally:?}");
    assert!(tally.left < tally.all, "{tally:?}");
}

/// Programs with an error that would be missed without one of the rules.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "one writes what another reads",
        "byte x; active proctype A() { x = 1 } active proctype B() { x == 0 -> assert(false) }",
    ),
    (
        "two write the same",
        "byte x, b; active proctype A() { x = 1; b == 1 -> assert(x != 1) }
         active proctype B() { x = 2; b = 1 }",
    ),
    (
        "two send on a channel",
        "chan q = [2] of { byte }; active proctype A() { q!1 } active proctype B() { q!2 }
         active proctype C() { byte v; q?v; q?_; assert(v == 1) }",
    ),
    (
        "two receive from a channel",
        "chan q = [2] of { byte }; proctype A() { byte v; q?v; assert(v == 1) } proctype B() { q?_ }
         init { q!1; q!2; atomic { run A(); run B() } }",
    ),
    (
        "a message may come",
        "chan q = [1] of { byte }; active proctype A() { if :: q?_ -> assert(false) :: skip fi }
         active proctype B() { skip; q!1 }",
    ),
    (
        "a message may come from anywhere",
        "chan q = [2] of { byte }; proctype A() { if :: q??2 -> assert(false) :: skip fi }
         proctype B() { skip; q!2 }
         init { q!1; atomic { run A(); run B() } }",
    ),
    (
        "there may be room",
        "chan q = [1] of { byte }; proctype A() { if :: q!2 -> assert(false) :: skip fi }
         proctype B() { skip; q?_ }
         init { q!1; atomic { run A(); run B() } }",
    ),
    (
        "one looks into a channel",
        "chan q = [1] of { byte };
         active proctype A() { if :: len(q) == 1 -> assert(false) :: len(q) == 0 fi }
         active proctype B() { skip; q!1 }",
    ),
    (
        "two may meet",
        "chan r = [0] of { byte }; active proctype A() { if :: r!1 -> assert(false) :: skip fi }
         active proctype B() { skip; r?_ }",
    ),
    (
        "else waits for a message",
        "chan q = [1] of { byte }; active proctype B() { q!1 }
         active proctype A() { skip; if :: q?_ :: else -> assert(false) fi }",
    ),
    (
        "an atomic sequence is interrupted for lack of room",
        "chan q = [1] of { byte }; byte a; proctype B() { q?_ }
         proctype A() { skip; atomic { a = 1; q!1; a = 0 } } proctype C() { a == 1 -> assert(false) }
         init { q!1; atomic { run A(); run B(); run C() } }",
    ),
    (
        "an atomic sequence never ends",
        "byte x; active proctype A() { atomic { do :: x = 0 od } } active proctype B() { assert(false) }",
    ),
    (
        "a loop never ends",
        "active proctype A() { byte y; do :: y = 1 - y od }
         active proctype B() { skip; assert(false) }",
    ),
    (
        "all of an atomic sequence counts",
        "byte a, x; active proctype A() { atomic { a = 1; x = 1 } }
         active proctype B() { x == 0 -> assert(false) }",
    ),
    (
        "a process that is yet to be started counts",
        "byte x; proctype P() { x == 0 -> assert(false) } active proctype A() { x = 1 }
         init { run P() }",
    ),
    (
        "an index will change",
        "byte x[2]; active proctype A() { x[1] = 1 }
         active proctype B() { byte i; i = 1; x[i] == 0 -> assert(false) }",
    ),
    (
        "another changes an index",
        "byte x[2], i, go; active proctype A() { x[1] = 1 } active proctype C() { i = 1; go = 1 }
         active proctype B() { go == 1; x[i] == 0 -> assert(false) }",
    ),
    (
        "an index changes within a step",
        "byte x[2]; active proctype A() { byte i; d_step { i = 1; x[i] = 1 } }
         active proctype B() { x[1] == 0 -> assert(false) }",
    ),
    (
        "a message goes before another",
        "chan q = [2] of { byte }; proctype A() { q!!1 }
         proctype B() { byte v; q?v; assert(v != 2) }
         init { q!2; atomic { run A(); run B() } }",
    ),
    (
        "a timeout of one is the end of that of another",
        "byte y; active proctype A() { timeout -> do :: y = 1 - y od }
         active proctype B() { timeout -> assert(false) }",
    ),
    (
        "errors that are near stay near",
        "active proctype A() { byte y; y = 1; y = 2; y = 3; y = 4 }
         active proctype B() { byte y; y = 1; assert(false) }",
    ),
];

#[test]
fn nothing_is_missed_that_a_rule_is_for() {
    for (name, text) in EXAMPLES {
        // A process that waits for what it has missed is no error here.
        let options = promela::Options { deadlock: false, ..Default::default() };
        let mut tally = Tally::default();
        compare(load::promela(text, &[], options), name, &mut tally);
        assert_eq!((tally.compared, tally.found), (5, 5), "{name}: {tally:?}");
    }
}

/// Goals that would be missed, with the models and the queries.
const GOALS: &[(&str, &str, &str)] = &[
    (
        "a loop never ends",
        "E<> x == 1",
        "byte x; active proctype A() { byte y; do :: y = 1 - y od }
         active proctype B() { x = 1 }",
    ),
    (
        "a goal in the middle of an atomic sequence",
        "E<> a == 1 && x == 1",
        "byte a, x; active proctype A() { atomic { a = 1; a = 0 } } active proctype B() { x = 1 }",
    ),
];

#[test]
fn no_goal_is_missed_that_a_rule_is_for() {
    for (name, query, text) in GOALS {
        let network = load::promela(text, &[query.to_string()], promela::Options::default());
        let mut tally = Tally::default();
        compare(network, name, &mut tally);
        assert_eq!((tally.compared, tally.found), (5, 5), "{name}: {tally:?}");
    }
}

/// Two processes, one of which passes through a committed location, or stays there.
const COMMITTED: &[(&str, &str, &str)] = &[
    (
        "a goal in a committed location",
        "E<> A.a1 && B.b1",
        "process A() { state a0, a1, a2; commit a1; init a0; trans a0 -> a1 { }, a1 -> a2 { }; }",
    ),
    (
        "a deadlock in a committed location",
        "E<> deadlock && A.a1 && B.b0",
        "process A() { state a0, a1; commit a1; init a0; trans a0 -> a1 { }; }",
    ),
];

#[test]
fn committed_locations_stop_all() {
    for (name, query, process) in COMMITTED {
        let other = "process B() { state b0, b1; init b0; trans b0 -> b1 { }; }";
        for system in ["system A, B;", "system B, A;"] {
            let text = format!("{process} {other} {system}");
            let mut tally = Tally::default();
            compare(load::uppaal(&text, query), name, &mut tally);
            assert_eq!((tally.compared, tally.found), (5, 5), "{name}: {tally:?}");
        }
    }
}
