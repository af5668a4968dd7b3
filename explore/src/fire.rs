//! What happens when a step fires: guards on clocks, updates, invariants, resets, delay.

use crate::candidates::View;
use crate::condition::{Difference, evaluate};
use crate::edge::{LocationCode, Update};
use crate::explorer::{Explorer, constrain};
use crate::machine::Machine;
use crate::steps::{Candidate, Enabled, Steps};
use network::{ErrorKind, Id, LocationKind, RunTimeError, cancellation};
use zones::bound;

/// A successor in the making.
#[derive(Debug)]
pub(crate) struct Successor {
    pub state: Vec<i32>,
    /// What the clock guards of the step demand.
    pub guards: Vec<Difference>,
    pub entry: Entry,
    ahead: Ahead,
}

/// How a state is entered: what becomes of its clocks.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The value each clock is set to, or -1.
    pub reset_to: Vec<i32>,
    /// What the invariants demand.
    pub invariants: Vec<Difference>,
    /// Whether time may pass.
    pub may_delay: bool,
    /// The clocks that stand still.
    pub stopped: Vec<bool>,
    /// The upper bounds among the invariants.
    caps: Vec<(usize, i32)>,
}

/// Room for finding out what is possible in a successor.
#[derive(Debug, Default)]
struct Ahead {
    values: Vec<i32>,
    steps: Steps,
}

impl Successor {
    pub fn new(explorer: &Explorer) -> Self {
        let dim = explorer.layout.dim;
        Successor {
            state: vec![0; explorer.layout.words()],
            guards: Vec::new(),
            entry: Entry {
                reset_to: vec![-1; dim],
                invariants: Vec::new(),
                may_delay: false,
                stopped: vec![false; dim],
                caps: Vec::new(),
            },
            ahead: Ahead::default(),
        }
    }
}

impl Explorer {
    /// Lets a step happen, up to and including the invariants of the state that is entered, without
    /// delay and before clocks are set: the zone is where the step is possible. False if it is nowhere.
    /// After an error the zone is where the error occurs.
    pub(crate) fn fire(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        step: Enabled,
        next: &mut Successor,
    ) -> Result<bool, RunTimeError> {
        cancellation::check();
        let fires = self.guard(machine, state, step, next)? && self.update(machine, step, next)?;
        if fires {
            self.settle_control(machine, step, next);
        }
        Ok(fires)
    }

    /// Copies the state and applies the clock guards of the step.
    pub(crate) fn guard(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        step: Enabled,
        next: &mut Successor,
    ) -> Result<bool, RunTimeError> {
        let Successor { state: next, guards, .. } = next;
        next.copy_from_slice(state);
        guards.clear();
        let zone = self.layout.zone();
        if zone.is_empty() {
            return Ok(true);
        }
        let zone = &mut next[zone];
        if let Some(cell) = step.cell {
            zone.copy_from_slice(cell);
        }
        let mut evaluated = Ok(());
        for &candidate in step.moves {
            let clocks = &self.edges[candidate.edge].clocks;
            if !clocks.is_empty() && evaluated.is_ok() {
                self.bind(machine, candidate, step.values);
                evaluated = evaluate(clocks, &self.program, machine, state, guards);
            }
        }
        // An error counts only where what was asked before it can hold.
        let holds = guards.iter().all(|guard| constrain(zone, self.layout.dim, *guard));
        if holds { evaluated.map(|()| true) } else { Ok(false) }
    }

    /// Runs the updates of the step and enters the targets.
    fn update(
        &self,
        machine: &mut Machine,
        step: Enabled,
        next: &mut Successor,
    ) -> Result<bool, RunTimeError> {
        machine.begin_step();
        next.entry.reset_to.fill(-1);
        for &candidate in step.moves {
            self.hand_over(machine, step, candidate, &mut next.state)?;
            let Successor { state, entry: Entry { reset_to, .. }, .. } = next;
            match &self.edges[candidate.edge].update {
                Update::Constants { words, resets } => {
                    words.iter().for_each(|&(slot, value)| state[slot as usize] = value);
                    resets.iter().for_each(|&(x, value)| reset_to[x as usize] = value);
                }
                Update::Code(entry, frame) => {
                    self.bind(machine, candidate, step.values);
                    let before = machine.resets.len();
                    machine.run(&self.program, *entry, *frame, state)?;
                    for &(x, value) in &machine.resets[before..] {
                        reset_to[x as usize] = value;
                    }
                }
            }
        }
        for candidate in step.moves {
            let edge = &self.edges[candidate.edge];
            next.state[edge.process.index()] = edge.target;
        }
        self.enter(machine, next)
    }

    /// Stores the message of the sender where its receiver wants it.
    fn hand_over(
        &self,
        machine: &mut Machine,
        step: Enabled,
        receiver: Candidate,
        state: &mut [i32],
    ) -> Result<(), RunTimeError> {
        let Some(stores) = &self.edges[receiver.edge].meeting.stores else {
            return Ok(());
        };
        self.bind(machine, receiver, step.values);
        let from = step.moves[0].message as usize;
        let fields = stores.fields.iter().rev().map(|&field| step.values[from + field]);
        machine.run_with(&self.program, stores.entry, stores.frame, state, fields)
    }

    /// Applies the invariants of the locations entered; the constraints on the zone *before* clocks are
    /// set are those invariants with the values of set clocks put in, so that what is left is exactly
    /// where the step is possible.
    pub(crate) fn enter(
        &self,
        machine: &mut Machine,
        next: &mut Successor,
    ) -> Result<bool, RunTimeError> {
        if !self.traits.conditions {
            return Ok(true);
        }
        let Successor { state, entry, ahead, .. } = next;
        entry.invariants.clear();
        for (p, locations) in self.locations.iter().enumerate() {
            let location = &locations[state[p] as usize];
            if !location.invariant.holds(&self.program, machine, state)? {
                return Ok(false);
            }
            evaluate(&location.clocks, &self.program, machine, state, &mut entry.invariants)?;
        }
        if self.traits.stopwatches {
            self.find_stopped(machine, state, &mut entry.stopped)?;
        }
        entry.may_delay = self.may_delay(machine, state, &mut ahead.values);
        let zone = &mut state[self.layout.zone()];
        entry.caps.clear();
        for &d in &entry.invariants {
            match before_resets(d, &entry.reset_to) {
                Ok(Difference { i, j: 0, bound }) => entry.caps.push((i as usize, bound)),
                Ok(d) if constrain(zone, self.layout.dim, d) => {}
                Err(true) => {}
                _ => return Ok(false),
            }
        }
        Ok(zones::constrain_above(zone, self.layout.dim, &entry.caps))
    }

    /// Sets clocks and lets time pass where it may.
    pub(crate) fn elapse(&self, next: &mut Successor) {
        let dim = self.layout.dim;
        if dim == 0 {
            return;
        }
        let Successor { state, entry, .. } = next;
        let zone = &mut state[self.layout.zone()];
        for (x, &value) in entry.reset_to.iter().enumerate().skip(1) {
            if value >= 0 {
                zones::reset(zone, dim, x, value);
            }
        }
        if !entry.may_delay {
            return;
        }
        if self.traits.stopwatches {
            zones::up_with_stopped(zone, dim, &entry.stopped);
        } else {
            zones::up(zone, dim);
        }
        // The zone before the delay satisfied the invariants, so it cannot become empty.
        let is_cap = |d: &&Difference| d.j == 0;
        let Entry { invariants, caps, .. } = entry;
        caps.clear();
        caps.extend(invariants.iter().filter(is_cap).map(|d| (d.i as usize, d.bound)));
        zones::constrain_above(zone, dim, caps);
        for &d in invariants.iter().filter(|d| !is_cap(d)) {
            constrain(zone, dim, d);
        }
    }

    /// Finds which clocks stand still.
    fn find_stopped(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        stopped: &mut [bool],
    ) -> Result<(), RunTimeError> {
        const UNKNOWN: i32 = -1;
        let mut rates = vec![UNKNOWN; self.layout.dim];
        for (p, locations) in self.locations.iter().enumerate() {
            for (when, clock, rate, span) in &locations[state[p] as usize].rates {
                if !when.holds(&self.program, machine, state)? {
                    continue;
                }
                let clock = clock.of(&self.program, machine, state)? as usize;
                let rate = rate.of(&self.program, machine, state)?;
                if !(0..=1).contains(&rate) || ![UNKNOWN, rate].contains(&rates[clock]) {
                    return Err(RunTimeError { kind: ErrorKind::Rate(rate), span: *span });
                }
                rates[clock] = rate;
            }
        }
        stopped.iter_mut().zip(&rates).for_each(|(stopped, &rate)| *stopped = rate == 0);
        Ok(())
    }

    /// Whether time may pass, as far as locations and urgent channels say.
    fn may_delay(&self, machine: &mut Machine, state: &mut [i32], values: &mut Vec<i32>) -> bool {
        let stands_still = |(all, &l): (&Vec<LocationCode>, &i32)| {
            matches!(all[l as usize].kind, LocationKind::Urgent | LocationKind::Committed)
        };
        !self.locations.iter().zip(&*state).any(stands_still)
            && (!self.traits.urgent_channels
                || !self.is_urgent(&mut View { machine, state, values }))
    }

    /// Notes in the successor whether the last process that moved has control.
    fn settle_control(&self, machine: &mut Machine, step: Enabled, next: &mut Successor) {
        let (Some(slot), Some(last)) = (self.layout.control, step.moves.last()) else {
            return;
        };
        let edge = &self.edges[last.edge];
        let process = edge.process.index();
        // Whoever looks at the successor from here on must not see the control of the state before.
        next.state[slot as usize] = 0;
        if edge.keeps_control && self.can_go_on(machine, process, next) {
            next.state[slot as usize] = process as i32 + 1;
        }
    }

    /// Whether a process may move in the successor, by itself or as a sender.
    fn can_go_on(&self, machine: &mut Machine, process: usize, next: &mut Successor) -> bool {
        let Successor { state, ahead: Ahead { values, steps }, .. } = next;
        if !self.traits.priorities {
            values.clear();
            return self.can_move(process, &mut View { machine, state, values });
        }
        self.collect_steps(machine, state, steps);
        let priority = |position| self.priority(state, steps.get(position).moves);
        let is_own = |&position: &usize| self.process(steps.get(position).moves[0]) == process;
        let highest = (0..steps.len()).map(priority).max();
        let own = (0..steps.len()).filter(is_own).map(priority).max();
        steps.failure.is_none() && own.is_some() && own == highest
    }
}

/// The bound that must hold before some clocks are set for the given one to hold afterwards; or
/// whether it does, if no other clock is left in it.
fn before_resets(d: Difference, to: &[i32]) -> Result<Difference, bool> {
    let value = |x: u32| if x == 0 { -1 } else { to[x as usize] };
    let (vi, vj) = (value(d.i), value(d.j));
    if vi < 0 && vj < 0 {
        return Ok(d);
    }
    let (i, ci) = if vi >= 0 { (0, vi) } else { (d.i, 0) };
    let (j, cj) = if vj >= 0 { (0, vj) } else { (d.j, 0) };
    // (x_i or ci) - (x_j or cj) within bound.
    let limit = bound::add(d.bound, bound::le(cj - ci));
    if i == j { Err(limit >= bound::LE_ZERO) } else { Ok(Difference { i, j, bound: limit }) }
}
