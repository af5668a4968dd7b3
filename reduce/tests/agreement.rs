//! Random networks, reduced and as they are: the same answers, every trace of the reduced network
//! one of the original, never more states. A failure prints the seed; `FIRST_SEED` and `SEEDS` choose
//! others.

mod support;

use network::{Network, Property};
use reduce::Passes;
use search::Order;
use support::{Answer, BOTH, CLEAR, Found, MERGE, NOTHING, dressed, search_within};
use testing::random::Options;
use testing::setting;

/// How often each kind of answer came, and what was saved, so that a test cannot pass on nothing.
#[derive(Default, Debug)]
struct Tally {
    reached: usize,
    unreachable: usize,
    errors: usize,
    unknown: usize,
    /// The states of all full searches, as they are and with each pass.
    states: [u64; 4],
}

/// Few networks have more states, and those would take most of the time.
const MOST_STATES: u64 = 5_000;

const PASSES: [Passes; 3] = [CLEAR, MERGE, BOTH];

/// What is found depth first as it is and with each pass; nothing if there are too many states.
fn search_all(network: &Network, property: &Property, case: &str) -> Option<(Found, Vec<Found>)> {
    let search = |passes, order| {
        let found = search_within(MOST_STATES, network, property, passes, order);
        (found.answer != Answer::Unknown).then_some(found)
    };
    let plain = search(NOTHING, Order::DepthFirst)?;
    let nearest = search(NOTHING, Order::BreadthFirst)?;
    // Clearing changes nothing but the number of states; not even the order.
    if let Some(cleared) = search(CLEAR, Order::BreadthFirst) {
        assert_eq!(nearest.answer, cleared.answer, "{case}\n{}", network::print(network));
    }
    let reduced = PASSES.iter().map(|&passes| search(passes, Order::DepthFirst));
    Some((plain, reduced.collect::<Option<_>>()?))
}

fn compare(network: &Network, property: &Property, seed: u64, tally: &mut Tally) {
    let case = format!("seed {seed}, {:?}", property.claim);
    let Some((plain, reduced)) = search_all(network, property, &case) else {
        tally.unknown += 1;
        return;
    };
    for (found, passes) in reduced.iter().zip(PASSES) {
        let agrees = plain.answer.is_found() == found.answer.is_found();
        assert!(
            agrees,
            "{case}\n{passes:?}: {found:?}, not {plain:?}\n{}",
            network::print(network)
        );
    }
    match plain.answer {
        Answer::Reached(_) => tally.reached += 1,
        Answer::Error(_) => tally.errors += 1,
        _ => {
            tally.unreachable += 1;
            let states = std::iter::once(&plain).chain(&reduced).map(|found| found.stored);
            tally.states.iter_mut().zip(states).for_each(|(sum, states)| *sum += states);
            for found in reduced.iter().filter(|_| network.clocks.is_empty()) {
                assert!(found.stored <= plain.stored, "{case}: {found:?} of {plain:?}");
            }
        }
    }
}

fn run(seeds: std::ops::Range<u64>, options: Options) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let network = dressed::network(seed, &options);
        println!("seed {seed}");
        for property in &network.properties {
            compare(&network, property, seed, &mut tally);
        }
    }
    println!("{options:?}\n  {tally:?}");
    tally
}

fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = setting("FIRST_SEED", 0);
    first..first + setting("SEEDS", count)
}

const PLAIN: Options = Options {
    buffers: false,
    control: false,
    preferences: false,
    timeouts: false,
    processes: false,
    observers: false,
    ..Options::UNTIMED
};

#[test]
fn programs_that_pass_messages_keep_their_verdicts() {
    let all = Options { observers: false, ..Options::UNTIMED };
    let each = [
        PLAIN,
        Options { buffers: true, ..PLAIN },
        Options { control: true, ..PLAIN },
        Options { control: true, buffers: true, ..PLAIN },
        Options { preferences: true, ..PLAIN },
        Options { timeouts: true, ..PLAIN },
        Options { processes: true, ..PLAIN },
        all,
        Options { out_of_range: true, ..all },
        Options { observers: true, ..PLAIN },
        Options { observers: true, priorities: true, ..all },
    ];
    for options in each {
        let tally = run(seeds(100), options);
        if std::env::var("SEEDS").is_ok() {
            continue;
        }
        assert!(tally.reached > 270 && tally.unreachable > 70, "{tally:?}");
        let [all, cleared, merged, both] = tally.states;
        assert!(cleared < all && both < cleared && both < merged, "{tally:?}");
    }
}

#[test]
fn timed_networks_keep_their_verdicts() {
    let each = [
        Options::default(),
        Options { strict: true, negated: true, ..Options::default() },
        Options { priorities: true, ..Options::default() },
        Options { diagonals: true, deadlock: true, ..Options::default() },
        Options { stopwatches: true, ..Options::default() },
        Options { buffers: true, processes: true, ..Options::default() },
    ];
    for options in each {
        let tally = run(seeds(100), options);
        let enough = tally.reached > 100 && tally.unreachable > 50;
        assert!(enough || std::env::var("SEEDS").is_ok(), "{tally:?}");
    }
}
