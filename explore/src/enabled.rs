//! Which edges can fire together, as far as data says: internal steps, handshakes, broadcasts.
//!
//! `collect_enabled` collects the steps of a state; nothing fires here. Guards that raise an error
//! enable nothing; the first such error is kept beside the steps of the others.

use crate::condition::{Difference, Value, evaluate};
use crate::edge::{EdgeCode, Meeting, Sync};
use crate::explorer::{Explorer, Rank, constrain};
use crate::machine::Machine;
use crate::step::{EdgeNumber, ElementNumber, Raised, Step, word_of};
use network::{Id, LocationKind, RunTimeError, cancellation};
use std::ops::Range;
use zones::bound;

/// An edge that is enabled as far as data says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    pub edge: EdgeNumber,
    /// Where the values of its selects begin.
    pub selects: u32,
    /// The channel element it synchronises on.
    pub element: ElementNumber,
    /// Where the message it sends, or the values it wants, begin.
    pub message: u32,
}

impl Candidate {
    pub fn of(edge: EdgeNumber) -> Self {
        Candidate { edge, ..Candidate::default() }
    }
}

/// The steps of a state that are enabled as far as data says. The buffers are used again for the next
/// state.
#[derive(Debug, Default)]
pub struct Steps {
    /// The moves of all steps, those of one step side by side.
    moves: Vec<Candidate>,
    /// How many steps come first that are one move each, and need no record.
    singles: usize,
    /// The other steps.
    records: Vec<Record>,
    /// Values of selects, messages, and values that receivers want.
    values: Vec<i32>,
    /// Parts of the zone that steps are limited to.
    cells: Vec<Vec<i32>>,
    /// The first error that a guard raised.
    pub(crate) failure: Option<Raised>,
    /// Whether these are the steps that `timeout` enables, because there are no others.
    pub(crate) timeout: bool,
    sends: Vec<Candidate>,
    receives: Vec<Candidate>,
    /// The elements that somebody sends on.
    wanted: Vec<bool>,
    choices: Choices,
}

#[derive(Clone, Copy, Debug)]
struct Record {
    first: u32,
    end: u32,
    cell: Option<u32>,
}

/// One step: the edges that fire together, the sender's first, then the receivers' by process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled<'a> {
    pub moves: &'a [Candidate],
    pub values: &'a [i32],
    /// The part of the zone that it is limited to.
    pub cell: Option<&'a [i32]>,
}

impl<'a> Enabled<'a> {
    /// The same step in another part of the zone.
    pub fn within(self, cell: &'a [i32]) -> Self {
        Enabled { cell: Some(cell), ..self }
    }
}

impl Steps {
    fn clear(&mut self) {
        self.moves.clear();
        self.singles = 0;
        self.records.clear();
        self.values.clear();
        self.cells.clear();
        self.sends.clear();
        (self.failure, self.timeout) = (None, false);
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.singles + self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges of the step at a position.
    pub fn edges(&self, position: usize) -> impl Iterator<Item = EdgeNumber> + '_ {
        self.get(position).moves.iter().map(|candidate| candidate.edge)
    }

    /// Keeps only the steps that are wanted, asked by their positions.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Steps, usize) -> bool) {
        self.record_all();
        let mut kept = 0;
        for position in 0..self.records.len() {
            if is_wanted(self, position) {
                self.records[kept] = self.records[position];
                kept += 1;
            }
        }
        self.records.truncate(kept);
    }

    #[inline]
    pub(crate) fn get(&self, position: usize) -> Enabled<'_> {
        if position < self.singles {
            let moves = std::slice::from_ref(&self.moves[position]);
            return Enabled { moves, values: &self.values, cell: None };
        }
        let Record { first, end, cell } = self.records[position - self.singles];
        Enabled {
            moves: &self.moves[first as usize..end as usize],
            values: &self.values,
            cell: cell.map(|cell| &self.cells[cell as usize][..]),
        }
    }

    /// Gives every step a record, so that they can be put in another order.
    fn record_all(&mut self) {
        let single = |first| Record { first, end: first + 1, cell: None };
        self.records.splice(0..0, (0..self.singles as u32).map(single));
        self.singles = 0;
    }

    fn push(&mut self, moves: impl IntoIterator<Item = Candidate>, cell: Option<u32>) {
        let first = self.moves.len() as u32;
        self.moves.extend(moves);
        self.records.push(Record { first, end: self.moves.len() as u32, cell });
    }

    fn fail(&mut self, result: Result<(), Raised>) {
        if let Err(raised) = result {
            self.failure.get_or_insert(raised);
        }
    }
}

/// The choice of one edge for each process that takes part in a broadcast.
#[derive(Debug, Default)]
struct Choices {
    /// The receivers that take part.
    part: Vec<Candidate>,
    /// The edges of each process: (first, after the last, chosen).
    groups: Vec<(u32, u32, u32)>,
}

impl Choices {
    fn chosen(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.groups.iter().map(|&(.., chosen)| self.part[chosen as usize])
    }

    /// Moves on to the next combination; false after the last. The last process's choice runs fastest.
    fn advance(&mut self) -> bool {
        for (first, end, chosen) in self.groups.iter_mut().rev() {
            *chosen += 1;
            if *chosen < *end {
                return true;
            }
            *chosen = *first;
        }
        false
    }
}

/// What guards are evaluated with: a state, and room for values.
pub(crate) struct View<'a> {
    pub machine: &'a mut Machine,
    pub state: &'a mut [i32],
    pub values: &'a mut Vec<i32>,
}

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

    fn is_committed(&self, state: &[i32]) -> bool {
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

    pub(crate) fn process(&self, candidate: Candidate) -> usize {
        self.edges[candidate.edge].process.index()
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

    fn is_at_level(&self, edge: EdgeNumber, level: Option<i32>) -> bool {
        level.is_none_or(|level| self.edges[edge].preference == level)
    }

    /// The highest preference among the edges by which a process can move itself; none if all its
    /// edges have the same.
    fn level(&self, process: usize, view: &mut View) -> Result<Option<i32>, Raised> {
        let location = &self.locations[process][view.state[process] as usize];
        let Some(&lowest) = location.levels.last() else { return Ok(None) };
        for &level in location.levels.iter().filter(|&&level| level != lowest) {
            let all = location.internal.iter().chain(&location.sends);
            for &edge in all.filter(|&&edge| self.edges[edge].preference == level) {
                if self.can_fire(edge, view)? {
                    return Ok(Some(level));
                }
            }
        }
        Ok(Some(lowest))
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

    /// Whether an edge is enabled and, if it sends and needs one, has a partner.
    fn can_fire(&self, number: EdgeNumber, view: &mut View) -> Result<bool, Raised> {
        let edge = &self.edges[number];
        if edge.is_plain {
            let holds = edge.guard.holds(&self.program, view.machine, view.state);
            return holds.map_err(|error| raised_by(number, &[], error));
        }
        let kept = view.values.len();
        let mut own = Vec::new();
        let mut found = self.collect(number, view, &mut own, |_| true).map(|()| false);
        for candidate in own {
            if found == Ok(false) {
                found = match self.edges[number].sync {
                    Sync::Internal => Ok(true),
                    _ if self.elements[candidate.element].broadcast => Ok(true),
                    _ => self.has_receiver(candidate, view),
                };
            }
        }
        view.values.truncate(kept);
        found
    }

    /// Whether another process can receive what a candidate sends.
    fn has_receiver(&self, send: Candidate, view: &mut View) -> Result<bool, Raised> {
        let process = self.process(send);
        for (p, locations) in self.locations.iter().enumerate().filter(|&(p, _)| p != process) {
            for &edge in &locations[view.state[p] as usize].receives {
                let mut receives = Vec::new();
                let same = |element| element == send.element;
                self.collect(edge, view, &mut receives, same)?;
                if receives.iter().any(|&receive| self.message_fits(send, receive, view.values)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a sender's message is what a receiver wants.
    fn message_fits(&self, send: Candidate, receive: Candidate, values: &[i32]) -> bool {
        let count = self.edges[send.edge].meeting.message.len();
        let patterns = &self.edges[receive.edge].meeting.patterns;
        if count != patterns.len() {
            return false;
        }
        let message = &values[send.message as usize..send.message as usize + count];
        let wanted = &values[receive.message as usize..receive.message as usize + count];
        let all = patterns.iter().zip(message.iter().zip(wanted));
        all.into_iter().all(|(pattern, (sent, wanted))| pattern.is_none() || sent == wanted)
    }

    /// Whether a process can move by itself or as a sender, priorities aside. What raises an error
    /// cannot be done; the error itself is reported when the state is explored.
    pub(crate) fn can_move(&self, process: usize, view: &mut View) -> bool {
        let level = self.level(process, view).unwrap_or(None);
        let location = &self.locations[process][view.state[process] as usize];
        let mut all = location.internal.iter().chain(&location.sends);
        all.any(|&edge| self.is_at_level(edge, level) && self.can_fire(edge, view).unwrap_or(false))
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

    /// Adds an edge for each choice of its selects that enables it, if its element is of interest. An
    /// error is told after all choices.
    fn collect(
        &self,
        number: EdgeNumber,
        view: &mut View,
        out: &mut Vec<Candidate>,
        of_interest: impl Fn(ElementNumber) -> bool,
    ) -> Result<(), Raised> {
        let edge = &self.edges[number];
        if edge.is_plain {
            let holds = edge.guard.holds(&self.program, view.machine, view.state);
            if holds.map_err(|error| raised_by(number, &[], error))? {
                out.push(Candidate::of(number));
            }
            return Ok(());
        }
        if let Sync::Receive(Value::Const(element)) = edge.sync
            && !of_interest(ElementNumber::new(element as usize))
        {
            return Ok(());
        }
        for &(slot, low, _) in &edge.selects {
            view.machine.reserve(slot as usize + 1);
            view.machine.locals[slot as usize] = low;
        }
        let mut result = Ok(());
        loop {
            if let Err(raised) = self.collect_choice(number, view, out, &of_interest) {
                result = result.and(Err(raised));
            }
            if !next_choice(edge, view.machine) {
                return result;
            }
        }
    }

    /// Adds an edge if it is enabled for the values of its selects that the machine has.
    fn collect_choice(
        &self,
        number: EdgeNumber,
        view: &mut View,
        out: &mut Vec<Candidate>,
        of_interest: impl Fn(ElementNumber) -> bool,
    ) -> Result<(), Raised> {
        let edge = &self.edges[number];
        let from = view.values.len();
        let machine = &view.machine;
        view.values.extend(edge.selects.iter().map(|&(slot, ..)| machine.locals[slot as usize]));
        let message = view.values.len();
        let element = match edge.guard.holds(&self.program, view.machine, view.state) {
            Ok(true) => match self.meeting_place(edge, view, of_interest) {
                Err(error) => self.error_after_clocks(number, view, from..message, error),
                element => element.map_err(Raised::at_state),
            },
            Ok(false) => Ok(None),
            Err(error) => Err(raised_by(number, &view.values[from..message], error)),
        };
        match element {
            Ok(Some(element)) => {
                let (selects, message) = (from as u32, message as u32);
                out.push(Candidate { edge: number, selects, element, message });
                Ok(())
            }
            Ok(None) => {
                view.values.truncate(from);
                Ok(())
            }
            Err(raised) => {
                view.values.truncate(from);
                Err(raised)
            }
        }
    }

    /// An error in the channel or the message of an edge counts only where its clock guard holds, which
    /// is evaluated before.
    #[cold]
    fn error_after_clocks(
        &self,
        number: EdgeNumber,
        view: &mut View,
        selects: Range<usize>,
        error: RunTimeError,
    ) -> Result<Option<ElementNumber>, Raised> {
        let View { machine, state, values } = view;
        let raised = |error| raised_by(number, &values[selects.clone()], error);
        let clocks = &self.edges[number].clocks;
        if clocks.is_empty() {
            return Err(raised(error));
        }
        let mut demands = Vec::new();
        for (&(slot, ..), &value) in self.edges[number].selects.iter().zip(&values[selects.clone()])
        {
            machine.locals[slot as usize] = value;
        }
        let evaluated = evaluate(clocks, &self.program, machine, state, &mut demands);
        let mut zone = state[self.layout.zone()].to_vec();
        match demands.iter().all(|&demand| constrain(&mut zone, self.layout.dim, demand)) {
            true => Err(raised(evaluated.err().unwrap_or(error)).within(&zone)),
            false => Ok(None),
        }
    }

    /// The element that an edge whose guard holds synchronises on, if it is of interest; the values that
    /// go over are appended.
    #[inline]
    fn meeting_place(
        &self,
        edge: &EdgeCode,
        view: &mut View,
        of_interest: impl Fn(ElementNumber) -> bool,
    ) -> Result<Option<ElementNumber>, RunTimeError> {
        let View { machine, state, values } = view;
        let element = self.element_of(edge, machine, state)?.filter(|&it| of_interest(it));
        if let Some(element) = element {
            self.push_message(edge, element, machine, state, values)?;
        }
        Ok(element)
    }

    /// Appends the message an edge sends, fitted to its channel, or the values it wants to receive.
    fn push_message(
        &self,
        edge: &EdgeCode,
        element: ElementNumber,
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
            let fitted = self.layout.buffers[element.index()].fit(&mut values[from..]);
            fitted.map_err(|kind| RunTimeError { kind, span: network::Span::NONE })?;
        }
        Ok(())
    }

    /// The element that an edge synchronises on (the first for internal edges).
    #[inline]
    fn element_of(
        &self,
        edge: &EdgeCode,
        machine: &mut Machine,
        state: &mut [i32],
    ) -> Result<Option<ElementNumber>, RunTimeError> {
        match edge.sync {
            Sync::Internal => Ok(Some(ElementNumber::default())),
            Sync::Send(element) | Sync::Receive(element) => {
                let element = element.of(&self.program, machine, state)?;
                let element = ElementNumber::new(element as usize);
                // A channel value may stand for a buffer, or for a channel with messages of
                // another length, which other edges deal with.
                let channel = &self.elements[element];
                let meets = !channel.buffered && channel.width == edge.meeting.width();
                Ok(meets.then_some(element))
            }
        }
    }

    /// Puts the values of a candidate's selects where its code finds them.
    #[inline]
    pub(crate) fn bind(&self, machine: &mut Machine, candidate: Candidate, values: &[i32]) {
        let edge = &self.edges[candidate.edge];
        for (i, &(slot, ..)) in edge.selects.iter().enumerate() {
            machine.reserve(slot as usize + 1);
            machine.locals[slot as usize] = values[candidate.selects as usize + i];
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

    fn handshakes(&self, state: &[i32], send: Candidate, committed: bool, steps: &mut Steps) {
        for i in 0..steps.receives.len() {
            let receive = steps.receives[i];
            let meet = receive.element == send.element
                && self.process(receive) != self.process(send)
                && self.message_fits(send, receive, &steps.values)
                && self.is_preferred(state, steps, send, receive);
            let leaves = |candidate| self.leaves_committed(state, candidate);
            if meet && (!committed || leaves(send) || leaves(receive)) {
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

    /// Whether a step on an urgent channel is enabled. What raises an error is not; the error itself is
    /// reported when the state is explored.
    pub(crate) fn is_urgent(&self, view: &mut View) -> bool {
        (0..self.locations.len()).any(|p| {
            let location = &self.locations[p][view.state[p] as usize];
            let by_buffer = |view: &mut View, number: EdgeNumber| {
                let fires = self.can_fire(number, view).unwrap_or(false);
                fires && self.acts_urgently(number, view).unwrap_or(false)
            };
            location.urgent_buffers.iter().any(|&number| by_buffer(view, number))
                || location.urgent_sends.iter().any(|&number| self.can_meet_urgently(number, view))
        })
    }

    /// Whether an edge that can fire acts on the buffer of an urgent channel.
    fn acts_urgently(&self, number: EdgeNumber, view: &mut View) -> Result<bool, RunTimeError> {
        let Some(buffer) = &self.edges[number].buffer else { return Ok(false) };
        let element = buffer.of(&self.program, view.machine, view.state)?;
        Ok(self.elements[ElementNumber::new(element as usize)].urgent)
    }

    /// Whether a sender without clock guard is enabled on an urgent channel and, if it needs one, has a
    /// partner without clock guard.
    fn can_meet_urgently(&self, number: EdgeNumber, view: &mut View) -> bool {
        let kept = view.values.len();
        let mut sends = Vec::new();
        let collected = self.collect(number, view, &mut sends, |_| true);
        let found = collected.is_ok()
            && sends.into_iter().any(|send| {
                let element = self.elements[send.element];
                element.urgent
                    && (element.broadcast || self.has_unguarded_receiver(send, view) == Ok(true))
            });
        view.values.truncate(kept);
        found
    }

    /// Whether another process can receive what a candidate sends, whatever the clocks are.
    fn has_unguarded_receiver(&self, send: Candidate, view: &mut View) -> Result<bool, Raised> {
        let sender = self.process(send);
        for (p, locations) in self.locations.iter().enumerate().filter(|&(p, _)| p != sender) {
            let edges = locations[view.state[p] as usize].receives.iter();
            for &edge in edges.filter(|&&edge| self.edges[edge].clocks.is_empty()) {
                let mut receives = Vec::new();
                self.collect(edge, view, &mut receives, |element| element == send.element)?;
                if receives.iter().any(|&r| self.message_fits(send, r, view.values)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
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
}

/// A part of the zone, and which receivers' clock guards hold there.
type Cell = (Vec<i32>, Vec<bool>);

fn raised_by(edge: EdgeNumber, selects: &[i32], error: RunTimeError) -> Raised {
    let mut words = vec![word_of(edge)];
    words.extend_from_slice(selects);
    Raised::by(Step::from_words(&words), error)
}

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

/// Moves on to the next combination of select values; false after the last.
fn next_choice(edge: &EdgeCode, machine: &mut Machine) -> bool {
    for &(slot, low, high) in edge.selects.iter().rev() {
        let value = &mut machine.locals[slot as usize];
        if *value < high {
            // There may be any number of them.
            cancellation::check();
            *value += 1;
            return true;
        }
        *value = low;
    }
    false
}
