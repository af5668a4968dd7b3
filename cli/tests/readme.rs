//! What the README shows is what a user sees.
//!
//! Seen to fail: with the figures of an earlier search.

use std::path::Path;
use std::process::Command;

/// The lines of a report without what depends on the machine: seconds and memory.
fn lines(text: &str) -> Vec<&str> {
    let steady = |line| match str::find(line, " · stored ") {
        Some(at) => match line[at + " · ".len()..].find(" · ") {
            Some(more) => &line[..at + " · ".len() + more],
            None => line,
        },
        None => line,
    };
    text.lines().map(str::trim_end).map(steady).collect()
}

#[test]
fn the_first_example_is_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    let blocks: Vec<&str> = readme.split("```\n").collect();
    let command = blocks[1].trim().strip_prefix("cargo run --release -- ").expect("a command");
    let output = Command::new(env!("CARGO_BIN_EXE_vizsla"))
        .args(command.split_whitespace())
        .current_dir(&root)
        .output()
        .expect("vizsla runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let (shown, printed) = (lines(blocks[3]), lines(&printed));
    assert!(shown.len() > 10, "{shown:?}");
    // It answers a second question as well.
    assert_eq!(shown, printed[..shown.len()]);
}
