//! Finds all steps of a state: it puts the offers of single processes together.

use std::collections::HashMap;
use std::ops::ControlFlow;

use network::{ChannelKind, Id, LocationKind, Move, ProcessId};

use crate::draft::Draft;
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
        let mut choices = self.choices_with(state, false);
        if choices.steps.is_empty() && self.has_timeout {
            let later = self.choices_with(state, true);
            choices.steps = later.steps;
            choices.errors.extend(later.errors);
        }
        choices
    }

    fn choices_with(&self, state: &State, timeout: bool) -> Choices {
        let mut errors = Vec::new();
        let offers = self.offers(state, None, timeout, &mut errors);
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
        let roles: Result<Vec<Role>, Stop> = moves
            .iter()
            .map(|moved| self.role(state, self.edge_of(moved), &moved.selects))
            .collect();
        let roles = roles?;
        let handed = self.handed(state, moves, &roles)?;
        let mut evaluator = self.evaluator(state);
        for (moved, &role) in moves.iter().zip(&roles) {
            evaluator.edge(self.edge_of(moved), &moved.selects, role, handed.as_ref())?;
        }
        // Only now: updates see the locations before the step.
        for moved in moves {
            evaluator.draft.go(moved.process, self.edge_of(moved).target);
        }
        Ok(evaluator)
    }

    /// The state after a step that was fired, with the process that has control then.
    pub(crate) fn finish(&self, draft: &Draft, moves: &[Move]) -> State {
        let mut state = draft.finish(self.scale());
        state.control = None;
        let last = moves.last().filter(|moved| self.edge_of(moved).keeps_control);
        let keeper = last.map(|moved| moved.process);
        state.control = keeper.filter(|&process| self.can_move(&state, process));
        state
    }

    /// Whether the process that has control moves first, if there is one.
    pub(crate) fn respects_control(&self, state: &State, moves: &[Move]) -> bool {
        let first = moves.first().map(|moved| moved.process);
        state.control.is_none_or(|process| first == Some(process))
    }

    /// The highest preference of each process's edges that can fire after delays of a class.
    pub(crate) fn preferences(
        &self,
        state: &State,
        offers: &[Offer],
        class: i128,
    ) -> HashMap<ProcessId, i32> {
        let mut highest = HashMap::new();
        if !self.has_preferences {
            return highest;
        }
        let enabled: Vec<&Offer> = offers.iter().filter(|o| o.moments.contains(class)).collect();
        let _ = self.visit_combinations(state, &enabled, &mut |moves, _| {
            for moved in moves {
                let preference = self.edge_of(moved).preference;
                let known = highest.entry(moved.process).or_insert(preference);
                *known = preference.max(*known);
            }
            ControlFlow::Continue(())
        });
        highest
    }

    /// Whether no process prefers another of its edges.
    fn respects_preferences(&self, highest: &HashMap<ProcessId, i32>, moves: &[Move]) -> bool {
        let preferred = |moved: &Move| {
            highest.get(&moved.process).is_none_or(|h| self.edge_of(moved).preference >= *h)
        };
        moves.iter().all(preferred)
    }

    /// Calls `visit` for each step that the offers enable after delays of a class and that
    /// respects committed locations, control and preferences, whatever its effect.
    pub(crate) fn visit_steps(
        &self,
        state: &State,
        offers: &[Offer],
        class: i128,
        visit: &mut Visitor,
    ) -> ControlFlow<()> {
        let enabled: Vec<&Offer> = offers.iter().filter(|o| o.moments.contains(class)).collect();
        let highest = self.preferences(state, offers, class);
        self.visit_combinations(state, &enabled, &mut |moves, element| {
            let respects = self.respects_committed(state, moves)
                && self.respects_control(state, moves)
                && self.respects_preferences(&highest, moves);
            if respects { visit(moves, element) } else { ControlFlow::Continue(()) }
        })
    }

    fn visit_combinations(
        &self,
        state: &State,
        enabled: &[&Offer],
        visit: &mut Visitor,
    ) -> ControlFlow<()> {
        for offer in enabled {
            let sender = std::slice::from_ref(&offer.moved);
            match offer.role {
                Role::Internal => visit(sender, None)?,
                Role::Send(element) if self.is_broadcast(element) => {
                    let receivers = self.receivers(enabled, offer, element);
                    broadcast(&mut sender.to_vec(), &receivers, element, visit)?;
                }
                Role::Send(element) => {
                    for &receiver in self.receivers(enabled, offer, element).iter().flatten() {
                        // An error is raised again when the step is fired, and counts there.
                        let handed = self.is_handed(state, &offer.moved, receiver, element);
                        if handed != Ok(false) {
                            visit(&[offer.moved.clone(), receiver.clone()], Some(element))?;
                        }
                    }
                }
                Role::Put(element) | Role::Take(element) => visit(sender, Some(element))?,
                Role::Receive(_) => {}
            }
        }
        ControlFlow::Continue(())
    }

    pub(crate) fn is_broadcast(&self, element: usize) -> bool {
        *self.kind(element) == ChannelKind::Broadcast
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
