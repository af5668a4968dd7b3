//! Evaluates expressions and conditions on a draft of the next state; `execute.rs` does statements.

use network::{
    Base, BinaryOp, ChannelRef, ClockConstraint, ClockRef, Condition, ErrorKind, Expr, LocalId,
    MAX_CLOCK_BOUND, Place, Quantifier, RunTimeError, Span, UnaryOp,
};

use crate::atom::{Atom, Element};
use crate::draft::Draft;
use crate::frame::Frame;
use crate::{Simulator, State, Stop};

pub(crate) struct Evaluator<'a> {
    pub simulator: &'a Simulator<'a>,
    pub draft: Draft<'a>,
    /// Where we are, for errors.
    pub span: Span,
    /// Rounds of `while` loops so far.
    pub rounds: u64,
    /// How many expressions we are inside of that call functions: these may not write.
    pub pure: u32,
    /// The value of `timeout`.
    pub timeout: bool,
    /// Whether an evaluation ended because nothing can be said about `deadlock`.
    deadlock_is_open: bool,
}

impl<'a> Evaluator<'a> {
    pub fn new(simulator: &'a Simulator<'a>, state: &'a State) -> Self {
        let draft = Draft::new(state);
        Evaluator {
            simulator,
            draft,
            span: Span::NONE,
            rounds: 0,
            pure: 0,
            timeout: false,
            deadlock_is_open: false,
        }
    }

    pub fn error<T>(&self, kind: ErrorKind) -> Result<T, Stop> {
        Err(Stop::Error(RunTimeError { kind, span: self.span }))
    }

    /// The clock constraints that the condition demands, or none if its data part is false.
    pub fn condition(
        &mut self,
        condition: &Condition,
        frame: &mut Frame,
    ) -> Result<Option<Vec<Atom>>, Stop> {
        self.span = condition.span;
        if self.expr(&condition.data, frame)? == 0 {
            return Ok(None);
        }
        let mut atoms = Vec::new();
        for constraint in &condition.clocks {
            atoms.extend(self.atom(constraint, frame)?);
        }
        Ok(Some(atoms))
    }

    /// The constraint with numbers for its expressions, or none if it demands nothing.
    pub fn atom(
        &mut self,
        constraint: &ClockConstraint,
        frame: &mut Frame,
    ) -> Result<Option<Atom>, Stop> {
        if let Some(when) = &constraint.when
            && self.expr(when, frame)? == 0
        {
            return Ok(None);
        }
        let left = self.clock(&constraint.left, frame)?;
        let right = match &constraint.right {
            Some(clock) => Some(self.clock(clock, frame)?),
            None => None,
        };
        let bound = self.expr(&constraint.bound, frame)?;
        if bound.unsigned_abs() > MAX_CLOCK_BOUND.unsigned_abs() {
            return self.error(ErrorKind::ClockBound(bound));
        }
        Ok(Some(Atom { left, right, relation: constraint.relation, bound }))
    }

    /// The number of the channel element that an action names.
    pub fn channel(
        &mut self,
        channel: &ChannelRef,
        span: Span,
        frame: &mut Frame,
    ) -> Result<usize, Stop> {
        self.span = span;
        match channel {
            ChannelRef::Element(id, indices) => {
                let dimensions = &self.simulator.network().channels[*id].dimensions;
                let element = self.index(dimensions.iter().map(|d| d.size), indices, frame)?;
                Ok(self.simulator.first_element(*id) + element)
            }
            ChannelRef::Value(value) => {
                let value = self.expr(value, frame)?;
                let number = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
                match number.filter(|&number| number < self.simulator.elements()) {
                    Some(number) => Ok(number),
                    None => self.error(ErrorKind::NoChannel(value)),
                }
            }
        }
    }

    /// The clock element that a reference names.
    pub fn clock(&mut self, clock: &ClockRef, frame: &mut Frame) -> Result<Element, Stop> {
        let dimensions = &self.simulator.network().clocks[clock.clock].dimensions;
        let element = self.index(dimensions.iter().map(|d| d.size), &clock.indices, frame)?;
        Ok(Element { clock: clock.clock, element })
    }

    /// Which element of its array a place is.
    pub fn element(&mut self, place: &Place, frame: &mut Frame) -> Result<usize, Stop> {
        match place.base {
            Base::Variable(variable) => {
                let dimensions = &self.simulator.network().variables[variable].dimensions;
                self.index(dimensions.iter().map(|d| d.size), &place.indices, frame)
            }
            Base::Local(local) => {
                let sizes = frame.sizes(local).iter().copied();
                self.index(sizes, &place.indices, frame)
            }
        }
    }

    /// The position that indices mean in an array, the last dimension running fastest.
    fn index(
        &mut self,
        sizes: impl Iterator<Item = u32>,
        indices: &[Expr],
        frame: &mut Frame,
    ) -> Result<usize, Stop> {
        let mut element = 0;
        for (size, index) in sizes.zip(indices) {
            let index = self.expr(index, frame)?;
            element = element * size as usize + self.within(index, size)?;
        }
        Ok(element)
    }

    fn within(&self, index: i32, size: u32) -> Result<usize, Stop> {
        match usize::try_from(index) {
            Ok(position) if position < size as usize => Ok(position),
            _ => self.error(ErrorKind::Index { index, size }),
        }
    }

    /// The value of an expression.
    pub fn expr(&mut self, expr: &Expr, frame: &mut Frame) -> Result<i32, Stop> {
        match expr {
            Expr::Const(value) => Ok(*value),
            Expr::Read(place) => self.read(place, frame),
            Expr::Unary(op, operand) => Ok(unary(*op, self.expr(operand, frame)?)),
            Expr::Binary(op, left, right) => self.binary(*op, left, right, frame),
            Expr::Conditional(condition, yes, no) => {
                let chosen = if self.expr(condition, frame)? != 0 { yes } else { no };
                self.expr(chosen, frame)
            }
            Expr::Quantified(quantifier, binder, operand) => {
                self.quantified(*quantifier, *binder, operand, frame)
            }
            Expr::Call(function, arguments) => {
                self.pure += 1;
                let result = self.call(*function, arguments, frame)?;
                self.pure -= 1;
                result
                    .ok_or_else(|| Stop::illegal("a function without a result is used as a value"))
            }
            Expr::At(process, location) => Ok((self.draft.location(*process) == *location).into()),
            Expr::Clock(constraint) => {
                let atom = self.atom(constraint, frame)?;
                Ok(atom.is_none_or(|atom| atom.holds(&self.draft, self.simulator.scale())).into())
            }
            Expr::Deadlock => {
                let is_deadlock = self.simulator.is_deadlock(self.draft.before());
                self.deadlock_is_open = is_deadlock.is_err();
                Ok(is_deadlock?.into())
            }
            Expr::Timeout => Ok(self.timeout.into()),
            Expr::Probe(probe, channel) => self.probe(*probe, channel, frame),
            Expr::Poll(poll) => self.poll(poll, frame),
        }
    }

    fn read(&mut self, place: &Place, frame: &mut Frame) -> Result<i32, Stop> {
        let element = self.element(place, frame)?;
        Ok(match place.base {
            Base::Variable(variable) => self.draft.value(variable, element),
            Base::Local(local) => frame.read(local, element),
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: LocalId,
        operand: &Expr,
        frame: &mut Frame,
    ) -> Result<i32, Stop> {
        let ty = frame.ty(binder);
        let mut sum = 0_i32;
        for value in ty.low..=ty.high {
            self.count_round()?;
            frame.write(binder, 0, value);
            let result = self.expr(operand, frame)?;
            match quantifier {
                Quantifier::ForAll if result == 0 => return Ok(0),
                Quantifier::Exists if result != 0 => return Ok(1),
                Quantifier::Sum => sum = sum.wrapping_add(result),
                _ => {}
            }
        }
        Ok(match quantifier {
            Quantifier::ForAll => 1,
            Quantifier::Exists => 0,
            Quantifier::Sum => sum,
        })
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        frame: &mut Frame,
    ) -> Result<i32, Stop> {
        let a = match (self.expr(left, frame), op) {
            (Err(stop), BinaryOp::And | BinaryOp::Or) if self.deadlock_is_open => {
                return self.without_left(op == BinaryOp::Or, stop, right, frame);
            }
            (a, _) => a?,
        };
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.expr(right, frame)?;
        operate(op, a, b).or_else(|kind| self.error(kind))
    }

    /// The value of a conjunction or disjunction of whose left operand nothing can be said: the right one
    /// may decide.
    fn without_left(
        &mut self,
        decisive: bool,
        stop: Stop,
        right: &Expr,
        frame: &mut Frame,
    ) -> Result<i32, Stop> {
        self.deadlock_is_open = false;
        if (self.expr(right, frame)? != 0) == decisive {
            return Ok(decisive.into());
        }
        self.deadlock_is_open = true;
        Err(stop)
    }
}

fn unary(op: UnaryOp, a: i32) -> i32 {
    match op {
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Not => (a == 0).into(),
        UnaryOp::BitNot => !a,
        UnaryOp::Abs => a.wrapping_abs(),
    }
}

fn operate(op: BinaryOp, a: i32, b: i32) -> Result<i32, ErrorKind> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(ErrorKind::DivisionByZero),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Pow if b < 0 => return Err(ErrorKind::NegativeExponent(b)),
        BinaryOp::Pow => a.wrapping_pow(b.unsigned_abs()),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl | BinaryOp::Shr if !(0..=31).contains(&b) => return Err(ErrorKind::Shift(b)),
        BinaryOp::Shl => a.wrapping_shl(b.unsigned_abs()),
        BinaryOp::Shr => a.wrapping_shr(b.unsigned_abs()),
        BinaryOp::Eq => (a == b).into(),
        BinaryOp::Ne => (a != b).into(),
        BinaryOp::Lt => (a < b).into(),
        BinaryOp::Le => (a <= b).into(),
        BinaryOp::Gt => (a > b).into(),
        BinaryOp::Ge => (a >= b).into(),
        // The left operand did not decide, so the right one does.
        BinaryOp::And | BinaryOp::Or => (b != 0).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_32_bits() {
        use BinaryOp::*;
        assert_eq!(operate(Add, i32::MAX, 1), Ok(i32::MIN));
        assert_eq!(operate(Div, -7, 2), Ok(-3));
        assert_eq!(operate(Rem, -7, 2), Ok(-1));
        assert_eq!(operate(Div, i32::MIN, -1), Ok(i32::MIN));
        assert_eq!(operate(Rem, i32::MIN, -1), Ok(0));
        assert_eq!(operate(Shr, -8, 1), Ok(-4));
        assert_eq!(operate(Shl, 1, 31), Ok(i32::MIN));
        assert_eq!(operate(Shl, 1, 32), Err(ErrorKind::Shift(32)));
        assert_eq!(operate(Pow, 3, 4), Ok(81));
        assert_eq!(operate(Pow, 0, 0), Ok(1));
        assert_eq!(operate(Pow, 2, 32), Ok(0));
        assert_eq!(operate(Pow, 2, -1), Err(ErrorKind::NegativeExponent(-1)));
        assert_eq!(operate(Rem, 1, 0), Err(ErrorKind::DivisionByZero));
        assert_eq!(unary(UnaryOp::Abs, i32::MIN), i32::MIN);
    }
}
