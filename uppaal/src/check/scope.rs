//! Scopes and what names stand for.
//!
//! Functions are lowered long after they are declared, so every name carries its number in
//! declaration order and the body of a function sees only smaller numbers outside itself.

use super::types::Ty;
use crate::ast;
use network::{Base, ChannelId, ClockId, Expr, ProcessId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Index of a scope.
pub(crate) type ScopeId = usize;

/// What a name stands for.
#[derive(Clone)]
pub(crate) enum Symbol<'a> {
    /// A variable, constant, clock, channel, parameter or binder.
    Object(View<'a>),
    Type(Ty),
    Function(Rc<FunctionSymbol<'a>>),
    /// Index into the model's templates.
    Template(usize),
    Instantiation(&'a ast::Instantiation),
    /// Something that was reported where it is declared.
    Error,
}

/// A declared function.
pub(crate) struct FunctionSymbol<'a> {
    pub ast: &'a ast::Function,
    /// Where it is declared.
    pub scope: ScopeId,
    /// Its number in declaration order, also its identity.
    pub order: u32,
    /// What the names of things in it start with: `P(1).`.
    pub prefix: Rc<str>,
    pub parameters: Vec<Parameter<'a>>,
    pub result: Ty,
}

/// A parameter of a function or template with its type resolved.
#[derive(Clone)]
pub(crate) struct Parameter<'a> {
    pub ast: &'a ast::Parameter,
    pub ty: Ty,
    pub constant: bool,
}

impl Parameter<'_> {
    /// Whether an argument is handed over as a single number.
    pub fn is_value(&self) -> bool {
        self.ty.is_data() && (self.constant || !self.ast.by_reference)
    }
}

/// A variable or a part of one: some of its leaves, with the indices chosen so far.
#[derive(Clone)]
pub(crate) struct View<'a> {
    pub ty: Ty,
    pub leaves: Rc<[Leaf<'a>]>,
    /// The first leaf of this part.
    pub first: usize,
    /// Indices into the first dimensions of each leaf.
    pub indices: Vec<Expr>,
    pub access: Access,
}

/// Where the elements of a leaf are.
#[derive(Clone)]
pub(crate) enum Leaf<'a> {
    Base(Base),
    Clock(ClockId),
    Channel(ChannelId),
    Const(i32),
    /// In the result of a call without side effects: the number of the leaf.
    Result(Rc<PendingCall<'a>>, usize),
}

/// A call whose result is an array or struct, made once it is known which element is wanted.
pub(crate) struct PendingCall<'a> {
    pub function: Rc<FunctionSymbol<'a>>,
    pub bindings: Vec<View<'a>>,
    pub arguments: Vec<Expr>,
}

/// Whether something may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Write,
    /// A constant, binder or the like: this is what to call it.
    ReadOnly(&'static str),
    /// An array or struct handed over by value without copying it; a write asks for the copy.
    Shared,
}

impl<'a> View<'a> {
    pub fn whole(ty: Ty, leaves: Vec<Leaf<'a>>, access: Access) -> Self {
        View { ty, leaves: leaves.into(), first: 0, indices: Vec::new(), access }
    }

    pub fn constant(ty: Ty, value: i32, what: &'static str) -> Self {
        View::whole(ty, vec![Leaf::Const(value)], Access::ReadOnly(what))
    }

    /// The leaves of this part.
    pub fn parts(&self) -> &[Leaf<'a>] {
        &self.leaves[self.first..self.first + self.ty.leaf_count()]
    }

    /// The element at a position, counted from 0, of an array, which the view must be of.
    pub fn element(&self, index: Expr) -> View<'a> {
        let Ty::Array(array) = &self.ty else { return self.clone() };
        let mut indices = self.indices.clone();
        indices.push(index);
        View { ty: array.element.clone(), indices, ..self.clone() }
    }

    /// A field of a struct, which the view must be of.
    pub fn field(&self, number: usize) -> View<'a> {
        let Ty::Struct(it) = &self.ty else { return self.clone() };
        let before: usize = it.fields[..number].iter().map(|(_, ty)| ty.leaf_count()).sum();
        View { ty: it.fields[number].1.clone(), first: self.first + before, ..self.clone() }
    }
}

/// A name in a scope.
pub(crate) struct Entry<'a> {
    pub symbol: Symbol<'a>,
    pub order: u32,
    pub span: ast::Span,
}

struct Scope<'a> {
    parent: Option<ScopeId>,
    names: FxHashMap<String, Entry<'a>>,
    /// Names with a larger number in the scopes around are not visible from here.
    horizon: u32,
}

/// All scopes.
#[derive(Default)]
pub(crate) struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
    order: u32,
}

/// What a search for a name found.
pub(crate) enum Found<'e, 'a> {
    Entry(&'e Entry<'a>),
    /// Declared, but further down.
    Later(ast::Span),
    Nothing,
}

impl<'a> Scopes<'a> {
    pub fn open(&mut self, parent: Option<ScopeId>) -> ScopeId {
        self.open_below(parent, u32::MAX)
    }

    /// Opens a scope that sees only what was declared before the given number.
    pub fn open_below(&mut self, parent: Option<ScopeId>, horizon: u32) -> ScopeId {
        self.scopes.push(Scope { parent, names: FxHashMap::default(), horizon });
        self.scopes.len() - 1
    }

    /// Forgets the scope and all opened after it.
    pub fn close(&mut self, scope: ScopeId) {
        self.scopes.truncate(scope);
    }

    /// The next number in declaration order.
    pub fn next_order(&mut self) -> u32 {
        self.order += 1;
        self.order
    }

    /// Adds a name; returns where the same name is declared already in the same scope.
    pub fn declare(
        &mut self,
        scope: ScopeId,
        name: &ast::Name,
        symbol: Symbol<'a>,
    ) -> Result<(), ast::Span> {
        let order = self.next_order();
        let names = &mut self.scopes[scope].names;
        if let Some(entry) = names.get(&name.text) {
            return Err(entry.span);
        }
        names.insert(name.text.clone(), Entry { symbol, order, span: name.span });
        Ok(())
    }

    /// The name in this scope alone.
    pub fn local(&self, scope: ScopeId, name: &str) -> Option<&Entry<'a>> {
        self.scopes[scope].names.get(name)
    }

    pub fn find(&self, scope: ScopeId, name: &str) -> Found<'_, 'a> {
        let (mut at, mut horizon, mut later) = (Some(scope), u32::MAX, None);
        while let Some(id) = at {
            let scope = &self.scopes[id];
            match scope.names.get(name) {
                Some(entry) if entry.order <= horizon => return Found::Entry(entry),
                Some(entry) => later = later.or(Some(entry.span)),
                None => {}
            }
            horizon = horizon.min(scope.horizon);
            at = scope.parent;
        }
        later.map_or(Found::Nothing, Found::Later)
    }

    /// The names of one scope.
    pub fn own_names(&self, scope: ScopeId) -> impl Iterator<Item = &str> {
        self.scopes[scope].names.keys().map(String::as_str)
    }

    /// Every name visible from a scope.
    pub fn names(&self, scope: ScopeId) -> Vec<&str> {
        let (mut at, mut names) = (Some(scope), Vec::new());
        while let Some(id) = at {
            names.extend(self.scopes[id].names.keys().map(String::as_str));
            at = self.scopes[id].parent;
        }
        names
    }
}

/// The processes that one name of the system line stands for.
pub(crate) struct ProcessSet {
    /// The number of parameters in `P(1, 2)`; 0 for a plain process.
    pub arity: usize,
    pub members: FxHashMap<Vec<i32>, ProcessId>,
}
