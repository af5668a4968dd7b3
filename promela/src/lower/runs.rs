//! `run` inside expressions. Expressions of the network have no effects, so the processes are
//! started before, each number kept in a local; what Spin's verifiers skip, as the right side of
//! `&&` may be, is skipped here too.

use super::emit::{Emit, not};
use super::resolved::{Run, Value};
use crate::ast;
use network::{Arena, Base, BinaryOp, Expr, Local, LocalId, Place, Statement, StatementKind, Type};

/// Statements that are being written.
pub(super) struct Work<'a> {
    pub code: Vec<Statement>,
    pub locals: &'a mut Arena<LocalId, Local>,
    pub span: ast::Span,
}

impl Work<'_> {
    fn local(&mut self) -> LocalId {
        let name = format!("value_{}", self.locals.len());
        self.locals.push(Local { name, ty: Type::ANY, sizes: vec![] })
    }
}

impl Emit<'_> {
    /// Assigns a value, in which processes may be started.
    pub(super) fn assign(&self, place: Place, value: &Value, work: &mut Work) {
        if let Value::Run(run) = value {
            return self.start_process(run, Some(place), work);
        }
        let value = self.value_after_runs(value, work);
        work.code.push(self.statement(StatementKind::Assign(place, value), work.span));
    }

    /// Evaluates for the sake of what may happen then.
    pub(super) fn evaluate(&self, value: &Value, work: &mut Work) {
        match value {
            Value::Run(run) => self.start_process(run, None, work),
            _ if value.matters() => {
                let value = self.value_after_runs(value, work);
                self.keep(value, work);
            }
            _ => {}
        }
    }

    pub(super) fn start_process(&self, run: &Run, result: Option<Place>, work: &mut Work) {
        let arguments: Vec<_> =
            run.arguments.iter().map(|it| self.value_after_runs(it, work)).collect();
        work.code.extend(self.run(run, &arguments, result.as_ref()));
    }

    /// An expression for a value; the processes in it are started by the statements before.
    pub(super) fn value_after_runs(&self, value: &Value, work: &mut Work) -> Expr {
        if !value.has_run() {
            return self.value(value);
        }
        match value {
            Value::Run(run) => {
                let number = work.local();
                self.start_process(run, Some(Place::local(number)), work);
                Expr::local(number)
            }
            Value::Unary(op, operand) => Expr::unary(*op, self.value_after_runs(operand, work)),
            Value::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.short_circuit(*op, left, right, work)
            }
            Value::Binary(op, left, right) => {
                let left = self.value_after_runs(left, work);
                Expr::binary(*op, left, self.value_after_runs(right, work))
            }
            Value::Conditional(condition, yes, no) => self.conditional(condition, yes, no, work),
            Value::Read(target) => match self.variable(target.base) {
                Some(variable) => {
                    let indices = target.indices.iter();
                    let indices = indices.map(|it| self.value_after_runs(it, work)).collect();
                    Expr::Read(Place { base: Base::Variable(variable), indices })
                }
                None => self.value(value),
            },
            // Nothing else is looked up with `run` allowed in it.
            _ => self.value(value),
        }
    }

    /// A local that holds the value.
    fn keep(&self, value: Expr, work: &mut Work) -> LocalId {
        let kept = work.local();
        let kind = StatementKind::Assign(Place::local(kept), value);
        work.code.push(self.statement(kind, work.span));
        kept
    }

    fn short_circuit(&self, op: BinaryOp, left: &Value, right: &Value, work: &mut Work) -> Expr {
        let truth = |value| Expr::binary(BinaryOp::Ne, value, Expr::Const(0));
        let left = self.value_after_runs(left, work);
        let result = self.keep(truth(left), work);
        let before = std::mem::take(&mut work.code);
        let right = self.value_after_runs(right, work);
        let assign = StatementKind::Assign(Place::local(result), truth(right));
        work.code.push(self.statement(assign, work.span));
        let then = std::mem::replace(&mut work.code, before);
        let open = match op {
            BinaryOp::And => Expr::local(result),
            _ => not(Expr::local(result)),
        };
        work.code.push(self.statement(StatementKind::If(open, then, vec![]), work.span));
        Expr::local(result)
    }

    fn conditional(&self, condition: &Value, yes: &Value, no: &Value, work: &mut Work) -> Expr {
        let condition = self.value_after_runs(condition, work);
        let result = work.local();
        let mut branch = |value: &Value| {
            let before = std::mem::take(&mut work.code);
            let value = self.value_after_runs(value, work);
            let assign = StatementKind::Assign(Place::local(result), value);
            work.code.push(self.statement(assign, work.span));
            std::mem::replace(&mut work.code, before)
        };
        let (yes, no) = (branch(yes), branch(no));
        work.code.push(self.statement(StatementKind::If(condition, yes, no), work.span));
        Expr::local(result)
    }
}
