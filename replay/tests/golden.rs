//! Known networks with known traces.

mod common;

use common::*;
use network::*;
use testing::discrete::{Limits, Outcome, shortest, shortest_within};

#[test]
fn x3_replays() {
    let network = x3();
    let replayed = replay::check(&network, Some(first_property(&network)), &x3_trace());
    let replayed = replayed.expect("the trace is right");
    assert_eq!(replayed.time, 10);
    assert_eq!(replayed.state.clocks, vec![vec![0], vec![10]]);
    assert_eq!(replayed.state.locations, vec![LocationId(2)]);
}

#[test]
fn x3_takes_four_steps() {
    let network = x3();
    assert_eq!(shortest(&network, first_property(&network), 10_000), Outcome::Reached(4));
    let finer = Limits { scale: 6, max_states: 100_000, max_steps: 10 };
    assert_eq!(shortest_within(&network, first_property(&network), finer), Outcome::Reached(4));
}

#[test]
fn changes_are_filled_in() {
    let steps: Vec<(i64, Vec<Move>)> =
        x3_trace().steps.into_iter().map(|step| (step.delay, step.moves)).collect();
    let trace = complete(&x3(), 2, &steps, 0, Ending::Goal);
    assert_eq!(trace, Ok(x3_trace()));
}

/// X1 of docs/algorithms.md, section 6: n automata that toggle.
fn x1(n: u32) -> Network {
    let toggle = |i| process(&format!("A{i}"), &["0", "1"]).edge(0, 1, |_| ()).edge(1, 0, |_| ());
    let goal = (0..n).fold(Expr::TRUE, |goal, i| goal.and(at(i, 1)));
    network((0..n).map(toggle)).goal(goal)
}

#[test]
fn x1_takes_a_step_per_automaton() {
    for n in 1..6 {
        let network = x1(n);
        let outcome = shortest(&network, first_property(&network), 1000);
        assert_eq!(outcome, Outcome::Reached(n as usize));
    }
}

#[test]
fn x2_takes_three_steps_in_five_states() {
    let one =
        process("A", &["a0", "a1", "a2"]).edge(0, 1, |_| ()).edge(1, 2, |e| e.action = send(0));
    let two =
        process("B", &["b0", "b1", "b2"]).edge(0, 1, |_| ()).edge(1, 2, |e| e.action = receive(0));
    let network = network([one, two])
        .channel("go", ChannelKind::Handshake, false, 0)
        .goal(at(0, 2).and(at(1, 2)));
    let property = first_property(&network);
    assert_eq!(shortest(&network, property, 1000), Outcome::Reached(3));
    let nowhere = Property { claim: Claim::Reachable(Expr::Const(0)), ..property.clone() };
    assert_eq!(shortest(&network, &nowhere, 5), Outcome::Unreachable);
    assert_eq!(shortest(&network, &nowhere, 4), Outcome::GaveUp);
}

#[test]
fn x4_takes_five_steps() {
    let set = |name: &str| {
        process(name, &["0", "1"]).edge(0, 1, |e| e.update.push(assign(0, Expr::Const(1))))
    };
    let waits =
        process("B", &["m0", "m1"]).edge(0, 1, |e| e.guard.data = op(BinaryOp::Eq, var(0), 1));
    let chain = process("C", &["c0", "c1", "c2", "c3"]).edge(0, 1, |_| ()).edge(1, 2, |_| ()).edge(
        2,
        3,
        |_| (),
    );
    let network = network([set("A"), set("A'"), waits, chain])
        .variable("x", 0, 1, 0)
        .goal(at(2, 1).and(at(3, 3)));
    assert_eq!(shortest(&network, first_property(&network), 1000), Outcome::Reached(5));
}

#[test]
fn always_looks_for_the_opposite() {
    let mut network = x3();
    network.properties[PropertyId(0)].claim = Claim::Always(Expr::unary(UnaryOp::Not, at(0, 2)));
    accepted(&network, &x3_trace());
    network.properties[PropertyId(0)].claim = Claim::Always(at(0, 2));
    rejected(&network, &x3_trace(), "at the end: the state does not satisfy the goal of the goal");
}

#[test]
fn goals_see_clocks_exactly() {
    let goal = |relation| {
        let constraint = constraint(0, relation, 1);
        network([process("P", &["l"])]).clock("x").goal(Expr::Clock(Box::new(constraint)))
    };
    let trace = |final_delay| Trace { final_delay, ..trace(3, &[]) };
    accepted(&goal(Relation::Lt), &trace(2));
    accepted(&goal(Relation::Le), &trace(3));
    accepted(&goal(Relation::Eq), &trace(3));
    accepted(&goal(Relation::Ge), &trace(3));
    accepted(&goal(Relation::Gt), &trace(4));
    let message = "at the end: the state does not satisfy the goal of the goal";
    rejected(&goal(Relation::Lt), &trace(3), message);
    rejected(&goal(Relation::Le), &trace(4), message);
    rejected(&goal(Relation::Eq), &trace(4), message);
    rejected(&goal(Relation::Ge), &trace(2), message);
    rejected(&goal(Relation::Gt), &trace(3), message);
}

/// A location with an invariant x <= `limit` and an edge that is enabled only while the guard holds.
fn waiting(limit: i32, guard: ClockConstraint) -> Network {
    let process = process("P", &["l", "m"])
        .invariant(0, le(0, limit))
        .edge(0, 1, |e| e.guard.clocks.push(guard));
    network([process]).clock("x").goal(Expr::Deadlock)
}

#[test]
fn deadlocks_are_exact() {
    let message = "at the end: the state does not satisfy the goal of the goal";
    // Possible later, or just not any more.
    rejected(&waiting(3, ge(0, 3)), &trace(1, &[]), message);
    accepted(&waiting(2, ge(0, 3)), &trace(1, &[]));
    accepted(&waiting(3, gt(0, 3)), &trace(1, &[]));
    rejected(&waiting(3, gt(0, 2)), &trace(1, &[]), message);
    // After 1 unit the guard x < 1 no longer holds, a moment before it still does.
    let after = |final_delay| Trace { final_delay, ..trace(2, &[]) };
    rejected(&waiting(9, lt(0, 1)), &after(1), message);
    accepted(&waiting(9, lt(0, 1)), &after(2));
}

#[test]
fn a_deadlock_looks_at_the_invariants_of_targets() {
    // y is reset, x is not: the target's invariant x <= 1 holds only if the step is early enough.
    let network = |bound| {
        let process = process("P", &["l", "m"]).invariant(1, le(0, bound)).edge(0, 1, |e| {
            e.guard.clocks.push(ge(1, 2));
            e.update.push(reset(1, 0));
        });
        network([process]).clock("x").clock("y").goal(Expr::Deadlock)
    };
    accepted(&network(1), &trace(1, &[]));
    rejected(
        &network(2),
        &trace(1, &[]),
        "at the end: the state does not satisfy the goal of the goal",
    );
}

#[test]
fn an_urgent_moment_ends_the_delays_of_a_deadlock() {
    // The urgent broadcast is enabled from x = 2 on but leads into a false invariant, so it is not
    // possible, yet it stops time before the other edge opens at x = 3.
    let network = |guard| {
        let process = process("P", &["l", "m", "n"])
            .location(1, |l| l.invariant.data = Expr::Const(0))
            .edge(0, 1, |e| {
                e.action = send(0);
                e.guard.clocks.push(ge(0, 2));
            })
            .edge(0, 2, |e| e.guard.clocks.push(guard));
        network([process])
            .clock("x")
            .channel("b", ChannelKind::Broadcast, true, 0)
            .goal(Expr::Deadlock)
    };
    accepted(&network(ge(0, 3)), &trace(1, &[]));
    accepted(&network(gt(0, 2)), &trace(1, &[]));
    rejected(
        &network(ge(0, 2)),
        &trace(1, &[]),
        "at the end: the state does not satisfy the goal of the goal",
    );
}

#[test]
fn updates_run_in_order_and_see_old_locations() {
    // The sender writes 1, the receivers multiply and add in process order.
    let sender = process("S", &["0", "1"]).edge(0, 1, |e| {
        e.action = send(0);
        e.update.push(assign(0, Expr::Const(1)));
    });
    let receiver = |name: &str, statement: Statement| {
        process(name, &["0", "1"]).edge(0, 1, |e| {
            e.action = receive(0);
            e.update.push(statement);
            e.update.push(assign(1, at(1, 0)));
            e.update.push(reset(0, 5));
            e.update.push(reset(0, 3));
        })
    };
    let network = network([
        receiver("R0", assign(0, op(BinaryOp::Mul, var(0), 10))),
        sender,
        receiver("R2", assign(0, op(BinaryOp::Add, var(0), 7))),
    ])
    .clock("x")
    .variable("v", 0, 100, 0)
    .variable("w", 0, 100, 0)
    .channel("b", ChannelKind::Broadcast, false, 0);
    let trace = completed(&network, &[(0, vec![moved(1, 0), moved(0, 0), moved(2, 0)])]);
    let changes = [
        location_change(0, 0, 1),
        location_change(1, 0, 1),
        location_change(2, 0, 1),
        variable_change(0, 0, 0, 17),
        // The sender is still at 0 for the updates of the receivers.
        variable_change(1, 0, 0, 1),
        clock_change(0, 3),
    ];
    assert_eq!(trace.steps[0].changes, changes);
}

#[test]
fn long_traces_take_little_time() {
    let ring = |i: u32| {
        process(&format!("P{i}"), &["0", "1"])
            .invariant(0, le(i, 1000))
            .edge(0, 1, |e| e.action = send(0))
            .edge(1, 0, |e| e.action = receive(0))
            .edge(0, 0, |e| {
                e.guard.clocks.push(ge(i, 1));
                e.update.push(reset(i, 0));
            })
    };
    let mut network = network((0..100).map(ring)).channel("c", ChannelKind::Handshake, true, 1);
    for i in 0..100 {
        network = network.clock(&format!("x{i}"));
    }
    network = network.array("big", Type::ANY, &[0; 10_000]);
    let steps: Vec<(i64, Vec<Move>)> = (0..5000).map(|i| (1, vec![moved(i % 100, 2)])).collect();
    let started = testing::Busy::start();
    let trace = completed(&network, &steps);
    accepted(&network, &trace);
    assert!(started.elapsed().as_secs() < 200, "{:?}", started.elapsed());
}
