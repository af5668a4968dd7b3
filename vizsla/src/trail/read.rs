//! A trail as a trace: every line must be a step of the model.

use super::{SCALE, Walk};
use crate::Model;
use network::{Ending, Id, Move, ProcessId, Property, RunTimeError, Step, Trace};
use promela::trail::{Trail, TrailStep};
use replay::Stop;
use std::slice::from_ref;

/// What a trail says about a model.
pub struct Reading {
    /// The property whose observer is the claim that was followed.
    pub claim: Option<Property>,
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
    /// The claim reaches its end.
    ClaimOver,
    /// Nothing is possible, but some process is not at a valid end.
    Invalid,
    /// Nothing is possible, and every process has come to a valid end.
    Valid,
    /// Processes can still move.
    Unfinished,
}

/// Why a trail is none of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrailMismatch {
    /// What is wrong, and in which step.
    pub message: String,
    /// What would have been possible there.
    pub possible: Vec<String>,
}

/// The trace of a trail, judged by a property that tells invalid end states.
pub fn read(model: &Model, property: &Property, trail: &Trail) -> Result<Reading, TrailMismatch> {
    let bare = |message: String| TrailMismatch { message, possible: Vec::new() };
    let claim = claim_of(model, trail);
    let walk = Walk::start(model, claim.as_ref()).map_err(bare)?;
    let (lines, merged) = (lines(trail, claim.is_some()), trail.merged);
    let steps = Vec::new();
    Reader { walk, property, claim, lines, at: 0, merged, fetched: 0, steps }.read()
}

/// The property of the claim that a trail follows. Where statements are merged, the claim moves
/// less often than an observer does.
fn claim_of(model: &Model, trail: &Trail) -> Option<Property> {
    let number = trail.claim.filter(|_| !trail.merged)?;
    let is_meant = |process: &ProcessId| {
        let numbers = model.numbering.processes.get(process.index());
        numbers.is_some_and(|it| it.claim.map(i64::from) == Some(number))
    };
    let mut properties = model.network.properties.iter();
    properties.find(|property| property.observer.as_ref().is_some_and(is_meant)).cloned()
}

/// The lines with the numbers that processes have without a claim; the claim has -1, if its steps
/// are to be followed.
fn lines(trail: &Trail, with_claim: bool) -> Vec<TrailStep> {
    let shift = i64::from(trail.claim.is_some());
    let all = trail.steps.iter().map(|step| TrailStep { pid: step.pid - shift, ..*step });
    all.filter(|step| with_claim || step.pid >= 0).collect()
}

/// A trail under way.
struct Reader<'a> {
    walk: Walk<'a>,
    property: &'a Property,
    claim: Option<Property>,
    lines: Vec<TrailStep>,
    /// The number of lines that have been followed.
    at: usize,
    /// Whether a line may stand for several steps.
    merged: bool,
    /// How many steps were added since the last line.
    fetched: usize,
    steps: Vec<Step>,
}

/// The moves of a step and the lines that say so.
struct Found {
    moves: Vec<Move>,
    /// What the claim does, before the others.
    look: Option<Move>,
    used: usize,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Reading, TrailMismatch> {
        while self.at < self.lines.len() {
            let found = match self.find() {
                Ok(found) => found,
                // Breadth-first verifiers leave a line after an invalid end state.
                Err(_) if self.is_last(1) && self.is_invalid_end() => break,
                Err(message) => return Err(self.misfit(&message)),
            };
            let last = self.is_last(found.used);
            if let Some(look) = found.look.as_ref().filter(|_| last && found.moves.is_empty())
                && self.leads_to_end(look)
            {
                return Ok(self.finished(End::ClaimOver));
            }
            let moves: Vec<Move> = found.moves.iter().chain(&found.look).cloned().collect();
            match self.step(&moves) {
                Ok(()) => self.at += found.used,
                Err(Stop::Error(error)) if last || error.lacks_room() => {
                    return Ok(self.failed(error, found));
                }
                Err(Stop::Error(error)) => {
                    let left = self.lines.len() - self.at - found.used;
                    return Err(self.misfit(&goes_on(&error.kind.message(self.walk.network), left)));
                }
                Err(Stop::Illegal(_)) if last && self.is_invalid_end() => break,
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

    /// The next step.
    fn find(&self) -> Result<Found, String> {
        let (look, used) = self.look()?;
        let mut found = Found { moves: Vec::new(), look, used };
        let Some(line) = self.lines.get(self.at + used).filter(|line| line.pid >= 0) else {
            return Ok(found);
        };
        found.moves.push(self.walk.find(line)?);
        found.used += 1;
        if self.walk.is_rendezvous(&found.moves[0]) {
            let missing = "this is a rendezvous, but there is no line for the receiver";
            let receiver = self.lines.get(self.at + found.used);
            let receiver = receiver.ok_or_else(|| missing.to_string())?;
            found.moves.push(self.walk.find(receiver)?);
            found.used += 1;
        }
        Ok(found)
    }

    /// What the claim does now, and in how many lines.
    fn look(&self) -> Result<(Option<Move>, usize), String> {
        let Some(observer) = self.claim.as_ref().and_then(|claim| claim.observer) else {
            return Ok((None, 0));
        };
        if self.walk.state.control.is_some() {
            return Ok((None, 0));
        }
        let rest = self.lines[self.at..].iter().take_while(|line| line.pid < 0);
        let rest: Vec<i64> = rest.map(|line| line.id).collect();
        let of_claim = |edge: &network::EdgeId| {
            let ids = self.walk.numbering.ids(observer, *edge).unwrap_or_default();
            let ids: Vec<i64> = ids.into_iter().map(i64::from).collect();
            !ids.is_empty() && rest.starts_with(&ids)
        };
        let edge = self.walk.outgoing(observer).find(of_claim);
        let edge = edge.ok_or("the claim has no such transition there")?;
        let used = self.walk.numbering.ids(observer, edge).map_or(1, |ids| ids.len());
        Ok((Some(Move { process: observer, edge, selects: Vec::new() }), used))
    }

    /// Whether the claim can make this move now and is over then.
    fn leads_to_end(&self, look: &Move) -> bool {
        let Some(claim) = &self.claim else { return false };
        let mut after = self.walk.state.clone();
        let edge = &self.walk.network.processes[look.process].edges[look.edge];
        after.locations[look.process.index()] = edge.target;
        self.walk.simulator.observer_moves(&self.walk.state).contains(look)
            && self.walk.simulator.is_goal(&after, claim) == Ok(true)
    }

    fn is_invalid_end(&self) -> bool {
        self.end() == Ok(End::Invalid)
    }

    fn end(&self) -> Result<End, Stop> {
        let simulator = &self.walk.simulator;
        if simulator.is_goal(&self.walk.state, self.property)? {
            return Ok(End::Invalid);
        }
        let stuck = simulator.is_deadlock(&self.walk.state)?;
        Ok(if stuck { End::Valid } else { End::Unfinished })
    }

    // ---- merged statements ----

    /// Does what was merged with the last step of a process: it must come to where its next line
    /// can start.
    fn catch_up(&mut self, process: ProcessId) {
        let Some(pid) = self.walk.pid(process) else { return };
        let next = self.lines[self.at..].iter().find(|step| step.pid == pid).copied();
        let Some(next) = next else { return };
        for _ in 0..self.walk.network.processes[process].locations.len() {
            match self.walk.only_edge(process) {
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
        let processes = &self.walk.network.processes;
        let most: usize = processes.iter().map(|process| process.locations.len()).sum();
        self.fetched += 1;
        let done = |process: &ProcessId| {
            let pid = self.walk.pid(*process);
            self.walk.state.control == Some(*process)
                || !self.lines[self.at..].iter().any(|step| Some(step.pid) == pid)
        };
        let outgoing = processes.ids().filter(done).filter_map(|it| self.walk.only_edge(it));
        let outgoing: Vec<Move> = outgoing.collect();
        self.fetched <= most && outgoing.iter().any(|moved| self.step(from_ref(moved)).is_ok())
    }

    /// Does what was merged with the last step of every process; returns the error that this raises.
    fn run_out(&mut self) -> Option<(RunTimeError, Move)> {
        let last = self.steps.last().map_or(Vec::new(), |step| step.moves.clone());
        let last = last.into_iter().map(|moved| moved.process);
        for process in last.chain(self.walk.network.processes.ids()) {
            for _ in 0..self.walk.network.processes[process].locations.len() {
                let Some(moved) = self.walk.only_edge(process) else { break };
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

    fn finish(mut self) -> Result<Reading, TrailMismatch> {
        let end = match self.end() {
            // It is in what was merged with the last line.
            Err(Stop::Error(_)) if self.merged => End::Unfinished,
            end => end.map_err(|stop| self.misfit(&stop.message(self.walk.network)))?,
        };
        if self.merged && end == End::Unfinished {
            let (state, steps) = (self.walk.state.clone(), self.steps.len());
            if let Some((error, moved)) = self.run_out() {
                return Ok(self.failed(error, Found { moves: vec![moved], look: None, used: 0 }));
            }
            if self.is_invalid_end() {
                return Ok(self.finished(End::Invalid));
            }
            self.walk.state = state;
            self.steps.truncate(steps);
        }
        Ok(self.finished(end))
    }

    fn failed(self, error: RunTimeError, found: Found) -> Reading {
        let moves = match found.moves.is_empty() {
            true => found.look.into_iter().collect(),
            false => found.moves,
        };
        let ending = Ending::Error { error: error.clone(), moves };
        let trace = Trace { scale: SCALE, steps: self.steps, final_delay: 0, ending };
        Reading { claim: self.claim, trace, end: End::Error(error) }
    }

    fn finished(self, end: End) -> Reading {
        let ending = Ending::Goal;
        let trace = Trace { scale: SCALE, steps: self.steps, final_delay: 0, ending };
        Reading { claim: self.claim, trace, end }
    }

    fn misfit(&self, reason: &str) -> TrailMismatch {
        let place = match self.lines.get(self.at) {
            Some(step) => format!("step {}", step.depth),
            None => "at the end".to_string(),
        };
        TrailMismatch { message: format!("{place}: {reason}"), possible: self.walk.possible() }
    }
}

fn goes_on(error: &str, left: usize) -> String {
    let lines = if left == 1 { "line" } else { "lines" };
    format!("{error}, but the trail goes on ({left} {lines} left)")
}

impl Reading {
    /// Whether the model was given too little room for its processes.
    pub fn needs_room(&self) -> bool {
        matches!(&self.end, End::Error(error) if error.lacks_room())
    }
}
