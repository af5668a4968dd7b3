//! The way in: bytes of a model and its queries to a network and all diagnostics.

use crate::ast::Query;
use crate::lower::lower;
use crate::trail::Numbering;
use crate::wording::Wording;
use crate::{Macros, ReadInclude, parse, parse_query};
use network::Network;
use source::{Diagnostic, SourceMap, defects, on_large_stack, quote};

/// What to load.
pub struct Input<'a> {
    /// The path of the model as the user gave it.
    pub path: &'a str,
    /// The model.
    pub bytes: &'a [u8],
    /// Macros with their bodies, as given on a command line.
    pub defines: &'a [(String, String)],
    /// What to ask; without any, whether the model is free of errors.
    pub queries: &'a [String],
    /// What counts as an error, and how the model is read.
    pub options: Options,
    /// Reads an included file.
    pub read_include: &'a mut ReadInclude<'a>,
}

/// What counts as an error, and how the model is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether a state in which no process can move although some are not at a valid end is one.
    pub deadlock: bool,
    /// Whether a failed assertion is one.
    pub asserts: bool,
    /// The never claim or formula to check.
    pub claim: Option<String>,
    /// Whether messages left in channels make an end invalid.
    pub strict_end: bool,
    /// How many processes a `run` in a loop may have running at once.
    pub slots_in_loops: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { deadlock: true, asserts: true, claim: None, strict_end: false, slots_in_loops: 8 }
    }
}

/// A model, checked.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model; none if some diagnostic is an error.
    pub network: Option<Network>,
    /// How Spin's trails name the steps of the model.
    pub numbering: Numbering,
    /// What people are told about its edges.
    pub wording: Wording,
    /// Everything there is to say about the input, in the order of the text.
    pub diagnostics: Vec<network::Diagnostic>,
}

/// Parses, checks and lowers a model with its queries.
pub fn load(input: Input) -> Loaded {
    let mut parsed = parse(input.path, input.bytes, input.defines, input.read_include);
    let mut diagnostics = std::mem::take(&mut parsed.diagnostics);
    let mut queries: Vec<Query> = vec![];
    for text in input.queries {
        let (query, more) = parse_query(text, &parsed.macros, &mut parsed.sources);
        queries.extend(query);
        diagnostics.extend(more);
    }
    let (mut network, mut numbering, mut wording) = Default::default();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let (model, sources) = (&parsed.model, &parsed.sources);
        let lowered = on_large_stack(|| lower(model, &queries, sources, &input.options));
        diagnostics.extend(lowered.diagnostics);
        (network, numbering, wording) = (Some(lowered.network), lowered.numbering, lowered.wording);
    }
    let explained = diagnostics.into_iter().map(|it| explain(it, &parsed.macros, &parsed.sources));
    let mut shown: Vec<_> = explained.map(|it| parsed.sources.diagnostic(&it)).collect();
    if !shown.iter().any(network::Diagnostic::is_error)
        && let Some(network) = &network
    {
        shown.extend(defects(network));
    }
    let refused = shown.iter().any(network::Diagnostic::is_error);
    Loaded { network: network.filter(|_| !refused), numbering, wording, diagnostics: shown }
}

/// What is wrong with what a macro made is reported at its use: adds what it stands for.
fn explain(diagnostic: Diagnostic, macros: &Macros, sources: &SourceMap) -> Diagnostic {
    let used = sources.snippet(diagnostic.span);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, arguments) = used.split_at(used.find(|c| !is_word(c)).unwrap_or(used.len()));
    let arguments = arguments.trim();
    let alone = arguments.is_empty() || arguments.starts_with('(') && arguments.ends_with(')');
    let Some(body) = macros.body(name).filter(|_| alone) else { return diagnostic };
    let place = match sources.path(body) {
        Some(path) if sources.path(diagnostic.span) != Some(path) => format!("of {path} "),
        _ => String::new(),
    };
    let (line, body) = (sources.line(body), quote(sources.snippet(body)));
    let definition = format!("`{name}` is defined in line {line} {place}as {body}");
    let hint = match &diagnostic.hint {
        Some(hint) => format!("{hint} ({definition})"),
        None => definition,
    };
    diagnostic.hint(hint)
}
