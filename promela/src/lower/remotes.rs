//! Remote references inside claims. A claim that is not checked still matters: Spin makes a state
//! of every label that some reference names.

use crate::ast::{
    Block, Expr, ExprKind, Formula, FormulaKind, Model, Name, Statement, StatementKind, Unit,
};

/// The units of claims and formulas with the proctypes and labels that they refer to.
pub(super) fn labels_in_claims(model: &Model) -> Vec<(usize, Name, Name)> {
    let mut all = vec![];
    for (number, unit) in model.units.iter().enumerate() {
        let mut found = vec![];
        match unit {
            Unit::Never(never) => block(&never.body, &mut found),
            Unit::Ltl(ltl) => formula(&ltl.formula, &mut found),
            _ => {}
        }
        all.extend(found.into_iter().map(|(proctype, label)| (number, proctype, label)));
    }
    all
}

type Found = Vec<(Name, Name)>;

fn formula(it: &Formula, found: &mut Found) {
    match &it.kind {
        FormulaKind::Atom(expr) => expression(expr, found),
        FormulaKind::Not(inner) | FormulaKind::Unary(_, inner) => formula(inner, found),
        FormulaKind::Binary(_, left, right) => {
            formula(left, found);
            formula(right, found);
        }
    }
}

fn block(it: &Block, found: &mut Found) {
    it.statements.iter().for_each(|it| statement(it, found));
}

fn statement(it: &Statement, found: &mut Found) {
    match &it.kind {
        StatementKind::Expr(expr) | StatementKind::Assert(expr) => expression(expr, found),
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|it| block(it, found));
        }
        StatementKind::Atomic(it) | StatementKind::DStep(it) | StatementKind::Block(it) => {
            block(it, found);
        }
        StatementKind::Inline(call) => block(&call.body, found),
        StatementKind::Unless(body, escape) => {
            statement(body, found);
            statement(escape, found);
        }
        _ => {}
    }
}

fn expression(it: &Expr, found: &mut Found) {
    match &it.kind {
        ExprKind::RemoteLabel { proctype, label, .. } => {
            found.push((proctype.clone(), label.clone()));
        }
        ExprKind::Unary(_, operand) => expression(operand, found),
        ExprKind::Binary(_, left, right) => {
            expression(left, found);
            expression(right, found);
        }
        ExprKind::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|it| expression(it, found));
        }
        _ => {}
    }
}
