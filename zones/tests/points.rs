//! Operations as sets of points, sampled exactly in units of a fraction.

mod common;

use common::*;
use zones::bound::{INFINITY, lt};

/// Points are even multiples of `1/SCALE`; what an operation forgot may need the odd ones.
const SCALE: i64 = 12;
/// Points go up to 20, constants of four clocks and 5 each a little further.
const MOST: i64 = 42;

fn even_point(numbers: &mut Numbers, zone: &[i32], dim: usize) -> Option<Vec<i64>> {
    let point = match numbers.chance(60) {
        true => point_in(numbers, zone, dim, SCALE / 2)?,
        false => any_point(numbers, dim, SCALE / 2, 8),
    };
    Some(point.into_iter().map(|value| 2 * value).collect())
}

fn delayed(values: &[i64], delay: i64, runs: impl Fn(usize) -> bool) -> Vec<i64> {
    let moved = |(x, &value): (usize, &i64)| value + if x > 0 && runs(x) { delay } else { 0 };
    values.iter().enumerate().map(moved).collect()
}

/// Calls `check` with zones and with points in and around what `change` made of them.
fn sample(
    count: u64,
    change: impl Fn(&mut Numbers, &mut [i32], usize) -> usize + std::panic::RefUnwindSafe,
    check: impl Fn(&[i32], usize, usize, &[i64], bool) + std::panic::RefUnwindSafe,
) {
    rounds(count, |numbers| {
        let dim = numbers.within(2, 5) as usize;
        let zone = random_zone(numbers, dim, 5);
        let mut result = zone.clone();
        let x = change(numbers, &mut result, dim);
        for _ in 0..20 {
            if let Some(point) = even_point(numbers, &result, dim) {
                check(&zone, dim, x, &point, has(&result, dim, &point, SCALE));
            }
        }
    });
}

#[test]
fn up_is_the_future() {
    let change = |_: &mut Numbers, zone: &mut [i32], dim| {
        zones::up(zone, dim);
        0
    };
    sample(400, change, |zone, dim, _, point, inside| {
        let mut delays = 0..=MOST * SCALE;
        let past = |delay: i64| delayed(point, -delay, |_| true);
        assert_eq!(delays.any(|delay| has(zone, dim, &past(delay), SCALE)), inside);
    });
}

#[test]
fn down_is_the_past() {
    let change = |_: &mut Numbers, zone: &mut [i32], dim| {
        zones::down(zone, dim);
        0
    };
    sample(400, change, |zone, dim, _, point, inside| {
        let mut delays = 0..=MOST * SCALE;
        let future = |delay: i64| delayed(point, delay, |_| true);
        assert_eq!(delays.any(|delay| has(zone, dim, &future(delay), SCALE)), inside);
    });
}

#[test]
fn stopped_clocks_stand_still() {
    rounds(2000, |numbers| {
        let dim = numbers.within(2, 5) as usize;
        let zone = random_zone(numbers, dim, 5);
        let stopped: Vec<bool> = (0..dim).map(|_| numbers.chance(40)).collect();
        let mut result = zone.clone();
        zones::up_with_stopped(&mut result, dim, &stopped);
        for _ in 0..20 {
            let delay = numbers.within(0, 5 * SCALE);
            if let Some(point) = point_in(numbers, &zone, dim, SCALE) {
                let later = delayed(&point, delay, |x| !stopped[x]);
                assert!(has(&result, dim, &later, SCALE));
            }
        }
    });
}

fn with(point: &[i64], x: usize, value: i64) -> Vec<i64> {
    let mut point = point.to_vec();
    point[x] = value;
    point
}

/// Whether the zone has the point once clock `x` may be anything.
fn has_some(zone: &[i32], dim: usize, x: usize, point: &[i64]) -> bool {
    (0..=MOST * SCALE).any(|value| has(zone, dim, &with(point, x, value), SCALE))
}

#[test]
fn free_forgets_one_clock() {
    let change = |numbers: &mut Numbers, zone: &mut [i32], dim| {
        let x = numbers.clock(dim);
        zones::free(zone, dim, x);
        x
    };
    sample(400, change, |zone, dim, x, point, inside| {
        assert_eq!(has_some(zone, dim, x, point), inside);
    });
}

#[test]
fn reset_sets_one_clock() {
    let change = |numbers: &mut Numbers, zone: &mut [i32], dim| {
        let x = numbers.clock(dim);
        zones::reset(zone, dim, x, 3);
        x
    };
    sample(400, change, |zone, dim, x, point, inside| {
        assert_eq!(point[x] == 3 * SCALE && has_some(zone, dim, x, point), inside);
    });
}

#[test]
fn copy_makes_two_clocks_equal() {
    let change = |numbers: &mut Numbers, zone: &mut [i32], dim| {
        let x = numbers.clock(dim);
        zones::copy(zone, dim, x, dim - 1);
        x
    };
    sample(400, change, |zone, dim, x, point, inside| {
        let same = x == dim - 1 && has(zone, dim, point, SCALE);
        let equal = x < dim - 1 && point[x] == point[dim - 1] && has_some(zone, dim, x, point);
        assert_eq!(same || equal, inside);
    });
}

#[test]
fn constraints_and_meets_filter_points() {
    rounds(2000, |numbers| {
        let dim = numbers.within(2, 6) as usize;
        let (zone, other) = (random_zone(numbers, dim, 5), random_zone(numbers, dim, 5));
        let (mut meet, mut cut) = (zone.clone(), zone.clone());
        let (x, bound) = (numbers.clock(dim), numbers.bound(0, 5));
        let met = zones::intersect(&mut meet, &other, dim);
        let left = zones::constrain(&mut cut, dim, x, 0, bound);
        for _ in 0..20 {
            let Some(point) = point_in(numbers, &zone, dim, SCALE) else { continue };
            let in_meet = met && has(&meet, dim, &point, SCALE);
            assert_eq!(in_meet, has(&other, dim, &point, SCALE));
            let mut alone = universe(dim);
            alone[x * dim] = bound;
            let in_cut = left && has(&cut, dim, &point, SCALE);
            assert_eq!(in_cut, has(&alone, dim, &point, SCALE));
        }
    });
}

#[test]
fn inclusion_agrees_with_points() {
    rounds(2000, |numbers| {
        let dim = numbers.within(2, 4) as usize;
        let (outer, inner) = (random_zone(numbers, dim, 3), random_zone(numbers, dim, 3));
        let mut pieces = 0;
        zones::subtract(&inner, &outer, dim, &mut Vec::new(), &mut |_| pieces += 1);
        assert_eq!(zones::includes(&outer, &inner), pieces == 0);
    });
}

#[test]
fn differences_split_points() {
    rounds(3000, |numbers| {
        let dim = numbers.within(2, 5) as usize;
        let zone = random_zone(numbers, dim, 5);
        let mut minus = random_zone(numbers, dim, 5);
        if numbers.chance(50) && !zones::intersect(&mut minus, &zone, dim) {
            return;
        }
        let (mut pieces, mut scratch) = (Vec::new(), vec![7; 3]);
        let mut keep = |piece: &[i32]| pieces.push(piece.to_vec());
        zones::subtract(&zone, &minus, dim, &mut scratch, &mut keep);
        for piece in &pieces {
            assert_eq!(naive_close(piece, dim).as_ref(), Some(piece));
            assert!(zones::includes(&zone, piece));
        }
        for _ in 0..20 {
            let Some(point) = point_in(numbers, &zone, dim, SCALE) else { continue };
            let holding = pieces.iter().filter(|piece| has(piece, dim, &point, SCALE)).count();
            assert_eq!(holding, usize::from(!has(&minus, dim, &point, SCALE)));
        }
    });
}

#[test]
fn unions_cover_what_they_are_made_of() {
    rounds(1500, |numbers| {
        let dim = numbers.within(2, 4) as usize;
        let zone = random_zone(numbers, dim, 4);
        let mut parts = vec![random_zone(numbers, dim, 4), random_zone(numbers, dim, 4)];
        for _ in 0..2 {
            let minus = parts[0].clone();
            let pieces = &mut parts;
            let mut keep = |piece: &[i32]| pieces.push(piece.to_vec());
            zones::subtract(&zone, &minus, dim, &mut Vec::new(), &mut keep);
        }
        let all: Vec<&[i32]> = parts.iter().map(Vec::as_slice).collect();
        assert!(zones::covered_by_union(&zone, dim, &all));
        // Leaving out the last part: believe the answer only if points confirm it.
        let (some, count) = (&all[..2], all.len());
        let covered = zones::covered_by_union(&zone, dim, some);
        assert_eq!(covered, count == 2 || !escapes(&zone, dim, some));
        for _ in 0..20 {
            let Some(point) = point_in(numbers, &zone, dim, SCALE) else { continue };
            assert!(!covered || some.iter().any(|part| has(part, dim, &point, SCALE)));
        }
    });
    assert!(!zones::covered_by_union(&universe(2), 2, &[]));
}

/// Whether a point of a fine grid lies in the zone and in none of the parts.
fn escapes(zone: &[i32], dim: usize, parts: &[&[i32]]) -> bool {
    let (scale, side) = (dim as i64, 14 * dim as i64 + 1);
    (0..side.pow(dim as u32 - 1)).any(|code| {
        let value = |x: usize| if x == 0 { 0 } else { code / side.pow(x as u32 - 1) % side };
        let point: Vec<i64> = (0..dim).map(value).collect();
        let inside = |zone: &[i32]| has(zone, dim, &point, scale);
        inside(zone) && !parts.iter().any(|part| inside(part))
    })
}

#[test]
fn points_lie_in_their_zone() {
    rounds(3000, |numbers| {
        let dim = numbers.within(2, 6) as usize;
        let zone = random_zone(numbers, dim, 5);
        let point = zones::point(&zone, dim).expect("the zone is not empty");
        assert_eq!(point.values[0], 0);
        assert!(has(&zone, dim, &point.values, point.scale), "{point:?}");
        for _ in 0..10 {
            let values = any_point(numbers, dim, SCALE, 6);
            let inside = has(&zone, dim, &values, SCALE);
            assert_eq!(zones::contains_point(&zone, dim, &values, SCALE), inside);
        }
    });
}

/// 0 < x < y < z < 1 needs quarters.
#[test]
fn strict_chains_need_fractions() {
    let mut chain = universe(4);
    for (i, j, c) in [(0, 1, 0), (1, 2, 0), (2, 3, 0), (3, 0, 1)] {
        chain[i * 4 + j] = lt(c);
    }
    assert!(zones::close(&mut chain, 4));
    let point = zones::point(&chain, 4).expect("the zone is not empty");
    assert_eq!((point.scale, point.values), (4, vec![0, 1, 2, 3]));
    let mut empty = chain.clone();
    assert!(!zones::constrain(&mut empty, 4, 3, 1, lt(0)));
    assert_eq!(zones::point(&empty, 4), None);
    assert_eq!(universe(4)[4], INFINITY);
}
