//! Replays a trace from the initial state and says where it goes wrong, if it does.

use network::{Change, Ending, ErrorKind, Move, Network, Property, RunTimeError, Trace};

use crate::{Simulator, State, Stop};

/// What a trace that is right leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The last state, after the final delay.
    pub state: State,
    /// The ticks that passed in all.
    pub time: i128,
    /// The run-time error that is raised there, if one was claimed, with its place.
    pub error: Option<RunTimeError>,
}

/// The first thing that is wrong with a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The step, counted from 1; 0 for the initial state, one more than there are for the ending.
    pub step: usize,
    /// What is wrong and where, in plain words.
    pub message: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mismatch {}

/// Replays a trace: every delay, step and change must be right, and so must the ending.
///
/// Without a goal a trace may end anywhere, but a claimed run-time error must be raised.
pub fn check(
    network: &Network,
    goal: Option<&Property>,
    trace: &Trace,
) -> Result<Replayed, Mismatch> {
    let mut run = Run::start(network, goal, trace.scale)?;
    for step in &trace.steps {
        let changes = run.step(step.delay, &step.moves)?;
        run.compare(&step.changes, &changes)?;
    }
    run.end(trace.final_delay, goal, &trace.ending)
}

/// Replays a trace like [`check`], except that what its steps change is not compared but added.
pub fn with_changes(
    network: &Network,
    goal: Option<&Property>,
    mut trace: Trace,
) -> Result<Trace, Mismatch> {
    let mut run = Run::start(network, goal, trace.scale)?;
    for step in &mut trace.steps {
        step.changes = run.step(step.delay, &step.moves)?;
    }
    run.end(trace.final_delay, goal, &trace.ending)?;
    Ok(trace)
}

/// A replay under way.
struct Run<'n> {
    simulator: Simulator<'n>,
    state: State,
    /// What the invariants of the initial state raise: all that a trace can say then.
    refused: Option<RunTimeError>,
    time: i128,
    /// The number of the step under way, from 1.
    step: usize,
}

impl<'n> Run<'n> {
    fn start(network: &'n Network, goal: Option<&Property>, scale: i64) -> Result<Self, Mismatch> {
        let wrong = |stop: Stop| {
            let message = format!("at the start: {}", stop.message(network));
            Mismatch { step: 0, message }
        };
        let simulator = Simulator::new(network, scale).map_err(wrong)?.observing(goal);
        let (state, refused) = match simulator.initial() {
            Err(Stop::Error(error)) => (State::declared(network, scale), Some(error)),
            other => (other.map_err(wrong)?, None),
        };
        Ok(Run { simulator, state, refused, time: 0, step: 0 })
    }

    fn step(&mut self, delay: i64, moves: &[Move]) -> Result<Vec<Change>, Mismatch> {
        self.step += 1;
        self.check_started().map_err(|stop| self.in_step(self.tell(stop)))?;
        self.delay(delay).map_err(|stop| self.in_step(self.tell(stop)))?;
        let taken = self.simulator.take(&self.state, moves);
        let (state, changes) = taken.map_err(|stop| self.in_step(self.tell(stop)))?;
        self.state = state;
        Ok(changes)
    }

    fn tell(&self, stop: Stop) -> String {
        stop.message(self.simulator.network())
    }

    fn check_started(&self) -> Result<(), Stop> {
        self.refused.clone().map_or(Ok(()), |error| Err(Stop::Error(error)))
    }

    fn delay(&mut self, ticks: i64) -> Result<(), Stop> {
        // Nothing happens in a delay of 0, so the state need not be copied.
        if ticks != 0 {
            self.state = self.simulator.delay(&self.state, ticks)?;
            self.time += ticks as i128;
        }
        Ok(())
    }

    fn compare(&self, claimed: &[Change], actual: &[Change]) -> Result<(), Mismatch> {
        for position in 0..claimed.len().max(actual.len()) {
            let (claimed, actual) = (claimed.get(position), actual.get(position));
            if claimed != actual {
                return Err(self.in_step(format!(
                    "change {} should be {} but is {}",
                    position + 1,
                    self.describe(actual),
                    self.describe(claimed)
                )));
            }
        }
        Ok(())
    }

    fn end(
        mut self,
        delay: i64,
        goal: Option<&Property>,
        ending: &Ending,
    ) -> Result<Replayed, Mismatch> {
        self.step += 1;
        let by_state = matches!(ending, Ending::Error { moves, .. } if moves.is_empty());
        if delay != 0 || !by_state {
            self.check_started().map_err(|stop| self.at_end(self.tell(stop)))?;
        }
        self.delay(delay).map_err(|stop| self.at_end(self.tell(stop)))?;
        let error = match ending {
            Ending::Goal => self.check_goal(goal).map(|()| None)?,
            Ending::Error { error, moves } => Some(self.check_error(goal, error, moves)?),
        };
        Ok(Replayed { state: self.state, time: self.time, error })
    }

    fn check_goal(&self, goal: Option<&Property>) -> Result<(), Mismatch> {
        let Some(goal) = goal else { return Ok(()) };
        match self.simulator.is_goal(&self.state, goal) {
            Ok(true) => Ok(()),
            Ok(false) => {
                Err(self.at_end(format!("the state does not satisfy the goal of {}", goal.text)))
            }
            Err(stop) => Err(self.at_end(self.tell(stop))),
        }
    }

    fn check_error(
        &self,
        goal: Option<&Property>,
        claimed: &RunTimeError,
        moves: &[Move],
    ) -> Result<RunTimeError, Mismatch> {
        let raised = match moves {
            [] => self.errors_without_moves(goal),
            moves => self.errors_of_moves(moves),
        };
        let raised = raised.map_err(|stop| self.at_end(self.tell(stop)))?;
        let alike = |error: &&RunTimeError| same(error.kind, claimed.kind);
        let exact = raised.iter().find(|error| *error == claimed);
        if let Some(error) = exact.or_else(|| raised.iter().find(alike)) {
            return Ok(error.clone());
        }
        let found = match raised.first() {
            Some(error) => format!("it is: {}", error.kind.message(self.simulator.network())),
            None => "there is none".to_string(),
        };
        let claimed = claimed.kind.message(self.simulator.network());
        Err(self.at_end(format!("the run-time error should be: {claimed}; {found}")))
    }

    fn errors_of_moves(&self, moves: &[Move]) -> Result<Vec<RunTimeError>, Stop> {
        let raised = self.simulator.errors_of_moves(&self.state, moves)?;
        Ok(raised.into_iter().map(|raised| raised.error).collect())
    }

    /// What invariants, rates and the goal raise.
    fn errors_without_moves(&self, goal: Option<&Property>) -> Result<Vec<RunTimeError>, Stop> {
        let raised = self.simulator.errors_of_state(&self.state)?;
        let mut errors: Vec<RunTimeError> = raised.into_iter().map(|raised| raised.error).collect();
        let goal = goal.map(|goal| self.simulator.is_goal(&self.state, goal));
        if let Some(Err(Stop::Error(error))) = goal {
            errors.push(error);
        }
        Ok(errors)
    }

    fn in_step(&self, message: impl std::fmt::Display) -> Mismatch {
        Mismatch { step: self.step, message: format!("step {}: {message}", self.step) }
    }
    fn at_end(&self, message: impl std::fmt::Display) -> Mismatch {
        Mismatch { step: self.step, message: format!("at the end: {message}") }
    }

    fn describe(&self, change: Option<&Change>) -> String {
        let network = self.simulator.network();
        match change {
            None => "nothing".to_string(),
            Some(Change::Location { process, from, to }) => {
                let Some(process) = network.processes.try_at(*process) else {
                    return format!("a location of no process ({})", process.0);
                };
                let name = |id| process.locations.try_at(id).map_or("?", |l| l.name.as_str());
                format!("{} {} -> {}", process.name, name(*from), name(*to))
            }
            Some(Change::Variable { variable, element, from, to }) => {
                let name = network.variables.try_at(*variable).map_or("?".to_string(), |v| {
                    network::element_name(&v.name, &v.dimensions, *element as usize)
                });
                format!("{name}: {from} -> {to}")
            }
            Some(Change::Channel { channel, element, from, to }) => {
                let name = network.channels.try_at(*channel).map_or("?".to_string(), |c| {
                    network::element_name(&c.name, &c.dimensions, *element as usize)
                });
                format!("{name}: {from:?} -> {to:?}")
            }
            Some(Change::Clock { clock, element, to }) => {
                let name = network.clocks.try_at(*clock).map_or("?".to_string(), |c| {
                    network::element_name(&c.name, &c.dimensions, *element as usize)
                });
                format!("{name} := {to}")
            }
        }
    }
}

/// Whether two errors are the same, however two rates of a clock are put into one number.
fn same(a: ErrorKind, b: ErrorKind) -> bool {
    matches!((a, b), (ErrorKind::Rate(_), ErrorKind::Rate(_))) || a == b
}
