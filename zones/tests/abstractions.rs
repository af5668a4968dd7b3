//! Extrapolation and inclusion in `aLU`, against their definitions.

mod common;

use common::*;
use zones::bound::{INFINITY, le, lt};
use zones::{NO_BOUND, extrapolate_lu_plus, extrapolate_m_plus, included_in_alu};

fn random_constants(numbers: &mut Numbers, dim: usize, most: i64) -> Vec<i32> {
    let mut constants = vec![0];
    constants.resize_with(dim, || match numbers.chance(25) {
        true => NO_BOUND,
        false => numbers.within(0, most) as i32,
    });
    constants
}

/// Whether a clock with this bound from clock 0 always exceeds the constant.
fn exceeds(from_zero: i32, constant: i32) -> bool {
    constant == NO_BOUND || from_zero <= lt(-constant)
}

/// The definition, closed in full, always reading the original row 0.
fn naive_extrapolate(zone: &[i32], dim: usize, lower: &[i32], upper: &[i32]) -> Vec<i32> {
    let mut result = zone.to_vec();
    for i in 0..dim {
        for j in (0..dim).filter(|&j| j != i) {
            let word = zone[i * dim + j];
            let column = j > 0 && exceeds(zone[j], upper[j]);
            result[i * dim + j] = if i == 0 {
                match column {
                    true if upper[j] == NO_BOUND => le(0),
                    true => lt(-upper[j]),
                    false => word,
                }
            } else if exceeds(zone[i], lower[i]) || word > le(lower[i]) || column {
                INFINITY
            } else {
                word
            };
        }
    }
    naive_close(&result, dim).unwrap()
}

#[test]
fn extrapolation_matches_naive() {
    rounds(6000, |numbers| {
        let dim = numbers.within(2, 8) as usize;
        let mut zone = random_zone(numbers, dim, 9);
        let (lower, upper) = (random_constants(numbers, dim, 8), random_constants(numbers, dim, 8));
        let before = zone.clone();
        let naive = naive_extrapolate(&zone, dim, &lower, &upper);
        let changed = extrapolate_lu_plus(&mut zone, dim, &lower, &upper);
        assert_eq!(zone, naive);
        assert!(changed || before == zone);
        let mut by_largest = before.clone();
        extrapolate_m_plus(&mut by_largest, dim, &lower);
        assert_eq!(by_largest, naive_extrapolate(&before, dim, &lower, &lower));
    });
}

#[test]
fn extrapolation_beyond_one_block() {
    rounds(20, |numbers| {
        let dim = numbers.within(33, 70) as usize;
        let mut zone = random_zone(numbers, dim, 9);
        let (lower, upper) = (random_constants(numbers, dim, 8), random_constants(numbers, dim, 8));
        let naive = naive_extrapolate(&zone, dim, &lower, &upper);
        extrapolate_lu_plus(&mut zone, dim, &lower, &upper);
        assert_eq!(zone, naive);
    });
}

/// Every point of the extrapolated zone is simulated by one of the zone.
#[test]
fn extrapolation_is_sound() {
    rounds(6000, |numbers| {
        let dim = numbers.within(2, 6) as usize;
        let zone = random_zone(numbers, dim, 6);
        let (lower, upper) = (random_constants(numbers, dim, 5), random_constants(numbers, dim, 5));
        let mut wider = zone.clone();
        extrapolate_lu_plus(&mut wider, dim, &lower, &upper);
        assert!(zones::includes(&wider, &zone));
        assert!(included_in_alu(&wider, &zone, dim, &lower, &upper));
    });
}

#[test]
fn inactive_clocks_end_free() {
    rounds(500, |numbers| {
        let dim = numbers.within(2, 6) as usize;
        let mut zone = random_zone(numbers, dim, 6);
        let (mut lower, mut upper) =
            (random_constants(numbers, dim, 5), random_constants(numbers, dim, 5));
        let x = numbers.clock(dim);
        (lower[x], upper[x]) = (NO_BOUND, NO_BOUND);
        extrapolate_lu_plus(&mut zone, dim, &lower, &upper);
        assert_eq!(naive_free(&zone, dim, x), zone);
    });
}

/// Whether some point of the zone simulates `values / scale`, clock by clock.
fn is_simulated(
    values: &[i64],
    scale: i64,
    zone: &[i32],
    dim: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    let scale = scale as i32;
    let mut candidates: Vec<i32> = zone.to_vec();
    for word in candidates.iter_mut().filter(|word| **word != INFINITY) {
        let strict = *word % 2 == 0;
        *word = 2 * scale * word.div_euclid(2) + i32::from(!strict);
    }
    for x in 1..dim {
        let value = values[x] as i32;
        let above = |constant: i32| constant == NO_BOUND || value > constant * scale;
        // The same value; or a lower one above L; or, from above U, a higher one.
        let least = match lower[x] {
            NO_BOUND => le(0),
            lower if above(lower) => lt(-lower * scale),
            _ => le(-value),
        };
        candidates[x] = candidates[x].min(least);
        if !above(upper[x]) {
            candidates[x * dim] = candidates[x * dim].min(le(value));
        }
    }
    naive_close(&candidates, dim).is_some()
}

/// All points with values below `most` in units of `1/scale`.
fn grid(dim: usize, most: i64, scale: i64) -> impl Iterator<Item = Vec<i64>> {
    let (side, clocks) = (most * scale + 1, dim as u32 - 1);
    (0..side.pow(clocks)).map(move |mut code| {
        let mut values = vec![0; dim];
        for value in &mut values[1..] {
            *value = code % side;
            code /= side;
        }
        values
    })
}

fn check_alu_by_points(numbers: &mut Numbers, dim: usize, most: i64, reach: i64) {
    let inner = random_zone(numbers, dim, most);
    let mut outer = random_zone(numbers, dim, most);
    if numbers.chance(50) {
        let cut = (numbers.clock(dim), 0, numbers.bound(0, most));
        outer = naive_constrain(&inner, dim, &[cut]).unwrap_or(outer);
    }
    let (lower, upper) =
        (random_constants(numbers, dim, most - 1), random_constants(numbers, dim, most - 1));
    let said = included_in_alu(&inner, &outer, dim, &lower, &upper);
    let scale = dim as i64;
    let simulated = |values: &Vec<i64>| is_simulated(values, scale, &outer, dim, &lower, &upper);
    let mut points = grid(dim, reach, scale).filter(|values| has(&inner, dim, values, scale));
    assert_eq!(
        points.all(|values| simulated(&values)),
        said,
        "{inner:?} {outer:?} {lower:?} {upper:?}"
    );
}

/// Both zones and the abstraction are unions of regions, and the grid meets every region up to
/// its border, so this decides inclusion by the definition.
#[test]
fn alu_matches_definition_for_one_clock() {
    rounds(2000, |numbers| check_alu_by_points(numbers, 2, 4, 12));
}

#[test]
fn alu_matches_definition_for_two_clocks() {
    rounds(1500, |numbers| check_alu_by_points(numbers, 3, 4, 12));
}

#[test]
fn alu_matches_definition_for_three_clocks() {
    rounds(150, |numbers| check_alu_by_points(numbers, 4, 2, 7));
}

#[test]
fn alu_is_coarser_than_inclusion_and_reflexive() {
    rounds(3000, |numbers| {
        let dim = numbers.within(2, 6) as usize;
        let (inner, outer) = (random_zone(numbers, dim, 5), random_zone(numbers, dim, 5));
        let (lower, upper) = (random_constants(numbers, dim, 5), random_constants(numbers, dim, 5));
        assert!(included_in_alu(&inner, &inner, dim, &lower, &upper));
        let covered = included_in_alu(&inner, &outer, dim, &lower, &upper);
        assert!(covered || !zones::includes(&outer, &inner));
        let none = vec![NO_BOUND; dim - 1];
        let none = [vec![0], none].concat();
        assert!(included_in_alu(&inner, &outer, dim, &none, &none));
    });
}

/// The condition read word by word, for dimensions that points cannot reach.
#[test]
fn alu_matches_its_condition_in_any_dimension() {
    rounds(1500, |numbers| {
        let dim = if numbers.chance(2) { numbers.within(33, 40) } else { numbers.within(2, 14) };
        let dim = dim as usize;
        let outer = random_zone(numbers, dim, 5);
        let cut = (numbers.clock(dim), 0, numbers.bound(0, 9));
        let inner = naive_constrain(&random_zone(numbers, dim, 5), dim, &[cut]);
        let inner = inner.unwrap_or_else(|| outer.clone());
        let (lower, upper) = (random_constants(numbers, dim, 5), random_constants(numbers, dim, 5));
        let escapes = |x: usize, y: usize| {
            upper[x] != NO_BOUND
                && lower[y] != NO_BOUND
                && inner[x] >= le(-upper[x])
                && outer[y * dim + x] < inner[y * dim + x]
                && zones::bound::add(outer[y * dim + x], lt(-lower[y])) < inner[x]
        };
        let escape = (0..dim).any(|x| (0..dim).any(|y| escapes(x, y)));
        assert_eq!(included_in_alu(&inner, &outer, dim, &lower, &upper), !escape);
    });
}
