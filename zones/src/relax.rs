//! The inner loop of closing: lower the rows of a zone by paths through one pivot clock.
//!
//! Rows are handled four words at a time, the width of a baseline vector register. A last,
//! partial group overlaps the one before it: lowering a word twice changes nothing.

use crate::bound::{INFINITY, LIMIT};

/// Columns handled together, so that the pivot's row fits into a buffer on the stack.
const BLOCK: usize = 32;
const LANES: usize = 4;

/// Room for a block of a pivot's row, reused from pivot to pivot.
pub(crate) type Steps = [i32; BLOCK];

/// An empty block.
pub(crate) const STEPS: Steps = [0; BLOCK];

/// Stands for infinity in a pivot row: plus any finite bound it is still at least `INFINITY`.
const FAR: i32 = i32::MAX - 2 * LIMIT - 1;

/// Lowers every row to `via + pivot row`; an infinite `via(number, row)` leaves the row alone.
///
/// `via` is asked once per block of columns, so its answer must not depend on words that this
/// operation lowers.
#[inline(always)]
pub(crate) fn relax_through(
    zone: &mut [i32],
    dim: usize,
    pivot: usize,
    via: impl Fn(usize, &[i32]) -> i32,
    steps: &mut Steps,
) {
    for start in (0..dim).step_by(BLOCK) {
        let width = BLOCK.min(dim - start);
        let from = pivot * dim + start;
        let steps = &mut steps[..width];
        widen(steps, &zone[from..from + width]);
        for (number, row) in zone.chunks_exact_mut(dim).enumerate() {
            let bound = via(number, row);
            if bound != INFINITY {
                relax(&mut row[start..start + width], steps, bound);
            }
        }
    }
}

/// Copies a pivot row with its infinite words made large enough to survive any sum.
#[inline(always)]
fn widen(steps: &mut [i32], row: &[i32]) {
    for (step, &bound) in steps.iter_mut().zip(row) {
        *step = if bound == INFINITY { FAR } else { bound };
    }
}

/// Lowers one row to `via + steps`.
#[inline(always)]
fn relax(row: &mut [i32], steps: &[i32], via: i32) {
    // A sum drops the strictness bit unless both parts have it: `base + (step & keep)`.
    let (base, keep) = (via & !1, via | !1);
    let lower = |bound: i32, step: i32| bound.min(base + (step & keep));
    let Some((row_tail, tail)) = row.last_chunk::<LANES>().zip(steps.last_chunk::<LANES>()) else {
        for (bound, &step) in row.iter_mut().zip(steps) {
            *bound = lower(*bound, step);
        }
        return;
    };
    let lowered: [i32; LANES] = std::array::from_fn(|lane| lower(row_tail[lane], tail[lane]));
    let whole = row.chunks_exact_mut(LANES).zip(steps.chunks_exact(LANES));
    for (bounds, steps) in whole {
        for lane in 0..LANES {
            bounds[lane] = lower(bounds[lane], steps[lane]);
        }
    }
    if let Some(tail) = row.last_chunk_mut::<LANES>() {
        *tail = lowered;
    }
}
