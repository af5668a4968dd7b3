//! From the bytes of a file to text: UTF-8 and UTF-16 with or without marks, and Latin-1.

/// Text, with a remark if its encoding had to be guessed.
pub struct Decoded {
    /// The text.
    pub text: String,
    /// What was guessed.
    pub remark: Option<String>,
}

/// How bytes stand for characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or Latin-1 with a remark if it is none.
    Utf8,
    /// UTF-16, lower byte first.
    Utf16Little,
    /// UTF-16, upper byte first.
    Utf16Big,
    /// Latin-1.
    Latin1,
}

/// Decodes the bytes of a file, or says why they are not text; without a mark they are `unmarked`.
pub fn decode(bytes: &[u8], unmarked: Encoding) -> Result<Decoded, String> {
    let (encoding, rest) = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => (Encoding::Utf8, rest),
        [0xFF, 0xFE, rest @ ..] => (Encoding::Utf16Little, rest),
        [0xFE, 0xFF, rest @ ..] => (Encoding::Utf16Big, rest),
        _ => (unmarked, bytes),
    };
    refuse_binary(match encoding {
        Encoding::Utf8 => utf8(rest),
        Encoding::Utf16Little => plain(utf16(rest, u16::from_le_bytes)?),
        Encoding::Utf16Big => plain(utf16(rest, u16::from_be_bytes)?),
        Encoding::Latin1 => plain(latin1(rest)),
    })
}

fn plain(text: String) -> Decoded {
    Decoded { text, remark: None }
}

fn utf8(bytes: &[u8]) -> Decoded {
    match std::str::from_utf8(bytes) {
        Ok(text) => plain(text.to_string()),
        Err(error) => {
            let line = bytes[..error.valid_up_to()].iter().filter(|&&b| b == b'\n').count();
            let remark =
                format!("line {} is not valid UTF-8; the file is read as Latin-1", line + 1);
            Decoded { text: latin1(bytes), remark: Some(remark) }
        }
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).collect();
    match text {
        Ok(text) if bytes.len().is_multiple_of(2) => Ok(text),
        _ => Err("the file looks like UTF-16 but is damaged".to_string()),
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| byte as char).collect()
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
