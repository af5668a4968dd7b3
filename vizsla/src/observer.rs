//! Who is told how the work on a question goes, and may end it.

use crate::{Control, Statistics};

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A search is prepared and run.
    Search,
    /// What was found is confirmed and told.
    Confirm,
    /// The model is loaded again, with room for more processes; then there is another search.
    Reload,
}

/// Follows the work on a question. `()` lets everything run to its end.
pub trait Observer {
    /// Told every few hundred states how the search goes; says whether to go on.
    fn tick(&mut self, _: &Statistics) -> Control {
        Control::Continue
    }

    /// The same while a heuristic is made, about the abstract states that are explored for it.
    fn prepares(&mut self, statistics: &Statistics) -> Control {
        self.tick(statistics)
    }

    /// Told the length of a trace when one is found while the search for shorter ones goes on.
    fn found(&mut self, _length: u32) {}

    /// Told what is done from now on.
    fn enters(&mut self, _: Phase) {}
}

impl Observer for () {}
