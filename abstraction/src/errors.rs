//! Errors that the abstraction cannot raise itself, because what may raise them is not seen. Where errors
//! count, states in which they may be raised count as goals.

use crate::sight::{Sight, either};
use network::{Base, Edge, Expr, LocationId, Place, ProcessId, Property, Statement, StatementKind};

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
        let counts = property.counts_errors || lacks_room(sight, &edge.update);
        if !counts || !sight.risk.edge_may_fail(edge) || is_same(edge, images) {
            return;
        }
        let is_kept = sight.pattern.keeps(crate::Part::Process(id));
        let here = if is_kept { Expr::At(id, edge.source) } else { Expr::TRUE };
        let guard = match mentions_local(&edge.guard.data) {
            true => Expr::TRUE,
            false => sight.weakened(&edge.locals, &edge.guard.data, true, None),
        };
        // An error in the guard itself comes before it holds.
        let guard = if sight.risk.expr_may_fail(&edge.locals, &edge.guard.data) {
            Expr::TRUE
        } else {
            guard
        };
        self.states.push(here.and(guard));
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

fn is_same(edge: &Edge, images: &[Edge]) -> bool {
    let [image] = images else { return false };
    image.guard == edge.guard && image.action == edge.action && image.update == edge.update
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
