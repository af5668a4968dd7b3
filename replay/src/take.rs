//! Judges a given step: it checks what the step claims instead of looking for steps.

use std::ops::ControlFlow;

use network::{Change, Edge, LocationKind, Move};

use crate::atom::Atom;
use crate::evaluator::Evaluator;
use crate::frame::Frame;
use crate::offers::Role;
use crate::steps::Priority;
use crate::{Raised, Simulator, State, Stop, words};

impl Simulator<'_> {
    /// The state after a step without the observer and what the step changed, if it may be taken now.
    pub(crate) fn take_without(
        &self,
        state: &State,
        moves: &[Move],
    ) -> Result<(State, Vec<Change>), Stop> {
        let evaluator = self.fire_checked(state, moves, self.is_timeout(state))?;
        Ok((self.finish(&evaluator.draft, moves), evaluator.draft.changes()))
    }

    /// Fires a step if it may be taken now.
    pub(crate) fn fire_checked<'a>(
        &'a self,
        state: &'a State,
        moves: &[Move],
        timeout: bool,
    ) -> Result<Evaluator<'a>, Stop> {
        let element = self.check_enabled(state, moves, timeout)?;
        let evaluator = self.fire(state, moves)?;
        self.check_priority(state, moves, element, timeout)?;
        Ok(evaluator)
    }

    /// The run-time errors that the moves of a step without the observer raise.
    pub(crate) fn errors_of_others(
        &self,
        state: &State,
        moves: &[Move],
    ) -> Result<Vec<Raised>, Stop> {
        let timeout = self.is_timeout(state);
        let mut errors = self.errors_of_guards(state, moves, false)?;
        if timeout {
            errors.extend(self.errors_of_guards(state, moves, true)?);
        }
        if !errors.is_empty() {
            return Ok(errors);
        }
        let element = self.check_enabled(state, moves, timeout)?;
        self.check_priority(state, moves, element, timeout)?;
        match self.fire(state, moves) {
            Err(Stop::Error(error)) => Ok(vec![Raised { error, moves: moves.to_vec() }]),
            Err(illegal) => Err(illegal),
            Ok(evaluator) => {
                // The rates of a state are looked at as soon as it is entered.
                self.try_rates(&evaluator.draft.finish(self.scale()), &mut errors)?;
                errors.iter_mut().for_each(|raised| raised.moves = moves.to_vec());
                let none = || Stop::illegal("the moves raise no run-time error");
                if errors.is_empty() { Err(none()) } else { Ok(errors) }
            }
        }
    }

    /// What guards, channels, messages and patterns raise.
    fn errors_of_guards(
        &self,
        state: &State,
        moves: &[Move],
        timeout: bool,
    ) -> Result<Vec<Raised>, Stop> {
        let mut errors = Vec::new();
        let mut note = |result: Result<(), Stop>| match result {
            Err(Stop::Error(error)) => errors.push(Raised { error, moves: moves.to_vec() }),
            Err(Stop::Illegal(_)) | Ok(()) => {}
        };
        for moved in moves {
            let edge = self.edge(state, moved)?;
            let mut frame = Frame::of_edge(edge, &moved.selects);
            let mut evaluator = self.evaluator(state);
            evaluator.timeout = timeout;
            let guard = evaluator.condition(&edge.guard, &mut frame);
            // The channel is looked at only if the guard holds.
            let holds = |atom: &Atom| atom.holds(&evaluator.draft, self.scale());
            if matches!(&guard, Ok(Some(atoms)) if atoms.iter().all(holds)) {
                note(self.try_message(state, edge, &moved.selects));
            }
            note(guard.map(|_| ()));
        }
        Ok(errors)
    }

    /// The run-time errors that the state itself raises.
    pub(crate) fn errors_of_state(&self, state: &State) -> Result<Vec<Raised>, Stop> {
        let mut errors = Vec::new();
        for process in self.network().processes.ids() {
            let result = self.invariant(&mut self.evaluator(state), process);
            if let Err(Stop::Error(error)) = result {
                errors.push(Raised { error, moves: Vec::new() });
            }
        }
        self.try_rates(state, &mut errors)?;
        Ok(errors)
    }

    /// Demands that the moves are a step whose edges are enabled, and that it respects committed
    /// locations, control and preferences; returns the number of its channel element.
    fn check_enabled(
        &self,
        state: &State,
        moves: &[Move],
        timeout: bool,
    ) -> Result<Option<usize>, Stop> {
        let mut roles = Vec::new();
        for moved in moves {
            let edge = self.edge(state, moved)?;
            self.check_guard(state, moved, edge, timeout)?;
            let role = self.role(state, edge, &moved.selects)?;
            self.check_buffer(state, moved, edge, role)?;
            roles.push(role);
        }
        let element = self.check_roles(moves, &roles)?;
        if let Some(Role::Send(element)) = roles.first() {
            self.check_partners(state, moves, *element, timeout)?;
        }
        if !self.respects_committed(state, moves) {
            return Err(Stop::illegal(format!(
                "{} leaves no committed location, but {} is in one",
                self.name(moves),
                self.committed_process(state)
            )));
        }
        self.check_control(state, moves)?;
        self.check_preferences(state, moves, timeout)?;
        Ok(element)
    }

    fn check_control(&self, state: &State, moves: &[Move]) -> Result<(), Stop> {
        match state.control.filter(|_| !self.respects_control(state, moves)) {
            None => Ok(()),
            Some(keeper) => Err(Stop::illegal(format!(
                "{} has to wait: {} has control",
                self.name(moves),
                self.network().processes[keeper].name
            ))),
        }
    }

    fn check_preferences(&self, state: &State, moves: &[Move], timeout: bool) -> Result<(), Stop> {
        if !self.has_preferences {
            return Ok(());
        }
        let offers = self.offers(state, None, timeout, &mut Vec::new());
        let highest = self.preferences(state, &offers, 0);
        match self.less_preferred(&highest, moves) {
            None => Ok(()),
            Some((moved, other)) => Err(Stop::illegal(format!(
                "{} has the preference {}, but an edge with {other} can fire",
                self.name(std::slice::from_ref(moved)),
                self.edge_of(moved).preference,
            ))),
        }
    }

    /// Demands room in a buffer that is sent to and a message in one that is received from.
    fn check_buffer(
        &self,
        state: &State,
        moved: &Move,
        edge: &Edge,
        role: Role,
    ) -> Result<(), Stop> {
        let Some(number) = role.element() else { return Ok(()) };
        let reason = if !self.takes(number, &edge.action) {
            "has messages of a different length"
        } else if self.is_buffer_ready(state, edge, &moved.selects, role)? {
            return Ok(());
        } else if matches!(role, Role::Put(_)) {
            "is full"
        } else {
            "has no message that fits"
        };
        let name = self.name(std::slice::from_ref(moved));
        Err(Stop::illegal(format!("{name} cannot fire: {} {reason}", self.channel_name(number))))
    }

    /// The edge of a move, which must exist and start where its process is.
    fn edge(&self, state: &State, moved: &Move) -> Result<&Edge, Stop> {
        let process = self.network().processes.try_at(moved.process);
        let process = process
            .ok_or_else(|| Stop::illegal(format!("there is no process {}", moved.process.0)))?;
        let edge = process.edges.try_at(moved.edge);
        let edge = edge.ok_or_else(|| {
            Stop::illegal(format!("{} has no edge {}", process.name, moved.edge.0))
        })?;
        let name = || words::edge(self.network(), moved.process, moved.edge);
        let location = state.location(moved.process);
        if edge.source != location {
            let location = &process.locations[location].name;
            return Err(Stop::illegal(format!(
                "{} does not start where the process is: in {location}",
                name()
            )));
        }
        let in_range = |(&local, &value): (&network::LocalId, &i32)| {
            edge.locals.try_at(local).is_some_and(|local| local.ty.contains(value))
        };
        let selects = &moved.selects;
        if selects.len() != edge.selects.len() || !edge.selects.iter().zip(selects).all(in_range) {
            return Err(Stop::illegal(format!(
                "the selects of {} cannot have the values {selects:?}",
                name()
            )));
        }
        Ok(edge)
    }

    fn check_guard(
        &self,
        state: &State,
        moved: &Move,
        edge: &Edge,
        timeout: bool,
    ) -> Result<(), Stop> {
        let mut evaluator = self.evaluator(state);
        evaluator.timeout = timeout;
        let mut frame = Frame::of_edge(edge, &moved.selects);
        let reason = match evaluator.condition(&edge.guard, &mut frame)? {
            None => "its data part is false".to_string(),
            Some(atoms) => {
                let broken =
                    |atom: &&_| !crate::atom::Atom::holds(atom, &evaluator.draft, self.scale());
                match atoms.iter().find(broken) {
                    None => return Ok(()),
                    Some(atom) => atom.describe(&evaluator.draft, self),
                }
            }
        };
        let name = words::edge(self.network(), moved.process, moved.edge);
        Err(Stop::illegal(format!("the guard of {name} does not hold: {reason}")))
    }

    /// One internal edge, or a sender followed by receivers on the same channel element.
    fn check_roles(&self, moves: &[Move], roles: &[Role]) -> Result<Option<usize>, Stop> {
        let Some((first, rest)) = roles.split_first() else {
            return Err(Stop::illegal("the step has no moves"));
        };
        let element = match *first {
            Role::Internal if rest.is_empty() => return Ok(None),
            Role::Internal => {
                return Err(Stop::illegal(format!(
                    "{} is internal, but others move with it",
                    self.name(moves)
                )));
            }
            Role::Put(element) | Role::Take(element) if rest.is_empty() => {
                return Ok(Some(element));
            }
            Role::Put(_) | Role::Take(_) => {
                return Err(Stop::illegal(format!(
                    "{} is about a buffer, but others move with it",
                    self.name(moves)
                )));
            }
            Role::Receive(_) => {
                return Err(Stop::illegal(format!(
                    "{} comes first but does not send",
                    self.name(moves)
                )));
            }
            Role::Send(element) => element,
        };
        for (role, moved) in rest.iter().zip(&moves[1..]) {
            if *role != Role::Receive(element) {
                return Err(Stop::illegal(format!(
                    "{} does not receive from {}",
                    self.name(std::slice::from_ref(moved)),
                    self.channel_name(element)
                )));
            }
        }
        Ok(Some(element))
    }

    fn check_partners(
        &self,
        state: &State,
        moves: &[Move],
        element: usize,
        timeout: bool,
    ) -> Result<(), Stop> {
        let Some((sender, receivers)) = moves.split_first() else {
            return Err(Stop::illegal("the step has no moves"));
        };
        if receivers.iter().any(|receiver| receiver.process == sender.process) {
            return Err(Stop::illegal(format!(
                "{} cannot receive what it sends",
                self.name(moves)
            )));
        }
        if self.is_broadcast(element) {
            return self.check_receivers(state, sender, receivers, element, timeout);
        }
        match receivers {
            [receiver] if self.is_handed(state, sender, receiver, element)? => Ok(()),
            [receiver] => Err(Stop::illegal(format!(
                "the message of {} does not fit {}",
                self.name(moves),
                self.name(std::slice::from_ref(receiver))
            ))),
            [] => Err(Stop::illegal(format!("{} needs a receiver", self.name(moves)))),
            _ => Err(Stop::illegal(format!("{} has more than one receiver", self.name(moves)))),
        }
    }

    /// The receivers, in process order, are all processes that can receive.
    fn check_receivers(
        &self,
        state: &State,
        sender: &Move,
        receivers: &[Move],
        element: usize,
        timeout: bool,
    ) -> Result<(), Stop> {
        if receivers.windows(2).any(|pair| pair[0].process >= pair[1].process) {
            return Err(Stop::illegal(format!(
                "the receivers from {} are not in the order of the processes",
                self.channel_name(element)
            )));
        }
        for (id, process) in self.network().processes.enumerate() {
            let takes_part = id == sender.process || receivers.iter().any(|r| r.process == id);
            if takes_part {
                continue;
            }
            if self.can_receive(state, id, element, timeout)? {
                return Err(Stop::illegal(format!(
                    "{} can receive from {} but does not",
                    process.name,
                    self.channel_name(element)
                )));
            }
        }
        Ok(())
    }

    /// Whether a process has an enabled edge that receives from the element. An error in a guard
    /// that decides this is an error of the step; one after another channel is not.
    fn can_receive(
        &self,
        state: &State,
        process: network::ProcessId,
        element: usize,
        timeout: bool,
    ) -> Result<bool, Stop> {
        let mut errors = Vec::new();
        let offers = self.offers_of(state, process, None, timeout, &mut errors);
        if offers.iter().any(|offer| offer.role == Role::Receive(element)) {
            return Ok(true);
        }
        for raised in errors {
            let moved = &raised.moves[0];
            let edge = &self.network().processes[moved.process].edges[moved.edge];
            match self.role(state, edge, &moved.selects) {
                Ok(role) if role != Role::Receive(element) => {}
                Err(_) if !matches!(edge.action, network::Action::Receive(_)) => {}
                _ => return Err(Stop::Error(raised.error)),
            }
        }
        Ok(false)
    }

    /// Demands that no possible step has a higher priority.
    fn check_priority(
        &self,
        state: &State,
        moves: &[Move],
        element: Option<usize>,
        timeout: bool,
    ) -> Result<(), Stop> {
        let priority = self.priority(state, moves, element);
        if !self.can_be_outranked(priority) {
            return Ok(());
        }
        // A step that raises an error is not possible: the trace says where errors matter.
        let offers = self.offers(state, None, timeout, &mut Vec::new());
        let mut higher = None;
        let _ = self.visit_steps(state, &offers, 0, &mut |other, element| {
            let better = self.priority(state, other, element) > priority;
            if better && self.fire(state, other).is_ok() {
                higher = Some(self.name(other));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        match higher {
            Some(other) => Err(Stop::illegal(format!(
                "{} has to wait for {other}, which has a higher priority",
                self.name(moves)
            ))),
            None => Ok(()),
        }
    }

    /// Whether any step at all could have a higher priority.
    fn can_be_outranked(&self, priority: Priority) -> bool {
        let channels = self.network().channels.iter().flat_map(|channel| &channel.priorities);
        let highest = channels.copied().max().unwrap_or(0).max(0);
        let highest_of = |process: &network::Process| match process.priority {
            network::Priority::Fixed(priority) => priority,
            network::Priority::Variable(variable) => self.network().variables[variable].ty.high,
        };
        let processes = self.network().processes.iter().map(highest_of);
        (highest, processes.max().unwrap_or(0)) > priority
    }

    fn committed_process(&self, state: &State) -> String {
        let committed = |&id: &_| self.is_at(state, id, LocationKind::Committed);
        let process = self.network().processes.ids().find(committed);
        process.map(|id| self.network().processes[id].name.clone()).unwrap_or_default()
    }
    /// The name of the first edge.
    fn name(&self, moves: &[Move]) -> String {
        moves.first().map_or("nothing".to_string(), |moved| {
            words::edge(self.network(), moved.process, moved.edge)
        })
    }
    fn channel_name(&self, number: usize) -> String {
        let (channel, element) = self.element(number);
        words::channel(self.network(), channel, element)
    }
}
