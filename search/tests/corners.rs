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
    // Here the search looks at the inner step first, the replay at the process that comes first.
    let calling = failing.replace("GUARD", "send b").replace("EFFECT", "v = 1 / v");
    let both = text(&format!("chan b : broadcast {calling} {moving}"), "");
    let found = answer(&both, Abstraction::default());
    assert_eq!(found, Answer::Reached { length: 0, shortest: true });
}
