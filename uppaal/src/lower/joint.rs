//! Synchronisation without `!` or `?`: every process that uses the channel takes part.
//!
//! With two such processes that is a handshake, in which the first one of the system plays the
//! sender; with one it is an internal step; more are refused.

use super::Lowerer;
use crate::ast;
use network::{Action, ChannelId, ChannelKind, ChannelRef, EdgeId, Expr, ProcessId, Receive};
use rustc_hash::{FxHashMap, FxHashSet};

/// An edge that synchronises without `!` or `?`; it was lowered as a sender.
pub(super) struct JointEdge {
    pub process: ProcessId,
    pub edge: EdgeId,
    pub span: ast::Span,
}

/// An element of a channel.
type Element = (ChannelId, Vec<i32>);

impl Lowerer<'_> {
    /// Gives every edge with a joint action its role.
    pub(super) fn settle_joint_actions(&mut self) {
        let joint = std::mem::take(&mut self.joint);
        let mut partners: FxHashMap<Element, Vec<ProcessId>> = FxHashMap::default();
        let mut elements = Vec::new();
        for it in &joint {
            let element = self.joint_element(it);
            if let Some(element) = &element {
                let all = partners.entry(element.clone()).or_default();
                if !all.contains(&it.process) {
                    all.push(it.process);
                }
            }
            elements.push(element);
        }
        self.refuse_mixture(&joint, &elements);
        for (it, element) in joint.iter().zip(&elements) {
            let Some(all) = element.as_ref().and_then(|e| partners.get(e)) else { continue };
            self.give_role(it, all);
        }
    }

    /// The channel element of a joint action, which must not depend on the state.
    fn joint_element(&mut self, it: &JointEdge) -> Option<Element> {
        let edge = self.network.processes.try_at(it.process)?.edges.try_at(it.edge)?;
        let ChannelRef::Element(channel, indices) = edge.action.channel()?.clone() else {
            return None;
        };
        if self.network.channels[channel].kind != ChannelKind::Handshake {
            self.error(it.span, "a broadcast channel needs `!` or `?`");
            return None;
        }
        let constant = |e: &Expr| if let Expr::Const(i) = e { Some(*i) } else { None };
        let indices: Option<Vec<i32>> = indices.iter().map(constant).collect();
        if indices.is_none() {
            let message = "not supported: synchronisation without `!` or `?` on a channel whose \
                           index is not constant";
            self.error_hint(it.span, message, "write `c[i]!` or `c[i]?`");
        }
        Some((channel, indices?))
    }

    /// A channel is used either with `!` and `?` everywhere, or nowhere.
    fn refuse_mixture(&mut self, joint: &[JointEdge], elements: &[Option<Element>]) {
        let own: FxHashSet<(ProcessId, EdgeId)> =
            joint.iter().map(|j| (j.process, j.edge)).collect();
        let mut others = FxHashSet::default();
        for (process, it) in self.network.processes.enumerate() {
            for (edge, it) in it.edges.enumerate() {
                if let Some(ChannelRef::Element(channel, _)) = it.action.channel()
                    && !own.contains(&(process, edge))
                {
                    others.insert(*channel);
                }
            }
        }
        for (it, element) in joint.iter().zip(elements) {
            if element.as_ref().is_some_and(|(channel, _)| others.contains(channel)) {
                let hint = "use `!` and `?` on all edges of a channel, or on none";
                self.error_hint(it.span, "this channel is used with `!` or `?` elsewhere", hint);
            }
        }
    }

    fn give_role(&mut self, it: &JointEdge, partners: &[ProcessId]) {
        let first = partners.iter().min() == Some(&it.process);
        let action = &mut self.network.processes[it.process].edges[it.edge].action;
        match (partners.len(), &*action) {
            (1, _) => *action = Action::Internal,
            (2, Action::Send(send)) if !first => {
                *action = Action::Receive(Receive {
                    channel: send.channel.clone(),
                    message: Vec::new(),
                    anywhere: false,
                    keep: false,
                    span: send.span,
                });
            }
            (2, _) => {}
            (more, _) => {
                let message = format!(
                    "not supported: synchronisation without `!` or `?` of {more} processes"
                );
                self.error_hint(it.span, message, "two processes can use such a channel");
            }
        }
    }
}
