//! The independent interpreter: it checks traces without sharing code with the search.
//!
//! Everything here follows `docs/semantics.md` rule by rule, concretely and with exact time.
//! Start reading at [`check()`]; [`Simulator`] holds the rules themselves.
//! Networks must have passed the verifier of `network`; traces may be arbitrary.

mod atom;
mod check;
mod deadlock;
mod delay;
mod draft;
mod evaluator;
mod exchange;
mod execute;
mod explain;
mod frame;
mod moments;
mod observe;
mod offers;
mod simulator;
mod state;
mod steps;
mod take;
mod timeout;
mod words;

pub use check::{Mismatch, Replayed, check, with_changes};
pub use explain::Obstacle;
pub use simulator::{Choices, Raised, Simulator, Stop};
pub use state::{Message, State};
