//! Which single edges are enabled, as far as data says, and whether a process can move.

use crate::condition::{Value, evaluate};
use crate::edge::{EdgeCode, Meeting, Sync};
use crate::explorer::{Explorer, constrain};
use crate::machine::Machine;
use crate::step::{EdgeNumber, ElementNumber, Raised, Step, word_of};
use crate::steps::Candidate;
use network::{Id, RunTimeError, cancellation};
use std::ops::Range;

/// What guards are evaluated with: a state, and room for values.
pub(crate) struct View<'a> {
    pub machine: &'a mut Machine,
    pub state: &'a mut [i32],
    pub values: &'a mut Vec<i32>,
}

impl Explorer {
    /// The highest preference among the edges by which a process can move itself; none if all its
    /// edges have the same.
    pub(crate) fn level(&self, process: usize, view: &mut View) -> Result<Option<i32>, Raised> {
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

    pub(crate) fn is_at_level(&self, edge: EdgeNumber, level: Option<i32>) -> bool {
        level.is_none_or(|level| self.edges[edge].preference == level)
    }

    /// Whether an edge is enabled and, if it sends and needs one, has a partner.
    pub(crate) fn can_fire(&self, number: EdgeNumber, view: &mut View) -> Result<bool, Raised> {
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
                    _ => self.has_receiver(candidate, view, |_| true),
                };
            }
        }
        view.values.truncate(kept);
        found
    }

    /// Whether another process can receive what a candidate sends, by an edge that counts.
    pub(crate) fn has_receiver(
        &self,
        send: Candidate,
        view: &mut View,
        counts: impl Fn(&EdgeCode) -> bool,
    ) -> Result<bool, Raised> {
        let process = self.process(send);
        for (p, locations) in self.locations.iter().enumerate().filter(|&(p, _)| p != process) {
            let edges = locations[view.state[p] as usize].receives.iter();
            for &edge in edges.filter(|&&edge| counts(&self.edges[edge])) {
                let mut receives = Vec::new();
                self.collect(edge, view, &mut receives, |element| element == send.element)?;
                if receives.iter().any(|&receive| self.message_fits(send, receive, view.values)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a sender's message is what a receiver wants.
    pub(crate) fn message_fits(&self, send: Candidate, receive: Candidate, values: &[i32]) -> bool {
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

    /// Adds an edge for each choice of its selects that enables it, if its element is of interest. An
    /// error is told after all choices.
    pub(crate) fn collect(
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

    pub(crate) fn process(&self, candidate: Candidate) -> usize {
        self.edges[candidate.edge].process.index()
    }
}

pub(crate) fn raised_by(edge: EdgeNumber, selects: &[i32], error: RunTimeError) -> Raised {
    let mut words = vec![word_of(edge)];
    words.extend_from_slice(selects);
    Raised::by(Step::from_words(&words), error)
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
