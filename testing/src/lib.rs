//! What the tests of all crates share, and the comparisons of `bench`; nothing here ships.
//!
//! [`random`] makes small networks from seeds, [`texts`] Promela programs and UPPAAL models;
//! [`discrete`] is a naive explorer that serves as an oracle. Everything random comes from
//! [`Numbers`], so that a seed that a test prints means the same on every machine. No test depends on
//! how busy the machine is: searches end by their work ([`Patience`]), and what must not take long is
//! measured by what it computes ([`Busy`]).

mod bounds;
mod busy;
pub mod discrete;
mod files;
pub mod header;
mod numbers;
mod others;
pub mod random;
mod setting;
mod state_limit;
pub mod symmetric;
pub mod texts;

pub use busy::Busy;
pub use files::{files_below, golden, golden_models};
pub use numbers::Numbers;
pub use others::models_of_others;
pub use setting::setting;
pub use state_limit::StateLimit;
