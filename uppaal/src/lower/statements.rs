//! Statements of functions.

use super::values::Value;
use super::{Exit, Lowerer};
use crate::ast::{self, Declaration, Statement, StatementKind as S};
use crate::check::fold;
use crate::check::scope::{Leaf, View};
use crate::check::types::Ty;
use network::{Base, BinaryOp, Expr, LocalId, Place, StatementKind, Type};

/// Longer chains of `else if` are kept flat, so that nothing gets nested too deeply.
const MAX_NESTED_ARMS: usize = 32;

impl<'a> Lowerer<'a> {
    pub(super) fn statements(&mut self, list: &'a [Statement]) {
        for (i, statement) in list.iter().enumerate() {
            self.statement(statement);
            let rest = &list[i + 1..];
            if let (Some(running), false) = (self.still_running(statement), rest.is_empty()) {
                let (_, rest) = self.apart(|it| it.statements(rest));
                return self.emit(StatementKind::If(running, rest, Vec::new()), statement.span);
            }
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        self.depth += 1;
        self.statement_below(statement);
        self.depth -= 1;
    }

    fn statement_below(&mut self, statement: &'a Statement) {
        let span = statement.span;
        match &statement.kind {
            S::Empty => {}
            S::Declaration(Declaration::Variables(it)) => self.local_variables(it),
            S::Declaration(Declaration::Typedef(it)) => self.typedef(it),
            S::Declaration(it) => {
                self.error(it.span(), "this cannot be declared inside a function");
            }
            S::Expr(e) => self.effect(e),
            S::Block(block) => self.scoped(|it| it.statements(&block.statements)),
            S::If { arms, otherwise } if arms.len() <= MAX_NESTED_ARMS => {
                self.nested_arms(arms, otherwise.as_deref());
            }
            S::If { arms, otherwise } => self.flat_arms(arms, otherwise.as_deref(), span),
            S::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.effect(init);
                }
                self.repeat(condition.as_ref(), body, step.as_ref(), span);
            }
            S::Iterate { binding, body } => self.iterate(binding, body, span),
            S::While { condition, body } => self.repeat(Some(condition), body, None, span),
            S::DoWhile { body, condition } => self.do_while(body, condition, span),
            S::Return(value) => self.return_statement(value.as_ref(), span),
            S::Assert(condition) => {
                let condition = self.truth(condition);
                self.emit(StatementKind::Assert(condition), span);
            }
        }
    }

    fn branch(&mut self, statement: &'a Statement) -> Vec<network::Statement> {
        self.apart(|it| it.scoped(|it| it.statement(statement))).1
    }

    fn nested_arms(
        &mut self,
        arms: &'a [(ast::Expr, Statement)],
        otherwise: Option<&'a Statement>,
    ) {
        let Some(((condition, then), rest)) = arms.split_first() else {
            return otherwise.into_iter().for_each(|it| self.scoped(|s| s.statement(it)));
        };
        let condition_span = condition.span;
        let condition = self.truth(condition);
        let then = self.branch(then);
        let (_, otherwise) = self.apart(|it| it.nested_arms(rest, otherwise));
        self.emit_if(condition, then, otherwise, condition_span);
    }

    /// `taken = 0; if (!taken && c) { taken = 1; ... }` and so on.
    fn flat_arms(
        &mut self,
        arms: &'a [(ast::Expr, Statement)],
        otherwise: Option<&'a Statement>,
        span: ast::Span,
    ) {
        let taken = self.temporary();
        let free = fold::not(Expr::local(taken));
        self.emit(StatementKind::Assign(Place::local(taken), Expr::Const(0)), span);
        for (condition, then) in arms {
            let (holds, effects) = self.apart(|it| it.truth(condition));
            let (_, body) = self.apart(|it| {
                it.emit(StatementKind::Assign(Place::local(taken), Expr::Const(1)), span);
                let then = it.branch(then);
                it.emit_all(then);
            });
            let (condition, mut guarded) = match effects.is_empty() {
                true => (fold::and(free.clone(), holds), body),
                false => {
                    let mut guarded = effects;
                    let (_, inner) =
                        self.apart(|it| it.emit(StatementKind::If(holds, body, Vec::new()), span));
                    guarded.extend(inner);
                    (free.clone(), guarded)
                }
            };
            self.emit(StatementKind::If(condition, std::mem::take(&mut guarded), Vec::new()), span);
        }
        if let Some(otherwise) = otherwise {
            let body = self.branch(otherwise);
            self.emit(StatementKind::If(free, body, Vec::new()), span);
        }
    }

    /// `while` and `for`.
    fn repeat(
        &mut self,
        condition: Option<&'a ast::Expr>,
        body: &'a Statement,
        step: Option<&'a ast::Expr>,
        span: ast::Span,
    ) {
        self.owner.loops += 1;
        let (holds, effects) =
            self.apart(|it| condition.map_or(Expr::Const(1), |condition| it.truth(condition)));
        let running = self.still_running(body);
        let (_, statements) = self.apart(|it| {
            let body = it.branch(body);
            it.emit_all(body);
            let (_, step) = it.apart(|it| step.into_iter().for_each(|step| it.effect(step)));
            it.while_running(running.clone(), step, span);
        });
        self.owner.loops -= 1;
        let running = running.unwrap_or(Expr::Const(1));
        if effects.is_empty() {
            let condition = fold::and(running, holds);
            return self.emit(StatementKind::While(condition, statements), span);
        }
        let go = self.temporary();
        self.emit(StatementKind::Assign(Place::local(go), Expr::Const(1)), span);
        let (_, round) = self.apart(|it| {
            it.emit_all(effects);
            it.emit(StatementKind::Assign(Place::local(go), holds), span);
            it.emit(StatementKind::If(Expr::local(go), statements, Vec::new()), span);
        });
        self.emit(StatementKind::While(fold::and(running, Expr::local(go)), round), span);
    }

    /// Emits statements that an inlined function runs only if it has not returned.
    fn while_running(
        &mut self,
        running: Option<Expr>,
        statements: Vec<network::Statement>,
        span: ast::Span,
    ) {
        match running {
            Some(running) if !statements.is_empty() => {
                self.emit(StatementKind::If(running, statements, Vec::new()), span);
            }
            _ => self.emit_all(statements),
        }
    }

    fn do_while(&mut self, body: &'a Statement, condition: &'a ast::Expr, span: ast::Span) {
        self.owner.loops += 1;
        let go = self.temporary();
        self.emit(StatementKind::Assign(Place::local(go), Expr::Const(1)), span);
        let running = self.still_running(body);
        let (_, statements) = self.apart(|it| {
            let body = it.branch(body);
            it.emit_all(body);
            let (_, test) = it.apart(|it| {
                let holds = it.truth(condition);
                it.emit(StatementKind::Assign(Place::local(go), holds), span);
            });
            it.while_running(running.clone(), test, span);
        });
        self.owner.loops -= 1;
        let condition = fold::and(running.unwrap_or(Expr::Const(1)), Expr::local(go));
        self.emit(StatementKind::While(condition, statements), span);
    }

    /// `for (i : T) body`
    fn iterate(&mut self, binding: &'a ast::Binding, body: &'a Statement, span: ast::Span) {
        let Some(ty) = self.binder_type(binding) else { return };
        let Some(values) = ty.values() else { return };
        if values.is_empty() {
            return;
        }
        let (low, high) = (*values.start(), *values.end());
        let binder = self.local(&binding.name.text, ty.range(), Vec::new());
        // The counter leaves the range at the end, the name the user sees never does.
        let counter = self.temporary();
        self.emit(StatementKind::Assign(Place::local(counter), Expr::Const(low)), span);
        self.owner.loops += 1;
        let running = self.still_running(body);
        let (_, statements) = self.apart(|it| {
            it.emit(StatementKind::Assign(Place::local(binder), Expr::local(counter)), span);
            let leaf = Leaf::Base(Base::Local(binder));
            it.with_binder(binding, &ty, leaf, |it| {
                let body = it.branch(body);
                it.emit_all(body);
            });
            let next = fold::binary(BinaryOp::Add, Expr::local(counter), Expr::Const(1));
            it.emit(StatementKind::Assign(Place::local(counter), next), span);
        });
        self.owner.loops -= 1;
        let more = fold::binary(BinaryOp::Le, Expr::local(counter), Expr::Const(high));
        let condition = fold::and(running.unwrap_or(Expr::Const(1)), more);
        self.emit(StatementKind::While(condition, statements), span);
    }

    fn return_statement(&mut self, value: Option<&'a ast::Expr>, span: ast::Span) {
        match self.owner.exit.clone() {
            Exit::None => self.error(span, "`return` outside a function"),
            Exit::Plain(Ty::Void) | Exit::Inlined { result: None, .. } if value.is_some() => {
                self.error(span, "a `void` function returns no value");
            }
            Exit::Plain(Ty::Void) => self.emit(StatementKind::Return(None), span),
            Exit::Inlined { result: None, done } => self.mark_done(done, span),
            exit => match value {
                Some(value) => self.return_value(exit, value, span),
                None => self.error(span, "the function must return a value"),
            },
        }
    }

    fn return_value(&mut self, exit: Exit<'a>, e: &'a ast::Expr, span: ast::Span) {
        match exit {
            Exit::None => {}
            Exit::Plain(ty) => {
                let (value, from) = self.data(e);
                let value = self.coerce(value, &from, &ty, e.span);
                self.emit(StatementKind::Return(Some(value)), span);
            }
            Exit::Element(ty, leaf, locals) => {
                let Some(view) = self.returned_view(&ty, e) else { return };
                let value = self.element_of(&view, leaf, &locals);
                self.emit(StatementKind::Return(Some(value)), span);
            }
            Exit::Inlined { result: Some(result), done } if result.ty.is_data() => {
                let (value, from) = self.data(e);
                let value = self.coerce(value, &from, &result.ty, e.span);
                self.assign_view(&result, value, span);
                self.mark_done(done, span);
            }
            Exit::Inlined { result, done } => {
                let Some(result) = result else { return };
                let Some(view) = self.returned_view(&result.ty, e) else { return };
                self.copy(&result, &view, span);
                self.mark_done(done, span);
            }
        }
    }

    fn returned_view(&mut self, ty: &Ty, e: &'a ast::Expr) -> Option<View<'a>> {
        match self.value(e) {
            Value::View(view) if ty.accepts(&view.ty) => Some(view),
            Value::View(view) => {
                self.mismatch(&view.ty, ty, e.span);
                None
            }
            Value::Error => None,
            _ => {
                self.error(e.span, format!("expected a value of type `{ty}`"));
                None
            }
        }
    }

    /// One element of one leaf, at the indices in the locals.
    fn element_of(&mut self, view: &View<'a>, leaf: usize, locals: &[LocalId]) -> Expr {
        let Some(shape) = view.ty.leaves().into_iter().nth(leaf) else { return Expr::Const(0) };
        let mut element = view.clone();
        element.ty = shape.ty;
        element.first += leaf;
        element.indices.extend(locals.iter().map(|&local| Expr::local(local)));
        self.read_leaf(&element)
    }

    fn mark_done(&mut self, done: Option<LocalId>, span: ast::Span) {
        if let Some(done) = done {
            debug_assert_eq!(self.owner.locals[done].ty, Type::BOOL);
            self.emit(StatementKind::Assign(Place::local(done), Expr::Const(1)), span);
        }
    }
}
