//! `--improve`: a trace that somebody has is replaced by the shortest way to the same state, `--improve-any`: to any
//! state that violates the same property; and what is no such trace is refused.

mod support;

use support::{Folder, Run};

/// A ring of eight places, to be gone round either way; `x` says where one is. Depth-first search goes backwards.
fn ring() -> String {
    let edge = |from: usize, to: usize| format!("r{from} -> r{to} {{ assign x = {to}; }}");
    let back = (0..8).map(|i| edge((i + 1) % 8, i));
    let edges: Vec<String> = back.chain((0..8).map(|i| edge(i, (i + 1) % 8))).collect();
    let places: Vec<String> = (0..8).map(|i| format!("r{i}")).collect();
    let (places, edges) = (places.join(", "), edges.join(", "));
    format!(
        "clock c; int[0,7] x;
        process R() {{ state {places}; init r0; trans {edges}; }}
        system R;"
    )
}

/// `x` counts down from 9 to where it goes wrong, or is set to that in two steps.
const JUMPS: &str = "byte x = 9;
    active proctype P() {
        do
        :: x > 5 -> x = x - 1
        :: x > 5 -> x = 5; break
        :: x == 5 -> break
        od;
        assert(x != 5)
    }
    active proctype Q() { do :: x = 9 od }";

/// What `./pan` wrote for it, made by `spin -o1 -o2 -o3 -a` and `gcc -DNOREDUCE`.
const TRAIL: &str = "1:0:0\n2:0:1\n3:0:0\n4:0:1\n5:0:0\n6:0:1\n7:0:0\n8:0:1\n9:0:5\n10:0:10\n";

/// A folder with a model and a trace of depth-first search.
fn first(name: &str, model: &str, query: &[&str]) -> Folder {
    let folder = Folder::with(name, model);
    let how = ["check", name, "--search", "dfs", "--trace", "t.json", "--no-trace"];
    folder.run(&[&how[..], query].concat());
    folder
}

fn improve(folder: &Folder, name: &str, arguments: &[&str]) -> Run {
    folder.run(&[&["check", name, "--no-trace"], arguments].concat())
}

#[test]
fn a_timed_trace_is_improved() {
    let folder = first("m.xta", &ring(), &["--query", "E<> x == 3"]);
    for how in [&["--search", "auto"][..], &["--search", "bfs"], &["--heuristic", "fsm"]] {
        let run = improve(&folder, "m.xta", &[&["--improve", "t.json"], how].concat());
        run.complains("note: the trace in t.json has 5 steps, all of it checked");
        run.code(0).says("satisfied · 3 steps instead of 5, proven shortest to this state");
    }
    let run = improve(&folder, "m.xta", &["--improve", "t.json", "--trace", "u.json"]);
    run.code(0);
    improve(&folder, "m.xta", &["--improve", "u.json"])
        .code(0)
        .says("satisfied · 3 steps, already the shortest to this state");
}

/// Backwards to 6 it is two steps, to 3 it is three forwards.
#[test]
fn another_state_may_be_nearer() {
    let folder = first("m.xta", &ring(), &["--query", "A[] x != 3 && x != 6"]);
    let forth = folder.run(&[
        "check",
        "m.xta",
        "--query",
        "E<> x == 3",
        "--trace",
        "three.json",
        "--no-trace",
    ]);
    forth.code(0).says("3 steps");
    let three = folder.read("three.json").replace("E<> x == 3", "A[] x != 3 && x != 6");
    folder.write("three.json", three);
    let run = improve(&folder, "m.xta", &["--improve", "three.json"]);
    run.code(1).says("violated · 3 steps, already the shortest to this state");
    let run = improve(&folder, "m.xta", &["--improve-any", "three.json"]);
    run.code(1).says("violated · 2 steps instead of 3, proven shortest ·");
}

#[test]
fn a_trail_is_improved() {
    let folder = Folder::with("m.pml", JUMPS);
    folder.write("m.pml.trail", TRAIL);
    let run = improve(&folder, "m.pml", &["--improve", "m.pml.trail", "--trail", "u.trail"]);
    run.complains("note: the trace in m.pml.trail has 9 steps, all of it checked");
    run.code(1).says("violated · 2 steps instead of 9, proven shortest to this state");
    let run = improve(&folder, "m.pml", &["--improve-any", "u.trail", "--format", "json"]);
    let result = &run.code(1).json()["results"][0];
    assert_eq!(result["given"]["trace_length"], 2);
    assert_eq!(result["given"]["same_state"], false);
    assert_eq!((&result["trace_length"], &result["shortest"]), (&2.into(), &true.into()));
}

/// What waits in a channel tells states apart, also behind the first message.
#[test]
fn messages_are_part_of_the_state() {
    let model = "chan q = [2] of { byte }; byte n;
        active proctype P() {
            if :: q!1; q!2 :: n = 1; n = 0; q!1; q!3 fi;
            assert(false)
        }";
    let folder = Folder::with("m.pml", model);
    let is_longer = |seed: &i32| {
        let (random, seed) = (["--search", "random-dfs", "--seed"], seed.to_string());
        improve(&folder, "m.pml", &[&random[..], &[&seed, "--trace", "t.json"]].concat());
        folder.read("t.json").contains("q!3")
    };
    assert!((0..30).any(|seed| is_longer(&seed)));
    let run = improve(&folder, "m.pml", &["--improve", "t.json"]);
    run.code(1).says("violated · 4 steps, already the shortest to this state");
    let run = improve(&folder, "m.pml", &["--improve-any", "t.json"]);
    run.code(1).says("violated · 2 steps instead of 4, proven shortest ·");
}

/// No limit takes away what one already has.
#[test]
fn a_limit_leaves_the_best_so_far() {
    let folder = first("m.xta", &ring(), &["--query", "E<> x == 3"]);
    let run = improve(&folder, "m.xta", &["--improve", "t.json", "--max-states", "1"]);
    run.code(0).says(
        "5 steps as given, may not be the shortest to this state: the limit on stored states was",
    );
}

#[test]
fn what_is_no_such_trace_is_refused() {
    let folder = first("m.xta", &ring(), &["--query", "E<> x == 3"]);
    let trace = folder.read("t.json");
    let refused = |trace: &str, why: &str| {
        folder.write("u.json", trace);
        let run = improve(&folder, "m.xta", &["--improve", "u.json"]);
        run.code(2).complains(why);
    };
    refused("{", "`u.json` is not a trace");
    refused(
        &trace.replace("\"R\"", "\"S\""),
        "does not fit the model: step 1: the model has no process `S`",
    );
    refused(&trace.replace("x == 3", "x == 4"), "does not fit the model: at the end");
    refused(&trace.replacen("r7", "r6", 1), "does not fit the model: step 1: the target of R");
    let folder = Folder::with("m.pml", JUMPS);
    for (trail, why) in [
        ("1:0:0\n", "violates nothing: there is no error where it ends"),
        (
            "1:0:77\n",
            "the trail in `m.pml.trail` does not fit the model: step 1: process 0 (P) has no",
        ),
        ("1:0\n", "`m.pml.trail` is not a trail"),
    ] {
        folder.write("m.pml.trail", trail);
        improve(&folder, "m.pml", &["--improve", "m.pml.trail"]).code(2).complains(why);
    }
}

/// An error says nothing about a query that asks for something else.
#[test]
fn errors_that_do_not_count_are_refused() {
    let model = "int[0,2] n; process P() { state A; init A; trans A -> A { assign n = n + 1; }; }
        system P;";
    let folder = first("m.xta", model, &["--query", "E<> n == 7"]);
    improve(&folder, "m.xta", &["--improve", "t.json"])
        .code(2)
        .complains("ends in a run-time error, which says nothing about its query");
}

#[test]
fn only_searches_for_short_traces_improve() {
    let folder = first("m.xta", &ring(), &["--query", "E<> x == 3"]);
    let run = improve(&folder, "m.xta", &["--improve", "t.json", "--search", "dfs"]);
    run.complains("--improve: the search dfs does not look at lengths");
    run.code(2).complains("these do: auto, anytime, bfs, bounded-dfs, astar, weighted-astar");
    for other in [["--query", "E<> x == 4"], ["--towards", "t.json"], ["--cost", "every = 2"]] {
        let run = improve(&folder, "m.xta", &[&["--improve", "t.json"], &other[..]].concat());
        run.code(2).complains("cannot be used with");
    }
}
