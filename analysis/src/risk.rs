//! Where a model may raise a run-time error, said with caution: what is not listed raises none.
//!
//! The ranges that values can have (`network::range_of`) tell which indices, divisors and assignments are
//! harmless; loops count, since too many rounds are an error.

use network::{
    Action, Arena, Base, BinaryOp, ChannelKind, ChannelRef, ClockConstraint, ClockRef, Condition,
    Dimension, Edge, Expr, Function, Id, Local, LocalId, Location, LocationId, MAX_CLOCK_BOUND,
    MAX_LOOP_ROUNDS, Network, Overflow, Pattern, Place, ProcessId, Statement, StatementKind, Type,
    range_of,
};

type Locals = Arena<LocalId, Local>;

/// How many rounds of loops something takes at most; this if it may raise an error.
const RISKY: u64 = u64::MAX;

/// Adds up rounds of loops and what may fail: what is not said to may not.
pub struct Risk<'a> {
    network: &'a Network,
    functions: Vec<u64>,
    /// The rounds that each process may contribute to a step.
    limit: u64,
}

impl<'a> Risk<'a> {
    /// What may fail in a network.
    pub fn of(network: &'a Network) -> Self {
        let limit = MAX_LOOP_ROUNDS / (network.processes.len() as u64 + 1);
        let mut risk = Risk { network, functions: Vec::new(), limit };
        // A function calls only functions before it.
        for function in &network.functions {
            let rounds = risk.function(function);
            risk.functions.push(rounds);
        }
        risk
    }

    /// Whether guard, action or update of an edge may fail.
    pub fn edge_may_fail(&self, edge: &Edge) -> bool {
        self.edge(edge) > self.limit
    }

    /// The locations whose invariant or clock rates may fail.
    pub fn failing_locations(&self) -> Vec<(ProcessId, LocationId)> {
        let steady = self.rates_are_steady();
        let mut found = Vec::new();
        for (id, process) in self.network.processes.enumerate() {
            let risky = process.locations.enumerate().filter(|(_, it)| self.is_risky(it, steady));
            found.extend(risky.map(|(location, _)| (id, location)));
        }
        found
    }

    /// Whether finding out how fast clocks run at a location may fail.
    pub fn rates_may_fail(&self, location: &Location) -> bool {
        !location.rates.is_empty() && self.is_risky(location, self.rates_are_steady())
    }

    /// Whether an expression may fail.
    pub fn expr_may_fail(&self, locals: &Locals, expr: &Expr) -> bool {
        self.expr(locals, expr) > self.limit
    }

    /// Whether the clock part of some guard, an invariant, a rate or the setting of a clock may fail.
    pub fn clocks_may_fail(&self) -> bool {
        let guards =
            |edge: &Edge| total(edge.guard.clocks.iter().map(|c| self.constraint(&edge.locals, c)));
        let fails = |edge: &Edge| total([guards(edge), self.resets(&edge.locals, &edge.update)]);
        let steady = self.rates_are_steady();
        let processes = &self.network.processes;
        processes.iter().flat_map(|p| &p.edges).any(|edge| fails(edge) > self.limit)
            || processes.iter().flat_map(|p| &p.locations).any(|l| self.is_risky(l, steady))
            || self.network.functions.iter().any(|f| self.resets(&f.locals, &f.body) > self.limit)
    }

    /// Whether an expression about variables and locations can neither fail nor loop.
    pub fn is_safe(&self, locals: &Locals, expr: &Expr) -> bool {
        // Calls and quantifiers take rounds; others look at what is no variable.
        let is_more = |part: &Expr| {
            matches!(
                part,
                Expr::Quantified(..)
                    | Expr::Call(..)
                    | Expr::Clock(_)
                    | Expr::Probe(..)
                    | Expr::Poll(_)
            )
        };
        !expr.mentions(&is_more) && self.expr(locals, expr) == 0
    }

    /// Whether statements only assign, and can neither fail nor loop.
    pub fn are_safe(&self, locals: &Locals, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match &statement.kind {
            StatementKind::Assign(place, value) => {
                let mut indices = place.indices.iter();
                self.is_safe(locals, value)
                    && indices.all(|index| self.is_safe(locals, index))
                    && self.statement(locals, statement, None) == 0
            }
            StatementKind::If(condition, then, otherwise) => {
                self.is_safe(locals, condition)
                    && self.are_safe(locals, then)
                    && self.are_safe(locals, otherwise)
            }
            _ => false,
        })
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
            StatementKind::Fail(_) | StatementKind::NoRoom => RISKY,
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

#[cfg(test)]
mod tests {
    use super::*;
    use network::VariableId;

    fn network() -> Network {
        network::parse(
            "network 1 var b : int[0, 255] wrap var n : int[0, 3] var a[4] : int[0, 3] \
             process P { location l; init l; }",
        )
        .unwrap_or_else(|error| panic!("{error:?}"))
    }
    fn are_safe(statements: &[Statement]) -> bool {
        Risk::of(&network()).are_safe(&Arena::new(), statements)
    }
    fn is_safe(expr: &Expr) -> bool {
        Risk::of(&network()).is_safe(&Arena::new(), expr)
    }
    fn read(id: u32) -> Expr {
        Expr::variable(VariableId(id))
    }
    fn assign(id: u32, value: Expr) -> Vec<Statement> {
        let place = Place::variable(VariableId(id));
        vec![Statement { kind: StatementKind::Assign(place, value), span: network::Span::NONE }]
    }

    #[test]
    fn what_wraps_or_fits_is_safe() {
        let next = |id| Expr::binary(BinaryOp::Add, read(id), Expr::Const(1));
        assert!(are_safe(&assign(0, next(0))));
        assert!(!are_safe(&assign(1, next(1))));
        let cut = Expr::binary(BinaryOp::Rem, next(1), Expr::Const(4));
        assert!(are_safe(&assign(1, cut.clone())));
    }

    #[test]
    fn indices_and_divisors_must_be_in_range() {
        let element =
            |index| Expr::Read(Place { base: Base::Variable(VariableId(2)), indices: vec![index] });
        assert!(is_safe(&element(read(1))));
        assert!(!is_safe(&element(read(0))));
        let by = |divisor| Expr::binary(BinaryOp::Div, Expr::Const(7), divisor);
        assert!(!is_safe(&by(read(1))));
        assert!(is_safe(&by(Expr::Const(2))));
    }
}
