//! Sorts of values: what is assigned to, compared with or used as an index of the same things.
//!
//! Values of a sort are interchangeable only if they are never used as numbers; the one exception is the next
//! position on a ring, `(x + 1) % n`, which goes along with rotations.

use crate::cells::{Cell, Cells, Scope};
use crate::code;
use network::{
    Action, Base, BinaryOp, ChannelId, ChannelKind, ChannelRef, ClockConstraint, ClockRef,
    Condition, Edge, Expr, Location, Network, Pattern, Place, Quantifier, Span, Statement,
    StatementKind,
};

/// A sort, by the number of one of its cells.
pub type Sort = u32;

/// What is known about the values of a sort.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    /// Where one of them is used as a number.
    number: Option<Span>,
    /// The length of the ring on which the next one is computed, and where.
    ring: Option<(i32, Span)>,
    /// The least and the greatest constant.
    constants: Option<(i32, i32)>,
}

/// The sorts of a network's cells.
pub struct Sorts<'a> {
    network: &'a Network,
    pub cells: Cells,
    parents: Vec<Cell>,
    uses: Vec<Use>,
    /// Where what is looked at stands.
    span: Span,
}

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// A constant.
    Constant(i32),
    /// A number: truth values are numbers, too.
    Number,
    /// Something of the sort of a cell.
    Of(Cell),
}

impl<'a> Sorts<'a> {
    /// Every cell by itself.
    pub fn new(network: &'a Network, cells: Cells) -> Self {
        let count = cells.count as usize;
        let (parents, uses) = ((0..cells.count).collect(), vec![Use::default(); count]);
        Sorts { network, cells, parents, uses, span: Span::NONE }
    }

    /// The sort of a cell.
    pub fn of(&self, mut cell: Cell) -> Sort {
        while self.parents[cell as usize] != cell {
            cell = self.parents[cell as usize];
        }
        cell
    }

    /// Where values of a sort are used as numbers.
    pub fn number(&self, sort: Sort) -> Option<Span> {
        self.uses[sort as usize].number
    }

    /// The length of the ring that values of a sort are positions on, and where that is said.
    pub fn ring(&self, sort: Sort) -> Option<(i32, Span)> {
        self.uses[sort as usize].ring
    }

    /// The least and the greatest constant of a sort.
    pub fn constants(&self, sort: Sort) -> Option<(i32, i32)> {
        self.uses[sort as usize].constants
    }

    /// The sort of an expression's values, if it is not a constant or a number.
    pub fn of_expr(&self, scope: Scope, expr: &Expr) -> Option<Sort> {
        match expr {
            Expr::Read(place) => Some(self.of(self.of_place(scope, place))),
            Expr::Conditional(_, yes, no) => {
                self.of_expr(scope, yes).or_else(|| self.of_expr(scope, no))
            }
            Expr::Call(function, _) => Some(self.of(self.cells.result(*function))),
            other => self.of_expr(scope, code::shift(other)?.of),
        }
    }

    /// The cell of a place's value.
    pub fn of_place(&self, scope: Scope, place: &Place) -> Cell {
        match place.base {
            Base::Variable(id) => self.cells.variable(id),
            Base::Local(id) => scope.local(id),
        }
    }

    /// The cell of one of a place's indices.
    pub fn of_index(&self, scope: Scope, place: &Place, dimension: usize) -> Cell {
        match place.base {
            Base::Variable(id) => self.cells.variable_index(id, dimension),
            Base::Local(id) => scope.local_index(id, dimension),
        }
    }

    /// The channels that may be meant by whoever sends or receives messages of so many fields.
    pub fn channels(&self, channel: &ChannelRef, width: usize) -> Vec<ChannelId> {
        let channels = &self.network.channels;
        let carries = |id: &ChannelId| match &channels[*id].kind {
            ChannelKind::Buffered { fields, .. } => fields.len() == width,
            ChannelKind::Handshake | ChannelKind::Broadcast => width == 0,
        };
        match channel {
            ChannelRef::Element(id, _) => vec![*id].into_iter().filter(carries).collect(),
            ChannelRef::Value(_) => channels.ids().filter(carries).collect(),
        }
    }

    /// Takes note that two sorts are the same.
    pub fn join(&mut self, one: Sort, other: Sort) {
        self.unite(Value::Of(one), Value::Of(other));
    }

    /// Takes note of a function.
    pub fn function(&mut self, id: network::FunctionId) {
        let function = &self.network.functions[id];
        self.span = function.span;
        let scope = self.cells.in_function(self.network, id);
        self.statements(scope, &function.body, Some(self.cells.result(id)));
    }

    /// Takes note of an edge.
    pub fn edge(&mut self, process: usize, number: usize, edge: &Edge) {
        self.span = edge.span;
        let scope = self.cells.in_edge(process, number, &edge.locals);
        self.condition(scope, &edge.guard);
        self.span = edge.span;
        match &edge.action {
            Action::Internal => {}
            Action::Send(send) => self.send(scope, send),
            Action::Receive(receive) => self.message(scope, &receive.channel, &receive.message),
        }
        self.statements(scope, &edge.update, None);
    }

    /// Takes note of a location.
    pub fn location(&mut self, process: usize, number: usize, location: &Location) {
        self.span = location.span;
        let scope = self.cells.in_location(process, number, &location.locals);
        self.condition(scope, &location.invariant);
        for rate in &location.rates {
            rate.when.iter().for_each(|it| self.as_number(scope, it));
            self.clock(scope, &rate.clock);
            self.as_number(scope, &rate.rate);
        }
    }

    /// Takes note of what a property asks for.
    pub fn goal(
        &mut self,
        locals: &network::Arena<network::LocalId, network::Local>,
        expr: &Expr,
        span: Span,
    ) {
        self.span = span;
        let scope = self.cells.in_property(locals);
        self.as_number(scope, expr);
    }

    /// Takes note of a variable that is a priority.
    pub fn priority(&mut self, id: network::VariableId, span: Span) {
        self.span = span;
        self.unite(Value::Of(self.cells.variable(id)), Value::Number);
    }

    fn condition(&mut self, scope: Scope, condition: &Condition) {
        if !condition.span.is_none() {
            self.span = condition.span;
        }
        self.as_number(scope, &condition.data);
        condition.clocks.iter().for_each(|it| self.constraint(scope, it));
    }

    fn constraint(&mut self, scope: Scope, constraint: &ClockConstraint) {
        constraint.when.iter().for_each(|it| self.as_number(scope, it));
        self.clock(scope, &constraint.left);
        constraint.right.iter().for_each(|it| self.clock(scope, it));
        self.as_number(scope, &constraint.bound);
    }

    fn clock(&mut self, scope: Scope, clock: &ClockRef) {
        for (dimension, index) in clock.indices.iter().enumerate() {
            let cell = self.cells.clock_index(clock.clock, dimension);
            self.store(scope, cell, index);
        }
    }

    fn channel(&mut self, scope: Scope, channel: &ChannelRef) {
        match channel {
            ChannelRef::Element(id, indices) => {
                for (dimension, index) in indices.iter().enumerate() {
                    self.store(scope, self.cells.channel_index(*id, dimension), index);
                }
            }
            ChannelRef::Value(value) => self.store(scope, self.cells.channel_number, value),
        }
    }

    fn send(&mut self, scope: Scope, send: &network::Send) {
        self.channel(scope, &send.channel);
        for channel in self.channels(&send.channel, send.message.len()) {
            for (field, value) in send.message.iter().enumerate() {
                let cell = self.cells.field(channel, field);
                self.store(scope, cell, value);
                if send.sorted {
                    self.unite(Value::Of(cell), Value::Number);
                }
            }
        }
    }

    fn message(&mut self, scope: Scope, channel: &ChannelRef, message: &[Pattern]) {
        self.channel(scope, channel);
        for channel in self.channels(channel, message.len()) {
            for (field, pattern) in message.iter().enumerate() {
                let cell = self.cells.field(channel, field);
                match pattern {
                    Pattern::Equal(value) => self.store(scope, cell, value),
                    Pattern::Store(place) => {
                        let place = self.place(scope, place);
                        self.unite(Value::Of(cell), Value::Of(place));
                    }
                    Pattern::Any => {}
                }
            }
        }
    }

    fn place(&mut self, scope: Scope, place: &Place) -> Cell {
        for (dimension, index) in place.indices.iter().enumerate() {
            let cell = self.of_index(scope, place, dimension);
            self.store(scope, cell, index);
        }
        self.of_place(scope, place)
    }

    fn statements(&mut self, scope: Scope, statements: &[Statement], result: Option<Cell>) {
        let mut rest = statements;
        while let Some(statement) = rest.first() {
            if let Some(it) = rest.get(1).and_then(|next| code::range_loop(statement, next)) {
                self.statements(scope, it.body, result);
                rest = &rest[2..];
                continue;
            }
            self.statement(scope, statement, result);
            rest = &rest[1..];
        }
    }

    fn statement(&mut self, scope: Scope, statement: &Statement, result: Option<Cell>) {
        if !statement.span.is_none() {
            self.span = statement.span;
        }
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let cell = self.place(scope, place);
                self.store(scope, cell, value);
            }
            StatementKind::Reset(clock, value) => {
                self.clock(scope, clock);
                self.as_number(scope, value);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.as_number(scope, condition);
                self.statements(scope, then, result);
                self.statements(scope, otherwise, result);
            }
            StatementKind::While(condition, body) => {
                self.as_number(scope, condition);
                self.statements(scope, body, result);
            }
            StatementKind::Call(place, function, arguments) => {
                let value = self.call(scope, *function, arguments);
                if let Some(place) = place {
                    let cell = self.place(scope, place);
                    self.unite(Value::Of(cell), value);
                }
            }
            StatementKind::Return(value) => {
                if let (Some(cell), Some(value)) = (result, value) {
                    self.store(scope, cell, value);
                }
            }
            StatementKind::Assert(condition) | StatementKind::Await(condition) => {
                self.as_number(scope, condition);
            }
            StatementKind::Send(send) => self.send(scope, send),
            StatementKind::Receive(receive) => {
                self.message(scope, &receive.channel, &receive.message);
            }
            StatementKind::Fail(_) | StatementKind::NoRoom | StatementKind::Enter(..) => {}
        }
    }

    fn call(&mut self, scope: Scope, function: network::FunctionId, arguments: &[Expr]) -> Value {
        let inside = self.cells.in_function(self.network, function);
        let parameters = &self.network.functions[function].parameters;
        for (parameter, argument) in parameters.iter().zip(arguments) {
            self.store(scope, inside.local(*parameter), argument);
        }
        Value::Of(self.cells.result(function))
    }

    fn store(&mut self, scope: Scope, cell: Cell, expr: &Expr) {
        let value = self.value(scope, expr);
        self.unite(Value::Of(cell), value);
    }

    /// An expression whose value is used as a number, or asked for its truth.
    fn as_number(&mut self, scope: Scope, expr: &Expr) {
        let value = self.value(scope, expr);
        self.unite(value, Value::Number);
    }

    fn value(&mut self, scope: Scope, expr: &Expr) -> Value {
        if let Some(value) = code::constant(expr) {
            return Value::Constant(value);
        }
        if let Some(shift) = code::shift(expr) {
            let value = self.value(scope, shift.of);
            if let Value::Of(cell) = value {
                let span = self.span;
                self.note(cell, Use { ring: Some((shift.around, span)), ..Use::default() });
            }
            return value;
        }
        match expr {
            Expr::Read(place) => return Value::Of(self.place(scope, place)),
            Expr::Conditional(condition, yes, no) => {
                self.as_number(scope, condition);
                let (yes, no) = (self.value(scope, yes), self.value(scope, no));
                return self.unite(yes, no);
            }
            Expr::Call(function, arguments) => return self.call(scope, *function, arguments),
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                let (left, right) = (self.value(scope, left), self.value(scope, right));
                self.unite(left, right);
            }
            Expr::Binary(_, left, right) => {
                self.as_number(scope, left);
                self.as_number(scope, right);
            }
            Expr::Unary(_, operand) => self.as_number(scope, operand),
            Expr::Quantified(
                Quantifier::ForAll | Quantifier::Exists | Quantifier::Sum,
                _,
                body,
            ) => {
                self.as_number(scope, body);
            }
            Expr::Clock(constraint) => self.constraint(scope, constraint),
            Expr::Probe(_, channel) => self.channel(scope, channel),
            Expr::Poll(poll) => self.message(scope, &poll.channel, &poll.message),
            Expr::Const(_) | Expr::At(..) | Expr::Deadlock | Expr::Timeout => {}
        }
        Value::Number
    }

    /// Takes note that two values are of the same sort.
    fn unite(&mut self, one: Value, other: Value) -> Value {
        match (one, other) {
            (Value::Of(one), Value::Of(other)) => {
                let (one, other) = (self.of(one), self.of(other));
                if one != other {
                    let moved = self.uses[other as usize];
                    self.parents[other as usize] = one;
                    self.note(one, moved);
                }
                Value::Of(one)
            }
            (Value::Of(cell), Value::Constant(value))
            | (Value::Constant(value), Value::Of(cell)) => {
                self.note(cell, Use { constants: Some((value, value)), ..Use::default() });
                Value::Of(cell)
            }
            (Value::Of(cell), Value::Number) | (Value::Number, Value::Of(cell)) => {
                self.note(cell, Use { number: Some(self.span), ..Use::default() });
                Value::Of(cell)
            }
            _ => Value::Number,
        }
    }

    fn note(&mut self, cell: Cell, more: Use) {
        let sort = self.of(cell);
        let known = &mut self.uses[sort as usize];
        known.number = known.number.or(more.number);
        known.constants = match (known.constants, more.constants) {
            (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
            (one, other) => one.or(other),
        };
        match (known.ring, more.ring) {
            // Positions on two rings are numbers.
            (Some((one, _)), Some((other, span))) if one != other => {
                known.number = known.number.or(Some(span));
            }
            (None, ring) => known.ring = ring,
            _ => {}
        }
    }
}
