//! Compares models one after the other and prints a table in Markdown.

use crate::answer::{Answer, Found, Kind, Question, Space};
use crate::compare::{Difference, differences, joined};
use crate::settings::Settings;
use crate::spin::Spin;
use crate::vizsla::Vizsla;
use std::path::Path;

/// Compares the models of the settings; whether nothing differs.
pub fn run(settings: &Settings, folder: &Path) -> Result<bool, String> {
    let (spin, vizsla) = (Spin::new(settings, folder), Vizsla::new(settings)?);
    println!("{HEAD}");
    let (mut different, mut remarks) = (0, Vec::new());
    let bfs = settings.bfs;
    let question = Question { space: true, errors: true, breadth_first: bfs, claims: true };
    for model in &settings.models {
        let theirs = spin.ask(model, question)?;
        let ours = vizsla.ask(model, question);
        let found = differences(&theirs, &ours);
        println!("{}", row(&short(model), &theirs, &ours, &found));
        different += usize::from(!found.is_empty());
        remarks.extend(remark(&short(model), &theirs, &ours, &found));
    }
    println!("\n{} models, {different} with differences (Spin / Vizsla)\n", settings.models.len());
    remarks.iter().for_each(|line| println!("{line}"));
    Ok(different == 0)
}

const HEAD: &str = "\
| model | same | stored | transitions | invalid ends | error | depth-first, breadth-first, ours | spin, gcc, pan s | vizsla s | MB | bytes/state |
|---|---|---|---|---|---|---|---|---|---|---|";

/// The last two parts of a path.
fn short(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

fn row(name: &str, theirs: &Answer, ours: &Answer, found: &[Difference]) -> String {
    let same = match (found.is_empty(), &theirs.refused) {
        (false, _) => "**no**",
        (true, Some(_)) => "refused",
        (true, None) if theirs.space.is_none() || ours.space.is_none() => "verdict",
        (true, None) => "yes",
    };
    let pair = |pick: fn(&Space) -> Option<u64>| {
        both(theirs.space.as_ref().and_then(pick), ours.space.as_ref().and_then(pick))
    };
    let columns = [
        name.to_owned(),
        same.to_owned(),
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
        let mut kinds: Vec<&Kind> = Vec::new();
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
fn remark(name: &str, theirs: &Answer, ours: &Answer, found: &[Difference]) -> Option<String> {
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
