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

/// Our own models: the papers' names of two of them, and sizes.
const SCALED: [(&str, &str, &[u32]); 3] = [
    ("FA", "fischer-observed", &[5, 10, 15]),
    ("FB", "fischer-pair", &[5, 10, 15]),
    ("T", "single-track", &[6, 10, 14, 20]),
];

/// The instances that are wanted and present.
pub fn all(settings: &Settings) -> Result<Vec<Instance>, String> {
    let mut instances = others(&settings.models);
    instances.retain(|instance| instance.path.exists());
    if instances.is_empty() {
        eprintln!("papers: no models in {}", settings.models.display());
    }
    for (name, file, sizes) in SCALED {
        instances.extend(scaled(name, file, sizes)?);
    }
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

/// A model of our own with other numbers of processes than it has in its file.
fn scaled(name: &str, file: &str, sizes: &[u32]) -> Result<Vec<Instance>, String> {
    let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/uppaal/examples"));
    let scratch = std::env::temp_dir().join("vizsla-papers");
    std::fs::create_dir_all(&scratch).map_err(|error| error.to_string())?;
    let text = read(&own.join(format!("{file}.xta")))?;
    let query = read(&own.join(format!("{file}.q")))?;
    let (before, after) = text.split_once("const int N = ").ok_or("there is no N in the model")?;
    let (_, after) = after.split_once(';').ok_or("N has no value")?;
    let instance = |size: &u32| {
        let path = scratch.join(format!("{file}-{size}.xta"));
        let text = format!("{before}const int N = {size};{after}");
        std::fs::write(&path, text).map_err(|error| error.to_string())?;
        let question = vec!["--query".to_owned(), query.trim().to_owned()];
        Ok(Instance { name: format!("{name}_{size}"), path, question })
    };
    sizes.iter().map(instance).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
