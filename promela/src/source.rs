//! The texts of a model and the way back from a [`Span`] to a line and column of a file.
//!
//! Every file is kept once, however often it is included. Text that stands in no file (what `#`
//! and `##` make) is kept apart and never shown: such tokens are reported where the macro is used.

use crate::ast::Span;
use crate::diagnostic::Diagnostic;
use network::SourcePlace;

/// All files that spans may point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<File>,
    /// Text made by macros, addressed by spans of the file [`SourceMap::MADE`].
    made: String,
}

/// A file of decoded text.
#[derive(Clone, Debug)]
struct File {
    path: String,
    text: String,
    /// Byte offsets at which lines start; the first is 0.
    lines: Vec<u32>,
}

impl SourceMap {
    /// Lines longer than this are not repeated in a place.
    const LONGEST_LINE: usize = 1000;

    /// The number of the file that stands for text made by macros.
    pub(crate) const MADE: u32 = u32::MAX;

    /// Adds a file and returns its number.
    pub fn add_file(&mut self, path: &str, text: String) -> u32 {
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1))
            .collect();
        self.files.push(File { path: path.to_string(), text, lines });
        self.files.len() as u32 - 1
    }

    /// Keeps a text that stands in no file.
    pub(crate) fn make(&mut self, text: &str) -> Span {
        let start = self.made.len() as u32;
        self.made.push_str(text);
        Span { file: Self::MADE, start, end: self.made.len() as u32 }
    }

    /// The text of a file.
    pub fn text(&self, file: u32) -> &str {
        match self.files.get(file as usize) {
            Some(it) => &it.text,
            None if file == Self::MADE => &self.made,
            None => "",
        }
    }

    /// The text under a span.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The path of the file a span lies in.
    pub fn path(&self, span: Span) -> Option<&str> {
        self.files.get(span.file as usize).map(|file| file.path.as_str())
    }

    /// The paths of all files, in the order of their numbers.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }

    /// The line of a span's first byte, from 1.
    pub(crate) fn line(&self, span: Span) -> usize {
        self.files.get(span.file as usize).map_or(0, |file| file.line_and_column(span.start).0 + 1)
    }

    /// The path, lines and columns of a span.
    pub fn resolve(&self, span: Span) -> Option<SourcePlace> {
        let file = self.files.get(span.file as usize)?;
        let (line, column) = file.line_and_column(span.start);
        let (end_line, end_column) = file.line_and_column(span.end);
        Some(SourcePlace {
            path: file.path.clone(),
            line: line as u32 + 1,
            column,
            end_line: end_line as u32 + 1,
            end_column,
            source_line: file.line_text(line).to_string(),
            within: None,
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

impl File {
    /// The line from 0 and the column from 1 of a byte offset.
    fn line_and_column(&self, at: u32) -> (usize, u32) {
        let mut at = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        let line = self.lines.partition_point(|&start| start as usize <= at) - 1;
        let start = self.lines[line] as usize;
        (line, self.text[start..at].chars().count() as u32 + 1)
    }

    fn line_text(&self, line: usize) -> &str {
        let start = self.lines[line] as usize;
        let end = match self.lines.get(line + 1) {
            Some(&next) => next as usize - 1,
            None => self.text.len(),
        };
        let text = self.text[start..end].trim_end_matches('\r');
        if text.len() > SourceMap::LONGEST_LINE { "" } else { text }
    }
}
