//! What `vizsla` and Spin say about a model, and what that takes.

use crate::run::{Limits, Run, run};
use bench::command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Whoever is asked.
pub struct Tools {
    vizsla: PathBuf,
    /// Where Spin's verifiers are made; none if it is not installed.
    folder: Option<PathBuf>,
    limits: Limits,
}

/// What a search says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// States explored.
    pub explored: u64,
    /// Seconds of processor time.
    pub seconds: f64,
    /// Whether there is a trace.
    pub has_trace: bool,
    /// Whether all questions were answered.
    pub is_complete: bool,
}

/// What Spin takes, in seconds of processor time, with making and compiling its verifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    /// A run without options.
    pub plain: f64,
    /// One that goes through everything; none if there was no time or room for it.
    pub whole: Option<f64>,
}

/// Without a word about it, a verifier turns back at a depth of 10,000.
const DEEP: &str = "-m10000000";

/// What is asked where a model asks nothing.
const QUESTION: [&str; 2] = ["--query", "A[] not deadlock"];

/// The compiler takes its time, whatever the limit of a run is.
const COMPILER: Limits = Limits { seconds: 120, megabytes: 8000 };

impl Tools {
    /// The `vizsla` beside this program, and Spin.
    pub fn new(limits: Limits, with_spin: bool) -> Result<Tools, String> {
        let vizsla = command::vizsla()?;
        let folder = std::env::temp_dir().join(format!("vizsla-choices-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let folder = (with_spin && has_spin(&folder)).then_some(folder);
        Ok(Tools { vizsla, folder, limits })
    }

    /// What a search says; nothing if the model is refused.
    pub fn ask(&self, model: &Path, search: &str) -> Result<Option<Answer>, String> {
        let plain = self.check(model, search, &[])?;
        // Exit code 2: there is nothing to check, or the model is wrong.
        let run = if plain.code == 2 { self.check(model, search, &QUESTION)? } else { plain };
        Ok(if run.code == 2 { None } else { Some(answer(&run)) })
    }

    fn check(&self, model: &Path, search: &str, more: &[&str]) -> Result<Run, String> {
        let model = model.display().to_string();
        let mut arguments = vec!["check", &model, "--search", search, "--format", "json"];
        arguments.push("--no-trace");
        arguments.extend(more);
        run(&self.vizsla, &arguments, Path::new("."), self.limits)
    }

    /// What Spin takes, with making and compiling its verifier; none if it comes to no end.
    pub fn spin(&self, model: &Path) -> Result<Option<Spin>, String> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let model = std::fs::canonicalize(model).map_err(|error| error.to_string())?;
        // An old verifier must not stand in for one that could not be made.
        let _ = std::fs::remove_file(folder.join("pan"));
        let name = model.display().to_string();
        let made = run(Path::new("spin"), &["-a", &name], folder, COMPILER)?;
        let compile = ["-O2", "-w", "-o", "pan", "pan.c"];
        let compiled = run(Path::new("gcc"), &compile, folder, COMPILER)?;
        if compiled.code != 0 {
            return Ok(None);
        }
        let before = made.seconds + compiled.seconds;
        let ran = run(Path::new("./pan"), &[], folder, self.limits)?;
        if ran.code != 0 {
            return Ok(None);
        }
        let plain = before + ran.seconds;
        let whole = match is_whole(&ran) {
            true => Some(plain),
            false => {
                let deep = run(Path::new("./pan"), &[DEEP], folder, self.limits)?;
                (deep.code == 0 && is_whole(&deep)).then_some(before + deep.seconds)
            }
        };
        Ok(Some(Spin { plain, whole }))
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            // What is left there does no harm.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

fn is_whole(run: &Run) -> bool {
    !run.output.contains("max search depth too small")
}

fn has_spin(folder: &Path) -> bool {
    let there = |tool, flag| run(Path::new(tool), &[flag], folder, COMPILER);
    [("spin", "-V"), ("gcc", "--version")]
        .iter()
        .all(|&(tool, flag)| there(tool, flag).is_ok_and(|run| run.code == 0))
}

/// Reads a report; one that was cut short answers nothing.
fn answer(run: &Run) -> Answer {
    let document: Value = serde_json::from_str(&run.output).unwrap_or_default();
    let results = document["results"].as_array().map_or(&[][..], Vec::as_slice);
    let number = |result: &Value| result["stats"]["explored"].as_u64().unwrap_or(0);
    // A run-time error of the model is an answer as well; what is not supported was not asked.
    let is_answered = |it: &Value| it["verdict"] != "unknown" || !it["error"].is_null();
    let is_open = |it: &Value| !is_answered(it) && number(it) > 0;
    Answer {
        explored: results.iter().map(number).sum(),
        seconds: run.seconds,
        has_trace: results.iter().any(|result| !result["trace_length"].is_null()),
        is_complete: results.iter().any(is_answered) && !results.iter().any(is_open),
    }
}
