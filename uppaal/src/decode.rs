//! From the bytes of a file to text: UTF-8 and UTF-16 with or without marks, and Latin-1.

use std::borrow::Cow;

/// Text, with a remark if its encoding had to be guessed.
pub(crate) struct Decoded {
    pub text: String,
    pub remark: Option<String>,
}

/// Offsets are 32-bit; no hand-written or generated model comes near this.
const LARGEST: usize = 1 << 30;

/// Decodes the bytes of a model or query file, or says why they are not text.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    if bytes.len() > LARGEST {
        return Err("the file is larger than 1 GiB".to_string());
    }
    let decoded = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest)?,
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes)?,
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes)?,
        _ if declares_latin1(bytes) => plain(latin1(bytes)),
        _ => utf8(bytes)?,
    };
    refuse_binary(decoded)
}

fn plain(text: String) -> Decoded {
    Decoded { text, remark: None }
}

fn utf8(bytes: &[u8]) -> Result<Decoded, String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(plain(text.to_string())),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
            let remark =
                format!("line {} is not valid UTF-8; the file is read as Latin-1", line + 1);
            Ok(Decoded { text: latin1(bytes), remark: Some(remark) })
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Decoded, String> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    match text {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(plain(text)),
        _ => Err("the file looks like UTF-16 but is damaged".to_string()),
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| byte as char).collect()
}

fn declares_latin1(bytes: &[u8]) -> bool {
    let head: Cow<str> = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
    let head = head.trim_start().to_ascii_lowercase();
    let Some(declaration) = head.strip_prefix("<?xml").and_then(|rest| rest.split("?>").next())
    else {
        return false;
    };
    ["iso-8859-1", "latin1", "latin-1", "windows-1252", "us-ascii"]
        .iter()
        .any(|name| declaration.contains(name))
}

/// Control characters other than white space never occur in a model.
fn refuse_binary(decoded: Decoded) -> Result<Decoded, String> {
    let strange = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
    let count = decoded.text.chars().filter(|&c| strange(c)).count();
    if decoded.text.contains('\0') || count > 8 {
        return Err("the file is binary, not text".to_string());
    }
    Ok(decoded)
}
