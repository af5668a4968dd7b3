//! Bounds on clock differences, one word each: `2c + 1` is `<= c` and `2c` is `< c`.
//!
//! The smaller word is the tighter bound. Constants stay within [`LIMIT`], so that the sum of
//! any two bounds fits into a word.

/// The bound that allows every difference.
pub const INFINITY: i32 = (1 << 30) - 1;
/// The bound `<= 0`.
pub const LE_ZERO: i32 = 1;
/// The bound `< 0`.
pub const LT_ZERO: i32 = 0;
/// The largest absolute constant of a finite bound.
pub const LIMIT: i32 = (1 << 28) - 1;

/// The bound `<= c`.
#[inline]
pub const fn le(c: i32) -> i32 {
    debug_assert!(-LIMIT <= c && c <= LIMIT, "constant out of range");
    2 * c + 1
}

/// The bound `< c`.
#[inline]
pub const fn lt(c: i32) -> i32 {
    debug_assert!(-LIMIT <= c && c <= LIMIT, "constant out of range");
    2 * c
}

/// The constant of a finite bound.
#[inline]
pub const fn constant(bound: i32) -> i32 {
    bound >> 1
}

/// Whether a finite bound excludes its constant.
#[inline]
pub const fn is_strict(bound: i32) -> bool {
    bound & 1 == 0
}

/// The bound on a sum of differences, infinite if either part is.
#[inline]
pub const fn add(a: i32, b: i32) -> i32 {
    if a == INFINITY || b == INFINITY {
        return INFINITY;
    }
    let sum = a + b - ((a | b) & 1);
    debug_assert!(2 * -LIMIT <= sum && sum <= 2 * LIMIT + 1, "sum out of range");
    sum
}

/// The same for finite bounds; at least infinite if one is infinite and the other at least `<= 0`.
#[inline]
pub(crate) const fn add_finite(a: i32, b: i32) -> i32 {
    a + b - ((a | b) & 1)
}

/// The complement of a finite bound, to be put on the opposite difference.
///
/// `x - y <= c` fails exactly where `y - x < -c` holds.
#[inline]
pub const fn negate(bound: i32) -> i32 {
    debug_assert!(bound != INFINITY, "infinity has no complement");
    1 - bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tighter_is_smaller() {
        assert!(lt(0) < le(0) && le(0) < lt(1) && le(-1) < lt(0));
        assert!(le(LIMIT) < INFINITY);
        assert_eq!((LE_ZERO, LT_ZERO), (le(0), lt(0)));
    }

    #[test]
    fn constants_and_strictness_return() {
        for c in [-LIMIT, -3, -1, 0, 1, 2, LIMIT] {
            assert_eq!((constant(le(c)), is_strict(le(c))), (c, false));
            assert_eq!((constant(lt(c)), is_strict(lt(c))), (c, true));
        }
    }

    #[test]
    fn sums_are_strict_if_a_part_is() {
        assert_eq!(add(le(2), le(-5)), le(-3));
        assert_eq!(add(le(2), lt(-5)), lt(-3));
        assert_eq!(add(lt(2), lt(5)), lt(7));
        assert_eq!(add(INFINITY, lt(-5)), INFINITY);
        assert_eq!(add(le(-5), INFINITY), INFINITY);
    }

    #[test]
    fn complements_swap_strictness() {
        assert_eq!(negate(le(3)), lt(-3));
        assert_eq!(negate(lt(3)), le(-3));
    }

    #[test]
    #[should_panic(expected = "out of range")]
    #[cfg(debug_assertions)]
    fn constants_beyond_the_limit_are_refused() {
        le(LIMIT + 1);
    }
}
