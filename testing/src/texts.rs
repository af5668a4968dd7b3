//! Random Promela programs and UPPAAL models, and how to make one smaller.

mod cut;
mod generate;
mod parts;
mod program;
mod shrink;
pub mod uppaal;
mod weights;

pub use cut::{Cut, Cuttable, shrink};
pub use generate::generate;
pub use program::Program;
pub use weights::Weights;
