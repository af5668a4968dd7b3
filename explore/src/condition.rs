//! Conditions ready to be evaluated: tests of data and constraints on clocks.

use crate::layout::Layout;
use crate::machine::{Machine, compare};
use crate::program::{Assembler, Entry, Program, is_comparison, scalar_slot, sizes};
use network::{
    Arena, BinaryOp, ClockConstraint, ClockRef, Condition, ErrorKind, Expr, Local, LocalId,
    MAX_CLOCK_BOUND, Network, Relation, RunTimeError, Span, UnaryOp,
};
use zones::bound;

/// Everything code is compiled from and into.
pub struct Compiler<'a> {
    /// The model.
    pub network: &'a Network,
    /// Where its values lie.
    pub layout: &'a Layout,
    /// The code so far.
    pub program: Program,
}

/// A condition on data; the common forms need no code.
#[derive(Debug, Clone)]
pub enum Test {
    /// Holds always.
    Always,
    /// All these words compare with these constants as said.
    Compare(Vec<(BinaryOp, u32, i32)>),
    /// Some code with a frame of this size leaves something other than 0.
    Code(Entry, u32),
}

/// A number; the common forms need no code.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// A constant.
    Const(i32),
    /// A word of the state.
    Slot(u32),
    /// What some code with a frame of this size leaves, plus a constant.
    Code(Entry, u32, i32),
}

/// A bound on the difference of two clocks, as zones know it: `x_i - x_j` is within `bound`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The clock.
    pub i: u32,
    /// The clock subtracted from it.
    pub j: u32,
    /// The encoded bound.
    pub bound: i32,
}

/// A clock constraint.
#[derive(Debug, Clone)]
pub enum Constraint {
    /// Known when the model is compiled.
    Fixed(Difference),
    /// Depends on data.
    Dynamic(Box<DynamicConstraint>),
}

/// A clock constraint that depends on data.
#[derive(Debug, Clone)]
pub struct DynamicConstraint {
    when: Test,
    left: Value,
    right: Value,
    relation: Relation,
    bound: Value,
    span: Span,
}

impl<'a> Compiler<'a> {
    /// An assembler for an owner's code.
    pub fn assembler<'b>(
        &'b mut self,
        locals: &'b Arena<LocalId, Local>,
        span: Span,
    ) -> Assembler<'b>
    where
        'a: 'b,
    {
        Assembler::new(&mut self.program, self.network, self.layout, locals).at(span)
    }

    /// A test of an expression.
    pub fn test(&mut self, locals: &Arena<LocalId, Local>, expr: &Expr, span: Span) -> Test {
        if expr.is_true() {
            return Test::Always;
        }
        let mut comparisons = Vec::new();
        if self.comparisons(expr, &mut comparisons) {
            return Test::Compare(comparisons);
        }
        let mut assembler = self.assembler(locals, span);
        let frame = assembler.frame();
        Test::Code(assembler.expression(expr), frame)
    }

    /// Takes a conjunction of simple comparisons apart.
    fn comparisons(&self, expr: &Expr, out: &mut Vec<(BinaryOp, u32, i32)>) -> bool {
        match expr {
            Expr::Binary(BinaryOp::And, a, b) => {
                self.comparisons(a, out) && self.comparisons(b, out)
            }
            Expr::Binary(op, a, b) if is_comparison(*op) => {
                let (Some(slot), Expr::Const(value)) = (scalar_slot(self.layout, a), &**b) else {
                    return false;
                };
                out.push((*op, slot, *value));
                true
            }
            Expr::Unary(UnaryOp::Not, a) => {
                let slot = scalar_slot(self.layout, a);
                out.extend(slot.map(|slot| (BinaryOp::Eq, slot, 0)));
                slot.is_some()
            }
            Expr::At(process, location) => {
                let slot = self.layout.location(*process) as u32;
                out.push((BinaryOp::Eq, slot, location.0 as i32));
                true
            }
            _ => {
                let slot = scalar_slot(self.layout, expr);
                out.extend(slot.map(|slot| (BinaryOp::Ne, slot, 0)));
                slot.is_some()
            }
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, locals: &Arena<LocalId, Local>, expr: &Expr, span: Span) -> Value {
        if let Expr::Const(value) = expr {
            return Value::Const(*value);
        }
        if let Some(slot) = scalar_slot(self.layout, expr) {
            return Value::Slot(slot);
        }
        let mut assembler = self.assembler(locals, span);
        let frame = assembler.frame();
        Value::Code(assembler.expression(expr), frame, 0)
    }

    /// The number of an array's element, counted from a base.
    pub fn element(
        &mut self,
        locals: &Arena<LocalId, Local>,
        base: u32,
        indices: &[Expr],
        sizes: &[u32],
        span: Span,
    ) -> Value {
        if let Some(element) = constant_element(indices, sizes) {
            return Value::Const((base + element) as i32);
        }
        let mut assembler = self.assembler(locals, span);
        let frame = assembler.frame();
        Value::Code(assembler.element(indices, sizes), frame, base as i32)
    }

    /// The index of a clock in the zone.
    pub fn clock(&mut self, locals: &Arena<LocalId, Local>, clock: &ClockRef, span: Span) -> Value {
        let sizes = sizes(&self.network.clocks[clock.clock].dimensions);
        self.element(locals, self.layout.clock(clock.clock), &clock.indices, &sizes, span)
    }

    /// The constraints of a condition's clock part.
    pub fn constraints(
        &mut self,
        locals: &Arena<LocalId, Local>,
        condition: &Condition,
    ) -> Vec<Constraint> {
        let span = condition.span;
        condition.clocks.iter().flat_map(|c| self.constraint(locals, c, span)).collect()
    }

    /// One clock constraint; an equation becomes two bounds.
    pub fn constraint(
        &mut self,
        locals: &Arena<LocalId, Local>,
        constraint: &ClockConstraint,
        span: Span,
    ) -> Vec<Constraint> {
        let when = match &constraint.when {
            Some(when) => self.test(locals, when, span),
            None => Test::Always,
        };
        let left = self.clock(locals, &constraint.left, span);
        let right = match &constraint.right {
            Some(right) => self.clock(locals, right, span),
            None => Value::Const(0),
        };
        let bound = self.value(locals, &constraint.bound, span);
        let relation = constraint.relation;
        if let (Test::Always, Value::Const(i), Value::Const(j), Value::Const(c)) =
            (&when, left, right, bound)
            && c.abs() <= MAX_CLOCK_BOUND
        {
            let bounds = differences(i as u32, j as u32, relation, c);
            return bounds.into_iter().flatten().map(Constraint::Fixed).collect();
        }
        let dynamic = DynamicConstraint { when, left, right, relation, bound, span };
        vec![Constraint::Dynamic(Box::new(dynamic))]
    }
}

/// The element number of constant indices within bounds.
pub fn constant_element(indices: &[Expr], sizes: &[u32]) -> Option<u32> {
    let mut element = 0;
    for (index, &size) in indices.iter().zip(sizes) {
        match index {
            Expr::Const(i) if *i >= 0 && (*i as u32) < size => element = element * size + *i as u32,
            _ => return None,
        }
    }
    Some(element)
}

/// `x_i - x_j (relation) c` as at most two bounds.
pub fn differences(i: u32, j: u32, relation: Relation, c: i32) -> [Option<Difference>; 2] {
    let upper = |bound| Some(Difference { i, j, bound });
    let lower = |bound| Some(Difference { i: j, j: i, bound });
    match relation {
        Relation::Lt => [upper(bound::lt(c)), None],
        Relation::Le => [upper(bound::le(c)), None],
        Relation::Eq => [upper(bound::le(c)), lower(bound::le(-c))],
        Relation::Ge => [lower(bound::le(-c)), None],
        Relation::Gt => [lower(bound::lt(-c)), None],
    }
}

impl Test {
    /// Whether the test holds in a state.
    #[inline]
    pub fn holds(
        &self,
        program: &Program,
        machine: &mut Machine,
        state: &mut [i32],
    ) -> Result<bool, RunTimeError> {
        match self {
            Test::Always => Ok(true),
            Test::Compare(all) => {
                Ok(all.iter().all(|&(op, slot, value)| compare(op, state[slot as usize], value)))
            }
            Test::Code(entry, frame) => Ok(machine.evaluate(program, *entry, *frame, state)? != 0),
        }
    }
}

impl Value {
    /// The value in a state.
    #[inline]
    pub fn of(
        &self,
        program: &Program,
        machine: &mut Machine,
        state: &mut [i32],
    ) -> Result<i32, RunTimeError> {
        match *self {
            Value::Const(value) => Ok(value),
            Value::Slot(slot) => Ok(state[slot as usize]),
            Value::Code(entry, frame, plus) => {
                Ok(plus + machine.evaluate(program, entry, frame, state)?)
            }
        }
    }
}

/// Appends what the constraints demand in a state.
#[inline]
pub fn evaluate(
    constraints: &[Constraint],
    program: &Program,
    machine: &mut Machine,
    state: &mut [i32],
    out: &mut Vec<Difference>,
) -> Result<(), RunTimeError> {
    for constraint in constraints {
        match constraint {
            Constraint::Fixed(difference) => out.push(*difference),
            Constraint::Dynamic(dynamic) => dynamic.evaluate(program, machine, state, out)?,
        }
    }
    Ok(())
}

impl DynamicConstraint {
    fn evaluate(
        &self,
        program: &Program,
        machine: &mut Machine,
        state: &mut [i32],
        out: &mut Vec<Difference>,
    ) -> Result<(), RunTimeError> {
        if !self.when.holds(program, machine, state)? {
            return Ok(());
        }
        let i = self.left.of(program, machine, state)? as u32;
        let j = self.right.of(program, machine, state)? as u32;
        let c = self.bound.of(program, machine, state)?;
        if !(-MAX_CLOCK_BOUND..=MAX_CLOCK_BOUND).contains(&c) {
            return Err(RunTimeError { kind: ErrorKind::ClockBound(c), span: self.span });
        }
        out.extend(differences(i, j, self.relation, c).into_iter().flatten());
        Ok(())
    }
}
