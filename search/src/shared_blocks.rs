//! Blocks of words, equal ones stored once and counted.
//!
//! Different discrete states often have equal zones (of ten Fischer processes one in thirty is
//! different), so sharing them saves most of the memory, and equal numbers mean equal zones.

use network::cancellation;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The number of a block.
pub type BlockId = u32;

const FREE: u32 = u32::MAX;

/// The least number of words that are allocated together.
const CHUNK: usize = 1 << 15;

/// The blocks.
pub struct SharedBlocks<T> {
    chunks: Vec<Vec<T>>,
    blocks: Vec<Block>,
    /// Numbers of blocks that are not in use.
    unused: Vec<BlockId>,
    /// Places of released blocks, by length.
    holes: Vec<Vec<(u32, u32)>>,
    /// Open addressing with linear probing.
    slots: Vec<BlockId>,
    used: usize,
}

#[derive(Clone, Copy)]
struct Block {
    chunk: u32,
    start: u32,
    len: u32,
    uses: u32,
}

impl<T: Copy + Eq + Hash> SharedBlocks<T> {
    /// Nothing yet.
    pub fn new() -> Self {
        SharedBlocks {
            chunks: Vec::new(),
            blocks: Vec::new(),
            unused: Vec::new(),
            holes: Vec::new(),
            slots: vec![FREE; 64],
            used: 0,
        }
    }

    /// The words of a block.
    #[inline]
    pub fn at(&self, id: BlockId) -> &[T] {
        let Block { chunk, start, len, .. } = self.blocks[id as usize];
        &self.chunks[chunk as usize][start as usize..(start + len) as usize]
    }

    /// The block with these words; it is used once more from now on.
    pub fn acquire(&mut self, words: &[T]) -> BlockId {
        if self.used * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(words) & mask;
        while self.slots[slot] != FREE {
            let id = self.slots[slot];
            if self.at(id) == words {
                self.blocks[id as usize].uses += 1;
                return id;
            }
            slot = (slot + 1) & mask;
        }
        let id = self.place(words);
        self.slots[slot] = id;
        self.used += 1;
        id
    }

    /// Ends one use of a block.
    pub fn release(&mut self, id: BlockId) {
        self.blocks[id as usize].uses -= 1;
        if self.blocks[id as usize].uses > 0 {
            return;
        }
        self.forget(id);
        let Block { chunk, start, len, .. } = self.blocks[id as usize];
        if self.holes.len() <= len as usize {
            self.holes.resize(len as usize + 1, Vec::new());
        }
        self.holes[len as usize].push((chunk, start));
        self.unused.push(id);
    }

    fn place(&mut self, words: &[T]) -> BlockId {
        let (chunk, start) = self.room(words);
        let block = Block { chunk, start, len: words.len() as u32, uses: 1 };
        match self.unused.pop() {
            Some(id) => {
                self.blocks[id as usize] = block;
                id
            }
            None => {
                self.blocks.push(block);
                self.blocks.len() as BlockId - 1
            }
        }
    }

    fn room(&mut self, words: &[T]) -> (u32, u32) {
        if let Some((chunk, start)) = self.holes.get_mut(words.len()).and_then(Vec::pop) {
            let from = start as usize;
            self.chunks[chunk as usize][from..from + words.len()].copy_from_slice(words);
            return (chunk, start);
        }
        let fits = |chunk: &Vec<T>| chunk.len() + words.len() <= CHUNK.max(chunk.capacity());
        if !self.chunks.last().is_some_and(fits) {
            let first = self.chunks.is_empty();
            let capacity = if first { words.len() } else { CHUNK.max(words.len()) };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let chunk = self.chunks.len() - 1;
        let start = self.chunks[chunk].len();
        self.chunks[chunk].extend_from_slice(words);
        (chunk as u32, start as u32)
    }

    /// Takes a block out of the table, and moves up those that stand after it.
    fn forget(&mut self, id: BlockId) {
        let mask = self.slots.len() - 1;
        let mut hole = hash(self.at(id)) & mask;
        while self.slots[hole] != id {
            hole = (hole + 1) & mask;
        }
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.slots[at] == FREE {
                break;
            }
            let home = hash(self.at(self.slots[at])) & mask;
            // The block may move to the hole unless its home lies after the hole.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(hole) & mask) {
                self.slots[hole] = self.slots[at];
                hole = at;
            }
        }
        self.slots[hole] = FREE;
        self.used -= 1;
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        cancellation::check_room((mask + 1) * size_of::<BlockId>());
        let old = std::mem::replace(&mut self.slots, vec![FREE; mask + 1]);
        for id in old.into_iter().filter(|&id| id != FREE) {
            let mut slot = hash(self.at(id)) & mask;
            while self.slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = id;
        }
    }

    /// The bytes the blocks take.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|c| c.capacity()).sum::<usize>() * size_of::<T>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.slots.capacity() * size_of::<BlockId>()
    }
}

fn hash<T: Hash>(words: &[T]) -> usize {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Random acquiring and releasing against a map that counts.
    #[test]
    fn counts_like_a_map() {
        let mut blocks: SharedBlocks<i16> = SharedBlocks::new();
        let mut expected: HashMap<Vec<i16>, (BlockId, u32)> = HashMap::new();
        let mut seed = 1u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let pick = (seed >> 33) as i16;
            let words: Vec<i16> =
                (0..pick.rem_euclid(5)).map(|i| pick.rem_euclid(37) * i).collect();
            if seed & (1 << 20) == 0 {
                let id = blocks.acquire(&words);
                let entry = expected.entry(words.clone()).or_insert((id, 0));
                assert_eq!(entry.0, id);
                entry.1 += 1;
            } else if let Some((id, uses)) = expected.get_mut(&words) {
                blocks.release(*id);
                *uses -= 1;
                if *uses == 0 {
                    expected.remove(&words);
                }
            }
            assert_eq!(blocks.used, expected.len());
        }
        for (words, (id, _)) in expected.iter() {
            assert_eq!(blocks.at(*id), &words[..]);
            assert_eq!(blocks.acquire(words), *id);
        }
    }
}
