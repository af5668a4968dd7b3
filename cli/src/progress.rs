//! Watches a search: limits of time and memory, Ctrl-C, and a line of progress on a terminal.

use crate::interrupt::Interrupt;
use crate::{memory, words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use search::{Control, Observer, Reason, Statistics};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Looking at the memory takes longer than exploring a state, so it is done this rarely.
const LOOK: Duration = Duration::from_millis(50);
/// A search shorter than this shows no progress.
const QUIET: Duration = Duration::from_millis(300);

/// What may end a search early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Time for one search.
    pub time: Option<Duration>,
    /// Bytes for the whole process.
    pub memory: Option<u64>,
}

/// The observer of one search.
pub struct Watch<'a> {
    start: Instant,
    bounds: Bounds,
    interrupt: &'a Interrupt,
    bar: ProgressBar,
    next_look: Instant,
    /// Time and explored states at the last look, and the rate since the one before.
    last: (Instant, u64),
    rate: f64,
    /// The length of the shortest trace so far.
    found: Option<u32>,
}

impl<'a> Watch<'a> {
    /// Begins to watch.
    pub fn start(bounds: Bounds, interrupt: &'a Interrupt) -> Watch<'a> {
        interrupt.begin_search();
        let now = Instant::now();
        Watch {
            start: now,
            bounds,
            interrupt,
            bar: bar(),
            next_look: now,
            last: (now, 0),
            rate: 0.0,
            found: None,
        }
    }

    /// Stops to watch and gives the time that the search took.
    pub fn finish(self) -> Duration {
        self.interrupt.end_search();
        self.bar.finish_and_clear();
        self.start.elapsed()
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

impl Observer for Watch<'_> {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        if self.interrupt.is_requested() {
            return Control::Stop(Reason::Interrupted);
        }
        let now = Instant::now();
        if self.bounds.time.is_some_and(|limit| now - self.start >= limit) {
            return Control::Stop(Reason::Time);
        }
        if now < self.next_look {
            return Control::Continue;
        }
        self.next_look = now + LOOK;
        let memory = memory::now().unwrap_or(statistics.bytes);
        self.show(now, statistics, memory);
        match self.bounds.memory {
            Some(limit) if memory > limit => Control::Stop(Reason::Memory),
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
