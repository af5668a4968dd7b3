//! Assigning to clocks.

use crate::bound::{INFINITY, LE_ZERO, add, le};

/// Sets clock `x` to the constant `c`, which must not be negative.
pub fn reset(zone: &mut [i32], dim: usize, x: usize, c: i32) {
    debug_assert!(zone.len() == dim * dim && 0 < x && x < dim && c >= 0);
    let (above, below) = (le(c), le(-c));
    let (first, rest) = zone.split_at_mut(dim);
    let row = &mut rest[(x - 1) * dim..x * dim];
    for (bound, &lower) in row.iter_mut().zip(&*first) {
        // Bounds from clock 0 are never infinite, and `above` is not strict.
        *bound = above - 1 + lower;
    }
    for row in zone.chunks_exact_mut(dim) {
        row[x] = add(row[0], below);
    }
    zone[x * dim + x] = LE_ZERO;
}

/// Sets clock `x` to the value of clock `y`.
pub fn copy(zone: &mut [i32], dim: usize, x: usize, y: usize) {
    debug_assert!(zone.len() == dim * dim && 0 < x && x < dim && y < dim);
    zone.copy_within(y * dim..(y + 1) * dim, x * dim);
    for row in zone.chunks_exact_mut(dim) {
        row[x] = row[y];
    }
}

/// Gives clock `x` any value that is not negative.
pub fn free(zone: &mut [i32], dim: usize, x: usize) {
    debug_assert!(zone.len() == dim * dim && 0 < x && x < dim);
    zone[x * dim..(x + 1) * dim].fill(INFINITY);
    for row in zone.chunks_exact_mut(dim) {
        row[x] = row[0];
    }
    zone[x * dim + x] = LE_ZERO;
}
