//! The instances of the papers: models by others where they are present, and our own models of
//! Fischer's protocol.

use crate::settings::Settings;
use std::path::{Path, PathBuf};

/// A model and the question about it.
pub struct Instance {
    /// Its name in the papers' tables.
    pub name: String,
    /// The model.
    pub path: PathBuf,
    /// The question, as options of the program.
    pub question: Vec<String>,
}

/// The papers' names of models, and their files.
const INDUSTRIAL: [(&str, &str); 5] =
    [("C1", "C1"), ("M1", "M_R00"), ("M2", "M_R10"), ("M3", "M_R01"), ("M4", "M_R11")];

/// The papers' names of our own models.
const FISCHER: [(&str, &str); 2] = [("FA", "fischer-observed"), ("FB", "fischer-pair")];

/// The instances that are wanted and present.
pub fn all(settings: &Settings) -> Result<Vec<Instance>, String> {
    let mut instances = others(&settings.models);
    instances.retain(|instance| instance.path.exists());
    if instances.is_empty() {
        eprintln!("papers: no models in {}", settings.models.display());
    }
    instances.extend(fischer()?);
    instances.retain(|instance| instance.name.contains(&settings.only));
    Ok(instances)
}

fn others(folder: &Path) -> Vec<Instance> {
    let path = |file: &str| folder.join(format!("{file}.xml"));
    let first = || vec!["--query-index".to_owned(), "1".to_owned()];
    let industrial = INDUSTRIAL.map(|(name, file)| Instance {
        name: name.into(),
        path: path(file),
        question: first(),
    });
    let trees = (2..=6).map(|height| Instance {
        name: format!("A{height}"),
        path: path(&format!("arbiter_tree_{height}")),
        question: vec!["--query".into(), two_clients(1 << height)],
    });
    industrial.into_iter().chain(trees).collect()
}

/// The last clients of both halves at work; this pair gives the lengths of the papers, which do not
/// say which pair they are about.
fn two_clients(clients: u32) -> String {
    format!("E<> Client_{}.work and Client_{}.work", clients / 2 - 1, clients - 1)
}

fn fischer() -> Result<Vec<Instance>, String> {
    let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/uppaal/examples"));
    let scratch = std::env::temp_dir().join("vizsla-papers");
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let mut instances = Vec::new();
    for (name, file) in FISCHER {
        let text = read(&own.join(format!("{file}.xta")))?;
        let query = read(&own.join(format!("{file}.q")))?;
        for processes in [5, 10, 15] {
            let text = text.replace("const int N = 5;", &format!("const int N = {processes};"));
            let path = scratch.join(format!("{file}-{processes}.xta"));
            std::fs::write(&path, text).map_err(|error| error.to_string())?;
            let question = vec!["--query".to_owned(), query.trim().to_owned()];
            instances.push(Instance { name: format!("{name}_{processes}"), path, question });
        }
    }
    Ok(instances)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
