//! The open lists.

mod fifo;
mod lifo;
mod random_lifo;

pub use fifo::Fifo;
pub use lifo::Lifo;
pub use random_lifo::RandomLifo;
