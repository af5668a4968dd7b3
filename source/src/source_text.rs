//! A text file with its lines and columns, for front ends that report places in it.

/// The decoded text of a file; finding a place takes logarithmic time, also in long lines.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    /// The path as the user gave it.
    pub path: String,
    /// The text.
    pub text: String,
    /// Byte offsets at which lines start; the first is 0.
    lines: Vec<u32>,
    /// The number of characters before every [`SourceText::STRIDE`] bytes.
    characters: Vec<u32>,
}

impl SourceText {
    const STRIDE: usize = 256;
    /// Lines longer than this are not repeated in a place.
    const LONGEST_LINE: usize = 1000;

    /// The text of a file.
    pub fn new(path: &str, text: String) -> SourceText {
        let starts = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        let mut characters = vec![0];
        for stride in text.as_bytes().chunks(Self::STRIDE) {
            characters.push(characters[characters.len() - 1] + characters_in(stride));
        }
        SourceText { path: path.to_string(), text, lines, characters }
    }

    /// The number of characters before a byte offset.
    fn characters_before(&self, at: usize) -> u32 {
        let stride = at / Self::STRIDE;
        let rest = &self.text.as_bytes()[stride * Self::STRIDE..at];
        self.characters[stride] + characters_in(rest)
    }

    /// The line from 0 and the column from 1 of a byte offset.
    pub fn line_and_column(&self, at: u32) -> (usize, u32) {
        let mut at = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        let line = self.lines.partition_point(|&start| start as usize <= at) - 1;
        let start = self.lines[line] as usize;
        (line, self.characters_before(at) - self.characters_before(start) + 1)
    }

    /// The text of a line from 0; nothing if it is too long to be shown.
    pub fn line_text(&self, line: usize) -> &str {
        let start = self.lines[line] as usize;
        let end = match self.lines.get(line + 1) {
            Some(&next) => next as usize - 1,
            None => self.text.len(),
        };
        let text = self.text[start..end].trim_end_matches('\r');
        if text.len() > Self::LONGEST_LINE { "" } else { text }
    }
}

/// The number of characters that begin in a piece of UTF-8.
fn characters_in(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count() as u32
}
