//! Spin's trails: a trace of a Promela model as a trail, and a trail as a trace.
//!
//! Both follow the run with the interpreter of `replay`, because a trail names a process by the
//! number that it has at that moment.

use crate::json::TraceFile;
use crate::load::Model;
use ::replay::{Simulator, State, Stop};
use network::{
    Ending, ErrorKind, Id, Move, Network, ProcessId, Property, RunTimeError, Step, Trace,
};
use promela::trail::{Numbering, Pid, Trail, TrailStep};

/// Ticks per unit of time: in Promela no time passes.
const SCALE: i64 = 1;

/// The trail of a trace.
pub fn write(model: &Model, file: &TraceFile) -> Result<Trail, String> {
    let mut walk = Walk::start(model)?;
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
    Reader { walk, property, rest: own_steps(trail), steps: Vec::new() }.read()
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
        for moved in moves {
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
    /// The lines that are left, the next one first.
    rest: Vec<TrailStep>,
    steps: Vec<Step>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Reading, Misfit> {
        let lines = std::mem::take(&mut self.rest);
        let mut at = 0;
        while let Some(step) = lines.get(at) {
            let (moves, used) = match self.moves(&lines[at..]) {
                Ok(found) => found,
                // Breadth-first verifiers leave a line behind an invalid end state.
                Err(_) if at + 1 == lines.len() && self.is_invalid_end() => break,
                Err(message) => return Err(self.misfit(step, &message)),
            };
            match self.walk.take(&moves) {
                Ok(step) => self.steps.push(step),
                Err(Stop::Error(error)) if at + used == lines.len() => {
                    return Ok(self.failed(error, moves));
                }
                Err(Stop::Error(error)) => {
                    return Err(self.misfit(step, &goes_on(&error, lines.len() - at - used)));
                }
                Err(Stop::Illegal(_)) if at + used == lines.len() && self.is_invalid_end() => break,
                Err(Stop::Illegal(reason)) => return Err(self.misfit(step, &reason)),
            }
            at += used;
        }
        let last = lines.last().copied().unwrap_or(TrailStep { depth: 0, pid: 0, id: 0 });
        let end = self.walk.end(self.property);
        let end = end.map_err(|stop| self.misfit(&last, &stop.to_string()))?;
        Ok(self.finished(end))
    }

    /// The moves of the next step and how many lines it takes.
    fn moves(&self, lines: &[TrailStep]) -> Result<(Vec<Move>, usize), String> {
        let first = self.walk.find(&lines[0])?;
        if !self.walk.is_rendezvous(&first) {
            return Ok((vec![first], 1));
        }
        let missing = "this is a rendezvous, but there is no line for the receiver";
        let receiver = lines.get(1).ok_or_else(|| missing.to_string())?;
        Ok((vec![first, self.walk.find(receiver)?], 2))
    }

    fn is_invalid_end(&self) -> bool {
        self.walk.end(self.property) == Ok(End::Invalid)
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

    fn misfit(&self, step: &TrailStep, reason: &str) -> Misfit {
        Misfit { message: format!("step {}: {reason}", step.depth), possible: self.walk.possible() }
    }
}

fn goes_on(error: &RunTimeError, left: usize) -> String {
    format!("{}, but the trail goes on for {left} more lines", error.kind)
}

impl Reading {
    /// Whether the model was given too little room for its processes.
    pub fn needs_room(&self) -> bool {
        matches!(&self.end, End::Error(error) if error.kind == ErrorKind::NoRoomForProcess)
    }
}
