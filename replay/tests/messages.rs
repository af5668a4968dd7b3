//! Messages in buffers and between two processes: for each rule a trace that obeys it and one that
//! breaks it.

mod common;

use common::*;
use network::*;

/// The network of a text, which must be sound.
#[track_caller]
fn text(text: &str) -> Network {
    let network = parse(&format!("network 1 {text}")).unwrap_or_else(|e| panic!("{e:#?}"));
    assert_eq!(verify(&network), []);
    network
}

/// A buffer of messages with two fields, a sender with an edge per part, a receiver too.
fn queue(capacity: u32, sends: &[&str], receives: &[&str]) -> Network {
    let edges = |parts: &[&str]| -> String {
        parts.iter().map(|part| format!("edge A -> A {{ {part} }} ")).collect()
    };
    text(&format!(
        "var v : int[-9, 9] var w : int[-9, 9] chan q : buffered {capacity} (int[0, 3], int[0, 7] wrap)
        process S {{ location A; init A; {} }}
        process R {{ location A; init A; {} }}",
        edges(sends),
        edges(receives)
    ))
}

fn channel_change(from: &[[i32; 2]], to: &[[i32; 2]]) -> Change {
    let messages = |list: &[[i32; 2]]| list.iter().map(|message| message.to_vec()).collect();
    Change::Channel { channel: ChannelId(0), element: 0, from: messages(from), to: messages(to) }
}

const S0: (u32, u32) = (0, 0);
const S1: (u32, u32) = (0, 1);
const R0: (u32, u32) = (1, 0);
const R1: (u32, u32) = (1, 1);

/// Steps of single edges without delays.
fn steps(list: &[(u32, u32)]) -> Vec<(i64, Vec<Move>)> {
    list.iter().map(|&(process, edge)| (0, vec![moved(process, edge)])).collect()
}

/// The steps are legal, and the last one changes just this.
#[track_caller]
fn changes(network: &Network, list: &[(u32, u32)], expected: &[Change]) {
    let trace = completed(network, &steps(list));
    accepted(network, &trace);
    assert_eq!(trace.steps.last().map(|step| step.changes.as_slice()), Some(expected));
}

/// The steps but the last are legal, and the last one is not, for this reason.
#[track_caller]
fn refused(network: &Network, list: &[(u32, u32)], reason: &str) {
    completed(network, &steps(&list[..list.len() - 1]));
    let error = complete(network, 1, &steps(list), 0, Ending::Goal).expect_err("illegal");
    assert_eq!(error.message, format!("step {}: {reason}", list.len()));
    // What is refused is not offered either.
    let simulator = replay::Simulator::new(network, 1).expect("a scale");
    let mut state = simulator.initial().expect("a state");
    let mut steps = steps(list);
    let last = steps.pop().expect("a step").1;
    for (_, moves) in &steps {
        state = simulator.take(&state, moves).expect("a legal step").0;
    }
    assert!(!simulator.possible_steps(&state).contains(&last));
}

/// The steps are legal, and then the moves raise just this error.
#[track_caller]
fn raises(network: &Network, list: &[(u32, u32)], moves: &[Move], kind: ErrorKind) {
    let claim = |kind| Ending::Error {
        error: RunTimeError { kind, span: Span::NONE },
        moves: moves.to_vec(),
    };
    complete(network, 1, &steps(list), 0, claim(kind)).unwrap_or_else(|e| panic!("{e}"));
    let other = complete(network, 1, &steps(list), 0, claim(ErrorKind::DivisionByZero));
    assert!(other.is_err());
}

// Buffers

#[test]
fn a_buffer_takes_as_many_messages_as_it_has_room_for() {
    let network = queue(2, &["send q(1, 2);"], &["receive q(_, _);"]);
    changes(&network, &[S0], &[channel_change(&[], &[[1, 2]])]);
    changes(&network, &[S0, S0], &[channel_change(&[[1, 2]], &[[1, 2], [1, 2]])]);
    refused(&network, &[S0, S0, S0], "S A -> A cannot fire: q is full");
    changes(&network, &[S0, S0, R0, S0], &[channel_change(&[[1, 2]], &[[1, 2], [1, 2]])]);
    refused(&network, &[R0], "R A -> A cannot fire: q has no message that fits");
    let both = [(0, vec![moved(0, 0), moved(1, 0)])];
    let error = complete(&network, 1, &both, 0, Ending::Goal).expect_err("illegal");
    assert_eq!(error.message, "step 1: R A -> A cannot fire: q has no message that fits");
}

#[test]
fn others_do_not_move_with_a_buffer() {
    let network = queue(1, &["send q(1, 2);"], &["", "send q(1, 2);"]);
    for other in [R0, R1] {
        let both = [(0, vec![moved(0, 0), moved(other.0, other.1)])];
        let error = complete(&network, 1, &both, 0, Ending::Goal).expect_err("illegal");
        assert_eq!(error.message, "step 1: S A -> A is about a buffer, but others move with it");
    }
}

#[test]
fn messages_leave_in_the_order_in_which_they_came() {
    let network = queue(2, &["send q(1, 2);", "send q(3, 4);"], &["receive q(v, w);"]);
    changes(
        &network,
        &[S0, S1, R0],
        &[
            variable_change(0, 0, 0, 1),
            variable_change(1, 0, 0, 2),
            channel_change(&[[1, 2], [3, 4]], &[[3, 4]]),
        ],
    );
    changes(
        &network,
        &[S0, S1, R0, R0],
        &[variable_change(0, 0, 1, 3), variable_change(1, 0, 2, 4), channel_change(&[[3, 4]], &[])],
    );
}

#[test]
fn the_first_message_must_fit_unless_any_may_be_taken() {
    let sends = ["send q(1, 2);", "send q(3, 4);"];
    let network = queue(3, &sends, &["receive q(== 3, w);", "receive q(== 3, w) anywhere;"]);
    refused(&network, &[S0, S1, R0], "R A -> A cannot fire: q has no message that fits");
    changes(
        &network,
        &[S0, S1, S1, R1],
        &[
            variable_change(1, 0, 0, 4),
            channel_change(&[[1, 2], [3, 4], [3, 4]], &[[1, 2], [3, 4]]),
        ],
    );
    refused(&network, &[S0, R1], "R A -> A cannot fire: q has no message that fits");
    changes(
        &network,
        &[S1, S0, R0],
        &[variable_change(1, 0, 0, 4), channel_change(&[[3, 4], [1, 2]], &[[1, 2]])],
    );
}

#[test]
fn of_several_messages_that_fit_the_first_is_taken() {
    let sends = ["send q(1, 2);", "send q(1, 4);"];
    let network = queue(3, &sends, &["receive q(== 1, w) anywhere;"]);
    changes(
        &network,
        &[S0, S1, R0],
        &[variable_change(1, 0, 0, 2), channel_change(&[[1, 2], [1, 4]], &[[1, 4]])],
    );
}

#[test]
fn a_message_that_is_kept_stays() {
    let network = queue(1, &["send q(1, 2);"], &["receive q(v, _) keep;"]);
    changes(&network, &[S0, R0], &[variable_change(0, 0, 0, 1)]);
    changes(&network, &[S0, R0, R0], &[]);
    refused(&network, &[S0, R0, S0], "S A -> A cannot fire: q is full");
}

#[test]
fn sorted_messages_go_before_the_first_that_is_greater() {
    let sends = ["send q(2, 2) sorted;", "send q(1, 7) sorted;", "send q(2, 1) sorted;"];
    let network = queue(4, &sends, &[]);
    changes(
        &network,
        &[S0, S1, (0, 2)],
        &[channel_change(&[[1, 7], [2, 2]], &[[1, 7], [2, 1], [2, 2]])],
    );
    // Behind equal ones, and before the first greater one even if the buffer is not in order.
    let sends = ["send q(3, 0);", "send q(1, 0);", "send q(2, 0) sorted;"];
    let network = queue(4, &sends, &[]);
    changes(
        &network,
        &[S0, S1, (0, 2)],
        &[channel_change(&[[3, 0], [1, 0]], &[[2, 0], [3, 0], [1, 0]])],
    );
}

#[test]
fn fields_are_fitted_when_sent_and_when_stored() {
    let wrapped = queue(1, &["send q(1, 9);"], &[]);
    changes(&wrapped, &[S0], &[channel_change(&[], &[[1, 1]])]);
    let outside = queue(1, &["send q(4, 0);"], &[]);
    let error = ErrorKind::OutOfRange { value: 4, low: 0, high: 3 };
    raises(&outside, &[], &[moved(0, 0)], error);
    let narrow = text(
        "var v : bool chan q : buffered 1 (int)
        process S { location A; init A; edge A -> A { send q(2); } edge A -> A { send q(1); } }
        process R { location A; init A; edge A -> A { receive q(v); } }",
    );
    raises(&narrow, &[S0], &[moved(1, 0)], ErrorKind::OutOfRange { value: 2, low: 0, high: 1 });
    completed(&narrow, &steps(&[S1, R0]));
}

#[test]
fn patterns_and_messages_are_those_of_the_state_before() {
    // The first field is stored before the second is compared, if it were not for the rule.
    let receives = ["receive q(v, == v); do { w = v; }", "receive q(v, _); do { w = v; }"];
    let network = queue(1, &["send q(1, 1);"], &receives);
    refused(&network, &[S0, R0], "R A -> A cannot fire: q has no message that fits");
    changes(
        &network,
        &[S0, R1],
        &[variable_change(0, 0, 0, 1), variable_change(1, 0, 0, 1), channel_change(&[[1, 1]], &[])],
    );
    let network = queue(1, &["send q(v, w); do { v = 2; w = len(q); }"], &[]);
    changes(
        &network,
        &[S0],
        &[variable_change(0, 0, 0, 2), variable_change(1, 0, 0, 1), channel_change(&[], &[[0, 0]])],
    );
}

#[test]
fn fields_are_stored_from_first_to_last() {
    let network = text(
        "var i : int[0, 1] var a[2] : int chan q : buffered 1 (bool, int)
        process S { location A; init A; edge A -> A { send q(1, 5); } }
        process R { location A; init A;
          edge A -> A { local m#0 : int; receive q(i, a[i]); }
          edge A -> A { local m#0 : int; receive q(_, m#0); do { a[0] = m#0; } }
        }",
    );
    let emptied = Change::Channel {
        channel: ChannelId(0),
        element: 0,
        from: vec![vec![1, 5]],
        to: Vec::new(),
    };
    let (index, second) = (variable_change(0, 0, 0, 1), variable_change(1, 1, 0, 5));
    changes(&network, &[S0, R0], &[index, second, emptied.clone()]);
    changes(&network, &[S0, R1], &[variable_change(1, 0, 0, 5), emptied]);
}

#[test]
fn wrong_buffers_in_a_trace_are_seen() {
    let network = queue(2, &["send q(1, 2); do { v = 1; }"], &[]);
    let mut trace = completed(&network, &steps(&[S0]));
    accepted(&network, &trace);
    trace.steps[0].changes[1] = channel_change(&[], &[[1, 3]]);
    rejected(
        &network,
        &trace,
        "step 1: change 2 should be q: [] -> [[1, 2]] but is q: [] -> [[1, 3]]",
    );
    trace.steps[0].changes.pop();
    rejected(&network, &trace, "step 1: change 2 should be q: [] -> [[1, 2]] but is nothing");
    let mut trace = completed(&network, &steps(&[S0]));
    trace.steps[0].changes.swap(0, 1);
    rejected(&network, &trace, "step 1: change 1 should be v: 0 -> 1 but is q: [] -> [[1, 2]]");
}

#[test]
fn channel_values_count_from_one() {
    let network = text(
        "var v : int chan h[2] : handshake chan q : buffered 1 (bool) chan r : buffered 1 ()
        process S { location A; init A;
          edge A -> A { send channel(v)(1); }
          edge A -> A { do { v = 3; } }
          edge A -> A { do { v = 4; } }
          edge A -> A { do { v = 5; } }
        }",
    );
    raises(&network, &[], &[moved(0, 0)], ErrorKind::NoChannel(0));
    raises(&network, &[(0, 3)], &[moved(0, 0)], ErrorKind::NoChannel(5));
    let trace = completed(&network, &steps(&[(0, 1), (0, 0)]));
    let filled =
        Change::Channel { channel: ChannelId(1), element: 0, from: Vec::new(), to: vec![vec![1]] };
    assert_eq!(trace.steps[1].changes, [filled]);
    refused(
        &network,
        &[(0, 2), (0, 0)],
        "S A -> A cannot fire: r has messages of a different length",
    );
}

#[test]
fn urgent_buffers_stop_time_while_they_are_ready() {
    let network = text(
        "clock x chan q : buffered 1 (bool) urgent
        process S { location A; init A; edge A -> A { when x >= 2; send q(1); } }
        process R { location A; init A; edge A -> A { receive q(== 0); } }",
    );
    let wait = |delay, steps: &[(i64, Vec<Move>)]| {
        complete(&network, 1, steps, delay, Ending::Goal).map_err(|e| e.message)
    };
    assert!(wait(2, &[]).is_ok());
    let message = "at the end: time may not pass by 3: the urgent channel q is ready after 2";
    assert_eq!(wait(3, &[]).unwrap_err(), message);
    // Full, and the message does not fit: nothing is ready.
    assert!(wait(9, &[(2, vec![moved(0, 0)])]).is_ok());
}

#[test]
fn buffers_have_the_priority_of_their_channel() {
    let network = text(
        "chan q : buffered 1 () priority 1 chan r : buffered 1 ()
        process S { location A; init A; edge A -> A { send q; } edge A -> A { send r; } }",
    );
    refused(&network, &[S1], "S A -> A has to wait for S A -> A, which has a higher priority");
    completed(&network, &steps(&[S0, S1]));
}

// Rendezvous

fn meeting() -> Network {
    queue(
        0,
        &["send q(1, 9); do { w = v; }", "send q(4, 0);"],
        &["receive q(v, == 1);", "receive q(== 2, _);"],
    )
}

#[test]
fn a_rendezvous_hands_a_message_over() {
    let network = meeting();
    let both = [(0, vec![moved(0, 0), moved(1, 0)])];
    let trace = completed(&network, &both);
    accepted(&network, &trace);
    // The sender's update runs before the receiver stores.
    assert_eq!(trace.steps[0].changes, [variable_change(0, 0, 0, 1)]);
    refused(&network, &[S0], "S A -> A needs a receiver");
    refused(&network, &[R0], "R A -> A comes first but does not send");
    let wrong = [(0, vec![moved(0, 0), moved(1, 1)])];
    let error = complete(&network, 1, &wrong, 0, Ending::Goal).expect_err("illegal");
    assert_eq!(error.message, "step 1: the message of S A -> A does not fit R A -> A");
    let moves = [moved(0, 1), moved(1, 1)];
    raises(&network, &[], &moves, ErrorKind::OutOfRange { value: 4, low: 0, high: 3 });
}

#[test]
fn a_process_does_not_meet_itself() {
    let network = queue(0, &["send q(1, 1);", "receive q(_, _);"], &[]);
    let own = [(0, vec![moved(0, 0), moved(0, 1)])];
    let error = complete(&network, 1, &own, 0, Ending::Goal).expect_err("illegal");
    assert_eq!(error.message, "step 1: S A -> A cannot receive what it sends");
    let simulator = replay::Simulator::new(&network, 1).expect("a scale");
    assert!(simulator.is_deadlock(&simulator.initial().expect("a state")).expect("no error"));
}

#[test]
fn all_steps_with_messages_are_found() {
    let network = meeting();
    let simulator = replay::Simulator::new(&network, 1).expect("a scale");
    let choices = simulator.choices(&simulator.initial().expect("a state"));
    assert_eq!(choices.steps, [vec![moved(0, 0), moved(1, 0)]]);
    // The field that is out of range is looked at once for each receiver.
    let moves: Vec<_> = choices.errors.iter().map(|raised| raised.moves.clone()).collect();
    assert_eq!(moves, [vec![moved(0, 1), moved(1, 0)], vec![moved(0, 1), moved(1, 1)]]);
}

// Statements and questions

#[test]
fn statements_send_and_receive_at_once() {
    let network = queue(
        1,
        &[
            "do { send q(1, 9); v = len(q); receive q(w, == 1); }",
            "do { send q(1, 2); send q(1, 2); }",
            "do { receive q(_, _); }",
            "do { send q(1, 2); receive q(== 2, _); }",
            "do { send q(4, 2); }",
            "do { if (!full(q)) { send q(3, 2) sorted; } }",
        ],
        &["do { receive q(v, w) keep; }"],
    );
    changes(&network, &[S0], &[variable_change(0, 0, 0, 1), variable_change(1, 0, 0, 1)]);
    for edge in [1, 2, 3] {
        raises(&network, &[], &[moved(0, edge)], ErrorKind::Blocked);
    }
    raises(&network, &[], &[moved(0, 4)], ErrorKind::OutOfRange { value: 4, low: 0, high: 3 });
    changes(&network, &[(0, 5)], &[channel_change(&[], &[[3, 2]])]);
    let stored = [variable_change(0, 0, 0, 3), variable_change(1, 0, 0, 2)];
    changes(&network, &[(0, 5), R0], &stored);
    changes(&network, &[(0, 5), R0, (0, 5)], &[]);
}

#[test]
fn statements_need_a_buffer() {
    let network = text(
        "failure even \"even\" failure odd \"odd\"
        chan h : handshake chan q : buffered 0 ()
        process S { location A; init A;
          edge A -> A { do { send q; } }
          edge A -> A { do { receive channel(1); } }
          edge A -> A { do { send channel(0); } }
          edge A -> A { do { await empty(channel(1)) && full(q) && !poll channel(1); } }
          edge A -> A { do { await len(q) > 0; } }
          edge A -> A { do { no room; } }
          edge A -> A { do { fail odd; } }
        }",
    );
    raises(&network, &[], &[moved(0, 0)], ErrorKind::Blocked);
    raises(&network, &[], &[moved(0, 1)], ErrorKind::Blocked);
    raises(&network, &[], &[moved(0, 2)], ErrorKind::NoChannel(0));
    completed(&network, &steps(&[(0, 3)]));
    raises(&network, &[], &[moved(0, 4)], ErrorKind::Blocked);
    raises(&network, &[], &[moved(0, 5)], ErrorKind::NoRoom);
    raises(&network, &[], &[moved(0, 6)], ErrorKind::Failure(FailureId(1)));
}

#[test]
fn questions_are_answered() {
    let network = |goal: &str| {
        text(&format!(
            "chan q : buffered 2 (bool, bool)
            process S {{ location A; init A; edge A -> A {{ send q(0, 1); }} edge A -> A {{ send q(1, 0); }} }}
            property \"\" reachable {goal}"
        ))
    };
    let holds = |goal: &str, list: &[(u32, u32)]| {
        let network = network(goal);
        let trace = completed(&network, &steps(list));
        replay::check(&network, network.properties.iter().next(), &trace).is_ok()
    };
    for (goal, list, expected) in [
        ("len(q) == 0 && empty(q) && !full(q)", &[][..], true),
        ("len(q) == 1 && !empty(q) && !full(q)", &[S0], true),
        ("len(q) == 2 && !empty(q) && full(q)", &[S0, S1], true),
        ("empty(q)", &[S0], false),
        ("poll q(_, _)", &[], false),
        ("poll q(_, _)", &[S0], true),
        ("poll q(== 1, _)", &[S0, S1], false),
        ("poll q(== 1, _) anywhere", &[S0, S1], true),
        ("poll q(== 1, == 1) anywhere", &[S0, S1], false),
        ("poll channel(1)(== 0, == 1)", &[S0, S1], true),
    ] {
        assert_eq!(holds(goal, list), expected, "{goal}");
    }
}

#[test]
fn the_oracle_knows_messages() {
    use testing::discrete::{Outcome, shortest};
    // Numbers go round: 0, 1, 2 are sent and come back in order.
    let network = text(
        "var n : int[0, 3] var m : int[0, 3] chan q : buffered 2 (int[0, 3])
        process S { location A; init A; edge A -> A { when n < 3; send q(n); do { n = n + 1; } } }
        process R { location A; init A; edge A -> A { receive q(m); } }
        property \"\" reachable m == 2
        property \"\" reachable m == 2 && len(q) == 1
        property \"\" reachable len(q) == 2 && n == 2",
    );
    let outcome = |id| shortest(&network, &network.properties[PropertyId(id)], 1000);
    assert_eq!(outcome(0), Outcome::Reached(6));
    assert_eq!(outcome(1), Outcome::Unreachable);
    assert_eq!(outcome(2), Outcome::Reached(2));
}
