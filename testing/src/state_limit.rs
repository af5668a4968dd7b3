//! An observer that ends searches by their work, never by the clock.

use search::{Control, Observer, Reason, Statistics};

/// Gives up after so many explored states: a limit on *stored* ones would not do, because in an
/// infinite zone graph each zone may replace the one before.
#[derive(Clone, Copy, Debug)]
pub struct StateLimit(pub u64);

impl Observer for StateLimit {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        if statistics.explored < self.0 { Control::Continue } else { Control::Stop(Reason::States) }
    }
}
