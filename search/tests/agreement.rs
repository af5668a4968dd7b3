//! The zone search against a naive explorer in discrete time that shares no code with it, on random
//! small networks: verdicts, shortest lengths, and every trace replayed. A failure prints the seed.
//!
//! The checks were seen to fail: with `up` left out, with an invariant not applied again after a
//! delay, with L and U exchanged, with the goal's clocks left out of the bounds, with deadlock or
//! priorities under plain LU bounds, without the priority cut, without the cells of broadcasts, with
//! open nodes dropped at a higher cost, with urgency ignored, with `down` left out of deadlocks, and
//! with stopped clocks running. What random networks do not hit is in
//! `corners.rs` and in `models/networks`.

mod support;

use explore::{Abstraction, Explorer};
use network::Network;
use search::Problem;
use search::{Configuration, Limits, Order};
use support::answer::{Answer, replayed};
use support::case::property;
use testing::StateLimit;
use testing::discrete::{self, Limits as Grid, Outcome as Truth};
use testing::random::{self, Options};

const ABSTRACTIONS: [Abstraction; 3] =
    [Abstraction::ExtraLuCoverAlu, Abstraction::ExtraLu, Abstraction::CoverAlu];

fn answer(network: &Network, abstraction: Abstraction, order: Order, seed: u64) -> Answer {
    let explorer = Explorer::compile(network.clone(), Some(property(network)), abstraction)
        .unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
    let configuration = Configuration::from(order);
    let (limits, mut limit) = (Limits::default(), StateLimit(5000));
    let (outcome, _) = search::run(&explorer, &configuration, &limits, &mut limit);
    let case = format!("seed {seed}, {abstraction:?}, {order:?}");
    replayed(&Problem::of(&explorer), outcome, &case)
}

/// States of the grid beyond which it gives up: hardly any network that it can decide has more, and
/// the others would take most of the time.
const MOST_STATES: usize = 12_000;

/// Whether the network mixes what cannot be mixed.
fn is_refused(network: &Network) -> bool {
    let compiled =
        Explorer::compile(network.clone(), Some(property(network)), Abstraction::default());
    compiled.is_err_and(|e| e.message.starts_with("not supported: control, preferences or timeout"))
}

/// How often each kind of answer came, so that a test cannot pass on nothing.
#[derive(Default, Debug)]
struct Tally {
    reached: usize,
    unreachable: usize,
    unknown: usize,
}

/// Compares breadth-first search with a grid of `scale` ticks per unit, up to `max_steps` steps.
fn compare(seeds: std::ops::Range<u64>, options: Options, scale: i64, max_steps: usize) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let network = random::network(seed, &options);
        if is_refused(&network) {
            continue;
        }
        let grid = Grid { scale, max_states: MOST_STATES, max_steps };
        let truth = discrete::shortest_within(&network, property(&network), grid);
        for abstraction in ABSTRACTIONS {
            let found = answer(&network, abstraction, Order::BreadthFirst, seed);
            let case = format!("seed {seed}, {abstraction:?}: {found:?}, on the grid {truth:?}");
            match (found, &truth) {
                (Answer::Unknown, _) => tally.unknown += 1,
                (Answer::Reached { length: n, .. }, Truth::Reached(m)) => {
                    assert_eq!(n, *m, "{case}\n{}", network::print(&network));
                    tally.reached += 1;
                }
                (Answer::Unreachable, Truth::Unreachable) => tally.unreachable += 1,
                // Beyond its limits the grid knows nothing; that the goal is reached was replayed.
                (Answer::Reached { .. } | Answer::Unreachable, Truth::GaveUp) => {}
                (Answer::Error(_), _) | (_, Truth::Error(..)) if options.out_of_range => {}
                _ => panic!("{case}\n{}", network::print(&network)),
            }
        }
    }
    println!("{options:?}: {tally:?}");
    tally
}

#[test]
fn closed_constraints_agree_with_discrete_time() {
    let tally = compare(0..1500, Options::default(), 1, usize::MAX);
    assert!(tally.reached > 900 && tally.unreachable > 300, "{tally:?}");
}

#[test]
fn strict_constraints_agree_with_a_fine_grid() {
    let tally = compare(0..250, Options { strict: true, ..Options::default() }, 7, 5);
    assert!(tally.reached > 100, "{tally:?}");
}

#[test]
fn negated_guards_agree_with_a_fine_grid() {
    let options = Options { strict: true, negated: true, ..Options::default() };
    let tally = compare(0..250, options, 7, 5);
    assert!(tally.reached > 100, "{tally:?}");
}

#[test]
fn priorities_agree_with_a_fine_grid() {
    let options = Options { priorities: true, ..Options::default() };
    let tally = compare(0..250, options, 7, 5);
    assert!(tally.reached > 100, "{tally:?}");
}

#[test]
fn deadlocks_agree_with_a_fine_grid() {
    let options = Options { deadlock: true, strict: true, ..Options::default() };
    let tally = compare(0..250, options, 7, 5);
    assert!(tally.reached > 100, "{tally:?}");
}

#[test]
fn diagonals_agree_with_a_fine_grid() {
    let options = Options { diagonals: true, strict: true, ..Options::default() };
    let tally = compare(0..200, options, 7, 5);
    assert!(tally.reached > 60, "{tally:?}");
}

#[test]
fn closed_diagonals_agree_with_discrete_time() {
    let options = Options { diagonals: true, ..Options::default() };
    let tally = compare(0..200, options, 1, usize::MAX);
    assert!(tally.reached > 60, "{tally:?}");
}

/// The constructs of message-passing programs, one by one and all together.
#[test]
fn message_passing_agrees_with_discrete_time() {
    let plain = Options { clockless: true, ..Options::default() };
    let each = [
        Options { buffers: true, ..Options::default() },
        Options { processes: true, ..Options::default() },
        Options { buffers: true, ..plain },
        Options { control: true, ..plain },
        Options { preferences: true, ..plain },
        Options { timeouts: true, ..plain },
        Options { observers: true, ..Options::default() },
        Options { observers: true, timeouts: true, ..plain },
        Options { control: true, priorities: true, ..plain },
        Options::UNTIMED,
        Options { deadlock: true, ..Options::UNTIMED },
        Options { out_of_range: true, ..Options::UNTIMED },
    ];
    for options in each {
        let tally = compare(0..400, options, 1, usize::MAX);
        assert!(tally.reached > 60, "{options:?}: {tally:?}");
    }
}

/// With stopwatches the zone graph has more paths than the model: what it calls unreachable is, and
/// what it reaches no later than the grid.
#[test]
fn stopwatches_never_miss_what_the_grid_finds() {
    let options = Options { stopwatches: true, ..Options::default() };
    let (mut confirmed, mut unreachable) = (0, 0);
    for seed in 0..300 {
        let network = random::network(seed, &options);
        let grid = Grid { scale: 4, max_states: MOST_STATES, max_steps: 6 };
        let truth = discrete::shortest_within(&network, property(&network), grid);
        let found = answer(&network, Abstraction::default(), Order::BreadthFirst, seed);
        match (found, truth) {
            (Answer::Reached { length: n, .. }, Truth::Reached(m)) => {
                assert!(n <= m, "seed {seed}: {n} > {m}");
                confirmed += 1;
            }
            (Answer::Unreachable, Truth::Reached(m)) => panic!("seed {seed}: reached after {m}"),
            (Answer::Unreachable, _) => unreachable += 1,
            _ => {}
        }
    }
    assert!(confirmed > 50 && unreachable > 20, "{confirmed} confirmed, {unreachable} unreachable");
}

#[test]
fn run_time_errors_are_replayed() {
    let options = Options { out_of_range: true, ..Options::default() };
    let errors = (0..300)
        .map(|seed| (random::network(seed, &options), seed))
        .map(|(n, seed)| answer(&n, Abstraction::default(), Order::BreadthFirst, seed))
        .filter(|a| matches!(a, Answer::Error(_)))
        .count();
    assert!(errors > 20, "{errors}");
}

/// Without any abstraction the zone graph may be infinite; where it is not, it agrees.
#[test]
fn no_abstraction_agrees_where_it_ends() {
    let options = Options { strict: true, ..Options::default() };
    let mut ended = 0;
    for seed in 0..600 {
        let network = random::network(seed, &options);
        let exact = answer(&network, Abstraction::None, Order::BreadthFirst, seed);
        if exact == Answer::Unknown {
            continue;
        }
        ended += 1;
        for abstraction in ABSTRACTIONS {
            let found = answer(&network, abstraction, Order::BreadthFirst, seed);
            assert_eq!(found, exact, "seed {seed}, {abstraction:?}");
        }
    }
    assert!(ended > 300, "{ended}");
}
