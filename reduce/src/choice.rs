//! Ways to leave a location: when each is taken, and whether one always can be.

use network::{Arena, BinaryOp, EdgeId, Expr, Network, Process, UnaryOp, range_of};

/// An edge that leaves a location, all of whose edges are internal.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The edge.
    pub edge: EdgeId,
    /// When it can be taken: its guard holds, and none of an edge with a higher preference does.
    pub guard: Expr,
}

/// The choices that edges of one location stand for.
pub fn choices(process: &Process, edges: &[EdgeId]) -> Vec<Choice> {
    let choice = |&edge: &EdgeId| {
        let own = &process.edges[edge];
        let others = edges.iter().map(|other| &process.edges[*other]);
        let preferred = others.filter(|other| other.preference > own.preference);
        let mut guard = own.guard.data.clone();
        for other in preferred {
            guard = guard.and(Expr::unary(UnaryOp::Not, other.guard.data.clone()));
        }
        Choice { edge, guard }
    };
    edges.iter().map(choice).collect()
}

/// Whether a condition depends on whether nothing else is possible.
pub fn mentions_timeout(expr: &Expr) -> bool {
    expr.mentions(&|part| *part == Expr::Timeout)
}

/// Whether one of some conditions certainly holds: one that always does, or two of which one says
/// the opposite of the other, or comparisons of the same two values that leave nothing out.
pub fn one_holds(network: &Network, conditions: &[&Expr]) -> bool {
    let is_negated = |one: &Expr| {
        conditions
            .iter()
            .any(|other| matches!(other, Expr::Unary(UnaryOp::Not, it) if **it == *one))
    };
    conditions
        .iter()
        .any(|it| it.is_true() || is_negated(it) || are_compared(network, conditions, it))
}

/// Whether comparisons of the two values that one compares leave nothing out.
fn are_compared(network: &Network, conditions: &[&Expr], one: &Expr) -> bool {
    let Some((_, left, right)) = comparison(one) else { return false };
    let ((least, most), (low, high)) = (range(network, left), range(network, right));
    let mut outcomes = [least >= high, most < low || high < least, most <= low];
    for other in conditions {
        if let Some((holds, a, b)) = comparison(other)
            && (a, b) == (left, right)
        {
            outcomes.iter_mut().zip(holds).for_each(|(known, holds)| *known |= holds);
        }
    }
    outcomes == [true; 3]
}

fn range(network: &Network, expr: &Expr) -> (i32, i32) {
    range_of(network, &Arena::new(), expr)
}

/// Whether a comparison holds if the first value is less than, equal to or greater than the second.
fn comparison(expr: &Expr) -> Option<([bool; 3], &Expr, &Expr)> {
    let Expr::Binary(op, left, right) = expr else { return None };
    let holds = match op {
        BinaryOp::Eq => [false, true, false],
        BinaryOp::Ne => [true, false, true],
        BinaryOp::Lt => [true, false, false],
        BinaryOp::Le => [true, true, false],
        BinaryOp::Gt => [false, false, true],
        BinaryOp::Ge => [false, true, true],
        _ => return None,
    };
    Some((holds, left, right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use network::VariableId;

    fn network() -> Network {
        let text =
            "network 1 var n : int[0, 3] var m : int[-1, 1] process P { location l; init l; }";
        network::parse(text).unwrap_or_else(|error| panic!("{error:?}"))
    }
    fn read(id: u32) -> Expr {
        Expr::variable(VariableId(id))
    }
    fn compare(op: BinaryOp, id: u32, value: i32) -> Expr {
        Expr::binary(op, read(id), Expr::Const(value))
    }
    fn check(conditions: &[Expr]) -> bool {
        one_holds(&network(), &conditions.iter().collect::<Vec<_>>())
    }

    #[test]
    fn one_of_opposites_holds() {
        assert!(check(&[Expr::TRUE]));
        assert!(check(&[read(0), Expr::unary(UnaryOp::Not, read(0))]));
        assert!(!check(&[read(0), Expr::unary(UnaryOp::Not, read(1))]));
        assert!(!check(&[]));
        assert!(!check(&[read(0), compare(BinaryOp::Gt, 0, 1)]));
    }

    #[test]
    fn comparisons_can_leave_nothing_out() {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        assert!(check(&[compare(Lt, 0, 2), compare(Ge, 0, 2)]));
        assert!(check(&[compare(Eq, 0, 2), compare(Ne, 0, 2)]));
        assert!(check(&[compare(Lt, 0, 2), compare(Eq, 0, 2), compare(Gt, 0, 2)]));
        assert!(!check(&[compare(Lt, 0, 2), compare(Gt, 0, 2)]));
        assert!(!check(&[compare(Lt, 0, 2), compare(Ge, 0, 3)]));
        assert!(!check(&[compare(Lt, 0, 2), compare(Ge, 1, 2)]));
        // What the types leave out need not be asked.
        assert!(check(&[compare(Gt, 0, 0), compare(Eq, 0, 0)]));
        assert!(!check(&[compare(Gt, 1, 0), compare(Eq, 1, 0)]));
        assert!(check(&[compare(Le, 0, 3)]));
        assert!(!check(&[compare(Eq, 0, 0)]));
        assert!(check(&[compare(Ne, 0, 4)]));
        let both = |op| Expr::binary(op, read(0), read(1));
        assert!(!check(&[both(Gt), both(Eq)]));
        assert!(!check(&[both(Lt), both(Eq)]));
        assert!(check(&[both(Gt), both(Le)]));
    }
}
