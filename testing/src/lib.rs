//! What the tests of all crates share, and the comparisons of `bench`; nothing here ships.
//!
//! [`random`] makes small networks from seeds, [`texts`] Promela programs and UPPAAL models;
//! [`discrete`] is a naive explorer that serves as an oracle. Everything random comes from
//! [`Numbers`], so that a seed that a test prints means the same on every machine.

mod bounds;
mod busy;
pub mod discrete;
pub mod header;
mod numbers;
mod patience;
pub mod random;
pub mod texts;

pub use busy::Busy;
pub use numbers::Numbers;
pub use patience::Patience;
