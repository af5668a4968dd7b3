//! Visits every expression below a piece of the syntax tree.

use crate::ast::*;

/// Calls `visit` for the expression and every one below it.
pub(crate) fn expr<'a>(e: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(e);
    let mut below = |list: &[&'a Expr]| list.iter().for_each(|e| expr(e, visit));
    match &e.kind {
        ExprKind::Unary(_, a) | ExprKind::Increment(_, a) | ExprKind::Rate(a) => below(&[a]),
        ExprKind::Field(a, _) | ExprKind::Quantified(_, _, a) => below(&[a]),
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
            below(&[a, b]);
        }
        ExprKind::Conditional(a, b, c) => below(&[a, b, c]),
        ExprKind::Call(callee, arguments) => {
            below(&[callee]);
            arguments.iter().for_each(|e| expr(e, visit));
        }
        ExprKind::Comma(list) | ExprKind::Spawn(_, list) => {
            list.iter().for_each(|e| expr(e, visit));
        }
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Double(_)
        | ExprKind::String(_)
        | ExprKind::Name(_)
        | ExprKind::Deadlock
        | ExprKind::Exit
        | ExprKind::NumOf(_) => {}
    }
}

/// Where the expression first assigns with `=`, if it does.
pub(crate) fn assignment(e: &Expr) -> Option<Span> {
    let mut found = None;
    expr(e, &mut |e| {
        if let ExprKind::Assign(None, ..) = e.kind {
            found = found.or(Some(e.span));
        }
    });
    found
}

/// Visits the expressions in a statement and below.
pub(crate) fn statement<'a>(statement_: &'a Statement, visit: &mut dyn FnMut(&'a Expr)) {
    match &statement_.kind {
        StatementKind::Empty => {}
        StatementKind::Declaration(it) => declaration(it, visit),
        StatementKind::Expr(e) | StatementKind::Assert(e) => expr(e, visit),
        StatementKind::Block(block) => block.statements.iter().for_each(|s| statement(s, visit)),
        StatementKind::If { arms, otherwise } => {
            for (condition, then) in arms {
                expr(condition, visit);
                statement(then, visit);
            }
            otherwise.iter().for_each(|s| statement(s, visit));
        }
        StatementKind::For { init, condition, step, body } => {
            for e in [init, condition, step].into_iter().flatten() {
                expr(e, visit);
            }
            statement(body, visit);
        }
        StatementKind::Iterate { body, .. } => statement(body, visit),
        StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
            expr(condition, visit);
            statement(body, visit);
        }
        StatementKind::Return(value) => value.iter().for_each(|e| expr(e, visit)),
    }
}

/// Visits the initial values of variables and the bodies of functions.
pub(crate) fn declaration<'a>(declaration: &'a Declaration, visit: &mut dyn FnMut(&'a Expr)) {
    match declaration {
        Declaration::Variables(it) => {
            for value in it.declarators.iter().filter_map(|d| d.initialiser.as_ref()) {
                initialiser(value, visit);
            }
        }
        Declaration::Function(it) => it.body.statements.iter().for_each(|s| statement(s, visit)),
        _ => {}
    }
}

fn initialiser<'a>(value: &'a Initialiser, visit: &mut dyn FnMut(&'a Expr)) {
    match value {
        Initialiser::Value(e) => expr(e, visit),
        Initialiser::List(items, _) => items.iter().for_each(|it| initialiser(&it.value, visit)),
    }
}

/// Whether the expression mentions a name.
pub(crate) fn mentions(e: &Expr, name: &str) -> bool {
    let mut found = false;
    expr(e, &mut |e| found |= matches!(&e.kind, ExprKind::Name(it) if it == name));
    found
}

/// Whether the range of some quantifier in the expression mentions a name.
pub(crate) fn ranges_mention(e: &Expr, name: &str) -> bool {
    let mut found = false;
    expr(e, &mut |e| {
        if let ExprKind::Quantified(_, binding, _) = &e.kind
            && let TypeKind::Range(low, high) = &binding.ty.kind
        {
            found |= mentions(low, name) || mentions(high, name);
        }
    });
    found
}

/// The name of the variable that the expression is, or is a part of.
fn root(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) => root(base),
        _ => None,
    }
}

/// Whether the function may change one of its parameters: assigned, stepped or handed on.
pub(crate) fn may_change(function: &Function, name: &str) -> bool {
    let mut found = false;
    let mut visit = |e: &Expr| match &e.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Increment(_, target) => {
            found |= root(target) == Some(name);
        }
        ExprKind::Call(_, arguments) => {
            found |= arguments.iter().any(|argument| root(argument) == Some(name));
        }
        _ => {}
    };
    function.body.statements.iter().for_each(|it| statement(it, &mut visit));
    found
}

/// The names that the template may change: assigned, stepped, or given to a function as a
/// reference that is not constant.
pub(crate) fn changed_names<'a>(
    template: &'a Template,
    functions: impl Fn(&str) -> Option<&'a Function>,
) -> Vec<&'a str> {
    let mut names = Vec::new();
    let mut visit = |e: &'a Expr| match &e.kind {
        ExprKind::Assign(_, target, _) | ExprKind::Increment(_, target) => {
            names.extend(root(target));
        }
        ExprKind::Call(callee, arguments) => {
            let Some(function) = root(callee).and_then(&functions) else { return };
            for (parameter, argument) in function.parameters.iter().zip(arguments) {
                if parameter.by_reference && !parameter.ty.prefix.constant {
                    names.extend(root(argument));
                }
            }
        }
        _ => {}
    };
    template.declarations.iter().for_each(|it| declaration(it, &mut visit));
    for edge in &template.edges {
        edge.updates.iter().for_each(|e| expr(e, &mut visit));
    }
    names
}
