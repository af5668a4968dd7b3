//! What a trace leads to, for people: its name, and for a state in which nothing moves where every
//! process stands and what it waits for.

use super::state;
use crate::output::Output;
use crate::{diagnostics, words};
use network::{RunTimeError, Span};
use std::path::Path;
use vizsla::Model;
use vizsla::finding::{BlockedEdge, Finding, FindingKind, ProcessStatus, in_words};
use vizsla::trace_file::{HeldEntry, PlaceEntry};

/// What was found, below its trace.
pub fn render(
    model: &Model,
    finding: &Finding,
    error: Option<&RunTimeError>,
    output: &Output,
) -> String {
    if let Some(error) = error {
        return render_error(model, finding, error.span, output);
    }
    let mut message = finding.message.clone();
    if !finding.values.is_empty() {
        message += &format!(": {}", in_words(&finding.values));
    }
    let message = words::fill(&words::visible(&message), output.width);
    let mut text = match finding.kind {
        FindingKind::InvalidEndState | FindingKind::Deadlock | FindingKind::Claim => {
            output.paint.red(&message)
        }
        _ => output.paint.bold(&message),
    };
    text.push('\n');
    if !finding.processes.is_empty() {
        text.push('\n');
        text.push_str(&standings(model, &finding.processes, output));
    }
    text
}

fn render_error(model: &Model, finding: &Finding, span: Span, output: &Output) -> String {
    let message = match finding.kind {
        FindingKind::Assertion => finding.message.clone(),
        _ => format!("run-time error of the model: {}", finding.message),
    };
    let mut diagnostic = model.error_at(message, span);
    if !finding.values.is_empty() {
        diagnostic.label = Some(in_words(&finding.values));
    }
    diagnostics::render_one(&diagnostic, output.paint, output.width) + "\n"
}

/// `m.pml:12`.
fn place(place: &PlaceEntry) -> String {
    let name = Path::new(&place.file).file_name().map(|name| name.to_string_lossy());
    words::visible(&format!("{}:{}", name.unwrap_or_default(), place.line))
}

/// A table of the processes: where they stand and what they wait for.
fn standings(model: &Model, processes: &[ProcessStatus], output: &Output) -> String {
    let rows: Vec<Row> = processes.iter().flat_map(|it| rows(model, it)).collect();
    let head = Row::new("process", "stands at", "waits for", "because");
    let all = || std::iter::once(&head).chain(&rows);
    let widest = |column: usize, most: usize| {
        let width = |row: &Row| row.0[column].chars().count();
        all().map(width).filter(|&width| width <= most).max().unwrap_or(0)
    };
    let widths = [widest(0, 24), widest(1, 28), widest(2, output.width * 2 / 5)];
    let mut lines = vec![output.paint.dim(head.line(&widths, output.width).trim_end())];
    lines.extend(rows.iter().map(|row| row.line(&widths, output.width)));
    lines.join("\n") + "\n"
}

struct Row([String; 4]);

impl Row {
    fn new(process: &str, place: &str, statement: &str, why: &str) -> Row {
        Row([process, place, statement, why].map(words::visible))
    }

    /// The columns next to each other; what does not fit goes below, further to the right.
    fn line(&self, widths: &[usize; 3], width: usize) -> String {
        let mut line = String::from("  ");
        let mut start = 2;
        for (cell, &column) in self.0.iter().zip(widths) {
            let gap = (start + column + 2).saturating_sub(start + cell.chars().count());
            line.push_str(cell);
            line.push_str(&" ".repeat(gap.max(2)));
            start += column + 2;
        }
        let why = &self.0[3];
        // What does not fit in its column may still fit after the statement.
        let close = format!("{}  ", line.trim_end());
        for start in [&line, &close] {
            if start.chars().count() + why.chars().count() <= width {
                return format!("{start}{why}").trim_end().to_string();
            }
        }
        let indent = 2 + widths[0] + 2 + widths[1] + 2 + 2;
        let room = width.saturating_sub(indent).max(24);
        let below = words::fill(why, room);
        let below = below.lines().map(|it| format!("{}{it}", " ".repeat(indent)));
        std::iter::once(line.trim_end().to_string()).chain(below).collect::<Vec<_>>().join("\n")
    }
}

fn rows(model: &Model, standing: &ProcessStatus) -> Vec<Row> {
    let name = &standing.location;
    let written = standing.place.as_ref().map(place);
    let at = match written {
        Some(written) if state::line(model, name).is_some() => written,
        Some(written) => format!("{name} ({written})"),
        None => name.clone(),
    };
    if standing.may_stay {
        return vec![Row::new(&standing.process, &at, "nothing", "it may stay here")];
    }
    let mut rows = Vec::new();
    for (i, waiting) in standing.waits_for.iter().enumerate() {
        let (process, at) =
            if i == 0 { (standing.process.as_str(), at.as_str()) } else { ("", "") };
        rows.push(Row::new(process, at, &waited(waiting, standing), &waiting.why));
    }
    if rows.is_empty() {
        rows.push(Row::new(&standing.process, &at, "nothing", "it has no outgoing edge"));
    }
    rows
}

/// The statement, with its line if it does not stand where the process does.
fn waited(waiting: &BlockedEdge, standing: &ProcessStatus) -> String {
    let line = |place: &Option<PlaceEntry>| place.as_ref().map(|place| place.line);
    let statement = words::shortened(&waiting.statement, 60);
    match line(&waiting.place) {
        Some(number) if line(&standing.place) != Some(number) => {
            format!("{statement} (line {number})")
        }
        _ => statement,
    }
}

/// The full last state; without processes if the finding has told where they stand.
pub fn last_state(
    model: &Model,
    finding: Option<&Finding>,
    held: &[HeldEntry],
    output: &Output,
) -> String {
    let with_processes = finding.is_none_or(|finding| finding.processes.is_empty());
    let lines = state::lines(model, held, with_processes, output.width.saturating_sub(2));
    let mut text = output.paint.dim("final state") + "\n";
    lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    text
}
