//! Errors that the abstraction cannot raise itself, because what may raise them is not seen. Where errors
//! count, states in which they may be raised count as goals.

use crate::pattern::Part;
use crate::sight::{Sight, either};
use crate::stuck::can_exchange;
use network::{
    Action, Base, ChannelRef, ClockConstraint, Condition, Edge, Expr, LocationId, Pattern as Field,
    Place, ProcessId, Property, Statement, StatementKind,
};

/// Where the model may raise an error.
#[derive(Default)]
pub(crate) struct Errors {
    states: Vec<Expr>,
}

impl Errors {
    /// Notes an edge that may fail where its image does not.
    pub fn note(
        &mut self,
        sight: &Sight,
        property: &Property,
        (id, edge): (ProcessId, &Edge),
        images: &[Edge],
    ) {
        let rest = rest(sight, edge, images);
        if !may_answer(sight, property, &rest) {
            return;
        }
        let is_kept = sight.pattern.keeps(Part::Process(id));
        let here = if is_kept { Expr::At(id, edge.source) } else { Expr::TRUE };
        self.states.push(here.and(before_update(sight, edge, &rest)));
    }

    /// Notes a location whose conditions may fail and are not seen.
    pub fn note_location(
        &mut self,
        sight: &Sight,
        property: &Property,
        process: ProcessId,
        location: LocationId,
    ) {
        // A step to it raises the error, from wherever it starts.
        if property.counts_errors && sight.risk.failing_locations().contains(&(process, location)) {
            self.states.push(Expr::TRUE);
        }
    }

    /// Notes a goal that is not seen.
    pub fn note_goal(&mut self, sight: &Sight, property: &Property, goal: &Expr) {
        if property.counts_errors && sight.risk.expr_may_fail(&property.locals, goal) {
            self.states.push(Expr::TRUE);
        }
    }

    /// A goal, or a state in which an error may be raised.
    pub fn or(&mut self, goal: Expr) -> Expr {
        let mut states = std::mem::take(&mut self.states);
        states.push(goal);
        joined(states, either).unwrap_or(Expr::Const(0))
    }
}

/// Joins expressions so that none stands deep within others.
pub(crate) fn joined(mut exprs: Vec<Expr>, join: fn(Expr, Expr) -> Expr) -> Option<Expr> {
    while exprs.len() > 1 {
        let mut pairs = exprs.into_iter();
        let mut next = Vec::new();
        while let Some(left) = pairs.next() {
            next.push(match pairs.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        exprs = next;
    }
    exprs.pop()
}

/// Whether an edge may raise an error that is an answer.
pub(crate) fn may_answer(sight: &Sight, property: &Property, edge: &Edge) -> bool {
    (property.counts_errors || lacks_room(sight, &edge.update)) && sight.risk.edge_may_fail(edge)
}

/// What of an edge is not evaluated by its image as it stands, so that an error in it goes unseen.
fn rest(sight: &Sight, edge: &Edge, images: &[Edge]) -> Edge {
    let [image] = images else { return edge.clone() };
    let clocks = edge.guard.clocks.iter().flat_map(ClockConstraint::expressions);
    let mut guard = clocks.chain([&edge.guard.data]);
    let sees_guard = image.guard == edge.guard && guard.all(|it| sight.is_whole(it));
    let action = expressions(&edge.action);
    let sees_action = image.action == edge.action && action.iter().all(|it| sight.is_whole(it));
    Edge {
        guard: if sees_guard { Condition::always() } else { edge.guard.clone() },
        action: if sees_action { Action::Internal } else { edge.action.clone() },
        update: left_out(sight, &edge.update, &image.update),
        ..edge.clone()
    }
}

/// The expressions of an action.
pub(crate) fn expressions(action: &Action) -> Vec<&Expr> {
    let channel = action.channel().map_or(&[][..], ChannelRef::expressions).iter();
    match action {
        Action::Internal => Vec::new(),
        Action::Send(send) => channel.chain(&send.message).collect(),
        Action::Receive(receive) => {
            channel.chain(receive.message.iter().flat_map(Field::expressions)).collect()
        }
    }
}

/// The statements that an image does not have, or not as they stand. Whether one has them depends on nothing
/// but the statement, so equal ones are as good.
fn left_out(sight: &Sight, statements: &[Statement], image: &[Statement]) -> Vec<Statement> {
    let mut image = image.iter();
    let mut left = Vec::new();
    for statement in statements {
        let Some(at) = image.clone().position(|it| is_alike(sight, statement, it)) else {
            left.push(statement.clone());
            continue;
        };
        if let (Some(found), StatementKind::If(condition, then, otherwise)) =
            (image.nth(at), &statement.kind)
            && let StatementKind::If(_, its_then, its_otherwise) = &found.kind
        {
            let then = left_out(sight, then, its_then);
            let otherwise = left_out(sight, otherwise, its_otherwise);
            let kind = StatementKind::If(condition.clone(), then, otherwise);
            left.push(Statement { kind, span: statement.span });
        }
    }
    left
}

/// Whether a statement of an image is one of the model, or the same branch with less in it.
fn is_alike(sight: &Sight, statement: &Statement, image: &Statement) -> bool {
    match (&statement.kind, &image.kind) {
        (StatementKind::If(condition, ..), StatementKind::If(other, ..)) => condition == other,
        (kind, other) => kind == other && sight.calls_whole(std::slice::from_ref(statement)),
    }
}

/// A condition that holds wherever the model gets as far as the part of an edge that goes unseen.
fn before_update(sight: &Sight, edge: &Edge, rest: &Edge) -> Expr {
    let seen = |expr: Expr| match mentions_local(&expr) {
        true => Expr::TRUE,
        false => sight.weakened(&edge.locals, &expr, true, None),
    };
    let guard_fails = sight.risk.expr_may_fail(&rest.locals, &rest.guard.data);
    // An error in the guard itself comes before it holds.
    let guard = if guard_fails { Expr::TRUE } else { seen(edge.guard.data.clone()) };
    let is_plain = Edge { update: Vec::new(), ..rest.clone() };
    match can_exchange(sight, &edge.action) {
        Some(ready) if !sight.risk.edge_may_fail(&is_plain) => guard.and(seen(ready)),
        _ => guard,
    }
}

/// Whether an expression needs locals of its owner.
pub(crate) fn mentions_local(expr: &Expr) -> bool {
    expr.mentions(&|part| {
        matches!(part, Expr::Quantified(..) | Expr::Read(Place { base: Base::Local(_), .. }))
    })
}

/// Whether statements may find no room for a process: an answer whatever the property says.
fn lacks_room(sight: &Sight, statements: &[Statement]) -> bool {
    let mut found = false;
    for statement in statements {
        statement.walk(&mut |it| match &it.kind {
            StatementKind::NoRoom => found = true,
            StatementKind::Call(_, function, _) => {
                found |= lacks_room(sight, &sight.network.functions[*function].body);
            }
            _ => {}
        });
    }
    found
}
