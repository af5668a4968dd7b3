//! Monitors against a naive evaluator on all short words, and known formulas.

mod brute_force;
mod emptiness;
mod known;

use super::{Guard, Monitor, Target};
use crate::ast::{Expr, ExprKind, Formula, Unit};

/// A formula from its text.
fn formula(text: &str) -> Formula {
    let model = format!("ltl f {{ {text} }}");
    let parsed = crate::parse("test.pml", model.as_bytes(), &[], &mut |_| Err(String::new()));
    assert!(!parsed.has_errors(), "{text}: {:?}", parsed.diagnostics);
    match parsed.model.units.into_iter().next() {
        Some(Unit::Ltl(ltl)) => ltl.formula,
        other => panic!("{text} is {other:?}"),
    }
}

/// The moves of a monitor, one line for each state.
fn shown(monitor: &Monitor) -> String {
    let state = |(number, moves): (usize, &Vec<super::Move>)| {
        let shown: Vec<String> = moves
            .iter()
            .map(|it| {
                let target = match it.target {
                    Target::State(number) => number.to_string(),
                    Target::Violated => "violated".to_string(),
                };
                format!("{} -> {target}", guard(&it.guard, &monitor.atoms))
            })
            .collect();
        format!("{number}: {}", shown.join("; "))
    };
    monitor.states.iter().enumerate().map(state).collect::<Vec<_>>().join("\n")
}

fn guard(it: &Guard, atoms: &[Expr]) -> String {
    let inner = |it: &Guard| match it {
        Guard::True | Guard::Atom(..) => guard(it, atoms),
        _ => format!("({})", guard(it, atoms)),
    };
    match it {
        Guard::True => "true".to_string(),
        Guard::Atom(index, true) => name(&atoms[*index]),
        Guard::Atom(index, false) => format!("!{}", name(&atoms[*index])),
        Guard::And(left, right) => format!("{} && {}", inner(left), inner(right)),
        Guard::Or(left, right) => format!("{} || {}", inner(left), inner(right)),
        Guard::Choice(index, yes, no) => {
            format!("{} -> {} : {}", name(&atoms[*index]), inner(yes), inner(no))
        }
    }
}

fn name(atom: &Expr) -> String {
    match &atom.kind {
        ExprKind::Reference(it) => it.parts[0].name.text.clone(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Binary(operator, left, right) => {
            format!("({} {operator:?} {})", name(left), name(right))
        }
        other => format!("{other:?}"),
    }
}
