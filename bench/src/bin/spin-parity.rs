//! Runs Promela models through Spin and through Vizsla and prints every difference: stored states of
//! the plain semantics, verdicts, lengths of breadth-first traces, and what both cost.
//!
//! `cargo run --release -p bench --bin spin-parity -- FOLDER-OR-FILE... [--seconds 60] [--bfs]`
//! Needs `spin` and `gcc`; says so otherwise.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

struct Settings {
    models: Vec<PathBuf>,
    seconds: u64,
    bfs: bool,
}

/// What a tool says about a model.
#[derive(Default, Debug)]
struct Answer {
    stored: Option<u64>,
    error: Option<bool>,
    bfs_length: Option<u64>,
    seconds: f64,
    note: String,
}

fn main() {
    let settings = settings(std::env::args().skip(1).collect());
    for tool in ["spin", "gcc"] {
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("spin-parity: `{tool}` is not installed");
            std::process::exit(2);
        }
    }
    println!(
        "{:<40} {:>10} {:>10} {:>7} {:>7} {:>8} {:>8}  differences",
        "model", "pan", "vizsla", "errors", "errors", "s", "s"
    );
    let mut different = 0;
    for model in &settings.models {
        let (theirs, ours) = (spin(model, &settings), vizsla(model, &settings));
        let differences = compare(&theirs, &ours);
        different += !differences.is_empty() as usize;
        let number = |n: Option<u64>| n.map_or("-".into(), |n: u64| n.to_string());
        let truth = |e: Option<bool>| e.map_or("-", |e| if e { "yes" } else { "no" });
        println!(
            "{:<40} {:>10} {:>10} {:>7} {:>7} {:>8.2} {:>8.2}  {}",
            short(model),
            number(theirs.stored),
            number(ours.stored),
            truth(theirs.error),
            truth(ours.error),
            theirs.seconds,
            ours.seconds,
            if differences.is_empty() { "none".into() } else { differences.join("; ") }
        );
    }
    println!("{} models, {different} with differences", settings.models.len());
}

fn settings(arguments: Vec<String>) -> Settings {
    let mut settings = Settings { models: Vec::new(), seconds: 60, bfs: false };
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--bfs" => settings.bfs = true,
            "--seconds" => {
                settings.seconds = rest.next().and_then(|s| s.parse().ok()).unwrap_or(60)
            }
            path => collect(Path::new(path), &mut settings.models),
        }
    }
    settings.models.sort();
    settings
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        entries.filter_map(Result::ok).for_each(|entry| collect(&entry.path(), out));
    } else if path.extension().is_some_and(|e| ["pml", "pm", "prm", "prom"].iter().any(|x| e == *x))
    {
        out.push(path.to_path_buf());
    }
}

fn short(path: &Path) -> String {
    let text = path.display().to_string();
    let from = text.len().saturating_sub(40);
    text.get(from..).unwrap_or(&text).to_owned()
}

fn compare(theirs: &Answer, ours: &Answer) -> Vec<String> {
    let mut found = Vec::new();
    for note in [&theirs.note, &ours.note] {
        if !note.is_empty() {
            found.push(note.clone());
        }
    }
    if let (Some(a), Some(b)) = (theirs.stored, ours.stored)
        && a != b
    {
        found.push(format!("stored {a} / {b}"));
    }
    if let (Some(a), Some(b)) = (theirs.error, ours.error)
        && a != b
    {
        found.push(format!("error {a} / {b}"));
    }
    if let (Some(a), Some(b)) = (theirs.bfs_length, ours.bfs_length)
        && b > a
    {
        found.push(format!("breadth-first length {a} / {b}"));
    }
    found
}

/// Runs a command that is ended after some seconds.
fn run(seconds: u64, folder: &Path, command: &str, arguments: &[&str]) -> Option<Output> {
    Command::new("timeout")
        .arg(seconds.to_string())
        .arg(command)
        .args(arguments)
        .current_dir(folder)
        .output()
        .ok()
}

fn spin(model: &Path, settings: &Settings) -> Answer {
    let mut answer = Answer::default();
    let folder = std::env::temp_dir().join("vizsla-spin-parity");
    let _ = std::fs::create_dir_all(&folder);
    let model = std::fs::canonicalize(model).unwrap_or_else(|_| model.to_path_buf());
    let text = model.display().to_string();
    let start = Instant::now();
    let generated = run(60, &folder, "spin", &["-o1", "-o2", "-o3", "-a", &text]);
    if !generated.as_ref().is_some_and(|o| o.status.success()) {
        answer.note = "spin refuses it".into();
        return answer;
    }
    let build = |name: &str, flags: &[&str]| {
        let mut all = vec!["-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=8000", "-o", name];
        all.extend(flags);
        all.push("pan.c");
        run(120, &folder, "gcc", &all).is_some_and(|o| o.status.success())
    };
    if !build("pan", &[]) {
        answer.note = "pan does not compile".into();
        return answer;
    }
    let pan = |name: &str, flags: &[&str]| {
        let output = run(settings.seconds, &folder, name, flags)?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    // Without assertions and end states the whole state space is visited.
    if let Some(text) = pan("./pan", &["-m4000000", "-w26", "-n", "-A", "-E"]) {
        answer.stored = number_before(&text, " states, stored");
        answer.seconds = start.elapsed().as_secs_f64();
        if text.contains("max search depth too small") {
            answer.note = "pan's depth is too small".into();
        }
    }
    if let Some(text) = pan("./pan", &["-m4000000", "-w26", "-n"]) {
        answer.error = number_after(&text, "errors: ").map(|n| n > 0);
    }
    if settings.bfs && build("panb", &["-DBFS"]) {
        let text = pan("./panb", &["-w26", "-n"]).unwrap_or_default();
        if number_after(&text, "errors: ").is_some_and(|n| n > 0) {
            answer.bfs_length = number_after(&text, "depth reached ");
        }
    }
    answer
}

fn number_before(text: &str, mark: &str) -> Option<u64> {
    let at = text.find(mark)?;
    text[..at].rsplit(|c: char| c.is_whitespace()).next()?.trim().parse().ok()
}

fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = &text[text.find(mark)? + mark.len()..];
    let digits: String = rest.chars().take_while(|c| c.is_ascii_digit()).collect();
    digits.parse().ok()
}

fn vizsla(model: &Path, settings: &Settings) -> Answer {
    let mut answer = Answer::default();
    let Ok(own) = std::env::current_exe() else { return answer };
    let program = own.with_file_name("vizsla").display().to_string();
    let path = model.display().to_string();
    let here = Path::new(".");
    let check = |flags: &[&str]| -> Result<Value, String> {
        let mut all = vec!["check", &path, "--format", "json", "--no-trace"];
        all.extend(flags);
        let output = run(settings.seconds, here, &program, &all).ok_or("cannot run vizsla")?;
        serde_json::from_slice(&output.stdout).map_err(|_| "vizsla gave no answer".to_owned())
    };
    let start = Instant::now();
    match check(&["--plain", "--search", "dfs", "--no-assert", "--no-deadlock"]) {
        Err(note) => answer.note = note,
        Ok(document) => {
            answer.seconds = start.elapsed().as_secs_f64();
            let result = &document["results"][0];
            let refusal = &document["diagnostics"][0]["message"];
            match (result["verdict"].as_str(), refusal.as_str()) {
                (Some("satisfied"), _) => answer.stored = result["stats"]["stored"].as_u64(),
                (Some(_), _) => answer.note = format!("vizsla: {}", reason(result)),
                (None, Some(message)) => answer.note = format!("vizsla refuses: {message}"),
                (None, None) => answer.note = "vizsla gave no result".into(),
            }
        }
    }
    if let Ok(document) = check(&["--plain", "--search", "dfs"]) {
        answer.error = verdict(&document["results"][0]);
    }
    if settings.bfs
        && let Ok(document) = check(&["--plain", "--search", "bfs"])
    {
        answer.bfs_length = document["results"][0]["trace_length"].as_u64();
    }
    answer
}

fn reason(result: &Value) -> String {
    let error = &result["error"]["message"];
    error.as_str().or(result["reason"].as_str()).unwrap_or("no reason").to_owned()
}

fn verdict(result: &Value) -> Option<bool> {
    match result["verdict"].as_str()? {
        "violated" => Some(true),
        "satisfied" => Some(false),
        _ => None,
    }
}
