//! What the lexers of all languages do alike on their way through a text.

use crate::{Diagnostic, Span, TokenKinds};

/// A place in a text, and the complaints so far.
pub struct Scanner<'a> {
    /// The whole text.
    pub text: &'a str,
    /// What comes next.
    pub at: usize,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
    start: Span,
}

impl<'a> Scanner<'a> {
    /// The start of a text, which stands in its fragment from `start` on.
    pub fn new(text: &'a str, start: Span) -> Self {
        Scanner { text, at: 0, problems: vec![], start }
    }

    /// What is left.
    pub fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The span of a range of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let at = |at: usize| self.start.start + at as u32;
        Span { fragment: self.start.fragment, start: at(start), end: at(end) }
    }

    /// Skips bytes of a kind.
    pub fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        let rest = self.rest();
        self.at += rest.iter().position(|&byte| !accept(byte)).unwrap_or(rest.len());
    }

    /// Skips `/* ... */`; one without an end is a problem.
    pub fn skip_comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.at = self.text.len();
                let span = self.span(start, start + 2);
                let problem = Diagnostic::error("this comment is never closed", span);
                self.problems.push(problem.hint("close it with `*/`"));
            }
        }
    }

    /// The offset after a backslash at `at` that ends its line.
    pub fn continuation(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let end = at + 1 + blank;
        (self.text.as_bytes().get(end) == Some(&b'\n')).then_some(end + 1)
    }

    /// Takes a symbol, if one comes next.
    pub fn symbol<K: TokenKinds>(&mut self) -> Option<K> {
        let (text, kind) = K::symbol(&self.text[self.at..])?;
        self.at += text.len();
        Some(kind)
    }

    /// Skips a run of characters without meaning, at least one: those of no language, and `more`.
    pub fn skip_foreign(&mut self, more: &[char]) {
        let foreign = |c: char| {
            !c.is_ascii()
                || matches!(c, '$' | '`' | '\u{7f}')
                || more.contains(&c)
                || c.is_ascii_control() && !c.is_ascii_whitespace()
        };
        let rest = &self.text[self.at..];
        self.at += rest.find(|c: char| !foreign(c)).unwrap_or(rest.len()).max(1);
    }
}

/// Whether names may begin with a byte.
pub fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// The complaint about characters without meaning.
pub fn meaningless(text: &str, span: Span) -> Diagnostic {
    let shown: String = text.chars().take(20).collect();
    let message = format!("`{}` has no meaning here", shown.escape_debug());
    let hint = text.chars().next().and_then(plain).map(|plain| format!("write `{plain}`"));
    Diagnostic { hint, ..Diagnostic::error(message, span) }
}

/// What is meant by a character that editors and formulas on paper use.
fn plain(character: char) -> Option<&'static str> {
    Some(match character {
        '≤' | '⩽' => "<=",
        '≥' | '⩾' => ">=",
        '≠' => "!=",
        '∧' => "&&",
        '∨' => "||",
        '¬' => "!",
        '–' | '—' | '−' => "-",
        '×' | '·' => "*",
        '“' | '”' | '„' => "\"",
        '‘' | '’' => "'",
        _ => return None,
    })
}
