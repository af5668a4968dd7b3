//! Finds all steps of a state: it puts the offers of single processes together.

use std::ops::ControlFlow;

use network::{ChannelKind, Id, LocationKind, Move};

use crate::evaluator::Evaluator;
use crate::offers::{Offer, Role};
use crate::{Choices, Raised, Simulator, State, Stop};

/// The priority of the channel element, then the highest of the processes.
pub(crate) type Priority = (i32, i32);

/// What is called with the moves of each step and the number of its channel element.
type Visitor<'v> = dyn FnMut(&[Move], Option<usize>) -> ControlFlow<()> + 'v;

impl Simulator<'_> {
    /// The steps that may be taken now.
    pub fn possible_steps(&self, state: &State) -> Vec<Vec<Move>> {
        self.choices(state).steps
    }

    /// The steps that may be taken now, and the run-time errors that are raised now.
    ///
    /// The error of a step's effect counts unless a possible step has a higher priority.
    pub fn choices(&self, state: &State) -> Choices {
        let mut errors = Vec::new();
        let offers = self.offers(state, None, &mut errors);
        let mut possible: Vec<(Priority, Vec<Move>)> = Vec::new();
        let mut failed: Vec<(Priority, Raised)> = Vec::new();
        let _ = self.visit_steps(state, &offers, 0, &mut |moves, element| {
            let priority = self.priority(moves, element);
            match self.fire(state, moves) {
                Ok(_) => possible.push((priority, moves.to_vec())),
                Err(Stop::Error(error)) => {
                    failed.push((priority, Raised { error, moves: moves.to_vec() }));
                }
                Err(Stop::Illegal(_)) => {}
            }
            ControlFlow::Continue(())
        });
        let highest = possible.iter().map(|(priority, _)| *priority).max();
        let first = |priority: &Priority| highest.is_none_or(|highest| *priority >= highest);
        possible.retain(|(priority, _)| first(priority));
        failed.retain(|(priority, _)| first(priority));
        errors.extend(failed.into_iter().map(|(_, raised)| raised));
        Choices { steps: possible.into_iter().map(|(_, moves)| moves).collect(), errors }
    }

    pub(crate) fn priority(&self, moves: &[Move], element: Option<usize>) -> Priority {
        let processes = moves.iter().map(|moved| self.network().processes[moved.process].priority);
        (element.map_or(0, |number| self.element_priority(number)), processes.max().unwrap_or(0))
    }

    fn element_priority(&self, number: usize) -> i32 {
        let (channel, element) = self.element(number);
        // Priorities may be left out where none was declared.
        self.network().channels[channel].priorities.get(element).copied().unwrap_or(0)
    }

    /// Whether the step leaves a committed location, if some process is in one.
    pub(crate) fn respects_committed(&self, state: &State, moves: &[Move]) -> bool {
        let committed = |process| self.is_at(state, process, LocationKind::Committed);
        !self.network().processes.ids().any(committed)
            || moves.iter().any(|moved| committed(moved.process))
    }

    /// Executes the updates and goes to the targets, where the invariants must hold.
    pub(crate) fn fire<'a>(
        &'a self,
        state: &'a State,
        moves: &[Move],
    ) -> Result<Evaluator<'a>, Stop> {
        let mut evaluator = self.run_updates(state, moves)?;
        self.check_invariants(&mut evaluator)?;
        Ok(evaluator)
    }

    /// Executes the updates and goes to the targets, whatever the invariants.
    pub(crate) fn run_updates<'a>(
        &'a self,
        state: &'a State,
        moves: &[Move],
    ) -> Result<Evaluator<'a>, Stop> {
        let mut evaluator = self.evaluator(state);
        let edge = |moved: &Move| &self.network().processes[moved.process].edges[moved.edge];
        for moved in moves {
            evaluator.update(edge(moved), &moved.selects)?;
        }
        // Only now: updates see the locations before the step.
        for moved in moves {
            evaluator.draft.go(moved.process, edge(moved).target);
        }
        Ok(evaluator)
    }

    /// Calls `visit` for each step that the offers enable after delays of a class and that
    /// respects committed locations, whatever its effect.
    pub(crate) fn visit_steps(
        &self,
        state: &State,
        offers: &[Offer],
        class: i128,
        visit: &mut Visitor,
    ) -> ControlFlow<()> {
        let enabled: Vec<&Offer> = offers.iter().filter(|o| o.moments.contains(class)).collect();
        self.visit_combinations(&enabled, &mut |moves, element| {
            if !self.respects_committed(state, moves) {
                return ControlFlow::Continue(());
            }
            visit(moves, element)
        })
    }

    fn visit_combinations(&self, enabled: &[&Offer], visit: &mut Visitor) -> ControlFlow<()> {
        for offer in enabled {
            let sender = std::slice::from_ref(&offer.moved);
            match offer.role {
                Role::Internal => visit(sender, None)?,
                Role::Send(element) if self.is_broadcast(element) => {
                    let receivers = self.receivers(enabled, offer, element);
                    broadcast(&mut sender.to_vec(), &receivers, element, visit)?;
                }
                Role::Send(element) => {
                    for receiver in self.receivers(enabled, offer, element).iter().flatten() {
                        visit(&[offer.moved.clone(), (*receiver).clone()], Some(element))?;
                    }
                }
                Role::Receive(_) => {}
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn is_broadcast(&self, element: usize) -> bool {
        self.network().channels[self.element(element).0].kind == ChannelKind::Broadcast
    }

    /// What each process other than the sender can do to receive, processes that cannot left out.
    fn receivers<'o>(
        &self,
        enabled: &[&'o Offer],
        sender: &Offer,
        element: usize,
    ) -> Vec<Vec<&'o Move>> {
        let mut receivers = vec![Vec::new(); self.network().processes.len()];
        for offer in enabled {
            let other = offer.moved.process != sender.moved.process;
            if other && offer.role == Role::Receive(element) {
                receivers[offer.moved.process.index()].push(&offer.moved);
            }
        }
        receivers.retain(|moves| !moves.is_empty());
        receivers
    }
}

/// Extends the moves by one of each receiver in all ways.
fn broadcast(
    moves: &mut Vec<Move>,
    receivers: &[Vec<&Move>],
    element: usize,
    visit: &mut Visitor,
) -> ControlFlow<()> {
    let Some((first, rest)) = receivers.split_first() else {
        return visit(moves, Some(element));
    };
    for &receiver in first {
        moves.push(receiver.clone());
        broadcast(moves, rest, element, visit)?;
        moves.pop();
    }
    ControlFlow::Continue(())
}
