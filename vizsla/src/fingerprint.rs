//! What tells the text of a model from other texts: FNV-1a, 64 bits.
//!
//! It has to notice changes, not attacks: a trace is checked against the model at hand in any case.

/// The fingerprint of texts, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u64);

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Fingerprint {
    /// The fingerprint of a model without what it includes.
    pub fn of(text: &[u8]) -> Fingerprint {
        let mut fingerprint = Fingerprint(BASIS);
        fingerprint.add(text);
        fingerprint
    }

    /// Adds another text, such as an included file.
    pub fn add(&mut self, text: &[u8]) {
        for &byte in text {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    /// The same as a number.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Adds a macro that is defined on the command line.
    pub fn add_macro(&mut self, name: &str, body: &str) {
        self.add(format!("\n#define {name} {body}\n").as_bytes());
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "fnv1a-64:{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_function() {
        assert_eq!(Fingerprint::of(b"").to_string(), "fnv1a-64:cbf29ce484222325");
        assert_eq!(Fingerprint::of(b"a").to_string(), "fnv1a-64:af63dc4c8601ec8c");
        assert_eq!(Fingerprint::of(b"foobar").to_string(), "fnv1a-64:85944171f73967e8");
    }
}
