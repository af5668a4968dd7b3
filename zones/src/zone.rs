//! Whole zones: the two that searches start from, emptiness and inclusion.

use crate::bound::{INFINITY, LE_ZERO, LT_ZERO};

/// Makes the zone in which every clock is 0.
pub fn zero(zone: &mut [i32], dim: usize) {
    debug_assert_eq!(zone.len(), dim * dim);
    zone.fill(LE_ZERO);
}

/// Makes the zone of all clock values that are not negative.
pub fn universe(zone: &mut [i32], dim: usize) {
    debug_assert_eq!(zone.len(), dim * dim);
    zone.fill(INFINITY);
    zone[..dim].fill(LE_ZERO);
    zone.iter_mut().step_by(dim + 1).for_each(|bound| *bound = LE_ZERO);
}

/// Whether an earlier operation emptied the zone.
#[inline]
pub fn is_empty(zone: &[i32]) -> bool {
    zone[0] < LE_ZERO
}

/// Marks a zone as empty and answers what emptying operations return.
#[cold]
pub(crate) fn mark_empty(zone: &mut [i32]) -> bool {
    zone[0] = LT_ZERO;
    false
}

/// Whether every point of `inner` lies in `outer`.
// Inlined into a large caller the loop loses its registers and takes four times as long.
#[inline(never)]
pub fn includes(outer: &[i32], inner: &[i32]) -> bool {
    all_at_most::<i32, 16>(inner, outer)
}

/// Whether no word of `low` exceeds its partner, looked at `GROUP` words at a time.
///
/// The last group overlaps the one before it, so that no word is left to be looked at alone.
#[inline(always)]
pub(crate) fn all_at_most<W: Copy + PartialOrd, const GROUP: usize>(low: &[W], high: &[W]) -> bool {
    debug_assert_eq!(low.len(), high.len());
    let fits = |low: &[W], high: &[W]| {
        let words = low.iter().zip(high);
        !words.fold(false, |exceeds, (low, high)| exceeds | (low > high))
    };
    let Some((low_tail, high_tail)) = low.last_chunk::<GROUP>().zip(high.last_chunk::<GROUP>())
    else {
        return fits(low, high);
    };
    let mut whole = low.chunks_exact(GROUP).zip(high.chunks_exact(GROUP));
    whole.all(|(low, high)| fits(low, high)) && fits(low_tail, high_tail)
}
