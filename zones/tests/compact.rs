//! Compact zones against the full ones they stand for.

mod common;

use common::*;
use zones::NO_BOUND;
use zones::bound::{le, lt};
use zones::compact::{self, Bounds};

fn packed(zone: &[i32], dim: usize, keep: &[usize]) -> Vec<i16> {
    let mut out = vec![5];
    assert!(compact::pack(zone, dim, keep, &mut out));
    assert_eq!(out.remove(0), 5);
    out
}

fn random_keep(numbers: &mut Numbers, dim: usize) -> Vec<usize> {
    let mut keep = vec![0];
    keep.extend((1..dim).filter(|_| numbers.chance(60)));
    keep
}

/// Packing forgets the clocks that are not kept and nothing else.
#[test]
fn unpacking_restores_all_but_the_dropped() {
    rounds(2000, |numbers| {
        let dim = numbers.within(2, 8) as usize;
        let zone = random_zone(numbers, dim, 6);
        let keep = random_keep(numbers, dim);
        let dropped = (1..dim).filter(|x| !keep.contains(x));
        let expected = dropped.fold(zone.clone(), |zone, x| naive_free(&zone, dim, x));
        let mut restored = vec![9; dim * dim];
        compact::unpack(&packed(&zone, dim, &keep), &keep, &mut restored, dim);
        assert_eq!(restored, expected);
    });
}

#[test]
fn bounds_that_do_not_fit_are_refused() {
    let mut zone = universe(2);
    let mut out = vec![1, 2];
    for (bound, fits) in [(lt(16383), true), (le(16383), false), (lt(20000), false)] {
        zone[2] = bound;
        assert_eq!(compact::pack(&zone, 2, &[0, 1], &mut out), fits);
        assert_eq!(out.len(), if fits { 6 } else { 2 });
        out.truncate(2);
    }
    zone[1] = le(-20000);
    assert!(!compact::pack(&zone, 2, &[0, 1], &mut out));
    assert!(compact::pack(&zone, 2, &[0], &mut out));
    assert!(Bounds::new(&[0, 16383], &[0, NO_BOUND], &[0, 1]).is_some());
    assert!(Bounds::new(&[0, 16384], &[0, 1], &[0, 1]).is_none());
    assert!(Bounds::new(&[0, 1], &[0, 16384], &[0, 1]).is_none());
    assert!(Bounds::new(&[0, 1], &[0, 16384], &[0]).is_some());
}

#[test]
fn inclusions_agree_with_full_zones() {
    rounds(4000, |numbers| {
        let dim = if numbers.chance(2) { 35 } else { numbers.within(2, 12) as usize };
        let most = if numbers.chance(50) { 5 } else { 3000 };
        let outer = random_zone(numbers, dim, most);
        let mut inner = random_zone(numbers, dim, most);
        let cut = (numbers.clock(dim), 0, numbers.bound(0, most));
        if numbers.chance(50) {
            inner = naive_constrain(&outer, dim, &[cut]).unwrap_or(inner);
        }
        let all: Vec<usize> = (0..dim).collect();
        let mut constant = || match numbers.chance(30) {
            true => NO_BOUND,
            false => numbers.within(0, most * 2) as i32,
        };
        let mut lower: Vec<i32> = all.iter().map(|_| constant()).collect();
        let mut upper: Vec<i32> = all.iter().map(|_| constant()).collect();
        (lower[0], upper[0]) = (0, 0);
        let bounds = Bounds::new(&lower, &upper, &all).expect("constants are small");
        let mut small = (Vec::new(), Vec::new());
        if !compact::pack(&inner, dim, &all, &mut small.0)
            || !compact::pack(&outer, dim, &all, &mut small.1)
        {
            return;
        }
        let (inner_small, outer_small) = small;
        let included = zones::includes(&outer, &inner);
        assert_eq!(compact::includes(&outer_small, &inner_small), included);
        let covered = zones::included_in_alu(&inner, &outer, dim, &lower, &upper);
        assert_eq!(compact::included_in_alu(&inner_small, &outer_small, &bounds), covered);
    });
}

/// Differences at the ends of the range must not wrap around.
#[test]
fn extreme_constants_do_not_wrap() {
    rounds(4000, |numbers| {
        let extreme = |numbers: &mut Numbers| match numbers.chance(70) {
            true => numbers.within(16370, 16383),
            false => numbers.within(0, 3),
        };
        let mut zones = [universe(3), universe(3)];
        for zone in &mut zones {
            for (i, j, sign) in [(0, 1, -1), (1, 0, 1), (0, 2, -1), (2, 0, 1)] {
                let bound = lt(sign * extreme(numbers) as i32);
                *zone = naive_constrain(zone, 3, &[(i, j, bound)]).unwrap_or(zone.clone());
            }
        }
        if numbers.chance(50) {
            // Differences at the end of the range, where nothing else tells the zones apart.
            let diagonal = (2, 1, lt(-extreme(numbers) as i32));
            zones[1] = naive_constrain(&zones[0], 3, &[diagonal]).unwrap_or(zones[0].clone());
        }
        let lower = [0, extreme(numbers) as i32, extreme(numbers) as i32];
        let upper = [0, extreme(numbers) as i32, extreme(numbers) as i32];
        let keep = [0, 1, 2];
        let bounds = Bounds::new(&lower, &upper, &keep).expect("constants are small");
        let [inner, outer] = zones;
        let (mut small, mut large) = (Vec::new(), Vec::new());
        if !compact::pack(&inner, 3, &keep, &mut small)
            || !compact::pack(&outer, 3, &keep, &mut large)
        {
            return;
        }
        let covered = zones::included_in_alu(&inner, &outer, 3, &lower, &upper);
        assert_eq!(compact::included_in_alu(&small, &large, &bounds), covered);
    });
}
