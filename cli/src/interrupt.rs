//! Ctrl-C: the first one stops the search under way, the next one the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const IDLE: u8 = 0;
const SEARCHING: u8 = 1;
const REQUESTED: u8 = 2;

/// What a shell expects of a program that ends by Ctrl-C.
const EXIT_CODE: i32 = 130;

/// Knows whether the user pressed Ctrl-C.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    stage: Arc<AtomicU8>,
}

impl Interrupt {
    /// Listens from now on.
    pub fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let stage = interrupt.stage.clone();
        // Where no handler can be set, Ctrl-C ends the program at once, as it does without one.
        let _ = ctrlc::set_handler(move || {
            let asked =
                stage.compare_exchange(SEARCHING, REQUESTED, Ordering::SeqCst, Ordering::SeqCst);
            if asked.is_err() {
                std::process::exit(EXIT_CODE);
            }
        });
        interrupt
    }

    /// A search begins: from now on the first Ctrl-C only asks it to stop.
    pub fn begin_search(&self) {
        let _ = self.stage.compare_exchange(IDLE, SEARCHING, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// The search is over.
    pub fn end_search(&self) {
        let _ = self.stage.compare_exchange(SEARCHING, IDLE, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Whether the user asked to stop.
    pub fn is_requested(&self) -> bool {
        self.stage.load(Ordering::SeqCst) == REQUESTED
    }
}
