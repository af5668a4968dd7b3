//! What a user reads below a trace and in it: what went wrong by its name, where every process
//! stands and why it cannot move, the last state; and nothing of a model that would steer a terminal.

mod support;

use serde_json::{Value, json};
use support::Folder;

/// Two processes that wait for each other for ever.
const STUCK: &str = "mtype = { req, ack };
#define WAIT (x == N)
#define N 3
chan q = [1] of { mtype, byte };
chan r = [0] of { byte, chan };
byte x, a[9];
proctype P(byte n) {
  byte y = 1; chan mine;
  q!req,n;
  r?y,mine;
  printf(\"got %d\\n\", y);
  WAIT -> x = 4
}
active proctype Q() {
  mtype m; byte k;
  run P(3);
  q?m,k;
  r!7,q;
  do :: q?ack,k :: x == 9 -> break od
}
active proctype Server() { end: q?ack,_ }
";

/// The report on a Promela model with an error.
#[track_caller]
fn report(model: &str) -> String {
    Folder::with("m.pml", model).run(&["check", "m.pml"]).code(1).out
}

#[track_caller]
fn finding(name: &str, model: &str, more: &[&str]) -> Value {
    let arguments = [&["check", name, "--format", "json"], more].concat();
    Folder::with(name, model).run(&arguments).json()["results"][0]["finding"].clone()
}

#[track_caller]
fn has(out: &str, expected: &str) {
    assert!(out.contains(expected), "not in the output: {expected}\n{out}");
}

/// The same words, wherever lines are broken and columns begin.
#[track_caller]
fn has_words(out: &str, expected: &str) {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(squeeze(out).contains(&squeeze(expected)), "not in the output: {expected}\n{out}");
}

// ---- what went wrong ----

#[test]
fn an_invalid_end_state_says_what_every_process_waits_for() {
    let expected = "
invalid end state: no process can move, and Q and P are not at a valid end

  process  stands at       waits for  because
  Q        m.pml:19        q?ack, k   q is empty
                           x == 9     x is 0
  Server   end (m.pml:21)  nothing    it may stay here
  P        m.pml:12        (x == 3)   x is 0

final state
  variables  x = 0, a = [0 × 9], Q.m = req, Q.k = 3, P.n = 3, P.y = 7,
             P.mine = q
  channels   q = empty

violated · ";
    has(&report(STUCK), expected);
}

#[test]
fn json_names_an_invalid_end_state_too() {
    let finding = finding("m.pml", STUCK, &[]);
    assert_eq!(finding["kind"], "invalid-end-state");
    let processes = finding["processes"].as_array().expect("processes");
    let names: Vec<&Value> = processes.iter().map(|it| &it["process"]).collect();
    assert_eq!(names, ["Q", "Server", "P"]);
    let stays: Vec<&Value> = processes.iter().map(|it| &it["may_stay"]).collect();
    assert_eq!(stays, [&json!(false), &json!(true), &json!(false)]);
    let waiting = &processes[0]["waits_for"][0];
    assert_eq!(
        (&waiting["statement"], &waiting["why"]),
        (&json!("q?ack, k"), &json!("q is empty"))
    );
    assert_eq!(waiting["place"]["line"], 19);
}

#[test]
fn channels_that_block_are_told_with_what_they_hold() {
    let model = "chan q = [1] of { byte }; chan r = [0] of { byte };\n\
        active proctype P() { q!1; q!2 }\n\
        active proctype Q() { q?[1] -> q?2 }\n\
        active proctype R() { r!3 }\n\
        active proctype S() { r?4 }";
    let out = report(model);
    has(&out, "q!2        q is full: [1]");
    has(&out, "q?2        q holds [1]");
    has(&out, "r!3        no process receives such a message from r");
    has(&out, "r?4        no process sends such a message to r");
}

#[test]
fn messages_left_are_told_with_strict_ends() {
    let model = "chan q = [1] of { byte }; active proctype P() { q!1 }";
    let folder = Folder::with("m.pml", model);
    folder.run(&["check", "m.pml"]).code(0);
    let run = folder.run(&["check", "m.pml", "--strict-end"]).code(1);
    run.says("invalid end state: no process can move, and messages are left in q");
}

#[test]
fn an_assertion_is_told_with_the_values_it_sees() {
    let model = "mtype = { on, off }; mtype m = on; byte x; byte a[2];\n\
        active proctype P() { byte l = 5; x = 1; assert(a[x] == l && m == off) }";
    let out = report(model);
    has(&out, "error: assertion violated: a[x] == l && m == off");
    has(&out, "a[1] is 0, x is 1, l is 5, m is on");
    has(&out, "assert(a[x] == l && m == off)  m.pml:2  fails");
    let finding = finding("m.pml", model, &[]);
    assert_eq!(finding["kind"], "assertion");
    assert_eq!(finding["expression"], "a[x] == l && m == off");
    assert_eq!(finding["place"]["line"], 2);
    assert_eq!(finding["values"][0], json!({"kind": "variable", "name": "a[1]", "value": 0}));
}

#[test]
fn an_assertion_in_the_midst_of_a_step_sees_what_was_written_before() {
    let model =
        "byte x; active proctype P() { d_step { x = 1; x = x + 1; assert(x == 1); x = 9 } }";
    let out = report(model);
    has(&out, "error: assertion violated: x == 1");
    has(&out, "x is 2");
    has(&out, "final state\n  processes  P in line 1\n  variables  x = 0\n");
}

#[test]
fn a_deadlock_says_why_no_edge_can_fire() {
    let model = "clock x; int[0,5] n; chan go, stop;
process P() {
  state A { x <= 5 }, B { x <= 9 }, C;
  init A;
  trans A -> B { guard x >= 2; sync go!; },
        B -> C { guard n >= 4 && x > 3; },
        B -> C { sync stop!; },
        B -> C { guard x < 1; };
}
process Q() { state A, D; init A; trans A -> D { sync go?; }; }
system P, Q;
";
    let folder = Folder::with("m.xta", model);
    let run = folder.run(&["check", "m.xta", "--query", "A[] not deadlock"]).code(1);
    let message =
        "deadlock: no process can move, now or after any delay; time can pass for 7 at most";
    has_words(&run.out, message);
    let expected = "
  process  stands at      waits for                        because
  P        B (m.xta:3)    -> C: n >= 4 && x > 3 (line 6)   n is 0
                          -> C: stop! (line 7)             no process receives from stop
                          -> C: x < 1 (line 8)             x is 2
  Q        D (m.xta:10)   nothing                          it has no outgoing edge
";
    has_words(&run.out, expected);
    let finding = finding("m.xta", model, &["--query", "E<> deadlock"]);
    assert_eq!(finding["kind"], "deadlock");
    assert_eq!(finding["processes"][0]["waits_for"][1]["why"], "no process receives from stop");
}

#[test]
fn other_ends_have_names_too() {
    let model = "byte x; active proctype P() { x = 1; x = 2; x = 3; x = 10 / (x - 3) }\n\
        ltl low { [] (x < 2) } never { do :: x == 1 -> break :: else od }";
    let folder = Folder::with("m.pml", model);
    let run = |claim| folder.run(&["check", "m.pml", "--claim", claim]).code(1);
    run("low").says("the formula is violated before the last step, whatever comes next: x is 2");
    run("never").says("the never claim reaches its end");
    has(&report(model), "run-time error of the model: division by zero");
    has(&report(model), "^^^ x is 3");
    let run = folder.run(&["check", "m.pml", "--query", "E<> x == 2"]).code(0);
    run.says("a state that satisfies the query: x is 2");
    let kind = |more: &[&str]| finding("m.pml", model, more)["kind"].clone();
    assert_eq!(kind(&["--claim", "low"]), "claim");
    assert_eq!(kind(&["--query", "A[] x < 1"]), "goal");
    assert_eq!(kind(&[]), "run-time-error");
}

// ---- the trace ----

#[test]
fn a_trace_tells_statements_messages_output_and_processes() {
    let expected = "
  step  process  statement
     1  Q        run P(3)               m.pml:16
                   starts P, P.n: 0 -> 3, P.y: 0 -> 1
     2  P        q!req, n               m.pml:9   q: empty -> [req,3]
     3  Q        q?m, k                 m.pml:17
                   m: 0 -> req, k: 0 -> 3, q: [req,3] -> empty
     4  Q        r!7, q  [7,q]          m.pml:18
        P        r?y, mine              m.pml:10
                   P.y: 1 -> 7, P.mine: 0 -> q
     5  P        printf(\"got %d\\n\", y)  m.pml:11  prints \"got 7\"

invalid end state";
    has(&report(STUCK), expected);
}

#[test]
fn what_is_printed_in_the_midst_of_a_step_is_told() {
    let model = "mtype = { on }; byte x; active proctype P() {\n\
        d_step { x = 1; printf(\"%d %e, \", x, on); do :: x < 4 -> x++; printf(\"%d \", x) :: else -> break od };\n\
        assert(false) }";
    has(&report(model), "prints \"1 on, 2 3 4 \"");
}

/// Seen to fail: with the names of the first `mtype` for all, and for constants with none.
#[test]
fn symbolic_constants_are_printed_by_the_names_of_their_type() {
    let model = "mtype = { on, off }; mtype:fruit = { pear, apple }; mtype:fruit f = apple;\n\
        mtype m = on; active proctype P() { printf(\"%e %e\", f, m); assert(false) }";
    has(&report(model), "prints \"apple on\"");
    let model = "mtype = { on, off }; mtype:fruit = { pear, apple };\n\
        active proctype P() { printf(\"%d\\%%% %e %e %d\", 7, off, pear, on); printm(apple); assert(false) }";
    has(&report(model), "prints \"7%% off pear 2\"");
    has(&report(model), "prints \"apple\"");
}

#[test]
fn the_numbers_of_processes_are_no_news() {
    let model = "proctype P() { skip } init { run P(); run P(); _nr_pr == 1; assert(false) }";
    let out = report(model);
    has(&out, "starts P(1)");
    has(&out, "P(1)     ends");
    assert!(!out.contains("_pid") && !out.contains("_nr_pr:"), "{out}");
}

#[test]
fn formulas_are_not_repeated_under_every_step() {
    let model = "byte x; active proctype P() { x = 1; x = 2; x = 3 } ltl low { [] (x < 3) }";
    let out = Folder::with("m.pml", model).run(&["check", "m.pml", "--claim", "low"]).code(1).out;
    assert_eq!(out.matches("x < 3").count(), 1, "{out}");
}

#[test]
fn every_state_is_shown_on_request() {
    let model = "byte x; chan q = [1] of { byte }; active proctype P() { x = 1; q!x; assert(0) }";
    let folder = Folder::with("m.pml", model);
    let arguments = ["check", "m.pml", "--states", "--trace", "t.json"];
    let run = folder.run(&arguments).code(1);
    has(
        &run.out,
        "     0  the initial state\n        processes  P in line 1\n        variables  x = 0",
    );
    has(&run.out, "        channels   q = [1]");
    assert_eq!(run.out.matches("variables  x = 1").count(), 3, "after two steps and at the end");
    let trace: Value = serde_json::from_str(&folder.read("t.json")).expect("JSON");
    let x = json!({ "kind": "variable", "name": "x", "value": 1 });
    assert_eq!(trace["steps"][0]["state"][1], x);
    assert_eq!(trace["initial_state"][1]["value"], 0);
    assert_eq!(trace["final_state"][2]["value"], "[1]");
    folder.run(&["replay", "t.json"]).code(0);
}

#[test]
fn long_statements_are_whole_where_nobody_watches() {
    let condition = (0..30).map(|i| format!("x != {i}")).collect::<Vec<_>>().join(" && ");
    let model = format!("byte x = 99; active proctype P() {{ {condition}; assert(false) }}");
    has(&report(&model), &condition);
}

/// Seen to fail: with lines as long as `COLUMNS` says.
#[test]
fn lines_are_as_long_as_the_terminal_is_wide() {
    let folder = Folder::with("m.pml", STUCK);
    let vizsla = env!("CARGO_BIN_EXE_vizsla");
    let within = |columns: u32| {
        let call = format!("stty rows 50 cols {columns} && '{vizsla}' check m.pml --color never");
        let mut script = std::process::Command::new("script");
        script.args(["-qec", &call, "/dev/null"]).current_dir(folder.path()).env("COLUMNS", "70");
        script.stdin(std::process::Stdio::null()).output().ok()
    };
    // Where there is no such command there is no terminal to look at.
    let Some(wide) = within(150) else { return };
    let wide = String::from_utf8_lossy(&wide.stdout).into_owned();
    has(&wide, "m.pml:17  m: 0 -> req, k: 0 -> 3, q: [req,3] -> empty");
    let narrow = within(60).map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
    let longest = narrow.iter().flat_map(|out| out.lines()).map(|line| line.chars().count()).max();
    assert!(longest.is_some_and(|it| it <= 61), "{narrow:?}");
}

// ---- nothing of a model steers the terminal ----

#[test]
fn control_characters_become_visible_everywhere() {
    let model = "active proctype P() { printf(\"\x1b[31mred\x07\"); assert(false) }";
    let folder = Folder::with("m.pml", model);
    for color in ["never", "always"] {
        let run = folder.run(&["check", "m.pml", "--color", color, "--trace", "t.json"]).code(1);
        assert!(!run.out.contains("\x1b[31mred") && !run.out.contains('\x07'), "{:?}", run.out);
        has(&run.out, "␛[31mred␇");
        let run = folder.run(&["replay", "t.json", "--color", color]).code(0);
        assert!(!run.out.contains("\x1b[31mred"), "{:?}", run.out);
    }
    let json = folder.run(&["check", "m.pml", "--format", "json"]).code(1).out;
    assert!(!json.contains('\x1b'), "{json}");
}

#[test]
fn control_characters_in_diagnostics_and_queries_become_visible() {
    let folder = Folder::with("m.pml", "active proctype P() { x\x1b[2J = 1 }");
    for color in ["never", "always"] {
        let run = folder.run(&["check", "m.pml", "--color", color]).code(2);
        assert!(!run.err.contains("\x1b[2J") && run.err.contains("␛[2J"), "{:?}", run.err);
    }
    let text = "network\nvar x : int\nprocess \"P\x1b[31m\" {\n  location a\n  init a\n}\n";
    folder.write("m.net", text);
    let run = folder.run(&["info", "m.net", "--color", "always"]);
    assert!(!(run.out + &run.err).contains("P\x1b[31m"));
}
