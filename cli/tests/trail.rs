//! Spin's trails: those we write, those of Spin's verifiers, and those that fit no model.
//! Trails and verdicts of Spin were recorded with Spin 6.5.2 (`spin -o1 -o2 -o3 -a`, `-DNOREDUCE`).

mod support;

use support::{COUNTER, Folder};

/// Atomic steps, a rendezvous, a deterministic step, processes that start and end, an assertion.
const MODEL: &str = "chan c = [0] of {byte};
byte x;
proctype Q(byte n) { x = x + n; c!n }
active proctype P() {
  byte y;
  atomic { x = 1; run Q(2); x = 3 };
  c?y;
  d_step { x = 2; x = 4 };
  assert(y == 3)
}
init { if :: x == 4 -> skip :: else -> x = 0 fi; L: x++ }
";

/// What `./pan` wrote.
const DEPTH_FIRST: &str = "1:1:15\n2:1:16\n3:1:19\n4:1:20\n5:0:3\n6:0:4\n7:0:5\n8:1:0\n9:1:1\n\
    10:0:7\n11:1:2\n12:0:10\n13:0:11\n";

/// What `./pan` wrote when compiled with `-DBFS`.
const BREADTH_FIRST: &str = "1:0:3\n2:0:4\n3:0:5\n4:2:0\n5:2:1\n6:0:7\n7:0:10\n8:0:11\n";

fn replay(model: &str, trail: &str) -> support::Run {
    let folder = Folder::with("m.pml", model);
    folder.write("m.pml.trail", trail);
    folder.run(&["replay", "m.pml.trail"])
}

#[test]
fn the_shortest_trace_is_the_trail_of_a_breadth_first_verifier() {
    let folder = Folder::with("m.pml", MODEL);
    let run = folder.run(&["check", "m.pml", "--trail", "t.trail", "--no-trace"]);
    run.code(1).complains("the trail is in t.trail");
    assert_eq!(folder.read("t.trail"), BREADTH_FIRST);
    folder.run(&["replay", "m.pml", "t.trail"]).code(0).says("ok: 6 steps, then an assertion");
}

#[test]
fn trails_of_verifiers_lead_to_the_assertion() {
    let run = replay(MODEL, DEPTH_FIRST).code(0);
    let run = run.says("ok: 11 steps, then an assertion fails").says("m.pml:9");
    run.says("    10  Q        ends").says("P        c?y");
    replay(MODEL, BREADTH_FIRST).code(0).says("ok: 6 steps, then an assertion fails");
}

#[test]
fn a_trail_without_steps_in_the_report() {
    let folder = Folder::with("m.pml", MODEL);
    folder.write("elsewhere", DEPTH_FIRST);
    let run = folder.run(&["replay", "--model", "m.pml", "elsewhere", "--no-trace"]).code(0);
    assert!(!run.out.contains("c?y"), "{}", run.out);
    run.says("ok: 11 steps");
}

#[test]
fn trails_of_verifiers_lead_to_an_invalid_end_state() {
    let model =
        "byte x; active proctype A() { x = 1; x == 5 } active proctype B() { x == 1; x = 2 }";
    // Breadth-first verifiers leave a line behind.
    for trail in ["1:0:0\n2:1:3\n3:1:4\n4:1:5\n", "1:0:0\n2:1:3\n3:1:4\n4:1:5\n5:0:1\n"] {
        replay(model, trail).code(0).says("ok: 4 steps, then an invalid end state");
    }
    replay(model, "1:0:0\n2:1:3\n").code(0).says("no error, and processes can still move");
    replay(model, "1:0:0\n2:1:3\n3:1:3\n").code(1).says("step 3: process 1 (B)");
}

#[test]
fn steps_that_do_not_fit_are_named_with_what_was_possible() {
    let change = |from: &str, to: &str| replay(MODEL, &DEPTH_FIRST.replace(from, to)).code(1);
    change("9:1:1\n", "9:1:2\n")
        .says("step 9: process 1 (Q) is in line 3, where transition 2 (-end- in line 3) does not")
        .says("1:1 (Q: c!n in line 3) with 0:7 (P: c?y in line 7)");
    change("9:1:1\n", "9:1:99\n").says("step 9: process 1 (Q) has no transition 99");
    change("9:1:1\n", "9:7:1\n").says("step 9: no process 7 runs then");
    change("10:0:7\n", "").says("step 9: process 1 (Q) is in line 3");
    change("13:0:11\n", "13:0:11\n14:0:12\n")
        .says("step 13: an assertion fails, but the trail goes on (1 line left)");
    change("5:0:3\n", "5:0:7\n").says("step 5: process 0 (P) is in line 6");
    change("1:1:15\n", "1:1:13\n").says("step 1:").says("guard");
    replay(MODEL, "1:0:3\n2:0:4\n3:0:5\n4:2:0\n5:2:1\n").code(1).says("no line for the receiver");
}

#[test]
fn claims_move_before_the_processes() {
    let model = "byte x; active proctype P() { x = 1; x = 2; x == 7 } \
        never { do :: x == 2 -> break :: else od; x == 2; x == 2; x == 2; true }";
    // In the end only the claim moves.
    let trail = "-2:1:-2\n1:0:6\n2:1:0\n3:0:6\n4:1:1\n5:0:4\n6:0:10\n7:0:11\n8:0:12\n9:0:13\n";
    let run = replay(model, trail).code(0);
    run.says("ok: 6 steps, then the claim reaches its end");
    let folder = Folder::with("m.pml", model);
    folder.run(&["check", "m.pml", "--claim", "never_0", "--trail", "t", "--no-trace"]).code(1);
    assert_eq!(folder.read("t"), trail);
    replay(model, &trail.replace("3:0:6\n", "3:0:4\n")).code(1).says("step 3: the observer cannot");
    replay(model, &trail.replace("3:0:6\n", "")).code(1).says("step 4: the claim has no such");
}

#[test]
fn claims_wait_while_a_process_has_control() {
    let model = "never N { do :: true od } byte x; \
        active proctype P() { x = 1; atomic { x = 2; x = 3 }; assert(x == 2) } \
        never M { do :: true :: assert(x < 3) od }";
    let trail = "-2:0:-2\n1:0:0\n2:1:5\n3:0:0\n4:1:6\n5:1:7\n6:0:0\n7:1:9\n";
    replay(model, trail).code(0).says("ok: 3 steps, then an assertion fails");
    let folder = Folder::with("m.pml", model);
    folder.run(&["check", "m.pml", "--claim", "N", "--trail", "t", "--no-trace"]).code(1);
    assert_eq!(folder.read("t"), trail);
    // Recorded with `./pan -N M`.
    folder.run(&["check", "m.pml", "--claim", "M", "--trail", "u", "--no-trace"]).code(1);
    let of_claim = "-2:2:-2\n1:0:11\n2:1:5\n3:0:11\n4:1:6\n5:1:7\n6:0:12\n";
    assert_eq!(folder.read("u"), of_claim);
    replay(model, of_claim).code(0).says("ok: 3 steps, then an assertion fails");
}

#[test]
fn the_steps_of_a_formula_are_left_out() {
    let model =
        "byte x; active proctype P() { x = 1; x = 2; assert(x == 3) } ltl f { <> (x == 7) }";
    let run = replay(model, "-2:1:-2\n1:0:4\n2:1:0\n3:0:4\n4:1:1\n5:0:4\n6:1:2\n").code(0);
    run.says("ok: 2 steps, then an assertion fails").complains("steps of the claim are left out");
}

#[test]
fn a_trail_may_need_room_for_many_processes() {
    let model = "byte n; proctype W() { n++; false } \
        init { byte i; for (i : 1 .. 12) { run W() }; n == 12 -> assert(false) }";
    let folder = Folder::with("m.pml", model);
    folder.run(&["check", "m.pml", "--trail", "t", "--trace", "t.json"]).code(1);
    folder.run(&["replay", "m.pml", "t"]).code(0).says("an assertion fails");
    folder.run(&["replay", "t.json"]).code(0).says("ok");
}

/// `spin -a` merges `j = 1` with `j = 2`, and `i = 7` with the two statements after it.
#[test]
fn merged_steps_are_filled_in() {
    let model = "chan c = [0] of {byte}; \
        active proctype P() { byte i, j; j = 1; j = 2; c!j; i = 7; j = 8; assert(i + j == 3) } \
        active proctype Q() { byte k; c?k; k = 0; k = 1 }";
    let run = replay(model, "-4:-4:-4\n1:0:0\n2:0:2\n3:1:7\n4:1:8\n5:1:10\n6:0:3\n").code(0);
    run.says("ok: 8 steps, then an assertion fails").complains("merges statements");
}

/// `spin -a` merges `i = 2` with the assertion, which nothing but that error can follow.
#[test]
fn the_error_may_be_in_what_was_merged_with_the_last_line() {
    let model = "active proctype P() { byte i; if :: i = 2 :: i = 3 fi; assert(i == 3) }";
    let run = replay(model, "-4:-4:-4\n1:0:0\n").code(0);
    run.says("ok: 1 step, then an assertion fails").complains("merges statements");
}

#[test]
fn what_is_no_trail_is_refused() {
    let folder = Folder::with("m.pml", MODEL);
    folder.write("m.pml.trail", "1:0\n");
    folder.run(&["replay", "m.pml.trail"]).code(2).complains("is not a trail").complains("line 1");
    folder.write("x.trail", DEPTH_FIRST);
    folder.run(&["replay", "x.trail"]).code(2).complains("which model is `x.trail` of?");
    folder.write("m.xta", COUNTER);
    folder
        .run(&["replay", "m.xta", "x.trail"])
        .code(2)
        .complains("only Promela models have trails");
    let run = folder.run(&["check", "m.xta", "--query", "E<> n == 2", "--trail", "t"]).code(2);
    run.complains("--trail writes trails of Promela models only");
}

#[test]
fn transitions_are_listed_with_their_numbers() {
    let folder = Folder::with("m.pml", MODEL);
    let run = folder.run(&["convert", "m.pml", "--to", "transitions"]).code(0);
    run.says("proctype Q\n\tstate   1 -> state   2  [id   0] m.pml:3 => x = x + n\n");
}
