//! When no step is possible, so that `timeout` holds, and who can go on alone.

use std::ops::ControlFlow;

use network::{Move, ProcessId};

use crate::atom::Rates;
use crate::deadlock::cells;
use crate::moments::Moments;
use crate::{Simulator, State, Stop};

impl Simulator<'_> {
    /// Whether `timeout` holds in the guards of a state: no step is possible without it.
    pub(crate) fn is_timeout(&self, state: &State) -> bool {
        self.has_timeout && !self.is_possible(state)
    }

    /// Whether a process may move in a state, as the sender if others move with it.
    pub(crate) fn can_move(&self, state: &State, process: ProcessId) -> bool {
        let first = |moves: &Vec<Move>| moves.first().map(|first| first.process);
        let steps = self.choices_with(state, false).steps;
        steps.iter().any(|moves| first(moves) == Some(process))
    }

    /// Whether a step is possible without timeout; one that raises an error is.
    fn is_possible(&self, state: &State) -> bool {
        let offers = self.offers(state, None, false, &mut Vec::new());
        let found =
            self.visit_steps(state, &offers, 0, &mut |moves, _| match self.fire(state, moves) {
                Ok(_) | Err(Stop::Error(_)) => ControlFlow::Break(()),
                Err(Stop::Illegal(_)) => ControlFlow::Continue(()),
            });
        found.is_break()
    }

    /// All delays, cut into parts in which `timeout` does not change, and whether it holds there.
    pub(crate) fn timeout_parts(&self, state: &State, rates: &Rates) -> Vec<(Moments, bool)> {
        if !self.has_timeout {
            return vec![(Moments::ALL, false)];
        }
        let offers = self.offers(state, Some(rates), false, &mut Vec::new());
        let mut busy: Vec<Moments> = Vec::new();
        for cell in cells(Moments::ALL, offers.iter().map(|offer| offer.moments)) {
            let _ = self.visit_steps(state, &offers, cell.first, &mut |moves, _| {
                let possible = self.moments_after(state, moves, rates).map(|m| m.and(cell));
                busy.extend(possible.ok().filter(|moments| !moments.is_empty()));
                ControlFlow::Continue(())
            });
        }
        let parts = cells(Moments::ALL, busy.iter().copied()).into_iter();
        let is_busy = |part: &Moments| busy.iter().any(|moments| moments.contains(part.first));
        parts.map(|part| (part, !is_busy(&part))).collect()
    }
}
