//! `--towards`: a second search looks for the path to where the first one ended.
//!
//! Seen to fail: with a known goal whose processes are at their first places, or whose values or messages
//! are 0, with traces of any property taken, and with the known goal not handed on.

mod support;

use serde_json::Value;
use support::{COUNTER, Folder, Run};

/// A ring of eight places, to be gone round either way; `x` says where one is. The goal is three steps
/// away, or five; depth-first search goes the other way, because the edges back come first.
fn ring() -> String {
    let places: Vec<String> = (0..8).map(|i| format!("r{i}")).collect();
    let edge = |from: usize, to: usize| format!("r{from} -> r{to} {{ assign x = {to}; }}");
    let forth: Vec<String> = (0..8).map(|i| edge(i, (i + 1) % 8)).collect();
    let back: Vec<String> = (0..8).map(|i| edge((i + 1) % 8, i)).collect();
    format!(
        "int[0,7] x;\nprocess R() {{ state {}; init r0; trans {}, {}; }}\nsystem R;\n",
        places.join(", "),
        back.join(", "),
        forth.join(", ")
    )
}

/// A folder with a model and the trace of a first, depth-first, search.
fn first(name: &str, model: &str, query: &str) -> Folder {
    let folder = Folder::with(name, model);
    let start = ["check", name, "--query", query, "--search", "dfs"];
    folder.run(&[&start[..], &["--trace", "first.json", "--format", "json"]].concat());
    folder
}

fn second(folder: &Folder, name: &str, query: &str, arguments: &[&str]) -> Run {
    let start = ["check", name, "--query", query, "--no-trace", "--towards", "first.json"];
    folder.run(&[&start[..], arguments].concat())
}

/// How many states a search explored, the length of its trace, and whether that is the shortest.
fn result(run: &Run) -> (Value, Value, Value) {
    let result = &run.json()["results"][0];
    let of = |name: &str| result[name].clone();
    (result["stats"]["explored"].clone(), of("trace_length"), of("shortest"))
}

/// From 0 to 3, `fsm` goes straight on. To `hamming`, 1 (001), 7 (111) and 2 (010) are equally near to 3
/// (011), two bits in the place and in `x`: A* looks at 7, one step away, before it looks at 2. Neither
/// can promise anything: the goal, `x == 3`, does not say where R has to be.
#[test]
fn the_known_goal_shows_the_path() {
    let (model, goal) = (ring(), "E<> x == 3");
    let folder = first("m.xta", &model, goal);
    let trace: Value = serde_json::from_str(&folder.read("first.json")).expect("JSON");
    assert_eq!(trace["steps"].as_array().expect("steps").len(), 5);
    for (search, heuristic, explored) in [
        ("greedy", "fsm", 4),
        ("astar", "fsm", 4),
        ("greedy", "hamming", 4),
        ("astar", "hamming", 5),
    ] {
        let how = ["--search", search, "--heuristic", heuristic, "--format", "json"];
        let found = result(&second(&folder, "m.xta", goal, &how).code(0));
        assert_eq!(found, (explored.into(), 3.into(), false.into()), "{search} {heuristic}");
    }
}

/// Where the goal says where all processes have to be, `fsm` is never too high.
#[test]
fn the_path_to_the_only_goal_is_the_shortest() {
    let (model, goal) = (ring(), "E<> R.r3");
    let folder = first("m.xta", &model, goal);
    let how = |heuristic| ["--search", "astar", "--heuristic", heuristic];
    second(&folder, "m.xta", goal, &how("fsm")).code(0).says("3 steps, proven shortest");
    second(&folder, "m.xta", goal, &how("hamming"))
        .code(0)
        .says("3 steps, may not be the shortest · explored");
}

/// With every message the known goal, three of them, comes nearer; switching `x` leads nowhere.
#[test]
fn messages_are_part_of_the_known_goal() {
    let model = "bit x; chan q = [3] of { bit };
        active proctype P() { do :: q!1 :: x = 1 - x od }";
    let goal = "E<> len(q) == 3 && x == 0";
    let folder = first("m.pml", model, goal);
    for search in ["greedy", "astar"] {
        let how = ["--search", search, "--heuristic", "hamming", "--format", "json"];
        let found = result(&second(&folder, "m.pml", goal, &how).code(0));
        assert_eq!(found, (4.into(), 3.into(), false.into()), "{search}");
    }
}

/// X5 of docs/algorithms.md, section 3.7: the shortest trace has six steps. The known goal has a message, or none, in
/// the channel; both searches find a goal, and A* with `fsm` the nearest there is.
#[test]
fn messages_and_clocks_are_no_obstacle() {
    let x5 = "int a = 0, b = 0; chan c = [1] of { int };
        active proctype S() { do :: c!a; a++ od }
        active proctype R() { do :: c?b od }";
    for (name, model, query, length) in
        [("m.pml", x5, "E<> a == 2 && b == 1", 6), ("m.xta", COUNTER, "E<> n == 2", 3)]
    {
        let folder = first(name, model, query);
        for heuristic in ["fsm", "hamming"] {
            for search in ["greedy", "astar"] {
                let how = ["--search", search, "--heuristic", heuristic, "--format", "json"];
                let (_, found, shortest) = result(&second(&folder, name, query, &how).code(0));
                let found = found.as_u64().expect("a length");
                assert!(found >= length && shortest == false, "{name} {search} {heuristic}");
            }
        }
    }
}

#[test]
fn other_searches_ignore_it() {
    let folder = first("m.xta", &ring(), "E<> x == 3");
    for search in ["bfs", "astar", "auto"] {
        let run = second(&folder, "m.xta", "E<> x == 3", &["--search", search]).code(0);
        run.says("3 steps, proven shortest");
    }
}

#[test]
fn without_a_trace_there_is_no_known_goal() {
    let folder = Folder::with("m.xta", ring());
    for heuristic in ["fsm", "hamming"] {
        let how = ["--search", "astar", "--heuristic", heuristic];
        let run = folder.run(&[&["check", "m.xta", "--query", "E<> x == 3"], &how[..]].concat());
        run.code(3).says("needs a trace that leads to the goal: name one with --towards");
    }
}

#[test]
fn a_trace_of_something_else_is_refused() {
    let folder = first("m.xta", &ring(), "E<> x == 3");
    let how = ["--search", "astar", "--heuristic", "fsm"];
    let refused = |query| second(&folder, "m.xta", query, &how).code(2);
    refused("E<> x == 2")
        .complains("`first.json` does not lead to a goal of `E<> x == 2`: at the end");
    refused("A[] x < 7").complains("does not lead to a goal of `A[] x < 7`");
    // It is a trace to where x is 3, whatever it was written for.
    second(&folder, "m.xta", "A[] x != 3", &how).code(1).says("violated · 3 steps");
    folder.write("m.xta", ring().replace("int[0,7] x;", "int[0,7] x; int[0,7] y;"));
    second(&folder, "m.xta", "E<> x == 3", &how).code(0);
    folder.write("m.xta", ring().replace("r0 -> r7", "r0 -> r6"));
    refused("E<> x == 3").complains("does not lead to a goal of `E<> x == 3`: step");
}

#[test]
fn what_is_no_trace_is_refused() {
    let folder = Folder::with("m.xta", ring());
    let refused = |text: &str| {
        folder.write("first.json", text);
        second(&folder, "m.xta", "E<> x == 3", &["--search", "astar", "--heuristic", "fsm"]).code(2)
    };
    for text in ["", "{}", "[1, 2", "\u{0}\u{1}", "{\"vizsla\": 3}"] {
        refused(text).complains("`first.json` is not a trace");
    }
    refused("-4:-4:-4\n1:0:3\n").complains("`first.json` is a trail, not a trace");
    std::fs::remove_file(folder.path().join("first.json")).expect("removed");
    let how = ["--search", "astar", "--heuristic", "fsm"];
    second(&folder, "m.xta", "E<> x == 3", &how).code(2).complains("cannot read `first.json`");
}
