//! Which abstract state a concrete one stands for: where its words and clocks come from.

use explore::Layout;

/// Where the parts of an abstract state come from.
#[derive(Clone, Debug)]
pub struct StateMap {
    /// The number of words before the zone of an abstract state.
    words: usize,
    /// Words of the abstract state with those of the concrete one that they are copied from.
    copies: Vec<(u32, u32)>,
    /// Those that always have the same value.
    constants: Vec<(u32, i32)>,
    /// The one that says who has control.
    control: Option<Control>,
    /// The concrete clock, by its index in the zone, of each abstract one; the constant 0 first. Empty
    /// if the abstract states have no zone.
    clocks: Vec<usize>,
    /// Where the concrete zone begins, and its dimension.
    zone: usize,
    dim: usize,
}

/// Who has control in an abstract state.
#[derive(Clone, Debug)]
struct Control {
    to: usize,
    from: usize,
    known: Vec<Vec<bool>>,
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
    /// The map from states of a layout to ones whose words before the zone, meta variables included, come
    /// from `words`, and whose clocks are those with the indices `clocks` in the concrete zone, each at
    /// least 1.
    pub fn new(concrete: &Layout, words: Vec<WordSource>, clocks: &[usize]) -> StateMap {
        let zero = (!clocks.is_empty()).then_some(0);
        let mut map = StateMap {
            words: words.len(),
            copies: Vec::new(),
            constants: Vec::new(),
            control: None,
            clocks: zero.into_iter().chain(clocks.iter().copied()).collect(),
            zone: concrete.discrete,
            dim: concrete.dim,
        };
        for (to, source) in (0..).zip(words) {
            match source {
                WordSource::Copy(from) => map.copies.push((to, from as u32)),
                WordSource::Constant(value) => map.constants.push((to, value)),
                WordSource::Control { word, known } => {
                    map.control = Some(Control { to: to as usize, from: word, known });
                }
            }
        }
        map
    }

    /// The map from each state to itself.
    pub fn identity(layout: &Layout) -> StateMap {
        let clocks: Vec<usize> = (1..layout.dim).collect();
        StateMap::new(layout, (0..layout.discrete).map(WordSource::Copy).collect(), &clocks)
    }

    /// The number of words before the zone of an abstract state.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The dimension of the zone of an abstract state, as that of a layout.
    pub fn dim(&self) -> usize {
        self.clocks.len()
    }

    /// Writes the words before the zone of the abstract state.
    #[inline]
    pub fn project(&self, concrete: &[i32], words: &mut [i32]) {
        for &(to, from) in &self.copies {
            words[to as usize] = concrete[from as usize];
        }
        for &(to, value) in &self.constants {
            words[to as usize] = value;
        }
        if let Some(Control { to, from, known }) = &self.control {
            words[*to] = match concrete[*from] {
                0 => 0,
                control => {
                    // Locations come first, in the order of processes, which count from 1 here.
                    let process = control as usize - 1;
                    let is_known = known[process][concrete[process] as usize];
                    if is_known { control } else { 0 }
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Three processes with control, and two clocks; the first process and the first clock are left out.
    ///
    /// Seen to fail: with control that stays with a process that is gone.
    #[test]
    fn parts_come_from_where_they_should() {
        let process = |name| {
            format!("process {name} {{ location a; init a; edge a -> a {{ keeps control; }} }}\n")
        };
        let processes = [process("P"), process("Q"), process("R")].concat();
        let text = format!("network 1\nclock x\nclock y\n{processes}");
        let network = network::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        let layout = Layout::new(&network);
        // Of the second process it is known in the sixth location only.
        let at_five = vec![false, false, false, false, false, true];
        let known = vec![vec![false], at_five, vec![true]];
        let words = vec![
            WordSource::Copy(1),
            WordSource::Constant(7),
            WordSource::Control { word: 3, known },
        ];
        let map = StateMap::new(&layout, words, &[2]);
        assert_eq!((layout.control, map.words(), map.dim()), (Some(3), 3, 2));
        for (control, left) in [(0, 0), (1, 0), (2, 2), (3, 3)] {
            let state = [0, 5, 0, control, 10, 11, 12, 13, 14, 15, 16, 17, 18];
            let (mut words, mut zone) = ([0; 3], Vec::new());
            map.project(&state, &mut words);
            map.project_zone(&state, &mut zone);
            assert_eq!((words, &zone[..]), ([5, 7, left], &[10, 12, 16, 18][..]));
        }
    }
}
