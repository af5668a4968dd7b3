//! The oracle on networks whose answer is plain to see.

mod common;

use common::*;
use network::*;
use replay::{Raised, Simulator};
use testing::discrete::{Limits, Outcome, shortest, shortest_within};

fn outcome(network: &Network) -> Outcome {
    shortest(network, first_property(network), 10_000)
}

fn clock_goal(constraint: ClockConstraint) -> Expr {
    Expr::Clock(Box::new(constraint))
}

/// P can move at x >= 7, where only an edge, an invariant or the goal says how far clocks matter.
#[test]
fn clocks_are_told_apart_as_far_as_anything_looks() {
    let edge = process("P", &["0", "1"]).edge(0, 1, |e| e.guard.clocks.push(ge(0, 7)));
    assert_eq!(outcome(&network([edge]).clock("x").goal(at(0, 1))), Outcome::Reached(1));
    let goal = network([process("P", &["0"])]).clock("x").goal(clock_goal(ge(0, 7)));
    assert_eq!(outcome(&goal), Outcome::Reached(0));
    let stuck = process("P", &["0"]).invariant(0, le(0, 6));
    let stuck = network([stuck]).clock("x").goal(clock_goal(ge(0, 7)));
    assert_eq!(outcome(&stuck), Outcome::Unreachable);
    // Without its own bound 9 in the cap, x would stop at 6 and the invariant would hold for ever.
    let wide = process("P", &["0", "1"])
        .invariant(0, le(0, 9))
        .edge(0, 1, |e| e.guard.clocks.push(constraint(1, Relation::Ge, 5)));
    let wide = network([wide]).clock("x").clock("y").goal(Expr::Deadlock);
    assert_eq!(outcome(&wide), Outcome::Reached(1));
    // A variable as bound counts with its whole range.
    let bound = ClockConstraint { bound: var(0), ..ge(0, 0) };
    let variable = process("P", &["0", "1"]).edge(0, 1, |e| e.guard.clocks.push(bound));
    let variable = network([variable]).clock("x").variable("v", 0, 8, 8).goal(at(0, 1));
    assert_eq!(outcome(&variable), Outcome::Reached(1));
}

#[test]
fn invariants_count_for_the_cap() {
    // Each round takes 2 units, and x stops everything after 5.
    let rounds = process("P", &["0"]).invariant(0, le(0, 5)).edge(0, 0, |e| {
        e.guard.data = op(BinaryOp::Lt, var(0), 9);
        e.guard.clocks.push(ge(1, 2));
        e.update.push(reset(1, 0));
        e.update.push(assign(0, op(BinaryOp::Add, var(0), 1)));
    });
    let counted = network([rounds]).clock("x").clock("y").variable("v", 0, 9, 0);
    let reached = |value| outcome(&counted.clone().goal(op(BinaryOp::Eq, var(0), value)));
    assert_eq!(reached(2), Outcome::Reached(2));
    assert_eq!(reached(3), Outcome::Unreachable);
}

#[test]
fn states_are_counted() {
    // At most 3 units can pass: the states are x = y = 0, 1, 2, 3.
    let process = process("P", &["0"]).invariant(0, le(0, 3));
    let network = network([process]).clock("x").clock("y").goal(Expr::Const(0));
    assert_eq!(shortest(&network, first_property(&network), 4), Outcome::Unreachable);
    assert_eq!(shortest(&network, first_property(&network), 3), Outcome::GaveUp);
}

#[test]
fn delays_are_long_enough_for_values_that_clocks_are_set_to() {
    let difference = ClockConstraint { right: Some(clock(1)), ..ge(0, 0) };
    let process = process("P", &["0", "1", "2"]).edge(0, 1, |e| e.update.push(reset(1, 20))).edge(
        1,
        2,
        |e| e.guard.clocks.push(difference),
    );
    let network = network([process]).clock("x").clock("y").goal(at(0, 2));
    assert_eq!(outcome(&network), Outcome::Reached(2));
}

#[test]
fn a_state_may_turn_out_to_be_nearer() {
    // x = 2 is seen after a step first and after a mere delay later.
    let process = process("P", &["0", "1"])
        .edge(0, 0, |e| {
            e.guard.clocks.push(le(0, 0));
            e.update.push(reset(0, 2));
        })
        .edge(0, 1, |e| e.guard.clocks.push(constraint(0, Relation::Eq, 2)));
    let network = network([process]).clock("x").goal(at(0, 1));
    assert_eq!(outcome(&network), Outcome::Reached(1));
}

#[test]
fn differences_of_clocks_are_never_cut() {
    let difference = ClockConstraint { right: Some(clock(1)), ..ge(0, 6) };
    let process = process("P", &["0", "1"])
        .edge(0, 0, |e| {
            e.guard.clocks.push(ge(0, 6));
            e.update.push(reset(1, 0));
        })
        .edge(0, 1, |e| e.guard.clocks.push(difference));
    let network = network([process]).clock("x").clock("y").goal(at(0, 1));
    assert_eq!(outcome(&network), Outcome::Reached(2));
    let property = first_property(&network);
    let never = Property { claim: Claim::Reachable(Expr::Const(0)), ..property.clone() };
    assert_eq!(shortest(&network, &never, 500), Outcome::GaveUp);
}

#[test]
fn delays_cost_nothing_even_if_found_late() {
    // Two quick steps lead to 2 at once; one slow step leads there after 5 units.
    let process =
        process("P", &["0", "1", "2"])
            .edge(0, 1, |_| ())
            .edge(1, 2, |_| ())
            .edge(0, 2, |e| e.guard.clocks.push(ge(0, 5)));
    let network = network([process]).clock("x").goal(at(0, 2));
    assert_eq!(outcome(&network), Outcome::Reached(1));
}

fn failing(variable_limit: i32, goal: Expr) -> Network {
    let counter =
        process("P", &["0"]).edge(0, 0, |e| e.update.push(assign(0, op(BinaryOp::Add, var(0), 1))));
    network([counter]).clock("x").variable("v", 0, variable_limit, 0).goal(goal)
}

#[test]
fn errors_come_with_their_steps_and_after_goals_of_the_same_length() {
    let value = |v| op(BinaryOp::Eq, var(0), v);
    assert_eq!(outcome(&failing(3, value(3))), Outcome::Reached(3));
    let kind = ErrorKind::OutOfRange { value: 4, low: 0, high: 3 };
    let error = RunTimeError { kind, span: Span::NONE };
    assert_eq!(outcome(&failing(3, value(4))), Outcome::Error(error, 3));
    // The error can be raised at once after 3 steps, the goal needs a delay as well.
    let late = value(3).and(clock_goal(ge(0, 5)));
    assert_eq!(outcome(&failing(3, late)), Outcome::Reached(3));
    // An error in the goal itself.
    let divided = Expr::binary(BinaryOp::Div, Expr::Const(0), op(BinaryOp::Sub, var(0), 2));
    let kind = ErrorKind::DivisionByZero;
    let error = RunTimeError { kind, span: Span::NONE };
    assert_eq!(outcome(&failing(3, divided)), Outcome::Error(error, 2));
}

#[test]
fn strict_constraints_need_finer_ticks() {
    let process = process("P", &["0", "1"]).edge(0, 1, |e| {
        e.guard.clocks.push(gt(0, 0));
        e.guard.clocks.push(lt(0, 1));
    });
    let network = network([process]).clock("x").goal(at(0, 1));
    assert_eq!(outcome(&network), Outcome::Unreachable);
    let limits = Limits { scale: 3, max_states: 1000, max_steps: 1 };
    assert_eq!(shortest_within(&network, first_property(&network), limits), Outcome::Reached(1));
}

#[test]
fn limits_and_false_starts() {
    let network = failing(9, op(BinaryOp::Eq, var(0), 5));
    let limits = |max_steps| Limits { scale: 1, max_states: 1000, max_steps };
    let property = first_property(&network);
    assert_eq!(shortest_within(&network, property, limits(5)), Outcome::Reached(5));
    assert_eq!(shortest_within(&network, property, limits(4)), Outcome::GaveUp);
    let mut nowhere = network.clone();
    nowhere.processes[ProcessId(0)].locations[LocationId(0)].invariant.data = Expr::Const(0);
    assert_eq!(outcome(&nowhere), Outcome::Unreachable);
    let mut broken = network.clone();
    broken.processes[ProcessId(0)].locations[LocationId(0)].invariant.data =
        op(BinaryOp::Rem, Expr::Const(1), 0);
    let error = RunTimeError { kind: ErrorKind::DivisionByZero, span: Span::NONE };
    assert_eq!(outcome(&broken), Outcome::Error(error, 0));
}

#[test]
fn errors_of_steps_that_must_wait_do_not_count() {
    let failing = || {
        process("P", &["0", "1"])
            .edge(0, 1, |e| e.update.push(statement(StatementKind::Assert(Expr::Const(0)))))
    };
    let errors = |network: &Network| -> Vec<Raised> {
        let simulator = Simulator::new(network, 1).expect("supported");
        simulator.choices(&simulator.initial().expect("no invariants")).errors
    };
    let other = |priority| process("Q", &["0", "1"]).edge(0, 1, |_| ()).priority(priority);
    assert_eq!(errors(&network([failing(), other(1)])), []);
    let raised = errors(&network([failing(), other(0)]));
    assert_eq!(raised.len(), 1);
    assert_eq!(raised[0].moves, [moved(0, 0)]);
    assert_eq!(raised[0].error.kind, ErrorKind::Assertion);
}
