//! What claims mention. A claim that is not checked still matters: Spin makes a state of every
//! label that some reference names, and keeps what some claim wants to know.

use crate::ast::{
    Block, Expr, ExprKind, Formula, FormulaKind, Model, Name, Statement, StatementKind, Unit,
};

/// The units of claims and formulas with the proctypes and labels that they refer to.
pub(super) fn labels_in_claims(model: &Model) -> Vec<(usize, Name, Name)> {
    let mut all = vec![];
    for (number, unit) in model.units.iter().enumerate() {
        in_claim(unit, &mut |it| {
            if let ExprKind::RemoteLabel { proctype, label, .. } = &it.kind {
                all.push((number, proctype.clone(), label.clone()));
            }
        });
    }
    all
}

/// Whether a claim or formula speaks of `_last`.
pub(super) fn mention_last(model: &Model) -> bool {
    let mut found = false;
    for unit in &model.units {
        in_claim(unit, &mut |it| {
            if let ExprKind::Reference(reference) = &it.kind {
                found |= reference.parts[0].name.text == "_last";
            }
        });
    }
    found
}

type Visit<'a> = &'a mut dyn FnMut(&Expr);

/// Visits the expressions of a claim or formula.
fn in_claim(unit: &Unit, visit: Visit) {
    match unit {
        Unit::Never(never) => block(&never.body, visit),
        Unit::Ltl(ltl) => formula(&ltl.formula, visit),
        _ => {}
    }
}

fn formula(it: &Formula, visit: Visit) {
    match &it.kind {
        FormulaKind::Atom(expr) => expression(expr, visit),
        FormulaKind::Not(inner) | FormulaKind::Unary(_, inner) => formula(inner, visit),
        FormulaKind::Binary(_, left, right) => {
            formula(left, visit);
            formula(right, visit);
        }
    }
}

fn block(it: &Block, visit: Visit) {
    it.statements.iter().for_each(|it| statement(it, visit));
}

fn statement(it: &Statement, visit: Visit) {
    match &it.kind {
        StatementKind::Expr(expr) | StatementKind::Assert(expr) => expression(expr, visit),
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|it| block(it, visit));
        }
        StatementKind::Atomic(it) | StatementKind::DStep(it) | StatementKind::Block(it) => {
            block(it, visit);
        }
        StatementKind::Inline(call) => block(&call.body, visit),
        StatementKind::Unless(body, escape) => {
            statement(body, visit);
            statement(escape, visit);
        }
        _ => {}
    }
}

fn expression(it: &Expr, visit: Visit) {
    visit(it);
    match &it.kind {
        ExprKind::Unary(_, operand)
        | ExprKind::Enabled(operand)
        | ExprKind::PcValue(operand)
        | ExprKind::GetPriority(operand) => expression(operand, visit),
        ExprKind::Binary(_, left, right) => {
            expression(left, visit);
            expression(right, visit);
        }
        ExprKind::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|it| expression(it, visit));
        }
        _ => {}
    }
}
