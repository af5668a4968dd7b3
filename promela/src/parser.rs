//! The recursive-descent parser: its cursor, its limits and its way of complaining.
//!
//! The grammar is that of Spin 6.5. A production that fails has already reported why and returns
//! [`Failed`]; the nearest sequence, option or unit then skips to a safe place and goes on.

mod channels;
mod declarations;
mod expressions;
mod formulas;
mod inlines;
mod queries;
mod statements;
mod units;

pub(crate) use queries::parse_query;
use source::{Diagnostic, Diagnostics, SourceMap};

use crate::ast::{Model, Name, Reference, Span};
use crate::lexer::{Kind, Token};
use inlines::Inline;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A production failed and has reported it.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// How deep expressions and statements may nest.
const DEEPEST: u32 = 200;

/// How high the tree of an expression may grow, whether by nesting or by long chains.
const HIGHEST: u32 = 512;

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

/// A cursor over tokens.
struct Parser<'a> {
    sources: &'a SourceMap,
    tokens: Rc<[Token]>,
    at: usize,
    syntax: Syntax,
    diagnostics: &'a mut Diagnostics,
    depth: u32,
    /// Height of the expression that was built last.
    height: u32,
    /// Whether a limit was met: what follows from skipping the rest is not worth a word.
    gave_up: bool,
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

impl<'a> Parser<'a> {
    fn new(
        tokens: Vec<Token>,
        sources: &'a SourceMap,
        syntax: Syntax,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Parser {
            sources,
            tokens: tokens.into(),
            at: 0,
            syntax,
            diagnostics,
            depth: 0,
            height: 0,
            gave_up: false,
            typedefs: FxHashSet::default(),
            proctypes: FxHashSet::default(),
            inlines: FxHashMap::default(),
            calls: vec![],
            inlined: 0,
            colon_ends: false,
            in_trace: false,
        }
    }

    /// The token `ahead` places further on; the `End` at and behind the end.
    fn token(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    fn kind(&self) -> Kind {
        self.token(0).kind
    }

    fn kind_ahead(&self, ahead: usize) -> Kind {
        self.token(ahead).kind
    }

    fn text_of(&self, token: Token) -> &'a str {
        self.sources.snippet(token.text)
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.token(0).span
    }

    /// The span from a token to the one just taken.
    fn since(&self, start: usize) -> Span {
        let first = self.tokens[start.min(self.tokens.len() - 1)].span;
        first.to(self.last())
    }

    /// The span of the token just taken.
    fn last(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.tokens[before].span,
            None => self.here(),
        }
    }

    fn advance(&mut self) -> Token {
        let token = self.token(0);
        if self.at < self.tokens.len() - 1 {
            self.at += 1;
        }
        token
    }

    fn at(&self, kind: Kind) -> bool {
        self.kind() == kind
    }

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
        (token.kind == Kind::Word).then(|| self.text_of(token))
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

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
            Kind::End => "the end of the text".to_string(),
            Kind::Implied => "the end of the line".to_string(),
            _ => quote(self.text_of(self.token(0))),
        }
    }

    fn report(&mut self, mut diagnostic: Diagnostic) -> Failed {
        if self.gave_up {
            return Failed;
        }
        let token = self.token(0);
        if token.kind == Kind::Unknown {
            return self.report_unknown(token);
        }
        if token.expanded && token.span == diagnostic.span && diagnostic.label.is_none() {
            diagnostic = diagnostic.label("in what this macro stands for");
        }
        self.diagnostics.push(diagnostic);
        Failed
    }

    /// Something without meaning is a mistake of its own, whatever was expected instead.
    fn report_unknown(&mut self, token: Token) -> Failed {
        let text = self.text_of(token);
        let diagnostic = match text {
            "\"" => Diagnostic::error("this string is never closed", token.span)
                .hint("close it with `\"` on the same line"),
            "'" => Diagnostic::error("this character has no closing quote", token.span),
            _ => {
                let text: String = text.chars().take(20).collect();
                let message = format!("`{}` has no meaning here", text.escape_debug());
                Diagnostic::error(message, token.span)
            }
        };
        self.diagnostics.push(diagnostic);
        Failed
    }

    fn error<T>(&mut self, message: impl Into<String>, span: Span) -> Parse<T> {
        Err(self.report(Diagnostic::error(message, span)))
    }

    /// Reports something that does not keep the parser from going on.
    fn remark(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(message, span));
    }

    /// Reports that `what` was expected instead of the next token.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.error(message, self.here())
    }

    /// Takes a symbol that must come next; `after` says what it belongs to.
    fn expect(&mut self, kind: Kind, after: &str) -> Parse<Span> {
        if self.at(kind) {
            return Ok(self.advance().span);
        }
        let symbol = kind.spelling();
        let message = format!("expected `{symbol}` {after}, found {}", self.found());
        self.error(message, self.gap_or_here())
    }

    fn expect_word(&mut self, word: &str, after: &str) -> Parse<Span> {
        if self.at_word(word) {
            return Ok(self.advance().span);
        }
        let message = format!("expected `{word}` {after}, found {}", self.found());
        self.error(message, self.gap_or_here())
    }

    /// A line break before the next token means that the mistake is at the end of the last one.
    fn gap_or_here(&self) -> Span {
        let (last, token) = (self.last(), self.token(0));
        if self.at > 0 && (token.newline || token.kind == Kind::End) {
            return Span { start: last.end, ..last };
        }
        token.span
    }

    /// Takes a word that may serve as a name; `what` describes it in a message.
    fn name(&mut self, what: &str) -> Parse<Name> {
        let Some(word) = self.word_ahead(0) else {
            return self.expected(what);
        };
        if is_reserved(word) {
            let message = format!("expected {what}, found the reserved word `{word}`");
            return self.error(message, self.here());
        }
        let token = self.advance();
        Ok(Name { text: word.to_string(), span: token.name })
    }

    /// The word `ahead` places further on, if it may serve as a name.
    fn name_ahead(&self, ahead: usize) -> Option<&'a str> {
        self.word_ahead(ahead).filter(|word| !is_reserved(word))
    }

    /// Runs a nested production unless nesting has become too deep.
    fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            let message = format!("this is nested more than {DEEPEST} levels deep");
            let span = self.here();
            return Err(self.give_up(Diagnostic::error(message, span)));
        }
        self.depth += 1;
        let result = production(self);
        self.depth -= 1;
        result
    }

    /// Reports and skips the rest of the text: recovery would meet the same wall again.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.report(diagnostic);
        self.gave_up = true;
        self.at = self.tokens.len() - 1;
        Failed
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

    /// Skips `{ ... }` if it comes next, possibly behind `[ ... ]`.
    fn skip_braces(&mut self) {
        if self.at(Kind::OpenBracket) {
            self.skip_pair(Kind::OpenBracket, Kind::CloseBracket);
        }
        if self.at(Kind::OpenBrace) {
            self.skip_pair(Kind::OpenBrace, Kind::CloseBrace);
        }
    }

    fn skip_pair(&mut self, open: Kind, close: Kind) {
        let mut depth = 0;
        while !self.at(Kind::End) {
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
                    self.kind_ahead(ahead) == Kind::OpenBrace
                }
                _ => false,
            }
    }
}

/// A token in backquotes, shortened if it is long.
fn quote(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}
