//! Types as written, with names, bounds and sizes resolved.

use super::Lowerer;
use crate::ast::{self, ExprKind, TypeKind};
use crate::check::scope::{Found, Parameter, Symbol};
use crate::check::types::{INT, Ty};
use network::{Dimension, ScalarSet};
use source::nearest;

/// Structs with more parts than this, nested ones included, are refused.
const MAX_LEAVES: usize = 10_000;

/// The most values that a select, quantifier or loop over a type may run through.
const MAX_BINDER_VALUES: i64 = 1_000_000;

impl<'a> Lowerer<'a> {
    /// The type before the declared names.
    pub(super) fn base_type(&mut self, ty: &'a ast::Type) -> Ty {
        if ty.prefix.hybrid {
            self.error(ty.span, "not supported: hybrid clocks");
            return Ty::Error;
        }
        let base = match &ty.kind {
            TypeKind::Bool => Ty::Bool,
            TypeKind::Int => INT,
            TypeKind::Range(low, high) => match (self.constant(low), self.constant(high)) {
                (Some(low), Some(high)) => Ty::Int { low, high },
                _ => Ty::Error,
            },
            TypeKind::Clock => Ty::Clock,
            TypeKind::Channel => Ty::Channel { urgent: false, broadcast: false },
            TypeKind::Void => Ty::Void,
            TypeKind::Double => self.refused_type(ty, "`double`"),
            TypeKind::String => self.refused_type(ty, "strings"),
            TypeKind::Scalar(size) => self.scalar_set(size, ty.span),
            TypeKind::Struct(fields) => self.struct_type(fields, ty.span),
            TypeKind::Named(name) => self.named_type(name, ty.span),
        };
        self.with_prefix(base, ty)
    }

    fn refused_type(&mut self, ty: &ast::Type, what: &str) -> Ty {
        self.error(ty.span, format!("not supported: {what}"));
        Ty::Error
    }

    fn with_prefix(&mut self, base: Ty, ty: &ast::Type) -> Ty {
        let prefix = ty.prefix;
        match base {
            Ty::Channel { urgent, broadcast } => Ty::Channel {
                urgent: urgent || prefix.urgent,
                broadcast: broadcast || prefix.broadcast,
            },
            Ty::Error => base,
            _ if prefix.urgent || prefix.broadcast => {
                self.error(ty.span, "only channels can be `urgent` or `broadcast`");
                base
            }
            _ => base,
        }
    }

    fn scalar_set(&mut self, size: &'a ast::Expr, span: ast::Span) -> Ty {
        let Some(value) = self.constant(size) else { return Ty::Error };
        if !(1..=1 << 24).contains(&value) {
            if !self.rehearsal {
                self.error(size.span, format!("a scalar set cannot have {value} elements"));
            }
            return Ty::Error;
        }
        let size = value as u32;
        let span = self.span(span);
        let name = format!("{}scalar[{size}]", self.prefix);
        let set = self.network.scalar_sets.push(ScalarSet { name, size, span });
        Ty::Scalar { set, size }
    }

    fn struct_type(&mut self, fields: &'a [ast::Field], span: ast::Span) -> Ty {
        let mut list: Vec<(String, Ty)> = Vec::new();
        for field in fields {
            let base = self.base_type(&field.ty);
            for declarator in &field.declarators {
                let ty = self.array_type(base.clone(), &declarator.dimensions);
                let name = &declarator.name;
                if list.iter().any(|(other, _)| *other == name.text) {
                    self.error(name.span, format!("the field `{}` is declared twice", name.text));
                }
                self.require_values(&ty, declarator.name.span);
                list.push((name.text.clone(), ty));
            }
        }
        let ty = Ty::structure(list);
        if ty.leaf_count() > MAX_LEAVES {
            self.error(span, format!("the struct has more than {MAX_LEAVES} parts"));
            return Ty::Error;
        }
        ty
    }

    fn named_type(&mut self, name: &str, span: ast::Span) -> Ty {
        if !self.holes && matches!(self.scopes.find(self.scope, name), Found::Nothing) {
            self.unknown_type(name, span);
            return Ty::Error;
        }
        match self.lookup(name, span) {
            Some(Symbol::Type(ty)) => ty,
            Some(_) => {
                self.error(span, format!("`{name}` is not a type"));
                Ty::Error
            }
            None => Ty::Error,
        }
    }

    fn unknown_type(&mut self, name: &str, span: ast::Span) {
        let mut known = Vec::new();
        if !self.has_said_enough() {
            known = self.scopes.names(self.scope);
            known.extend(["int", "bool", "clock", "chan", "void", "scalar", "struct"]);
        }
        let like = elsewhere(name).or(nearest(name, known)).map(str::to_string);
        self.unknown(&format!("unknown name `{name}`"), span, like.as_deref());
    }

    /// An array with the dimensions as written, outermost first.
    pub(super) fn array_type(&mut self, base: Ty, dimensions: &'a [ast::Dimension]) -> Ty {
        // Evaluated from left to right, so that messages and scalar sets come in that order.
        let sizes: Vec<Option<(i32, Dimension)>> =
            dimensions.iter().map(|dimension| self.dimension(dimension)).collect();
        sizes.into_iter().rev().fold(base, |element, dimension| match (element, dimension) {
            (Ty::Error, _) | (_, None) => Ty::Error,
            (element, Some((low, dimension))) => Ty::array(low, dimension, element),
        })
    }

    /// The first index and the size.
    fn dimension(&mut self, dimension: &'a ast::Dimension) -> Option<(i32, Dimension)> {
        match dimension {
            ast::Dimension::Type(ty) => {
                let resolved = self.base_type(ty);
                self.dimension_of_type(&resolved, ty.span)
            }
            ast::Dimension::Size(e) => {
                if let ExprKind::Name(name) = &e.kind
                    && let Found::Entry(entry) = self.scopes.find(self.scope, name)
                    && let Symbol::Type(ty) = &entry.symbol
                {
                    let ty = ty.clone();
                    return self.dimension_of_type(&ty, e.span);
                }
                let size = self.constant(e)?;
                Some((0, self.size(i64::from(size), e.span)?))
            }
        }
    }

    fn dimension_of_type(&mut self, ty: &Ty, span: ast::Span) -> Option<(i32, Dimension)> {
        match ty {
            Ty::Scalar { set, size } => {
                Some((0, Dimension { size: *size, first: 0, scalar: Some(*set) }))
            }
            Ty::Int { low, high } => {
                let size = self.size(i64::from(*high) - i64::from(*low) + 1, span)?;
                Some((*low, Dimension { first: *low, ..size }))
            }
            Ty::Bool => Some((0, Dimension { size: 2, first: 0, scalar: None })),
            Ty::Error => None,
            _ => {
                self.error(span, format!("`{ty}` cannot be the size of an array"));
                None
            }
        }
    }

    fn size(&mut self, size: i64, span: ast::Span) -> Option<Dimension> {
        match u32::try_from(size) {
            Ok(size) if size > 0 => Some(Dimension { size, first: 0, scalar: None }),
            _ => {
                if !self.rehearsal {
                    self.error(span, format!("an array cannot have {size} elements"));
                }
                None
            }
        }
    }

    /// The type of a binder in `select`, a quantifier or `for (i : T)`.
    pub(super) fn binder_type(&mut self, binding: &'a ast::Binding) -> Option<Ty> {
        let ty = self.base_type(&binding.ty);
        match ty {
            Ty::Int { low, high } if i64::from(high) - i64::from(low) >= MAX_BINDER_VALUES => {
                let count = i64::from(high) - i64::from(low) + 1;
                self.error_hint(
                    binding.ty.span,
                    format!("`{}` would run through {count} values", binding.name.text),
                    format!("at most {MAX_BINDER_VALUES} are possible"),
                );
                None
            }
            Ty::Int { .. } | Ty::Scalar { .. } | Ty::Bool => Some(ty),
            Ty::Error => None,
            _ => {
                self.error_hint(
                    binding.ty.span,
                    format!("`{}` cannot run through the type `{ty}`", binding.name.text),
                    "use a range such as `int[0,3]` or a scalar set",
                );
                None
            }
        }
    }

    /// Reports types that have no values: `void` and empty ranges.
    pub(super) fn require_values(&mut self, ty: &Ty, span: ast::Span) {
        match ty {
            Ty::Void => self.error(span, "nothing can have the type `void`"),
            Ty::Int { low, high } if low > high && !self.rehearsal => {
                self.error(span, format!("the range {low}..{high} is empty"));
            }
            Ty::Array(array) => self.require_values(&array.element, span),
            _ => {}
        }
    }

    /// Parameters of a function, template or instantiation.
    pub(super) fn parameters(&mut self, list: &'a [ast::Parameter]) -> Vec<Parameter<'a>> {
        let resolve = |ast: &'a ast::Parameter| {
            let base = self.base_type(&ast.ty);
            let ty = self.array_type(base, &ast.dimensions);
            self.require_values(&ty, ast.span);
            if !ast.by_reference && !ty.is_all_data() {
                self.error_hint(
                    ast.span,
                    format!("the parameter `{}` must be a reference", ast.name.text),
                    format!("write `&{}`: clocks and channels cannot be copied", ast.name.text),
                );
            }
            Parameter { ast, ty, constant: ast.ty.prefix.constant }
        };
        list.iter().map(resolve).collect()
    }
}

/// The type that a word of other languages is meant to be.
fn elsewhere(word: &str) -> Option<&'static str> {
    match word {
        "boolean" | "Boolean" => Some("bool"),
        "integer" | "Integer" | "long" | "short" => Some("int"),
        "byte" | "unsigned" => Some("int[0,255]"),
        "channel" => Some("chan"),
        _ => None,
    }
}
