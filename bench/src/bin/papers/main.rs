//! The tables of the papers on directed model checking of timed automata, measured here: instances,
//! searches and heuristics, with what was published beside it.
//!
//! `cargo build --release -p vizsla-cli -p bench && cargo run --release -p bench --bin papers`

mod instance;
mod programs;
mod published;
mod rate;
mod run;
mod settings;
mod symmetry;

use instance::Instance;
use published::{Figures, Published};
use run::{Answer, Vizsla};
use settings::{Settings, Table, USAGE};

/// The searches that are given a heuristic.
const SEARCHES: [&str; 5] = ["astar", "greedy", "useless-queues", "useless-penalty", "preferred"];
const HEURISTICS: [&str; 4] = ["graph-max", "graph-split", "relaxation-layers", "relaxation-trace"];

/// Abstractions, of use for A*.
const ABSTRACTIONS: [&str; 7] = [
    "downward-pattern",
    "downward-pattern-clocks",
    "russian-doll",
    "cone-of-influence",
    "predicate-abstraction",
    "merge-and-shrink",
    "patterns",
];

fn main() {
    let settings = Settings::read(std::env::args().skip(1)).unwrap_or_else(|message| {
        eprintln!("papers: {message}\n{USAGE}");
        std::process::exit(2);
    });
    let done = match settings.table {
        Table::Papers => table(&settings),
        Table::Rate => estimates(&settings),
        Table::Programs => programs::table(&settings),
        Table::Symmetry => symmetry::table(&settings),
    };
    if let Err(message) = done {
        eprintln!("papers: {message}");
        std::process::exit(2);
    }
}

/// Every search with every heuristic on every instance.
fn table(settings: &Settings) -> Result<(), String> {
    let vizsla = Vizsla::new(settings)?;
    let published = Published::read(&settings.tables);
    println!(
        "| instance | heuristic | search | explored | seconds | MB | length | published: explored | seconds | MB | length |"
    );
    println!("|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for instance in instance::all(settings)? {
        for heuristic in HEURISTICS {
            for search in SEARCHES {
                measure(&vizsla, &published, &instance, search, Some(heuristic))?;
            }
        }
        for heuristic in ABSTRACTIONS {
            measure(&vizsla, &published, &instance, "astar", Some(heuristic))?;
        }
        measure(&vizsla, &published, &instance, "auto", None)?;
    }
    Ok(())
}

/// Prints one row; none if the search cannot use the heuristic.
fn measure(
    vizsla: &Vizsla,
    published: &Published,
    instance: &Instance,
    search: &str,
    heuristic: Option<&str>,
) -> Result<(), String> {
    let answer = vizsla.ask(instance, search, heuristic)?;
    if answer.refused {
        return Ok(());
    }
    let figures = published.figures(&instance.name, search, heuristic).unwrap_or_default();
    let heuristic = heuristic.unwrap_or("–");
    println!(
        "| {} | {heuristic} | {search} | {} | {} |",
        instance.name,
        ours(&answer),
        theirs(&figures)
    );
    Ok(())
}

/// Our cells. A length that is proven to be the shortest has an asterisk.
fn ours(answer: &Answer) -> String {
    let length = match (answer.length, answer.shortest) {
        (Some(length), true) => format!("{length}*"),
        (Some(length), false) => length.to_string(),
        (None, _) => format!("– ({})", answer.reason),
    };
    let Answer { explored, seconds, megabytes, .. } = answer;
    format!("{explored} | {seconds:.3} | {megabytes:.0} | {length}")
}

/// The published cells, as they were printed.
fn theirs(figures: &Figures) -> String {
    [&figures.explored, &figures.seconds, &figures.megabytes, &figures.length]
        .map(String::as_str)
        .join(" | ")
}

/// Estimates of `relaxation-layers` per second.
fn estimates(settings: &Settings) -> Result<(), String> {
    let all = instance::all(settings)?;
    let c1 = all.iter().find(|it| it.name == "C1").ok_or("the model C1 is not here")?;
    rate::measure(c1, "relaxation-layers")
}
