//! Where the order of processes or of values decides: rounds of loops, receivers of a broadcast.

use crate::cells::Scope;
use crate::code;
use crate::image::Writing;
use analysis::{Touch, Touches};
use network::{
    Action, Base, BinaryOp, ChannelKind, Expr, LocalId, Network, Place, ProcessId, Span, Statement,
    StatementKind,
};

/// Whether the rounds of a loop over all values may come in any order.
///
/// They may if each round writes only what belongs to its value (an element of an array with the binder as an
/// index, which no other round reads), counts something up that nobody reads meanwhile, or does the same in every
/// round that does anything; and if nothing can fail.
pub fn rounds_commute(with: &Writing, scope: Scope, it: &code::Loop) -> bool {
    let mut written = Vec::new();
    let mut returns = false;
    let mut is_fine = true;
    for statement in it.body {
        statement.walk(&mut |part| match &part.kind {
            StatementKind::Assign(place, value) => match write_of(place, value, it.binder) {
                Some(write) => written.push((place.base, write)),
                None => is_fine = false,
            },
            StatementKind::If(condition, ..) => {
                is_fine &= !with.risk.expr_may_fail(scope.locals, condition);
            }
            StatementKind::Return(value) => {
                returns = true;
                is_fine &= value.as_ref().is_none_or(|it| code::constant(it).is_some());
            }
            _ => is_fine = false,
        });
    }
    // Whoever returns early leaves out the rounds after it.
    is_fine &= !returns || written.is_empty();
    is_fine && it.body.iter().all(|part| reads_own(part, it.binder, &written))
}

/// How a round writes something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Write {
    /// What belongs to its value: the binder is this index.
    Own(usize),
    /// Counts up by a constant that is not negative.
    Count,
    /// A constant.
    Same(i32),
}

fn write_of(place: &Place, value: &Expr, binder: LocalId) -> Option<Write> {
    if let Some(index) = place.indices.iter().position(|it| *it == Expr::local(binder)) {
        return Some(Write::Own(index));
    }
    if !place.indices.is_empty() {
        return None;
    }
    if let Some(value) = code::constant(value) {
        return Some(Write::Same(value));
    }
    let Expr::Binary(BinaryOp::Add, left, right) = value else { return None };
    let is_count =
        **left == Expr::Read(place.clone()) && code::constant(right).is_some_and(|by| by >= 0);
    is_count.then_some(Write::Count)
}

/// Whether a statement reads of what is written only what its own round has written, and everything is written in
/// one way.
fn reads_own(statement: &Statement, binder: LocalId, written: &[(Base, Write)]) -> bool {
    let mut is_fine = true;
    let mut visit = |part: &Statement| {
        let counts = match &part.kind {
            StatementKind::Assign(place, value) => {
                matches!(write_of(place, value, binder), Some(Write::Count))
            }
            _ => false,
        };
        for expr in part.expressions() {
            expr.walk(&mut |it| match it {
                Expr::Read(place) => {
                    let mut writes = written.iter().filter(|(base, _)| *base == place.base);
                    let is_binder = |at: usize| place.indices.get(at) == Some(&Expr::local(binder));
                    is_fine &= writes.all(|(_, write)| match write {
                        Write::Own(at) => is_binder(*at),
                        Write::Count => counts,
                        Write::Same(_) => false,
                    });
                }
                Expr::Call(..) => is_fine = false,
                _ => {}
            });
        }
    };
    statement.walk(&mut visit);
    let alike = |(base, write): &(Base, Write)| {
        written.iter().all(|(other, it)| other != base || it == write)
    };
    is_fine && written.iter().all(alike)
}

/// Two processes that receive the same broadcasts, one of which touches what the other one changes.
pub struct Clash {
    pub processes: [ProcessId; 2],
    pub span: Span,
}

/// Where the order of receivers matters: they move in the order of processes.
pub fn clashes(network: &Network) -> Vec<Clash> {
    let touches = Touches::of(network);
    let mut receivers: Vec<(ProcessId, Vec<Touch>, Span)> = Vec::new();
    for (id, process) in network.processes.enumerate() {
        for edge in &process.edges {
            let Action::Receive(receive) = &edge.action else { continue };
            let channels = touches.channels(touches.channel(&receive.channel));
            let is_broadcast = |channel: &network::ChannelId| {
                network.channels[*channel].kind == ChannelKind::Broadcast
            };
            if channels.iter().any(is_broadcast) && !edge.update.is_empty() {
                let mut found = Vec::new();
                touches.statements(&edge.update, &mut |touch| found.push(touch));
                receivers.push((id, found, edge.span));
            }
        }
    }
    let mut clashes: Vec<Clash> = Vec::new();
    for (number, (one, touched, span)) in receivers.iter().enumerate() {
        for (other, others, _) in &receivers[..number] {
            if one != other
                && touched.iter().any(|it| others.iter().any(|other| clash(*it, *other)))
            {
                clashes.push(Clash { processes: [*one, *other], span: *span });
            }
        }
    }
    clashes
}

/// Whether the order of two touches matters.
fn clash(one: Touch, other: Touch) -> bool {
    let meet = |a: analysis::Elements, b: analysis::Elements| a.first < b.end && b.first < a.end;
    match (one, other) {
        (Touch::Write(a, x), Touch::Write(b, y) | Touch::Read(b, y))
        | (Touch::Read(a, x), Touch::Write(b, y)) => a == b && meet(x, y),
        (Touch::Set(a, x), Touch::Set(b, y)) => a == b && meet(x, y),
        (Touch::Change(x), Touch::Change(y) | Touch::Look(y))
        | (Touch::Look(x), Touch::Change(y)) => meet(x, y),
        (Touch::Enter(a, _), Touch::Enter(b, _) | Touch::Name(b, _))
        | (Touch::Name(a, _), Touch::Enter(b, _)) => a == b,
        _ => false,
    }
}
