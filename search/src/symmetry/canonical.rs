//! The representative of a state: one of those that permutations make of it, chosen in such a way that as many as
//! possible of them choose the same.

use super::Choice;
use super::action::{StateSymmetry, Value};
use super::colours::Colours;
use crate::representative::Representatives;
use crate::zone_store::keeps_compared_clocks;
use explore::Explorer;
use rustc_hash::FxHashMap;
use symmetry::{Atom, Class, Group};
use zones::NO_BOUND;

/// How many permutations are tried for a state where atoms cannot be told apart, if it is to be quick.
const MOST_TRIES: u32 = 16;

/// After so many states it is looked for the first time whether representatives are worth while.
const FIRST_LOOK: u64 = 1_000;

/// They are if at least one of so many states is found under another one.
const WORTH_WHILE: u64 = 16;

/// Finds representatives.
pub struct Canonical<'a> {
    explorer: &'a Explorer,
    symmetry: &'a StateSymmetry,
    choice: Choice,
    colours: Colours,
    /// For each class that goes round, the atom that comes first, once that is decided.
    starts: Vec<Option<Atom>>,
    best: Best,
    permutations: Permutations,
    state: Vec<i32>,
    /// The L and U bounds of all clocks in a state.
    bounds: [Vec<i32>; 2],
    /// How many states were offered, and found under others.
    offered: u64,
    alike: u64,
    /// When it is looked again whether it is worth while; never if it is not.
    next_look: Option<u64>,
    /// Where clocks go.
    clocks: Vec<u32>,
}

/// The least state so far, and how it was made.
#[derive(Default)]
struct Best {
    state: Vec<i32>,
    permutation: Vec<Atom>,
    /// The last state that was made, and how.
    made: Vec<i32>,
    by: Vec<Atom>,
    tries: u32,
}

impl<'a> Canonical<'a> {
    /// Representatives for a network's states.
    pub fn new(explorer: &'a Explorer, symmetry: &'a StateSymmetry, choice: Choice) -> Self {
        Canonical {
            explorer,
            bounds: [vec![0; explorer.layout.dim], vec![0; explorer.layout.dim]],
            symmetry,
            choice,
            colours: Colours::default(),
            starts: vec![None; symmetry.classes.len()],
            best: Best::default(),
            permutations: Permutations::new(symmetry.atoms),
            state: Vec::new(),
            offered: 0,
            alike: 0,
            next_look: Some(FIRST_LOOK),
            clocks: Vec::new(),
        }
    }

    /// Makes clocks that are compared with nothing any more look alike: they are not stored.
    fn forget_clocks(&mut self, state: &mut [i32]) {
        let [lower, upper] = &mut self.bounds;
        self.explorer.clock_bounds(state, lower, upper);
        let dim = self.explorer.layout.dim;
        let zone = &mut state[self.explorer.layout.zone()];
        for clock in (1..dim).filter(|&it| lower[it] == NO_BOUND && upper[it] == NO_BOUND) {
            for other in 0..dim {
                zone[clock * dim + other] = 0;
                zone[other * dim + clock] = 0;
            }
        }
    }

    fn choose(&mut self, state: &[i32]) {
        self.best.tries = 0;
        let mut colours = std::mem::take(&mut self.colours);
        colours.reset(self.symmetry);
        match self.choice {
            Choice::Full | Choice::Quick => {
                colours.refine(self.symmetry, state, true);
                self.tell_apart(&mut colours, state);
            }
            Choice::Sorted => {
                colours.look(self.symmetry, state);
                self.keep_order(&mut colours);
                colours.refine(self.symmetry, state, false);
                self.tell_apart(&mut colours, state);
            }
            Choice::Segmented => {
                colours.look(self.symmetry, state);
                self.try_orders(&colours, state);
            }
        }
        self.colours = colours;
    }

    /// Whether the best state, permuted back, is the one that it was made from.
    fn leads_back(&mut self, state: &[i32], how: u32) -> bool {
        let mut back = self.best.state.clone();
        self.restore(&mut back, how);
        back == state
    }

    /// Goes on until all atoms are told apart.
    fn tell_apart(&mut self, colours: &mut Colours, state: &[i32]) {
        if let Some(ring) = self.loose_ring() {
            return self.turn(ring, colours, state);
        }
        if colours.are_all_different(self.symmetry) {
            return self.offer(colours, state);
        }
        let cells = Cells::of(self.symmetry, colours, state);
        match cells.first_entangled(self.symmetry, state, &mut self.clocks) {
            None => {
                cells.single_out(colours);
                colours.sort(self.symmetry);
                self.offer(colours, state);
            }
            Some(cell) => self.branch(cell, colours, state),
        }
    }

    /// Tries each atom of a cell as the one that comes first.
    fn branch(&mut self, cell: &[Atom], colours: &Colours, state: &[i32]) {
        for &atom in cell {
            let mut branch = colours.clone();
            branch.single_out(atom, 0);
            branch.refine(self.symmetry, state, false);
            self.tell_apart(&mut branch, state);
            if self.choice == Choice::Quick && self.best.tries >= MOST_TRIES {
                return;
            }
        }
    }

    /// A class that goes round, and of which it is open which atom comes first.
    fn loose_ring(&self) -> Option<usize> {
        let mut classes = self.symmetry.classes.iter().zip(&self.starts);
        classes.position(|(class, start)| class.group == Group::Rotations && start.is_none())
    }

    /// Lets those atoms of a ring come first that stand out most.
    fn turn(&mut self, ring: usize, colours: &Colours, state: &[i32]) {
        let class = &self.symmetry.classes[ring];
        let cells = colours.cells(range(class));
        let Some(first) = cells.min_by_key(|cell| (cell.len(), colours.of[cell[0] as usize]))
        else {
            return;
        };
        for &start in first {
            let mut branch = colours.clone();
            for distance in 0..class.size {
                let atom = class.first + (start - class.first + distance) % class.size;
                branch.single_out(atom, u64::from(distance));
            }
            self.starts[ring] = Some(start);
            branch.refine(self.symmetry, state, self.loose_ring().is_some());
            self.tell_apart(&mut branch, state);
        }
        self.starts[ring] = None;
    }

    /// Keeps atoms that look alike in the order that they are in.
    fn keep_order(&self, colours: &mut Colours) {
        for class in self.principal() {
            for atom in class.first..class.first + class.size {
                colours.single_out(atom, u64::from(atom));
            }
        }
    }

    /// The classes that may be brought in any order and that decide where the others go: ids, if there are any.
    fn principal(&self) -> impl Iterator<Item = &'a Class> + use<'a> {
        let classes = &self.symmetry.classes;
        let has_values = classes.iter().any(|it| !it.values.is_empty());
        let free = classes.iter().filter(|it| it.group == Group::All);
        free.filter(move |it| !has_values || !it.values.is_empty())
    }

    /// Tries all orders of atoms that look alike; the others follow.
    fn try_orders(&mut self, colours: &Colours, state: &[i32]) {
        let mut classes = self.principal();
        let cell = classes.find_map(|it| colours.cells(range(it)).find(|cell| cell.len() > 1));
        let Some(cell) = cell else {
            let mut colours = colours.clone();
            colours.refine(self.symmetry, state, false);
            return self.tell_apart(&mut colours, state);
        };
        for (number, &atom) in cell.iter().enumerate() {
            // What changes nothing need not be tried twice.
            if (0..number).any(|before| self.is_exchange(state, cell[before], atom)) {
                continue;
            }
            let mut branch = colours.clone();
            branch.single_out(atom, 0);
            branch.sort(self.symmetry);
            self.try_orders(&branch, state);
        }
    }

    /// Whether a state stays the same if two atoms are exchanged.
    fn is_exchange(&mut self, state: &[i32], one: Atom, other: Atom) -> bool {
        let Best { by, made, .. } = &mut self.best;
        by.clear();
        by.extend(0..self.symmetry.atoms as Atom);
        by.swap(one as usize, other as usize);
        made.resize(state.len(), 0);
        self.symmetry.apply(by, state, made, &mut self.clocks);
        made == state
    }

    /// Makes a state of the order that was found, and keeps it if it is the least.
    fn offer(&mut self, colours: &Colours, state: &[i32]) {
        let Best { by, made, .. } = &mut self.best;
        by.resize(self.symmetry.atoms, 0);
        made.resize(state.len(), 0);
        for (class, start) in self.symmetry.classes.iter().zip(&self.starts) {
            match start {
                Some(start) => {
                    for at in 0..class.size {
                        let distance = (class.first + at + class.size - start) % class.size;
                        by[(class.first + at) as usize] = class.first + distance;
                    }
                }
                None => {
                    for (to, &atom) in (class.first..).zip(&colours.order[range(class)]) {
                        by[atom as usize] = to;
                    }
                }
            }
        }
        self.symmetry.apply(by, state, made, &mut self.clocks);
        let best = &mut self.best;
        best.tries += 1;
        if best.tries == 1 || best.made < best.state {
            std::mem::swap(&mut best.made, &mut best.state);
            std::mem::swap(&mut best.by, &mut best.permutation);
        }
    }
}

fn range(class: &Class) -> std::ops::Range<usize> {
    class.first as usize..(class.first + class.size) as usize
}

impl Representatives for Canonical<'_> {
    fn represent(&mut self, state: &mut [i32]) -> u32 {
        // States that are stored under others are found there only by chance then; they are few.
        if self.next_look.is_none() || !self.symmetry.applies(state) {
            return 0;
        }
        self.symmetry.forget_dead(state);
        if self.symmetry.moves_clocks && keeps_compared_clocks(self.explorer) {
            self.forget_clocks(state);
        }
        self.choose(state);
        let how = self.permutations.number(&self.best.permutation);
        debug_assert!(self.leads_back(state, how), "a state is made of its representative again");
        state.copy_from_slice(&self.best.state);
        how
    }

    fn restore(&mut self, state: &mut [i32], how: u32) {
        if how == 0 {
            return;
        }
        self.state.clear();
        self.state.extend_from_slice(state);
        self.symmetry.apply(self.permutations.back(how), &self.state, state, &mut self.clocks);
    }

    fn account(&mut self, offered: u64, alike: u64) {
        self.offered += offered;
        self.alike += alike;
        let is_time = self.next_look.is_some_and(|next| self.offered >= next);
        if is_time && self.choice == Choice::Quick {
            let pays = self.alike * WORTH_WHILE >= self.offered;
            self.next_look = pays.then_some(self.offered * 4);
        }
    }

    fn bytes(&self) -> usize {
        self.permutations.bytes()
    }
}

/// Atoms that have the same colour as others, and how they hang together: by words that say something about several
/// of them.
struct Cells {
    cells: Vec<Vec<Atom>>,
    /// For each atom, another one that it hangs together with, or itself.
    together: Vec<Atom>,
    /// For each atom, its cell; none if it is alone in it.
    cell: Vec<Option<u32>>,
}

impl Cells {
    fn of(symmetry: &StateSymmetry, colours: &Colours, state: &[i32]) -> Cells {
        let cells = symmetry.classes.iter().flat_map(|class| colours.cells(range(class)));
        let cells: Vec<Vec<Atom>> = cells.filter(|it| it.len() > 1).map(<[Atom]>::to_vec).collect();
        let mut cell = vec![None; symmetry.atoms];
        for (number, atoms) in (0_u32..).zip(&cells) {
            atoms.iter().for_each(|&atom| cell[atom as usize] = Some(number));
        }
        let together = (0..symmetry.atoms as Atom).collect();
        let mut cells = Cells { cells, together, cell };
        for word in &symmetry.words {
            let mut last = None;
            let value = symmetry.value(state, word);
            symmetry.owners(&word.place).iter().for_each(|&atom| cells.join(&mut last, atom));
            cells.join_value(&mut last, value);
        }
        for buffer in &symmetry.buffers {
            let mut last = None;
            symmetry.owners(&buffer.place).iter().for_each(|&atom| cells.join(&mut last, atom));
            symmetry
                .messages(state, buffer)
                .for_each(|(_, value)| cells.join_value(&mut last, value));
        }
        cells
    }

    fn join_value(&mut self, last: &mut Option<Atom>, value: Value) {
        if let Value::Atom(_, atom) = value {
            self.join(last, atom);
        }
    }

    fn join(&mut self, last: &mut Option<Atom>, atom: Atom) {
        if self.cell[atom as usize].is_none() {
            return;
        }
        let root = self.root(atom);
        if let Some(last) = *last {
            let last = self.root(last);
            self.together[last.max(root) as usize] = last.min(root);
        }
        *last = Some(atom);
    }

    fn root(&self, mut atom: Atom) -> Atom {
        while self.together[atom as usize] != atom {
            atom = self.together[atom as usize];
        }
        atom
    }

    /// The first cell whose atoms are not simply interchangeable, together with what hangs on them: what hangs
    /// together has several atoms of one colour, or clocks tell them apart.
    fn first_entangled(
        &self,
        symmetry: &StateSymmetry,
        state: &[i32],
        clocks: &mut Vec<u32>,
    ) -> Option<&[Atom]> {
        let mut is_entangled = vec![false; symmetry.atoms];
        for atoms in &self.cells {
            for (number, &atom) in atoms.iter().enumerate() {
                let root = self.root(atom);
                if atoms[..number].iter().any(|&other| self.root(other) == root) {
                    is_entangled[root as usize] = true;
                }
            }
        }
        let entangled = |atom: &Atom| is_entangled[self.root(*atom) as usize];
        let by_words = self.cells.iter().find(|atoms| atoms.iter().any(entangled));
        let by_clocks = || {
            self.cells.iter().find(|atoms| {
                let mut neighbours = atoms.windows(2);
                !neighbours.all(|it| self.keeps_zone(symmetry, state, (it[0], it[1]), clocks))
            })
        };
        let found = by_words.or_else(|| symmetry.moves_clocks.then(by_clocks).flatten());
        found.map(Vec::as_slice)
    }

    /// Whether clocks do not tell two atoms apart, together with what hangs on them.
    fn keeps_zone(
        &self,
        symmetry: &StateSymmetry,
        state: &[i32],
        (one, other): (Atom, Atom),
        clocks: &mut Vec<u32>,
    ) -> bool {
        let mut permutation: Vec<Atom> = (0..symmetry.atoms as Atom).collect();
        let (one, other) = (self.root(one), self.root(other));
        for atoms in &self.cells {
            let of = |root| atoms.iter().copied().find(|&atom| self.root(atom) == root);
            if let (Some(one), Some(other)) = (of(one), of(other)) {
                permutation.swap(one as usize, other as usize);
            }
        }
        symmetry.place_clocks(&permutation, clocks);
        symmetry.keeps_zone(state, clocks)
    }

    /// Tells atoms apart that are simply interchangeable: what hangs together gets the same number in each cell.
    fn single_out(&self, colours: &mut Colours) {
        for atoms in &self.cells {
            let mut atoms = atoms.clone();
            atoms.sort_unstable_by_key(|&atom| self.root(atom));
            for (number, &atom) in (0_u64..).zip(&atoms) {
                colours.single_out(atom, number);
            }
        }
    }
}

/// The permutations that were used, each by its number; 0 is the one that changes nothing.
struct Permutations {
    known: FxHashMap<Box<[Atom]>, u32>,
    /// One after the other, the permutations that lead back.
    back: Vec<Atom>,
    atoms: usize,
}

impl Permutations {
    fn new(atoms: usize) -> Self {
        let same: Vec<Atom> = (0..atoms as Atom).collect();
        let mut permutations =
            Permutations { known: FxHashMap::default(), back: Vec::new(), atoms };
        permutations.number(&same);
        permutations
    }

    fn number(&mut self, permutation: &[Atom]) -> u32 {
        if let Some(&number) = self.known.get(permutation) {
            return number;
        }
        let number = self.known.len() as u32;
        self.known.insert(permutation.into(), number);
        let from = self.back.len();
        self.back.resize(from + self.atoms, 0);
        for (atom, &to) in (0..).zip(permutation) {
            self.back[from + to as usize] = atom;
        }
        number
    }

    fn back(&self, number: u32) -> &[Atom] {
        &self.back[number as usize * self.atoms..][..self.atoms]
    }

    fn bytes(&self) -> usize {
        2 * self.back.capacity() * size_of::<Atom>() + self.known.capacity() * 32
    }
}
