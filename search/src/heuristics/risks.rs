//! Where a model may raise a run-time error, said with caution: what is not listed raises none.
//!
//! A property that counts errors is violated by them, so they are goals too (docs/algorithms.md, section 3.1). The ranges that values
//! can have (`network::range_of`) tell which indices, divisors and assignments are harmless.

use crate::problem::Problem;
use explore::EdgeNumber;
use network::{
    Action, Arena, Base, BinaryOp, ChannelKind, ChannelRef, ClockConstraint, ClockRef, Condition,
    Dimension, Edge, Expr, Function, Id, Local, LocalId, Location, LocationId, MAX_CLOCK_BOUND,
    MAX_LOOP_ROUNDS, Network, Overflow, Pattern, Place, ProcessId, Statement, StatementKind, Type,
    range_of,
};

/// What may raise an error.
#[derive(Debug, Default)]
pub struct Risks {
    /// Edges, by their numbers: guard, action or update may raise one.
    pub edges: Vec<EdgeNumber>,
    /// Locations whose invariant or clock rates may raise one when a step leads to them or past them.
    pub locations: Vec<(ProcessId, LocationId)>,
    /// Whether the expression of the property may raise one.
    pub goal: bool,
}

impl Risks {
    /// The errors that count for a problem: none, if its property does not count them.
    pub fn of(problem: &Problem) -> Risks {
        match problem.property().counts_errors {
            true => Risks::anywhere(problem),
            false => Risks::default(),
        }
    }

    /// All errors, whether they count or not.
    fn anywhere(problem: &Problem) -> Risks {
        let network = problem.network();
        let survey = Survey::of(network);
        let risky = |(number, process, edge): (EdgeNumber, ProcessId, &Edge)| {
            (problem.takes_part(process) && survey.edge(edge) > survey.limit).then_some(number)
        };
        let steady = survey.rates_are_steady();
        let mut locations = Vec::new();
        for (process, own) in network.processes.enumerate() {
            let risky = own.locations.enumerate().filter(|(_, l)| survey.is_risky(l, steady));
            locations.extend(risky.map(|(location, _)| (process, location)));
        }
        let goal = problem.property().claim.expression();
        let goal = goal.is_some_and(|e| survey.expr(&problem.property().locals, e) > survey.limit);
        Risks { edges: problem.edges().filter_map(risky).collect(), locations, goal }
    }
}

/// Whether a run-time error cannot be excluded without a search.
pub fn may_raise_errors(problem: &Problem) -> bool {
    let Risks { edges, locations, goal } = Risks::anywhere(problem);
    goal || !edges.is_empty() || !locations.is_empty()
}

/// Whether the clock part of a guard, an invariant, a rate or the setting of a clock may raise an error.
pub(super) fn clocks_may_fail(problem: &Problem) -> bool {
    let network = problem.network();
    let survey = Survey::of(network);
    let guards =
        |edge: &Edge| total(edge.guard.clocks.iter().map(|c| survey.constraint(&edge.locals, c)));
    let fails = |edge: &Edge| total([guards(edge), survey.resets(&edge.locals, &edge.update)]);
    let steady = survey.rates_are_steady();
    problem.edges().any(|(_, _, edge)| fails(edge) > survey.limit)
        || network.processes.iter().flat_map(|p| &p.locations).any(|l| survey.is_risky(l, steady))
        || network.functions.iter().any(|f| survey.resets(&f.locals, &f.body) > survey.limit)
}

type Locals = Arena<LocalId, Local>;

/// How many rounds of loops something takes at most; this if it may raise an error.
const RISKY: u64 = u64::MAX;

/// Adds up rounds and risks.
struct Survey<'a> {
    network: &'a Network,
    functions: Vec<u64>,
    /// The rounds that each process may contribute to a step.
    limit: u64,
}

impl<'a> Survey<'a> {
    fn of(network: &'a Network) -> Self {
        let limit = MAX_LOOP_ROUNDS / (network.processes.len() as u64 + 1);
        let mut survey = Survey { network, functions: Vec::new(), limit };
        // A function calls only functions before it.
        for function in &network.functions {
            let rounds = survey.function(function);
            survey.functions.push(rounds);
        }
        survey
    }

    fn function(&self, function: &Function) -> u64 {
        self.block(&function.locals, &function.body, function.result.as_ref())
    }

    fn edge(&self, edge: &Edge) -> u64 {
        let locals = &edge.locals;
        let parts = [
            self.condition(locals, &edge.guard),
            self.action(locals, &edge.action),
            self.block(locals, &edge.update, None),
        ];
        total(parts)
    }

    fn condition(&self, locals: &Locals, condition: &Condition) -> u64 {
        let clocks = condition.clocks.iter().map(|c| self.constraint(locals, c));
        self.expr(locals, &condition.data).saturating_add(total(clocks))
    }

    fn constraint(&self, locals: &Locals, constraint: &ClockConstraint) -> u64 {
        let when = constraint.when.as_ref().map_or(0, |e| self.expr(locals, e));
        let right = constraint.right.as_ref().map_or(0, |c| self.clock(locals, c));
        let bound =
            within(self.range(locals, &constraint.bound), -MAX_CLOCK_BOUND, MAX_CLOCK_BOUND);
        let bound = total([bound, self.expr(locals, &constraint.bound)]);
        total([when, self.clock(locals, &constraint.left), right, bound])
    }

    fn is_risky(&self, location: &Location, steady: bool) -> bool {
        let rates = !location.rates.is_empty() && !steady;
        rates || self.condition(&location.locals, &location.invariant) > self.limit
    }

    /// Whether all rates are the same constant, so that no two of them can contradict each other.
    fn rates_are_steady(&self) -> bool {
        let locations = || self.network.processes.iter().flat_map(|p| &p.locations);
        let same =
            |value| locations().all(|l| l.rates.iter().all(|rate| rate.rate == Expr::Const(value)));
        let parts = locations().flat_map(|l| {
            l.rates.iter().map(|rate| {
                let when = rate.when.as_ref().map_or(0, |e| self.expr(&l.locals, e));
                when.saturating_add(self.clock(&l.locals, &rate.clock))
            })
        });
        (same(0) || same(1)) && total(parts) <= self.limit
    }

    fn action(&self, locals: &Locals, action: &Action) -> u64 {
        match action {
            Action::Internal => 0,
            Action::Send(send) => {
                let message = total(send.message.iter().map(|e| self.expr(locals, e)));
                let fields = self.fields(&send.channel).unwrap_or(&[]);
                let fits = fields.iter().zip(&send.message);
                let fits = total(fits.map(|(ty, e)| fitting(self.range(locals, e), ty)));
                total([self.channel(locals, &send.channel), message, fits])
            }
            Action::Receive(receive) => {
                let fields = self.fields(&receive.channel).unwrap_or(&[]);
                let parts = receive.message.iter().enumerate();
                let message = parts.map(|(i, p)| self.pattern(locals, p, fields.get(i)));
                total(message).saturating_add(self.channel(locals, &receive.channel))
            }
        }
    }

    fn pattern(&self, locals: &Locals, pattern: &Pattern, field: Option<&Type>) -> u64 {
        match pattern {
            Pattern::Any => 0,
            Pattern::Equal(e) => self.expr(locals, e),
            Pattern::Store(place) => {
                let range = field.map_or((i32::MIN, i32::MAX), |ty| (ty.low, ty.high));
                self.store(locals, place, range)
            }
        }
    }

    fn fields(&self, channel: &ChannelRef) -> Option<&[Type]> {
        let ChannelRef::Element(id, _) = channel else { return None };
        match &self.network.channels[*id].kind {
            ChannelKind::Buffered { fields, .. } => Some(fields),
            ChannelKind::Handshake | ChannelKind::Broadcast => None,
        }
    }

    /// The value of a channel variable may stand for no channel.
    fn channel(&self, locals: &Locals, channel: &ChannelRef) -> u64 {
        match channel {
            ChannelRef::Element(id, indices) => {
                self.indices(locals, indices, &self.network.channels[*id].dimensions)
            }
            ChannelRef::Value(_) => RISKY,
        }
    }

    fn block(&self, locals: &Locals, statements: &[Statement], result: Option<&Type>) -> u64 {
        total(statements.iter().map(|s| self.statement(locals, s, result)))
    }

    fn statement(&self, locals: &Locals, statement: &Statement, result: Option<&Type>) -> u64 {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let store = self.store(locals, place, self.range(locals, value));
                store.saturating_add(self.expr(locals, value))
            }
            StatementKind::Reset(clock, value) => {
                let range = within(self.range(locals, value), 0, MAX_CLOCK_BOUND);
                total([range, self.clock(locals, clock), self.expr(locals, value)])
            }
            StatementKind::If(condition, then, otherwise) => total([
                self.expr(locals, condition),
                self.block(locals, then, result),
                self.block(locals, otherwise, result),
            ]),
            StatementKind::Call(place, function, arguments) => {
                let ty = self.network.functions[*function].result;
                let range = ty.map_or((i32::MIN, i32::MAX), |ty| (ty.low, ty.high));
                let store = place.as_ref().map_or(0, |place| self.store(locals, place, range));
                store.saturating_add(self.call(locals, function.index(), arguments))
            }
            StatementKind::Return(value) => value.as_ref().map_or(0, |value| {
                let fits = result.map_or(0, |ty| fitting(self.range(locals, value), ty));
                fits.saturating_add(self.expr(locals, value))
            }),
            StatementKind::Assert(condition) | StatementKind::Await(condition) => {
                let (low, high) = self.range(locals, condition);
                let holds = if low > 0 || high < 0 { 0 } else { RISKY };
                self.expr(locals, condition).saturating_add(holds)
            }
            StatementKind::While(..) | StatementKind::Send(_) | StatementKind::Receive(_) => RISKY,
            StatementKind::Fail(_) => RISKY,
            StatementKind::Enter(..) => 0,
        }
    }

    /// The risks of setting clocks.
    fn resets(&self, locals: &Locals, statements: &[Statement]) -> u64 {
        let mut all = 0;
        for statement in statements {
            statement.walk(&mut |it| {
                if let StatementKind::Reset(..) = it.kind {
                    all = total([all, self.statement(locals, it, None)]);
                }
            });
        }
        all
    }

    fn store(&self, locals: &Locals, place: &Place, value: (i32, i32)) -> u64 {
        let ty = match place.base {
            Base::Variable(id) => &self.network.variables[id].ty,
            Base::Local(id) => &locals[id].ty,
        };
        fitting(value, ty).saturating_add(self.place(locals, place))
    }

    fn place(&self, locals: &Locals, place: &Place) -> u64 {
        match place.base {
            Base::Variable(id) => {
                self.indices(locals, &place.indices, &self.network.variables[id].dimensions)
            }
            Base::Local(id) => {
                let sizes = locals[id].sizes.iter().copied();
                total(place.indices.iter().zip(sizes).map(|(e, size)| self.index(locals, e, size)))
            }
        }
    }

    fn clock(&self, locals: &Locals, clock: &ClockRef) -> u64 {
        self.indices(locals, &clock.indices, &self.network.clocks[clock.clock].dimensions)
    }

    fn indices(&self, locals: &Locals, indices: &[Expr], dimensions: &[Dimension]) -> u64 {
        total(indices.iter().zip(dimensions).map(|(e, d)| self.index(locals, e, d.size)))
    }

    fn index(&self, locals: &Locals, index: &Expr, size: u32) -> u64 {
        let last = i32::try_from(size).unwrap_or(i32::MAX).wrapping_sub(1);
        let inside = within(self.range(locals, index), 0, last);
        inside.saturating_add(self.expr(locals, index))
    }

    fn range(&self, locals: &Locals, expr: &Expr) -> (i32, i32) {
        range_of(self.network, locals, expr)
    }

    fn call(&self, locals: &Locals, function: usize, arguments: &[Expr]) -> u64 {
        let called = &self.network.functions[Id::new(function)];
        let types = called.parameters.iter().map(|&parameter| &called.locals[parameter].ty);
        let passed = arguments
            .iter()
            .zip(types)
            .map(|(e, ty)| fitting(self.range(locals, e), ty).saturating_add(self.expr(locals, e)));
        total(passed).saturating_add(1).saturating_add(self.functions[function])
    }

    fn expr(&self, locals: &Locals, expr: &Expr) -> u64 {
        let below = || total(expr.children().into_iter().map(|e| self.expr(locals, e)));
        match expr {
            Expr::Read(place) => self.place(locals, place),
            Expr::Binary(op, _, b) => below().saturating_add(operand(*op, self.range(locals, b))),
            Expr::Quantified(_, binder, body) => {
                let ty = locals[*binder].ty;
                let rounds = (i64::from(ty.high) - i64::from(ty.low) + 1).max(0) as u64;
                rounds.saturating_mul(self.expr(locals, body).saturating_add(1))
            }
            Expr::Call(function, arguments) => self.call(locals, function.index(), arguments),
            Expr::Clock(constraint) => self.constraint(locals, constraint),
            Expr::Probe(_, channel) => self.channel(locals, channel),
            Expr::Poll(poll) => {
                let fields = poll.message.iter().flat_map(Pattern::expressions);
                let fields = total(fields.map(|e| self.expr(locals, e)));
                fields.saturating_add(self.channel(locals, &poll.channel))
            }
            _ => below(),
        }
    }
}

fn total(parts: impl IntoIterator<Item = u64>) -> u64 {
    parts.into_iter().fold(0, u64::saturating_add)
}

fn within((low, high): (i32, i32), least: i32, most: i32) -> u64 {
    if least <= low && high <= most { 0 } else { RISKY }
}

/// Whether values of a range can be stored as a type.
fn fitting(range: (i32, i32), ty: &Type) -> u64 {
    match ty.overflow {
        Overflow::Wrap => 0,
        Overflow::Error => within(range, ty.low, ty.high),
    }
}

/// Whether the right operand of an operator can be one it has no result for.
fn operand(op: BinaryOp, (low, high): (i32, i32)) -> u64 {
    match op {
        BinaryOp::Div | BinaryOp::Rem if low <= 0 && high >= 0 => RISKY,
        BinaryOp::Shl | BinaryOp::Shr => within((low, high), 0, 31),
        BinaryOp::Pow if low < 0 => RISKY,
        _ => 0,
    }
}
