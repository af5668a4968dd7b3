//! Building expressions of the network with constants folded.
//!
//! An operation that would be a run-time error is left alone: it may never be evaluated.

use network::{BinaryOp, Expr, UnaryOp};

/// An operator with two operands; those of `And` and `Or` must be 0 or 1.
pub(crate) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    match (op, &a, &b) {
        (_, Expr::Const(x), Expr::Const(y)) => match op.apply(*x, *y) {
            Ok(value) => Expr::Const(value),
            Err(_) => Expr::binary(op, a, b),
        },
        (BinaryOp::And, Expr::Const(0), _) => Expr::Const(0),
        (BinaryOp::Or, Expr::Const(1), _) => Expr::Const(1),
        (BinaryOp::And, Expr::Const(1), _) | (BinaryOp::Or, Expr::Const(0), _) => b,
        (BinaryOp::And, _, Expr::Const(1)) | (BinaryOp::Or, _, Expr::Const(0)) => a,
        (BinaryOp::And, a, Expr::Const(0)) | (BinaryOp::Or, a, Expr::Const(1))
            if cannot_fail(a) =>
        {
            b
        }
        (BinaryOp::Add, Expr::Const(0), _) => b,
        (BinaryOp::Add | BinaryOp::Sub, _, Expr::Const(0)) => a,
        (BinaryOp::Sub, _, Expr::Unary(UnaryOp::Neg, inner)) => {
            binary(BinaryOp::Add, a, (**inner).clone())
        }
        (BinaryOp::Sub, Expr::Const(0), _) => unary(UnaryOp::Neg, b),
        (BinaryOp::Sub, _, Expr::Const(c)) if *c < 0 && *c > i32::MIN => {
            Expr::binary(BinaryOp::Add, a, Expr::Const(-c))
        }
        _ => Expr::binary(op, a, b),
    }
}

/// `-e`, with the sign drawn inside.
pub(crate) fn negative(e: Expr) -> Expr {
    match e {
        Expr::Unary(UnaryOp::Neg, inner) => *inner,
        Expr::Binary(BinaryOp::Sub, a, b) => binary(BinaryOp::Sub, *b, *a),
        Expr::Binary(BinaryOp::Add, a, b) if matches!(*b, Expr::Const(_)) => {
            binary(BinaryOp::Sub, negative(*a), *b)
        }
        other => unary(UnaryOp::Neg, other),
    }
}

/// An operator with one operand.
pub(crate) fn unary(op: UnaryOp, a: Expr) -> Expr {
    match a {
        Expr::Const(value) => Expr::Const(op.apply(value)),
        other => Expr::unary(op, other),
    }
}

pub(crate) fn and(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::And, a, b)
}

pub(crate) fn or(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Or, a, b)
}

/// The negation of a truth value, whose operands under `!` are truth values, too.
pub(crate) fn not(a: Expr) -> Expr {
    use BinaryOp::*;
    match a {
        Expr::Unary(UnaryOp::Not, inner) => *inner,
        Expr::Binary(op @ (Eq | Ne | Lt | Le | Gt | Ge), a, b) => {
            let opposite = match op {
                Eq => Ne,
                Ne => Eq,
                Lt => Ge,
                Le => Gt,
                Gt => Le,
                _ => Lt,
            };
            Expr::Binary(opposite, a, b)
        }
        other => unary(UnaryOp::Not, other),
    }
}

/// `condition ? yes : no`
pub(crate) fn conditional(condition: Expr, yes: Expr, no: Expr) -> Expr {
    match condition {
        Expr::Const(0) => no,
        Expr::Const(_) => yes,
        other => Expr::Conditional(Box::new(other), Box::new(yes), Box::new(no)),
    }
}

/// The operands joined as a balanced tree, in order: long chains must not make deep trees.
pub(crate) fn join(op: BinaryOp, neutral: i32, operands: Vec<Expr>) -> Expr {
    let mut level = operands;
    while level.len() > 1 {
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        let mut items = level.into_iter();
        while let Some(a) = items.next() {
            next.push(match items.next() {
                Some(b) => binary(op, a, b),
                None => a,
            });
        }
        level = next;
    }
    level.pop().unwrap_or(Expr::Const(neutral))
}

/// Whether it is sure that evaluating the expression is no run-time error.
fn cannot_fail(e: &Expr) -> bool {
    match e {
        Expr::Const(_) | Expr::At(..) | Expr::Deadlock => true,
        Expr::Read(place) => place.indices.is_empty(),
        Expr::Unary(_, a) => cannot_fail(a),
        Expr::Binary(op, a, b) => {
            use BinaryOp::*;
            !matches!(op, Div | Rem | Pow | Shl | Shr) && cannot_fail(a) && cannot_fail(b)
        }
        _ => false,
    }
}

/// Whether the value is 0 or 1 whatever its operands are.
pub(crate) fn is_truth(e: &Expr) -> bool {
    use BinaryOp::*;
    match e {
        Expr::Const(value) => *value == 0 || *value == 1,
        Expr::Unary(op, _) => *op == UnaryOp::Not,
        Expr::Binary(op, ..) => matches!(op, Eq | Ne | Lt | Le | Gt | Ge | And | Or),
        Expr::Conditional(_, yes, no) => is_truth(yes) && is_truth(no),
        Expr::Quantified(quantifier, ..) => *quantifier != network::Quantifier::Sum,
        Expr::At(..) | Expr::Clock(_) | Expr::Deadlock => true,
        Expr::Timeout | Expr::Poll(_) => true,
        Expr::Probe(probe, _) => *probe != network::Probe::Length,
        Expr::Read(_) | Expr::Call(..) => false,
    }
}
