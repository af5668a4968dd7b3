//! What is known about a network before it is explored: what its parts touch, what may fail, and what a
//! goal says once negations stand at its atoms.
//!
//! Reductions, the explorer's compiler and heuristics share these; `replay` stays apart on purpose.

mod dead;
mod form;
mod goal;
mod risk;
mod touch;

pub use dead::DeadVariables;
pub use form::Form;
pub use goal::{goal, wants_deadlocks, without_deadlock};
pub use risk::Risk;
pub use touch::{Elements, Touch, Touches, element};
