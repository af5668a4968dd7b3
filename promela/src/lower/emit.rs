//! Resolved expressions and statements in the form of the network, for one process.

use super::holdings::Shape;
use super::plan::{Place, Plan, Slot, shape};
use super::recording::Prints;
use super::resolved::{Base, Basic, Run, Start, Target, Value};
use super::runs::Work;
use super::slots::MOST_PROCESSES;
use crate::ast;
use network::{
    Arena, BinaryOp, ChannelRef, Expr, Id, Local, LocalId, Pattern, Probe, Receive, Statement,
    StatementKind, UnaryOp, VariableId,
};

/// Writes expressions of one process, or of none.
#[derive(Clone, Copy)]
pub(super) struct Emit<'a> {
    pub plan: &'a Plan<'a>,
    pub slot: Option<&'a Slot>,
    /// What `timeout` is, where it is not part of a guard.
    pub timeout: Option<bool>,
    /// What is printed, where a record of it is kept.
    pub prints: Option<&'a Prints>,
}

impl<'a> Emit<'a> {
    pub fn new(plan: &'a Plan<'a>, slot: Option<&'a Slot>) -> Self {
        Emit { plan, slot, timeout: None, prints: None }
    }

    /// For what is not a guard: it is never looked at while all processes wait.
    pub fn settled(self) -> Self {
        Emit { timeout: Some(self.timeout.unwrap_or(false)), ..self }
    }
}

/// Whether a channel has a buffer, as far as the text tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Buffer {
    Yes,
    No,
    Unknown,
}

pub(super) fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value == 0)),
        Expr::Unary(UnaryOp::Not, inner) if is_truth(&inner) => *inner,
        other => Expr::unary(UnaryOp::Not, other),
    }
}

/// Whether an expression is always 0 or 1.
fn is_truth(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(UnaryOp::Not, _) | Expr::At(..) | Expr::Poll(_) => true,
        Expr::Probe(probe, _) => *probe != Probe::Length,
        Expr::Binary(op, ..) => matches!(
            op,
            BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::And
                | BinaryOp::Or
        ),
        _ => false,
    }
}

pub(super) fn or(left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (Expr::Const(0), _) => right,
        (_, Expr::Const(0)) => left,
        _ if left.is_true() || right.is_true() => Expr::TRUE,
        _ => Expr::binary(BinaryOp::Or, left, right),
    }
}

/// Whether one of them holds, in a tree of least height.
pub(super) fn any(mut list: Vec<Expr>) -> Expr {
    if list.len() > 2 {
        let rest = list.split_off(list.len() / 2);
        return or(any(list), any(rest));
    }
    list.into_iter().fold(Expr::Const(0), or)
}

impl<'a> Emit<'a> {
    // ---- expressions ----

    pub fn value(&self, value: &Value) -> Expr {
        match value {
            Value::Const(value) => Expr::Const(*value),
            Value::Read(target) => self.read(target),
            Value::Unary(op, operand) => Expr::unary(*op, self.value(operand)),
            Value::Binary(op, left, right) => {
                Expr::binary(*op, self.value(left), self.value(right))
            }
            Value::Conditional(condition, yes, no) => Expr::Conditional(
                Box::new(self.value(condition)),
                Box::new(self.value(yes)),
                Box::new(self.value(no)),
            ),
            Value::Probe(probe, channel) => Expr::Probe(*probe, Box::new(self.channel(channel))),
            Value::Poll(it) => or(self.poll_error(it), self.poll(it)),
            Value::Timeout => self.timeout.map_or(Expr::Timeout, |it| Expr::Const(it.into())),
            Value::Pid => self.slot.map_or(Expr::Const(0), |slot| self.pid(slot)),
            Value::ProcessCount => self.process_count(),
            Value::Last => self.plan.last.map_or(Expr::Const(0), Expr::variable),
            Value::NonProgress => self.non_progress(),
            Value::Enabled(process) => self.enabled(self.value(process)),
            Value::StateOf(process) => self.pc_value(self.value(process)),
            Value::Priority => self.own_priority(),
            Value::PriorityOf(process) => self.get_priority(process),
            Value::At(remote) => self.at(remote),
            Value::RemoteRead(remote, target) => self.remote_read(remote, target),
            // Only `runs.rs` comes to these.
            Value::Run(_) => Expr::Const(0),
        }
    }

    fn indices(&self, target: &Target) -> Vec<Expr> {
        target.indices.iter().map(|it| self.value(it)).collect()
    }

    pub fn place_of(&self, base: Base) -> Place {
        match (base, self.slot) {
            (Base::Global(index), _) => self.plan.global_places[index],
            (Base::Local(index), Some(slot)) => slot.places.get(index).copied().unwrap_or_default(),
            (Base::Local(_), None) => Place::default(),
        }
    }

    fn read(&self, target: &Target) -> Expr {
        let place = self.place_of(target.base);
        match (place.variable, place.channel) {
            (Some(variable), _) => Expr::Read(self.indexed(variable, target)),
            (None, Some(channel)) => Expr::Const(self.plan.numbers[channel.index()]),
            (None, None) => Expr::Const(0),
        }
    }

    pub fn indexed(&self, variable: VariableId, target: &Target) -> network::Place {
        network::Place { base: network::Base::Variable(variable), indices: self.indices(target) }
    }

    pub fn variable(&self, base: Base) -> Option<VariableId> {
        self.place_of(base).variable
    }

    pub fn target(&self, target: &Target) -> Option<network::Place> {
        self.place_of(target.base).variable.map(|it| self.indexed(it, target))
    }

    pub fn channel(&self, target: &Target) -> ChannelRef {
        match self.place_of(target.base) {
            Place { channel: Some(channel), direct: true, .. } => {
                ChannelRef::Element(channel, self.indices(target))
            }
            _ => ChannelRef::Value(self.read(target)),
        }
    }

    /// Whether the channel has a buffer.
    pub fn buffer(&self, target: &Target) -> Buffer {
        let shapes = self.shapes(target);
        match (shapes.iter().any(|it| it.has_buffer), shapes.iter().any(|it| !it.has_buffer)) {
            (true, false) => Buffer::Yes,
            (false, true) => Buffer::No,
            _ => Buffer::Unknown,
        }
    }

    /// The shapes that a channel may have.
    pub fn shapes(&self, target: &Target) -> Vec<Shape> {
        let all = &self.plan.shapes;
        if let ChannelRef::Element(channel, _) = self.channel(target) {
            return shape(&self.plan.network.channels[channel]).into_iter().collect();
        }
        let proctype = self.slot.map(|it| it.proctype);
        match self.plan.holdings.of(proctype, target.base) {
            Some(known) => known.intersection(all).copied().collect(),
            None => all.iter().copied().collect(),
        }
    }

    // ---- processes ----

    pub fn pid(&self, slot: &Slot) -> Expr {
        match (slot.pid, slot.started) {
            (Some(variable), _) => Expr::variable(variable),
            (None, number) => Expr::Const(number.unwrap_or(0) as i32),
        }
    }

    pub fn process_count(&self) -> Expr {
        if let Some(variable) = self.plan.process_count {
            return Expr::variable(variable);
        }
        let all = Expr::Const(self.plan.slots.len() as i32);
        let minus = |sum, slot| Expr::binary(BinaryOp::Sub, sum, self.plan.is_absent(slot));
        self.plan.slots.iter().fold(all, minus)
    }

    // ---- statements ----

    pub fn statement(&self, kind: StatementKind, span: ast::Span) -> Statement {
        Statement { kind, span: self.plan.span(span) }
    }

    /// What a basic statement changes, where it cannot be an action of an edge.
    pub fn effect(
        self,
        basic: &Basic,
        span: ast::Span,
        locals: &mut Arena<LocalId, Local>,
    ) -> Vec<Statement> {
        let mut work = Work { code: vec![], locals, span };
        self.settled().add_effect(basic, &mut work);
        work.code
    }

    fn add_effect(&self, basic: &Basic, work: &mut Work) {
        let span = work.span;
        let kind = match basic {
            Basic::Guard(value) => match self.value(value) {
                it if it.is_true() => return,
                it => StatementKind::Await(it),
            },
            Basic::Assign(target, value) => match self.target(target) {
                Some(place) => return self.assign(place, value, work),
                None => return,
            },
            Basic::Assert(value) => StatementKind::Assert(self.value_after_runs(value, work)),
            Basic::Evaluate(value) => return self.evaluate(value, work),
            Basic::Print(format, values) => {
                values.iter().for_each(|it| self.evaluate(it, work));
                return self.record(format, values, work);
            }
            Basic::Send(send) => self.send_statement(send, span),
            Basic::Receive(receive) => self.receive_statement(receive, span),
            Basic::Run(run) => return self.start_process(run, None, work),
            Basic::SetPriority(process, priority) => {
                return self.set_priority(process, priority, work);
            }
            Basic::Event(_) | Basic::Nothing => return,
        };
        work.code.push(self.statement(kind, span));
    }

    /// Starts a process in the first slot that is free; its number goes to `result`.
    pub fn run(
        &self,
        run: &Run,
        arguments: &[Expr],
        result: Option<&network::Place>,
    ) -> Vec<Statement> {
        let span = run.span;
        let no_room = || vec![self.statement(StatementKind::NoRoom, span)];
        let mut otherwise = no_room();
        let slots: Vec<_> = self.plan.slots_of(run.proctype).collect();
        for slot in slots.into_iter().rev().filter(|it| it.pid.is_some()) {
            let start = self.start(slot, run, arguments, result);
            let free = self.plan.is_absent(slot);
            let kind = StatementKind::If(free, start, otherwise);
            otherwise = vec![self.statement(kind, span)];
        }
        if self.plan.slots.len() <= MOST_PROCESSES as usize {
            return otherwise;
        }
        let most = Expr::Const(MOST_PROCESSES as i32);
        let too_many = Expr::binary(BinaryOp::Ge, self.process_count(), most);
        let kind = StatementKind::If(too_many, no_room(), otherwise);
        vec![self.statement(kind, span)]
    }

    fn start(
        &self,
        slot: &'a Slot,
        run: &Run,
        arguments: &[Expr],
        result: Option<&network::Place>,
    ) -> Vec<Statement> {
        let span = run.span;
        let proctype = &self.plan.proctypes[run.proctype];
        let mut list = vec![];
        let mut assign = |variable: Option<VariableId>, value: Expr| {
            if let Some(variable) = variable {
                let place = network::Place::variable(variable);
                list.push(self.statement(StatementKind::Assign(place, value), span));
            }
        };
        for (&parameter, argument) in proctype.parameters.iter().zip(arguments) {
            assign(slot.places[parameter].variable, argument.clone());
        }
        assign(slot.pid, self.process_count());
        assign(self.plan.priority_variable(slot), Expr::Const(run.priority));
        let one_more = Expr::binary(BinaryOp::Add, self.process_count(), Expr::Const(1));
        assign(self.plan.process_count, one_more);
        list.extend(Emit { slot: Some(slot), ..*self }.initialise(proctype, span));
        let number = self.pid(slot);
        let assign = |it: &network::Place| StatementKind::Assign(it.clone(), number);
        list.extend(result.map(|it| self.statement(assign(it), span)));
        let start = self.plan.automata[run.proctype].start;
        if let Some(location) = self.plan.location(run.proctype, start) {
            let enter = StatementKind::Enter(slot.process, location);
            list.push(self.statement(enter, span));
        }
        list
    }

    /// Gives the locals of a process that starts their initial values.
    fn initialise(&self, proctype: &super::resolver::Proctype, span: ast::Span) -> Vec<Statement> {
        let mut list = vec![];
        let Some(slot) = self.slot else { return list };
        for (index, leaf) in proctype.locals.iter().enumerate() {
            let place = slot.places[index];
            let Some(variable) = place.variable.filter(|_| !place.direct) else { continue };
            let count: usize = leaf.sizes.iter().map(|&it| it as usize).product();
            for element in 0..count {
                let value = match (&leaf.start, place.channel) {
                    (_, Some(channel)) => {
                        Expr::Const(self.plan.numbers[channel.index()] + element as i32)
                    }
                    (Start::Value(value), _) => self.value(value),
                    // The last value goes on to the end.
                    (Start::List(values), _) => match values.get(element).or(values.last()) {
                        Some(value) => self.value(value),
                        None => continue,
                    },
                    _ => continue,
                };
                let place = element_place(variable, &leaf.sizes, element);
                list.push(self.statement(StatementKind::Assign(place, value), span));
            }
        }
        list
    }

    /// Takes a process away: nothing of it stays in the state.
    pub fn finish(&self, slot: &Slot, span: ast::Span) -> Vec<Statement> {
        let mut list = vec![];
        let zero = |place| self.statement(StatementKind::Assign(place, Expr::Const(0)), span);
        let locals = &self.plan.proctypes[slot.proctype].locals;
        for (leaf, place) in locals.iter().zip(&slot.places) {
            let count: usize = leaf.sizes.iter().map(|&it| it as usize).product();
            if let Some(variable) = place.variable.filter(|_| !place.direct) {
                list.extend((0..count).map(|it| zero(element_place(variable, &leaf.sizes, it))));
            }
            if let (Some(channel), Start::Channel(shape)) = (place.channel, &leaf.start)
                && shape.capacity > 0
            {
                for element in 0..count {
                    let indices = element_indices(&leaf.sizes, element);
                    let channel = ChannelRef::Element(channel, indices);
                    list.push(self.clear(channel, shape.fields.len(), span));
                }
            }
        }
        list.extend(slot.pid.map(|it| zero(network::Place::variable(it))));
        if let Some(count) = self.plan.process_count {
            let less = Expr::binary(BinaryOp::Sub, Expr::variable(count), Expr::Const(1));
            let place = network::Place::variable(count);
            list.push(self.statement(StatementKind::Assign(place, less), span));
        }
        list
    }

    /// Empties a channel.
    fn clear(&self, channel: ChannelRef, fields: usize, span: ast::Span) -> Statement {
        let waiting = not(Expr::Probe(Probe::Empty, Box::new(channel.clone())));
        let receive = Receive {
            channel,
            message: vec![Pattern::Any; fields],
            anywhere: false,
            keep: false,
            span: self.plan.span(span),
        };
        let take = self.statement(StatementKind::Receive(receive), span);
        self.statement(StatementKind::While(waiting, vec![take]), span)
    }
}

fn element_indices(sizes: &[u32], element: usize) -> Vec<Expr> {
    let mut rest = element;
    let mut indices = vec![];
    for &size in sizes.iter().rev() {
        indices.push(Expr::Const((rest % size as usize) as i32));
        rest /= size as usize;
    }
    indices.reverse();
    indices
}

fn element_place(variable: VariableId, sizes: &[u32], element: usize) -> network::Place {
    network::Place {
        base: network::Base::Variable(variable),
        indices: element_indices(sizes, element),
    }
}
