//! From a path to a trace: concrete delays, and what every step changes (docs/algorithms.md, section 1.7).
//!
//! The path is followed once more, with exact zones. Every guard and invariant on the way then is a
//! constraint on the times of the steps: differences of two times, which `schedule` solves, or sums
//! of delays if clocks can be stopped, which `linear` solves.

use crate::condition::Difference;
use crate::explorer::Explorer;
use crate::fire::Successor;
use crate::linear::{Inequality, solve};
use crate::schedule::{Gap, Schedule, earliest};
use crate::step::{Path, Raised, Step};
use crate::steps::{Enabled, Steps};
use crate::successors::{Expansion, Fired, Prune, Workspace, keep_all};
use network::{Change, Ending, Id, LocationId, MAX_CLOCK_BOUND, ProcessId, Trace};
use zones::bound;

/// What a path ends in.
#[derive(Debug, Clone)]
pub enum End {
    /// A state that satisfies the goal.
    Goal,
    /// A run-time error of the model.
    Error(Raised),
}

/// Why a path has no trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTrace {
    /// The path cannot be followed; with exact zones that is a defect of the program.
    Lost,
    /// The path can be followed, but no delays were found for it.
    NoDelays,
}

/// A state of the path and how it was entered.
struct Stop {
    /// The state, with its exact zone after delay.
    state: Vec<i32>,
    /// What must hold when the step into it fires.
    guards: Vec<Difference>,
    /// Clocks that the step sets.
    resets: Vec<(u32, i32)>,
    /// What must hold while control is here.
    invariants: Vec<Difference>,
    may_delay: bool,
    /// The clocks that stand still here.
    stopped: Vec<u32>,
}

impl Explorer {
    /// The trace of a path.
    pub fn trace(&self, path: &Path, end: &End) -> Result<Trace, NoTrace> {
        let mut ws = self.workspace();
        let Expansion { machine, next, .. } = &mut ws.expansion;
        if let (Err(raised), End::Error(wanted)) = (self.enter_initial(machine, next), end)
            && raised == *wanted
            && path.is_empty()
        {
            // There is not even an initial state.
            let ending = Ending::Error { error: raised.error, moves: Vec::new() };
            return Ok(Trace { scale: 1, steps: Vec::new(), final_delay: 0, ending });
        }
        let (stops, last) = self.follow(&mut ws, path, end).ok_or(NoTrace::Lost)?;
        let schedule = if self.traits.stopwatches {
            schedule_with_stopwatches(&stops, &last)
        } else {
            schedule_without_stopwatches(self.layout.dim, &stops, &last)
        };
        let Schedule { scale, times } = schedule.ok_or(NoTrace::NoDelays)?;
        let step = |i: usize| network::Step {
            delay: times[i + 1] - times[i],
            moves: self.moves(path.step(i)),
            changes: self.changes(&stops[i].state, &stops[i + 1]),
        };
        let ending = match end {
            End::Goal => Ending::Goal,
            End::Error(raised) => {
                Ending::Error { error: raised.error.clone(), moves: self.moves(raised.step()) }
            }
        };
        let final_delay = times[path.len() + 1] - times[path.len()];
        Ok(Trace { scale, steps: (0..path.len()).map(step).collect(), final_delay, ending })
    }

    /// The stops of a path and what must hold at its very end. Where a step has several parts, the
    /// first combination that can be followed to the end is taken.
    fn follow(
        &self,
        ws: &mut Workspace,
        path: &Path,
        end: &End,
    ) -> Option<(Vec<Stop>, Vec<Difference>)> {
        let Expansion { machine, next, .. } = &mut ws.expansion;
        if !self.enter_initial(machine, next).ok()? {
            return None;
        }
        let mut stops = vec![self.stop(next, None)];
        // For each step of the path, the parts not tried yet.
        let mut untried: Vec<Vec<Stop>> = Vec::new();
        loop {
            if stops.len() == path.len() + 1 {
                if let Some(last) = self.demands_at_end(ws, &stops[path.len()].state, end) {
                    return Some((stops, last));
                }
            } else {
                let state = &stops[stops.len() - 1].state;
                untried.push(self.parts(ws, state, path.step(stops.len() - 1)));
            }
            while untried.last().is_some_and(|parts| parts.is_empty()) {
                untried.pop();
            }
            stops.truncate(untried.len());
            stops.push(untried.last_mut()?.pop()?);
        }
    }

    /// Every part of a step from an exact state.
    fn parts(&self, ws: &mut Workspace, state: &[i32], wanted: Step) -> Vec<Stop> {
        let mut parts = Vec::new();
        ws.expansion.state.copy_from_slice(state);
        // An error of another step of this state is of no concern here.
        let _ = self.each_successor(&mut ws.expansion, &mut keep_all, &mut |fired| {
            if *fired.words == wanted.words() {
                parts.push(self.stop(fired.next, fired.step.cell));
            }
            Ok(())
        });
        parts.reverse();
        parts
    }

    fn stop(&self, next: &Successor, cell: Option<&[i32]>) -> Stop {
        let dim = self.layout.dim;
        let mut guards = next.guards.clone();
        guards.extend(cell.iter().flat_map(|cell| differences_of(cell, dim)));
        let set = next.entry.reset_to.iter().enumerate().filter(|&(_, &value)| value >= 0);
        let stopped = (0..dim as u32).filter(|&x| next.entry.stopped[x as usize]);
        let mut state = next.state.clone();
        self.keep_in_range(&mut state);
        Stop {
            state,
            guards,
            resets: set.map(|(x, &value)| (x as u32, value)).collect(),
            invariants: next.entry.invariants.clone(),
            may_delay: next.entry.may_delay,
            stopped: stopped.collect(),
        }
    }

    /// Forgets how far clocks have run beyond everything they are compared with: on long paths exact
    /// bounds would leave the range that zones can compute with.
    fn keep_in_range(&self, state: &mut [i32]) {
        let (dim, zone) = (self.layout.dim, &mut state[self.layout.zone()]);
        let far = |&b: &i32| b != bound::INFINITY && b.abs() > bound::le(MAX_CLOCK_BOUND);
        if zone.iter().any(far) {
            zones::extrapolate_m_plus(zone, dim, &self.clock_maxima());
        }
    }

    /// What the clocks must satisfy at the end; none if the end is not there.
    fn demands_at_end(
        &self,
        ws: &mut Workspace,
        state: &[i32],
        end: &End,
    ) -> Option<Vec<Difference>> {
        match end {
            End::Goal => {
                let part = self.goal_part(ws, state).ok()??;
                Some(differences_of(&part, self.layout.dim))
            }
            End::Error(wanted) if wanted.step().is_none() => Some(Vec::new()),
            End::Error(wanted) => {
                // A search that leaves out steps may have met another one than the first.
                let by_wanted = |steps: &mut Steps| {
                    steps.retain(|steps, position| self.is_step(steps.get(position), wanted.step()))
                };
                let raised = self.first_error(ws, state, &mut keep_all);
                let raised = raised
                    .filter(|raised| raised == wanted)
                    .or_else(|| self.first_error(ws, state, &mut |_, steps| by_wanted(steps)))?;
                let demands = |zone: &[i32]| differences_of(zone, self.layout.dim);
                (raised == *wanted).then(|| raised.zone().map(demands).unwrap_or_default())
            }
        }
    }

    /// The error that a search meets in a state, if it takes the steps that are left.
    fn first_error(&self, ws: &mut Workspace, state: &[i32], prune: &mut Prune) -> Option<Raised> {
        ws.expansion.state.copy_from_slice(state);
        self.each_successor(&mut ws.expansion, prune, &mut |_: &mut Fired| Ok(())).err()
    }

    fn is_step(&self, enabled: Enabled, step: Step) -> bool {
        let mut words = Vec::new();
        self.write(enabled, &mut words);
        words == step.words()
    }

    /// What a step changed: locations, variables, channels, clocks, each in the order of the network.
    fn changes(&self, before: &[i32], after: &Stop) -> Vec<Change> {
        let network = self.network();
        let mut changes = Vec::new();
        for p in (0..self.layout.processes).filter(|&p| before[p] != after.state[p]) {
            changes.push(Change::Location {
                process: ProcessId::new(p),
                from: LocationId::new(before[p] as usize),
                to: LocationId::new(after.state[p] as usize),
            });
        }
        for (variable, declared) in network.variables.enumerate() {
            let crate::layout::Home::State(base) = self.layout.home(variable) else { continue };
            for element in 0..declared.len() {
                let (from, to) =
                    (before[base as usize + element], after.state[base as usize + element]);
                if from != to {
                    changes.push(Change::Variable { variable, element: element as u32, from, to });
                }
            }
        }
        for (channel, declared) in network.channels.enumerate() {
            let base = self.layout.channel(channel);
            for element in 0..declared.len() as u32 {
                let buffer = &self.layout.buffers[(base + element) as usize];
                let (from, to) = (buffer.messages(before), buffer.messages(&after.state));
                if from != to {
                    changes.push(Change::Channel { channel, element, from, to });
                }
            }
        }
        for (clock, declared) in network.clocks.enumerate() {
            let base = self.layout.clock(clock);
            let own = |&&(x, _): &&(u32, i32)| x >= base && x < base + declared.len() as u32;
            for &(x, to) in after.resets.iter().filter(own) {
                changes.push(Change::Clock { clock, element: x - base, to });
            }
        }
        changes
    }
}

/// The finite bounds of a zone.
fn differences_of(zone: &[i32], dim: usize) -> Vec<Difference> {
    let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j)));
    pairs
        .filter(|&(i, j)| i != j && zone[i * dim + j] != bound::INFINITY)
        .map(|(i, j)| Difference { i: i as u32, j: j as u32, bound: zone[i * dim + j] })
        .collect()
}

/// The time at which each clock was last set, and to what.
struct LastSet {
    time: Vec<usize>,
    value: Vec<i64>,
}

/// Calls `demand` for every constraint of the path: the bound, the number of the time at which it
/// must hold, and when the clocks were set before.
fn each_demand(
    dim: usize,
    stops: &[Stop],
    last: &[Difference],
    demand: &mut dyn FnMut(Difference, usize, &LastSet),
) {
    let mut set = LastSet { time: vec![0; dim], value: vec![0; dim] };
    for (i, stop) in stops.iter().enumerate() {
        stop.guards.iter().filter(|_| i > 0).for_each(|&d| demand(d, i, &set));
        for &(x, value) in &stop.resets {
            (set.time[x as usize], set.value[x as usize]) = (i, value as i64);
        }
        for at in [i, i + 1] {
            stop.invariants.iter().for_each(|&d| demand(d, at, &set));
        }
    }
    last.iter().for_each(|&d| demand(d, stops.len(), &set));
}

/// Time `i` is that of the step into stop `i`; the last time is the end.
fn schedule_without_stopwatches(
    dim: usize,
    stops: &[Stop],
    last: &[Difference],
) -> Option<Schedule> {
    let mut gaps = Vec::new();
    for (i, stop) in stops.iter().enumerate() {
        gaps.push(Gap { later: i + 1, earlier: i, least: 0, strict: false });
        if !stop.may_delay {
            gaps.push(Gap { later: i, earlier: i + 1, least: 0, strict: false });
        }
    }
    each_demand(dim, stops, last, &mut |d, at, set| {
        // x_i - x_j with x = time[at] - time[set] + value; clock 0 is time[at] - time[at].
        let origin =
            |x: u32| if x == 0 { (at, 0) } else { (set.time[x as usize], set.value[x as usize]) };
        let ((since_i, value_i), (since_j, value_j)) = (origin(d.i), origin(d.j));
        let limit = bound::constant(d.bound) as i64 - value_i + value_j;
        let strict = bound::is_strict(d.bound);
        gaps.push(Gap { later: since_i, earlier: since_j, least: -limit, strict });
    });
    gaps.retain(|g| g.later != g.earlier || g.least > 0 || g.strict && g.least == 0);
    gaps.dedup();
    earliest(stops.len() + 1, &gaps)
}

/// Unknown `i` is the delay in stop `i`.
fn schedule_with_stopwatches(stops: &[Stop], last: &[Difference]) -> Option<Schedule> {
    let dim = 1 + stops[0].resets.len();
    let mut inequalities = Vec::new();
    for (i, stop) in stops.iter().enumerate() {
        if !stop.may_delay {
            inequalities.push(Inequality { terms: vec![(i, 1)], limit: 0, strict: false });
        }
    }
    each_demand(dim, stops, last, &mut |d, at, set| {
        let mut terms = Vec::new();
        let mut limit = bound::constant(d.bound) as i64;
        for (x, sign) in [(d.i, 1), (d.j, -1)].into_iter().filter(|&(x, _)| x > 0) {
            limit -= sign * set.value[x as usize];
            let running = |&i: &usize| !stops[i].stopped.contains(&x);
            terms.extend((set.time[x as usize]..at).filter(running).map(|i| (i, sign)));
        }
        inequalities.push(Inequality { terms, limit, strict: bound::is_strict(d.bound) });
    });
    inequalities.dedup();
    let (scale, delays) = solve(stops.len(), &inequalities)?;
    let mut times = vec![0];
    for delay in delays {
        times.push(times[times.len() - 1] + delay);
    }
    Some(Schedule { scale, times })
}
