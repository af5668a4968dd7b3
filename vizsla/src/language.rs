//! Which language a model is written in: what the user says, else the ending of its name, else what
//! stands in it.

use std::path::Path;

/// The languages of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// UPPAAL: .xml, .xta and .ta
    Uppaal,
    /// Promela, the language of Spin
    Promela,
    /// The text form of the intermediate representation
    Network,
}

/// Words of Promela that hardly name anything in UPPAAL.
const PROMELA: &[&str] = &["proctype", "D_proctype", "mtype", "inline", "d_step"];
/// Words that are Promela before `{`.
const BEFORE_BRACE: &[&str] = &["init", "never", "trace", "notrace", "atomic"];

/// The language of a model.
pub fn language(path: &Path, bytes: &[u8]) -> Language {
    let extension = path.extension().map(|it| it.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        _ if is_network(bytes) => Language::Network,
        Some("pml" | "pm" | "prm" | "prom" | "promela" | "spin") => Language::Promela,
        Some("xml" | "xta" | "ta") => Language::Uppaal,
        Some("network") => Language::Network,
        _ => by_content(bytes),
    }
}

fn is_network(bytes: &[u8]) -> bool {
    let rest = bytes.trim_ascii_start().strip_prefix(b"network");
    rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// What only Promela has decides, wherever it stands outside comments and strings.
fn by_content(bytes: &[u8]) -> Language {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    if bytes.first() == Some(&b'<') {
        return Language::Uppaal;
    }
    let mut rest = bytes;
    let mut starts_line = true;
    while let Some(&first) = rest.first() {
        let length = token(rest);
        let (text, after) = rest.split_at(length);
        let word = std::str::from_utf8(text).unwrap_or("");
        // A directive for the preprocessor, which UPPAAL does not have.
        let is_directive = starts_line && first == b'#';
        let opens = after.trim_ascii_start().first() == Some(&b'{');
        if is_directive || PROMELA.contains(&word) || opens && BEFORE_BRACE.contains(&word) {
            return Language::Promela;
        }
        starts_line = text.ends_with(b"\n") || starts_line && first.is_ascii_whitespace();
        rest = after;
    }
    Language::Uppaal
}

/// The length of the word, comment, string or other character at the beginning of a text.
fn token(text: &[u8]) -> usize {
    let until = |end: &[u8], from: usize| {
        let found = text[from..].windows(end.len()).position(|it| it == end);
        found.map_or(text.len(), |at| from + at + end.len())
    };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match text {
        [b'/', b'/', ..] => until(b"\n", 2),
        [b'/', b'*', ..] => until(b"*/", 2),
        [b'"', ..] => until(b"\"", 1),
        [first, ..] if is_word(first) => text.iter().take_while(|it| is_word(it)).count(),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Language {
        language(Path::new(path), text.as_bytes())
    }

    #[test]
    fn the_ending_decides_where_it_is_known() {
        assert_eq!(of("m.pml", "clock x;"), Language::Promela);
        assert_eq!(of("m.XTA", "proctype"), Language::Uppaal);
        assert_eq!(of("m.xta", " network t"), Language::Network);
        assert_eq!(of("m.network", "// A comment.\nnetwork 1"), Language::Network);
    }

    #[test]
    fn otherwise_the_content_does() {
        let promela = [
            "#define N 3\nint x;",
            "  # include \"a\"",
            "/* clock */ int x; // system\nactive proctype P() { skip }",
            "int x; init\n{ x = 1 }",
            "int clock, state; chan system; mtype = { process }",
            "int x; never { true }",
            "\u{feff}#include \"x\"",
        ];
        for text in promela {
            assert_eq!(of("model.txt", text), Language::Promela, "{text}");
        }
        let uppaal = [
            "<?xml version=\"1.0\"?><nta>proctype</nta>",
            "int x; process P() { state a; init a; }",
            "// proctype \n const int N = 3; clock x, y; // byte",
            "chan c; bool init_done; int init; system P;",
            "",
        ];
        for text in uppaal {
            assert_eq!(of("model", text), Language::Uppaal, "{text}");
        }
    }
}
