//! Sees to it that limits, Ctrl-C and the signals that ask a program to end are obeyed: a thread of
//! its own looks at the clock and the memory, and ends the work of whoever works.
//!
//! Work that does not notice in time is left alone: then the watchdog itself says what is known so
//! far and ends the program.

use crate::exit::Exit;
use crate::memory;
use network::cancellation::{Cancellation, Cause};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use vizsla::Phase;

/// How often it looks.
const PERIOD: Duration = Duration::from_millis(10);
/// How long work may take to notice that it is to end.
const TO_NOTICE: Duration = Duration::from_millis(400);
/// The same where memory runs full.
const TO_NOTICE_A_FLOOD: Duration = Duration::from_millis(50);
/// How long a trace that was found may at least take to be confirmed.
const TO_CONFIRM: Duration = Duration::from_millis(400);
/// What a shell expects of a program that ends by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// What is said if the work itself does not end.
pub type FinalReport = Box<dyn FnOnce(Cause) -> Exit + Send>;

/// Watches the work.
#[derive(Clone)]
pub struct Watchdog {
    watch: Arc<Mutex<Watch>>,
    /// That of whoever waits for the work.
    pub cancellation: Cancellation,
}

#[derive(Default)]
struct Watch {
    cancellation: Cancellation,
    /// Bytes for the whole process.
    memory: Option<u64>,
    /// Whether somebody asked the program to end.
    interrupted: bool,
    /// Whether there is work, which can be told to end.
    works: bool,
    deadline: Option<Instant>,
    /// Whether a trace is being confirmed, for which there must be some room.
    confirms: bool,
    ended: Option<Ended>,
    last_words: Option<FinalReport>,
}

/// When and why the work was told to end, and how much memory it took then.
#[derive(Clone, Copy)]
struct Ended {
    since: Instant,
    cause: Cause,
    bytes: u64,
}

impl Watchdog {
    /// Begins to watch the memory and to listen for signals.
    pub fn start(memory: Option<u64>) -> Watchdog {
        let cancellation = Cancellation::default();
        let watch = Watch { memory, cancellation: cancellation.clone(), ..Watch::default() };
        let watchdog = Watchdog { watch: Arc::new(Mutex::new(watch)), cancellation };
        let listener = watchdog.clone();
        // Where no handler can be set, signals end the program at once, as they do without one.
        let _ = ctrlc::set_handler(move || listener.interrupt());
        let watcher = watchdog.clone();
        // Without a thread, searches still ask for the time themselves.
        let _ = std::thread::Builder::new().name("watchdog".to_string()).spawn(move || {
            loop {
                std::thread::sleep(PERIOD);
                watcher.look();
            }
        });
        watchdog
    }

    /// Allows work for some time, or for any.
    pub fn allow(&self, time: Option<Duration>) {
        let mut watch = self.lock();
        watch.deadline = time.and_then(|time| Instant::now().checked_add(time));
        (watch.works, watch.ended, watch.confirms) = (true, None, false);
        match watch.interrupted {
            true => watch.end(Cause::Interruption),
            false => self.cancellation.renew(),
        }
    }

    /// Notes what is done from now on.
    pub fn enters(&self, phase: Phase) {
        match phase {
            Phase::Search | Phase::Reload => self.lock().confirms = false,
            Phase::Confirm => self.allow_to_confirm(),
        }
    }

    /// Allows what was found to be confirmed, whatever has happened before.
    fn allow_to_confirm(&self) {
        let mut watch = self.lock();
        let least = Instant::now() + TO_CONFIRM;
        let ended = watch.ended.take().is_some();
        (watch.works, watch.confirms) = (true, true);
        watch.deadline = match watch.deadline {
            None if !ended => None,
            deadline => deadline.max(Some(least)),
        };
        self.cancellation.renew();
    }

    /// The work is done: what is told now is told to the end.
    pub fn rest(&self) {
        let mut watch = self.lock();
        (watch.works, watch.deadline, watch.ended) = (false, None, None);
        self.cancellation.renew();
    }

    /// What to say if the work itself does not end.
    pub fn prepare(&self, last_words: FinalReport) {
        self.lock().last_words = Some(last_words);
    }

    /// The first signal asks for the answers so far, the next one ends the program.
    fn interrupt(&self) {
        let mut watch = self.lock();
        if watch.interrupted {
            std::process::exit(INTERRUPTED);
        }
        watch.interrupted = true;
        if watch.works {
            watch.end(Cause::Interruption);
        }
    }

    fn look(&self) {
        let mut watch = self.lock();
        let bytes = watch.memory.and_then(|_| memory::now()).unwrap_or(0);
        self.cancellation.allow_memory(watch.most_memory(false).saturating_sub(bytes));
        let Some(Ended { since, cause, bytes: before }) = watch.ended else {
            if watch.works
                && let Some(cause) = watch.cause(bytes)
            {
                watch.end(cause);
            }
            return;
        };
        // Memory that is not given back yet is no reason to hurry.
        let grows = bytes > before.max(watch.most_memory(true)) + (1 << 20);
        let enough = if grows { TO_NOTICE_A_FLOOD } else { TO_NOTICE };
        if since.elapsed() >= enough
            && let Some(last_words) = watch.last_words.take()
        {
            drop(watch);
            std::process::exit(last_words(cause).code().into());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// Why the work is to end now, if it is.
    fn cause(&self, bytes: u64) -> Option<Cause> {
        if bytes > self.most_memory(self.confirms) {
            return Some(Cause::Memory);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Cause::Time)
    }

    /// The memory limit, and what it may be passed by for a moment.
    fn most_memory(&self, for_a_moment: bool) -> u64 {
        let limit = self.memory.unwrap_or(u64::MAX >> 1);
        if for_a_moment { limit + limit / 16 } else { limit }
    }

    fn end(&mut self, cause: Cause) {
        let bytes = self.memory.and_then(|_| memory::now()).unwrap_or(0);
        self.ended = Some(Ended { since: Instant::now(), cause, bytes });
        self.cancellation.end(cause);
    }
}
