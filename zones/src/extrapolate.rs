//! The abstraction `Extra_LU+`: forget bounds that no comparison of the model can see.
//!
//! Closing afterwards is cheaper than a full closing, because bounds were only raised: one that
//! was kept is as tight as before. A clock above its U has bounds from clock 0 alone, one above
//! its L bounds nothing, so neither is a stopover on a shorter path; and row 0 stays closed.

use crate::bound::{INFINITY, LE_ZERO, le, lt};
use crate::close::bit;
use crate::relax::{STEPS, relax_through};

const BLOCK: usize = 32;

/// Applies `Extra_LU+` and returns whether it raised a bound; if not, the zone is unchanged.
///
/// `lower[x]` and `upper[x]` are the largest constants that `x` is compared with from below
/// (`>`, `>=`) and from above; [`NO_BOUND`](crate::NO_BOUND) or any negative number if there is
/// none; both are 0 for clock 0. A clock with `x > L(x)` counts as above L, where the original
/// asks for a larger constant; it is just as sound and forgets a little more.
pub fn extrapolate_lu_plus(zone: &mut [i32], dim: usize, lower: &[i32], upper: &[i32]) -> bool {
    debug_assert!(zone.len() == dim * dim && lower.len() == dim && upper.len() == dim);
    debug_assert!(lower[0] == 0 && upper[0] == 0);
    let raised = raise_rows(zone, dim, lower, upper);
    let loosened = loosen_lower_bounds(&mut zone[..dim], upper);
    if raised.any | loosened {
        close_raised(zone, dim, upper, raised.detours);
    }
    raised.any | loosened
}

/// Applies `Extra_M+`: one largest constant per clock, whatever the comparison.
pub fn extrapolate_m_plus(zone: &mut [i32], dim: usize, largest: &[i32]) -> bool {
    extrapolate_lu_plus(zone, dim, largest, largest)
}

/// Whether a clock with this bound from clock 0 always exceeds a compared constant.
#[inline]
fn is_above(from_zero: i32, constant: i32) -> bool {
    constant < 0 || from_zero <= lt(-constant)
}

/// What raising bounds to infinity did.
#[derive(Clone, Copy, Default)]
struct Raised {
    any: bool,
    /// The rows with a raised bound that paths through other clocks may still imply.
    detours: u64,
}

/// Raises the bounds outside row 0 that are out of sight; reads row 0 before it is loosened.
fn raise_rows(zone: &mut [i32], dim: usize, lower: &[i32], upper: &[i32]) -> Raised {
    let (first, rows) = zone.split_at_mut(dim);
    let mut raised = Raised::default();
    let mut limits = [0; BLOCK];
    for start in (0..dim).step_by(BLOCK) {
        let width = BLOCK.min(dim - start);
        let limits = &mut limits[..width];
        limit_columns(limits, &first[start..], &upper[start..]);
        for (i, row) in (1..).zip(rows.chunks_exact_mut(dim)) {
            // Infinite for now: the diagonal must neither count as raised nor stay raised.
            row[i] = INFINITY;
            let row_part = &mut row[start..start + width];
            if is_above(first[i], lower[i]) {
                raised.any |= forget_row(row_part);
            } else {
                let (any, detours) = raise_row(row_part, limits, le(lower[i]));
                raised.any |= any;
                raised.detours |= if detours { bit(i) } else { 0 };
            }
            row[i] = LE_ZERO;
        }
    }
    raised
}

/// The largest bound to keep per column: none for clocks above their U.
fn limit_columns(limits: &mut [i32], first: &[i32], upper: &[i32]) {
    for ((limit, &bound), &upper) in limits.iter_mut().zip(first).zip(upper) {
        *limit = if is_above(bound, upper) { i32::MIN } else { INFINITY };
    }
}

/// Makes a whole row infinite and returns whether that changed it.
#[inline]
fn forget_row(row: &mut [i32]) -> bool {
    let changed = row.iter().fold(false, |any, &bound| any | (bound != INFINITY));
    row.fill(INFINITY);
    changed
}

/// Makes the bounds of a row infinite that exceed `most` or the limit of their column.
///
/// Returns whether one was raised, and whether one in a column without limit was.
#[inline]
fn raise_row(row: &mut [i32], limits: &[i32], most: i32) -> (bool, bool) {
    let (mut any, mut detours) = (false, false);
    for (bound, &limit) in row.iter_mut().zip(limits) {
        let finite = *bound != INFINITY;
        let gone = *bound > limit.min(most);
        any |= gone & finite;
        detours |= (limit == INFINITY) & gone & finite;
        *bound = if gone { INFINITY } else { *bound };
    }
    (any, detours)
}

/// Loosens the lower bounds of clocks above their U and returns whether one changed.
fn loosen_lower_bounds(first: &mut [i32], upper: &[i32]) -> bool {
    let mut changed = false;
    for (bound, &upper) in first.iter_mut().zip(upper).skip(1) {
        let seen = if upper < 0 { LE_ZERO } else { lt(-upper) };
        changed |= *bound < seen;
        *bound = seen.max(*bound);
    }
    changed
}

/// Lowers raised bounds to what the kept ones imply: in the `detours` rows by paths through
/// other clocks, everywhere by paths through clock 0.
fn close_raised(zone: &mut [i32], dim: usize, upper: &[i32], detours: u64) {
    let mut steps = STEPS;
    for clock in (1..dim).filter(|_| detours != 0) {
        if is_stopover(zone, dim, clock, upper[clock]) {
            let via = |i, row: &[i32]| if detours & bit(i) == 0 { INFINITY } else { row[clock] };
            relax_through(zone, dim, clock, via, &mut steps);
        }
    }
    relax_through(zone, dim, 0, |_, row| row[0], &mut steps);
}

/// Whether a clock still has bounds in both directions.
fn is_stopover(zone: &[i32], dim: usize, clock: usize, upper: i32) -> bool {
    let row = &zone[clock * dim..(clock + 1) * dim];
    let finite = row.iter().filter(|&&bound| bound != INFINITY).count();
    finite > 1 && !is_above(zone[clock], upper)
}
