//! What a property can see of a step that changes nothing else.

use crate::safe::Judge;
use crate::touch::{Functions, Touch};
use network::{BinaryOp, Claim, Expr, Id, Network, Property, UnaryOp};

/// The expression that a search looks for, if the property can be checked.
pub fn goal(property: &Property) -> Option<Expr> {
    match &property.claim {
        Claim::Reachable(expr) => Some(expr.clone()),
        Claim::Always(expr) => Some(Expr::unary(UnaryOp::Not, expr.clone())),
        Claim::Unsupported(_) => None,
    }
}

/// The variables that an expression reads.
pub fn visible(network: &Network, functions: &Functions, expr: &Expr) -> Vec<bool> {
    let mut visible = vec![false; network.variables.len()];
    functions.expr(expr, &mut |touch| {
        if let Touch::Read(id) = touch {
            visible[id.index()] = true;
        }
    });
    visible
}

/// What is left of a goal in states that are no deadlocks; none if it may hold *because* they are
/// none, so that it need not hold any more in the deadlock that follows.
pub fn where_steps_are_possible(network: &Network, property: &Property) -> Option<Expr> {
    let goal = goal(property)?;
    let judge = Judge { network, locals: &property.locals };
    wants_deadlocks(&goal, true).then(|| without_deadlock(&judge, &goal))
}

/// Whether a deadlock can only make the expression true (false if not `positive`).
fn wants_deadlocks(expr: &Expr, positive: bool) -> bool {
    match expr {
        Expr::Deadlock => positive,
        Expr::Unary(UnaryOp::Not, operand) => wants_deadlocks(operand, !positive),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            wants_deadlocks(left, positive) && wants_deadlocks(right, positive)
        }
        other => {
            let mut found = false;
            other.walk(&mut |part| found |= *part == Expr::Deadlock);
            !found
        }
    }
}

/// The expression with `deadlock` false. What may raise an error stays in it.
fn without_deadlock(judge: &Judge, expr: &Expr) -> Expr {
    let constant = |expr: &Expr| match expr {
        Expr::Const(value) => Some(*value != 0),
        _ => None,
    };
    match expr {
        Expr::Deadlock => Expr::Const(0),
        Expr::Unary(UnaryOp::Not, operand) => {
            let operand = without_deadlock(judge, operand);
            match constant(&operand) {
                Some(value) => Expr::Const(i32::from(!value)),
                None => Expr::unary(UnaryOp::Not, operand),
            }
        }
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let (left, right) = (without_deadlock(judge, left), without_deadlock(judge, right));
            // The value of one side that decides.
            let decisive = *op == BinaryOp::Or;
            match (constant(&left), constant(&right)) {
                (Some(value), _) if value == decisive => left,
                (Some(_), _) => right,
                (_, Some(value)) if value != decisive => left,
                (_, Some(_)) if judge.is_safe(&left) => right,
                _ => Expr::binary(*op, left, right),
            }
        }
        other => other.clone(),
    }
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
        where_steps_are_possible(&network, &network.properties[PropertyId(0)])
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
