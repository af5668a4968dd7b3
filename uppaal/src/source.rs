//! The texts of a model and the way back from a [`Span`] to a line and column of a file.
//!
//! A *file* is decoded text with its line starts. A *fragment* is a text the parser read: a whole
//! file, or the content of one XML element with entities and CDATA resolved. Every fragment keeps
//! a sorted list of pieces that map its bytes to the file, so [`SourceMap::resolve`] takes
//! logarithmic time and is exact even behind `&lt;`.

use crate::ast::Span;
use crate::diagnostic::Diagnostic;
use network::{SourcePlace, SourceText};

/// All files and fragments that spans may point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceText>,
    fragments: Vec<Fragment>,
}

/// A text that was parsed on its own.
#[derive(Clone, Debug)]
struct Fragment {
    file: usize,
    text: Text,
    /// Sorted: bytes from `at` on stand at `file_at` and behind, one for one.
    pieces: Vec<Piece>,
    within: Option<String>,
}

#[derive(Clone, Debug)]
enum Text {
    WholeFile,
    Own(String),
}

/// A run of fragment bytes that stand unchanged in the file, or the character of one entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset in the fragment.
    pub at: u32,
    /// Offset in the file.
    pub file_at: u32,
    /// Offset in the file behind it.
    pub file_end: u32,
}

impl SourceMap {
    /// Adds a file and a fragment for all of it, and returns the fragment.
    pub fn add_file(&mut self, path: &str, text: String) -> u32 {
        self.files.push(SourceText::new(path, text));
        self.fragments.push(Fragment {
            file: self.files.len() - 1,
            text: Text::WholeFile,
            pieces: vec![Piece { at: 0, file_at: 0, file_end: u32::MAX }],
            within: None,
        });
        self.fragments.len() as u32 - 1
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
        self.fragments.push(Fragment { file, text: Text::Own(text), pieces, within });
        self.fragments.len() as u32 - 1
    }

    /// The text of a fragment.
    pub fn text(&self, fragment: u32) -> &str {
        match self.fragments.get(fragment as usize) {
            Some(it) => match &it.text {
                Text::WholeFile => &self.files[it.file].text,
                Text::Own(text) => text,
            },
            None => "",
        }
    }

    /// The text under a span.
    pub fn snippet(&self, span: Span) -> &str {
        let range = span.start as usize..span.end as usize;
        self.text(span.fragment).get(range).unwrap_or("")
    }

    /// The path of the file a span lies in.
    pub fn path(&self, span: Span) -> Option<&str> {
        let fragment = self.fragments.get(span.fragment as usize)?;
        Some(&self.files[fragment.file].path)
    }

    /// The path, lines, columns and surroundings of a span.
    pub fn resolve(&self, span: Span) -> Option<SourcePlace> {
        let fragment = self.fragments.get(span.fragment as usize)?;
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
            None => 0,
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
        let behind = self.pieces.partition_point(|piece| piece.at <= at);
        Some(self.pieces[behind.checked_sub(1)?])
    }

    fn ends_piece(&self, at: u32) -> bool {
        self.pieces.binary_search_by_key(&at, |piece| piece.at).is_ok()
    }
}
