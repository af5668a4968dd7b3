//! What abstractions see of invalid end states and failed assertions: A* on the programs of a folder in which
//! breadth-first search finds one.

use crate::instance::Instance;
use crate::run::{Answer, Vizsla};
use crate::settings::Settings;
use std::path::{Path, PathBuf};

const HEURISTICS: [&str; 6] = [
    "relaxation-layers",
    "cone-of-influence",
    "russian-doll",
    "downward-pattern",
    "patterns",
    "merge-and-shrink",
];

/// One row for each program: states explored, and seconds.
pub fn table(settings: &Settings) -> Result<(), String> {
    let vizsla = Vizsla::new(settings)?;
    println!(
        "| program | length | `bfs` | {} |",
        HEURISTICS.map(|it| format!("`{it}`")).join(" | ")
    );
    println!("|---|--:|--:|{}", "--:|".repeat(HEURISTICS.len()));
    for path in programs(&settings.programs)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(&settings.only) {
            continue;
        }
        let instance = Instance { name, path, question: Vec::new() };
        // Some examples of others are no whole programs.
        let Ok(Answer { length: Some(length), explored, .. }) = vizsla.ask(&instance, "bfs", None)
        else {
            continue;
        };
        let cells: Result<Vec<String>, String> = HEURISTICS
            .iter()
            .map(|it| Ok(cell(&vizsla.ask(&instance, "astar", Some(it))?)))
            .collect();
        println!("| {} | {length} | {explored} | {} |", instance.name, cells?.join(" | "));
    }
    Ok(())
}

/// Nothing if there was no answer in time.
fn cell(Answer { length, explored, seconds, .. }: &Answer) -> String {
    length.map_or("–".to_owned(), |_| format!("{explored} ({seconds:.1})"))
}

/// The programs in a folder and the folders in it.
fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let complain = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(complain)? {
        let path = entry.map_err(complain)?.path();
        let extension = path.extension().unwrap_or_default();
        if path.is_dir() {
            found.extend(programs(&path)?);
        } else if extension == "pm" || extension == "pml" {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
