//! What a property can see of a step that changes nothing else.

use analysis::{Risk, Touch, Touches, goal, wants_deadlocks, without_deadlock};
use network::{Expr, Id, Network, Property};

/// The variables that an expression reads.
pub fn visible(network: &Network, touches: &Touches, expr: &Expr) -> Vec<bool> {
    let mut visible = vec![false; network.variables.len()];
    touches.expr(expr, &mut |touch| {
        if let Touch::Read(id, _) = touch {
            visible[id.index()] = true;
        }
    });
    visible
}

/// What is left of a goal in states that are no deadlocks; none if it may hold *because* they are
/// none, so that it need not hold any more in the deadlock that follows.
pub fn where_steps_are_possible(risk: &Risk, property: &Property) -> Option<Expr> {
    let goal = goal(property)?;
    wants_deadlocks(&goal).then(|| without_deadlock(risk, property, &goal))
}

#[cfg(test)]
mod tests {
    use super::*;
    use network::{LocationId, ProcessId, PropertyId};

    fn left_of(claim: &str) -> Option<Expr> {
        let text = format!(
            "network 1 var n : int[0, 3] var a[2] : int[0, 3] \
             process P {{ location l; init l; }} property \"\" {claim}"
        );
        let network = network::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        where_steps_are_possible(&Risk::of(&network), &network.properties[PropertyId(0)])
    }

    #[test]
    fn deadlocks_hide_what_else_they_need() {
        assert_eq!(left_of("always !(!(P at l) && deadlock)"), Some(Expr::Const(0)));
        assert_eq!(left_of("reachable n == 1 && deadlock"), Some(Expr::Const(0)));
        let at = Expr::At(ProcessId(0), LocationId(0));
        assert_eq!(left_of("reachable P at l || deadlock"), Some(at));
    }

    #[test]
    fn goals_that_deadlocks_spoil_are_seen() {
        assert_eq!(left_of("always deadlock"), None);
        assert_eq!(left_of("reachable n == 1 && !deadlock"), None);
        assert_eq!(left_of("reachable (deadlock == 0) == 1"), None);
    }

    #[test]
    fn what_may_fail_stays() {
        assert_ne!(left_of("reachable a[n] == 1 && deadlock"), Some(Expr::Const(0)));
    }
}
