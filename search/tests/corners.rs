//! Corners of the abstractions that random networks hardly ever hit, derived on paper.

mod support;

use explore::Abstraction;
use search::{Configuration, Limits, Order, Unlimited};
use support::answer::{Answer, replayed};
use support::{case::Case, load};

/// Whether the goal is reached, which no abstraction changes.
#[track_caller]
fn check(text: &str, reached: bool) {
    for abstraction in [Abstraction::ExtraLuCoverAlu, Abstraction::ExtraLu, Abstraction::CoverAlu] {
        assert_eq!(is_reached(text, abstraction), reached, "{abstraction:?}");
    }
}

fn answer(text: &str, abstraction: Abstraction) -> Answer {
    let case = Case::compile(load::network(text), abstraction).expect("executable");
    let configuration = Configuration::from(Order::BreadthFirst);
    let limits = Limits::default();
    let (outcome, _) = search::run(&case.explorer, &configuration, &limits, &mut Unlimited);
    replayed(&case.problem(), outcome, "a corner")
}

fn is_reached(text: &str, abstraction: Abstraction) -> bool {
    match answer(text, abstraction) {
        Answer::Reached { .. } => true,
        Answer::Unreachable => false,
        answer => panic!("{answer:?}"),
    }
}

/// x and y are never set, so they are equal: when the sender may go (y >= 10) the receiver can hear
/// it (x >= 5) and must. The receiver staying behind is unreachable, but only if its lower bound
/// x >= 5 also counts as an upper one: otherwise `y - x <= 0` is forgotten.
#[test]
fn a_receiver_that_is_not_able_counts_in_the_bounds() {
    let text = "network 1
clock x
clock y
chan b : broadcast
process S {
  location s0;
  location s1;
  init s0;
  edge s0 -> s0 { when y >= 1; }
  edge s0 -> s1 { when y >= 10; send b; }
}
process R {
  location r0;
  location r1;
  init r0;
  edge r0 -> r1 { when x >= 5; receive b; }
}
property \"S.s1 and R.r0\" reachable S at s1 && R at r0
";
    check(text, false);
    // The other way round: with y >= 3 the sender can go before the receiver is able to hear.
    let early = text.replace("y >= 10", "y >= 3");
    check(&early, true);
}

/// The low step is possible where the high one is not: before x reaches 5. Since y equals x, at
/// y >= 10 the high step always goes first.
#[test]
fn the_guard_of_a_better_step_counts_in_the_bounds() {
    let text = "network 1
clock x
clock y
process Low {
  location l0;
  location l1;
  init l0;
  edge l0 -> l0 { when y >= 1; }
  edge l0 -> l1 { when y >= 10; }
}
process High priority 1 {
  location h0;
  init h0;
  edge h0 -> h0 { when x >= 5; }
}
property \"Low.l1\" reachable Low at l1
";
    check(text, false);
    let early = text.replace("y >= 10", "y >= 3");
    check(&early, true);
}

/// Which clock is reset depends on `i`, so neither is certain to be, and x[1] must keep the bound of
/// the guard behind the step. The step happens at x[0] == 1 and resets x[0], so from then on
/// x[1] - x[0] == 1: x[1] >= 5 with x[0] <= 3 is out of reach, with x[0] <= 4 it is not.
#[test]
fn a_reset_that_is_not_certain_keeps_the_bounds() {
    let text = "network 1
clock x[2]
var i : int[0, 1] = 0
process P {
  location a { invariant x[0] <= 1; }
  location b;
  location c;
  init a;
  edge a -> b { when x[0] >= 1; do { reset x[i] = 0; } }
  edge b -> c { when x[1] >= 5 && x[0] <= 3; }
}
property \"P.c\" reachable P at c
";
    check(text, false);
    check(&text.replace("x[0] <= 3", "x[0] <= 4"), true);
}

/// In l1 both clocks are beyond all that they are compared with, but their difference still counts.
/// Seen to fail: with zones that are not split along differences.
#[test]
fn a_difference_counts_beyond_all_constants() {
    let text = "network 1
clock x
clock y
process P {
  location l0;
  location l1;
  location l2;
  init l0;
  edge l0 -> l1 { when x > 4; }
  edge l1 -> l2 { when x - y >= 3; }
}
property \"P.l2\" reachable P at l2
";
    check(text, false);
    check(&text.replace("when x > 4;", "when x > 4; do { reset y = 0; }"), true);
}

/// Where a step raises an error, that is what is found: nobody says that the state is no deadlock, unless
/// another step is possible. Seen to fail: with errors that count as steps in the search, and with
/// errors that hide the steps behind them in the replay.
#[test]
fn an_error_is_no_way_out_of_a_deadlock() {
    let failing = "process P { location p; init p; edge p -> p { GUARD; do { EFFECT; } } }";
    let moving = "process Q { location q; init q; edge q -> q; }";
    let text = |processes: &str, clocks: &str| {
        format!(
            "network 1 var v : int[0, 1] {clocks} {processes} property \"p\" reachable !deadlock"
        )
    };
    let in_guard = failing.replace("GUARD", "when 1 / v == 1").replace("EFFECT", "v = 0");
    let in_effect = failing.replace("GUARD", "when v == 0").replace("EFFECT", "v = 1 / v");
    for (failing, clocks) in [(&in_guard, ""), (&in_effect, ""), (&in_effect, "clock x")] {
        let alone = answer(&text(failing, clocks), Abstraction::default());
        assert_eq!(alone, Answer::Error(0), "{failing}");
    }
    // Whatever is looked at first.
    let calling = failing.replace("GUARD", "send b").replace("EFFECT", "v = 1 / v");
    let calling = format!("chan b : broadcast {calling}");
    for (failing, clocks) in
        [&in_guard, &in_effect, &calling].map(|it| [(it, ""), (it, "clock x")]).as_flattened()
    {
        for processes in [format!("{failing} {moving}"), format!("{moving} {failing}")] {
            let found = answer(&text(&processes, clocks), Abstraction::default());
            assert_eq!(
                found,
                Answer::Reached { length: 0, shortest: true },
                "{processes} {clocks}"
            );
        }
    }
}

/// A step that fails when its clock allows it is an error there; where the clock is past it, the state is
/// a deadlock. Seen to fail: with states in which any step fails left out.
#[test]
fn a_deadlock_beside_an_error_that_is_over() {
    let text = "network 1 clock x var v : int[0, 1]
process P { location p; init p; edge p -> p { when x < 1; do { v = 1 / v; } } }
property \"p\" reachable deadlock
";
    let found = answer(text, Abstraction::default());
    assert_eq!(found, Answer::Reached { length: 0, shortest: true });
}

/// What stands behind a part of the goal that holds is not evaluated, also if that part is about clocks.
/// Seen to fail: with every part evaluated wherever those before it may fail.
#[test]
fn a_goal_is_evaluated_only_as_far_as_its_clocks_leave_it_open() {
    let text = "network 1 clock x var v : int[0, 1]
process P { location p; init p; edge p -> p { do { reset x = 0; } } }
property \"p\" reachable (x >= BOUND || 1 / v == 1) && v == 1
";
    let found = |bound: &str| answer(&text.replace("BOUND", bound), Abstraction::default());
    assert_eq!(found("0"), Answer::Unreachable);
    assert_eq!(found("3"), Answer::Error(0));
}

/// P waits for others to let it begin; its guard counts while it waits. x and y are never set, so they
/// are equal and the end is out of reach. Seen to fail: with bounds along the edges of P alone.
#[test]
fn a_process_that_others_enter_has_bounds_before() {
    let text = "network 1
clock x
clock y
process S { location s0; location s1; init s0;
  edge s0 -> s1 { when y >= 1; do { enter P at start; } } }
process P { location idle; location start; location end; init idle;
  edge start -> end { when x >= 5 && y <= 3; } }
property \"p\" reachable P at end
";
    check(text, false);
    check(&text.replace("x >= 5", "x >= 3"), true);
}
