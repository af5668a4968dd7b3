//! What a trace leads to, by its name: an invalid end state, a deadlock, a failed assertion …; for a
//! state in which nothing can move, where every process stands and what it waits for.

use crate::describe::Describer;
use crate::time::rational;
use crate::trace_file::{ChangeKind, HeldEntry, PlaceEntry};
use crate::values::Values;
use crate::{Language, Model};
use network::{
    ChannelKind, Edge, EdgeId, Ending, ErrorKind, Expr, LocalId, Move, Network, Process, ProcessId,
    Property, RunTimeError, Statement, StatementKind,
};
use replay::{Obstacle, Simulator, State};
use serde::Serialize;

/// What a trace leads to.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Finding {
    /// Its kind.
    pub kind: FindingKind,
    /// What it is, in words.
    pub message: String,
    /// The condition that fails or is reached.
    pub expression: Option<String>,
    /// Where it stands.
    pub place: Option<PlaceEntry>,
    /// What that condition looks at, and the values it sees.
    pub values: Vec<HeldEntry>,
    /// Where every process stands, if none can move.
    pub processes: Vec<ProcessStatus>,
}

/// The kinds of findings.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// Nothing can move, and some process is not where it may stay.
    InvalidEndState,
    /// Nothing can move, now or later.
    Deadlock,
    /// An assertion fails.
    Assertion,
    /// Another run-time error of the model.
    RunTimeError,
    /// A never claim reaches its end, or no continuation satisfies a formula.
    Claim,
    /// A state that the query asks for, or that it forbids.
    Goal,
}

/// Where a process stands.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct ProcessStatus {
    /// The process.
    pub process: String,
    /// Its location.
    pub location: String,
    /// Where that is.
    pub place: Option<PlaceEntry>,
    /// Whether it may stay there for ever.
    pub may_stay: bool,
    /// What would have to be possible for it to move.
    pub waits_for: Vec<BlockedEdge>,
}

/// An edge that cannot fire.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct BlockedEdge {
    /// The number of the edge in its process, from 0.
    pub edge: usize,
    /// Its statement; where there are no statements, its target, guard and synchronisation.
    pub statement: String,
    /// Where it stands.
    pub place: Option<PlaceEntry>,
    /// Why it cannot.
    pub why: String,
}

impl Finding {
    fn new(kind: FindingKind, message: String) -> Finding {
        let (expression, place) = (None, None);
        Finding { kind, message, expression, place, values: Vec::new(), processes: Vec::new() }
    }

    /// What an initial state that is none leads to.
    pub fn before_all(model: &Model, ending: &Ending) -> Finding {
        match ending {
            Ending::Error { error, .. } => of_error(model, error),
            Ending::Goal => Finding::new(FindingKind::Goal, "the initial state".to_string()),
        }
    }
}

/// What a trace that ends in a state leads to, given the state before its last step as well.
pub fn of(
    model: &Model,
    property: &Property,
    simulator: &Simulator,
    (before, state): (&State, &State),
    ending: &Ending,
) -> Finding {
    let scene = LastState { model, network: &model.network, simulator, before, state };
    match ending {
        Ending::Error { error, moves } => scene.error(error, moves),
        Ending::Goal if property.observer.is_some() => scene.claim(property),
        Ending::Goal if scene.is_stuck(property) => match model.language {
            Language::Promela => scene.invalid_end(),
            Language::Uppaal | Language::Network => scene.deadlock(),
        },
        Ending::Goal => scene.goal(property),
    }
}

fn of_error(model: &Model, error: &RunTimeError) -> Finding {
    let kind = match error.kind {
        ErrorKind::Assertion => FindingKind::Assertion,
        _ => FindingKind::RunTimeError,
    };
    let place = PlaceEntry::of(model, error.span);
    Finding { place, ..Finding::new(kind, error.kind.message(&model.network)) }
}

/// The last state of a trace.
struct LastState<'a> {
    model: &'a Model,
    network: &'a Network,
    simulator: &'a Simulator<'a>,
    /// The state before the last step.
    before: &'a State,
    state: &'a State,
}

impl LastState<'_> {
    fn values(&self) -> Values<'_> {
        Values { simulator: self.simulator, state: self.state }
    }

    // ---- errors ----

    fn error(&self, error: &RunTimeError, moves: &[Move]) -> Finding {
        let finding = of_error(self.model, error);
        let state = self.simulator.at_failure(self.state, moves);
        let values = Values { simulator: self.simulator, state: &state };
        for moved in moves {
            let process = &self.network.processes[moved.process];
            let edge = &process.edges[moved.edge];
            let bound = bound(edge, &moved.selects);
            let blamed = blamed(edge, error, &values, &bound);
            if blamed.is_empty() {
                continue;
            }
            let seen = blamed.iter().flat_map(|expr| values.seen_by(expr, &edge.locals, &bound));
            let seen = distinct(seen.map(|entry| own_entry(process, entry)));
            let finding = Finding { values: seen, ..finding };
            if error.kind != ErrorKind::Assertion {
                return finding;
            }
            let describer = Describer::new(self.network, &edge.locals).within(process);
            let written = self.model.statement(moved.process, moved.edge).and_then(asserted);
            let text = written.unwrap_or_else(|| describer.expression(blamed[0]));
            let message = format!("assertion violated: {text}");
            return Finding { message, expression: Some(text), ..finding };
        }
        finding
    }

    // ---- goals ----

    /// A claim moves with every step by what it sees before.
    fn claim(&self, property: &Property) -> Finding {
        let message = match property.text.starts_with("ltl ") {
            true => "the formula is violated before the last step, whatever comes next",
            false => "the never claim reaches its end in the state before the last step",
        };
        let values = Values { simulator: self.simulator, state: self.before };
        let observer = property.observer.map(|id| (id, &self.network.processes[id]));
        let guards = observer.into_iter().flat_map(|(id, process)| {
            let at = self.before.location(id);
            process.edges.iter().filter(move |edge| edge.source == at)
        });
        let seen = guards.flat_map(|edge| values.seen_by(&edge.guard.data, &edge.locals, &[]));
        Finding {
            place: PlaceEntry::of(self.model, property.span),
            values: distinct(seen),
            ..Finding::new(FindingKind::Claim, message.to_string())
        }
    }

    fn goal(&self, property: &Property) -> Finding {
        let reachable = matches!(property.claim, network::Claim::Reachable(_));
        let message = match reachable {
            true => "a state that satisfies the query",
            false => "a state that violates the query",
        };
        let expression = property.claim.expression();
        let seen = expression.map(|expr| self.values().seen_by(expr, &property.locals, &[]));
        let describer = Describer::new(self.network, &property.locals);
        Finding {
            expression: expression.map(|expr| describer.expression(expr)),
            values: seen.unwrap_or_default(),
            ..Finding::new(FindingKind::Goal, message.to_string())
        }
    }

    /// Whether the property is about deadlock, and the state is one.
    fn is_stuck(&self, property: &Property) -> bool {
        let mut asked = false;
        if let Some(expr) = property.claim.expression() {
            expr.walk(&mut |part| asked |= *part == Expr::Deadlock);
        }
        asked && self.simulator.is_deadlock(self.state) == Ok(true)
    }

    fn deadlock(&self) -> Finding {
        let mut message = "deadlock: no process can move".to_string();
        if !self.network.clocks.is_empty() {
            message += ", now or after any delay";
            message += &match self.simulator.longest_delay(self.state) {
                Ok(None) => "; time can pass for ever".to_string(),
                Ok(Some(0)) => "; time cannot pass".to_string(),
                Ok(Some(ticks)) => {
                    let time = rational(ticks, self.simulator.scale());
                    format!("; time can pass for {time} at most")
                }
                Err(_) => String::new(),
            };
        }
        Finding { processes: self.standings(), ..Finding::new(FindingKind::Deadlock, message) }
    }

    fn invalid_end(&self) -> Finding {
        let processes = self.standings();
        let stuck: Vec<&str> =
            processes.iter().filter(|it| !it.may_stay).map(|it| it.process.as_str()).collect();
        let why = match stuck.as_slice() {
            [] => self.unfinished(),
            [one] => format!("{one} is not at a valid end"),
            [first @ .., last] if first.len() < 4 => {
                format!("{} and {last} are not at a valid end", first.join(", "))
            }
            many => format!("{} processes are not at a valid end", many.len()),
        };
        let message = format!("invalid end state: no process can move, and {why}");
        Finding { processes, ..Finding::new(FindingKind::InvalidEndState, message) }
    }

    /// What is not over although every process is.
    fn unfinished(&self) -> String {
        let values = self.values();
        let mut full = Vec::new();
        for (id, channel) in self.network.channels.enumerate() {
            let held = (0..channel.len()).filter(|&it| !self.state.buffer(id, it).is_empty());
            full.extend(held.map(|element| values.channel_name(id, element)));
        }
        match full.is_empty() {
            true => "the trace assertion is not at its end".to_string(),
            false => format!("messages are left in {}", full.join(", ")),
        }
    }

    // ---- processes ----

    /// Where every process stands; those that do not run are left out.
    fn standings(&self) -> Vec<ProcessStatus> {
        let runs = |id: &ProcessId| {
            let numbers = self.model.numbering.processes.get(network::Id::index(*id));
            let absent = numbers.map(|numbers| numbers.absent);
            !self.network.processes[*id].observes && absent != Some(self.state.location(*id))
        };
        self.network.processes.ids().filter(runs).map(|id| self.standing(id)).collect()
    }

    fn standing(&self, id: ProcessId) -> ProcessStatus {
        let process = &self.network.processes[id];
        let at = self.state.location(id);
        let location = &process.locations[at];
        let mut waits_for: Vec<BlockedEdge> = Vec::new();
        for (edge, _) in process.edges.enumerate().filter(|(_, edge)| edge.source == at) {
            let waiting = self.waiting(id, edge);
            // One statement may be several edges.
            let known =
                |it: &BlockedEdge| it.statement == waiting.statement && it.why == waiting.why;
            if !waits_for.iter().any(known) {
                waits_for.push(waiting);
            }
        }
        ProcessStatus {
            process: process.name.clone(),
            location: location.name.clone(),
            place: PlaceEntry::of(self.model, location.span),
            may_stay: self.model.wording.is_end(id, at),
            waits_for,
        }
    }

    fn waiting(&self, id: ProcessId, number: EdgeId) -> BlockedEdge {
        let process = &self.network.processes[id];
        let edge = &process.edges[number];
        let statement = match self.model.statement(id, number) {
            Some(statement) => statement.to_string(),
            None => self.edge_in_words(process, edge),
        };
        let ends = statement == "-end-";
        let why = match ends {
            true => "processes that started later still run".to_string(),
            false => self.why(id, number),
        };
        BlockedEdge {
            edge: network::Id::index(number),
            statement: if ends { "its end".to_string() } else { statement },
            place: PlaceEntry::of(self.model, edge.span),
            why,
        }
    }

    /// `-> on: x >= 3, press?`.
    fn edge_in_words(&self, process: &Process, edge: &Edge) -> String {
        let describer = Describer::new(self.network, &edge.locals).within(process);
        let mut parts = describer.selects(edge);
        parts.extend([describer.condition(&edge.guard), describer.action(&edge.action)]);
        parts.retain(|part| !part.is_empty());
        let target = &process.locations[edge.target].name;
        match parts.is_empty() {
            true => format!("-> {target}"),
            false => format!("-> {target}: {}", parts.join(", ")),
        }
    }

    /// Why an edge cannot fire; with several choices of its selects, for one of them.
    fn why(&self, process: ProcessId, number: EdgeId) -> String {
        let edge = &self.network.processes[process].edges[number];
        let obstacles = self.simulator.obstacles(self.state, process, number);
        let mut reasons: Vec<String> = Vec::new();
        for (selects, obstacle) in &obstacles {
            let why = self.reason(process, edge, selects, obstacle);
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
        match reasons.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            [first, second] => format!("{first}; or {second}"),
            [first, ..] => format!("{first}; and so on for {} choices", obstacles.len()),
        }
    }

    fn reason(
        &self,
        process: ProcessId,
        edge: &Edge,
        selects: &[i32],
        obstacle: &Obstacle,
    ) -> String {
        let values = self.values();
        let name = |channel, element| values.channel_name(channel, element);
        match obstacle {
            Obstacle::Data => self.failing_data(process, edge, selects),
            Obstacle::Clocks(positions) => self.failing_clocks(edge, selects, positions),
            Obstacle::Empty(channel, element) => format!("{} is empty", name(*channel, *element)),
            Obstacle::NoneFits(channel, element) => {
                let held = values.held(*channel, *element);
                format!("{} holds {held}", name(*channel, *element))
            }
            Obstacle::Full(channel, element) => {
                let held = values.held(*channel, *element);
                format!("{} is full: {held}", name(*channel, *element))
            }
            Obstacle::NoReceiver(channel, element) => {
                let fits = if carries(self.network, *channel) { " such a message" } else { "" };
                format!("no process receives{fits} from {}", name(*channel, *element))
            }
            Obstacle::NoSender(channel, element) => {
                let fits = if carries(self.network, *channel) { " such a message" } else { "" };
                format!("no process sends{fits} to {}", name(*channel, *element))
            }
            Obstacle::Rule(rule) => rule.clone(),
        }
    }

    fn failing_data(&self, id: ProcessId, edge: &Edge, selects: &[i32]) -> String {
        let process = &self.network.processes[id];
        let (values, bound) = (self.values(), bound(edge, selects));
        let failing = values.failing(&edge.guard.data, &edge.locals, &bound);
        let seen = failing.iter().flat_map(|part| values.seen_by(part, &edge.locals, &bound));
        let seen = distinct(seen.map(|entry| own_entry(process, entry)));
        match seen.is_empty() {
            true => "it does not hold".to_string(),
            false => in_words(&seen),
        }
    }

    fn failing_clocks(&self, edge: &Edge, selects: &[i32], positions: &[usize]) -> String {
        let (values, bound) = (self.values(), bound(edge, selects));
        let failing = positions.iter().map(|&position| &edge.guard.clocks[position]);
        let clocks = failing.flat_map(|it| std::iter::once(&it.left).chain(&it.right));
        in_words(&distinct(clocks.filter_map(|it| values.of_clock(it, &edge.locals, &bound))))
    }
}

/// `x is 1, q is empty`; a few of many.
pub fn in_words(values: &[HeldEntry]) -> String {
    const MOST: usize = 8;
    let say = |entry: &HeldEntry| match entry.kind {
        ChangeKind::Location => format!("{} is at {}", entry.name, entry.shown()),
        _ => format!("{} is {}", entry.name, entry.shown()),
    };
    let mut parts: Vec<String> = values.iter().take(MOST).map(say).collect();
    if values.len() > MOST {
        parts.push(format!("and {} more", values.len() - MOST));
    }
    parts.join(", ")
}

fn bound(edge: &Edge, selects: &[i32]) -> Vec<(LocalId, i32)> {
    edge.selects.iter().copied().zip(selects.iter().copied()).collect()
}

fn carries(network: &Network, channel: network::ChannelId) -> bool {
    matches!(network.channels[channel].kind, ChannelKind::Buffered { .. })
}

/// What an edge evaluates where an error was raised: the assertion that fails, or the expressions of
/// the first statement or the guard that stands there.
fn blamed<'e>(
    edge: &'e Edge,
    error: &RunTimeError,
    values: &Values,
    bound: &[(LocalId, i32)],
) -> Vec<&'e Expr> {
    let asserted = error.kind == ErrorKind::Assertion;
    let fails = |condition: &Expr| {
        values.simulator.evaluate(values.state, condition, &edge.locals, bound) == Ok(0)
    };
    let mut found = Vec::new();
    let mut look = |statement: &'e Statement| {
        let fits = match &statement.kind {
            StatementKind::Assert(condition) => asserted && fails(condition),
            _ => !asserted,
        };
        if fits && statement.span == error.span && found.is_empty() {
            found = statement.expressions();
        }
    };
    edge.update.iter().for_each(|statement| walk(statement, &mut look));
    if found.is_empty() && !asserted && edge.guard.span == error.span {
        found.push(&edge.guard.data);
    }
    found
}

fn distinct(entries: impl Iterator<Item = HeldEntry>) -> Vec<HeldEntry> {
    let mut list = Vec::new();
    for entry in entries {
        if !list.contains(&entry) {
            list.push(entry);
        }
    }
    list
}

fn walk<'e>(statement: &'e Statement, visit: &mut dyn FnMut(&'e Statement)) {
    visit(statement);
    statement.children().for_each(|child| walk(child, visit));
}

/// What a statement asserts, in its own words.
fn asserted(statement: &str) -> Option<String> {
    let text = statement.strip_prefix("assert")?.trim();
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    // In `(a) || (b)` the parentheses do not belong together.
    let closed_early = |inner: &str| {
        let depths = inner.chars().scan(0, |depth, c| {
            *depth += i32::from(c == '(') - i32::from(c == ')');
            Some(*depth)
        });
        depths.into_iter().any(|depth| depth < 0)
    };
    Some(inner.filter(|inner| !closed_early(inner)).unwrap_or(text).to_string())
}

/// A variable of a process, which need not be called its own.
fn own_entry(process: &Process, entry: HeldEntry) -> HeldEntry {
    let prefix = format!("{}.", process.name);
    let name = entry.name.strip_prefix(&prefix).unwrap_or(&entry.name).to_string();
    HeldEntry { name, ..entry }
}
