//! Runs `vizsla` in a process of its own and reads off what the run cost.

use crate::instance::Instance;
use crate::settings::Settings;
use bench::command;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The program and the limits it is given.
pub struct Vizsla {
    program: PathBuf,
    limits: [String; 4],
}

/// What came of a run.
pub struct Answer {
    /// Whether the search cannot use the heuristic.
    pub refused: bool,
    /// States explored.
    pub explored: u64,
    /// States stored.
    pub stored: u64,
    /// Seconds of the search, with building its heuristic.
    pub seconds: f64,
    /// Peak memory of the process.
    pub megabytes: f64,
    /// The length of the trace, if one was found.
    pub length: Option<u64>,
    /// Whether it is proven to be the shortest.
    pub shortest: bool,
    /// Why there is no trace.
    pub reason: String,
}

impl Vizsla {
    /// The `vizsla` beside this program.
    pub fn new(settings: &Settings) -> Result<Vizsla, String> {
        let program = command::vizsla()?;
        let (seconds, memory) =
            (format!("{}s", settings.seconds), format!("{}M", settings.megabytes));
        let limits = ["--time-limit".into(), seconds, "--memory-limit".into(), memory];
        Ok(Vizsla { program, limits })
    }

    /// Searches; without a heuristic, with what the search chooses.
    pub fn ask(
        &self,
        instance: &Instance,
        search: &str,
        heuristic: Option<&str>,
    ) -> Result<Answer, String> {
        let mut command = Command::new(&self.program);
        command.arg("check").arg(&instance.path).args(&instance.question);
        command.args(["--format", "json", "--no-trace", "--search", search]).args(&self.limits);
        command.args(heuristic.into_iter().flat_map(|name| ["--heuristic", name]));
        let output = command.output().map_err(|error| error.to_string())?;
        let complaint =
            || format!("{}: {}", instance.name, String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&output.stdout).map_err(|_| complaint())?;
        let result = &document["results"][0];
        if result.is_null() { Err(complaint()) } else { Ok(answer(result)) }
    }
}

fn answer(result: &Value) -> Answer {
    let stats = &result["stats"];
    let reason = result["reason"].as_str().unwrap_or("unreachable");
    Answer {
        refused: reason.starts_with("--search"),
        explored: stats["explored"].as_u64().unwrap_or(0),
        stored: stats["stored"].as_u64().unwrap_or(0),
        seconds: stats["seconds"].as_f64().unwrap_or(0.0),
        megabytes: stats["peak_memory_bytes"].as_f64().unwrap_or(0.0) / 1e6,
        length: result["trace_length"].as_u64(),
        shortest: result["shortest"] == true,
        reason: reason.to_owned(),
    }
}
