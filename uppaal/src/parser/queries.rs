//! Queries. `E<> p` and `A[] p` are parsed; every other form of UPPAAL is recognised by its shape
//! and kept as unsupported, and what is no query is kept with its mistakes, so that neither hides
//! the others.

use super::{Parse, Parser};
use crate::ast::{Query, QueryKind, Span};
use crate::lexer::{self, Syntax, Token, TokenKind};
use source::{Descent, Diagnostic, Diagnostics, SourceMap};

/// The queries of a `.q` text: one per line, `\` continues a line.
pub(crate) fn parse_query_file(sources: &SourceMap, fragment: u32) -> Vec<Query> {
    let (tokens, problems) = lexer::tokens(sources, fragment, Syntax::Query);
    let mut problems = problems.into_iter().peekable();
    let mut queries = vec![];
    for tokens in tokens.split_inclusive(|token| token.kind == TokenKind::Newline) {
        let end = tokens.last().map_or(0, |token| token.span.end);
        let mut own = vec![];
        // What is wrong with a comment stands where no token is; the last token ends the text.
        while let Some(problem) = problems.next_if(|it| it.span.start < end) {
            own.push(problem);
        }
        let line = Line { sources, tokens };
        queries.extend(line.parse(own));
    }
    queries
}

/// The single query of an XML formula or a command line; line breaks mean nothing.
pub(crate) fn parse_formula(sources: &SourceMap, fragment: u32) -> Option<Query> {
    let end = sources.text(fragment).len() as u32;
    parse_formula_in(sources, Span { end, ..Span::start_of(fragment) })
}

/// The same for a part of a fragment.
pub(super) fn parse_formula_in(sources: &SourceMap, part: Span) -> Option<Query> {
    let (tokens, problems) = lexer::tokens_in(sources, part, Syntax::Query);
    let line = Line { sources, tokens: &tokens };
    line.parse(problems)
}

/// The tokens of one query.
struct Line<'a> {
    sources: &'a SourceMap,
    tokens: &'a [Token],
}

impl Line<'_> {
    /// The query, if there is anything.
    fn parse(&self, problems: Vec<Diagnostic>) -> Option<Query> {
        let mut tokens = self.tokens.to_vec();
        tokens.retain(|token| !matches!(token.kind, TokenKind::End | TokenKind::Newline));
        let spans = tokens.iter().map(|token| token.span);
        let span = spans.chain(problems.iter().map(|it| it.span)).reduce(Span::to)?;
        let kind = match (Form { sources: self.sources, tokens: &tokens }).unsupported() {
            Some(what) => QueryKind::Unsupported(format!("not supported: {what}")),
            None => self.supported(tokens, span, problems),
        };
        let text = self.sources.snippet(span).replace('\r', "");
        Some(Query { kind, text, comment: None, span })
    }

    fn supported(
        &self,
        mut tokens: Vec<Token>,
        span: Span,
        problems: Vec<Diagnostic>,
    ) -> QueryKind {
        if tokens.is_empty() {
            return QueryKind::Mistaken(problems);
        }
        tokens.push(Token { kind: TokenKind::End, span: Span { start: span.end, ..span } });
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(problems);
        let mut parser = Parser::new(tokens, self.sources, Syntax::Query, &mut diagnostics);
        let parsed = parser.query();
        match parsed {
            Ok(kind) if diagnostics.count() == 0 => kind,
            _ => QueryKind::Mistaken(diagnostics.finish(self.sources)),
        }
    }
}

impl Parser<'_> {
    fn query(&mut self) -> Parse<QueryKind> {
        let make = match (self.word_ahead(0), self.kind_ahead(1), self.kind_ahead(2)) {
            (Some("E"), TokenKind::Less, TokenKind::Greater) => QueryKind::Reachable,
            (Some("A"), TokenKind::OpenBracket, TokenKind::CloseBracket) => QueryKind::Invariant,
            _ => return self.no_query(),
        };
        for _ in 0..3 {
            self.advance();
        }
        let property = self.expression()?;
        self.end_of("the query")?;
        Ok(make(property))
    }

    fn no_query<T>(&mut self) -> Parse<T> {
        let message = format!("expected `E<>` or `A[]`, found {}", self.found());
        let hint = match self.word_ahead(0) {
            Some("EF") => "write `E<>` for `EF`",
            Some("AG") => "write `A[]` for `AG`",
            _ => "write `E<> p` to ask whether p can be reached, `A[] p` whether it always holds",
        };
        Err(self.report(Diagnostic::error(message, self.here()).hint(hint)))
    }
}

/// The outward shape of a query.
struct Form<'a> {
    sources: &'a SourceMap,
    tokens: &'a [Token],
}

impl Form<'_> {
    /// What the query is, unless it is `E<> p`, `A[] p` or no query at all.
    fn unsupported(&self) -> Option<&'static str> {
        self.by_first_word().or_else(|| self.by_any_token()).or_else(|| self.by_nested_path())
    }

    fn word(&self, index: usize) -> &str {
        match self.tokens.get(index) {
            Some(token) if token.kind == TokenKind::Word => self.sources.snippet(token.span),
            _ => "",
        }
    }

    fn kind(&self, index: usize) -> TokenKind {
        self.tokens.get(index).map_or(TokenKind::End, |token| token.kind)
    }

    fn by_first_word(&self) -> Option<&'static str> {
        let after = (self.kind(1), self.kind(2));
        Some(match self.word(0) {
            "E" if after == (TokenKind::OpenBracket, TokenKind::CloseBracket) => {
                "`E[]` (some run on which the property always holds)"
            }
            "E" if after.0 == TokenKind::OpenBracket => "expected values (`E[...]`)",
            "A" if after == (TokenKind::Less, TokenKind::Greater) => {
                "`A<>` (the property holds eventually on every run)"
            }
            "A" if after.0 == TokenKind::OpenBracket && after.1 != TokenKind::CloseBracket => {
                "`A[p U q]` and `A[p W q]` (until)"
            }
            "sup" | "inf" | "bounds"
                if matches!(after.0, TokenKind::Colon | TokenKind::OpenBrace) =>
            {
                "`sup`, `inf` and `bounds` (extreme values)"
            }
            "Pr" | "Pmax" => "`Pr` (statistical model checking)",
            "simulate" => "`simulate` (statistical model checking)",
            "control" | "control_t" => "`control` (controller synthesis)",
            "minE" | "maxE" | "minPr" | "maxPr" => {
                "`minE`, `maxE`, `minPr` and `maxPr` (strategy optimisation)"
            }
            "strategy" | "loadStrategy" | "saveStrategy" => "strategies",
            "sat" if after.0 == TokenKind::Colon => "`sat` (live sequence charts)",
            "" if self.kind(0) == TokenKind::OpenBrace => {
                "`{...} control` (synthesis under partial observation)"
            }
            _ => return None,
        })
    }

    fn by_any_token(&self) -> Option<&'static str> {
        let words = |index: usize| {
            let member = index > 0 && self.kind(index - 1) == TokenKind::Dot;
            match self.word(index) {
                "under" | "imitate" if index > 0 && !member => Some("strategies (`under`)"),
                "control" if self.kind(index + 1) == TokenKind::Colon => {
                    Some("`control` (controller synthesis)")
                }
                _ => None,
            }
        };
        (0..self.tokens.len()).find_map(|index| match self.kind(index) {
            TokenKind::LeadsTo => Some("`-->` (leads to)"),
            TokenKind::Word => words(index),
            _ => None,
        })
    }

    /// `A<>` and its like inside `E<> p` or `A[] p`.
    fn by_nested_path(&self) -> Option<&'static str> {
        let touching = |index: usize| {
            let pair = (self.tokens.get(index), self.tokens.get(index + 1));
            matches!(pair, (Some(a), Some(b)) if a.span.end == b.span.start)
        };
        let nested = |at: usize| self.is_path(at) && touching(at) && touching(at + 1);
        let found = self.is_path(0) && (1..self.tokens.len()).any(nested);
        found.then_some("path quantifiers inside a property")
    }

    fn is_path(&self, index: usize) -> bool {
        let brackets = matches!(
            (self.kind(index + 1), self.kind(index + 2)),
            (TokenKind::Less, TokenKind::Greater)
                | (TokenKind::OpenBracket, TokenKind::CloseBracket)
        );
        brackets && matches!(self.word(index), "A" | "E")
    }
}
