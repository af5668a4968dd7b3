//! Whether no step is possible now and none becomes possible, decided exactly.
//!
//! The delays that are allowed are cut into cells in which the same guards hold. In each cell the
//! enabled steps are the same; what is left is whether the invariants of a step's targets hold
//! somewhere in the cell.

use std::ops::ControlFlow;

use network::Move;

use crate::atom::Rates;
use crate::moments::Moments;
use crate::offers::Offer;
use crate::{Simulator, State, Stop};

impl Simulator<'_> {
    /// Whether no step is possible in the state or after any delay that is allowed from it.
    pub fn is_deadlock(&self, state: &State) -> Result<bool, Stop> {
        let (allowed, rates) = self.allowed_delays(state)?;
        if self.is_step_ever_possible(state, allowed, &rates, false)? {
            return Ok(false);
        }
        // Now timeout holds at every moment.
        Ok(!self.has_timeout || !self.is_step_ever_possible(state, allowed, &rates, true)?)
    }

    fn is_step_ever_possible(
        &self,
        state: &State,
        allowed: Moments,
        rates: &Rates,
        timeout: bool,
    ) -> Result<bool, Stop> {
        // Guards that raise errors are part of no step; errors in the effect of a step do count.
        let offers = self.offers(state, Some(rates), timeout, &mut Vec::new());
        for cell in cells(allowed, offers.iter().map(|offer| offer.moments)) {
            if self.is_step_possible(state, &offers, cell, rates)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_step_possible(
        &self,
        state: &State,
        offers: &[Offer],
        cell: Moments,
        rates: &Rates,
    ) -> Result<bool, Stop> {
        let mut error = None;
        let found = self.visit_steps(state, offers, cell.first, &mut |moves, _| match self
            .moments_after(state, moves, rates)
        {
            Ok(moments) if moments.and(cell).is_empty() => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(Stop::Illegal(_)) => ControlFlow::Continue(()),
            Err(stop) => {
                error = Some(stop);
                ControlFlow::Continue(())
            }
        });
        match error {
            // Another step is possible, whatever this one does.
            Some(stop) if found.is_continue() => Err(stop),
            _ => Ok(found.is_break()),
        }
    }

    /// The delays after which the step leads to a state whose invariants hold.
    pub(crate) fn moments_after(
        &self,
        state: &State,
        moves: &[Move],
        rates: &Rates,
    ) -> Result<Moments, Stop> {
        let mut evaluator = self.run_updates(state, moves)?;
        self.invariant_moments(&mut evaluator, rates)
    }
}

/// Cuts the allowed delays wherever one of the moments begins or ends.
pub(crate) fn cells(allowed: Moments, moments: impl Iterator<Item = Moments>) -> Vec<Moments> {
    let ends = |moments: Moments| [moments.first, moments.last.saturating_add(1)];
    let mut cuts: Vec<i128> = moments.flat_map(ends).collect();
    cuts.retain(|&cut| allowed.first < cut && cut <= allowed.last);
    cuts.push(allowed.first);
    cuts.sort_unstable();
    cuts.dedup();
    let lasts: Vec<i128> = cuts.iter().skip(1).map(|&cut| cut - 1).chain([allowed.last]).collect();
    cuts.into_iter().zip(lasts).map(|(first, last)| Moments { first, last }).collect()
}
