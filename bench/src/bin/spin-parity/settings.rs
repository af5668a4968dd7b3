//! The command line of `spin-parity`.

use crate::table;
use std::path::{Path, PathBuf};
use testing::texts::Weights;

/// How to use it.
pub const USAGE: &str = "\
spin-parity FOLDER-OR-FILE... [--only TEXT]      compare models
spin-parity --random COUNT [--seed S] [--weight NAME=N]... [--print]   compare random programs
  --seconds N    of each run of a verifier or of vizsla (60; 10 for random programs)
  --states N     at most that many in a state space (20000000; 20000 for random programs)
  --megabytes N  of a verifier or of vizsla (6000)
  --reduced      how many states both store with their reductions, with and without partial order
  --bfs          compare the lengths of breadth-first traces too
  --done FILE    leave out models that an earlier run, whose output that is, compared completely
  --jobs 1       one model at a time, which is what is done anyway
  --weight NAME=N  how often a construct occurs; `--weight list` shows names and values
  --print        only print the random programs
  --no-shrink    leave programs that differ as they are";

/// What to compare, and how far to go.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Models.
    pub models: Vec<PathBuf>,
    /// How many random programs to compare.
    pub random: Option<u64>,
    /// The seed of the first one.
    pub seed: u64,
    /// What random programs are made of.
    pub weights: Weights,
    /// Only print random programs.
    pub print: bool,
    /// Whether programs that differ are made smaller.
    pub shrink: bool,
    /// The time limit of a run.
    pub seconds: f64,
    /// The limit of stored states.
    pub states: u64,
    /// The memory limit of a run.
    pub megabytes: u64,
    /// Whether to compare breadth-first searches.
    pub bfs: bool,
    /// Whether to compare what reductions leave.
    pub reduced: bool,
}

impl Settings {
    /// Reads the command line.
    pub fn read(arguments: impl Iterator<Item = String>) -> Result<Settings, String> {
        let mut raw = Raw::default();
        let mut rest = arguments;
        while let Some(argument) = rest.next() {
            raw.take(&argument, &mut rest)?;
        }
        raw.resolve()
    }

    /// Whether random programs are compared.
    pub fn is_random(&self) -> bool {
        self.random.is_some()
    }

    /// The option of `pan` for its depth.
    pub fn depth(&self) -> String {
        if self.is_random() { "-m100000".into() } else { "-m4000000".into() }
    }

    /// The option of `pan` for its hash table, which grows if that is too little.
    pub fn hash(&self) -> String {
        if self.is_random() { "-w16".into() } else { "-w22".into() }
    }

    /// The option of `vizsla` for its time limit.
    pub fn time_limit(&self) -> String {
        format!("{}ms", (self.seconds * 1000.0) as u64)
    }
}

/// The command line as it is given.
#[derive(Default)]
struct Raw {
    paths: Vec<String>,
    only: Option<String>,
    done: Option<String>,
    random: Option<u64>,
    seed: u64,
    weights: Weights,
    print: bool,
    no_shrink: bool,
    seconds: Option<f64>,
    states: Option<u64>,
    megabytes: Option<u64>,
    bfs: bool,
    reduced: bool,
}

impl Raw {
    fn take(
        &mut self,
        argument: &str,
        rest: &mut impl Iterator<Item = String>,
    ) -> Result<(), String> {
        let mut value = || rest.next().ok_or(format!("`{argument}` needs a value"));
        match argument {
            "--bfs" => self.bfs = true,
            "--reduced" => self.reduced = true,
            "--print" => self.print = true,
            "--no-shrink" => self.no_shrink = true,
            "--only" => self.only = Some(value()?),
            "--done" => self.done = Some(value()?),
            "--seconds" => self.seconds = Some(number(&value()?)?),
            "--states" => self.states = Some(number(&value()?)?),
            "--megabytes" => self.megabytes = Some(number(&value()?)?),
            "--random" => self.random = Some(number(&value()?)?),
            "--seed" => self.seed = number(&value()?)?,
            "--weight" => self.weights.set(&value()?)?,
            "--jobs" if value()? == "1" => {}
            "--jobs" => return Err("models are compared one at a time".into()),
            _ if argument.starts_with('-') => return Err(format!("what is `{argument}`?")),
            _ => self.paths.push(argument.to_owned()),
        }
        Ok(())
    }

    fn resolve(self) -> Result<Settings, String> {
        let mut models = Vec::new();
        for path in &self.paths {
            collect(Path::new(path), &mut models)?;
        }
        let wanted = |path: &PathBuf| {
            self.only.as_ref().is_none_or(|only| path.display().to_string().contains(only))
        };
        models.retain(wanted);
        if let Some(path) = &self.done {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            models.retain(|model| !table::is_done(model, &text));
        }
        models.sort();
        if models.is_empty() && self.random.is_none() {
            return Err("no models".into());
        }
        let random = self.random.is_some();
        Ok(Settings {
            models,
            random: self.random,
            seed: self.seed,
            weights: self.weights,
            print: self.print,
            shrink: !self.no_shrink,
            seconds: self.seconds.unwrap_or(if random { 10.0 } else { 60.0 }),
            states: self.states.unwrap_or(if random { 20_000 } else { 20_000_000 }),
            megabytes: self.megabytes.unwrap_or(6000),
            bfs: self.bfs,
            reduced: self.reduced,
        })
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number that fits here"))
}

const ENDINGS: [&str; 6] = ["pml", "pm", "prm", "prom", "promela", "p"];

/// A file that is named, or all models of a folder and the folders in it.
fn collect(path: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        out.push(path.to_path_buf());
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() || ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            collect(&path, out)?;
        }
    }
    Ok(())
}
