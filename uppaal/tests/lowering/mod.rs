//! What the tests of lowering share: a model as text in, a network as text out.

#![allow(dead_code)]

use network::{Diagnostic, Network};
use uppaal::{Input, Loaded, load};

/// Loads a textual model with queries.
pub fn load_with(model: &str, queries: &[&str]) -> Loaded {
    let queries: Vec<String> = queries.iter().map(|it| it.to_string()).collect();
    let bytes = model.as_bytes();
    load(&Input { path: "model.xta", bytes, query_file: None, queries: &queries })
}

/// A process that does nothing, to end a model with.
pub const IDLE: &str = "process Idle() { state A; init A; } system Idle;";

/// The network of a model without mistakes.
pub fn network_with(model: &str, queries: &[&str]) -> Network {
    let loaded = load_with(model, queries);
    let errors = messages(loaded.all_diagnostics());
    assert!(loaded.mistakes.is_empty(), "{errors:#?}\n{model}");
    let network = loaded.network.unwrap_or_else(|| panic!("{errors:#?}\n{model}"));
    let defects = network::verify(&network);
    assert!(defects.is_empty(), "{defects:#?}\n{}", network::print(&network));
    network
}

/// The network of a model as text, without places.
pub fn lowered(model: &str) -> String {
    lowered_with(model, &[])
}

/// The same with queries.
pub fn lowered_with(model: &str, queries: &[&str]) -> String {
    let text = network::print(&network_with(model, queries));
    text.lines().map(without_place).collect::<Vec<_>>().join("\n")
}

/// A line without ` @0:1:2-3:4`.
fn without_place(line: &str) -> String {
    match line.rfind(" @") {
        Some(at) => {
            let rest =
                line[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit() || ":-".contains(c));
            format!("{}{rest}", &line[..at]).trim().to_string()
        }
        None => line.trim().to_string(),
    }
}

/// Fails unless the lines of the snippet stand in the text one below the other.
#[track_caller]
pub fn has(text: &str, snippet: &str) {
    let trim = |it: &str| {
        let lines = it.lines().map(str::trim).filter(|it| !it.is_empty());
        format!("\n{}\n", lines.collect::<Vec<_>>().join("\n"))
    };
    assert!(trim(text).contains(&trim(snippet)), "missing:\n{snippet}\nin:\n{text}");
}

/// `line:column message` of every diagnostic.
pub fn messages<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> Vec<String> {
    let text = |it: &Diagnostic| {
        let place = it.place.as_ref().map_or((0, 0), |it| (it.line, it.column));
        let hint = it.hint.as_ref().map_or(String::new(), |it| format!(" [{it}]"));
        format!("{}:{} {}{hint}", place.0, place.1, it.message)
    };
    diagnostics.into_iter().map(text).collect()
}

/// The errors of a model and its queries, which must have some.
pub fn errors_with(model: &str, queries: &[&str]) -> Vec<String> {
    let loaded = load_with(model, queries);
    let errors = messages(loaded.all_diagnostics().filter(|it| it.is_error()));
    assert!(!errors.is_empty(), "no error in\n{model}");
    let wrong = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.network.is_none(), wrong, "{errors:#?}\n{model}");
    errors
}

/// Fails unless the model has exactly this one error.
#[track_caller]
pub fn error(model: &str, expected: &str) {
    let found = errors_with(model, &[]);
    assert!(
        found.len() == 1 && found[0].starts_with(expected),
        "expected {expected:?}, found {found:#?} in\n{model}"
    );
}

/// A model of one process with one edge.
pub fn edge(declarations: &str, labels: &str) -> String {
    format!(
        "{declarations}\nprocess P() {{ state A; init A; trans A -> A {{ {labels} }}; }}\nsystem P;"
    )
}
