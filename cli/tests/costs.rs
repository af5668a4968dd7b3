//! `--cost`: cheapest traces, and rules that mean nothing.

mod support;

use serde_json::json;
use support::{Folder, Run};

/// From a to d there is a path of one edge and one of three, two of which communicate.
const MODEL: &str = "chan go, stop;
process P() {
  state a, b, c, d; init a;
  trans a -> d { }, a -> b { sync go!; }, b -> c { sync stop!; }, c -> d { };
}
process Q() { state q; init q; trans q -> q { sync go?; }, q -> q { sync stop?; }; }
p = P();
system p, Q;
";

fn check(arguments: &[&str]) -> Run {
    let start = ["check", "m.xta", "--query", "E<> p.d", "--no-trace"];
    Folder::with("m.xta", MODEL).run(&[&start[..], arguments].concat())
}

#[test]
fn the_cheapest_trace_need_not_be_the_shortest() {
    for search in ["astar", "bounded-dfs"] {
        let run = |rules: &[&str]| {
            let costs = rules.iter().flat_map(|rule| ["--cost", rule]);
            check(&["--search", search].into_iter().chain(costs).collect::<Vec<_>>())
        };
        run(&[]).code(0).says("satisfied · 1 step, proven shortest");
        run(&["edge p: a -> d = 7"]).code(0).says("3 steps, cost 3, proven cheapest");
        run(&["edge P: a -> d = 2"]).code(0).says("1 step, cost 2, proven cheapest");
        // Later rules win.
        run(&["process p = 9", "communication = 1", "edge p: c -> d = 0", "channel go = 5"])
            .code(0)
            .says("3 steps, cost 6, proven cheapest");
        run(&["every = 0", "communication = 1", "edge p: a -> d = 3"])
            .code(0)
            .says("3 steps, cost 2, proven cheapest");
        // A step costs as much as the most expensive edge in it.
        run(&["every = 0", "edge p: a -> d = 9", "process Q = 4"])
            .code(0)
            .says("3 steps, cost 8, proven cheapest");
    }
}

/// Tables are made in costs.
#[test]
fn tables_know_costs() {
    for heuristic in
        ["downward-pattern", "downward-pattern-clocks", "russian-doll", "cone-of-influence"]
    {
        let run = |rule| check(&["--search", "astar", "--heuristic", heuristic, "--cost", rule]);
        run("edge p: a -> d = 7").code(0).says("3 steps, cost 3, proven cheapest");
        run("edge P: a -> d = 2").code(0).says("1 step, cost 2, proven cheapest");
    }
}

#[test]
fn a_weight_proves_nothing() {
    let cost = ["--search", "weighted-astar", "--cost", "every = 2"];
    check(&cost).code(0).says("1 step, cost 2, may not be the cheapest · explored");
}

#[test]
fn reports_in_json_have_costs() {
    let cost = ["--search", "astar", "--cost", "every = 2", "--format", "json"];
    let document = check(&cost).code(0).json();
    let result = &document["results"][0];
    assert_eq!(result["cost"], json!(2));
    assert_eq!(result["cheapest"], json!(true));
    assert_eq!(result["shortest"], json!(false));
    let document = check(&["--search", "astar", "--format", "json"]).code(0).json();
    let result = &document["results"][0];
    assert_eq!((&result["cost"], &result["cheapest"]), (&json!(null), &json!(null)));
    assert_eq!(result["shortest"], json!(true));
}

#[test]
fn rules_that_mean_nothing_are_refused() {
    let refused = |rule: &str| check(&["--search", "astar", "--cost", rule]).code(2);
    refused("channel gone = 1").complains("there is no channel `gone`");
    refused("channel gone = 1").complains("channels: go, stop");
    refused("process R = 1").complains("processes: p, Q");
    refused("edge p: a -> z = 1").complains("process `p` has no location `z`");
    refused("edge p: a -> c = 1").complains("no edge of `p` leads from `a` to `c`");
    refused("edge p: a -> c = 1").complains("targets from `a`: d, b");
    refused("price of a = 1").complains("expected `every = N`");
    refused("every = -3").complains("a cost is a number");
}

#[test]
fn searches_that_do_not_look_at_costs_refuse_them() {
    for search in ["bfs", "dfs", "random-dfs", "greedy", "useless-queues", "context-bounding"] {
        let run = check(&["--search", search, "--cost", "every = 2"]).code(2);
        run.complains(&format!("the search {search} does not look at costs"));
        run.complains("these do: bounded-dfs, astar, weighted-astar");
    }
}
