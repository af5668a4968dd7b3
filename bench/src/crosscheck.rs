//! Random source texts through the whole command in many ways, and what must not differ.
//!
//! [`Session`] goes from seed to seed. A text of either language ([`Text`]) is checked with several
//! [`Combination`]s of search, heuristic, abstraction and flags; the [judge](judge) compares the
//! answers with each other and with the naive [oracle](oracle); what does not fit is shrunk.

mod answer;
mod combination;
pub mod judge;
mod oracle;
mod session;
mod tally;
mod text;
mod vizsla;

pub use answer::{Answer, Outcome};
pub use combination::Combination;
pub use session::{Options, Session};
pub use tally::Tally;
pub use text::{Language, Text};
pub use vizsla::Vizsla;
