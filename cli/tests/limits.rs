//! Limits and signals stop the work cleanly, wherever it is. On a busy machine a limit on time may come
//! before there was any work: that is fine, too.

mod support;

use serde_json::Value;
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

/// Why there is no answer.
#[track_caller]
fn told(document: &Value) -> &str {
    let reason = document["results"][0]["reason"].as_str();
    let told = reason.or(document["diagnostics"][0]["message"].as_str());
    told.unwrap_or_else(|| panic!("{document}"))
}

#[test]
fn time() {
    let folder = Folder::with("m.xta", HUGE);
    let arguments = ["check", "m.xta", "--query", QUERY, "--format", "json", "--search", "bfs"];
    let run = folder.run(&[&arguments[..], &["--time-limit", "1s"]].concat()).code(3);
    assert!(told(&run.json()).starts_with("the time limit was reached"), "{}", run.out);
}

#[test]
fn memory() {
    check(&["--memory-limit", "30M"], "the memory limit was reached");
}

#[test]
fn states() {
    check(&["--max-states", "1000"], "the limit on stored states was reached");
}

/// The first takes all of its time, however much it has; the other needs little, though more on a busy
/// machine.
#[test]
fn each_property_has_its_own_time() {
    let folder = Folder::with("m.xta", HUGE);
    let queries = ["--query", QUERY, "--query", "E<> P(3).n == 1", "--memory-limit", "4G"];
    let answers = |limit: &&str| {
        let arguments = ["check", "m.xta", "--search", "bfs", "--time-limit", limit];
        let run = folder.run(&[&arguments[..], &queries[..]].concat()).code(3);
        run.out.contains("1 satisfied, 0 violated, 1 unknown")
    };
    assert!(["1s", "4s", "16s", "64s"].iter().any(answers));
}

/// One function that is called 8^10 times in a step: nothing but a look in the middle of it helps.
#[test]
fn one_step_obeys_the_time_limit() {
    let levels = (1..=10).map(|level| {
        let call = format!("f{}(); ", level - 1).repeat(8);
        format!("void f{level}() {{ {call}}}\n")
    });
    let model = format!(
        "int x; void f0() {{ x = 1 - x; }}\n{}process P() {{ state a, b; init a; \
         trans a -> b {{ assign f10(); }}; }} system P;",
        levels.collect::<String>()
    );
    let folder = Folder::with("m.xta", model);
    for search in ["auto", "greedy"] {
        let arguments = ["check", "m.xta", "--query", "E<> P.b", "--time-limit", "300ms"];
        let run = folder.run(&[&arguments[..], &["--search", search]].concat());
        let run = run.code(3);
        assert!((run.out + &run.err).contains("the time limit was reached"), "{search}");
    }
}

/// States of several megabytes are noticed before there are hundreds of them.
#[test]
fn large_states_obey_the_memory_limit() {
    let model = "int a[1000000]; int[0,999999] i;
        process P() { state s, t; init s; trans s -> s { assign a[i] = i + 1, i = i + 1; }; }
        system P;";
    let folder = Folder::with("m.xta", model);
    let arguments = ["check", "m.xta", "--query", "E<> P.t", "--format", "json"];
    let limit = ["--memory-limit", "200M", "--search", "bfs"];
    let document = folder.run(&[&arguments[..], &limit[..]].concat()).code(3).json();
    let result = &document["results"][0];
    assert_eq!(result["reason"], "the memory limit was reached");
    let peak = result["stats"]["peak_memory_bytes"].as_u64();
    assert!(peak < Some(230 << 20), "{result}");
}

#[cfg(unix)]
mod signals {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, ChildStdout, Command, Stdio};

    fn start(folder: &Folder, arguments: &[&str]) -> (Child, BufReader<ChildStdout>) {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("vizsla"));
        command.current_dir(folder.path()).arg("check").args(arguments);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        (child, out)
    }

    fn send(signal: &str, child: &Child) {
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
    }

    /// Lets the first property be answered, then asks the program to end.
    #[track_caller]
    fn check(signal: &str) {
        let folder = Folder::with("m.xta", HUGE);
        let queries = ["--query", "E<> P(3).n == 1", "--query", QUERY, "--query", QUERY];
        let limits = ["m.xta", "--search", "bfs", "--memory-limit", "4G"];
        let (mut child, mut out) = start(&folder, &[&limits[..], &queries[..]].concat());
        let mut text = String::new();
        while !text.contains("satisfied ·") {
            assert!(out.read_line(&mut text).expect("a line") > 0, "{text}");
        }
        send(signal, &child);
        out.read_to_string(&mut text).expect("a report");
        assert_eq!(child.wait().expect("an end").code(), Some(3), "{text}");
        assert!(text.contains("unknown · interrupted"), "{text}");
        assert!(text.contains("3 properties: 1 satisfied, 0 violated, 2 unknown"), "{text}");
        let mut errors = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("UTF-8");
        assert_eq!(errors, "", "progress in a pipe");
    }

    #[test]
    fn interruption() {
        check("-INT");
    }

    #[test]
    fn termination() {
        check("-TERM");
    }

    #[test]
    fn hanging_up() {
        check("-HUP");
    }

    /// Where a model is a pipe that nobody writes to, the limits hold and signals are heard.
    #[test]
    fn a_model_that_does_not_come() {
        let folder = Folder::new();
        let pipe = folder.path().join("m.pml");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let limit = ["check", "m.pml", "--time-limit", "200ms", "--format", "json"];
        let run = folder.run(&limit).code(3);
        let document = run.json();
        let told = "the time limit was reached before the model was read";
        assert_eq!(document["diagnostics"][0]["message"], told);
        let (mut child, mut out) = start(&folder, &["m.pml", "--format", "json"]);
        // Whoever reads from the pipe has set up everything before.
        let _writer = std::fs::OpenOptions::new().write(true).open(&pipe).expect("a reader");
        send("-TERM", &child);
        let mut text = String::new();
        out.read_to_string(&mut text).expect("a report");
        assert_eq!(child.wait().expect("an end").code(), Some(3), "{text}");
        assert!(text.contains("interrupted before the model was read"), "{text}");
    }
}

/// Each state has a zone of millions of bounds, and computing with one takes minutes.
#[test]
fn thousands_of_clocks_obey_the_limits() {
    let names =
        |prefix: &str, count| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let (timed, plain) = (names("T", 3990), names("P", 11));
    let made = |names: &[String], template: &str| -> String {
        names.iter().map(|name| format!("{name} = {template}();\n")).collect()
    };
    let model = format!(
        "chan a; process T() {{ clock x; state s, t; init s; \
         trans s -> t {{ guard x > 2; sync a!; assign x = 0; }}; }}\n\
         process P() {{ state s, t; init s; trans s -> t {{ sync a?; }}; }}\n{}{}system {};",
        made(&timed, "T"),
        made(&plain, "P"),
        [timed, plain].concat().join(", ")
    );
    let folder = Folder::with("m.xta", model);
    let limits = ["--time-limit", "2s", "--memory-limit", "500M", "--format", "json"];
    let arguments = ["check", "m.xta", "--query", "E<> T0.t && T3989.t && P10.t"];
    let document = folder.run(&[&arguments[..], &limits[..]].concat()).code(3).json();
    assert!(told(&document).contains("limit was reached"), "{document}");
    let result = &document["results"][0];
    assert!(result["stats"]["peak_memory_bytes"].as_u64() < Some(550 << 20), "{result}");
}

/// The tables of a search double in size: whether there is room for that is asked before.
#[test]
fn a_growing_table_obeys_the_memory_limit() {
    let folder = Folder::with("m.xta", HUGE);
    let arguments = ["check", "m.xta", "--query", QUERY, "--format", "json"];
    let limit = ["--memory-limit", "80M", "--search", "bfs"];
    let document = folder.run(&[&arguments[..], &limit[..]].concat()).code(3).json();
    let stats = &document["results"][0]["stats"];
    assert!(stats["peak_memory_bytes"].as_u64() < Some(88 << 20), "{stats}");
    assert!(stats["stored"].as_u64() > Some(100_000), "{stats}");
}

/// A trace that was found before a limit ended the attempt to shorten it is an answer.
#[test]
fn a_limit_keeps_what_was_found() {
    let folder = Folder::with("m.xta", HUGE);
    let limit = ["--max-states", "50000", "--search", "anytime", "--no-trace"];
    let run = folder.run(&[&["check", "m.xta", "--query", QUERY], &limit[..]].concat()).code(0);
    run.says("satisfied · ")
        .says("may not be the shortest: the limit on stored states was reached · ");
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
