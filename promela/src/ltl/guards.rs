//! From diagrams to conditions that can be written down.
//!
//! A diagram shares its parts, a condition cannot: taken as it stands, that of
//! `(a || b) && (c || d) && ...` would double with every pair. Where one outcome of a test allows
//! more than the other, what both have in common is therefore written once. That may look at atoms
//! that do not matter, so it is done only if all of them can be evaluated in every state.

use super::diagram::{Diagram, Diagrams, Test};
use super::monitor::Guard;
use super::{Fallible, Refusal};

/// Writes the guards of one monitor.
pub(super) struct Guards<'a> {
    diagrams: &'a mut Diagrams,
    /// For every atom, whether it can be evaluated in every state.
    harmless: Vec<bool>,
    /// How many atoms may still be written.
    left: usize,
}

impl<'a> Guards<'a> {
    const MOST_ATOMS: usize = 20_000;

    pub fn new(diagrams: &'a mut Diagrams, harmless: Vec<bool>) -> Self {
        Guards { diagrams, harmless, left: Self::MOST_ATOMS }
    }

    /// The guard of a condition that can hold.
    pub fn guard(&mut self, diagram: Diagram) -> Fallible<Guard> {
        let Some(test) = self.diagrams.test(diagram) else {
            return Ok(Guard::True);
        };
        let atom = test.atom as usize;
        match (test.low, test.high) {
            (Diagram::FALSE, Diagram::TRUE) => self.literal(atom, true),
            (Diagram::TRUE, Diagram::FALSE) => self.literal(atom, false),
            (Diagram::FALSE, high) => self.both(atom, true, high),
            (low, Diagram::FALSE) => self.both(atom, false, low),
            (Diagram::TRUE, high) => self.either(atom, false, high),
            (low, Diagram::TRUE) => self.either(atom, true, low),
            _ if self.is_harmless(diagram) => self.factored(test),
            _ => self.choice(test),
        }
    }

    fn is_harmless(&self, diagram: Diagram) -> bool {
        self.diagrams.tested(diagram).iter().all(|&atom| self.harmless[atom as usize])
    }

    fn literal(&mut self, atom: usize, value: bool) -> Fallible<Guard> {
        let too_large = Refusal::TooLarge("its monitor has too large conditions");
        self.left = self.left.checked_sub(1).ok_or(too_large)?;
        Ok(Guard::Atom(atom, value))
    }

    fn both(&mut self, atom: usize, value: bool, rest: Diagram) -> Fallible<Guard> {
        let literal = self.literal(atom, value)?;
        Ok(Guard::And(Box::new(literal), Box::new(self.guard(rest)?)))
    }

    fn either(&mut self, atom: usize, value: bool, rest: Diagram) -> Fallible<Guard> {
        let literal = self.literal(atom, value)?;
        Ok(Guard::Or(Box::new(literal), Box::new(self.guard(rest)?)))
    }

    fn choice(&mut self, test: Test) -> Fallible<Guard> {
        let atom = test.atom as usize;
        self.literal(atom, true)?;
        let (yes, no) = (self.guard(test.high)?, self.guard(test.low)?);
        Ok(Guard::Choice(atom, Box::new(yes), Box::new(no)))
    }

    fn factored(&mut self, test: Test) -> Fallible<Guard> {
        let Test { atom, low, high } = test;
        if self.diagrams.implies(low, high)? {
            return self.ordered(atom as usize, true, high, low);
        }
        if self.diagrams.implies(high, low)? {
            return self.ordered(atom as usize, false, low, high);
        }
        self.choice(test)
    }

    /// `more` if the atom has this value, else `less`, which implies `more`: either
    /// `(atom || a) && more`, with `a` for `less` given `more`, or `(atom && b) || less`, with `b`
    /// for `more` given not `less`.
    fn ordered(
        &mut self,
        atom: usize,
        value: bool,
        more: Diagram,
        less: Diagram,
    ) -> Fallible<Guard> {
        let not_less = self.diagrams.not(less)?;
        let a = self.diagrams.within(less, more)?;
        let b = self.diagrams.within(more, not_less)?;
        let cost =
            |it: [Diagram; 2]| it.map(|it| self.diagrams.tested(it).len()).iter().sum::<usize>();
        if cost([a, more]) <= cost([b, less]) {
            let first = self.either(atom, value, a)?;
            Ok(Guard::And(Box::new(first), Box::new(self.guard(more)?)))
        } else {
            let first = self.both(atom, value, b)?;
            Ok(Guard::Or(Box::new(first), Box::new(self.guard(less)?)))
        }
    }
}
