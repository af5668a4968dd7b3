//! Heuristics that look their estimates up in tables: what is told of them, and what proves that there is
//! no trace.

mod support;

use serde_json::json;
use support::{Folder, Run};

/// What P waits for never comes: n is 0 or 2. The other variable has nothing to do with it.
const WAITING: &str = "int[0,2] n; int[0,9] other;
process P() {
  state a, b; init a;
  trans a -> a { guard other < 9; assign other = other + 1; }, a -> b { guard n == 1; };
}
process Q() {
  state q; init q;
  trans q -> q { guard n == 0; assign n = 2; }, q -> q { guard n == 2; assign n = 0; };
}
system P, Q;
";

fn check(query: &str, arguments: &[&str]) -> Run {
    let folder = Folder::with("m.xta", WAITING);
    let start = ["check", "m.xta", "--query", query, "--plain"];
    folder.run(&[&start[..], arguments].concat())
}

const CONE: [&str; 2] = ["--heuristic", "cone-of-influence"];

/// P at a with n 0 or 2: two abstract states.
///
/// Seen to fail: without the heuristic in the answer, and with the names of all parts of the model.
#[test]
fn a_proof_names_its_heuristic() {
    for search in ["auto", "greedy", "astar"] {
        let run = check("E<> P.b", &[&CONE[..], &["--search", search]].concat()).code(1);
        let run = run.says("violated · no reachable state satisfies it · explored 0");
        let run =
            run.says("proven by cone-of-influence: from the start the goal is infinitely far");
        run.says("\ntable: 2 states of P, Q, n; ");
    }
    let run = check("E<> P.b", &[]).code(1);
    let run = run.says("proven by relaxation-trace: from the start the goal is infinitely far");
    assert!(!run.out.contains("table:"), "{}", run.out);
    let run = check("E<> P.b", &["--search", "bfs"]).code(1);
    assert!(!run.out.contains("proven"), "{}", run.out);
}

#[test]
fn a_trace_comes_with_its_table() {
    for search in ["auto", "astar"] {
        let run = check("E<> n == 2", &[&CONE[..], &["--search", search]].concat()).code(0);
        let run = run.says("satisfied · 1 step, proven shortest");
        assert!(run.out.contains("\ntable: 2 states of Q, n; "), "{}", run.out);
        assert!(!run.out.contains("proven by"), "{}", run.out);
    }
}

#[test]
fn tables_are_in_json() {
    let result = |query| {
        let json = ["--search", "astar", "--format", "json"];
        check(query, &[&CONE[..], &json].concat()).json()["results"][0].clone()
    };
    let mut table = json!({"processes": ["P", "Q"], "variables": ["n"], "channels": []});
    let more = json!({"lengths": [], "clocks": [], "states": 2, "truncated": false});
    let (table, more) = (table.as_object_mut().expect("an object"), more);
    table.extend(more.as_object().expect("an object").clone());
    let proof = result("E<> P.b");
    assert_eq!(proof["proven_by"], "cone-of-influence");
    assert!(proof["tables"][0]["bytes"].as_u64() > Some(0), "{proof}");
    for (name, value) in table {
        assert_eq!(&proof["tables"][0][name.as_str()], value, "{name}");
    }
    let found = result("E<> n == 2");
    assert_eq!(
        (&found["proven_by"], &found["tables"][0]["processes"]),
        (&json!(null), &json!(["Q"]))
    );
    let blind = check("E<> P.b", &["--search", "bfs", "--format", "json"]).json();
    let blind = &blind["results"][0];
    assert_eq!((&blind["proven_by"], &blind["tables"]), (&json!(null), &json!([])));
}

/// The states of P, Q and n serve both queries, in words and in JSON; a query alone has nothing to reuse.
///
/// Seen to fail: with nothing kept.
#[test]
fn what_was_explored_is_reused() {
    let second = ["--query", "E<> P.b && n == 2", "--search", "astar"];
    let run = check("E<> P.b", &[&CONE[..], &second].concat()).code(1);
    let reused = "each\nreused: states of 1 table, which were explored before\n";
    assert_eq!(run.out.matches(reused).count(), 1, "{}", run.out);
    let (_, after_second) = run.out.split_once("2  E<> P.b && n == 2").expect("two answers");
    assert!(after_second.contains(reused), "{}", run.out);
    let json = check("E<> P.b", &[&CONE[..], &second, &["--format", "json"]].concat()).json();
    let reused = [0, 1].map(|at| json["results"][at]["tables"][0]["reused"].clone());
    assert_eq!(reused, [json!(false), json!(true)]);
    let alone = check("E<> P.b && n == 2", &[&CONE[..], &second[2..]].concat());
    assert!(!alone.out.contains("reused"), "{}", alone.out);
}

/// Both need the only token; h^U notices when it is gone.
#[test]
fn a_proof_may_need_some_states() {
    let text = "int[0,1] token = 1;
process P(const int[0,1] i) {
  state a, b; init a; trans a -> b { guard token == 1; assign token = 0; };
}
system P;";
    let folder = Folder::with("m.xta", text);
    let arguments = ["check", "m.xta", "--query", "E<> P(0).b && P(1).b", "--search", "greedy"];
    let run = folder.run(&arguments).code(1);
    run.says("explored 1 ")
        .says("proven with relaxation-trace: from all other states the goal is infinitely far");
}

/// Ten processes with two locations each.
#[test]
fn long_lists_are_cut() {
    let text = "process P(const int[0,9] i) { state a, b; init a; trans a -> b { }; } system P;";
    let folder = Folder::with("m.xta", text);
    let run = |format: &[&str]| {
        let query = "E<> forall (i : int[0,9]) P(i).b";
        let start = ["check", "m.xta", "--query", query, "--search", "astar", "--no-trace"];
        folder.run(&[&start[..], &CONE, format].concat()).code(0)
    };
    let names: Vec<String> = (0..10).map(|i| format!("P({i})")).collect();
    run(&[]).says(&format!("table: 1,024 states of {} and 2 more; ", names[..8].join(", ")));
    let table = &run(&["--format", "json"]).json()["results"][0]["tables"][0];
    assert_eq!(table["processes"], json!(names));
}

const OTHER: &str =
    "int[0,2] n; process P() { state a, b; init a; trans a -> b { guard n == 1; }; } system P;";

fn with_models() -> Folder {
    let folder = Folder::with("m.xta", WAITING);
    folder.write("other.xta", OTHER);
    folder
}

fn astar(folder: &Folder, model: &str, query: &str, more: &[&str]) -> Run {
    let start = ["check", model, "--query", query, "--search", "astar", "--no-trace"];
    folder.run(&[&start[..], more].concat())
}

/// What is known is the same, and nothing is explored for the table again.
#[test]
fn a_heuristic_is_kept() {
    let folder = with_models();
    for heuristic in ["cone-of-influence", "patterns", "predicate-abstraction", "merge-and-shrink"]
    {
        let save = ["--heuristic", heuristic, "--save-heuristic", "t.table"];
        let load = ["--heuristic", heuristic, "--load-heuristic", "t.table"];
        for (query, code) in [("E<> P.b", 1), ("E<> n == 2", 0)] {
            for search in ["astar", "auto", "greedy"] {
                let run = |more: &[&str]| {
                    let start = ["check", "m.xta", "--query", query, "--search", search];
                    let run =
                        folder.run(&[&start[..], more, &["--format", "json"]].concat()).code(code);
                    let result = &run.json()["results"][0];
                    let (stats, tables) = (&result["stats"], &result["tables"]);
                    [tables, &result["proven_by"], &stats["explored"], &stats["pruned"]]
                        .map(Clone::clone)
                };
                assert_eq!(run(&save), run(&load), "{heuristic} {query} {search}");
            }
        }
        // It can be loaded and saved at once.
        astar(&folder, "m.xta", "E<> n == 2", &save).code(0);
        astar(&folder, "m.xta", "E<> n == 2", &[&save[..], &load[2..]].concat()).code(0);
    }
}

/// Seen to fail: with the query left out of what a heuristic was made for.
#[test]
fn what_was_made_for_something_else_is_refused() {
    let folder = with_models();
    let save = [&CONE[..], &["--save-heuristic", "t.table"]].concat();
    let load = ["--load-heuristic", "t.table"];
    let coned = [&CONE[..], &load].concat();
    astar(&folder, "m.xta", "E<> P.b", &save).code(1).complains("the heuristic is in t.table");
    let refused = |run: Run, why: &str| {
        let run = run.code(3);
        let told = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(&format!("--load-heuristic: it {why}")), "{told}");
        assert!(told.contains("unknown"), "{told}");
    };
    refused(astar(&folder, "other.xta", "E<> P.b", &coned), "was made for another model");
    refused(astar(&folder, "m.xta", "E<> n == 2", &coned), "was made for another query");
    let doll = ["--heuristic", "russian-doll"];
    let why = "is of the heuristic cone-of-influence, not russian-doll";
    refused(astar(&folder, "m.xta", "E<> P.b", &[&doll[..], &load].concat()), why);
    let costs = [&coned[..], &["--cost", "every = 2"]].concat();
    refused(astar(&folder, "m.xta", "E<> P.b", &costs), "was made for other costs");
    let auto = ["check", "m.xta", "--query", "E<> P.b", "--load-heuristic", "t.table"];
    refused(folder.run(&auto), "is of the heuristic cone-of-influence, and none is asked for");
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = with_models();
    let run = |file| {
        astar(&folder, "m.xta", "E<> P.b", &[&CONE[..], &["--load-heuristic", file]].concat())
    };
    let foreign = run("m.xta").code(2);
    foreign.complains("cannot load the heuristic in `m.xta`: it is not a saved heuristic");
    run("gone").code(2).complains("cannot load the heuristic in `gone`");
    let save = [&CONE[..], &["--save-heuristic", "t.table"]].concat();
    astar(&folder, "m.xta", "E<> P.b", &save).code(1);
    let path = folder.path().join("t.table");
    let mut bytes = std::fs::read(&path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("a file");
    run("t.table").code(2).complains("it is damaged");
}

#[test]
fn no_heuristic_is_written_over_the_model() {
    let folder = with_models();
    let save = |heuristic, file| {
        astar(&folder, "m.xta", "E<> P.b", &["--heuristic", heuristic, "--save-heuristic", file])
    };
    save("cone-of-influence", "m.xta").code(2).complains("cannot write a heuristic to `m.xta`");
    assert_eq!(folder.read("m.xta"), WAITING);
    save("blind", "t.table").code(2).complains("blind has no table");
    assert!(!folder.path().join("t.table").exists());
}

/// A chain of processes, each started by the one before: there must be as much room for them as there was.
///
/// Seen to fail: with the room that a model has at first.
#[test]
fn a_heuristic_knows_how_much_room_there_was() {
    let text = "byte n;
        proctype P(byte left) { n++; if :: left > 0 -> run P(left - 1) :: else fi }
        init { run P(9) }";
    let folder = Folder::with("m.pml", text);
    for option in ["--save-heuristic", "--load-heuristic"] {
        let more = [option, "t.table", "--max-states", "3000"];
        astar(&folder, "m.pml", "E<> n == 10", &[&CONE[..], &more].concat()).code(0);
    }
}

/// Files have the numbers of the properties.
#[test]
fn several_properties_have_several_heuristics() {
    let folder = with_models();
    let run = |option| {
        let queries = ["--query", "E<> P.b", "--query", "E<> n == 2"];
        let start = ["check", "m.xta", "--search", "astar", option, "t.table"];
        folder.run(&[&start[..], &queries, &CONE].concat()).code(1)
    };
    run("--save-heuristic");
    assert!(folder.path().join("t-1.table").exists() && folder.path().join("t-2.table").exists());
    run("--load-heuristic").says("2 properties: 1 satisfied, 1 violated, 0 unknown");
}

/// Fourteen devices that have nothing to do with the alarm: too many states for breadth-first search and the
/// relaxation within what `auto` may do for a proof.
///
/// Seen to fail: without tables in the plan.
#[test]
fn auto_proves_with_tables_what_takes_too_long_without() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let path = models.join("uppaal/examples/single-track.xta");
    let text = std::fs::read_to_string(path).expect("a model of the project");
    let large = text.replace("const int N = 2;", "const int N = 14;");
    assert_ne!(large, text);
    let folder = Folder::with("large.xta", &large);
    let run = folder.run(&["check", "large.xta", "--query", "E<> Watch.alarm"]).code(0);
    let run = run.says("satisfied · 14 steps, proven shortest");
    assert!(!run.out.contains("table:"), "{}", run.out);
}
