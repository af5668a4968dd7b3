//! Where something stands in the texts that were read.

/// A range of bytes within one text fragment of a [`crate::SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Index of the fragment in the source map.
    pub fragment: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The start of a fragment, for what concerns all of it.
    pub fn start_of(fragment: u32) -> Span {
        Span { fragment, start: 0, end: 0 }
    }

    /// The smallest span that covers both; the first one if they lie in different fragments.
    pub fn to(self, last: Span) -> Span {
        if self.fragment != last.fragment {
            return self;
        }
        Span { start: self.start.min(last.start), end: self.end.max(last.end), ..self }
    }

    /// Whether the other begins inside this one or at its end.
    pub fn holds(self, other: Span) -> bool {
        self.fragment == other.fragment && (self.start..=self.end).contains(&other.start)
    }
}

/// An identifier where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The identifier itself.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}
