//! When time may pass, and what it does.

use network::{ErrorKind, Id, LocationKind, RunTimeError};

use crate::atom::Rates;
use crate::frame::Frame;
use crate::moments::Moments;
use crate::offers::{Offer, Role};
use crate::{Raised, Simulator, State, Stop, words};

impl Simulator<'_> {
    /// The state after a number of ticks, if time may pass so far.
    pub fn delay(&self, state: &State, ticks: i64) -> Result<State, Stop> {
        if ticks < 0 {
            return Err(Stop::illegal(format!("time cannot pass by {ticks} ticks")));
        }
        if ticks == 0 {
            return Ok(state.clone());
        }
        self.check_locations(state)?;
        let rates = self.rates(state)?;
        self.check_urgent_channels(state, &rates, ticks)?;
        let later = pass(state, &rates, ticks);
        self.check_invariants(&mut self.evaluator(&later)).map_err(|stop| match stop {
            Stop::Illegal(reason) => Stop::Illegal(format!(
                "after a delay of {} {reason}",
                words::time(ticks.into(), self.scale())
            )),
            error => error,
        })?;
        Ok(later)
    }

    fn check_locations(&self, state: &State) -> Result<(), Stop> {
        for (id, process) in self.network().processes.enumerate() {
            let location = &process.locations[state.location(id)];
            let kind = match location.kind {
                LocationKind::Urgent => "urgent",
                LocationKind::Committed => "committed",
                LocationKind::Normal => continue,
            };
            return Err(Stop::illegal(format!(
                "time may not pass: {} is in the {kind} location {}",
                process.name, location.name
            )));
        }
        Ok(())
    }

    fn check_urgent_channels(&self, state: &State, rates: &Rates, ticks: i64) -> Result<(), Stop> {
        let Some((moments, element)) = self.first_urgent(state, rates) else {
            return Ok(());
        };
        if moments.and(Moments::before(ticks.into())).is_empty() {
            return Ok(());
        }
        let (channel, element) = self.element(element);
        Err(Stop::illegal(format!(
            "time may not pass by {}: the urgent channel {} is ready after {}",
            words::time(ticks.into(), self.scale()),
            words::channel(self.network(), channel, element),
            words::time(moments.first_ticks(), self.scale()),
        )))
    }

    /// The earliest moments at which all edges of a step on an urgent channel are enabled.
    fn first_urgent(&self, state: &State, rates: &Rates) -> Option<(Moments, usize)> {
        if !self.network().channels.iter().any(|channel| channel.urgent) {
            return None;
        }
        let mut found: Option<(Moments, usize)> = None;
        for (part, timeout) in self.timeout_parts(state, rates) {
            for (moments, element) in self.urgent_moments(state, rates, timeout) {
                let moments = moments.and(part);
                let sooner = found.is_none_or(|(first, _)| moments.first < first.first);
                if !moments.is_empty() && sooner {
                    found = Some((moments, element));
                }
            }
        }
        found
    }

    /// When all edges of a step on an urgent channel element are enabled.
    fn urgent_moments(&self, state: &State, rates: &Rates, timeout: bool) -> Vec<(Moments, usize)> {
        // An edge that raises an error is part of no step.
        let offers = self.offers(state, Some(rates), timeout, &mut Vec::new());
        let urgent = |&number: &usize| self.network().channels[self.element(number).0].urgent;
        let mut found = Vec::new();
        for offer in &offers {
            if let Some(number) = offer.role.element().filter(urgent) {
                let ready = self.ready(state, &offers, offer);
                found.extend(ready.into_iter().map(|moments| (moments, number)));
            }
        }
        found
    }

    /// The moments at which the process can fire: alone, or as a sender with a receiver.
    fn ready(&self, state: &State, offers: &[Offer], first: &Offer) -> Vec<Moments> {
        let element = match first.role {
            Role::Send(element) if !self.is_broadcast(element) => element,
            Role::Receive(_) => return Vec::new(),
            _ => return vec![first.moments],
        };
        let receives = |offer: &&Offer| {
            let other = offer.moved.process != first.moved.process;
            let handed = || self.is_handed(state, &first.moved, &offer.moved, element);
            other && offer.role == Role::Receive(element) && handed() == Ok(true)
        };
        let both = offers.iter().filter(receives).map(|offer| offer.moments.and(first.moments));
        both.filter(|moments| !moments.is_empty()).collect()
    }

    /// The delays that are allowed; delay 0 always is.
    pub(crate) fn allowed_delays(&self, state: &State) -> Result<(Moments, Rates), Stop> {
        if self.check_locations(state).is_err() {
            return Ok((Moments::NOW, self.stopped()));
        }
        let rates = self.rates(state)?;
        let mut moments = self.invariant_moments(&mut self.evaluator(state), &rates)?;
        if let Some((urgent, _)) = self.first_urgent(state, &rates) {
            // Time may pass until the first moment, even if that is only a limit.
            let end = Moments { first: 0, last: 2 * urgent.first_ticks() };
            moments = moments.and(end);
        }
        Ok((moments, rates))
    }

    fn stopped(&self) -> Rates {
        self.network().clocks.iter().map(|clock| vec![0; clock.len()]).collect()
    }

    /// The rate of every clock.
    pub(crate) fn rates(&self, state: &State) -> Result<Rates, Stop> {
        let mut errors = Vec::new();
        let rates = self.try_rates(state, &mut errors)?;
        match errors.into_iter().next() {
            Some(raised) => Err(Stop::Error(raised.error)),
            None => Ok(rates),
        }
    }

    /// The rate of every clock; run-time errors are put into `errors`.
    pub(crate) fn try_rates(&self, state: &State, errors: &mut Vec<Raised>) -> Result<Rates, Stop> {
        let mut fixed: Vec<Vec<Option<i32>>> =
            self.network().clocks.iter().map(|clock| vec![None; clock.len()]).collect();
        for (id, process) in self.network().processes.enumerate() {
            let location = &process.locations[state.location(id)];
            for rate in &location.rates {
                let mut raise = |error| errors.push(Raised { error, moves: Vec::new() });
                match self.rate(state, location, rate) {
                    Ok(None) => {}
                    Ok(Some((at, value))) => {
                        let rate = &mut fixed[at.clock.index()][at.element];
                        if !(0..=1).contains(&value) || rate.is_some_and(|other| other != value) {
                            let kind = ErrorKind::Rate(value);
                            raise(RunTimeError { kind, span: location.span });
                        }
                        *rate = Some(value);
                    }
                    Err(Stop::Error(error)) => raise(error),
                    Err(stop) => return Err(stop),
                }
            }
        }
        let rate = |rate: Option<i32>| rate.unwrap_or(1).into();
        Ok(fixed.into_iter().map(|rates| rates.into_iter().map(rate).collect()).collect())
    }

    /// The clock and the rate that it gets, if any.
    fn rate(
        &self,
        state: &State,
        location: &network::Location,
        rate: &network::Rate,
    ) -> Result<Option<(crate::atom::Element, i32)>, Stop> {
        let mut evaluator = self.evaluator(state);
        evaluator.span = location.span;
        let mut frame = Frame::new(&location.locals);
        if let Some(when) = &rate.when
            && evaluator.expr(when, &mut frame)? == 0
        {
            return Ok(None);
        }
        let clock = evaluator.clock(&rate.clock, &mut frame)?;
        Ok(Some((clock, evaluator.expr(&rate.rate, &mut frame)?)))
    }
}

/// Every clock grows by its rate.
fn pass(state: &State, rates: &Rates, ticks: i64) -> State {
    let mut later = state.clone();
    for (clock, rates) in later.clocks.iter_mut().zip(rates) {
        for (value, rate) in clock.iter_mut().zip(rates) {
            *value += rate * ticks as i128;
        }
    }
    later
}
