//! Parts of a network written down as they are after a permutation: two parts do the same if the same is written.
//!
//! What has no order is written in an order of its own: edges, operands of `&&` and `||` that cannot fail, the
//! places where a process may be started that are all alike.

use crate::cells::Scope;
use crate::code;
use crate::order;
use crate::permutation::Permutation;
use crate::sorts::{Sort, Sorts};
use analysis::{DeadVariables, Risk};
use network::{
    Action, Base, BinaryOp, ChannelRef, ClockConstraint, ClockRef, Condition, Edge, EdgeId, Expr,
    FunctionId, Id, LocalId, LocationId, LocationKind, Network, Pattern, Place, Priority,
    ProcessId, Property, Receive, Relation, Send, Span, Statement, StatementKind, Type,
};

/// A word of what is written down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Token {
    /// What kind of thing follows.
    Mark(&'static str),
    /// A number.
    Number(i64),
    /// A constant of a sort.
    Id(Sort, i32),
    Variable(network::VariableId),
    Clock(network::ClockId),
    Channel(network::ChannelId),
    Function(FunctionId),
    Process(ProcessId),
    /// Something that the permutation changes, whatever is compared with it.
    Broken,
}

/// A text of such words.
pub type Tokens = Vec<Token>;

/// How things are written down.
#[derive(Clone, Copy)]
pub struct Writing<'a> {
    pub network: &'a Network,
    pub sorts: &'a Sorts<'a>,
    pub risk: &'a Risk<'a>,
    pub dead: &'a DeadVariables,
    /// What edges cost.
    pub cost: &'a dyn Fn(ProcessId, EdgeId) -> u32,
    pub permutation: &'a Permutation,
    /// Whether everything is written in the order of the network, and constants with their sorts.
    pub literal: bool,
}

/// An edge as it is written down, and where it stands.
pub type WrittenEdge = (Tokens, Span);

/// Writes one text.
struct Writer<'w, 'a> {
    with: &'w Writing<'a>,
    /// The sort of what a function returns.
    result: Option<Sort>,
    out: Tokens,
}

impl<'a> Writing<'a> {
    /// A process without its edges.
    pub fn frame(&self, id: ProcessId) -> Tokens {
        let process = &self.network.processes[id];
        let mut writer = Writer::new(self);
        match process.priority {
            Priority::Fixed(priority) => writer.number(priority),
            Priority::Variable(variable) => writer.variable(variable),
        }
        for (number, location) in process.locations.iter().enumerate() {
            let scope = self.sorts.cells.in_location(id.index(), number, &location.locals);
            writer.mark(match location.kind {
                LocationKind::Normal => "normal",
                LocationKind::Urgent => "urgent",
                LocationKind::Committed => "committed",
            });
            writer.condition(scope, &location.invariant);
            for rate in &location.rates {
                writer.mark("rate");
                rate.when.iter().for_each(|it| writer.expr(scope, it, None));
                writer.clock(scope, &rate.clock);
                writer.expr(scope, &rate.rate, None);
            }
        }
        writer.out
    }

    /// An edge of a process.
    pub fn edge(&self, process: ProcessId, id: EdgeId) -> WrittenEdge {
        let edge = &self.network.processes[process].edges[id];
        let scope = self.sorts.cells.in_edge(process.index(), id.index(), &edge.locals);
        let mut writer = Writer::new(self);
        writer.number(edge.source.0 as i32);
        writer.number(edge.target.0 as i32);
        for &select in &edge.selects {
            writer.mark("select");
            writer.binder(scope, select);
        }
        writer.locals(scope, &edge.selects, &edge.update);
        writer.condition(scope, &edge.guard);
        match &edge.action {
            Action::Internal => writer.mark("internal"),
            Action::Send(send) => writer.send(scope, send),
            Action::Receive(receive) => writer.receive(scope, receive),
        }
        writer.mark("do");
        let update: Vec<&Statement> = self.effective(process, edge);
        writer.block(scope, &update);
        writer.number((self.cost)(process, id) as i32);
        writer.number(i32::from(edge.keeps_control));
        writer.number(edge.preference);
        (writer.out, edge.span)
    }

    /// The statements of an edge, without those that set a variable which nobody will read.
    fn effective(&self, process: ProcessId, edge: &'a Edge) -> Vec<&'a Statement> {
        let mut kept: Vec<&Statement> = Vec::new();
        for statement in edge.update.iter().rev() {
            let is_idle = match &statement.kind {
                StatementKind::Assign(
                    Place { base: Base::Variable(id), indices },
                    Expr::Const(_),
                ) => {
                    indices.iter().all(|it| code::constant(it).is_some())
                        && self.dead.at(process, edge.target, *id)
                        && !kept.iter().any(|later| code::reads(later, *id))
                }
                _ => false,
            };
            if !is_idle {
                kept.push(statement);
            }
        }
        kept.reverse();
        kept
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> Tokens {
        let function = &self.network.functions[id];
        let scope = self.sorts.cells.in_function(self.network, id);
        let mut writer = Writer::new(self);
        for &parameter in &function.parameters {
            writer.mark("parameter");
            writer.binder(scope, parameter);
        }
        writer.locals(scope, &function.parameters, &function.body);
        if let Some(ty) = &function.result {
            let sort = Some(self.sorts.of(self.sorts.cells.result(id)));
            writer.ty(ty, sort);
            // Whoever does not return gives the least value.
            let is_moved = self.permutation.value(sort, ty.low) != ty.low;
            if is_moved && !code::always_returns(&function.body) {
                writer.push(Token::Broken);
            }
        }
        writer.result = Some(self.sorts.of(self.sorts.cells.result(id)));
        writer.statements(scope, &function.body);
        writer.out
    }

    /// What a property asks for.
    pub fn goal(&self, property: &Property) -> Tokens {
        let scope = self.sorts.cells.in_property(&property.locals);
        let mut writer = Writer::new(self);
        property.claim.expression().into_iter().for_each(|it| writer.expr(scope, it, None));
        writer.out
    }
}

impl<'w, 'a> Writer<'w, 'a> {
    fn new(with: &'w Writing<'a>) -> Self {
        Writer { with, result: None, out: Vec::new() }
    }

    fn push(&mut self, token: Token) {
        self.out.push(token);
    }
    fn mark(&mut self, mark: &'static str) {
        self.push(Token::Mark(mark));
    }
    fn number(&mut self, number: i32) {
        self.push(Token::Number(i64::from(number)));
    }
    fn variable(&mut self, id: network::VariableId) {
        self.push(Token::Variable(self.with.permutation.variable(id)));
    }

    fn sort(&self, cell: u32) -> Option<Sort> {
        Some(self.with.sorts.of(cell))
    }

    fn constant(&mut self, value: i32, sort: Option<Sort>) {
        match sort {
            Some(sort) if self.with.literal => self.push(Token::Id(sort, value)),
            _ => self.number(self.with.permutation.value(sort, value)),
        }
    }

    fn ty(&mut self, ty: &Type, sort: Option<Sort>) {
        self.number(ty.low);
        self.number(ty.high);
        if !self.with.permutation.keeps_type(sort, ty) {
            self.push(Token::Broken);
        }
    }

    fn local_type(&mut self, scope: Scope, id: LocalId) {
        let local = &scope.locals[id];
        self.ty(&local.ty, self.sort(scope.local(id)));
        for (dimension, &size) in local.sizes.iter().enumerate() {
            self.number(size as i32);
            let sort = self.sort(scope.local_index(id, dimension));
            if self.with.permutation.moves(sort) {
                // Elements of a local array have no place outside of it that could tell where they go.
                self.push(Token::Broken);
            }
        }
    }

    /// The locals of an owner: those that are not bound start with 0.
    fn locals(&mut self, scope: Scope, bound: &[LocalId], body: &[Statement]) {
        for local in scope.locals.ids() {
            self.local_type(scope, local);
            let zero = scope.locals[local].ty.zero();
            let is_set = bound.contains(&local) || code::is_set_first(body, local);
            let sort = self.sort(scope.local(local));
            if !is_set && self.with.permutation.value(sort, zero) != zero {
                self.push(Token::Broken);
            }
        }
    }

    /// A local that takes all values of its type.
    fn binder(&mut self, scope: Scope, id: LocalId) {
        self.number(id.0 as i32);
        self.local_type(scope, id);
    }

    fn condition(&mut self, scope: Scope, condition: &Condition) {
        self.expr(scope, &condition.data, None);
        for constraint in &condition.clocks {
            self.mark("clock");
            self.constraint(scope, constraint);
        }
    }

    fn constraint(&mut self, scope: Scope, constraint: &ClockConstraint) {
        if let Some(when) = &constraint.when {
            self.mark("when");
            self.expr(scope, when, None);
        }
        self.clock(scope, &constraint.left);
        if let Some(right) = &constraint.right {
            self.mark("minus");
            self.clock(scope, right);
        }
        self.mark(match constraint.relation {
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Eq => "==",
            Relation::Ge => ">=",
            Relation::Gt => ">",
        });
        self.expr(scope, &constraint.bound, None);
    }

    fn clock(&mut self, scope: Scope, clock: &ClockRef) {
        self.push(Token::Clock(self.with.permutation.clock(clock.clock)));
        for (dimension, index) in clock.indices.iter().enumerate() {
            let sort = self.sort(self.with.sorts.cells.clock_index(clock.clock, dimension));
            self.expr(scope, index, sort);
        }
    }

    fn channel(&mut self, scope: Scope, channel: &ChannelRef) {
        match channel {
            ChannelRef::Element(id, indices) => {
                self.push(Token::Channel(self.with.permutation.channel(*id)));
                for (dimension, index) in indices.iter().enumerate() {
                    let sort = self.sort(self.with.sorts.cells.channel_index(*id, dimension));
                    self.expr(scope, index, sort);
                }
            }
            ChannelRef::Value(value) => {
                self.mark("channel");
                self.expr(scope, value, self.sort(self.with.sorts.cells.channel_number));
            }
        }
    }

    /// The sort of a field of messages that go through a channel: that of all channels it may be.
    fn field(&self, channel: &ChannelRef, width: usize, field: usize) -> Option<Sort> {
        let channel = *self.with.sorts.channels(channel, width).first()?;
        self.sort(self.with.sorts.cells.field(channel, field))
    }

    fn send(&mut self, scope: Scope, send: &Send) {
        self.mark(if send.sorted { "send sorted" } else { "send" });
        self.channel(scope, &send.channel);
        for (field, value) in send.message.iter().enumerate() {
            self.mark("field");
            self.expr(scope, value, self.field(&send.channel, send.message.len(), field));
        }
    }

    fn receive(&mut self, scope: Scope, receive: &Receive) {
        self.mark("receive");
        self.channel(scope, &receive.channel);
        self.number(i32::from(receive.anywhere));
        self.number(i32::from(receive.keep));
        self.patterns(scope, &receive.channel, &receive.message);
    }

    fn patterns(&mut self, scope: Scope, channel: &ChannelRef, message: &[Pattern]) {
        for (field, pattern) in message.iter().enumerate() {
            match pattern {
                Pattern::Equal(value) => {
                    self.mark("equal");
                    self.expr(scope, value, self.field(channel, message.len(), field));
                }
                Pattern::Store(place) => {
                    self.mark("store");
                    self.place(scope, place);
                }
                Pattern::Any => self.mark("any"),
            }
        }
    }

    fn place(&mut self, scope: Scope, place: &Place) {
        match place.base {
            Base::Variable(id) => self.variable(id),
            Base::Local(id) => {
                self.mark("local");
                self.number(id.0 as i32);
            }
        }
        for (dimension, index) in place.indices.iter().enumerate() {
            let sort = self.sort(self.with.sorts.of_index(scope, place, dimension));
            self.expr(scope, index, sort);
        }
    }

    fn expr(&mut self, scope: Scope, expr: &Expr, sort: Option<Sort>) {
        if let Some(value) = code::constant(expr) {
            self.mark("constant");
            return self.constant(value, sort);
        }
        if let Some(shift) = code::shift(expr) {
            return self.shift(scope, &shift);
        }
        let sort_of = |expr: &Expr| self.with.sorts.of_expr(scope, expr);
        match expr {
            Expr::Const(_) => {}
            Expr::Read(place) => {
                self.mark("read");
                self.place(scope, place);
            }
            Expr::Unary(op, operand) => {
                self.mark("unary");
                self.number(*op as i32);
                self.expr(scope, operand, None);
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                self.junction(scope, *op, expr)
            }
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                self.mark("compare");
                self.number(*op as i32);
                let sort = sort_of(left).or_else(|| sort_of(right));
                let sides =
                    [&**left, &**right].map(|side| self.aside(|it| it.expr(scope, side, sort)));
                self.unordered(sides.into());
            }
            Expr::Binary(
                op @ (BinaryOp::Add
                | BinaryOp::Mul
                | BinaryOp::Min
                | BinaryOp::Max
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor),
                ..,
            ) => {
                self.mark("sum");
                self.number(*op as i32);
                let mut operands = Vec::new();
                code::operands(*op, expr, &mut operands);
                let write = |operand: &&Expr| self.aside(|it| it.expr(scope, operand, None));
                let texts = operands.iter().map(write).collect();
                self.unordered(texts);
            }
            Expr::Binary(op, left, right) => {
                self.mark("binary");
                self.number(*op as i32);
                self.expr(scope, left, None);
                self.expr(scope, right, None);
            }
            Expr::Conditional(condition, yes, no) => {
                let sort = sort.or_else(|| sort_of(expr));
                self.mark("conditional");
                self.expr(scope, condition, None);
                self.expr(scope, yes, sort);
                self.expr(scope, no, sort);
            }
            Expr::Quantified(quantifier, local, body) => {
                self.mark("quantified");
                self.number(*quantifier as i32);
                self.binder(scope, *local);
                let moved = self.with.permutation.moves(self.sort(scope.local(*local)));
                // The first value for which it fails, or decides, may be another one then.
                if moved && self.with.risk.expr_may_fail(scope.locals, body) {
                    self.push(Token::Broken);
                }
                self.expr(scope, body, None);
            }
            Expr::Call(function, arguments) => self.call(scope, *function, arguments),
            Expr::At(process, location) => self.at(*process, *location),
            Expr::Clock(constraint) => self.constraint(scope, constraint),
            Expr::Deadlock => self.mark("deadlock"),
            Expr::Timeout => self.mark("timeout"),
            Expr::Probe(probe, channel) => {
                self.mark("probe");
                self.number(*probe as i32);
                self.channel(scope, channel);
            }
            Expr::Poll(poll) => {
                self.mark("poll");
                self.number(i32::from(poll.anywhere));
                self.channel(scope, &poll.channel);
                self.patterns(scope, &poll.channel, &poll.message);
            }
        }
    }

    /// The next position on a ring goes along with rotations of this ring and with nothing else.
    fn shift(&mut self, scope: Scope, shift: &code::Shift) {
        let sort = self.with.sorts.of_expr(scope, shift.of);
        let permutation = self.with.permutation;
        let is_turned = permutation.rotated == sort.map(|sort| (sort, shift.around));
        if permutation.moves(sort) && !is_turned {
            self.push(Token::Broken);
        }
        self.mark("shift");
        self.number(shift.by);
        self.number(shift.around);
        self.expr(scope, shift.of, sort);
    }

    fn call(&mut self, scope: Scope, function: FunctionId, arguments: &[Expr]) {
        self.mark("call");
        self.push(Token::Function(self.with.permutation.function(function)));
        let inside = self.with.sorts.cells.in_function(self.with.network, function);
        let parameters = &self.with.network.functions[function].parameters;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            self.expr(scope, argument, self.sort(inside.local(*parameter)));
        }
    }

    fn at(&mut self, process: ProcessId, location: LocationId) {
        self.mark("at");
        self.push(Token::Process(self.with.permutation.process(process)));
        self.number(location.0 as i32);
    }

    /// Operands of `&&` or `||`; the order of those that cannot fail does not matter between those that can.
    fn junction(&mut self, scope: Scope, op: BinaryOp, expr: &Expr) {
        self.mark("junction");
        self.number(op as i32);
        let mut operands = Vec::new();
        code::operands(op, expr, &mut operands);
        let fails = |it: &Expr| self.with.risk.expr_may_fail(scope.locals, it);
        for run in operands.chunk_by(|one, other| !fails(one) && !fails(other)) {
            let write = |operand: &&Expr| self.aside(|it| it.expr(scope, operand, None));
            let texts = run.iter().map(write).collect();
            self.unordered(texts);
        }
    }

    /// What is written by `write`, by itself.
    fn aside(&mut self, write: impl FnOnce(&mut Self)) -> Tokens {
        let before = std::mem::take(&mut self.out);
        write(self);
        std::mem::replace(&mut self.out, before)
    }

    /// Texts whose order does not matter.
    fn unordered(&mut self, mut texts: Vec<Tokens>) {
        if !self.with.literal {
            texts.sort_unstable();
        }
        self.number(texts.len() as i32);
        texts.into_iter().for_each(|text| self.out.extend(text));
    }

    fn statements(&mut self, scope: Scope, statements: &[Statement]) {
        let statements: Vec<&Statement> = statements.iter().collect();
        self.block(scope, &statements);
    }

    fn block(&mut self, scope: Scope, statements: &[&Statement]) {
        self.mark("{");
        let mut rest = statements;
        while let Some(statement) = rest.first() {
            if let Some(it) = rest.get(1).and_then(|next| code::range_loop(statement, next)) {
                self.range_loop(scope, &it);
                rest = &rest[2..];
                continue;
            }
            let run = code::independent_run(rest);
            let write = |statement: &&Statement| self.aside(|it| it.statement(scope, statement));
            let texts = rest[..run].iter().map(write).collect();
            self.unordered(texts);
            rest = &rest[run..];
        }
        self.mark("}");
    }

    fn range_loop(&mut self, scope: Scope, it: &code::Loop) {
        self.mark("for");
        self.number(it.binder.0 as i32);
        self.number(it.low);
        self.number(it.high);
        let sort = self.sort(scope.local(it.binder));
        let permutation = self.with.permutation;
        let is_fine = permutation.keeps_range(sort, it.low, it.high)
            && order::rounds_commute(self.with, scope, it);
        if permutation.moves(sort) && !is_fine {
            self.push(Token::Broken);
        }
        self.statements(scope, it.body);
    }

    fn statement(&mut self, scope: Scope, statement: &Statement) {
        match &statement.kind {
            // Nothing depends on it.
            StatementKind::Assign(Place { base: Base::Variable(id), indices }, value)
                if self.with.dead.is_useless(*id)
                    && indices.iter().chain([value]).all(|it| code::constant(it).is_some()) => {}
            StatementKind::Assign(place, value) => {
                self.mark("=");
                self.place(scope, place);
                let sort = self.sort(self.with.sorts.of_place(scope, place));
                self.expr(scope, value, sort);
            }
            StatementKind::Reset(clock, value) => {
                self.mark("reset");
                self.clock(scope, clock);
                self.expr(scope, value, None);
            }
            StatementKind::If(condition, then, otherwise) => {
                if !self.starts(scope, statement) {
                    self.mark("if");
                    self.expr(scope, condition, None);
                    self.statements(scope, then);
                    self.statements(scope, otherwise);
                }
            }
            StatementKind::While(condition, body) => {
                self.mark("while");
                self.expr(scope, condition, None);
                self.statements(scope, body);
            }
            StatementKind::Call(place, function, arguments) => {
                if let Some(place) = place {
                    self.mark("=");
                    self.place(scope, place);
                }
                self.call(scope, *function, arguments);
            }
            StatementKind::Return(value) => {
                self.mark("return");
                let sort = self.result;
                value.iter().for_each(|it| self.expr(scope, it, sort));
            }
            StatementKind::Assert(condition) => {
                self.mark("assert");
                self.expr(scope, condition, None);
            }
            StatementKind::Await(condition) => {
                self.mark("await");
                self.expr(scope, condition, None);
            }
            StatementKind::Send(send) => self.send(scope, send),
            StatementKind::Receive(receive) => self.receive(scope, receive),
            StatementKind::Fail(failure) => {
                self.mark("fail");
                self.number(failure.0 as i32);
            }
            StatementKind::NoRoom => self.mark("no room"),
            StatementKind::Enter(process, location) => {
                self.mark("enter");
                self.at(*process, *location);
            }
        }
    }

    /// A process is started in the first place that is free. Which one that is does not matter if nothing of what
    /// belongs to a free place will be read.
    fn starts(&mut self, scope: Scope, statement: &Statement) -> bool {
        let Some((places, otherwise)) = code::first_free(statement) else { return false };
        let is_blank = |place: &code::Place<'_>| {
            let mut owned = self.with.permutation.owners.iter().filter(|it| *it.1 == place.process);
            owned.all(|(&variable, _)| self.with.dead.at(place.process, place.location, variable))
        };
        if !places.iter().all(is_blank) {
            return false;
        }
        self.mark("start");
        let write = |writer: &mut Self, place: &code::Place<'_>| {
            writer.at(place.process, place.location);
            writer.statements(scope, place.statements);
        };
        let permutation = self.with.permutation;
        let is_moved = |it: &code::Place<'_>| permutation.process(it.process) != it.process;
        // Between those that are exchanged there may be no other one: it would come before one of them only.
        for run in places.chunk_by(|one, other| is_moved(one) && is_moved(other)) {
            let texts = run.iter().map(|place| self.aside(|it| write(it, place))).collect();
            self.unordered(texts);
        }
        self.statements(scope, otherwise);
        true
    }
}
