//! Differences of zones.

use crate::bound::{INFINITY, negate};
use crate::close::{clearly_disjoint, constrain};

/// Visits disjoint, non-empty, canonical zones whose union is `zone` without `minus`.
///
/// `scratch` is overwritten and only grows.
pub fn subtract(
    zone: &[i32],
    minus: &[i32],
    dim: usize,
    scratch: &mut Vec<i32>,
    visit: &mut dyn FnMut(&[i32]),
) {
    cut(zone, minus, dim, scratch, &mut |piece| {
        visit(piece);
        true
    });
}

/// Whether every point of `zone` lies in one of `parts`.
///
/// A cold path: it allocates, and takes time exponential in the number of overlapping parts.
pub fn covered_by_union(zone: &[i32], dim: usize, parts: &[&[i32]]) -> bool {
    let Some((part, others)) = parts.split_first() else {
        return false;
    };
    let mut scratch = Vec::new();
    cut(zone, part, dim, &mut scratch, &mut |piece| covered_by_union(piece, dim, others))
}

/// Visits the pieces of a difference while `visit` agrees; returns whether it always did.
fn cut(
    zone: &[i32],
    minus: &[i32],
    dim: usize,
    scratch: &mut Vec<i32>,
    visit: &mut dyn FnMut(&[i32]) -> bool,
) -> bool {
    debug_assert!(zone.len() == dim * dim && minus.len() == dim * dim);
    if clearly_disjoint(zone, minus, dim) {
        return visit(zone);
    }
    scratch.clear();
    scratch.extend_from_slice(zone);
    scratch.extend_from_slice(zone);
    let (rest, piece) = scratch.split_at_mut(dim * dim);
    cut_rest(rest, piece, minus, dim, visit)
}

/// Cuts along one bound of `minus` after the other, going on with what still satisfies all.
fn cut_rest(
    rest: &mut [i32],
    piece: &mut [i32],
    minus: &[i32],
    dim: usize,
    visit: &mut dyn FnMut(&[i32]) -> bool,
) -> bool {
    for (place, &bound) in minus.iter().enumerate() {
        let (i, j) = (place / dim, place % dim);
        if bound == INFINITY || bound >= rest[place] {
            continue;
        }
        piece.copy_from_slice(rest);
        if constrain(piece, dim, j, i, negate(bound)) && !visit(piece) {
            return false;
        }
        if !constrain(rest, dim, i, j, bound) {
            break;
        }
    }
    true
}
