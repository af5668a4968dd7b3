//! Where something stands in the user's own files.

use crate::SourceId;

/// A range of text in a source file; lines and columns count from 1, the end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// First line.
    pub line: u32,
    /// First column, in characters.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

impl Span {
    /// The span of something that stands in no file.
    pub const NONE: Span =
        Span { source: SourceId(u32::MAX), line: 0, column: 0, end_line: 0, end_column: 0 };

    /// Whether the span points nowhere.
    pub fn is_none(self) -> bool {
        self.line == 0
    }
}

/// A file that a network came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The path as the user gave it.
    pub path: String,
}
