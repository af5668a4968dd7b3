//! Which crate may use which: the table of the architecture, enforced.

use serde_json::Value;
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
    ("explore", &["network", "analysis", "zones"]),
    ("search", &["network", "analysis", "zones", "explore"]),
    ("replay", &["network"]),
    ("vizsla", &["network", "uppaal", "promela", "reduce", "explore", "search", "replay"]),
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
