//! The answer of Vizsla: the program itself, and our own count of transitions.

use crate::answer::{Answer, Check, Claim, ErrorKind, Found, Question, Space};
use crate::count::{Limits, count};
use crate::reduced::Stored;
use crate::settings::Settings;
use bench::command::{self, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The program and how to run it.
pub struct Vizsla<'a> {
    settings: &'a Settings,
    program: PathBuf,
}

impl<'a> Vizsla<'a> {
    /// The `vizsla` beside this program.
    pub fn new(settings: &'a Settings) -> Result<Self, String> {
        Ok(Vizsla { settings, program: command::vizsla()? })
    }

    /// What Vizsla says about a model.
    pub fn ask(&self, model: &Path, question: Question) -> Answer {
        // No answer at all must not end a comparison of many models: it is a difference.
        let failed = |why| Answer { refused: Some(why), ..Answer::default() };
        self.try_ask(model, question).unwrap_or_else(failed)
    }

    fn try_ask(&self, model: &Path, question: Question) -> Result<Answer, String> {
        let mut answer = Answer::default();
        self.explore(model, &mut answer)?;
        if answer.refused.is_some() || answer.incomplete && self.settings.is_random() {
            return Ok(answer);
        }
        if question.errors || question.breadth_first {
            for (check, found) in answer.checks().iter().zip(0..) {
                // Breadth first, so that one run gives the shortest length as well.
                let search = || self.check(model, *check, "bfs", &NO_CLAIMS);
                let search = || search().map(|document| verdict(&document["results"][0]));
                answer.found[found] = Some(answer.implied().map_or_else(search, Ok)?);
            }
            answer.breadth_first = answer.found[0].clone();
            self.try_deeper(model, &mut answer)?;
        }
        if question.space {
            self.count(model, &mut answer)?;
        }
        if question.claims && !answer.incomplete {
            let document = self.check(model, Check::ALL, "bfs", &[])?;
            let results = document["results"].as_array().into_iter().flatten();
            answer.claims = results.skip(1).map(claim).collect();
        }
        Ok(answer)
    }

    /// Where breadth-first search does not come to an answer, depth-first search may.
    fn try_deeper(&self, model: &Path, answer: &mut Answer) -> Result<(), String> {
        if let Some(Found::Unknown(_)) = answer.found[0] {
            let document = self.check(model, Check::ALL, "dfs", &NO_CLAIMS)?;
            answer.found[0] = Some(verdict(&document["results"][0]));
        }
        Ok(())
    }

    /// Adds what the program does not print to the size of the state space.
    fn count(&self, model: &Path, answer: &mut Answer) -> Result<(), String> {
        let Some(space) = &mut answer.space else { return Ok(()) };
        let until = Instant::now() + Duration::from_secs_f64(self.settings.seconds * 2.0);
        let counted = count(model, Limits { states: self.settings.states, until })?;
        match counted.filter(|counted| counted.stored == space.stored) {
            Some(counted) => *space = counted,
            None => answer.notes.push(format!("our own count: {counted:?}")),
        }
        Ok(())
    }

    /// How many states Vizsla stores of a model, with its reductions.
    pub fn stored(&self, model: &Path) -> Stored {
        let stored = |partial_order: &str| {
            let none = Check { assertions: false, ends: false };
            let more = [&NO_CLAIMS[..], &["--partial-order", partial_order]].concat();
            let document = self.run_check(model, none, "dfs", &more).ok()?;
            let result = &document["results"][0];
            let is_whole = !result.is_null() && verdict(result) == Found::Nothing;
            result["stats"]["stored"].as_u64().filter(|_| is_whole)
        };
        Stored { usual: stored("on"), unordered: stored("off") }
    }

    /// Asks about the model as it is, without reductions.
    fn check(
        &self,
        model: &Path,
        check: Check,
        search: &str,
        more: &[&str],
    ) -> Result<Value, String> {
        self.run_check(model, check, search, &[more, &["--plain"]].concat())
    }

    fn run_check(
        &self,
        model: &Path,
        check: Check,
        search: &str,
        more: &[&str],
    ) -> Result<Value, String> {
        let path = model.display().to_string();
        let (states, seconds) = (self.settings.states.to_string(), self.settings.time_limit());
        let memory = format!("{}M", self.settings.megabytes);
        let mut arguments = vec!["check", &path, "--format", "json", "--no-trace"];
        arguments.extend(["--search", search, "--max-states", &states]);
        arguments.extend(["--time-limit", &seconds, "--memory-limit", &memory]);
        arguments.extend(more);
        arguments.extend((!check.assertions).then_some("--no-assert"));
        arguments.extend((!check.ends).then_some("--no-deadlock"));
        // The limit of the program itself, for each property, comes first and tells more.
        let limit = self.settings.seconds * 10.0 + 10.0;
        let ran = run(&self.program, &arguments, Path::new("."), limit)?;
        let nothing = || format!("vizsla: no answer: {}", ran.errors.trim());
        let value: Value = serde_json::from_str(&ran.output).map_err(|_| nothing())?;
        Ok(value)
    }

    fn explore(&self, model: &Path, answer: &mut Answer) -> Result<(), String> {
        let none = Check { assertions: false, ends: false };
        let document = self.check(model, none, "dfs", &NO_CLAIMS)?;
        let result = &document["results"][0];
        if result.is_null() {
            answer.refused = Some(refusal(&document));
            return Ok(());
        }
        let stats = &result["stats"];
        let number = |name: &str| stats[name].as_f64().unwrap_or(0.0);
        answer.cost.search = number("seconds");
        answer.cost.generate = number("setup_seconds");
        answer.cost.megabytes = Some(number("peak_memory_bytes") / 1048576.0);
        match verdict(result) {
            Found::Nothing => {
                let stored = stats["stored"].as_u64().unwrap_or(0);
                answer.space = Some(Space { stored, ..Space::default() });
                let bytes = number("store_bytes") / stored.max(1) as f64;
                answer.cost.bytes_per_state = Some(bytes).filter(|_| stored >= 10_000);
            }
            Found::Error { kind, .. } => answer.notes.push(format!("vizsla stops at: {kind}")),
            Found::Unknown(reason) => {
                answer.notes.push(format!("vizsla: {reason}"));
                answer.incomplete = true;
            }
        }
        Ok(())
    }
}

fn refusal(document: &Value) -> String {
    let all = document["diagnostics"].as_array();
    let errors = all.into_iter().flatten().filter(|it| it["severity"] == "error");
    let first = errors.clone().next().or(all.and_then(|all| all.first()));
    let message = first.and_then(|it| it["message"].as_str()).unwrap_or("no result");
    let line = first.and_then(|it| it["line"].as_u64()).unwrap_or(0);
    format!("vizsla: {message} (line {line})")
}

/// Claims come after the first property, which is about errors.
const NO_CLAIMS: [&str; 2] = ["--query-index", "1"];

fn claim(result: &Value) -> Claim {
    let query = result["query"].as_str().unwrap_or_default();
    let name = query.split('{').next().unwrap_or_default().trim().to_owned();
    let found = match verdict(result) {
        // What is no run-time error is a violation of the claim itself.
        Found::Error { kind: ErrorKind::InvalidEnd, depth } => {
            Found::Error { kind: ErrorKind::Other("violated".into()), depth }
        }
        found => found,
    };
    let complete = found == Found::Nothing && query.starts_with("never");
    let stored = result["stats"]["stored"].as_u64().filter(|_| complete);
    Claim { name, found, stored }
}

fn verdict(result: &Value) -> Found {
    let depth = result["trace_length"].as_u64();
    let kind = result["error"]["kind"].as_str().map_or(ErrorKind::InvalidEnd, kind);
    match result["verdict"].as_str() {
        Some("satisfied") => Found::Nothing,
        Some("violated") => Found::Error { kind, depth },
        // A run-time error that is no answer is an error all the same.
        _ if !result["error"].is_null() => Found::Error { kind, depth },
        _ => Found::Unknown(result["reason"].as_str().unwrap_or("no reason").to_owned()),
    }
}

fn kind(name: &str) -> ErrorKind {
    match name {
        "assertion" => ErrorKind::Assertion,
        "index" => ErrorKind::Index,
        "blocked" => ErrorKind::Blocked,
        "no-channel" => ErrorKind::NoChannel,
        "polled-rendezvous" => ErrorKind::Poll,
        other => ErrorKind::Other(other.to_owned()),
    }
}
