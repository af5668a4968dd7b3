//! Exact feasibility of linear inequalities over non-negative unknowns, for paths with stopwatches.
//!
//! A two-phase-free simplex: the inequalities are brought to `slack = constant - row * unknowns`,
//! an artificial unknown makes the start feasible, and Bland's rule guarantees an end. Numbers are
//! fractions of `i128`; an overflow gives up, which the caller reports as unknown.

/// `sum of factor * unknown <= limit` (or `<` if strict).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inequality {
    /// Unknowns and their factors.
    pub terms: Vec<(usize, i64)>,
    /// The right-hand side.
    pub limit: i64,
    /// Whether equality is excluded.
    pub strict: bool,
}

/// Non-negative values, as whole numbers of `1/scale`, that satisfy all inequalities.
pub fn solve(unknowns: usize, inequalities: &[Inequality]) -> Option<(i64, Vec<i64>)> {
    // The margin of strict inequalities is one more unknown, to be made as large as possible; the
    // last unknown is how far the inequalities are violated, to be made 0.
    let (margin, violation) = (unknowns, unknowns + 1);
    let mut tableau = Tableau::new(unknowns + 2);
    for inequality in inequalities {
        let mut terms = inequality.terms.clone();
        if inequality.strict {
            terms.push((margin, 1));
        }
        terms.push((violation, -1));
        tableau.add(&terms, inequality.limit);
    }
    tableau.add(&[(margin, 1)], 1);
    tableau.make_feasible(violation)?;
    tableau.minimise(&[(violation, 1)])?;
    if !tableau.value(violation).is_zero() {
        return None;
    }
    tableau.forbid(violation)?;
    tableau.minimise(&[(margin, -1)])?;
    let strict = inequalities.iter().any(|i| i.strict);
    if strict && !tableau.value(margin).is_positive() {
        return None;
    }
    to_common_scale((0..unknowns).map(|x| tableau.value(x)).collect())
}

fn to_common_scale(values: Vec<Fraction>) -> Option<(i64, Vec<i64>)> {
    let mut scale: i128 = 1;
    for value in &values {
        scale = (scale / gcd(scale, value.below)).checked_mul(value.below)?;
    }
    let ticks = values.iter().map(|v| {
        let ticks = v.above.checked_mul(scale / v.below)?;
        i64::try_from(ticks).ok()
    });
    Some((i64::try_from(scale).ok()?, ticks.collect::<Option<_>>()?))
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    const ZERO: Fraction = Fraction { above: 0, below: 1 };

    fn whole(value: i64) -> Fraction {
        Fraction { above: value as i128, below: 1 }
    }
    fn new(above: i128, below: i128) -> Option<Fraction> {
        let divisor = gcd(above, below);
        let sign = if below < 0 { -1 } else { 1 };
        Some(Fraction { above: sign * (above / divisor), below: sign * (below / divisor) })
    }
    fn is_zero(self) -> bool {
        self.above == 0
    }
    fn is_positive(self) -> bool {
        self.above > 0
    }
    fn is_negative(self) -> bool {
        self.above < 0
    }
    fn minus(self, other: Fraction) -> Option<Fraction> {
        let left = self.above.checked_mul(other.below)?;
        let right = other.above.checked_mul(self.below)?;
        Fraction::new(left.checked_sub(right)?, self.below.checked_mul(other.below)?)
    }
    fn times(self, other: Fraction) -> Option<Fraction> {
        Fraction::new(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?)
    }
    fn over(self, other: Fraction) -> Option<Fraction> {
        Fraction::new(self.above.checked_mul(other.below)?, self.below.checked_mul(other.above)?)
    }
    fn less(self, other: Fraction) -> Option<bool> {
        Some(self.above.checked_mul(other.below)? < other.above.checked_mul(self.below)?)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Rows `basic = constant - sum of factor * free`, over unknowns and one slack per inequality.
struct Tableau {
    /// For each column, the unknown that is 0.
    free: Vec<usize>,
    /// For each row, the unknown that it gives.
    basic: Vec<usize>,
    rows: Vec<Vec<Fraction>>,
    constants: Vec<Fraction>,
    unknowns: usize,
}

impl Tableau {
    fn new(unknowns: usize) -> Tableau {
        let free = (0..unknowns).collect();
        Tableau { free, basic: Vec::new(), rows: Vec::new(), constants: Vec::new(), unknowns }
    }

    fn add(&mut self, terms: &[(usize, i64)], limit: i64) {
        let mut row = vec![0; self.unknowns];
        terms.iter().for_each(|&(x, factor)| row[x] += factor);
        self.rows.push(row.into_iter().map(Fraction::whole).collect());
        self.constants.push(Fraction::whole(limit));
        self.basic.push(self.unknowns + self.basic.len());
    }

    fn value(&self, unknown: usize) -> Fraction {
        let row = self.basic.iter().position(|&b| b == unknown);
        row.map_or(Fraction::ZERO, |row| self.constants[row])
    }

    /// Brings in the violation at the row that is violated most.
    fn make_feasible(&mut self, violation: usize) -> Option<()> {
        let mut worst: Option<usize> = None;
        for row in 0..self.rows.len() {
            let least = worst.map_or(Fraction::ZERO, |w| self.constants[w]);
            if self.constants[row].less(least)? {
                worst = Some(row);
            }
        }
        if let Some(row) = worst {
            let column = self.free.iter().position(|&x| x == violation)?;
            self.pivot(row, column)?;
        }
        Some(())
    }

    /// Keeps an unknown that is 0 at 0 from now on.
    fn forbid(&mut self, unknown: usize) -> Option<()> {
        if let Some(row) = self.basic.iter().position(|&b| b == unknown) {
            let column = self.rows[row].iter().position(|f| !f.is_zero());
            match column {
                Some(column) => self.pivot(row, column)?,
                None => return Some(()),
            }
        }
        let column = self.free.iter().position(|&x| x == unknown)?;
        self.rows.iter_mut().for_each(|row| row[column] = Fraction::ZERO);
        Some(())
    }

    /// Makes a sum as small as it gets.
    fn minimise(&mut self, sum: &[(usize, i64)]) -> Option<()> {
        loop {
            // How the sum changes when a free unknown grows.
            let mut slopes = vec![Fraction::ZERO; self.free.len()];
            for &(unknown, factor) in sum {
                let factor = Fraction::whole(factor);
                if let Some(column) = self.free.iter().position(|&x| x == unknown) {
                    slopes[column] = slopes[column].minus(Fraction::ZERO.minus(factor)?)?;
                }
                if let Some(row) = self.basic.iter().position(|&b| b == unknown) {
                    for (slope, &f) in slopes.iter_mut().zip(&self.rows[row]) {
                        *slope = slope.minus(factor.times(f)?)?;
                    }
                }
            }
            let falling = (0..slopes.len()).filter(|&c| slopes[c].is_negative());
            let Some(column) = falling.min_by_key(|&c| self.free[c]) else { return Some(()) };
            // Both objectives are bounded, so some row limits the column.
            let row = self.limiting_row(column)??;
            self.pivot(row, column)?;
        }
    }

    /// The row that first becomes 0 when a column's unknown grows; none inside if no row does.
    fn limiting_row(&self, column: usize) -> Option<Option<usize>> {
        let mut best: Option<(Fraction, usize)> = None;
        for row in 0..self.rows.len() {
            let factor = self.rows[row][column];
            if !factor.is_positive() {
                continue;
            }
            let ratio = self.constants[row].over(factor)?;
            let better = match best {
                None => true,
                Some((least, other)) => {
                    ratio.less(least)? || (ratio == least && self.basic[row] < self.basic[other])
                }
            };
            if better {
                best = Some((ratio, row));
            }
        }
        Some(best.map(|(_, row)| row))
    }

    /// Exchanges the unknown of a row with that of a column.
    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let factor = self.rows[row][column];
        let one = Fraction::whole(1);
        for c in 0..self.free.len() {
            let old = if c == column { one } else { self.rows[row][c] };
            self.rows[row][c] = old.over(factor)?;
        }
        self.constants[row] = self.constants[row].over(factor)?;
        let pivot_row = self.rows[row].clone();
        for r in (0..self.rows.len()).filter(|&r| r != row) {
            let scale = self.rows[r][column];
            if scale.is_zero() {
                continue;
            }
            for (c, &entry) in pivot_row.iter().enumerate() {
                let old = if c == column { Fraction::ZERO } else { self.rows[r][c] };
                self.rows[r][c] = old.minus(scale.times(entry)?)?;
            }
            self.constants[r] = self.constants[r].minus(scale.times(self.constants[row])?)?;
        }
        std::mem::swap(&mut self.basic[row], &mut self.free[column]);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_most(terms: &[(usize, i64)], limit: i64, strict: bool) -> Inequality {
        Inequality { terms: terms.to_vec(), limit, strict }
    }

    fn satisfied(inequality: &Inequality, scale: i64, values: &[i64]) -> bool {
        let sum: i64 = inequality.terms.iter().map(|&(x, f)| f * values[x]).sum();
        let limit = inequality.limit * scale;
        if inequality.strict { sum < limit } else { sum <= limit }
    }

    #[test]
    fn a_point_between_strict_bounds() {
        // 1 < a + b < 2, a >= 1, b > 0
        let system = [
            at_most(&[(0, -1), (1, -1)], -1, true),
            at_most(&[(0, 1), (1, 1)], 2, true),
            at_most(&[(0, -1)], -1, false),
            at_most(&[(1, -1)], 0, true),
        ];
        let (scale, values) = solve(2, &system).expect("a = 1, b = 1/2 is a solution");
        assert!(values.iter().all(|&v| v >= 0));
        assert!(system.iter().all(|i| satisfied(i, scale, &values)));
    }

    #[test]
    fn contradictions_have_no_solution() {
        assert_eq!(solve(1, &[at_most(&[(0, -1)], -2, false), at_most(&[(0, 1)], 2, true)]), None);
        assert_eq!(solve(1, &[at_most(&[(0, 1)], -1, false)]), None);
        assert_eq!(solve(1, &[at_most(&[(0, 1)], 0, true)]), None);
    }

    /// Small random systems against a search over a grid fine enough for them.
    #[test]
    fn agrees_with_a_grid() {
        let mut seed = 7u64;
        let mut random = move |n: i64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % n as u64) as i64
        };
        for case in 0..400 {
            let system: Vec<_> = (0..4)
                .map(|_| {
                    let terms = [(0, random(3) - 1), (1, random(3) - 1)];
                    at_most(&terms, random(7) - 3, random(2) == 0)
                })
                .collect();
            let grid = (0..=60).flat_map(|a| (0..=60).map(move |b| [a, b]));
            let expected = grid.into_iter().any(|v| system.iter().all(|i| satisfied(i, 6, &v)));
            let found = solve(2, &system);
            assert_eq!(found.is_some(), expected, "case {case}: {system:?}");
            if let Some((scale, values)) = found {
                assert!(system.iter().all(|i| satisfied(i, scale, &values)), "case {case}");
            }
        }
    }
}
