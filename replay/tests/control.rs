//! Control, preferences, timeouts and processes that start and end: for each rule a trace that
//! obeys it and one that breaks it.

mod common;

use common::*;
use network::*;
use replay::Simulator;

#[track_caller]
fn text(text: &str) -> Network {
    let network = parse(&format!("network 1 {text}")).unwrap_or_else(|e| panic!("{e:#?}"));
    assert_eq!(verify(&network), []);
    network
}

type Moves = [(u32, u32)];

fn steps(list: &[&Moves]) -> Vec<(i64, Vec<Move>)> {
    let moves =
        |moves: &&Moves| moves.iter().map(|&(process, edge)| moved(process, edge)).collect();
    list.iter().map(|list| (0, moves(list))).collect()
}

#[track_caller]
fn legal(network: &Network, list: &[&Moves]) -> Trace {
    let trace = completed(network, &steps(list));
    accepted(network, &trace);
    trace
}

/// The steps but the last are legal, and the last one is not, for this reason.
#[track_caller]
fn refused(network: &Network, list: &[&Moves], reason: &str) {
    legal(network, &list[..list.len() - 1]);
    let error = complete(network, 1, &steps(list), 0, Ending::Goal).expect_err("illegal");
    assert_eq!(error.message, format!("step {}: {reason}", list.len()));
    // What is refused is not offered either.
    let simulator = Simulator::new(network, 1).expect("a scale");
    let state = state_after(network, &list[..list.len() - 1]);
    let last = steps(list).pop().expect("a step").1;
    assert!(!simulator.possible_steps(&state).contains(&last));
}

fn state_after(network: &Network, list: &[&Moves]) -> replay::State {
    let simulator = Simulator::new(network, 1).expect("a scale");
    let initial = simulator.initial().expect("a state");
    steps(list)
        .iter()
        .fold(initial, |state, (_, moves)| simulator.take(&state, moves).expect("a legal step").0)
}

fn control(network: &Network, list: &[&Moves]) -> Option<u32> {
    state_after(network, list).control.map(|process| process.0)
}

// Control

const ATOMIC: &str = "var v : int[0, 9]
    process P { location A; location B; location C; init A;
      edge A -> B { keeps control; }
      edge B -> C { when v == 0; keeps control; }
      edge C -> A { when v == 1; }
    }
    process Q { location A; init A; edge A -> A { do { v = 1; } } }";

#[test]
fn a_process_with_control_goes_on_alone_as_long_as_it_can() {
    let network = text(ATOMIC);
    assert_eq!(control(&network, &[]), None);
    assert_eq!(control(&network, &[&[(0, 0)]]), Some(0));
    refused(&network, &[&[(0, 0)], &[(1, 0)]], "Q A -> A has to wait: P has control");
    // In C it cannot move, so control is lost for good.
    assert_eq!(control(&network, &[&[(0, 0)], &[(0, 1)]]), None);
    assert_eq!(control(&network, &[&[(0, 0)], &[(0, 1)], &[(1, 0)]]), None);
    legal(&network, &[&[(0, 0)], &[(0, 1)], &[(1, 0)], &[(1, 0)], &[(0, 2)]]);
    // At once, if it cannot move right after the step.
    legal(&network, &[&[(1, 0)], &[(0, 0)], &[(1, 0)]]);
    assert_eq!(control(&network, &[&[(1, 0)], &[(0, 0)]]), None);
}

#[test]
fn an_edge_that_does_not_keep_control_gives_it_up() {
    let network = text(
        "process P { location A; location B; init A; edge A -> B { keeps control; } edge B -> A; }
        process Q { location A; init A; edge A -> A; }",
    );
    refused(&network, &[&[(0, 0)], &[(1, 0)]], "Q A -> A has to wait: P has control");
    legal(&network, &[&[(0, 0)], &[(0, 1)], &[(1, 0)]]);
}

#[test]
fn the_receiver_of_a_rendezvous_goes_on() {
    let network = text(
        "chan q : buffered 0 ()
        process P { location A; location B; init A; edge A -> B { send q; keeps control; } edge B -> A; }
        process Q { location A; location B; init A; edge A -> B { receive q; keeps control; } edge B -> A; }",
    );
    assert_eq!(control(&network, &[&[(0, 0), (1, 0)]]), Some(1));
    refused(&network, &[&[(0, 0), (1, 0)], &[(0, 1)]], "P B -> A has to wait: Q has control");
    legal(&network, &[&[(0, 0), (1, 0)], &[(1, 1)], &[(0, 1)]]);
}

#[test]
fn a_process_with_control_moves_as_the_sender() {
    let network = text(
        "chan q : buffered 0 ()
        process P { location A; location B; init A;
          edge A -> B { keeps control; }
          edge B -> A { receive q; }
          edge B -> B;
        }
        process Q { location A; init A; edge A -> A { send q; } }",
    );
    refused(&network, &[&[(0, 0)], &[(1, 0), (0, 1)]], "Q A -> A has to wait: P has control");
    let network = text(
        "chan q : buffered 0 ()
        process P { location A; location B; init A;
          edge A -> B { keeps control; }
          edge B -> A { receive q; }
        }
        process Q { location A; init A; edge A -> A { send q; } }",
    );
    // It could only receive, so it does not get control.
    assert_eq!(control(&network, &[&[(0, 0)]]), None);
    legal(&network, &[&[(0, 0)], &[(1, 0), (0, 1)]]);
}

#[test]
fn timeout_does_not_help_to_keep_control() {
    let network = text(
        "process P { location A; location B; init A;
          edge A -> B { keeps control; }
          edge B -> A { when timeout; }
        }
        process Q { location A; location B; init A; edge A -> B; }",
    );
    assert_eq!(control(&network, &[&[(0, 0)]]), None);
    refused(
        &network,
        &[&[(0, 0)], &[(0, 1)]],
        "the guard of P B -> A does not hold: its data part is false",
    );
    legal(&network, &[&[(0, 0)], &[(1, 0)], &[(0, 1)]]);
}

// Preference

#[test]
fn an_edge_waits_for_edges_that_are_preferred() {
    let network = text(
        "var v : bool
        process P { location A; init A;
          edge A -> A { when v; do { v = 0; } }
          edge A -> A { preference -1; do { v = 1; } }
        }",
    );
    legal(&network, &[&[(0, 1)], &[(0, 0)], &[(0, 1)]]);
    let reason = "P A -> A has the preference -1, but an edge with 0 can fire";
    refused(&network, &[&[(0, 1)], &[(0, 1)]], reason);
}

#[test]
fn edges_of_other_locations_and_processes_are_not_preferred() {
    let network = text(
        "process P { location A; location B; init A; edge A -> B; edge B -> A { preference 1; } }
        process Q { location A; init A; edge A -> A { preference 1; } }",
    );
    legal(&network, &[&[(0, 0)], &[(0, 1)], &[(1, 0)], &[(0, 0)]]);
}

/// A preferred edge counts only if it can fire: with a partner, a message or room.
#[test]
fn a_preferred_edge_must_be_part_of_a_step() {
    let network = text(
        "chan h : handshake chan q : buffered 1 (bool)
        process P { location A; init A;
          edge A -> A { send h; preference 1; }
          edge A -> A { receive q(== 1); preference 1; }
          edge A -> A;
        }
        process Q { location A; location B; location C; init A;
          edge A -> B { send q(0); }
          edge A -> C;
          edge C -> C { receive h; preference -1; }
          edge C -> C;
        }",
    );
    legal(&network, &[&[(0, 2)], &[(1, 0)], &[(0, 2)]]);
    // The partner would rather do something else, but that does not matter for the sender.
    let reason = "P A -> A has the preference 0, but an edge with 1 can fire";
    refused(&network, &[&[(1, 1)], &[(0, 2)]], reason);
    // As a receiver it answers by the best of its edges that can, whatever else it could do.
    legal(&network, &[&[(1, 1)], &[(0, 0), (1, 2)]]);
}

/// Whether a message can be received is up to the sender, so it holds nothing back.
#[test]
fn a_receiver_prefers_among_its_answers_only() {
    let network = text(
        "chan r : buffered 0 (bool)
        process P { location A; init A;
          edge A -> A { send r(0); }
          edge A -> A { send r(1); }
        }
        process Q { location A; init A; 
          edge A -> A { receive r(== 1); preference 1; }
          edge A -> A { receive r(_); }
          edge A -> A { preference -1; }
        }",
    );
    legal(&network, &[&[(0, 0), (1, 1)], &[(0, 1), (1, 0)], &[(1, 2)]]);
    let reason = "Q A -> A has the preference 0, but an edge with 1 can fire";
    refused(&network, &[&[(0, 1), (1, 1)]], reason);
}

#[test]
fn committed_locations_and_invariants_do_not_stop_a_preferred_edge() {
    let network = text(
        "process P { location A; location B { invariant 0; } init A;
          edge A -> B { preference 1; }
          edge A -> A;
        }",
    );
    let reason = "P A -> A has the preference 0, but an edge with 1 can fire";
    refused(&network, &[&[(0, 1)]], reason);
}

#[test]
fn of_a_broadcast_each_receiver_takes_a_preferred_edge() {
    let network = text(
        "chan b : broadcast
        process P { location A; init A; edge A -> A { send b; } }
        process Q { location A; init A;
          edge A -> A { receive b; preference -1; }
          edge A -> A { receive b; }
        }",
    );
    legal(&network, &[&[(0, 0), (1, 1)]]);
    let reason = "Q A -> A has the preference -1, but an edge with 0 can fire";
    refused(&network, &[&[(0, 0), (1, 0)]], reason);
}

// Timeout

const TIMEOUT: &str = "var v : int[0, 2]
    process P { location A; location B; init A;
      edge A -> A { when timeout; do { v = 0; } }
      edge A -> B { when timeout && v == 2; }
    }
    process Q { location A; init A; edge A -> A { when v < 2; do { v = v + 1; } } }
    property \"\" reachable deadlock";

#[test]
fn timeout_holds_only_if_nothing_else_is_possible() {
    let network = text(TIMEOUT);
    let reason = "the guard of P A -> A does not hold: its data part is false";
    let goal = |list: &[&Moves]| completed(&network, &steps(list));
    for list in [&[][..], &[&[(1, 0)][..]]] {
        let mut list = list.to_vec();
        list.push(&[(0, 0)]);
        let error = complete(&network, 1, &steps(&list), 0, Ending::Goal);
        assert_eq!(error.unwrap_err().message, format!("step {}: {reason}", list.len()));
    }
    goal(&[&[(1, 0)], &[(1, 0)], &[(0, 0)], &[(1, 0)]]);
    goal(&[&[(1, 0)], &[(1, 0)], &[(0, 1)]]);
    let simulator = Simulator::new(&network, 1).expect("a scale");
    let state = state_after(&network, &[&[(1, 0)], &[(1, 0)]]);
    assert_eq!(simulator.possible_steps(&state), [vec![moved(0, 0)], vec![moved(0, 1)]]);
    assert_eq!(simulator.is_deadlock(&state), Ok(false));
    let last = completed(&network, &steps(&[&[(1, 0)], &[(1, 0)], &[(0, 1)]]));
    accepted(&network, &last);
}

#[test]
fn with_timeout_everything_is_decided_anew() {
    // With timeout, an edge that forbids it is not enabled, and lower preferences count again.
    let network = text(
        "process P { location A; location B; location C { invariant 0; } init A;
          edge A -> C { when !timeout; preference 1; }
          edge A -> B;
        }",
    );
    // The preferred edge can fire only by the rules apart from invariants; so nothing is possible
    // without timeout, and with it the preferred edge is not enabled.
    legal(&network, &[&[(0, 1)]]);
    // Without it in the guard, nothing is possible at all.
    let network = text(
        "process P { location A; location B; location C { invariant 0; } init A;
          edge A -> C { preference 1; }
          edge A -> B;
        }",
    );
    let simulator = Simulator::new(&network, 1).expect("a scale");
    assert_eq!(simulator.is_deadlock(&simulator.initial().expect("a state")), Ok(true));
}

#[test]
fn timeout_changes_while_time_passes() {
    let network = text(
        "clock x chan u : buffered 1 () urgent
        process P { location A; init A; edge A -> A { when timeout && x >= 1; send u; } }
        process Q { location A; init A; edge A -> A { when x <= 2; } }",
    );
    let wait = |delay: i64, moves: &Moves| {
        let steps = [(delay, steps(&[moves]).pop().expect("a step").1)];
        complete(&network, 2, &steps, 0, Ending::Goal).map_err(|error| error.message)
    };
    // Up to 2 units the other process can move, so there is no timeout; then there is.
    assert!(wait(4, &[(1, 0)]).is_ok());
    let reason = "step 1: the guard of P A -> A does not hold: its data part is false";
    assert_eq!(wait(4, &[(0, 0)]).unwrap_err(), reason);
    assert!(wait(5, &[(0, 0)]).is_err(), "time passed beyond the moment of the timeout");
    let late = "step 1: time may not pass by 2.5: the urgent channel u is ready after 2";
    assert_eq!(wait(5, &[(0, 0)]).unwrap_err(), late);
}

// Processes

const STARTS: &str = "var v : bool
    process P { location A; location B; init A;
      edge A -> B { do { enter Q at Run; v = Q at Run; } }
      edge B -> B { do { enter Q at Idle; } }
      edge B -> A { do { enter P at B; enter Q at Bad; } }
    }
    process Q { location Idle; location Run; location Bad { invariant 0; } init Idle;
      edge Run -> Idle;
    }";

#[test]
fn processes_start_and_end() {
    let network = text(STARTS);
    refused(&network, &[&[(1, 0)]], "Q Run -> Idle does not start where the process is: in Idle");
    let trace = legal(&network, &[&[(0, 0)], &[(1, 0)]]);
    let started = [
        location_change(0, 0, 1),
        location_change(1, 0, 1),
        // The process is there at once.
        variable_change(0, 0, 0, 1),
    ];
    assert_eq!(trace.steps[0].changes, started);
    let trace = legal(&network, &[&[(0, 0)], &[(0, 1)]]);
    assert_eq!(trace.steps[1].changes, [location_change(1, 1, 0)]);
    let ended = "Q Run -> Idle does not start where the process is: in Idle";
    refused(&network, &[&[(0, 0)], &[(0, 1)], &[(1, 0)]], ended);
}

#[test]
fn the_invariant_of_a_started_process_must_hold() {
    let network = text(STARTS);
    let reason = "the invariant of Q Bad does not hold: its data part is false";
    refused(&network, &[&[(0, 0)], &[(0, 2)]], reason);
}

#[test]
fn a_process_that_moves_ends_at_the_target_of_its_edge() {
    let network = text(
        "chan h : handshake
        process P { location A; location B; location C; init A;
          edge A -> B { send h; do { enter P at C; } }
        }
        process Q { location A; location B; location C; init A;
          edge A -> B { receive h; do { enter P at C; enter Q at C; } }
        }",
    );
    let trace = legal(&network, &[&[(0, 0), (1, 0)]]);
    let expected = [location_change(0, 0, 1), location_change(1, 0, 1)];
    assert_eq!(trace.steps[0].changes, expected);
}

#[test]
fn the_oracle_knows_control_timeouts_and_started_processes() {
    use testing::discrete::{Outcome, shortest};
    let outcome = |model: &str, goal: &str| {
        let network = text(&format!("{model} property \"goal\" reachable {goal}"));
        let (_, property) = network.properties.enumerate().last().expect("a property");
        shortest(&network, property, 1000)
    };
    assert_eq!(outcome(ATOMIC, "P at B && v == 1"), Outcome::Reached(2));
    // Not by way of B with v still 0: there the process goes on.
    assert_eq!(outcome(ATOMIC, "P at C && v == 1"), Outcome::Reached(3));
    assert_eq!(outcome(TIMEOUT, "P at B"), Outcome::Reached(3));
    assert_eq!(outcome(TIMEOUT, "P at B && v < 2"), Outcome::Unreachable);
    assert_eq!(outcome(TIMEOUT, "deadlock"), Outcome::Reached(3));
    assert_eq!(outcome(STARTS, "Q at Run && P at A"), Outcome::Unreachable);
    assert_eq!(outcome(STARTS, "Q at Idle && P at B"), Outcome::Reached(2));
    assert_eq!(outcome(STARTS, "Q at Bad"), Outcome::Unreachable);
}
