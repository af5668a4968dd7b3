//! Spin's trails: a trace of a Promela model as a trail, and a trail as a trace.
//!
//! Both follow the run with the interpreter of `replay`, because a trail names a process by the
//! number that it has at that moment.

use crate::json::TraceFile;
use crate::load::Model;
use crate::words;
use ::replay::{Simulator, State, Stop};
use network::{
    Ending, ErrorKind, Id, Move, Network, ProcessId, Property, RunTimeError, Step, Trace,
};
use promela::trail::{Numbering, Pid, Trail, TrailStep};
use std::collections::HashSet;
use std::slice::from_ref;

/// Ticks per unit of time: in Promela no time passes.
const SCALE: i64 = 1;

/// The transitions of every proctype that runs, as `pan -d` lists them.
pub fn transitions(model: &Model) -> Option<String> {
    let numbering = model.numbering.as_ref()?;
    let mut seen = HashSet::new();
    let mut text = String::new();
    for (process, numbers) in model.network.processes.iter().zip(&numbering.processes) {
        if !seen.insert(&process.template) {
            continue;
        }
        text.push_str(&format!("proctype {}\n", process.template));
        for (edge, it) in process.edges.iter().zip(&numbers.transitions) {
            let id = it.id.map_or("?".to_string(), |id| id.to_string());
            let path = model.source_path(edge.span).unwrap_or("-");
            let (from, to, line) = (it.source, it.target, edge.span.line);
            text.push_str(&format!(
                "\tstate {from:>3} -> state {to:>3}  [id {id:>3}] {path}:{line}\n"
            ));
        }
    }
    Some(text)
}

/// The trail of a trace, without the steps of a claim.
pub fn write(model: &Model, property: &Property, file: &TraceFile) -> Result<Trail, String> {
    let mut walk = Walk::start(model)?;
    walk.simulator = walk.simulator.observing(Some(property));
    let mut trail = Trail::default();
    let (steps, (_, ending)) = (file.moves(&model.network)?, file.ending(&model.network)?);
    for (_, moves) in &steps {
        walk.write(moves, &mut trail)?;
        walk.take(moves).map_err(|stop| stop.to_string())?;
    }
    if let Ending::Error { moves, .. } = &ending {
        walk.write(moves, &mut trail)?;
    }
    Ok(trail)
}

/// What a trail says about a model.
pub struct Reading {
    /// The steps, and the run-time error that the last one raises.
    pub trace: Trace,
    /// What is at the end.
    pub end: End,
}

/// What is at the end of a trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The last step raises a run-time error.
    Error(RunTimeError),
    /// Nothing is possible, but some process is not at a valid end.
    Invalid,
    /// Nothing is possible, and every process has come to a valid end.
    Valid,
    /// Processes can still move.
    Unfinished,
}

/// Why a trail is none of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// What is wrong, and in which step.
    pub message: String,
    /// What would have been possible there.
    pub possible: Vec<String>,
}

/// The trace of a trail, judged by a property that tells invalid end states.
pub fn read(model: &Model, property: &Property, trail: &Trail) -> Result<Reading, Misfit> {
    let bare = |message: String| Misfit { message, possible: Vec::new() };
    let walk = Walk::start(model).map_err(bare)?;
    let (lines, steps, merged) = (own_steps(trail), Vec::new(), trail.merged);
    Reader { walk, property, lines, at: 0, merged, fetched: 0, steps }.read()
}

/// The steps of the processes; those of a claim are left out.
fn own_steps(trail: &Trail) -> Vec<TrailStep> {
    let shift = i64::from(trail.claim.is_some());
    let steps = trail.steps.iter().filter(|step| step.pid >= shift);
    steps.map(|step| TrailStep { pid: step.pid - shift, ..*step }).collect()
}

/// A run of the model.
struct Walk<'a> {
    model: &'a Model,
    numbering: &'a Numbering,
    simulator: Simulator<'a>,
    state: State,
}

impl<'a> Walk<'a> {
    fn start(model: &'a Model) -> Result<Self, String> {
        let numbering = model.numbering.as_ref().ok_or("only Promela models have trails")?;
        let simulator = Simulator::new(&model.network, SCALE).map_err(|stop| stop.to_string())?;
        let state = simulator.initial().map_err(|stop| stop.to_string())?;
        Ok(Walk { model, numbering, simulator, state })
    }

    fn network(&self) -> &'a Network {
        &self.model.network
    }

    fn take(&mut self, moves: &[Move]) -> Result<Step, Stop> {
        let (state, changes) = self.simulator.take(&self.state, moves)?;
        self.state = state;
        Ok(Step { delay: 0, moves: moves.to_vec(), changes })
    }

    /// The number of a process; none if it does not run.
    fn pid(&self, process: ProcessId) -> Option<i64> {
        let numbers = self.numbering.processes.get(process.index())?;
        let pid = match numbers.pid {
            Pid::Fixed(pid) => pid,
            Pid::Variable(variable) => self.state.value(variable, 0),
        };
        (self.state.location(process) != numbers.absent).then_some(pid.into())
    }

    fn id(&self, moved: &Move) -> Option<i64> {
        self.numbering.id(moved.process, moved.edge).map(i64::from)
    }

    /// Adds the lines of a step that is possible now.
    fn write(&self, moves: &[Move], trail: &mut Trail) -> Result<(), String> {
        let observes = |moved: &&Move| self.network().processes[moved.process].observes;
        for moved in moves.iter().filter(|moved| !observes(moved)) {
            let depth = trail.steps.len() as i64 + 1;
            let at = |what: &str| format!("step {depth}: {what}");
            let pid = self.pid(moved.process).ok_or_else(|| at("the process does not run"))?;
            let unknown = "the number of its transition depends on a claim that is not understood";
            let id = self.id(moved).ok_or_else(|| at(unknown))?;
            trail.steps.push(TrailStep { depth, pid, id });
        }
        Ok(())
    }

    /// The move of a line, if it names an edge at the place of its process.
    fn find(&self, step: &TrailStep) -> Result<Move, String> {
        let mut running = self.network().processes.ids();
        let process = running.find(|&process| self.pid(process) == Some(step.pid));
        let process = process.ok_or_else(|| format!("no process {} runs then", step.pid))?;
        let (declared, location) =
            (&self.network().processes[process], self.state.location(process));
        let leads = |edge: &network::EdgeId| {
            let id = self.numbering.id(process, *edge).map(i64::from);
            declared.edges[*edge].source == location && id == Some(step.id)
        };
        match declared.edges.ids().find(leads) {
            Some(edge) => Ok(Move { process, edge, selects: Vec::new() }),
            None => Err(self.missing(process, step)),
        }
    }

    fn missing(&self, process: ProcessId, step: &TrailStep) -> String {
        let declared = &self.network().processes[process];
        let place = &declared.locations[self.state.location(process)];
        let numbers = &self.numbering.processes[process.index()].transitions;
        let mut others = declared.edges.iter().zip(numbers);
        let other = others.find(|(_, numbers)| numbers.id.map(i64::from) == Some(step.id));
        let who = format!("process {} ({})", step.pid, declared.name);
        match other {
            Some((edge, _)) => format!(
                "{who} is at {}, where the transition {} of line {} does not start",
                place.name, step.id, edge.span.line
            ),
            None => format!("{who} has no transition {}", step.id),
        }
    }

    /// Whether a move hands a message over without a buffer.
    fn is_rendezvous(&self, moved: &Move) -> bool {
        let edge = &self.network().processes[moved.process].edges[moved.edge];
        let channel = self.simulator.channel_of(&self.state, moved).ok().flatten();
        let unbuffered = |(channel, _)| {
            let kind = &self.network().channels[channel].kind;
            matches!(kind, network::ChannelKind::Buffered { capacity: 0, .. })
        };
        matches!(edge.action, network::Action::Send(_)) && channel.is_some_and(unbuffered)
    }

    /// The one way on of a process, if nothing can stand in it.
    fn only_way(&self, process: ProcessId) -> Option<Move> {
        let declared = &self.network().processes[process];
        let location = self.state.location(process);
        let mut ways = declared.edges.enumerate().filter(|(_, edge)| edge.source == location);
        let (edge, it) = ways.next().filter(|_| ways.next().is_none())?;
        let free = it.guard.data.is_true() && it.action == network::Action::Internal;
        free.then_some(Move { process, edge, selects: Vec::new() })
    }

    /// The steps that are possible now, each as a trail and people would say it.
    fn possible(&self) -> Vec<String> {
        let choices = self.simulator.choices(&self.state);
        let failing = choices.errors.into_iter().map(|raised| raised.moves);
        let all = choices.steps.into_iter().chain(failing.filter(|moves| !moves.is_empty()));
        all.map(|moves| self.describe(&moves)).collect()
    }

    fn describe(&self, moves: &[Move]) -> String {
        let mut lines = Vec::new();
        for moved in moves {
            let process = &self.network().processes[moved.process];
            let edge = &process.edges[moved.edge];
            let (from, to) = (&process.locations[edge.source], &process.locations[edge.target]);
            let number = |number: Option<i64>| number.map_or("?".to_string(), |n| n.to_string());
            lines.push(format!(
                "{}:{} ({}: {} -> {}, line {})",
                number(self.pid(moved.process)),
                number(self.id(moved)),
                process.name,
                from.name,
                to.name,
                edge.span.line
            ));
        }
        lines.join(" with ")
    }

    fn end(&self, property: &Property) -> Result<End, Stop> {
        if self.simulator.is_goal(&self.state, property)? {
            return Ok(End::Invalid);
        }
        let stuck = self.simulator.is_deadlock(&self.state)?;
        Ok(if stuck { End::Valid } else { End::Unfinished })
    }
}

/// A trail under way.
struct Reader<'a> {
    walk: Walk<'a>,
    property: &'a Property,
    lines: Vec<TrailStep>,
    /// The number of lines that have been followed.
    at: usize,
    /// Whether a line may stand for several steps.
    merged: bool,
    /// How many steps were added since the last line.
    fetched: usize,
    steps: Vec<Step>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Reading, Misfit> {
        while self.at < self.lines.len() {
            let (moves, used) = match self.moves() {
                Ok(found) => found,
                // Breadth-first verifiers leave a line behind an invalid end state.
                Err(_) if self.is_last(1) && self.is_invalid_end() => break,
                Err(message) => return Err(self.misfit(&message)),
            };
            match self.step(&moves) {
                Ok(()) => self.at += used,
                Err(Stop::Error(error)) if self.is_last(used) => {
                    return Ok(self.failed(error, moves));
                }
                Err(Stop::Error(error)) => {
                    let left = self.lines.len() - self.at - used;
                    return Err(self.misfit(&goes_on(&error, left)));
                }
                Err(Stop::Illegal(_)) if self.is_last(used) && self.is_invalid_end() => break,
                Err(Stop::Illegal(_)) if self.merged && self.fetch_straggler() => continue,
                Err(Stop::Illegal(reason)) => return Err(self.misfit(&reason)),
            }
            if self.merged {
                self.fetched = 0;
                moves.iter().for_each(|moved| self.catch_up(moved.process));
            }
        }
        self.finish()
    }

    fn is_last(&self, used: usize) -> bool {
        self.at + used == self.lines.len()
    }

    fn step(&mut self, moves: &[Move]) -> Result<(), Stop> {
        self.steps.push(self.walk.take(moves)?);
        Ok(())
    }

    /// The moves of the next step and how many lines it takes.
    fn moves(&self) -> Result<(Vec<Move>, usize), String> {
        let first = self.walk.find(&self.lines[self.at])?;
        if !self.walk.is_rendezvous(&first) {
            return Ok((vec![first], 1));
        }
        let missing = "this is a rendezvous, but there is no line for the receiver";
        let receiver = self.lines.get(self.at + 1).ok_or_else(|| missing.to_string())?;
        Ok((vec![first, self.walk.find(receiver)?], 2))
    }

    fn is_invalid_end(&self) -> bool {
        self.walk.end(self.property) == Ok(End::Invalid)
    }

    // ---- merged statements ----

    /// Does what was merged with the last step of a process: it must come to where its next line
    /// can start.
    fn catch_up(&mut self, process: ProcessId) {
        let Some(pid) = self.walk.pid(process) else { return };
        let next = self.lines[self.at..].iter().find(|step| step.pid == pid).copied();
        let Some(next) = next else { return };
        for _ in 0..self.walk.network().processes[process].locations.len() {
            match self.walk.only_way(process) {
                Some(moved) if self.walk.find(&next).is_err() => {
                    if self.step(&[moved]).is_err() {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// Does one step of a process that others may wait for: one that has no line any more, or
    /// that has control. False if there is none, or if that seems to go on for ever.
    fn fetch_straggler(&mut self) -> bool {
        let processes = &self.walk.network().processes;
        let most: usize = processes.iter().map(|process| process.locations.len()).sum();
        self.fetched += 1;
        let done = |process: &ProcessId| {
            let pid = self.walk.pid(*process);
            self.walk.state.control == Some(*process)
                || !self.lines[self.at..].iter().any(|step| Some(step.pid) == pid)
        };
        let ways = processes.ids().filter(done).filter_map(|it| self.walk.only_way(it));
        let ways: Vec<Move> = ways.collect();
        self.fetched <= most && ways.iter().any(|moved| self.step(from_ref(moved)).is_ok())
    }

    /// Does what was merged with the last step of every process; gives the error that this raises.
    fn run_out(&mut self) -> Option<(RunTimeError, Move)> {
        let last = self.steps.last().map_or(Vec::new(), |step| step.moves.clone());
        let last = last.into_iter().map(|moved| moved.process);
        for process in last.chain(self.walk.network().processes.ids()) {
            for _ in 0..self.walk.network().processes[process].locations.len() {
                let Some(moved) = self.walk.only_way(process) else { break };
                match self.step(from_ref(&moved)) {
                    Ok(()) => {}
                    Err(Stop::Error(error)) => return Some((error, moved)),
                    Err(Stop::Illegal(_)) => break,
                }
            }
        }
        None
    }

    // ---- the end ----

    fn finish(mut self) -> Result<Reading, Misfit> {
        let end = self.walk.end(self.property).map_err(|stop| self.misfit(&stop.to_string()))?;
        if self.merged && end == End::Unfinished {
            let (state, steps) = (self.walk.state.clone(), self.steps.len());
            if let Some((error, moved)) = self.run_out() {
                return Ok(self.failed(error, vec![moved]));
            }
            if self.is_invalid_end() {
                return Ok(self.finished(End::Invalid));
            }
            self.walk.state = state;
            self.steps.truncate(steps);
        }
        Ok(self.finished(end))
    }

    fn failed(self, error: RunTimeError, moves: Vec<Move>) -> Reading {
        let ending = Ending::Error { error: error.clone(), moves };
        let trace = Trace { scale: SCALE, steps: self.steps, final_delay: 0, ending };
        Reading { trace, end: End::Error(error) }
    }

    fn finished(self, end: End) -> Reading {
        let ending = Ending::Goal;
        let trace = Trace { scale: SCALE, steps: self.steps, final_delay: 0, ending };
        Reading { trace, end }
    }

    fn misfit(&self, reason: &str) -> Misfit {
        let place = match self.lines.get(self.at) {
            Some(step) => format!("step {}", step.depth),
            None => "at the end".to_string(),
        };
        Misfit { message: format!("{place}: {reason}"), possible: self.walk.possible() }
    }
}

fn goes_on(error: &RunTimeError, left: usize) -> String {
    format!("{}, but the trail goes on ({} left)", error.kind, words::counted(left as u64, "line"))
}

impl Reading {
    /// Whether the model was given too little room for its processes.
    pub fn needs_room(&self) -> bool {
        matches!(&self.end, End::Error(error) if error.kind == ErrorKind::NoRoomForProcess)
    }
}
