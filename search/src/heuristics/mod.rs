//! The heuristics.

mod blind;

pub use blind::Blind;
