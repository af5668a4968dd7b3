//! Splits a text into tokens. Words stay words: which of them are reserved depends on the place,
//! so that is left to the parser.

use network::cancellation;
use source::{Diagnostic, Scanner, SourceMap, Span, meaningless, starts_word};

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

impl source::Token for Token {
    type Kind = TokenKind;
    fn kind(self) -> TokenKind {
        self.kind
    }
    fn text(self) -> Span {
        self.span
    }
}

/// The kinds of tokens; aliases such as `=` and `:=` share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TokenKind {
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

impl source::TokenKinds for TokenKind {
    const SYMBOLS: &[(&str, TokenKind)] = &[
        ("-u->", TokenKind::UncontrollableArrow),
        ("<<=", TokenKind::ShiftLeftAssign),
        (">>=", TokenKind::ShiftRightAssign),
        ("->", TokenKind::Arrow),
        ("+=", TokenKind::PlusAssign),
        ("-=", TokenKind::MinusAssign),
        ("*=", TokenKind::TimesAssign),
        ("/=", TokenKind::DivideAssign),
        ("%=", TokenKind::ModuloAssign),
        ("|=", TokenKind::OrAssign),
        ("&=", TokenKind::AndAssign),
        ("^=", TokenKind::XorAssign),
        ("<?", TokenKind::Minimum),
        (">?", TokenKind::Maximum),
        ("**", TokenKind::Power),
        ("<<", TokenKind::ShiftLeft),
        (">>", TokenKind::ShiftRight),
        ("||", TokenKind::BarBar),
        ("&&", TokenKind::AndAnd),
        ("<=", TokenKind::LessEqual),
        (">=", TokenKind::GreaterEqual),
        // The old spellings: nothing else may follow `=` that way.
        ("=<", TokenKind::LessEqual),
        ("=>", TokenKind::GreaterEqual),
        ("==", TokenKind::Equal),
        ("=", TokenKind::Assign),
        (":=", TokenKind::Assign),
        ("!=", TokenKind::NotEqual),
        ("++", TokenKind::Increment),
        ("--", TokenKind::Decrement),
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
        ("'", TokenKind::Apostrophe),
        ("!", TokenKind::Exclamation),
        ("+", TokenKind::Plus),
        ("-", TokenKind::Minus),
        ("*", TokenKind::Times),
        ("/", TokenKind::Divide),
        ("%", TokenKind::Modulo),
        ("|", TokenKind::Bar),
        ("&", TokenKind::Ampersand),
        ("^", TokenKind::Caret),
        ("<", TokenKind::Less),
        (">", TokenKind::Greater),
    ];
    const WORD: TokenKind = TokenKind::Word;
    const END: TokenKind = TokenKind::End;
    const LINE_END: TokenKind = TokenKind::Newline;
}

/// What the text is, as far as tokens differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    Model,
    /// `-->` is a token and ends of lines count.
    Query,
}

/// The tokens of a fragment, closed by an `End`, and what was wrong with it.
pub(crate) fn tokens(
    sources: &SourceMap,
    fragment: u32,
    syntax: Syntax,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let end = sources.text(fragment).len() as u32;
    tokens_in(sources, Span { end, ..Span::start_of(fragment) }, syntax)
}

/// The same for a part of a fragment.
pub(crate) fn tokens_in(
    sources: &SourceMap,
    part: Span,
    syntax: Syntax,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let text = sources.snippet(part);
    let mut lexer = Lexer {
        scanner: Scanner::new(text, part),
        syntax,
        tokens: Vec::with_capacity(text.len() / 4 + 1),
    };
    while lexer.step() {
        cancellation::check();
    }
    lexer.push(TokenKind::End, text.len());
    (lexer.tokens, lexer.scanner.problems)
}

/// Whether `text` has the shape of an identifier.
pub(crate) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(starts_word) && bytes.all(continues_word)
}

fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#')
}

struct Lexer<'a> {
    scanner: Scanner<'a>,
    syntax: Syntax,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Reads one token, blank or comment; false at the end of the text.
    fn step(&mut self) -> bool {
        match self.scanner.rest() {
            [] => return false,
            [b'\n', ..] => self.newline(),
            [b' ' | b'\t' | b'\r' | 0xb | 0xc, ..] => self.scanner.at += 1,
            [b'/', b'/', ..] => self.scanner.skip_while(|byte| byte != b'\n'),
            [b'/', b'*', ..] => self.scanner.skip_comment(),
            [b'\\', ..] => self.backslash(),
            [b'"', ..] => self.quoted(),
            [first, ..] if starts_word(*first) => self.word(),
            [first, ..] if first.is_ascii_digit() => self.number(),
            _ => self.symbol(),
        }
        true
    }

    /// The text from `start` up to here.
    fn since(&self, start: usize) -> &str {
        &self.scanner.text[start..self.scanner.at]
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.scanner.span(start, self.scanner.at);
        self.tokens.push(Token { kind, span });
    }

    /// Takes what stands from `start` up to here as a mistake.
    fn problem(&mut self, message: impl Into<String>, start: usize, hint: &str) {
        let span = self.scanner.span(start, self.scanner.at);
        self.scanner.problems.push(Diagnostic::error(message, span).hint(hint));
        self.push(TokenKind::Unknown, start);
    }

    fn newline(&mut self) {
        self.scanner.at += 1;
        if self.syntax == Syntax::Query {
            self.push(TokenKind::Newline, self.scanner.at - 1);
        }
    }

    fn backslash(&mut self) {
        match self.scanner.continuation(self.scanner.at) {
            Some(end) => self.scanner.at = end,
            None => self.symbol(),
        }
    }

    fn quoted(&mut self) {
        let start = self.scanner.at;
        self.scanner.at += 1;
        self.scanner.skip_while(|byte| !matches!(byte, b'"' | b'\n'));
        match self.scanner.rest().first() {
            Some(b'"') => {
                self.scanner.at += 1;
                self.push(TokenKind::Text, start);
            }
            _ => {
                let hint = "close it with `\"` on the same line";
                self.problem("this string is never closed", start, hint);
            }
        }
    }

    fn word(&mut self) {
        let start = self.scanner.at;
        self.scanner.skip_while(continues_word);
        self.push(TokenKind::Word, start);
    }

    fn digits(&mut self) {
        self.scanner.skip_while(|byte| byte.is_ascii_digit());
    }

    fn number(&mut self) {
        let start = self.scanner.at;
        let mut kind = TokenKind::Int;
        self.digits();
        if let [b'.', b'0'..=b'9', ..] = self.scanner.rest() {
            kind = TokenKind::Double;
            self.scanner.at += 1;
            self.digits();
        }
        if let [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] | [b'e' | b'E', b'0'..=b'9', ..] =
            self.scanner.rest()
        {
            kind = TokenKind::Double;
            self.scanner.at += 2;
            self.digits();
        }
        let end = self.scanner.at;
        self.scanner.skip_while(continues_word);
        if self.scanner.at == end {
            return self.push(kind, start);
        }
        let message = format!("`{}` is neither a number nor a name", self.since(start));
        let hint = match self.since(start).get(..2) {
            Some("0x" | "0X") => "numbers are written in decimal",
            _ => "names begin with a letter or `_`",
        };
        self.problem(message, start, hint);
    }

    fn symbol(&mut self) {
        let start = self.scanner.at;
        if self.syntax == Syntax::Query && self.scanner.rest().starts_with(b"-->") {
            self.scanner.at += 3;
            return self.push(TokenKind::LeadsTo, start);
        }
        match self.scanner.symbol() {
            Some(kind) => self.push(kind, start),
            None => self.unknown(),
        }
    }

    /// Takes a run of foreign characters as one problem.
    fn unknown(&mut self) {
        let start = self.scanner.at;
        self.scanner.skip_foreign(&['#', '@', '~', '\\']);
        let span = self.scanner.span(start, self.scanner.at);
        self.scanner.problems.push(meaningless(self.since(start), span));
        self.push(TokenKind::Unknown, start);
    }
}
