//! The intermediate representation: a network of processes that both front ends lower to.
//!
//! Start reading at [`Network`]; what a network *means* is written down in `docs/semantics.md`.
//! Everything here is plain data. The verifier (`verify`) lists the rules that data must obey.

mod diagnostic;
mod expression;
mod id;
mod network;
mod process;
mod span;
mod statement;
mod trace;

pub use diagnostic::{Diagnostic, Place as SourcePlace, Severity};
pub use expression::*;
pub use id::*;
pub use network::*;
pub use process::*;
pub use span::*;
pub use statement::*;
pub use trace::*;
