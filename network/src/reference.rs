//! Everything in a network that names a variable, a local, a clock or a channel, to be changed in place.

use crate::{
    Action, ChannelRef, Claim, ClockConstraint, ClockRef, Condition, Expr, Network, Pattern, Place,
    Process, Property, Receive, Send, Statement, StatementKind,
};

/// Something that is named, with its indices.
pub enum Reference<'r> {
    /// A variable or local.
    Place(&'r mut Place),
    /// A clock.
    Clock(&'r mut ClockRef),
    /// A channel.
    Channel(&'r mut ChannelRef),
}

type Visit<'v> = dyn FnMut(Reference) + 'v;

impl Network {
    /// Calls `visit` for everything that processes, functions and properties name; what stands in the indices
    /// of something comes before it. The variables that are priorities of processes have no indices, and are
    /// left out.
    pub fn visit_references(&mut self, visit: &mut Visit) {
        self.processes.iter_mut().for_each(|it| in_process(it, visit));
        self.functions.iter_mut().for_each(|it| in_statements(&mut it.body, visit));
        self.properties.iter_mut().for_each(|it| it.visit_references(visit));
    }
}

impl Property {
    /// Calls `visit` for everything that the property names, as [`Network::visit_references`] does.
    pub fn visit_references(&mut self, visit: &mut Visit) {
        if let Claim::Reachable(expr) | Claim::Always(expr) = &mut self.claim {
            in_expr(expr, visit);
        }
    }
}

fn in_process(process: &mut Process, visit: &mut Visit) {
    for location in process.locations.iter_mut() {
        in_condition(&mut location.invariant, visit);
        for rate in &mut location.rates {
            in_exprs(&mut rate.when, visit);
            in_clock(&mut rate.clock, visit);
            in_expr(&mut rate.rate, visit);
        }
    }
    for edge in process.edges.iter_mut() {
        in_condition(&mut edge.guard, visit);
        match &mut edge.action {
            Action::Internal => {}
            Action::Send(send) => in_send(send, visit),
            Action::Receive(receive) => in_receive(receive, visit),
        }
        in_statements(&mut edge.update, visit);
    }
}

fn in_condition(condition: &mut Condition, visit: &mut Visit) {
    in_expr(&mut condition.data, visit);
    condition.clocks.iter_mut().for_each(|it| in_constraint(it, visit));
}

fn in_constraint(constraint: &mut ClockConstraint, visit: &mut Visit) {
    in_exprs(&mut constraint.when, visit);
    in_clock(&mut constraint.left, visit);
    constraint.right.iter_mut().for_each(|it| in_clock(it, visit));
    in_expr(&mut constraint.bound, visit);
}

fn in_clock(clock: &mut ClockRef, visit: &mut Visit) {
    in_exprs(&mut clock.indices, visit);
    visit(Reference::Clock(clock));
}

fn in_place(place: &mut Place, visit: &mut Visit) {
    in_exprs(&mut place.indices, visit);
    visit(Reference::Place(place));
}

fn in_channel(channel: &mut ChannelRef, visit: &mut Visit) {
    in_exprs(channel.expressions_mut(), visit);
    visit(Reference::Channel(channel));
}

fn in_exprs<'e>(exprs: impl IntoIterator<Item = &'e mut Expr>, visit: &mut Visit) {
    exprs.into_iter().for_each(|it| in_expr(it, visit));
}

fn in_expr(expr: &mut Expr, visit: &mut Visit) {
    match expr {
        Expr::Read(place) => in_place(place, visit),
        Expr::Clock(constraint) => in_constraint(constraint, visit),
        Expr::Probe(_, channel) => in_channel(channel, visit),
        Expr::Poll(poll) => {
            in_channel(&mut poll.channel, visit);
            in_message(&mut poll.message, visit);
        }
        other => in_exprs(other.children_mut(), visit),
    }
}

fn in_send(send: &mut Send, visit: &mut Visit) {
    in_channel(&mut send.channel, visit);
    in_exprs(&mut send.message, visit);
}

fn in_receive(receive: &mut Receive, visit: &mut Visit) {
    in_channel(&mut receive.channel, visit);
    in_message(&mut receive.message, visit);
}

fn in_message(message: &mut [Pattern], visit: &mut Visit) {
    for field in message {
        match field {
            Pattern::Equal(expr) => in_expr(expr, visit),
            Pattern::Store(place) => in_place(place, visit),
            Pattern::Any => {}
        }
    }
}

fn in_statements(statements: &mut [Statement], visit: &mut Visit) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::Assign(place, value) => {
                in_place(place, visit);
                in_expr(value, visit);
            }
            StatementKind::Reset(clock, value) => {
                in_clock(clock, visit);
                in_expr(value, visit);
            }
            StatementKind::If(condition, then, otherwise) => {
                in_expr(condition, visit);
                in_statements(then, visit);
                in_statements(otherwise, visit);
            }
            StatementKind::While(condition, body) => {
                in_expr(condition, visit);
                in_statements(body, visit);
            }
            StatementKind::Call(place, _, arguments) => {
                place.iter_mut().for_each(|it| in_place(it, visit));
                in_exprs(arguments, visit);
            }
            StatementKind::Return(value) => in_exprs(value, visit),
            StatementKind::Assert(condition) | StatementKind::Await(condition) => {
                in_expr(condition, visit);
            }
            StatementKind::Send(send) => in_send(send, visit),
            StatementKind::Receive(receive) => in_receive(receive, visit),
            StatementKind::Fail(_) | StatementKind::NoRoom | StatementKind::Enter(..) => {}
        }
    }
}
