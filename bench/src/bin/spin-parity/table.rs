//! The table in Markdown that a comparison prints, with the remarks below it.

use crate::answer::{Answer, ErrorKind, Found, Space};
use crate::compare::{Difference, joined};
use std::path::Path;

/// The first lines of the table.
pub const HEAD: &str = "\
| model | same | stored | transitions | invalid ends | error | depth-first, breadth-first, ours | spin, gcc, pan s | vizsla s | MB | bytes/state |
|---|---|---|---|---|---|---|---|---|---|---|";

/// The last two parts of a path.
pub fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// How far two answers could be compared, and with what result.
pub fn outcome(theirs: &Answer, ours: &Answer, found: &[Difference]) -> &'static str {
    let said = |answer: &Answer| answer.found.iter().flatten().any(|it| it.is_error().is_some());
    match (found.is_empty(), &theirs.refused) {
        (false, _) => DIFFERENT,
        (true, Some(_)) => REFUSED,
        (true, None) if theirs.space.is_some() && ours.space.is_some() => SAME,
        (true, None) if said(theirs) && said(ours) => "verdict",
        (true, None) => "not compared",
    }
}

const DIFFERENT: &str = "**no**";
const REFUSED: &str = "refused";
const SAME: &str = "yes";

/// Whether a table has a model in it whose comparison longer runs would not change.
pub fn is_done(model: &Path, text: &str) -> bool {
    let starts = [DIFFERENT, REFUSED, SAME].map(|it| format!("| {} | {it} |", short(model)));
    text.lines().any(|line| starts.iter().any(|start| line.starts_with(start)))
}

/// The line of a model.
pub fn row(name: &str, theirs: &Answer, ours: &Answer, found: &[Difference]) -> String {
    let pair = |pick: fn(&Space) -> Option<u64>| {
        both(theirs.space.as_ref().and_then(pick), ours.space.as_ref().and_then(pick))
    };
    let columns = [
        name.to_owned(),
        outcome(theirs, ours, found).to_owned(),
        pair(|space| Some(space.stored)),
        pair(|space| space.transitions),
        pair(|space| space.invalid_ends),
        errors(theirs, ours),
        lengths(theirs, ours),
        format!("{:.2} {:.2} {:.2}", theirs.cost.generate, theirs.cost.compile, theirs.cost.search),
        format!("{:.2}", ours.cost.generate + ours.cost.search),
        figures(theirs.cost.megabytes, ours.cost.megabytes),
        figures(theirs.cost.bytes_per_state, ours.cost.bytes_per_state),
    ];
    format!("| {} |", columns.join(" | "))
}

/// One number if both are the same.
fn both(a: Option<u64>, b: Option<u64>) -> String {
    let text = |n: Option<u64>| n.map_or("–".to_owned(), |n| n.to_string());
    if a == b { text(a) } else { format!("{} / {}", text(a), text(b)) }
}

fn figures(a: Option<f64>, b: Option<f64>) -> String {
    let text = |n: Option<f64>| n.map_or("–".to_owned(), |n| format!("{n:.0}"));
    if a.is_none() && b.is_none() { "–".into() } else { format!("{} / {}", text(a), text(b)) }
}

/// Which errors there are: those of any kind, by which flags they vanish.
fn errors(theirs: &Answer, ours: &Answer) -> String {
    let text = |answer: &Answer| {
        let found = answer.found.iter().flatten();
        let mut kinds: Vec<&ErrorKind> = Vec::new();
        found.filter_map(Found::kind).for_each(|kind| {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        });
        match (kinds.is_empty(), &answer.found[0]) {
            (true, Some(found)) => found.to_string(),
            (true, None) => "–".into(),
            _ => {
                let mut names: Vec<_> = kinds.iter().map(ToString::to_string).collect();
                names.sort();
                names.join(", ")
            }
        }
    };
    let (a, b) = (text(theirs), text(ours));
    if a == b { a } else { format!("{a} / {b}") }
}

fn lengths(theirs: &Answer, ours: &Answer) -> String {
    let depth = |found: &Option<Found>| match found {
        None => "–".to_owned(),
        Some(found) => found.depth().map_or(found.to_string(), |depth| depth.to_string()),
    };
    let all = [depth(&theirs.found[0]), depth(&theirs.breadth_first), depth(&ours.breadth_first)];
    if all.iter().all(|it| it == "none" || it == "–") { "–".into() } else { all.join(" ") }
}

/// What does not fit into the table.
pub fn remark(name: &str, theirs: &Answer, ours: &Answer, found: &[Difference]) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    if !found.is_empty() {
        parts.push(format!("**{}**", joined(found)));
    }
    parts.extend([&theirs.refused, &ours.refused].into_iter().flatten().cloned());
    parts.extend(theirs.notes.iter().chain(&ours.notes).cloned());
    if let (Some(Found::Nothing), Some(Found::Error { kind, .. })) =
        (&theirs.breadth_first, &theirs.found[0])
    {
        parts.push(format!("Spin's breadth-first search misses the error ({kind})"));
    }
    for (a, b) in theirs.claims.iter().zip(&ours.claims) {
        parts.push(format!("{}: {} / {}", b.name, a.found, b.found));
    }
    if parts.is_empty() { None } else { Some(format!("- {name}: {}", parts.join("; "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(theirs: &Answer, ours: &Answer) -> String {
        row("beem/at.1.pm", theirs, ours, &[])
    }

    #[test]
    fn only_what_longer_runs_would_change_is_compared_again() {
        let model = Path::new("models/beem/at.1.pm");
        let whole = Answer { space: Some(Space::default()), ..Answer::default() };
        assert!(is_done(model, &line(&whole, &whole)));
        assert!(!is_done(model, &line(&whole, &Answer::default())));
        assert!(!is_done(Path::new("at.1.pm"), &line(&whole, &whole)));
    }

    #[test]
    fn an_answer_that_only_one_gives_is_not_compared() {
        let answer = |found| Answer { found: [Some(found), None, None], ..Answer::default() };
        let (none, unknown) = (answer(Found::Nothing), answer(Found::Unknown(String::new())));
        assert_eq!(outcome(&none, &none, &[]), "verdict");
        assert_eq!(outcome(&none, &unknown, &[]), "not compared");
        assert_eq!(outcome(&unknown, &none, &[]), "not compared");
    }
}
