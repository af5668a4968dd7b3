//! The goal of a property, and what deadlocks have to do with it.

use crate::risk::Risk;
use network::{BinaryOp, Claim, Expr, Property, UnaryOp};

/// The expression that a search looks for, if the property can be checked.
pub fn goal(property: &Property) -> Option<Expr> {
    match &property.claim {
        Claim::Reachable(expr) => Some(expr.clone()),
        Claim::Always(expr) => Some(Expr::unary(UnaryOp::Not, expr.clone())),
        Claim::Unsupported(_) => None,
    }
}

/// Whether a deadlock can only make the expression true.
pub fn wants_deadlocks(expr: &Expr) -> bool {
    only_makes(expr, true)
}

/// Whether a deadlock can only make the expression true (false if not `positive`).
fn only_makes(expr: &Expr, positive: bool) -> bool {
    match expr {
        Expr::Deadlock => positive,
        Expr::Unary(UnaryOp::Not, operand) => only_makes(operand, !positive),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            only_makes(left, positive) && only_makes(right, positive)
        }
        other => !other.mentions(&|part| *part == Expr::Deadlock),
    }
}

/// An expression of a property with `deadlock` false. What may raise an error stays in it.
pub fn without_deadlock(risk: &Risk, property: &Property, expr: &Expr) -> Expr {
    let constant = |expr: &Expr| match expr {
        Expr::Const(value) => Some(*value != 0),
        _ => None,
    };
    match expr {
        Expr::Deadlock => Expr::Const(0),
        Expr::Unary(UnaryOp::Not, operand) => {
            let operand = without_deadlock(risk, property, operand);
            match constant(&operand) {
                Some(value) => Expr::Const(i32::from(!value)),
                None => Expr::unary(UnaryOp::Not, operand),
            }
        }
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let (left, right) =
                (without_deadlock(risk, property, left), without_deadlock(risk, property, right));
            // The value of one side that decides.
            let decisive = *op == BinaryOp::Or;
            match (constant(&left), constant(&right)) {
                (Some(value), _) if value == decisive => left,
                (Some(_), _) => right,
                (_, Some(value)) if value != decisive => left,
                (_, Some(_)) if risk.is_safe(&property.locals, &left) => right,
                _ => Expr::binary(*op, left, right),
            }
        }
        other => other.clone(),
    }
}
