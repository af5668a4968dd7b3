//! A condition that every deadlock of the model satisfies: no kept process can make a step that is seen.

use crate::errors::{joined, mentions_local};
use crate::pattern::Part;
use crate::sight::{Sight, has_buffer, negation};
use network::{
    Action, Arena, BinaryOp, ChannelKind, ChannelRef, Edge, Expr, LocationKind, Pattern as Field,
    Poll, Probe, Process, ProcessId, Send, UnaryOp, range_of,
};

/// More pairs of edges that could meet than this are not looked at.
const MOST_MEETINGS: usize = 10_000;

/// Nobody can make a step that is seen.
pub(crate) fn stuck<'a>(
    sight: &Sight,
    moving: impl Iterator<Item = (ProcessId, &'a Process)>,
) -> Expr {
    let moving: Vec<(ProcessId, &Process)> = moving.filter(|(_, it)| !it.observes).collect();
    let is_kept = |id: ProcessId| sight.pattern.keeps(Part::Process(id));
    let is_hidden = |(id, it): &(ProcessId, &Process)| it.observes || !is_kept(*id);
    let mut hidden = sight.network.processes.enumerate().filter(is_hidden);
    // One that is committed may keep others from moving.
    if hidden.any(|(id, it)| committed(id, it).next().is_some()) {
        return Expr::TRUE;
    }
    let kept: Vec<_> = moving.iter().copied().filter(|(id, _)| is_kept(*id)).collect();
    let stuck = Stuck { sight, waits: waits_for_others(sight, &moving), kept };
    joined(stuck.moves().into_iter().map(negation).collect(), Expr::and).unwrap_or(Expr::TRUE)
}

/// The committed locations of a process.
fn committed(id: ProcessId, process: &Process) -> impl Iterator<Item = Expr> {
    let locations = process.locations.enumerate();
    let committed = locations.filter(|(_, it)| it.kind == LocationKind::Committed);
    committed.map(move |(at, _)| Expr::At(id, at))
}

/// Whether `timeout` is sure to be tried where nothing else is possible: not after an error.
fn waits_for_others(sight: &Sight, moving: &[(ProcessId, &Process)]) -> bool {
    let mut edges = moving.iter().flat_map(|(_, process)| &process.edges);
    edges.all(|edge| !sight.risk.edge_may_fail(&Edge { update: Vec::new(), ..edge.clone() }))
}

struct Stuck<'s, 'a> {
    sight: &'s Sight<'a>,
    kept: Vec<(ProcessId, &'s Process)>,
    /// Whether what waits for a timeout can move where nobody else can.
    waits: bool,
}

impl Stuck<'_, '_> {
    /// Conditions under which a step is possible for sure.
    fn moves(&self) -> Vec<Expr> {
        let mut moves = Vec::new();
        let mut meetings = 0;
        for &(id, process) in &self.kept {
            for edge in &process.edges {
                let Some(offer) = self.offer(id, process, edge) else { continue };
                if let Some(ready) = can_exchange(self.sight, &edge.action) {
                    moves.push(self.nobody_committed(id, process, edge).and(offer.and(ready)));
                } else if let Action::Send(send) = &edge.action {
                    for receiver in self.receivers(id, send) {
                        meetings += 1;
                        let free = self.nobody_committed(id, process, edge);
                        moves.push(free.and(offer.clone()).and(receiver));
                    }
                }
                if meetings > MOST_MEETINGS {
                    return moves;
                }
            }
        }
        moves
    }

    /// A condition under which a process is where an edge begins, and its guard holds.
    fn offer(&self, id: ProcessId, process: &Process, edge: &Edge) -> Option<Expr> {
        let network = self.sight.network;
        let invariants = || network.processes.iter().flat_map(|it| &it.locations);
        let can_enter = process.locations[edge.target].invariant.is_always()
            && (edge.update.is_empty() || invariants().all(|it| it.invariant.is_always()));
        let mut edge = edge.clone();
        if self.waits {
            edge.guard.data.replace(&|part| (*part == Expr::Timeout).then_some(Expr::TRUE));
        }
        let is_plain = edge.guard.clocks.is_empty() && !mentions_local(&edge.guard.data);
        let is_known = can_enter && is_plain && self.sight.sees_offer(id, &edge);
        is_known.then(|| Expr::At(id, edge.source).and(edge.guard.data))
    }

    /// No other process keeps one from taking an edge by being committed.
    fn nobody_committed(&self, id: ProcessId, process: &Process, edge: &Edge) -> Expr {
        if process.locations[edge.source].kind == LocationKind::Committed {
            return Expr::TRUE;
        }
        let others = self.kept.iter().filter(|(other, _)| *other != id);
        let committed = others.flat_map(|(other, process)| committed(*other, process));
        joined(committed.map(negation).collect(), Expr::and).unwrap_or(Expr::TRUE)
    }

    /// Conditions under which somebody is sure to receive, without a buffer, what a process sends.
    fn receivers(&self, sender: ProcessId, send: &Send) -> Vec<Expr> {
        let ChannelRef::Element(channel, indices) = &send.channel else { return Vec::new() };
        let kind = &self.sight.network.channels[*channel].kind;
        let is_local = send.message.iter().chain(indices).any(mentions_local);
        if *kind == ChannelKind::Broadcast || is_local || !self.fits_type(kind, &send.message) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for &(id, process) in self.kept.iter().filter(|(id, _)| *id != sender) {
            for edge in &process.edges {
                let Action::Receive(receive) = &edge.action else { continue };
                let ChannelRef::Element(other, elements) = &receive.channel else { continue };
                if other == channel
                    && let Some(fits) = fits(indices, elements, &send.message, &receive.message)
                {
                    found.extend(self.offer(id, process, edge).map(|offer| offer.and(fits)));
                }
            }
        }
        found
    }

    /// Whether all fields of a message arrive as they are sent.
    fn fits_type(&self, kind: &ChannelKind, message: &[Expr]) -> bool {
        let ChannelKind::Buffered { fields, .. } = kind else { return true };
        fields.iter().zip(message).all(|(ty, field)| {
            let (low, high) = range_of(self.sight.network, &Arena::new(), field);
            ty.contains(low) && ty.contains(high)
        })
    }
}

/// A condition under which a message is one that a receiver on the same channel wants.
fn fits(indices: &[Expr], elements: &[Expr], message: &[Expr], wanted: &[Field]) -> Option<Expr> {
    let fields = message.iter().zip(wanted).filter_map(|(sent, field)| match field {
        Field::Equal(value) => Some((sent, value)),
        Field::Store(_) | Field::Any => None,
    });
    let pairs: Vec<(&Expr, &Expr)> = indices.iter().zip(elements).chain(fields).collect();
    if message.len() != wanted.len() || pairs.iter().any(|(_, it)| mentions_local(it)) {
        return None;
    }
    let equal = |(one, other): (&Expr, &Expr)| match one == other && matches!(one, Expr::Const(_)) {
        true => Expr::TRUE,
        false => Expr::binary(BinaryOp::Eq, one.clone(), other.clone()),
    };
    Some(pairs.into_iter().map(equal).fold(Expr::TRUE, Expr::and))
}

/// A condition under which a buffer is ready for an action.
pub(crate) fn can_exchange(sight: &Sight, action: &Action) -> Option<Expr> {
    let channel = match action.channel() {
        None => return Some(Expr::TRUE),
        Some(channel) => channel,
    };
    let is_local = channel.expressions().iter().any(mentions_local);
    let mut kinds =
        sight.candidates(channel).into_iter().map(|id| &sight.network.channels[id].kind);
    if is_local || matches!(channel, ChannelRef::Value(_)) || !kinds.all(has_buffer) {
        return None;
    }
    match action {
        Action::Internal => Some(Expr::TRUE),
        Action::Send(_) => {
            let full = Expr::Probe(Probe::Full, Box::new(channel.clone()));
            Some(Expr::unary(UnaryOp::Not, full))
        }
        Action::Receive(receive) => {
            let field = |field: &Field| match field {
                Field::Equal(value) => Field::Equal(value.clone()),
                _ => Field::Any,
            };
            let message: Vec<Field> = receive.message.iter().map(field).collect();
            if message.iter().flat_map(Field::expressions).any(mentions_local) {
                return None;
            }
            let anywhere = receive.anywhere;
            Some(Expr::Poll(Box::new(Poll { channel: channel.clone(), message, anywhere })))
        }
    }
}
