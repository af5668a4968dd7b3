//! Splits the text of one file into tokens, before preprocessing.
//!
//! What has no meaning becomes an `Unknown` token without complaint: it may stand in a group that
//! `#if` leaves out. Only a comment that never ends is reported here.

use crate::ast::Span;
use network::cancellation;
use source::{Diagnostic, Scanner, starts_word};

/// A token, where its characters stand and where it is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
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
pub(crate) enum TokenKind {
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

impl source::TokenKinds for TokenKind {
    const SYMBOLS: &[(&str, TokenKind)] = &[
        ("...", TokenKind::Ellipsis),
        ("-->", TokenKind::Arrow),
        ("##", TokenKind::HashHash),
        ("..", TokenKind::DotDot),
        ("::", TokenKind::ColonColon),
        ("??", TokenKind::Questions),
        ("!!", TokenKind::Exclamations),
        ("->", TokenKind::Arrow),
        ("<<", TokenKind::ShiftLeft),
        (">>", TokenKind::ShiftRight),
        ("||", TokenKind::BarBar),
        ("&&", TokenKind::AndAnd),
        ("<=", TokenKind::LessEqual),
        (">=", TokenKind::GreaterEqual),
        ("==", TokenKind::Equal),
        ("!=", TokenKind::NotEqual),
        ("++", TokenKind::Increment),
        ("--", TokenKind::Decrement),
        ("#", TokenKind::Hash),
        ("\\", TokenKind::Backslash),
        (".", TokenKind::Dot),
        (",", TokenKind::Comma),
        (";", TokenKind::Semicolon),
        (":", TokenKind::Colon),
        ("{", TokenKind::OpenBrace),
        ("}", TokenKind::CloseBrace),
        ("[", TokenKind::OpenBracket),
        ("]", TokenKind::CloseBracket),
        ("(", TokenKind::OpenParen),
        (")", TokenKind::CloseParen),
        ("?", TokenKind::Question),
        ("!", TokenKind::Exclamation),
        ("@", TokenKind::At),
        ("=", TokenKind::Assign),
        ("+", TokenKind::Plus),
        ("-", TokenKind::Minus),
        ("*", TokenKind::Times),
        ("/", TokenKind::Divide),
        ("%", TokenKind::Modulo),
        ("|", TokenKind::Bar),
        ("&", TokenKind::Ampersand),
        ("^", TokenKind::Caret),
        ("~", TokenKind::Tilde),
        ("<", TokenKind::Less),
        (">", TokenKind::Greater),
    ];
    const WORD: TokenKind = TokenKind::Word;
    const END: TokenKind = TokenKind::End;
    const LINE_END: TokenKind = TokenKind::Implied;
}

impl source::Token for Token {
    type Kind = TokenKind;
    fn kind(self) -> TokenKind {
        self.kind
    }
    fn text(self) -> Span {
        self.text
    }
    fn span(self) -> Span {
        self.span
    }
    fn name(self) -> Span {
        self.name
    }
}

/// The tokens of `text`, which stands in its fragment from `start` on, without an end mark, and
/// what was wrong with it.
pub(crate) fn tokens(text: &str, start: Span) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        scanner: Scanner::new(text, start),
        starts_line: true,
        line_broken: true,
        spaced: true,
        tokens: Vec::with_capacity(text.len() / 4 + 1),
    };
    while lexer.step() {
        cancellation::check();
    }
    (lexer.tokens, lexer.scanner.problems)
}

struct Lexer<'a> {
    scanner: Scanner<'a>,
    starts_line: bool,
    /// A line was broken since the last token that was put on a new line.
    line_broken: bool,
    spaced: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Reads one token, blank or comment; false at the end of the text.
    fn step(&mut self) -> bool {
        match self.scanner.rest() {
            [] => return false,
            [b'\n', ..] => self.line_break(),
            [b' ' | b'\t' | b'\r' | 0xb | 0xc, ..] => self.blank(1),
            [b'/', b'/', ..] => self.line_comment(),
            [b'/', b'*', ..] => self.block_comment(),
            [b'*', b'/', rest @ ..] if !matches!(rest, [b'/' | b'*', ..]) => self.stray_end(),
            [b'\\', ..] => self.backslash(),
            [b'"', ..] => self.quoted(b'"', TokenKind::Text),
            [b'\'', ..] => self.quoted(b'\'', TokenKind::Char),
            [first, ..] if starts_word(*first) => self.word(TokenKind::Word),
            [first, ..] if first.is_ascii_digit() => self.word(TokenKind::Int),
            _ => self.symbol(),
        }
        true
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.scanner.span(start, self.scanner.at);
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
        self.scanner.at += length;
        self.spaced = true;
    }

    fn backslash(&mut self) {
        match self.scanner.continuation(self.scanner.at) {
            None => self.symbol(),
            Some(end) => {
                self.scanner.at = end;
                self.line_broken = true;
            }
        }
    }

    fn line_break(&mut self) {
        self.blank(1);
        self.starts_line = true;
    }

    /// Up to the end of the line, or of the last line that continues it.
    fn line_comment(&mut self) {
        self.spaced = true;
        let Scanner { text, .. } = self.scanner;
        let mut at = self.scanner.at;
        while let Some(length) = text[at..].find(['\n', '\\']) {
            at += length;
            if text.as_bytes()[at] == b'\n' {
                self.scanner.at = at;
                return;
            }
            let continued = self.scanner.continuation(at);
            self.line_broken |= continued.is_some();
            at = continued.unwrap_or(at + 1);
        }
        self.scanner.at = text.len();
    }

    fn block_comment(&mut self) {
        let start = self.scanner.at;
        self.scanner.skip_comment();
        self.line_broken |= self.scanner.text[start..self.scanner.at].contains('\n');
        self.spaced = true;
    }

    /// `*/` outside a comment, which means nothing to Spin.
    fn stray_end(&mut self) {
        let at = self.scanner.at;
        let span = self.scanner.span(at, at + 2);
        self.scanner.problems.push(Diagnostic::warning("this `*/` ends no comment", span));
        self.blank(2);
    }

    /// A text or character up to its closing quote on the same line; else one unknown quote.
    fn quoted(&mut self, quote: u8, kind: TokenKind) {
        let start = self.scanner.at;
        let bytes = self.scanner.text.as_bytes();
        let mut at = start + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\n' => break,
                b'\\' => at += 1,
                _ if byte == quote => {
                    self.scanner.at = at + 1;
                    return self.push(kind, start);
                }
                _ => {}
            }
            at += 1;
        }
        self.scanner.at = start + 1;
        self.push(TokenKind::Unknown, start);
    }

    fn word(&mut self, kind: TokenKind) {
        let start = self.scanner.at;
        self.scanner.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.push(kind, start);
    }

    fn symbol(&mut self) {
        let start = self.scanner.at;
        let kind = self.scanner.symbol().unwrap_or(TokenKind::Unknown);
        if kind == TokenKind::Unknown {
            self.scanner.skip_foreign(&[]);
        }
        self.push(kind, start);
    }
}
