//! Names: what is declared where, and the way from a reference to a leaf.

use super::claims::Chosen;
use super::declare::{Shape, ShapeKind, Symbol};
use super::events::Tracing;
use super::flow::Flow;
use super::formulas::Watched;
use super::numbers::{MovedJump, Position, RemoteLabel};
use super::priorities::{Mentions, Priorities};
use super::resolved::{Base, Leaf, Start, Target, Value};
use crate::ast::{Expr, ExprKind, Name, Reference, Span, Typedef};
use network::{Arena, ValueNames, ValueNamesId};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Diagnostics, nearest};

/// A proctype with its names looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct Proctype {
    pub name: String,
    /// The locals that arguments go to.
    pub parameters: Vec<usize>,
    pub locals: Vec<Leaf>,
    /// The names of the locals that remote references may use.
    pub names: FxHashMap<String, Shape>,
    pub flow: Flow,
    pub body: usize,
    /// How many run from the start.
    pub active: u32,
    pub provided: Option<Value>,
    pub priorities: Priorities,
    /// Whether two ways on at once are an error.
    pub deterministic: bool,
    /// Where it first asks for `enabled`.
    pub asks_enabled: Option<Span>,
    pub span: Span,
}

/// Names between two braces.
#[derive(Default)]
pub(super) struct Scope {
    pub names: FxHashMap<String, Symbol>,
    /// Which brace, counted through the proctype: the last part of the scope's path.
    pub number: u32,
}

/// Looks names up and reports those that are missing or misused.
pub(super) struct Resolver<'a> {
    pub diagnostics: &'a mut Diagnostics,
    pub globals: FxHashMap<String, Symbol>,
    pub global_leaves: Vec<Leaf>,
    pub typedefs: FxHashMap<String, Typedef>,
    pub value_names: Arena<ValueNamesId, ValueNames>,
    pub proctypes: Vec<Proctype>,
    /// The scopes around the current place; none at top level.
    pub scopes: Vec<Scope>,
    pub scope_count: u32,
    /// The proctype being looked at.
    pub current: Option<usize>,
    /// Whether a declaration here still takes effect when the process starts.
    pub at_start: bool,
    /// The loops around the current place, by the number of their exits.
    pub loops: Vec<usize>,
    /// Whether variables of processes may be read, as in queries.
    pub outside: bool,
    /// What remote references name, to be looked up when every proctype is known.
    pub remote_labels: Vec<RemoteLabel>,
    /// The jumps that gave way to a `skip`, because a remote reference names their label.
    pub moved_jumps: Vec<MovedJump>,
    /// The unit of the model being looked at.
    pub unit: usize,
    pub gotos: Vec<(usize, Name)>,
    /// The proctypes that `run` names, with the number of arguments, to be looked at when every
    /// proctype is known.
    pub runs: Vec<(usize, usize, Span)>,
    pub remote_variables: Vec<RemoteVariable>,
    /// Where channels are asked for messages that stay in them.
    pub polls: Vec<Span>,
    pub uses: Uses,
    pub tracing: Option<Tracing>,
    /// The never claims to be checked.
    pub claims: Vec<Chosen>,
    /// Whether `run` may stand in the expression being looked at.
    pub runs_allowed: bool,
    /// How often `timeout` was read so far.
    pub timeouts: usize,
    /// The formulas to be checked.
    pub formulas: Vec<Watched>,
    pub priorities: Mentions,
}

/// What the text mentions that costs something in the network.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    /// `_last`
    pub last: bool,
    /// `enabled`, and where it first stands.
    pub enabled: Option<Span>,
    /// `pc_value`
    pub pc_value: bool,
    /// A remote reference without the number of a process.
    pub oldest: bool,
}

/// A local of another process that a remote reference names.
#[derive(Clone, Debug)]
pub(super) struct RemoteVariable {
    pub proctype: usize,
    pub name: Name,
    pub has_index: bool,
}

impl<'a> Resolver<'a> {
    pub fn new(diagnostics: &'a mut Diagnostics) -> Self {
        Resolver {
            diagnostics,
            globals: FxHashMap::default(),
            global_leaves: vec![],
            typedefs: FxHashMap::default(),
            value_names: Arena::default(),
            proctypes: vec![],
            scopes: vec![],
            scope_count: 0,
            current: None,
            at_start: true,
            loops: vec![],
            outside: false,
            remote_labels: vec![],
            moved_jumps: vec![],
            unit: 0,
            gotos: vec![],
            runs: vec![],
            remote_variables: vec![],
            polls: vec![],
            claims: vec![],
            uses: Uses::default(),
            runs_allowed: false,
            timeouts: 0,
            tracing: None,
            formulas: vec![],
            priorities: Mentions::default(),
        }
    }

    pub fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(message, span));
    }

    pub fn unsupported(&mut self, what: &str, span: Span) {
        self.error(format!("not supported yet: {what}"), span);
    }

    // ---- scopes ----

    pub fn enter_scope(&mut self) {
        self.scope_count += 1;
        self.scopes.push(Scope { names: FxHashMap::default(), number: self.scope_count });
    }

    /// Leaves a scope; what it declared can still be read from outside the proctype.
    pub fn leave_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        let Some(current) = self.current else { return };
        for (name, symbol) in scope.names {
            if let Symbol::Variable(shape) = symbol {
                self.proctypes[current].names.entry(name).or_insert(shape);
            }
        }
    }

    pub fn scope_path(&self) -> Vec<u32> {
        self.scopes.iter().map(|it| it.number).collect()
    }

    pub fn flow(&mut self) -> &mut Flow {
        let current = self.current.unwrap_or(0);
        &mut self.proctypes[current].flow
    }

    /// Where the next element will stand; nowhere in a query.
    pub fn position(&self) -> Option<Position> {
        let element = self.proctypes[self.current?].flow.elements.len();
        Some(Position { unit: self.unit, element })
    }

    pub fn lookup(&self, name: &str) -> Option<&Symbol> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.names.get(name));
        local.or_else(|| self.globals.get(name))
    }

    /// Makes a proctype known.
    pub fn add_proctype(&mut self, name: String, span: Span) -> usize {
        self.proctypes.push(Proctype { name, span, ..Default::default() });
        self.proctypes.len() - 1
    }

    pub fn proctype(&self, name: &str) -> Option<usize> {
        self.proctypes.iter().position(|it| it.name == name)
    }

    // ---- leaves ----

    pub fn add_leaf(&mut self, leaf: Leaf) -> Base {
        match self.current {
            Some(current) => {
                self.proctypes[current].locals.push(leaf);
                Base::Local(self.proctypes[current].locals.len() - 1)
            }
            None => {
                self.global_leaves.push(leaf);
                Base::Global(self.global_leaves.len() - 1)
            }
        }
    }

    pub fn leaf_of(&self, base: Base) -> Option<&Leaf> {
        match base {
            Base::Global(index) => self.global_leaves.get(index),
            Base::Local(index) => self.proctypes.get(self.current?)?.locals.get(index),
        }
    }

    pub fn mark_assigned(&mut self, base: Base) {
        let leaf = match base {
            Base::Global(index) => self.global_leaves.get_mut(index),
            Base::Local(index) => {
                let current = self.current.unwrap_or(0);
                self.proctypes.get_mut(current).and_then(|it| it.locals.get_mut(index))
            }
        };
        if let Some(leaf) = leaf {
            leaf.assigned = true;
        }
    }

    // ---- references ----

    /// The leaf that a reference means, with its indices.
    pub fn target(&mut self, reference: &Reference) -> Option<Target> {
        let (shape, indices) = self.place(reference)?;
        match shape.kind {
            ShapeKind::Leaf(base) => Some(Target { base, indices }),
            ShapeKind::Struct(..) => {
                let message = format!("`{}` is a struct, not a value", text(reference));
                self.diagnostics.push(
                    Diagnostic::error(message, reference.span).hint("name one of its fields"),
                );
                None
            }
        }
    }

    /// A leaf that is about to be changed.
    pub fn assigned(&mut self, reference: &Reference) -> Option<Target> {
        let name = &reference.parts[0].name.text;
        if name == "_priority" {
            return self.priority_target(reference);
        }
        if matches!(name.as_str(), "_pid" | "_nr_pr" | "_last") {
            self.error(format!("`{name}` cannot be assigned"), reference.span);
            return None;
        }
        if let Some(Symbol::Constant(_)) = self.lookup(name) {
            self.error(format!("`{name}` is a constant"), reference.span);
            return None;
        }
        let target = self.target(reference)?;
        self.mark_assigned(target.base);
        Some(target)
    }

    /// What a reference means: a leaf or a struct, with the indices so far.
    pub fn place(&mut self, reference: &Reference) -> Option<(Shape, Vec<Value>)> {
        let (mut shape, mut indices) = self.array_or_place(reference)?;
        if shape.size.take().is_some() {
            let is_formula = self.outside && self.current.is_none();
            let name = text(reference);
            let diagnostic = match is_formula {
                true => Diagnostic::warning(
                    format!("`{name}` is an array; its element 0 is used"),
                    reference.span,
                ),
                false => Diagnostic::error(
                    format!("`{name}` is an array and needs an index"),
                    reference.span,
                ),
            };
            self.diagnostics.push(diagnostic.hint("write the index"));
            indices.push(Value::Const(0));
        }
        Some((shape, indices))
    }

    /// The same, where an array without index is allowed: then the size is still there.
    pub fn array_or_place(&mut self, reference: &Reference) -> Option<(Shape, Vec<Value>)> {
        let first = &reference.parts[0].name;
        let mut shape = match self.lookup(&first.text) {
            Some(Symbol::Variable(shape)) => shape.clone(),
            Some(Symbol::Constant(_)) => {
                self.error(format!("`{}` is a constant", first.text), first.span);
                return None;
            }
            None => {
                self.unknown(&first.text, first.span);
                return None;
            }
        };
        let mut indices = vec![];
        for (position, part) in reference.parts.iter().enumerate() {
            if position > 0 {
                shape = self.field(shape, &part.name.text, part.name.span)?;
            }
            let is_last = position + 1 == reference.parts.len();
            self.index(&mut shape, part.index.as_ref(), &part.name, is_last, &mut indices)?;
        }
        Some((shape, indices))
    }

    fn index(
        &mut self,
        shape: &mut Shape,
        index: Option<&Expr>,
        name: &Name,
        is_last: bool,
        indices: &mut Vec<Value>,
    ) -> Option<()> {
        match (shape.size, index) {
            (Some(_), Some(index)) => {
                indices.push(self.value(index));
                shape.size = None;
            }
            (Some(_), None) if !is_last => {
                let message = format!("`{}` is an array and needs an index", name.text);
                self.error(message, name.span);
                return None;
            }
            // Spin does not tell this index from none.
            (None, Some(Expr { kind: ExprKind::Int(0), span })) => {
                let message = format!("`{}` is not an array; the index has no effect", name.text);
                self.diagnostics.push(Diagnostic::warning(message, *span));
            }
            (None, Some(_)) => {
                self.error(format!("`{}` is not an array", name.text), name.span);
                return None;
            }
            _ => {}
        }
        Some(())
    }

    fn field(&mut self, shape: Shape, name: &str, span: Span) -> Option<Shape> {
        let ShapeKind::Struct(struct_name, fields) = shape.kind else {
            self.error(format!("there is no field `{name}`: it is not a struct"), span);
            return None;
        };
        let found = fields.iter().position(|(field, _)| field == name);
        if found.is_none() {
            let hint = alike(name, fields.iter().map(|(field, _)| field.as_str()));
            let message = format!("the type `{struct_name}` has no field `{name}`");
            let diagnostic = Diagnostic::error(message, span);
            self.diagnostics.push(Diagnostic { hint, ..diagnostic });
        }
        found.map(|number| fields[number].1.clone())
    }

    fn unknown(&mut self, name: &str, span: Span) {
        let locals = self.scopes.iter().flat_map(|it| it.names.keys());
        let known: Vec<_> = self.globals.keys().chain(locals).map(String::as_str).collect();
        let alike = alike(name, known);
        let diagnostic = Diagnostic::error(format!("`{name}` is not declared"), span);
        self.diagnostics.push(Diagnostic { hint: alike, ..diagnostic });
    }

    /// The proctype with a name, or a complaint.
    pub fn known_proctype(&mut self, name: &Name) -> Option<usize> {
        let found = self.proctype(&name.text);
        if found.is_none() {
            let hint = alike(&name.text, self.proctypes.iter().map(|it| it.name.as_str()));
            let message = format!("there is no proctype `{}`", name.text);
            let diagnostic = Diagnostic::error(message, name.span);
            self.diagnostics.push(Diagnostic { hint, ..diagnostic });
        }
        found
    }

    /// The leaves below a struct or variable in the order of messages, arrays opened.
    pub fn leaves(&self, shape: &Shape, indices: &[Value]) -> Vec<Target> {
        let elements = shape.size.map_or(vec![None], |size| (0..size).map(Some).collect());
        let mut list = vec![];
        for element in elements {
            let mut indices = indices.to_vec();
            indices.extend(element.map(|it| Value::Const(it as i32)));
            match &shape.kind {
                ShapeKind::Leaf(base) => list.push(Target { base: *base, indices }),
                ShapeKind::Struct(_, fields) => {
                    for (_, field) in fields.iter() {
                        list.extend(self.leaves(field, &indices));
                    }
                }
            }
        }
        list
    }

    /// A reference to a channel; with what it carries, where that is certain.
    pub fn channel_target(&mut self, reference: &Reference) -> Option<(Target, Option<usize>)> {
        let target = self.target(reference)?;
        let leaf = self.leaf_of(target.base)?;
        if !leaf.is_channel {
            self.error(format!("`{}` is not a channel", text(reference)), reference.span);
            return None;
        }
        let arity = match &leaf.start {
            Start::Channel(shape) => Some(shape.fields.len()),
            _ => None,
        };
        Some((target, arity))
    }
}

/// A hint at the name that may have been meant.
pub(super) fn alike<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(name, known).map(|it| format!("did you mean `{it}`?"))
}

/// A reference as the user wrote it, without its indices.
pub(super) fn text(reference: &Reference) -> String {
    let names: Vec<_> = reference.parts.iter().map(|it| it.name.text.as_str()).collect();
    names.join(".")
}
