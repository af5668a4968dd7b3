//! Which edges can fire together: internal steps, handshakes, broadcasts, priorities.

use crate::condition::{Difference, evaluate};
use crate::edge::{EdgeCode, Sync};
use crate::explorer::{Explorer, Raised, Workspace, constrain};
use crate::machine::Machine;
use network::{Id, LocationKind, RunTimeError};
use zones::bound;

/// An edge that is enabled as far as data says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate {
    /// The number of the edge.
    pub edge: u32,
    /// Where the values of its selects begin.
    pub selects: u32,
    /// The channel element it synchronises on.
    pub element: u32,
}

/// Called with the moves of a step in the workspace.
pub(crate) type OnStep<'a> = dyn FnMut(&Explorer, &mut Workspace) -> Result<(), Raised> + 'a;

/// Called with a part of the zone and which receivers are able to take part there.
type OnCell<'a> = dyn FnMut(&Explorer, &mut Workspace, &[bool]) -> Result<(), Raised> + 'a;

impl Explorer {
    /// Calls `on_step` for every step that is enabled in the current state as far as data says.
    /// Steps whose set of receivers depends on clocks come once per part of the zone (`cell`).
    pub(crate) fn each_step(&self, ws: &mut Workspace, on_step: &mut OnStep) -> Result<(), Raised> {
        let committed = self.is_committed(ws);
        self.collect_active(ws, committed)?;
        for i in 0..ws.internal.len() {
            let candidate = ws.internal[i];
            ws.moves.clear();
            ws.moves.push(candidate);
            on_step(self, ws)?;
        }
        if ws.sends.is_empty() {
            return Ok(());
        }
        self.collect_receives(ws)?;
        for i in 0..ws.sends.len() {
            let send = ws.sends[i];
            if self.elements[send.element as usize].broadcast {
                self.broadcast(ws, send, committed, on_step)?;
            } else {
                self.handshakes(ws, send, committed, on_step)?;
            }
        }
        Ok(())
    }

    fn is_committed(&self, ws: &Workspace) -> bool {
        let mut locations = self.locations.iter().zip(&ws.current);
        locations.any(|(all, &l)| all[l as usize].kind == LocationKind::Committed)
    }

    /// Whether an edge's process is in a committed location now.
    fn leaves_committed(&self, ws: &Workspace, candidate: Candidate) -> bool {
        let process = self.process(candidate);
        let location = ws.current[process] as usize;
        self.locations[process][location].kind == LocationKind::Committed
    }

    fn process(&self, candidate: Candidate) -> usize {
        self.edges[candidate.edge as usize].process.index()
    }

    /// Collects the enabled internal edges and senders.
    fn collect_active(&self, ws: &mut Workspace, committed: bool) -> Result<(), Raised> {
        ws.selects.clear();
        ws.internal.clear();
        ws.sends.clear();
        // After an error these tell when it can occur; a data guard's error does not depend on clocks.
        ws.guards.clear();
        let Workspace { machine, current, internal, sends, selects, .. } = ws;
        for (p, locations) in self.locations.iter().enumerate() {
            let location = &locations[current[p] as usize];
            if !committed || location.kind == LocationKind::Committed {
                for &edge in &location.internal {
                    self.collect(edge, machine, current, selects, internal, |_| true)?;
                }
            }
            for &edge in &location.sends {
                self.collect(edge, machine, current, selects, sends, |_| true)?;
            }
        }
        Ok(())
    }

    /// Collects the enabled receivers on elements that somebody sends on.
    fn collect_receives(&self, ws: &mut Workspace) -> Result<(), Raised> {
        ws.receives.clear();
        ws.guards.clear();
        ws.sends.iter().for_each(|s| ws.wanted[s.element as usize] = true);
        let Workspace { machine, current, receives, selects, wanted, .. } = ws;
        for (p, locations) in self.locations.iter().enumerate() {
            for &edge in &locations[current[p] as usize].receives {
                let heard = |element: u32| wanted[element as usize];
                self.collect(edge, machine, current, selects, receives, heard)?;
            }
        }
        ws.sends.iter().for_each(|s| ws.wanted[s.element as usize] = false);
        Ok(())
    }

    /// Adds an edge for each choice of its selects that enables it, if its element is of interest.
    fn collect(
        &self,
        number: u32,
        machine: &mut Machine,
        state: &mut [i32],
        selects: &mut Vec<i32>,
        out: &mut Vec<Candidate>,
        of_interest: impl Fn(u32) -> bool,
    ) -> Result<(), Raised> {
        let edge = &self.edges[number as usize];
        if let Sync::Receive(crate::condition::Value::Const(element)) = edge.sync
            && !of_interest(element as u32)
        {
            return Ok(());
        }
        for &(slot, low, _) in &edge.selects {
            machine.reserve(slot as usize + 1);
            machine.locals[slot as usize] = low;
        }
        loop {
            let chosen = selects.len();
            selects.extend(edge.selects.iter().map(|&(slot, ..)| machine.locals[slot as usize]));
            let element = self.enabled(edge, machine, state).map_err(|error| {
                let mut step = vec![number as i32];
                step.extend(&selects[chosen..]);
                Raised { error, step }
            })?;
            match element.filter(|&element| of_interest(element)) {
                Some(element) => {
                    out.push(Candidate { edge: number, selects: chosen as u32, element })
                }
                None => selects.truncate(chosen),
            }
            if !next_choice(edge, machine) {
                return Ok(());
            }
        }
    }

    /// If the edge is enabled: the element it synchronises on (0 for internal edges).
    #[inline]
    fn enabled(
        &self,
        edge: &EdgeCode,
        machine: &mut Machine,
        state: &mut [i32],
    ) -> Result<Option<u32>, RunTimeError> {
        if !edge.guard.holds(&self.program, machine, state)? {
            return Ok(None);
        }
        match edge.sync {
            Sync::Internal => Ok(Some(0)),
            Sync::Send(element) | Sync::Receive(element) => {
                Ok(Some(element.of(&self.program, machine, state)? as u32))
            }
        }
    }

    /// Puts the values of a candidate's selects where its code finds them.
    #[inline]
    pub(crate) fn bind(&self, ws: &mut Workspace, candidate: Candidate) {
        let edge = &self.edges[candidate.edge as usize];
        for (i, &(slot, ..)) in edge.selects.iter().enumerate() {
            ws.machine.reserve(slot as usize + 1);
            ws.machine.locals[slot as usize] = ws.selects[candidate.selects as usize + i];
        }
    }

    /// Writes the moves as words.
    pub(crate) fn write_step(&self, ws: &mut Workspace) {
        ws.step.clear();
        for candidate in &ws.moves {
            ws.step.push(candidate.edge as i32);
            let count = self.edges[candidate.edge as usize].selects.len();
            let from = candidate.selects as usize;
            ws.step.extend_from_slice(&ws.selects[from..from + count]);
        }
    }

    fn handshakes(
        &self,
        ws: &mut Workspace,
        send: Candidate,
        committed: bool,
        on_step: &mut OnStep,
    ) -> Result<(), Raised> {
        for i in 0..ws.receives.len() {
            let receive = ws.receives[i];
            if receive.element != send.element || self.process(receive) == self.process(send) {
                continue;
            }
            if committed && !self.leaves_committed(ws, send) && !self.leaves_committed(ws, receive)
            {
                continue;
            }
            ws.moves.clear();
            ws.moves.extend([send, receive]);
            on_step(self, ws)?;
        }
        Ok(())
    }

    fn broadcast(
        &self,
        ws: &mut Workspace,
        send: Candidate,
        committed: bool,
        on_step: &mut OnStep,
    ) -> Result<(), Raised> {
        let hears =
            |c: &Candidate| c.element == send.element && self.process(*c) != self.process(send);
        let guarded = |c: &Candidate| !self.edges[c.edge as usize].clocks.is_empty();
        if !ws.receives.iter().any(|c| hears(c) && guarded(c)) {
            // Receivers are collected in process order, so a process's choices lie side by side.
            return self.choices(ws, send, committed, &|_, c| hears(c), on_step);
        }
        self.cells(ws, send, &|c| hears(c) && guarded(c), &mut |explorer, ws, able| {
            let takes_part = |i: usize, c: &Candidate| hears(c) && able[i];
            explorer.choices(ws, send, committed, &takes_part, on_step)
        })
    }

    /// Every way to choose one edge of each process that takes part.
    fn choices(
        &self,
        ws: &mut Workspace,
        send: Candidate,
        committed: bool,
        takes_part: &dyn Fn(usize, &Candidate) -> bool,
        on_step: &mut OnStep,
    ) -> Result<(), Raised> {
        // The edges of each process: (first, behind the last, chosen), among those that take part.
        let mut part = std::mem::take(&mut ws.part);
        ws.groups.clear();
        for (i, c) in ws.receives.iter().enumerate() {
            if !takes_part(i, c) {
                continue;
            }
            let at = part.len() as u32;
            match ws.groups.last_mut() {
                Some((first, end, _))
                    if self.process(part[*first as usize]) == self.process(*c) =>
                {
                    *end = at + 1;
                }
                _ => ws.groups.push((at, at + 1, at)),
            }
            part.push(*c);
        }
        let mut groups = std::mem::take(&mut ws.groups);
        loop {
            ws.moves.clear();
            ws.moves.push(send);
            ws.moves.extend(groups.iter().map(|&(.., chosen)| part[chosen as usize]));
            if !committed || (0..ws.moves.len()).any(|i| self.leaves_committed(ws, ws.moves[i])) {
                on_step(self, ws)?;
            }
            // The last process's choice runs fastest.
            let mut more = false;
            for (first, end, chosen) in groups.iter_mut().rev() {
                *chosen += 1;
                if *chosen < *end {
                    more = true;
                    break;
                }
                *chosen = *first;
            }
            if !more {
                break;
            }
        }
        part.clear();
        (ws.groups, ws.part) = (groups, part);
        Ok(())
    }

    /// Splits the zone into parts in each of which it is settled which receivers' clock guards hold.
    fn cells(
        &self,
        ws: &mut Workspace,
        send: Candidate,
        guarded: &dyn Fn(&Candidate) -> bool,
        on_cell: &mut OnCell,
    ) -> Result<(), Raised> {
        let dim = self.layout.dim;
        let outer = ws.cell.take();
        let mut whole = match &outer {
            Some(cell) => cell.clone(),
            None => ws.current[self.layout.zone()].to_vec(),
        };
        let sender = self.demands(ws, send)?;
        let mut cells = Vec::new();
        if sender.iter().all(|&d| constrain(&mut whole, dim, d)) {
            cells.push((whole, vec![true; ws.receives.len()]));
        }
        for i in 0..ws.receives.len() {
            if !guarded(&ws.receives[i]) {
                continue;
            }
            let guard = self.demands(ws, ws.receives[i])?;
            for (cell, able) in std::mem::take(&mut cells) {
                split(cell, able, i, &guard, dim, &mut cells);
            }
        }
        for (cell, able) in cells {
            ws.cell = Some(cell);
            on_cell(self, ws, &able)?;
        }
        ws.cell = outer;
        Ok(())
    }

    /// What a candidate's clock guard demands in the current state.
    fn demands(&self, ws: &mut Workspace, candidate: Candidate) -> Result<Vec<Difference>, Raised> {
        self.bind(ws, candidate);
        let edge = &self.edges[candidate.edge as usize];
        let mut out = Vec::new();
        let Workspace { machine, current, .. } = ws;
        evaluate(&edge.clocks, &self.program, machine, current, &mut out).map_err(|error| {
            ws.moves.clear();
            ws.moves.push(candidate);
            self.write_step(ws);
            Raised { error, step: ws.step.clone() }
        })?;
        Ok(out)
    }

    /// Whether a synchronisation on an urgent channel is enabled in `next`.
    pub(crate) fn is_urgent(&self, ws: &mut Workspace) -> Result<bool, RunTimeError> {
        for (p, locations) in self.locations.iter().enumerate() {
            let location = ws.next[p] as usize;
            for &number in &locations[location].urgent_sends {
                if self.can_synchronise(ws, p, number)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a sender is enabled in `next` and, if it needs one, has a partner.
    fn can_synchronise(
        &self,
        ws: &mut Workspace,
        sender: usize,
        number: u32,
    ) -> Result<bool, RunTimeError> {
        let mut sends = Vec::new();
        let Workspace { machine, next, selects, .. } = ws;
        let kept = selects.len();
        let unwrap = |raised: Raised| raised.error;
        self.collect(number, machine, next, selects, &mut sends, |_| true).map_err(unwrap)?;
        let mut found = false;
        for send in sends {
            let element = self.elements[send.element as usize];
            found |= element.urgent && element.broadcast;
            if !element.urgent || element.broadcast {
                continue;
            }
            for (p, locations) in self.locations.iter().enumerate().filter(|&(p, _)| p != sender) {
                let mut receives = Vec::new();
                for &edge in &locations[next[p] as usize].receives {
                    if self.edges[edge as usize].clocks.is_empty() {
                        let same = |element| element == send.element;
                        self.collect(edge, machine, next, selects, &mut receives, same)
                            .map_err(unwrap)?;
                    }
                }
                found |= !receives.is_empty();
            }
        }
        selects.truncate(kept);
        Ok(found)
    }

    /// The successors of a model with priorities: each step only where no better one is possible.
    pub(crate) fn prioritised(
        &self,
        ws: &mut Workspace,
        on_successor: &mut dyn FnMut(&Explorer, &mut Workspace),
    ) -> Result<(), Raised> {
        let mut steps = Vec::new();
        self.each_step(ws, &mut |explorer, ws| {
            steps.push((explorer.priority(ws), ws.moves.clone(), ws.cell.clone()));
            Ok(())
        })?;
        steps.sort_by_key(|(priority, ..)| std::cmp::Reverse(*priority));
        // Where better steps are possible; a model without clocks has one point.
        let mut taken: Vec<((i32, i32), Vec<i32>)> = Vec::new();
        for (priority, moves, cell) in steps {
            ws.moves = moves;
            ws.cell = cell;
            let better: Vec<&[i32]> =
                taken.iter().filter(|(p, _)| *p > priority).map(|(_, z)| &z[..]).collect();
            for piece in self.remaining(ws, &better)? {
                ws.cell = Some(piece);
                if self.fire(ws)? {
                    taken.push((priority, ws.next[self.layout.zone()].to_vec()));
                    self.elapse(ws);
                    on_successor(self, ws);
                }
            }
        }
        ws.cell = None;
        Ok(())
    }

    fn priority(&self, ws: &Workspace) -> (i32, i32) {
        let internal = matches!(self.edges[ws.moves[0].edge as usize].sync, Sync::Internal);
        let channel =
            if internal { 0 } else { self.elements[ws.moves[0].element as usize].priority };
        let processes = ws.moves.iter().map(|&c| self.priorities[self.process(c)]);
        (channel, processes.max().unwrap_or(0))
    }

    /// The parts of the zone where the guards of the moves hold and no better step is possible.
    fn remaining(&self, ws: &mut Workspace, better: &[&[i32]]) -> Result<Vec<Vec<i32>>, Raised> {
        let open = self.guard(ws).map_err(|error| {
            self.write_step(ws);
            Raised { error, step: ws.step.clone() }
        })?;
        if !open {
            return Ok(Vec::new());
        }
        let dim = self.layout.dim;
        if dim == 0 {
            let free = better.is_empty();
            return Ok(if free { vec![Vec::new()] } else { Vec::new() });
        }
        let mut pieces = vec![ws.next[self.layout.zone()].to_vec()];
        for minus in better {
            pieces = pieces.iter().flat_map(|piece| without(piece, minus, dim)).collect();
        }
        Ok(pieces)
    }
}

/// The disjoint parts of a zone outside another.
pub(crate) fn without(zone: &[i32], minus: &[i32], dim: usize) -> Vec<Vec<i32>> {
    let mut pieces = Vec::new();
    let mut scratch = Vec::new();
    zones::subtract(zone, minus, dim, &mut scratch, &mut |piece| pieces.push(piece.to_vec()));
    pieces
}

/// Splits a cell into the part where a receiver's guard holds and those where it does not.
fn split(
    mut cell: Vec<i32>,
    able: Vec<bool>,
    receiver: usize,
    guard: &[Difference],
    dim: usize,
    out: &mut Vec<(Vec<i32>, Vec<bool>)>,
) {
    for &demand in guard {
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

/// Moves on to the next combination of select values; false after the last.
fn next_choice(edge: &EdgeCode, machine: &mut Machine) -> bool {
    for &(slot, low, high) in edge.selects.iter().rev() {
        let value = &mut machine.locals[slot as usize];
        if *value < high {
            *value += 1;
            return true;
        }
        *value = low;
    }
    false
}
