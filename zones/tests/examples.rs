//! Worked examples by hand.

mod common;

use common::{naive_constrain, universe};
use zones::bound::{le, lt};
use zones::{NO_BOUND, constrain, describe, extrapolate_lu_plus, includes, reset, up};

const NAMES: [&str; 3] = ["0", "x", "y"];
const X: usize = 1;
const Y: usize = 2;

fn zone(cuts: &[(usize, usize, i32)]) -> Vec<i32> {
    naive_constrain(&universe(3), 3, cuts).unwrap()
}

/// One automaton: l0 (x <= 2), l1 (x <= 1), l2; from l0 to l1 and back with x >= 1 and x := 0,
/// from l1 to l2 with y >= 4.
const LOWER: [i32; 3] = [0, 1, 4];
const UPPER: [i32; 3] = [0, 2, NO_BOUND];

fn enter(zone: &mut [i32], invariant: Option<i32>) {
    up(zone, 3);
    assert!(invariant.is_none_or(|most| constrain(zone, 3, X, 0, le(most))));
    extrapolate_lu_plus(zone, 3, &LOWER, &UPPER);
}

fn tick(from: &[i32], invariant: i32) -> Vec<i32> {
    let mut zone = from.to_vec();
    assert!(constrain(&mut zone, 3, 0, X, le(-1)));
    reset(&mut zone, 3, X, 0);
    enter(&mut zone, Some(invariant));
    zone
}

#[test]
fn extrapolation_ends_after_six_zones() {
    let mut n0 = vec![0; 9];
    zones::zero(&mut n0, 3);
    enter(&mut n0, Some(2));
    assert_eq!(n0, zone(&[(Y, 0, le(2)), (Y, X, le(0))]));
    let n1 = tick(&n0, 1);
    let first = [(X, 0, le(1)), (X, Y, le(1)), (Y, 0, le(3)), (Y, X, le(2))];
    assert_eq!(n1, zone(&first));
    let mut blocked = n1.clone();
    assert!(!constrain(&mut blocked, 3, 0, Y, le(-4)));
    let n2 = tick(&n1, 2);
    assert_eq!(n2, zone(&[(Y, X, le(3))]));
    let n3 = tick(&n2, 1);
    assert_eq!(n3, zone(&[(X, 0, le(1)), (X, Y, le(1))]));
    let mut n4 = n3.clone();
    assert!(constrain(&mut n4, 3, 0, Y, le(-4)));
    enter(&mut n4, None);
    assert_eq!(n4, universe(3));
    let n5 = tick(&n3, 2);
    assert_eq!(n5, universe(3));
    assert_eq!(tick(&n5, 1), n3);
}

/// Without extrapolation y - x grows with every round.
#[test]
fn exact_zones_of_the_same_path() {
    let step = |zone: &mut Vec<i32>, invariant| {
        assert!(constrain(zone, 3, 0, X, le(-1)));
        reset(zone, 3, X, 0);
        up(zone, 3);
        assert!(constrain(zone, 3, X, 0, le(invariant)));
    };
    let mut exact = vec![le(0); 9];
    up(&mut exact, 3);
    assert!(constrain(&mut exact, 3, X, 0, le(2)));
    assert_eq!(describe(&exact, 3, &NAMES), "x <= 2, y <= 2, y - x = 0");
    step(&mut exact, 1);
    assert_eq!(exact, zone(&[(X, 0, le(1)), (X, Y, le(-1)), (Y, X, le(2))]));
    step(&mut exact, 2);
    assert_eq!(exact, zone(&[(X, 0, le(2)), (X, Y, le(-2)), (Y, X, le(3))]));
    step(&mut exact, 1);
    assert_eq!(exact, zone(&[(X, 0, le(1)), (X, Y, le(-3)), (Y, X, le(5))]));
}

#[test]
fn inclusion_of_single_clock_zones() {
    let zone = |cuts| naive_constrain(&universe(2), 2, cuts).unwrap();
    let (all, zero, five) = (zone(&[]), zone(&[(X, 0, le(0))]), zone(&[(X, 0, le(5))]));
    assert!(includes(&zero, &zero));
    assert!(!includes(&zero, &all) && !includes(&zero, &five));
    assert!(includes(&all, &five) && includes(&all, &zero));
    assert!(includes(&five, &zero) && !includes(&five, &all));
}

#[test]
fn descriptions() {
    let text = |cuts: &[(usize, usize, i32)]| describe(&zone(cuts), 3, &NAMES);
    assert_eq!(text(&[]), "true");
    assert_eq!(text(&[(X, 0, le(2)), (X, Y, le(-1))]), "x <= 2, 1 <= y, 1 <= y - x");
    assert_eq!(text(&[(X, 0, lt(2)), (0, X, lt(-1))]), "1 < x < 2");
    assert_eq!(text(&[(X, 0, le(2)), (0, X, le(-2))]), "x = 2");
    assert_eq!(text(&[(Y, X, le(-1)), (X, Y, lt(3))]), "1 <= x, 1 <= x - y < 3");
    assert_eq!(text(&[(X, Y, lt(3))]), "x - y < 3");
    assert_eq!(text(&[(X, Y, lt(3)), (Y, X, lt(3))]), "-3 < y - x < 3");
    let mut empty = zone(&[(X, 0, le(2))]);
    assert!(!constrain(&mut empty, 3, 0, X, lt(-2)));
    assert_eq!(describe(&empty, 3, &NAMES), "false");
}
