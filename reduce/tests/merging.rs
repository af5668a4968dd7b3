//! What is merged, and what must not be: each network here behaves differently if the condition is
//! left out that its test is named after. All of them were seen to fail that way.

mod support;

use network::PropertyId;
use reduce::Passes;
use search::Order;
use support::{BOTH, MERGE, NOTHING, parse, search};

/// The number of edges that the first process has left.
fn edges(text: &str, passes: Passes) -> usize {
    let network = parse(text);
    let reduced = reduce::reduce(&network, &network.properties[PropertyId(0)], passes);
    reduced.network.processes.iter().next().map_or(0, |process| process.edges.len())
}

/// The answer is found or not, whatever is merged.
#[track_caller]
fn check(text: &str, found: bool) {
    let network = parse(text);
    for passes in [NOTHING, MERGE, BOTH] {
        let property = &network.properties[PropertyId(0)];
        let result = search(&network, property, passes, Order::DepthFirst);
        assert_eq!(result.answer.is_found(), found, "{passes:?}: {result:?}");
    }
}

/// The first edge of the first process still leads to its second location, and the goal is reached.
#[track_caller]
fn stays(text: &str) {
    check(text, true);
    let network = parse(text);
    let reduced = reduce::reduce(&network, &network.properties[PropertyId(0)], MERGE);
    let edge =
        reduced.network.processes.iter().next().and_then(|process| process.edges.iter().next());
    assert_eq!(edge.map(|edge| edge.target), Some(network::LocationId(1)), "it was merged");
}

/// `a -> b -> c -> d`: what the three edges are made of.
fn chain(first: &str, second: &str, third: &str) -> String {
    format!(
        "process P {{
          location a; location b; location c; location d; init a;
          edge a -> b {{ {first} }} edge b -> c {{ {second} }} edge c -> d {{ {third} }}
        }}"
    )
}

/// Another process with one edge.
fn other(edge: &str) -> String {
    format!("process Q {{ location l; location m; init l; edge l -> m {{ {edge} }} }}")
}

const VARIABLES: &str = "var x : int[0, 7] wrap var y : int[0, 7] wrap var g : int[0, 7] wrap
    var h : int[0, 7] wrap chan r : handshake chan bc : broadcast";

#[test]
fn steps_that_nobody_sees_are_merged() {
    let text = format!(
        "{VARIABLES} {} {} property \"\" reachable g == 5 && Q at m",
        chain("do { g = 1; }", "do { x = 1; }", "do { g = 5; }"),
        other("when g == 5;")
    );
    check(&text, true);
    assert_eq!(edges(&text, MERGE), 2);
}

#[test]
fn deadlocks_stay_and_their_places_do_not_matter() {
    let text = format!(
        "{VARIABLES} {} property \"\" always !(!(P at c) && deadlock)",
        chain("do { g = 1; }", "do { x = 1; }", "when x == 0;")
    );
    check(&text, false);
    assert_eq!(edges(&text, MERGE), 2);
    check(&text.replace("P at c", "P at d"), true);
}

#[test]
fn cycles_of_unseen_steps_stay_cycles() {
    let text = format!(
        "{VARIABLES} process P {{
          location a; location b; location c; location d; init a;
          edge a -> b {{ do {{ g = 1; }} }} edge b -> c {{ do {{ x = 1; }} }}
          edge c -> d {{ do {{ x = x + 1; }} }} edge d -> b;
        }} property \"\" reachable g == 1 && deadlock"
    );
    check(&text, false);
    check(&text.replace(" && deadlock", ""), true);
}

#[test]
fn a_start_stays_where_it_is() {
    let text = format!(
        "{VARIABLES} process P {{
          location a; location b; init a;
          edge a -> b {{ do {{ x = x + 1; }} }} edge b -> a {{ when x == 3; do {{ g = 1; }} }}
          edge b -> a {{ when x < 3; }}
        }} property \"\" reachable g == 1"
    );
    check(&text, true);
    assert_eq!(edges(&text, MERGE), 3);
}

// ---- what others ask ----

#[test]
fn others_ask_for_the_location_between() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable Q at m",
        chain("", "do { x = 1; }", "when g == 1;"),
        other("when P at b;")
    ));
}

#[test]
fn others_ask_for_the_location_after() {
    let text = format!(
        "{VARIABLES} {} {} property \"\" reachable Q at m",
        chain("do { g = 1; }", "do { x = 1; }", "when 0;"),
        other("when g == 1 && !(P at c);")
    );
    check(&text, true);
}

#[test]
fn the_property_asks_for_the_location_between() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable P at b",
        chain("", "do { x = 1; }", "when g == 1;")
    ));
}

#[test]
fn the_property_asks_for_the_location_after() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable g == 1 && !(P at c)",
        chain("do { g = 1; }", "do { x = 1; }", "when g == 0;")
    ));
}

#[test]
fn the_property_asks_for_a_variable() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable g == 1 && x == 0",
        chain("do { g = 1; }", "do { x = 1; }", "when g == 0;")
    ));
}

#[test]
fn the_property_wants_no_deadlock() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable g == 1 && !deadlock",
        chain("do { g = 1; }", "do { x = 1; }", "when g == 0;")
    ));
}

#[test]
fn others_read_what_is_written() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable Q at m",
        chain("do { g = 1; }", "do { x = 1; }", "when g == 0;"),
        other("when g == 1 && x == 0;")
    ));
}

#[test]
fn others_write_what_is_read() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable P at d",
        chain("do { g = 1; }", "do { x = g; }", "when x == 2;"),
        other("when g == 1; do { g = 2; }")
    ));
}

#[test]
fn others_write_what_is_written() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable P at d",
        chain("do { g = 1; }", "do { x = 1; }", "when x == 1 && g == 2;"),
        other("when g == 1; do { x = 2; g = 2; }")
    ));
}

#[test]
fn deadlocks_show_who_wrote_last() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable y == 1 && Q at m && deadlock",
        chain("do { g = 1; }", "do { y = 1; }", "when g == 0;"),
        other("when g == 1; do { y = 2; }")
    ));
}

#[test]
fn others_start_the_process_anew() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable P at d",
        chain("do { g = 1; }", "do { x = 1; }", "when x == 0;"),
        other("when g == 1; do { enter P at c; }")
    ));
}

#[test]
fn an_update_asks_where_others_are() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable P at d",
        chain("send r;", "do { x = Q at m; }", "when x == 1;"),
        other("receive r;")
    ));
}

// ---- what must always be possible ----

#[test]
fn a_guard_may_not_hold() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable g == 1 && deadlock",
        chain("do { g = 1; }", "when x == 1;", "")
    ));
}

#[test]
fn an_update_may_fail() {
    let text = format!(
        "{VARIABLES} var n : int[0, 1] {} property \"\" counts errors always 1",
        chain("do { n = 1; }", "do { n = n + 1; }", "")
    );
    stays(&text);
}

#[test]
fn an_invariant_may_not_hold() {
    let text = "clock t var g : bool process P {
          location a; location b; location c { invariant t <= 1; } location d; init a;
          edge a -> b { when t >= 3; do { g = 1; } } edge b -> c; edge c -> d;
        } property \"\" reachable g == 1";
    stays(text);
}

#[test]
fn an_invariant_may_not_hold_between() {
    let text = "clock t var g : bool process P {
          location a; location b { invariant t <= 1; } location c; location d; init a;
          edge a -> b { when t >= 3; do { g = 1; } } edge b -> c; edge c -> d { when 0; }
        } property \"\" always g == 0";
    check(text, false);
}

#[test]
fn committed_processes_go_first() {
    let text = format!(
        "{VARIABLES} process P {{
          location a; location b; committed location c; location d; init a;
          edge a -> b {{ send r; }} edge b -> c; edge c -> d {{ do {{ g = 1; }} }}
        }}
        process Q {{
          location l; committed location m; location n; init l;
          edge l -> m {{ receive r; }} edge m -> n {{ do {{ h = 1; }} }}
        }} property \"\" reachable g == 1 && h == 0"
    );
    check(&text, false);
    let committed = text.replace("location b;", "committed location b;");
    check(&committed, true);
    assert_eq!(edges(&committed, MERGE), 2);
}

#[test]
fn priorities_decide_who_goes_first() {
    let text = format!(
        "{VARIABLES} {} process Q priority 1 {{
          location l; location m; init l; edge l -> m {{ when g == 1; do {{ h = 1; }} }}
        }} property \"\" reachable h == 1",
        chain("do { g = 1; }", "do { x = 1; }", "")
    );
    stays(&text);
}

// ---- time ----

#[test]
fn time_passes_between() {
    let text = "clock t process P {
          location a; location b; urgent location c; location d; init a;
          edge a -> b { when t <= 0; } edge b -> c; edge c -> d { when t >= 1; }
        } property \"\" reachable P at d";
    stays(text);
    let urgent = text.replace("location b;", "urgent location b;");
    check(&urgent, false);
    assert_eq!(edges(&urgent, MERGE), 2);
    let patient = text.replace("urgent location c;", "location c;");
    check(&patient, true);
    assert_eq!(edges(&patient, MERGE), 2);
}

#[test]
fn a_clock_may_be_asked() {
    stays(
        "clock t var g : bool process P {
          location a; location b; location c; location d; init a;
          edge a -> b { do { g = 1; } } edge b -> c { when t >= 2; } edge c -> d;
        } property \"\" reachable g == 1 && t <= 1",
    );
}

#[test]
fn selects_are_left_alone() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable g == 5",
        chain(
            "do { g = 1; }",
            "select s#0 : int[0, 3]; do { x = s#0; }",
            "when x == 3; do { g = 5; }"
        )
    ));
}

#[test]
fn urgent_channels_stop_time() {
    let text = "clock t chan u : handshake urgent process P {
          location a; location b; location c; location d; init a;
          edge a -> b { when t <= 0; } edge b -> c; edge c -> d { send u; }
        } process Q { location l; location m; init l; edge l -> m { receive u; } }
        property \"\" reachable P at d && t <= 0 && Q at m";
    check(text, true);
    stays(&text.replace(
        "reachable P at d && t <= 0 && Q at m",
        "reachable !(P at a) && !(P at d) && t >= 1 && Q at l",
    ));
}

// ---- control ----

#[test]
fn the_second_step_takes_control() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable Q at m",
        chain("do { g = 1; }", "keeps control;", "do { g = 2; }"),
        other("when g == 1;")
    ));
}

#[test]
fn control_is_kept_over_both() {
    let text = format!(
        "{VARIABLES} {} {} property \"\" reachable Q at m",
        chain("keeps control; do { g = 1; }", "do { h = 1; }", "do { g = 2; }"),
        other("when g == 1 && h == 0;")
    );
    check(&text, false);
    assert_eq!(edges(&text, MERGE), 2);
    let text = text.replace("do { h = 1; }", "keeps control; do { h = 1; }");
    check(&text.replace("h == 0", "h == 1"), false);
    assert_eq!(edges(&text, MERGE), 1);
}

#[test]
fn the_receiver_has_control() {
    stays(&format!(
        "{VARIABLES} {} process Q {{
          location l; location m; location n; init l;
          edge l -> m {{ receive r; keeps control; }} edge m -> n {{ do {{ h = 1; }} }}
        }} property \"\" reachable h == 1 && Q at n",
        chain("send r;", "do { x = 1; }", "")
    ));
}

#[test]
fn others_lose_control_because_they_cannot_send() {
    // Q has control at m only if P receives; then R cannot come in between.
    stays(&format!(
        "{VARIABLES} {} process Q {{
          location l; location m; location n; init l;
          edge l -> m {{ when h == 1; keeps control; do {{ g = 1; }} }}
          edge m -> n {{ send r; do {{ g = 0; }} }}
        }}
        process R {{ location l; location m; init l; edge l -> m {{ when g == 1; }} }}
        property \"\" reachable R at m",
        chain("do { h = 1; }", "do { x = 1; }", "receive r;")
    ));
}

// ---- what matters if it is not there ----

#[test]
fn others_prefer_to_send() {
    stays(&format!(
        "{VARIABLES} {} process Q {{
          location l; location m; location n; init l;
          edge l -> m {{ send r; preference 1; }} edge l -> n {{ when h == 1; }}
        }} property \"\" reachable Q at n",
        chain("do { h = 1; }", "do { x = 1; }", "receive r;")
    ));
}

#[test]
fn others_prefer_to_receive() {
    // What is preferred depends on what a process can do by itself or send, so Q does not wait.
    let text = format!(
        "{VARIABLES} {} process Q {{
          location l; location m; location n; init l;
          edge l -> m {{ receive r; preference 1; }} edge l -> n {{ when h == 1; }}
        }} property \"\" reachable Q at n",
        chain("do { h = 1; }", "do { x = 1; }", "send r;")
    );
    check(&text, true);
    assert_eq!(edges(&text, MERGE), 2);
}

#[test]
fn broadcasts_pass_who_is_not_there() {
    stays(&format!(
        "{VARIABLES} process P {{
          location a; location b; location c; location d; init a;
          edge a -> b {{ do {{ h = 1; }} }} edge b -> c {{ do {{ x = 1; }} }}
          edge c -> d {{ receive bc; do {{ h = 2; }} }}
        }} {} property \"\" reachable h == 1 && Q at m",
        other("when h == 1; send bc;")
    ));
}

#[test]
fn hidden_variables_make_the_order_matter() {
    let text = format!(
        "{VARIABLES} var m : int[0, 7] meta {} property \"\" reachable P at d",
        chain("do { m = 1; }", "do { x = 1; }", "when m == 1;")
    );
    stays(&text);
}

// ---- choices ----

/// `b` is left in two ways.
fn choice(first: &str, one: &str, other: &str) -> String {
    format!(
        "process P {{
          location a; location b; location c; location d; init a;
          edge a -> b {{ {first} }} edge b -> c {{ {one} }} edge b -> d {{ {other} }}
          edge c -> c {{ do {{ h = 1; }} }} edge d -> d {{ do {{ h = 2; }} }}
        }}"
    )
}

#[test]
fn choices_are_made_before() {
    let text = |first: &str, one: &str, other: &str| {
        format!("{VARIABLES} {} property \"\" reachable y == 3", choice(first, one, other))
    };
    let choices = [
        ("when x == 1; do { y = 2; }", "when x != 1; do { y = 3; }"),
        ("when x > 0; do { y = 2; }", "when x <= 0; do { y = 3; }"),
        ("when x > 0; do { y = 2; }", "when x == 0; do { y = 3; }"),
        ("when x; do { y = 2; }", "when !x; do { y = 3; }"),
        ("when x == 1; do { y = 2; }", "preference -1; do { y = 3; }"),
    ];
    for (one, other) in choices {
        let text = text("do { g = 1; }", one, other);
        check(&text, true);
        check(&text.replace("y == 3", "y == 2"), false);
        let other = text.replace("var x : int[0, 7] wrap", "var x : int[0, 7] wrap = 1");
        check(&other, false);
        check(&other.replace("y == 3", "y == 2"), true);
        check(&text.replace("g = 1;", "g = 1; x = 1;"), false);
        check(&text.replace("y == 3", "y == 2").replace("g = 1;", "g = 1; x = 1;"), true);
    }
}

#[test]
fn choices_disappear() {
    let text = format!(
        "{VARIABLES} {} property \"\" reachable g == 1 && h == 2",
        choice("do { g = 1; }", "when x == 1;", "when x != 1;")
    );
    check(&text, true);
    let target = |text: &str| {
        let network = parse(text);
        let reduced = reduce::reduce(&network, &network.properties[PropertyId(0)], MERGE);
        let process = reduced.network.processes.iter().next().expect("a process").clone();
        process.edges.iter().map(|edge| edge.target.0).collect::<Vec<_>>()
    };
    assert_eq!(target(&text), [2, 3, 2, 3]);
    // What is chosen by is changed before: by an assignment, by a message.
    assert_eq!(target(&text.replace("g = 1;", "g = 1; x = 1;"))[0], 1);
    let message = text.replace("chan r", "chan q : buffered 1 (int[0, 7] wrap) chan r");
    assert_eq!(target(&message.replace("do { g = 1; }", "receive q(x); do { g = 1; }"))[0], 1);
}

#[test]
fn no_edge_may_be_open() {
    stays(&format!(
        "{VARIABLES} {} property \"\" reachable g == 1 && deadlock",
        choice("do { g = 1; }", "when x == 1;", "when x > 1;")
    ));
}

#[test]
fn others_change_what_is_chosen_by() {
    stays(&format!(
        "{VARIABLES} {} {} property \"\" reachable h == 2",
        choice("do { g = 1; }", "when x == 0;", "when x != 0;"),
        other("when g == 1; do { x = 1; }")
    ));
}

#[test]
fn what_is_chosen_by_is_changed_before() {
    let text = format!(
        "{VARIABLES} chan q : buffered 1 (int[0, 7] wrap) {} {} property \"\" reachable h == 2",
        choice("do { x = 1; }", "when x == 0;", "when x != 0;"),
        other("send q(1);")
    );
    stays(&text);
    stays(&text.replace("do { x = 1; }", "receive q(x);"));
}

/// A line of steps that nobody sees, entered by choices that are as invisible.
fn choices_before_a_line(choices: usize, line: usize) -> String {
    let last = choices + line;
    let mut text = format!("{VARIABLES} process P {{ init l0;");
    (0..=last + 1).for_each(|number| text.push_str(&format!(" location l{number};")));
    for number in 0..last {
        let edge = |value: i32| {
            format!(" edge l{number} -> l{} {{ do {{ x = x + {value}; }} }}", number + 1)
        };
        text.push_str(&edge(1));
        if number < choices {
            text.push_str(&edge(2));
        }
    }
    let end = format!(" edge l{last} -> l{} {{ when x == 3; do {{ g = 1; }} }} }}", last + 1);
    text + &end + " property \"\" reachable g == 1"
}

#[test]
fn lines_are_merged_before_choices_take_the_room() {
    let text = choices_before_a_line(10, 20);
    check(&text, true);
    let network = parse(&text);
    let reduced = reduce::reduce(&network, &network.properties[PropertyId(0)], MERGE);
    let edges = reduced.network.processes.iter().flat_map(|process| &process.edges);
    // Choices may begin steps that end before others, but no step ends within the line.
    let within = |edge: &&network::Edge| (11..30).contains(&edge.target.0);
    assert_eq!(edges.filter(within).count(), 0);
}

#[test]
fn long_lines_become_few_steps() {
    let text = choices_before_a_line(0, 640);
    check(&text, false);
    assert_eq!(edges(&text, MERGE), 11);
}
