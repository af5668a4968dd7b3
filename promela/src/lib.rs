//! The Promela front end: models as Spin 6.5 reads them.
//!
//! [`parse`] preprocesses a text and turns it into a syntax tree ([`ast`]) with every mistake
//! reported; spans lead back to lines through a [`SourceMap`]. This crate never reads
//! files itself and never searches.

pub mod ast;
mod layout;
mod lexer;
mod load;
mod lower;
pub mod ltl;
mod parser;
mod preprocess;
pub mod trail;
pub mod wording;

use ast::{Model, Query};
pub use load::{Input, Loaded, Options, load};
pub use preprocess::{Macros, ReadInclude};
use source::{Decoded, Diagnostic, Diagnostics, Encoding, SourceMap, Span};

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
    if let Some(file) = sources.add_decoded(path, decode(bytes), &mut diagnostics) {
        if sources.text(file).trim().is_empty() {
            diagnostics.push(Diagnostic::error("the file is empty", Span::start_of(file)));
        }
        let preprocessed =
            preprocess::preprocess(file, defines, &mut sources, read_include, &mut diagnostics);
        macros = preprocessed.macros;
        if let Some(tokens) = preprocessed.tokens {
            let tokens = layout::imply_separators(&tokens, &sources);
            model = parser::parse_model(tokens, &sources, &mut diagnostics);
        }
    }
    let diagnostics = diagnostics.finish(&sources);
    Parsed { model, sources, macros, diagnostics }
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
    (query, diagnostics.finish(sources))
}

/// Offsets are 32-bit, and no model comes near this.
const LARGEST: usize = 1 << 28;

/// Decodes the bytes of a file, or says why they are not text.
fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    match bytes.len() {
        ..=LARGEST => source::decode(bytes, Encoding::Utf8),
        _ => Err("the file is larger than 256 MiB".to_string()),
    }
}
