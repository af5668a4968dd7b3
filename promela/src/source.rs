//! The texts of a model and the way back from a [`Span`] to a line and column of a file.
//!
//! Every file is kept once, however often it is included. Text that stands in no file (what `#`
//! and `##` make) is kept apart and never shown: such tokens are reported where the macro is used.

use crate::ast::Span;
use crate::diagnostic::Diagnostic;
use network::{SourcePlace, SourceText};

/// All files that spans may point into.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceText>,
    /// Text made by macros, addressed by spans of the file [`SourceMap::MADE`].
    made: String,
}

impl SourceMap {
    /// The number of the file that stands for text made by macros.
    pub(crate) const MADE: u32 = u32::MAX;

    /// Adds a file and returns its number.
    pub fn add_file(&mut self, path: &str, text: String) -> u32 {
        self.files.push(SourceText::new(path, text));
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
