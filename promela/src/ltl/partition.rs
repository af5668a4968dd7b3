//! States that cannot be told apart, by refining a partition (Moore 1956).

use super::Fallible;
use network::cancellation;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The coarsest partition in which the states of a block look alike; `look` sees a state's moves
/// with blocks for their targets. Blocks are numbered in the order of their first states.
pub(super) fn partition<L: Eq + Hash>(
    states: usize,
    mut look: impl FnMut(usize, &[usize]) -> Fallible<L>,
) -> Fallible<Vec<usize>> {
    let mut blocks = vec![0; states];
    let mut count = 1;
    loop {
        let mut numbers: FxHashMap<(usize, L), usize> = FxHashMap::default();
        let mut finer = Vec::with_capacity(states);
        for (state, &block) in blocks.iter().enumerate() {
            cancellation::check();
            let key = (block, look(state, &blocks)?);
            let next = numbers.len();
            finer.push(*numbers.entry(key).or_insert(next));
        }
        let stable = numbers.len() == count;
        (blocks, count) = (finer, numbers.len());
        if stable {
            return Ok(blocks);
        }
    }
}
