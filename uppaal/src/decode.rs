//! From the bytes of a file to text, by what XML says of its own encoding.

use source::{Decoded, Encoding};

/// Offsets are 32-bit; no hand-written or generated model comes near this.
const LARGEST: usize = 1 << 30;

/// Decodes the bytes of a model or query file, or says why they are not text.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    if bytes.len() > LARGEST {
        return Err("the file is larger than 1 GiB".to_string());
    }
    let unmarked = match bytes {
        [b'<', 0, ..] => Encoding::Utf16Little,
        [0, b'<', ..] => Encoding::Utf16Big,
        _ if declares_latin1(bytes) => Encoding::Latin1,
        _ => Encoding::Utf8,
    };
    source::decode(bytes, unmarked)
}

fn declares_latin1(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let head = head.trim_start().to_ascii_lowercase();
    let Some(declaration) = head.strip_prefix("<?xml").and_then(|rest| rest.split("?>").next())
    else {
        return false;
    };
    ["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii"]
        .iter()
        .any(|name| declaration.contains(name))
}
