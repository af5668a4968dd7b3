//! A trace as a table: one row for each edge that fires, with what the step changes beside it or
//! below.

use super::state;
use crate::output::{Output, Paint};
use crate::words;
use std::path::Path;
use vizsla::Model;
use vizsla::trace_file::{
    ChangeEntry, ChangeKind, EdgeEntry, EndingKind, HeldEntry, PlaceEntry, StepEntry, TraceFile,
};

/// The margin on the left and the gap between columns.
const GAP: &str = "  ";
/// Names of processes longer than this do not make their column wider.
const LONGEST_NAME: usize = 24;
/// What else would not fit is broken into lines of at least this width.
const NARROWEST: usize = 24;
/// Paths are shown in full only if this much is left of a line.
const ROOM_FOR_CHANGES: usize = 30;
/// On a terminal a statement takes this many lines at most; its place tells where to read on.
const MOST_LINES: usize = 3;

/// The steps of a trace and what is at its end, if that is a run-time error.
pub fn steps(model: &Model, trace: &TraceFile, output: &Output) -> String {
    Table::new(model, trace, output).render()
}

/// Every column is as wide as its longest entry, if that is not too wide.
struct Table<'a> {
    model: &'a Model,
    trace: &'a TraceFile,
    paint: Paint,
    width: usize,
    is_terminal: bool,
    number: usize,
    /// Whether there are clocks; without them nobody asks for the time.
    timed: bool,
    delay: usize,
    time: usize,
    process: usize,
    action: usize,
    place: usize,
    full_paths: bool,
}

impl<'a> Table<'a> {
    fn new(model: &'a Model, trace: &'a TraceFile, output: &Output) -> Self {
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let steps = || trace.steps.iter();
        let mut table = Table {
            model,
            trace,
            paint: output.paint,
            width: output.width,
            is_terminal: output.is_terminal,
            number: trace.steps.len().to_string().len().max("step".len()),
            timed: !model.network.clocks.is_empty(),
            delay: longest(&mut steps().map(|s| s.delay.len())).max("delay".len()),
            time: longest(&mut steps().map(|s| s.time.len())).max(trace.time.len()).max(4),
            process: 0,
            action: 0,
            place: 0,
            full_paths: true,
        };
        table.delay = table.delay.max(trace.final_delay.len());
        table.measure();
        table
    }

    fn measure(&mut self) {
        let all = self.trace.steps.iter().flat_map(|step| &step.edges);
        let edges: Vec<&EdgeEntry> =
            all.chain(&self.trace.ending.edges).filter(|edge| self.is_told(edge)).collect();
        let names = edges.iter().map(|edge| characters(&edge.process).min(LONGEST_NAME));
        self.process = names.max().unwrap_or(0).max("process".len());
        let places = || edges.iter().filter_map(|edge| edge.place.as_ref());
        let widest = |table: &Self| {
            places().map(|place| characters(&table.place_of(place))).max().unwrap_or(0)
        };
        let actions = edges.iter().map(|edge| characters(&action(edge)));
        let longest = actions.clone().max().unwrap_or(0);
        let used = self.indent() + self.process + longest + widest(self) + 2 * GAP.len();
        self.full_paths = used + ROOM_FOR_CHANGES <= self.width;
        self.place = widest(self);
        let fixed = self.indent() + self.process + self.place + 2 * GAP.len();
        let room = self.width.saturating_sub(fixed).max(NARROWEST);
        self.action = actions.filter(|&length| length <= room).max().unwrap_or(room);
        if self.is_terminal && longest > room {
            self.action = room;
        }
    }

    fn render(&self) -> String {
        let head = self.row("step", "delay", "time");
        let what = if self.model.is_promela() { "statement" } else { "edge" };
        let head = format!("{head}{:<w$}{GAP}{what}", "process", w = self.process);
        let mut lines = vec![self.paint.dim(head.trim_end())];
        if let Some(held) = &self.trace.initial_state {
            lines.push(self.row("0", "0", "0") + "the initial state");
            lines.extend(self.state(held));
        }
        for (i, step) in self.trace.steps.iter().enumerate() {
            let first = self.row(&(i + 1).to_string(), &step.delay, &step.time);
            lines.extend(self.step(&first, step));
            lines.extend(step.state.iter().flat_map(|held| self.state(held)));
        }
        lines.extend(self.ending());
        lines.join("\n") + "\n"
    }

    fn row(&self, number: &str, delay: &str, time: &str) -> String {
        let (n, d, t) = (self.number, self.delay, self.time);
        if !self.timed {
            return format!("{GAP}{number:>n$}{GAP}");
        }
        format!("{GAP}{number:>n$}{GAP}{delay:>d$}{GAP}{time:>t$}{GAP}")
    }

    /// The column in which processes begin.
    fn indent(&self) -> usize {
        let clocks = if self.timed { self.delay + self.time + 2 * GAP.len() } else { 0 };
        self.number + clocks + 2 * GAP.len()
    }

    /// Formulas move with every step, and claims where they are; only what changes is worth a row.
    fn is_told(&self, edge: &EdgeEntry) -> bool {
        let mut processes = self.model.network.processes.iter();
        let observes = processes.any(|it| it.observes && it.name == edge.process);
        !observes || edge.statement.is_some() && edge.source != edge.target
    }

    fn step(&self, first: &str, step: &StepEntry) -> Vec<String> {
        let edges: Vec<&EdgeEntry> = step.edges.iter().filter(|edge| self.is_told(edge)).collect();
        self.rows(first, &edges, &self.notes(step))
    }

    /// The edges, and what they do beside them if it fits, otherwise below.
    fn rows(&self, first: &str, edges: &[&EdgeEntry], notes: &[String]) -> Vec<String> {
        if edges.is_empty() {
            let wait = self.paint.dim("no process moves");
            return std::iter::once(format!("{first}{wait}")).chain(self.below(notes)).collect();
        }
        let mut lines = self.edges(first, edges);
        let beside = notes.join(", ");
        let used = self.indent() + self.process + self.action + self.place + 3 * GAP.len();
        let short = edges.iter().all(|edge| characters(&action(edge)) <= self.action);
        match lines.as_mut_slice() {
            [line] if short && !notes.is_empty() && used + characters(&beside) <= self.width => {
                let place = edges[0].place.as_ref().map(|place| characters(&self.place_of(place)));
                let gap = self.place - place.unwrap_or(0);
                line.push_str(&format!("{}{GAP}{beside}", " ".repeat(gap)));
            }
            _ => lines.extend(self.below(notes)),
        }
        lines.iter().map(|line| line.trim_end().to_string()).collect()
    }

    /// Lines below a step, further to the right than its edges.
    fn below(&self, notes: &[String]) -> Vec<String> {
        let indent = self.indent() + self.process + 2 * GAP.len();
        let lines = words::wrap(notes, self.width.saturating_sub(indent).max(NARROWEST));
        lines.iter().map(|line| format!("{}{line}", " ".repeat(indent))).collect()
    }

    fn state(&self, held: &[HeldEntry]) -> Vec<String> {
        let indent = self.indent();
        let width = self.width.saturating_sub(indent).max(NARROWEST);
        let lines = state::lines(self.model, held, true, width);
        let line = |line: String| format!("{}{}", " ".repeat(indent), self.paint.dim(&line));
        lines.into_iter().map(line).collect()
    }

    /// One line for each edge, the first of them after the numbers of the step; more for a statement
    /// that does not fit.
    fn edges(&self, first: &str, edges: &[&EdgeEntry]) -> Vec<String> {
        let blank = " ".repeat(self.indent());
        let mut lines = Vec::new();
        for (i, edge) in edges.iter().enumerate() {
            let start = if i == 0 { first } else { &blank };
            let name = words::visible(&edge.process);
            let name_gap = " ".repeat(self.process.saturating_sub(characters(&name)));
            let place = edge.place.as_ref().map(|place| self.place_of(place)).unwrap_or_default();
            let mut parts = self.broken(&action(edge)).into_iter();
            let part = parts.next().unwrap_or_default();
            let gap = " ".repeat(self.action.saturating_sub(characters(&part)));
            lines.push(format!(
                "{start}{name}{name_gap}{GAP}{}{gap}{GAP}{}",
                self.paint.cyan(&part),
                self.paint.dim(&place)
            ));
            let indent = " ".repeat(self.indent() + self.process + 2 * GAP.len());
            lines.extend(parts.map(|part| format!("{indent}{}", self.paint.cyan(&part))));
        }
        lines
    }

    /// A statement in lines that fit.
    fn broken(&self, text: &str) -> Vec<String> {
        if !self.is_terminal || characters(text) <= self.action {
            return vec![text.to_string()];
        }
        let filled = words::fill(text, self.action);
        let mut lines: Vec<String> = filled.lines().map(str::to_string).collect();
        if lines.len() > MOST_LINES {
            lines.truncate(MOST_LINES);
            lines[MOST_LINES - 1].push_str(" …");
        }
        lines
    }

    fn place_of(&self, place: &PlaceEntry) -> String {
        let name = Path::new(&place.file).file_name().map(|name| name.to_string_lossy());
        words::visible(&match name {
            Some(name) if !self.full_paths => format!("{name}:{}", place.line),
            _ => format!("{}:{}", place.file, place.line),
        })
    }

    /// What the step does beside moving along its edges, which are told already.
    fn notes(&self, step: &StepEntry) -> Vec<String> {
        let promela = self.model.is_promela();
        let location = |change: &&ChangeEntry| change.kind == ChangeKind::Location;
        let locations = || step.changes.iter().filter(location).filter(|_| promela);
        let started = locations().filter(|it| it.from.to_string() == "-");
        let ended: Vec<&str> =
            locations().filter(|it| it.to.to_string() == "-").map(|it| it.name.as_str()).collect();
        let mut notes: Vec<String> = started.map(|it| format!("starts {}", it.name)).collect();
        notes.extend(step.edges.iter().filter_map(|edge| edge.prints.as_deref()).map(printed));
        let told = step.changes.iter().filter(|it| {
            let gone = ended.iter().any(|process| state::belongs(&it.name, process));
            it.kind != ChangeKind::Location && !gone && !state::is_bookkeeping(self.model, &it.name)
        });
        // Where a process moves alone, its variables need not be called its own.
        let mut movers = step.edges.iter().filter(|edge| self.is_told(edge));
        let own = match (movers.next(), movers.next()) {
            (Some(edge), None) => format!("{}.", edge.process),
            _ => String::new(),
        };
        notes.extend(told.map(|it| change(it, &own)));
        notes.iter().map(|note| words::visible(note)).collect()
    }

    fn ending(&self) -> Vec<String> {
        let (delay, time) = (&self.trace.final_delay, &self.trace.time);
        let row = self.row("end", delay, time);
        let edges: Vec<&EdgeEntry> = self.trace.ending.edges.iter().collect();
        match self.trace.ending.kind {
            EndingKind::Goal if self.timed => vec![row.trim_end().to_string()],
            EndingKind::Goal => Vec::new(),
            EndingKind::Error if edges.is_empty() => vec![row + "the state itself is an error"],
            EndingKind::Error => self.rows(&row, &edges, &["fails".to_string()]),
        }
    }
}

/// `Safe -> Appr  [appr[1]!]  e = 1`, or `x = x + 1` where there are statements.
fn action(edge: &EdgeEntry) -> String {
    let mut text = match edge.statement.as_deref() {
        Some("-end-") => "ends".to_string(),
        Some(statement) => statement.to_string(),
        None => format!("{} -> {}", edge.source, edge.target),
    };
    if let (None, Some(sync)) = (&edge.statement, &edge.sync) {
        text.push_str(&format!("  [{sync}]"));
    }
    if let Some(message) = edge.passed() {
        text.push_str(&format!("  {message}"));
    }
    if !edge.selects.is_empty() {
        let values = edge.selects.iter().map(|(name, value)| format!("{name} = {value}"));
        text.push_str(&format!("  {}", values.collect::<Vec<_>>().join(", ")));
    }
    words::visible(&text).replace(['\n', '\t'], " ")
}

/// `prints "x = 3"`.
fn printed(text: &str) -> String {
    let line = text.trim_end_matches('\n').replace('\n', "\\n").replace('\t', "\\t");
    format!("prints \"{line}\"")
}

fn change(change: &ChangeEntry, own: &str) -> String {
    let name = change.name.strip_prefix(own).unwrap_or(&change.name);
    match change.kind {
        ChangeKind::Clock => format!("{name} := {}", change.to),
        _ => format!("{name}: {} -> {}", change.before(), change.after()),
    }
}

fn characters(text: &str) -> usize {
    text.chars().count()
}
