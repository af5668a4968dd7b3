//! Spin's trails: a trace of a Promela model as a trail, and a trail as a trace.
//!
//! Both follow the run with the interpreter of `replay`, because a trail names a process by the
//! number that it has at that moment.

mod read;
mod write;

pub use read::{End, Reading, TrailMismatch, read};
pub use write::write;

pub use promela::trail::Trail;

use crate::Model;
use network::{Action, ChannelKind, EdgeId, Id, Move, Network, ProcessId, Property, Step};
use promela::trail::{Numbering, Pid, TrailStep};
use replay::{Simulator, State, Stop};
use std::collections::HashSet;

/// Ticks per unit of time: in Promela no time passes.
const SCALE: i64 = 1;

/// The transitions of every proctype that runs, as `pan -d` lists them.
pub fn transitions(model: &Model) -> Option<String> {
    if !model.is_promela() {
        return None;
    }
    let mut seen = HashSet::new();
    let mut text = String::new();
    let processes = model.network.processes.enumerate().zip(&model.numbering.processes);
    for ((process_id, process), numbers) in processes {
        if !seen.insert(&process.template) {
            continue;
        }
        let kind = if numbers.claim.is_some() { "" } else { "proctype " };
        text.push_str(&format!("{kind}{}\n", process.template));
        for ((id, edge), transitions) in process.edges.enumerate().zip(&numbers.transitions) {
            let statement = model.statement(process_id, id).unwrap_or_default();
            let path = model.source_path(edge.span).unwrap_or("-");
            for it in transitions {
                let id = it.id.map_or("?".to_string(), |id| id.to_string());
                let numbers =
                    format!("state {:>3} -> state {:>3}  [id {id:>3}]", it.source, it.target);
                text.push_str(&format!("\t{numbers} {path}:{}", edge.span.line));
                text.push_str(&format!(" => {statement}\n"));
            }
        }
    }
    Some(text)
}

/// A run of the model.
struct Walk<'a> {
    model: &'a Model,
    network: &'a Network,
    numbering: &'a Numbering,
    simulator: Simulator<'a>,
    state: State,
}

impl<'a> Walk<'a> {
    /// The initial state; with a property its observer moves along.
    fn start(model: &'a Model, property: Option<&Property>) -> Result<Self, String> {
        if !model.is_promela() {
            return Err("only Promela models have trails".to_string());
        }
        let (network, numbering) = (&model.network, &model.numbering);
        let message = |stop: Stop| stop.message(network);
        let simulator = Simulator::new(network, SCALE).map_err(message)?.observing(property);
        let state = simulator.initial().map_err(message)?;
        Ok(Walk { model, network, numbering, simulator, state })
    }

    fn take(&mut self, moves: &[Move]) -> Result<Step, Stop> {
        let (state, changes) = self.simulator.take(&self.state, moves)?;
        self.state = state;
        Ok(Step { delay: 0, moves: moves.to_vec(), changes })
    }

    /// The number of a process; none if it does not run, or only watches.
    fn pid(&self, process: ProcessId) -> Option<i64> {
        let numbers = self.numbering.processes.get(process.index())?;
        let pid = match numbers.pid {
            Pid::Fixed(pid) => pid,
            Pid::Variable(variable) => self.state.value(variable, 0),
        };
        let runs = self.state.location(process) != numbers.absent;
        (runs && !self.observes(process)).then_some(pid.into())
    }

    fn observes(&self, process: ProcessId) -> bool {
        self.network.processes[process].observes
    }

    fn id(&self, process: ProcessId, edge: EdgeId) -> Option<i64> {
        self.numbering.id(process, edge).map(i64::from)
    }

    /// The edges that leave the place where a process is.
    fn outgoing(&self, process: ProcessId) -> impl Iterator<Item = EdgeId> + use<'a> {
        let location = self.state.location(process);
        let edges = self.network.processes[process].edges.enumerate();
        edges.filter(move |(_, edge)| edge.source == location).map(|(id, _)| id)
    }

    /// The move of a line, if it names an edge at the place of its process.
    fn find(&self, step: &TrailStep) -> Result<Move, String> {
        let mut running = self.network.processes.ids();
        let process = running.find(|&process| self.pid(process) == Some(step.pid));
        let process = process.ok_or_else(|| format!("no process {} runs then", step.pid))?;
        let edge = self.outgoing(process).find(|&edge| self.id(process, edge) == Some(step.id));
        let edge = edge.ok_or_else(|| self.missing(process, step))?;
        Ok(Move { process, edge, selects: Vec::new() })
    }

    fn missing(&self, process: ProcessId, step: &TrailStep) -> String {
        let declared = &self.network.processes[process];
        let place = &declared.locations[self.state.location(process)];
        let who = format!("process {} ({})", step.pid, declared.name);
        let mut edges = declared.edges.enumerate();
        match edges.find(|(edge, _)| self.id(process, *edge) == Some(step.id)) {
            Some((edge, _)) => format!(
                "{who} is in line {}, where transition {} ({}) does not start",
                place.span.line,
                step.id,
                self.statement(process, edge)
            ),
            None => format!("{who} has no transition {}", step.id),
        }
    }

    /// `x = 1 in line 7`.
    fn statement(&self, process: ProcessId, edge: EdgeId) -> String {
        let text = self.model.statement(process, edge).unwrap_or("a statement");
        let line = self.network.processes[process].edges[edge].span.line;
        format!("{text} in line {line}")
    }

    /// Whether a move hands a message over without a buffer.
    fn is_rendezvous(&self, moved: &Move) -> bool {
        let edge = &self.network.processes[moved.process].edges[moved.edge];
        let channel = self.simulator.channel_of(&self.state, moved).ok().flatten();
        let unbuffered = |(channel, _)| {
            let kind = &self.network.channels[channel].kind;
            matches!(kind, ChannelKind::Buffered { capacity: 0, .. })
        };
        matches!(edge.action, Action::Send(_)) && channel.is_some_and(unbuffered)
    }

    /// The only transition of a process, if nothing can block it.
    fn only_edge(&self, process: ProcessId) -> Option<Move> {
        let mut outgoing = self.outgoing(process);
        let edge = outgoing.next().filter(|_| outgoing.next().is_none())?;
        let it = &self.network.processes[process].edges[edge];
        let free = it.guard.data.is_true() && it.action == Action::Internal;
        let runs = self.pid(process).is_some();
        (free && runs).then_some(Move { process, edge, selects: Vec::new() })
    }

    /// The steps that are possible now, each as a trail and people would say it.
    fn possible(&self) -> Vec<String> {
        let choices = self.simulator.choices(&self.state);
        let failing = choices.errors.into_iter().map(|raised| raised.moves);
        let all = choices.steps.into_iter().chain(failing.filter(|moves| !moves.is_empty()));
        all.map(|moves| self.describe(&moves)).collect()
    }

    fn describe(&self, moves: &[Move]) -> String {
        let each = |moved: &Move| {
            let process = &self.network.processes[moved.process];
            let what = self.statement(moved.process, moved.edge);
            let id = self.id(moved.process, moved.edge);
            match (self.pid(moved.process), id) {
                (Some(pid), Some(id)) => format!("{pid}:{id} ({}: {what})", process.name),
                _ => format!("{}: {what}", process.name),
            }
        };
        moves.iter().map(each).collect::<Vec<_>>().join(" with ")
    }
}
