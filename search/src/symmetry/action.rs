//! What permutations of atoms do to the words of a state.

use super::{Canonical, Choice};
use crate::representative::Representatives;
use explore::{Explorer, Home};
use network::Id;
use rustc_hash::FxHashMap;
use std::ops::Range;
use symmetry::{Atom, Class, Symmetry, Values};

/// No atom, no table, no word.
pub(super) const NONE: u32 = u32::MAX;

/// What is interchangeable in the states of an explorer.
pub struct StateSymmetry {
    choice: Choice,
    pub(super) classes: Vec<Class>,
    pub(super) atoms: usize,
    pub(super) words: Vec<Word>,
    pub(super) buffers: Vec<BufferWords>,
    /// For each clock of the zone, the one that stands for 0 included.
    pub(super) clocks: Vec<Place>,
    pub(super) moves_clocks: bool,
    pub(super) dim: usize,
    pub(super) zone: usize,
    /// Atoms that places belong to.
    owners: Vec<Atom>,
    families: Vec<Family>,
    /// By family and atoms, the word, channel or clock that is there.
    targets: Vec<u32>,
    meanings: Vec<Meaning>,
    /// Locations at which a value means nothing.
    dead: Vec<(u32, Box<[bool]>)>,
    /// Processes that must be at certain locations for states to be permuted.
    settled: Vec<(u32, Box<[bool]>)>,
}

/// Where something lies among those that it can be exchanged with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub family: u32,
    owners: (u32, u32),
}

/// A word of a state that may go somewhere else, or whose value may mean an atom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub at: u32,
    pub place: Place,
    meaning: u32,
    dead: u32,
    /// The value that it starts with.
    initial: i32,
}

/// The words of a buffer that may go somewhere else, or that may hold atoms.
#[derive(Clone, Debug)]
pub(super) struct BufferWords {
    pub at: u32,
    pub place: Place,
    capacity: u32,
    meanings: Vec<u32>,
}

/// How places of a family are numbered: by the atoms that they belong to.
#[derive(Clone, Debug)]
struct Family {
    /// For each atom, the first of its class, and the distance between neighbours.
    strides: Vec<(Atom, u32)>,
    base: u32,
}

/// What the values of a word mean.
#[derive(Clone, Debug)]
struct Meaning {
    low: i32,
    /// By value, a tag and an atom.
    atoms: Vec<(u32, Atom)>,
    /// By tag and atom, the value.
    values: Vec<i32>,
    is_closed: bool,
}

/// What a value means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// Itself.
    Plain(i32),
    /// An atom, in some respect.
    Atom(u32, Atom),
}

impl StateSymmetry {
    /// What a network's symmetry means for the states of its explorer; none if nothing is interchangeable.
    pub fn of(explorer: &Explorer, symmetry: &Symmetry, choice: Choice) -> Option<StateSymmetry> {
        if symmetry.classes.is_empty() {
            return None;
        }
        let compiler = Compiler::new(explorer, symmetry, choice);
        Some(compiler.compile())
    }

    /// Representatives for one search.
    pub fn representatives<'s>(&'s self, explorer: &'s Explorer) -> Box<dyn Representatives + 's> {
        Box::new(Canonical::new(explorer, self, self.choice))
    }

    /// The classes of what is interchangeable.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The state that a permutation of all atoms makes of another one: for each atom, the one that it becomes.
    pub fn permuted(&self, permutation: &[Atom], state: &[i32]) -> Vec<i32> {
        let mut permuted = vec![0; state.len()];
        self.apply(permutation, state, &mut permuted, &mut Vec::new());
        permuted
    }

    /// Whether a state may be permuted: everything has been started, and values that may be none but atoms are.
    pub fn applies(&self, state: &[i32]) -> bool {
        let is_settled = |(process, at): &(u32, Box<[bool]>)| at[state[*process as usize] as usize];
        self.settled.iter().all(is_settled) && self.words.iter().all(|it| self.is_known(state, it))
    }

    fn is_known(&self, state: &[i32], word: &Word) -> bool {
        let is_closed = word.meaning != NONE && self.meanings[word.meaning as usize].is_closed;
        !is_closed
            || self.is_dead(state, word)
            || matches!(self.value(state, word), Value::Atom(..))
    }

    /// Gives values that nobody will read the one that they start with, so that they tell nothing apart.
    pub(super) fn forget_dead(&self, state: &mut [i32]) {
        for word in &self.words {
            if self.is_dead(state, word) {
                state[word.at as usize] = word.initial;
            }
        }
    }

    fn is_dead(&self, state: &[i32], word: &Word) -> bool {
        if word.dead == NONE {
            return false;
        }
        let (process, locations) = &self.dead[word.dead as usize];
        locations[state[*process as usize] as usize]
    }

    /// What a word of a state means.
    #[inline]
    pub(super) fn value(&self, state: &[i32], word: &Word) -> Value {
        let value = state[word.at as usize];
        if word.meaning == NONE || self.is_dead(state, word) {
            return Value::Plain(value);
        }
        self.meanings[word.meaning as usize].of(value)
    }

    /// The atoms that a place belongs to.
    #[inline]
    pub(super) fn owners(&self, place: &Place) -> &[Atom] {
        &self.owners[place.owners.0 as usize..place.owners.1 as usize]
    }

    /// The messages in a buffer: its words with what they mean.
    pub(super) fn messages<'s>(
        &'s self,
        state: &'s [i32],
        buffer: &'s BufferWords,
    ) -> impl Iterator<Item = (usize, Value)> + 's {
        let width = buffer.meanings.len();
        let length = state[buffer.at as usize] as usize * width;
        (0..length).map(move |field| {
            let at = buffer.at as usize + 1 + field;
            let meaning = buffer.meanings[field % width];
            let value = match meaning {
                NONE => Value::Plain(state[at]),
                meaning => self.meanings[meaning as usize].of(state[at]),
            };
            (at, value)
        })
    }

    /// The state that a permutation of atoms makes of another one.
    pub(super) fn apply(
        &self,
        permutation: &[Atom],
        from: &[i32],
        to: &mut [i32],
        clocks: &mut Vec<u32>,
    ) {
        to.copy_from_slice(from);
        for word in &self.words {
            let value = match self.value(from, word) {
                Value::Plain(value) => value,
                Value::Atom(tag, atom) => self.meanings[word.meaning as usize].back(
                    tag,
                    permutation[atom as usize],
                    self.atoms,
                ),
            };
            to[self.target(permutation, &word.place, word.at) as usize] = value;
        }
        for buffer in &self.buffers {
            self.move_buffer(permutation, buffer, from, to);
        }
        if self.moves_clocks {
            self.place_clocks(permutation, clocks);
            self.move_zone(clocks, from, to);
        }
    }

    /// Where clocks go.
    pub(super) fn place_clocks(&self, permutation: &[Atom], clocks: &mut Vec<u32>) {
        clocks.clear();
        let places = (0..).zip(&self.clocks);
        clocks.extend(places.map(|(clock, place)| self.target(permutation, place, clock)));
    }

    /// Whether a zone stays the same if its clocks go to other places.
    pub(super) fn keeps_zone(&self, state: &[i32], clocks: &[u32]) -> bool {
        let zone = &state[self.zone..];
        let at = |row: usize, column: usize| zone[row * self.dim + column];
        let to = |clock: usize| clocks[clock] as usize;
        let mut moved = (0..self.dim).filter(|&clock| to(clock) != clock);
        moved.all(|one| {
            (0..self.dim).all(|other| {
                at(one, other) == at(to(one), to(other)) && at(other, one) == at(to(other), to(one))
            })
        })
    }

    fn move_buffer(
        &self,
        permutation: &[Atom],
        buffer: &BufferWords,
        from: &[i32],
        to: &mut [i32],
    ) {
        let target = self.target(permutation, &buffer.place, buffer.at) as usize;
        let words = buffer.words();
        to[target..target + words.len()].copy_from_slice(&from[words.clone()]);
        let width = buffer.meanings.len();
        for (number, (at, value)) in self.messages(from, buffer).enumerate() {
            if let Value::Atom(tag, atom) = value {
                let meaning = &self.meanings[buffer.meanings[number % width] as usize];
                to[target + at - words.start] =
                    meaning.back(tag, permutation[atom as usize], self.atoms);
            }
        }
    }

    fn move_zone(&self, clocks: &[u32], from: &[i32], to: &mut [i32]) {
        let (from, to) = (&from[self.zone..], &mut to[self.zone..]);
        for (row, &target) in from.chunks_exact(self.dim).zip(clocks) {
            let target = &mut to[target as usize * self.dim..][..self.dim];
            for (&bound, &column) in row.iter().zip(clocks) {
                target[column as usize] = bound;
            }
        }
    }

    /// Where something goes that is at `own` now.
    #[inline]
    fn target(&self, permutation: &[Atom], place: &Place, own: u32) -> u32 {
        let owners = self.owners(place);
        if owners.is_empty() {
            return own;
        }
        let family = &self.families[place.family as usize];
        let offset = |(&owner, &(first, stride)): (&Atom, &(Atom, u32))| {
            (permutation[owner as usize] - first) * stride
        };
        let index: u32 = owners.iter().zip(&family.strides).map(offset).sum();
        self.targets[(family.base + index) as usize]
    }
}

impl Meaning {
    #[inline]
    fn of(&self, value: i32) -> Value {
        match self.atoms.get(value.wrapping_sub(self.low) as u32 as usize) {
            Some(&(tag, atom)) if atom != NONE => Value::Atom(tag, atom),
            _ => Value::Plain(value),
        }
    }

    #[inline]
    fn back(&self, tag: u32, atom: Atom, atoms: usize) -> i32 {
        self.values[tag as usize * atoms + atom as usize]
    }
}

impl BufferWords {
    /// Its words in a state.
    fn words(&self) -> Range<usize> {
        let length = 1 + self.capacity as usize * self.meanings.len();
        self.at as usize..self.at as usize + length
    }
}

/// Puts together what is known about the words of states.
struct Compiler<'a> {
    explorer: &'a Explorer,
    symmetry: &'a Symmetry,
    result: StateSymmetry,
    /// By family of the network, its number here.
    families: FxHashMap<u32, u32>,
}

impl<'a> Compiler<'a> {
    fn new(explorer: &'a Explorer, symmetry: &'a Symmetry, choice: Choice) -> Self {
        let layout = &explorer.layout;
        let atoms = symmetry.classes.iter().map(|it| it.size as usize).sum();
        let boxed = |(process, at): &(network::ProcessId, Vec<bool>)| {
            (process.index() as u32, at.clone().into_boxed_slice())
        };
        let result = StateSymmetry {
            choice,
            classes: symmetry.classes.clone(),
            atoms,
            words: Vec::new(),
            buffers: Vec::new(),
            clocks: Vec::new(),
            moves_clocks: false,
            dim: layout.dim,
            zone: layout.discrete,
            owners: Vec::new(),
            families: Vec::new(),
            targets: Vec::new(),
            meanings: Vec::new(),
            dead: Vec::new(),
            settled: symmetry.settled.processes.iter().map(boxed).collect(),
        };
        Compiler { explorer, symmetry, result, families: FxHashMap::default() }
    }

    fn compile(mut self) -> StateSymmetry {
        self.result.meanings =
            self.symmetry.values.iter().map(|it| meaning(it, self.result.atoms)).collect();
        self.add_processes();
        self.add_variables();
        self.add_channels();
        self.add_clocks();
        self.result
    }

    /// The place of an element that lies at `target`.
    fn place(&mut self, element: u32, target: u32) -> Place {
        let position = &self.symmetry.positions[element as usize];
        let first = self.result.owners.len() as u32;
        self.result.owners.extend(&position.atoms);
        let owners = (first, self.result.owners.len() as u32);
        let family = self.family(position.family, &position.atoms);
        let Family { strides, base } = &self.result.families[family as usize];
        let offsets = position
            .atoms
            .iter()
            .zip(strides)
            .map(|(atom, (first, stride))| (atom - first) * stride);
        let index = base + offsets.sum::<u32>();
        self.result.targets[index as usize] = target;
        Place { family, owners }
    }

    fn family(&mut self, family: u32, atoms: &[Atom]) -> u32 {
        let result = &mut self.result;
        *self.families.entry(family).or_insert_with(|| {
            let mut size = 1;
            let mut strides = Vec::new();
            for atom in atoms {
                let class =
                    result.classes.iter().find(|it| (it.first..it.first + it.size).contains(atom));
                let (first, length) = class.map_or((0, 1), |it| (it.first, it.size));
                strides.push((first, size));
                size *= length;
            }
            let base = result.targets.len() as u32;
            result.targets.resize((base + size) as usize, NONE);
            result.families.push(Family { strides, base });
            result.families.len() as u32 - 1
        })
    }

    /// Adds a word if it can go somewhere else or mean an atom.
    fn add_word(&mut self, element: u32, at: u32, (meaning, dead): (u32, u32), initial: i32) {
        let is_moved = !self.symmetry.positions[element as usize].atoms.is_empty();
        if is_moved || meaning != NONE {
            let place = self.place(element, at);
            self.result.words.push(Word { at, place, meaning, dead, initial });
        }
    }

    fn add_processes(&mut self) {
        let (symmetry, layout) = (self.symmetry, &self.explorer.layout);
        for process in self.explorer.network().processes.ids() {
            let element = symmetry.elements.process(process.index());
            self.add_word(element, layout.location(process) as u32, (NONE, NONE), 0);
        }
        if let Some(control) = layout.control {
            let number = self.result.meanings.len() as u32;
            self.result.meanings.push(meaning(&symmetry.processes, self.result.atoms));
            // The word belongs to nobody.
            let family = self.result.families.len() as u32;
            self.result.families.push(Family { strides: Vec::new(), base: 0 });
            let place = Place { family, owners: (0, 0) };
            self.result.words.push(Word {
                at: control,
                place,
                meaning: number,
                dead: NONE,
                initial: 0,
            });
        }
    }

    fn add_variables(&mut self) {
        let (symmetry, layout) = (self.symmetry, &self.explorer.layout);
        for (id, variable) in self.explorer.network().variables.enumerate() {
            let Home::State(home) = layout.home(id) else { continue };
            // Where it is cleared, each element has a value of its own, wherever it belongs.
            if symmetry.dead.is_useless(id) {
                continue;
            }
            let meaning = symmetry.variables[id.index()].map_or(NONE, |it| it as u32);
            let dead = match symmetry.dead.of(id) {
                Some((process, locations)) => {
                    let locations = locations.to_vec().into_boxed_slice();
                    self.result.dead.push((process.index() as u32, locations));
                    self.result.dead.len() as u32 - 1
                }
                None => NONE,
            };
            for (element, &initial) in variable.initial.iter().enumerate() {
                let number = symmetry.elements.variable(id.index(), element);
                self.add_word(number, home + element as u32, (meaning, dead), initial);
            }
        }
    }

    fn add_channels(&mut self) {
        let (symmetry, layout) = (self.symmetry, &self.explorer.layout);
        for (id, channel) in self.explorer.network().channels.enumerate() {
            let meanings: Vec<u32> = symmetry.fields[id.index()]
                .iter()
                .map(|it| it.map_or(NONE, |it| it as u32))
                .collect();
            for element in 0..channel.len() {
                let buffer = &layout.buffers[layout.channel(id) as usize + element];
                let number = symmetry.elements.channel(id.index(), element);
                let is_moved = !symmetry.positions[number as usize].atoms.is_empty();
                let says_something = is_moved || meanings.iter().any(|&it| it != NONE);
                if buffer.capacity > 0 && says_something {
                    let (at, capacity) = (buffer.at, buffer.capacity);
                    let place = self.place(number, at);
                    let meanings = meanings.clone();
                    self.result.buffers.push(BufferWords { at, place, capacity, meanings });
                }
            }
        }
    }

    fn add_clocks(&mut self) {
        let (symmetry, layout) = (self.symmetry, &self.explorer.layout);
        if layout.dim == 0 {
            return;
        }
        // The clock that stands for 0 belongs to nobody.
        let family = self.result.families.len() as u32;
        self.result.families.push(Family { strides: Vec::new(), base: 0 });
        self.result.clocks.push(Place { family, owners: (0, 0) });
        for (id, clock) in self.explorer.network().clocks.enumerate() {
            for element in 0..clock.len() {
                let number = symmetry.elements.clock(id.index(), element);
                let place = self.place(number, layout.clock(id) + element as u32);
                self.result.clocks.push(place);
                self.result.moves_clocks |= !symmetry.positions[number as usize].atoms.is_empty();
            }
        }
    }
}

fn meaning(values: &Values, atoms: usize) -> Meaning {
    let low = values.atoms.keys().min().copied().unwrap_or(0);
    let high = values.atoms.keys().max().copied().unwrap_or(-1);
    let mut tags: Vec<u32> = values.atoms.values().map(|it| it.0).collect();
    tags.sort_unstable();
    tags.dedup();
    let mut meaning = Meaning {
        low,
        atoms: vec![(0, NONE); (high - low + 1).max(0) as usize],
        values: vec![0; tags.len() * atoms],
        is_closed: values.closed,
    };
    for (&value, &(tag, atom)) in &values.atoms {
        let tag = tags.partition_point(|it| *it < tag);
        meaning.atoms[(value - low) as usize] = (tag as u32, atom);
        meaning.values[tag * atoms + atom as usize] = value;
    }
    meaning
}
