//! UPPAAL models, with their queries.

use super::{Request, accepted};
use crate::fingerprint::Fingerprint;
use crate::load::reader::File;
use crate::model::{Content, Text};
use crate::{Language, Refusal, Source};
use network::{Arena, Diagnostic, NO_ERRORS, Property};

pub fn load(request: &mut Request) -> Result<Content, Refusal> {
    let Request { input, model: file, query_file, reader, .. } = request;
    let (path, queries) = (&input.model.path, &input.queries);
    if queries.iter().any(|query| query == NO_ERRORS) {
        return load_for_errors(file, queries);
    }
    let model = front_end(file, query_file.as_ref(), queries)?;
    let asked = query_file.is_some() || !queries.is_empty();
    if asked || !model.network.properties.is_empty() || input.model.text.is_some() {
        return Ok(model);
    }
    let beside = path.with_extension("q");
    if !beside.is_file() || beside == *path {
        return Ok(model);
    }
    let found = reader.read(&Source::file(&beside), "query file")?;
    let model = front_end(file, Some(&found), &[])?;
    Ok(Content { found_queries: Some(found.name), files: vec![beside], ..model })
}

/// The model with the property that it raises no errors, after what else is asked.
fn load_for_errors(file: &File, queries: &[String]) -> Result<Content, Refusal> {
    let others = queries.iter().filter(|query| *query != NO_ERRORS);
    let others: Vec<String> = others.cloned().collect();
    let mut model = front_end(file, None, &others)?;
    if others.is_empty() {
        // What the model asks itself is not asked now.
        model.network.properties = Arena::new();
        model.mistakes.clear();
    }
    model.network.properties.push(Property::no_errors());
    Ok(model)
}

fn front_end(
    file: &File,
    query_file: Option<&File>,
    queries: &[String],
) -> Result<Content, Refusal> {
    let input = uppaal::Input {
        path: &file.name,
        bytes: &file.bytes,
        query_file: query_file.map(|file| (file.name.as_str(), file.bytes.as_slice())),
        queries,
    };
    let loaded = uppaal::load(&input);
    if loaded.network.is_none() && loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(Refusal::Input(loaded.all_diagnostics().cloned().collect()));
    }
    let network = accepted(loaded.network, &loaded.diagnostics)?;
    let mistakes = loaded.mistakes.into_iter().map(|it| (it.property, it.diagnostics)).collect();
    let mut texts = vec![Text::new(&file.name, &file.bytes)];
    texts.extend(query_file.map(|file| Text::new(&file.name, &file.bytes)));
    Ok(Content {
        warnings: loaded.diagnostics,
        mistakes,
        fingerprint: Fingerprint::of(&file.bytes).to_string(),
        texts,
        ..Content::new(Language::Uppaal, file.name.clone(), network)
    })
}
