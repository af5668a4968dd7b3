//! Reads files, each of them once: a model that is loaded again is the same model.

use crate::Source;
use network::Diagnostic;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No model comes near this, but endless devices would fill the memory.
pub const LARGEST: u64 = 1 << 28;

/// The text of a file.
pub struct File {
    /// Its name in messages.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
}

/// Reads files and remembers them.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    known: BTreeMap<PathBuf, Vec<u8>>,
}

impl Reader {
    /// Reads a whole text, or says why it cannot be read.
    pub fn read(&mut self, source: &Source, what: &str) -> Result<File, Box<Diagnostic>> {
        let bytes = match &source.text {
            Some(text) => Ok(text.clone()),
            None => self.bytes(&source.path),
        };
        let name = source.name();
        match bytes {
            Ok(bytes) => Ok(File { name, bytes }),
            Err(why) => {
                let message = format!("cannot read the {what} `{name}`: {why}");
                Err(Box::new(Diagnostic::error(message)))
            }
        }
    }

    fn bytes(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        if path.is_dir() {
            return Err("it is a directory".to_string());
        }
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        let bytes = read_within(LARGEST, file)?;
        self.known.insert(path.to_path_buf(), bytes.clone());
        Ok(bytes)
    }
}

/// All that there is to read, unless it is more than `largest` bytes.
pub fn read_within(largest: u64, from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(largest + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    match bytes.len() as u64 > largest {
        true => Err(format!("it is larger than {} MiB", largest >> 20)),
        false => Ok(bytes),
    }
}

/// Where a path named in a file may lead: beside that file, or from the current folder.
pub fn candidates(path: &str, named_in: &Path) -> [PathBuf; 2] {
    let beside = named_in.parent().unwrap_or(Path::new("")).join(path);
    [beside, PathBuf::from(path)]
}
