//! Colours of atoms: numbers that tell atoms apart by what a state says about them, and that go along with
//! permutations: in a permuted state, the permuted atom has the same colour.
//!
//! What is discrete is looked at first, so that states with the same discrete part have representatives with the same
//! one; then which clocks were set before others, so that zones that include each other mostly are found under zones
//! that do.
//!
//! Otherwise they are hashes. If two of them collide, two atoms are told apart later or not at all, and a state may be found
//! under two representatives; nothing worse.

use super::action::{Place, StateSymmetry, Value};
use symmetry::{Atom, Group};

/// The colours of all atoms, and the atoms in the order of their colours.
#[derive(Clone, Debug, Default)]
pub(super) struct Colours {
    pub of: Vec<u64>,
    /// The atoms, class by class, each class in the order of its colours.
    pub order: Vec<Atom>,
    next: Vec<u64>,
    /// How many different ones there are.
    different: usize,
    /// Whether clocks are looked at; what was told apart before stays in that order.
    with_clocks: bool,
}

/// The bits of a colour that say where an atom stands by what was looked at before clocks are.
const RANK: u64 = 0xffff << 48;

#[inline]
fn mix(value: u64) -> u64 {
    let product = u128::from(value ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    (product >> 64) as u64 ^ product as u64
}

/// How many clocks were set after those of an atom, less how many were set before.
fn age(symmetry: &StateSymmetry, state: &[i32], atom: Atom) -> i64 {
    let dim = symmetry.dim;
    let zone = &state[symmetry.zone..];
    let own = (1..dim).filter(|&it| symmetry.owners(&symmetry.clocks[it]).contains(&atom));
    let order = |clock: usize| {
        let other = |other: usize| (zone[clock * dim + other] - zone[other * dim + clock]).signum();
        (0..dim).map(other).map(i64::from).sum::<i64>()
    };
    own.map(order).sum()
}

impl Colours {
    /// All atoms of a class look the same.
    pub fn reset(&mut self, symmetry: &StateSymmetry) {
        self.of.clear();
        for (number, class) in symmetry.classes.iter().enumerate() {
            self.of.extend(std::iter::repeat_n(mix(number as u64), class.size as usize));
        }
        self.order.clear();
        self.order.extend(0..symmetry.atoms as Atom);
        self.different = symmetry.classes.len();
        self.with_clocks = false;
    }

    /// Gives an atom a colour that no other one has.
    pub fn single_out(&mut self, atom: Atom, number: u64) {
        let colour = self.of[atom as usize];
        self.of[atom as usize] =
            self.ranked(colour, mix(colour ^ mix(number.wrapping_add(0x5851_f42d_4c95_7f2d))));
    }

    /// A new colour in the place of an old one.
    fn ranked(&self, old: u64, new: u64) -> u64 {
        if self.with_clocks { old & RANK | new & !RANK } else { new }
    }

    /// Looks at clocks from now on.
    fn turn_to_clocks(&mut self, symmetry: &StateSymmetry, state: &[i32]) {
        self.rank(symmetry, |_| 0);
        self.with_clocks = true;
        self.sort(symmetry);
        let ages: Vec<i64> =
            (0..symmetry.atoms as Atom).map(|it| age(symmetry, state, it)).collect();
        self.rank(symmetry, |atom| ages[atom as usize]);
        self.sort(symmetry);
    }

    /// Makes the order of colours, and of something else among those of the same colour, the first thing that they say.
    fn rank(&mut self, symmetry: &StateSymmetry, more: impl Fn(Atom) -> i64) {
        for class in &symmetry.classes {
            let range = class.first as usize..(class.first + class.size) as usize;
            let order = &mut self.order[range];
            order.sort_by_key(|&atom| (self.of[atom as usize], more(atom)));
            self.next.clear();
            let mut rank = 0;
            for (number, &atom) in order.iter().enumerate() {
                let before = order[number.saturating_sub(1)];
                let key = |atom: Atom| (self.of[atom as usize], more(atom));
                rank += u64::from(key(before) != key(atom));
                self.next.push(rank << 48 | mix(rank ^ u64::from(class.first)) & !RANK);
            }
            for (&atom, &colour) in order.iter().zip(&self.next) {
                self.of[atom as usize] = colour;
            }
        }
    }

    /// Looks at the state until nothing more is told apart, or each class that goes round has an atom that stands out.
    pub fn refine(&mut self, symmetry: &StateSymmetry, state: &[i32], stops_at_rings: bool) {
        self.sort(symmetry);
        loop {
            let before = self.different;
            if before == symmetry.atoms || stops_at_rings && self.rings_stand_out(symmetry) {
                return;
            }
            self.look(symmetry, state);
            if self.different <= before {
                if !symmetry.moves_clocks || self.with_clocks {
                    return;
                }
                self.turn_to_clocks(symmetry, state);
                self.look(symmetry, state);
            }
        }
    }

    /// Looks at the state once.
    pub fn look(&mut self, symmetry: &StateSymmetry, state: &[i32]) {
        self.next.clear();
        self.next.extend(self.of.iter().map(|&colour| mix(colour)));
        self.look_at_words(symmetry, state);
        self.look_at_buffers(symmetry, state);
        if self.with_clocks {
            self.look_at_clocks(symmetry, state);
        }
        self.look_at_rings(symmetry);
        for (number, colour) in self.next.iter_mut().enumerate() {
            *colour =
                if self.with_clocks { self.of[number] & RANK | *colour & !RANK } else { *colour };
        }
        std::mem::swap(&mut self.of, &mut self.next);
        self.sort(symmetry);
    }

    fn owned(&self, symmetry: &StateSymmetry, place: &Place, token: u64) -> u64 {
        let owners = symmetry.owners(place).iter();
        owners.fold(token, |token, &owner| mix(token ^ self.of[owner as usize]))
    }

    fn token(&self, value: Value) -> u64 {
        match value {
            Value::Plain(value) => mix(value as u32 as u64),
            Value::Atom(tag, atom) => mix(self.of[atom as usize] ^ u64::from(tag) << 1 | 1),
        }
    }

    fn tell_owners(&mut self, symmetry: &StateSymmetry, place: &Place, token: u64) {
        for (number, &owner) in (1_u64..).zip(symmetry.owners(place)) {
            let next = &mut self.next[owner as usize];
            *next = next.wrapping_add(mix(token.wrapping_add(number)));
        }
    }

    fn tell(&mut self, value: Value, token: u64, number: u64) {
        if let Value::Atom(_, atom) = value {
            let next = &mut self.next[atom as usize];
            *next = next.wrapping_add(mix(token ^ number.wrapping_mul(0xa076_1d64_78bd_642f)));
        }
    }

    fn look_at_words(&mut self, symmetry: &StateSymmetry, state: &[i32]) {
        for word in &symmetry.words {
            let value = symmetry.value(state, word);
            let token = self.token(value).wrapping_add(u64::from(word.place.family) << 32);
            let token = self.owned(symmetry, &word.place, mix(token));
            self.tell_owners(symmetry, &word.place, token);
            self.tell(value, token, 1);
        }
    }

    fn look_at_buffers(&mut self, symmetry: &StateSymmetry, state: &[i32]) {
        for buffer in &symmetry.buffers {
            let mut token =
                mix(u64::from(buffer.place.family) << 32 | state[buffer.at as usize] as u64);
            for (_, value) in symmetry.messages(state, buffer) {
                token = mix(token.rotate_left(7) ^ self.token(value));
            }
            let token = self.owned(symmetry, &buffer.place, token);
            self.tell_owners(symmetry, &buffer.place, token);
            for (number, (_, value)) in (2_u64..).zip(symmetry.messages(state, buffer)) {
                self.tell(value, token, number);
            }
        }
    }

    fn look_at_clocks(&mut self, symmetry: &StateSymmetry, state: &[i32]) {
        let dim = symmetry.dim;
        for row in 0..dim {
            for column in 0..dim {
                let (one, other) = (&symmetry.clocks[row], &symmetry.clocks[column]);
                let is_moved =
                    !symmetry.owners(one).is_empty() || !symmetry.owners(other).is_empty();
                if row == column || !is_moved {
                    continue;
                }
                let bound = state[symmetry.zone + row * dim + column];
                let families = u64::from(one.family) << 48 ^ u64::from(other.family) << 32;
                let token = mix(families ^ bound as u32 as u64);
                let token = self.owned(symmetry, one, token);
                let token = self.owned(symmetry, other, token.rotate_left(9));
                self.tell_owners(symmetry, one, token);
                self.tell_owners(symmetry, other, token.rotate_left(17));
            }
        }
    }

    fn look_at_rings(&mut self, symmetry: &StateSymmetry) {
        for class in symmetry.classes.iter().filter(|it| it.group == Group::Rotations) {
            for at in 0..class.size {
                let neighbour = class.first + (at + 1) % class.size;
                let next = &mut self.next[(class.first + at) as usize];
                *next = next.wrapping_add(mix(self.of[neighbour as usize].rotate_left(31)));
            }
        }
    }

    /// Brings the atoms in the order of their colours.
    pub fn sort(&mut self, symmetry: &StateSymmetry) {
        self.different = 0;
        for class in &symmetry.classes {
            let range = class.first as usize..(class.first + class.size) as usize;
            let order = &mut self.order[range];
            order.sort_unstable_by_key(|&atom| (self.of[atom as usize], atom));
            let changes =
                order.windows(2).filter(|it| self.of[it[0] as usize] != self.of[it[1] as usize]);
            self.different += 1 + changes.count();
        }
    }

    /// Whether no two atoms of a class have the same colour.
    pub fn are_all_different(&self, symmetry: &StateSymmetry) -> bool {
        self.different == symmetry.atoms
    }

    fn rings_stand_out(&self, symmetry: &StateSymmetry) -> bool {
        let mut rings =
            symmetry.classes.iter().filter(|it| it.group == Group::Rotations).peekable();
        rings.peek().is_some()
            && rings.all(|class| {
                let range = class.first as usize..(class.first + class.size) as usize;
                self.cells(range).any(|cell| cell.len() == 1)
            })
    }

    /// The atoms of the same colour, one cell after the other, in some part of the order.
    pub fn cells(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = &[Atom]> {
        self.order[range].chunk_by(|&one, &other| self.of[one as usize] == self.of[other as usize])
    }
}
