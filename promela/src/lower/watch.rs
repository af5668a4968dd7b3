//! Tells the trace of a model about every message: whatever sends or receives where the trace looks
//! moves its automaton along, or fails.
//!
//! The automaton moves before everything else in an update. Where that is too late, because what
//! the trace looks at is gone by then, the message is passed in the update instead of beside it.
//! Spin's verifiers show the trace a rendezvous as soon as it is offered, so what the trace does not
//! allow then is an edge of its own.

use super::edges::Made;
use super::emit::not;
use super::failures::Failure;
use super::others::{equal, scalar};
use super::plan::Plan;
use super::trace::{AMBIGUOUS, Rule, WRONG, Watch};
use crate::ast;
use network::{
    Action, Arena, BinaryOp, ChannelRef, Edge, Expr, Local, LocalId, Pattern, Place, Poll, Probe,
    Receive, Send, Span, Statement, StatementKind, cancellation,
};

/// What cannot be lowered, and where.
type Refused = (String, ast::Span);

/// Makes all processes tell the trace what they send and receive.
pub(super) fn watch(plan: &Plan, processes: &mut [Made]) -> Vec<Refused> {
    let mut refused = vec![];
    let Some(watch) = &plan.trace else { return refused };
    for (slot, made) in plan.slots.iter().zip(processes) {
        let flow = &plan.proctypes[slot.proctype].flow;
        let mut offers = vec![];
        for (edge, origin) in made.process.edges.iter_mut().zip(&made.origins) {
            cancellation::check();
            let mut work = Watcher { plan, watch, refused: None };
            let offer = work.edge(edge);
            if let Some(what) = work.refused {
                refused.push((what.to_string(), flow.elements[origin.element].span));
            }
            offers.extend(offer.map(|edge| (edge, *origin)));
        }
        for (edge, origin) in offers {
            made.process.edges.push(edge);
            made.origins.push(origin);
        }
    }
    refused.dedup();
    refused
}

/// A message that the trace may look at.
struct Message<'a> {
    channel: &'a ChannelRef,
    sends: bool,
    /// Its fields, those that the trace can see.
    fields: &'a [Option<Expr>],
    span: Span,
}

struct Watcher<'a, 'b> {
    plan: &'a Plan<'b>,
    watch: &'a Watch,
    refused: Option<&'static str>,
}

impl<'a> Watcher<'a, '_> {
    /// Changes an edge; returns another one if a rendezvous is offered that is an error.
    fn edge(&mut self, edge: &mut Edge) -> Option<Edge> {
        let mut locals = std::mem::take(&mut edge.locals);
        let update = std::mem::take(&mut edge.update);
        edge.update = self.statements(update, &mut locals);
        let offer = match edge.action.clone() {
            Action::Send(send) => self.sender(edge, send, &mut locals),
            Action::Receive(receive) => {
                self.receiver(edge, receive, &mut locals);
                None
            }
            Action::Internal => None,
        };
        edge.locals = locals.clone();
        offer.map(|it| Edge { locals, ..it })
    }

    fn sender(
        &mut self,
        edge: &mut Edge,
        send: Send,
        locals: &mut Arena<LocalId, Local>,
    ) -> Option<Edge> {
        let rules = self.rules(&send.channel, true, send.message.len());
        if rules.is_empty() {
            return None;
        }
        if send.sorted && rules.iter().any(|(rule, _)| rule.has_buffer) {
            self.refused = Some("`!!` to a channel whose messages a trace checks");
            return None;
        }
        let fields: Vec<_> = send.message.iter().cloned().map(Some).collect();
        let message =
            Message { channel: &send.channel, sends: true, fields: &fields, span: send.span };
        let mut update = self.tell(&message, locals);
        let offer = self.offer(edge, &message, &rules, &update);
        if self.looks_at_buffers(&fields, &rules) && self.is_buffered(&send.channel, &rules) {
            let full = Expr::Probe(Probe::Full, Box::new(send.channel.clone()));
            edge.guard.data = edge.guard.data.clone().and(not(full));
            edge.action = Action::Internal;
            let span = send.span;
            update.push(Statement { kind: StatementKind::Send(send), span });
        }
        update.append(&mut edge.update);
        edge.update = update;
        offer
    }

    fn receiver(&mut self, edge: &mut Edge, receive: Receive, locals: &mut Arena<LocalId, Local>) {
        let rules = self.rules(&receive.channel, false, receive.message.len());
        if receive.keep || rules.is_empty() {
            return;
        }
        let fields = equal_fields(&receive);
        let look = receive.anywhere || self.looks_at_buffers(&fields, &rules);
        if look && rules.iter().any(|(rule, _)| rule.has_buffer) {
            if !self.is_buffered(&receive.channel, &rules) {
                return;
            }
            let message = receive.message.iter().map(tested).collect();
            let (channel, anywhere) = (receive.channel.clone(), receive.anywhere);
            let poll = Expr::Poll(Box::new(Poll { channel, message, anywhere }));
            edge.guard.data = edge.guard.data.clone().and(poll);
            edge.action = Action::Internal;
            let mut update = self.receive_statement(receive, locals);
            update.append(&mut edge.update);
            edge.update = update;
            return;
        }
        let (taken, mut update) = self.take(receive, locals);
        edge.action = Action::Receive(taken);
        update.append(&mut edge.update);
        edge.update = update;
    }

    /// A rendezvous that is offered and must not be: that alone is an error.
    fn offer(
        &self,
        edge: &Edge,
        message: &Message,
        rules: &[(&Rule, Expr)],
        update: &[Statement],
    ) -> Option<Edge> {
        let mut wrong = vec![];
        for (rule, is_meant) in rules.iter().filter(|(rule, _)| !rule.has_buffer) {
            let next = self.next(rule, message.fields)?;
            let fails = Expr::binary(BinaryOp::Lt, next, Expr::Const(0));
            wrong.push(is_meant.clone().and(fails));
        }
        if wrong.is_empty() {
            return None;
        }
        let mut offer = edge.clone();
        offer.guard.data = edge.guard.data.clone().and(super::emit::any(wrong));
        offer.action = Action::Internal;
        offer.update = update.to_vec();
        Some(offer)
    }

    // ---- statements ----

    fn statements(
        &mut self,
        list: Vec<Statement>,
        locals: &mut Arena<LocalId, Local>,
    ) -> Vec<Statement> {
        let mut code = vec![];
        for Statement { kind, span } in list {
            let kind = match kind {
                StatementKind::Send(send) => {
                    code.extend(self.before_send(&send, locals));
                    StatementKind::Send(send)
                }
                StatementKind::Receive(receive) => {
                    code.extend(self.receive_statement(receive, locals));
                    continue;
                }
                StatementKind::If(condition, then, otherwise) => {
                    let then = self.statements(then, locals);
                    StatementKind::If(condition, then, self.statements(otherwise, locals))
                }
                StatementKind::While(condition, body) => {
                    StatementKind::While(condition, self.statements(body, locals))
                }
                other => other,
            };
            code.push(Statement { kind, span });
        }
        code
    }

    fn before_send(&mut self, send: &Send, locals: &mut Arena<LocalId, Local>) -> Vec<Statement> {
        if self.rules(&send.channel, true, send.message.len()).is_empty() {
            return vec![];
        }
        if send.sorted {
            self.refused = Some("`!!` to a channel whose messages a trace checks");
        }
        let fields: Vec<_> = send.message.iter().cloned().map(Some).collect();
        let message =
            Message { channel: &send.channel, sends: true, fields: &fields, span: send.span };
        self.tell(&message, locals)
    }

    /// A receive in the middle of an update. With `??` the trace sees the first message of the
    /// channel, whichever is received, as in Spin's verifiers.
    fn receive_statement(
        &mut self,
        receive: Receive,
        locals: &mut Arena<LocalId, Local>,
    ) -> Vec<Statement> {
        let span = receive.span;
        let done = |receive| Statement { kind: StatementKind::Receive(receive), span };
        let rules = self.rules(&receive.channel, false, receive.message.len());
        if receive.keep || rules.is_empty() {
            return vec![done(receive)];
        }
        let stored: Vec<_> = receive.message.iter().map(|_| locals.push(scalar("seen"))).collect();
        let store = |&it: &LocalId| Pattern::Store(Place::local(it));
        let message = stored.iter().map(store).collect();
        let first = Receive { message, anywhere: false, keep: true, ..receive.clone() };
        let fields: Vec<_> = stored.into_iter().map(|it| Some(Expr::local(it))).collect();
        let message = Message { channel: &receive.channel, sends: false, fields: &fields, span };
        let mut code = vec![done(first)];
        code.extend(self.tell(&message, locals));
        code.push(done(receive));
        code
    }

    // ---- messages ----

    /// Puts every field in a local, so that the trace can see it before it is stored.
    fn take(
        &self,
        receive: Receive,
        locals: &mut Arena<LocalId, Local>,
    ) -> (Receive, Vec<Statement>) {
        let (mut fields, mut message, mut stores) = (vec![], vec![], vec![]);
        for pattern in &receive.message {
            if let Pattern::Equal(value) = pattern {
                fields.push(Some(value.clone()));
                message.push(pattern.clone());
                continue;
            }
            let local = locals.push(scalar("field"));
            fields.push(Some(Expr::local(local)));
            message.push(Pattern::Store(Place::local(local)));
            if let Pattern::Store(place) = pattern {
                let kind = StatementKind::Assign(place.clone(), Expr::local(local));
                stores.push(Statement { kind, span: receive.span });
            }
        }
        let seen = Message {
            channel: &receive.channel,
            sends: false,
            fields: &fields,
            span: receive.span,
        };
        let mut update = self.tell(&seen, locals);
        update.append(&mut stores);
        (Receive { message, ..receive }, update)
    }

    /// The rules about a message, each with the condition that it goes through that channel.
    fn rules(&self, channel: &ChannelRef, sends: bool, width: usize) -> Vec<(&'a Rule, Expr)> {
        let about = self.watch.rules.iter().filter(|it| it.sends == sends);
        let fits = about.filter(|it| it.types.len() == width);
        let meant = |rule| self.is_meant(rule, channel).map(|condition| (rule, condition));
        fits.filter_map(meant).collect()
    }

    /// When a channel is that of a rule; none if it never is.
    fn is_meant(&self, rule: &Rule, channel: &ChannelRef) -> Option<Expr> {
        let number = match channel {
            ChannelRef::Element(id, _) if *id != rule.channel => return None,
            ChannelRef::Element(id, indices) => self.plan.number_of(*id, indices),
            ChannelRef::Value(value) => value.clone(),
        };
        match equal(number, Expr::Const(rule.number)) {
            Expr::Const(0) => None,
            condition => Some(condition),
        }
    }

    /// Moves the automaton by a message, or fails.
    fn tell(&self, message: &Message, locals: &mut Arena<LocalId, Local>) -> Vec<Statement> {
        let mut code = vec![];
        let at = |kind| Statement { kind, span: message.span };
        let rules = self.rules(message.channel, message.sends, message.fields.len());
        for (rule, is_meant) in rules {
            let Some(next) = self.next(rule, message.fields) else { continue };
            let local = locals.push(scalar("next"));
            let is = |code| equal(Expr::local(local), Expr::Const(code));
            let fail = |failure: Failure| vec![at(failure.statement())];
            let go = StatementKind::Assign(Place::variable(self.watch.state), Expr::local(local));
            let ambiguous =
                StatementKind::If(is(AMBIGUOUS), fail(Failure::AmbiguousMessage), vec![at(go)]);
            let wrong = StatementKind::If(is(WRONG), fail(self.watch.failure), vec![at(ambiguous)]);
            let step = vec![at(StatementKind::Assign(Place::local(local), next)), at(wrong)];
            match is_meant.is_true() {
                true => code.extend(step),
                false => code.push(at(StatementKind::If(is_meant, step, vec![]))),
            }
        }
        code
    }

    fn next(&self, rule: &Rule, fields: &[Option<Expr>]) -> Option<Expr> {
        let arguments = rule.compared.iter().map(|&it| fields.get(it).cloned().flatten());
        Some(Expr::Call(rule.function, arguments.collect::<Option<Vec<_>>>()?))
    }

    // ---- what must be looked at in time ----

    /// Whether what the trace compares depends on what channels hold.
    fn looks_at_buffers(&self, fields: &[Option<Expr>], rules: &[(&Rule, Expr)]) -> bool {
        let mut found = false;
        for field in rules.iter().flat_map(|(rule, _)| &rule.compared) {
            let Some(Some(field)) = fields.get(*field) else { continue };
            field.walk(&mut |it| {
                found |= matches!(it, Expr::Probe(..) | Expr::Poll(_) | Expr::Call(..));
            });
        }
        found
    }

    /// Whether the channel has a buffer; it is refused if only a run can tell.
    fn is_buffered(&mut self, channel: &ChannelRef, rules: &[(&Rule, Expr)]) -> bool {
        let has_buffer = rules.iter().any(|(rule, _)| rule.has_buffer);
        if has_buffer && matches!(channel, ChannelRef::Value(_)) && !self.all_have_buffers() {
            self.refused = Some(
                "`??`, or a message that depends on what channels hold, through a channel \
                 variable in a model with a trace",
            );
            return false;
        }
        has_buffer
    }

    fn all_have_buffers(&self) -> bool {
        self.plan.shapes.iter().all(|it| it.has_buffer)
    }
}

/// The fields of a received message that are known beforehand.
fn equal_fields(receive: &Receive) -> Vec<Option<Expr>> {
    let field = |it: &Pattern| match it {
        Pattern::Equal(value) => Some(value.clone()),
        Pattern::Store(_) | Pattern::Any => None,
    };
    receive.message.iter().map(field).collect()
}

fn tested(pattern: &Pattern) -> Pattern {
    match pattern {
        Pattern::Store(_) => Pattern::Any,
        other => other.clone(),
    }
}
