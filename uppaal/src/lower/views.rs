//! Whole arrays and structs: making, copying, comparing and clearing them.

use super::{Lowerer, MAX_ELEMENTS};
use crate::ast;
use crate::check::fold;
use crate::check::scope::{Access, Leaf, View};
use crate::check::types::Ty;
use network::{Base, BinaryOp, Expr, Place, Quantifier, StatementKind, Type};

/// Up to this many elements are handled one by one, more by a loop.
const SMALL: u64 = 16;

impl<'a> Lowerer<'a> {
    /// New locals of the owner for a data type.
    pub(super) fn local_object(
        &mut self,
        name: &str,
        ty: &Ty,
        access: Access,
        span: ast::Span,
    ) -> View<'a> {
        self.owner.elements = self.owner.elements.saturating_add(ty.elements());
        if self.owner.elements > MAX_ELEMENTS {
            let hint = format!("the variables of a function may have {MAX_ELEMENTS} together");
            let message = format!("this has {} elements, which is too much", ty.elements());
            self.error_hint(span, message, hint);
        }
        let mut leaves = Vec::new();
        for leaf in ty.leaves() {
            let sizes = leaf.dimensions.iter().map(|d| d.size).collect();
            let name = format!("{name}{}", leaf.path);
            leaves.push(Leaf::Base(Base::Local(self.local(&name, leaf.ty.range(), sizes))));
        }
        View::whole(ty.clone(), leaves, access)
    }

    /// Where to write; anything that may not be written is reported.
    pub(super) fn place(&mut self, view: &View<'a>, span: ast::Span) -> Option<Place> {
        if !self.may_write(view, span) {
            return None;
        }
        match &view.leaves[view.first] {
            Leaf::Base(base) => Some(Place { base: *base, indices: view.indices.clone() }),
            _ => {
                self.error(span, "this cannot be changed");
                None
            }
        }
    }

    pub(super) fn may_write(&mut self, view: &View<'a>, span: ast::Span) -> bool {
        match view.access {
            Access::Write => true,
            Access::Shared => {
                self.owner.writes_shared = true;
                true
            }
            Access::ReadOnly(what) => {
                self.error(span, format!("{what} cannot be changed"));
                false
            }
        }
    }

    /// Copies data of the same shape.
    pub(super) fn copy(&mut self, to: &View<'a>, from: &View<'a>, span: ast::Span) {
        match &to.ty {
            Ty::Struct(it) => {
                for field in 0..it.fields.len() {
                    self.copy(&to.field(field), &from.field(field), span);
                }
            }
            Ty::Array(array) => {
                let (size, elements) = (array.dimension.size, to.ty.elements());
                self.each_element(size, elements, span, &mut |it, index| {
                    it.copy(&to.element(index.clone()), &from.element(index), span);
                });
            }
            ty => {
                let value = self.read_leaf(from);
                let value = self.coerce(value, &from.ty, ty, span);
                let Some(place) = self.raw_place(to) else { return };
                self.emit(StatementKind::Assign(place, value), span);
            }
        }
    }

    /// Sets every element to the value it has before the first assignment.
    pub(super) fn clear(&mut self, view: &View<'a>, span: ast::Span) {
        match &view.ty {
            Ty::Struct(it) => {
                for field in 0..it.fields.len() {
                    self.clear(&view.field(field), span);
                }
            }
            Ty::Array(array) => {
                let (size, elements) = (array.dimension.size, view.ty.elements());
                self.each_element(size, elements, span, &mut |it, index| {
                    it.clear(&view.element(index), span);
                });
            }
            ty => {
                let zero = Expr::Const(ty.range().zero());
                let Some(place) = self.raw_place(view) else { return };
                self.emit(StatementKind::Assign(place, zero), span);
            }
        }
    }

    fn raw_place(&self, view: &View<'a>) -> Option<Place> {
        match &view.leaves[view.first] {
            Leaf::Base(base) => Some(Place { base: *base, indices: view.indices.clone() }),
            _ => None,
        }
    }

    /// Emits `body` for every index, as a loop if there are many elements below.
    fn each_element(
        &mut self,
        size: u32,
        elements: u64,
        span: ast::Span,
        body: &mut dyn FnMut(&mut Self, Expr),
    ) {
        if elements <= SMALL {
            for index in 0..size {
                body(self, Expr::Const(index as i32));
            }
            return;
        }
        let counter = self.temporary();
        self.emit(StatementKind::Assign(Place::local(counter), Expr::Const(0)), span);
        let (_, statements) = self.apart(|it| {
            body(it, Expr::local(counter));
            let next = fold::binary(BinaryOp::Add, Expr::local(counter), Expr::Const(1));
            it.emit(StatementKind::Assign(Place::local(counter), next), span);
        });
        let more = fold::binary(BinaryOp::Lt, Expr::local(counter), Expr::Const(size as i32));
        self.emit(StatementKind::While(more, statements), span);
    }

    /// Whether two arrays or structs are equal.
    pub(super) fn compare_views(&mut self, a: &View<'a>, b: &View<'a>, span: ast::Span) -> Expr {
        if !a.ty.accepts(&b.ty) || !a.ty.is_all_data() {
            self.error(span, format!("`{}` cannot be compared with `{}`", a.ty, b.ty));
            return Expr::Const(0);
        }
        self.equal(a, b)
    }

    fn equal(&mut self, a: &View<'a>, b: &View<'a>) -> Expr {
        match &a.ty {
            Ty::Struct(it) => {
                let fields = 0..it.fields.len();
                let parts = fields.map(|i| self.equal(&a.field(i), &b.field(i))).collect();
                fold::join(BinaryOp::And, 1, parts)
            }
            Ty::Array(array) if a.ty.elements() <= SMALL => {
                let indices = (0..array.dimension.size).map(|i| Expr::Const(i as i32));
                let parts =
                    indices.map(|i| self.equal(&a.element(i.clone()), &b.element(i))).collect();
                fold::join(BinaryOp::And, 1, parts)
            }
            Ty::Array(array) => {
                let ty = Type {
                    scalar: array.dimension.scalar,
                    ..Type::range(0, array.dimension.size as i32 - 1)
                };
                let binder = self.local("i", ty, Vec::new());
                let index = Expr::local(binder);
                let body = self.equal(&a.element(index.clone()), &b.element(index));
                Expr::Quantified(Quantifier::ForAll, binder, Box::new(body))
            }
            _ => {
                let (a, b) = (self.read_leaf(a), self.read_leaf(b));
                fold::binary(BinaryOp::Eq, a, b)
            }
        }
    }
}
