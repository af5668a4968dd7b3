//! A table of bits.

/// Rows of bits, all of the same length.
pub struct Matrix {
    words: Vec<u64>,
    width: usize,
}

impl Matrix {
    /// A table without any bit set.
    pub fn new(rows: usize, columns: usize) -> Matrix {
        let width = columns.div_ceil(64);
        Matrix { words: vec![0; rows * width], width }
    }
    /// The bits of a row.
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.width..(row + 1) * self.width]
    }
    /// Adds bits to a row; whether that changed it.
    pub fn add(&mut self, row: usize, bits: &[u64]) -> bool {
        let mut changed = false;
        let words = &mut self.words[row * self.width..(row + 1) * self.width];
        for (word, more) in words.iter_mut().zip(bits) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }
}

/// Sets a bit.
pub fn set(bits: &mut [u64], column: u32) {
    bits[column as usize / 64] |= 1 << (column % 64);
}

/// Clears a bit.
pub fn unset(bits: &mut [u64], column: u32) {
    bits[column as usize / 64] &= !(1 << (column % 64));
}

/// Whether a bit is set.
pub fn has(bits: &[u64], column: u32) -> bool {
    bits[column as usize / 64] >> (column % 64) & 1 != 0
}

/// The columns of the bits that are set.
pub fn columns(bits: &[u64]) -> impl Iterator<Item = u32> {
    let in_word = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
    (0_u32..).zip(bits).flat_map(move |(i, &word)| in_word(word).map(move |bit| i * 64 + bit))
}
