//! Whether the default search is a good choice: what `auto` takes beside `bfs`, `dfs` and Spin, for all
//! models in some folders, and how many miss what we want.
//!
//! `cargo build --release -p vizsla-cli -p bench && cargo run --release -p bench --bin choices -- FOLDER...`

mod ask;
mod run;

use ask::{Answer, Spin, Tools};
use run::Limits;
use std::path::{Path, PathBuf};

const USAGE: &str = "\
choices [--seconds N] [--megabytes N] [--only TEXT] [--no-spin] FOLDER...
  --seconds N    of processor time for each run (20)
  --megabytes N  of each run (4000)
  --only TEXT    models whose path contains it
  --no-spin      do not ask Spin";

/// Times that are shorter say nothing about speed.
const LEAST: f64 = 0.05;

fn main() {
    if let Err(message) = measure(std::env::args().skip(1)) {
        eprintln!("choices: {message}\n{USAGE}");
        std::process::exit(2);
    }
}

fn measure(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut limits = Limits { seconds: 20, megabytes: 4000 };
    let (mut only, mut with_spin, mut folders) = (String::new(), true, Vec::new());
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument}: what?"));
        let number = |text: String| text.parse().map_err(|_| format!("{text}: not a number"));
        match argument.as_str() {
            "--seconds" => limits.seconds = number(value()?)?,
            "--megabytes" => limits.megabytes = number(value()?)?,
            "--only" => only = value()?,
            "--no-spin" => with_spin = false,
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let mut models = Vec::new();
    for folder in &folders {
        collect(folder, &mut models)?;
    }
    models.retain(|model| model.display().to_string().contains(&only));
    table(&Tools::new(limits, with_spin)?, &models)
}

/// All models below a folder, in order.
fn collect(folder: &Path, models: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, models)?;
        } else if is_promela(&path) || has_extension(&path, &["xml", "xta", "ta"]) {
            models.push(path);
        }
    }
    Ok(())
}

fn is_promela(path: &Path) -> bool {
    has_extension(path, &["pml", "pm", "prm", "p"])
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|extension| known.iter().any(|&one| extension == one))
}

/// What a model takes.
struct Row {
    auto: Answer,
    bfs: Answer,
    dfs: Answer,
    spin: Option<Spin>,
}

/// How many models there were, and how many missed what we want.
#[derive(Default)]
struct Summary {
    models: u32,
    /// Without errors, of a second or more.
    long: u32,
    slower_than_plain: u32,
    slower_than_spin: u32,
    /// With errors that breadth-first search finds within a second.
    quick: u32,
    slower_than_twice: u32,
    more_than_twice: u32,
}

fn table(tools: &Tools, models: &[PathBuf]) -> Result<(), String> {
    println!(
        "| model | error | auto | bfs | dfs | Spin | ratio | explored: auto | bfs | dfs | misses |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|");
    let mut summary = Summary::default();
    for model in models {
        let Some(row) = row(tools, model)? else { continue };
        println!("| {} | {} |", model.display(), row.cells(&summary.add(&row)));
    }
    summary.print();
    Ok(())
}

/// Asks everybody; nothing if the model is refused.
fn row(tools: &Tools, model: &Path) -> Result<Option<Row>, String> {
    let Some(auto) = tools.ask(model, "auto")? else { return Ok(None) };
    let (bfs, dfs) = (tools.ask(model, "bfs")?, tools.ask(model, "dfs")?);
    let (Some(bfs), Some(dfs)) = (bfs, dfs) else { return Ok(None) };
    let is_long = auto.seconds >= 0.5 && !auto.has_trace;
    let spin = if is_long && is_promela(model) { tools.spin(model)? } else { None };
    Ok(Some(Row { auto, bfs, dfs, spin }))
}

impl Row {
    /// The seconds of the better of the two plain searches; none if neither came to its end.
    fn better(&self) -> Option<f64> {
        let done = [self.bfs, self.dfs].into_iter().filter(|answer| answer.is_complete);
        done.map(|answer| answer.seconds).reduce(f64::min)
    }

    fn has_error(&self) -> bool {
        [self.auto, self.bfs, self.dfs].iter().any(|answer| answer.has_trace)
    }

    /// The seconds that `auto` is measured by: those of breadth-first search, which gives shortest traces, too,
    /// or those of the better plain search where there is no trace.
    fn yardstick(&self) -> Option<f64> {
        match self.has_error() {
            true => self.bfs.is_complete.then_some(self.bfs.seconds),
            false => self.better(),
        }
    }

    fn cells(&self, misses: &str) -> String {
        let seconds = |answer: &Answer| match answer.is_complete {
            true => format!("{:.2}", answer.seconds),
            false => "–".to_owned(),
        };
        let spin = self.spin.map_or("–".to_owned(), |Spin { plain, whole }| match whole {
            Some(whole) if whole == plain => format!("{whole:.2}"),
            Some(whole) => format!("{whole:.2} ({plain:.2} cut)"),
            None => format!("– ({plain:.2} cut)"),
        });
        let ratio = self.yardstick().map_or("–".to_owned(), |seconds| {
            format!("{:.2}", self.auto.seconds / seconds.max(LEAST))
        });
        let [auto, bfs, dfs] = [&self.auto, &self.bfs, &self.dfs];
        format!(
            "{} | {} | {} | {} | {spin} | {ratio} | {} | {} | {} | {misses}",
            if self.has_error() { "yes" } else { "" },
            seconds(auto),
            seconds(bfs),
            seconds(dfs),
            auto.explored,
            bfs.explored,
            dfs.explored,
        )
    }
}

impl Summary {
    /// Adds a row; says what it misses.
    fn add(&mut self, row: &Row) -> String {
        self.models += 1;
        let mut misses = Vec::new();
        let mut miss = |count: &mut u32, is_missed: bool, what: &'static str| {
            *count += u32::from(is_missed);
            misses.extend(is_missed.then_some(what));
        };
        let Row { auto, bfs, spin, .. } = row;
        match (row.has_error(), row.yardstick()) {
            (false, Some(better)) if better >= 1.0 => {
                self.long += 1;
                miss(&mut self.slower_than_plain, auto.seconds > 1.3 * better, "slow");
                let spin = spin.and_then(|spin| spin.whole);
                let slower = spin.is_some_and(|seconds| auto.seconds > seconds);
                miss(&mut self.slower_than_spin, slower, "slower than Spin");
            }
            (true, Some(seconds)) if seconds < 1.0 => {
                self.quick += 1;
                let slower = auto.seconds > 2.0 * seconds.max(LEAST);
                miss(&mut self.slower_than_twice, slower, "slow");
                miss(&mut self.more_than_twice, auto.explored > 2 * bfs.explored, "explores more");
            }
            _ => {}
        }
        misses.join(", ")
    }

    fn print(&self) {
        println!("\n{} models", self.models);
        println!("{} without errors, of a second or more in the better plain search", self.long);
        println!("  {} take more than 1.3 times as long as that", self.slower_than_plain);
        println!("  {} take longer than Spin", self.slower_than_spin);
        println!("{} with errors for which bfs needs less than a second", self.quick);
        println!("  {} take more than twice as long", self.slower_than_twice);
        println!("  {} explore more than twice as much", self.more_than_twice);
    }
}
