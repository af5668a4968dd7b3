//! Conditions ready to be evaluated: tests of data and constraints on clocks.

use crate::layout::{Buffer, Home, Layout};
use crate::machine::{Machine, compare};
use crate::program::{Assembler, Entry, Program, is_comparison, scalar_slot, sizes};
use network::{
    Arena, Base, BinaryOp, ChannelRef, ClockConstraint, ClockRef, Condition, ErrorKind, Expr,
    Local, LocalId, MAX_CLOCK_BOUND, Network, Pattern, Place, Poll, Probe, Relation, RunTimeError,
    Span, UnaryOp,
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
    /// What these branches lead to; the code is for when they come to an index out of bounds.
    Branches(Vec<Branch>, Entry, u32),
    /// Some code with a frame of this size leaves something other than 0.
    Code(Entry, u32),
}

/// A comparison, and where to go on.
#[derive(Debug, Clone, Copy)]
pub struct Branch {
    op: BinaryOp,
    left: Operand,
    right: Operand,
    yes: u32,
    no: u32,
}

/// What branches compare.
#[derive(Debug, Clone, Copy)]
enum Operand {
    Constant(i32),
    /// A word of the state.
    Word(u32),
    /// A word after the first one, as many as another word says; fewer than the size.
    Element {
        first: u32,
        index: u32,
        size: u32,
    },
}

/// Where branches end: with this outcome.
const YES: u32 = u32::MAX;
const NO: u32 = u32::MAX - 1;

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

impl Difference {
    /// The bound that holds where this one does not.
    pub fn opposite(self) -> Self {
        Difference { i: self.j, j: self.i, bound: bound::negate(self.bound) }
    }

    /// Whether some valuation of a zone is within the bound.
    pub fn is_possible(self, zone: &[i32], dim: usize) -> bool {
        let back = zone[self.j as usize * dim + self.i as usize];
        bound::add(self.bound, back) >= bound::LE_ZERO
    }
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
        let mut branches = Vec::new();
        let made_of_comparisons = self.branches(expr, &mut branches, YES, NO);
        let mut assembler = self.assembler(locals, span);
        let frame = assembler.frame();
        let entry = assembler.expression(expr);
        if !made_of_comparisons {
            return Test::Code(entry, frame);
        }
        // They were put down from the last to the first.
        let last = branches.len() as u32 - 1;
        let turn = |at: u32| if at >= NO { at } else { last - at };
        let turned = branches.iter().rev();
        let branches = turned.map(|b| Branch { yes: turn(b.yes), no: turn(b.no), ..*b }).collect();
        Test::Branches(branches, entry, frame)
    }

    /// Puts down the branches of a condition made of comparisons, the last one first; false if it
    /// has other parts.
    fn branches(&self, expr: &Expr, out: &mut Vec<Branch>, yes: u32, no: u32) -> bool {
        let compared = match expr {
            Expr::Unary(UnaryOp::Not, a) => return self.branches(a, out, no, yes),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                if !self.branches(b, out, yes, no) {
                    return false;
                }
                let second = out.len() as u32 - 1;
                return match op {
                    BinaryOp::And => self.branches(a, out, second, no),
                    _ => self.branches(a, out, yes, second),
                };
            }
            Expr::Binary(op, a, b) if is_comparison(*op) => {
                self.operand(a).zip(self.operand(b)).map(|(left, right)| (*op, left, right))
            }
            Expr::At(process, location) => {
                let word = Operand::Word(self.layout.location(*process) as u32);
                Some((BinaryOp::Eq, word, Operand::Constant(location.0 as i32)))
            }
            Expr::Probe(probe @ (Probe::Full | Probe::Empty), channel) => {
                self.buffer(channel).map(|buffer| {
                    let count = if *probe == Probe::Full { buffer.capacity } else { 0 };
                    (BinaryOp::Eq, Operand::Word(buffer.at), Operand::Constant(count as i32))
                })
            }
            Expr::Poll(poll) => return self.first_message(poll, out, yes, no),
            _ => self.operand(expr).map(|it| (BinaryOp::Ne, it, Operand::Constant(0))),
        };
        out.extend(compared.map(|(op, left, right)| Branch { op, left, right, yes, no }));
        compared.is_some()
    }

    /// Puts down the branches of a poll of the first message in a buffer.
    fn first_message(&self, poll: &Poll, out: &mut Vec<Branch>, yes: u32, no: u32) -> bool {
        let Some(buffer) = self.buffer(&poll.channel).filter(|_| !poll.anywhere) else {
            return false;
        };
        let mut yes = yes;
        for (field, pattern) in poll.message.iter().enumerate().rev() {
            let word = buffer.at + 1 + field as u32;
            let Pattern::Equal(expr) = pattern else { continue };
            let Some(right) = self.operand(expr) else { return false };
            out.push(Branch { op: BinaryOp::Eq, left: Operand::Word(word), right, yes, no });
            yes = out.len() as u32 - 1;
        }
        let (left, right) = (Operand::Word(buffer.at), Operand::Constant(0));
        out.push(Branch { op: BinaryOp::Gt, left, right, yes, no });
        true
    }

    /// The buffer of a channel that is always the same and has one.
    fn buffer(&self, channel: &ChannelRef) -> Option<&Buffer> {
        let ChannelRef::Element(id, indices) = channel else { return None };
        let sizes = sizes(&self.network.channels[*id].dimensions);
        let element = self.layout.channel(*id) + constant_element(indices, &sizes)?;
        self.layout.buffers.get(element as usize).filter(|buffer| buffer.capacity > 0)
    }

    fn operand(&self, expr: &Expr) -> Option<Operand> {
        if let Expr::Const(value) = expr {
            return Some(Operand::Constant(*value));
        }
        if let Expr::Probe(Probe::Length, channel) = expr {
            return self.buffer(channel).map(|buffer| Operand::Word(buffer.at));
        }
        if let Some(word) = scalar_slot(self.network, self.layout, expr) {
            return Some(Operand::Word(word));
        }
        let Expr::Read(Place { base: Base::Variable(id), indices }) = expr else { return None };
        let (Home::State(first), [index]) = (self.layout.home(*id), &indices[..]) else {
            return None;
        };
        let index = scalar_slot(self.network, self.layout, index)?;
        Some(Operand::Element { first, index, size: self.network.variables[*id].len() as u32 })
    }

    /// The value of an expression.
    pub fn value(&mut self, locals: &Arena<LocalId, Local>, expr: &Expr, span: Span) -> Value {
        if let Expr::Const(value) = expr {
            return Value::Const(*value);
        }
        if let Some(slot) = scalar_slot(self.network, self.layout, expr) {
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
            && (-MAX_CLOCK_BOUND..=MAX_CLOCK_BOUND).contains(&c)
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
            Test::Branches(branches, entry, frame) => match follow(branches, state) {
                Some(outcome) => Ok(outcome),
                None => Ok(machine.evaluate(program, *entry, *frame, state)? != 0),
            },
            Test::Code(entry, frame) => Ok(machine.evaluate(program, *entry, *frame, state)? != 0),
        }
    }
}

/// Where branches lead to in a state; none if an index is out of bounds.
#[inline]
fn follow(branches: &[Branch], state: &[i32]) -> Option<bool> {
    let mut at = 0;
    while let Some(branch) = branches.get(at as usize) {
        let holds = compare(branch.op, branch.left.of(state)?, branch.right.of(state)?);
        at = if holds { branch.yes } else { branch.no };
    }
    Some(at == YES)
}

impl Operand {
    #[inline]
    fn of(self, state: &[i32]) -> Option<i32> {
        Some(match self {
            Operand::Constant(value) => value,
            Operand::Word(word) => state[word as usize],
            Operand::Element { first, index, size } => {
                let index = state[index as usize] as u32;
                if index >= size {
                    return None;
                }
                state[(first + index) as usize]
            }
        })
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
