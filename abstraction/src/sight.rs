//! What an abstraction can tell: an expression is *seen* if its value depends on kept parts alone.

use crate::pattern::{Contents, Part, Pattern};
use analysis::{Elements, Touch, Touches};
use network::{
    Action, Base, BinaryOp, ChannelId, ChannelKind, ChannelRef, ClockConstraint, ClockRef,
    Condition, Edge, Expr, FunctionId, Id, Local, LocalId, Network, Pattern as Field, ProcessId,
    Quantifier, Statement, StatementKind, UnaryOp,
};
use network::{Arena, Place};

/// A quantifier over so many values is written out where its operand is seen in part.
const WRITTEN_OUT: i64 = 64;

/// The network as a pattern shows it.
pub(crate) struct Sight<'a> {
    pub network: &'a Network,
    pub touches: &'a Touches<'a>,
    pub risk: &'a analysis::Risk<'a>,
    pub pattern: &'a Pattern,
    /// Whether it can be told that no step is possible.
    pub sees_timeout: bool,
    /// What is known of each function.
    pub functions: Vec<FunctionView>,
}

/// What an abstraction makes of a function.
#[derive(Clone, Copy)]
pub(crate) struct FunctionView {
    /// Whether it does to kept parts what it does in the model.
    pub is_exact: bool,
    /// Whether its result is seen as well.
    pub result_is_exact: bool,
    /// Whether nothing is left out of it, nor of what it calls.
    pub is_whole: bool,
}

/// The locals of an expression's owner whose values are not known.
pub(crate) type Blind = [bool];

impl Sight<'_> {
    pub fn keeps_place(&self, blind: &Blind, place: &Place) -> bool {
        match place.base {
            Base::Variable(id) => self.pattern.keeps(Part::Variable(id)),
            Base::Local(id) => !blind[id.index()],
        }
    }

    /// Whether the value of an expression is known.
    pub fn sees(&self, blind: &Blind, expr: &Expr) -> bool {
        !expr.mentions(&|part| match part {
            Expr::Read(place) => !self.keeps_place(blind, place),
            Expr::At(process, _) => !self.pattern.keeps(Part::Process(*process)),
            Expr::Clock(constraint) => !self.keeps_clocks(constraint),
            Expr::Deadlock | Expr::Timeout => !self.sees_timeout,
            Expr::Probe(_, channel) => self.contents(channel) < Contents::Lengths,
            Expr::Poll(poll) => self.contents(&poll.channel) < Contents::Messages,
            Expr::Call(function, _) => !self.functions[function.index()].result_is_exact,
            _ => false,
        })
    }

    /// Whether nothing is left out of the functions that an expression calls.
    pub fn is_whole(&self, expr: &Expr) -> bool {
        let is_cut = |function: FunctionId| !self.functions[function.index()].is_whole;
        !expr.mentions(&|part| matches!(part, Expr::Call(function, _) if is_cut(*function)))
    }

    /// Whether nothing is left out of what statements call.
    pub fn calls_whole(&self, statements: &[Statement]) -> bool {
        let mut is_whole = true;
        for statement in statements {
            statement.walk(&mut |it| {
                is_whole &= it.expressions().into_iter().all(|expr| self.is_whole(expr));
                if let StatementKind::Call(_, function, _) = it.kind {
                    is_whole &= self.functions[function.index()].is_whole;
                }
            });
        }
        is_whole
    }

    pub fn sees_all<'e>(&self, blind: &Blind, exprs: impl IntoIterator<Item = &'e Expr>) -> bool {
        exprs.into_iter().all(|expr| self.sees(blind, expr))
    }

    fn keeps_clocks(&self, constraint: &ClockConstraint) -> bool {
        let keeps = |clock: &ClockRef| self.pattern.keeps(Part::Clock(clock.clock));
        keeps(&constraint.left) && constraint.right.iter().all(keeps)
    }

    /// Whether a clock constraint is known.
    pub fn sees_constraint(&self, blind: &Blind, constraint: &ClockConstraint) -> bool {
        self.keeps_clocks(constraint) && self.sees_all(blind, constraint.expressions())
    }

    pub fn sees_condition(&self, blind: &Blind, condition: &Condition) -> bool {
        self.sees(blind, &condition.data)
            && condition.clocks.iter().all(|it| self.sees_constraint(blind, it))
    }

    /// The channels that a reference may mean.
    pub fn candidates(&self, channel: &ChannelRef) -> Vec<ChannelId> {
        if let ChannelRef::Element(id, _) = channel {
            return vec![*id];
        }
        self.touches.channels(self.touches.channel(channel))
    }

    /// What is known of the messages of a channel.
    pub fn contents(&self, channel: &ChannelRef) -> Contents {
        let known = self.candidates(channel).into_iter().map(|id| self.pattern.contents(id));
        known.min().unwrap_or(Contents::Messages)
    }

    /// What a function does to kept parts.
    pub fn kept_effects(&self, function: FunctionId) -> Vec<Part> {
        self.touches.by_function(function).iter().flat_map(|&it| self.kept_effect(it)).collect()
    }

    /// The kept parts that are changed.
    pub fn kept_effect(&self, touch: Touch) -> Vec<Part> {
        let part = match touch {
            Touch::Write(id, _) => Part::Variable(id),
            Touch::Set(id, _) => Part::Clock(id),
            Touch::Enter(id, _) => Part::Process(id),
            Touch::Change(elements) => return self.kept_buffers(elements),
            _ => return Vec::new(),
        };
        Vec::from_iter(self.pattern.keeps(part).then_some(part))
    }

    fn kept_buffers(&self, elements: Elements) -> Vec<Part> {
        let is_kept = |id: &ChannelId| {
            has_buffer(&self.network.channels[*id].kind) && self.pattern.keeps(Part::Channel(*id))
        };
        self.touches.channels(elements).into_iter().filter(is_kept).map(Part::Channel).collect()
    }

    /// Whether it is known when an edge can take part in a step, apart from who else takes part.
    pub fn sees_offer(&self, process: ProcessId, edge: &Edge) -> bool {
        let blind = &vec![false; edge.locals.len()];
        let sees_action = match &edge.action {
            Action::Internal => true,
            Action::Send(send) => {
                self.sees_channel(blind, &send.channel) && self.sees_all(blind, &send.message)
            }
            Action::Receive(receive) => {
                let wanted = receive.message.iter().filter(|it| matches!(it, Field::Equal(_)));
                self.sees_channel(blind, &receive.channel)
                    && self.sees_all(blind, wanted.flat_map(Field::expressions))
            }
        };
        self.pattern.keeps(Part::Process(process))
            && self.sees_condition(blind, &edge.guard)
            && sees_action
    }

    /// Whether it is known which channel is meant, and what its messages are.
    pub fn sees_channel(&self, blind: &Blind, channel: &ChannelRef) -> bool {
        self.contents(channel) == Contents::Messages && self.sees_all(blind, channel.expressions())
    }

    /// A condition that holds wherever the expression is true, or (`sign` false) wherever it is not; `stuck`
    /// holds in every deadlock.
    pub fn weakened(
        &self,
        locals: &Arena<LocalId, Local>,
        expr: &Expr,
        sign: bool,
        stuck: Option<&Expr>,
    ) -> Expr {
        let blind = vec![false; locals.len()];
        Weakening { sight: self, locals, blind: &blind, stuck }.of(expr, sign, true)
    }
}

pub(crate) fn has_buffer(kind: &ChannelKind) -> bool {
    matches!(kind, ChannelKind::Buffered { capacity: 1.., .. })
}

struct Weakening<'s, 'a> {
    sight: &'s Sight<'a>,
    locals: &'s Arena<LocalId, Local>,
    blind: &'s Blind,
    stuck: Option<&'s Expr>,
}

impl Weakening<'_, '_> {
    /// `is_needed` says that the whole condition holds only where this part does, so that it is evaluated
    /// only where the model evaluates it without an error.
    fn of(&self, expr: &Expr, sign: bool, is_needed: bool) -> Expr {
        if self.sight.sees(self.blind, expr) {
            return if sign { expr.clone() } else { negation(expr.clone()) };
        }
        match expr {
            Expr::Deadlock if sign => self.stuck.cloned().unwrap_or(Expr::TRUE),
            Expr::Unary(UnaryOp::Not, operand) => self.of(operand, !sign, is_needed),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                match (*op == BinaryOp::And) == sign {
                    true => self.all(&[(left, sign), (right, sign)], is_needed),
                    false => either(self.of(left, sign, false), self.of(right, sign, false)),
                }
            }
            Expr::Conditional(condition, yes, no) => either(
                self.all(&[(condition, true), (yes, sign)], false),
                self.all(&[(condition, false), (no, sign)], false),
            ),
            Expr::Quantified(
                quantifier @ (Quantifier::ForAll | Quantifier::Exists),
                binder,
                operand,
            ) => self.quantified(*quantifier, *binder, operand, sign, is_needed),
            _ => Expr::TRUE,
        }
    }

    /// All parts hold. After one that is not quite known, one that may raise an error counts only if the
    /// model has looked at it as well.
    fn all(&self, parts: &[(&Expr, bool)], is_needed: bool) -> Expr {
        let mut whole = Expr::TRUE;
        let mut is_exact = true;
        for &(part, sign) in parts {
            if is_needed || is_exact || !self.sight.risk.expr_may_fail(self.locals, part) {
                whole = whole.and(self.of(part, sign, is_needed));
            }
            is_exact &= self.sight.sees(self.blind, part);
        }
        whole
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binder: LocalId,
        operand: &Expr,
        sign: bool,
        is_needed: bool,
    ) -> Expr {
        let ty = self.locals[binder].ty;
        if i64::from(ty.high) - i64::from(ty.low) >= WRITTEN_OUT {
            return Expr::TRUE;
        }
        let instances: Vec<Expr> =
            (ty.low..=ty.high).map(|value| operand.with(binder, value)).collect();
        match (quantifier == Quantifier::ForAll) == sign {
            true => {
                let parts: Vec<_> = instances.iter().map(|it| (it, sign)).collect();
                self.all(&parts, is_needed)
            }
            false => {
                let parts = instances.iter().map(|it| self.of(it, sign, false));
                parts.reduce(either).unwrap_or(Expr::TRUE)
            }
        }
    }
}

pub(crate) fn negation(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        Expr::Unary(UnaryOp::Not, operand) => *operand,
        other => Expr::unary(UnaryOp::Not, other),
    }
}

pub(crate) fn either(left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (Expr::Const(0), _) => right,
        (_, Expr::Const(0)) => left,
        _ if left.is_true() || right.is_true() => Expr::TRUE,
        _ => Expr::binary(BinaryOp::Or, left, right),
    }
}
