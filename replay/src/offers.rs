//! What single processes offer: edges whose guards hold now or after some delay.

use network::{Action, ChannelId, Edge, Move, ProcessId, Type, cancellation};

use crate::atom::Rates;
use crate::frame::Frame;
use crate::moments::Moments;
use crate::{Raised, Simulator, State, Stop};

/// An edge with values of its selects, and the delays after which its guard holds.
pub(crate) struct Offer {
    pub moved: Move,
    pub role: Role,
    pub moments: Moments,
}

/// What an edge does, with the number of its channel element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Internal,
    /// Sends to another process.
    Send(usize),
    /// Receives from another process.
    Receive(usize),
    /// Sends to a buffer.
    Put(usize),
    /// Receives from a buffer.
    Take(usize),
}

impl Role {
    /// The number of its channel element.
    pub fn element(self) -> Option<usize> {
        match self {
            Role::Internal => None,
            Role::Send(number) | Role::Receive(number) | Role::Put(number) | Role::Take(number) => {
                Some(number)
            }
        }
    }
}

impl Simulator<'_> {
    /// All offers of all processes, by process. Without rates time stands still.
    ///
    /// An edge that raises a run-time error offers nothing; the error is put into `errors`.
    pub(crate) fn offers(
        &self,
        state: &State,
        rates: Option<&Rates>,
        timeout: bool,
        errors: &mut Vec<Raised>,
    ) -> Vec<Offer> {
        let network = self.network();
        let processes = network.processes.ids().filter(|&id| !network.processes[id].observes);
        let offers = |process| self.offers_of(state, process, rates, timeout, errors);
        processes.flat_map(offers).collect()
    }

    /// The offers of one process.
    pub(crate) fn offers_of(
        &self,
        state: &State,
        process: ProcessId,
        rates: Option<&Rates>,
        timeout: bool,
        errors: &mut Vec<Raised>,
    ) -> Vec<Offer> {
        let mut offers = Vec::new();
        cancellation::check();
        for &id in self.leaving(state, process) {
            let edge = &self.network().processes[process].edges[id];
            for selects in Selections::new(edge) {
                match self.offer(state, edge, &selects, rates, timeout) {
                    Ok(Some((role, moments))) => {
                        let moved = Move { process, edge: id, selects };
                        offers.push(Offer { moved, role, moments });
                    }
                    Ok(None) | Err(Stop::Illegal(_)) => {}
                    Err(Stop::Error(error)) => {
                        let moves = vec![Move { process, edge: id, selects }];
                        errors.push(Raised { error, moves });
                    }
                }
            }
        }
        offers
    }

    /// The guard first, then the index of the channel, then what is in its buffer.
    fn offer(
        &self,
        state: &State,
        edge: &Edge,
        selects: &[i32],
        rates: Option<&Rates>,
        timeout: bool,
    ) -> Result<Option<(Role, Moments)>, Stop> {
        let mut evaluator = self.evaluator(state);
        evaluator.timeout = timeout;
        let mut frame = Frame::of_edge(edge, selects);
        let Some(atoms) = evaluator.condition(&edge.guard, &mut frame)? else {
            return Ok(None);
        };
        let moments = atoms.iter().fold(Moments::ALL, |moments, atom| {
            moments.and(atom.moments(&evaluator.draft, rates, self.scale()))
        });
        if moments.is_empty() {
            return Ok(None);
        }
        let role = self.role(state, edge, selects)?;
        let suits = role.element().is_none_or(|number| self.takes(number, &edge.action));
        let ready = suits && self.is_buffer_ready(state, edge, selects, role)?;
        Ok(ready.then_some((role, moments)))
    }

    /// The channel and its element that a move is on in a state; none for an internal edge.
    pub fn channel_of(
        &self,
        state: &State,
        moved: &Move,
    ) -> Result<Option<(ChannelId, usize)>, Stop> {
        let unknown = || Stop::illegal("there is no such edge");
        let process = self.network().processes.try_at(moved.process).ok_or_else(unknown)?;
        let edge = process.edges.try_at(moved.edge).ok_or_else(unknown)?;
        if moved.selects.len() != edge.selects.len() {
            return Err(Stop::illegal("the edge has a different number of selects"));
        }
        let role = self.role(state, edge, &moved.selects)?;
        Ok(role.element().map(|number| self.element(number)))
    }

    /// What an edge does in a state.
    pub(crate) fn role(&self, state: &State, edge: &Edge, selects: &[i32]) -> Result<Role, Stop> {
        let mut frame = Frame::of_edge(edge, selects);
        let mut evaluator = self.evaluator(state);
        Ok(match &edge.action {
            Action::Internal => Role::Internal,
            Action::Send(send) => {
                let number = evaluator.channel(&send.channel, send.span, &mut frame)?;
                if self.capacity(number) > 0 { Role::Put(number) } else { Role::Send(number) }
            }
            Action::Receive(receive) => {
                let number = evaluator.channel(&receive.channel, receive.span, &mut frame)?;
                if self.capacity(number) > 0 { Role::Take(number) } else { Role::Receive(number) }
            }
        })
    }
}

/// All values of an edge's selects, one after the other.
pub(crate) struct Selections {
    types: Vec<Type>,
    next: Option<Vec<i32>>,
}

impl Selections {
    pub fn new(edge: &Edge) -> Self {
        let types: Vec<Type> = edge.selects.iter().map(|&local| edge.locals[local].ty).collect();
        let possible = types.iter().all(|ty| ty.low <= ty.high);
        let next = possible.then(|| types.iter().map(|ty| ty.low).collect());
        Selections { types, next }
    }
}

impl Iterator for Selections {
    type Item = Vec<i32>;

    fn next(&mut self) -> Option<Vec<i32>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for (value, ty) in following.iter_mut().zip(&self.types).rev() {
            if *value < ty.high {
                *value += 1;
                self.next = Some(following);
                break;
            }
            *value = ty.low;
        }
        Some(current)
    }
}
