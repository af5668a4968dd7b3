//! Where the parts of a state lie among those that they can be exchanged with.

use crate::cells::Cell;
use crate::permutation::Permutation;
use crate::sorts::Sorts;
use network::{Dimension, Id, Network};
use std::collections::HashMap;

/// Something interchangeable: a value or a process, numbered over all classes.
pub type Atom = u32;

/// In which ways the atoms of a class may be permuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// In every way.
    All,
    /// Round in a ring.
    Rotations,
}

/// Atoms that may be permuted among each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// The first.
    pub first: Atom,
    /// How many there are.
    pub size: u32,
    /// In which ways they may be permuted.
    pub group: Group,
    /// The names of processes that they are, or move.
    pub processes: Vec<String>,
    /// The values that they are; none if they are processes.
    pub values: Vec<i32>,
    /// The names of variables that have these values, and of what has them as indices.
    pub names: Vec<String>,
}

/// An element's place: what it has in common with those that it may be exchanged with, and the atoms that tell it
/// from them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The same for all that it may become.
    pub family: u32,
    /// What it belongs to; none if it stays where it is.
    pub atoms: Vec<Atom>,
}

/// The numbers of everything in a state that may change its place: processes, elements of variables, of clocks and
/// of channels.
#[derive(Clone, Debug)]
pub struct Elements {
    variables: Vec<u32>,
    clocks: Vec<u32>,
    channels: Vec<u32>,
    /// How many there are.
    pub count: u32,
}

/// What values of a sort mean: the atom, and the family of what they are numbers of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// Values that mean an atom.
    pub atoms: HashMap<i32, (u32, Atom)>,
    /// Whether there may be no others where states are permuted.
    pub closed: bool,
}

impl Elements {
    /// The numbers of a network's elements.
    pub fn of(network: &Network) -> Elements {
        let mut next = network.processes.len() as u32;
        let mut take = |count: usize| {
            next += count as u32;
            next - count as u32
        };
        let variables = network.variables.iter().map(|it| take(it.len())).collect();
        let clocks = network.clocks.iter().map(|it| take(it.len())).collect();
        let channels = network.channels.iter().map(|it| take(it.len())).collect();
        Elements { variables, clocks, channels, count: next }
    }

    /// The number of a process.
    pub fn process(&self, process: usize) -> u32 {
        process as u32
    }
    /// The number of an element of a variable.
    pub fn variable(&self, variable: usize, element: usize) -> u32 {
        self.variables[variable] + element as u32
    }
    /// The number of an element of a clock.
    pub fn clock(&self, clock: usize, element: usize) -> u32 {
        self.clocks[clock] + element as u32
    }
    /// The number of an element of a channel.
    pub fn channel(&self, channel: usize, element: usize) -> u32 {
        self.channels[channel] + element as u32
    }

    /// The elements of channels.
    pub fn channels(&self) -> std::ops::Range<u32> {
        self.channels.first().copied().unwrap_or(self.count)..self.count
    }
    /// The elements that have numbers which can be values: processes and channels.
    pub fn counted(&self, network: &Network) -> impl Iterator<Item = u32> + use<> {
        (0..network.processes.len() as u32).chain(self.channels())
    }

    /// What becomes of each element.
    pub fn images(&self, network: &Network, sorts: &Sorts, permutation: &Permutation) -> Vec<u32> {
        let mut images = vec![0; self.count as usize];
        for id in network.processes.ids() {
            images[id.index()] = permutation.process(id).index() as u32;
        }
        let mut array =
            |dimensions: &[Dimension], from: u32, to: u32, index: &dyn Fn(usize) -> Cell| {
                let value = |at, i| permutation.value(Some(sorts.of(index(at))), i);
                let count: u32 = dimensions.iter().map(|it| it.size).product();
                for element in 0..count {
                    let image = moved(dimensions, element as usize, value);
                    images[(from + element) as usize] = to + image as u32;
                }
            };
        let cells = &sorts.cells;
        for (id, it) in network.variables.enumerate() {
            let (from, to) = (id.index(), permutation.variable(id).index());
            let (from, to) = (self.variable(from, 0), self.variable(to, 0));
            array(&it.dimensions, from, to, &|at| cells.variable_index(id, at));
        }
        for (id, it) in network.clocks.enumerate() {
            let (from, to) = (id.index(), permutation.clock(id).index());
            let (from, to) = (self.clock(from, 0), self.clock(to, 0));
            array(&it.dimensions, from, to, &|at| cells.clock_index(id, at));
        }
        for (id, it) in network.channels.enumerate() {
            let (from, to) = (id.index(), permutation.channel(id).index());
            let (from, to) = (self.channel(from, 0), self.channel(to, 0));
            array(&it.dimensions, from, to, &|at| cells.channel_index(id, at));
        }
        images
    }
}

/// The number of an array's element after its indices have changed; they must stay within their bounds.
pub fn moved(dimensions: &[Dimension], element: usize, index: impl Fn(usize, i32) -> i32) -> usize {
    let (mut rest, mut image, mut stride) = (element, 0, 1);
    for (at, dimension) in dimensions.iter().enumerate().rev() {
        let size = (dimension.size as usize).max(1);
        image += index(at, (rest % size) as i32) as usize * stride;
        stride *= size;
        rest /= size;
    }
    image
}

/// A class that was found, and what its exchanges do to elements.
pub struct Exchanges {
    pub class: Class,
    /// What becomes of each element if the first atom and the second are exchanged, the second and the third, and so
    /// on; for rotations, if all go on by one.
    pub images: Vec<Vec<u32>>,
}

impl Exchanges {
    /// What becomes of an atom by one of the exchanges.
    fn atom(&self, exchange: usize, atom: Atom) -> Atom {
        let at = atom - self.class.first;
        self.class.first
            + match self.class.group {
                Group::Rotations => (at + 1) % self.class.size,
                Group::All if at == exchange as u32 => at + 1,
                Group::All if at == exchange as u32 + 1 => at - 1,
                Group::All => at,
            }
    }

    /// For each element, the atoms of this class that it belongs to; none if it cannot be said.
    pub fn owners(&self) -> Option<Vec<Vec<Atom>>> {
        let count = self.images.first()?.len();
        let mut owners: Vec<Option<Vec<Atom>>> = vec![None; count];
        for element in 0..count {
            if owners[element].is_none() {
                let orbit = self.orbit(element);
                self.label(&orbit, &mut owners)?;
            }
        }
        owners.into_iter().collect()
    }

    fn orbit(&self, element: usize) -> Vec<usize> {
        let mut orbit = vec![element];
        let mut next = 0;
        while let Some(&at) = orbit.get(next) {
            next += 1;
            for images in &self.images {
                let image = images[at] as usize;
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
        }
        orbit
    }

    /// Says which atoms the elements of an orbit belong to: to none, to one each, or to a pair each.
    fn label(&self, orbit: &[usize], owners: &mut [Option<Vec<Atom>>]) -> Option<()> {
        let n = self.class.size as usize;
        let arity = match orbit.len() {
            1 => 0,
            size if size == n => 1,
            size if self.class.group == Group::All && size == n * (n - 1) => 2,
            _ => return None,
        };
        // Of the first atoms only the exchanges with them move it.
        let is_first = |element: &&usize| {
            let mut later = self.images.iter().skip(arity);
            later.all(|images| images[**element] as usize == **element)
        };
        let &start = match self.class.group {
            Group::All => orbit.iter().filter(is_first).min()?,
            Group::Rotations => orbit.iter().min()?,
        };
        owners[start] = Some((0..arity as u32).map(|at| self.class.first + at).collect());
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let atoms = owners[at].clone()?;
            for (exchange, images) in self.images.iter().enumerate() {
                let image = images[at] as usize;
                let moved: Vec<Atom> = atoms.iter().map(|&it| self.atom(exchange, it)).collect();
                match &owners[image] {
                    None => {
                        owners[image] = Some(moved);
                        open.push(image);
                    }
                    Some(known) if *known == moved => {}
                    Some(_) => return None,
                }
            }
        }
        Some(())
    }
}

/// The places of all elements, if the exchanges of different classes do not get in each other's way.
pub fn positions(all: &[&Exchanges], count: usize) -> Option<Vec<Position>> {
    let owners: Vec<_> = all.iter().map(|it| it.owners()).collect::<Option<_>>()?;
    let mut positions: Vec<Position> = Vec::with_capacity(count);
    let mut families = vec![u32::MAX; count];
    for element in 0..count {
        if families[element] == u32::MAX {
            let mut open = vec![element];
            families[element] = element as u32;
            while let Some(at) = open.pop() {
                for image in all.iter().flat_map(|it| &it.images).map(|images| images[at] as usize)
                {
                    if families[image] == u32::MAX {
                        families[image] = element as u32;
                        open.push(image);
                    }
                }
            }
        }
        let atoms = owners.iter().flat_map(|owners| owners[element].clone()).collect();
        positions.push(Position { family: families[element], atoms });
    }
    let mut taken = std::collections::HashSet::new();
    let are_distinct = positions.iter().all(|it| taken.insert(it));
    let goes_along = |exchanges: &&Exchanges| {
        exchanges.images.iter().enumerate().all(|(exchange, images)| {
            images.iter().enumerate().all(|(element, &image)| {
                let class = &exchanges.class;
                let is_own = |atom: Atom| (class.first..class.first + class.size).contains(&atom);
                let moved = |&atom: &Atom| match is_own(atom) {
                    true => exchanges.atom(exchange, atom),
                    false => atom,
                };
                let atoms = &positions[element].atoms;
                atoms.iter().map(moved).eq(positions[image as usize].atoms.iter().copied())
            })
        })
    };
    (are_distinct && all.iter().all(goes_along)).then_some(positions)
}
