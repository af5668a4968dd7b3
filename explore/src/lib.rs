//! Executable semantics: a `Network` becomes an [`Explorer`] that computes states and successors,
//! and a path of steps becomes a trace with concrete delays.

mod activity;
mod bounds;
mod buffer;
mod concretize;
mod condition;
mod diagonal;
mod edge;
mod explorer;
mod goal;
mod layout;
mod linear;
mod longer_steps;
mod machine;
mod observer;
mod packing;
mod program;
mod questions;
mod schedule;
mod steps;

pub use concretize::{End, NoTrace};
pub use explorer::{Abstraction, CompileError, Explorer, Raised, Traits, Visit, Workspace};
pub use layout::{Buffer, Home, Layout};
pub use questions::Questions;
