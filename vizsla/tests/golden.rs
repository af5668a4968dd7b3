//! Runs every model in `models/` and compares what comes out with what its header expects.
//!
//! `models/README.md` describes the headers. Every query is checked with every search and every
//! abstraction, once more with reductions, every trace is replayed, and all disagreements of a
//! folder are listed at once.

use network::{Claim, Network};
use std::fmt::Write;
use std::path::Path;
use testing::golden_models;
use testing::header::{Expectation, Header, Refusal, Verdict};
use vizsla::{
    Abstraction, Answer, Control, Diagnostic, Input, Method, Model, Observer, Options, PropertyId,
    Reason, Settings, Source, Statistics, check,
};

#[test]
fn corners_behave() {
    run_folder("uppaal/corners");
}

#[test]
fn features_behave() {
    run_folder("uppaal/features");
}

#[test]
fn examples_behave() {
    run_folder("uppaal/examples");
}

#[test]
fn bad_input_is_refused() {
    run_folder("uppaal/bad");
}

#[test]
fn networks_behave() {
    run_folder("networks");
}

const SEARCHES: [&str; 3] = ["bfs", "dfs", "random-dfs"];
const ABSTRACTIONS: [Abstraction; 3] =
    [Abstraction::ExtraLuCoverAlu, Abstraction::ExtraLu, Abstraction::CoverAlu];

fn run_folder(name: &str) {
    let mut failures = Vec::new();
    for path in golden_models(name, &["xml", "xta", "ta", "network"]) {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let run = std::panic::catch_unwind(|| run_model(&path));
        for failure in run.unwrap_or_else(|_| vec!["panics".into()]) {
            failures.push(format!("{name}/{file}: {failure}"));
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// Everything that is not as the header says.
fn run_model(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).expect("the model can be read");
    // What must not begin with a comment has its header in a file of its own.
    let header = match std::fs::read_to_string(path.with_extension("expect")) {
        Ok(text) => Header::parse(&text),
        Err(_) => Header::of(&String::from_utf8_lossy(&bytes)),
    };
    if !header.mistakes.is_empty() {
        return header.mistakes;
    }
    let mut queries = header.queries.clone();
    queries.extend(header.expectations.iter().map(|it| it.query.clone()));
    let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let input = Input { queries: queries.clone(), ..Input::text(shown, bytes.clone()) };
    let loaded = Model::load(input);
    let said = said(&loaded);
    if !header.refusals.is_empty() {
        return check_refusals(&header.refusals, &said);
    }
    let model = match &loaded {
        Ok(model) => model,
        Err(vizsla::Refusal::Defect(what)) => return vec![what.clone()],
        Err(vizsla::Refusal::Input(_) | vizsla::Refusal::Unsuitable(_)) => {
            return vec![format!("is refused\n{}", describe_all(&said))];
        }
    };
    let mut failures: Vec<String> = check_own_queries(path, &bytes, &queries).into_iter().collect();
    let searches = header.run.unwrap_or_else(|| SEARCHES.map(String::from).to_vec());
    for (expectation, property) in header.expectations.iter().zip(model.properties()) {
        failures.extend(check_query(model, property, expectation, &searches));
    }
    failures
}

/// All that is said about a model and its queries.
fn said(loaded: &Result<Model, vizsla::Refusal>) -> Vec<Diagnostic> {
    match loaded {
        Ok(model) => {
            model.warnings.iter().chain(model.mistakes.values().flatten()).cloned().collect()
        }
        Err(vizsla::Refusal::Input(diagnostics)) => diagnostics.clone(),
        Err(other) => vec![Diagnostic::error(other.to_string())],
    }
}

/// The queries in a model or beside it are those of its header.
fn check_own_queries(path: &Path, bytes: &[u8], expected: &[String]) -> Option<String> {
    let text = std::fs::read(path.with_extension("q")).ok();
    let query_file = text.map(|text| Source::text("queries", text));
    let loaded = Model::load(Input { query_file, ..Input::text(path, bytes) });
    let Ok(model) = &loaded else {
        return Some(format!("its own queries:\n{}", describe_all(&said(&loaded))));
    };
    let own: Vec<&str> = model.network.properties.iter().map(|it| it.text.trim()).collect();
    let differs = !own.is_empty() && own != expected;
    differs.then(|| format!("asks {own:?}, its header expects {expected:?}"))
}

fn check_refusals(refusals: &[Refusal], said: &[Diagnostic]) -> Vec<String> {
    let errors: Vec<&Diagnostic> = said.iter().filter(|it| it.is_error()).collect();
    let mut failures = Vec::new();
    for refusal in refusals {
        let found = errors
            .iter()
            .any(|it| place(it) == refusal.place && it.message.contains(&refusal.message));
        if !found {
            failures.push(format!("no error `{}` at {}", refusal.message, refusal.place));
        }
    }
    if errors.len() != refusals.len() {
        failures.push(format!("{} errors, not {}", errors.len(), refusals.len()));
    }
    if !failures.is_empty() {
        failures.push(format!("said\n{}", describe_all(said)));
    }
    failures
}

fn place(diagnostic: &Diagnostic) -> String {
    match &diagnostic.place {
        Some(it) if it.path == "query" => format!("query:{}:{}", it.line, it.column),
        Some(it) => format!("{}:{}", it.line, it.column),
        None => "nowhere".into(),
    }
}

fn describe_all(diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for it in diagnostics {
        let _ = writeln!(text, "    {} {:?}: {}", place(it), it.severity, it.message);
    }
    text
}

/// Runs one query in all ways; ways that fail alike are told together.
fn check_query(
    model: &Model,
    property: PropertyId,
    expected: &Expectation,
    searches: &[String],
) -> Vec<String> {
    let mut failures: Vec<(String, Vec<String>)> = Vec::new();
    // Without clocks there is nothing to abstract.
    let is_timed = !model.network.clocks.is_empty();
    let abstractions = if is_timed { &ABSTRACTIONS[..] } else { &ABSTRACTIONS[..1] };
    let way = |it, reduced| searches.iter().map(move |search| Way(search, it, reduced));
    let plain = abstractions.iter().flat_map(|&it| way(it, false));
    let mut all: Vec<Way> = plain.chain(way(abstractions[0], true)).collect();
    if expected.is_endless() {
        all = vec![Way("bfs", abstractions[0], false), Way("dfs", abstractions[0], true)];
    }
    for &way in &all {
        let Err(failure) = check_run(model, property, expected, way) else {
            continue;
        };
        let way = format!("{way:?}");
        match failures.iter_mut().find(|it| it.0 == failure) {
            Some((_, ways)) => ways.push(way),
            None => failures.push((failure, vec![way])),
        }
    }
    let describe = |(failure, ways): (String, Vec<String>)| {
        let ways = if ways.len() == all.len() { "every search".into() } else { ways.join(", ") };
        format!("`{}` with {ways}: {failure}", expected.query)
    };
    failures.into_iter().map(describe).collect()
}

/// A search, an abstraction, and whether the network is reduced before.
#[derive(Clone, Copy, Debug)]
struct Way<'n>(&'n str, Abstraction, bool);

fn check_run(
    model: &Model,
    property: PropertyId,
    expected: &Expectation,
    way: Way,
) -> Result<(), String> {
    let Some(run) = run_query(model, property, way)? else { return Ok(()) };
    let Way(search, ..) = way;
    if run.verdict != expected.verdict {
        return Err(format!("{:?}, not {:?}", run.verdict, expected.verdict));
    }
    if expected.line.is_some() && run.line != expected.line {
        return Err(format!("the error is in line {:?}, not {:?}", run.line, expected.line));
    }
    if search != "bfs" {
        return Ok(());
    }
    if expected.length.is_some() && run.length != expected.length {
        return Err(format!("length {:?}, not {:?}", run.length, expected.length));
    }
    if run.shortest == Some(false) && !uses_meta(&model.network) {
        return Err("the trace is not claimed to be a shortest one".into());
    }
    Ok(())
}

/// Searches do not tell states apart by meta variables, so they cannot promise shortest traces.
fn uses_meta(network: &Network) -> bool {
    network.variables.iter().any(|it| it.storage == network::Storage::Meta)
}

/// What came of one search.
struct Run {
    verdict: Verdict,
    length: Option<usize>,
    /// Whether the search claims a shortest trace to a goal, if it has one.
    shortest: Option<bool>,
    line: Option<u32>,
}

impl Run {
    fn without_trace(verdict: Verdict) -> Run {
        Run { verdict, length: None, shortest: None, line: None }
    }

    fn new(verdict: Verdict, answer: &Answer) -> Run {
        let line = answer.error.as_ref().map(|error| error.span.line);
        let shortest = answer.trace().filter(|_| line.is_none()).map(|_| answer.shortest);
        Run { verdict, length: answer.trace().map(|trace| trace.steps.len()), shortest, line }
    }
}

/// None if clocks ran further than exact zones can tell; no header expects that.
fn run_query(model: &Model, property: PropertyId, way: Way) -> Result<Option<Run>, String> {
    let Way(search, abstraction, is_reduced) = way;
    if let Claim::Unsupported(_) = model.network.properties[property].claim {
        return Ok(Some(Run::without_trace(Verdict::Unsupported)));
    }
    let options = Options {
        method: Method::named(search).ok_or("there is no such search")?,
        settings: Settings { seed: 1, ..Settings::default() },
        abstraction,
        plain: !is_reduced,
        ..Options::default()
    };
    let answer = check(model, property, &options, &mut StateLimit);
    if let Some(what) = answer.defect {
        return Err(what);
    }
    let reason = answer.reason.as_ref().map(ToString::to_string).unwrap_or_default();
    let verdict = match (answer.verdict, &answer.error) {
        (_, Some(error)) => Verdict::Error(error.kind.name(&answer.model.network).into()),
        (vizsla::Verdict::Satisfied, _) => Verdict::Satisfied,
        (vizsla::Verdict::Violated, _) => Verdict::Violated,
        // More paths than the model has: one without a trace proves nothing.
        (vizsla::Verdict::Unknown, _) if reason.contains("no concrete run") => Verdict::Unknown,
        // Only exact zones grow without end, and the search says so.
        (vizsla::Verdict::Unknown, _)
            if reason == Reason::ClockRange.describe() && abstraction == Abstraction::CoverAlu =>
        {
            return Ok(None);
        }
        (vizsla::Verdict::Unknown, _) => return Err(reason),
    };
    Ok(Some(Run::new(verdict, &answer)))
}

/// Stops a search that takes far more states than any of these models has.
struct StateLimit;

const MOST_STATES: u64 = 3_000_000;

impl Observer for StateLimit {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        match statistics.explored > MOST_STATES {
            true => Control::Stop(Reason::Budget),
            false => Control::Continue,
        }
    }
}
