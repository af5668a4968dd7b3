//! Passes over a network that make its state space smaller without changing any verdict.
//!
//! Start reading at [`reduce`]; [`Reduced::expand`] turns a trace of the result into one of the
//! original. Both passes rest on `survey`, which says what belongs to which process.

mod chain;
mod choice;
mod clear;
mod flow;
mod goal;
mod matrix;
mod merge;
mod reduced;
mod survey;
mod traffic;

pub use reduced::{Passes, Reduced, dead_variables, reduce};
