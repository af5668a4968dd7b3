//! Calls: arguments, and the copies of a function for the ways its references are bound.
//!
//! Functions of the network take numbers only. A reference parameter, and an array or struct by
//! value, is *bound*: the copy of the function names the variables themselves and gets extra
//! parameters for indices that are not constant. Locals cannot be named from another function, so
//! a call that binds them is inlined (`inlining`).

use super::Lowerer;
use super::values::Value;
use crate::ast::{self, ExprKind};
use crate::check::fold;
use crate::check::scope::{
    Access, Found, FunctionSymbol, Leaf, Parameter, PendingCall, Symbol, View,
};
use crate::check::types::{INT, Ty};
use network::{Base, ChannelId, ClockId, Expr, Id, Place, StatementKind, UnaryOp, VariableId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Functions on `double` that models may call without declaring them.
const DOUBLE: &str = "fabs fmod fma fmax fmin exp exp2 expm1 ln log log10 log2 log1p pow sqrt cbrt hypot sin cos \
    tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma lgamma ceil \
    floor trunc round fint ldexp ilogb logb nextafter copysign fdim isfinite isinf isnan \
    isnormal signbit isunordered random random_arcsine random_beta random_gamma random_normal \
    random_poisson random_tri random_weibull";

/// A copy of a function.
#[derive(PartialEq, Eq, Hash, Clone)]
pub(crate) struct FunctionKey {
    /// The declaration's number.
    order: u32,
    bindings: Vec<BindingKey>,
    /// The leaf of the result that is wanted and the number of indices into it.
    element: Option<(usize, usize)>,
}

#[derive(PartialEq, Eq, Hash, Clone)]
struct BindingKey {
    leaves: Vec<LeafKey>,
    indices: Vec<Option<i32>>,
}

#[derive(PartialEq, Eq, Hash, Clone)]
enum LeafKey {
    Base(Base),
    Clock(ClockId),
    Channel(ChannelId),
    Const(i32),
    Result,
}

/// What is known about a lowered function.
#[derive(Default)]
pub(crate) struct FunctionFacts {
    /// Whether it changes anything but its own locals.
    pub effects: bool,
    /// The variables it changes.
    pub writes: FxHashSet<VariableId>,
    /// How deeply its calls are nested; 1 if it calls nobody.
    pub calls: u32,
}

/// A lowered argument.
pub(super) enum Argument<'a> {
    Number(Expr),
    Bound(View<'a>),
}

impl<'a> Lowerer<'a> {
    pub(super) fn call(
        &mut self,
        e: &'a ast::Expr,
        callee: &'a ast::Expr,
        arguments: &'a [ast::Expr],
        wanted: bool,
    ) -> Value<'a> {
        match &callee.kind {
            ExprKind::Name(name) => {
                if let Found::Nothing = self.scopes.find(self.scope, name)
                    && let Some(value) = self.builtin(name, e, arguments)
                {
                    return value;
                }
                match self.lookup(name, callee.span) {
                    Some(Symbol::Function(function)) => {
                        self.call_function(e, &function, arguments, wanted)
                    }
                    Some(Symbol::Template(_) | Symbol::Instantiation(_)) => {
                        self.process(name, arguments, e.span)
                    }
                    Some(Symbol::Error) | None => Value::Error,
                    Some(_) => {
                        self.error(callee.span, format!("`{name}` is not a function"));
                        Value::Error
                    }
                }
            }
            ExprKind::Field(base, name) => self.call_member(e, base, name, arguments, wanted),
            _ => {
                self.error(callee.span, "this cannot be called");
                Value::Error
            }
        }
    }

    /// `P.f(1)` in a query.
    fn call_member(
        &mut self,
        e: &'a ast::Expr,
        base: &'a ast::Expr,
        name: &'a ast::Name,
        arguments: &'a [ast::Expr],
        wanted: bool,
    ) -> Value<'a> {
        match self.value(base) {
            Value::Process(process) => {
                let scope = self.process_facts[process.index()].scope;
                match self.scopes.local(scope, &name.text).map(|entry| entry.symbol.clone()) {
                    Some(Symbol::Function(function)) => {
                        self.call_function(e, &function, arguments, wanted)
                    }
                    _ => {
                        let message = format!("the process has no function `{}`", name.text);
                        self.error(name.span, message);
                        Value::Error
                    }
                }
            }
            Value::Error => Value::Error,
            _ => {
                self.error(base.span, "only functions can be called");
                Value::Error
            }
        }
    }

    /// Functions that need no declaration.
    fn builtin(
        &mut self,
        name: &str,
        e: &ast::Expr,
        arguments: &'a [ast::Expr],
    ) -> Option<Value<'a>> {
        match (name, arguments) {
            ("abs", [argument]) => {
                let value = self.integer(argument);
                Some(Value::Data(fold::unary(UnaryOp::Abs, value), INT))
            }
            ("abs", _) => {
                self.error(e.span, format!("`abs` takes 1 argument, found {}", arguments.len()));
                Some(Value::Error)
            }
            _ if DOUBLE.split_whitespace().any(|it| it == name) => {
                self.error(e.span, format!("not supported: `{name}`, a function on `double`"));
                Some(Value::Error)
            }
            _ => None,
        }
    }

    fn call_function(
        &mut self,
        e: &'a ast::Expr,
        function: &Rc<FunctionSymbol<'a>>,
        list: &'a [ast::Expr],
        wanted: bool,
    ) -> Value<'a> {
        if list.len() != function.parameters.len() {
            let (name, wants) = (&function.ast.name.text, function.parameters.len());
            let message = wrong_arity(name, wants, list.len());
            self.error(e.span, message);
            return Value::Error;
        }
        let errors = self.report.errors();
        let Some(arguments) = self.arguments(&function.parameters, list) else {
            return Value::Error;
        };
        if self.report.errors() > errors {
            return Value::Error;
        }
        let compound = function.result.is_compound();
        let locals = arguments.iter().any(|it| matches!(it, Argument::Bound(v) if v.is_local()));
        if locals || (compound && self.owner.pure.is_none()) {
            return self.inline(e, function, arguments);
        }
        let (bindings, numbers) = split(arguments);
        if compound {
            return Value::View(pending(function, bindings, numbers));
        }
        self.call_copy(e, function, bindings, numbers, wanted)
    }

    /// Calls the copy of a function for these bindings.
    fn call_copy(
        &mut self,
        e: &'a ast::Expr,
        function: &Rc<FunctionSymbol<'a>>,
        bindings: Vec<View<'a>>,
        mut numbers: Vec<Expr>,
        wanted: bool,
    ) -> Value<'a> {
        let id = self.specialise(function, &bindings, None);
        self.check_constant_references(function, &numbers, id, e.span);
        numbers.extend(bindings.iter().flat_map(View::dynamic_indices));
        let effects = self.facts[id.index()].effects;
        if effects && let Some(what) = self.owner.pure {
            let name = &function.ast.name.text;
            let message = format!("{what} must not change anything, but `{name}` does");
            self.error_hint(e.span, message, "move the change to an update");
            return Value::Error;
        }
        match (&function.result, wanted && effects) {
            (Ty::Void, _) if self.owner.pure.is_some() => Value::Nothing,
            (Ty::Void, _) => {
                self.emit(StatementKind::Call(None, id, numbers), e.span);
                Value::Nothing
            }
            (_, false) if !wanted => {
                self.emit(StatementKind::Call(None, id, numbers), e.span);
                Value::Nothing
            }
            (ty, true) => {
                let result = self.temporary();
                let place = Some(Place::local(result));
                self.emit(StatementKind::Call(place, id, numbers), e.span);
                Value::Data(Expr::local(result), ty.clone())
            }
            (ty, false) => Value::Data(Expr::Call(id, numbers), ty.clone()),
        }
    }

    /// A constant reference to a number is handed over as its value, which is the same thing
    /// unless the function changes the variable behind it.
    fn check_constant_references(
        &mut self,
        function: &FunctionSymbol<'a>,
        numbers: &[Expr],
        id: network::FunctionId,
        span: ast::Span,
    ) {
        let values = function.parameters.iter().filter(|it| it.is_value());
        let changed = values.zip(numbers).any(|(parameter, number)| {
            let Expr::Read(Place { base: Base::Variable(variable), .. }) = number else {
                return false;
            };
            parameter.ast.by_reference && self.facts[id.index()].writes.contains(variable)
        });
        if changed {
            let message =
                "not supported: a constant reference to a variable that the function changes";
            self.error(span, message);
        }
    }

    /// Lowers arguments from left to right.
    fn arguments(
        &mut self,
        parameters: &[Parameter<'a>],
        list: &'a [ast::Expr],
    ) -> Option<Vec<Argument<'a>>> {
        let mut lowered: Vec<Argument<'a>> = Vec::new();
        let mut complete = true;
        for (parameter, e) in parameters.iter().zip(list) {
            let (argument, effects) = self.apart(|it| it.argument(parameter, e));
            let mut earlier: Vec<&mut Expr> = Vec::new();
            for argument in &mut lowered {
                match argument {
                    Argument::Number(e) => earlier.push(e),
                    Argument::Bound(view) => earlier.extend(view.indices.iter_mut()),
                }
            }
            self.settle(&mut earlier, effects, e.span);
            complete &= argument.is_some();
            lowered.extend(argument);
        }
        complete.then_some(lowered)
    }

    fn argument(&mut self, parameter: &Parameter<'a>, e: &'a ast::Expr) -> Option<Argument<'a>> {
        if parameter.is_value() {
            let (value, ty) = self.data(e);
            return Some(Argument::Number(self.coerce(value, &ty, &parameter.ty, e.span)));
        }
        let view = match self.value(e) {
            Value::View(view) => view,
            Value::Error => return None,
            _ => {
                let name = &parameter.ast.name.text;
                let message = format!("the parameter `{name}` is a reference and needs a variable");
                self.error(e.span, message);
                return None;
            }
        };
        self.check_binding(parameter, &view, e.span).then_some(Argument::Bound(view))
    }

    /// Whether a parameter can be bound to a view.
    pub(super) fn check_binding(
        &mut self,
        parameter: &Parameter<'a>,
        view: &View<'a>,
        span: ast::Span,
    ) -> bool {
        if !parameter.ty.accepts(&view.ty) {
            self.mismatch(&view.ty, &parameter.ty, span);
            return false;
        }
        if view.parts().iter().any(|leaf| matches!(leaf, Leaf::Result(..))) {
            self.error(
                span,
                "not supported here: passing on an array or struct that is the result of a call",
            );
            return false;
        }
        let channels = view.parts().iter().all(|leaf| matches!(leaf, Leaf::Channel(_)));
        if parameter.ast.by_reference && !parameter.constant && !channels {
            return self.may_write(view, span);
        }
        true
    }

    /// The copy of a function for these bindings.
    pub(super) fn specialise(
        &mut self,
        function: &Rc<FunctionSymbol<'a>>,
        bindings: &[View<'a>],
        element: Option<(usize, usize)>,
    ) -> network::FunctionId {
        let key = FunctionKey {
            order: function.order,
            bindings: bindings.iter().map(View::key).collect(),
            element,
        };
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = self.lower_function(function, bindings, element);
        self.functions.insert(key, id);
        id
    }

    /// One element of the array or struct that a call returns.
    pub(super) fn call_for_element(
        &mut self,
        call: &Rc<PendingCall<'a>>,
        leaf: usize,
        indices: &[Expr],
    ) -> Expr {
        let id = self.specialise(&call.function, &call.bindings, Some((leaf, indices.len())));
        if self.facts[id.index()].effects {
            let name = &call.function.ast.name;
            let message = format!("`{}` is called where nothing may be changed", name.text);
            self.error_hint(name.span, message, "call it in an update");
        }
        let mut arguments = call.arguments.clone();
        arguments.extend(call.bindings.iter().flat_map(View::dynamic_indices));
        arguments.extend(indices.iter().cloned());
        Expr::Call(id, arguments)
    }
}

/// The result of a call, before it is known which part of it is wanted.
fn pending<'a>(
    function: &Rc<FunctionSymbol<'a>>,
    bindings: Vec<View<'a>>,
    arguments: Vec<Expr>,
) -> View<'a> {
    let ty = function.result.clone();
    let call = Rc::new(PendingCall { function: function.clone(), bindings, arguments });
    let leaves = (0..ty.leaf_count()).map(|leaf| Leaf::Result(call.clone(), leaf)).collect();
    View::whole(ty, leaves, Access::ReadOnly("the result of a call"))
}

/// Bindings and numbers apart, each in the order of the parameters.
fn split<'a>(arguments: Vec<Argument<'a>>) -> (Vec<View<'a>>, Vec<Expr>) {
    let (mut bindings, mut numbers) = (Vec::new(), Vec::new());
    for argument in arguments {
        match argument {
            Argument::Number(e) => numbers.push(e),
            Argument::Bound(view) => bindings.push(view),
        }
    }
    (bindings, numbers)
}

impl<'a> View<'a> {
    fn key(&self) -> BindingKey {
        let leaf = |leaf: &Leaf<'a>| match leaf {
            Leaf::Base(base) => LeafKey::Base(*base),
            Leaf::Clock(clock) => LeafKey::Clock(*clock),
            Leaf::Channel(channel) => LeafKey::Channel(*channel),
            Leaf::Const(value) => LeafKey::Const(*value),
            Leaf::Result(..) => LeafKey::Result,
        };
        let index = |e: &Expr| match e {
            Expr::Const(value) => Some(*value),
            _ => None,
        };
        BindingKey {
            leaves: self.parts().iter().map(leaf).collect(),
            indices: self.indices.iter().map(index).collect(),
        }
    }

    /// Whether a part of it is a local of the owner.
    fn is_local(&self) -> bool {
        self.parts().iter().any(|leaf| matches!(leaf, Leaf::Base(Base::Local(_))))
    }

    /// The indices that are not constant.
    fn dynamic_indices(&self) -> Vec<Expr> {
        self.indices.iter().filter(|e| !matches!(e, Expr::Const(_))).cloned().collect()
    }
}

/// What to say of a call with the wrong number of arguments.
pub(super) fn wrong_arity(name: &str, wants: usize, found: usize) -> String {
    let plural = if wants == 1 { "" } else { "s" };
    format!("`{name}` takes {wants} argument{plural}, found {found}")
}
