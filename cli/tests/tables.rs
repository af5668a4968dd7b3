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
