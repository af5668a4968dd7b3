//! From a state of the model to its class: through tables that follow the merges.

use super::system::{DEAD, State, UNKNOWN};
use crate::discrete_table::DiscreteTable;
use crate::heuristics::pattern::keyed_numbers::KeyedNumbers;
use crate::heuristics::pattern::saved::{Bytes, DAMAGED, write_list};
use crate::heuristics::pattern::{AbstractProblem, StateMap, pack, packed_bytes};
use crate::problem::Problem;
use explore::Layout;

/// Finds the state of a part.
struct PartLookup {
    /// What is kept of each part of the network.
    codes: Vec<u8>,
    map: StateMap,
    layout: Layout,
    numbers: KeyedNumbers,
}

impl PartLookup {
    fn new(part: &AbstractProblem, numbers: KeyedNumbers) -> PartLookup {
        let (map, layout) = (part.map.clone(), part.explorer.layout.clone());
        PartLookup { codes: part.codes().to_vec(), map, layout, numbers }
    }
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

impl Table {
    /// How many classes there are.
    fn count(&self) -> usize {
        let known = self.classes.iter().filter(|&&class| class < UNKNOWN);
        known.max().map_or(0, |&class| class as usize + 1)
    }

    fn write(&self, out: &mut Vec<u8>) {
        match &self.source {
            Source::Part(part) => {
                out.push(PART);
                write_list(out, part.codes.iter().map(|&code| [code]));
                part.numbers.write(self.classes.len() as u32 - 1, out);
            }
            Source::Pair(left, right, width) => {
                out.push(PAIR);
                for number in [left, right, width] {
                    out.extend_from_slice(&(*number as u32).to_le_bytes());
                }
            }
        }
        write_list(out, self.classes.iter().map(|class| class.to_le_bytes()));
    }

    /// Takes what was written, if it fits together with the tables before it.
    fn read(problem: &Problem, bytes: &mut Bytes, before: &[Table]) -> Result<Table, String> {
        let source = Source::read(problem, bytes)?;
        let classes = bytes.list(State::from_le_bytes).ok_or(DAMAGED)?;
        let count = |table: usize| before.get(table).map(Table::count);
        let fits = match &source {
            // The last class is for all others.
            Source::Part(part) => {
                let mut numbers = part.numbers.iter();
                !classes.is_empty() && numbers.all(|(_, number)| (number as usize) < classes.len())
            }
            Source::Pair(left, right, width) => count(*left).zip(count(*right)).is_some_and(|it| {
                it.1 <= *width && it.0.checked_mul(*width).is_some_and(|all| all <= classes.len())
            }),
        };
        if fits { Ok(Table { source, classes }) } else { Err(DAMAGED.to_string()) }
    }
}

/// How sources begin in what is written.
const PART: u8 = 0;
const PAIR: u8 = 1;

impl Source {
    fn read(problem: &Problem, bytes: &mut Bytes) -> Result<Source, String> {
        match *bytes.take(1).ok_or(DAMAGED)? {
            [PART] => {
                let codes = bytes.list(|[code]: [u8; 1]| code).ok_or(DAMAGED)?;
                let part = AbstractProblem::with_every_step_of(problem, &codes)?;
                let width = packed_bytes(&part.explorer.layout);
                let (numbers, ..) = KeyedNumbers::read(bytes, width).ok_or(DAMAGED)?;
                Ok(Source::Part(Box::new(PartLookup::new(&part, numbers))))
            }
            [PAIR] => {
                let mut number = || bytes.number().map(|number| number as usize).ok_or(DAMAGED);
                Ok(Source::Pair(number()?, number()?, number()?))
            }
            _ => Err(DAMAGED.to_string()),
        }
    }
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
        let source = Source::Part(Box::new(PartLookup::new(part, numbers)));
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

    /// Appends what it holds.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.tables.len() as u32).to_le_bytes());
        self.tables.iter().for_each(|table| table.write(out));
    }

    /// Takes what was written, if it fits together.
    pub fn read(problem: &Problem, bytes: &mut Bytes) -> Result<Lookup, String> {
        let mut lookup = Lookup::default();
        for _ in 0..bytes.number().ok_or(DAMAGED)? {
            lookup.add(Table::read(problem, bytes, &lookup.tables)?);
        }
        Ok(lookup)
    }

    /// How many classes a table has; none if there is no such table.
    pub fn classes(&self, table: usize) -> Option<usize> {
        self.tables.get(table).map(Table::count)
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
