//! The observer of a property: it moves last in every step, by what it sees before the step.

use network::{Change, Move, ProcessId, Property, StatementKind};

use crate::frame::Frame;
use crate::{Choices, Raised, Simulator, State, Stop};

impl Simulator<'_> {
    /// The simulator with the observer of a property, if it has one.
    pub fn observing(mut self, property: Option<&Property>) -> Self {
        self.observer = property.and_then(|property| property.observer);
        self
    }

    /// The observer, unless it waits for a process that has control.
    fn watching(&self, state: &State) -> Option<ProcessId> {
        self.observer.filter(|_| state.control.is_none())
    }

    /// The steps that may be taken now, and the run-time errors that are raised now.
    ///
    /// The error of a step's effect counts unless a possible step has a higher priority.
    pub fn choices(&self, state: &State) -> Choices {
        let Some(observer) = self.watching(state) else { return self.choices_of_others(state) };
        let mut errors = Vec::new();
        if self.looks(state, observer, false, &mut errors).is_empty() {
            return Choices { steps: Vec::new(), errors };
        }
        let looks = match self.is_timeout(state) {
            true => self.looks(state, observer, true, &mut errors),
            false => self.looks(state, observer, false, &mut Vec::new()),
        };
        let others = self.choices_of_others(state);
        errors.extend(others.errors);
        let steps = match others.steps.is_empty() {
            true => vec![Vec::new()],
            false => others.steps,
        };
        let with = |step: &Vec<Move>, look: &Move| [&step[..], std::slice::from_ref(look)].concat();
        let steps = steps.iter().flat_map(|step| looks.iter().map(|look| with(step, look)));
        Choices { steps: steps.collect(), errors }
    }

    /// The moves that the observer can make in the next step; none if it does not move then.
    pub fn observer_moves(&self, state: &State) -> Vec<Move> {
        let Some(observer) = self.watching(state) else { return Vec::new() };
        let without = self.looks(state, observer, false, &mut Vec::new());
        match !without.is_empty() && self.is_timeout(state) {
            true => self.looks(state, observer, true, &mut Vec::new()),
            false => without,
        }
    }

    /// The moves that the observer can make, those with the highest preference.
    fn looks(
        &self,
        state: &State,
        observer: ProcessId,
        timeout: bool,
        errors: &mut Vec<Raised>,
    ) -> Vec<Move> {
        let offers = self.offers_of(state, observer, None, timeout, errors);
        let preference = |moved: &Move| self.edge_of(moved).preference;
        let highest = offers.iter().map(|offer| preference(&offer.moved)).max();
        let moves = offers.into_iter().map(|offer| offer.moved);
        let moves: Vec<Move> = moves.filter(|moved| Some(preference(moved)) == highest).collect();
        for moved in &moves {
            if let Err(Stop::Error(error)) = self.check_asserted(state, moved) {
                errors.push(Raised { error, moves: vec![moved.clone()] });
            }
        }
        moves
    }

    /// What the edge of an observer asserts must hold before the step.
    fn check_asserted(&self, state: &State, moved: &Move) -> Result<(), Stop> {
        let edge = self.edge_of(moved);
        let mut evaluator = self.evaluator(state);
        let mut frame = Frame::of_edge(edge, &moved.selects);
        let asserts = |s: &&network::Statement| matches!(s.kind, StatementKind::Assert(_));
        for statement in edge.update.iter().filter(asserts) {
            evaluator.statement(statement, &mut frame)?;
        }
        Ok(())
    }

    /// The state after a step and what the step changed, if it may be taken now.
    pub fn take(&self, state: &State, moves: &[Move]) -> Result<(State, Vec<Change>), Stop> {
        let Some(observer) = self.watching(state) else { return self.take_without(state, moves) };
        let Some((look, others)) = moves.split_last().filter(|(l, _)| l.process == observer) else {
            return Err(Stop::illegal("the observer does not move"));
        };
        let timeout = self.is_timeout(state);
        self.check_look(state, look, timeout)?;
        if others.is_empty() && !self.choices_of_others(state).steps.is_empty() {
            return Err(Stop::illegal("the observer moves alone, but others can move"));
        }
        let mut draft = match others {
            [] => self.fire(state, others)?.draft,
            _ => self.fire_checked(state, others, timeout)?.draft,
        };
        draft.go(observer, self.edge_of(look).target);
        Ok((self.finish(&draft, others), draft.changes()))
    }

    fn check_look(&self, state: &State, look: &Move, timeout: bool) -> Result<(), Stop> {
        let mut errors = Vec::new();
        let without = self.looks(state, look.process, false, &mut errors);
        let possible = match timeout && !without.is_empty() {
            true => self.looks(state, look.process, true, &mut errors),
            false => without,
        };
        match errors.into_iter().next() {
            Some(raised) => Err(Stop::Error(raised.error)),
            None if possible.contains(look) => Ok(()),
            None => Err(Stop::illegal("the observer cannot make this move")),
        }
    }

    /// The run-time errors that the moves raise; it is illegal if they raise none.
    pub(crate) fn errors_of_moves(
        &self,
        state: &State,
        moves: &[Move],
    ) -> Result<Vec<Raised>, Stop> {
        let Some(observer) = self.watching(state) else {
            return self.errors_of_others(state, moves);
        };
        let mut errors = Vec::new();
        let able = !self.looks(state, observer, false, &mut errors).is_empty();
        if able && self.is_timeout(state) {
            self.looks(state, observer, true, &mut errors);
        }
        match moves {
            [look] if look.process == observer => {
                errors.retain(|raised| raised.moves == moves);
                let none = || Stop::illegal("the observer raises no run-time error");
                if errors.is_empty() { Err(none()) } else { Ok(errors) }
            }
            _ if able => self.errors_of_others(state, moves),
            _ => Err(Stop::illegal("the observer cannot move")),
        }
    }

    /// The state after a step that may be taken.
    pub fn after(&self, state: &State, moves: &[Move]) -> Result<State, Stop> {
        let look = self.watching(state).and(moves.last());
        let others = if look.is_some() { &moves[..moves.len() - 1] } else { moves };
        let mut draft = self.fire(state, others)?.draft;
        if let Some(look) = look {
            draft.go(look.process, self.edge_of(look).target);
        }
        Ok(self.finish(&draft, others))
    }
}
