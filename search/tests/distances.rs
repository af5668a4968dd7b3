//! Graph distances of the examples of docs/algorithms.md (sections 3.1 to 3.4, 6), and of small networks
//! derived on paper.

mod support;

use explore::EdgeNumber;
use network::Id;
use search::{EdgeSet, Problem, UNREACHABLE, catalog};
use support::case::Case;
use support::worked::{OTHERS, X2, X3};

/// Calls with the problem of a text and its initial state.
fn with_problem<T>(text: &str, act: impl FnOnce(&Problem, &[i32]) -> T) -> T {
    let case = Case::parse(text);
    let initial = case.initial();
    act(&Problem { known_goal: Some(&initial), ..case.problem() }, &initial)
}

/// The estimate of the initial state.
fn estimate(text: &str, name: &str) -> u32 {
    with_problem(text, |problem, initial| {
        let named = catalog::heuristic(name).expect("a heuristic");
        named.build(problem).expect("built").estimate(initial)
    })
}

/// The farthest, the sum, and the sum of shares.
fn graph(text: &str) -> (u32, u32, u32) {
    (estimate(text, "graph-max"), estimate(text, "graph-sum"), estimate(text, "graph-split"))
}

fn toggle(name: &str) -> String {
    format!(
        "process {name} {{ location l0; location l1; init l0; edge l0 -> l1; edge l1 -> l0; }}\n"
    )
}

#[test]
fn x1_needs_one_step_of_each_process() {
    let processes: String = (0..5).map(|i| toggle(&format!("P{i}"))).collect();
    let goal: Vec<String> = (0..5).map(|i| format!("P{i} at l1")).collect();
    let text = format!("network 1\n{processes}property \"all\" reachable {}", goal.join(" && "));
    assert_eq!(graph(&text), (1, 5, 5));
}

/// d = 3: the handshake counts in both processes.
#[test]
fn x2_counts_a_handshake_once_or_twice() {
    let text = format!("{X2}property \"x2\" reachable A at a2 && B at b2");
    assert_eq!(graph(&text), (2, 4, 3));
}

#[test]
fn x2_plus_is_not_disturbed_by_others() {
    let text = format!("{X2}{OTHERS}property \"x2+\" reachable A at a2 && B at b2");
    assert_eq!(graph(&text), (2, 4, 3));
    // d = 4.
    let text = format!("{X2}{OTHERS}property \"x2c\" reachable A at a2 && B at b2 && C at c1");
    assert_eq!(graph(&text), (2, 5, 4));
}

/// d = 4, but clocks are not looked at.
#[test]
fn x3_ignores_clocks() {
    assert_eq!(graph(X3), (2, 2, 2));
}

/// d = 5, but data is not looked at; and where it is, a test of data counts one step.
#[test]
fn x4_ignores_data() {
    let text = "network 1
var x : int[0, 1]
process A { location l0; location l1; init l0; edge l0 -> l1 { do { x = 1; } } }
process A2 { location k0; location k1; init k0; edge k0 -> k1 { do { x = 1; } } }
process B { location m0; location m1; init m0; edge m0 -> m1 { when x == 1; } }
process C {
  location c0; location c1; location c2; location c3; init c0;
  edge c0 -> c1; edge c1 -> c2; edge c2 -> c3;
}
property \"x4\" reachable B at m1 && C at c3";
    assert_eq!(graph(text), (3, 4, 4));
    let with_data = text.replace("C at c3", "C at c3 && x == 1");
    assert_eq!(graph(&with_data), (3, 4, 4));
    assert_eq!(estimate(&with_data, "formula"), 5);
    assert_eq!(estimate(&with_data, "formula-max"), 3);
}

/// One process must be at a2 and not at a2: nothing is both. The other one can never leave b0, but
/// need not.
#[test]
fn what_cannot_be_is_infinitely_far() {
    let never = format!("{X2}property \"no\" reachable A at a2 && !(A at a2)");
    assert_eq!(graph(&never), (UNREACHABLE, UNREACHABLE, UNREACHABLE));
    let back = format!("{X2}property \"no\" always B at b0 || !(A at a2)");
    assert_eq!(graph(&back), (2, 3, 3));
}

/// Parts about the same processes: their shares must not be added up, since A's way to a2 serves all.
#[test]
fn shares_of_a_process_are_not_added_twice() {
    let text = format!(
        "{X2}property \"twice\" reachable (A at a2 || B at b0) && (A at a2 || B at b2) && A at a2"
    );
    // The parts take 0, 2 and 2 edges. A alone takes 1 1/2 steps in shares; added twice that is 3.
    assert_eq!(graph(&text), (2, 4, 2));
}

/// The sender of a broadcast pays for all: two receivers and a sender move in one step.
#[test]
fn receivers_of_a_broadcast_are_free() {
    let receiver = |name| {
        format!(
            "process {name} {{ location r0; location r1; init r0; edge r0 -> r1 {{ receive b; }} }}\n"
        )
    };
    let text = format!(
        "network 1\nchan b : broadcast\nprocess S {{ location s0; location s1; init s0; edge s0 -> s1 {{ send b; }} }}\n{}{}property \"all\" reachable S at s1 && R at r1 && Q at r1",
        receiver("R"),
        receiver("Q")
    );
    assert_eq!(graph(&text), (1, 3, 1));
}

/// P is started by S, so its first step costs nothing beyond that of S. It can be entered from `idle`
/// only: from `dead` there is no path.
#[test]
fn a_process_that_is_entered_moves_along() {
    let text = "network 1
process S { location s0; location s1; init s0;
  edge s0 -> s1 { do { if (P at idle) { enter P at start; } } } }
process P { location idle; location start; location end; location dead; init idle;
  edge start -> end; edge start -> dead; }
property \"p\" reachable S at s1 && P at end";
    assert_eq!(graph(text), (2, 3, 2));
    let dead = text.replace("init idle", "init dead");
    assert_eq!(graph(&dead), (UNREACHABLE, UNREACHABLE, UNREACHABLE));
    // A step that enters a process twice brings it to the end at once.
    let twice =
        text.replace("enter P at start;", "enter P at start; if (P at start) { enter P at end; }");
    assert_eq!(graph(&twice), (1, 2, 1));
}

/// The assertion is two steps away, the goal is four.
#[test]
fn errors_that_count_are_goals() {
    let text = "network 1
var x : int[0, 3]
process P {
  location l0; location l1; location l2; location l3; location l4; init l0;
  edge l0 -> l1; edge l1 -> l2; edge l2 -> l3 { do { assert x == 0; } } edge l3 -> l4;
}
property \"p\" reachable P at l4";
    assert_eq!(graph(text), (4, 4, 4));
    let counting = text.replace("\"p\"", "\"p\" counts errors");
    assert_eq!(graph(&counting), (2, 2, 2));
    // What is certain, or stays in range, is no risk.
    assert_eq!(graph(&counting.replace("x == 0", "x >= 0")), (4, 4, 4));
    assert_eq!(graph(&counting.replace("assert x == 0", "x = x & 1")), (4, 4, 4));
    assert_eq!(graph(&counting.replace("assert x == 0", "x = x + 1")), (2, 2, 2));
}

/// Without the edge the path is longer, and without both there is none.
#[test]
fn edges_can_be_left_out() {
    let text = "network 1
process P { location l0; location l1; location l2; init l0;
  edge l0 -> l2; edge l0 -> l1; edge l1 -> l2; }
property \"p\" reachable P at l2";
    with_problem(text, |problem, initial| {
        let named = catalog::heuristic("graph-max").expect("a heuristic");
        let mut heuristic = named.build(problem).expect("built");
        let mut removed = EdgeSet::new(3);
        let mut expected = [1, 2, UNREACHABLE].into_iter();
        for edge in [None, Some(0), Some(2)] {
            edge.into_iter().for_each(|edge| removed.insert(EdgeNumber::new(edge)));
            assert_eq!(heuristic.estimate_without(initial, &removed), expected.next());
        }
        assert_eq!(heuristic.estimate(initial), 1);
    });
}

/// Two messages must go before the wanted one is the first, one is missing to a full channel.
#[test]
fn messages_are_counted() {
    let text = "network 1
chan q : buffered 4 (int[0, 7])
chan r : buffered 3 (int[0, 7])
process P { location l0; location l1; init l0;
  edge l0 -> l1 { do { send q(1); send q(2); send q(5); send r(1); send r(1); } } }
property \"p\" reachable poll q(== 5) && full(r)";
    let after = |name: &str| {
        with_problem(text, |problem, initial| {
            let (mut ws, mut next) = (problem.explorer.workspace(), Vec::new());
            let visit = &mut |state: &[i32], _: explore::Step| next = state.to_vec();
            problem.explorer.successors(&mut ws, initial, visit).expect("no error");
            let named = catalog::heuristic(name).expect("a heuristic");
            named.build(problem).expect("built").estimate(&next)
        })
    };
    // At first nothing is there: one message must come, and three.
    assert_eq!(estimate(text, "formula"), 1 + 3);
    assert_eq!(after("formula"), 2 + 1);
    assert_eq!(after("formula-max"), 1);
}

/// The observer is two edges away from `bad`, whatever the others do.
#[test]
fn the_never_claim_has_a_distance() {
    let text = "network 1
process P { location l0; init l0; edge l0 -> l0; }
process O observes { location o0; location o1; location bad; init o0;
  edge o0 -> o1; edge o1 -> bad; edge o0 -> o0; }
property \"p\" observer O always !(O at bad)";
    assert_eq!(estimate(text, "never-claim"), 2);
    assert_eq!(graph(text), (2, 2, 2));
    assert_eq!(estimate(text, "active-processes"), 1);
    let without = text.replace(" observer O", "").replace(" observes", "");
    with_problem(&without, |problem, _| {
        assert!(catalog::heuristic("never-claim").expect("there").build(problem).is_err());
    });
}

/// The value 3 (011) differs from 4 (100) in three bits; processes count their shares.
#[test]
fn a_known_goal_has_a_distance() {
    let text = format!("{X2}var x : int[0, 7] = 3\nproperty \"x2\" reachable A at a2 && B at b2");
    with_problem(&text, |problem, initial| {
        let goal = [2, 2, 4];
        let problem = Problem { known_goal: Some(&goal), ..*problem };
        let of = |name: &str, state: &[i32]| {
            let named = catalog::heuristic(name).expect("there");
            named.build(&problem).expect("built").estimate(state)
        };
        assert_eq!((of("fsm", initial), of("fsm", &[1, 1, 3])), (3, 1));
        // Locations 0 and 2 differ in one bit, in each process.
        assert_eq!((of("hamming", initial), of("hamming", &[2, 2, 3])), (5, 3));
        let problem = Problem { known_goal: None, ..problem };
        for name in ["fsm", "hamming"] {
            assert!(catalog::heuristic(name).expect("there").build(&problem).is_err());
        }
    });
}
