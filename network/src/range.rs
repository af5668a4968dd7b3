//! Interval analysis: which values an expression can have if every variable is within its type.
//!
//! Sound, not exact. Evaluations that end in a run-time error have no value and do not count.

use crate::{
    Arena, Base, BinaryOp, Channel, ChannelKind, ChannelRef, Expr, Local, LocalId, Network, Place,
    Probe, Quantifier, Storage, Type, UnaryOp, Variable,
};

/// The least and the greatest value an expression can have, or a wider range.
pub fn range_of(network: &Network, locals: &Arena<LocalId, Local>, expr: &Expr) -> (i32, i32) {
    let Range { low, high } = Analysis { network, locals }.expr(expr);
    (low, high)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    low: i32,
    high: i32,
}

impl Range {
    const FULL: Range = Range { low: i32::MIN, high: i32::MAX };
    const TRUTH: Range = Range { low: 0, high: 1 };

    fn just(value: i32) -> Self {
        Range { low: value, high: value }
    }
    fn of_type(ty: &Type) -> Self {
        Range { low: ty.low.min(ty.high), high: ty.low.max(ty.high) }
    }
    /// The full range if the arithmetic can wrap around.
    fn wrapping(low: i128, high: i128) -> Self {
        match (i32::try_from(low), i32::try_from(high)) {
            (Ok(low), Ok(high)) => Range { low, high },
            _ => Range::FULL,
        }
    }
    /// The range between the least and the greatest of some values.
    fn spanning(values: impl IntoIterator<Item = i128>) -> Self {
        let (mut low, mut high) = (i128::MAX, i128::MIN);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        Range::wrapping(low, high)
    }
    fn union(self, other: Range) -> Self {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    /// The part within the limits, if there is one.
    fn within(self, low: i32, high: i32) -> Option<Self> {
        let (low, high) = (self.low.max(low), self.high.min(high));
        (low <= high).then_some(Range { low, high })
    }
    fn ends(self) -> [i128; 2] {
        [self.low.into(), self.high.into()]
    }
    fn is_zero(self) -> bool {
        self == Range::just(0)
    }
    fn excludes_zero(self) -> bool {
        self.low > 0 || self.high < 0
    }
    /// 1 if it certainly holds, 0 if it certainly does not.
    fn truth(certainly: bool, certainly_not: bool) -> Self {
        match (certainly, certainly_not) {
            (true, _) => Range::just(1),
            (_, true) => Range::just(0),
            _ => Range::TRUTH,
        }
    }
}

struct Analysis<'a> {
    network: &'a Network,
    locals: &'a Arena<LocalId, Local>,
}

impl Analysis<'_> {
    fn expr(&self, expr: &Expr) -> Range {
        match expr {
            Expr::Const(value) => Range::just(*value),
            Expr::Read(place) => self.read(place),
            Expr::Unary(op, operand) => unary(*op, self.expr(operand)),
            Expr::Binary(op, left, right) => binary(*op, self.expr(left), self.expr(right)),
            Expr::Conditional(condition, yes, no) => self.conditional(condition, yes, no),
            Expr::Quantified(quantifier, binder, operand) => {
                self.quantified(*quantifier, *binder, operand)
            }
            Expr::Call(function, _) => {
                let function = self.network.functions.try_at(*function);
                let result = function.and_then(|function| function.result.as_ref());
                result.map_or(Range::FULL, Range::of_type)
            }
            Expr::Probe(Probe::Length, channel) => Range { low: 0, high: self.capacity(channel) },
            Expr::At(..) | Expr::Clock(_) | Expr::Deadlock => Range::TRUTH,
            Expr::Timeout | Expr::Probe(..) | Expr::Poll(_) => Range::TRUTH,
        }
    }

    /// The most messages that can wait in a channel that can be meant.
    fn capacity(&self, channel: &ChannelRef) -> i32 {
        let capacity = |channel: &Channel| match channel.kind {
            ChannelKind::Buffered { capacity, .. } => i32::try_from(capacity).unwrap_or(i32::MAX),
            ChannelKind::Handshake | ChannelKind::Broadcast => 0,
        };
        match channel {
            ChannelRef::Element(id, _) => {
                self.network.channels.try_at(*id).map_or(i32::MAX, capacity)
            }
            ChannelRef::Value(_) => self.network.channels.iter().map(capacity).max().unwrap_or(0),
        }
    }

    fn read(&self, place: &Place) -> Range {
        match place.base {
            Base::Local(id) => {
                self.locals.try_at(id).map_or(Range::FULL, |local| Range::of_type(&local.ty))
            }
            Base::Variable(id) => match self.network.variables.try_at(id) {
                None => Range::FULL,
                Some(variable) if variable.storage == Storage::Constant => {
                    self.constant(variable, &place.indices)
                }
                Some(variable) => Range::of_type(&variable.ty),
            },
        }
    }

    /// The values in the part of a constant table that the indices can reach.
    fn constant(&self, variable: &Variable, indices: &[Expr]) -> Range {
        // Where an index is not known, the rest of the table counts from there on.
        let mut elements = variable.initial.as_slice();
        for (index, dimension) in indices.iter().zip(&variable.dimensions) {
            let range = self.expr(index);
            let size = dimension.size as usize;
            let Some(range) = range.within(0, i32::MAX).filter(|_| size > 0) else {
                break;
            };
            let part = elements.len() / size;
            let first = (range.low as usize).min(size - 1) * part;
            let last = (range.high as usize).min(size - 1) * part + part;
            elements = &elements[first..last];
            if range.low != range.high {
                break;
            }
        }
        let least = elements.iter().min();
        match (least, elements.iter().max()) {
            (Some(&low), Some(&high)) => Range { low, high },
            _ => Range::of_type(&variable.ty),
        }
    }

    fn conditional(&self, condition: &Expr, yes: &Expr, no: &Expr) -> Range {
        let condition = self.expr(condition);
        if condition.is_zero() {
            self.expr(no)
        } else if condition.excludes_zero() {
            self.expr(yes)
        } else {
            self.expr(yes).union(self.expr(no))
        }
    }

    fn quantified(&self, quantifier: Quantifier, binder: LocalId, operand: &Expr) -> Range {
        if quantifier != Quantifier::Sum {
            return Range::TRUTH;
        }
        let Some(binder) = self.locals.try_at(binder) else {
            return Range::FULL;
        };
        let values = (i128::from(binder.ty.high) - i128::from(binder.ty.low) + 1).max(0);
        let operand = self.expr(operand);
        Range::wrapping(values * i128::from(operand.low), values * i128::from(operand.high))
    }
}

fn unary(op: UnaryOp, Range { low, high }: Range) -> Range {
    let range = Range { low, high };
    match op {
        UnaryOp::Neg => Range::spanning(range.ends().map(|end| -end)),
        UnaryOp::Not => Range::truth(range.is_zero(), range.excludes_zero()),
        UnaryOp::BitNot => Range { low: !high, high: !low },
        UnaryOp::Abs if low >= 0 => range,
        UnaryOp::Abs if high <= 0 => unary(UnaryOp::Neg, range),
        UnaryOp::Abs => Range::spanning(range.ends().map(i128::abs).into_iter().chain([0])),
    }
}

fn binary(op: BinaryOp, a: Range, b: Range) -> Range {
    match op {
        BinaryOp::Add => Range::spanning(corners(a, b, |a, b| a + b)),
        BinaryOp::Sub => Range::spanning(corners(a, b, |a, b| a - b)),
        BinaryOp::Mul => Range::spanning(corners(a, b, |a, b| a * b)),
        BinaryOp::Div => quotient(a, b),
        BinaryOp::Rem => remainder(a, b),
        BinaryOp::Pow => power(a, b),
        BinaryOp::Min => Range { low: a.low.min(b.low), high: a.high.min(b.high) },
        BinaryOp::Max => Range { low: a.low.max(b.low), high: a.high.max(b.high) },
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => bitwise(op, a, b),
        BinaryOp::Shl => shift(a, b, |a, count| a << count),
        BinaryOp::Shr => shift(a, b, |a, count| a >> count),
        BinaryOp::Eq => equal(a, b),
        BinaryOp::Ne => unary(UnaryOp::Not, equal(a, b)),
        BinaryOp::Lt => Range::truth(a.high < b.low, a.low >= b.high),
        BinaryOp::Le => Range::truth(a.high <= b.low, a.low > b.high),
        BinaryOp::Gt => binary(BinaryOp::Lt, b, a),
        BinaryOp::Ge => binary(BinaryOp::Le, b, a),
        BinaryOp::And => {
            Range::truth(a.excludes_zero() && b.excludes_zero(), a.is_zero() || b.is_zero())
        }
        BinaryOp::Or => {
            Range::truth(a.excludes_zero() || b.excludes_zero(), a.is_zero() && b.is_zero())
        }
    }
}

/// An operation that is monotone in each operand has its extremes at the ends of the ranges.
fn corners(a: Range, b: Range, operation: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let pairs = a.ends().into_iter().flat_map(|a| b.ends().map(|b| (a, b)));
    pairs.map(|(a, b)| operation(a, b)).collect()
}

fn quotient(a: Range, b: Range) -> Range {
    let parts = [b.within(i32::MIN, -1), b.within(1, i32::MAX)];
    let quotients = parts.into_iter().flatten().map(|part| {
        // The least integer divided by -1 wraps around; `spanning` sees that it leaves the range.
        Range::spanning(corners(a, part, |a, b| a / b))
    });
    quotients.reduce(Range::union).unwrap_or(Range::FULL)
}

fn remainder(a: Range, b: Range) -> Range {
    let largest = b.ends().map(i128::abs).into_iter().fold(0, i128::max) - 1;
    if largest < 0 {
        return Range::FULL;
    }
    // The sign is that of the dividend; the divisor and the dividend both limit the size.
    let low = i128::from(a.low).min(0).max(-largest);
    let high = i128::from(a.high).max(0).min(largest);
    Range::wrapping(low, high)
}

fn power(base: Range, exponent: Range) -> Range {
    let Some(exponent) = exponent.within(0, i32::MAX) else {
        return Range::FULL;
    };
    let largest = base.ends().map(i128::abs).into_iter().fold(1, i128::max);
    let Some(most) = largest.checked_pow(exponent.high as u32) else {
        return Range::FULL;
    };
    if base.low < 0 {
        return Range::wrapping(-most, most);
    }
    // Monotone from base 1 on; `0 ** 0` is 1, and 0 otherwise.
    let least = match (base.low, exponent.low) {
        (0, _) => i128::from(exponent.high == 0),
        (low, power) => i128::from(low).checked_pow(power as u32).unwrap_or(most),
    };
    Range::wrapping(least, most)
}

fn bitwise(op: BinaryOp, a: Range, b: Range) -> Range {
    // Two's complement numbers of some width stay within that width.
    let widest = [a.low, a.high, b.low, b.high].into_iter().map(|end| end ^ (end >> 31)).max();
    let mask = widest.map_or(i32::MAX, |bits| match bits {
        0 => 0,
        bits => (u32::MAX >> bits.leading_zeros()) as i32,
    });
    match op {
        BinaryOp::BitAnd if a.low >= 0 && b.low >= 0 => Range { low: 0, high: a.high.min(b.high) },
        BinaryOp::BitAnd if a.low >= 0 => Range { low: 0, high: a.high },
        BinaryOp::BitAnd if b.low >= 0 => Range { low: 0, high: b.high },
        BinaryOp::BitOr if a.low >= 0 && b.low >= 0 => Range { low: a.low.max(b.low), high: mask },
        _ if a.low >= 0 && b.low >= 0 => Range { low: 0, high: mask },
        _ => Range { low: !mask, high: mask },
    }
}

fn shift(a: Range, count: Range, operation: impl Fn(i128, i128) -> i128) -> Range {
    match count.within(0, 31) {
        Some(count) => Range::spanning(corners(a, count, operation)),
        None => Range::FULL,
    }
}

fn equal(a: Range, b: Range) -> Range {
    let disjoint = a.high < b.low || b.high < a.low;
    Range::truth(a == b && a.low == a.high, disjoint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_out_of_bounds_have_the_full_range() {
        let expr = Expr::variable(crate::VariableId(7));
        let range = range_of(&Network::default(), &Arena::new(), &expr);
        assert_eq!(range, (i32::MIN, i32::MAX));
    }
}
