//! The system section: instantiation, process sets, priorities, and what nobody uses.

use super::Lowerer;
use super::calls::wrong_arity;
use super::values::Value;
use crate::ast::{self, Declaration, PriorityItem};
use crate::check::scope::{
    Access, Found, FunctionSymbol, Leaf, Parameter, ProcessSet, ScopeId, Symbol, View,
};
use crate::check::types::{CONST_INT, INT, Ty};
use crate::check::walk;
use network::{Argument, Base, Expr, Id, ProcessId, Storage, cancellation};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// More processes than this are refused.
const MAX_PROCESSES: i64 = 100_000;

/// A process about to be made.
pub(super) struct ProcessPlan {
    pub template: usize,
    pub name: String,
    pub priority: i32,
    pub arguments: Vec<Argument>,
}

/// Where the arguments of an instantiation come from.
#[derive(Clone, Copy)]
enum Arguments<'a, 'v> {
    /// One value of a process set.
    Values(&'v [i32]),
    /// As written, to be evaluated in a scope.
    Written(&'a [ast::Expr], ScopeId, ast::Span),
    /// Made up, for checking what nobody uses.
    MadeUp,
}

/// Something that can be instantiated.
#[derive(Clone, Copy)]
enum Instantiable<'a> {
    Template(usize),
    /// With its number in declaration order.
    Instantiation(&'a ast::Instantiation, u32),
}

impl<'a> Lowerer<'a> {
    pub(super) fn system(&mut self) {
        let system = &self.model.system;
        self.scope = self.system_scope;
        self.declarations(&system.declarations);
        if system.processes.is_empty() && !self.holes {
            self.error_hint(
                system.span,
                "the model has no `system` line",
                "end it with `system P, Q;`",
            );
        }
        let mut seen = FxHashSet::default();
        for process in &system.processes {
            if !seen.insert(process.name.text.as_str()) {
                let message = format!("`{}` is on the system line twice", process.name.text);
                self.error(process.name.span, message);
                continue;
            }
            self.process_set(process);
        }
        self.settle_joint_actions();
    }

    /// What a name in the system section stands for.
    fn kind(&mut self, name: &ast::Name) -> Option<Instantiable<'a>> {
        match self.scopes.find(self.scope, &name.text) {
            Found::Entry(entry) => match &entry.symbol {
                Symbol::Template(number) => return Some(Instantiable::Template(*number)),
                Symbol::Instantiation(it) => {
                    return Some(Instantiable::Instantiation(it, entry.order));
                }
                Symbol::Error => return None,
                _ => {}
            },
            _ => {
                self.lookup(&name.text, name.span);
                return None;
            }
        }
        self.error(name.span, format!("`{}` is not a template or process", name.text));
        None
    }

    fn free_parameters(&self, kind: Instantiable<'a>) -> &'a [ast::Parameter] {
        match kind {
            Instantiable::Template(number) => &self.model.templates[number].parameters,
            Instantiable::Instantiation(it, _) => &it.parameters,
        }
    }

    /// All processes of one name on the system line.
    fn process_set(&mut self, process: &'a ast::ProcessName) {
        let name = &process.name;
        let Some(kind) = self.kind(name) else { return };
        let free = self.free_parameters(kind);
        let Some(ranges) = self.free_ranges(name, kind, free) else { return };
        let mut set = ProcessSet { arity: free.len(), members: FxHashMap::default() };
        let mut values: Vec<i32> = ranges.iter().map(|range| *range.start()).collect();
        loop {
            cancellation::check();
            let text: Vec<String> = values.iter().map(i32::to_string).collect();
            let full = match values.is_empty() {
                true => name.text.clone(),
                false => format!("{}({})", name.text, text.join(",")),
            };
            let priority = process.priority as i32;
            let made = self.make(kind, &full, priority, Arguments::Values(&values));
            set.members.extend(made.map(|id| (values.clone(), id)));
            // The next combination, the last parameter running fastest.
            let mut at = values.len();
            while at > 0 && values[at - 1] == *ranges[at - 1].end() {
                values[at - 1] = *ranges[at - 1].start();
                at -= 1;
            }
            if at == 0 {
                break;
            }
            values[at - 1] += 1;
        }
        self.process_sets.insert(&name.text, set);
    }

    fn free_ranges(
        &mut self,
        name: &ast::Name,
        kind: Instantiable<'a>,
        free: &'a [ast::Parameter],
    ) -> Option<Vec<std::ops::RangeInclusive<i32>>> {
        let outer = self.scope;
        if let Instantiable::Template(_) = kind {
            self.scope = self.global_scope;
        }
        let parameters = self.parameters(free);
        self.scope = outer;
        let (mut ranges, mut count) = (Vec::new(), 1i64);
        for parameter in &parameters {
            let written_int = matches!(parameter.ast.ty.kind, ast::TypeKind::Int);
            let values = match &parameter.ty {
                Ty::Error => return None,
                ty if parameter.is_value() && !written_int => ty.values(),
                _ => None,
            };
            let Some(values) = values.filter(|values| !values.is_empty()) else {
                let (parameter, name) = (&parameter.ast.name.text, &name.text);
                self.error_hint(
                    process_span(name, self.model),
                    format!("the parameter `{parameter}` of `{name}` has no value"),
                    format!(
                        "instantiate it, as in `Q = {name}(...);`, or give the parameter a bounded type"
                    ),
                );
                return None;
            };
            count *= i64::from(*values.end()) - i64::from(*values.start()) + 1;
            if count > MAX_PROCESSES {
                self.error(name.span, format!("`{}` instantiates too many processes", name.text));
                return None;
            }
            ranges.push(values);
        }
        Some(ranges)
    }

    /// Makes a process; follows partial instantiations to the template.
    fn make(
        &mut self,
        kind: Instantiable<'a>,
        name: &str,
        priority: i32,
        arguments: Arguments<'a, '_>,
    ) -> Option<ProcessId> {
        match kind {
            Instantiable::Template(number) => {
                let template = &self.model.templates[number];
                let scope = self.scopes.open(Some(self.global_scope));
                let outer = std::mem::replace(&mut self.prefix, format!("{name}.").into());
                let changed = self.changed_parameters(number);
                let bound =
                    self.bind(&template.parameters, scope, arguments, &template.name, &changed);
                self.prefix = outer;
                let plan = ProcessPlan {
                    template: number,
                    name: name.to_string(),
                    priority,
                    arguments: bound?,
                };
                self.build_process(plan, scope)
            }
            Instantiable::Instantiation(it, order) => {
                self.lowered.insert(it.name.span);
                let scope = self.scopes.open_below(Some(self.system_scope), order - 1);
                let none = FxHashSet::default();
                self.bind(&it.parameters, scope, arguments, &it.name, &none)?;
                let outer = std::mem::replace(&mut self.scope, scope);
                let target = self.kind(&it.template);
                self.scope = outer;
                let written = Arguments::Written(&it.arguments, scope, it.span);
                self.make(target?, name, priority, written)
            }
        }
    }

    /// Parameters that the template itself changes, so that they are variables.
    fn changed_parameters(&mut self, number: usize) -> FxHashSet<&'a str> {
        let model = self.model;
        let template = &model.templates[number];
        if template.parameters.iter().all(|p| p.by_reference || p.ty.prefix.constant) {
            return FxHashSet::default();
        }
        let function = |name: &str| {
            let all = template.declarations.iter().chain(&model.declarations);
            all.filter_map(|it| match it {
                Declaration::Function(it) => Some(it),
                _ => None,
            })
            .find(|it| it.name.text == name)
        };
        walk::changed_names(template, function).into_iter().collect()
    }

    /// Declares parameters in `scope`, bound to their arguments; returns the numbers among them.
    fn bind(
        &mut self,
        parameters: &'a [ast::Parameter],
        scope: ScopeId,
        arguments: Arguments<'a, '_>,
        name: &ast::Name,
        changed: &FxHashSet<&str>,
    ) -> Option<Vec<Argument>> {
        if let Arguments::Written(list, _, span) = arguments
            && list.len() != parameters.len()
        {
            let (wants, found) = (parameters.len(), list.len());
            let message = wrong_arity(&name.text, wants, found);
            self.error(span, message);
            return None;
        }
        let mut numbers = Vec::new();
        let mut complete = true;
        for (position, ast) in parameters.iter().enumerate() {
            let outer = std::mem::replace(&mut self.scope, scope);
            let parameter = self.parameters(std::slice::from_ref(ast)).pop();
            let view = parameter.as_ref().and_then(|parameter| {
                self.bound_argument(parameter, position, arguments, changed, &mut numbers)
            });
            complete &= view.is_some();
            self.declare(&ast.name, view.map_or(Symbol::Error, Symbol::Object));
            self.scope = outer;
        }
        complete.then_some(numbers)
    }

    fn bound_argument(
        &mut self,
        parameter: &Parameter<'a>,
        position: usize,
        arguments: Arguments<'a, '_>,
        changed: &FxHashSet<&str>,
        numbers: &mut Vec<Argument>,
    ) -> Option<View<'a>> {
        let changed = changed.contains(parameter.ast.name.text.as_str());
        let value = match arguments {
            Arguments::Values(values) => *values.get(position)?,
            Arguments::MadeUp => return self.made_up(parameter),
            Arguments::Written(list, scope, _) => {
                let outer = std::mem::replace(&mut self.scope, scope);
                let e = &list[position];
                let ty = match &parameter.ty {
                    &INT if parameter.constant => &CONST_INT,
                    ty => ty,
                };
                let bound = match parameter.is_value() {
                    true => self.initial_value(ty, e).map(Ok),
                    false => self.written_view(parameter, e, changed).map(Err),
                };
                self.scope = outer;
                match bound? {
                    Ok(value) => value,
                    Err(view) => return Some(view),
                }
            }
        };
        let (name, ty) = (&parameter.ast.name, &parameter.ty);
        numbers.push(Argument { name: name.text.clone(), value, scalar: ty.scalar() });
        if changed {
            let initial = vec![vec![value]];
            return Some(self.object(&name.text, ty, Storage::State, initial, name.span));
        }
        Some(View::constant(ty.clone(), value, "a constant parameter"))
    }

    /// A variable for a reference, or an array or struct by value.
    fn written_view(
        &mut self,
        parameter: &Parameter<'a>,
        e: &'a ast::Expr,
        changed: bool,
    ) -> Option<View<'a>> {
        let value = self.pure("an argument", e.span, |it| it.value(e));
        let mut view = match value {
            Value::View(view) => view,
            Value::Error => return None,
            _ => {
                let name = &parameter.ast.name.text;
                let message = format!("the parameter `{name}` is a reference and needs a variable");
                self.error(e.span, message);
                return None;
            }
        };
        if !parameter.ast.by_reference {
            return self.view_by_value(parameter, view, e.span, changed);
        }
        if !self.check_binding(parameter, &view, e.span) {
            return None;
        }
        for index in &mut view.indices {
            *index = Expr::Const(self.evaluate(index, e.span)?);
        }
        if parameter.constant {
            view.access = Access::ReadOnly("a constant parameter");
        }
        Some(view)
    }

    fn view_by_value(
        &mut self,
        parameter: &Parameter<'a>,
        view: View<'a>,
        span: ast::Span,
        changed: bool,
    ) -> Option<View<'a>> {
        if !parameter.ty.accepts(&view.ty) {
            self.mismatch(&view.ty, &parameter.ty, span);
            return None;
        }
        let constant = view.parts().iter().all(|leaf| match leaf {
            Leaf::Const(_) => true,
            Leaf::Base(Base::Variable(id)) => {
                self.network.variables[*id].storage == Storage::Constant
            }
            _ => false,
        });
        if constant && !changed {
            return Some(View { access: Access::ReadOnly("a constant parameter"), ..view });
        }
        let initial = self.initial_values_from(&parameter.ty, &view, span)?;
        let storage = if changed { Storage::State } else { Storage::Constant };
        let name = &parameter.ast.name;
        Some(self.object(&name.text, &parameter.ty, storage, initial, name.span))
    }

    /// Something of the right type, for a check only.
    fn made_up(&mut self, parameter: &Parameter<'a>) -> Option<View<'a>> {
        let ty = &parameter.ty;
        if *ty == Ty::Error {
            return None;
        }
        if parameter.is_value() {
            let value = ty.range().zero();
            return Some(View::constant(ty.clone(), value, "a constant parameter"));
        }
        self.reserve(ty, parameter.ast.span)?;
        let initial = self.initial_values(ty, None)?;
        let storage = if parameter.constant { Storage::Constant } else { Storage::State };
        let name = &parameter.ast.name;
        Some(self.object(&name.text, ty, storage, initial, name.span))
    }

    pub(super) fn channel_priority(&mut self, priority: &'a ast::ChannelPriority) {
        if std::mem::replace(&mut self.channel_priorities, true) {
            self.error(priority.span, "the priorities of channels are declared twice");
        }
        if self.scope != self.global_scope && self.scope != self.system_scope {
            self.error(priority.span, "the priorities of channels must be declared globally");
        }
        let is_default = |level: &Vec<PriorityItem>| {
            level.iter().any(|item| matches!(item, PriorityItem::Default(_)))
        };
        let default = priority.levels.iter().position(is_default).unwrap_or(0) as i32;
        for (level, items) in priority.levels.iter().enumerate() {
            for item in items {
                if let PriorityItem::Channel(e) = item {
                    self.set_priority(e, level as i32 - default);
                }
            }
        }
    }

    fn set_priority(&mut self, e: &'a ast::Expr, priority: i32) {
        let view = match self.pure("a channel priority", e.span, |it| it.value(e)) {
            Value::View(view) => view,
            Value::Error => return,
            _ => return self.error(e.span, "only channels have priorities here"),
        };
        let Leaf::Channel(id) = view.leaves[view.first] else {
            return self.error(e.span, "only channels have priorities here");
        };
        let (mut at, mut count) = (0usize, 1usize);
        for (position, dimension) in
            self.network.channels[id].dimensions.clone().into_iter().enumerate()
        {
            let size = dimension.size as usize;
            match view.indices.get(position) {
                None => count *= size,
                Some(index) => {
                    let Some(index) = self.evaluate(index, e.span) else { return };
                    match usize::try_from(index) {
                        Ok(index) if index < size => at = at * size + index,
                        _ => return self.error(e.span, "the index is outside the array"),
                    }
                }
            }
        }
        self.network.channels[id].priorities[at * count..(at + 1) * count].fill(priority);
    }

    /// `P` or `P(1)` in a query.
    pub(super) fn process(
        &mut self,
        name: &str,
        arguments: &'a [ast::Expr],
        span: ast::Span,
    ) -> Value<'a> {
        if !self.in_query {
            let message = format!("the process `{name}` can only be named in queries");
            self.error_hint(span, message, "share its state through a variable");
            return Value::Error;
        }
        let Some(set) = self.process_sets.get(name) else {
            let message = format!("`{name}` is not a process of the system");
            self.error_hint(span, message, "name it on the `system` line");
            return Value::Error;
        };
        let arity = set.arity;
        if arguments.len() != arity {
            let message = match arity {
                0 => format!("`{name}` is a single process and takes no index"),
                _ => format!("`{name}` is a set of processes and takes {arity} values"),
            };
            self.error_hint(span, message, format!("write it as `{name}(0).x` or `{name}.x`"));
            return Value::Error;
        }
        let values: Vec<Option<i32>> = arguments.iter().map(|e| self.constant(e)).collect();
        let Some(values) = values.into_iter().collect::<Option<Vec<i32>>>() else {
            return Value::Error;
        };
        match self.process_sets.get(name).and_then(|set| set.members.get(&values)) {
            Some(id) => Value::Process(*id),
            None => {
                let text: Vec<String> = values.iter().map(i32::to_string).collect();
                self.error(span, format!("there is no process `{name}({})`", text.join(",")));
                Value::Error
            }
        }
    }

    /// Checks templates, instantiations and functions that nobody uses; the network is spoilt.
    pub(super) fn check_the_rest(&mut self) {
        self.rehearsal = true;
        self.scope = self.system_scope;
        for number in 0..self.model.templates.len() {
            if !self.instantiated[number] {
                let name = self.model.templates[number].name.text.clone();
                self.make(Instantiable::Template(number), &name, 0, Arguments::MadeUp);
            }
        }
        let model = self.model;
        for declaration in &model.system.declarations {
            if let Declaration::Instantiation(it) = declaration
                && !self.lowered.contains(&it.name.span)
                && let Some(kind) = self.kind(&it.name)
            {
                self.make(kind, &it.name.text, 0, Arguments::MadeUp);
            }
        }
        self.check_functions(&model.declarations, self.global_scope);
        self.check_functions(&model.system.declarations, self.system_scope);
        let mut seen = vec![false; model.templates.len()];
        for facts in self.process_facts.clone() {
            if !std::mem::replace(&mut seen[facts.template], true) {
                self.check_functions(&model.templates[facts.template].declarations, facts.scope);
            }
        }
    }

    fn check_functions(&mut self, declarations: &'a [Declaration], scope: ScopeId) {
        for declaration in declarations {
            let Declaration::Function(it) = declaration else { continue };
            let symbol = self.scopes.local(scope, &it.name.text).map(|e| e.symbol.clone());
            if let (false, Some(Symbol::Function(function))) =
                (self.lowered.contains(&it.name.span), symbol)
            {
                self.check_function(&function);
            }
        }
    }

    fn check_function(&mut self, function: &Rc<FunctionSymbol<'a>>) {
        let mut bindings = Vec::new();
        for parameter in function.parameters.iter().filter(|it| !it.is_value()) {
            match self.made_up(parameter) {
                Some(view) => bindings.push(view),
                None => return,
            }
        }
        let element = function.result.leaves().first().map(|leaf| (0, leaf.dimensions.len()));
        let element = element.filter(|_| function.result.is_compound());
        let id = self.specialise(function, &bindings, element);
        debug_assert!(id.index() < self.network.functions.len());
    }
}

/// Where a name stands on the system line.
fn process_span(name: &str, model: &ast::Model) -> ast::Span {
    let mut processes = model.system.processes.iter();
    processes.find(|it| it.name.text == name).map_or(model.system.span, |it| it.name.span)
}
