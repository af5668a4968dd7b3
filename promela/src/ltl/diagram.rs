//! Binary decision diagrams over the atoms of a formula: conditions, and labels of automata.
//!
//! Equal conditions are equal diagrams. Atoms are tested in the order of their first occurrence,
//! and only where the outcome depends on them: in `i < N -> a[i]` the index is never out of bounds.
//! Every operation counts: what takes too many is refused, so no formula runs for ever.

use super::{Fallible, Refusal};
use rustc_hash::{FxHashMap, FxHashSet};

/// A condition; 0 is false and 1 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Diagram(u32);

impl Diagram {
    pub const FALSE: Diagram = Diagram(0);
    pub const TRUE: Diagram = Diagram(1);

    /// The condition that always or never holds.
    pub fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

/// A test of an atom: `high` is what remains to be asked if it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Test {
    pub atom: u32,
    pub low: Diagram,
    pub high: Diagram,
}

/// All diagrams of a formula.
#[derive(Default)]
pub(super) struct Diagrams {
    tests: Vec<Test>,
    numbers: FxHashMap<Test, Diagram>,
    known: FxHashMap<(Diagram, Diagram, Diagram), Diagram>,
    known_within: FxHashMap<(Diagram, Diagram), Diagram>,
    work: u32,
}

impl Diagrams {
    /// About a second.
    const MOST_WORK: u32 = 4_000_000;

    /// The condition that an atom holds.
    pub fn atom(&mut self, atom: u32) -> Diagram {
        self.number(Test { atom, low: Diagram::FALSE, high: Diagram::TRUE })
    }

    /// The first test, unless the diagram is a constant.
    pub fn test(&self, diagram: Diagram) -> Option<Test> {
        self.tests.get(diagram.0.checked_sub(2)? as usize).copied()
    }

    pub fn and(&mut self, left: Diagram, right: Diagram) -> Fallible<Diagram> {
        self.choose(left, right, Diagram::FALSE)
    }

    pub fn or(&mut self, left: Diagram, right: Diagram) -> Fallible<Diagram> {
        self.choose(left, Diagram::TRUE, right)
    }

    pub fn not(&mut self, operand: Diagram) -> Fallible<Diagram> {
        self.choose(operand, Diagram::FALSE, Diagram::TRUE)
    }

    /// `left && !right`
    pub fn without(&mut self, left: Diagram, right: Diagram) -> Fallible<Diagram> {
        self.choose(right, Diagram::FALSE, left)
    }

    /// Whether `right` holds wherever `left` does.
    pub fn implies(&mut self, left: Diagram, right: Diagram) -> Fallible<bool> {
        Ok(self.without(left, right)? == Diagram::FALSE)
    }

    /// `condition -> yes : no`
    fn choose(&mut self, condition: Diagram, yes: Diagram, no: Diagram) -> Fallible<Diagram> {
        self.spend(1)?;
        match (condition, yes, no) {
            (Diagram::TRUE, _, _) => return Ok(yes),
            (Diagram::FALSE, _, _) => return Ok(no),
            (_, Diagram::TRUE, Diagram::FALSE) => return Ok(condition),
            _ if yes == no => return Ok(yes),
            _ => {}
        }
        let key = (condition, yes, no);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let atoms = [condition, yes, no].map(|it| self.test(it).map_or(u32::MAX, |it| it.atom));
        let atom = atoms.into_iter().min().unwrap_or(u32::MAX);
        let [low, high] = [false, true].map(|value| {
            let [condition, yes, no] = [condition, yes, no].map(|it| self.given(it, atom, value));
            self.choose(condition, yes, no)
        });
        let result = self.number(Test { atom, low: low?, high: high? });
        self.known.insert(key, result);
        Ok(result)
    }

    /// What remains of a diagram that tests nothing before `atom`, once that is known.
    fn given(&self, diagram: Diagram, atom: u32, value: bool) -> Diagram {
        match self.test(diagram) {
            Some(test) if test.atom == atom => {
                if value {
                    test.high
                } else {
                    test.low
                }
            }
            _ => diagram,
        }
    }

    /// Some condition, as small as may be, that agrees with `diagram` wherever `care` holds, which
    /// can hold (Coudert and Madre, "A unified framework for the formal verification of sequential
    /// circuits", 1990).
    pub fn within(&mut self, diagram: Diagram, care: Diagram) -> Fallible<Diagram> {
        self.spend(1)?;
        let (Some(test), Some(known)) = (self.test(diagram), self.test(care)) else {
            return Ok(diagram);
        };
        if let Some(&result) = self.known_within.get(&(diagram, care)) {
            return Ok(result);
        }
        let result = if test.atom > known.atom {
            let care = self.or(known.low, known.high)?;
            self.within(diagram, care)?
        } else {
            let [low, high] = [false, true].map(|value| self.given(care, test.atom, value));
            self.test_within(test, low, high)?
        };
        self.known_within.insert((diagram, care), result);
        Ok(result)
    }

    /// The same for a test, with what to care about for each of its outcomes.
    fn test_within(&mut self, test: Test, low: Diagram, high: Diagram) -> Fallible<Diagram> {
        match (low, high) {
            (Diagram::FALSE, _) => self.within(test.high, high),
            (_, Diagram::FALSE) => self.within(test.low, low),
            _ => {
                let (low, high) = (self.within(test.low, low)?, self.within(test.high, high)?);
                Ok(self.number(Test { atom: test.atom, low, high }))
            }
        }
    }

    /// The atoms that a diagram tests, as often as it has tests of them.
    pub fn tested(&self, diagram: Diagram) -> Vec<u32> {
        let mut seen = FxHashSet::default();
        let mut open = vec![diagram];
        let mut atoms = vec![];
        while let Some(diagram) = open.pop() {
            if let Some(test) = self.test(diagram)
                && seen.insert(diagram)
            {
                atoms.push(test.atom);
                open.extend([test.low, test.high]);
            }
        }
        atoms
    }

    fn number(&mut self, test: Test) -> Diagram {
        if test.low == test.high {
            return test.low;
        }
        let next = Diagram(self.tests.len() as u32 + 2);
        let number = *self.numbers.entry(test).or_insert(next);
        if number == next {
            self.tests.push(test);
        }
        number
    }

    /// Counts operations that are done elsewhere.
    pub fn spend(&mut self, work: usize) -> Fallible<()> {
        self.work = self.work.saturating_add(work as u32);
        if self.work > Self::MOST_WORK {
            return Err(Refusal::TooLarge("its automaton takes too long to make"));
        }
        Ok(())
    }
}
