//! Each operation word for word against its naive counterpart.

mod common;

use common::*;
use zones::bound::{INFINITY, LE_ZERO, le, lt};

const ROUNDS: u64 = 1500;

fn random_dim(numbers: &mut Numbers) -> usize {
    // Mostly small; now and then beyond one block of columns.
    if numbers.chance(1) { numbers.within(33, 70) as usize } else { numbers.within(2, 9) as usize }
}

#[test]
fn closing_matches_floyd_warshall() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let mut zone = universe(dim);
        for word in zone.iter_mut() {
            if numbers.chance(40) {
                *word = (*word).min(numbers.bound(-2, 9));
            }
        }
        let naive = naive_close(&zone, dim);
        assert_eq!(zones::close(&mut zone, dim), naive.is_some());
        assert_eq!(zones::is_empty(&zone), naive.is_none());
        naive.inspect(|naive| assert_eq!(&zone, naive));
    });
}

#[test]
fn closing_touched_clocks_suffices() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let mut zone = random_zone(numbers, dim, 6);
        let touched = [numbers.clock(dim), 0, numbers.clock(dim)];
        for (i, j) in [(0, 1), (1, 0), (1, 2), (2, 0)] {
            let place = touched[i] * dim + touched[j];
            zone[place] = zone[place].min(numbers.bound(-3, 6));
        }
        let naive = naive_close(&zone, dim);
        assert_eq!(zones::close_touched(&mut zone, dim, &touched), naive.is_some());
        naive.inspect(|naive| assert_eq!(&zone, naive));
    });
}

#[test]
fn constraining_matches_naive() {
    rounds(4 * ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let mut zone = random_zone(numbers, dim, 6);
        let (i, j) = (numbers.clock(dim + 1) - 1, numbers.clock(dim + 1) - 1);
        let bound = numbers.bound(-7, 7);
        let naive = naive_constrain(&zone, dim, &[(i, j, bound)]);
        assert_eq!(zones::constrain(&mut zone, dim, i, j, bound), naive.is_some());
        assert_eq!(zones::is_empty(&zone), naive.is_none());
        naive.inspect(|naive| assert_eq!(&zone, naive));
    });
}

#[test]
fn constraining_above_matches_naive() {
    rounds(4 * ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let mut zone = random_zone(numbers, dim, 6);
        let bounds: Vec<(usize, i32)> =
            (0..numbers.within(0, 4)).map(|_| (numbers.clock(dim), numbers.bound(-1, 9))).collect();
        let single: Vec<_> = bounds.iter().map(|&(x, bound)| (x, 0, bound)).collect();
        let naive = naive_constrain(&zone, dim, &single);
        assert_eq!(zones::constrain_above(&mut zone, dim, &bounds), naive.is_some());
        assert_eq!(zones::is_empty(&zone), naive.is_none());
        naive.inspect(|naive| assert_eq!(&zone, naive));
    });
}

#[test]
fn meeting_matches_naive() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let mut zone = random_zone(numbers, dim, 6);
        let other = random_zone(numbers, dim, 6);
        let least: Vec<i32> = zone.iter().zip(&other).map(|(&a, &b)| a.min(b)).collect();
        let naive = naive_close(&least, dim);
        let mut scratch = Vec::new();
        assert_eq!(zones::disjoint(&zone, &other, dim, &mut scratch), naive.is_none());
        assert!(naive.is_none() || !zones::clearly_disjoint(&zone, &other, dim));
        assert_eq!(zones::intersect(&mut zone, &other, dim), naive.is_some());
        assert_eq!(zones::is_empty(&zone), naive.is_none());
        naive.inspect(|naive| assert_eq!(&zone, naive));
    });
}

#[test]
fn delays_match_naive() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let zone = random_zone(numbers, dim, 6);
        let mut later = zone.clone();
        (1..dim).for_each(|x| later[x * dim] = INFINITY);
        let mut up = zone.clone();
        zones::up(&mut up, dim);
        assert_eq!(Some(up), naive_close(&later, dim));
        let mut earlier = zone.clone();
        earlier[1..dim].fill(LE_ZERO);
        let mut down = zone.clone();
        zones::down(&mut down, dim);
        assert_eq!(Some(down), naive_close(&earlier, dim));
    });
}

#[test]
fn stopped_clocks_match_naive() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let zone = random_zone(numbers, dim, 6);
        let stopped: Vec<bool> = (0..dim).map(|_| numbers.chance(40)).collect();
        let mut up = zone.clone();
        zones::up_with_stopped(&mut up, dim, &stopped);
        assert_eq!(naive_close(&up, dim).as_ref(), Some(&up));
        let mut plain = zone.clone();
        zones::up(&mut plain, dim);
        let mut running = zone.clone();
        zones::up_with_stopped(&mut running, dim, &vec![false; dim]);
        assert_eq!(running, plain);
        let mut standing = zone.clone();
        zones::up_with_stopped(&mut standing, dim, &vec![true; dim]);
        assert_eq!(standing, zone);
    });
}

#[test]
fn assignments_match_naive() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let zone = random_zone(numbers, dim, 6);
        let (x, y) = (numbers.clock(dim), numbers.clock(dim));
        let c = numbers.within(0, 5) as i32;
        let free = naive_free(&zone, dim, x);
        let mut freed = zone.clone();
        zones::free(&mut freed, dim, x);
        assert_eq!(freed, free);
        let mut reset = zone.clone();
        zones::reset(&mut reset, dim, x, c);
        let fixed = naive_constrain(&free, dim, &[(x, 0, le(c)), (0, x, le(-c))]);
        assert_eq!(Some(reset), fixed);
        let mut copied = zone.clone();
        zones::copy(&mut copied, dim, x, y);
        let equal = naive_constrain(&free, dim, &[(x, y, le(0)), (y, x, le(0))]);
        assert_eq!(Some(copied), if x == y { Some(zone) } else { equal });
    });
}

#[test]
fn inclusion_is_entrywise() {
    rounds(ROUNDS, |numbers| {
        let dim = random_dim(numbers);
        let outer = random_zone(numbers, dim, 4);
        let mut inner = outer.clone();
        if numbers.chance(80) {
            zones::constrain(&mut inner, dim, numbers.clock(dim), 0, numbers.bound(0, 4));
        }
        if numbers.chance(30) {
            inner = random_zone(numbers, dim, 4);
        }
        let naive = inner.iter().zip(&outer).all(|(inner, outer)| inner <= outer);
        assert!(zones::is_empty(&inner) || zones::includes(&outer, &inner) == naive);
    });
}

/// One word out of place must be seen, wherever it is.
#[test]
fn inclusion_looks_at_every_word() {
    for dim in 1..12 {
        let outer = vec![le(3); dim * dim];
        assert!(zones::includes(&outer, &outer));
        for place in 0..dim * dim {
            let mut inner = outer.clone();
            inner[place] = lt(4);
            assert!(!zones::includes(&outer, &inner));
            assert!(zones::includes(&inner, &outer));
        }
    }
}

#[test]
fn first_zones() {
    let mut zone = vec![7; 9];
    zones::zero(&mut zone, 3);
    assert_eq!(zone, [LE_ZERO; 9]);
    zones::universe(&mut zone, 3);
    let (o, i) = (LE_ZERO, INFINITY);
    assert_eq!(zone, [o, o, o, i, o, i, i, i, o]);
    assert_eq!(naive_close(&zone, 3), Some(zone));
}
