//! Random Promela programs, and how to make one smaller.

mod generate;
mod program;
mod shrink;
mod weights;

pub use generate::generate;
pub use program::Program;
pub use shrink::shrink;
pub use weights::Weights;
