//! The recursive-descent parser, with the grammar of Spin 6.5.
//!
//! After a mistake the nearest sequence, option or unit skips to a safe place and goes on.

mod channels;
mod declarations;
mod expressions;
mod formulas;
mod inlines;
mod queries;
mod statements;
mod units;
mod wording;

pub(crate) use queries::parse_query;

use crate::ast::{Model, Reference, Span};
use crate::lexer::{Token, TokenKind};
use inlines::Inline;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{
    Cursor, Descent, Diagnostic, Diagnostics, Failed, Parse, SourceMap, meaningless, nearest,
};
use std::rc::Rc;

/// Words that never name anything, sorted.
const RESERVED: &[&str] = &[
    "D_proctype",
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Whether a word never names anything.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// What is being parsed, as far as the grammar differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Model,
    /// Operators of temporal logic count, and `:` is always a remote reference.
    Ltl,
    /// `and`, `or`, `not` and `imply` are operators, and `:` is always a remote reference.
    Query,
}

/// A cursor over tokens, and what was declared so far.
struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    syntax: Syntax,
    typedefs: FxHashSet<&'a str>,
    proctypes: FxHashSet<&'a str>,
    inlines: FxHashMap<&'a str, Rc<Inline>>,
    /// The inlines that are being opened, the innermost last, and what their calls assign to.
    calls: Vec<(&'a str, Option<Reference>)>,
    /// How many tokens were made by opening inlines.
    inlined: usize,
    /// Whether a `:` after a name ends the first branch of a conditional expression.
    colon_ends: bool,
    /// Within `trace` or `notrace`.
    in_trace: bool,
}

/// Parses the preprocessed tokens of a model, which an `End` closes.
pub(crate) fn parse_model(
    tokens: Vec<Token>,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Model {
    Parser::new(tokens, sources, Syntax::Model, diagnostics).model()
}

impl<'a> Descent<'a> for Parser<'a> {
    type Kind = TokenKind;
    type Token = Token;
    const DEEPEST: u32 = 200;
    const SPLIT: &'static str = "split it with parentheses or variables";

    fn cursor(&self) -> &Cursor<'a, Token> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, Token> {
        &mut self.cursor
    }

    fn is_reserved(&self, word: &str) -> bool {
        is_reserved(word)
    }

    fn advise(&self, _missing: TokenKind, diagnostic: Diagnostic) -> Diagnostic {
        match self.kind() {
            TokenKind::Assign => diagnostic.hint("to compare, write `==`"),
            _ => diagnostic,
        }
    }

    fn is_line_broken(&self) -> bool {
        self.token(0).newline
    }

    fn report(&mut self, mut diagnostic: Diagnostic) -> Failed {
        if self.cursor.gave_up {
            return Failed;
        }
        let token = self.token(0);
        if token.kind == TokenKind::Unknown {
            return self.report_unknown(token);
        }
        if token.expanded && token.span == diagnostic.span && diagnostic.label.is_none() {
            diagnostic = diagnostic.label("in the expansion of this macro");
        }
        self.cursor.diagnostics.push(diagnostic);
        Failed
    }
}

impl<'a> Parser<'a> {
    fn new(
        tokens: Vec<Token>,
        sources: &'a SourceMap,
        syntax: Syntax,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Parser {
            cursor: Cursor::new(tokens, sources, diagnostics),
            syntax,
            typedefs: FxHashSet::default(),
            proctypes: FxHashSet::default(),
            inlines: FxHashMap::default(),
            calls: vec![],
            inlined: 0,
            colon_ends: false,
            in_trace: false,
        }
    }

    /// Something without meaning is a mistake of its own, whatever was expected instead.
    fn report_unknown(&mut self, token: Token) -> Failed {
        let text = self.text_of(token);
        let diagnostic = match text {
            "\"" => Diagnostic::error("this string is never closed", token.span)
                .hint("close it with `\"` on the same line"),
            "'" => Diagnostic::error("this character has no closing quote", token.span),
            _ => meaningless(text, token.span),
        };
        self.cursor.diagnostics.push(diagnostic);
        Failed
    }

    /// Reports something that does not keep the parser from going on.
    fn remark(&mut self, message: impl Into<String>, span: Span) {
        self.cursor.diagnostics.push(Diagnostic::error(message, span));
    }

    fn expect_word(&mut self, word: &str, after: &str) -> Parse<Span> {
        if self.at_word(word) {
            return Ok(self.advance().span);
        }
        let message = format!("expected `{word}` {after}, found {}", self.found());
        self.error(message, self.gap_or_here())
    }

    /// A hint at the type, the inline or the word among `words` that may have been meant.
    fn alike(&self, word: &str, words: &[&str]) -> Option<String> {
        let types = declarations::TYPES.iter().chain(words).copied();
        let declared = self.typedefs.iter().copied().chain(self.inlines.keys().copied());
        let meant = nearest(word, types.chain(declared))?;
        (meant != word).then(|| format!("did you mean `{meant}`?"))
    }

    /// Whether a token of this kind was just taken.
    fn follows(&self, kind: TokenKind) -> bool {
        self.token_before().is_some_and(|last| last.kind == kind)
    }

    /// The word `ahead` places further on, if it may serve as a name.
    fn name_ahead(&self, ahead: usize) -> Option<&'a str> {
        self.word_ahead(ahead).filter(|word| !is_reserved(word))
    }

    /// Refuses embedded C.
    fn embedded_c<T>(&mut self) -> Parse<T> {
        let message = format!("embedded C (`{}`) is not supported", self.word());
        let diagnostic = Diagnostic::error(message, self.here());
        self.report(diagnostic.hint("express it in Promela, or use Spin for this model"));
        self.advance();
        self.skip_braces();
        Err(Failed)
    }

    /// Skips `{ ... }` if it comes next, possibly after `[ ... ]`.
    fn skip_braces(&mut self) {
        if self.at(TokenKind::OpenBracket) {
            self.skip_pair(TokenKind::OpenBracket, TokenKind::CloseBracket);
        }
        if self.at(TokenKind::OpenBrace) {
            self.skip_pair(TokenKind::OpenBrace, TokenKind::CloseBrace);
        }
    }

    fn skip_pair(&mut self, open: TokenKind, close: TokenKind) {
        let mut depth = 0;
        while !self.at(TokenKind::End) {
            let kind = self.advance().kind;
            depth += i32::from(kind == open) - i32::from(kind == close);
            if depth <= 0 {
                return;
            }
        }
    }

    /// Whether a word here begins a unit, seen from within a body whose `}` may be missing.
    fn starts_unit(&self) -> bool {
        let token = self.token(0);
        token.newline
            && match self.word() {
                "proctype" | "D_proctype" | "active" | "typedef" | "inline" => true,
                "c_decl" | "c_state" | "c_track" => true,
                "init" | "never" | "ltl" | "trace" | "notrace" => {
                    let ahead = 1 + usize::from(self.name_ahead(1).is_some());
                    self.kind_ahead(ahead) == TokenKind::OpenBrace
                }
                _ => false,
            }
    }
}
