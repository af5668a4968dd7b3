//! Exact times: ticks as numbers of time units, and back.

/// An exact number of time units, in lowest terms: `3/2`.
pub fn rational(ticks: i128, scale: i64) -> String {
    let scale = i128::from(scale).max(1);
    let divisor = gcd(ticks.unsigned_abs(), scale.unsigned_abs()).max(1) as i128;
    let (top, bottom) = (ticks / divisor, scale / divisor);
    if bottom == 1 { top.to_string() } else { format!("{top}/{bottom}") }
}

/// The ticks of an exact number of time units, if it is one and no fraction of a tick is left.
pub fn ticks(text: &str, scale: i64) -> Option<i64> {
    let (top, bottom) = text.split_once('/').unwrap_or((text, "1"));
    let (top, bottom): (i64, i64) = (top.parse().ok()?, bottom.parse().ok()?);
    if bottom < 1 {
        return None;
    }
    let product = i128::from(top) * i128::from(scale);
    let whole = product % i128::from(bottom) == 0;
    whole.then(|| i64::try_from(product / i128::from(bottom)).ok()).flatten()
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_both_ways() {
        assert_eq!(rational(3, 2), "3/2");
        assert_eq!(rational(4, 2), "2");
        assert_eq!(rational(0, 7), "0");
        assert_eq!(rational(-2, 4), "-1/2");
        assert_eq!(ticks("3/2", 4), Some(6));
        assert_eq!(ticks("3/2", 3), None);
        assert_eq!(ticks("-2", 3), Some(-6));
        assert_eq!(ticks("1/0", 3), None);
        assert_eq!(ticks("1/-1", 3), None);
        assert_eq!(ticks("9223372036854775807", 2), None);
        assert_eq!(ticks("x", 1), None);
    }
}
