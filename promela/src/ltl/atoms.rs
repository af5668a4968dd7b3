//! The propositions of a formula: conditions that are the same up to their place are one.

use crate::ast::{BinaryOp, Expr, ExprKind, Name, Part, Pattern, Reference, Span, UnaryOp};

/// The different conditions, in the order of their first occurrence.
#[derive(Default)]
pub(super) struct Atoms {
    pub list: Vec<Expr>,
    /// The same without places.
    placeless: Vec<Expr>,
}

/// How a condition is made of others.
pub(super) enum Shape<'a> {
    Constant(bool),
    Not(&'a Expr),
    And(&'a Expr, &'a Expr),
    Or(&'a Expr, &'a Expr),
    /// Nothing simpler; comparisons are `==` or `<`, perhaps negated.
    Atom {
        expr: Expr,
        negated: bool,
    },
}

impl Atoms {
    /// The number of a condition.
    pub fn number(&mut self, expr: Expr) -> usize {
        let mut placeless = expr.clone();
        forget_places(&mut placeless);
        let known = self.placeless.iter().position(|it| *it == placeless);
        known.unwrap_or_else(|| {
            self.list.push(expr);
            self.placeless.push(placeless);
            self.list.len() - 1
        })
    }
}

/// Takes the outermost operator off.
pub(super) fn shape(expr: &Expr) -> Shape<'_> {
    let compare = |operator, left: &Expr, right: &Expr, negated| {
        let kind = ExprKind::Binary(operator, Box::new(left.clone()), Box::new(right.clone()));
        Shape::Atom { expr: Expr { kind, span: expr.span }, negated }
    };
    match &expr.kind {
        ExprKind::Int(value) => Shape::Constant(*value != 0),
        ExprKind::Bool(value) => Shape::Constant(*value),
        ExprKind::Skip => Shape::Constant(true),
        ExprKind::Unary(UnaryOp::Not, operand) => Shape::Not(operand),
        ExprKind::Binary(operator, left, right) => match operator {
            BinaryOp::And => Shape::And(left, right),
            BinaryOp::Or => Shape::Or(left, right),
            BinaryOp::NotEqual => compare(BinaryOp::Equal, left, right, true),
            BinaryOp::Greater => compare(BinaryOp::Less, right, left, false),
            BinaryOp::GreaterEqual => compare(BinaryOp::Less, left, right, true),
            BinaryOp::LessEqual => compare(BinaryOp::Less, right, left, true),
            _ => Shape::Atom { expr: expr.clone(), negated: false },
        },
        _ => Shape::Atom { expr: expr.clone(), negated: false },
    }
}

/// Whether a condition has a value in every state.
pub(super) fn cannot_fail(expr: &Expr) -> bool {
    let is_fixed = |index: &Expr| matches!(index.kind, ExprKind::Int(_));
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Skip => true,
        ExprKind::Reference(it) => it.parts.iter().all(|it| it.index.iter().all(is_fixed)),
        ExprKind::Unary(_, operand) => cannot_fail(operand),
        ExprKind::Binary(operator, left, right) => {
            use BinaryOp::{Divide, Modulo, ShiftLeft, ShiftRight};
            !matches!(operator, Divide | Modulo | ShiftLeft | ShiftRight)
                && cannot_fail(left)
                && cannot_fail(right)
        }
        ExprKind::RemoteLabel { process, .. } => process.iter().all(|it| is_fixed(it)),
        ExprKind::RemoteVariable { process, variable, .. } => {
            process.iter().all(|it| is_fixed(it)) && variable.index.iter().all(is_fixed)
        }
        _ => false,
    }
}

fn forget_places(expr: &mut Expr) {
    expr.span = Span::default();
    match &mut expr.kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Skip
        | ExprKind::Timeout
        | ExprKind::NonProgress => {}
        ExprKind::Reference(reference)
        | ExprKind::Len(reference)
        | ExprKind::Probe(_, reference) => in_reference(reference),
        ExprKind::Unary(_, operand)
        | ExprKind::Enabled(operand)
        | ExprKind::PcValue(operand)
        | ExprKind::GetPriority(operand) => forget_places(operand),
        ExprKind::Binary(_, left, right) => {
            forget_places(left);
            forget_places(right);
        }
        ExprKind::Conditional(condition, yes, no) => {
            [condition, yes, no].into_iter().for_each(|it| forget_places(it));
        }
        ExprKind::Run(run) => {
            in_name(&mut run.proctype);
            run.arguments.iter_mut().for_each(forget_places);
            run.priority.iter_mut().for_each(|it| forget_places(it));
        }
        ExprKind::Poll(poll) => {
            in_reference(&mut poll.channel);
            poll.patterns.iter_mut().for_each(in_pattern);
        }
        ExprKind::RemoteLabel { proctype, process, label } => {
            in_name(proctype);
            process.iter_mut().for_each(|it| forget_places(it));
            in_name(label);
        }
        ExprKind::RemoteVariable { proctype, process, variable } => {
            in_name(proctype);
            process.iter_mut().for_each(|it| forget_places(it));
            in_part(variable);
        }
    }
}

fn in_reference(reference: &mut Reference) {
    reference.span = Span::default();
    reference.parts.iter_mut().for_each(in_part);
}

fn in_part(part: &mut Part) {
    in_name(&mut part.name);
    part.index.iter_mut().for_each(forget_places);
}

fn in_name(name: &mut Name) {
    name.span = Span::default();
}

fn in_pattern(pattern: &mut Pattern) {
    match pattern {
        Pattern::Reference(reference) => in_reference(reference),
        Pattern::Eval(expr) | Pattern::Constant(expr) => forget_places(expr),
    }
}
