//! Networks that are prepared for abstractions: random networks and programs do the same before and after, word
//! for word; what is known then (docs/algorithms.md, section 3.11).
//!
//! Seen to fail: with the last dimension split first, with pieces numbered by variables, with priorities that
//! keep the number of their variable, and with an array split in spite of an index that is no constant; with
//! types that do not grow or are cut where values wrap; without any of the conditions on starts.

mod support;

use explore::{Abstraction, Explorer};
use network::{
    ChannelRef, EdgeId, ErrorKind, Expr, Network, Priority, ProcessId, Reference, StatementKind,
    VariableId,
};
use search::catalog::{self, ASTAR, Settings};
use search::{Limits, Parts, Unlimited};
use std::collections::HashSet;
use std::mem::Discriminant;
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

/// States with the edges that lead to them, and an error.
type Successors = (Vec<(Vec<i32>, Vec<(ProcessId, EdgeId)>)>, Option<Discriminant<ErrorKind>>);

fn successors(explorer: &Explorer, state: &[i32]) -> Successors {
    let (mut found, mut ws) = (Vec::new(), explorer.workspace());
    let raised = explorer.successors(&mut ws, state, &mut |successor, step| {
        let edges = explorer.edges_of(step).map(|it| explorer.edge(it)).collect();
        found.push((successor.to_vec(), edges));
    });
    // Ranges that are left may be other ones.
    (found, raised.err().map(|raised| std::mem::discriminant(&raised.error.kind)))
}

fn initial(explorer: &Explorer) -> Vec<Vec<i32>> {
    let mut found = Vec::new();
    let visit = &mut |state: &[i32], _: explore::Step| found.push(state.to_vec());
    let _ = explorer.initial(&mut explorer.workspace(), visit);
    found
}

fn prepared(network: &Network) -> Network {
    abstraction::prepare(network, property(network))
}

/// Compares a network with what it is after preparation; says whether that is another one.
fn compare(network: &Network, case: &str) -> bool {
    let prepared = prepared(network);
    let about = || format!("{case}\n{}\n{}", network::print(network), network::print(&prepared));
    assert_eq!(network::verify(&prepared), [], "{}", about());
    // Abstractions of zones make use of what is known.
    let compile =
        |it: &Network| Explorer::compile(it.clone(), Some(property(it)), Abstraction::None).ok();
    let (Some(before), Some(after)) = (compile(network), compile(&prepared)) else { return false };
    let mut waiting = initial(&before);
    assert_eq!(waiting, initial(&after), "{}", about());
    let mut known: HashSet<Vec<i32>> = waiting.iter().cloned().collect();
    while let (Some(state), true) = (waiting.pop(), known.len() < MOST_STATES) {
        let found = successors(&before, &state);
        assert_eq!(found, successors(&after, &state), "{state:?}: {}", about());
        let is_goal = |it: &Explorer| it.is_goal(&mut it.workspace(), &state).ok();
        assert_eq!(is_goal(&before), is_goal(&after), "{state:?}: {}", about());
        let new = found.0.into_iter().map(|(state, _)| state);
        waiting.extend(new.filter(|it| known.insert(it.clone())));
    }
    prepared.variables != network.variables || prepared.processes != network.processes
}

fn seeds(usual: u64) -> u64 {
    std::env::var("SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(usual)
}

#[test]
fn prepared_networks_do_the_same() {
    let mut changed = 0;
    for options in KINDS {
        for seed in 0..seeds(100) {
            let network = random::network(seed, &options);
            changed += usize::from(compare(&network, &format!("seed {seed}, {options:?}")));
        }
    }
    println!("{changed} changed");
    assert!(changed > 500, "{changed}");
}

#[test]
fn prepared_programs_do_the_same() {
    let mut changed = 0;
    for seed in 0..seeds(300) {
        let text = generate(seed, &Weights::default()).to_string();
        let network = load::promela(&text, &[], promela::Options::default());
        changed += usize::from(compare(&network, &format!("program {seed}")));
    }
    println!("{changed} changed");
    assert!(changed > 200, "{changed}");
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
    let split = prepared(&network);
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

fn prepared_program(text: &str) -> Network {
    let network = load::promela(text, &[], promela::Options::default());
    assert!(compare(&network, "an example"));
    prepared(&network)
}

/// Whether some statement looks for a process that waits, and whether some finds none.
fn looks_for_room(network: &Network) -> (bool, bool) {
    let (mut looks, mut fails) = (false, false);
    for edge in network.processes.iter().flat_map(|it| &it.edges) {
        for statement in &edge.update {
            statement.walk(&mut |it| match it.kind {
                StatementKind::If(Expr::At(..), ..) => looks = true,
                StatementKind::NoRoom => fails = true,
                _ => {}
            });
        }
    }
    (looks, fails)
}

/// The number of channels that are named by values.
fn channel_values(network: &Network) -> usize {
    let mut count = 0;
    network.clone().visit_references(&mut |reference| {
        if let Reference::Channel(ChannelRef::Value(_)) = reference {
            count += 1;
        }
    });
    count
}

const CHANNELS: &str = "chan q0 = [1] of { byte }; chan q1 = [1] of { byte };\n";

/// The first `run` takes the first process and the second one the other: each has its own channels, and the
/// only number that is ever sent is 3.
#[test]
fn what_is_started_once_is_known() {
    let station = "proctype S(chan in; chan out) { byte x; do :: in?x :: out!3 od }\n";
    let init = "init { run S(q0, q1); run S(q1, q0) }";
    let network = prepared_program(&format!("{CHANNELS}{station}{init}"));
    assert_eq!((looks_for_room(&network), channel_values(&network)), ((false, false), 0));
    let received = network.variables.iter().filter(|it| it.name.ends_with(".x"));
    let types: Vec<_> = received.map(|it| (it.ty.low, it.ty.high)).collect();
    assert_eq!(types, [(0, 3), (0, 3)]);
}

/// A process that ends can be started again: the second `run` may take either.
#[test]
fn who_ends_may_be_started_again() {
    let station = "proctype S(chan out) { out!3 }\n";
    let init = "init { run S(q0); run S(q1) }";
    let network = prepared_program(&format!("{CHANNELS}{station}{init}"));
    assert_eq!((looks_for_room(&network), channel_values(&network)), ((true, false), 2));
}

/// In a loop there may be no room.
#[test]
fn loops_may_find_no_room() {
    let station = "proctype S(chan out) { out!3 }\n";
    let init = "init { do :: run S(q0) :: run S(q1) od }";
    let network = prepared_program(&format!("{CHANNELS}{station}{init}"));
    assert_eq!(looks_for_room(&network), (true, true));
}

/// A channel that comes with a message may be another one, and a variable that is not assigned at the start
/// may be none.
#[test]
fn channels_that_are_not_known_stay_values() {
    let network = prepared_program(
        "chan q0 = [1] of { byte }; chan q1 = [1] of { byte }; chan c = [1] of { chan };
         active proctype P() { if :: c!q0 :: c!q1 fi }
         active proctype Q() { chan mine; c?mine; mine!1 }
         active proctype R() { chan late; if :: late = q0 :: skip fi; late!1 }",
    );
    assert_eq!(channel_values(&network), 2);
}

/// Compares a network of processes, in which P waits at `w`, with what it is after preparation.
fn compare_text(processes: &str) {
    let text = format!(
        "network 1 failure \"x\" \"x\" var v : int[0, 2] chan c : buffered 1 (int[0, 3])
         process P {{ location w; location r; location t; init w;
           edge r -> t {{ send channel(v)(1); }} }}
         {processes} property \"p\" reachable P at t"
    );
    compare(&load::network(&text), "an example");
}

const RUN: &str = "if (P at w) { enter P at r; } else { no room; }";

#[test]
fn a_process_is_started_twice() {
    compare_text(&format!(
        "process S {{ location a; location b; location d; init a;
           edge a -> b {{ do {{ v = 1; {RUN} }} }} edge b -> d {{ do {{ {RUN} }} }} }}"
    ));
}

#[test]
fn somebody_else_starts_a_process() {
    compare_text(&format!(
        "process S {{ location a; location b; init a; edge a -> b {{ do {{ v = 1; {RUN} }} }} }}
         process T {{ location a; location b; init a;
           edge a -> b {{ do {{ v = 1; enter P at r; }} }} }}"
    ));
}

/// Where T starts P, there is no channel in `v` yet.
#[test]
fn a_variable_is_not_assigned_at_every_start() {
    compare_text(
        "process S { location a; location b; init a;
           edge a -> b { do { v = 1; enter P at r; } } }
         process T { location a; location b; init a; edge a -> b { do { enter P at r; } } }",
    );
}

/// Q does not wait for anybody.
#[test]
fn a_process_uses_a_variable_at_once() {
    compare_text(
        "var u : int[0, 1]
         process S { location a; location b; init a; edge a -> b { do { u = 1; } } }
         process Q { location a; location b; init a; edge a -> b { send channel(u)(1); } }",
    );
}
