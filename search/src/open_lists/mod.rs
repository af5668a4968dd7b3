//! The open lists.

mod fifo;
mod lifo;
mod ordered;
mod random_lifo;

pub use fifo::Fifo;
pub use lifo::Lifo;
pub use ordered::Ordered;
pub use random_lifo::RandomLifo;
