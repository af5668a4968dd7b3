//! Where a problem may raise a run-time error, said with caution: what is not listed raises none.
//!
//! A property that counts errors is violated by them, so they are goals too (docs/algorithms.md,
//! section 3.1).

use crate::problem::Problem;
use analysis::Risk;
use explore::EdgeNumber;
use network::{LocationId, ProcessId};

/// What may raise an error.
#[derive(Debug, Default)]
pub struct Risks {
    /// Edges: guard, action or update may raise one.
    pub edges: Vec<EdgeNumber>,
    /// Locations whose invariant or clock rates may raise one when a step leads to them or past them.
    pub locations: Vec<(ProcessId, LocationId)>,
    /// Whether the expression of the property may raise one.
    pub goal: bool,
}

impl Risks {
    /// The errors that count for a problem: none, if its property does not count them.
    pub fn of(problem: &Problem) -> Risks {
        match problem.property().counts_errors {
            true => Risks::anywhere(problem),
            false => Risks::default(),
        }
    }

    /// All errors, whether they count or not.
    fn anywhere(problem: &Problem) -> Risks {
        let property = problem.property();
        let risk = Risk::of(problem.network());
        let edges = problem
            .edges()
            .filter(|(_, process, edge)| problem.takes_part(*process) && risk.edge_may_fail(edge));
        let goal = property.claim.expression();
        Risks {
            edges: edges.map(|(number, ..)| number).collect(),
            locations: risk.failing_locations(),
            goal: goal.is_some_and(|expr| risk.expr_may_fail(&property.locals, expr)),
        }
    }
}

/// Whether a run-time error cannot be excluded without a search.
pub fn may_raise_errors(problem: &Problem) -> bool {
    let Risks { edges, locations, goal } = Risks::anywhere(problem);
    goal || !edges.is_empty() || !locations.is_empty()
}
