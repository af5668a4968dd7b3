//! Makes a text smaller as long as something about it stays.

use super::parts::{Expression, Part};

/// Something that can be made smaller step by step.
pub trait Cuttable: Clone + PartialEq {
    /// Makes one cut, the one that `cut` counts down to; false if there are not so many.
    fn cut(&mut self, cut: &mut Cut) -> bool;
}

/// The smallest text found that keeps the property: no single cut of it does.
pub fn shrink<T: Cuttable>(text: T, keeps: &mut dyn FnMut(&T) -> bool) -> T {
    let mut best = text;
    let mut at = 0;
    let mut changed = false;
    loop {
        let mut cut = Cut { wanted: at, seen: 0 };
        let mut candidate = best.clone();
        if !candidate.cut(&mut cut) {
            if !changed {
                return best;
            }
            // What did not work before may work now that the rest is smaller.
            (at, changed) = (0, false);
        } else if candidate != best && keeps(&candidate) {
            // The next cut has the same number now.
            (best, changed) = (candidate, true);
        } else {
            at += 1;
        }
    }
}

/// Makes the cut with a number; the number of cuts is found by trying.
pub struct Cut {
    wanted: usize,
    seen: usize,
}

impl Cut {
    /// Whether this is the one.
    pub fn is_here(&mut self) -> bool {
        self.seen += 1;
        self.seen == self.wanted + 1
    }

    /// Leaves out some items: half of them, a quarter, and so on down to one.
    pub fn shorter<T>(&mut self, items: &mut Vec<T>) -> bool {
        let mut size = items.len();
        while size > 0 {
            for start in (0..items.len()).step_by(size) {
                if self.is_here() {
                    items.drain(start..(start + size).min(items.len()));
                    return true;
                }
            }
            size /= 2;
        }
        false
    }

    /// Simplifies an expression of these.
    pub fn parts(&mut self, parts: &mut [Part]) -> bool {
        parts.iter_mut().any(|part| match part {
            Part::Text(_) => false,
            Part::Expression(expression) => self.expression(expression),
        })
    }

    /// An expression becomes one of those inside it, or a number.
    pub fn expression(&mut self, expression: &mut Expression) -> bool {
        let numbers = ["0", "1"].map(Expression::leaf);
        if numbers.contains(expression) {
            return false;
        }
        let simpler = expression.inner().chain(&numbers).find(|_| self.is_here());
        if let Some(simpler) = simpler.cloned() {
            *expression = simpler;
            return true;
        }
        self.parts(&mut expression.0)
    }
}
