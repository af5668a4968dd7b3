//! Ends the work on a question when its time is over.

use crate::{Control, Observer, Options, Phase, Statistics};
use network::cancellation::{Cancellation, Cause};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Does some work with the cancellation and the time that the options give it.
pub fn within<R>(
    options: &Options,
    observer: &mut dyn Observer,
    work: impl FnOnce(&mut dyn Observer) -> R,
) -> R {
    let given = options.cancellation.clone();
    match (options.limits.time, given) {
        (Some(time), given) => timed(time, &given.unwrap_or_default(), observer, work),
        (None, Some(cancellation)) => cancellation.during(|| work(observer)),
        (None, None) => work(observer),
    }
}

fn timed<R>(
    time: Duration,
    cancellation: &Cancellation,
    observer: &mut dyn Observer,
    work: impl FnOnce(&mut dyn Observer) -> R,
) -> R {
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let timer = std::thread::Builder::new().name("timer".to_string());
        // Without a thread, the work still asks for the time between states.
        let _ = timer.spawn_scoped(scope, move || {
            if is_done.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                cancellation.end(Cause::Time);
            }
        });
        let mut timed =
            Timed { observer, cancellation, deadline: Instant::now().checked_add(time) };
        let result = cancellation.during(|| work(&mut timed));
        drop(done);
        result
    })
}

/// An observer that knows the time.
struct Timed<'a> {
    observer: &'a mut dyn Observer,
    cancellation: &'a Cancellation,
    deadline: Option<Instant>,
}

impl Timed<'_> {
    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Observer for Timed<'_> {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        if self.is_over() {
            self.cancellation.end(Cause::Time);
        }
        self.observer.tick(statistics)
    }

    fn prepares(&mut self, statistics: &Statistics) -> Control {
        if self.is_over() {
            self.cancellation.end(Cause::Time);
        }
        self.observer.prepares(statistics)
    }

    fn found(&mut self, length: u32) {
        self.observer.found(length);
    }

    fn enters(&mut self, phase: Phase) {
        match phase {
            // What was found in time is not lost.
            Phase::Confirm => self.cancellation.renew(),
            Phase::Search | Phase::Reload if self.is_over() => self.cancellation.end(Cause::Time),
            Phase::Search | Phase::Reload => {}
        }
        self.observer.enters(phase);
    }
}
