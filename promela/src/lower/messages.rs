//! Messages in the form of the network. One that does not have as many fields as its channel is an
//! error when it is sent or received, as in Spin's verifiers, so every number of fields that the
//! channel may have is an edge of its own.

use super::emit::{Buffer, Emit, any};
use super::failures::Failure;
use super::resolved::{Field, Incoming, Outgoing, Target};
use crate::ast;
use network::{Action, BinaryOp, Expr, Pattern, Poll, Probe, Receive, Send, StatementKind};

/// An action, and whether it is a mistake of the model.
pub(super) struct Exchange {
    pub action: Action,
    pub is_wrong: bool,
}

impl Emit<'_> {
    /// How many fields the messages of a channel may have.
    fn widths(&self, channel: &Target) -> Vec<usize> {
        let mut widths: Vec<_> = self.shapes(channel).iter().map(|it| it.width).collect();
        widths.dedup();
        widths
    }

    /// The width of a message that is not an edge of its own: as written if that is possible.
    fn width(&self, channel: &Target, written: usize) -> Option<usize> {
        let widths = self.widths(channel);
        let wider = widths.iter().copied().filter(|&it| it >= written).min();
        wider.or(widths.last().copied())
    }

    /// Without any channel in the model: a condition whose evaluation is the error.
    pub fn no_channel(&self, channel: &Target) -> Expr {
        let length = Expr::Probe(Probe::Length, Box::new(self.channel(channel)));
        Expr::binary(BinaryOp::Gt, length, Expr::Const(0))
    }

    // ---- sending ----

    /// The ways to send, one for each number of fields.
    pub fn sends(&self, it: &Outgoing, span: ast::Span) -> Vec<Exchange> {
        let exchange = |width| Exchange {
            action: Action::Send(self.send(it, width, span)),
            is_wrong: width != it.fields.len(),
        };
        self.widths(&it.channel).into_iter().map(exchange).collect()
    }

    fn send(&self, it: &Outgoing, width: usize, span: ast::Span) -> Send {
        let mut message: Vec<_> = it.fields.iter().map(|it| self.value(it)).collect();
        message.resize(width, Expr::Const(0));
        let channel = self.channel(&it.channel);
        Send { channel, message, sorted: it.sorted, span: self.plan.span(span) }
    }

    /// A send in the middle of a step.
    pub fn send_statement(&self, it: &Outgoing, span: ast::Span) -> StatementKind {
        match self.width(&it.channel, it.fields.len()) {
            Some(width) if width == it.fields.len() => {
                StatementKind::Send(self.send(it, width, span))
            }
            _ => Failure::WrongFields.statement(),
        }
    }

    // ---- receiving ----

    /// The ways to receive, one for each number of fields. A message that stays in its channel
    /// may be looked at in part.
    pub fn receives(&self, it: &Incoming, span: ast::Span) -> Vec<Exchange> {
        let exchange = |width| Exchange {
            action: Action::Receive(self.receive(it, width, span)),
            is_wrong: self.is_wrong(it, width),
        };
        self.widths(&it.channel).into_iter().map(exchange).collect()
    }

    fn is_wrong(&self, it: &Incoming, width: usize) -> bool {
        let written = it.fields.len();
        written > width || written < width && !it.keep
    }

    fn receive(&self, it: &Incoming, width: usize, span: ast::Span) -> Receive {
        let pattern = |field: &Field| match field {
            Field::Store(target) => self.target(target).map_or(Pattern::Any, Pattern::Store),
            _ => self.test(field),
        };
        let mut message: Vec<_> = it.fields.iter().map(pattern).collect();
        message.resize(width, Pattern::Any);
        Receive {
            channel: self.channel(&it.channel),
            message,
            anywhere: it.anywhere,
            keep: it.keep,
            span: self.plan.span(span),
        }
    }

    /// A receive in the middle of a step.
    pub fn receive_statement(&self, it: &Incoming, span: ast::Span) -> StatementKind {
        match self.width(&it.channel, it.fields.len()) {
            Some(width) if !self.is_wrong(it, width) => {
                StatementKind::Receive(self.receive(it, width, span))
            }
            _ => Failure::WrongFields.statement(),
        }
    }

    // ---- polling ----

    /// A channel without a buffer is full and empty at once.
    pub fn has_no_buffer(&self, channel: &Target) -> Expr {
        if self.buffer(channel) == Buffer::No {
            return Expr::TRUE;
        }
        let probe = |probe| Expr::Probe(probe, Box::new(self.channel(channel)));
        probe(Probe::Full).and(probe(Probe::Empty))
    }

    /// The error that a channel without a buffer is asked for a message that is to stay in it: a
    /// condition that never holds.
    pub fn poll_error(&self, it: &Incoming) -> Expr {
        match (self.buffer(&it.channel), self.polled(it.span)) {
            (Buffer::No | Buffer::Unknown, Some(error)) => {
                self.has_no_buffer(&it.channel).and(error)
            }
            _ => Expr::Const(0),
        }
    }

    fn test(&self, field: &Field) -> Pattern {
        match field {
            Field::Equal(value) => Pattern::Equal(self.value(value)),
            Field::Store(_) | Field::Any => Pattern::Any,
        }
    }

    /// Whether a message could be received, whatever its number of fields.
    pub fn poll(&self, it: &Incoming) -> Expr {
        let widths = self.widths(&it.channel);
        if widths.is_empty() {
            return self.no_channel(&it.channel);
        }
        let poll = |width| {
            let mut message: Vec<_> = it.fields.iter().map(|it| self.test(it)).collect();
            message.resize(width, Pattern::Any);
            let channel = self.channel(&it.channel);
            Expr::Poll(Box::new(Poll { channel, message, anywhere: it.anywhere }))
        };
        any(widths.into_iter().map(poll).collect())
    }
}
