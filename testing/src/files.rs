//! The files that tests run through.

use std::path::{Path, PathBuf};

/// The files below a folder that have one of these extensions, in order.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let extension = path.extension().and_then(|it| it.to_str());
        if path.is_dir() {
            found.extend(files_below(&path, extensions));
        } else if extension.is_some_and(|it| extensions.contains(&it)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A golden model, or a folder of them.
pub fn golden(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")).join(name)
}

/// The golden models in a folder with one of these extensions; there are some.
pub fn golden_models(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let found = files_below(&golden(folder), extensions);
    assert!(!found.is_empty(), "there are no models in {folder}");
    found
}
