//! Recursive descent: a cursor over tokens, its limits and its way of complaining.
//!
//! A production that fails has already reported why and returns [`Failed`]; the nearest list then
//! skips to a safe place and goes on. The grammar, and what to say at a token that is nothing in
//! it, is left to those who implement [`Descent`].

use crate::{Diagnostic, Diagnostics, Name, SourceMap, Span, Token, TokenKinds};
use network::cancellation;

/// A production failed and has reported it.
#[derive(Clone, Copy, Debug)]
pub struct Failed;

/// What a production yields.
pub type Parse<T> = Result<T, Failed>;

/// How high the tree of an expression may grow, whether by nesting or by long chains.
const HIGHEST: u32 = 512;

/// Where a parser stands.
pub struct Cursor<'a, T> {
    /// The texts of the tokens.
    pub sources: &'a SourceMap,
    /// What is read, closed by an `End`.
    pub tokens: Vec<T>,
    /// The index of the next token.
    pub at: usize,
    /// What is wrong.
    pub diagnostics: &'a mut Diagnostics,
    /// Height of the expression that was built last.
    pub height: u32,
    /// Whether a limit was met: what follows from skipping the rest is not worth a word.
    pub gave_up: bool,
    depth: u32,
}

impl<'a, T> Cursor<'a, T> {
    /// The start of a text.
    pub fn new(
        tokens: Vec<T>,
        sources: &'a SourceMap,
        diagnostics: &'a mut Diagnostics,
    ) -> Cursor<'a, T> {
        Cursor { sources, tokens, at: 0, diagnostics, height: 0, gave_up: false, depth: 0 }
    }
}

/// A parser that has a cursor; what it shares with others.
pub trait Descent<'a>: Sized {
    /// The kinds of tokens.
    type Kind: TokenKinds;
    /// What it reads.
    type Token: Token<Kind = Self::Kind>;
    /// How deep expressions, statements and the like may nest.
    const DEEPEST: u32;
    /// What to do about an expression that is too high.
    const SPLIT: &'static str;

    /// Where it stands.
    fn cursor(&self) -> &Cursor<'a, Self::Token>;

    /// The same, to move on.
    fn cursor_mut(&mut self) -> &mut Cursor<'a, Self::Token>;

    /// Whether a word never names anything.
    fn is_reserved(&self, word: &str) -> bool;

    /// Whether a line ends between the last token and the next.
    fn is_line_broken(&self) -> bool;

    /// Says what is wrong at the next token, unless it follows from what was said.
    fn report(&mut self, diagnostic: Diagnostic) -> Failed;

    /// Adds what to do about a missing symbol.
    fn advise(&self, _missing: Self::Kind, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic
    }

    /// The token `ahead` places further on; the `End` at and after the end.
    fn token(&self, ahead: usize) -> Self::Token {
        let cursor = self.cursor();
        cursor.tokens[(cursor.at + ahead).min(cursor.tokens.len() - 1)]
    }

    /// The kind of the next token.
    fn kind(&self) -> Self::Kind {
        self.token(0).kind()
    }

    /// The kind of the token `ahead` places further on.
    fn kind_ahead(&self, ahead: usize) -> Self::Kind {
        self.token(ahead).kind()
    }

    /// The characters of a token.
    fn text_of(&self, token: Self::Token) -> &'a str {
        self.cursor().sources.snippet(token.text())
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.token(0).span()
    }

    /// The token just taken.
    fn token_before(&self) -> Option<Self::Token> {
        let cursor = self.cursor();
        cursor.at.checked_sub(1).map(|before| cursor.tokens[before])
    }

    /// The span of the token just taken.
    fn last(&self) -> Span {
        self.token_before().map_or_else(|| self.here(), Token::span)
    }

    /// The span from a token to the one just taken.
    fn since(&self, start: usize) -> Span {
        let tokens = &self.cursor().tokens;
        tokens[start.min(tokens.len() - 1)].span().to(self.last())
    }

    /// Takes the next token.
    fn advance(&mut self) -> Self::Token {
        cancellation::check();
        let token = self.token(0);
        let cursor = self.cursor_mut();
        cursor.at += usize::from(cursor.at < cursor.tokens.len() - 1);
        token
    }

    /// Whether a token of this kind comes next.
    fn at(&self, kind: Self::Kind) -> bool {
        self.kind() == kind
    }

    /// Whether this word comes next.
    fn at_word(&self, word: &str) -> bool {
        self.word_ahead(0) == Some(word)
    }

    /// The word here; empty if there is none.
    fn word(&self) -> &'a str {
        self.word_ahead(0).unwrap_or("")
    }

    /// The word `ahead` places further on.
    fn word_ahead(&self, ahead: usize) -> Option<&'a str> {
        let token = self.token(ahead);
        (token.kind() == TokenKinds::WORD).then(|| self.text_of(token))
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: Self::Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    /// Takes the next token if it is this word.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// The token as it reads in a message.
    fn found(&self) -> String {
        match self.kind() {
            kind if kind == TokenKinds::END => "the end of the text".to_string(),
            kind if kind == TokenKinds::LINE_END => "the end of the line".to_string(),
            _ => quote(self.text_of(self.token(0))),
        }
    }

    /// Reports that something is wrong with a span.
    fn error<T>(&mut self, message: impl Into<String>, span: Span) -> Parse<T> {
        Err(self.report(Diagnostic::error(message, span)))
    }

    /// Reports that `what` was expected instead of the next token.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.error(message, self.here())
    }

    /// Takes a symbol that must come next; `after` says what it belongs to.
    fn expect(&mut self, kind: Self::Kind, after: &str) -> Parse<Span> {
        if self.at(kind) {
            return Ok(self.advance().span());
        }
        let message = format!("expected `{}` {after}, found {}", kind.spelling(), self.found());
        let diagnostic = Diagnostic::error(message, self.gap_or_here());
        Err(self.report(self.advise(kind, diagnostic)))
    }

    /// A line break before the next token means that the mistake is at the end of the last one.
    fn gap_or_here(&self) -> Span {
        match self.token_before().map(Token::span) {
            Some(last) if self.at(TokenKinds::END) || self.is_line_broken() => {
                Span { start: last.end, ..last }
            }
            _ => self.here(),
        }
    }

    /// Takes a word that may serve as a name; `what` describes it in a message.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.word_ahead(0) {
            None => self.expected(what),
            Some(word) if self.is_reserved(word) => {
                let message = format!("expected {what}, found the reserved word `{word}`");
                self.error(message, self.here())
            }
            Some(_) => Ok(self.any_word()),
        }
    }

    /// Takes the next token as a name, reserved or not.
    fn any_word(&mut self) -> Name {
        let token = self.advance();
        Name { text: self.text_of(token).to_string(), span: token.name() }
    }

    /// Runs a nested production unless nesting has become too deep.
    fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.cursor().depth >= Self::DEEPEST {
            let message = format!("this is nested more than {} levels deep", Self::DEEPEST);
            return Err(self.give_up(Diagnostic::error(message, self.here())));
        }
        self.cursor_mut().depth += 1;
        let result = production(self);
        self.cursor_mut().depth -= 1;
        result
    }

    /// Notes the height of an expression, unless it has become too high.
    fn check_height(&mut self, height: u32, span: Span) -> Parse<()> {
        self.cursor_mut().height = height;
        if height <= HIGHEST {
            return Ok(());
        }
        let message = format!("this expression has more than {HIGHEST} operators in a row");
        let span = Span { end: span.end.min(span.start + 1), ..span };
        Err(self.give_up(Diagnostic::error(message, span).hint(Self::SPLIT)))
    }

    /// Reports and skips the rest of the text: recovery would meet the same wall again.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.report(diagnostic);
        let cursor = self.cursor_mut();
        cursor.gave_up = true;
        cursor.at = cursor.tokens.len() - 1;
        Failed
    }
}

/// A token in backquotes, shortened if it is long.
pub fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}
