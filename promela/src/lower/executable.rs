//! When a statement is possible, as an expression.

use super::dstep::Code;
use super::emit::{Buffer, Emit, not};
use super::flow::{El, ElementKind, Flow};
use super::plan::Slot;
use super::resolved::Basic;
use network::{BinaryOp, Expr, Probe};

/// Whether a statement is `else`, or a `d_step` that begins with one.
pub(super) fn is_else(flow: &Flow, element: El) -> bool {
    match flow.elements[element].kind {
        ElementKind::Else => true,
        ElementKind::DStep(seq) => {
            let first = flow.sequences[seq].first;
            first.is_some_and(|it| matches!(flow.elements[it].kind, ElementKind::Else))
        }
        _ => false,
    }
}

impl Emit<'_> {
    /// When a statement is possible in the eyes of an `else`, if an expression can say it.
    pub fn executable(&self, flow: &Flow, element: El) -> Option<Expr> {
        match &flow.elements[element].kind {
            ElementKind::Basic(Basic::Guard(value)) => Some(self.value(value)),
            ElementKind::Basic(Basic::Send(send)) => match self.buffer(&send.channel) {
                Buffer::Yes => {
                    let channel = Box::new(self.channel(&send.channel));
                    Some(not(Expr::Probe(Probe::Full, channel)))
                }
                Buffer::No | Buffer::Unknown => None,
            },
            ElementKind::Basic(Basic::Receive(it)) => match self.buffer(&it.channel) {
                Buffer::Yes => Some(self.poll(it)),
                Buffer::No => Some(Expr::Const(0)),
                Buffer::Unknown => None,
            },
            ElementKind::DStep(seq) => Some(Code::new(*self, flow).guard(*seq)),
            ElementKind::End => None,
            _ => Some(Expr::TRUE),
        }
    }

    /// Whether a process is the youngest one: only that can go.
    pub fn youngest(&self, slot: &Slot) -> Expr {
        match (self.plan.process_count, slot.started) {
            (Some(_), _) => {
                let last = Expr::binary(BinaryOp::Sub, self.process_count(), Expr::Const(1));
                Expr::binary(BinaryOp::Eq, self.pid(slot), last)
            }
            (None, number) => {
                let younger = number.and_then(|it| self.plan.slots.get(it as usize + 1));
                younger.map_or(Expr::TRUE, |it| self.plan.is_absent(it))
            }
        }
    }
}
