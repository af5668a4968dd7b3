//! Shapes in the code of a network that mean more than their parts.

use network::{
    Base, BinaryOp, Expr, FunctionId, LocalId, LocationId, Pattern, ProcessId, Statement,
    StatementKind, VariableId,
};

/// The value of an expression that reads nothing.
pub fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(op, operand) => Some(op.apply(constant(operand)?)),
        Expr::Binary(op, left, right) => op.apply(constant(left)?, constant(right)?).ok(),
        _ => None,
    }
}

/// The next but so many on a ring: `(of + by) % around`.
pub struct Shift<'e> {
    pub of: &'e Expr,
    pub by: i32,
    pub around: i32,
}

/// Whether an expression is the position of a neighbour on a ring.
pub fn shift(expr: &Expr) -> Option<Shift<'_>> {
    let Expr::Binary(BinaryOp::Rem, sum, around) = expr else { return None };
    let around = constant(around)?;
    let (of, by) = sum_with_constant(sum)?;
    // Below 0 the remainder would be negative, and no position.
    (by >= 0 && around > 0).then_some(Shift { of, by, around })
}

/// What an expression is the sum of: something, and all that is constant in it.
fn sum_with_constant(expr: &Expr) -> Option<(&Expr, i32)> {
    let Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) = expr else {
        return (!matches!(expr, Expr::Const(_))).then_some((expr, 0));
    };
    let (of, by) = match (op, constant(left), constant(right)) {
        (BinaryOp::Add, None, Some(by)) => (left, by),
        (BinaryOp::Sub, None, Some(by)) => (left, by.checked_neg()?),
        (BinaryOp::Add, Some(by), None) => (right, by),
        _ => return None,
    };
    let (of, more) = sum_with_constant(of)?;
    Some((of, by.checked_add(more)?))
}

/// A loop over all values of a local: how `for (i : type)` is written.
pub struct Loop<'s> {
    pub binder: LocalId,
    pub low: i32,
    pub high: i32,
    pub body: &'s [Statement],
}

/// Whether two statements together are a loop over all values of a local.
pub fn range_loop<'s>(first: &'s Statement, second: &'s Statement) -> Option<Loop<'s>> {
    let (StatementKind::Assign(counter, low), StatementKind::While(condition, body)) =
        (&first.kind, &second.kind)
    else {
        return None;
    };
    let Base::Local(counter_id) = counter.base else { return None };
    let [first, body @ .., last] = body.as_slice() else { return None };
    let (StatementKind::Assign(binder, value), StatementKind::Assign(again, next)) =
        (&first.kind, &last.kind)
    else {
        return None;
    };
    let read = Expr::Read(counter.clone());
    let (Base::Local(binder_id), [], Expr::Binary(BinaryOp::Le, left, high)) =
        (binder.base, binder.indices.as_slice(), condition)
    else {
        return None;
    };
    let is_loop = **left == read
        && *value == read
        && again == counter
        && *next == Expr::binary(BinaryOp::Add, read, Expr::Const(1))
        && !body.iter().any(|it| mentions(it, counter_id));
    let (low, high) = (constant(low)?, constant(high)?);
    is_loop.then_some(Loop { binder: binder_id, low, high, body })
}

/// Whether a statement says something about a local.
fn mentions(statement: &Statement, local: LocalId) -> bool {
    let mut found = false;
    let is_it = |place: &network::Place| place.base == Base::Local(local);
    statement.walk(&mut |part| {
        each_write(part, &mut |place| found |= is_it(place));
        let reads = |expr: &Expr| matches!(expr, Expr::Read(place) if is_it(place));
        found |= part.expressions().iter().any(|expr| expr.mentions(&reads));
    });
    found
}

/// Calls `visit` for the places that a statement assigns to by itself: not through those below it or functions.
pub fn each_write(statement: &Statement, visit: &mut dyn FnMut(&network::Place)) {
    match &statement.kind {
        StatementKind::Assign(place, _) => visit(place),
        StatementKind::Call(place, ..) => place.iter().for_each(visit),
        StatementKind::Receive(receive) => {
            for field in &receive.message {
                if let Pattern::Store(place) = field {
                    visit(place);
                }
            }
        }
        _ => {}
    }
}

/// The operands of nested operators of one kind.
pub fn operands<'e>(op: BinaryOp, expr: &'e Expr, into: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(it, left, right) if *it == op => {
            operands(op, left, into);
            operands(op, right, into);
        }
        other => into.push(other),
    }
}

/// Where a process may be started.
pub struct Place<'s> {
    pub process: ProcessId,
    pub location: LocationId,
    pub statements: &'s [Statement],
}

/// A statement that starts a process in the first of several places that is free; and what it does if none is.
pub fn first_free(statement: &Statement) -> Option<(Vec<Place<'_>>, &[Statement])> {
    let mut places = Vec::new();
    let mut at = statement;
    loop {
        let StatementKind::If(Expr::At(process, location), statements, otherwise) = &at.kind else {
            return None;
        };
        places.push(Place { process: *process, location: *location, statements });
        match otherwise.as_slice() {
            [next] if matches!(next.kind, StatementKind::If(Expr::At(..), ..)) => at = next,
            otherwise => return (places.len() > 1).then_some((places, otherwise)),
        }
    }
}

/// Whether a statement reads a variable.
pub fn reads(statement: &Statement, variable: VariableId) -> bool {
    let is_it = |expr: &Expr| match expr {
        Expr::Read(place) => place.base == Base::Variable(variable),
        // What functions read is not looked for.
        Expr::Call(..) => true,
        _ => false,
    };
    let mut found = false;
    statement.walk(&mut |part| {
        found |= matches!(part.kind, StatementKind::Call(..));
        found |= part.expressions().iter().any(|expr| expr.mentions(&is_it));
    });
    found
}

/// Calls `visit` for the functions that an expression calls.
pub fn calls_in(expr: &Expr, visit: &mut dyn FnMut(FunctionId)) {
    expr.walk(&mut |part| {
        if let Expr::Call(function, _) = part {
            visit(*function);
        }
    });
}

/// Calls `visit` for the functions that a statement calls.
pub fn calls(statement: &Statement, visit: &mut dyn FnMut(FunctionId)) {
    statement.walk(&mut |part| {
        if let StatementKind::Call(_, function, _) = &part.kind {
            visit(*function);
        }
        part.expressions().iter().for_each(|expr| calls_in(expr, visit));
    });
}

/// Whether a local gets a value before it is read, so that it does not matter what it starts with.
pub fn is_set_first(statements: &[Statement], local: LocalId) -> bool {
    first_use(statements, local) != Some(Use::Read)
}

/// What is done with a local first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Set,
    Read,
}

fn first_use(statements: &[Statement], local: LocalId) -> Option<Use> {
    let mut rest = statements;
    while let Some(statement) = rest.first() {
        let looped = rest.get(1).and_then(|next| range_loop(statement, next));
        let found = match &looped {
            Some(it) if it.binder == local => Some(Use::Set),
            Some(it) => first_use(it.body, local),
            None if mentions(statement, local) => use_in(statement, local),
            None => None,
        };
        if found.is_some() {
            return found;
        }
        rest = &rest[1 + usize::from(looped.is_some())..];
    }
    None
}

fn use_in(statement: &Statement, local: LocalId) -> Option<Use> {
    let reads = |expr: &Expr| matches!(expr, Expr::Read(place) if place.base == Base::Local(local));
    match &statement.kind {
        StatementKind::Assign(place, value) if place.base == Base::Local(local) => {
            let is_whole = place.indices.is_empty() && !value.mentions(&reads);
            Some(if is_whole { Use::Set } else { Use::Read })
        }
        StatementKind::If(condition, then, otherwise) if !condition.mentions(&reads) => {
            match (first_use(then, local), first_use(otherwise, local)) {
                (Some(Use::Read), _) | (_, Some(Use::Read)) => Some(Use::Read),
                (Some(Use::Set), Some(Use::Set)) => Some(Use::Set),
                _ => None,
            }
        }
        _ => Some(Use::Read),
    }
}

/// How many of the first statements may come in any order: the first one, and those after it that give constants to
/// different variables or elements.
pub fn independent_run(statements: &[&Statement]) -> usize {
    let mut written: Vec<&network::Place> = Vec::new();
    for statement in statements {
        let StatementKind::Assign(place, value) = &statement.kind else { break };
        let is_plain = constant(value).is_some()
            && matches!(place.base, Base::Variable(_))
            && place.indices.iter().all(|it| constant(it).is_some());
        if !is_plain || written.contains(&place) {
            break;
        }
        written.push(place);
    }
    written.len().max(1)
}

/// Whether no path through statements ends without a result.
pub fn always_returns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::If(_, then, otherwise) => always_returns(then) && always_returns(otherwise),
        _ => false,
    })
}
