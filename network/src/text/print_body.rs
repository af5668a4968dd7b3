//! Writes expressions, statements and actions.

use super::print::Printer;
use super::{OPERATORS, RELATIONS, level};
use crate::{
    Action, Base, BinaryOp, ChannelRef, ClockConstraint, ClockRef, Condition, Expr, FunctionId, Id,
    LocationId, Pattern, Place, Poll, Probe, ProcessId, Quantifier, Rate, Receive, Relation, Send,
    Span, Statement, StatementKind, UnaryOp, VariableId,
};

impl<'a> Printer<'a> {
    // ---- references ----

    pub fn variable_reference(&mut self, id: VariableId) {
        let name = self.network.variables.try_at(id).map(|variable| variable.name.as_str());
        let count = name.and_then(|name| self.variables.get(name).copied());
        self.reference(name, count.as_ref(), id.index());
    }
    pub fn process_reference(&mut self, id: ProcessId) {
        let name = self.network.processes.try_at(id).map(|process| process.name.as_str());
        let count = name.and_then(|name| self.processes.get(name).copied());
        self.reference(name, count.as_ref(), id.index());
    }
    fn function_reference(&mut self, id: FunctionId) {
        let name = self.network.functions.try_at(id).map(|function| function.name.as_str());
        let count = name.and_then(|name| self.functions.get(name).copied());
        self.reference(name, count.as_ref(), id.index());
    }

    pub fn place(&mut self, place: &Place) {
        match place.base {
            Base::Variable(id) => self.variable_reference(id),
            Base::Local(id) => {
                self.local_reference(id);
            }
        }
        self.indices(&place.indices);
    }
    fn indices(&mut self, indices: &[Expr]) {
        for index in indices {
            self.put("[");
            self.expr(index, level::LOWEST);
            self.put("]");
        }
    }
    /// A clock where nothing but a clock can stand.
    fn clock_ref(&mut self, clock: &ClockRef) {
        self.clock_name(clock);
        self.indices(&clock.indices);
    }
    fn clock_name(&mut self, clock: &ClockRef) {
        let name = self.network.clocks.try_at(clock.clock).map(|clock| clock.name.as_str());
        let count = name.and_then(|name| self.clocks.get(name).copied());
        self.reference(name, count.as_ref(), clock.clock.index());
    }
    /// A clock within an expression, where its name alone would mean a variable of that name.
    fn clock_operand(&mut self, clock: &ClockRef) {
        let found = self.network.clocks.try_at(clock.clock);
        let hidden = found.is_none_or(|clock| self.variables.contains_key(clock.name.as_str()));
        if hidden {
            self.put("(clock ");
            self.clock_name(clock);
            self.put(")");
            self.indices(&clock.indices);
        } else {
            self.clock_ref(clock);
        }
    }
    fn channel_ref(&mut self, channel: &ChannelRef) {
        match channel {
            ChannelRef::Element(id, indices) => {
                let name = self.network.channels.try_at(*id).map(|channel| channel.name.as_str());
                let count = name.and_then(|name| self.channels.get(name).copied());
                self.reference(name, count.as_ref(), id.index());
                self.indices(indices);
            }
            ChannelRef::Value(value) => {
                self.put("channel(");
                self.expr(value, level::LOWEST);
                self.put(")");
            }
        }
    }

    // ---- expressions ----

    /// An expression, in parentheses if it holds together less tightly than the level demands.
    pub fn expr(&mut self, expr: &Expr, demanded: u8) {
        let enclosed = level_of(expr) < demanded;
        if enclosed {
            self.put("(");
        }
        self.bare_expr(expr);
        if enclosed {
            self.put(")");
        }
    }

    fn bare_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(value) => self.display(value),
            Expr::Read(place) => self.place(place),
            Expr::Unary(op, operand) => self.unary(*op, operand),
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Conditional(condition, yes, no) => {
                self.expr(condition, level::IMPLY);
                self.put(" ? ");
                self.expr(yes, level::LOWEST);
                self.put(" : ");
                self.expr(no, level::LOWEST);
            }
            Expr::Quantified(quantifier, binder, operand) => {
                self.put(quantifier_word(*quantifier));
                self.put(" (");
                self.binder(*binder);
                self.put(") ");
                self.expr(operand, level::LOWEST);
            }
            Expr::Call(function, arguments) => {
                self.function_reference(*function);
                self.list(arguments, |printer, argument| printer.expr(argument, level::LOWEST));
            }
            Expr::At(process, location) => self.process_at_location(*process, *location),
            Expr::Clock(constraint) => self.constraint(constraint),
            Expr::Deadlock => self.put("deadlock"),
            Expr::Timeout => self.put("timeout"),
            Expr::Probe(probe, channel) => {
                self.put(probe_word(*probe));
                self.put("(");
                self.channel_ref(channel);
                self.put(")");
            }
            Expr::Poll(poll) => self.poll(poll),
        }
    }
    fn process_at_location(&mut self, process: ProcessId, location: LocationId) {
        self.process_reference(process);
        self.put(" at ");
        self.location(process, location);
    }
    fn poll(&mut self, poll: &Poll) {
        self.put("poll ");
        self.channel_ref(&poll.channel);
        self.patterns(&poll.message);
        self.put(if poll.anywhere { " anywhere" } else { "" });
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) {
        let symbol = match op {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Abs => "abs",
        };
        self.put(symbol);
        // `-3` is a constant, `-(3)` an operator applied to one.
        if op == UnaryOp::Abs || (op == UnaryOp::Neg && matches!(operand, Expr::Const(_))) {
            self.put("(");
            self.expr(operand, level::LOWEST);
            self.put(")");
        } else {
            self.expr(operand, level::UNARY);
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let Some((_, symbol, level)) = OPERATORS.iter().find(|entry| entry.0 == op) else {
            self.put(if op == BinaryOp::Min { "min(" } else { "max(" });
            self.expr(left, level::LOWEST);
            self.put(", ");
            self.expr(right, level::LOWEST);
            self.put(")");
            return;
        };
        // Chains of comparisons confuse, so they are never left without parentheses.
        self.expr(left, if *level == level::COMPARE { level + 1 } else { *level });
        self.put(" ");
        self.put(symbol);
        self.put(" ");
        self.expr(right, level + 1);
    }

    fn constraint(&mut self, constraint: &ClockConstraint) {
        if let Some(when) = &constraint.when {
            self.expr(when, level::IMPLY + 1);
            self.put(" imply ");
        }
        self.clock_operand(&constraint.left);
        if let Some(right) = &constraint.right {
            self.put(" - ");
            self.clock_operand(right);
        }
        self.put(" ");
        self.put(relation_symbol(constraint.relation));
        self.put(" ");
        self.expr(&constraint.bound, level::COMPARE + 1);
    }

    /// The data part and the clock constraints as one conjunction.
    pub fn conjunction(&mut self, condition: &Condition) {
        let parts = condition.clocks.len();
        let with_data = parts == 0 || condition.data != Expr::TRUE;
        if with_data {
            self.expr(&condition.data, if parts == 0 { level::LOWEST } else { level::AND });
        }
        let alone = parts == 1 && !with_data;
        for (i, clock) in condition.clocks.iter().enumerate() {
            if i > 0 || with_data {
                self.put(" && ");
            }
            let enclosed = clock.when.is_some() && !alone;
            self.put(if enclosed { "(" } else { "" });
            self.constraint(clock);
            self.put(if enclosed { ")" } else { "" });
        }
    }

    pub fn claim(&mut self, word: &str, expr: &Expr) {
        self.start();
        self.put(word);
        self.expr(expr, level::LOWEST);
    }

    // ---- statements and actions ----

    pub fn rate(&mut self, rate: &Rate) {
        self.start();
        self.put("rate ");
        self.clock_ref(&rate.clock);
        self.put(" = ");
        self.expr(&rate.rate, level::LOWEST);
        if let Some(when) = &rate.when {
            self.put(" when ");
            self.expr(when, level::LOWEST);
        }
        self.put(";\n");
    }

    pub fn action(&mut self, action: &Action) {
        match action {
            Action::Internal => return,
            Action::Send(send) => {
                self.start();
                self.send(send);
            }
            Action::Receive(receive) => {
                self.start();
                self.receive(receive);
            }
        }
        self.put(";\n");
    }
    fn send(&mut self, send: &Send) {
        self.put("send ");
        self.channel_ref(&send.channel);
        if !send.message.is_empty() {
            self.list(&send.message, |printer, field| printer.expr(field, level::LOWEST));
        }
        self.put(if send.sorted { " sorted" } else { "" });
        self.span(send.span);
    }
    fn receive(&mut self, receive: &Receive) {
        self.put("receive ");
        self.channel_ref(&receive.channel);
        self.patterns(&receive.message);
        self.put(if receive.anywhere { " anywhere" } else { "" });
        self.put(if receive.keep { " keep" } else { "" });
        self.span(receive.span);
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        if !patterns.is_empty() {
            self.list(patterns, |printer, pattern| printer.pattern(pattern));
        }
    }
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Equal(value) => {
                self.put("== ");
                self.expr(value, level::LOWEST);
            }
            Pattern::Store(place) => self.place(place),
            Pattern::Any => self.put("_"),
        }
    }

    pub fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.start();
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::If(condition, then, otherwise) => {
                self.branch(statement, condition, then, otherwise);
                return self.end();
            }
            StatementKind::While(condition, body) => {
                self.head("while", condition, statement);
                self.statements(body);
                self.close();
                return self.end();
            }
            StatementKind::Assign(place, value) => {
                self.place(place);
                self.put(" = ");
                self.expr(value, level::LOWEST);
            }
            StatementKind::Reset(clock, value) => {
                self.put("reset ");
                self.clock_ref(clock);
                self.put(" = ");
                self.expr(value, level::LOWEST);
            }
            StatementKind::Call(place, function, arguments) => {
                if let Some(place) = place {
                    self.place(place);
                    self.put(" = ");
                }
                self.put("call ");
                self.function_reference(*function);
                self.list(arguments, |printer, argument| printer.expr(argument, level::LOWEST));
            }
            StatementKind::Return(value) => {
                self.put("return");
                if let Some(value) = value {
                    self.put(" ");
                    self.expr(value, level::LOWEST);
                }
            }
            StatementKind::Assert(condition) => {
                self.put("assert ");
                self.expr(condition, level::LOWEST);
            }
            StatementKind::Send(send) => {
                self.send(send);
                return self.end_action(send.span, statement.span);
            }
            StatementKind::Receive(receive) => {
                self.receive(receive);
                return self.end_action(receive.span, statement.span);
            }
            StatementKind::Await(condition) => {
                self.put("await ");
                self.expr(condition, level::LOWEST);
            }
            StatementKind::Fail(failure) => {
                self.put("fail ");
                let failure = self.network.failures.try_at(*failure);
                self.name(failure.map_or("?", |failure| &failure.name));
            }
            StatementKind::NoRoom => self.put("no room"),
            StatementKind::Enter(process, location) => {
                self.put("enter ");
                self.process_at_location(*process, *location);
            }
        }
        self.span(statement.span);
        self.put(";\n");
    }

    /// The end of a statement around an action, whose span is mostly that of the action.
    fn end_action(&mut self, inner: Span, outer: Span) {
        if inner != outer {
            self.put(" of");
            self.span(outer);
        }
        self.put(";\n");
    }

    fn head(&mut self, word: &str, condition: &Expr, statement: &Statement) {
        self.put(word);
        self.put(" (");
        self.expr(condition, level::LOWEST);
        self.put(")");
        self.span(statement.span);
        self.open();
    }

    fn branch(
        &mut self,
        statement: &Statement,
        condition: &Expr,
        then: &[Statement],
        otherwise: &[Statement],
    ) {
        self.head("if", condition, statement);
        self.statements(then);
        self.close();
        match otherwise {
            [] => {}
            [next] if matches!(next.kind, StatementKind::If(..)) => {
                self.put(" else ");
                if let StatementKind::If(condition, then, otherwise) = &next.kind {
                    self.branch(next, condition, then, otherwise);
                }
            }
            _ => {
                self.put(" else");
                self.open();
                self.statements(otherwise);
                self.close();
            }
        }
    }
}

fn level_of(expr: &Expr) -> u8 {
    match expr {
        Expr::Conditional(..) | Expr::Quantified(..) => level::LOWEST,
        Expr::Clock(constraint) if constraint.when.is_some() => level::IMPLY,
        Expr::Clock(_) | Expr::At(..) => level::COMPARE,
        Expr::Binary(op, ..) => {
            OPERATORS.iter().find(|entry| entry.0 == *op).map_or(level::ATOM, |entry| entry.2)
        }
        Expr::Unary(UnaryOp::Abs, _) => level::ATOM,
        Expr::Unary(..) => level::UNARY,
        Expr::Const(_) | Expr::Read(_) | Expr::Call(..) => level::ATOM,
        Expr::Deadlock | Expr::Timeout | Expr::Probe(..) | Expr::Poll(_) => level::ATOM,
    }
}

fn probe_word(probe: Probe) -> &'static str {
    match probe {
        Probe::Length => "len",
        Probe::Full => "full",
        Probe::Empty => "empty",
    }
}

fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::ForAll => "forall",
        Quantifier::Exists => "exists",
        Quantifier::Sum => "sum",
    }
}

fn relation_symbol(relation: Relation) -> &'static str {
    RELATIONS.iter().find(|entry| entry.0 == relation).map_or("==", |entry| entry.1)
}
