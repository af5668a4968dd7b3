//! From a state of the model to its class: through tables that follow the merges.

use super::system::{DEAD, State, UNKNOWN};
use crate::discrete_table::DiscreteTable;
use crate::heuristics::pattern::keyed_numbers::KeyedNumbers;
use crate::heuristics::pattern::{AbstractProblem, StateMap, pack};
use explore::Layout;

/// Finds the state of a part.
struct PartLookup {
    map: StateMap,
    layout: Layout,
    numbers: KeyedNumbers,
}

/// What becomes of the states of a part, or of pairs of states.
struct Table {
    source: Source,
    classes: Vec<State>,
}

enum Source {
    Part(Box<PartLookup>),
    /// Two tables before this one, and the number of classes of the second.
    Pair(usize, usize, usize),
}

/// The tables of all systems that were ever made, each after those that it is made of.
#[derive(Default)]
pub struct Lookup {
    tables: Vec<Table>,
    /// The class in each table of the state that was asked about last.
    found: Vec<State>,
    words: Vec<i32>,
    packed: Vec<u8>,
}

impl Lookup {
    /// A table for a part with so many states; those beyond the known ones stand for all others.
    pub fn add_part(
        &mut self,
        part: &AbstractProblem,
        known: &DiscreteTable,
        states: usize,
    ) -> usize {
        let mut numbers = KeyedNumbers::with_room(known.len(), known.width(), known.len() as u32);
        for state in 0..known.len() as State {
            numbers.insert(known.at(state), state);
        }
        let (map, layout) = (part.map.clone(), part.explorer.layout.clone());
        let source = Source::Part(Box::new(PartLookup { map, layout, numbers }));
        let mut classes: Vec<State> = (0..states as State).collect();
        classes.resize(known.len() + 1, UNKNOWN);
        self.add(Table { source, classes })
    }

    /// A table for the pairs of states of two others.
    pub fn add_pair(
        &mut self,
        left: usize,
        right: usize,
        width: usize,
        classes: Vec<State>,
    ) -> usize {
        self.add(Table { source: Source::Pair(left, right, width), classes })
    }

    fn add(&mut self, table: Table) -> usize {
        self.tables.push(table);
        self.found.push(UNKNOWN);
        self.tables.len() - 1
    }

    /// Puts the classes of a table in others.
    pub fn replace(&mut self, table: usize, classes: &[State]) {
        for class in &mut self.tables[table].classes {
            *class = classes.get(*class as usize).copied().unwrap_or(*class);
        }
    }

    /// Looks a state up in all tables.
    pub fn look_up(&mut self, state: &[i32]) {
        for position in 0..self.tables.len() {
            let Table { source, classes } = &self.tables[position];
            self.found[position] = match source {
                Source::Part(part) => {
                    self.words.resize(part.layout.discrete, 0);
                    part.map.project(state, &mut self.words);
                    self.packed.clear();
                    pack(&part.layout, &self.words, &mut self.packed);
                    let number = part.numbers.get(&self.packed);
                    classes[number.map_or(classes.len() - 1, |number| number as usize)]
                }
                Source::Pair(left, right, width) => match (self.found[*left], self.found[*right]) {
                    (DEAD, _) | (_, DEAD) => DEAD,
                    (UNKNOWN, _) | (_, UNKNOWN) => UNKNOWN,
                    (left, right) => classes[left as usize * width + right as usize],
                },
            };
        }
    }

    /// The class in a table of the state that was looked up last.
    pub fn class(&self, table: usize) -> State {
        self.found[table]
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// The bytes that the tables take.
    pub fn bytes(&self) -> usize {
        let part = |table: &Table| match &table.source {
            Source::Part(part) => part.numbers.bytes(),
            Source::Pair(..) => 0,
        };
        let classes = |table: &Table| table.classes.capacity() * size_of::<State>();
        self.tables.iter().map(|table| part(table) + classes(table)).sum()
    }
}
