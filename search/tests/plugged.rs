//! What can be plugged into the loop and no search makes use of by itself: pruning of steps, and
//! representatives of states that are alike.

mod support;

use explore::{End, Explorer, Steps};
use search::{
    Configuration, Limits, Order, Outcome, Parts, Pruning, Representatives, Statistics, Unlimited,
};
use support::answer::replay;
use support::case::Case;

/// Two processes that do the same, each with a variable and a clock of its own; no step has to do with
/// the other process.
const TWINS: &str = "network 1
var v : int[0, 3]
var w : int[0, 3]
CLOCKS
process P { location a; location b; init a;
  edge a -> b { FIRST do { v = 1; RESET_FIRST } } edge b -> a { do { v = 2; } } }
process Q { location a; location b; init a;
  edge a -> b { SECOND do { w = 1; RESET_SECOND } } edge b -> a { do { w = 2; } } }
property \"p\" reachable P at b && Q at b && v + w == 2
";

fn untimed() -> Case {
    twins(["", "", "", "", ""])
}

fn timed() -> Case {
    let reset = |clock| format!("reset {clock} = 0;");
    let (first, second) = (reset("x"), reset("y"));
    twins(["clock x clock y", "when x >= 2;", &first, "when y >= 2;", &second])
}

fn twins([clocks, first, reset_first, second, reset_second]: [&str; 5]) -> Case {
    let text = TWINS.replace("RESET_FIRST", reset_first).replace("RESET_SECOND", reset_second);
    let text = text.replace("FIRST", first).replace("SECOND", second).replace("CLOCKS", clocks);
    Case::parse(&text)
}

/// Lets the process with the greater values come second.
struct Swaps<'a>(&'a Explorer);

impl Swaps<'_> {
    fn swap(&self, state: &mut [i32]) {
        let layout = &self.0.layout;
        // Locations and variables side by side, and one clock each.
        state.swap(0, 1);
        state.swap(2, 3);
        if layout.dim == 3 {
            let zone = &mut state[layout.zone()];
            let before = zone.to_vec();
            let other = [0, 2, 1];
            for i in 0..3 {
                for j in 0..3 {
                    zone[i * 3 + j] = before[other[i] * 3 + other[j]];
                }
            }
        }
    }
}

impl Representatives for Swaps<'_> {
    fn represent(&mut self, state: &mut [i32]) -> u32 {
        let is_greater = (state[0], state[2]) > (state[1], state[3]);
        if is_greater {
            self.swap(state);
        }
        is_greater.into()
    }

    fn restore(&mut self, state: &mut [i32], how: u32) {
        if how == 1 {
            self.swap(state);
        }
    }
}

/// Keeps the first step of a state only: here every step stays possible whatever the others do.
struct First {
    shortest: bool,
}

impl Pruning for First {
    fn prune(&mut self, _: &[i32], steps: &mut Steps) -> bool {
        steps.retain(|_, position| position == 0);
        true
    }

    fn keeps_shortest(&self) -> bool {
        self.shortest
    }

    fn needs_progress(&self) -> bool {
        false
    }

    fn pays(&self) -> bool {
        true
    }
}

/// The length of the trace, whether it is proven shortest, and what the search did. The trace is
/// replayed.
fn search(case: &Case, order: Order, parts: Parts) -> (Option<(usize, bool)>, Statistics) {
    let (configuration, limits) = (Configuration::from(order), Limits::default());
    let (outcome, statistics) =
        search::run_with(&case.explorer, &configuration, parts, &limits, &mut Unlimited);
    let Outcome::Reached { path, end: end @ End::Goal, shortest } = outcome else {
        return (None, statistics);
    };
    replay(&case.problem(), &path, &end).expect("a trace of the model");
    (Some((path.len(), shortest)), statistics)
}

#[test]
fn states_that_are_alike_are_found_under_one_of_them() {
    for case in [untimed(), timed()] {
        for order in [Order::BreadthFirst, Order::DepthFirst, Order::BoundedDepthFirst] {
            let alike = || Some(Box::new(Swaps(&case.explorer)) as Box<dyn Representatives>);
            let (all, statistics) = search(&case, order, Parts::default());
            let parts = Parts { representatives: alike(), ..Parts::default() };
            let (found, fewer) = search(&case, order, parts);
            assert_eq!(found.is_some(), all.is_some(), "{order:?}");
            if order != Order::DepthFirst {
                assert_eq!((found, all), (Some((2, true)), Some((2, true))), "{order:?}");
                assert!(fewer.stored < statistics.stored, "{order:?}");
            }
        }
    }
}

#[test]
fn steps_that_are_pruned_are_not_taken() {
    let case = untimed();
    let (all, statistics) = search(&case, Order::BreadthFirst, Parts::default());
    // Two from each of the four states before the goal, and the initial one.
    assert_eq!((all, statistics.generated), (Some((2, true)), 9));
    for shortest in [false, true] {
        let parts = Parts { pruning: Some(Box::new(First { shortest })), ..Parts::default() };
        let (found, statistics) = search(&case, Order::BreadthFirst, parts);
        // P goes round alone, and Q never moves.
        assert_eq!((found, statistics.stored), (None, 3));
        assert!(!statistics.complete);
    }
}

/// Whether what is found is the shortest is up to whoever prunes.
#[test]
fn pruning_says_whether_what_is_shortest_stays() {
    let text = "network 1
process P { location a; location b; init a; edge a -> b; edge a -> b; }
property \"p\" reachable P at b
";
    let case = Case::parse(text);
    for shortest in [false, true] {
        let parts = Parts { pruning: Some(Box::new(First { shortest })), ..Parts::default() };
        let (found, statistics) = search(&case, Order::BreadthFirst, parts);
        assert_eq!((found, statistics.generated), (Some((1, shortest)), 2));
    }
}
