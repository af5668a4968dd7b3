//! From texts to a verified network, or to everything that is wrong with the input.

mod network_text;
mod promela;
mod reader;
mod uppaal;

pub(crate) use reader::Reader;
pub use reader::{LARGEST, candidates, read_within};

use crate::language::language;
use crate::model::{Content, Origin};
use crate::{Input, Language, Model, Refusal, Unsuitable};
use ::network::{Arena, Diagnostic, NO_ERRORS, Network, Property, PropertyId};
use reader::File;
use std::time::Instant;

/// What is being loaded.
struct Request<'a> {
    input: &'a Input,
    model: File,
    query_file: Option<File>,
    reader: &'a mut Reader,
    slots: u32,
}

/// Loads and verifies a model, with so many slots for processes that loops start.
pub(crate) fn load(input: Input, slots: u32, mut reader: Reader) -> Result<Model, Refusal> {
    let start = Instant::now();
    let model = reader.read(&input.model, "model")?;
    let query_file = input.query_file.as_ref().map(|it| reader.read(it, "query file"));
    let query_file = query_file.transpose()?;
    let language = input.language.unwrap_or_else(|| language(&input.model.path, &model.bytes));
    let mut request = Request { input: &input, model, query_file, reader: &mut reader, slots };
    let mut content = match language {
        Language::Network => network_text::load(&mut request)?,
        Language::Promela => promela::load(&mut request)?,
        Language::Uppaal => uppaal::load(&mut request)?,
    };
    if input.errors {
        add_no_errors(&mut content)?;
    }
    let named = [Some(&input.model), input.query_file.as_ref()].into_iter().flatten();
    content.files.extend(named.filter(|it| it.text.is_none()).map(|it| it.path.clone()));
    content.origin = Some(Origin { input, slots, reader });
    content.seconds = start.elapsed().as_secs_f64();
    Ok(content.into())
}

/// Asks a model for its run-time errors, beside what else it is asked.
fn add_no_errors(model: &mut Content) -> Result<(), Refusal> {
    let is_promela = model.is_promela();
    let properties = &mut model.network.properties;
    if properties.iter().any(|property| property.text == NO_ERRORS) {
        return Ok(());
    }
    if is_promela {
        return Err(Refusal::Unsuitable(Unsuitable::ErrorsBesideQueries));
    }
    properties.push(Property::no_errors());
    Ok(())
}

/// The network a front end made, if it is one, or why not.
fn accepted(network: Option<Network>, diagnostics: &[Diagnostic]) -> Result<Network, Refusal> {
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    match network {
        Some(network) if !refused => verified(network),
        _ if refused => Err(Refusal::Input(diagnostics.to_vec())),
        _ => Err(Refusal::Defect("a model was refused without a reason".to_string())),
    }
}

/// The network, if it keeps the rules.
pub(crate) fn verified(network: Network) -> Result<Network, Refusal> {
    let defects = ::network::verify(&network);
    if defects.is_empty() {
        return Ok(network);
    }
    let defects: Vec<String> = defects.iter().map(ToString::to_string).collect();
    let list = defects.join("\n  ");
    Err(Refusal::Defect(format!("the network is invalid:\n  {list}")))
}

/// The properties that have these names.
fn named_properties(
    network: &Network,
    queries: &[String],
) -> Result<Arena<PropertyId, Property>, Refusal> {
    let find = |query: &String| {
        let found = network.properties.iter().find(|property| property.text == *query).cloned();
        let found = found.or_else(|| (query == NO_ERRORS).then(Property::no_errors));
        found.ok_or_else(|| {
            let message = format!("the model has no property \"{query}\"");
            let hint = "see `vizsla info` for the names of its properties";
            Refusal::because(Diagnostic::error(message).hint(hint))
        })
    };
    queries.iter().map(find).collect()
}
