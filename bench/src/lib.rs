//! What the tools for measurements and comparisons share with tests elsewhere.

pub mod command;
pub mod crosscheck;
