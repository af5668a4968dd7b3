//! For each rule of `docs/semantics.md` a trace that breaks just that rule.

mod common;

use common::*;
use network::*;

fn one_step(delay: i64, moves: &[Move]) -> Trace {
    trace(2, &[step(delay, moves, &[])])
}

/// The same without a look at the changes: the last step's are taken from the interpreter.
#[track_caller]
fn legal(network: &Network, scale: i64, delay: i64, moves: &[Move]) {
    let steps = [(delay, moves.to_vec())];
    if let Err(mismatch) = complete(network, scale, &steps, 0, Ending::Goal) {
        panic!("rejected: {mismatch}");
    }
}

// State

#[test]
fn the_initial_state_must_satisfy_its_invariants() {
    let mut network = x3();
    network.clocks[ClockId(0)].initial = vec![3];
    rejected(
        &network,
        &x3_trace(),
        "at the start: the invariant of A l0 does not hold: x is 3, not <= 2",
    );
    let mut network = x3();
    network.processes[ProcessId(0)].locations[LocationId(0)].invariant.data = Expr::Const(0);
    rejected(
        &network,
        &x3_trace(),
        "at the start: the invariant of A l0 does not hold: its data part is false",
    );
}

// Conditions

#[test]
fn the_data_part_decides_whether_clocks_are_looked_at() {
    let divided = Expr::binary(BinaryOp::Div, Expr::Const(1), var(0));
    let guarded = |data: Expr, when: Option<Expr>| {
        let constraint = ClockConstraint { when, bound: divided.clone(), ..ge(0, 0) };
        let process = process("P", &["0", "1"]).edge(0, 1, |e| {
            e.guard.data = data;
            e.guard.clocks.push(constraint);
        });
        network([process]).clock("x").variable("v", 0, 1, 0)
    };
    let moves = [moved(0, 0)];
    rejected(
        &guarded(var(0), None),
        &one_step(0, &moves),
        "step 1: the guard of P 0 -> 1 does not hold: its data part is false",
    );
    rejected(
        &guarded(Expr::TRUE, None),
        &one_step(0, &moves),
        "step 1: a run-time error is raised: division by zero",
    );
    legal(&guarded(Expr::TRUE, Some(var(0))), 1, 0, &moves);
}

// Delay

#[test]
fn time_never_goes_back() {
    let mut trace = x3_trace();
    trace.steps[1].delay = -1;
    rejected(&x3(), &trace, "step 2: time cannot pass by -1 ticks");
    let trace = Trace { final_delay: -5, ..x3_trace() };
    rejected(&x3(), &trace, "at the end: time cannot pass by -5 ticks");
}

#[test]
fn time_stands_still_in_urgent_and_committed_locations() {
    for (kind, name) in [(LocationKind::Urgent, "urgent"), (LocationKind::Committed, "committed")] {
        let process = process("P", &["0", "1"]).kind(0, kind).edge(0, 1, |_| ());
        let network = network([process]).clock("x");
        let message = format!("step 1: time may not pass: P is in the {name} location 0");
        rejected(&network, &one_step(1, &[moved(0, 0)]), &message);
        legal(&network, 1, 0, &[moved(0, 0)]);
    }
}

/// A handshake on an urgent channel, with guards on either side.
fn urgent(sender: &[ClockConstraint], receiver: &[ClockConstraint]) -> Network {
    let one = process("S", &["0", "1"]).edge(0, 1, |e| {
        e.action = send(0);
        e.guard.clocks.extend(sender.to_vec());
    });
    let two = process("R", &["0", "1"]).edge(0, 1, |e| {
        e.action = receive(0);
        e.guard.clocks.extend(receiver.to_vec());
    });
    let free = process("F", &["0", "1"]).edge(0, 1, |_| ());
    network([one, two, free]).clock("x").channel("u", ChannelKind::Handshake, true, 0)
}

#[test]
fn time_stands_still_when_an_urgent_channel_is_ready() {
    let free = [moved(2, 0)];
    rejected(
        &urgent(&[], &[]),
        &one_step(1, &free),
        "step 1: time may not pass by 0.5: the urgent channel u is ready after 0",
    );
    legal(&urgent(&[], &[]), 2, 0, &free);
    // Ready from 1 on: time may pass until then and no further.
    let late = urgent(&[ge(0, 1)], &[]);
    legal(&late, 2, 2, &free);
    rejected(
        &late,
        &one_step(3, &free),
        "step 1: time may not pass by 1.5: the urgent channel u is ready after 1",
    );
    // The moments (1, 2) of both guards lie in the middle of the delay.
    rejected(
        &urgent(&[gt(0, 1)], &[lt(0, 2)]),
        &one_step(8, &free),
        "step 1: time may not pass by 4: the urgent channel u is ready after 1",
    );
    legal(&urgent(&[gt(0, 1)], &[lt(0, 2)]), 2, 2, &free);
    // The guards never hold together.
    legal(&urgent(&[gt(0, 2)], &[le(0, 2)]), 2, 100, &free);
    legal(&urgent(&[ge(0, 2)], &[lt(0, 2)]), 2, 100, &free);
    // Just one moment is enough.
    rejected(
        &urgent(&[ge(0, 2)], &[le(0, 2)]),
        &one_step(5, &free),
        "step 1: time may not pass by 2.5: the urgent channel u is ready after 2",
    );
    legal(&urgent(&[ge(0, 2)], &[le(0, 2)]), 2, 4, &free);
}

#[test]
fn urgency_looks_at_guards_and_not_at_the_invariants_of_targets() {
    let mut network = urgent(&[], &[]);
    network.processes[ProcessId(0)].locations[LocationId(1)].invariant.data = Expr::Const(0);
    rejected(
        &network,
        &one_step(1, &[moved(2, 0)]),
        "step 1: time may not pass by 0.5: the urgent channel u is ready after 0",
    );
}

#[test]
fn an_urgent_broadcast_needs_no_receiver_and_a_handshake_needs_another_process() {
    let both = process("P", &["0", "1"])
        .edge(0, 1, |e| e.action = send(0))
        .edge(0, 1, |e| e.action = receive(0))
        .edge(0, 1, |_| ());
    let network =
        |kind, both: ProcessBuilder| common::network([both]).clock("x").channel("u", kind, true, 0);
    let broadcast = network(ChannelKind::Broadcast, ProcessBuilder(both.0.clone()));
    rejected(
        &broadcast,
        &one_step(1, &[moved(0, 2)]),
        "step 1: time may not pass by 0.5: the urgent channel u is ready after 0",
    );
    legal(&network(ChannelKind::Handshake, both), 1, 1, &[moved(0, 2)]);
}

#[test]
fn invariants_hold_at_the_end_of_a_delay() {
    let mut trace = x3_trace();
    trace.steps[2].delay = 5;
    rejected(
        &x3(),
        &trace,
        "step 3: after a delay of 2.5 the invariant of A l0 does not hold: x is 2.5, not <= 2",
    );
    let strict = process("P", &["0"]).invariant(0, lt(0, 2));
    let network = network([strict]).clock("x");
    accepted(&network, &Trace { final_delay: 5, ..common::trace(3, &[]) });
    rejected(
        &network,
        &Trace { final_delay: 6, ..common::trace(3, &[]) },
        "at the end: after a delay of 2 the invariant of P 0 does not hold: x is 2, not < 2",
    );
}

fn rated(rates: &[(Option<Expr>, Expr)], guard: ClockConstraint) -> Network {
    let rate = |(when, rate): &(Option<Expr>, Expr)| Rate {
        when: when.clone(),
        clock: clock(0),
        rate: rate.clone(),
    };
    let process = process("P", &["0", "1"])
        .location(0, |l| l.rates = rates.iter().map(rate).collect())
        .edge(0, 1, |e| e.guard.clocks.push(guard));
    network([process]).clock("x").variable("v", -1, 2, 0)
}

#[test]
fn stopped_clocks_stand_still() {
    let zero = || vec![(None, Expr::Const(0))];
    let moves = [moved(0, 0)];
    legal(&rated(&zero(), le(0, 0)), 1, 5, &moves);
    rejected(
        &rated(&zero(), ge(0, 1)),
        &one_step(5, &moves),
        "step 1: the guard of P 0 -> 1 does not hold: x is 0, not >= 1",
    );
    // The rate is not fixed, since v is 0.
    legal(&rated(&[(Some(var(0)), Expr::Const(0))], ge(0, 5)), 1, 5, &moves);
    legal(&rated(&[(None, var(0))], le(0, 0)), 1, 5, &moves);
}

#[test]
fn other_rates_are_errors() {
    let moves = [moved(0, 0)];
    let two = rated(&[(None, Expr::Const(2))], ge(0, 0));
    let message = |rate: i32| {
        format!("step 1: a run-time error is raised: a clock gets the rate {rate}, not just 0 or 1")
    };
    rejected(&two, &one_step(1, &moves), &message(2));
    legal(&two, 1, 0, &moves);
    let both = rated(&[(None, Expr::Const(0)), (None, Expr::Const(1))], ge(0, 0));
    rejected(&both, &one_step(1, &moves), &message(1));
    let same = rated(&[(None, Expr::Const(0)), (None, Expr::Const(0))], ge(0, 0));
    legal(&same, 1, 1, &moves);
}

// Steps

#[test]
fn guards_hold_and_edges_start_where_the_process_is() {
    let mut trace = x3_trace();
    trace.steps[2].delay = 1;
    rejected(&x3(), &trace, "step 3: the guard of A l0 -> l1 does not hold: x is 0.5, not >= 1");
    let mut trace = x3_trace();
    trace.steps[1].moves = vec![moved(0, 0)];
    rejected(&x3(), &trace, "step 2: A l0 -> l1 does not start where the process is: in l1");
}

#[test]
fn moves_that_do_not_exist_are_told() {
    let with = |moves: Vec<Move>| {
        let mut trace = x3_trace();
        trace.steps[0].moves = moves;
        trace
    };
    rejected(&x3(), &with(vec![]), "step 1: the step has no moves");
    rejected(&x3(), &with(vec![moved(9, 0)]), "step 1: there is no process 9");
    rejected(&x3(), &with(vec![moved(0, u32::MAX)]), "step 1: A has no edge 4294967295");
    let selects = Move { selects: vec![1], ..moved(0, 0) };
    rejected(
        &x3(),
        &with(vec![selects]),
        "step 1: the selects of A l0 -> l1 cannot have the values [1]",
    );
    rejected(
        &x3(),
        &with(vec![moved(0, 0), moved(0, 0)]),
        "step 1: A l0 -> l1 is internal, but others move with it",
    );
}

#[test]
fn selects_stay_in_their_range() {
    let process = process("P", &["0", "1"]).edge(0, 1, |e| {
        let ty = Type::range(2, 3);
        e.selects = vec![e.locals.push(Local { name: "s".to_string(), ty, sizes: Vec::new() })];
        e.guard.data = op(BinaryOp::Ne, Expr::local(LocalId(0)), 2);
        e.update.push(assign(0, Expr::local(LocalId(0))));
    });
    let network = network([process]).variable("v", 0, 9, 0);
    let select = |value| [Move { selects: vec![value], ..moved(0, 0) }];
    legal(&network, 1, 0, &select(3));
    rejected(
        &network,
        &one_step(0, &select(2)),
        "step 1: the guard of P 0 -> 1 does not hold: its data part is false",
    );
    rejected(
        &network,
        &one_step(0, &select(4)),
        "step 1: the selects of P 0 -> 1 cannot have the values [4]",
    );
    let simulator = replay::Simulator::new(&network, 1).expect("supported");
    let initial = simulator.initial().expect("no invariants");
    assert_eq!(simulator.possible_steps(&initial), vec![select(3).to_vec()]);
}

#[test]
fn selects_take_all_values_independently() {
    let process = process("P", &["0", "1"]).edge(0, 1, |e| {
        for name in ["s", "t"] {
            let ty = Type::range(-1, 0);
            let local = Local { name: name.to_string(), ty, sizes: Vec::new() };
            e.selects.push(e.locals.push(local));
        }
    });
    let network = network([process]);
    let simulator = replay::Simulator::new(&network, 1).expect("supported");
    let steps = simulator.possible_steps(&simulator.initial().expect("no invariants"));
    let selects: Vec<Vec<i32>> = steps.into_iter().map(|moves| moves[0].selects.clone()).collect();
    assert_eq!(selects, [[-1, -1], [-1, 0], [0, -1], [0, 0]]);
}

/// P0 sends, P1, P2 and P3 receive; P3 only while x < 1.
fn group(kind: ChannelKind) -> Network {
    let sender = process("P0", &["0", "1"]).edge(0, 1, |e| e.action = send(0));
    let receiver = |name: &str| process(name, &["0", "1"]).edge(0, 1, |e| e.action = receive(0));
    let mut guarded = receiver("P3");
    guarded.0.edges[EdgeId(0)].guard.clocks.push(lt(0, 1));
    let other = process("P4", &["0", "1"]).edge(0, 1, |e| e.action = receive(1));
    network([sender, receiver("P1"), receiver("P2"), guarded, other])
        .clock("x")
        .channel("c", kind, false, 0)
        .channel("d", ChannelKind::Handshake, false, 0)
}

#[test]
fn a_handshake_is_a_sender_and_one_receiver() {
    let network = group(ChannelKind::Handshake);
    legal(&network, 1, 0, &[moved(0, 0), moved(2, 0)]);
    let wrong = |moves: &[Move], message| rejected(&network, &one_step(0, moves), message);
    wrong(&[moved(0, 0)], "step 1: P0 0 -> 1 needs a receiver");
    wrong(&[moved(1, 0)], "step 1: P1 0 -> 1 comes first but does not send");
    wrong(&[moved(1, 0), moved(0, 0)], "step 1: P1 0 -> 1 comes first but does not send");
    wrong(&[moved(0, 0), moved(1, 0), moved(2, 0)], "step 1: P0 0 -> 1 has more than one receiver");
    wrong(&[moved(0, 0), moved(0, 0)], "step 1: P0 0 -> 1 does not receive from c");
    wrong(&[moved(0, 0), moved(4, 0)], "step 1: P4 0 -> 1 does not receive from c");
}

#[test]
fn nobody_receives_what_it_sends() {
    for kind in [ChannelKind::Handshake, ChannelKind::Broadcast] {
        let process =
            process("P", &["0", "1"])
                .edge(0, 1, |e| e.action = send(0))
                .edge(0, 1, |e| e.action = receive(0));
        let network = network([process]).channel("c", kind, false, 0);
        rejected(
            &network,
            &one_step(0, &[moved(0, 0), moved(0, 1)]),
            "step 1: P 0 -> 1 cannot receive what it sends",
        );
    }
}

#[test]
fn a_broadcast_reaches_all_who_can_receive() {
    let network = group(ChannelKind::Broadcast);
    let all = [moved(0, 0), moved(1, 0), moved(2, 0), moved(3, 0)];
    legal(&network, 1, 0, &all);
    legal(&network, 1, 1, &all[..3]);
    let wrong =
        |delay, moves: &[Move], message| rejected(&network, &one_step(delay, moves), message);
    wrong(0, &all[..3], "step 1: P3 can receive from c but does not");
    wrong(1, &all[..3], "step 1: P3 can receive from c but does not");
    wrong(0, &all[..1], "step 1: P1 can receive from c but does not");
    wrong(2, &all, "step 1: the guard of P3 0 -> 1 does not hold: x is 1, not < 1");
    let swapped = [moved(0, 0), moved(2, 0), moved(1, 0), moved(3, 0)];
    let message = "step 1: the receivers from c are not in the order of the processes";
    wrong(0, &swapped, message);
    let twice = [moved(0, 0), moved(1, 0), moved(1, 0), moved(2, 0), moved(3, 0)];
    wrong(0, &twice, message);
}

#[test]
fn a_broadcast_waits_for_nobody() {
    let sender = process("P", &["0", "1"]).edge(0, 1, |e| e.action = send(0));
    let network = network([sender]).channel("b", ChannelKind::Broadcast, false, 0);
    legal(&network, 1, 0, &[moved(0, 0)]);
}

#[test]
fn committed_locations_go_first() {
    let committed = process("C", &["0", "1"]).kind(0, LocationKind::Committed).edge(0, 1, |_| ());
    let other = process("P", &["0", "1"]).edge(0, 1, |_| ());
    let network = network([committed, other]);
    rejected(
        &network,
        &one_step(0, &[moved(1, 0)]),
        "step 1: P 0 -> 1 leaves no committed location, but C is in one",
    );
    legal(&network, 1, 0, &[moved(0, 0)]);
}

#[test]
fn a_receiver_may_be_the_one_that_leaves_a_committed_location() {
    let committed = process("C", &["0", "1"])
        .kind(0, LocationKind::Committed)
        .edge(0, 1, |e| e.action = receive(0));
    let other = process("P", &["0", "1"]).edge(0, 1, |e| e.action = send(0));
    let network = network([committed, other]).channel("c", ChannelKind::Handshake, false, 0);
    legal(&network, 1, 0, &[moved(1, 0), moved(0, 0)]);
}

#[test]
fn invariants_hold_after_a_step() {
    let p = process("P", &["0", "1"]).edge(0, 1, |e| e.update.push(reset(0, 4)));
    let q = process("Q", &["0"]).invariant(0, le(0, 3));
    let network = network([p, q]).clock("x");
    rejected(
        &network,
        &one_step(0, &[moved(0, 0)]),
        "step 1: the invariant of Q 0 does not hold: x is 4, not <= 3",
    );
}

/// P0 moves alone, P1 and P2 on a channel with a priority.
fn ranked(channel: i32, process: i32) -> Network {
    let alone = common::process("P0", &["0", "1"]).edge(0, 1, |_| ()).priority(process);
    let sender = common::process("P1", &["0", "1"]).edge(0, 1, |e| e.action = send(0));
    let receiver = common::process("P2", &["0", "1"])
        .edge(0, 1, |e| {
            e.action = receive(0);
            e.guard.clocks.push(ge(0, 1));
        })
        .priority(1);
    network([alone, sender, receiver]).clock("x").channel(
        "c",
        ChannelKind::Handshake,
        false,
        channel,
    )
}

#[test]
fn higher_priorities_go_first() {
    let (alone, both) = ([moved(0, 0)], [moved(1, 0), moved(2, 0)]);
    let waits = "step 1: P0 0 -> 1 has to wait for P1 0 -> 1, which has a higher priority";
    // The channel counts before the processes.
    rejected(&ranked(1, 9), &one_step(2, &alone), waits);
    legal(&ranked(1, 9), 2, 2, &both);
    rejected(
        &ranked(-1, -9),
        &one_step(2, &both),
        "step 1: P1 0 -> 1 has to wait for P0 0 -> 1, which has a higher priority",
    );
    legal(&ranked(-1, -9), 2, 2, &alone);
    // Then the highest of the processes.
    rejected(&ranked(0, 0), &one_step(2, &alone), waits);
    legal(&ranked(0, 1), 2, 2, &alone);
    legal(&ranked(0, 1), 2, 2, &both);
    // A step that is not possible blocks nothing: before 1 the receiver is not ready.
    legal(&ranked(1, 0), 2, 1, &alone);
    // Nor does one whose targets have false invariants.
    let mut network = ranked(1, 0);
    network.processes[ProcessId(1)].locations[LocationId(1)].invariant.data = Expr::Const(0);
    legal(&network, 2, 2, &alone);
    // Delays are never blocked.
    legal(&ranked(1, 0), 2, 9, &both);
}

// Effect

#[test]
fn changes_must_be_those_that_happen() {
    let with = |change: &dyn Fn(&mut Vec<Change>)| {
        let mut trace = x3_trace();
        change(&mut trace.steps[1].changes);
        trace
    };
    rejected(
        &x3(),
        &with(&|changes| changes.clear()),
        "step 2: change 1 should be A l1 -> l0 but is nothing",
    );
    rejected(
        &x3(),
        &with(&|changes| changes.swap(0, 1)),
        "step 2: change 1 should be A l1 -> l0 but is x := 0",
    );
    rejected(
        &x3(),
        &with(&|changes| changes[1] = clock_change(0, 1)),
        "step 2: change 2 should be x := 0 but is x := 1",
    );
    rejected(
        &x3(),
        &with(&|changes| changes.push(variable_change(7, 9, 0, 1))),
        "step 2: change 3 should be nothing but is ?: 0 -> 1",
    );
    rejected(
        &x3(),
        &with(&|changes| changes[0] = location_change(5, 7, 9)),
        "step 2: change 1 should be A l1 -> l0 but is a location of no process (5)",
    );
}

#[test]
fn values_that_stay_and_clocks_that_are_set() {
    let process = process("P", &["0"]).edge(0, 0, |e| {
        e.update = vec![
            assign(0, Expr::Const(2)),
            assign(0, Expr::Const(1)),
            assign(1, Expr::Const(5)),
            reset(0, 0),
        ];
    });
    let network = network([process]).clock("x").variable("v", 0, 9, 1).variable("w", 0, 9, 0);
    let trace = completed(&network, &[(0, vec![moved(0, 0)])]);
    assert_eq!(trace.steps[0].changes, [variable_change(1, 0, 0, 5), clock_change(0, 0)]);
}

// The ending

#[test]
fn the_goal_holds_at_the_end() {
    let mut trace = x3_trace();
    trace.steps.pop();
    rejected(&x3(), &trace, "at the end: the state does not satisfy the goal of the goal");
    assert!(replay::check(&x3(), None, &trace).is_ok());
    let mut network = x3();
    network.properties[PropertyId(0)].claim = Claim::Unsupported("it is a riddle".to_string());
    rejected(&network, &x3_trace(), "at the end: the property cannot be checked: it is a riddle");
}

// Whatever a trace says, it is only wrong.

#[test]
fn absurd_numbers_are_told() {
    let scaled = |scale| Trace { scale, ..x3_trace() };
    rejected(&x3(), &scaled(0), "at the start: 0 ticks per unit of time are too few");
    rejected(
        &x3(),
        &scaled(i64::MIN),
        "at the start: -9223372036854775808 ticks per unit of time are too few",
    );
    assert!(replay::check(&x3(), None, &scaled(i64::MAX)).is_err());
    let free = network([process("P", &["0"]).edge(0, 0, |_| ())]).clock("x");
    let mut trace = trace(i64::MAX, &vec![step(i64::MAX, &[moved(0, 0)], &[]); 1000]);
    trace.final_delay = i64::MAX;
    accepted(&free, &trace);
    trace.scale = 1;
    accepted(&free, &trace);
}
