//! The texts of a model and the way back from a [`Span`] to a line and column of a file.
//!
//! A *file* is decoded text with its line starts, kept once, however often it is included. A
//! *fragment* is a text that was read: a whole file, or the content of one XML element with
//! entities and CDATA resolved. Such a fragment keeps a sorted list of pieces that map its bytes
//! to the file, so [`SourceMap::resolve`] takes logarithmic time and is exact even after `&lt;`.
//! Text that stands in no file (what `#` and `##` of macros make) is kept apart and never shown.

use crate::source_text::SourceText;
use crate::{Decoded, Diagnostic, Diagnostics, Span};
use network::SourcePlace;

/// All files and fragments that spans may point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceText>,
    fragments: Vec<Fragment>,
    /// Text that stands in no file, addressed by spans of the fragment [`SourceMap::MADE`].
    made: String,
}

/// A text that was parsed on its own.
#[derive(Clone, Debug)]
struct Fragment {
    file: usize,
    /// None for the whole file.
    text: Option<String>,
    /// Sorted: bytes from `at` on stand at `file_at` and after, one for one. A whole file has none.
    pieces: Vec<Piece>,
    within: Option<String>,
}

/// A run of fragment bytes that stand unchanged in the file, or the character of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset in the fragment.
    pub at: u32,
    /// Offset in the file.
    pub file_at: u32,
    /// Offset in the file after it.
    pub file_end: u32,
}

impl SourceMap {
    /// The number that stands for text of no file.
    const MADE: u32 = u32::MAX;

    /// Adds a file and a fragment for all of it, and returns the fragment.
    pub fn add_file(&mut self, path: &str, text: String) -> u32 {
        self.files.push(SourceText::new(path, text));
        self.add(Fragment { file: self.files.len() - 1, text: None, pieces: vec![], within: None })
    }

    /// Adds a file that could be decoded, with the remark on it, or reports why it could not.
    pub fn add_decoded(
        &mut self,
        path: &str,
        decoded: Result<Decoded, String>,
        diagnostics: &mut Diagnostics,
    ) -> Option<u32> {
        match decoded {
            Ok(Decoded { text, remark }) => {
                let file = self.add_file(path, text);
                let span = Span::start_of(file);
                diagnostics.extend(remark.map(|it| Diagnostic::warning(it, span)));
                Some(file)
            }
            Err(reason) => {
                let span = Span::start_of(self.add_file(path, String::new()));
                diagnostics.push(Diagnostic::error(reason, span));
                None
            }
        }
    }

    /// Adds the text of one element of the file that `whole` stands for, and returns its fragment.
    pub fn add_fragment(
        &mut self,
        whole: u32,
        text: String,
        pieces: Vec<Piece>,
        within: Option<String>,
    ) -> u32 {
        let file = self.fragments[whole as usize].file;
        self.add(Fragment { file, text: Some(text), pieces, within })
    }

    fn add(&mut self, fragment: Fragment) -> u32 {
        self.fragments.push(fragment);
        self.fragments.len() as u32 - 1
    }

    /// Keeps a text that stands in no file.
    pub fn make(&mut self, text: &str) -> Span {
        let start = self.made.len() as u32;
        self.made.push_str(text);
        Span { fragment: Self::MADE, start, end: self.made.len() as u32 }
    }

    /// The text of a fragment.
    pub fn text(&self, fragment: u32) -> &str {
        match self.fragments.get(fragment as usize) {
            Some(Fragment { text: Some(text), .. }) => text,
            Some(it) => &self.files[it.file].text,
            None if fragment == Self::MADE => &self.made,
            None => "",
        }
    }

    /// The text under a span.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.fragment).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn fragment(&self, span: Span) -> Option<&Fragment> {
        self.fragments.get(span.fragment as usize)
    }

    /// The path of the file a span lies in.
    pub fn path(&self, span: Span) -> Option<&str> {
        self.fragment(span).map(|it| self.files[it.file].path.as_str())
    }

    /// The paths of all files, in the order in which they were added.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }

    /// The number of the file that a span lies in and the offset of its first byte there.
    pub(crate) fn position(&self, span: Span) -> Option<(usize, u32)> {
        self.fragment(span).map(|it| (it.file, it.file_offset(span.start)))
    }

    /// The line of a span's first byte, from 1.
    pub fn line(&self, span: Span) -> usize {
        let found = self.position(span);
        found.map_or(0, |(file, at)| self.files[file].line_and_column(at).0 + 1)
    }

    /// The path, lines, columns and surroundings of a span.
    pub fn resolve(&self, span: Span) -> Option<SourcePlace> {
        let fragment = self.fragment(span)?;
        let file = &self.files[fragment.file];
        let (line, column) = file.line_and_column(fragment.file_offset(span.start));
        let (end_line, end_column) = file.line_and_column(fragment.file_end(span));
        Some(SourcePlace {
            path: file.path.clone(),
            line: line as u32 + 1,
            column,
            end_line: end_line as u32 + 1,
            end_column,
            source_line: file.line_text(line).to_string(),
            within: fragment.within.clone(),
        })
    }

    /// The diagnostic with its span turned into a place.
    pub fn diagnostic(&self, diagnostic: &Diagnostic) -> network::Diagnostic {
        network::Diagnostic {
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            place: self.resolve(diagnostic.span),
            label: diagnostic.label.clone(),
            hint: diagnostic.hint.clone(),
        }
    }
}

impl Fragment {
    fn file_offset(&self, at: u32) -> u32 {
        match self.piece_of(at) {
            Some(piece) => (piece.file_at + (at - piece.at)).min(piece.file_end),
            None => at,
        }
    }

    /// The end of a span belongs to its last byte: the next piece may start far behind.
    fn file_end(&self, span: Span) -> u32 {
        if span.end <= span.start {
            return self.file_offset(span.start);
        }
        match self.piece_of(span.end - 1) {
            // All of an entity, though it is one character here.
            Some(piece) if self.ends_piece(span.end) => piece.file_end,
            _ => self.file_offset(span.end - 1) + 1,
        }
    }

    fn piece_of(&self, at: u32) -> Option<Piece> {
        let after = self.pieces.partition_point(|piece| piece.at <= at);
        Some(self.pieces[after.checked_sub(1)?])
    }

    fn ends_piece(&self, at: u32) -> bool {
        self.pieces.binary_search_by_key(&at, |piece| piece.at).is_ok()
    }
}
