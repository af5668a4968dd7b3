//! Expressions: 32-bit integers with wrapping arithmetic, free of side effects.
//!
//! Truth is "not 0"; comparisons and logic give 0 or 1. `And`, `Or`, `Conditional` evaluate
//! lazily from left to right, so `i < n && a[i] == 0` never reads beyond the array.
//! A division by zero, a shift count outside 0..=31 or an index out of bounds is a run-time error of
//! the model. Overflow wraps, as in the C code that both languages' reference tools run.

use crate::{ChannelId, ClockId, FunctionId, LocalId, LocationId, Pattern, ProcessId, VariableId};

/// A side-effect free expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A constant.
    Const(i32),
    /// The value of a variable, array element or local.
    Read(Place),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? yes : no`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A quantifier; the binder runs over the range of its type, upwards, and the operand is
    /// evaluated lazily: `forall` stops at the first 0, `exists` at the first other value.
    Quantified(Quantifier, LocalId, Box<Expr>),
    /// The result of a function without side effects.
    Call(FunctionId, Vec<Expr>),
    /// Whether a process is at a location.
    At(ProcessId, LocationId),
    /// Whether a clock constraint holds; in goals only.
    Clock(Box<ClockConstraint>),
    /// Whether no step is possible now or after any delay; in goals only.
    Deadlock,
    /// Whether no step is possible as long as this is 0.
    Timeout,
    /// Something about the messages that wait in a channel.
    Probe(Probe, Box<ChannelRef>),
    /// Whether a receive would find a message.
    Poll(Box<Poll>),
}

/// What can be asked about the messages that wait in a buffered channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Probe {
    /// How many there are.
    Length,
    /// Whether there is no room for another.
    Full,
    /// Whether there is none.
    Empty,
}

/// A question whether a receive would find a message in a buffered channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Poll {
    /// The channel.
    pub channel: ChannelRef,
    /// What the fields of the message must look like; nothing is stored.
    pub message: Vec<Pattern>,
    /// Whether any message counts instead of only the first in the buffer.
    pub anywhere: bool,
}

/// Something that has a value and can be assigned: a variable or local, or an element of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable or local.
    pub base: Base,
    /// One index per dimension; empty for a scalar.
    pub indices: Vec<Expr>,
}

/// What a place is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Base {
    /// A variable of the network.
    Variable(VariableId),
    /// A local of the owner (edge, location, function, property).
    Local(LocalId),
}

/// A clock, or an element of an array of clocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockRef {
    /// The clock or array.
    pub clock: ClockId,
    /// One index per dimension.
    pub indices: Vec<Expr>,
}

/// A channel, or an element of an array of channels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChannelRef {
    /// A declared channel with one index per dimension.
    Element(ChannelId, Vec<Expr>),
    /// A channel-valued expression: channels number their elements in declaration order from 1;
    /// 0 is no channel, and using it a run-time error.
    Value(Expr),
}

/// `when imply left - right (relation) bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockConstraint {
    /// The constraint is demanded only if this holds; none means always.
    pub when: Option<Expr>,
    /// The clock.
    pub left: ClockRef,
    /// The clock subtracted from it, if any.
    pub right: Option<ClockRef>,
    /// The relation.
    pub relation: Relation,
    /// An integer.
    pub bound: Expr,
}

/// How a clock compares with its bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `==`
    Eq,
    /// `>=`
    Ge,
    /// `>`
    Gt,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `abs`
    Abs,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

/// Quantifiers over the range of a local's type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// All values satisfy the operand.
    ForAll,
    /// Some value satisfies it.
    Exists,
    /// The sum of the operand's values.
    Sum,
}

impl Place {
    /// A scalar variable.
    pub fn variable(id: VariableId) -> Self {
        Place { base: Base::Variable(id), indices: Vec::new() }
    }
    /// A scalar local.
    pub fn local(id: LocalId) -> Self {
        Place { base: Base::Local(id), indices: Vec::new() }
    }
}

impl Expr {
    /// The expression that always holds.
    pub const TRUE: Expr = Expr::Const(1);

    /// Whether this is a constant other than 0.
    pub fn is_true(&self) -> bool {
        matches!(self, Expr::Const(c) if *c != 0)
    }
    /// A scalar local's value.
    pub fn local(id: LocalId) -> Self {
        Expr::Read(Place::local(id))
    }
    /// A scalar variable's value.
    pub fn variable(id: VariableId) -> Self {
        Expr::Read(Place::variable(id))
    }
    /// An operator applied to two operands.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Self {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }
    /// An operator applied to one operand.
    pub fn unary(op: UnaryOp, operand: Expr) -> Self {
        Expr::Unary(op, Box::new(operand))
    }
    /// Both hold.
    pub fn and(self, other: Expr) -> Self {
        if self.is_true() {
            return other;
        }
        if other.is_true() {
            return self;
        }
        Expr::binary(BinaryOp::And, self, other)
    }
    /// The operands directly below, in evaluation order.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_) | Expr::At(..) | Expr::Deadlock | Expr::Timeout => Vec::new(),
            Expr::Read(place) => place.indices.iter().collect(),
            Expr::Unary(_, a) | Expr::Quantified(_, _, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Conditional(a, b, c) => vec![a, b, c],
            Expr::Call(_, arguments) => arguments.iter().collect(),
            Expr::Clock(constraint) => constraint.expressions().collect(),
            Expr::Probe(_, channel) => channel.expressions().iter().collect(),
            Expr::Poll(poll) => {
                let patterns = poll.message.iter().flat_map(Pattern::expressions);
                poll.channel.expressions().iter().chain(patterns).collect()
            }
        }
    }
    /// The operands directly below, to be changed.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Const(_) | Expr::At(..) | Expr::Deadlock | Expr::Timeout => Vec::new(),
            Expr::Read(place) => place.indices.iter_mut().collect(),
            Expr::Unary(_, a) | Expr::Quantified(_, _, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Conditional(a, b, c) => vec![a, b, c],
            Expr::Call(_, arguments) => arguments.iter_mut().collect(),
            Expr::Clock(constraint) => {
                let ClockConstraint { when, left, right, bound, .. } = &mut **constraint;
                let right = right.iter_mut().flat_map(|clock| &mut clock.indices);
                when.iter_mut().chain(&mut left.indices).chain(right).chain([bound]).collect()
            }
            Expr::Probe(_, channel) => channel.expressions_mut().iter_mut().collect(),
            Expr::Poll(poll) => {
                let patterns = poll.message.iter_mut().flat_map(Pattern::expressions_mut);
                poll.channel.expressions_mut().iter_mut().chain(patterns).collect()
            }
        }
    }
    /// Puts something else in the place of some parts: of the outermost ones for which `by` has it.
    pub fn replace(&mut self, by: &dyn Fn(&Expr) -> Option<Expr>) {
        match by(self) {
            Some(other) => *self = other,
            None => self.children_mut().into_iter().for_each(|child| child.replace(by)),
        }
    }
    /// The expression with a scalar local replaced by a value.
    pub fn with(&self, local: LocalId, value: i32) -> Expr {
        let mut expr = self.clone();
        let local = Expr::local(local);
        expr.replace(&|part| (*part == local).then_some(Expr::Const(value)));
        expr
    }
    /// Whether this expression or one below it is such.
    pub fn mentions(&self, is_such: &dyn Fn(&Expr) -> bool) -> bool {
        is_such(self) || self.children().into_iter().any(|child| child.mentions(is_such))
    }
    /// Calls `visit` for this expression and every one below it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }
}

impl ChannelRef {
    /// The expressions in it.
    pub fn expressions(&self) -> &[Expr] {
        match self {
            ChannelRef::Element(_, indices) => indices,
            ChannelRef::Value(expr) => std::slice::from_ref(expr),
        }
    }
    pub(crate) fn expressions_mut(&mut self) -> &mut [Expr] {
        match self {
            ChannelRef::Element(_, indices) => indices,
            ChannelRef::Value(expr) => std::slice::from_mut(expr),
        }
    }
}

impl ClockConstraint {
    /// The expressions in it, in evaluation order.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let right = self.right.iter().flat_map(|clock| clock.indices.iter());
        self.when.iter().chain(&self.left.indices).chain(right).chain([&self.bound])
    }
}

impl Relation {
    /// The relation with both sides exchanged.
    pub fn flipped(self) -> Relation {
        match self {
            Relation::Lt => Relation::Gt,
            Relation::Le => Relation::Ge,
            Relation::Eq => Relation::Eq,
            Relation::Ge => Relation::Le,
            Relation::Gt => Relation::Lt,
        }
    }
}
