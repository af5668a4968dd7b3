//! The JSON document of a run; its fields are described in `docs/json.md` and stay as they are.

use super::reason;
use crate::account::Entry;
use crate::arguments::Check;
use network::{Diagnostic, Severity};
use serde::Serialize;
use vizsla::trace_file::ErrorEntry;
use vizsla::{Finding, ImprovedEnd, Method, Model, TableAccount, TraceFile};

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize)]
struct Document<'a> {
    vizsla: &'static str,
    model: &'a str,
    diagnostics: Vec<DiagnosticEntry<'a>>,
    results: Vec<ResultEntry<'a>>,
}

#[derive(Serialize)]
struct DiagnosticEntry<'a> {
    severity: &'static str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    source_line: Option<&'a str>,
    within: Option<&'a str>,
    label: Option<&'a str>,
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct ResultEntry<'a> {
    number: usize,
    query: &'a str,
    verdict: &'static str,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticEntry<'a>>,
    error: Option<ErrorEntry>,
    may_have_errors: bool,
    finding: Option<&'a Finding>,
    trace_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<GivenEntry>,
    shortest: bool,
    cut_off: Option<&'static str>,
    cost: Option<u64>,
    cheapest: Option<bool>,
    trace: Option<&'a TraceFile>,
    search: &'static str,
    heuristic: &'static str,
    seed: Option<u64>,
    proven_by: Option<&'static str>,
    tables: Vec<TableEntry<'a>>,
    stats: Stats,
}

#[derive(Serialize)]
struct GivenEntry {
    trace_length: usize,
    same_state: bool,
}

#[derive(Serialize)]
struct TableEntry<'a> {
    processes: &'a [String],
    variables: &'a [String],
    channels: &'a [String],
    lengths: &'a [String],
    clocks: &'a [String],
    states: u64,
    truncated: bool,
    reused: bool,
    bytes: u64,
}

#[derive(Serialize)]
struct Stats {
    explored: u64,
    explored_until_found: Option<u64>,
    evaluated: u64,
    generated: u64,
    stored: u64,
    reopened: u64,
    pruned: u64,
    stale: u64,
    max_open: u64,
    depth: u64,
    store_bytes: u64,
    seconds: f64,
    setup_seconds: f64,
    peak_memory_bytes: u64,
}

/// The document of a run.
pub fn document(model: &Model, answers: &[Entry], arguments: &Check) -> String {
    pretty(&Document {
        vizsla: VERSION,
        model: &model.path,
        diagnostics: model.warnings.iter().map(diagnostic).collect(),
        results: answers.iter().map(|answer| result(answer, arguments)).collect(),
    })
}

/// The document of a run that came to nothing because the input is wrong.
pub fn refusal(model: &str, diagnostics: &[Diagnostic]) -> String {
    let diagnostics = diagnostics.iter().map(diagnostic).collect();
    pretty(&Document { vizsla: VERSION, model, diagnostics, results: Vec::new() })
}

/// Indented JSON with a line break at its end.
pub fn pretty(value: &impl Serialize) -> String {
    // Plain structs with string keys always have a JSON form.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.chars().map(escaped).chain(["\n".to_string()]).collect()
}

/// Control characters can stand in strings only; some of them JSON leaves as they are.
fn escaped(character: char) -> String {
    match character {
        '\x7f'..='\u{9f}' => format!("\\u{:04x}", character as u32),
        other => other.to_string(),
    }
}

fn result<'a>(answer: &'a Entry, arguments: &Check) -> ResultEntry<'a> {
    let (directed, seeded) = match arguments.search {
        Method::Plan(_) => (true, false),
        Method::One(search) => (search.is_directed(), search.is_seeded()),
    };
    ResultEntry {
        number: answer.number(),
        query: answer.query(),
        verdict: answer.verdict.name(),
        reason: reason(answer),
        diagnostics: answer.mistakes().iter().map(diagnostic).collect(),
        error: answer.error.as_ref().map(|error| ErrorEntry::of(&answer.model, error)),
        may_have_errors: answer.may_have_errors,
        finding: answer.witness.as_ref().map(|witness| &witness.finding),
        trace_length: answer.trace().map(|trace| trace.steps.len()),
        given: answer.given.map(|given| GivenEntry {
            trace_length: given.length,
            same_state: given.end == ImprovedEnd::SameState,
        }),
        shortest: answer.shortest && answer.cost.is_none(),
        cut_off: cut_off(answer),
        cost: answer.cost,
        cheapest: answer.cost.map(|_| answer.shortest),
        trace: answer.witness.as_ref().map(|it| &it.file).filter(|_| !arguments.no_trace),
        search: arguments.search.name(),
        heuristic: if directed { arguments.heuristic.name() } else { "blind" },
        seed: seeded.then_some(arguments.seed),
        proven_by: answer.proven_by,
        tables: answer.tables.iter().map(table).collect(),
        stats: stats(answer),
    }
}

fn table(table: &TableAccount) -> TableEntry<'_> {
    TableEntry {
        processes: &table.processes,
        variables: &table.variables,
        channels: &table.channels,
        lengths: &table.lengths,
        clocks: &table.clocks,
        states: table.states,
        truncated: table.truncated,
        reused: table.reused,
        bytes: table.bytes,
    }
}

/// What ended the search for a shorter trace early.
fn cut_off(answer: &Entry) -> Option<&'static str> {
    let open = answer.witness.is_some() && !answer.shortest;
    answer.cut_off.filter(|_| open).map(|reason| reason.describe())
}

fn stats(answer: &Entry) -> Stats {
    let counts = &answer.statistics;
    Stats {
        explored: counts.explored,
        explored_until_found: counts.explored_until_found,
        evaluated: counts.evaluated,
        generated: counts.generated,
        stored: counts.stored,
        reopened: counts.reopened,
        pruned: counts.pruned,
        stale: counts.stale,
        max_open: counts.max_open,
        depth: counts.depth,
        store_bytes: counts.bytes,
        seconds: answer.seconds,
        setup_seconds: answer.setup_seconds,
        peak_memory_bytes: answer.peak_memory,
    }
}

fn diagnostic(diagnostic: &Diagnostic) -> DiagnosticEntry<'_> {
    let place = diagnostic.place.as_ref();
    DiagnosticEntry {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &diagnostic.message,
        file: place.map(|place| place.path.as_str()),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        end_line: place.map(|place| place.end_line),
        end_column: place.map(|place| place.end_column),
        source_line: place.map(|place| place.source_line.as_str()),
        within: place.and_then(|place| place.within.as_deref()),
        label: diagnostic.label.as_deref(),
        hint: diagnostic.hint.as_deref(),
    }
}
