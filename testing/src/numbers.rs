//! A small generator of random numbers (splitmix64): the same on every machine.

/// A stream of numbers that depends only on its seed.
#[derive(Clone, Debug)]
pub struct Numbers {
    state: u64,
}

impl Numbers {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Numbers { state: seed.wrapping_mul(0xD134_2543_DE82_EF95) }
    }
    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A number from 0 to below `count`, or 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.draw() % count.max(1) as u64) as usize
    }
    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        self.within(low.into(), high.into()) as i32
    }
    /// The same for large ones.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as usize) as i64
    }
    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent as usize
    }
    /// One of the items, of which there are some.
    pub fn one<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
    /// One of the items, if there are any.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}
