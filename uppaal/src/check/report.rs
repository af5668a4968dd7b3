//! The messages of the checker: each place and message once, however many processes repeat it.

use crate::ast::Span;
use crate::diagnostic::Diagnostic;
use rustc_hash::FxHashSet;

/// Diagnostics in the order found.
#[derive(Default)]
pub(crate) struct Report {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Span, String)>,
    errors: usize,
}

impl Report {
    /// Adds one, unless it is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.errors += 1;
        }
        if self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            self.list.push(diagnostic);
        }
    }

    /// How many errors were met so far, repetitions included.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The collected list.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.list
    }
}
