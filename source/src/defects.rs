//! Limits of the network itself that a model breaks, such as nesting after calls were inlined.

use network::{Diagnostic, Network, SourcePlace};

/// What the verifier has to say about a network that a front end made.
pub fn defects(network: &Network) -> impl Iterator<Item = Diagnostic> {
    network::verify(network).into_iter().map(|defect| {
        let diagnostic = Diagnostic::error(format!("cannot be lowered: {defect}"));
        match network.sources.try_at(defect.span.source) {
            None => diagnostic,
            Some(source) => diagnostic.at(SourcePlace {
                path: source.path.clone(),
                line: defect.span.line,
                column: defect.span.column,
                end_line: defect.span.end_line,
                end_column: defect.span.end_column,
                source_line: String::new(),
                within: None,
            }),
        }
    })
}
