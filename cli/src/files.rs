//! Files that are written: whole or not at all, and never over what was read.

use std::path::{Path, PathBuf};

/// Writes a file beside its place and moves it there, so that nobody ever finds half of it.
pub fn write(path: &Path, content: impl AsRef<[u8]>, inputs: &[PathBuf]) -> Result<(), String> {
    refuse_input(path, inputs)?;
    write_beside(path, content.as_ref()).map_err(|error| error.to_string())
}

/// Says no if a file that is to be written was read.
pub fn refuse_input(path: &Path, inputs: &[PathBuf]) -> Result<(), String> {
    let Ok(place) = path.canonicalize() else { return Ok(()) };
    match inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == place)) {
        true => Err("it is part of the input".to_string()),
        false => Ok(()),
    }
}

fn write_beside(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let known = std::fs::metadata(path).ok();
    // Terminals, pipes and the like cannot be replaced.
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return std::fs::write(path, content);
    }
    // Links stay links.
    let path = if known.is_some() { path.canonicalize()? } else { path.to_path_buf() };
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(name);
    let written = std::fs::write(&beside, content)
        .and_then(|()| match known {
            Some(known) => std::fs::set_permissions(&beside, known.permissions()),
            None => Ok(()),
        })
        .and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        // Nothing is lost if it stays.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, model) = (folder.path().join("t.json"), folder.path().join("m.xta"));
        let inputs = [model.clone()];
        std::fs::write(&model, "a model").expect("a file");
        assert_eq!(write(&path, "one", &inputs), Ok(()));
        assert_eq!(write(&path, "two", &inputs), Ok(()));
        assert!(write(&model, "three", &inputs).is_err());
        assert!(write(&folder.path().join("none/t.json"), "four", &inputs).is_err());
        let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
        assert_eq!((read(&path), read(&model)), ("two".to_string(), "a model".to_string()));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
