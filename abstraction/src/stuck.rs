//! A condition that every deadlock of the model satisfies: no kept process can make a step that is seen.

use crate::errors::{joined, mentions_local};
use crate::pattern::Part;
use crate::sight::{Sight, either, has_buffer, negation};
use network::{
    Action, ChannelRef, Edge, Expr, LocationId, LocationKind, Pattern as Field, Poll, Probe,
    Process, ProcessId, UnaryOp,
};

/// Nobody can make a step that is seen.
pub(crate) fn stuck<'a>(
    sight: &Sight,
    moving: impl Iterator<Item = (ProcessId, &'a Process)>,
) -> Expr {
    let mut processes = sight.network.processes.iter();
    let is_committed =
        |it: &Process| it.locations.iter().any(|location| location.kind == LocationKind::Committed);
    // One that is committed may keep others from moving.
    if processes.any(is_committed) {
        return Expr::TRUE;
    }
    let mut conditions = Vec::new();
    for (id, process) in moving {
        if process.observes || !sight.pattern.keeps(Part::Process(id)) {
            continue;
        }
        for location in process.locations.ids() {
            let can_move = can_move(sight, id, process, location);
            if can_move != Expr::Const(0) {
                conditions.push(negation(Expr::At(id, location).and(can_move)));
            }
        }
    }
    joined(conditions, Expr::and).unwrap_or(Expr::TRUE)
}

/// A condition under which a process at a location can move for sure.
fn can_move(sight: &Sight, id: ProcessId, process: &Process, from: LocationId) -> Expr {
    let leaving = process.edges.iter().filter(|edge| edge.source == from);
    let possible = leaving.filter_map(|edge| is_possible(sight, id, process, edge));
    joined(possible.collect(), either).unwrap_or(Expr::Const(0))
}

fn is_possible(sight: &Sight, id: ProcessId, process: &Process, edge: &Edge) -> Option<Expr> {
    let invariants = || sight.network.processes.iter().flat_map(|it| &it.locations);
    let can_enter = process.locations[edge.target].invariant.is_always()
        && (edge.update.is_empty() || invariants().all(|it| it.invariant.is_always()));
    let is_plain = edge.guard.clocks.is_empty() && !mentions_local(&edge.guard.data);
    if !can_enter || !is_plain || !sight.sees_offer(id, edge) {
        return None;
    }
    Some(edge.guard.data.clone().and(can_exchange(sight, &edge.action)?))
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
