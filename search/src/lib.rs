//! Search: one best-first loop over an explorer's states, and the parts plugged into it.
//!
//! Start at [`run`] in `best_first`; [`catalog`] lists the configurations a user can name.

mod best_first;
pub mod catalog;
mod chunks;
mod limits;
mod node_store;
mod open_list;
mod open_lists;
mod outcome;
mod random;
mod shared_blocks;
mod zone_store;

pub use best_first::{Configuration, Order, run};
pub use limits::{Control, Limits, Observer, Unlimited};
pub use outcome::{Outcome, Reason, Statistics};
