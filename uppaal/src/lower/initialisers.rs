//! Initial values: constants for the variables of the network, assignments for those of functions.

use super::Lowerer;
use super::values::Value;
use crate::ast::{self, Initialiser, InitialiserItem};
use crate::check::scope::{Leaf, View};
use crate::check::types::{StructTy, Ty};
use network::{Expr, Place, StatementKind};
use source::nearest;

impl<'a> Lowerer<'a> {
    /// The initial values of each leaf; none after an error.
    pub(super) fn initial_values(
        &mut self,
        ty: &Ty,
        initialiser: Option<&'a Initialiser>,
    ) -> Option<Vec<Vec<i32>>> {
        let empty = |leaf: &crate::check::types::Leaf| {
            let elements: usize = leaf.dimensions.iter().map(|d| d.size as usize).product();
            let zero = if leaf.ty.is_data() { leaf.ty.range().zero() } else { 0 };
            vec![zero; elements]
        };
        let mut values: Vec<Vec<i32>> = ty.leaves().iter().map(empty).collect();
        if let Some(initialiser) = initialiser {
            self.fill(ty, initialiser, (0, 0), &mut values)?;
        }
        Some(values)
    }

    /// Fills in the values at an element: the first leaf and the number of the element in it.
    fn fill(
        &mut self,
        ty: &Ty,
        initialiser: &'a Initialiser,
        (leaf, element): (usize, usize),
        values: &mut [Vec<i32>],
    ) -> Option<()> {
        match (ty, initialiser) {
            (Ty::Array(array), Initialiser::List(items, span)) => {
                let size = array.dimension.size as usize;
                self.check_items(items, size, *span)?;
                for (i, item) in items.iter().enumerate() {
                    let at = (leaf, element * size + i);
                    self.fill(&array.element, &item.value, at, values)?;
                }
            }
            (Ty::Struct(it), Initialiser::List(items, span)) => {
                for (item, field) in items.iter().zip(self.fields(it, items, *span)?) {
                    let before: usize =
                        it.fields[..field].iter().map(|(_, ty)| ty.leaf_count()).sum();
                    let at = (leaf + before, element);
                    self.fill(&it.fields[field].1, &item.value, at, values)?;
                }
            }
            (_, Initialiser::List(_, span)) => {
                self.error(*span, format!("a value of type `{ty}` cannot be given as a list"));
                return None;
            }
            (ty, Initialiser::Value(e)) if ty.is_compound() => {
                let value = self.pure("an initial value", e.span, |it| it.value(e));
                let Value::View(view) = value else {
                    let (_, found) = self.as_data(value, e.span);
                    if found != Ty::Error {
                        self.mismatch(&found, ty, e.span);
                    }
                    return None;
                };
                if !ty.accepts(&view.ty) {
                    self.mismatch(&view.ty, ty, e.span);
                    return None;
                }
                self.fill_from(ty, &view, e.span, (leaf, element), values)?;
            }
            (ty, Initialiser::Value(e)) => values[leaf][element] = self.initial_value(ty, e)?,
        }
        Some(())
    }

    /// The values of each leaf, copied from constants.
    pub(super) fn initial_values_from(
        &mut self,
        ty: &Ty,
        view: &View<'a>,
        span: ast::Span,
    ) -> Option<Vec<Vec<i32>>> {
        let mut values = self.initial_values(ty, None)?;
        self.fill_from(ty, view, span, (0, 0), &mut values)?;
        Some(values)
    }

    /// Fills in copies of constants.
    fn fill_from(
        &mut self,
        ty: &Ty,
        view: &View<'a>,
        span: ast::Span,
        (leaf, element): (usize, usize),
        values: &mut [Vec<i32>],
    ) -> Option<()> {
        match ty {
            Ty::Array(array) => {
                let size = array.dimension.size as usize;
                for i in 0..size {
                    let part = view.element(Expr::Const(i as i32));
                    let at = (leaf, element * size + i);
                    self.fill_from(&array.element, &part, span, at, values)?;
                }
            }
            Ty::Struct(it) => {
                let mut at = leaf;
                for (number, (_, ty)) in it.fields.iter().enumerate() {
                    self.fill_from(ty, &view.field(number), span, (at, element), values)?;
                    at += ty.leaf_count();
                }
            }
            ty => {
                let value = self.read_leaf(view);
                let value = self.coerce(value, &view.ty, ty, span);
                let value = self.evaluate(&value, span)?;
                values[leaf][element] = self.in_range(ty, value, span)?;
            }
        }
        Some(())
    }

    /// The value of a single number or clock.
    pub(super) fn initial_value(&mut self, ty: &Ty, e: &'a ast::Expr) -> Option<i32> {
        if let Ty::Channel { .. } = ty {
            self.error(e.span, "a channel has no initial value");
            return None;
        }
        let errors = self.report.errors();
        let (value, from) = self.pure("an initial value", e.span, |it| it.data(e));
        let clock = crate::check::types::INT;
        let to = if *ty == Ty::Clock { &clock } else { ty };
        let value = self.coerce(value, &from, to, e.span);
        if from == Ty::Error || self.report.errors() > errors {
            return None;
        }
        let value = self.evaluate(&value, e.span)?;
        self.in_range(ty, value, e.span)
    }

    pub(super) fn in_range(&mut self, ty: &Ty, value: i32, span: ast::Span) -> Option<i32> {
        if self.rehearsal {
            return Some(value);
        }
        if *ty == Ty::Clock {
            if !(0..=network::MAX_CLOCK_BOUND).contains(&value) {
                self.error(span, format!("a clock cannot start at {value}"));
                return None;
            }
            return Some(value);
        }
        let range = ty.range();
        if !range.contains(value) {
            let message =
                format!("the value {value} is outside the range {}..{}", range.low, range.high);
            self.error(span, message);
            return None;
        }
        Some(value)
    }

    fn check_items(
        &mut self,
        items: &[InitialiserItem],
        size: usize,
        span: ast::Span,
    ) -> Option<()> {
        if let Some(name) = items.iter().find_map(|item| item.field.as_ref()) {
            self.error(name.span, "the elements of an array have no names");
            return None;
        }
        if items.len() != size {
            let message = format!("the list has {} values for {size} elements", items.len());
            self.error(span, message);
            return None;
        }
        Some(())
    }

    /// The number of the field that each item of a list is for.
    fn fields(
        &mut self,
        it: &StructTy,
        items: &[InitialiserItem],
        span: ast::Span,
    ) -> Option<Vec<usize>> {
        let mut numbers = Vec::new();
        for (position, item) in items.iter().enumerate() {
            let number = match &item.field {
                None => Some(position),
                Some(name) => {
                    let found = it.fields.iter().position(|(field, _)| *field == name.text);
                    if found.is_none() {
                        let known = it.fields.iter().map(|(field, _)| field.as_str());
                        let like = nearest(&name.text, known);
                        let message = format!("the struct has no field `{}`", name.text);
                        self.unknown(&message, name.span, like);
                    }
                    Some(found?)
                }
            };
            numbers.extend(number);
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != it.fields.len() || items.len() != it.fields.len() {
            let message =
                format!("the list has {} values for {} fields", items.len(), it.fields.len());
            self.error(span, message);
            return None;
        }
        Some(numbers)
    }

    /// Assigns an initialiser to a variable of a function.
    pub(super) fn assign_initialiser(
        &mut self,
        view: &View<'a>,
        initialiser: &'a Initialiser,
        span: ast::Span,
    ) {
        match (&view.ty, initialiser) {
            (Ty::Array(array), Initialiser::List(items, span)) => {
                let size = array.dimension.size as usize;
                if self.check_items(items, size, *span).is_some() {
                    for (i, item) in items.iter().enumerate() {
                        let part = view.element(Expr::Const(i as i32));
                        self.assign_initialiser(&part, &item.value, *span);
                    }
                }
            }
            (Ty::Struct(it), Initialiser::List(items, span)) => {
                for (item, field) in
                    items.iter().zip(self.fields(it, items, *span).into_iter().flatten())
                {
                    self.assign_initialiser(&view.field(field), &item.value, *span);
                }
            }
            (ty, Initialiser::List(_, span)) => {
                self.error(*span, format!("a value of type `{ty}` cannot be given as a list"));
            }
            (ty, Initialiser::Value(e)) if ty.is_compound() => match self.value(e) {
                Value::View(from) if ty.accepts(&from.ty) => self.copy(view, &from, span),
                Value::View(from) => self.mismatch(&from.ty, ty, e.span),
                Value::Error => {}
                _ => self.error(e.span, format!("expected a value of type `{ty}`")),
            },
            (ty, Initialiser::Value(e)) => {
                let (value, from) = self.data(e);
                let value = self.coerce(value, &from, ty, e.span);
                self.assign_view(view, value, span);
            }
        }
    }

    /// Assigns a number to a local, whatever its access.
    pub(super) fn assign_view(&mut self, view: &View<'a>, value: Expr, span: ast::Span) {
        if let Leaf::Base(base) = &view.leaves[view.first] {
            let place = Place { base: *base, indices: view.indices.clone() };
            self.emit(StatementKind::Assign(place, value), span);
        }
    }
}
