//! Tightening: closing a matrix, adding constraints, meeting another zone.

use crate::bound::{INFINITY, LE_ZERO, add, add_finite};
use crate::relax::{STEPS, Steps, relax_through};
use crate::zone::mark_empty;

/// Closes an arbitrary matrix and returns whether the zone is non-empty.
pub fn close(zone: &mut [i32], dim: usize) -> bool {
    debug_assert_eq!(zone.len(), dim * dim);
    let mut steps = STEPS;
    (0..dim).all(|pivot| close_through(zone, dim, pivot, &mut steps)) || mark_empty(zone)
}

/// Closes a zone that was canonical before bounds between `touched` clocks were lowered.
///
/// Returns whether the zone is non-empty. Paths need no other clocks as stopovers: between two
/// lowered bounds the old matrix already knows the shortest path.
pub fn close_touched(zone: &mut [i32], dim: usize, touched: &[usize]) -> bool {
    debug_assert_eq!(zone.len(), dim * dim);
    let (mut touched, mut steps) = (touched.iter(), STEPS);
    touched.all(|&pivot| close_through(zone, dim, pivot, &mut steps)) || mark_empty(zone)
}

/// Lowers all bounds by paths through one clock; false if that clock lies on a negative cycle.
///
/// Every negative cycle is seen at the last of its clocks to be handled.
#[inline(always)]
fn close_through(zone: &mut [i32], dim: usize, pivot: usize, steps: &mut Steps) -> bool {
    if zone[pivot * dim + pivot] < LE_ZERO {
        return false;
    }
    relax_through(zone, dim, pivot, |_, row| row[pivot], steps);
    true
}

/// Adds `x_i - x_j` bounded by `bound` and returns whether the zone is non-empty.
pub fn constrain(zone: &mut [i32], dim: usize, i: usize, j: usize, bound: i32) -> bool {
    debug_assert!(zone.len() == dim * dim && i < dim && j < dim);
    if bound >= zone[i * dim + j] {
        return true;
    }
    if add(zone[j * dim + i], bound) < LE_ZERO {
        return mark_empty(zone);
    }
    // A row gains nothing from the new bound unless its bound towards `j` does. Equality must
    // pass, because an earlier block of columns may already have lowered that bound.
    let via = |_, row: &[i32]| {
        let via = add(row[i], bound);
        if via <= row[j] { via } else { INFINITY }
    };
    relax_through(zone, dim, j, via, &mut STEPS.clone());
    true
}

/// Adds an upper bound for each of some clocks, `(x, bound)`, and returns whether the zone is
/// non-empty; for several clocks this is much cheaper than adding them one by one.
///
/// All new bounds lead to clock 0, so a shortest path uses at most one of them.
pub fn constrain_above(zone: &mut [i32], dim: usize, bounds: &[(usize, i32)]) -> bool {
    debug_assert!(zone.len() == dim * dim);
    if bounds.iter().all(|&(x, bound)| bound >= zone[x * dim]) {
        return true;
    }
    let (first, rows) = zone.split_at_mut(dim);
    if bounds.iter().any(|&(x, bound)| add(first[x], bound) < LE_ZERO) {
        return mark_empty(zone);
    }
    let mut empty = false;
    for (k, row) in rows.chunks_exact_mut(dim).enumerate() {
        for &(x, bound) in bounds {
            // None is below `<= 0` here, so that infinity stays at least as large.
            row[0] = row[0].min(add_finite(row[x], bound));
        }
        empty |= add(row[0], first[k + 1]) < LE_ZERO;
    }
    if empty {
        return mark_empty(zone);
    }
    relax_through(zone, dim, 0, |_, row| row[0], &mut STEPS.clone());
    true
}

/// Intersects `zone` with `other` and returns whether the zone is non-empty.
pub fn intersect(zone: &mut [i32], other: &[i32], dim: usize) -> bool {
    debug_assert!(zone.len() == dim * dim && other.len() == dim * dim);
    if clearly_disjoint(zone, other, dim) {
        return mark_empty(zone);
    }
    let mut touched = 0;
    let rows = zone.chunks_exact_mut(dim).zip(other.chunks_exact(dim));
    for (i, (row, limits)) in rows.enumerate() {
        let columns = lower_row(row, limits);
        let ends = if columns == 0 { 0 } else { columns | bit(i) };
        touched |= ends;
    }
    let mut pivots = (0..dim).filter(|&clock| touched & bit(clock) != 0);
    let mut steps = STEPS;
    pivots.all(|pivot| close_through(zone, dim, pivot, &mut steps)) || mark_empty(zone)
}

/// Takes the tighter bound in each column and returns the set of lowered columns.
fn lower_row(row: &mut [i32], limits: &[i32]) -> u64 {
    let mut lowered = 0;
    for (j, (bound, &limit)) in row.iter_mut().zip(limits).enumerate() {
        if limit < *bound {
            *bound = limit;
            lowered |= bit(j);
        }
    }
    lowered
}

/// The place of a clock in a set of 64; clocks beyond share places, which only adds to the set.
pub(crate) fn bit(clock: usize) -> u64 {
    1 << (clock % 64)
}

/// Whether two zones are disjoint because of one difference that their bounds cannot share.
///
/// True is certain, false is not: see [`disjoint`].
pub fn clearly_disjoint(zone: &[i32], other: &[i32], dim: usize) -> bool {
    debug_assert!(zone.len() == dim * dim && other.len() == dim * dim);
    zone.chunks_exact(dim).enumerate().any(|(i, row)| {
        let opposite = other[i..].iter().step_by(dim);
        row.iter().zip(opposite).any(|(&a, &b)| add(a, b) < LE_ZERO)
    })
}

/// Whether two zones have no point in common; `scratch` is overwritten and only grows.
pub fn disjoint(zone: &[i32], other: &[i32], dim: usize, scratch: &mut Vec<i32>) -> bool {
    if clearly_disjoint(zone, other, dim) {
        return true;
    }
    scratch.clear();
    scratch.extend_from_slice(zone);
    !intersect(scratch, other, dim)
}
