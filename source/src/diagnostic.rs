//! Messages about a model while its text is still at hand as spans.
//!
//! They leave a front end as [`network::Diagnostic`] through [`SourceMap::diagnostic`].

use crate::{SourceMap, Span};
use network::Severity;
use rustc_hash::FxHashSet;

/// A message with the span it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A short text for the caret line.
    pub label: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whether what was read may lack declarations because of it.
    pub leaves_holes: bool,
}

impl Diagnostic {
    /// An error at a span.
    pub fn error(message: impl Into<String>, span: Span) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: None,
            hint: None,
            leaves_holes: true,
        }
    }

    /// A warning at a span.
    pub fn warning(message: impl Into<String>, span: Span) -> Self {
        let error = Diagnostic::error(message, span);
        Diagnostic { severity: Severity::Warning, leaves_holes: false, ..error }
    }

    /// The same with a text for the caret line.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same for a mistake after which every declaration is still there.
    pub fn without_holes(mut self) -> Self {
        self.leaves_holes = false;
        self
    }

    /// Whether the input is refused because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Diagnostics in the order found, each once, up to a limit that keeps hopeless input readable.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// What was said where: a body of an inline is read at every call.
    said: FxHashSet<(Span, String)>,
    left_out: usize,
}

impl Diagnostics {
    /// More errors than this tell the user nothing new.
    const LIMIT: usize = 100;

    /// Adds one, unless it was said before or there are too many already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.list.len() >= Self::LIMIT {
            self.left_out += 1;
        } else if self.said.insert((diagnostic.span, diagnostic.message.clone())) {
            self.list.push(diagnostic);
        }
    }

    /// Adds several.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// How many were added so far.
    pub fn count(&self) -> usize {
        self.list.len() + self.left_out
    }

    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    /// The collected list in the order of the text, with a last word on those left out.
    pub fn finish(mut self, sources: &SourceMap) -> Vec<Diagnostic> {
        self.list.sort_by_cached_key(|it| sources.position(it.span));
        if let (1.., Some(last)) = (self.left_out, self.list.last()) {
            let message = format!("{} more problems are not shown", self.left_out);
            self.list.push(Diagnostic::warning(message, last.span));
        }
        self.list
    }
}
