//! What single processes offer: edges whose guards hold now or after some delay.

use network::{Action, ChannelId, Edge, Move, ProcessId, Type};

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
    Send(usize),
    Receive(usize),
}

impl Simulator<'_> {
    /// All offers of all processes, by process. Without rates time stands still.
    ///
    /// An edge that raises a run-time error offers nothing; the error is put into `errors`.
    pub(crate) fn offers(
        &self,
        state: &State,
        rates: Option<&Rates>,
        errors: &mut Vec<Raised>,
    ) -> Vec<Offer> {
        let processes = self.network().processes.ids();
        processes.flat_map(|process| self.offers_of(state, process, rates, errors)).collect()
    }

    /// The offers of one process.
    pub(crate) fn offers_of(
        &self,
        state: &State,
        process: ProcessId,
        rates: Option<&Rates>,
        errors: &mut Vec<Raised>,
    ) -> Vec<Offer> {
        let mut offers = Vec::new();
        for (id, edge) in self.network().processes[process].edges.enumerate() {
            if edge.source != state.location(process) {
                continue;
            }
            for selects in Selections::new(edge) {
                match self.offer(state, edge, &selects, rates) {
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

    /// The guard first, then the index of the channel.
    fn offer(
        &self,
        state: &State,
        edge: &Edge,
        selects: &[i32],
        rates: Option<&Rates>,
    ) -> Result<Option<(Role, Moments)>, Stop> {
        let mut evaluator = self.evaluator(state);
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
        Ok(Some((self.role(state, edge, selects)?, moments)))
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
            return Err(Stop::illegal("the edge has another number of selects"));
        }
        Ok(match self.role(state, edge, &moved.selects)? {
            Role::Internal => None,
            Role::Send(element) | Role::Receive(element) => Some(self.element(element)),
        })
    }

    /// What an edge does in a state.
    pub(crate) fn role(&self, state: &State, edge: &Edge, selects: &[i32]) -> Result<Role, Stop> {
        let mut frame = Frame::of_edge(edge, selects);
        let mut evaluator = self.evaluator(state);
        Ok(match &edge.action {
            Action::Internal => Role::Internal,
            Action::Send(send) => {
                Role::Send(evaluator.channel(&send.channel, send.span, &mut frame)?)
            }
            Action::Receive(receive) => {
                Role::Receive(evaluator.channel(&receive.channel, receive.span, &mut frame)?)
            }
        })
    }
}

/// All values of an edge's selects, one after the other.
struct Selections {
    types: Vec<Type>,
    next: Option<Vec<i32>>,
}

impl Selections {
    fn new(edge: &Edge) -> Self {
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
