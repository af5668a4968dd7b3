//! Compares trails with Spin in both directions and prints every difference.
//!
//! For each model: the numbers of transitions against `pan -d`; our trails replayed by `spin -t` and
//! `pan -r`; the trails of verifiers (depth first, breadth first, with merged statements) replayed
//! by `vizsla replay`.
//!
//! `cargo run --release -p bench --bin spin-trails -- FOLDER-OR-FILE... [--seconds 30] [--numbers]`
//! Needs `spin` and `gcc`, and `vizsla` beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Settings {
    models: Vec<PathBuf>,
    seconds: u64,
    numbers_only: bool,
    program: String,
}

/// What a run of a program printed, on both channels, and whether it was content.
struct Ran {
    text: String,
    success: bool,
}

/// The findings about a model: what was compared, and what differs.
#[derive(Default)]
struct Report {
    has_verifier: bool,
    compared: Vec<String>,
    differences: Vec<String>,
}

fn main() {
    let settings = settings();
    let (mut compared, mut different) = (0, 0);
    for model in &settings.models {
        let report = compare(model, &settings);
        different += usize::from(!report.differences.is_empty());
        compared += usize::from(report.has_verifier);
        println!("{}: {}", model.display(), report.compared.join(", "));
        report.differences.iter().for_each(|it| println!("  DIFFERENT {it}"));
    }
    println!("{} models, {compared} compared, {different} with differences", settings.models.len());
    std::process::exit(i32::from(different > 0));
}

fn settings() -> Settings {
    let own = std::env::current_exe().unwrap_or_default();
    let program = own.with_file_name("vizsla").display().to_string();
    let mut settings = Settings { models: vec![], seconds: 30, numbers_only: false, program };
    let mut rest = std::env::args().skip(1);
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--numbers" => settings.numbers_only = true,
            "--seconds" => {
                settings.seconds = rest.next().and_then(|s| s.parse().ok()).unwrap_or(30);
            }
            path => collect(Path::new(path), &mut settings.models),
        }
    }
    settings.models.sort();
    settings
}

fn collect(path: &Path, out: &mut Vec<PathBuf>) {
    let is_model = |e: &std::ffi::OsStr| ["pml", "pm", "prm", "prom", "p"].iter().any(|x| e == *x);
    if let Ok(entries) = std::fs::read_dir(path) {
        entries.filter_map(Result::ok).for_each(|entry| collect(&entry.path(), out));
    } else if path.extension().is_some_and(is_model) {
        out.extend(std::fs::canonicalize(path));
    }
}

// ---- a folder to work in ----

/// A model in a folder of its own, with what lies beside it.
struct Bench<'a> {
    settings: &'a Settings,
    folder: PathBuf,
    model: String,
}

impl Drop for Bench<'_> {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl<'a> Bench<'a> {
    fn new(model: &Path, settings: &'a Settings) -> Option<Self> {
        let folder = std::env::temp_dir().join(format!("spin-trails-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).ok()?;
        let beside = std::fs::read_dir(model.parent()?).ok()?.filter_map(Result::ok);
        for file in beside.map(|entry| entry.path()).filter(|path| path.is_file()) {
            std::fs::copy(&file, folder.join(file.file_name()?)).ok()?;
        }
        let model = model.file_name()?.to_string_lossy().into_owned();
        Some(Bench { settings, folder, model })
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Ran {
        self.run_for(self.settings.seconds, command, arguments)
    }

    fn run_for(&self, seconds: u64, command: &str, arguments: &[&str]) -> Ran {
        let output = Command::new("timeout")
            .args([seconds.to_string().as_str(), command])
            .args(arguments)
            .current_dir(&self.folder)
            .output();
        let Ok(output) = output else { return Ran { text: String::new(), success: false } };
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        Ran { text, success: output.status.success() }
    }

    fn vizsla(&self, arguments: &[&str]) -> Ran {
        self.run(&self.settings.program, arguments)
    }

    /// Makes a verifier, or says why there is none.
    fn verifier(&self, name: &str, spin: &[&str], gcc: &[&str]) -> Result<(), String> {
        let made = self.run_for(SLOW, "spin", &[spin, &["-a", &self.model]].concat());
        let common = ["-O0", "-w", "-DMEMLIM=2000", "-o", name, "pan.c"];
        if !made.success {
            return Err("Spin refuses it".to_string());
        }
        let compiled = self.run_for(SLOW, "gcc", &[gcc, &common].concat());
        if compiled.success { Ok(()) } else { Err("its verifier does not compile".to_string()) }
    }

    fn lines(&self, trail: &str) -> usize {
        let text = std::fs::read_to_string(self.folder.join(trail)).unwrap_or_default();
        text.lines().filter(|line| !line.starts_with('-')).count()
    }
}

/// Seconds after which Spin or the compiler is given up, however little time a search has.
const SLOW: u64 = 300;
/// Without merging, so that a line of a trail is a transition.
const UNMERGED: [&str; 3] = ["-o1", "-o2", "-o3"];
const SAFETY: [&str; 3] = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"];

fn compare(model: &Path, settings: &Settings) -> Report {
    let mut report = Report::default();
    let Some(bench) = Bench::new(model, settings) else {
        report.compared.push("cannot be copied".into());
        return report;
    };
    let listed = bench.vizsla(&["convert", &bench.model, "--to", "transitions"]);
    if !listed.success {
        report.compared.push("refused".into());
    } else if let Err(why) = bench.verifier("pan", &UNMERGED, &SAFETY) {
        report.compared.push(why);
    } else {
        report.has_verifier = true;
        numbers(&bench, &listed.text, &mut report);
        if !settings.numbers_only {
            ours(&bench, &mut report);
            theirs(&bench, &mut report);
        }
    }
    report
}

// ---- the numbers of transitions ----

type Transitions = BTreeMap<String, BTreeSet<[u32; 3]>>;

/// Every transition of ours must be one of the verifier's. It has more: states that no process
/// comes to, and `else` where it is never possible.
fn numbers(bench: &Bench, listed: &str, report: &mut Report) {
    let (ours, theirs) = (transitions(listed), transitions(&bench.run("./pan", &["-d"]).text));
    let mut count = 0;
    for (proctype, own) in &ours {
        let none = BTreeSet::new();
        let strange = own.difference(theirs.get(proctype).unwrap_or(&none));
        let strange: Vec<String> = strange.map(|it| format!("{it:?}")).collect();
        if !strange.is_empty() {
            let all = strange.join(" ");
            report.differences.push(format!("source, target, id of {proctype}: {all}"));
        }
        count += own.len();
    }
    report.compared.push(format!("{count} transitions"));
}

/// The transitions of each proctype in a listing of either program.
fn transitions(text: &str) -> Transitions {
    let mut all = Transitions::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("proctype ") {
            current = Some(name.to_string());
        } else if line == "init" {
            current = Some(line.to_string());
        } else if !line.starts_with('\t') {
            current = None;
        }
        if let (Some(name), Some(transition)) = (&current, transition(line)) {
            all.entry(name.clone()).or_default().insert(transition);
        }
    }
    all
}

/// Source, target and number.
fn transition(line: &str) -> Option<[u32; 3]> {
    let (source, rest) = number_after(line.strip_prefix('\t')?, "state ")?;
    let (target, rest) = number_after(rest, "-> state ")?;
    let (id, _) = number_after(rest, "[id ")?;
    Some([source, target, id])
}

fn number_after<'a>(text: &'a str, mark: &str) -> Option<(u32, &'a str)> {
    let rest = text[text.find(mark)? + mark.len()..].trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((rest[..end].parse().ok()?, &rest[end..]))
}

// ---- our trails ----

const COMPLAINTS: [&str; 8] = [
    "transition failed",
    "invalid statement",
    "no matching stmnt",
    "stop error",
    "UNEXECUTABLE",
    "not found",
    "Recovered",
    "invalid pid",
];

fn ours(bench: &Bench, report: &mut Report) {
    let limit = format!("{}s", bench.settings.seconds / 2);
    for search in ["bfs", "dfs"] {
        let trail = format!("{search}.trail");
        let common = ["check", &bench.model, "--no-trace", "--query-index", "1"];
        let own = ["--search", search, "--time-limit", &limit, "--trail", &trail];
        let checked = bench.vizsla(&[&common[..], &own].concat());
        let lines = bench.lines(&trail);
        if lines == 0 {
            continue;
        }
        let end = match checked.text.contains("an assertion fails") {
            true => Some("assertion violated"),
            // An index out of bounds stops the simulation, and ends an evaluation in the verifier.
            false if checked.text.contains("run-time error") => None,
            false => Some("trail ends"),
        };
        let spin = bench.run("spin", &["-t", "-p", "-k", &trail, &bench.model]);
        let pan = bench.run("./pan", &["-r", &trail]);
        for (name, ran) in [("spin -t", spin), ("pan -r", pan)] {
            // A verifier gives up where two `else` come together.
            if ran.text.contains("inherits 2 'else'") {
                continue;
            }
            report.compared.push(format!("{search} trail by {name}"));
            let what = replayed(&ran.text, lines, end);
            report.differences.extend(what.map(|it| format!("{search} trail, {name}: {it}")));
        }
        let again = bench.vizsla(&["replay", &bench.model, &trail, "--no-trace"]);
        if !again.success {
            report.differences.push(format!("{search} trail, vizsla: {}", again.text.trim()));
        }
    }
}

/// What is wrong with the replay of a trail.
fn replayed(text: &str, lines: usize, wanted: Option<&str>) -> Option<String> {
    let wanted = wanted?;
    if let Some(complaint) = COMPLAINTS.iter().find(|it| text.contains(**it)) {
        return Some(complaint.to_string());
    }
    let end = number_after(text, "trail ends after ").map(|it| it.0 as usize);
    if end != Some(lines) {
        return Some(format!("ends after {end:?} of {lines} lines"));
    }
    (!text.contains(wanted)).then(|| format!("does not say: {wanted}"))
}

// ---- the trails of verifiers ----

fn theirs(bench: &Bench, report: &mut Report) {
    if !their(bench, report, "depth first", "./pan") {
        return;
    }
    let breadth_first = [&SAFETY[..], &["-DBFS"]].concat();
    match bench.verifier("panb", &UNMERGED, &breadth_first) {
        Ok(()) => drop(their(bench, report, "breadth first", "./panb")),
        // Such a search cannot have hidden variables, for example.
        Err(why) => report.compared.push(format!("not breadth first: {why}")),
    }
    match bench.verifier("panm", &[], &["-DSAFETY", "-DNOCLAIM"]) {
        Ok(()) => drop(their(bench, report, "merged", "./panm")),
        Err(why) => report.differences.push(format!("merged: {why}")),
    }
}

/// Replays what a verifier writes; false if that is nothing.
fn their(bench: &Bench, report: &mut Report, name: &str, verifier: &str) -> bool {
    let trail = format!("{}.trail", bench.model);
    let _ = std::fs::remove_file(bench.folder.join(&trail));
    let verified = bench.run(verifier, &["-m100000", "-w22"]);
    let error = verified.text.lines().find_map(|line| line.strip_prefix("pan:1: "));
    let (Some(error), true) = (error, bench.lines(&trail) > 0) else { return false };
    let wanted = match error {
        _ if error.contains("invalid end state") => "then an invalid end state",
        _ if error.contains("invalid array index") => "is outside an array",
        _ if error.contains("assertion violated") => "then an assertion fails",
        _ => "then",
    };
    let replayed = bench.vizsla(&["replay", &bench.model, &trail, "--no-trace"]);
    report.compared.push(format!("{name} trail of pan"));
    if !replayed.success || !replayed.text.contains(wanted) {
        let what = replayed.text.trim().replace('\n', " | ");
        report.differences.push(format!("{name} trail of pan, {error}: {what}"));
    }
    true
}
