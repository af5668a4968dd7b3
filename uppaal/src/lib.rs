//! The UPPAAL front end: models in `.xml`, `.xta` and `.ta`, queries in `.q`.
//!
//! [`parse`] turns bytes into a syntax tree ([`ast`]) with every mistake reported; spans lead back
//! to lines through a [`SourceMap`]. A mistake in a query concerns that query alone. This crate
//! never searches.

pub mod ast;
mod check;
mod decode;
mod lexer;
mod load;
mod lower;
mod parser;
mod xml;

use ast::{Model, Query, QueryKind};
use decode::decode;
use source::{Diagnostic, Diagnostics, SourceMap, Span};

pub use load::{Input, Loaded, Mistake, load};

/// What parsing yields: a tree as complete as the text allows, and all that is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The tree; with errors among the diagnostics it has holes.
    pub model: Model,
    /// The texts that the spans of the tree and the diagnostics point into.
    pub sources: SourceMap,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether the model must be refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses a model of either format, told apart by its content.
pub fn parse(path: &str, bytes: &[u8]) -> Parsed {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let mut model = Model::default();
    if let Some(whole) = sources.add_decoded(path, decode(bytes), &mut diagnostics) {
        if sources.text(whole).trim().is_empty() {
            diagnostics.push(Diagnostic::error("the file is empty", Span::start_of(whole)));
        } else if sources.text(whole).trim_start().starts_with('<') {
            model = xml::parse(&mut sources, whole, &mut diagnostics);
        } else {
            let old = path.ends_with(".ta");
            model = parser::parse_textual_model(&sources, whole, old, &mut diagnostics);
        }
    }
    let diagnostics = diagnostics.finish(&sources);
    Parsed { model, sources, diagnostics }
}

/// Parses the queries of a `.q` file and adds its text to `sources`; what is wrong with a single
/// query is told there.
pub fn parse_queries(
    path: &str,
    bytes: &[u8],
    sources: &mut SourceMap,
) -> (Vec<Query>, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let mut queries = vec![];
    if let Some(whole) = sources.add_decoded(path, decode(bytes), &mut diagnostics) {
        queries = parser::parse_query_file(sources, whole);
    }
    (queries, diagnostics.finish(sources))
}

/// Parses a single query, as given on a command line, and adds its text to `sources`.
pub fn parse_query(text: &str, sources: &mut SourceMap) -> Query {
    let whole = sources.add_file("query", text.to_string());
    parser::parse_formula(sources, whole).unwrap_or_else(|| {
        let span = Span::start_of(whole);
        let mistake = Diagnostic::error("the query is empty", span);
        let kind = QueryKind::Mistaken(vec![mistake]);
        Query { kind, text: text.to_string(), comment: None, span }
    })
}
