//! `D_proctype`: two ways on at once are an error. Spin's verifiers try the ways of a state in
//! their order and complain when one succeeds after another did. A jump or `skip` never
//! complains, and a rendezvous that is sent does so whether or not somebody receives it.

use super::automaton::Transition;
use super::edges::{Edges, Effect, Origin};
use super::emit::{Buffer, any, not};
use super::executable::is_else;
use super::failures::Failure;
use super::flow::{El, ElementKind};
use super::resolved::{Basic, Target};
use network::{Action, BinaryOp, ChannelRef, Edge, Expr, Pattern, Probe, Receive};

/// What is known of the ways of a state that come before the next one.
#[derive(Default)]
struct EarlierOptions {
    /// When those succeed that are no rendezvous.
    possible: Vec<Expr>,
    /// Whether a jump or `skip` is among them.
    jumped: bool,
    /// When there is an error without a rendezvous, apart from two of `possible`.
    errors: Vec<Expr>,
    /// Every rendezvous that is sent, and what comes after it.
    sends: Vec<(Effect, Vec<Expr>)>,
    receives: Vec<(Expr, Receive)>,
}

impl Edges<'_> {
    /// The edges from a state that report a choice.
    pub fn second_options(
        &mut self,
        state: El,
        options: &[&Transition],
        preference: i32,
    ) -> Vec<Edge> {
        let mut seen = EarlierOptions::default();
        let elements: Vec<_> = options.iter().filter_map(|it| it.element).collect();
        elements.iter().for_each(|&element| self.add_option(element, &mut seen));
        let Some(&option) = options.iter().find(|it| it.element.is_some()) else { return vec![] };
        let Some(&element) = elements.first() else { return vec![] };
        let span = self.flow.elements[element].span;
        let mut edges = vec![];
        for mut effect in seen.into_errors() {
            effect.update = vec![self.emit.statement(Failure::Nondeterminism.statement(), span)];
            edges.push(self.edge(state, option, effect, preference));
            self.origins.push(Origin { element, source: state, target: option.target });
        }
        edges
    }

    fn add_option(&self, element: El, seen: &mut EarlierOptions) {
        match &self.flow.elements[element].kind {
            ElementKind::Basic(basic) if basic.is_skip() => seen.jumped = true,
            ElementKind::Basic(basic @ Basic::Send(send)) => {
                self.add_send(basic, &send.channel, seen)
            }
            ElementKind::Basic(basic @ Basic::Receive(it)) => {
                self.add_receive(basic, &it.channel, seen)
            }
            ElementKind::Goto(_) | ElementKind::Join | ElementKind::Exit => seen.jumped = true,
            ElementKind::Basic(_) | ElementKind::DStep(_) if !is_else(self.flow, element) => {
                let guard = self.emit.executable(self.flow, element).unwrap_or(Expr::Const(0));
                seen.add(guard.clone(), guard);
            }
            // Nothing before it is possible then, so it is never the second.
            ElementKind::Else | ElementKind::DStep(_) if !seen.jumped => {
                seen.possible.push(not(any(seen.possible.clone())));
            }
            _ => {}
        }
    }

    fn add_send(&self, basic: &Basic, channel: &Target, seen: &mut EarlierOptions) {
        let full = Expr::Probe(Probe::Full, Box::new(self.emit.channel(channel)));
        let (room, tried) = match self.emit.buffer(channel) {
            Buffer::Yes => (not(full.clone()), not(full)),
            Buffer::No => (Expr::Const(0), Expr::TRUE),
            Buffer::Unknown => {
                (not(full.clone()), any(vec![not(full), self.emit.has_no_buffer(channel)]))
            }
        };
        seen.add(room, tried);
        if self.emit.buffer(channel) != Buffer::Yes {
            for mut effect in self.meetings(basic, channel) {
                effect.guard = self.emit.has_no_buffer(channel);
                seen.sends.push((effect, vec![]));
            }
        }
    }

    fn add_receive(&self, basic: &Basic, channel: &Target, seen: &mut EarlierOptions) {
        let Basic::Receive(receive) = basic else { return };
        if self.emit.buffer(channel) != Buffer::No {
            let guard = self.emit.poll(receive);
            seen.add(guard.clone(), guard);
        }
        if self.emit.buffer(channel) != Buffer::Yes {
            let guard = self.emit.has_no_buffer(channel);
            seen.receives.extend(self.meetings(basic, channel).into_iter().filter_map(|it| {
                match it.action {
                    Action::Receive(receive) => Some((guard.clone(), receive)),
                    _ => None,
                }
            }));
        }
    }

    fn meetings(&self, basic: &Basic, channel: &Target) -> Vec<Effect> {
        let effects = self.basic(self.emit, basic, Default::default());
        let meets = |it: &Effect| !matches!(it.action, Action::Internal);
        match self.emit.buffer(channel) {
            Buffer::Yes => vec![],
            _ => effects.into_iter().filter(meets).collect(),
        }
    }
}

impl EarlierOptions {
    /// A way that succeeds if `possible` and complains if `tried`.
    fn add(&mut self, possible: Expr, tried: Expr) {
        let (is_send, nothing) = (possible != tried, Expr::Const(0));
        match (self.jumped, is_send) {
            (true, _) => self.errors.push(tried.clone()),
            (false, true) => self.errors.push(any(self.possible.clone()).and(tried.clone())),
            (false, false) => {}
        }
        self.sends.iter_mut().for_each(|(_, later)| later.push(tried.clone()));
        if possible != nothing {
            self.possible.push(possible);
        }
    }

    fn into_errors(self) -> Vec<Effect> {
        let mut errors = self.errors;
        if self.possible.len() > 1 {
            errors.push(Expr::binary(BinaryOp::Ge, count(self.possible), Expr::Const(2)));
        }
        let mut effects = vec![Effect::new(any(errors), vec![])];
        for (mut effect, later) in self.sends {
            effect.guard = effect.guard.and(any(later));
            effects.push(effect);
        }
        for (position, (guard, second)) in self.receives.iter().enumerate() {
            effects.extend(self.receives[..position].iter().filter_map(|(other, first)| {
                let (equal, receive) = both(first, second)?;
                let mut effect = Effect::new(other.clone().and(guard.clone()).and(equal), vec![]);
                effect.action = Action::Receive(receive);
                Some(effect)
            }));
        }
        effects.retain(|it| it.guard != Expr::Const(0));
        effects
    }
}

/// A receive that takes what both can take, if the condition holds.
fn both(first: &Receive, second: &Receive) -> Option<(Expr, Receive)> {
    if first.message.len() != second.message.len() {
        return None;
    }
    let mut condition = same_channel(&first.channel, &second.channel)?;
    let mut receive = first.clone();
    for (field, other) in receive.message.iter_mut().zip(&second.message) {
        match (&*field, other) {
            (Pattern::Equal(one), Pattern::Equal(two)) => {
                condition = condition.and(equal(one, two));
            }
            (Pattern::Equal(_), _) => {}
            (_, Pattern::Equal(_)) => *field = other.clone(),
            _ => *field = Pattern::Any,
        }
    }
    Some((condition, receive))
}

pub(super) fn same_channel(first: &ChannelRef, second: &ChannelRef) -> Option<Expr> {
    match (first, second) {
        (ChannelRef::Element(one, indices), ChannelRef::Element(two, others)) => {
            let pairs = indices.iter().zip(others);
            (one == two).then(|| pairs.fold(Expr::TRUE, |all, (a, b)| all.and(equal(a, b))))
        }
        (ChannelRef::Value(one), ChannelRef::Value(two)) => Some(equal(one, two)),
        // A channel and a variable that may hold it.
        _ => None,
    }
}

pub(super) fn equal(first: &Expr, second: &Expr) -> Expr {
    if first == second {
        return Expr::TRUE;
    }
    match (first, second) {
        (Expr::Const(_), Expr::Const(_)) => Expr::Const(0),
        _ => Expr::binary(BinaryOp::Eq, first.clone(), second.clone()),
    }
}

/// How many conditions hold, in a tree of least height.
fn count(mut conditions: Vec<Expr>) -> Expr {
    if conditions.len() > 1 {
        let rest = conditions.split_off(conditions.len() / 2);
        return Expr::binary(BinaryOp::Add, count(conditions), count(rest));
    }
    let truth = |it| Expr::binary(BinaryOp::Ne, it, Expr::Const(0));
    conditions.pop().map_or(Expr::Const(0), truth)
}
