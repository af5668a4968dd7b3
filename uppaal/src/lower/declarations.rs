//! Declarations of variables, clocks, channels, types and functions.

use super::{Lowerer, MAX_CLOCKS, MAX_ELEMENTS};
use crate::ast::{self, Declaration};
use crate::check::scope::{Access, FunctionSymbol, Leaf, Symbol, View};
use crate::check::types::{CONST_INT, INT, Leaf as LeafType, Ty};
use network::{Base, Channel, ChannelKind, Clock, Storage, Variable};
use std::rc::Rc;

impl<'a> Lowerer<'a> {
    pub(super) fn global_declarations(&mut self) {
        let model = self.model;
        self.declarations(&model.declarations);
        for (number, template) in model.templates.iter().enumerate() {
            self.declare(&template.name, Symbol::Template(number));
        }
        self.index_locations();
    }

    pub(super) fn declarations(&mut self, list: &'a [Declaration]) {
        for declaration in list {
            match declaration {
                Declaration::Variables(it) => self.variables(it),
                Declaration::Typedef(it) => self.typedef(it),
                Declaration::Function(it) => self.function_declaration(it),
                Declaration::ChannelPriority(it) => self.channel_priority(it),
                Declaration::Instantiation(it) => {
                    self.declare(&it.name, Symbol::Instantiation(it));
                }
            }
        }
    }

    pub(super) fn typedef(&mut self, typedef: &'a ast::Typedef) {
        let sets = self.network.scalar_sets.len();
        let base = self.base_type(&typedef.ty);
        for declarator in &typedef.declarators {
            let ty = self.array_type(base.clone(), &declarator.dimensions);
            if let (Ty::Scalar { set, .. }, true) = (&ty, self.network.scalar_sets.len() > sets) {
                self.network.scalar_sets[*set].name =
                    format!("{}{}", self.prefix, declarator.name.text);
            }
            self.declare(&declarator.name, Symbol::Type(ty));
        }
    }

    fn function_declaration(&mut self, function: &'a ast::Function) {
        let parameters = self.parameters(&function.parameters);
        let result = self.base_type(&function.result);
        if result != Ty::Void && !result.is_all_data() {
            self.error(function.result.span, format!("a function cannot return a `{result}`"));
        }
        let symbol = FunctionSymbol {
            ast: function,
            scope: self.scope,
            order: self.scopes.next_order(),
            prefix: self.prefix.clone(),
            parameters,
            result,
        };
        self.declare(&function.name, Symbol::Function(Rc::new(symbol)));
    }

    /// Global variables, or those of a template.
    fn variables(&mut self, variables: &'a ast::Variables) {
        let base = self.variable_type(&variables.ty);
        for declarator in &variables.declarators {
            let ty = self.array_type(base.clone(), &declarator.dimensions);
            let symbol = match self.variable(&variables.ty, declarator, ty) {
                Some(view) => Symbol::Object(view),
                None => Symbol::Error,
            };
            self.declare(&declarator.name, symbol);
        }
    }

    fn variable_type(&mut self, written: &'a ast::Type) -> Ty {
        match self.base_type(written) {
            INT if written.prefix.constant => CONST_INT,
            other => other,
        }
    }

    fn variable(
        &mut self,
        written: &ast::Type,
        declarator: &'a ast::Declarator,
        ty: Ty,
    ) -> Option<View<'a>> {
        let prefix = written.prefix;
        self.require_values(&ty, declarator.name.span);
        if ty == Ty::Error || matches!(ty, Ty::Void) {
            return None;
        }
        if (prefix.constant || prefix.meta) && !ty.is_all_data() {
            self.error(written.span, "only data can be `const` or `meta`");
            return None;
        }
        if prefix.constant && declarator.initialiser.is_none() {
            let name = &declarator.name;
            self.error(name.span, format!("the constant `{}` has no value", name.text));
            return None;
        }
        self.reserve(&ty, declarator.span)?;
        let initial = self.initial_values(&ty, declarator.initialiser.as_ref());
        let storage = match (prefix.constant, prefix.meta) {
            (true, _) => Storage::Constant,
            (_, true) => Storage::Meta,
            _ => Storage::State,
        };
        let initial = initial?;
        Some(self.object(&declarator.name.text, &ty, storage, initial, declarator.span))
    }

    /// Counts the elements of a new object; too many are refused.
    pub(super) fn reserve(&mut self, ty: &Ty, span: ast::Span) -> Option<()> {
        let elements = ty.elements();
        let total = self.elements.saturating_add(elements);
        if total > MAX_ELEMENTS {
            self.error_hint(
                span,
                format!("this has {elements} elements, which is too much"),
                format!("all variables together may have {MAX_ELEMENTS}"),
            );
            return None;
        }
        if matches!(ty.leaves().as_slice(), [leaf] if leaf.ty == Ty::Clock) {
            self.reserve_clocks(elements, span)?;
        }
        if !self.rehearsal {
            self.elements = total;
        }
        Some(())
    }

    /// Zones take memory quadratic in the number of clocks.
    fn reserve_clocks(&mut self, elements: u64, span: ast::Span) -> Option<()> {
        let clocks: usize = self.network.clocks.iter().map(|it| it.len()).sum();
        if elements + clocks as u64 <= MAX_CLOCKS {
            return Some(());
        }
        let message = format!("{} clocks are too many", elements + clocks as u64);
        self.error_hint(span, message, format!("all processes together may have {MAX_CLOCKS}"));
        None
    }

    /// New variables, clocks and channels of the network for a type.
    pub(super) fn object(
        &mut self,
        name: &str,
        ty: &Ty,
        storage: Storage,
        initial: Vec<Vec<i32>>,
        span: ast::Span,
    ) -> View<'a> {
        let mut leaves = Vec::new();
        for (leaf, initial) in ty.leaves().into_iter().zip(initial) {
            let name = format!("{}{name}{}", self.prefix, leaf.path);
            leaves.push(self.new_leaf(name, leaf, storage, initial, span));
        }
        let access = match storage {
            Storage::Constant => Access::ReadOnly("a constant"),
            _ => Access::Write,
        };
        View::whole(ty.clone(), leaves, access)
    }

    fn new_leaf(
        &mut self,
        name: String,
        leaf: LeafType,
        storage: Storage,
        initial: Vec<i32>,
        span: ast::Span,
    ) -> Leaf<'a> {
        let LeafType { ty, dimensions, .. } = leaf;
        let span = self.span(span);
        match ty {
            Ty::Clock => {
                let clock = Clock { name, dimensions, initial, span };
                Leaf::Clock(self.network.clocks.push(clock))
            }
            Ty::Channel { urgent, broadcast } => {
                let kind = if broadcast { ChannelKind::Broadcast } else { ChannelKind::Handshake };
                let channel = Channel { name, dimensions, kind, urgent, priorities: initial, span };
                Leaf::Channel(self.network.channels.push(channel))
            }
            _ if storage == Storage::Constant && dimensions.is_empty() => {
                Leaf::Const(initial.first().copied().unwrap_or(0))
            }
            ty => {
                let mut ty = ty.range();
                if let (Storage::Constant, None) = (storage, ty.scalar) {
                    // What is known about the values helps everybody who reasons about ranges.
                    ty.low = initial.iter().copied().min().unwrap_or(ty.low);
                    ty.high = initial.iter().copied().max().unwrap_or(ty.high);
                }
                let variable = Variable { name, ty, dimensions, storage, initial, span };
                Leaf::Base(Base::Variable(self.network.variables.push(variable)))
            }
        }
    }

    /// Variables of a function.
    pub(super) fn local_variables(&mut self, variables: &'a ast::Variables) {
        let base = self.variable_type(&variables.ty);
        for declarator in &variables.declarators {
            let ty = self.array_type(base.clone(), &declarator.dimensions);
            let symbol = match self.local_variable(&variables.ty, declarator, ty) {
                Some(view) => Symbol::Object(view),
                None => Symbol::Error,
            };
            self.declare(&declarator.name, symbol);
        }
    }

    fn local_variable(
        &mut self,
        written: &ast::Type,
        declarator: &'a ast::Declarator,
        ty: Ty,
    ) -> Option<View<'a>> {
        self.require_values(&ty, declarator.name.span);
        if ty == Ty::Error || matches!(ty, Ty::Void) {
            return None;
        }
        if !ty.is_all_data() {
            let message = format!("a function cannot have a variable of type `{ty}`");
            self.error_hint(declarator.span, message, "declare it outside the function");
            return None;
        }
        let name = &declarator.name.text;
        let constant = written.prefix.constant;
        if constant && declarator.initialiser.is_none() {
            self.error(declarator.name.span, format!("the constant `{name}` has no value"));
            return None;
        }
        let access = if constant { Access::ReadOnly("a constant") } else { Access::Write };
        match &declarator.initialiser {
            Some(ast::Initialiser::Value(e)) if constant && ty.is_data() => {
                Some(self.local_constant(declarator, ty, e))
            }
            Some(initialiser) => {
                let view = self.local_object(name, &ty, access, declarator.span);
                self.assign_initialiser(&view, initialiser, declarator.span);
                Some(view)
            }
            None => {
                let view = self.local_object(name, &ty, access, declarator.span);
                if self.owner.loops > 0 {
                    self.clear(&view, declarator.span);
                }
                Some(view)
            }
        }
    }

    /// A constant of a function, which is a number if its value does not depend on anything.
    fn local_constant(
        &mut self,
        declarator: &'a ast::Declarator,
        ty: Ty,
        e: &'a ast::Expr,
    ) -> View<'a> {
        let (value, from) = self.data(e);
        let value = self.coerce(value, &from, &ty, e.span);
        if let network::Expr::Const(value) = value {
            return View::constant(ty, value, "a constant");
        }
        let access = Access::ReadOnly("a constant");
        let view = self.local_object(&declarator.name.text, &ty, access, declarator.span);
        self.assign_view(&view, value, declarator.span);
        view
    }
}
