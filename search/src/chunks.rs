//! A vector that grows by chunks: nothing is ever copied, and little memory lies idle.

use std::ops::{Index, IndexMut};

const BITS: u32 = 10;
const CHUNK: usize = 1 << BITS;

/// A vector in chunks.
#[derive(Debug)]
pub struct Chunks<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Chunks<T> {
    /// Nothing yet.
    pub fn new() -> Self {
        Chunks { chunks: Vec::new(), len: 0 }
    }

    /// Adds an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.len.is_multiple_of(CHUNK) {
            // The first chunk grows as vectors do, so that small searches stay small.
            let capacity = if self.len == 0 { 64 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity));
        }
        self.len += 1;
        if let Some(last) = self.chunks.last_mut() {
            last.push(item);
        }
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.capacity()).sum::<usize>() * size_of::<T>()
    }
}

impl<T> Index<u32> for Chunks<T> {
    type Output = T;
    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.chunks[(at >> BITS) as usize][at as usize & (CHUNK - 1)]
    }
}

impl<T> IndexMut<u32> for Chunks<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.chunks[(at >> BITS) as usize][at as usize & (CHUNK - 1)]
    }
}
