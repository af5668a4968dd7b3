//! Steps and paths as searches keep them: words that name edges and the values of their selects.
//!
//! A step is the edges that fire together, the sender's first and the observer's last, each followed
//! by the values of its selects. While a process has control, several steps may be taken as one; a mark
//! stands between them.

use crate::explorer::Explorer;
use network::{Id, RunTimeError};
use std::fmt;

/// Stands between the steps that a longer one is made of, where the number of an edge is expected.
pub(crate) const THEN: i32 = -1;

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub struct $name(u32);

        impl Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                // What is numbered lies in memory, and fewer than four thousand million fit in there.
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    )*};
}

numbers! {
    /// An edge of an explorer. An edge of the network has two numbers if its channel may be one with a
    /// buffer or one without.
    EdgeNumber;
    /// An element of a channel, numbered over all channels.
    ElementNumber;
}

/// One step or several that are taken as one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Step<'a> {
    words: &'a [i32],
}

impl<'a> Step<'a> {
    /// The step that these words stand for; no words stand for the absence of a step.
    pub fn from_words(words: &'a [i32]) -> Self {
        Step { words }
    }

    /// Its words.
    pub fn words(self) -> &'a [i32] {
        self.words
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self.words.is_empty()
    }
}

/// The steps of a path, one by one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Path {
    words: Vec<i32>,
    /// Where the words of each step end.
    ends: Vec<usize>,
}

impl Path {
    /// Adds a step at the end.
    pub fn push(&mut self, step: Step) {
        self.words.extend_from_slice(step.words);
        self.ends.push(self.words.len());
    }

    /// The number of its steps.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The step at a position.
    pub fn step(&self, position: usize) -> Step<'_> {
        let from = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        Step { words: &self.words[from..self.ends[position]] }
    }

    /// The steps in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Step<'_>> + ExactSizeIterator {
        (0..self.len()).map(|position| self.step(position))
    }

    /// The path as far as a number of steps.
    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.words.truncate(self.ends.last().copied().unwrap_or(0));
    }
}

/// A run-time error of the model, and the step that raised it.
#[derive(Debug, Clone)]
pub struct Raised {
    /// The error.
    pub error: RunTimeError,
    words: Vec<i32>,
    zone: Option<Vec<i32>>,
    hides_lack_of_room: bool,
}

impl Raised {
    /// An error that a step raised.
    pub fn by(step: Step, error: RunTimeError) -> Self {
        Raised { error, words: step.words.to_vec(), zone: None, hides_lack_of_room: false }
    }

    /// An error that the state itself raised.
    pub fn at_state(error: RunTimeError) -> Self {
        Raised::by(Step::default(), error)
    }

    /// Says for which valuations of the clocks the step raises the error.
    pub(crate) fn within(self, zone: &[i32]) -> Self {
        Raised { zone: Some(zone.to_vec()), ..self }
    }

    /// The same error within a longer step, after these words.
    pub(crate) fn after(self, prefix: &[i32]) -> Self {
        Raised { words: [prefix, &self.words].concat(), ..self }
    }

    /// The step; none if the state itself raised the error.
    pub fn step(&self) -> Step<'_> {
        Step { words: &self.words }
    }

    /// Whether there was no room for another process, here or in another step of the same state.
    pub fn lacks_room(&self) -> bool {
        self.error.lacks_room() || self.hides_lack_of_room
    }

    /// Notes an error of a state's steps; the first of them is the one that is told.
    pub(crate) fn note(self, first: &mut Option<Raised>) {
        match first {
            Some(first) => first.hides_lack_of_room |= self.lacks_room(),
            None => *first = Some(self),
        }
    }

    /// For which valuations of the clocks the error is raised, if not for all.
    pub(crate) fn zone(&self) -> Option<&[i32]> {
        self.zone.as_deref()
    }
}

/// The valuations do not tell errors apart: a step raises the same error for fewer of them if the zone of
/// the state is exact.
impl PartialEq for Raised {
    fn eq(&self, other: &Self) -> bool {
        (&self.error, &self.words) == (&other.error, &other.words)
    }
}

impl Eq for Raised {}

impl Explorer {
    /// The single steps that a longer one is made of.
    pub fn single_steps<'a>(&'a self, step: Step<'a>) -> impl Iterator<Item = Step<'a>> + Clone {
        let mut rest = Some(step.words);
        std::iter::from_fn(move || {
            let words = rest?;
            let end = self.end_of_step(words);
            rest = words.get(end + 1..);
            Some(Step { words: &words[..end] })
        })
    }

    /// Where the first single step ends; values of selects may look like a mark.
    fn end_of_step(&self, words: &[i32]) -> usize {
        let mut at = 0;
        while at < words.len() && words[at] != THEN {
            at += 1 + self.edges[edge_of(words[at])].selects.len();
        }
        at
    }

    /// The edges in a step, or in the single steps that a longer one is made of.
    pub fn edges_of<'a>(&'a self, step: Step<'a>) -> impl Iterator<Item = EdgeNumber> + Clone + 'a {
        let mut rest = step.words;
        std::iter::from_fn(move || {
            while let [word, tail @ ..] = rest {
                rest = tail;
                if *word != THEN {
                    let edge = edge_of(*word);
                    rest = &rest[self.edges[edge].selects.len()..];
                    return Some(edge);
                }
            }
            None
        })
    }

    /// The moves of a single step: process, edge and select values.
    pub fn moves(&self, step: Step) -> Vec<network::Move> {
        let mut moves = Vec::new();
        let mut rest = step.words;
        while let [edge, tail @ ..] = rest {
            let edge = &self.edges[edge_of(*edge)];
            let (selects, tail) = tail.split_at(edge.selects.len());
            moves.push(network::Move {
                process: edge.process,
                edge: edge.edge,
                selects: selects.to_vec(),
            });
            rest = tail;
        }
        moves
    }
}

/// The edge that a word of a step stands for.
#[inline]
fn edge_of(word: i32) -> EdgeNumber {
    EdgeNumber(word as u32)
}

/// The word that stands for an edge in a step.
#[inline]
pub(crate) fn word_of(edge: EdgeNumber) -> i32 {
    edge.0 as i32
}
