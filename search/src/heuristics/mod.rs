//! The heuristics.

mod blind;
mod relaxation;

pub use blind::Blind;
pub use relaxation::{Reading, Relaxation};
