//! The Promela front end: models as Spin 6.5 reads them.
//!
//! [`parse`] preprocesses a text and turns it into a syntax tree ([`ast`]) with every mistake
//! reported; spans lead back to lines through a [`source::SourceMap`]. This crate never reads
//! files itself and never searches.

pub mod ast;
mod decode;
pub mod diagnostic;
mod layout;
mod lexer;
mod load;
mod lower;
pub mod ltl;
mod parser;
mod preprocess;
pub mod source;
pub mod trail;

use ast::{Model, Query, Span};
use decode::decode;
use diagnostic::{Diagnostic, Diagnostics};
pub use load::{Input, Loaded, Options, load};
pub use preprocess::{Macros, ReadInclude};
use source::SourceMap;

/// What parsing yields: a tree as complete as the text allows, and all that is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The tree; with errors among the diagnostics it has holes.
    pub model: Model,
    /// The texts that the spans of the tree and the diagnostics point into.
    pub sources: SourceMap,
    /// The macros defined at the end of the model, which queries may use.
    pub macros: Macros,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether the model must be refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Parses a model; `defines` are macros with their bodies, as given on a command line.
///
/// `read_include` is called with the path of an included file, relative to where `path` is.
pub fn parse(
    path: &str,
    bytes: &[u8],
    defines: &[(String, String)],
    read_include: &mut ReadInclude,
) -> Parsed {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let mut model = Model::default();
    let mut macros = Macros::default();
    if let Some(file) = add_file(path, bytes, &mut sources, &mut diagnostics) {
        let preprocessed =
            preprocess::preprocess(file, defines, &mut sources, read_include, &mut diagnostics);
        macros = preprocessed.macros;
        if let Some(tokens) = preprocessed.tokens {
            let tokens = layout::imply_separators(&tokens, &sources);
            model = parser::parse_model(tokens, &sources, &mut diagnostics);
        }
    }
    Parsed { model, sources, macros, diagnostics: diagnostics.finish() }
}

/// Parses a single query, as given on a command line, and adds its text to `sources`.
pub fn parse_query(
    text: &str,
    macros: &Macros,
    sources: &mut SourceMap,
) -> (Option<Query>, Vec<Diagnostic>) {
    let mut diagnostics = Diagnostics::default();
    let file = sources.add_file("query", text.to_string());
    let tokens = preprocess::expand(file, macros, sources, &mut diagnostics);
    let query = match tokens {
        Some(tokens) if !diagnostics.has_errors() => {
            parser::parse_query(tokens, file, sources, &mut diagnostics)
        }
        _ => None,
    };
    (query, diagnostics.finish())
}

/// Decodes a file into `sources`, or reports why that cannot be done.
fn add_file(
    path: &str,
    bytes: &[u8],
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<u32> {
    match decode(bytes) {
        Ok(decoded) => {
            let file = sources.add_file(path, decoded.text);
            let span = Span { file, ..Span::default() };
            diagnostics.extend(decoded.remark.map(|it| Diagnostic::warning(it, span)));
            if sources.text(file).trim().is_empty() {
                diagnostics.push(Diagnostic::error("the file is empty", span));
            }
            Some(file)
        }
        Err(reason) => {
            let file = sources.add_file(path, String::new());
            let span = Span { file, ..Span::default() };
            diagnostics.push(Diagnostic::error(reason, span));
            None
        }
    }
}
