//! Symmetry: states that differ only in the order of what is interchangeable are found under one of them
//! (docs/algorithms.md, section 2.10).
//!
//! `action` says where the words of a state go when atoms are permuted, `colours` tells atoms apart by what a state
//! says about them, `canonical` chooses the representative.

mod action;
mod canonical;
mod colours;

pub use action::StateSymmetry;
pub use canonical::Canonical;

/// How representatives are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// The same for all states that permutations make of each other. Atoms are told apart by everything that can tell
    /// them apart; permutations are tried only where that is not enough.
    #[default]
    Full,
    /// The same, if it takes no more than a number of tries.
    Quick,
    /// The least state among those whose atoms are in the order of what they look like at first sight.
    Segmented,
    /// Atoms in the order of what they look like at first sight, and otherwise as they are.
    Sorted,
}
