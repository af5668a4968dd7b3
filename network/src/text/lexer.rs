//! Cuts text into tokens.

use super::keyword;
use std::borrow::Cow;

/// A piece of text with a meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TokenKind<'a> {
    /// A name without quotes.
    Word(&'a str),
    /// A name or text in quotes, decoded.
    Quoted(Cow<'a, str>),
    /// A reserved word.
    Keyword(&'static str),
    /// A number; one too large for 64 bits becomes the largest.
    Number(u64),
    /// An operator or a punctuation mark.
    Symbol(&'static str),
    /// Something that is no token; the text says why.
    Bad(&'static str),
    /// The end of the text.
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind<'a>,
    pub start: usize,
    pub end: usize,
}

/// Longer ones first, so that the first match is the longest.
const SYMBOLS: &[&str] = &[
    "##", "**", "->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "{", "}", "(", ")", "[", "]",
    ",", ";", ":", "@", "#", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?",
];

/// All tokens of the text; the last is always [`TokenKind::End`].
pub(super) fn lex(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, position: 0 };
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next();
        let done = token.kind == TokenKind::End;
        tokens.push(token);
        if done {
            return tokens;
        }
    }
}

/// Whether the name can stand without quotes.
pub(super) fn is_plain(name: &str) -> bool {
    keyword(name).is_none() && !name.is_empty() && word_length(name) == name.len()
}

/// The length of the word that the text starts with: identifiers with dots between them.
fn word_length(text: &str) -> usize {
    let mut length = identifier_length(text);
    while length > 0 && text[length..].starts_with('.') {
        match identifier_length(&text[length + 1..]) {
            0 => break,
            more => length += 1 + more,
        }
    }
    length
}

fn identifier_length(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return 0;
    }
    length_while(text, |c| c.is_ascii_alphanumeric() || c == '_')
}

fn length_while(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn next(&mut self) -> Token<'a> {
        self.skip_blanks();
        let start = self.position;
        let kind = self.kind();
        Token { kind, start, end: self.position }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.position += length_while(self.rest(), char::is_whitespace);
            if !self.rest().starts_with("//") {
                return;
            }
            self.position += length_while(self.rest(), |c| c != '\n');
        }
    }

    fn kind(&mut self) -> TokenKind<'a> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return TokenKind::End;
        };
        if first == '"' {
            return self.quoted();
        }
        if first.is_ascii_digit() {
            return TokenKind::Number(number(
                self.take(length_while(rest, |c| c.is_ascii_digit())),
            ));
        }
        let length = word_length(rest);
        if length > 0 {
            let word = self.take(length);
            return keyword(word).map_or(TokenKind::Word(word), TokenKind::Keyword);
        }
        // Comparing the first bytes alone rules out most symbols, and most tokens are symbols.
        let possible = |symbol: &str| symbol.as_bytes()[0] == rest.as_bytes()[0];
        let found = |symbol: &&&str| possible(symbol) && rest.starts_with(**symbol);
        if let Some(symbol) = SYMBOLS.iter().find(found) {
            self.take(symbol.len());
            return TokenKind::Symbol(symbol);
        }
        self.take(first.len_utf8());
        TokenKind::Bad("this character has no meaning here")
    }

    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.position += length;
        taken
    }

    fn quoted(&mut self) -> TokenKind<'a> {
        self.take(1);
        let plain = self.take(length_while(self.rest(), |c| !matches!(c, '"' | '\\' | '\n')));
        if self.rest().starts_with('"') {
            self.take(1);
            return TokenKind::Quoted(Cow::Borrowed(plain));
        }
        let mut decoded = plain.to_string();
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                None | Some('\n') => return TokenKind::Bad("the quote is not closed on its line"),
                Some('"') => {
                    self.take(1);
                    return TokenKind::Quoted(Cow::Owned(decoded));
                }
                Some('\\') => match self.escape() {
                    Some(c) => decoded.push(c),
                    None => return TokenKind::Bad("this escape is unknown"),
                },
                Some(_) => {
                    let length = length_while(rest, |c| !matches!(c, '"' | '\\' | '\n'));
                    decoded.push_str(self.take(length));
                }
            }
        }
    }

    /// The character that an escape stands for: `\n`, `\r`, `\t`, `\"`, `\\`, `\u{..}`.
    fn escape(&mut self) -> Option<char> {
        self.take(1);
        let c = self.rest().chars().next()?;
        self.take(c.len_utf8());
        match c {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '"' | '\\' => Some(c),
            'u' => self.code_point(),
            _ => None,
        }
    }

    fn code_point(&mut self) -> Option<char> {
        let body = self.rest().strip_prefix('{')?;
        let digits = length_while(body, |c| c.is_ascii_hexdigit());
        if !body[digits..].starts_with('}') {
            return None;
        }
        let value = u32::from_str_radix(&body[..digits], 16).ok()?;
        self.take(digits + 2);
        char::from_u32(value)
    }
}

fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}
