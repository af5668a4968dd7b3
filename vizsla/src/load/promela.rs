//! Promela models, with what they include.

use super::{Request, accepted, candidates, named_properties};
use crate::fingerprint::Fingerprint;
use crate::model::{Content, Text};
use crate::{Language, Refusal, Source, Unsuitable};
use std::path::{Path, PathBuf};

pub fn load(request: &mut Request) -> Result<Content, Refusal> {
    let Request { input, model: file, query_file, reader, slots } = request;
    if query_file.is_some() {
        return Err(Refusal::Unsuitable(Unsuitable::QueryFile));
    }
    let (path, promela) = (&input.model.path, &input.promela);
    let asked: Vec<String> =
        input.queries.iter().filter(|query| !is_of_model(query)).cloned().collect();
    let (mut texts, mut files) = (vec![Text::new(&file.name, &file.bytes)], Vec::new());
    let mut fingerprint = Fingerprint::of(&file.bytes);
    promela.defines.iter().for_each(|(name, body)| fingerprint.add_macro(name, body));
    let mut read_include = |name: &str| {
        let found = included(name, path, &promela.include)?;
        let read = reader.read(&Source::file(&found), "included file");
        let file = read.map_err(|problem| problem.message)?;
        files.push(found);
        texts.push(Text::new(name, &file.bytes));
        fingerprint.add(&file.bytes);
        Ok(file.bytes)
    };
    let loaded = promela::load(promela::Input {
        path: &file.name,
        bytes: &file.bytes,
        defines: &promela.defines,
        queries: &asked,
        options: promela::Options {
            deadlock: promela.deadlock,
            asserts: promela.asserts,
            claim: promela.claim.clone(),
            strict_end: promela.strict_end,
            slots_in_loops: *slots,
        },
        read_include: &mut read_include,
    });
    let mut network = accepted(loaded.network, &loaded.diagnostics)?;
    if asked.is_empty() && !input.queries.is_empty() {
        network.properties = named_properties(&network, &input.queries)?;
    }
    Ok(Content {
        warnings: loaded.diagnostics,
        numbering: loaded.numbering,
        wording: loaded.wording,
        fingerprint: fingerprint.to_string(),
        files,
        texts,
        ..Content::new(Language::Promela, file.name.clone(), network)
    })
}

/// Where an included file is: in the model's folder or one that the user names. A model may come from
/// anybody, and what it includes is shown where it is wrong.
fn included(path: &str, model: &Path, folders: &[PathBuf]) -> Result<PathBuf, String> {
    let name = Path::new(path).strip_prefix(model.parent().unwrap_or(Path::new("")));
    let name = name.unwrap_or(Path::new(path));
    let places = candidates(path, model).into_iter().chain(folders.iter().map(|it| it.join(name)));
    // Whatever is no file may never come to an end.
    let Some(found) = places.into_iter().find(|place| place.is_file()) else {
        return Err("there is no such file".to_string());
    };
    let own = model.parent().filter(|it| *it != Path::new("")).unwrap_or(Path::new("."));
    let place = found.canonicalize().map_err(|error| error.to_string())?;
    let is_around = |folder: &Path| folder.canonicalize().is_ok_and(|it| place.starts_with(it));
    match is_around(own) || folders.iter().any(|folder| is_around(folder)) {
        true => Ok(found),
        false => Err("it is outside the model's folder; `-I FOLDER` allows another".to_string()),
    }
}

/// Whether a query names a property that a Promela model has by itself, as saved traces do.
fn is_of_model(query: &str) -> bool {
    query == network::NO_ERRORS || query.starts_with("never claim") || query.starts_with("ltl ")
}
