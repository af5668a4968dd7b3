//! From the bytes of a file to text: UTF-8, UTF-16 with a mark, and Latin-1.

/// Text, with a remark if its encoding had to be guessed.
pub(crate) struct Decoded {
    pub text: String,
    pub remark: Option<String>,
}

/// Offsets are 32-bit, and no model comes near this.
const LARGEST: usize = 1 << 28;

/// Decodes the bytes of a file, or says why they are not text.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded, String> {
    if bytes.len() > LARGEST {
        return Err("the file is larger than 256 MiB".to_string());
    }
    let decoded = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8(rest),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes)?,
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes)?,
        _ => utf8(bytes),
    };
    refuse_binary(decoded)
}

fn utf8(bytes: &[u8]) -> Decoded {
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: text.to_string(), remark: None },
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
            let remark =
                format!("line {} is not valid UTF-8; the file is read as Latin-1", line + 1);
            let text = bytes.iter().map(|&byte| byte as char).collect();
            Decoded { text, remark: Some(remark) }
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Decoded, String> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    match text {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(Decoded { text, remark: None }),
        _ => Err("the file looks like UTF-16 but is damaged".to_string()),
    }
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
