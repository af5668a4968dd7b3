//! Executable semantics: a `Network` becomes an [`Explorer`] that computes states and successors,
//! and a path of steps becomes a trace with concrete delays.

mod behaviour;
mod bounds;
mod buffer;
mod candidates;
mod concretize;
mod condition;
mod diagonal;
mod edge;
mod enabled;
mod explorer;
mod fire;
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
mod step;
mod steps;
mod successors;
mod urgency;

pub use behaviour::Behaviour;
pub use concretize::{End, NoTrace};
pub use explorer::{Abstraction, CompileError, Explorer, Traits};
pub use layout::{Buffer, Home, Layout};
pub use questions::Questions;
pub use step::{EdgeNumber, ElementNumber, Path, Raised, Step};
pub use steps::Steps;
pub use successors::{Prune, Visit, Workspace};
