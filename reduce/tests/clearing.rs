//! What is cleared, and what must not be: each network here behaves differently if what its test is
//! named after is overlooked. All of them were seen to fail that way.

mod support;

use network::PropertyId;
use search::Order;
use support::{Answer, CLEAR, Found, NOTHING, parse, search};

/// Breadth-first search finds the same after as many steps.
#[track_caller]
fn both(text: &str) -> [Found; 2] {
    let network = parse(text);
    let property = &network.properties[PropertyId(0)];
    let found =
        [NOTHING, CLEAR].map(|passes| search(&network, property, passes, Order::BreadthFirst));
    assert_eq!(found[0].answer, found[1].answer);
    found
}

#[track_caller]
fn reached(text: &str, length: usize) {
    assert_eq!(both(text)[1].answer, Answer::Reached(length));
}

/// The numbers of states with and without clearing.
#[track_caller]
fn states(text: &str, expected: [u64; 2]) {
    let found = both(text);
    assert_eq!(found[0].answer, Answer::Unreachable);
    assert_eq!(found.map(|found| found.stored), expected);
}

const VARIABLES: &str = "var x : int[0, 7] wrap var g : int[0, 7] wrap var a[4] : int[0, 7] wrap
    chan r : handshake chan rs[4] : handshake chan q : buffered 2 (int[0, 7] wrap)";

/// `a -> b -> c`: a select gives `x` a value, an edge uses it, and only 2 goes on.
fn uses(edge: &str) -> String {
    format!(
        "{VARIABLES} process P {{
          location a; location b; location c; location d; init a;
          edge a -> b {{ select s#0 : int[0, 3]; do {{ x = s#0; }} }}
          edge b -> c {{ {edge} }} edge c -> d {{ when g == 2; }}
        }} property \"\" reachable P at d"
    )
}

#[test]
fn dead_values_are_forgotten() {
    let text = format!(
        "{VARIABLES} process P {{
          location a; location b; location c; init a;
          edge a -> b {{ select s#0 : int[0, 3]; do {{ x = s#0; }} }}
          edge b -> c {{ when x < 4; }} edge c -> a;
        }} property \"\" reachable g == 1"
    );
    // x is live at b only.
    states(&text, [1 + 4 + 4 + 3, 1 + 4 + 1]);
    // It is cleared to its initial value, whatever that is.
    states(&text.replace("int[0, 7] wrap var g", "int[0, 7] wrap = 5 var g"), [13, 6]);
    // An array is forgotten as a whole.
    let array = text.replace("x = s#0", "a[s#0] = 1").replace("when x < 4", "when a[1] < 4");
    states(&array.replace("edge c -> a;", ""), [1 + 4 + 4, 1 + 4 + 1]);
}

#[test]
fn values_that_nobody_reads_are_forgotten_but_checked() {
    let writer = |name: &str| {
        format!("process {name} {{ location a; init a; edge a -> a {{ do {{ n = n + 1; }} }} }}")
    };
    let text = |n: &str| {
        format!(
            "var n : {n} var g : bool {} {} property \"\" reachable g == 1",
            writer("P"),
            writer("Q")
        )
    };
    states(&text("int[0, 7] wrap"), [8, 1]);
    let errors = text("int[0, 0]").replace("reachable", "counts errors reachable");
    assert_eq!(both(&errors)[1].answer, Answer::Error(0));
}

/// Who does not write a variable has nothing to do with it: P touches `n` only where `g` is 1, and that tells
/// whether its steps can be taken in any order with those of others.
#[test]
fn values_are_forgotten_where_they_are_written() {
    let text = "var n : int[0, 7] wrap var g : int[0, 7] wrap
        process P { location a; init a;
          edge a -> a { do { if (g == 1) { n = 3; } else { while (g > 5) { g = 0; n = 1; } } } } }
        property \"\" reachable g == 6";
    let network = parse(text);
    states(text, [1, 1]);
    let reduced = reduce::reduce(&network, &network.properties[PropertyId(0)], CLEAR);
    let text = network::print(&reduced.network);
    let update = text.split("do {").nth(1).expect("an update");
    let places: Vec<usize> = update.match_indices("n = 0").map(|(at, _)| at).collect();
    let (other, end) = (update.find("else").expect("else"), update.find("g = 0").expect("a loop"));
    assert!(places.len() == 2 && places[0] < other && places[1] > end, "{update}");
    let blocks = |at: usize| update[..at].matches('{').count() - update[..at].matches('}').count();
    assert_eq!((blocks(places[0]), blocks(places[1])), (1, 2), "{update}");
}

#[test]
fn guards_read() {
    reached(&uses("when x == 2; do { g = 2; }"), 3);
    reached(&uses("when x + 1 == 3 && x < 4; do { g = 2; }"), 3);
}

#[test]
fn updates_read() {
    reached(&uses("do { g = x; }"), 3);
    reached(&uses("do { a[x] = 2; g = a[2]; }"), 3);
    reached(&uses("do { if (x == 2) { g = 2; } }"), 3);
    reached(&uses("do { while (g < x) { g = g + 1; } }"), 3);
    let asserted = uses("do { assert x != 2; }").replace("reachable", "counts errors reachable");
    assert_eq!(both(&asserted)[1].answer, Answer::Error(1));
}

#[test]
fn writes_that_may_not_happen_keep_a_value_alive() {
    reached(&uses("do { if (g == 1) { x = 0; } g = x; }"), 3);
    reached(&uses("do { while (g == 1) { x = 0; g = 0; } g = x; }"), 3);
    reached(
        &uses("do { if (g == 1) { x = 0; } else { x = x + 1; } g = x; }")
            .replace("g == 2;", "g == 3;"),
        3,
    );
    let array = uses("do { a[0] = 1; g = a[1]; }").replace("x = s#0", "a[1] = s#0");
    reached(&array, 3);
}

#[test]
fn functions_read() {
    let functions = "function f() -> int[0, 7] { return x; }
        function h(p#0 : int[0, 7]) -> int[0, 7] { return f(); }";
    reached(&format!("{functions} {}", uses("do { g = h(1); }")), 3);
    reached(&format!("{functions} {}", uses("when h(1) == 2; do { g = 2; }")), 3);
    let procedure = "function w() { if (g == 1) { x = 1; } }";
    reached(&format!("{procedure} {}", uses("do { call w(); g = x; }")), 3);
}

#[test]
fn messages_and_channels_read() {
    let receiver = "process Q { location l; location m; init l; edge l -> m { receive rs[2]; } }";
    let text = uses("send rs[x]; do { g = 2; }");
    reached(&text.replace("property", &format!("{receiver} property")), 3);
    let sent = uses("send q(x);").replace("when g == 2;", "receive q(== 2);");
    reached(&sent, 3);
    let wanted = uses("receive q(== x); do { g = 2; }");
    let sender = "process Q { location l; location m; init l; edge l -> m { send q(2); } }";
    reached(&wanted.replace("property", &format!("{sender} property")), 4);
    let placed = uses("receive q(a[x]); do { g = a[2]; }");
    reached(&placed.replace("property", &format!("{sender} property")), 4);
    let polled = uses("when poll q(== x); do { g = 2; }");
    reached(&polled.replace("property", &format!("{sender} property")), 4);
}

#[test]
fn received_values_replace_others() {
    let sender = "process Q { location l; location m; init l; edge l -> m { send q(2); } }";
    let text = uses("receive q(x); do { g = x; }");
    let text = text.replace("property", &format!("{sender} property"));
    reached(&text, 4);
    // What x was before is dead at b, before Q has sent and after.
    states(&text.replace("when g == 2;", "when g == 7;"), [1 + 1 + 4 + 4 + 1, 1 + 1 + 1 + 1 + 1]);
}

#[test]
fn invariants_read() {
    let text = "var x : int[0, 7] wrap var g : bool process P {
          location a; location b { invariant x == 2; } location c; init a;
          edge a -> b { select s#0 : int[0, 3]; do { x = s#0; } } edge b -> c;
        } property \"\" reachable P at c";
    reached(text, 2);
    let timed = "var x : int[0, 7] wrap clock t process P {
          location a; location b { invariant t <= x; } location c; init a;
          edge a -> b { do { x = 2; } } edge b -> c { when t >= 2; }
        } property \"\" reachable P at c";
    reached(timed, 2);
    let bound = "var x : int[0, 7] wrap clock t process P {
          location a; location b { invariant t <= 2; } location c; init a;
          edge a -> b { do { x = 3; } } edge b -> c { when t >= x; }
        } property \"\" always !(P at c)";
    assert_eq!(both(bound)[1].answer, Answer::Unreachable);
}

#[test]
fn the_property_reads() {
    let text = uses("").replace("P at d", "x == 2 && P at c");
    reached(&text, 2);
}

#[test]
fn others_read() {
    let other =
        "process Q { location l; location m; init l; edge l -> m { when x == 2 && P at c; } }";
    let text = uses("").replace("property", &format!("{other} property"));
    reached(&text.replace("P at d", "Q at m"), 3);
}

/// `S` prepares and starts `P`, which is parked at first.
fn started(prepare: &str, first: &str) -> String {
    format!(
        "{VARIABLES} process P {{
          location idle; location b; location c; location d; init idle;
          edge b -> c {{ {first} }} edge c -> d {{ when g == 2; }} edge d -> idle;
        }}
        process S {{
          location l; location m; init l;
          edge l -> m {{ do {{ if (P at idle) {{ {prepare} enter P at b; }} }} }}
        }} property \"\" reachable P at d"
    )
}

#[test]
fn what_is_prepared_for_a_process_is_read_by_it() {
    let text = started("x = 2;", "do { g = x; }");
    reached(&text, 3);
    // It is dead from c on.
    let unreachable = text.replace("when g == 2;", "when g > 2;");
    let many = unreachable.replace("edge l -> m { do", "edge l -> m { select s#0 : int[0, 2]; do");
    let many = many.replace("x = 2;", "x = s#0;").replace("do { g = x; }", "when x < 4;");
    states(&many, [1 + 3 + 3, 1 + 3 + 1]);
}

#[test]
fn who_prepares_may_read_what_was_left() {
    // The value of x survives while P is parked.
    let text = "var x : int[0, 7] wrap var g : int[0, 7] wrap process P {
          location idle; location b; location c; init b;
          edge b -> idle { do { x = 2; } } edge c -> c { when x == 9; }
        }
        process S {
          location l; location m; init l;
          edge l -> m { do { if (P at idle) { g = x; x = 3; enter P at c; } } }
        } property \"\" reachable g == 2";
    reached(text, 2);
    // And so it does if it is P that reads it.
    let later = text.replace("g = x; x = 3;", "").replace("{ when x == 9; }", "{ do { g = x; } }");
    reached(&later, 3);
}

#[test]
fn only_parked_processes_are_prepared() {
    // P may go on by itself, so what S does belongs to nobody but S.
    let text = started("x = 2;", "do { g = x; }");
    let text = text.replace("edge d -> idle;", "edge d -> idle; edge idle -> b { do { x = 1; } }");
    reached(&text, 3);
    let other = "var x : int[0, 7] wrap var g : int[0, 7] wrap chan r : handshake process P {
          location idle; location b; location c; init b;
          edge b -> idle { do { x = 2; } } edge idle -> c { send r; }
        }
        process S {
          location l; location m; init l;
          edge l -> m { receive r; do { if (P at idle) { g = x; } } }
        } property \"\" reachable g == 2";
    reached(other, 2);
}

#[test]
fn processes_that_others_move_are_left_alone() {
    let text = "var x : int[0, 7] wrap var g : int[0, 7] wrap process P {
          location a; location b; location c; location d; init a;
          edge a -> b { do { x = 2; } } edge c -> d { when x == 2; }
        }
        process S { location l; location m; init l; edge l -> m { when x == 2; do { enter P at c; } } }
        property \"\" reachable P at d";
    reached(text, 3);
    let blind = text.replace("when x == 2; do { enter", "when P at b; do { enter");
    reached(&blind, 3);
}

#[test]
fn hidden_variables_make_the_order_matter() {
    // Without x, the second state at b would be the same as the first, and m with it.
    let text = "var x : int[0, 7] wrap var m : int[0, 7] meta process P {
          location a; location b; location c; init a;
          edge a -> b { do { x = 1; m = 1; } } edge a -> b { do { x = 2; m = 2; } }
          edge b -> c { when m == 2; }
        } property \"\" reachable P at c";
    reached(text, 2);
}
