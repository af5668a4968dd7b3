//! Texts, places in them, and complaints about them: what all front ends have in common.
//!
//! A [`Span`] is a range of bytes in a text of a [`SourceMap`]; only there does it become a line
//! and column of a file. A [`Scanner`] splits texts into tokens, a [`Descent`] reads those. This
//! crate knows no language.

mod decode;
mod defects;
mod descent;
mod diagnostic;
mod large_stack;
mod scanner;
mod source_map;
mod source_text;
mod span;
mod suggest;
mod token;

pub use decode::{Decoded, Encoding, decode};
pub use defects::defects;
pub use descent::{Cursor, Descent, Failed, Parse, quote};
pub use diagnostic::{Diagnostic, Diagnostics};
pub use large_stack::on_large_stack;
pub use scanner::{Scanner, meaningless, starts_word};
pub use source_map::{Piece, SourceMap};
pub use span::{Name, Span};
pub use suggest::nearest;
pub use token::{Token, TokenKinds};
