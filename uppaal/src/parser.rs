//! The recursive-descent parser: its cursor, its limits and its way of complaining.
//!
//! Old and new syntax are one grammar here: wherever the two do not contradict each other, both
//! are accepted without a flag. A production that fails has already reported why and returns
//! [`Failed`]; the nearest list then skips to a safe place and goes on.

mod declarations;
mod expressions;
mod processes;
mod queries;
mod statements;
mod system;
mod types;

pub(crate) use declarations::Scope;
pub(crate) use processes::empty_edge;
pub(crate) use queries::{parse_formula, parse_query_file};
use source::{Diagnostic, Diagnostics};

use crate::ast::{Model, Name, Span, Template};
use crate::lexer::{self, Kind, Syntax, Token};

/// A production failed and has reported it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

pub(crate) type Parse<T> = Result<T, Failed>;

/// How deep expressions, statements, types and initialisers may nest.
const DEEPEST: u32 = 256;

/// How high the tree of an expression may grow, whether by nesting or by long chains.
const HIGHEST: u32 = 512;

/// Words that never name anything in a model.
const RESERVED: &[&str] = &[
    "and",
    "assert",
    "assign",
    "bool",
    "broadcast",
    "chan",
    "clock",
    "commit",
    "const",
    "do",
    "else",
    "exists",
    "false",
    "for",
    "forall",
    "guard",
    "if",
    "imply",
    "init",
    "int",
    "meta",
    "not",
    "or",
    "process",
    "return",
    "scalar",
    "state",
    "struct",
    "sum",
    "sync",
    "system",
    "trans",
    "true",
    "typedef",
    "urgent",
    "void",
    "while",
];

/// Words that never name anything in a query.
const RESERVED_IN_QUERIES: &[&str] = &[
    "and", "deadlock", "exists", "false", "forall", "imply", "int", "not", "or", "scalar", "sum",
    "true",
];

/// A cursor over the tokens of one fragment.
pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    fragment: u32,
    syntax: Syntax,
    diagnostics: &'a mut Diagnostics,
    depth: u32,
    /// Height of the expression that was built last.
    height: u32,
    /// Whether a limit was met: what follows from skipping the rest is not worth a word.
    gave_up: bool,
    /// Whether syntax was seen that only UPPAAL 3 knows.
    pub(crate) old: bool,
}

/// Runs `production` over a fragment of a model; it must use up all of it.
///
/// `what` describes the whole, as in "the end of the guard".
pub(crate) fn parse_fragment<T>(
    text: &str,
    fragment: u32,
    what: &str,
    diagnostics: &mut Diagnostics,
    production: impl FnOnce(&mut Parser) -> Parse<T>,
) -> Option<T> {
    let (tokens, problems) = lexer::tokens(text, fragment, Syntax::Model);
    diagnostics.extend(problems);
    let mut parser = Parser::new(text, &tokens, fragment, Syntax::Model, diagnostics);
    let result = production(&mut parser).ok()?;
    parser.end_of(what).ok()?;
    Some(result)
}

/// Parses a whole `.xta` or `.ta` file; `old` says that only UPPAAL 3 writes such files.
pub(crate) fn parse_textual_model(
    text: &str,
    fragment: u32,
    old: bool,
    diagnostics: &mut Diagnostics,
) -> Model {
    let (tokens, problems) = lexer::tokens(text, fragment, Syntax::Model);
    diagnostics.extend(problems);
    let mut parser = Parser::new(text, &tokens, fragment, Syntax::Model, diagnostics);
    parser.old = old;
    let mut model = parser.model();
    if parser.old {
        pass_by_reference(&mut model.templates);
    }
    model
}

/// In old syntax every process parameter that is not constant is a reference.
pub(crate) fn pass_by_reference(templates: &mut [Template]) {
    for parameter in templates.iter_mut().flat_map(|it| &mut it.parameters) {
        parameter.by_reference |= !parameter.ty.prefix.constant;
    }
}

impl<'a> Parser<'a> {
    fn new(
        text: &'a str,
        tokens: &'a [Token],
        fragment: u32,
        syntax: Syntax,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Parser {
            text,
            tokens,
            at: 0,
            fragment,
            syntax,
            diagnostics,
            depth: 0,
            height: 0,
            gave_up: false,
            old: false,
        }
    }

    /// Whether there is nothing but blanks and comments.
    pub(crate) fn is_empty(&self) -> bool {
        self.tokens.len() == 1
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
        &self.text[token.start as usize..token.end as usize]
    }

    fn span_of(&self, token: Token) -> Span {
        Span { fragment: self.fragment, start: token.start, end: token.end }
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.span_of(self.token(0))
    }

    /// The span of the token just taken.
    fn last(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.span_of(self.tokens[before]),
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
            Kind::Newline => "the end of the line".to_string(),
            _ => quote(self.text_of(self.token(0))),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        // The lexer has already complained about an unknown token.
        if !self.at(Kind::Unknown) && !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Failed
    }

    fn error<T>(&mut self, message: impl Into<String>, span: Span) -> Parse<T> {
        Err(self.report(Diagnostic::error(message, span)))
    }

    /// Reports that `what` was expected instead of the next token.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let message = format!("expected {what}, found {}", self.found());
        self.error(message, self.here())
    }

    /// Takes a symbol that must come next; `after` says what it belongs to.
    fn expect(&mut self, kind: Kind, after: &str) -> Parse<Span> {
        if self.at(kind) {
            let token = self.advance();
            return Ok(self.span_of(token));
        }
        let symbol = kind.spelling();
        let message = format!("expected `{symbol}` {after}, found {}", self.found());
        let diagnostic = Diagnostic::error(message, self.gap_or_here());
        Err(self.report(match kind {
            _ if self.follows_operand() => {
                diagnostic.hint(format!("an operator may be missing before {}", self.found()))
            }
            Kind::Semicolon => diagnostic.label("missing `;`"),
            _ => diagnostic,
        }))
    }

    /// Whether two operands stand side by side on a line, as in `x > 3 y < 4`.
    fn follows_operand(&self) -> bool {
        let operand = match self.at.checked_sub(1).map(|before| self.tokens[before].kind) {
            Some(kind) => matches!(
                kind,
                Kind::Word | Kind::Int | Kind::CloseParen | Kind::CloseBracket | Kind::Apostrophe
            ),
            None => false,
        };
        operand && self.starts_item() && self.same_line()
    }

    /// Whether the next token stands on the line of the last one.
    fn same_line(&self) -> bool {
        let gap = self.last().end as usize..self.here().start as usize;
        self.text.get(gap).is_some_and(|gap| !gap.contains('\n'))
    }

    /// A line break before the next token means that the mistake is at the end of the last one.
    fn gap_or_here(&self) -> Span {
        let (last, here) = (self.last(), self.here());
        let between = self.text.get(last.end as usize..here.start as usize);
        if self.at > 0 && (self.at(Kind::End) || between.is_some_and(|gap| gap.contains('\n'))) {
            return Span { start: last.end, end: last.end, ..last };
        }
        here
    }

    /// Takes the `,` between two items, or sees from `close` that the list is over.
    fn another(&mut self, close: Kind, after: &str) -> Parse<bool> {
        if self.eat(Kind::Comma) {
            return Ok(true);
        }
        if self.at(close) {
            return Ok(false);
        }
        if self.starts_item() && self.at > 0 {
            return self.missing_comma();
        }
        let message =
            format!("expected `,` or `{}` {after}, found {}", close.spelling(), self.found());
        self.error(message, self.gap_or_here())
    }

    fn starts_item(&self) -> bool {
        matches!(self.kind(), Kind::Word | Kind::Int | Kind::Text)
    }

    fn missing_comma<T>(&mut self) -> Parse<T> {
        let before = quote(self.text_of(self.tokens[self.at - 1]));
        let message = format!("missing `,` between {before} and {}", self.found());
        let diagnostic = Diagnostic::error(message, self.here());
        Err(self.report(diagnostic.label("expected `,`")))
    }

    /// Takes a word that may serve as a name; `what` describes it in a message.
    fn name(&mut self, what: &str) -> Parse<Name> {
        let Some(word) = self.word_ahead(0) else {
            return self.expected(what);
        };
        if self.reserved().contains(&word) {
            let message = format!("expected {what}, found the reserved word `{word}`");
            return self.error(message, self.here());
        }
        Ok(self.any_word())
    }

    fn reserved(&self) -> &'static [&'static str] {
        match self.syntax {
            Syntax::Model => RESERVED,
            Syntax::Query => RESERVED_IN_QUERIES,
        }
    }

    /// Takes the next token as a name, reserved or not.
    fn any_word(&mut self) -> Name {
        let token = self.advance();
        Name { text: self.text_of(token).to_string(), span: self.span_of(token) }
    }

    /// Runs a nested production unless nesting has become too deep.
    fn nested<T>(&mut self, production: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        self.depth += 1;
        let result = production(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self) -> Parse<T> {
        let message = format!("this is nested more than {DEEPEST} levels deep");
        let span = self.here();
        Err(self.give_up(Diagnostic::error(message, span)))
    }

    /// Reports and skips the rest of the fragment: recovery would meet the same wall again.
    fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.report(diagnostic);
        self.gave_up = true;
        self.at = self.tokens.len() - 1;
        Failed
    }

    /// Reports anything left over behind a complete fragment.
    fn end_of(&mut self, what: &str) -> Parse<()> {
        if self.at(Kind::End) {
            return Ok(());
        }
        let message = format!("expected the end of {what}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(message, self.here());
        if self.follows_operand() {
            diagnostic = diagnostic.hint("an operator may be missing before it");
        } else if self.at(Kind::Semicolon) {
            diagnostic = diagnostic.hint("updates are separated by `,`; nothing else needs a `;`");
        }
        Err(self.report(diagnostic))
    }

    /// Skips to behind the next `;` or block at the level where token `from` stands, or to before
    /// a `}` that closes that level.
    ///
    /// A brace opened before the mistake belongs to a struct or list: its end is not yet the end.
    fn recover(&mut self, from: usize) {
        let mut open = self.open_braces(from);
        let mut in_block = false;
        while !self.at(Kind::End) && !self.starts_section_at(open) {
            match self.kind() {
                Kind::CloseBrace if open == 0 => return,
                Kind::CloseBrace => open -= 1,
                Kind::OpenBrace => {
                    in_block |= open == 0;
                    open += 1;
                }
                _ => {}
            }
            let last = self.advance().kind;
            if open == 0 && (last == Kind::Semicolon || last == Kind::CloseBrace && in_block) {
                self.eat(Kind::Semicolon);
                return;
            }
        }
    }

    /// How many braces were opened and not closed since token `from`.
    fn open_braces(&self, from: usize) -> u32 {
        self.tokens[from..self.at].iter().fold(0, |open, token| match token.kind {
            Kind::OpenBrace => open + 1,
            Kind::CloseBrace => open.saturating_sub(1),
            _ => open,
        })
    }

    fn starts_section_at(&self, open: u32) -> bool {
        match open {
            0 => self.starts_section(),
            _ => matches!(self.word_ahead(0), Some("process" | "system")),
        }
    }

    /// Skips to behind the next `;` at this level, or to before a `}` that closes it.
    fn recover_list(&mut self) {
        let mut open = 0u32;
        loop {
            match self.kind() {
                Kind::End => return,
                Kind::CloseBrace if open == 0 => return,
                Kind::CloseBrace => open -= 1,
                Kind::OpenBrace => open += 1,
                Kind::Word if open == 0 && self.starts_section() => return,
                _ => {}
            }
            let last = self.at(Kind::Semicolon) && open == 0;
            self.advance();
            if last {
                return;
            }
        }
    }

    /// Words that begin a section wherever they stand.
    fn starts_section(&self) -> bool {
        matches!(
            self.word_ahead(0),
            Some("process" | "system" | "typedef" | "state" | "init" | "trans" | "commit")
        )
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
