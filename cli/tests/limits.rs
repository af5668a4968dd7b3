//! Limits and Ctrl-C stop a search cleanly.

mod support;

use support::{Folder, HUGE};

/// Far away for a search that does not look ahead.
const QUERY: &str = "E<> forall (i : id_t) P(i).n == 9";

#[track_caller]
fn check(limit: &[&str], reason: &str) {
    let folder = Folder::with("m.xta", HUGE);
    let mut arguments = vec!["check", "m.xta", "--query", QUERY, "--format", "json"];
    arguments.extend(["--search", "bfs"]);
    arguments.extend(limit);
    let document = folder.run(&arguments).code(3).json();
    let result = &document["results"][0];
    assert_eq!(result["verdict"], "unknown");
    assert_eq!(result["reason"], reason);
    assert!(result["trace"].is_null());
    assert!(result["stats"]["stored"].as_u64() > Some(0), "{result}");
}

#[test]
fn time() {
    check(&["--time-limit", "200ms"], "the time limit was reached");
}

#[test]
fn memory() {
    check(&["--memory-limit", "30M"], "the memory limit was reached");
}

#[test]
fn states() {
    check(&["--max-states", "1000"], "the limit on stored states was reached");
}

#[test]
fn each_property_has_its_own_time() {
    let folder = Folder::with("m.xta", HUGE);
    let queries = ["--query", QUERY, "--query", "E<> P(3).n == 2"];
    let mut arguments = vec!["check", "m.xta", "--search", "bfs", "--time-limit", "300ms"];
    arguments.extend(queries);
    folder.run(&arguments).code(3).says("1 satisfied, 0 violated, 1 unknown");
}

#[cfg(unix)]
#[test]
fn interruption() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let folder = Folder::with("m.xta", HUGE);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vizsla"));
    let limits = ["--search", "bfs", "--time-limit", "40s", "--memory-limit", "2G"];
    command.current_dir(folder.path()).args(["check", "m.xta", "--query", QUERY]).args(limits);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let output = child.wait_with_output().expect("an end");
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{out}");
    assert!(out.contains("unknown · interrupted · explored"), "{out}");
    assert!(output.stderr.is_empty(), "progress in a pipe");
}

/// A trace that was found before a limit ended the attempt to shorten it is an answer.
#[test]
fn a_limit_keeps_what_was_found() {
    let folder = Folder::with("m.xta", HUGE);
    let limit = ["--time-limit", "4s", "--search", "anytime", "--no-trace"];
    let run = folder.run(&[&["check", "m.xta", "--query", QUERY], &limit[..]].concat()).code(0);
    run.says("satisfied · ").says("may not be the shortest: the time limit was reached · ");
}

#[test]
fn wrong_limits_are_refused() {
    let folder = Folder::with("m.xta", HUGE);
    for limit in [["--time-limit", "5 parsecs"], ["--memory-limit", "2X"], ["--max-states", "-1"]] {
        let mut arguments = vec!["check", "m.xta"];
        arguments.extend(limit);
        folder.run(&arguments).code(2);
    }
}
