//! Which crate may use which: the table of the architecture, enforced.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates of the workspace by their folders, and the ones of it that each may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("network", &[]),
    ("zones", &[]),
    ("source", &["network"]),
    ("uppaal", &["network", "source"]),
    ("promela", &["network", "source"]),
    ("analysis", &["network"]),
    ("reduce", &["network", "analysis"]),
    ("symmetry", &["network", "analysis"]),
    ("abstraction", &["network", "analysis"]),
    ("explore", &["network", "analysis", "zones"]),
    ("search", &["network", "analysis", "symmetry", "abstraction", "zones", "explore"]),
    ("replay", &["network"]),
    (
        "vizsla",
        &["network", "uppaal", "promela", "symmetry", "reduce", "explore", "search", "replay"],
    ),
    ("testing", &["network", "search", "replay"]),
    ("bench", &["network", "reduce", "explore", "search", "replay", "testing", "vizsla"]),
    ("cli", &["network", "vizsla"]),
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The names in a list of objects, of those that pass.
fn names(list: &Value, pass: impl Fn(&Value) -> bool) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.filter(|item| pass(item)).map(folder).collect()
}

/// The folder of a package, or the name of one from elsewhere.
fn folder(package: &Value) -> &str {
    let name = package["name"].as_str().expect("a name");
    name.strip_prefix("vizsla-").unwrap_or(name)
}

#[test]
fn crates_use_only_what_they_may() {
    let metadata = metadata();
    let packages = &metadata["packages"];
    let members = names(packages, |_| true);
    for package in packages.as_array().expect("packages") {
        let name = folder(package);
        let row = ALLOWED.iter().find(|row| row.0 == name);
        let (_, allowed) = row.unwrap_or_else(|| panic!("`{name}` is not in the table"));
        // Development dependencies have the kind "dev"; normal ones have none.
        for used in names(&package["dependencies"], |dependency| dependency["kind"] != "dev") {
            let fine = !members.contains(&used) || allowed.contains(&used);
            assert!(fine, "`{name}` must not use `{used}`");
        }
    }
    assert_eq!(members.len(), ALLOWED.len(), "a crate of the table is missing: {members:?}");
}

/// What a line says to somebody: its strings, if it is no comment.
fn names_a_flag(line: &str) -> bool {
    let strings = line.trim_start().split('"').skip(1).step_by(2);
    let is_flag = |word: &str| {
        word.strip_prefix("--")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    !line.trim_start().starts_with("//") && strings.flat_map(str::split_whitespace).any(is_flag)
}

/// The files of a folder and of those below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("a file").path());
    entries.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
}

/// A library does not know how the command that uses it spells its options.
#[test]
fn only_the_command_names_its_flags() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, _) in ALLOWED.iter().filter(|row| !["cli", "bench"].contains(&row.0)) {
        for file in files(&root.join(name).join("src")) {
            let text = std::fs::read_to_string(&file).expect("a text");
            let named = text.lines().find(|line| names_a_flag(line));
            assert_eq!(named, None, "{}", file.display());
        }
    }
}
