//! What the tests share: a seeded generator, numbers zones, points and naive operations.
//!
//! The naive operations close the whole matrix after each change, with bounds kept as pairs, so
//! that they share no arithmetic with the crate.
#![allow(dead_code)]

pub use testing::Numbers;
use zones::bound::{self, INFINITY};

/// Runs `test` with a fresh generator per round and names the seed of a failing round.
pub fn rounds(count: u64, test: impl Fn(&mut Numbers) + std::panic::RefUnwindSafe) {
    for seed in 1..=count {
        let outcome = std::panic::catch_unwind(|| test(&mut Numbers::new(seed)));
        if let Err(failure) = outcome {
            eprintln!("failing seed: {seed}");
            std::panic::resume_unwind(failure);
        }
    }
}

/// Clocks and bounds of a zone.
pub trait Draws {
    fn clock(&mut self, dim: usize) -> usize;
    fn bound(&mut self, low: i64, high: i64) -> i32;
}

impl Draws for Numbers {
    fn clock(&mut self, dim: usize) -> usize {
        1 + self.below(dim - 1)
    }

    fn bound(&mut self, low: i64, high: i64) -> i32 {
        let constant = self.within(low, high) as i32;
        if self.chance(50) { bound::le(constant) } else { bound::lt(constant) }
    }
}

/// A finite bound as constant and strictness; none is infinite.
type Pair = Option<(i64, bool)>;

fn pair(word: i32) -> Pair {
    (word != INFINITY).then(|| (i64::from(word.div_euclid(2)), word.rem_euclid(2) == 0))
}

fn word(pair: Pair) -> i32 {
    pair.map_or(INFINITY, |(c, strict)| 2 * c as i32 + i32::from(!strict))
}

fn is_tighter(a: (i64, bool), b: Pair) -> bool {
    b.is_none_or(|b| a.0 < b.0 || (a.0 == b.0 && a.1 && !b.1))
}

/// Floyd and Warshall word for word; none if the zone is empty.
pub fn naive_close(zone: &[i32], dim: usize) -> Option<Vec<i32>> {
    let mut pairs: Vec<Pair> = zone.iter().copied().map(pair).collect();
    for k in 0..dim {
        for i in 0..dim {
            for j in 0..dim {
                if let (Some(a), Some(b)) = (pairs[i * dim + k], pairs[k * dim + j]) {
                    let sum = (a.0 + b.0, a.1 | b.1);
                    if is_tighter(sum, pairs[i * dim + j]) {
                        pairs[i * dim + j] = Some(sum);
                    }
                }
            }
        }
        // Going on along a negative cycle would double it each time.
        if (0..dim).any(|i| is_tighter(pairs[i * dim + i].unwrap(), Some((0, false)))) {
            return None;
        }
    }
    Some(pairs.into_iter().map(word).collect())
}

pub fn naive_constrain(zone: &[i32], dim: usize, cuts: &[(usize, usize, i32)]) -> Option<Vec<i32>> {
    let mut zone = zone.to_vec();
    for &(i, j, bound) in cuts {
        zone[i * dim + j] = zone[i * dim + j].min(bound);
    }
    naive_close(&zone, dim)
}

pub fn naive_free(zone: &[i32], dim: usize, x: usize) -> Vec<i32> {
    let mut zone = zone.to_vec();
    for y in 0..dim {
        zone[x * dim + y] = INFINITY;
        zone[y * dim + x] = INFINITY;
    }
    zone[x * dim + x] = bound::le(0);
    zone[x] = bound::le(0);
    naive_close(&zone, dim).unwrap()
}

pub fn universe(dim: usize) -> Vec<i32> {
    let mut zone = vec![0; dim * dim];
    zones::universe(&mut zone, dim);
    zone
}

/// A numbers canonical zone, never empty, with constants up to `most`.
pub fn random_zone(numbers: &mut Numbers, dim: usize, most: i64) -> Vec<i32> {
    let mut zone = universe(dim);
    for _ in 0..numbers.within(0, 3 * dim as i64) {
        let (i, j) = (numbers.within(0, dim as i64 - 1), numbers.within(0, dim as i64 - 1));
        let cut = (i as usize, j as usize, numbers.bound(-most, most));
        if i != j {
            zone = naive_constrain(&zone, dim, &[cut]).unwrap_or(zone);
        }
    }
    if numbers.chance(30) {
        zones::up(&mut zone, dim);
    }
    zone
}

/// Whether a point satisfies every bound; a second reading of the encoding.
pub fn has(zone: &[i32], dim: usize, values: &[i64], scale: i64) -> bool {
    zone.iter().enumerate().all(|(place, &word)| {
        let difference = values[place / dim] - values[place % dim];
        match pair(word) {
            None => true,
            Some((c, true)) => difference < c * scale,
            Some((c, false)) => difference <= c * scale,
        }
    })
}

/// A numbers point of the zone in units of `1/scale`, clock by clock; none if that gets stuck.
pub fn point_in(numbers: &mut Numbers, zone: &[i32], dim: usize, scale: i64) -> Option<Vec<i64>> {
    let mut values = vec![0];
    for x in 1..dim {
        let (mut low, mut high) = (0, 20 * scale);
        for y in 0..x {
            if let Some((c, strict)) = pair(zone[x * dim + y]) {
                high = high.min(values[y] + c * scale - i64::from(strict));
            }
            if let Some((c, strict)) = pair(zone[y * dim + x]) {
                low = low.max(values[y] - c * scale + i64::from(strict));
            }
        }
        if low > high {
            return None;
        }
        // Borders are where mistakes live.
        values.push(match numbers.within(0, 3) {
            0 => low,
            1 => high,
            _ => numbers.within(low, high),
        });
    }
    Some(values)
}

/// A numbers point, in the zone or not.
pub fn any_point(numbers: &mut Numbers, dim: usize, scale: i64, most: i64) -> Vec<i64> {
    let mut values = vec![0];
    values.resize_with(dim, || numbers.within(0, most * scale));
    values[0] = 0;
    values
}
