//! `trace` and `notrace`: what the automaton is, and the events it waits for.
//!
//! As in Spin, a field of a send is compared if it is a plain constant, one of a receive if it is a
//! constant or `eval`; whatever else is written there stands for any value, as `_` does.

use super::resolved::{Base, Field, Target, Value};
use super::resolver::Resolver;
use crate::ast::{self, Expr, ExprKind, Reference, Span, Trace};
use source::Diagnostic;

/// The trace of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracing {
    /// Its automaton, among those of the proctypes.
    pub proctype: usize,
    /// Whether it is a `notrace`.
    pub forbidden: bool,
}

/// A message that a trace waits for.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Whether it is sent, not received.
    pub sends: bool,
    pub channel: Target,
    /// What each field must be; none if that does not matter.
    pub fields: Vec<Option<Value>>,
}

impl Resolver<'_> {
    /// Builds the flow of a trace, as if it were a proctype that nobody starts.
    pub(super) fn trace(&mut self, it: &Trace) {
        if self.tracing.is_some() {
            self.error("a model has only one `trace` or `notrace`", it.span);
            return;
        }
        let name = if it.forbidden { "notrace" } else { "trace" };
        let proctype = self.add_proctype(name.to_string(), it.span);
        self.tracing = Some(Tracing { proctype, forbidden: it.forbidden });
        self.outside_flow(proctype, &it.body);
    }

    /// Whether the statements being looked at are those of the trace.
    pub(super) fn in_trace(&self) -> bool {
        self.tracing.is_some_and(|it| self.current == Some(it.proctype))
    }

    pub(super) fn sent_event(&mut self, send: &ast::Send, span: Span) -> Option<Event> {
        let (channel, arity) = self.traced_channel(&send.channel)?;
        let mut fields = vec![];
        for argument in &send.arguments {
            if is_wildcard(argument) {
                fields.push(None);
            } else if let Some(leaves) = self.struct_leaves(argument) {
                fields.extend(leaves.iter().map(|_| None));
            } else {
                fields.push(self.sent_constant(argument));
            }
        }
        self.check_arity(fields.len(), arity?, &send.channel, span);
        Some(Event { sends: true, channel, fields })
    }

    fn sent_constant(&mut self, argument: &Expr) -> Option<Value> {
        match self.value(argument) {
            value @ Value::Const(_) => Some(value),
            Value::Read(_) => None,
            _ => {
                let message = "a trace does not compare this field: it is not a plain constant";
                let hint = "write `_`, or a number or a symbolic name";
                self.diagnostics.push(Diagnostic::warning(message, argument.span).hint(hint));
                None
            }
        }
    }

    pub(super) fn received_event(&mut self, it: &ast::Receive, span: Span) -> Option<Event> {
        let (channel, arity) = self.traced_channel(&it.channel)?;
        let fields = self.patterns(&it.patterns, false);
        self.check_arity(fields.len(), arity?, &it.channel, span);
        let fields: Vec<_> = fields.into_iter().map(compared).collect();
        if fields.iter().flatten().any(reads_local) {
            self.error("a variable of a trace has no value", span);
        }
        Some(Event { sends: false, channel, fields })
    }

    /// The channel of an event, and how many fields its messages have.
    fn traced_channel(&mut self, reference: &Reference) -> Option<(Target, Option<usize>)> {
        let (target, arity) = self.channel_target(reference)?;
        let is_constant = |it: &Value| matches!(it, Value::Const(_));
        if matches!(target.base, Base::Local(_)) || arity.is_none() {
            self.unsupported("a trace about a channel that is not global", reference.span);
        } else if !target.indices.iter().all(is_constant) {
            self.unsupported("a trace about a channel with a variable index", reference.span);
        }
        Some((target, arity))
    }
}

fn compared(field: Field) -> Option<Value> {
    match field {
        Field::Equal(value) => Some(value),
        Field::Store(_) | Field::Any => None,
    }
}

fn is_wildcard(argument: &Expr) -> bool {
    let ExprKind::Reference(reference) = &argument.kind else { return false };
    reference.parts[0].name.text == "_"
}

fn reads_local(value: &Value) -> bool {
    let here = match value {
        Value::Read(target) | Value::Probe(_, target) => Some(target),
        Value::Poll(incoming) => Some(&incoming.channel),
        _ => None,
    };
    here.is_some_and(|it| matches!(it.base, Base::Local(_)))
        || value.children().into_iter().any(reads_local)
}
