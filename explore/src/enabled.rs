//! Which edges can fire together, as far as data says: internal steps, handshakes, broadcasts.
//!
//! `collect_enabled` collects the steps of a state; nothing fires here. Guards that raise an error enable
//! nothing; the first such error is kept beside the steps of the others.

use crate::candidates::{View, raised_by};
use crate::condition::{Difference, evaluate};
use crate::edge::Sync;
use crate::explorer::{Explorer, Rank, constrain};
use crate::machine::Machine;
use crate::step::{EdgeNumber, ElementNumber, Raised, word_of};
use crate::steps::{Candidate, Choices, Enabled, Steps};
use network::{Id, LocationKind, cancellation};
use zones::bound;

impl Explorer {
    /// Collects the steps of a state that are enabled as far as data says; those with a higher priority
    /// first. A step whose receivers depend on clocks comes once per part of the zone.
    pub(crate) fn collect_enabled(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        steps: &mut Steps,
    ) {
        self.collect_steps(machine, state, steps);
        if self.traits.timeouts && steps.is_empty() && steps.failure.is_none() {
            machine.timeout = true;
            self.collect_steps(machine, state, steps);
            machine.timeout = false;
            steps.timeout = true;
        }
        if self.traits.priorities {
            self.sort_by_priority(state, steps);
        }
    }

    pub(crate) fn collect_steps(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        steps: &mut Steps,
    ) {
        steps.clear();
        let committed = self.is_committed(state);
        self.collect_active(machine, state, committed, steps);
        if steps.sends.is_empty() {
            return;
        }
        self.collect_receives(machine, state, steps);
        for i in 0..steps.sends.len() {
            let send = steps.sends[i];
            if self.elements[send.element].broadcast {
                let result = self.broadcast(machine, state, send, committed, steps);
                steps.fail(result);
            } else {
                self.handshakes(state, send, committed, steps);
            }
        }
    }

    /// Whether some process is in a committed location.
    pub fn is_committed(&self, state: &[i32]) -> bool {
        if !self.traits.committed {
            return false;
        }
        let mut locations = self.locations.iter().zip(state);
        locations.any(|(all, &l)| all[l as usize].kind == LocationKind::Committed)
    }

    /// Whether an edge's process is in a committed location.
    fn leaves_committed(&self, state: &[i32], candidate: Candidate) -> bool {
        let process = self.process(candidate);
        self.locations[process][state[process] as usize].kind == LocationKind::Committed
    }

    /// Collects the enabled internal edges, which are steps, and senders.
    fn collect_active(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        committed: bool,
        steps: &mut Steps,
    ) {
        let Steps { moves, values, sends, failure, .. } = steps;
        let in_control = self.layout.control.map_or(0, |slot| state[slot as usize]);
        let view = &mut View { machine, state, values };
        let mut note = |result: Result<(), Raised>| {
            if let Err(raised) = result {
                failure.get_or_insert(raised);
            }
        };
        for (p, locations) in self.locations.iter().enumerate() {
            if in_control != 0 && in_control as usize != p + 1 {
                continue;
            }
            let location = &locations[view.state[p] as usize];
            let level = match location.levels.is_empty() {
                true => None,
                false => match self.level(p, view) {
                    Ok(level) => level,
                    Err(raised) => {
                        note(Err(raised));
                        continue;
                    }
                },
            };
            let counts = |edge: &&EdgeNumber| self.is_at_level(**edge, level);
            if !committed || location.kind == LocationKind::Committed {
                for &edge in location.internal.iter().filter(counts) {
                    note(self.collect(edge, view, moves, |_| true));
                }
            }
            for &edge in location.sends.iter().filter(counts) {
                note(self.collect(edge, view, sends, |_| true));
            }
        }
        steps.singles = steps.moves.len();
    }

    /// Whether a receiver could not answer the sender by an edge with a higher preference.
    fn is_preferred(
        &self,
        state: &[i32],
        steps: &Steps,
        send: Candidate,
        receive: Candidate,
    ) -> bool {
        let process = self.process(receive);
        if self.locations[process][state[process] as usize].levels.is_empty() {
            return true;
        }
        let preference = |c: Candidate| self.edges[c.edge].preference;
        !steps.receives.iter().any(|&other| {
            preference(other) > preference(receive)
                && self.process(other) == process
                && other.element == send.element
                && self.message_fits(send, other, &steps.values)
        })
    }

    /// Collects the enabled receivers on elements that somebody sends on.
    fn collect_receives(&self, machine: &mut Machine, state: &mut [i32], steps: &mut Steps) {
        let Steps { values, sends, receives, wanted, failure, .. } = steps;
        receives.clear();
        wanted.resize(self.elements.len(), false);
        sends.iter().for_each(|send| wanted[send.element.index()] = true);
        let view = &mut View { machine, state, values };
        for (p, locations) in self.locations.iter().enumerate() {
            for &edge in &locations[view.state[p] as usize].receives {
                let heard = |element: ElementNumber| wanted[element.index()];
                if let Err(raised) = self.collect(edge, view, receives, heard) {
                    failure.get_or_insert(raised);
                }
            }
        }
        sends.iter().for_each(|send| wanted[send.element.index()] = false);
    }

    fn handshakes(&self, state: &[i32], send: Candidate, committed: bool, steps: &mut Steps) {
        for i in 0..steps.receives.len() {
            let receive = steps.receives[i];
            let meet = receive.element == send.element
                && self.process(receive) != self.process(send)
                && self.message_fits(send, receive, &steps.values)
                && self.is_preferred(state, steps, send, receive);
            let leaves = |candidate| self.leaves_committed(state, candidate);
            if meet && (!committed || leaves(send) || leaves(receive)) {
                if !steps.has_room() {
                    return;
                }
                steps.push([send, receive], None);
            }
        }
    }

    fn broadcast(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        send: Candidate,
        committed: bool,
        steps: &mut Steps,
    ) -> Result<(), Raised> {
        let listens =
            |c: &Candidate| c.element == send.element && self.process(*c) != self.process(send);
        let guarded = |c: &Candidate| !self.edges[c.edge].clocks.is_empty();
        if !steps.receives.iter().any(|c| listens(c) && guarded(c)) {
            // Receivers are collected in process order, so a process's choices lie side by side.
            self.choices(state, send, committed, None, &|_, c| listens(c), steps);
            return Ok(());
        }
        let cells = self.cells(machine, state, send, &|c| listens(c) && guarded(c), steps)?;
        for (cell, able) in cells {
            steps.cells.push(cell);
            let number = Some(steps.cells.len() as u32 - 1);
            let takes_part = |i: usize, c: &Candidate| listens(c) && able[i];
            self.choices(state, send, committed, number, &takes_part, steps);
        }
        Ok(())
    }

    /// Every way to choose one edge of each process that takes part.
    fn choices(
        &self,
        state: &[i32],
        send: Candidate,
        committed: bool,
        cell: Option<u32>,
        takes_part: &dyn Fn(usize, &Candidate) -> bool,
        steps: &mut Steps,
    ) {
        let mut choices = std::mem::take(&mut steps.choices);
        self.group(&steps.receives, takes_part, &mut choices);
        loop {
            // Their number is exponential in that of the processes.
            cancellation::check();
            let preferred = choices.chosen().all(|c| self.is_preferred(state, steps, send, c));
            let leaves = |candidate| self.leaves_committed(state, candidate);
            if preferred && (!committed || leaves(send) || choices.chosen().any(leaves)) {
                if !steps.has_room() {
                    break;
                }
                steps.push(std::iter::once(send).chain(choices.chosen()), cell);
            }
            if !choices.advance() {
                break;
            }
        }
        steps.choices = choices;
    }

    /// Groups the receivers that take part by process.
    fn group(
        &self,
        receives: &[Candidate],
        takes_part: &dyn Fn(usize, &Candidate) -> bool,
        choices: &mut Choices,
    ) {
        let Choices { part, groups } = choices;
        part.clear();
        groups.clear();
        for (_, c) in receives.iter().enumerate().filter(|&(i, c)| takes_part(i, c)) {
            let at = part.len() as u32;
            match groups.last_mut() {
                Some((first, end, _))
                    if self.process(part[*first as usize]) == self.process(*c) =>
                {
                    *end = at + 1;
                }
                _ => groups.push((at, at + 1, at)),
            }
            part.push(*c);
        }
    }

    /// Splits the zone into parts in each of which it is settled which receivers' clock guards hold.
    fn cells(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        send: Candidate,
        guarded: &dyn Fn(&Candidate) -> bool,
        steps: &Steps,
    ) -> Result<Vec<Cell>, Raised> {
        let dim = self.layout.dim;
        let mut whole = state[self.layout.zone()].to_vec();
        let sender = self.demands(machine, state, send, &steps.values)?;
        let mut cells = Vec::new();
        if sender.iter().all(|&d| constrain(&mut whole, dim, d)) {
            cells.push((whole, vec![true; steps.receives.len()]));
        }
        for (i, &receive) in steps.receives.iter().enumerate() {
            if !guarded(&receive) {
                continue;
            }
            let guard = self.demands(machine, state, receive, &steps.values)?;
            for (cell, able) in std::mem::take(&mut cells) {
                split(cell, able, i, &guard, dim, &mut cells);
            }
        }
        Ok(cells)
    }

    /// What a candidate's clock guard demands in a state.
    fn demands(
        &self,
        machine: &mut Machine,
        state: &mut [i32],
        candidate: Candidate,
        values: &[i32],
    ) -> Result<Vec<Difference>, Raised> {
        self.bind(machine, candidate, values);
        let mut out = Vec::new();
        let edge = &self.edges[candidate.edge];
        evaluate(&edge.clocks, &self.program, machine, state, &mut out).map_err(|error| {
            let from = candidate.selects as usize;
            raised_by(candidate.edge, &values[from..from + edge.selects.len()], error)
        })?;
        Ok(out)
    }

    fn sort_by_priority(&self, state: &[i32], steps: &mut Steps) {
        steps.record_all();
        let Steps { moves, records, .. } = steps;
        records.sort_by_key(|record| {
            let own = &moves[record.first as usize..record.end as usize];
            std::cmp::Reverse(self.priority(state, own))
        });
    }

    /// The priority of a step: that of its channel, then the highest of its processes.
    pub(crate) fn priority(&self, state: &[i32], moves: &[Candidate]) -> (i32, i32) {
        let first = moves[0];
        let internal = matches!(self.edges[first.edge].sync, Sync::Internal);
        let channel = if internal { 0 } else { self.elements[first.element].priority };
        let processes = moves.iter().map(|&c| self.rank(self.process(c), state));
        (channel, processes.fold(i32::MIN, i32::max))
    }

    /// The priority of a process in a state.
    fn rank(&self, process: usize, state: &[i32]) -> i32 {
        match self.priorities[process] {
            Rank::Fixed(priority) => priority,
            Rank::Slot(slot) => state[slot as usize],
        }
    }

    /// Appends a step as words.
    pub(crate) fn write(&self, step: Enabled, words: &mut Vec<i32>) {
        for candidate in step.moves {
            words.push(word_of(candidate.edge));
            let count = self.edges[candidate.edge].selects.len();
            if count > 0 {
                let from = candidate.selects as usize;
                words.extend_from_slice(&step.values[from..from + count]);
            }
        }
    }
}

/// A part of the zone, and which receivers' clock guards hold there.
type Cell = (Vec<i32>, Vec<bool>);

/// Splits a cell into the part where a receiver's guard holds and those where it does not.
fn split(
    mut cell: Vec<i32>,
    able: Vec<bool>,
    receiver: usize,
    guard: &[Difference],
    dim: usize,
    out: &mut Vec<Cell>,
) {
    for &demand in guard {
        cancellation::check();
        let mut outside = cell.clone();
        let opposite = Difference { i: demand.j, j: demand.i, bound: bound::negate(demand.bound) };
        if constrain(&mut outside, dim, opposite) {
            let mut unable = able.clone();
            unable[receiver] = false;
            out.push((outside, unable));
        }
        if !constrain(&mut cell, dim, demand) {
            return;
        }
    }
    out.push((cell, able));
}
