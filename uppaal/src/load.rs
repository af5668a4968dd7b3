//! The way in: bytes of a model and its queries to a network and all diagnostics.

use crate::ast::Query;
use crate::lower::lower;
use crate::{parse, parse_queries, parse_query};
use network::{Network, PropertyId};
use source::{defects, on_large_stack};

/// What to load.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The path of the model as the user gave it.
    pub path: &'a str,
    /// The model.
    pub bytes: &'a [u8],
    /// A query file with its path; it replaces the queries inside the model.
    pub query_file: Option<(&'a str, &'a [u8])>,
    /// Queries from the command line; if there are any, they replace all others.
    pub queries: &'a [String],
}

/// A model, checked.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model; none if some diagnostic is an error.
    pub network: Option<Network>,
    /// Everything there is to say about the input, in the order of the text.
    pub diagnostics: Vec<network::Diagnostic>,
    /// The queries that are wrong in themselves; if there is a network, the others can be answered.
    pub mistakes: Vec<Mistake>,
}

/// A query that is none, or that names what is unknown.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The property that stands for it, which cannot be checked.
    pub property: PropertyId,
    /// What is wrong with it.
    pub diagnostics: Vec<network::Diagnostic>,
}

/// Parses, checks and lowers a model with its queries.
pub fn load(input: &Input) -> Loaded {
    let parsed = parse(input.path, input.bytes);
    let (mut sources, mut diagnostics) = (parsed.sources, parsed.diagnostics);
    let mut model = parsed.model;
    let mut queries: Vec<Query> = std::mem::take(&mut model.queries);
    if !input.queries.is_empty() {
        queries = input.queries.iter().map(|text| parse_query(text, &mut sources)).collect();
    } else if let Some((path, bytes)) = input.query_file {
        let (list, more) = parse_queries(path, bytes, &mut sources);
        queries = list;
        diagnostics.extend(more);
    }
    let holes = diagnostics.iter().any(|it| it.leaves_holes);
    let lowered = on_large_stack(|| lower(&model, &queries, &sources, holes));
    diagnostics.extend(lowered.diagnostics);
    let mistakes = lowered.mistakes.iter().map(|(property, list)| Mistake {
        property: *property,
        diagnostics: list.iter().map(|it| sources.diagnostic(it)).collect(),
    });
    let mistakes: Vec<Mistake> = mistakes.collect();
    let mut diagnostics: Vec<_> = diagnostics.iter().map(|it| sources.diagnostic(it)).collect();
    if !diagnostics.iter().any(network::Diagnostic::is_error) {
        diagnostics.extend(defects(&lowered.network));
    }
    let refused = diagnostics.iter().any(network::Diagnostic::is_error);
    diagnostics
        .sort_by_key(|it| it.place.as_ref().map(|p| (p.path != input.path, p.line, p.column)));
    Loaded { network: (!refused).then_some(lowered.network), diagnostics, mistakes }
}

impl Loaded {
    /// All that is to say, about the input as a whole and about single queries.
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &network::Diagnostic> {
        self.diagnostics.iter().chain(self.mistakes.iter().flat_map(|it| &it.diagnostics))
    }
}
