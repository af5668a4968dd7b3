//! Inclusion in the abstraction `aLU`, the coarsest that L and U alone allow.
//!
//! A point is in `aLU(Z)` if Z has one that simulates it: clock by clock the value is the same,
//! or only lowered to one above L, or only raised from one above U. `inner` escapes from
//! `aLU(outer)` exactly if there are clocks x and y, zero included, with
//! `inner[0][x] >= (<=, -U(x))`, `outer[y][x] < inner[y][x]` and
//! `outer[y][x] + (<, -L(y)) < inner[0][x]`.

use std::ops::BitOrAssign;

use crate::bound::le;

const BLOCK: usize = 32;

/// A word that holds a bound, wide or compact.
pub(crate) trait Word: Copy + Ord + BitOrAssign {
    /// Less than or equal to every bound, and to every sum of two.
    const LOWEST: Self;
    /// The sum of this bound and `(<, -L)`, given `2L`.
    fn minus_lower(self, doubled: Self) -> Self;
    /// A truth value as wide as the bounds, so that it stays in their vector lanes.
    fn flag(truth: bool) -> Self;
}

impl Word for i32 {
    const LOWEST: Self = i32::MIN;
    #[inline(always)]
    fn minus_lower(self, doubled: Self) -> Self {
        (self & !1) - doubled
    }
    #[inline(always)]
    fn flag(truth: bool) -> Self {
        i32::from(truth)
    }
}

impl Word for i16 {
    const LOWEST: Self = i16::MIN;
    #[inline(always)]
    fn minus_lower(self, doubled: Self) -> Self {
        (self & !1).saturating_sub(doubled)
    }
    #[inline(always)]
    fn flag(truth: bool) -> Self {
        i16::from(truth)
    }
}

/// Whether `inner` is included in `aLU(outer)`, for non-empty zones.
///
/// `lower` and `upper` are as for [`extrapolate_lu_plus`](crate::extrapolate_lu_plus).
pub fn included_in_alu(
    inner: &[i32],
    outer: &[i32],
    dim: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    debug_assert!(lower.len() == dim && upper.len() == dim);
    debug_assert!(lower[0] == 0 && upper[0] == 0);
    let doubled = |y: usize| (lower[y] >= 0).then(|| 2 * lower[y]);
    let seen = |x: usize| if upper[x] < 0 { i32::MAX } else { le(-upper[x]) };
    included::<i32, 4>(inner, outer, dim, doubled, seen)
}

/// The test for either width: `doubled(y)` is `2 L(y)`, `seen(x)` is `(<=, -U(x))`.
#[inline(always)]
pub(crate) fn included<W: Word, const LANES: usize>(
    inner: &[W],
    outer: &[W],
    dim: usize,
    doubled: impl Fn(usize) -> Option<W>,
    seen: impl Fn(usize) -> W,
) -> bool {
    debug_assert!(inner.len() == dim * dim && outer.len() == dim * dim);
    let mut starts = [W::LOWEST; BLOCK];
    for start in (0..dim).step_by(BLOCK) {
        let block = start..dim.min(start + BLOCK);
        let starts = &mut starts[..block.len()];
        for (x, first) in block.clone().zip(starts.iter_mut()) {
            // Nothing is below the lowest word, so clocks beyond their U never count.
            *first = if inner[x] >= seen(x) { inner[x] } else { W::LOWEST };
        }
        let rows = inner.chunks_exact(dim).zip(outer.chunks_exact(dim));
        for (y, (inner, outer)) in rows.enumerate() {
            let Some(doubled) = doubled(y) else { continue };
            if escapes::<W, LANES>(&inner[block.clone()], &outer[block.clone()], starts, doubled) {
                return false;
            }
        }
    }
    true
}

/// Whether one row shows an escape.
#[inline(always)]
fn escapes<W: Word, const LANES: usize>(
    inner: &[W],
    outer: &[W],
    starts: &[W],
    doubled: W,
) -> bool {
    let escape = |inner: W, outer: W, start: W| {
        W::flag((outer < inner) & (outer.minus_lower(doubled) < start))
    };
    let look = |inner: &[W], outer: &[W], starts: &[W]| {
        let words = inner.iter().zip(outer).zip(starts);
        let mut found = W::flag(false);
        words.for_each(|((&inner, &outer), &start)| found |= escape(inner, outer, start));
        found
    };
    let tails = inner.last_chunk::<LANES>().zip(outer.last_chunk::<LANES>());
    let Some(((inner_tail, outer_tail), start_tail)) = tails.zip(starts.last_chunk::<LANES>())
    else {
        return look(inner, outer, starts) != W::flag(false);
    };
    // The last group overlaps the one before, which does no harm to an `or`.
    let mut found = look(inner_tail, outer_tail, start_tail);
    let whole = inner.chunks_exact(LANES).zip(outer.chunks_exact(LANES));
    for ((inner, outer), starts) in whole.zip(starts.chunks_exact(LANES)) {
        found |= look(inner, outer, starts);
    }
    found != W::flag(false)
}
