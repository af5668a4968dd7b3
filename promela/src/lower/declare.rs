//! Declarations: constants, struct types, and variables taken apart into leaves.

use super::resolved::{Base, ChannelShape, Leaf, Start, Value};
use super::resolver::Resolver;
use crate::ast::{
    ChannelInitialiser, Declarator, Expr, Initialiser, Mtype, Name, Span, Type, TypeKind, Typedef,
    Variables, Visibility,
};
use network::{Overflow, ValueNames, ValueNamesId};
use source::Diagnostic;
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Constant(i32),
    Variable(Shape),
}

/// How a variable or field is built.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub size: Option<u32>,
    pub kind: ShapeKind,
}

#[derive(Clone, Debug)]
pub(super) enum ShapeKind {
    Leaf(Base),
    Struct(String, Rc<[(String, Shape)]>),
}

/// What surrounds a field while a variable is taken apart.
#[derive(Clone, Default)]
struct Around {
    prefix: String,
    sizes: Vec<u32>,
    hidden: bool,
    depth: u32,
}

/// Structs nested deeper than this are refused.
const DEEPEST: u32 = 50;

/// A type of a number of bits, whose values are cut to it.
pub(super) fn wrapping(low: i32, high: i32) -> network::Type {
    network::Type { overflow: Overflow::Wrap, ..network::Type::range(low, high) }
}

/// The type that holds every `byte`, process number, channel and symbolic constant.
pub(super) fn byte() -> network::Type {
    wrapping(0, 255)
}

/// `mtype`, or `mtype:fruit`.
fn mtype_name(subtype: &Option<Name>) -> String {
    subtype.as_ref().map_or("mtype".to_string(), |it| format!("mtype:{}", it.text))
}

impl Resolver<'_> {
    // ---- constants and struct types ----

    /// Spin numbers the constants of a declaration from the last to the first.
    pub(super) fn mtype(&mut self, mtype: &Mtype) {
        let id = match self.value_names(&mtype.subtype) {
            Some(id) => id,
            None => self.add_value_names(mtype),
        };
        for name in mtype.names.iter().rev() {
            self.value_names[id].names.push(name.text.clone());
            let value = self.value_names[id].names.len() as i32;
            self.declare(name, Symbol::Constant(value));
        }
        if self.value_names[id].names.len() > 255 {
            self.error("more than 255 `mtype` constants", mtype.span);
        }
    }

    fn add_value_names(&mut self, mtype: &Mtype) -> ValueNamesId {
        let name = mtype_name(&mtype.subtype);
        self.value_names.push(ValueNames { name, first: 1, names: vec![] })
    }

    /// The constants of a subtype, or those without one.
    fn value_names(&self, subtype: &Option<Name>) -> Option<ValueNamesId> {
        let name = mtype_name(subtype);
        self.value_names.enumerate().find(|(_, it)| it.name == name).map(|(id, _)| id)
    }

    pub(super) fn typedef(&mut self, typedef: &'_ Typedef) {
        for field in &typedef.fields {
            if field.visibility == Some(Visibility::Hidden) {
                self.error("only globals can be hidden", field.ty.span);
            }
        }
        let known = self.typedefs.insert(typedef.name.text.clone(), typedef.clone());
        if known.is_some() {
            let message = format!("the type `{}` is declared twice", typedef.name.text);
            self.error(message, typedef.name.span);
        }
    }

    // ---- variables ----

    /// Declares variables in the innermost scope and returns the first leaf of each.
    pub(super) fn variables(&mut self, variables: &Variables, at_start: bool) -> Vec<Declared> {
        let hidden = variables.visibility == Some(Visibility::Hidden);
        let mut list = vec![];
        for declarator in &variables.declarators {
            let around = Around { hidden, ..Around::default() };
            let shape = self.shape(&variables.ty, declarator, around, at_start);
            if let Some(shape) = shape {
                list.push(Declared { shape: shape.clone(), span: declarator.span });
                self.declare(&declarator.name, Symbol::Variable(shape));
            }
        }
        list
    }

    fn shape(
        &mut self,
        ty: &Type,
        declarator: &Declarator,
        around: Around,
        at_start: bool,
    ) -> Option<Shape> {
        let size = match &declarator.size {
            Some(size) => Some(self.array_size(size)?),
            None => None,
        };
        let mut inner = around;
        inner.prefix += &declarator.name.text;
        inner.sizes.extend(size);
        if size.is_none() && matches!(declarator.initialiser, Some(Initialiser::List(_))) {
            self.error("only an array starts with a list of values", declarator.span);
        }
        let kind = match &ty.kind {
            TypeKind::Named(name) => {
                self.idle_initialiser(declarator);
                self.structure(name, ty.span, size, inner)?
            }
            _ => self.leaf(ty, declarator, inner, at_start),
        };
        Some(Shape { size, kind })
    }

    /// What stands after the `=` of a struct is looked up, and that is all.
    fn idle_initialiser(&mut self, declarator: &Declarator) {
        match &declarator.initialiser {
            None => return,
            Some(Initialiser::Value(value)) => drop(self.value(value)),
            Some(Initialiser::List(values)) => values.iter().for_each(|it| drop(self.value(it))),
            Some(Initialiser::Channel(channel)) => {
                return self.error("only a `chan` can hold a channel", channel.span);
            }
        }
        let message =
            format!("the initial value of the struct `{}` has no effect", declarator.name.text);
        let hint = "its fields start with the values that the type gives them";
        self.diagnostics.push(Diagnostic::warning(message, declarator.span).hint(hint));
    }

    fn array_size(&mut self, size: &Expr) -> Option<u32> {
        let value = self.constant(size, "the size of an array")?;
        match u32::try_from(value) {
            Ok(count @ 1..=0xff_ffff) => Some(count),
            _ => {
                self.error(format!("an array cannot have {value} elements"), size.span);
                None
            }
        }
    }

    fn structure(
        &mut self,
        name: &str,
        span: Span,
        size: Option<u32>,
        around: Around,
    ) -> Option<ShapeKind> {
        let Some(typedef) = self.typedefs.get(name).cloned() else {
            self.error(format!("there is no type `{name}`"), span);
            return None;
        };
        if around.depth > DEEPEST {
            self.error(format!("the type `{name}` contains itself"), span);
            return None;
        }
        let brackets = if size.is_some() { "[]." } else { "." };
        let prefix = format!("{}{brackets}", around.prefix);
        let inner = Around { prefix, depth: around.depth + 1, ..around };
        let mut fields = vec![];
        for variables in &typedef.fields {
            for declarator in &variables.declarators {
                let shape = self.shape(&variables.ty, declarator, inner.clone(), true)?;
                fields.push((declarator.name.text.clone(), shape));
            }
        }
        Some(ShapeKind::Struct(name.to_string(), fields.into()))
    }

    fn leaf(&mut self, ty: &Type, it: &Declarator, around: Around, at_start: bool) -> ShapeKind {
        let is_channel = ty.kind == TypeKind::Chan;
        self.check_leaf(ty, it, &around);
        let mut range = self.scalar(ty, it.bits, it.span);
        if !around.sizes.is_empty() && it.size.is_some() && range.high == 1 {
            // Spin keeps arrays of bits in bytes, and never cuts what is stored there.
            range = byte();
        }
        let start = if at_start { self.start(it, is_channel) } else { Start::Zero };
        let leaf = Leaf {
            name: around.prefix,
            ty: range,
            sizes: around.sizes,
            is_channel,
            hidden: around.hidden,
            start,
            assigned: false,
            span: it.span,
        };
        ShapeKind::Leaf(self.add_leaf(leaf))
    }

    fn check_leaf(&mut self, ty: &Type, it: &Declarator, around: &Around) {
        if it.bits.is_some() && ty.kind != TypeKind::Unsigned {
            self.error("only `unsigned` variables have a width", it.span);
        }
        if around.hidden && self.current.is_some() {
            self.error("only globals can be hidden", it.span);
        }
        if around.hidden && ty.kind == TypeKind::Chan {
            self.error("channels cannot be hidden", it.span);
        }
        if around.hidden && matches!(ty.kind, TypeKind::Bit | TypeKind::Bool) {
            self.error("bits cannot be hidden", it.span);
        }
    }

    fn start(&mut self, declarator: &Declarator, is_channel: bool) -> Start {
        match &declarator.initialiser {
            None => Start::Zero,
            Some(Initialiser::Value(value)) => Start::Value(self.value(value)),
            Some(Initialiser::List(values)) => {
                Start::List(values.iter().map(|it| self.value(it)).collect())
            }
            Some(Initialiser::Channel(channel)) if is_channel => self.channel(channel),
            Some(Initialiser::Channel(channel)) => {
                self.error("only a `chan` can hold a channel", channel.span);
                Start::Zero
            }
        }
    }

    fn channel(&mut self, channel: &ChannelInitialiser) -> Start {
        let what = "the capacity of a channel";
        let capacity = self.constant(&channel.capacity, what).unwrap_or(0);
        if !(0..=255).contains(&capacity) {
            let message = format!("a channel cannot hold {capacity} messages, only 0 to 255");
            self.error(message, channel.capacity.span);
        }
        let capacity = capacity.clamp(0, 255) as u32;
        let mut shape = ChannelShape { capacity, fields: vec![], channels: vec![] };
        for ty in &channel.fields {
            self.message_fields(ty, &mut shape, 0);
        }
        // A bit that is alone in its messages is kept in a byte by Spin's verifiers.
        if let [alone] = &mut shape.fields[..]
            && (alone.low, alone.high) == (0, 1)
        {
            *alone = byte();
        }
        Start::Channel(shape)
    }

    /// The scalar types that a field of a message is made of.
    fn message_fields(&mut self, ty: &Type, shape: &mut ChannelShape, depth: u32) {
        let TypeKind::Named(name) = &ty.kind else {
            shape.channels.extend((ty.kind == TypeKind::Chan).then_some(shape.fields.len()));
            shape.fields.push(self.scalar(ty, None, ty.span));
            return;
        };
        let Some(typedef) = self.typedefs.get(name).cloned() else {
            self.error(format!("there is no type `{name}`"), ty.span);
            return;
        };
        if depth > DEEPEST {
            return;
        }
        for variables in &typedef.fields {
            for it in &variables.declarators {
                let size = it.size.as_ref().and_then(|size| self.array_size(size)).unwrap_or(1);
                for _ in 0..size {
                    match variables.ty.kind {
                        TypeKind::Unsigned => {
                            shape.fields.push(self.scalar(&variables.ty, it.bits, it.span))
                        }
                        _ => self.message_fields(&variables.ty, shape, depth + 1),
                    }
                }
            }
        }
    }

    fn scalar(&mut self, ty: &Type, bits: Option<u32>, span: Span) -> network::Type {
        match &ty.kind {
            TypeKind::Bit | TypeKind::Bool => wrapping(0, 1),
            TypeKind::Byte | TypeKind::Pid | TypeKind::Chan => byte(),
            TypeKind::Mtype(subtype) => {
                network::Type { names: self.value_names(subtype), ..byte() }
            }
            TypeKind::Short => wrapping(i16::MIN.into(), i16::MAX.into()),
            TypeKind::Int => wrapping(i32::MIN, i32::MAX),
            TypeKind::Unsigned => self.unsigned(bits, span),
            TypeKind::Named(name) => {
                self.error(format!("`{name}` is a struct type"), ty.span);
                byte()
            }
        }
    }

    fn unsigned(&mut self, bits: Option<u32>, span: Span) -> network::Type {
        match bits {
            Some(bits @ 1..=31) => wrapping(0, ((1_i64 << bits) - 1) as i32),
            // The parser has refused every other width.
            Some(_) => byte(),
            None => {
                let diagnostic = Diagnostic::error("`unsigned` without a width", span);
                self.diagnostics.push(diagnostic.hint("write it after the name: `x : 5`"));
                byte()
            }
        }
    }

    /// Enters a name into the innermost scope.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol) {
        if matches!(name.text.as_str(), "_" | "_pid" | "_nr_pr" | "_last" | "_priority") {
            self.error(format!("`{}` is predefined", name.text), name.span);
            return;
        }
        let scope = match self.scopes.last_mut() {
            Some(scope) => &mut scope.names,
            None => &mut self.globals,
        };
        if scope.insert(name.text.clone(), symbol).is_some() {
            self.error(format!("`{}` is declared twice", name.text), name.span);
        }
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, expr: &Expr, what: &str) -> Option<i32> {
        let value = self.value(expr);
        let constant = self.initial(&value);
        if constant.is_none() {
            self.error(format!("{what} must be a constant"), expr.span);
        }
        constant
    }

    /// What a value is while all globals still hold their initial values.
    pub(super) fn initial(&self, value: &Value) -> Option<i32> {
        super::evaluate::evaluate(value, None, &|target| {
            let Base::Global(index) = target.base else { return None };
            let leaf = self.global_leaves.get(index)?;
            if !target.indices.is_empty() {
                return None;
            }
            match &leaf.start {
                Start::Zero => Some(0),
                Start::Value(value) => self.initial(value),
                _ => None,
            }
        })
    }
}

/// A variable as declared.
pub(super) struct Declared {
    pub shape: Shape,
    pub span: Span,
}
