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

/// The highest preferences of the edges by which processes can move: by themselves, or as the
/// receivers of what another one sends.
#[derive(Default)]
pub(crate) struct Preferences {
    first: HashMap<ProcessId, i32>,
    receivers: HashMap<(Move, ProcessId), i32>,
}

impl Preferences {
    fn note(&mut self, moves: &[Move], preference: impl Fn(&Move) -> i32) {
        let Some((first, receivers)) = moves.split_first() else { return };
        let raise = |known: &mut i32, moved: &Move| *known = preference(moved).max(*known);
        raise(self.first.entry(first.process).or_insert(i32::MIN), first);
        for receiver in receivers {
            let key = (first.clone(), receiver.process);
            raise(self.receivers.entry(key).or_insert(i32::MIN), receiver);
        }
    }

    /// The highest preference of an edge that could stand in for one of the moves.
    fn of(&self, moves: &[Move], index: usize) -> Option<i32> {
        match index {
            0 => self.first.get(&moves[0].process).copied(),
            _ => self.receivers.get(&(moves[0].clone(), moves[index].process)).copied(),
        }
    }
}

impl Simulator<'_> {
    /// The steps that may be taken now.
    pub fn possible_steps(&self, state: &State) -> Vec<Vec<Move>> {
        self.choices(state).steps
    }

    /// The steps of all but the observer, and the errors that are raised now.
    pub(crate) fn choices_of_others(&self, state: &State) -> Choices {
        let mut choices = self.choices_with(state, false);
        if choices.steps.is_empty() && self.is_timeout(state) {
            let later = self.choices_with(state, true);
            choices.steps = later.steps;
            choices.errors.extend(later.errors);
        }
        choices
    }

    pub(crate) fn choices_with(&self, state: &State, timeout: bool) -> Choices {
        let mut errors = Vec::new();
        let offers = self.offers(state, None, timeout, &mut errors);
        let mut possible: Vec<(Priority, Vec<Move>)> = Vec::new();
        let mut failed: Vec<(Priority, Raised)> = Vec::new();
        let _ = self.visit_steps(state, &offers, 0, &mut |moves, element| {
            let priority = self.priority(state, moves, element);
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

    pub(crate) fn priority(
        &self,
        state: &State,
        moves: &[Move],
        element: Option<usize>,
    ) -> Priority {
        let processes =
            moves.iter().map(|moved| match self.network().processes[moved.process].priority {
                network::Priority::Fixed(priority) => priority,
                network::Priority::Variable(variable) => state.value(variable, 0),
            });
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

    /// The highest preferences of edges that can fire after delays of a class.
    pub(crate) fn preferences(&self, state: &State, offers: &[Offer], class: i128) -> Preferences {
        let mut highest = Preferences::default();
        if !self.has_preferences {
            return highest;
        }
        let enabled: Vec<&Offer> = offers.iter().filter(|o| o.moments.contains(class)).collect();
        let _ = self.visit_combinations(state, &enabled, &mut |moves, _| {
            highest.note(moves, |moved| self.edge_of(moved).preference);
            ControlFlow::Continue(())
        });
        highest
    }

    /// The first move of a step whose process prefers another edge, and the preference of that.
    pub(crate) fn less_preferred<'m>(
        &self,
        highest: &Preferences,
        moves: &'m [Move],
    ) -> Option<(&'m Move, i32)> {
        let better = |(i, moved): (usize, &'m Move)| {
            let known = highest.of(moves, i)?;
            (known > self.edge_of(moved).preference).then_some((moved, known))
        };
        moves.iter().enumerate().find_map(better)
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
                && self.less_preferred(&highest, moves).is_none();
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
