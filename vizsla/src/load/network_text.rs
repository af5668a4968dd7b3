//! Networks in their text form.

use super::{Request, candidates, named_properties};
use crate::fingerprint::Fingerprint;
use crate::model::{Content, Text};
use crate::{Language, Refusal, Source};
use network::{Diagnostic, Network};

pub fn load(request: &mut Request) -> Result<Content, Refusal> {
    let Request { input, model: file, query_file, .. } = request;
    if query_file.is_some() {
        let message = "a query file cannot be used with a model in network text form";
        let hint = "write `property \"name\" reachable ...` into the model";
        return Err(Refusal::because(Diagnostic::error(message).hint(hint)));
    }
    let Ok(text) = std::str::from_utf8(&file.bytes) else {
        let message = format!("`{}` is not valid UTF-8", file.name);
        return Err(Refusal::because(Diagnostic::error(message)));
    };
    let mut network = network::parse(text).map_err(|mut diagnostics| {
        let places = diagnostics.iter_mut().filter_map(|d| d.place.as_mut());
        places.for_each(|place| place.path = file.name.clone());
        Refusal::Input(diagnostics)
    })?;
    let defects = network::verify(&network);
    if !defects.is_empty() {
        let say = |defect: &network::Defect| Diagnostic::error(format!("{}: {defect}", file.name));
        return Err(Refusal::Input(defects.iter().map(say).collect()));
    }
    if !input.queries.is_empty() {
        network.properties = named_properties(&network, &input.queries)?;
    }
    let fingerprint = Fingerprint::of(&file.bytes).to_string();
    let (name, texts) = (file.name.clone(), original_texts(&network, request));
    Ok(Content { fingerprint, texts, ..Content::new(Language::Network, name, network) })
}

/// The files that a network text came from, where they can still be found.
fn original_texts(network: &Network, request: &mut Request) -> Vec<Text> {
    let readable = |path: &str| {
        let places = candidates(path, &request.input.model.path);
        let found = places.into_iter().find(|path| path.is_file())?;
        let file = request.reader.read(&Source::file(found), "source").ok()?;
        Some(Text::new(path, &file.bytes))
    };
    let paths = network.sources.iter().map(|source| source.path.as_str());
    paths.filter_map(readable).collect()
}
