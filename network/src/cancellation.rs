//! Whether long work is still wanted.
//!
//! Work that may take long calls [`check`] now and then, which costs two loads. Whoever waits for it has
//! a [`Cancellation`] and says from another thread that it is over; then `check` does not return, but unwinds
//! to the [`attempt`] that the work is part of, which knows what was found so far. What is half done there
//! is of no use to anybody, so nothing in between has to know about it.
//!
//! The work of a thread belongs to the [`Cancellation`] in whose [`Cancellation::during`] it runs, so that two pieces of work can
//! go on side by side; without one it is wanted for ever.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Why work is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It takes too much time.
    Time,
    /// It takes too much memory.
    Memory,
    /// Somebody asked for it.
    Interruption,
}

const CAUSES: [Cause; 3] = [Cause::Time, Cause::Memory, Cause::Interruption];

/// What work looks at.
#[derive(Debug)]
struct Signal {
    /// 0 while the work is wanted, then a number for the cause.
    cause: AtomicU8,
    /// How many bytes may still be taken.
    room: AtomicU64,
}

impl Signal {
    const fn new() -> Signal {
        Signal { cause: AtomicU8::new(0), room: AtomicU64::new(u64::MAX) }
    }

    fn reset(&self) {
        self.cause.store(0, Ordering::Relaxed);
        self.room.store(u64::MAX, Ordering::Relaxed);
    }
}

/// What the work of threads looks at that nobody waits for.
static ENDLESS: Signal = Signal::new();

/// Signals that nobody looks at any more: they live for ever, so that looking at one costs nothing but
/// loads, and are used again.
static UNUSED: Mutex<Vec<&'static Signal>> = Mutex::new(Vec::new());

thread_local! {
    static CURRENT: Cell<&'static Signal> = const { Cell::new(&ENDLESS) };
}

/// A handle by which whoever waits for work can end it; clones are the same handle.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    lease: Arc<Lease>,
}

/// A signal that is in use.
#[derive(Debug)]
struct Lease(&'static Signal);

impl Default for Lease {
    fn default() -> Lease {
        let unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let signal = unused.unwrap_or_else(|| Box::leak(Box::new(Signal::new())));
        signal.reset();
        Lease(signal)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        UNUSED.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

impl Cancellation {
    /// From now on work is to end.
    pub fn end(&self, cause: Cause) {
        self.lease.0.cause.store(cause as u8 + 1, Ordering::Relaxed);
    }

    /// From now on work is wanted again.
    pub fn renew(&self) {
        self.lease.0.cause.store(0, Ordering::Relaxed);
    }

    /// From now on work may take so many bytes more.
    pub fn allow_memory(&self, bytes: u64) {
        self.lease.0.room.store(bytes, Ordering::Relaxed);
    }

    /// Does some work on this thread that is wanted as long as nobody ends it by this handle.
    pub fn during<R>(&self, work: impl FnOnce() -> R) -> R {
        let _before = Before(CURRENT.replace(self.lease.0));
        work()
    }
}

/// Gives a thread back the handle that it had, however the work ends.
struct Before(&'static Signal);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// The handle of this thread, for another one that works for it.
#[derive(Clone, Copy, Debug)]
pub struct Inherited(&'static Signal);

/// The handle of this thread; whoever takes it along must not work longer than this thread waits.
pub fn inherited() -> Inherited {
    Inherited(CURRENT.get())
}

impl Inherited {
    /// Does some work on this thread with the handle of the other.
    pub fn during<R>(self, work: impl FnOnce() -> R) -> R {
        let _before = Before(CURRENT.replace(self.0));
        work()
    }
}

/// Returns if there is room for something large that is about to be made.
pub fn check_room(bytes: usize) {
    let signal = CURRENT.get();
    if bytes as u64 > signal.room.load(Ordering::Relaxed) {
        signal.cause.store(Cause::Memory as u8 + 1, Ordering::Relaxed);
    }
    check();
}

/// Why work is to end, if it is.
#[inline]
pub fn cause() -> Option<Cause> {
    match CURRENT.get().cause.load(Ordering::Relaxed) {
        0 => None,
        number => CAUSES.get(usize::from(number) - 1).copied(),
    }
}

/// Returns if the work is still wanted.
#[inline]
pub fn check() {
    if let Some(cause) = cause() {
        leave(cause);
    }
}

/// What unwinds.
struct Ended(Cause);

#[cold]
#[inline(never)]
fn leave(cause: Cause) -> ! {
    // No hook is called: this is no defect.
    resume_unwind(Box::new(Ended(cause)))
}

/// Does some work as long as it is wanted.
pub fn attempt<R>(work: impl FnOnce() -> R) -> Result<R, Cause> {
    // What the work was doing is only looked at where that makes sense at any moment.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Ended>() {
        Ok(ended) => ended.0,
        Err(defect) => resume_unwind(defect),
    })
}
