//! Letting time pass, forwards and backwards.

use crate::bound::{INFINITY, LE_ZERO};

/// Lets any amount of time pass.
#[inline]
pub fn up(zone: &mut [i32], dim: usize) {
    debug_assert_eq!(zone.len(), dim * dim);
    for bound in zone.iter_mut().step_by(dim).skip(1) {
        *bound = INFINITY;
    }
}

/// Lets time pass while the `stopped` clocks stand still.
///
/// The reached set need not be a zone; the result is one that contains it. Stopped clocks behave
/// like the constant zero: a running clock loses its upper bounds relative to them.
pub fn up_with_stopped(zone: &mut [i32], dim: usize, stopped: &[bool]) {
    debug_assert!(zone.len() == dim * dim && stopped.len() == dim);
    let rows = zone.chunks_exact_mut(dim).zip(stopped).skip(1);
    for (row, _) in rows.filter(|(_, stopped)| !**stopped) {
        row[0] = INFINITY;
        for (bound, &stopped) in row.iter_mut().zip(stopped).skip(1) {
            *bound = if stopped { INFINITY } else { *bound };
        }
    }
}

/// Makes the set of all points from which time alone leads into the zone.
pub fn down(zone: &mut [i32], dim: usize) {
    debug_assert_eq!(zone.len(), dim * dim);
    let (lower, rows) = zone.split_at_mut(dim);
    lower.fill(LE_ZERO);
    for row in rows.chunks_exact(dim) {
        for (lower, &bound) in lower.iter_mut().zip(row) {
            *lower = bound.min(*lower);
        }
    }
}
