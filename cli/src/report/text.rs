//! Answers for people: the trace step by step, what it leads to, then the verdict with what it cost in
//! one line.

use super::{finding, reason, trace};
use crate::account::Entry;
use crate::arguments::Check;
use crate::diagnostics;
use crate::output::{Output, Paint};
use crate::words;
use network::{NO_ERRORS, RunTimeError};
use vizsla::{
    Answer, Finding, GivenTrace, ImprovedEnd, Model, Statistics, TableAccount, Trace, TraceFile,
    Verdict,
};

/// The report on one property.
pub fn answer(answer: &Entry, arguments: &Check, output: &Output) -> String {
    let (paint, model) = (output.paint, &answer.model);
    let several = model.network.properties.len() > 1;
    let number = if several { format!("{}  ", answer.number()) } else { String::new() };
    let mut text = format!("{number}{}\n\n", paint.bold(&one_line(answer.query())));
    if let Some(witness) = &answer.witness {
        let steps = Some(&witness.file).filter(|_| !arguments.no_trace);
        let (finding, error) = (Some(&witness.finding), answer.error.as_ref());
        text.push_str(&run(model, steps, finding, error, output));
    }
    for mistake in answer.mistakes() {
        text.push_str(&diagnostics::render_one(mistake, paint, output.width));
        text.push_str("\n\n");
    }
    let told = answer.error.is_some() || !answer.mistakes().is_empty();
    if let Some(reason) = reason(answer).filter(|reason| is_long(reason) && !told) {
        text.push_str(&words::fill(&words::visible(&reason), output.width));
        text.push('\n');
    }
    text.push_str(&summary(answer, output));
    text.push('\n');
    text.extend(proof(answer).into_iter().chain(answer.tables.iter().map(table)));
    text.extend(reused(&answer.tables));
    text.push('\n');
    text
}

/// Which heuristic knows that there is no trace.
fn proof(answer: &Answer) -> Option<String> {
    let name = answer.proven_by?;
    Some(match answer.statistics.explored {
        0 => format!("proven by {name}: from the start the goal is infinitely far\n"),
        _ => format!("proven with {name}: from all other states the goal is infinitely far\n"),
    })
}

/// How many parts of a table are named.
const NAMED: usize = 8;

/// `table: 3,412 states of Controller, Observer, x; 112 KiB, 34 bytes each`.
fn table(table: &TableAccount) -> String {
    let states = match table.truncated {
        false => words::counted(table.states, "state"),
        true => format!("the first {}", words::counted(table.states, "state")),
    };
    let TableAccount { processes, variables, channels, lengths, clocks, .. } = table;
    let lengths = lengths.iter().map(|name| format!("length of {name}"));
    let whole = [processes, variables, channels].into_iter().flatten().cloned();
    let names: Vec<String> = whole.chain(lengths).chain(clocks.iter().cloned()).collect();
    let parts = match names.len().checked_sub(NAMED) {
        _ if names.is_empty() => "nothing".to_string(),
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..NAMED].join(", ")),
    };
    let size = words::bytes(table.bytes);
    let each = words::counted(table.bytes.div_ceil(table.states.max(1)), "byte");
    format!("table: {states} of {}; {size}, {each} each\n", words::visible(&parts))
}

/// `reused: states of 2 tables, which were explored before`.
fn reused(tables: &[TableAccount]) -> Option<String> {
    let count = tables.iter().filter(|table| table.reused).count() as u64;
    let tables = words::counted(count, "table");
    (count > 0).then(|| format!("reused: states of {tables}, which were explored before\n"))
}

/// A trace, what it leads to, and the last state.
pub fn run(
    model: &Model,
    trace: Option<&TraceFile>,
    finding: Option<&Finding>,
    error: Option<&RunTimeError>,
    output: &Output,
) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(trace.map(|trace| trace::steps(model, trace, output)));
    parts.extend(finding.map(|finding| finding::render(model, finding, error, output)));
    let held = trace.and_then(|trace| trace.final_state.as_ref());
    parts.extend(held.map(|held| finding::last_state(model, finding, held, output)));
    parts.join("\n") + "\n"
}

/// The last lines: what was not looked for, and how many properties have which verdict if there are
/// several.
pub fn conclusion(answers: &[Entry], output: &Output) -> String {
    let mut text = String::new();
    // Whoever has an error to look at need not be told of others that may be there.
    let all_well = !answers.iter().any(|answer| answer.verdict == Verdict::Violated);
    let open = answers.iter().any(|answer| answer.may_have_errors);
    if all_well && open && !excludes_errors(answers) {
        text.push_str(&words::fill(ERRORS_ARE_OPEN, output.width));
        text.push('\n');
    }
    text + &tally(answers, output)
}

const ERRORS_ARE_OPEN: &str = "Run-time errors of the model (values out of range, indices, \
    divisions by zero ...) were not looked for in all states: --errors does that.";

/// Whether some answer is that there are no run-time errors.
fn excludes_errors(answers: &[Entry]) -> bool {
    let excludes =
        |answer: &Entry| answer.query() == NO_ERRORS && answer.verdict == Verdict::Satisfied;
    answers.iter().any(excludes)
}

/// How many properties have which verdict; nothing for a single one.
fn tally(answers: &[Entry], output: &Output) -> String {
    if answers.len() < 2 {
        return String::new();
    }
    let verdicts = [Verdict::Satisfied, Verdict::Violated, Verdict::Unknown];
    let count = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count();
    let parts = verdicts.map(|verdict| format!("{} {}", count(verdict), verdict.name()));
    output.paint.bold(&format!("{} properties: {}", answers.len(), parts.join(", "))) + "\n"
}

/// Queries may be written over several lines.
pub fn one_line(query: &str) -> String {
    words::visible(&query.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `satisfied · 12 steps, proven shortest · explored 1,234 · stored 980 · 12 ms · 5.1 MiB`.
fn summary(answer: &Entry, output: &Output) -> String {
    let (verdict, more) = parts(answer, output.paint);
    let mut text = verdict;
    let mut used = answer.verdict.name().len();
    for part in more {
        let length = characters(&part) + " · ".len();
        if output.is_terminal && used + length > output.width {
            text.push_str(&format!("\n  {part}"));
            used = length;
        } else {
            text.push_str(&format!(" · {part}"));
            used += length;
        }
    }
    text
}

/// The verdict, and what there is to say about it.
fn parts(answer: &Entry, paint: Paint) -> (String, Vec<String>) {
    let name = answer.verdict.name();
    let verdict = match answer.verdict {
        Verdict::Satisfied => paint.green(name),
        Verdict::Violated => paint.red(name),
        Verdict::Unknown => paint.yellow(name),
    };
    let counts = &answer.statistics;
    let mut parts = Vec::from_iter(meaning(answer));
    parts.extend(answer.trace().map(|trace| length(trace, answer)));
    if counts.generated == 0 && answer.seconds == 0.0 {
        // There was no search.
        return (verdict, parts);
    }
    parts.push(explored(counts));
    parts.push(format!("stored {}", words::count(counts.stored)));
    parts.push(words::seconds(answer.seconds));
    parts.push(words::bytes(answer.peak_memory));
    (verdict, parts)
}

/// `explored 1,234`, or `explored 1,234, 56 to find the trace` if the rest served to shorten it.
fn explored(counts: &Statistics) -> String {
    let all = format!("explored {}", words::count(counts.explored));
    match counts.explored_until_found.filter(|&first| first < counts.explored) {
        Some(first) => format!("{all}, {} to find the trace", words::count(first)),
        None => all,
    }
}

/// Whether a reason gets lines of its own.
fn is_long(reason: &str) -> bool {
    characters(reason) > 50
}

fn meaning(answer: &Answer) -> Option<String> {
    match (answer.verdict, reason(answer), answer.trace()) {
        (_, Some(_), _) if answer.error.is_some() => Some("run-time error".to_string()),
        (_, Some(_), _) if !answer.mistakes().is_empty() => Some("wrong query".to_string()),
        (_, Some(reason), _) => (!is_long(&reason)).then(|| words::visible(&reason)),
        (Verdict::Satisfied, None, None) => Some("no reachable state violates it".to_string()),
        (Verdict::Violated, None, None) => Some("no reachable state satisfies it".to_string()),
        _ => None,
    }
}

fn length(trace: &Trace, answer: &Answer) -> String {
    if let Some(given) = &answer.given {
        return improved(trace, given, answer);
    }
    let steps = words::counted(trace.steps.len() as u64, "step");
    let (steps, best) = match answer.cost {
        None => (steps, "shortest"),
        Some(cost) => (format!("{steps}, cost {}", words::count(cost)), "cheapest"),
    };
    match answer.shortest {
        true => format!("{steps}, proven {best}"),
        false => format!("{steps}, {}", doubt(best, answer)),
    }
}

/// `12 steps instead of 34, proven shortest to this state`.
fn improved(trace: &Trace, given: &GivenTrace, answer: &Answer) -> String {
    let steps = words::counted(trace.steps.len() as u64, "step");
    let shortest = match given.end {
        ImprovedEnd::SameState => "shortest to this state",
        ImprovedEnd::Any => "shortest",
    };
    let is_given = trace.steps.len() == given.length;
    let before = words::count(given.length as u64);
    match (is_given, answer.shortest) {
        (true, true) => format!("{steps}, already the {shortest}"),
        (true, false) => format!("{steps} as given, {}", doubt(shortest, answer)),
        (false, true) => format!("{steps} instead of {before}, proven {shortest}"),
        (false, false) => format!("{steps} instead of {before}, {}", doubt(shortest, answer)),
    }
}

fn doubt(best: &str, answer: &Answer) -> String {
    match answer.cut_off {
        None => format!("may not be the {best}"),
        Some(why) => format!("may not be the {best}: {}", why.describe()),
    }
}

fn characters(text: &str) -> usize {
    text.chars().count()
}
