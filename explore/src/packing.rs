//! Packs words by the ranges of their values into as few bytes as there are bits, nearly.
//!
//! Neighbours that together have at most 64 bits form a group, which is written and read as one
//! number: states are packed once per step and unpacked once per state, so this is on the hot path.

use std::ops::Range;

/// How one word is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    low: i32,
    bits: u32,
}

/// Where some words of a state lie in its packed form.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    places: Vec<Place>,
    groups: Vec<Group>,
    /// Words that always have the same value, other than 0.
    fixed: Vec<(u32, i32)>,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    word: u32,
    low: i32,
    shift: u32,
    mask: u32,
}

#[derive(Clone, Debug)]
struct Group {
    places: Range<usize>,
    /// Its first byte; the next group begins where its bits end.
    byte: usize,
}

const GROUP_BITS: u32 = 64;
const GROUP_BYTES: usize = 8;

impl Field {
    /// The field of a word with values from `low` to `high`.
    pub fn new(low: i32, high: i32) -> Field {
        let span = (high as i64 - low as i64) as u64;
        Field { low, bits: GROUP_BITS - span.leading_zeros() }
    }
}

impl Packing {
    /// The packing of words with these fields, the first of which has the given number.
    pub fn new(first: usize, fields: &[Field]) -> Packing {
        let mut packing = Packing::default();
        let mut shift = GROUP_BITS;
        for (word, &Field { low, bits }) in (first..).zip(fields) {
            if bits == 0 {
                packing.fixed.extend((low != 0).then_some((word as u32, low)));
                continue;
            }
            if shift + bits > GROUP_BITS {
                packing.open_group(shift);
                shift = 0;
            }
            let mask = ((1u64 << bits) - 1) as u32;
            packing.places.push(Place { word: word as u32, low, shift, mask });
            shift += bits;
            if let Some(group) = packing.groups.last_mut() {
                group.places.end = packing.places.len();
            }
        }
        packing.end_group(shift);
        packing
    }

    /// Starts a group after one with so many bits.
    fn open_group(&mut self, bits: u32) {
        self.end_group(bits);
        let places = self.places.len()..self.places.len();
        self.groups.push(Group { places, byte: self.bytes });
    }

    fn end_group(&mut self, bits: u32) {
        if let Some(group) = self.groups.last() {
            self.bytes = group.byte + bits.div_ceil(8) as usize;
        }
    }

    /// The number of bytes of the packed form.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Appends the packed form of a state's words.
    pub fn pack(&self, state: &[i32], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + self.bytes + GROUP_BYTES, 0);
        for group in &self.groups {
            // What is written beyond the bits of a group is 0 and gives way to the next one.
            let at = start + group.byte;
            let number = self.number(group, state).to_le_bytes();
            out[at..at + GROUP_BYTES].copy_from_slice(&number);
        }
        out.truncate(start + self.bytes);
    }

    fn number(&self, group: &Group, state: &[i32]) -> u64 {
        let mut number = 0;
        for place in &self.places[group.places.clone()] {
            let value = state[place.word as usize].wrapping_sub(place.low) as u32;
            number |= u64::from(value) << place.shift;
        }
        number
    }

    /// Writes packed words back to a state; those that are always 0 are expected to be 0.
    pub fn unpack(&self, bytes: &[u8], state: &mut [i32]) {
        for group in &self.groups {
            let number = number_at(bytes, group.byte);
            for place in &self.places[group.places.clone()] {
                let value = (number >> place.shift) as u32 & place.mask;
                state[place.word as usize] = place.low.wrapping_add(value as i32);
            }
        }
        self.fixed.iter().for_each(|&(word, value)| state[word as usize] = value);
    }
}

/// The number that begins at a byte; bytes that are not there are 0.
fn number_at(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..].first_chunk() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => bytes[at..].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit pattern of interest survives, in as many bytes as promised.
    #[test]
    fn words_survive() {
        let ranges =
            [(0, 1), (-3, 4), (i32::MIN, i32::MAX), (7, 7), (0, 255), (-128, 127), (0, 0), (1, 3)];
        for count in 0..40 {
            let chosen: Vec<(i32, i32)> = (0..count).map(|i| ranges[i * 5 % 8]).collect();
            let fields: Vec<Field> = chosen.iter().map(|&(l, h)| Field::new(l, h)).collect();
            let packing = Packing::new(2, &fields);
            for pick in 0..4 {
                let value = |(i, &(low, high)): (usize, &(i32, i32))| match (i + pick) % 4 {
                    0 => low,
                    1 => high,
                    2 => (low as i64 + (high as i64 - low as i64) / 3) as i32,
                    _ => (high as i64 - (high as i64 - low as i64) / 5) as i32,
                };
                let mut state = vec![-1, -2];
                state.extend(chosen.iter().enumerate().map(value));
                let mut packed = vec![9];
                packing.pack(&state, &mut packed);
                assert_eq!(packed.len(), 1 + packing.bytes());
                // Words that are always 0 are left alone.
                let mut back = vec![0; state.len()];
                packing.unpack(&packed[1..], &mut back);
                assert_eq!(back[2..], state[2..]);
            }
        }
    }

    #[test]
    fn little_room_is_wasted() {
        let fields: Vec<Field> = (0..100).map(|i| Field::new(0, (1 << (i % 9)) - 1)).collect();
        let bits: u32 = fields.iter().map(|f| f.bits).sum();
        assert!(Packing::new(0, &fields).bytes() <= bits.div_ceil(8) as usize * 11 / 10);
    }
}
