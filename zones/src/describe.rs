//! Zones as readable text.

use std::fmt::Write;

use crate::bound::{INFINITY, LE_ZERO, add, constant, is_strict};
use crate::zone::is_empty;

/// Lists the constraints of a zone, such as `x <= 2, 1 <= y - x`.
///
/// `names[i]` is the name of clock `i`; that of clock 0 is not used. Bounds on differences that
/// follow from bounds on single clocks are left out. The zone of all points is `true`.
pub fn describe(zone: &[i32], dim: usize, names: &[&str]) -> String {
    debug_assert!(zone.len() == dim * dim && names.len() == dim);
    if is_empty(zone) {
        return "false".to_owned();
    }
    let singles = (1..dim).filter_map(|x| {
        let below = known(zone[x], LE_ZERO);
        range(names[x], below, known(zone[x * dim], INFINITY))
    });
    let pairs = (1..dim).flat_map(|x| (x + 1..dim).map(move |y| (x, y)));
    let differences = pairs.filter_map(|(x, y)| difference(zone, dim, names, x, y));
    let parts: Vec<String> = singles.chain(differences).collect();
    if parts.is_empty() {
        return "true".to_owned();
    }
    parts.join(", ")
}

/// The bounds on `y - x`, turned to `x - y` where that avoids negative constants.
fn difference(zone: &[i32], dim: usize, names: &[&str], x: usize, y: usize) -> Option<String> {
    let bound = |i: usize, j: usize| {
        let implied = add(zone[i * dim], zone[j]);
        known(zone[i * dim + j], implied)
    };
    let (above, below) = (bound(y, x), bound(x, y));
    let negative = |bound: Option<i32>| bound.is_some_and(|bound| constant(bound) < 0);
    if negative(above) || (above.is_none() && below.is_some_and(|bound| constant(bound) > 0)) {
        return range(&format!("{} - {}", names[x], names[y]), above, below);
    }
    range(&format!("{} - {}", names[y], names[x]), below, above)
}

/// A bound that says more than `implied`.
fn known(bound: i32, implied: i32) -> Option<i32> {
    (bound < implied).then_some(bound)
}

/// `term` between two bounds, `below` being the one on its negation.
fn range(term: &str, below: Option<i32>, above: Option<i32>) -> Option<String> {
    let sign = |bound: i32| if is_strict(bound) { "<" } else { "<=" };
    let mut text = String::new();
    let fixed = |above: &i32| below.is_some_and(|below| add(below, *above) == LE_ZERO);
    if let Some(value) = above.filter(fixed) {
        return Some(format!("{term} = {}", constant(value)));
    }
    if let Some(below) = below {
        let _ = write!(text, "{} {} ", -constant(below), sign(below));
    }
    text.push_str(term);
    if let Some(above) = above {
        let _ = write!(text, " {} {}", sign(above), constant(above));
    }
    (below.is_some() || above.is_some()).then_some(text)
}
