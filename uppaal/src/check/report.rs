//! The messages of the checker: each place and message once, however many processes repeat it.

use crate::ast::Span;
use rustc_hash::FxHashSet;
use source::Diagnostic;

/// Diagnostics in the order found.
#[derive(Default)]
pub(crate) struct Report {
    list: Vec<Diagnostic>,
    seen: FxHashSet<(Span, String)>,
    errors: usize,
    left_out: usize,
    error_left_out: bool,
}

impl Report {
    /// More than this tells the user nothing new.
    pub const LIMIT: usize = 200;

    /// Adds one, unless it is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.errors += 1;
        }
        if !self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            return;
        }
        if self.is_full() {
            self.left_out += 1;
            self.error_left_out |= diagnostic.is_error();
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Adds several.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|it| self.push(it));
    }

    /// Whether further messages are only counted.
    pub fn is_full(&self) -> bool {
        self.list.len() >= Self::LIMIT
    }

    /// How many errors were met so far, repetitions included.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The collected list, with a last word on those left out.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        if let (1.., Some(last)) = (self.left_out, self.list.last()) {
            let message = format!("{} more problems are not shown", self.left_out);
            self.list.push(match self.error_left_out {
                true => Diagnostic::error(message, last.span),
                false => Diagnostic::warning(message, last.span),
            });
        }
        self.list
    }
}
