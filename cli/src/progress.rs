//! A line of progress on a terminal.

use crate::{memory, words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::{Control, Observer, Reason, Statistics};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Looking at the memory takes longer than exploring a state, so it is done this rarely.
const LOOK: Duration = Duration::from_millis(50);
/// A search shorter than this shows no progress.
const QUIET: Duration = Duration::from_millis(300);

/// The observer of one search.
pub struct Watch {
    start: Instant,
    /// Bytes for the whole process.
    memory: Option<u64>,
    bar: ProgressBar,
    next_look: Instant,
    /// Time and explored states at the last look, and the rate since the one before.
    last: (Instant, u64),
    rate: f64,
    /// The length of the shortest trace so far.
    found: Option<u32>,
}

impl Watch {
    /// Begins to watch.
    pub fn start(memory: Option<u64>) -> Watch {
        let now = Instant::now();
        Watch {
            start: now,
            memory,
            bar: bar(),
            next_look: now,
            last: (now, 0),
            rate: 0.0,
            found: None,
        }
    }

    fn show(&mut self, now: Instant, statistics: &Statistics, memory: u64) {
        if self.bar.is_hidden() || now - self.start < QUIET {
            return;
        }
        let (then, explored) = self.last;
        let since = (now - then).as_secs_f64();
        if since >= 0.5 {
            self.rate = (statistics.explored - explored) as f64 / since;
            self.last = (now, statistics.explored);
        }
        let found = self
            .found
            .map(|length| format!(" · trace of {} so far", words::counted(length.into(), "step")));
        self.bar.set_message(line(statistics, self.rate, memory) + &found.unwrap_or_default());
        self.bar.tick();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        let now = Instant::now();
        if now < self.next_look {
            return Control::Continue;
        }
        self.next_look = now + LOOK;
        let memory = memory::now();
        self.show(now, statistics, memory.unwrap_or(statistics.bytes));
        // Where the system does not tell how much memory there is in use, nobody else looks.
        match self.memory {
            Some(limit) if memory.is_none() && statistics.bytes > limit => {
                Control::Stop(Reason::Memory)
            }
            _ => Control::Continue,
        }
    }

    fn found(&mut self, length: u32) {
        self.found = Some(length);
    }
}

fn line(statistics: &Statistics, rate: f64, memory: u64) -> String {
    format!(
        "explored {} · stored {} · {}/s · {} · depth {}",
        words::count(statistics.explored),
        words::count(statistics.stored),
        words::count(rate as u64),
        words::bytes(memory),
        words::count(statistics.depth),
    )
}

fn bar() -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(None, target);
    // The template is constant; if it were wrong, the default style would do.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}
