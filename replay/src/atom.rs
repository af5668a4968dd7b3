//! An evaluated clock constraint: elements of clocks and a number.

use network::{ClockId, Relation, element_name};

use crate::draft::Draft;
use crate::moments::Moments;
use crate::{Simulator, words};

/// `left - right relation bound`, the bound in units of time.
pub(crate) struct Atom {
    pub left: Element,
    pub right: Option<Element>,
    pub relation: Relation,
    pub bound: i32,
}

/// An element of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Element {
    pub clock: ClockId,
    pub element: usize,
}

/// How fast each element of each clock runs: 0 or 1.
pub(crate) type Rates = Vec<Vec<i128>>;

impl Atom {
    pub fn holds(&self, draft: &Draft, scale: i64) -> bool {
        let difference = self.difference(draft, scale);
        let bound = self.bound_ticks(scale);
        match self.relation {
            Relation::Lt => difference < bound,
            Relation::Le => difference <= bound,
            Relation::Eq => difference == bound,
            Relation::Ge => difference >= bound,
            Relation::Gt => difference > bound,
        }
    }

    /// The delays after which it holds; without rates time stands still.
    ///
    /// Clocks that the draft set are taken as set after the delay, so they do not grow.
    pub fn moments(&self, draft: &Draft, rates: Option<&Rates>, scale: i64) -> Moments {
        let rate = |at: Element| match rates {
            Some(rates) if !draft.is_set(at.clock, at.element) => {
                rates[network::Id::index(at.clock)][at.element]
            }
            _ => 0,
        };
        let distance = self.bound_ticks(scale) - self.difference(draft, scale);
        match rate(self.left) - self.right.map_or(0, rate) {
            0 if self.holds(draft, scale) => Moments::ALL,
            0 => Moments::NONE,
            // difference + t ~ bound
            1 => Moments::compared(self.relation, distance),
            // difference - t ~ bound
            _ => Moments::compared(self.relation.flipped(), -distance),
        }
    }

    fn difference(&self, draft: &Draft, scale: i64) -> i128 {
        let ticks = |at: Element| draft.clock(at.clock, at.element, scale);
        ticks(self.left) - self.right.map_or(0, ticks)
    }
    fn bound_ticks(&self, scale: i64) -> i128 {
        self.bound as i128 * scale as i128
    }

    /// What its clocks show, for messages: `x is 3.5`.
    pub fn describe(&self, draft: &Draft, simulator: &Simulator) -> String {
        let scale = simulator.scale();
        let clock = |at: Element| {
            let clock = &simulator.network().clocks[at.clock];
            element_name(&clock.name, &clock.dimensions, at.element)
        };
        let difference = words::time(self.difference(draft, scale), scale);
        let left = clock(self.left);
        let name = self.right.map_or(left.clone(), |right| format!("{left} - {}", clock(right)));
        format!("{name} is {difference}, not {} {}", words::relation(self.relation), self.bound)
    }
}
