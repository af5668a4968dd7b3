//! Which parts of a network are interchangeable: processes made alike, and the values that they are known by
//! (docs/algorithms.md, section 2.10).
//!
//! `sorts` finds the values that are only assigned, compared for equality and used as indices; `candidates` makes
//! permutations of such values, and of processes, that may change nothing; `image` tells whether they do: it writes
//! down a part of the network as it is after a permutation. What changes nothing is put together in `find`;
//! start reading at [`find`].

mod candidates;
mod cells;
mod code;
mod find;
mod image;
mod order;
mod permutation;
mod position;
mod sorts;

pub use find::{Obstacle, Settled, Symmetry, find};
pub use position::{Atom, Class, Elements, Group, Position, Values};
