//! The body of a function, once for each copy.

use super::calls::FunctionFacts;
use super::{Exit, Lowerer, MAX_CALLS, MAX_COPIES};
use crate::check::scope::{Access, FunctionSymbol, Leaf, Parameter, Symbol, View};
use crate::check::types::Ty;
use network::{
    Base, Expr, Function, FunctionId, Id, LocalId, Place, Statement, StatementKind, Type,
};
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    /// Lowers a copy of a function and returns its id.
    pub(super) fn lower_function(
        &mut self,
        function: &Rc<FunctionSymbol<'a>>,
        bindings: &[View<'a>],
        element: Option<(usize, usize)>,
    ) -> FunctionId {
        self.copies += 1;
        self.lowered.insert(function.ast.name.span);
        let lowered = if self.copies > MAX_COPIES {
            self.error(function.ast.name.span, "this function is used in too many different ways");
            None
        } else {
            Some(self.build_function(function, bindings, element, false))
        };
        let lowered = match lowered {
            Some((lowered, false)) => lowered,
            Some((_, true)) => self.build_function(function, bindings, element, true).0,
            None => self.empty_function(function),
        };
        self.warn_about_missing_return(function, &lowered);
        let facts = self.facts_of(&lowered.body);
        if facts.calls > MAX_CALLS {
            self.error(function.ast.name.span, "calls are nested too deeply");
        }
        self.facts.push(facts);
        self.network.functions.push(lowered)
    }

    fn empty_function(&mut self, function: &FunctionSymbol<'a>) -> Function {
        Function {
            name: function.ast.name.text.clone(),
            parameters: Vec::new(),
            locals: Default::default(),
            result: None,
            body: Vec::new(),
            span: self.span(function.ast.span),
        }
    }

    /// Builds the function; also tells whether arrays by value must be copied after all.
    fn build_function(
        &mut self,
        function: &Rc<FunctionSymbol<'a>>,
        bindings: &[View<'a>],
        element: Option<(usize, usize)>,
        copied: bool,
    ) -> (Function, bool) {
        let outer = (self.scope, self.prefix.clone(), self.in_query);
        self.scope = self.scopes.open_below(Some(function.scope), function.order);
        self.prefix = function.prefix.clone();
        self.in_query = false;
        let ((parameters, body), owner) =
            self.with_owner(|it| it.function_parts(function, bindings, element, copied));
        self.scopes.close(self.scope);
        (self.scope, self.prefix, self.in_query) = outer;
        let result = match (&function.result, element) {
            (Ty::Void, _) => None,
            (ty, Some((leaf, _))) => ty.leaves().get(leaf).map(|leaf| leaf.ty.range()),
            (ty, None) => Some(ty.range()),
        };
        let lowered = Function {
            name: format!("{}{}", function.prefix, function.ast.name.text),
            parameters,
            locals: owner.locals,
            result,
            body,
            span: self.span(function.ast.name.span),
        };
        let again =
            !copied && (owner.writes_shared || self.writes_bound(function, bindings, &lowered));
        (lowered, again)
    }

    /// The parameters and the body.
    fn function_parts(
        &mut self,
        function: &Rc<FunctionSymbol<'a>>,
        bindings: &[View<'a>],
        element: Option<(usize, usize)>,
        copied: bool,
    ) -> (Vec<LocalId>, Vec<Statement>) {
        let (mut values, mut indices, mut copies) = (Vec::new(), Vec::new(), Vec::new());
        let mut bound = bindings.iter();
        for parameter in &function.parameters {
            let name = &parameter.ast.name;
            let access = parameter_access(parameter);
            let mut view = if parameter.is_value() {
                let id = self.local(&name.text, parameter.ty.range(), Vec::new());
                values.push(id);
                View::whole(parameter.ty.clone(), vec![Leaf::Base(Base::Local(id))], access)
            } else {
                let Some(actual) = bound.next() else { continue };
                self.bound_parameter(actual, access, &mut indices)
            };
            if copied && !parameter.is_value() && !parameter.ast.by_reference {
                let access = if access == Access::Shared { Access::Write } else { access };
                let local = self.local_object(&name.text, &parameter.ty, access, name.span);
                let original = std::mem::replace(&mut view, local.clone());
                copies.push((local, original, name.span));
            }
            self.declare(name, Symbol::Object(view));
        }
        values.extend(indices);
        self.owner.exit = self.function_exit(function, element, &mut values);
        let (_, body) = self.apart(|it| {
            for (local, original, span) in copies {
                it.copy(&local, &original, span);
            }
            it.scoped(|it| it.statements(&function.ast.body.statements));
        });
        (values, body)
    }

    /// What `return` does; indices of a wanted element become parameters.
    fn function_exit(
        &mut self,
        function: &FunctionSymbol<'a>,
        element: Option<(usize, usize)>,
        parameters: &mut Vec<LocalId>,
    ) -> Exit<'a> {
        let Some((leaf, count)) = element else { return Exit::Plain(function.result.clone()) };
        let locals: Vec<LocalId> =
            (0..count).map(|_| self.local("index", Type::ANY, Vec::new())).collect();
        parameters.extend(&locals);
        Exit::Element(function.result.clone(), leaf, locals)
    }

    /// The variable behind a reference, as seen inside the function.
    fn bound_parameter(
        &mut self,
        actual: &View<'a>,
        access: Access,
        parameters: &mut Vec<LocalId>,
    ) -> View<'a> {
        let mut view = View::whole(actual.ty.clone(), actual.parts().to_vec(), access);
        for index in &actual.indices {
            view.indices.push(match index {
                Expr::Const(value) => Expr::Const(*value),
                _ => {
                    let local = self.local("index", Type::ANY, Vec::new());
                    parameters.push(local);
                    Expr::local(local)
                }
            });
        }
        view
    }

    /// Whether the function changes a variable that stands for a parameter by value.
    fn writes_bound(
        &self,
        function: &FunctionSymbol<'a>,
        bindings: &[View<'a>],
        lowered: &Function,
    ) -> bool {
        let facts = self.facts_of(&lowered.body);
        let bound = function.parameters.iter().filter(|parameter| !parameter.is_value());
        bound.zip(bindings).any(|(parameter, view)| {
            !parameter.ast.by_reference
                && view.parts().iter().any(|leaf| {
                    matches!(leaf, Leaf::Base(Base::Variable(id)) if facts.writes.contains(id))
                })
        })
    }

    fn facts_of(&self, body: &[Statement]) -> FunctionFacts {
        let mut facts = FunctionFacts { calls: 1, ..FunctionFacts::default() };
        let calls = |id: FunctionId| self.facts.get(id.index()).map_or(1, |it| it.calls + 1);
        let write = |place: &Place, facts: &mut FunctionFacts| {
            if let Base::Variable(id) = place.base {
                facts.effects = true;
                facts.writes.insert(id);
            }
        };
        for statement in body {
            statement.walk(&mut |statement| {
                for e in statement.expressions() {
                    e.walk(&mut |e| {
                        if let Expr::Call(id, _) = e {
                            facts.calls = facts.calls.max(calls(*id));
                        }
                    });
                }
                match &statement.kind {
                    StatementKind::Assign(place, _) => write(place, &mut facts),
                    StatementKind::Reset(..) => facts.effects = true,
                    StatementKind::Call(place, id, _) => {
                        place.iter().for_each(|place| write(place, &mut facts));
                        facts.calls = facts.calls.max(calls(*id));
                        if let Some(callee) = self.facts.get(id.index()) {
                            facts.effects |= callee.effects;
                            facts.writes.extend(&callee.writes);
                        }
                    }
                    _ => {}
                }
            });
        }
        facts
    }

    fn warn_about_missing_return(&mut self, function: &FunctionSymbol<'a>, lowered: &Function) {
        if function.result != Ty::Void && completes(&lowered.body) && self.report.errors() == 0 {
            let name = &function.ast.name;
            self.warn(
                name.span,
                format!("`{}` may end without `return`", name.text),
                "the result is then the least value of its type",
            );
        }
    }
}

/// What the function itself may do with a parameter.
fn parameter_access(parameter: &Parameter) -> Access {
    if parameter.constant {
        return Access::ReadOnly("a constant parameter");
    }
    match parameter.ast.by_reference || parameter.is_value() {
        true => Access::Write,
        false => Access::Shared,
    }
}

/// Whether control may reach the end of the statements.
fn completes(statements: &[Statement]) -> bool {
    statements.iter().all(|statement| match &statement.kind {
        StatementKind::Return(_) => false,
        StatementKind::If(_, then, otherwise) => completes(then) || completes(otherwise),
        StatementKind::While(condition, _) => !condition.is_true(),
        _ => true,
    })
}
