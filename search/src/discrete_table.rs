//! Packed discrete parts of states, each stored once and found by hashing.

use network::cancellation;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// What a slot holds that has no tag.
const FREE: u32 = u32::MAX;

/// How many discrete parts a chunk of the arena holds.
const PARTS: usize = 1 << 10;

/// Chunks of large parts begin with this many bytes: a thousand parts may be more than there is.
const LARGE_CHUNK: usize = 1 << 20;

/// Packed discrete parts of equal length: an arena of bytes and a table of numbers into it.
pub struct DiscreteTable {
    width: usize,
    /// In chunks, so that nothing is copied and little memory lies idle.
    chunks: Vec<Vec<u8>>,
    count: usize,
    /// Open addressing with linear probing; 0 marks a free slot. A tag holds bits of the hash, so
    /// that other parts, which lie elsewhere in memory, are hardly ever looked at in vain.
    tags: Vec<u8>,
    slots: Vec<u32>,
}

impl DiscreteTable {
    /// An empty table of parts with so many bytes.
    pub fn new(width: usize) -> Self {
        let slots = 64;
        let (chunks, tags, slots) = (Vec::new(), vec![0; slots], vec![FREE; slots]);
        DiscreteTable { width, chunks, count: 0, tags, slots }
    }

    /// The discrete part with a number.
    #[inline]
    pub fn at(&self, id: u32) -> &[u8] {
        let from = id as usize % PARTS * self.width;
        &self.chunks[id as usize / PARTS][from..from + self.width]
    }

    /// The number of a discrete part, and whether it was known.
    pub fn insert(&mut self, hash: usize, packed: &[u8]) -> (u32, bool) {
        if self.count * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let (mut slot, tag) = (hash & mask, tag(hash));
        while self.tags[slot] != 0 {
            if self.tags[slot] == tag && self.at(self.slots[slot]) == packed {
                return (self.slots[slot], true);
            }
            slot = (slot + 1) & mask;
        }
        let id = self.count as u32;
        (self.tags[slot], self.slots[slot]) = (tag, id);
        self.append(packed);
        (id, false)
    }

    /// The number of bytes of a part.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.count
    }

    fn append(&mut self, packed: &[u8]) {
        if self.count.is_multiple_of(PARTS) {
            // The first chunk grows as vectors do, so that small searches stay small.
            let parts = if self.count == 0 { 64 } else { PARTS };
            self.chunks.push(Vec::with_capacity((parts * self.width).min(LARGE_CHUNK)));
        }
        if let Some(last) = self.chunks.last_mut() {
            last.extend_from_slice(packed);
        }
        self.count += 1;
    }

    /// Reads what looking up will read: nothing depends on the values, so the reads overlap.
    pub fn touch(&self, hashes: impl Iterator<Item = usize> + Clone) {
        let mask = self.slots.len() - 1;
        let mut seen = 0;
        for hash in hashes.clone() {
            seen ^= u32::from(self.tags[hash & mask]) ^ self.slots[hash & mask];
        }
        std::hint::black_box(seen);
        let mut seen = 0;
        for hash in hashes {
            let id = self.slots[hash & mask];
            if (id as usize) < self.count && self.width > 0 {
                seen ^= self.at(id)[0];
            }
        }
        std::hint::black_box(seen);
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        cancellation::check_room((mask + 1) * (size_of::<u8>() + size_of::<u32>()));
        let (mut tags, mut slots) = (vec![0; mask + 1], vec![FREE; mask + 1]);
        for id in 0..self.count as u32 {
            if (id as usize).is_multiple_of(PARTS) {
                cancellation::check();
            }
            let hash = hash(self.at(id));
            let mut slot = hash & mask;
            while tags[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            (tags[slot], slots[slot]) = (tag(hash), id);
        }
        (self.tags, self.slots) = (tags, slots);
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        let parts: usize = self.chunks.iter().map(Vec::capacity).sum();
        parts + self.tags.capacity() + self.slots.capacity() * 4
    }
}

/// The part of a hash that a tag holds: never 0, and none of the bits that chose the slot.
fn tag(hash: usize) -> u8 {
    (hash >> (usize::BITS - 8)) as u8 | 1
}

/// The hash of a packed part.
pub fn hash(bytes: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish() as usize
}
