//! A line of progress on a terminal.

use crate::watchdog::Watchdog;
use crate::{memory, words};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use vizsla::{Control, Observer, Phase, Reason, Statistics};

/// Looking at the memory takes longer than exploring a state, so it is done this rarely.
const LOOK: Duration = Duration::from_millis(50);
/// A search shorter than this shows no progress.
const QUIET: Duration = Duration::from_millis(300);

/// The observer of the work on one property.
pub struct Watch {
    watchdog: Watchdog,
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
    /// The greatest number of bytes that the process took until the search was over.
    peak: Option<u64>,
}

impl Watch {
    /// Begins to watch.
    pub fn new(watchdog: &Watchdog, memory: Option<u64>) -> Watch {
        let now = Instant::now();
        Watch {
            watchdog: watchdog.clone(),
            start: now,
            memory,
            bar: bar(),
            next_look: now,
            last: (now, 0),
            rate: 0.0,
            found: None,
            peak: None,
        }
    }

    /// The greatest number of bytes that the process took, as far as the system tells.
    pub fn peak(&self) -> Option<u64> {
        self.peak
    }

    fn start(&mut self) {
        let now = Instant::now();
        (self.start, self.last, self.rate, self.found) = (now, (now, 0), 0.0, None);
        memory::forget_peak();
    }

    /// Looks at the memory and shows how it goes, if that was not done a moment ago.
    fn look(
        &mut self,
        statistics: &Statistics,
        line: fn(&mut Watch, Instant, &Statistics, u64) -> String,
    ) -> Control {
        let now = Instant::now();
        if now < self.next_look {
            return Control::Continue;
        }
        self.next_look = now + LOOK;
        let memory = memory::now();
        if !self.bar.is_hidden() && now - self.start >= QUIET {
            let line = line(self, now, statistics, memory.unwrap_or(statistics.bytes));
            self.bar.set_message(line);
            self.bar.tick();
        }
        // Where the system does not tell how much memory there is in use, nobody else looks.
        match self.memory {
            Some(limit) if memory.is_none() && statistics.bytes > limit => {
                Control::Stop(Reason::Memory)
            }
            _ => Control::Continue,
        }
    }

    fn search_line(&mut self, now: Instant, statistics: &Statistics, memory: u64) -> String {
        let (then, explored) = self.last;
        let since = (now - then).as_secs_f64();
        if since >= 0.5 {
            self.rate = (statistics.explored - explored) as f64 / since;
            self.last = (now, statistics.explored);
        }
        let found = self
            .found
            .map(|length| format!(" · trace of {} so far", words::counted(length.into(), "step")));
        line(statistics, self.rate, memory) + &found.unwrap_or_default()
    }

    /// What is shown while a heuristic is made. The search counts from 0 again.
    fn table_line(&mut self, now: Instant, statistics: &Statistics, memory: u64) -> String {
        self.last = (now, 0);
        let states = words::counted(statistics.stored, "abstract state");
        format!("building the table: {states} · {}", words::bytes(memory))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Watch {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        self.look(statistics, Watch::search_line)
    }

    fn prepares(&mut self, statistics: &Statistics) -> Control {
        self.look(statistics, Watch::table_line)
    }

    fn found(&mut self, length: u32) {
        self.found = Some(length);
    }

    fn enters(&mut self, phase: Phase) {
        self.watchdog.enters(phase);
        match phase {
            Phase::Search => self.start(),
            Phase::Confirm | Phase::Reload => self.bar.finish_and_clear(),
        }
        self.peak = memory::peak();
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
