//! Which abstract state a concrete one stands for: where its words and clocks come from.

use explore::Layout;

/// Where the parts of an abstract state come from.
#[derive(Clone, Debug)]
pub struct StateMap {
    /// One for each word before the zone, meta variables included.
    words: Vec<WordSource>,
    /// The concrete clock, by its index in the zone, of each abstract one; the constant 0 first. Empty
    /// if the abstract states have no zone.
    clocks: Vec<usize>,
    /// Where the concrete zone begins, and its dimension.
    zone: usize,
    dim: usize,
}

/// Where a word of an abstract state comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordSource {
    /// A word of the concrete state.
    Copy(usize),
    /// Nowhere: it always has this value.
    Constant(i32),
    /// Which process has control, where it is known to have it, and 0 elsewhere.
    Control {
        /// The word that says which.
        word: usize,
        /// For each process and each of its locations whether it is known there.
        known: Vec<Vec<bool>>,
    },
}

impl StateMap {
    /// The map from states of a layout to ones whose words before the zone come from `words`, and whose
    /// clocks are those with the indices `clocks` in the concrete zone, each at least 1.
    pub fn new(concrete: &Layout, words: Vec<WordSource>, clocks: &[usize]) -> StateMap {
        let zero = (!clocks.is_empty()).then_some(0);
        let clocks = zero.into_iter().chain(clocks.iter().copied()).collect();
        StateMap { words, clocks, zone: concrete.discrete, dim: concrete.dim }
    }

    /// The map from each state to itself.
    pub fn identity(layout: &Layout) -> StateMap {
        let clocks: Vec<usize> = (1..layout.dim).collect();
        StateMap::new(layout, (0..layout.discrete).map(WordSource::Copy).collect(), &clocks)
    }

    /// The number of words before the zone of an abstract state.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// The dimension of the zone of an abstract state, as that of a layout.
    pub fn dim(&self) -> usize {
        self.clocks.len()
    }

    /// Writes the words before the zone of the abstract state.
    #[inline]
    pub fn project(&self, concrete: &[i32], words: &mut [i32]) {
        for (out, source) in words.iter_mut().zip(&self.words) {
            *out = match source {
                WordSource::Copy(word) => concrete[*word],
                WordSource::Constant(value) => *value,
                WordSource::Control { word, known } => match concrete[*word] {
                    0 => 0,
                    control => {
                        // Locations come first, in the order of processes, which count from 1 here.
                        let process = control as usize - 1;
                        let is_known = known[process][concrete[process] as usize];
                        if is_known { control } else { 0 }
                    }
                },
            };
        }
    }

    /// Writes the zone of the abstract state: that of the concrete one, which is canonical, without the
    /// rows and columns of other clocks.
    pub fn project_zone(&self, concrete: &[i32], zone: &mut Vec<i32>) {
        let bounds = &concrete[self.zone..];
        zone.clear();
        for &i in &self.clocks {
            let row = &bounds[i * self.dim..(i + 1) * self.dim];
            zone.extend(self.clocks.iter().map(|&j| row[j]));
        }
    }
}
