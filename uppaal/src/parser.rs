//! The recursive-descent parser, and how it goes on after a mistake.
//!
//! Old and new syntax are one grammar here: wherever the two do not contradict each other, both
//! are accepted without a flag.

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

use crate::ast::{Model, Query, Span, Template};
use crate::lexer::{self, Syntax, Token, TokenKind};
use source::{
    Cursor, Descent, Diagnostic, Diagnostics, Failed, Parse, SourceMap, TokenKinds as _, quote,
};

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
    cursor: Cursor<'a, Token>,
    syntax: Syntax,
    /// Whether syntax was seen that only UPPAAL 3 knows.
    pub(crate) old: bool,
    /// The queries among what was read.
    pub(crate) queries: Vec<Query>,
}

/// Runs `production` over a fragment of a model; it must use up all of it.
///
/// `what` describes the whole, as in "the end of the guard".
pub(crate) fn parse_fragment<T>(
    sources: &SourceMap,
    fragment: u32,
    what: &str,
    diagnostics: &mut Diagnostics,
    production: impl FnOnce(&mut Parser) -> Parse<T>,
) -> Option<T> {
    let (tokens, problems) = lexer::tokens(sources, fragment, Syntax::Model);
    diagnostics.extend(problems);
    let mut parser = Parser::new(tokens, sources, Syntax::Model, diagnostics);
    let result = production(&mut parser).ok()?;
    parser.end_of(what).ok()?;
    Some(result)
}

/// Parses a whole `.xta` or `.ta` file; `old` says that only UPPAAL 3 writes such files.
pub(crate) fn parse_textual_model(
    sources: &SourceMap,
    fragment: u32,
    old: bool,
    diagnostics: &mut Diagnostics,
) -> Model {
    let (tokens, problems) = lexer::tokens(sources, fragment, Syntax::Model);
    diagnostics.extend(problems);
    let mut parser = Parser::new(tokens, sources, Syntax::Model, diagnostics);
    parser.old = old;
    let mut model = parser.model();
    model.queries = std::mem::take(&mut parser.queries);
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

impl<'a> Descent<'a> for Parser<'a> {
    type Kind = TokenKind;
    type Token = Token;
    const DEEPEST: u32 = 256;
    const SPLIT: &'static str = "split it with parentheses or a function";

    fn cursor(&self) -> &Cursor<'a, Token> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, Token> {
        &mut self.cursor
    }

    fn is_reserved(&self, word: &str) -> bool {
        match self.syntax {
            Syntax::Model => RESERVED.contains(&word),
            Syntax::Query => RESERVED_IN_QUERIES.contains(&word),
        }
    }

    fn is_line_broken(&self) -> bool {
        let gap = Span { start: self.last().end, end: self.here().start, ..self.here() };
        self.cursor.sources.snippet(gap).contains('\n')
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        // The lexer has already complained about an unknown token.
        if !self.at(TokenKind::Unknown) && !self.cursor.gave_up {
            self.cursor.diagnostics.push(diagnostic);
        }
        Failed
    }

    /// A line break or a word that begins something new shows that something is missing before it.
    fn gap_or_here(&self) -> Span {
        let gap = self.at(TokenKind::End) || self.is_line_broken() || self.starts_anew();
        match self.token_before() {
            Some(last) if gap => Span { start: last.span.end, ..last.span },
            _ => self.here(),
        }
    }

    fn advise(&self, missing: TokenKind, diagnostic: Diagnostic) -> Diagnostic {
        match missing {
            _ if self.follows_operand() => {
                diagnostic.hint(format!("an operator may be missing before {}", self.found()))
            }
            TokenKind::Semicolon => diagnostic.label("missing `;`"),
            _ => diagnostic,
        }
    }
}

impl<'a> Parser<'a> {
    fn new(
        tokens: Vec<Token>,
        sources: &'a SourceMap,
        syntax: Syntax,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let cursor = Cursor::new(tokens, sources, diagnostics);
        Parser { cursor, syntax, old: false, queries: vec![] }
    }

    /// Whether there is nothing but blanks and comments.
    pub(crate) fn is_empty(&self) -> bool {
        self.cursor.tokens.len() == 1
    }

    /// Whether two operands stand side by side on a line, as in `x > 3 y < 4`.
    fn follows_operand(&self) -> bool {
        let operand = self.token_before().is_some_and(|token| {
            matches!(
                token.kind,
                TokenKind::Word
                    | TokenKind::Int
                    | TokenKind::CloseParen
                    | TokenKind::CloseBracket
                    | TokenKind::Apostrophe
            )
        });
        operand && self.starts_item() && !self.starts_anew() && !self.is_line_broken()
    }

    /// Whether the next word begins a declaration, section, statement or label.
    fn starts_anew(&self) -> bool {
        let within = ["and", "exists", "false", "forall", "imply", "not", "or", "sum", "true"];
        self.word_ahead(0).is_some_and(|word| {
            RESERVED.contains(&word) && !within.contains(&word)
                || matches!(word, "select" | "probability") && self.kind_ahead(1) == TokenKind::Word
        })
    }

    /// Takes the `,` between two items, or sees from `close` that the list is over.
    fn another(&mut self, close: TokenKind, after: &str) -> Parse<bool> {
        if self.eat(TokenKind::Comma) {
            return Ok(true);
        }
        if self.at(close) {
            return Ok(false);
        }
        if self.starts_item() && self.cursor.at > 0 {
            return self.missing_comma();
        }
        let message =
            format!("expected `,` or `{}` {after}, found {}", close.spelling(), self.found());
        let diagnostic = Diagnostic::error(message, self.gap_or_here());
        Err(self.report(match close {
            TokenKind::Semicolon if self.at(TokenKind::End) => diagnostic.label("missing `;`"),
            _ => diagnostic,
        }))
    }

    fn starts_item(&self) -> bool {
        matches!(self.kind(), TokenKind::Word | TokenKind::Int | TokenKind::Text)
    }

    fn missing_comma<T>(&mut self) -> Parse<T> {
        let before = quote(self.text_of(self.cursor.tokens[self.cursor.at - 1]));
        let message = format!("missing `,` between {before} and {}", self.found());
        let diagnostic = Diagnostic::error(message, self.here());
        Err(self.report(diagnostic.label("expected `,`")))
    }

    /// Reports anything left over after a complete fragment.
    fn end_of(&mut self, what: &str) -> Parse<()> {
        if self.at(TokenKind::End) {
            return Ok(());
        }
        let message = format!("expected the end of {what}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(message, self.here());
        if self.follows_operand() {
            diagnostic = diagnostic.hint("an operator may be missing before it");
        } else if self.at(TokenKind::Semicolon) && self.syntax == Syntax::Query {
            diagnostic = diagnostic.hint("a query ends without `;`");
        } else if self.at(TokenKind::Semicolon) {
            diagnostic = diagnostic.hint("updates are separated by `,`; nothing else needs a `;`");
        }
        Err(self.report(diagnostic))
    }

    /// Skips past the next `;` or block at the level where token `from` stands, or to before
    /// a `}` that closes that level.
    ///
    /// A brace opened before the mistake belongs to a struct or list: its end is not yet the end.
    fn recover(&mut self, from: usize) {
        let mut open = self.open_braces(from);
        let mut in_block = false;
        while !self.at(TokenKind::End) && !self.starts_section_at(open) {
            match self.kind() {
                TokenKind::CloseBrace if open == 0 => return,
                TokenKind::CloseBrace => open -= 1,
                TokenKind::OpenBrace => {
                    in_block |= open == 0;
                    open += 1;
                }
                _ => {}
            }
            let last = self.advance().kind;
            if open == 0
                && (last == TokenKind::Semicolon || last == TokenKind::CloseBrace && in_block)
            {
                self.eat(TokenKind::Semicolon);
                return;
            }
        }
    }

    /// How many braces were opened and not closed since token `from`.
    fn open_braces(&self, from: usize) -> u32 {
        self.cursor.tokens[from..self.cursor.at].iter().fold(0, |open, token| match token.kind {
            TokenKind::OpenBrace => open + 1,
            TokenKind::CloseBrace => open.saturating_sub(1),
            _ => open,
        })
    }

    fn starts_section_at(&self, open: u32) -> bool {
        match open {
            0 => self.starts_section(),
            _ => matches!(self.word_ahead(0), Some("process" | "system")),
        }
    }

    /// Skips past the next `;` at this level, or to before a `}` that closes it.
    fn recover_list(&mut self) {
        let mut open = 0u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::CloseBrace if open == 0 => return,
                TokenKind::CloseBrace => open -= 1,
                TokenKind::OpenBrace => open += 1,
                TokenKind::Word if open == 0 && self.starts_section() => return,
                _ => {}
            }
            let last = self.at(TokenKind::Semicolon) && open == 0;
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
