//! Which edges can fire together: internal steps, handshakes, broadcasts, priorities.

use crate::condition::{Difference, evaluate};
use crate::edge::{EdgeCode, Meeting, Sync};
use crate::explorer::{Explorer, Raised, Rank, Workspace, constrain};
use crate::machine::Machine;
use network::{Id, LocationKind, RunTimeError, patience};
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
    /// Where the message it sends, or the values it wants, begin.
    pub message: u32,
}

/// Called with the moves of a step in the workspace.
pub(crate) type OnStep<'a> = dyn FnMut(&Explorer, &mut Workspace) -> Result<(), Raised> + 'a;

/// Called with a part of the zone and which receivers are able to take part there.
type OnCell<'a> = dyn FnMut(&Explorer, &mut Workspace, &[bool]) -> Result<(), Raised> + 'a;

impl Explorer {
    /// Calls `on_step` for every step that is enabled in the current state as far as data says.
    /// Steps whose set of receivers depends on clocks come once per part of the zone (`cell`).
    pub(crate) fn each_step(&self, ws: &mut Workspace, on_step: &mut OnStep) -> Result<(), Raised> {
        // An error that ended an earlier enumeration left the part of the zone it occurred in.
        ws.cell = None;
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
        if !self.traits.committed {
            return false;
        }
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
        let in_control = self.layout.control.map_or(0, |slot| ws.current[slot as usize]);
        let Workspace { machine, current, internal, sends, selects, .. } = ws;
        for (p, locations) in self.locations.iter().enumerate() {
            if in_control != 0 && in_control as usize != p + 1 {
                continue;
            }
            let location = &locations[current[p] as usize];
            let level = match location.levels.is_empty() {
                true => None,
                false => self.level(p, machine, current, selects)?,
            };
            let counts = |edge: &&u32| self.is_at_level(**edge, level);
            if !committed || location.kind == LocationKind::Committed {
                for &edge in location.internal.iter().filter(counts) {
                    self.collect(edge, machine, current, selects, internal, |_| true)?;
                }
            }
            for &edge in location.sends.iter().filter(counts) {
                self.collect(edge, machine, current, selects, sends, |_| true)?;
            }
        }
        Ok(())
    }

    fn is_at_level(&self, edge: u32, level: Option<i32>) -> bool {
        level.is_none_or(|level| self.edges[edge as usize].preference == level)
    }

    /// The highest preference among the edges by which a process can move itself; none if all its
    /// edges have the same.
    fn level(
        &self,
        process: usize,
        machine: &mut Machine,
        state: &mut [i32],
        selects: &mut Vec<i32>,
    ) -> Result<Option<i32>, Raised> {
        let location = &self.locations[process][state[process] as usize];
        let Some(&lowest) = location.levels.last() else { return Ok(None) };
        for &level in location.levels.iter().filter(|&&level| level != lowest) {
            let all = location.internal.iter().chain(&location.sends);
            for &edge in all.filter(|&&edge| self.edges[edge as usize].preference == level) {
                if self.can_fire(edge, machine, state, selects)? {
                    return Ok(Some(level));
                }
            }
        }
        Ok(Some(lowest))
    }

    /// Whether a receiver could not answer the sender by an edge with a higher preference.
    fn is_preferred(&self, ws: &Workspace, send: Candidate, receive: Candidate) -> bool {
        let process = self.process(receive);
        let location = ws.current[process] as usize;
        if self.locations[process][location].levels.is_empty() {
            return true;
        }
        let preference = |c: Candidate| self.edges[c.edge as usize].preference;
        !ws.receives.iter().any(|&other| {
            preference(other) > preference(receive)
                && self.process(other) == process
                && other.element == send.element
                && self.message_fits(send, other, &ws.selects)
        })
    }

    /// Whether an edge is enabled and, if it sends and needs one, has a partner.
    fn can_fire(
        &self,
        number: u32,
        machine: &mut Machine,
        state: &mut [i32],
        selects: &mut Vec<i32>,
    ) -> Result<bool, Raised> {
        let edge = &self.edges[number as usize];
        if edge.is_plain {
            let holds = edge.guard.holds(&self.program, machine, state);
            return holds.map_err(|error| Raised { error, step: vec![number as i32] });
        }
        let kept = selects.len();
        let mut own = Vec::new();
        self.collect(number, machine, state, selects, &mut own, |_| true)?;
        let mut found = false;
        for candidate in own {
            found |= matches!(self.edges[number as usize].sync, Sync::Internal)
                || self.elements[candidate.element as usize].broadcast
                || self.has_receiver(candidate, machine, state, selects)?;
        }
        selects.truncate(kept);
        Ok(found)
    }

    /// Whether another process can receive what a candidate sends.
    fn has_receiver(
        &self,
        send: Candidate,
        machine: &mut Machine,
        state: &mut [i32],
        selects: &mut Vec<i32>,
    ) -> Result<bool, Raised> {
        let process = self.process(send);
        for (p, locations) in self.locations.iter().enumerate().filter(|&(p, _)| p != process) {
            for &edge in &locations[state[p] as usize].receives {
                let mut receives = Vec::new();
                let same = |element| element == send.element;
                self.collect(edge, machine, state, selects, &mut receives, same)?;
                if receives.iter().any(|&receive| self.message_fits(send, receive, selects)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a sender's message is what a receiver wants.
    fn message_fits(&self, send: Candidate, receive: Candidate, values: &[i32]) -> bool {
        let count = self.edges[send.edge as usize].meeting.message.len();
        let patterns = &self.edges[receive.edge as usize].meeting.patterns;
        if count != patterns.len() {
            return false;
        }
        let message = &values[send.message as usize..send.message as usize + count];
        let wanted = &values[receive.message as usize..receive.message as usize + count];
        let all = patterns.iter().zip(message.iter().zip(wanted));
        all.into_iter().all(|(pattern, (sent, wanted))| pattern.is_none() || sent == wanted)
    }

    /// Whether a process can move by itself or as a sender in `next`. What raises an error there
    /// cannot be done; the error itself is reported when that state is explored.
    pub(crate) fn can_move(&self, ws: &mut Workspace, process: usize) -> bool {
        let Workspace { machine, next, selects, .. } = ws;
        let level = self.level(process, machine, next, selects).unwrap_or(None);
        let location = &self.locations[process][next[process] as usize];
        let counts = |edge: &&u32| self.is_at_level(**edge, level);
        for &edge in location.internal.iter().chain(&location.sends).filter(counts) {
            if self.can_fire(edge, machine, next, selects).unwrap_or(false) {
                return true;
            }
        }
        false
    }

    /// Collects the enabled receivers on elements that somebody sends on.
    fn collect_receives(&self, ws: &mut Workspace) -> Result<(), Raised> {
        ws.receives.clear();
        ws.guards.clear();
        ws.sends.iter().for_each(|s| ws.wanted[s.element as usize] = true);
        let collected = self.collect_wanted(ws);
        ws.sends.iter().for_each(|s| ws.wanted[s.element as usize] = false);
        collected
    }

    fn collect_wanted(&self, ws: &mut Workspace) -> Result<(), Raised> {
        let Workspace { machine, current, receives, selects, wanted, .. } = ws;
        for (p, locations) in self.locations.iter().enumerate() {
            for &edge in &locations[current[p] as usize].receives {
                let heard = |element: u32| wanted[element as usize];
                self.collect(edge, machine, current, selects, receives, heard)?;
            }
        }
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
        if edge.is_plain {
            let holds = edge.guard.holds(&self.program, machine, state);
            if holds.map_err(|error| Raised { error, step: vec![number as i32] })? {
                out.push(Candidate { edge: number, ..Candidate::default() });
            }
            return Ok(());
        }
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
                    let message = selects.len() as u32;
                    self.push_message(edge, element, machine, state, selects).map_err(|error| {
                        let mut step = vec![number as i32];
                        step.extend(&selects[chosen..message as usize]);
                        Raised { error, step }
                    })?;
                    out.push(Candidate { edge: number, selects: chosen as u32, element, message })
                }
                None => selects.truncate(chosen),
            }
            if !next_choice(edge, machine) {
                return Ok(());
            }
        }
    }

    /// Appends the message an edge sends, fitted to its channel, or the values it wants to receive.
    fn push_message(
        &self,
        edge: &EdgeCode,
        element: u32,
        machine: &mut Machine,
        state: &mut [i32],
        values: &mut Vec<i32>,
    ) -> Result<(), RunTimeError> {
        let Meeting { message, patterns, .. } = &edge.meeting;
        let from = values.len();
        for value in message {
            values.push(value.of(&self.program, machine, state)?);
        }
        for pattern in patterns {
            values.push(pattern.as_ref().map_or(Ok(0), |v| v.of(&self.program, machine, state))?);
        }
        if !message.is_empty() {
            let fitted = self.layout.buffers[element as usize].fit(&mut values[from..]);
            fitted.map_err(|kind| RunTimeError { kind, span: network::Span::NONE })?;
        }
        Ok(())
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
                let element = element.of(&self.program, machine, state)? as u32;
                // A channel value may stand for a buffer, or for a channel with messages of
                // another length, which other edges deal with.
                let channel = &self.elements[element as usize];
                let meets = !channel.buffered && channel.width == edge.meeting.width();
                Ok(meets.then_some(element))
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
            if count == 0 {
                continue;
            }
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
            if !self.message_fits(send, receive, &ws.selects)
                || !self.is_preferred(ws, send, receive)
            {
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
            // Their number is exponential in that of the processes.
            patience::check();
            ws.moves.clear();
            ws.moves.push(send);
            ws.moves.extend(groups.iter().map(|&(.., chosen)| part[chosen as usize]));
            let moves = 0..ws.moves.len();
            let preferred = ws.moves[1..].iter().all(|&c| self.is_preferred(ws, send, c));
            let leaves = |i: usize| self.leaves_committed(ws, ws.moves[i]);
            if preferred && (!committed || moves.into_iter().any(leaves)) {
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
        let mut whole = ws.current[self.layout.zone()].to_vec();
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
        ws.cell = None;
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

    /// Whether a step on an urgent channel is enabled in `next`. What raises an error there is not;
    /// the error itself is reported when that state is explored.
    pub(crate) fn is_urgent(&self, ws: &mut Workspace) -> bool {
        (0..self.locations.len()).any(|p| {
            let location = &self.locations[p][ws.next[p] as usize];
            let by_buffer = |ws: &mut Workspace, number: u32| {
                let Workspace { machine, next, selects, .. } = ws;
                let fires = self.can_fire(number, machine, next, selects).unwrap_or(false);
                fires && self.acts_urgently(number, machine, next).unwrap_or(false)
            };
            let by_meeting = |ws: &mut Workspace, number: u32| {
                self.can_synchronise(ws, p, number).unwrap_or(false)
            };
            location.urgent_buffers.iter().any(|&number| by_buffer(ws, number))
                || location.urgent_sends.iter().any(|&number| by_meeting(ws, number))
        })
    }

    /// Whether an edge that can fire acts on the buffer of an urgent channel.
    fn acts_urgently(
        &self,
        number: u32,
        machine: &mut Machine,
        state: &mut [i32],
    ) -> Result<bool, RunTimeError> {
        let Some(buffer) = &self.edges[number as usize].buffer else { return Ok(false) };
        let element = buffer.of(&self.program, machine, state)?;
        Ok(self.elements[element as usize].urgent)
    }

    /// Whether a sender without clock guard is enabled in `next` and, if it needs one, has a partner
    /// without clock guard.
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
                found |= receives.iter().any(|&r| self.message_fits(send, r, selects));
            }
        }
        selects.truncate(kept);
        Ok(found)
    }

    /// Fires the steps of a model with priorities, each only where no better one is possible; says
    /// whether there was one.
    pub(crate) fn prioritised(
        &self,
        ws: &mut Workspace,
        on_fired: &mut OnStep,
    ) -> Result<bool, Raised> {
        let mut steps = Vec::new();
        self.each_step(ws, &mut |explorer, ws| {
            steps.push((explorer.priority(ws), ws.moves.clone(), ws.cell.clone()));
            Ok(())
        })?;
        steps.sort_by_key(|(priority, ..)| std::cmp::Reverse(*priority));
        // Where better steps are possible; a model without clocks has one point.
        let mut taken: Vec<((i32, i32), Vec<i32>)> = Vec::new();
        for (priority, moves, cell) in steps {
            ws.cell = cell;
            let better: Vec<&[i32]> =
                taken.iter().filter(|(p, _)| *p > priority).map(|(_, z)| &z[..]).collect();
            ws.moves.clone_from(&moves);
            for piece in self.remaining(ws, &better)? {
                ws.cell = Some(piece);
                ws.moves.clone_from(&moves);
                if self.fire(ws)? {
                    taken.push((priority, ws.next[self.layout.zone()].to_vec()));
                    on_fired(self, ws)?;
                }
            }
        }
        ws.cell = None;
        Ok(!taken.is_empty())
    }

    fn priority(&self, ws: &Workspace) -> (i32, i32) {
        let internal = matches!(self.edges[ws.moves[0].edge as usize].sync, Sync::Internal);
        let channel =
            if internal { 0 } else { self.elements[ws.moves[0].element as usize].priority };
        let processes = ws.moves.iter().map(|&c| self.rank(self.process(c), &ws.current));
        (channel, processes.max().unwrap_or(0))
    }

    /// The priority of a process in a state.
    fn rank(&self, process: usize, state: &[i32]) -> i32 {
        match self.priorities[process] {
            Rank::Fixed(priority) => priority,
            Rank::Slot(slot) => state[slot as usize],
        }
    }

    /// Whether a process may move in `next`, by itself or as a sender.
    pub(crate) fn can_go_on(&self, ws: &mut Workspace, process: usize) -> bool {
        if !self.traits.priorities {
            return self.can_move(ws, process);
        }
        // A workspace of its own: the moves of the step that is being made are still needed.
        let mut own = self.workspace();
        own.current.copy_from_slice(&ws.next);
        let (mut highest, mut of_process) = (None, None);
        let tried = self.each_step(&mut own, &mut |explorer, own| {
            let priority = Some(explorer.priority(own));
            highest = highest.max(priority);
            if explorer.process(own.moves[0]) == process {
                of_process = of_process.max(priority);
            }
            Ok(())
        });
        tried.is_ok() && of_process.is_some() && of_process == highest
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
        patience::check();
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
            // There may be any number of them.
            patience::check();
            *value += 1;
            return true;
        }
        *value = low;
    }
    false
}
