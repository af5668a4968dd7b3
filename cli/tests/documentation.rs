//! The examples in `docs` are what the program prints.

mod support;

use serde_json::Value;
use support::Folder;

fn read(name: &str) -> String {
    let path = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect(name)
}

/// The text between two marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect(start);
    rest.split_once(end).expect(end).0
}

/// What differs from machine to machine.
fn without_measurements(mut document: Value) -> Value {
    for field in ["seconds", "setup_seconds", "peak_memory_bytes", "store_bytes"] {
        document["results"][0]["stats"][field] = Value::Null;
    }
    document
}

#[test]
fn the_examples_are_true() {
    let page = read("json.md");
    let folder = Folder::with("lamp.xta", between(&page, "The model `lamp.xta`:\n\n```\n", "```"));
    let arguments = ["check", "lamp.xta", "--query", "A[] level < 2"];
    let written = serde_json::from_str(between(&page, "```json\n", "```")).expect("JSON");
    let printed = folder.run(&[&arguments[..], &["--format", "json"]].concat()).code(1).json();
    assert_eq!(without_measurements(printed), without_measurements(written));

    let page = read("command-line.md");
    let trace = between(&page, "```\n  step", " · explored");
    folder.run(&arguments).code(1).says(&format!("  step{trace} · explored"));
}
