//! How long a thread has computed: unlike the time that passed, it does not depend on how busy the
//! machine is with other things.

use std::time::{Duration, Instant};

/// What a thread computed since some moment.
pub struct Busy {
    start: Instant,
    computed: Option<Duration>,
}

impl Busy {
    /// From now on.
    pub fn start() -> Busy {
        Busy { start: Instant::now(), computed: computed() }
    }

    /// How long this thread computed since; where the system does not tell, the time that passed.
    pub fn elapsed(&self) -> Duration {
        match (self.computed, computed()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.start.elapsed(),
        }
    }
}

/// Linux counts the nanoseconds that each thread had a processor.
fn computed() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}
