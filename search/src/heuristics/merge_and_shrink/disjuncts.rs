//! Goals that are reached in one of several ways: each of them is a goal of its own.
//!
//! Of `p or q` a system that knows nothing of q can only say that the goal may be reached, and after merging the
//! product could say no more than its parts. Of p alone it can say where p is.

use crate::problem::Problem;
use analysis::Form;
use explore::Explorer;
use network::{BinaryOp, Claim, Expr, Property, UnaryOp};

/// So many ways are looked at apart.
const MOST_WAYS: usize = 8;

/// How many parts quantifiers may be written out to.
const MOST_PARTS: usize = 64;

/// Explores the network for one of the ways to reach the goal each; none if there is only one way, or too many.
pub fn explorers(problem: &Problem) -> Result<Vec<Explorer>, String> {
    let (network, property) = (problem.network(), problem.property());
    let Some(goal) = analysis::goal(property) else { return Ok(Vec::new()) };
    let form = Form::of(network, &property.locals, &goal, true, MOST_PARTS, &|_| false);
    let mut ways = Vec::new();
    collect(form, &mut ways);
    if !(2..=MOST_WAYS).contains(&ways.len()) {
        return Ok(Vec::new());
    }
    let explorer = |way: Expr| {
        let property = Property { claim: Claim::Reachable(way), ..property.clone() };
        Explorer::compile(network.clone(), Some(&property), problem.explorer.abstraction())
            .map_err(|error| error.message)
    };
    ways.into_iter().map(explorer).collect()
}

fn collect(form: Form, ways: &mut Vec<Expr>) {
    match form {
        Form::Any(parts) => parts.into_iter().for_each(|part| collect(part, ways)),
        form => ways.push(expression(form)),
    }
}

fn expression(form: Form) -> Expr {
    let join = |op: BinaryOp, parts: Vec<Form>, none: Expr| {
        let both = |one, other| Expr::Binary(op, Box::new(one), Box::new(other));
        parts.into_iter().map(expression).reduce(both).unwrap_or(none)
    };
    match form {
        Form::All(parts) => join(BinaryOp::And, parts, Expr::TRUE),
        Form::Any(parts) => join(BinaryOp::Or, parts, Expr::Const(0)),
        Form::Atom(expr, true) => expr,
        Form::Atom(expr, false) => Expr::unary(UnaryOp::Not, expr),
    }
}
