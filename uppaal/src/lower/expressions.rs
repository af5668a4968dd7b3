//! Expressions: names, indices, fields, choices and quantifiers.

use super::values::{Formula, Value};
use super::{Lowerer, MAX_DEPTH, MAX_UNROLLED};
use crate::ast::{self, ExprKind, Quantifier as Q, UnaryOp as Unary};
use crate::check::fold;
use crate::check::scope::{Access, Found, Leaf, Symbol, View};
use crate::check::types::{INT, Ty};
use crate::check::walk;
use network::{
    Base, BinaryOp, Expr, Id, LocalId, LocationId, Place, ProcessId, Quantifier, Statement,
    StatementKind, UnaryOp,
};
use source::nearest;

impl<'a> Lowerer<'a> {
    /// Lowers an expression; its effects become statements.
    pub(super) fn value(&mut self, e: &'a ast::Expr) -> Value<'a> {
        if self.depth >= MAX_DEPTH {
            self.error(e.span, "expressions and calls are nested too deeply");
            return Value::Error;
        }
        self.depth += 1;
        let value = self.value_below(e);
        self.depth -= 1;
        value
    }

    fn value_below(&mut self, e: &'a ast::Expr) -> Value<'a> {
        match &e.kind {
            ExprKind::Int(value) => Value::Data(Expr::Const(*value), INT),
            ExprKind::Bool(value) => Value::Data(Expr::Const(i32::from(*value)), Ty::Bool),
            ExprKind::Double(_) => self.refuse(e, "numbers with a fraction (`double`)"),
            ExprKind::String(_) => self.refuse(e, "strings"),
            ExprKind::Name(name) => self.name(name, e.span),
            ExprKind::Deadlock => self.deadlock(e.span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(op, left, right) => self.binary(e, *op, left, right),
            ExprKind::Assign(op, target, value) => self.assignment(e, *op, target, value),
            ExprKind::Increment(op, target) => self.increment(e, *op, target, true),
            ExprKind::Conditional(condition, yes, no) => self.choice(e, condition, yes, no),
            ExprKind::Index(base, index) => self.index(base, index),
            ExprKind::Call(callee, arguments) => self.call(e, callee, arguments, true),
            ExprKind::Field(base, field) => self.field(base, field),
            ExprKind::Rate(clock) => self.clock_rate(clock),
            ExprKind::Quantified(quantifier, binding, body) => {
                self.quantified(e, *quantifier, binding, body)
            }
            ExprKind::Comma(list) => self.comma(list),
            ExprKind::Spawn(..) | ExprKind::Exit | ExprKind::NumOf(_) => {
                self.refuse(e, "dynamic templates")
            }
        }
    }

    fn refuse(&mut self, e: &ast::Expr, what: &str) -> Value<'a> {
        self.error(e.span, format!("not supported: {what}"));
        Value::Error
    }

    fn comma(&mut self, list: &'a [ast::Expr]) -> Value<'a> {
        let Some((last, others)) = list.split_last() else { return Value::Error };
        for e in others {
            self.effect(e);
        }
        self.value(last)
    }

    fn deadlock(&mut self, span: ast::Span) -> Value<'a> {
        if !self.in_query {
            self.error(span, "`deadlock` can only be used in queries");
        }
        Value::Data(Expr::Deadlock, Ty::Bool)
    }

    fn name(&mut self, name: &str, span: ast::Span) -> Value<'a> {
        // Outside queries `deadlock` is a name like any other.
        let unknown = matches!(self.scopes.find(self.scope, name), Found::Nothing);
        if name == "deadlock" && unknown {
            return self.deadlock(span);
        }
        match self.lookup(name, span) {
            Some(Symbol::Object(view)) => Value::View(view),
            Some(Symbol::Type(_)) => {
                self.error(span, format!("`{name}` is a type, not a value"));
                Value::Error
            }
            Some(Symbol::Function(_)) => {
                let hint = format!("call it: `{name}(...)`");
                self.error_hint(span, format!("`{name}` is a function, not a value"), hint);
                Value::Error
            }
            Some(Symbol::Template(_) | Symbol::Instantiation(_)) => self.process(name, &[], span),
            Some(Symbol::Error) | None => Value::Error,
        }
    }

    fn unary(&mut self, op: Unary, operand: &'a ast::Expr) -> Value<'a> {
        let value = self.value(operand);
        match (op, value) {
            (_, Value::Error) => Value::Error,
            (Unary::Not, value) => {
                let formula = self.as_formula(value, operand.span);
                match self.negate(formula, operand.span) {
                    Formula::Data(e) => Value::Data(e, Ty::Bool),
                    other => Value::Formula(other),
                }
            }
            (Unary::Plus, value) => value,
            (Unary::Minus, value) if super::operators::is_clock(&value) => {
                self.negative_clock(value, operand.span)
            }
            (Unary::Minus, value) => {
                let (e, ty) = self.as_data(value, operand.span);
                self.require_integer(&ty, operand.span);
                Value::Data(fold::unary(UnaryOp::Neg, e), INT)
            }
        }
    }

    fn index(&mut self, base: &'a ast::Expr, index: &'a ast::Expr) -> Value<'a> {
        let value = self.value(base);
        let ((position, ty), effects) = self.apart(|it| it.data(index));
        let mut view = match value {
            Value::View(view) => view,
            Value::Error => {
                self.emit_all(effects);
                return Value::Error;
            }
            _ => {
                self.error(base.span, "only arrays can be indexed");
                return Value::Error;
            }
        };
        self.settle(&mut view.indices.iter_mut().collect::<Vec<_>>(), effects, index.span);
        let Ty::Array(array) = &view.ty else {
            if view.ty != Ty::Error {
                let message = format!("a value of type `{}` cannot be indexed", view.ty);
                self.error_hint(base.span, message, "only arrays can be indexed");
            }
            return Value::Error;
        };
        if ty != Ty::Error && array.dimension.scalar != ty.scalar() {
            let (wanted, found) = match array.dimension.scalar {
                Some(_) => ("the scalar type of the array", format!("`{ty}`")),
                None => ("an integer", "a scalar".to_string()),
            };
            self.error(index.span, format!("the index must be {wanted}, found {found}"));
        }
        let low = Expr::Const(array.low);
        Value::View(view.element(fold::binary(BinaryOp::Sub, position, low)))
    }

    fn field(&mut self, base: &'a ast::Expr, field: &'a ast::Name) -> Value<'a> {
        match self.value(base) {
            Value::Process(process) => self.member(process, field),
            Value::View(view) => self.struct_field(&view, base.span, field),
            Value::Error => Value::Error,
            _ => {
                self.error(base.span, "only structs and processes have parts");
                Value::Error
            }
        }
    }

    fn struct_field(&mut self, view: &View<'a>, span: ast::Span, field: &ast::Name) -> Value<'a> {
        let Ty::Struct(it) = &view.ty else {
            if view.ty != Ty::Error {
                self.error(span, format!("a value of type `{}` has no fields", view.ty));
            }
            return Value::Error;
        };
        if let Some(number) = it.fields.iter().position(|(name, _)| *name == field.text) {
            return Value::View(view.field(number));
        }
        let like = nearest(&field.text, it.fields.iter().map(|(name, _)| name.as_str()));
        let message = format!("the struct has no field `{}`", field.text);
        self.unknown(&message, field.span, like);
        Value::Error
    }

    /// A location or variable of a process, in a query.
    fn member(&mut self, process: ProcessId, name: &ast::Name) -> Value<'a> {
        let facts = self.process_facts[process.index()];
        if let Some(&location) = self.locations[facts.template].get(name.text.as_str()) {
            return Value::Data(Expr::At(process, LocationId::new(location)), Ty::Bool);
        }
        match self.scopes.local(facts.scope, &name.text).map(|entry| entry.symbol.clone()) {
            Some(Symbol::Object(view)) => return Value::View(view),
            Some(_) => {
                let message = format!("`{}` is neither a location nor a variable", name.text);
                self.error(name.span, message);
                return Value::Error;
            }
            None => {}
        }
        self.unknown_member(process, name);
        Value::Error
    }

    fn unknown_member(&mut self, process: ProcessId, name: &ast::Name) {
        let facts = self.process_facts[process.index()];
        let known = self.locations[facts.template].keys().copied();
        let known = known.chain(self.scopes.own_names(facts.scope));
        // A name alike is sought only while it will be shown: there may be many names.
        let known = known.filter(|_| !self.has_said_enough());
        let like = nearest(&name.text, known).map(str::to_string);
        let owner = &self.network.processes[process].name;
        let message = format!("the process `{owner}` has no location or variable `{}`", name.text);
        self.unknown(&message, name.span, like.as_deref());
    }

    /// `condition ? yes : no`
    fn choice(
        &mut self,
        e: &'a ast::Expr,
        condition: &'a ast::Expr,
        yes: &'a ast::Expr,
        no: &'a ast::Expr,
    ) -> Value<'a> {
        let condition = self.formula(condition);
        let (a, a_effects) = self.apart(|it| it.value(yes));
        let (b, b_effects) = self.apart(|it| it.value(no));
        if let Formula::Data(Expr::Const(known)) = condition {
            let (value, effects) = if known != 0 { (a, a_effects) } else { (b, b_effects) };
            self.emit_all(effects);
            return value;
        }
        if matches!((&a, &b), (Value::Error, _) | (_, Value::Error)) {
            return Value::Error;
        }
        if matches!(
            (&condition, &a, &b),
            (Formula::Data(_), Value::Data(..) | Value::View(_), Value::Data(..) | Value::View(_))
        ) {
            let Formula::Data(condition) = condition else { return Value::Error };
            return self.choose(e, condition, (a, a_effects, yes.span), (b, b_effects, no.span));
        }
        self.emit_all(a_effects);
        self.emit_all(b_effects);
        let (a, b) = (self.as_formula(a, yes.span), self.as_formula(b, no.span));
        let otherwise = self.negate(condition.clone(), e.span);
        Value::Formula(Formula::And(vec![
            Formula::Or(vec![otherwise, a]),
            Formula::Or(vec![condition, b]),
        ]))
    }

    /// A choice between two values without clocks.
    fn choose(
        &mut self,
        e: &'a ast::Expr,
        condition: Expr,
        (a, mut a_effects, a_span): (Value<'a>, Vec<Statement>, ast::Span),
        (b, mut b_effects, b_span): (Value<'a>, Vec<Statement>, ast::Span),
    ) -> Value<'a> {
        if let (Value::View(x), Value::View(y)) = (&a, &b)
            && (!x.ty.is_data() || !y.ty.is_data())
        {
            return self.choose_view(e, condition, (x, a_effects), (y, b_effects));
        }
        let ((a, a_ty), more) = self.apart(|it| it.as_data(a, a_span));
        a_effects.extend(more);
        let ((b, b_ty), more) = self.apart(|it| it.as_data(b, b_span));
        b_effects.extend(more);
        if !a_ty.accepts(&b_ty) {
            self.error(e.span, format!("the branches have different types, `{a_ty}` and `{b_ty}`"));
        }
        let ty = match (&a_ty, &b_ty) {
            (Ty::Bool, Ty::Bool) => Ty::Bool,
            (Ty::Scalar { .. } | Ty::Error, _) => a_ty,
            _ => INT,
        };
        if a_effects.is_empty() && b_effects.is_empty() {
            return Value::Data(fold::conditional(condition, a, b), ty);
        }
        let result = self.temporary();
        let branch = |it: &mut Self, effects, value| {
            it.apart(|it| {
                it.emit_all(effects);
                it.emit(StatementKind::Assign(Place::local(result), value), e.span);
            })
            .1
        };
        let then = branch(self, a_effects, a);
        let otherwise = branch(self, b_effects, b);
        self.emit(StatementKind::If(condition, then, otherwise), e.span);
        Value::Data(Expr::local(result), ty)
    }

    /// A choice between two arrays or structs: a copy of one of them.
    fn choose_view(
        &mut self,
        e: &'a ast::Expr,
        condition: Expr,
        (a, a_effects): (&View<'a>, Vec<Statement>),
        (b, b_effects): (&View<'a>, Vec<Statement>),
    ) -> Value<'a> {
        if !a.ty.is_all_data() || !b.ty.is_all_data() {
            self.error(e.span, "not supported: a choice between clocks or channels");
            return Value::Error;
        }
        if !a.ty.accepts(&b.ty) {
            let message = format!("the branches have different types, `{}` and `{}`", a.ty, b.ty);
            self.error(e.span, message);
            return Value::Error;
        }
        if self.owner.pure.is_some() {
            self.error(e.span, "not supported here: a choice between arrays or structs");
            return Value::Error;
        }
        let result =
            self.local_object("temporary", &a.ty, Access::ReadOnly("a temporary value"), e.span);
        let branch = |it: &mut Self, effects, view| {
            it.apart(|it| {
                it.emit_all(effects);
                it.copy(&result, view, e.span);
            })
            .1
        };
        let then = branch(self, a_effects, a);
        let otherwise = branch(self, b_effects, b);
        self.emit(StatementKind::If(condition, then, otherwise), e.span);
        Value::View(result)
    }

    fn quantified(
        &mut self,
        e: &'a ast::Expr,
        quantifier: Q,
        binding: &'a ast::Binding,
        body: &'a ast::Expr,
    ) -> Value<'a> {
        let op = match quantifier {
            Q::Forall => Quantifier::ForAll,
            Q::Exists => Quantifier::Exists,
            Q::Sum => Quantifier::Sum,
            Q::Foreach => return self.refuse(e, "dynamic templates (`foreach`)"),
        };
        let Some(ty) = self.binder_type(binding) else { return Value::Error };
        let values = ty.values().unwrap_or(0..=0);
        if values.is_empty() {
            let neutral = i32::from(op == Quantifier::ForAll);
            return Value::Data(Expr::Const(neutral), quantified_type(op));
        }
        let name = &binding.name.text;
        let depends = self.in_query && self.names_process_with(body, name);
        if depends || walk::ranges_mention(body, name) {
            return self.unroll(e, op, binding, &ty, body);
        }
        let binder = self.local(&binding.name.text, ty.range(), Vec::new());
        let (value, effects) = self.bound_operand(op, binding, &ty, binder, body);
        match value {
            None => self.unroll(e, op, binding, &ty, body),
            Some(operand) if effects.is_empty() => {
                let e = match operand {
                    Expr::Const(_) if op != Quantifier::Sum => operand,
                    operand => Expr::Quantified(op, binder, Box::new(operand)),
                };
                Value::Data(e, quantified_type(op))
            }
            Some(operand) => {
                let e = self.loop_over(op, binder, operand, effects, e.span);
                Value::Data(e, quantified_type(op))
            }
        }
    }

    /// The operand with the name bound to a local; none if it depends on clocks.
    fn bound_operand(
        &mut self,
        op: Quantifier,
        binding: &'a ast::Binding,
        ty: &Ty,
        binder: LocalId,
        body: &'a ast::Expr,
    ) -> (Option<Expr>, Vec<Statement>) {
        self.owner.loops += 1;
        let bound = self.apart(|it| {
            it.with_binder(binding, ty, Leaf::Base(Base::Local(binder)), |it| {
                match it.value(body) {
                    Value::Formula(_) => None,
                    other => Some(it.quantified_operand(op, other, body.span)),
                }
            })
        });
        self.owner.loops -= 1;
        bound
    }

    fn quantified_operand(&mut self, op: Quantifier, value: Value<'a>, span: ast::Span) -> Expr {
        let (e, ty) = self.as_data(value, span);
        if op == Quantifier::Sum {
            self.require_integer(&ty, span);
            return e;
        }
        self.as_truth(e, &ty, span)
    }

    /// Runs `build` with a name bound to a leaf.
    pub(super) fn with_binder<R>(
        &mut self,
        binding: &ast::Binding,
        ty: &Ty,
        leaf: Leaf<'a>,
        build: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.scoped(|it| {
            let view = View::whole(ty.clone(), vec![leaf], Access::ReadOnly("a bound name"));
            it.declare(&binding.name, Symbol::Object(view));
            build(it)
        })
    }

    /// A quantifier as a loop, because its operand needs statements.
    fn loop_over(
        &mut self,
        op: Quantifier,
        binder: LocalId,
        operand: Expr,
        effects: Vec<Statement>,
        span: ast::Span,
    ) -> Expr {
        let range = self.owner.locals[binder].ty;
        let (counter, result) = (self.temporary(), self.temporary());
        let start = i32::from(op == Quantifier::ForAll);
        self.emit(StatementKind::Assign(Place::local(result), Expr::Const(start)), span);
        self.emit(StatementKind::Assign(Place::local(counter), Expr::Const(range.low)), span);
        let (_, body) = self.apart(|it| {
            it.emit(StatementKind::Assign(Place::local(binder), Expr::local(counter)), span);
            it.emit_all(effects);
            let value = match op {
                Quantifier::Sum => fold::binary(BinaryOp::Add, Expr::local(result), operand),
                _ => operand,
            };
            it.emit(StatementKind::Assign(Place::local(result), value), span);
            let next = fold::binary(BinaryOp::Add, Expr::local(counter), Expr::Const(1));
            it.emit(StatementKind::Assign(Place::local(counter), next), span);
        });
        let more = fold::binary(BinaryOp::Le, Expr::local(counter), Expr::Const(range.high));
        let condition = match op {
            Quantifier::ForAll => fold::and(more, Expr::local(result)),
            Quantifier::Exists => fold::and(more, fold::not(Expr::local(result))),
            Quantifier::Sum => more,
        };
        self.emit(StatementKind::While(condition, body), span);
        Expr::local(result)
    }

    /// A quantifier as one formula per value, because clocks or processes depend on the value.
    fn unroll(
        &mut self,
        e: &'a ast::Expr,
        op: Quantifier,
        binding: &'a ast::Binding,
        ty: &Ty,
        body: &'a ast::Expr,
    ) -> Value<'a> {
        let values = ty.values().unwrap_or(0..=0);
        let count = (i64::from(*values.end()) - i64::from(*values.start()) + 1) as usize;
        self.unrolled += count;
        if self.unrolled > MAX_UNROLLED {
            self.error(e.span, "the quantifiers over clocks and processes are too large");
            return Value::Error;
        }
        let (mut data, mut formulas) = (Vec::new(), Vec::new());
        for value in values {
            let operand = self.with_binder(binding, ty, Leaf::Const(value), |it| it.value(body));
            match operand {
                Value::Error => return Value::Error,
                Value::Formula(formula) if op != Quantifier::Sum => formulas.push(formula),
                other => data.push(self.quantified_operand(op, other, body.span)),
            }
        }
        let data = match op {
            Quantifier::ForAll => fold::join(BinaryOp::And, 1, data),
            Quantifier::Exists => fold::join(BinaryOp::Or, 0, data),
            Quantifier::Sum => fold::join(BinaryOp::Add, 0, data),
        };
        if formulas.is_empty() {
            return Value::Data(data, quantified_type(op));
        }
        formulas.insert(0, Formula::Data(data));
        Value::Formula(if op == Quantifier::ForAll {
            Formula::And(formulas)
        } else {
            Formula::Or(formulas)
        })
    }
}

fn quantified_type(op: Quantifier) -> Ty {
    if op == Quantifier::Sum { INT } else { Ty::Bool }
}
