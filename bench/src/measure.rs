//! Runs `vizsla` in a process of its own and reads off what the run cost.

use bench::command;
use serde_json::Value;
use std::path::Path;

/// How long a run may take, under valgrind too.
const SECONDS: f64 = 3600.0;

/// What exploring a whole state space cost.
#[derive(Clone, Debug)]
pub struct Cost {
    /// States explored.
    pub explored: f64,
    /// States stored.
    pub stored: f64,
    /// Successors generated, the initial state included.
    pub generated: f64,
    /// Seconds of the search.
    pub seconds: f64,
    /// Bytes of the node store.
    pub store_bytes: f64,
    /// Peak resident memory of the process.
    pub peak_bytes: f64,
}

fn arguments(model: &Path) -> Vec<String> {
    let model = model.display().to_string();
    ["check", &model, "--query", "A[] true", "--search", "bfs", "--format", "json"]
        .map(String::from)
        .to_vec()
}

/// Explores a model's whole state space.
pub fn explore(model: &Path) -> Result<Cost, String> {
    let arguments = arguments(model);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let run = command::run(command::vizsla()?, &arguments, Path::new("."), SECONDS)?;
    let document: Value = serde_json::from_str(&run.output).map_err(|_| run.errors)?;
    let stats = &document["results"][0]["stats"];
    let number = |name: &str| stats[name].as_f64().ok_or(format!("no {name} in the result"));
    Ok(Cost {
        explored: number("explored")?,
        stored: number("stored")?,
        generated: number("generated")?,
        seconds: number("seconds")?,
        store_bytes: number("store_bytes")?,
        peak_bytes: number("peak_memory_bytes")?,
    })
}

/// The number of instructions of a run, counted by valgrind; start-up and loading are subtracted.
pub fn instructions(model: &Path) -> Result<f64, String> {
    let whole = count(model, &[])?;
    let start = count(model, &["--max-states", "1"])?;
    Ok(whole - start)
}

fn count(model: &Path, extra: &[&str]) -> Result<f64, String> {
    let arguments = arguments(model);
    let arguments: Vec<&str> =
        arguments.iter().map(String::as_str).chain(extra.iter().copied()).collect();
    command::instructions(&arguments, Path::new("."), SECONDS)
}
