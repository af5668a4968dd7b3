//! A corner with many variants that random networks hardly ever hit, derived on paper; the others are
//! networks in `models/networks`.

mod support;

use search::{Configuration, Limits, Order, Unlimited};
use support::answer::{Answer, replayed};
use support::case::Case;

fn answer(text: &str) -> Answer {
    let case = Case::parse(text);
    let configuration = Configuration::from(Order::BreadthFirst);
    let limits = Limits::default();
    let (outcome, _) = search::run(&case.explorer, &configuration, &limits, &mut Unlimited);
    replayed(&case.problem(), outcome, "a corner")
}

/// Where a step raises an error, that is what is found: nobody says that the state is no deadlock, unless
/// another step is possible. Seen to fail: with errors that count as steps in the search, and with
/// errors that hide the steps after them in the replay.
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
        let alone = answer(&text(failing, clocks));
        assert_eq!(alone, Answer::Error(0), "{failing}");
    }
    // Whatever is looked at first.
    let calling = failing.replace("GUARD", "send b").replace("EFFECT", "v = 1 / v");
    let calling = format!("chan b : broadcast {calling}");
    for (failing, clocks) in
        [&in_guard, &in_effect, &calling].map(|it| [(it, ""), (it, "clock x")]).as_flattened()
    {
        for processes in [format!("{failing} {moving}"), format!("{moving} {failing}")] {
            let found = answer(&text(&processes, clocks));
            assert_eq!(
                found,
                Answer::Reached { length: 0, shortest: true },
                "{processes} {clocks}"
            );
        }
    }
}
