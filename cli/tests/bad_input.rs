//! Whatever the input, there is a diagnostic and exit code 2: no panic, no hang.

mod support;

use support::{COUNTER, Folder};

const COMMANDS: [&[&str]; 3] =
    [&["check", "--query", "E<> true"], &["info"], &["convert", "--to", "dot"]];

#[track_caller]
fn refused(folder: &Folder, model: &str, message: &str) {
    for command in COMMANDS {
        let mut arguments = command.to_vec();
        arguments.push(model);
        let run = folder.run(&arguments).code(2);
        run.complains("error").complains(message);
        assert!(run.out.is_empty(), "{}", run.out);
        assert!(!run.err.contains("internal defect"), "{}", run.err);
    }
}

#[test]
fn unreadable_models() {
    let folder = Folder::with("empty.xml", "");
    folder.write("blank.xta", " \n\n");
    folder.write("binary.xta", [0_u8, 159, 146, 150, 7, 0, 1, 2, 255]);
    folder.write("prose.txt", "Dear reader, this is no model.\n");
    refused(&folder, "missing.xml", "missing.xml");
    refused(&folder, ".", "directory");
    refused(&folder, "empty.xml", "empty");
    refused(&folder, "blank.xta", "empty");
    refused(&folder, "binary.xta", "binary");
    refused(&folder, "prose.txt", "prose.txt:1");
}

#[test]
fn truncated_xml() {
    let xml =
        "<?xml version=\"1.0\"?>\n<nta><declaration>clock x;</declaration>\n<template><name>P";
    refused(&Folder::with("m.xml", xml), "m.xml", "m.xml:");
    let start = Folder::with("m.xml", "<");
    refused(&start, "m.xml", "m.xml");
}

#[test]
fn every_prefix_of_a_model() {
    let folder = Folder::new();
    for length in (1..COUNTER.len() - 1).step_by(29) {
        folder.write("m.xta", &COUNTER[..length]);
        folder.run(&["check", "m.xta", "--query", "E<> true"]).code(2);
    }
}

#[cfg(unix)]
#[test]
fn endless_devices() {
    refused(&Folder::new(), "/dev/zero", "larger than");
    refused(&Folder::new(), "/dev/null", "empty");
}

#[test]
fn all_mistakes_at_once_with_lines_and_carets() {
    let model =
        COUNTER.replace("guard x >= 2", "guard z >= 2").replace("sync go[1]", "sync gone[1]");
    let folder = Folder::with("m.xta", model);
    let run = folder.run(&["check", "m.xta", "--query", "E<> P.C"]).code(2);
    run.complains("m.xta:7:45").complains("m.xta:13:23").complains("query:1:7");
    run.complains("   trans A -> B { select i : int[0,2]; guard z >= 2;").complains("^");
    run.complains("3 errors in all");
}

#[test]
fn xml_diagnostics_name_template_and_element() {
    let xml = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<nta>
  <declaration>clock x;</declaration>
  <template>
    <name>Train</name>
    <location id=\"id0\"><name>A</name></location>
    <init ref=\"id0\"/>
    <transition>
      <source ref=\"id0\"/><target ref=\"id0\"/>
      <label kind=\"guard\">x &lt; 3 &amp;&amp; y == 2</label>
    </transition>
  </template>
  <system>system Train;</system>
</nta>
";
    let folder = Folder::with("m.xml", xml);
    let run = folder.run(&["check", "m.xml", "--query", "E<> true"]).code(2);
    run.complains("m.xml:10:47").complains("Train").complains("guard");
}

#[test]
fn refusals_in_json() {
    let folder = Folder::with("m.xta", COUNTER);
    let run = folder.run(&["check", "m.xta", "--query", "E<> P.C", "--format", "json"]).code(2);
    let document = run.json();
    assert_eq!(document["model"], "m.xta");
    assert_eq!(document["results"], serde_json::json!([]));
    let diagnostic = &document["diagnostics"][0];
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!((diagnostic["line"].as_u64(), diagnostic["column"].as_u64()), (Some(1), Some(7)));
    assert!(run.err.contains("error:"), "{}", run.err);
    let missing = folder.run(&["check", "none.xta", "--format", "json"]).code(2).json();
    assert!(missing["diagnostics"][0]["line"].is_null());
}

#[test]
fn query_files_that_are_wrong() {
    let folder = Folder::with("m.xta", COUNTER);
    folder.run(&["check", "m.xta", "none.q"]).code(2).complains("query file `none.q`");
    folder.write("bad.q", "E<> n ==\n\nE<> n == \n\nA[] m\n");
    folder.run(&["check", "m.xta", "bad.q"]).code(2).complains("bad.q:");
    folder.write("empty.q", "");
    folder.run(&["check", "m.xta", "empty.q"]).code(2).complains("no query");
}

/// What stands among real queries in the wild.
const AMONG_OTHERS: &str = "===== GOALS =====
E<> n == 1
TODO: ask for more
E<> P.C
A[] n < 9
";

#[test]
fn a_wrong_query_does_not_take_the_others_with_it() {
    let folder = Folder::with("m.xta", COUNTER);
    folder.write("m.q", AMONG_OTHERS);
    let run = folder.run(&["check", "m.xta", "m.q", "--no-trace"]).code(3);
    run.says("1  ===== GOALS =====").says("m.q:1:1").says("2  E<> n == 1");
    run.says("m.q:4:7").says("4  E<> P.C").says("unknown · wrong query");
    run.says("5 properties: 2 satisfied, 0 violated, 3 unknown");
    // The file beside the model is found by itself, and a violation counts for more.
    folder.write("m.q", AMONG_OTHERS.replace("n < 9", "n < 1"));
    folder.run(&["check", "m.xta"]).code(1);
    folder.run(&["check", "m.xta", "--query-index", "5"]).code(1);
    folder.run(&["check", "m.xta", "--query-index", "2", "--query-index", "4"]).code(3);
    folder.run(&["check", "m.xta", "--query", "E<> n == 1", "--query", "E<> m == 1"]).code(3);
    let run = folder.run(&["info", "m.xta"]).code(0);
    run.says("1  ===== GOALS =====  (wrong query: ").says("5  A[] n < 1\n");
    folder.run(&["convert", "m.xta", "m.q", "--to", "network"]).code(0);
}

#[test]
fn only_wrong_queries_are_wrong_input() {
    let folder = Folder::with("m.xta", COUNTER);
    folder.write("m.q", AMONG_OTHERS);
    for index in ["1", "3", "4"] {
        let run = folder.run(&["check", "m.xta", "--query-index", index]).code(2);
        assert!(run.out.is_empty() && run.err.contains("m.q:"), "{}{}", run.out, run.err);
    }
    // What is not supported cannot be answered either, but is not wrong in itself.
    let typo = ["check", "m.xta", "--query", "E<> m == 1", "--query", "A[n U n]"];
    folder.run(&typo).code(2).says("unknown name `m`").says("2  A[n U n]");
    folder.run(&["check", "m.xta", "--query", "A[n U n]"]).code(3);
}

#[test]
fn wrong_queries_in_json() {
    let folder = Folder::with("m.xta", COUNTER);
    folder.write("m.q", AMONG_OTHERS);
    let document = folder.run(&["check", "m.xta", "m.q", "--format", "json"]).code(3).json();
    assert_eq!(document["diagnostics"], serde_json::json!([]));
    let wrong = &document["results"][3];
    assert_eq!((&wrong["number"], &wrong["verdict"]), (&4.into(), &"unknown".into()));
    let message = wrong["diagnostics"][0]["message"].as_str().unwrap();
    assert_eq!(wrong["reason"].as_str().unwrap(), format!("wrong query: {message}"));
    assert_eq!(wrong["diagnostics"][0]["line"], 4);
    assert!(document["results"][1]["diagnostics"].is_null());
}

#[test]
fn network_text_that_is_wrong() {
    let folder = Folder::with("m.net", "network 1\nvar x : int[0, 3] = 9\nprocess P { oops }\n");
    refused(&folder, "m.net", "m.net:3");
    let twice = "network 1\nprocess P {\n  location A;\n  init A;\n}\n";
    let folder = Folder::with("m.net", format!("{twice}{}", &twice[10..]));
    let run = folder.run(&["info", "m.net"]).code(2);
    run.complains("another process has the same name");
}

#[test]
fn wrong_calls() {
    let folder = Folder::with("m.xta", COUNTER);
    for arguments in [
        &[][..],
        &["chek", "m.xta"],
        &["check"],
        &["check", "m.xta", "--search", "magic"],
        &["check", "m.xta", "--query", "E<> true", "--query-index", "1"],
        &["convert", "m.xta"],
        &["convert", "m.xta", "--to", "dot", "-o", "no/such/folder.dot"],
        &["replay"],
    ] {
        assert!(folder.run(arguments).code(2).out.is_empty());
    }
    folder.run(&["--help"]).code(0).says("Exit codes");
    folder.run(&["--version"]).code(0).says("vizsla");
    folder.run(&["check", "--help"]).code(0).says("random-dfs");
}

/// A model may come from anybody: it reads nothing outside its folder.
#[test]
fn includes_stay_in_the_folder_of_the_model() {
    let folder = Folder::new();
    for name in ["model", "model/parts", "shared"] {
        std::fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    folder.write("secret.h", "the secret");
    folder.write("shared/common.h", "#define START 1\n");
    folder.write("model/parts/own.h", "byte n = START;\n");
    let outside = "it is outside the model's folder; `-I FOLDER` allows another";
    let secret = folder.path().join("secret.h").display().to_string();
    for path in ["../secret.h", &secret] {
        folder.write("model/m.pml", format!("#include \"{path}\"\ninit {{ skip }}\n"));
        let run = folder.run(&["check", "model/m.pml"]).code(2);
        run.complains(outside);
        assert!(!run.err.contains("the secret"), "{}", run.err);
    }
    let model = "#include \"common.h\"\n#include \"parts/own.h\"\ninit { assert(n == 1) }\n";
    folder.write("model/m.pml", model);
    folder.run(&["check", "model/m.pml"]).code(2).complains("there is no such file");
    folder.run(&["check", "model/m.pml", "-I", "shared"]).code(0);
    let model = model.replace("common.h", "../shared/common.h");
    folder.write("model/m.pml", model);
    folder.run(&["check", "model/m.pml"]).code(2).complains(outside);
    folder.run(&["check", "model/m.pml", "-I", "shared"]).code(0);
}

/// What never ends is not waited for.
#[cfg(unix)]
#[test]
fn only_files_are_included() {
    let folder = Folder::with("m.pml", "#include \"pipe.h\"\ninit { skip }\n");
    let pipe = folder.path().join("pipe.h");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo").success());
    folder.run(&["check", "m.pml"]).code(2).complains("there is no such file");
}

/// With a square of their number this would take hours.
#[test]
fn a_million_nested_conditions() {
    let lines = |line: &str| line.repeat(1_000_000);
    let text = format!("{}init {{ skip }}\n{}", lines("#ifndef A\n"), lines("#endif\n"));
    Folder::with("m.pml", text).run(&["check", "m.pml"]).code(0);
}

/// What was read is not lost, whatever files are named.
#[test]
fn the_model_is_never_overwritten() {
    let model = "int[0,1] n; process P() { state a; init a; trans a -> a { assign n = 1; }; } \
                 system P;";
    let folder = Folder::with("m.xta", model);
    folder.write("q.q", "E<> n == 1\n");
    for path in ["m.xta", "./m.xta", "q.q"] {
        let run = folder.run(&["check", "m.xta", "q.q", "--trace", path]).code(2);
        run.complains("it is part of the input");
    }
    let run = folder.run(&["convert", "m.xta", "--to", "network", "-o", "m.xta"]).code(2);
    run.complains("it is part of the input");
    assert_eq!(folder.read("m.xta"), model);
    assert_eq!(folder.read("q.q"), "E<> n == 1\n");
}

/// The trace of an earlier run is not taken for one of this run.
#[test]
fn a_stale_trace_goes() {
    let model = "int[0,1] n; process P() { state a; init a; trans a -> a { assign n = 1; }; } \
                 system P;";
    let folder = Folder::with("m.xta", model);
    let check = |query| ["check", "m.xta", "--query", query, "--trace", "t.json"];
    folder.run(&check("A[] n == 0")).code(1).complains("the trace is in t.json");
    folder
        .run(&check("A[] n <= 1"))
        .code(0)
        .complains("that of an earlier run in t.json is removed");
    assert!(!folder.path().join("t.json").exists());
    folder.write("t.json", "notes of mine");
    folder
        .run(&check("A[] n <= 1"))
        .code(0)
        .complains("t.json is not a trace and is left as it is");
    assert_eq!(folder.read("t.json"), "notes of mine");
}
