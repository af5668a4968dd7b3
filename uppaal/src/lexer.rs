//! Splits a text into tokens. Words stay words: which of them are reserved depends on the place,
//! so that is left to the parser.

use crate::ast::Span;
use source::Diagnostic;

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

/// The kinds of tokens; aliases such as `=` and `:=` share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Word,
    Int,
    Double,
    Text,
    /// The end of a line, in queries only.
    Newline,
    /// Something the lexer has complained about.
    Unknown,
    End,
    Dot,
    Comma,
    Semicolon,
    Colon,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    Question,
    Apostrophe,
    Exclamation,
    Arrow,
    UncontrollableArrow,
    LeadsTo,
    Assign,
    PlusAssign,
    MinusAssign,
    TimesAssign,
    DivideAssign,
    ModuloAssign,
    OrAssign,
    AndAssign,
    XorAssign,
    ShiftLeftAssign,
    ShiftRightAssign,
    Minimum,
    Maximum,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Power,
    Bar,
    Ampersand,
    Caret,
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
    ("-u->", Kind::UncontrollableArrow),
    ("<<=", Kind::ShiftLeftAssign),
    (">>=", Kind::ShiftRightAssign),
    ("->", Kind::Arrow),
    (":=", Kind::Assign),
    ("+=", Kind::PlusAssign),
    ("-=", Kind::MinusAssign),
    ("*=", Kind::TimesAssign),
    ("/=", Kind::DivideAssign),
    ("%=", Kind::ModuloAssign),
    ("|=", Kind::OrAssign),
    ("&=", Kind::AndAssign),
    ("^=", Kind::XorAssign),
    ("<?", Kind::Minimum),
    (">?", Kind::Maximum),
    ("**", Kind::Power),
    ("<<", Kind::ShiftLeft),
    (">>", Kind::ShiftRight),
    ("||", Kind::BarBar),
    ("&&", Kind::AndAnd),
    ("<=", Kind::LessEqual),
    (">=", Kind::GreaterEqual),
    // The old spellings: nothing else may follow `=` that way.
    ("=<", Kind::LessEqual),
    ("=>", Kind::GreaterEqual),
    ("==", Kind::Equal),
    ("!=", Kind::NotEqual),
    ("++", Kind::Increment),
    ("--", Kind::Decrement),
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
    ("'", Kind::Apostrophe),
    ("!", Kind::Exclamation),
    ("=", Kind::Assign),
    ("+", Kind::Plus),
    ("-", Kind::Minus),
    ("*", Kind::Times),
    ("/", Kind::Divide),
    ("%", Kind::Modulo),
    ("|", Kind::Bar),
    ("&", Kind::Ampersand),
    ("^", Kind::Caret),
    ("<", Kind::Less),
    (">", Kind::Greater),
];

impl Kind {
    /// The usual spelling of a symbol; empty for words, numbers and texts.
    pub fn spelling(self) -> &'static str {
        let preferred = match self {
            Kind::Assign => Some("="),
            Kind::LeadsTo => Some("-->"),
            _ => None,
        };
        let listed = || SYMBOLS.iter().find(|(_, kind)| *kind == self);
        preferred.or_else(|| listed().map(|(text, _)| *text)).unwrap_or("")
    }
}

/// What the text is, as far as tokens differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Model,
    /// `-->` is a token and ends of lines count.
    Query,
}

/// The tokens of `text`, closed by an `End`, and what was wrong with it.
pub(crate) fn tokens(text: &str, fragment: u32, syntax: Syntax) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        text,
        at: 0,
        fragment,
        syntax,
        tokens: Vec::with_capacity(text.len() / 4 + 1),
        problems: Vec::new(),
    };
    while lexer.step() {}
    lexer.push(Kind::End, text.len());
    (lexer.tokens, lexer.problems)
}

/// Whether `text` has the shape of an identifier.
pub(crate) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(starts_word) && bytes.all(continues_word)
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#')
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    fragment: u32,
    syntax: Syntax,
    tokens: Vec<Token>,
    problems: Vec<Diagnostic>,
}

impl Lexer<'_> {
    /// Reads one token, blank or comment; false at the end of the text.
    fn step(&mut self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        match rest {
            [] => return false,
            [b'\n', ..] => self.newline(),
            [b' ' | b'\t' | b'\r' | 0xb | 0xc, ..] => self.at += 1,
            [b'/', b'/', ..] => self.line_comment(),
            [b'/', b'*', ..] => self.block_comment(),
            [b'\\', ..] if self.continuation().is_some() => {
                self.at = self.continuation().unwrap_or(self.text.len());
            }
            [b'"', ..] => self.quoted(),
            [first, ..] if starts_word(*first) => self.word(),
            [first, ..] if first.is_ascii_digit() => self.number(),
            _ => self.symbol(),
        }
        true
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
    }

    fn problem(&mut self, message: impl Into<String>, start: usize, end: usize) -> &mut Diagnostic {
        let span = Span { fragment: self.fragment, start: start as u32, end: end as u32 };
        self.problems.push(Diagnostic::error(message, span));
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    fn newline(&mut self) {
        self.at += 1;
        if self.syntax == Syntax::Query {
            self.push(Kind::Newline, self.at - 1);
        }
    }

    fn line_comment(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.at = self.text.len();
                self.problem("this comment is never closed", start, start + 2).hint =
                    Some("close it with `*/`".to_string());
            }
        }
    }

    /// The offset behind a backslash that ends its line.
    fn continuation(&self) -> Option<usize> {
        let rest = &self.text[self.at + 1..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        let end = self.at + 1 + blank;
        (self.text.as_bytes().get(end) == Some(&b'\n')).then_some(end + 1)
    }

    fn quoted(&mut self) {
        let start = self.at;
        let line = self.text[start + 1..].split('\n').next().unwrap_or("");
        match line.find('"') {
            Some(length) => {
                self.at = start + length + 2;
                self.push(Kind::Text, start);
            }
            None => {
                self.at = start + 1 + line.len();
                self.problem("this string is never closed", start, self.at).hint =
                    Some("close it with `\"` on the same line".to_string());
                self.push(Kind::Unknown, start);
            }
        }
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_while(continues_word);
        self.push(Kind::Word, start);
    }

    fn skip_while(&mut self, accept: fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !accept(byte)).unwrap_or(rest.len());
    }

    fn number(&mut self) {
        let start = self.at;
        let mut kind = Kind::Int;
        self.skip_while(|byte| byte.is_ascii_digit());
        if let [b'.', b'0'..=b'9', ..] = self.text.as_bytes()[self.at..] {
            kind = Kind::Double;
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if let Some(length) = self.exponent() {
            kind = Kind::Double;
            self.at += length;
        }
        let digits = self.at;
        self.skip_while(continues_word);
        if self.at > digits {
            let text = self.text[start..self.at].to_string();
            self.problem(format!("`{text}` is neither a number nor a name"), start, self.at).hint =
                Some("names begin with a letter or `_`".to_string());
            kind = Kind::Unknown;
        }
        self.push(kind, start);
    }

    /// The length of an exponent such as `e-3` here.
    fn exponent(&self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at..];
        let sign = match rest {
            [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => 2,
            [b'e' | b'E', b'0'..=b'9', ..] => 1,
            _ => return None,
        };
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        Some(sign + digits)
    }

    fn symbol(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        if self.syntax == Syntax::Query && rest.starts_with("-->") {
            self.at += 3;
            return self.push(Kind::LeadsTo, start);
        }
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

    /// Takes a run of foreign characters as one problem.
    fn unknown(&mut self) {
        let start = self.at;
        let foreign =
            |c: char| !c.is_ascii() || matches!(c, '#' | '$' | '@' | '`' | '~' | '\\' | '\u{7f}');
        let rest = &self.text[start..];
        let length = rest
            .find(|c: char| !(foreign(c) || c.is_ascii_control() && !c.is_ascii_whitespace()))
            .unwrap_or(rest.len());
        self.at += length.max(1);
        let text: String = self.text[start..self.at].chars().take(20).collect();
        self.problem(format!("`{}` has no meaning here", text.escape_debug()), start, self.at);
        self.push(Kind::Unknown, start);
    }
}
