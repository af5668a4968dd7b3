//! What the tools for measurements and comparisons share with tests elsewhere.

pub mod random;
