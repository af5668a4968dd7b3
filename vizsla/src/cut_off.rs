//! Notes whether a limit ended a search: a trace found before that may not be the shortest.

use crate::{Control, Limits, Observer, Reason, Statistics};
use network::cancellation;

/// An observer that listens to another one.
pub struct Listener<'o> {
    observer: &'o mut dyn Observer,
    limits: Limits,
    reason: Option<Reason>,
    prepared: u64,
}

impl<'o> Listener<'o> {
    /// Listens to an observer of searches that have limits.
    pub fn new(observer: &'o mut dyn Observer, limits: Limits) -> Listener<'o> {
        Listener { observer, limits, reason: None, prepared: 0 }
    }

    /// Why the last search ended early, if it did.
    pub fn reason(&self, statistics: &Statistics) -> Option<Reason> {
        let stored = self.limits.states.is_some_and(|most| statistics.stored > most);
        let impatient = cancellation::cause().map(Reason::from);
        self.reason.or(impatient).or(stored.then_some(Reason::States))
    }
}

impl Listener<'_> {
    /// How many abstract states were explored for the heuristic when that was last told.
    pub fn prepared(&self) -> u64 {
        self.prepared
    }

    /// What the limits make of what the observer says. Whoever wants a heuristic that is half made not to
    /// be finished does not want the search with it either.
    fn obey(&mut self, said: Control, statistics: &Statistics) -> Control {
        let full = self.limits.memory.is_some_and(|most| statistics.bytes > most);
        match (self.reason, said) {
            (None, Control::Continue) if full => self.reason = Some(Reason::Memory),
            (None, Control::Stop(reason)) => self.reason = Some(reason),
            _ => {}
        }
        self.reason.map_or(Control::Continue, Control::Stop)
    }
}

impl search::Observer for Listener<'_> {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        let said = self.observer.tick(statistics);
        self.obey(said, statistics)
    }

    fn prepares(&mut self, statistics: &Statistics) -> Control {
        self.prepared = statistics.stored;
        let said = self.observer.prepares(statistics);
        self.obey(said, statistics)
    }

    fn found(&mut self, length: u32) {
        self.observer.found(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::Observer as _;

    struct Stopping(Option<Reason>);

    impl Observer for Stopping {
        fn tick(&mut self, _: &Statistics) -> Control {
            self.0.map_or(Control::Continue, Control::Stop)
        }
    }

    #[test]
    fn limits_are_noted() {
        let statistics = Statistics { stored: 11, ..Statistics::default() };
        let reason = |stop: Option<Reason>, states| {
            let mut stopping = Stopping(stop);
            let limits = Limits { states, ..Limits::default() };
            let mut listener = Listener::new(&mut stopping, limits);
            listener.tick(&statistics);
            listener.reason(&statistics)
        };
        assert_eq!(reason(None, None), None);
        assert_eq!(reason(None, Some(11)), None);
        assert_eq!(reason(None, Some(10)), Some(Reason::States));
        assert_eq!(reason(Some(Reason::Time), Some(10)), Some(Reason::Time));
    }
}
