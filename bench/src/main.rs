//! What exploring whole state spaces of timed automata costs: states per second, bytes per stored
//! state, instructions per state, and all of it beside TChecker's figures where there are some.
//!
//! `cargo build --release && cargo run --release -p bench -- [--instructions] [--tchecker FOLDER]`

mod measure;
mod models;

use measure::Cost;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

struct Instance {
    name: String,
    path: PathBuf,
    /// Small enough for valgrind.
    small: bool,
}

/// A family of models: its name, its generator and the sizes to run.
type Family = (&'static str, fn(usize) -> String, &'static [usize]);

const FAMILIES: &[Family] = &[
    ("fischer", models::fischer, &[6, 7, 8, 9, 10]),
    ("csma-cd", models::csma_cd, &[7, 8, 9, 10, 11]),
    ("fddi", models::fddi, &[8, 9, 10, 11, 12]),
];

/// What TChecker's `covreach` cost on an instance.
struct Reference {
    visited: f64,
    stored: f64,
    seconds: f64,
    megabytes: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder =
        arguments.iter().position(|a| a == "--tchecker").and_then(|i| arguments.get(i + 1));
    let count = arguments.iter().any(|a| a == "--instructions");
    if let Err(message) = run(count, folder.map(Path::new)) {
        eprintln!("bench: {message}");
        std::process::exit(2);
    }
}

fn run(count: bool, folder: Option<&Path>) -> Result<(), String> {
    let own = std::env::temp_dir().join("vizsla-bench");
    std::fs::create_dir_all(&own).map_err(|e| e.to_string())?;
    println!("Models of the project, breadth first, whole state space");
    table(&own_instances(&own)?, count, &HashMap::new())?;
    if let Some(folder) = folder {
        println!("\nTChecker's instances, beside what its covreach cost on a machine of this kind");
        table(&instances_of(folder)?, count, &references(folder)?)?;
    }
    Ok(())
}

fn own_instances(folder: &Path) -> Result<Vec<Instance>, String> {
    let mut instances = Vec::new();
    for (family, generate, sizes) in FAMILIES {
        for (i, &n) in sizes.iter().enumerate() {
            let path = folder.join(format!("{family}-{n}.xta"));
            std::fs::write(&path, generate(n)).map_err(|e| e.to_string())?;
            instances.push(Instance { name: format!("{family} {n}"), path, small: i == 0 });
        }
    }
    Ok(instances)
}

fn instances_of(folder: &Path) -> Result<Vec<Instance>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut instances: Vec<Instance> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "xta"))
        .map(|path| Instance {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            path,
            small: false,
        })
        .collect();
    let number = |name: &str| name.split('_').nth(1).and_then(|n| n.parse::<u32>().ok());
    let family = |name: &str| name.split('_').next().unwrap_or("").to_owned();
    instances.sort_by_key(|i| (family(&i.name), number(&i.name)));
    Ok(instances)
}

fn references(folder: &Path) -> Result<HashMap<String, Reference>, String> {
    let path = folder.join("tchecker.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |i: usize| cells.get(i)?.trim().parse::<f64>().ok();
        let (visited, stored, seconds, megabytes) =
            (number(2)?, number(3)?, number(5)?, number(6)?);
        Some((cells[0].to_owned(), Reference { visited, stored, seconds, megabytes }))
    };
    Ok(text.lines().filter_map(row).collect())
}

fn table(
    instances: &[Instance],
    count: bool,
    references: &HashMap<String, Reference>,
) -> Result<(), String> {
    println!(
        "{:<15} {:>9} {:>9} {:>9} {:>8} {:>9} {:>8} {:>8}  {}",
        "instance",
        "explored",
        "stored",
        "generated",
        "seconds",
        "states/s",
        "B/state",
        "peak MB",
        if references.is_empty() {
            "instructions/state"
        } else {
            "TChecker: counts, speed, memory"
        },
    );
    for instance in instances {
        let cost = match measure::explore(&instance.path) {
            Ok(cost) => cost,
            Err(message) => {
                println!("{:<15} {}", instance.name, message.lines().next().unwrap_or("failed"));
                continue;
            }
        };
        let mut last = references.get(&instance.name).map_or(String::new(), |r| beside(&cost, r));
        if count && instance.small {
            last = format!("{:.0}", measure::instructions(&instance.path)? / cost.explored);
        }
        println!(
            "{:<15} {:>9} {:>9} {:>9} {:>8.3} {:>9.0} {:>8.0} {:>8.1}  {last}",
            instance.name,
            cost.explored,
            cost.stored,
            cost.generated,
            cost.seconds,
            cost.explored / cost.seconds,
            cost.store_bytes / cost.stored,
            cost.peak_bytes / 1e6,
        );
    }
    Ok(())
}

/// How a cost compares with TChecker's: equal counts, times faster, part of its memory.
fn beside(cost: &Cost, reference: &Reference) -> String {
    let counts = |ours: f64, theirs: f64| {
        if ours == theirs { "=".to_owned() } else { format!("{:+.0}", ours - theirs) }
    };
    let speed = if reference.seconds > 0.0 {
        let ratio = (cost.explored / cost.seconds) / (reference.visited / reference.seconds);
        format!("{ratio:.1} times")
    } else {
        "-".to_owned()
    };
    format!(
        "{} / {}  {speed}  1/{:.1}",
        counts(cost.explored, reference.visited),
        counts(cost.stored, reference.stored),
        reference.megabytes / (cost.peak_bytes / 1e6),
    )
}
