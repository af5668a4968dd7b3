//! States that are taken for one, on the four families of models of Lluch-Lafuente's paper, written anew: every choice
//! of representatives with every method.

use crate::instance::Instance;
use crate::run::{Answer, Vizsla};
use crate::settings::Settings;
use std::path::{Path, PathBuf};

/// The families and the sizes that the paper has.
const FAMILIES: [(&str, [u32; 3]); 4] = [
    ("philosophers", [32, 64, 128]),
    ("leader", [8, 9, 10]),
    ("peterson", [4, 5, 6]),
    ("database", [6, 7, 8]),
];

const CHOICES: [&str; 5] = ["none", "full", "segmented", "sorted", "rotations"];

/// Searches with heuristics; `fsm` goes towards a state that a greedy search found.
const METHODS: [(&str, Option<&str>); 4] = [
    ("bfs", None),
    ("astar", Some("relaxation-layers")),
    ("astar", Some("patterns")),
    ("astar", Some("fsm")),
];

/// One row for each instance, method and choice.
pub fn table(settings: &Settings) -> Result<(), String> {
    let vizsla = Vizsla::new(settings)?;
    println!(
        "| instance | search | heuristic | `--symmetry` | explored | stored | seconds | MB | length |"
    );
    println!("|---|---|---|---|--:|--:|--:|--:|--:|");
    for (family, sizes) in FAMILIES {
        for size in sizes {
            let name = format!("{family} {size}");
            if name.contains(&settings.only) {
                rows(&vizsla, &name, &model(family), size)?;
            }
        }
    }
    Ok(())
}

fn model(family: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/families");
    Path::new(folder).join(family).with_extension("pml")
}

fn rows(vizsla: &Vizsla, name: &str, path: &Path, size: u32) -> Result<(), String> {
    let known = std::env::temp_dir().join(format!("vizsla-papers-{}.json", std::process::id()));
    let known = known.display().to_string();
    let instance = |more: &[&str]| {
        let mut question = vec!["-D".to_owned(), format!("N={size}")];
        question.extend(more.iter().map(|&it| it.to_owned()));
        Instance { name: name.to_owned(), path: path.to_owned(), question }
    };
    vizsla.ask(&instance(&["--trace", &known]), "greedy", None)?;
    for (search, heuristic) in METHODS {
        for choice in CHOICES {
            let towards: &[&str] =
                if heuristic == Some("fsm") { &["--towards", &known] } else { &[] };
            let asked = instance(&[&["--symmetry", choice], towards].concat());
            let answer = vizsla.ask(&asked, search, heuristic)?;
            let heuristic = heuristic.unwrap_or("");
            println!("| {name} | {search} | {heuristic} | {choice} | {} |", cells(&answer));
        }
    }
    let _ = std::fs::remove_file(known);
    Ok(())
}

/// Nothing if there was no answer in time.
fn cells(answer: &Answer) -> String {
    let Answer { length, explored, stored, seconds, megabytes, shortest, .. } = answer;
    match length {
        None => "– | – | – | – | –".to_owned(),
        Some(length) => {
            let proven = if *shortest { "" } else { " (not proven)" };
            format!("{explored} | {stored} | {seconds:.2} | {megabytes:.0} | {length}{proven}")
        }
    }
}
