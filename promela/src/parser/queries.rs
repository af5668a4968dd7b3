//! Queries given beside a model: `E<> p` and `A[] p`.

use super::{Parse, Parser, Syntax};
use crate::ast::{Query, QueryKind, Span};
use crate::lexer::{Token, TokenKind};
use source::{Descent, Diagnostic, Diagnostics, SourceMap};

/// Parses the tokens of a query, which an `End` closes.
pub(crate) fn parse_query(
    tokens: Vec<Token>,
    file: u32,
    sources: &SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Query> {
    let before = diagnostics.count();
    let mut parser = Parser::new(tokens, sources, Syntax::Query, diagnostics);
    let kind = parser.query().ok()?;
    let text = sources.text(file).trim().to_string();
    let start = sources.text(file).find(&text).unwrap_or(0) as u32;
    let span = Span { fragment: file, start, end: start + text.len() as u32 };
    (diagnostics.count() == before).then_some(Query { kind, text, span })
}

impl Parser<'_> {
    fn query(&mut self) -> Parse<QueryKind> {
        let make = match (self.word(), self.kind_ahead(1), self.kind_ahead(2)) {
            ("E", TokenKind::Less, TokenKind::Greater) => QueryKind::Reachable,
            ("A", TokenKind::OpenBracket, TokenKind::CloseBracket) => QueryKind::Invariant,
            _ => {
                let message = format!("expected `E<>` or `A[]`, found {}", self.found());
                let hint = "write `E<> p` to ask whether p can be reached, `A[] p` whether it \
                            always holds";
                let diagnostic = Diagnostic::error(message, self.here()).hint(hint);
                return Err(self.report(diagnostic));
            }
        };
        for _ in 0..3 {
            self.advance();
        }
        let property = self.expression()?;
        if !self.at(TokenKind::End) {
            return self.expected("the end of the query");
        }
        Ok(make(property))
    }
}
