//! Sets of integers: exact while their span is small, intervals beyond that.
//!
//! Everything here is monotone: larger operands never give a smaller result. What cannot be computed
//! exactly is rounded up to a superset.

use network::{BinaryOp, Overflow, Type, UnaryOp};

/// A set of integers. If the span is less than 64, bit `i` says whether `low + i` is in it; else all
/// values from `low` to `high` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Values {
    low: i32,
    high: i32,
    bits: u64,
}

/// How many pairs of values an operation looks at one by one.
const PAIRS: u32 = 256;

/// The values of an operation, and whether some operands make it fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The values.
    pub values: Values,
    /// Whether some choice is a run-time error.
    pub may_fail: bool,
}

impl From<Values> for Computed {
    fn from(values: Values) -> Self {
        Computed { values, may_fail: false }
    }
}

impl Values {
    /// No value.
    pub const EMPTY: Values = Values { low: 1, high: 0, bits: 0 };
    /// 0 and 1.
    pub const TRUTH: Values = Values { low: 0, high: 1, bits: 3 };
    /// Every integer.
    pub const ALL: Values = Values { low: i32::MIN, high: i32::MAX, bits: !0 };

    /// One value.
    pub fn just(value: i32) -> Self {
        Values { low: value, high: value, bits: 1 }
    }

    /// All values of a range; none if it is empty.
    pub fn range(low: i32, high: i32) -> Self {
        if low > high {
            return Values::EMPTY;
        }
        let span = span(low, high);
        let bits = if span < 64 { !0 >> (63 - span) } else { !0 };
        Values { low, high, bits }
    }

    fn clamped(low: i64, high: i64) -> Self {
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => Values::range(low, high),
            // Arithmetic wraps around.
            _ => Values::ALL,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// The least value.
    pub fn low(&self) -> i32 {
        self.low
    }

    /// The greatest value.
    pub fn high(&self) -> i32 {
        self.high
    }

    /// Whether every value is told apart.
    pub fn is_small(&self) -> bool {
        span(self.low, self.high) < 64
    }

    /// The value, if there is just one.
    pub fn single(&self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether a value is in the set.
    pub fn contains(&self, value: i32) -> bool {
        if value < self.low || value > self.high {
            return false;
        }
        !self.is_small() || self.bits >> span(self.low, value) & 1 != 0
    }

    /// Whether some value is not 0.
    pub fn may_hold(&self) -> bool {
        !self.is_empty() && self.single() != Some(0)
    }

    /// Whether 0 is in the set.
    pub fn may_fail(&self) -> bool {
        self.contains(0)
    }

    /// The values, if they are few; of an interval its ends.
    pub fn iter(self) -> impl Iterator<Item = i32> {
        let small = self.is_small();
        let (mut bits, low) = (if small { self.bits } else { 0 }, self.low);
        let mut ends = [self.low, self.high].into_iter().take(if small { 0 } else { 2 });
        std::iter::from_fn(move || {
            if bits == 0 {
                return ends.next();
            }
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            Some(low.wrapping_add(bit as i32))
        })
    }

    /// How many values there are, as far as they are counted.
    fn count(&self) -> u32 {
        if self.is_small() { self.bits.count_ones() } else { u32::MAX }
    }

    /// The smallest interval that has all values.
    pub fn hull(self) -> Self {
        Values::range(self.low, self.high)
    }

    /// All values of both.
    pub fn union(self, other: Values) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        if span(low, high) >= 64 {
            return Values { low, high, bits: !0 };
        }
        let bits = self.bits << span(low, self.low) | other.bits << span(low, other.low);
        Values { low, high, bits }
    }

    /// The values of both, or a superset of them.
    pub fn intersect(self, other: Values) -> Self {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low > high {
            return Values::EMPTY;
        }
        let bits = self.bits_from(low) & other.bits_from(low);
        if span(low, high) >= 64 {
            Values { low, high, bits: !0 }
        } else {
            Values::window(low, bits & !0 >> (63 - span(low, high)))
        }
    }

    /// The values that are not in the other set, or a superset of them.
    pub fn minus(self, other: Values) -> Self {
        if self.is_empty() || other.is_empty() {
            return self;
        }
        if self.is_small() {
            let kept = self.iter().filter(|&value| !other.contains(value));
            return kept.fold(Values::EMPTY, |all, value| all.union(Values::just(value)));
        }
        let inside = other.low <= self.low && self.high <= other.high && !other.is_small();
        if inside { Values::EMPTY } else { self }
    }

    /// The bits of the values from `low` on; everything is there beyond what bits can say.
    fn bits_from(&self, low: i32) -> u64 {
        if !self.is_small() { !0 } else { self.bits >> span(self.low, low).min(63) }
    }

    fn window(low: i32, bits: u64) -> Self {
        if bits == 0 {
            return Values::EMPTY;
        }
        let (first, last) = (bits.trailing_zeros(), 63 - bits.leading_zeros());
        Values { low: low + first as i32, high: low + last as i32, bits: bits >> first }
    }

    /// The values cut to a type: those outside are an error or wrap around.
    pub fn fit(self, ty: &Type) -> Computed {
        if self.is_empty() || ty.low <= self.low && self.high <= ty.high {
            return self.into();
        }
        match ty.overflow {
            Overflow::Error => {
                let values = self.intersect(Values::range(ty.low, ty.high));
                Computed { values, may_fail: true }
            }
            Overflow::Wrap if self.is_small() => {
                let wrapped = self.iter().map(|value| Values::just(wrap(value, ty)));
                wrapped.fold(Values::EMPTY, Values::union).into()
            }
            Overflow::Wrap => Values::range(ty.low, ty.high).into(),
        }
    }

    /// An operator with one operand.
    pub fn unary(self, op: UnaryOp) -> Values {
        if self.is_empty() {
            return self;
        }
        if op == UnaryOp::Not {
            return truth(self.may_fail(), self.may_hold());
        }
        if self.is_small() {
            let results = self.iter().map(|v| Values::just(op.apply(v)));
            return results.fold(Values::EMPTY, Values::union);
        }
        let (low, high) = (i64::from(self.low), i64::from(self.high));
        match op {
            UnaryOp::Neg => Values::clamped(-high, -low),
            UnaryOp::BitNot => Values::clamped(!high, !low),
            UnaryOp::Abs if low >= 0 => self,
            UnaryOp::Abs => Values::clamped(0.max(-high), high.max(-low)),
            UnaryOp::Not => Values::TRUTH,
        }
    }

    /// An operator with two operands.
    pub fn binary(self, op: BinaryOp, other: Values) -> Computed {
        if self.is_empty() || other.is_empty() {
            return Values::EMPTY.into();
        }
        if let Some(values) = self.compare(op, other) {
            return values.into();
        }
        if self.count().saturating_mul(other.count()) <= PAIRS {
            return self.each_pair(op, other);
        }
        self.between(op, other)
    }

    fn each_pair(self, op: BinaryOp, other: Values) -> Computed {
        let mut computed = Computed::from(Values::EMPTY);
        for a in self.iter() {
            for b in other.iter() {
                match op.apply(a, b) {
                    Ok(value) => computed.values = computed.values.union(Values::just(value)),
                    Err(_) => computed.may_fail = true,
                }
            }
        }
        computed
    }

    /// Comparisons and logic need no look at pairs.
    fn compare(&self, op: BinaryOp, other: Values) -> Option<Values> {
        let (a, b) = (self, &other);
        Some(match op {
            BinaryOp::Lt => truth(a.low < b.high, a.high >= b.low),
            BinaryOp::Le => truth(a.low <= b.high, a.high > b.low),
            BinaryOp::Gt => truth(a.high > b.low, a.low <= b.high),
            BinaryOp::Ge => truth(a.high >= b.low, a.low < b.high),
            BinaryOp::Eq | BinaryOp::Ne => {
                let equal = !a.intersect(other).is_empty();
                let differ = a.single().is_none() || b.single() != a.single();
                if op == BinaryOp::Eq { truth(equal, differ) } else { truth(differ, equal) }
            }
            BinaryOp::And => truth(a.may_hold() && b.may_hold(), a.may_fail() || b.may_fail()),
            BinaryOp::Or => truth(a.may_hold() || b.may_hold(), a.may_fail() && b.may_fail()),
            _ => return None,
        })
    }

    /// Arithmetic on intervals.
    fn between(self, op: BinaryOp, other: Values) -> Computed {
        let (al, ah) = (i64::from(self.low), i64::from(self.high));
        let (bl, bh) = (i64::from(other.low), i64::from(other.high));
        let both = al >= 0 && bl >= 0;
        let zero = other.contains(0);
        match op {
            BinaryOp::Add => Values::clamped(al + bl, ah + bh).into(),
            BinaryOp::Sub => Values::clamped(al - bh, ah - bl).into(),
            BinaryOp::Mul => {
                let ends = [al * bl, al * bh, ah * bl, ah * bh];
                let low = ends.iter().copied().min().unwrap_or(0);
                Values::clamped(low, ends.iter().copied().max().unwrap_or(0)).into()
            }
            BinaryOp::Min => Values::clamped(al.min(bl), ah.min(bh)).into(),
            BinaryOp::Max => Values::clamped(al.max(bl), ah.max(bh)).into(),
            BinaryOp::Div => {
                let most = al.abs().max(ah.abs());
                let low = if both { 0 } else { -most };
                Computed { values: Values::clamped(low, most), may_fail: zero }
            }
            BinaryOp::Rem => {
                let most = (bl.abs().max(bh.abs()) - 1).min(al.abs().max(ah.abs())).max(0);
                let values = Values::clamped(if al >= 0 { 0 } else { -most }, most);
                Computed { values, may_fail: zero }
            }
            BinaryOp::BitAnd if both => Values::clamped(0, ah.min(bh)).into(),
            BinaryOp::BitOr | BinaryOp::BitXor if both => {
                let most = (ah.max(bh) as u64 + 1).next_power_of_two() as i64 - 1;
                Values::clamped(0, most).into()
            }
            BinaryOp::Shl => {
                Computed { values: Values::ALL, may_fail: !(0..32).contains(&bl) || bh > 31 }
            }
            BinaryOp::Shr => {
                let values = Values::clamped(al.min(0), ah.max(0));
                Computed { values, may_fail: !(0..32).contains(&bl) || bh > 31 }
            }
            BinaryOp::Pow => Computed { values: Values::ALL, may_fail: bl < 0 },
            _ => Values::ALL.into(),
        }
    }
}

fn span(low: i32, high: i32) -> u32 {
    high.wrapping_sub(low) as u32
}

/// The truth values that are possible.
fn truth(holds: bool, fails: bool) -> Values {
    match (holds, fails) {
        (true, true) => Values::TRUTH,
        (true, false) => Values::just(1),
        (false, true) => Values::just(0),
        (false, false) => Values::EMPTY,
    }
}

/// A value cut to the bits of a type.
fn wrap(value: i32, ty: &Type) -> i32 {
    if ty.contains(value) {
        return value;
    }
    if ty.low < 0 {
        let unused = (ty.high as u32).leading_zeros().saturating_sub(1);
        return (value << unused) >> unused;
    }
    value & ty.high
}
