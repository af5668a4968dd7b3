//! Arrays that are split into their elements: random networks and programs do the same before and after, word
//! for word; tables keep single elements (docs/algorithms.md, section 3.11).
//!
//! Seen to fail: with the last dimension split first, with pieces numbered by variables, with priorities that
//! keep the number of their variable, and with an array split in spite of an index that is no constant.

mod support;

use explore::{Abstraction, Explorer};
use network::{Network, Priority, VariableId};
use search::catalog::{self, ASTAR, Settings};
use search::{Limits, Parts, Unlimited};
use std::collections::HashSet;
use support::case::{Case, property};
use support::load;
use testing::random::{self, Options};
use testing::texts::{Weights, generate};

const MOST_STATES: usize = 300;

const CONSTANT: Options = Options { constant_indices: true, ..Options::NONE };
const UNTIMED: Options = Options { constant_indices: true, ..Options::UNTIMED };

const KINDS: [Options; 8] = [
    Options::NONE,
    Options::UNTIMED,
    CONSTANT,
    Options { strict: true, negated: true, diagonals: true, ..CONSTANT },
    Options { priorities: true, out_of_range: true, ..CONSTANT },
    Options { stopwatches: true, buffers: true, ..CONSTANT },
    UNTIMED,
    Options { deadlock: true, out_of_range: true, ..UNTIMED },
];

type Successors = (Vec<(Vec<i32>, Vec<i32>)>, Option<String>);

fn successors(explorer: &Explorer, state: &[i32]) -> Successors {
    let (mut found, mut ws) = (Vec::new(), explorer.workspace());
    let raised = explorer.successors(&mut ws, state, &mut |successor, step| {
        let edges = explorer.edges_of(step).map(|it| network::Id::index(it) as i32).collect();
        found.push((successor.to_vec(), edges));
    });
    (found, raised.err().map(|raised| format!("{:?}", raised.error.kind)))
}

fn initial(explorer: &Explorer) -> Vec<Vec<i32>> {
    let mut found = Vec::new();
    let visit = &mut |state: &[i32], _: explore::Step| found.push(state.to_vec());
    let _ = explorer.initial(&mut explorer.workspace(), visit);
    found
}

/// Compares a network with its split; says whether there is one.
fn compare(network: &Network, case: &str) -> bool {
    let Some(split) = abstraction::split(network, property(network)) else { return false };
    assert_eq!(network::verify(&split), [], "{case}");
    let compile = |it: &Network| {
        Explorer::compile(it.clone(), Some(property(it)), Abstraction::default()).ok()
    };
    let (Some(whole), Some(split)) = (compile(network), compile(&split)) else { return false };
    let mut waiting = initial(&whole);
    assert_eq!(waiting, initial(&split), "{case}");
    let mut known: HashSet<Vec<i32>> = waiting.iter().cloned().collect();
    while let (Some(state), true) = (waiting.pop(), known.len() < MOST_STATES) {
        let found = successors(&whole, &state);
        assert_eq!(found, successors(&split, &state), "{case}: {state:?}");
        let is_goal = |it: &Explorer| it.is_goal(&mut it.workspace(), &state).ok();
        assert_eq!(is_goal(&whole), is_goal(&split), "{case}: {state:?}");
        let new = found.0.into_iter().map(|(state, _)| state);
        waiting.extend(new.filter(|it| known.insert(it.clone())));
    }
    true
}

#[test]
fn split_networks_do_the_same() {
    let mut split = 0;
    for options in KINDS {
        for seed in 0..100 {
            let network = random::network(seed, &options);
            split += usize::from(compare(&network, &format!("seed {seed}, {options:?}")));
        }
    }
    println!("{split} split");
    assert!(split > 500, "{split}");
}

#[test]
fn split_programs_do_the_same() {
    let mut split = 0;
    for seed in 0..300 {
        let text = generate(seed, &Weights::default()).to_string();
        let network = load::promela(&text, &[], promela::Options::default());
        split += usize::from(compare(&network, &format!("program {seed}")));
    }
    println!("{split} split");
    assert!(split > 20, "{split}");
}

/// Of `m` the first index is always a constant, of `n` the second one, of `c` neither; `p` comes after what is
/// split.
#[test]
fn arrays_are_split_as_far_as_indices_are_constants() {
    let network = load::network(
        "network 1 var i : int[0, 1] var m[2][3] : int[0, 5] = 0, 1, 2, 3, 4, 5
         var n[2][2] : int[0, 1] var p : int[0, 1] clock x[2] chan c[2] : handshake
         process P priority of p { location l0; location l1 { invariant x[1] <= 2; } init l0;
           edge l0 -> l1 { when m[1][2] == 5 && n[i][1] == 0; send c[i]; do { m[0][i] = m[1][i]; } } }
         property \"p\" reachable P at l1",
    );
    assert!(compare(&network, "an example"));
    let split = abstraction::split(&network, property(&network)).expect("something to split");
    let shape = |it: &network::Variable| (it.name.clone(), it.dimensions.len(), it.initial.clone());
    let variables: Vec<_> = split.variables.iter().map(shape).collect();
    let expected = [
        ("i", 0, vec![0]),
        ("m[0]", 1, vec![0, 1, 2]),
        ("m[1]", 1, vec![3, 4, 5]),
        ("n", 2, vec![0; 4]),
        ("p", 0, vec![0]),
    ];
    assert_eq!(variables, expected.map(|(name, count, values)| (name.to_string(), count, values)));
    let priorities: Vec<Priority> = split.processes.iter().map(|it| it.priority).collect();
    assert_eq!(priorities, [Priority::Variable(VariableId(4))]);
    let clocks: Vec<&str> = split.clocks.iter().map(|it| it.name.as_str()).collect();
    let channels: Vec<&str> = split.channels.iter().map(|it| it.name.as_str()).collect();
    assert_eq!((clocks, channels), (vec!["x[0]", "x[1]"], vec!["c"]));
}

/// A counts up its element of an array, which as a whole has far too many values for a table; B counts up
/// another one.
const COUNTERS: &str = "network 1 var a[4] : int[0, 255]
process A { location l; init l; edge l -> l { when a[2] < 255; do { a[2] = a[2] + 1; } } }
process B { location l; init l; edge l -> l { when a[1] < 255; do { a[1] = a[1] + 1; } } }
property \"twenty\" reachable a[2] == 20
";

/// The table keeps `a[2]` alone, so that the first estimate is the distance, and A* takes the 20 steps of A
/// and no other: 21 states.
#[test]
fn tables_keep_single_elements() {
    let case = Case::parse(COUNTERS);
    for name in ["cone-of-influence", "russian-doll", "patterns", "merge-and-shrink"] {
        let entry = catalog::heuristic(name).expect("a heuristic");
        let mut heuristic = entry.build(&case.problem()).expect("a heuristic");
        assert_eq!(heuristic.estimate(&case.initial()), 20, "{name}");
        for table in heuristic.tables() {
            assert_eq!(table.variables, ["a[2]"], "{name}");
        }
        let parts = Parts { heuristic: Some(heuristic), ..Parts::default() };
        let (configuration, limits) =
            (ASTAR.configuration(&Settings::default()), Limits::default());
        let (_, statistics) =
            search::run_with(&case.explorer, &configuration, parts, &limits, &mut Unlimited);
        assert_eq!(statistics.explored, 21, "{name}");
    }
}
