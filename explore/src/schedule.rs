//! Times for the steps of a path: the earliest solution of a system of difference constraints.
//!
//! Without stopwatches every clock constraint along a path bounds the difference of two step times.
//! The earliest times are longest paths from the start; strict bounds count infinitesimals, which
//! at the end become a fraction small enough for all of them.

/// `time[later] - time[earlier] >= least` (or `>` if strict).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The time on the left.
    pub later: usize,
    /// The time subtracted.
    pub earlier: usize,
    /// The difference is at least this.
    pub least: i64,
    /// The difference is greater.
    pub strict: bool,
}

/// Times in ticks, `scale` ticks to a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Ticks per unit of time.
    pub scale: i64,
    /// The times.
    pub times: Vec<i64>,
}

/// The earliest times that satisfy all gaps, the first of them 0; none if there are none.
pub fn earliest(count: usize, gaps: &[Gap]) -> Option<Schedule> {
    // Whole units and infinitesimals, compared in this order.
    let mut times = vec![(0i64, 0i64); count];
    // Longest paths without cycles have fewer than `count` links.
    for _ in 0..=count {
        let mut changed = false;
        for gap in gaps {
            let (units, tiny) = times[gap.earlier];
            let least = (units + gap.least, tiny + gap.strict as i64);
            if least > times[gap.later] {
                if gap.later == 0 {
                    return None;
                }
                times[gap.later] = least;
                changed = true;
            }
        }
        if !changed {
            return Some(scaled(&times));
        }
    }
    None
}

fn scaled(times: &[(i64, i64)]) -> Schedule {
    let scale = 1 + times.iter().map(|&(_, tiny)| tiny).max().unwrap_or(0);
    let times = times.iter().map(|&(units, tiny)| units * scale + tiny).collect();
    Schedule { scale, times }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(later: usize, earlier: usize, least: i64, strict: bool) -> Gap {
        Gap { later, earlier, least, strict }
    }

    #[test]
    fn earliest_times_respect_strictness() {
        let gaps = [gap(1, 0, 2, true), gap(2, 1, 0, true), gap(0, 2, -3, true)];
        let schedule = earliest(3, &gaps).expect("2 < t1 < t2 < 3 has solutions");
        assert_eq!(schedule, Schedule { scale: 3, times: vec![0, 7, 8] });
    }

    #[test]
    fn contradictions_are_found() {
        assert_eq!(earliest(2, &[gap(1, 0, 2, true), gap(0, 1, -2, false)]), None);
        let cycle = [gap(1, 2, 1, false), gap(2, 1, 0, false)];
        assert_eq!(earliest(3, &cycle), None);
    }
}
