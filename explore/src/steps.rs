//! The steps of a state, as lists that are used again for the next one.

use crate::step::{EdgeNumber, ElementNumber, Raised};

/// An edge that is enabled as far as data says.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidate {
    pub edge: EdgeNumber,
    /// Where the values of its selects begin.
    pub selects: u32,
    /// The channel element it synchronises on.
    pub element: ElementNumber,
    /// Where the message it sends, or the values it wants, begin.
    pub message: u32,
}

impl Candidate {
    pub fn of(edge: EdgeNumber) -> Self {
        Candidate { edge, ..Candidate::default() }
    }
}

/// The steps of a state that are enabled as far as data says. The buffers are used again for the next
/// state.
#[derive(Debug, Default)]
pub struct Steps {
    /// The moves of all steps, those of one step side by side.
    pub(crate) moves: Vec<Candidate>,
    /// How many steps come first that are one move each, and need no record.
    pub(crate) singles: usize,
    /// The other steps.
    pub(crate) records: Vec<Record>,
    /// Values of selects, messages, and values that receivers want.
    pub(crate) values: Vec<i32>,
    /// Parts of the zone that steps are limited to.
    pub(crate) cells: Vec<Vec<i32>>,
    /// The first error that a guard raised.
    pub(crate) failure: Option<Raised>,
    /// Whether these are the steps that `timeout` enables, because there are no others.
    pub(crate) timeout: bool,
    /// How many steps of several processes are wanted at most; more are left out.
    pub(crate) most: Option<usize>,
    pub(crate) leaves_out: bool,
    /// How many steps of several processes would have had to be allowed so far for none to be left out.
    pub(crate) wanted_most: usize,
    pub(crate) sends: Vec<Candidate>,
    pub(crate) receives: Vec<Candidate>,
    /// The elements that somebody sends on.
    pub(crate) wanted: Vec<bool>,
    pub(crate) choices: Choices,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub first: u32,
    pub end: u32,
    pub cell: Option<u32>,
}

/// One step: the edges that fire together, the sender's first, then the receivers' by process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enabled<'a> {
    pub moves: &'a [Candidate],
    pub values: &'a [i32],
    /// The part of the zone that it is limited to.
    pub cell: Option<&'a [i32]>,
}

impl<'a> Enabled<'a> {
    /// The same step in another part of the zone.
    pub fn within(self, cell: &'a [i32]) -> Self {
        Enabled { cell: Some(cell), ..self }
    }
}

impl Steps {
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.singles = 0;
        self.records.clear();
        self.values.clear();
        self.cells.clear();
        self.sends.clear();
        (self.failure, self.timeout, self.leaves_out) = (None, false, false);
    }

    /// Whether another step is wanted.
    pub(crate) fn has_room(&mut self) -> bool {
        self.wanted_most = self.wanted_most.max(self.records.len() + 1);
        self.leaves_out |= self.most.is_some_and(|most| self.records.len() >= most);
        !self.leaves_out
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.singles + self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they are possible only because there are no others (`timeout`).
    pub fn is_timeout(&self) -> bool {
        self.timeout
    }

    /// The edges of the step at a position.
    pub fn edges(&self, position: usize) -> impl Iterator<Item = EdgeNumber> + '_ {
        self.get(position).moves.iter().map(|candidate| candidate.edge)
    }

    /// Keeps only the steps that are wanted, asked by their positions.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Steps, usize) -> bool) {
        self.record_all();
        let mut kept = 0;
        for position in 0..self.records.len() {
            if is_wanted(self, position) {
                self.records[kept] = self.records[position];
                kept += 1;
            }
        }
        self.records.truncate(kept);
    }

    #[inline]
    pub(crate) fn get(&self, position: usize) -> Enabled<'_> {
        if position < self.singles {
            let moves = std::slice::from_ref(&self.moves[position]);
            return Enabled { moves, values: &self.values, cell: None };
        }
        let Record { first, end, cell } = self.records[position - self.singles];
        Enabled {
            moves: &self.moves[first as usize..end as usize],
            values: &self.values,
            cell: cell.map(|cell| &self.cells[cell as usize][..]),
        }
    }

    /// Gives every step a record, so that they can be put in another order.
    pub(crate) fn record_all(&mut self) {
        let single = |first| Record { first, end: first + 1, cell: None };
        self.records.splice(0..0, (0..self.singles as u32).map(single));
        self.singles = 0;
    }

    pub(crate) fn push(&mut self, moves: impl IntoIterator<Item = Candidate>, cell: Option<u32>) {
        let first = self.moves.len() as u32;
        self.moves.extend(moves);
        self.records.push(Record { first, end: self.moves.len() as u32, cell });
    }

    pub(crate) fn fail(&mut self, result: Result<(), Raised>) {
        if let Err(raised) = result {
            self.failure.get_or_insert(raised);
        }
    }
}

/// The choice of one edge for each process that takes part in a broadcast.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    /// The receivers that take part.
    pub part: Vec<Candidate>,
    /// The edges of each process: (first, after the last, chosen).
    pub groups: Vec<(u32, u32, u32)>,
}

impl Choices {
    pub fn chosen(&self) -> impl Iterator<Item = Candidate> + '_ {
        self.groups.iter().map(|&(.., chosen)| self.part[chosen as usize])
    }

    /// Moves on to the next combination; false after the last. The last process's choice runs fastest.
    pub fn advance(&mut self) -> bool {
        for (first, end, chosen) in self.groups.iter_mut().rev() {
            *chosen += 1;
            if *chosen < *end {
                return true;
            }
            *chosen = *first;
        }
        false
    }
}
