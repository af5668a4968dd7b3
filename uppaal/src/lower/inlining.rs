//! Calls in place: for references to locals, and for results that are arrays or structs.
//!
//! `return` becomes an assignment to the result. If anything can follow it, a local `done` is set,
//! and the statements after are guarded by it.

use super::calls::Argument;
use super::values::Value;
use super::{Exit, Lowerer, MAX_COPIES};
use crate::ast::{self, Statement, StatementKind as S};
use crate::check::fold;
use crate::check::scope::{Access, FunctionSymbol, Leaf, Parameter, Symbol, View};
use crate::check::types::Ty;
use crate::check::walk;
use network::{Base, Expr, LocalId, Place, StatementKind, Type};
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    pub(super) fn inline(
        &mut self,
        e: &'a ast::Expr,
        function: &Rc<FunctionSymbol<'a>>,
        arguments: Vec<Argument<'a>>,
    ) -> Value<'a> {
        self.copies += 1;
        self.lowered.insert(function.ast.name.span);
        if self.copies > MAX_COPIES {
            self.error(e.span, "this function is used in too many different ways");
            return Value::Error;
        }
        self.check_constant_locals(function, &arguments, e.span);
        let inner = self.scopes.open_below(Some(function.scope), function.order);
        let mut views = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let shared = is_harmless(function, parameter, &argument);
            views.push(self.inlined_parameter(parameter, argument, shared, e.span));
        }
        let result = self.inlined_result(function, e.span);
        let done = returns_early(&function.ast.body.statements).then(|| {
            let done = self.local("done", Type::BOOL, Vec::new());
            self.emit(StatementKind::Assign(Place::local(done), Expr::Const(0)), e.span);
            done
        });
        let exit = Exit::Inlined { result: result.clone(), done };
        let outer =
            (self.scope, self.prefix.clone(), std::mem::replace(&mut self.owner.exit, exit));
        self.scope = inner;
        self.prefix = function.prefix.clone();
        for (parameter, view) in function.parameters.iter().zip(views) {
            self.declare(&parameter.ast.name, Symbol::Object(view));
        }
        self.scoped(|it| it.statements(&function.ast.body.statements));
        self.scopes.close(inner);
        (self.scope, self.prefix, self.owner.exit) = outer;
        match result {
            None => Value::Nothing,
            Some(view) => Value::View(view),
        }
    }

    /// As for functions that are not inlined: a constant reference is a value, so what is behind
    /// it must not be given as a reference that can be changed, too.
    fn check_constant_locals(
        &mut self,
        function: &FunctionSymbol<'a>,
        arguments: &[Argument<'a>],
        span: ast::Span,
    ) {
        let bound: Vec<Base> = arguments
            .iter()
            .filter_map(|it| match it {
                Argument::Bound(view) => Some(view.parts()),
                Argument::Number(_) => None,
            })
            .flatten()
            .filter_map(|leaf| if let Leaf::Base(base) = leaf { Some(*base) } else { None })
            .collect();
        let clash = function.parameters.iter().zip(arguments).any(|(parameter, argument)| {
            let Argument::Number(Expr::Read(place)) = argument else { return false };
            parameter.ast.by_reference && bound.contains(&place.base)
        });
        if clash {
            let message = "not supported: a constant reference to a variable that is also given as a reference";
            self.error(span, message);
        }
    }

    fn inlined_parameter(
        &mut self,
        parameter: &Parameter<'a>,
        argument: Argument<'a>,
        shared: bool,
        span: ast::Span,
    ) -> View<'a> {
        let access = match parameter.constant {
            true => Access::ReadOnly("a constant parameter"),
            false => Access::Write,
        };
        let name = &parameter.ast.name.text;
        match argument {
            Argument::Number(value) => {
                let view = self.local_object(name, &parameter.ty, access, span);
                self.assign_view(&view, value, span);
                view
            }
            Argument::Bound(view) if parameter.ast.by_reference || shared => {
                let mut view = View { access, ..view };
                for index in &mut view.indices {
                    if !self.is_stable(index) {
                        *index = self.hold(index.clone(), span);
                    }
                }
                view
            }
            Argument::Bound(view) => {
                let local = self.local_object(name, &parameter.ty, access, span);
                self.copy(&local, &view, span);
                local
            }
        }
    }

    /// Where the result goes; it starts as it would in a function that ends without `return`.
    fn inlined_result(
        &mut self,
        function: &FunctionSymbol<'a>,
        span: ast::Span,
    ) -> Option<View<'a>> {
        if function.result == Ty::Void {
            return None;
        }
        let access = Access::ReadOnly("the result of a call");
        let view = self.local_object("result", &function.result, access, span);
        for leaf in view.parts() {
            if let Leaf::Base(Base::Local(id)) = leaf
                && self.owner.locals[*id].sizes.is_empty()
            {
                self.owner.held.insert(*id);
            }
        }
        if function.result.is_data() {
            let least = Expr::Const(function.result.range().low);
            self.assign_view(&view, least, span);
        } else if self.owner.loops > 0 {
            self.clear(&view, span);
        }
        Some(view)
    }

    /// The local that tells that an inlined function has returned.
    pub(super) fn done(&self) -> Option<LocalId> {
        match &self.owner.exit {
            Exit::Inlined { done, .. } => *done,
            _ => None,
        }
    }

    /// That an inlined function has not returned yet; none if it cannot have in `statement`.
    pub(super) fn still_running(&self, statement: &Statement) -> Option<Expr> {
        let done = self.done()?;
        returns(statement).then(|| fold::not(Expr::local(done)))
    }
}

/// Whether a local array or struct by value need not be copied: the function does not change it,
/// and has no other way to it.
fn is_harmless(function: &FunctionSymbol, parameter: &Parameter, argument: &Argument) -> bool {
    let Argument::Bound(view) = argument else { return false };
    let writes = |it: &Parameter| it.ast.by_reference && !it.constant;
    let local = |leaf: &Leaf| matches!(leaf, Leaf::Base(Base::Local(_)));
    view.parts().iter().all(local)
        && !function.parameters.iter().any(writes)
        && !walk::may_change(function.ast, &parameter.ast.name.text)
}

/// Whether there is a `return` in the statement.
pub(super) fn returns(statement: &Statement) -> bool {
    match &statement.kind {
        S::Return(_) => true,
        S::Block(block) => block.statements.iter().any(returns),
        S::If { arms, otherwise } => {
            arms.iter().any(|(_, then)| returns(then)) || otherwise.as_deref().is_some_and(returns)
        }
        S::For { body, .. } | S::Iterate { body, .. } => returns(body),
        S::While { body, .. } | S::DoWhile { body, .. } => returns(body),
        _ => false,
    }
}

/// Whether anything can follow a `return` in the statements.
fn returns_early(statements: &[Statement]) -> bool {
    let Some((last, others)) = statements.split_last() else { return false };
    others.iter().any(returns) || last_returns_early(last)
}

fn last_returns_early(last: &Statement) -> bool {
    match &last.kind {
        S::Block(block) => returns_early(&block.statements),
        S::If { arms, otherwise } => {
            arms.iter().any(|(_, then)| last_returns_early(then))
                || otherwise.as_deref().is_some_and(last_returns_early)
        }
        S::Return(_) => false,
        _ => returns(last),
    }
}
