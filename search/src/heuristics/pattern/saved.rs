//! Tables as bytes, to be kept between runs.
//!
//! What is written says which parts of the network the table is made of and what their states are worth. It
//! is of use only for the problem it was made for, which whoever keeps it has to see to. Keys and numbers
//! are written one after the other: where they lie in memory is the business of one run.

use abstraction::{Contents, Part, Pattern};
use network::Network;

/// What is said about bytes that no table was written as.
pub const DAMAGED: &str = "the saved table does not fit together";

/// Takes numbers and bytes from the front of what was written.
pub struct Bytes<'b>(pub &'b [u8]);

impl<'b> Bytes<'b> {
    /// The next bytes, so many.
    pub fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next number.
    pub fn number(&mut self) -> Option<u32> {
        self.take(size_of::<u32>())?.try_into().ok().map(u32::from_le_bytes)
    }

    /// The numbers of a list, each made of so many bytes.
    pub fn list<T, const WIDTH: usize>(&mut self, make: fn([u8; WIDTH]) -> T) -> Option<Vec<T>> {
        let count = usize::try_from(u64::from_le_bytes(self.take(8)?.try_into().ok()?)).ok()?;
        let bytes = self.take(count.checked_mul(WIDTH)?)?;
        let (items, _) = bytes.as_chunks::<WIDTH>();
        Some(items.iter().map(|&item| make(item)).collect())
    }
}

/// Appends a list: its length, and its items as bytes.
pub fn write_list<const WIDTH: usize>(
    out: &mut Vec<u8>,
    items: impl ExactSizeIterator<Item = [u8; WIDTH]>,
) {
    out.extend_from_slice(&(items.len() as u64).to_le_bytes());
    items.for_each(|item| out.extend_from_slice(&item));
}

/// What a pattern keeps of each part of a network: nothing, its length, or all of it.
pub fn pattern_codes(network: &Network, pattern: &Pattern) -> Vec<u8> {
    let code = |part: &Part| match part {
        Part::Channel(id) => pattern.contents(*id) as u8,
        part if pattern.keeps(*part) => Contents::Messages as u8,
        _ => Contents::Nothing as u8,
    };
    abstraction::parts(network).iter().map(code).collect()
}

/// The pattern that such a list says.
pub fn pattern_of(network: &Network, codes: &[u8]) -> Option<Pattern> {
    let parts = abstraction::parts(network);
    let mut pattern = Pattern::nothing(network);
    for (&part, &code) in parts.iter().zip(codes) {
        if code != Contents::Nothing as u8 {
            pattern.add(part);
        }
        if let (Part::Channel(id), true) = (part, code == Contents::Lengths as u8) {
            pattern.limit(id, Contents::Lengths);
        }
    }
    (parts.len() == codes.len()).then_some(pattern)
}
