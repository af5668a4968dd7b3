//! What the user names, as the library takes it: `-` is standard input, which can be read only once.

use network::Diagnostic;
use std::path::Path;
use vizsla::{Refusal, Source, read_within};

/// How standard input is called.
pub const STDIN: &str = "<stdin>";

/// The file of a path; what comes from standard input is read at once.
pub fn source(path: &Path, what: &str) -> Result<Source, Refusal> {
    if path != Path::new("-") {
        return Ok(Source::file(path));
    }
    let text = read_within(vizsla::LARGEST, std::io::stdin().lock()).map_err(|why| {
        Refusal::because(Diagnostic::error(format!("cannot read the {what} `-`: {why}")))
    })?;
    Ok(Source::text(STDIN, text))
}

/// The content of a file or, for `-`, of standard input; no more than `largest` bytes.
pub fn bytes(path: &Path, largest: u64) -> Result<Vec<u8>, String> {
    if path == Path::new("-") {
        return read_within(largest, std::io::stdin().lock());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    if path.is_dir() { Err("it is a directory".to_string()) } else { read_within(largest, file) }
}

/// The name under which a path appears in messages and reports.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") { STDIN.to_string() } else { path.display().to_string() }
}
