//! Exact points of zones, as whole multiples of a fraction.

use crate::bound::{INFINITY, constant, is_strict};

/// A point of a zone: clock `i` has the value `values[i] / scale`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The common denominator, at least 1.
    pub scale: i64,
    /// The numerators; that of clock 0 is 0.
    pub values: Vec<i64>,
}

/// A point of the zone with the smallest possible scale, none if the zone is empty.
///
/// Among the points of that scale it is the earliest in every clock.
pub fn point(zone: &[i32], dim: usize) -> Option<Point> {
    debug_assert_eq!(zone.len(), dim * dim);
    // A cycle has at most `dim` strict bounds, so stepping back 1/dim at each of them suffices.
    (1..=dim as i64).find_map(|scale| {
        let values = earliest(&scaled(zone, scale), dim)?;
        Some(Point { scale, values })
    })
}

/// Whether the zone contains the point with the values `values[i] / scale`.
pub fn contains_point(zone: &[i32], dim: usize, values: &[i64], scale: i64) -> bool {
    debug_assert!(zone.len() == dim * dim && values.len() == dim && scale > 0);
    zone.iter().enumerate().all(|(place, &bound)| {
        let difference = values[place / dim] - values[place % dim];
        largest_multiple(bound, scale).is_none_or(|largest| difference <= largest)
    })
}

/// The largest whole number of `1/scale` that a bound allows, none if it is infinite.
fn largest_multiple(bound: i32, scale: i64) -> Option<i64> {
    let largest = i64::from(constant(bound)) * scale - i64::from(is_strict(bound));
    (bound != INFINITY).then_some(largest)
}

fn scaled(zone: &[i32], scale: i64) -> Vec<Option<i64>> {
    zone.iter().map(|&bound| largest_multiple(bound, scale)).collect()
}

/// The least whole solution of a system of differences by Bellman-Ford, if it has any.
fn earliest(limits: &[Option<i64>], dim: usize) -> Option<Vec<i64>> {
    let mut values = vec![0; dim];
    for _ in 0..=dim {
        if !raise(&mut values, limits) {
            return (values[0] == 0).then_some(values);
        }
    }
    None
}

/// Raises each value to what the others demand of it; returns whether one was raised.
fn raise(values: &mut [i64], limits: &[Option<i64>]) -> bool {
    let mut raised = false;
    for (place, limit) in limits.iter().enumerate() {
        let (i, j) = (place / values.len(), place % values.len());
        // x_i - x_j <= limit demands x_j >= x_i - limit.
        let demand = limit.map_or(0, |limit| values[i] - limit);
        raised |= demand > values[j];
        values[j] = demand.max(values[j]);
    }
    raised
}
