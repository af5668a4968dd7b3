//! Answers for people: the trace step by step, then the verdict with what it cost in one line.

use crate::arguments::Check;
use crate::check::{Answer, Verdict};
use crate::diagnostics;
use crate::json::{ChangeEntry, ChangeKind, EdgeEntry, EndingKind, PlaceEntry, TraceFile};
use crate::load::Model;
use crate::output::{Output, Paint};
use crate::words;
use network::NO_ERRORS;
use search::Statistics;
use std::path::Path;

/// The report on one property.
pub fn answer(model: &Model, answer: &Answer, arguments: &Check, output: &Output) -> String {
    let paint = output.paint;
    let several = model.network.properties.len() > 1;
    let number = if several { format!("{}  ", answer.number) } else { String::new() };
    let mut text = format!("{number}{}\n\n", paint.bold(&one_line(&answer.query)));
    if let Some(trace) = answer.trace.as_ref().filter(|_| !arguments.no_trace) {
        let goal = match answer.verdict {
            Verdict::Violated => "the property is violated here",
            _ => "the property holds here",
        };
        text.push_str(&steps(model, trace, goal, output));
        text.push('\n');
    }
    if let Some(error) = &answer.error {
        let message = format!("run-time error of the model: {}", error.kind);
        let diagnostic = model.error_at(message, error.span);
        text.push_str(&diagnostics::render_one(&diagnostic, paint, output.width));
        text.push_str("\n\n");
    }
    for mistake in &answer.mistakes {
        text.push_str(&diagnostics::render_one(mistake, paint, output.width));
        text.push_str("\n\n");
    }
    let told = answer.error.is_some() || !answer.mistakes.is_empty();
    if let Some(reason) = answer.reason.as_ref().filter(|reason| is_long(reason) && !told) {
        text.push_str(&words::fill(reason, output.width));
        text.push('\n');
    }
    text.push_str(&summary(answer, paint));
    text.push_str("\n\n");
    text
}

/// The steps of a trace, and what is at its end, if that is no run-time error.
pub fn steps(model: &Model, trace: &TraceFile, end: &str, output: &Output) -> String {
    Table::new(model, trace, output).render(end)
}

/// The last lines: what was not looked for, and how many properties have which verdict if there are
/// several.
pub fn conclusion(answers: &[Answer], output: &Output) -> String {
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
fn excludes_errors(answers: &[Answer]) -> bool {
    let excludes =
        |answer: &Answer| answer.query == NO_ERRORS && answer.verdict == Verdict::Satisfied;
    answers.iter().any(excludes)
}

/// How many properties have which verdict; nothing for a single one.
fn tally(answers: &[Answer], output: &Output) -> String {
    if answers.len() < 2 {
        return String::new();
    }
    let verdicts = [Verdict::Satisfied, Verdict::Violated, Verdict::Unknown];
    let count = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count();
    let parts = verdicts.map(|verdict| format!("{} {}", count(verdict), verdict.name()));
    output.paint.bold(&format!("{} properties: {}", answers.len(), parts.join(", "))) + "\n"
}

/// Queries may be written over several lines.
fn one_line(query: &str) -> String {
    query.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `satisfied · 12 steps, proven shortest · explored 1,234 · stored 980 · 12 ms · 5.1 MiB`.
fn summary(answer: &Answer, paint: Paint) -> String {
    let name = answer.verdict.name();
    let verdict = match answer.verdict {
        Verdict::Satisfied => paint.green(name),
        Verdict::Violated => paint.red(name),
        Verdict::Unknown => paint.yellow(name),
    };
    let counts = &answer.statistics;
    let mut parts = vec![verdict];
    parts.extend(meaning(answer));
    parts.extend(answer.trace.as_ref().map(|trace| length(trace, answer)));
    if counts.generated == 0 && answer.seconds == 0.0 {
        // There was no search.
        return parts.join(" · ");
    }
    parts.push(explored(counts));
    parts.push(format!("stored {}", words::count(counts.stored)));
    parts.push(words::seconds(answer.seconds));
    parts.push(words::bytes(answer.peak_memory));
    parts.join(" · ")
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
    match (answer.verdict, &answer.reason, &answer.trace) {
        (_, Some(_), _) if answer.error.is_some() => Some("run-time error".to_string()),
        (_, Some(_), _) if !answer.mistakes.is_empty() => Some("wrong query".to_string()),
        (_, Some(reason), _) => (!is_long(reason)).then(|| reason.clone()),
        (Verdict::Satisfied, None, None) => Some("no reachable state violates it".to_string()),
        (Verdict::Violated, None, None) => Some("no reachable state satisfies it".to_string()),
        _ => None,
    }
}

fn length(trace: &TraceFile, answer: &Answer) -> String {
    let steps = words::counted(trace.steps.len() as u64, "step");
    match (answer.cost, answer.shortest) {
        (None, true) => format!("{steps}, proven shortest"),
        (None, false) => steps,
        (Some(cost), true) => format!("{steps}, cost {}, proven cheapest", words::count(cost)),
        (Some(cost), false) => format!("{steps}, cost {}", words::count(cost)),
    }
}

/// A trace as a table; every column is as wide as its longest entry.
struct Table<'a> {
    trace: &'a TraceFile,
    paint: Paint,
    width: usize,
    number: usize,
    /// Whether there are clocks; without them nobody asks for the time.
    timed: bool,
    delay: usize,
    time: usize,
    edge: usize,
    full_paths: bool,
}

/// The margin on the left and the gap between columns.
const GAP: &str = "  ";

impl<'a> Table<'a> {
    fn new(model: &Model, trace: &'a TraceFile, output: &Output) -> Self {
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let steps = || trace.steps.iter();
        let edges = || steps().flat_map(|step| &step.edges).chain(&trace.ending.edges);
        let mut table = Table {
            trace,
            paint: output.paint,
            width: output.width,
            number: trace.steps.len().to_string().len().max("step".len()),
            timed: !model.network.clocks.is_empty(),
            delay: longest(&mut steps().map(|s| s.delay.len())).max("delay".len()),
            time: longest(&mut steps().map(|s| s.time.len())).max(trace.time.len()).max(4),
            edge: longest(&mut edges().map(|edge| characters(&label(edge)))),
            full_paths: true,
        };
        table.delay = table.delay.max(trace.final_delay.len());
        let place =
            longest(&mut edges().filter_map(|e| e.place.as_ref()).map(|p| table.place(p).len()));
        table.full_paths = table.indent() + table.edge + GAP.len() + place <= table.width;
        table.edge = table.edge.min(table.width.saturating_sub(table.indent() + 16));
        table
    }

    fn render(&self, goal: &str) -> String {
        let head = self.row("step", "delay", "time", "");
        let mut lines = vec![self.paint.dim(head.trim_end())];
        for (i, step) in self.trace.steps.iter().enumerate() {
            let first = self.row(&(i + 1).to_string(), &step.delay, &step.time, "");
            lines.extend(self.edges(&first, &step.edges));
            lines.extend(self.changes(&step.changes));
        }
        lines.extend(self.ending(goal));
        lines.join("\n") + "\n"
    }

    fn row(&self, number: &str, delay: &str, time: &str, rest: &str) -> String {
        let (n, d, t) = (self.number, self.delay, self.time);
        if !self.timed {
            return format!("{GAP}{number:>n$}{GAP}{rest}");
        }
        format!("{GAP}{number:>n$}{GAP}{delay:>d$}{GAP}{time:>t$}{GAP}{rest}")
    }

    /// The column in which edges begin.
    fn indent(&self) -> usize {
        let clocks = if self.timed { self.delay + self.time + 2 * GAP.len() } else { 0 };
        self.number + clocks + 2 * GAP.len()
    }

    /// One line for each edge, the first of them behind the numbers of the step.
    fn edges(&self, first: &str, edges: &[EdgeEntry]) -> Vec<String> {
        let blank = " ".repeat(self.indent());
        let line = |(i, edge): (usize, &EdgeEntry)| {
            let text = label(edge);
            let padding = " ".repeat(self.edge.saturating_sub(characters(&text)));
            let place = edge.place.as_ref().map(|place| self.place(place)).unwrap_or_default();
            let line = format!(
                "{}{}{padding}{GAP}{}",
                if i == 0 { first } else { &blank },
                self.paint.cyan(&text),
                self.paint.dim(&place)
            );
            line.trim_end().to_string()
        };
        edges.iter().enumerate().map(line).collect()
    }

    fn place(&self, place: &PlaceEntry) -> String {
        let name = Path::new(&place.file).file_name().map(|name| name.to_string_lossy());
        match name {
            Some(name) if !self.full_paths => format!("{name}:{}", place.line),
            _ => format!("{}:{}", place.file, place.line),
        }
    }

    /// What the step changes; where the processes go is told by its edges already.
    fn changes(&self, changes: &[ChangeEntry]) -> Vec<String> {
        let indent = self.indent() + GAP.len();
        let told = changes.iter().filter(|change| change.kind != ChangeKind::Location);
        let items: Vec<String> = told.map(change).collect();
        let lines = words::wrap(&items, self.width.saturating_sub(indent).max(20));
        lines.iter().map(|line| format!("{}{line}", " ".repeat(indent))).collect()
    }

    fn ending(&self, goal: &str) -> Vec<String> {
        let (delay, time) = (&self.trace.final_delay, &self.trace.time);
        let row = |rest: &str| self.row("end", delay, time, rest);
        match self.trace.ending.kind {
            EndingKind::Goal => vec![row(goal)],
            EndingKind::Error if self.trace.ending.edges.is_empty() => {
                vec![row("the run-time error is in this state")]
            }
            EndingKind::Error => {
                let mut lines = vec![row("the run-time error is in")];
                let blank = " ".repeat(self.indent());
                lines.extend(self.edges(&blank, &self.trace.ending.edges));
                lines
            }
        }
    }
}

/// `Train(1): Safe -> Appr  [appr[1]!]  e = 1`, or `P: x = x + 1` where there are statements.
fn label(edge: &EdgeEntry) -> String {
    if let Some(statement) = &edge.statement {
        return format!("{}: {statement}", edge.process);
    }
    let mut text = format!("{}: {} -> {}", edge.process, edge.source, edge.target);
    if let Some(sync) = &edge.sync {
        text.push_str(&format!("  [{sync}]"));
    }
    if !edge.selects.is_empty() {
        let values = edge.selects.iter().map(|(name, value)| format!("{name} = {value}"));
        text.push_str(&format!("  {}", values.collect::<Vec<_>>().join(", ")));
    }
    text
}

fn change(change: &ChangeEntry) -> String {
    match change.kind {
        ChangeKind::Clock => format!("{} := {}", change.name, change.to),
        _ => format!("{}: {} -> {}", change.name, change.before(), change.after()),
    }
}

fn characters(text: &str) -> usize {
    text.chars().count()
}
