//! Splits the text of one file into tokens, before preprocessing.
//!
//! What has no meaning becomes an `Unknown` token without complaint: it may stand in a group that
//! `#if` leaves out. Only a comment that never ends is reported here.

use crate::ast::Span;
use source::Diagnostic;

/// A token, where its characters stand and where it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    /// First on its line, where a continued line counts as one: a `#` here begins a directive.
    pub starts_line: bool,
    /// Behind a line break and a blank, even within a comment or a continued line: a `;` may be
    /// implied before it, because that is where the C preprocessor breaks the line.
    pub newline: bool,
    /// Behind a blank.
    pub spaced: bool,
    /// Made by a macro.
    pub expanded: bool,
    /// The name of a macro that must not be expanded again.
    pub painted: bool,
    /// Its characters.
    pub text: Span,
    /// Where it is reported: the use of a macro, or the place in the body of an inline.
    pub span: Span,
    /// The same, but for an argument of an inline the place at the call.
    pub name: Span,
}

/// The kinds of tokens. Words stay words: which are reserved is left to the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Word,
    /// Begins with a digit.
    Int,
    Text,
    Char,
    /// Something without meaning.
    Unknown,
    End,
    /// A `;` that a line break stands for.
    Implied,
    Hash,
    HashHash,
    Backslash,
    Dot,
    DotDot,
    Ellipsis,
    Comma,
    Semicolon,
    Colon,
    ColonColon,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    Question,
    Questions,
    Exclamation,
    Exclamations,
    At,
    Arrow,
    Assign,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Bar,
    Ampersand,
    Caret,
    Tilde,
    ShiftLeft,
    ShiftRight,
    BarBar,
    AndAnd,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    Equal,
    NotEqual,
    Increment,
    Decrement,
}

/// Longer spellings first: the first match wins.
const SYMBOLS: &[(&str, Kind)] = &[
    ("...", Kind::Ellipsis),
    ("##", Kind::HashHash),
    ("..", Kind::DotDot),
    ("::", Kind::ColonColon),
    ("??", Kind::Questions),
    ("!!", Kind::Exclamations),
    ("->", Kind::Arrow),
    ("<<", Kind::ShiftLeft),
    (">>", Kind::ShiftRight),
    ("||", Kind::BarBar),
    ("&&", Kind::AndAnd),
    ("<=", Kind::LessEqual),
    (">=", Kind::GreaterEqual),
    ("==", Kind::Equal),
    ("!=", Kind::NotEqual),
    ("++", Kind::Increment),
    ("--", Kind::Decrement),
    ("#", Kind::Hash),
    ("\\", Kind::Backslash),
    (".", Kind::Dot),
    (",", Kind::Comma),
    (";", Kind::Semicolon),
    (":", Kind::Colon),
    ("{", Kind::OpenBrace),
    ("}", Kind::CloseBrace),
    ("[", Kind::OpenBracket),
    ("]", Kind::CloseBracket),
    ("(", Kind::OpenParen),
    (")", Kind::CloseParen),
    ("?", Kind::Question),
    ("!", Kind::Exclamation),
    ("@", Kind::At),
    ("=", Kind::Assign),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("*", Kind::Times),
    ("/", Kind::Divide),
    ("%", Kind::Modulo),
    ("|", Kind::Bar),
    ("&", Kind::Ampersand),
    ("^", Kind::Caret),
    ("~", Kind::Tilde),
    ("<", Kind::Less),
    (">", Kind::Greater),
];

impl Kind {
    /// The spelling of a symbol; empty for words, numbers and texts.
    pub fn spelling(self) -> &'static str {
        SYMBOLS.iter().find(|(_, kind)| *kind == self).map_or("", |(text, _)| *text)
    }
}

/// The tokens of `text` without an end mark, and what was wrong with it.
pub(crate) fn tokens(text: &str, file: u32) -> (Vec<Token>, Vec<Diagnostic>) {
    tokens_from(text, file, 0)
}

/// The tokens of `text`, which stands at `offset` of its file.
pub(crate) fn tokens_from(text: &str, file: u32, offset: u32) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        text,
        at: 0,
        file,
        offset,
        starts_line: true,
        line_broken: true,
        spaced: true,
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        problems: Vec::new(),
    };
    while lexer.step() {}
    (lexer.tokens, lexer.problems)
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    file: u32,
    offset: u32,
    starts_line: bool,
    /// A line was broken since the last token that was put on a new line.
    line_broken: bool,
    spaced: bool,
    tokens: Vec<Token>,
    problems: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads one token, blank or comment; false at the end of the text.
    fn step(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        match rest {
            [] => return false,
            [b'\n', ..] => self.line_break(),
            [b' ' | b'\t' | b'\r' | 0xb | 0xc, ..] => self.blank(1),
            [b'/', b'/', ..] => self.line_comment(),
            [b'/', b'*', ..] => self.block_comment(),
            [b'\\', ..] if self.continuation(self.at).is_some() => {
                self.at = self.continuation(self.at).unwrap_or(self.text.len());
                self.line_broken = true;
            }
            [b'"', ..] => self.quoted(b'"', Kind::Text),
            [b'\'', ..] => self.quoted(b'\'', Kind::Char),
            [first, ..] if starts_word(*first) => self.word(Kind::Word),
            [first, ..] if first.is_ascii_digit() => self.word(Kind::Int),
            _ => self.symbol(),
        }
        true
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let at = |at: usize| self.offset + at as u32;
        Span { fragment: self.file, start: at(start), end: at(end) }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start, self.at);
        let newline = self.starts_line || self.line_broken && self.spaced;
        self.tokens.push(Token {
            kind,
            starts_line: self.starts_line,
            newline,
            spaced: self.spaced,
            expanded: false,
            painted: false,
            text: span,
            span,
            name: span,
        });
        self.starts_line = false;
        self.line_broken &= !newline;
        self.spaced = false;
    }

    fn blank(&mut self, length: usize) {
        self.at += length;
        self.spaced = true;
    }

    fn line_break(&mut self) {
        self.blank(1);
        self.starts_line = true;
    }

    /// Up to the end of the line, or of the last line that continues it.
    fn line_comment(&mut self) {
        self.spaced = true;
        loop {
            let rest = &self.text[self.at..];
            match rest.find(['\n', '\\']) {
                None => self.at = self.text.len(),
                Some(length) if rest.as_bytes()[length] == b'\n' => self.at += length,
                Some(length) => {
                    let backslash = self.at + length;
                    self.line_broken |= self.continuation(backslash).is_some();
                    self.at = self.continuation(backslash).unwrap_or(backslash + 1);
                    continue;
                }
            }
            return;
        }
    }

    fn block_comment(&mut self) {
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
        self.line_broken |= self.text[start..self.at].contains('\n');
        self.spaced = true;
    }

    /// The offset behind a backslash at `at` that ends its line.
    fn continuation(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let end = at + 1 + blank;
        (self.text.as_bytes().get(end) == Some(&b'\n')).then_some(end + 1)
    }

    /// A text or character up to its closing quote on the same line; else one unknown quote.
    fn quoted(&mut self, quote: u8, kind: Kind) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' => at += 1,
                _ if byte == quote => {
                    self.at = at + 1;
                    return self.push(kind, start);
                }
                _ => {}
            }
            at += 1;
        }
        self.at = start + 1;
        self.push(Kind::Unknown, start);
    }

    fn word(&mut self, kind: Kind) {
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(|&byte| !continues_word(byte)).unwrap_or(rest.len());
        self.push(kind, start);
    }

    fn symbol(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let first = rest.as_bytes()[0];
        // Most entries already differ in the first byte, which is cheaper to compare.
        let matches = |text: &str| text.as_bytes()[0] == first && rest.starts_with(text);
        match SYMBOLS.iter().find(|(text, _)| matches(text)) {
            Some((text, kind)) => {
                self.at += text.len();
                self.push(*kind, start);
            }
            None => self.unknown(),
        }
    }

    /// Takes a run of foreign characters as one token.
    fn unknown(&mut self) {
        let start = self.at;
        let foreign = |c: char| {
            !c.is_ascii()
                || matches!(c, '$' | '`' | '\u{7f}')
                || c.is_ascii_control() && !c.is_ascii_whitespace()
        };
        let rest = &self.text[start..];
        self.at += rest.find(|c: char| !foreign(c)).unwrap_or(rest.len()).max(1);
        self.push(Kind::Unknown, start);
    }
}
