//! Runs `vizsla` in a process of its own and reads off what the run cost.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// The `vizsla` beside this program.
pub fn vizsla() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let path = own.with_file_name("vizsla");
    if path.exists() { Ok(path) } else { Err("build it first: cargo build --release".into()) }
}

fn arguments(model: &Path) -> Vec<String> {
    let model = model.display().to_string();
    ["check", &model, "--query", "A[] true", "--search", "bfs", "--format", "json"]
        .map(String::from)
        .to_vec()
}

/// Explores a model's whole state space.
pub fn explore(model: &Path) -> Result<Cost, String> {
    let output =
        Command::new(vizsla()?).args(arguments(model)).output().map_err(|e| e.to_string())?;
    let document: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
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
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(vizsla()?)
        .args(arguments(model))
        .args(extra)
        .output()
        .map_err(|_| "valgrind is not installed".to_owned())?;
    let log = String::from_utf8_lossy(&output.stderr);
    let line = log.lines().find(|line| line.contains("Collected :"));
    let number = line.and_then(|line| line.rsplit(' ').next()?.trim().parse().ok());
    number.ok_or_else(|| "valgrind printed no count".to_owned())
}
