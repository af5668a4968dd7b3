//! Zones in half the space: 16-bit words over the clocks worth keeping, for storage.
//!
//! The encoding is that of [`bound`], with [`INFINITY`] for infinity. A compact
//! zone over `keep` (clock 0 first) is row-major with `keep.len()` as its dimension, and is the
//! projection of the full zone onto these clocks.

use crate::alu::included;
use crate::bound;
use crate::zone::{all_at_most, universe};

/// The compact bound that allows every difference.
pub const INFINITY: i16 = i16::MAX;

/// Appends the projection of `zone` onto the clocks `keep`.
///
/// Returns false, with `out` as before, if a finite bound does not fit.
pub fn pack(zone: &[i32], dim: usize, keep: &[usize], out: &mut Vec<i16>) -> bool {
    debug_assert!(zone.len() == dim * dim && keep.first() == Some(&0));
    let before = out.len();
    let mut fits = true;
    let mut pack = |bound: i32| {
        fits &= is_packable(bound);
        narrow(bound)
    };
    if keep.len() == dim {
        // All in one piece, which takes many words at a time.
        out.extend(zone.iter().map(|&bound| pack(bound)));
    } else {
        for &i in keep {
            let row = &zone[i * dim..(i + 1) * dim];
            out.extend(keep.iter().map(|&j| pack(row[j])));
        }
    }
    if !fits {
        out.truncate(before);
    }
    fits
}

#[inline(always)]
fn is_packable(bound: i32) -> bool {
    let most = i32::from(i16::MAX);
    (bound == bound::INFINITY) | (bound >= -most) & (bound < most)
}

/// Infinity saturates to its compact form; bounds that do not fit are the caller's to refuse.
fn narrow(bound: i32) -> i16 {
    bound.min(i32::from(INFINITY)) as i16
}

fn widen(bound: i16) -> i32 {
    let infinite = bound == INFINITY;
    if infinite { bound::INFINITY } else { i32::from(bound) }
}

/// Restores a full zone in which the clocks that were not kept have any value.
pub fn unpack(packed: &[i16], keep: &[usize], zone: &mut [i32], dim: usize) {
    debug_assert!(packed.len() == keep.len() * keep.len() && zone.len() == dim * dim);
    if keep.len() == dim {
        zone.iter_mut().zip(packed).for_each(|(to, &bound)| *to = widen(bound));
        return;
    }
    universe(zone, dim);
    for (&i, bounds) in keep.iter().zip(packed.chunks_exact(keep.len())) {
        let row = &mut zone[i * dim..(i + 1) * dim];
        // Any value is at least 0: a free clock bounds others by their own upper bound.
        row.fill(widen(bounds[0]));
        for (&j, &bound) in keep.iter().zip(bounds) {
            row[j] = widen(bound);
        }
    }
}

/// Whether every point of `inner` lies in `outer`, both over the same clocks.
// Inlined into a large caller the loop loses its registers and takes four times as long.
#[inline(never)]
pub fn includes(outer: &[i16], inner: &[i16]) -> bool {
    all_at_most::<i16, 16>(inner, outer)
}

/// The largest compared constants of the kept clocks, encoded for compact zones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// `2 L(x)`, negative if there is none.
    doubled: Vec<i16>,
    /// `(<=, -U(x))`, larger than any such bound if there is none.
    seen: Vec<i16>,
}

impl Bounds {
    /// Encodes the constants of the clocks `keep`; none if one is too large.
    ///
    /// `lower` and `upper` are as for [`extrapolate_lu_plus`](crate::extrapolate_lu_plus).
    pub fn new(lower: &[i32], upper: &[i32], keep: &[usize]) -> Option<Self> {
        let mut bounds = Bounds::default();
        bounds.refill(lower, upper, keep).then_some(bounds)
    }

    /// Encodes other constants in the same memory; false if one is too large.
    pub fn refill(&mut self, lower: &[i32], upper: &[i32], keep: &[usize]) -> bool {
        debug_assert!(keep.first() == Some(&0) && lower[0] == 0 && upper[0] == 0);
        let doubled = |&x: &usize| (2 * lower[x].max(-1)) as i16;
        let seen = |&x: &usize| match upper[x] {
            ..0 => i16::MAX,
            constant => bound::le(-constant) as i16,
        };
        self.doubled.clear();
        self.seen.clear();
        let fits = keep.iter().all(|&x| is_small(lower[x]) && is_small(upper[x]));
        if fits {
            self.doubled.extend(keep.iter().map(doubled));
            self.seen.extend(keep.iter().map(seen));
        }
        fits
    }
}

fn is_small(constant: i32) -> bool {
    constant <= i32::from(i16::MAX / 2)
}

/// Whether `inner` is included in `aLU(outer)`, both over the clocks of `bounds`.
pub fn included_in_alu(inner: &[i16], outer: &[i16], bounds: &Bounds) -> bool {
    let dim = bounds.seen.len();
    let doubled = |y: usize| Some(bounds.doubled[y]).filter(|&doubled| doubled >= 0);
    included::<i16, 8>(inner, outer, dim, doubled, |x| bounds.seen[x])
}
