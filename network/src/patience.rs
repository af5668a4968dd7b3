//! Whether long work is still wanted.
//!
//! Work that may take long calls [`check`] now and then, which costs one load. Whoever waits for the
//! work says from another thread that it is to end; then `check` does not return, but unwinds to the
//! [`attempt`] that the work is part of, which knows what was found so far. What is half done there
//! is of no use to anybody, so nothing in between has to know about it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

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

/// There is one patience for the whole program: 0 while it lasts, then a number for the cause.
static CAUSE: AtomicU8 = AtomicU8::new(0);

/// How many bytes may still be taken.
static ROOM: AtomicU64 = AtomicU64::new(u64::MAX);

const CAUSES: [Cause; 3] = [Cause::Time, Cause::Memory, Cause::Interruption];

/// What unwinds.
struct Ended(Cause);

/// From now on work is to end.
pub fn end(cause: Cause) {
    CAUSE.store(cause as u8 + 1, Ordering::Relaxed);
}

/// From now on work is wanted again.
pub fn renew() {
    CAUSE.store(0, Ordering::Relaxed);
}

/// From now on work may take so many bytes more.
pub fn allow_memory(bytes: u64) {
    ROOM.store(bytes, Ordering::Relaxed);
}

/// Returns if there is room for something large that is about to be made.
pub fn check_room(bytes: usize) {
    if bytes as u64 > ROOM.load(Ordering::Relaxed) {
        end(Cause::Memory);
    }
    check();
}

/// Why work is to end, if it is.
#[inline]
pub fn cause() -> Option<Cause> {
    match CAUSE.load(Ordering::Relaxed) {
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
