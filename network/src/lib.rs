//! The intermediate representation: a network of processes that both front ends lower to.
//!
//! Start reading at [`Network`]; what a network *means* is written down in `docs/semantics.md`.
//! Everything here is plain data. The verifier (`verify`) lists the rules that data must obey.

mod arithmetic;
pub mod cancellation;
mod diagnostic;
mod expression;
mod id;
mod network;
mod process;
mod range;
mod reference;
mod span;
mod statement;
mod text;
mod trace;
mod verify;

pub use diagnostic::{Diagnostic, Place as SourcePlace, Severity};
pub use expression::*;
pub use id::*;
pub use network::*;
pub use process::*;
pub use range::range_of;
pub use reference::Reference;
pub use span::*;
pub use statement::*;
pub use text::{parse, print};
pub use trace::*;
pub use verify::{Defect, MAX_DEPTH, MAX_ELEMENTS, verify};
