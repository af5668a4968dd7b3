//! Every heuristic of the catalog keeps its promises on random networks: for *every* reachable state,
//! against true distances in the whole graph of states (docs/algorithms.md, section 3), and the
//! searches that rely on them give the same answers as breadth-first search. A failure prints the
//! seed. New rows of the catalog are covered without further ado.
//!
//! The checks were seen to fail: without the risks of errors, with whole steps for handshakes, for
//! receivers of broadcasts or for observers, without processes that are entered, with shares of a
//! process added twice, with `graph-sum` and `fsm` promising everything, with a relaxation that forgot
//! what a function returned earlier, and with an estimate of a state that its sibling had covered.

mod support;

use network::{BinaryOp, Claim, Expr, Id, LocationId, Network, ProcessId, PropertyId, UnaryOp};
use search::catalog::{self, HEURISTICS};
use support::promises::{Subject, Tally, check, compare};
use testing::Numbers;
use testing::random::{self, Options};

/// Larger graphs are left out.
const MOST_STATES: usize = 1500;

/// Networks of each kind.
const SEEDS: u64 = 250;

const PLAIN: Options = Options { clockless: true, ..NOTHING };
const NOTHING: Options = Options::NONE;

const KINDS: [Options; 16] = [
    NOTHING,
    PLAIN,
    Options { strict: true, negated: true, ..NOTHING },
    Options { diagonals: true, priorities: true, ..NOTHING },
    Options { deadlock: true, processes: true, ..NOTHING },
    Options { out_of_range: true, ..NOTHING },
    Options { buffers: true, processes: true, ..NOTHING },
    Options { stopwatches: true, out_of_range: true, ..NOTHING },
    Options { processes: true, observers: true, ..PLAIN },
    Options { control: true, priorities: true, processes: true, ..PLAIN },
    Options { out_of_range: true, processes: true, ..PLAIN },
    Options::UNTIMED,
    Options { deadlock: true, ..Options::UNTIMED },
    Options { out_of_range: true, ..Options::UNTIMED },
    Options { constant_indices: true, deadlock: true, ..NOTHING },
    Options { constant_indices: true, priorities: true, ..Options::UNTIMED },
];

/// A network whose errors count if its number is even, and whose goal is sometimes another one.
fn network(seed: u64, options: &Options, numbers: &mut Numbers) -> Network {
    let mut network = random::network(seed, options);
    let goal = numbers.chance(40).then(|| wish(&network, numbers, 3));
    let property = &mut network.properties[PropertyId(0)];
    property.counts_errors = seed.is_multiple_of(2);
    if let Some(goal) = goal {
        property.claim = match numbers.chance(50) {
            true => Claim::Reachable(goal),
            false => Claim::Always(goal),
        };
    }
    network
}

/// A goal about locations in which everything that can be said of them occurs.
fn wish(network: &Network, numbers: &mut Numbers, depth: i32) -> Expr {
    let process = ProcessId::new(numbers.below(network.processes.len()));
    let locations = network.processes[process].locations.len();
    let place = Expr::At(process, LocationId::new(numbers.below(locations)));
    if depth == 0 {
        return place;
    }
    let below = |numbers: &mut Numbers| wish(network, numbers, depth - 1);
    match numbers.between(0, 9) {
        0 => place,
        1 | 2 => Expr::unary(UnaryOp::Not, below(numbers)),
        3..=5 => below(numbers).and(below(numbers)),
        6 | 7 => Expr::binary(BinaryOp::Or, below(numbers), below(numbers)),
        8 => {
            let value = Expr::Const(numbers.between(0, 1));
            let op = if numbers.chance(50) { BinaryOp::Eq } else { BinaryOp::Ne };
            Expr::binary(op, below(numbers), value)
        }
        _ => Expr::Conditional(
            Box::new(below(numbers)),
            Box::new(below(numbers)),
            Box::new(below(numbers)),
        ),
    }
}

fn subject<'a>(network: &'a Network, seed: u64, options: &Options) -> Option<Subject<'a>> {
    Subject::new(network, format!("seed {seed}, {options:?}"), MOST_STATES)
}

#[test]
fn every_promise_is_kept_in_every_state() {
    let mut tally = Tally::default();
    for options in KINDS {
        for seed in 0..SEEDS {
            let mut numbers = Numbers::new(seed);
            let network = network(seed, &options, &mut numbers);
            if let Some(subject) = subject(&network, seed, &options) {
                check(&subject, &mut numbers, &mut tally);
            }
        }
    }
    for (name, seen) in &tally {
        println!("{name}: {seen:?}");
    }
    for named in HEURISTICS.iter().filter(|named| named.name != "blind") {
        let seen = tally.get(named.name).unwrap_or_else(|| panic!("{} not seen", named.name));
        assert!(seen.far > 50 && seen.exact > 100, "{}: {seen:?}", named.name);
    }
    for name in ["graph-max", "graph-split", "formula-max", "relaxation-intervals"] {
        assert!(tally[name].less > 400, "{name}: {:?}", tally[name]);
    }
    for name in ["graph-max", "graph-split", "formula-max", "never-claim", "fsm"] {
        assert!(tally[name].admissible > 20, "{name}: {:?}", tally[name]);
    }
}

#[test]
fn searches_that_rely_on_promises_agree_with_breadth_first_search() {
    let mut compared = 0;
    for options in KINDS {
        for seed in 1000..1060 {
            let network = network(seed, &options, &mut Numbers::new(seed));
            let Some(subject) = subject(&network, seed, &options) else { continue };
            for name in ["bounded-dfs", "astar", "greedy", "weighted-astar"] {
                let search = catalog::search(name).expect("a search");
                let heuristics = if search.is_directed() { HEURISTICS } else { &HEURISTICS[..1] };
                compared += compare(&subject, heuristics.iter().map(|named| (search, *named)));
            }
        }
    }
    println!("{compared} compared");
    assert!(compared > 3000, "{compared}");
}
