//! Arrays whose elements can be kept one by one.
//!
//! Where all indices of a dimension are constants, the elements are as good as variables of their own. Nothing
//! but names changes: elements come in the order in which they lie in the array, so the states of the result
//! have the same words as those of the network, and values that stand for channels mean the same ones.

use network::{
    Arena, Base, Channel, ChannelRef, Clock, ClockRef, Dimension, Expr, Id, Network, Place,
    Priority, Reference, Storage, Variable, element_name,
};

/// An array with more elements stays one part: selections look at parts one by one.
const MOST_ELEMENTS: usize = 64;

/// Splits arrays as far as their indices are constants.
pub fn split(network: &mut Network) {
    let mut arrays = Arrays::of(network);
    network.visit_references(&mut |reference| arrays.note(reference));
    arrays.number();
    network.visit_references(&mut |reference| arrays.rename(reference));
    for process in network.processes.iter_mut() {
        if let Priority::Variable(id) = &mut process.priority {
            *id = Id::new(arrays.variables[id.index()].first);
        }
    }
    network.variables = pieces(&arrays.variables, &network.variables, variable);
    network.clocks = pieces(&arrays.clocks, &network.clocks, clock);
    network.channels = pieces(&arrays.channels, &network.channels, channel);
}

/// What is declared, and how far it is split.
struct Arrays {
    variables: Vec<Array>,
    clocks: Vec<Array>,
    channels: Vec<Array>,
}

struct Array {
    dimensions: Vec<Dimension>,
    /// How many of the dimensions, from the first on, have constants as indices everywhere.
    split: usize,
    /// The number of its first piece in the result.
    first: usize,
}

impl Arrays {
    fn of(network: &Network) -> Arrays {
        let variable = |it: &Variable| match it.storage {
            Storage::State | Storage::Meta => Array::new(&it.dimensions),
            Storage::Constant => Array { split: 0, ..Array::new(&it.dimensions) },
        };
        Arrays {
            variables: network.variables.iter().map(variable).collect(),
            clocks: network.clocks.iter().map(|it| Array::new(&it.dimensions)).collect(),
            channels: network.channels.iter().map(|it| Array::new(&it.dimensions)).collect(),
        }
    }

    /// Takes note of the indices of something.
    fn note(&mut self, reference: Reference) {
        match reference {
            Reference::Place(Place { base: Base::Variable(id), indices }) => {
                self.variables[id.index()].note(indices);
            }
            Reference::Clock(ClockRef { clock, indices }) => {
                self.clocks[clock.index()].note(indices);
            }
            Reference::Channel(ChannelRef::Element(id, indices)) => {
                self.channels[id.index()].note(indices);
            }
            // Locals, and channels that are values.
            Reference::Place(_) | Reference::Channel(_) => {}
        }
    }

    /// Numbers the pieces of all arrays.
    fn number(&mut self) {
        for arrays in [&mut self.variables, &mut self.clocks, &mut self.channels] {
            let mut next = 0;
            for array in arrays {
                array.first = next;
                next += array.pieces();
            }
        }
    }

    /// Puts the piece that is meant in the place of its array.
    fn rename(&self, reference: Reference) {
        match reference {
            Reference::Place(Place { base: Base::Variable(id), indices }) => {
                *id = Id::new(self.variables[id.index()].take(indices));
            }
            Reference::Clock(ClockRef { clock, indices }) => {
                *clock = Id::new(self.clocks[clock.index()].take(indices));
            }
            Reference::Channel(ChannelRef::Element(id, indices)) => {
                *id = Id::new(self.channels[id.index()].take(indices));
            }
            Reference::Place(_) | Reference::Channel(_) => {}
        }
    }
}

impl Array {
    /// Split as far as there is no index that says otherwise.
    fn new(dimensions: &[Dimension]) -> Array {
        let dimensions = dimensions.to_vec();
        let mut array = Array { split: dimensions.len(), dimensions, first: 0 };
        while array.pieces() > MOST_ELEMENTS {
            array.split -= 1;
        }
        array
    }

    fn pieces(&self) -> usize {
        self.dimensions[..self.split].iter().map(|it| it.size as usize).product()
    }

    fn note(&mut self, indices: &[Expr]) {
        let is_known = |(index, dimension): &(&Expr, &Dimension)| {
            let size = i64::from(dimension.size);
            matches!(index, Expr::Const(value) if (0..size).contains(&i64::from(*value)))
        };
        let known = indices.iter().zip(&self.dimensions).take_while(is_known).count();
        self.split = self.split.min(known);
    }

    /// The number of the piece that indices mean; those within it are left.
    fn take(&self, indices: &mut Vec<Expr>) -> usize {
        let mut at = 0;
        for (index, dimension) in indices.drain(..self.split).zip(&self.dimensions) {
            let Expr::Const(value) = index else { unreachable!("all of them are constants") };
            at = at * dimension.size as usize + value as usize;
        }
        self.first + at
    }

    /// The name and the dimensions of a piece.
    fn piece(&self, name: &str, piece: usize) -> (String, Vec<Dimension>) {
        let (outer, inner) = self.dimensions.split_at(self.split);
        (element_name(name, outer, piece), inner.to_vec())
    }

    /// What belongs to a piece of what belongs to the elements.
    fn of_piece(&self, elements: &[i32], piece: usize) -> Vec<i32> {
        let size = elements.len() / self.pieces();
        elements[piece * size..][..size].to_vec()
    }
}

/// All pieces of all arrays, in order.
fn pieces<I: Id, T>(
    arrays: &[Array],
    whole: &Arena<I, T>,
    piece: impl Fn(&Array, &T, usize) -> T,
) -> Arena<I, T> {
    let pieces = arrays.iter().zip(whole.iter());
    let piece = &piece;
    pieces
        .flat_map(|(array, it)| (0..array.pieces()).map(move |number| piece(array, it, number)))
        .collect()
}

fn variable(array: &Array, whole: &Variable, piece: usize) -> Variable {
    let (name, dimensions) = array.piece(&whole.name, piece);
    let initial = array.of_piece(&whole.initial, piece);
    Variable { name, dimensions, initial, ..whole.clone() }
}

fn clock(array: &Array, whole: &Clock, piece: usize) -> Clock {
    let (name, dimensions) = array.piece(&whole.name, piece);
    let initial = array.of_piece(&whole.initial, piece);
    Clock { name, dimensions, initial, ..whole.clone() }
}

fn channel(array: &Array, whole: &Channel, piece: usize) -> Channel {
    let (name, dimensions) = array.piece(&whole.name, piece);
    let priorities = array.of_piece(&whole.priorities, piece);
    Channel { name, dimensions, priorities, ..whole.clone() }
}
