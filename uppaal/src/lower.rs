//! From the syntax tree to a network, checking types on the way.
//!
//! Start at [`lower`]. Expressions of the network have no side effects, so an expression of the
//! model becomes a [`values::Value`] and, for its effects, statements of the current [`Owner`].
//! Every process is lowered on its own, with its parameters as constants; functions are lowered
//! when they are first called, once for each way their reference parameters are bound (`calls`).

mod assignments;
mod calls;
mod clocks;
mod conditions;
mod declarations;
mod expressions;
mod functions;
mod initialisers;
mod inlining;
mod joint;
mod operators;
mod queries;
mod statements;
mod system;
mod templates;
mod types;
mod values;
mod views;

use crate::ast;
use crate::check::constants::{Evaluator, Fault};
use crate::check::report::Report;
use crate::check::scope::{Found, ProcessSet, ScopeId, Scopes, Symbol, View};
use crate::check::types::{INT, Ty};
use calls::{FunctionFacts, FunctionKey};
use network::{
    Arena, Base, Expr, FunctionId, Local, LocalId, Network, Place, PropertyId, Source, SourceId,
    Span, Statement, StatementKind, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, SourceMap, nearest};
use std::rc::Rc;

/// A checked model.
pub(crate) struct Lowered {
    pub network: Network,
    pub diagnostics: Vec<Diagnostic>,
    /// What is wrong with single queries.
    pub mistakes: Vec<(PropertyId, Vec<Diagnostic>)>,
}

/// Checks a model and lowers it together with the queries; the network is only of use if there
/// is no error among the diagnostics.
///
/// With `holes` the model is what is left after mistakes of syntax, and names may be missing.
pub(crate) fn lower(
    model: &ast::Model,
    queries: &[ast::Query],
    sources: &SourceMap,
    holes: bool,
) -> Lowered {
    let mut lowerer = Lowerer::new(model, sources);
    lowerer.holes = holes;
    lowerer.prelude();
    lowerer.global_declarations();
    lowerer.system();
    lowerer.queries(queries);
    let network = lowerer.network.clone();
    lowerer.check_the_rest();
    let Lowerer { report, mistakes, .. } = lowerer;
    Lowered { network, diagnostics: report.finish(), mistakes }
}

/// More elements than this in all variables, clocks and channels together are refused.
const MAX_ELEMENTS: u64 = 16_000_000;

/// More clocks than this are refused.
const MAX_CLOCKS: u64 = 4000;

/// More copies than this of function bodies are refused.
const MAX_COPIES: usize = 200_000;

/// More instances than this of quantified clock constraints are refused.
const MAX_UNROLLED: usize = 500_000;

/// Expressions nested more deeply than this, counted through the functions they call, are refused.
const MAX_DEPTH: usize = 4000;

/// Calls nested more deeply than this are refused.
const MAX_CALLS: u32 = 250;

/// The state of lowering.
pub(crate) struct Lowerer<'a> {
    model: &'a ast::Model,
    sources: &'a SourceMap,
    report: Report,
    /// What is wrong with single queries.
    mistakes: Vec<(PropertyId, Vec<Diagnostic>)>,
    network: Network,
    scopes: Scopes<'a>,
    /// Where names are looked up.
    scope: ScopeId,
    global_scope: ScopeId,
    system_scope: ScopeId,
    /// What is being built.
    owner: Owner<'a>,
    /// What the names of new variables start with: `P(1).`.
    prefix: Rc<str>,
    functions: FxHashMap<FunctionKey, FunctionId>,
    /// Parallel to the network's functions.
    facts: Vec<FunctionFacts>,
    process_sets: FxHashMap<&'a str, ProcessSet>,
    /// The template and scope of each process, parallel to the network's processes.
    process_facts: Vec<ProcessFacts>,
    /// The locations of each template by name.
    locations: Vec<FxHashMap<&'a str, usize>>,
    instantiated: Vec<bool>,
    evaluator: Evaluator,
    elements: u64,
    copies: usize,
    depth: usize,
    unrolled: usize,
    channel_priorities: bool,
    in_query: bool,
    /// Whether parts of the model are missing, so that unknown names mean nothing.
    holes: bool,
    /// Whether this is only a check with made-up parameters: values mean nothing then.
    rehearsal: bool,
    spans: FxHashMap<ast::Span, Span>,
    source_ids: FxHashMap<String, SourceId>,
    /// Functions that were lowered at least once, by the place of their name.
    lowered: FxHashSet<ast::Span>,
    /// Edges that synchronise without `!` or `?`.
    joint: Vec<joint::JointEdge>,
}

/// What a process was made of.
#[derive(Clone, Copy)]
pub(crate) struct ProcessFacts {
    /// Index of its template.
    template: usize,
    scope: ScopeId,
}

/// The edge, location, function or property being built.
#[derive(Default)]
pub(crate) struct Owner<'a> {
    locals: Arena<LocalId, Local>,
    /// Locals that only the lowering itself writes: their values stay until they are used.
    held: FxHashSet<LocalId>,
    /// Statements of the blocks that are open.
    blocks: Vec<Vec<Statement>>,
    /// The elements of all locals.
    elements: u64,
    /// The first statement's place, for messages about unwanted effects.
    first_effect: Option<ast::Span>,
    /// Where effects are not allowed, what to call it: "a guard".
    pure: Option<&'static str>,
    /// How many loops are open.
    loops: usize,
    /// What `return` does.
    exit: Exit<'a>,
    /// Whether an array or struct handed over by value is written.
    writes_shared: bool,
}

/// What `return` does.
#[derive(Clone, Default)]
pub(crate) enum Exit<'a> {
    /// There is no function.
    #[default]
    None,
    /// Returns a number, or nothing for `Ty::Void`.
    Plain(Ty),
    /// Returns one element of an array or struct: the leaf and the locals that hold its indices.
    Element(Ty, usize, Vec<LocalId>),
    /// Leaves a function that is being inlined.
    Inlined {
        /// Where the result goes; none for `void`.
        result: Option<View<'a>>,
        /// Set to 1 on the way out, if anything follows.
        done: Option<LocalId>,
    },
}

impl<'a> Lowerer<'a> {
    fn new(model: &'a ast::Model, sources: &'a SourceMap) -> Self {
        let mut scopes = Scopes::default();
        let prelude = scopes.open(None);
        let global_scope = scopes.open(Some(prelude));
        let system_scope = scopes.open(Some(global_scope));
        Lowerer {
            model,
            sources,
            report: Report::default(),
            mistakes: Vec::new(),
            network: Network::default(),
            scopes,
            scope: global_scope,
            global_scope,
            system_scope,
            owner: Owner::default(),
            prefix: "".into(),
            functions: FxHashMap::default(),
            facts: Vec::new(),
            process_sets: FxHashMap::default(),
            process_facts: Vec::new(),
            locations: Vec::new(),
            instantiated: vec![false; model.templates.len()],
            evaluator: Evaluator::default(),
            elements: 0,
            copies: 0,
            depth: 0,
            unrolled: 0,
            channel_priorities: false,
            in_query: false,
            holes: false,
            rehearsal: false,
            spans: FxHashMap::default(),
            source_ids: FxHashMap::default(),
            lowered: FxHashSet::default(),
            joint: Vec::new(),
        }
    }

    /// The names every model may use without declaring them.
    fn prelude(&mut self) {
        const LIMITS: [(&str, i32); 10] = [
            ("INT8_MIN", i8::MIN as i32),
            ("INT8_MAX", i8::MAX as i32),
            ("UINT8_MAX", u8::MAX as i32),
            ("INT16_MIN", i16::MIN as i32),
            ("INT16_MAX", i16::MAX as i32),
            ("UINT16_MAX", u16::MAX as i32),
            ("INT32_MIN", i32::MIN),
            ("INT32_MAX", i32::MAX),
            ("true", 1),
            ("false", 0),
        ];
        const TYPES: [(&str, i32, i32); 5] = [
            ("int8_t", i8::MIN as i32, i8::MAX as i32),
            ("uint8_t", 0, u8::MAX as i32),
            ("int16_t", i16::MIN as i32, i16::MAX as i32),
            ("uint16_t", 0, u16::MAX as i32),
            ("int32_t", i32::MIN, i32::MAX),
        ];
        for (name, value) in LIMITS {
            self.prelude_name(name, Symbol::Object(View::constant(INT, value, "a constant")));
        }
        for (name, low, high) in TYPES {
            self.prelude_name(name, Symbol::Type(Ty::Int { low, high }));
        }
    }

    fn prelude_name(&mut self, name: &str, symbol: Symbol<'a>) {
        let name = ast::Name { text: name.to_string(), span: ast::Span::default() };
        // The prelude is the first scope and has no name twice.
        let _ = self.scopes.declare(0, &name, symbol);
    }

    // Messages.

    fn error(&mut self, span: ast::Span, message: impl Into<String>) {
        self.report.push(Diagnostic::error(message, span));
    }

    fn error_hint(&mut self, span: ast::Span, message: impl Into<String>, hint: impl Into<String>) {
        self.report.push(Diagnostic::error(message, span).hint(hint));
    }

    fn warn(&mut self, span: ast::Span, message: impl Into<String>, hint: impl Into<String>) {
        self.report.push(Diagnostic::warning(message, span).hint(hint));
    }

    /// The place of a span in the user's file.
    fn span(&mut self, span: ast::Span) -> Span {
        if let Some(&known) = self.spans.get(&span) {
            return known;
        }
        let Some(place) = self.sources.resolve(span) else { return Span::NONE };
        let source = match self.source_ids.get(&place.path) {
            Some(&id) => id,
            None => {
                let id = self.network.sources.push(Source { path: place.path.clone() });
                self.source_ids.insert(place.path.clone(), id);
                id
            }
        };
        let resolved = place.span(source);
        self.spans.insert(span, resolved);
        resolved
    }

    // Names.

    fn declare(&mut self, name: &ast::Name, symbol: Symbol<'a>) {
        if let Err(first) = self.scopes.declare(self.scope, name, symbol) {
            let hint = match self.sources.resolve(first) {
                Some(place) => format!("it is first declared in line {}", place.line),
                None => "give one of them another name".to_string(),
            };
            self.error_hint(name.span, format!("`{}` is declared twice", name.text), hint);
        }
    }

    /// What a name stands for; an unknown one is reported.
    fn lookup(&mut self, name: &str, span: ast::Span) -> Option<Symbol<'a>> {
        match self.scopes.find(self.scope, name) {
            Found::Entry(entry) => Some(entry.symbol.clone()),
            Found::Later(place) => {
                self.report_later(name, span, place);
                None
            }
            Found::Nothing if self.holes => None,
            Found::Nothing => {
                self.unknown_name(name, span);
                None
            }
        }
    }

    fn unknown_name(&mut self, name: &str, span: ast::Span) {
        // A name alike is sought only while it will be shown: there may be many names.
        let known = match self.has_said_enough() {
            true => Vec::new(),
            false => self.scopes.names(self.scope),
        };
        let like = nearest(name, known).map(str::to_string);
        self.unknown(&format!("unknown name `{name}`"), span, like.as_deref());
    }

    /// Whether so much is wrong that further messages are hardly read.
    fn has_said_enough(&self) -> bool {
        self.report.is_full() || self.mistakes.len() >= Report::LIMIT
    }

    fn unknown(&mut self, message: &str, span: ast::Span, like: Option<&str>) {
        match like {
            Some(like) => self.error_hint(span, message, format!("did you mean `{like}`?")),
            None => self.error(span, message),
        }
    }

    fn report_later(&mut self, name: &str, span: ast::Span, declared: ast::Span) {
        let line = self.sources.resolve(declared).map_or(0, |place| place.line);
        self.error_hint(
            span,
            format!("`{name}` is used before it is declared"),
            format!(
                "it is declared in line {line}; a function may not call itself, directly or not"
            ),
        );
    }

    // Constants.

    /// The value of a lowered expression, if it is constant; reported if it is not.
    fn evaluate(&mut self, e: &Expr, span: ast::Span) -> Option<i32> {
        match self.evaluator.value(&self.network, &self.owner.locals, e) {
            Ok(value) => Some(value),
            Err(Fault::NotConstant) => {
                self.error_hint(
                    span,
                    "this must be a constant",
                    "only literals, `const` names, parameters of templates and functions of these are",
                );
                None
            }
            Err(_) if self.rehearsal => None,
            Err(fault) => {
                self.error(span, fault.to_string());
                None
            }
        }
    }

    /// The value of a constant integer expression.
    fn constant(&mut self, e: &'a ast::Expr) -> Option<i32> {
        let errors = self.report.errors();
        let (lowered, ty) = self.pure("a constant", e.span, |it| it.data(e));
        if self.report.errors() > errors || ty == Ty::Error {
            return None;
        }
        self.evaluate(&lowered, e.span)
    }

    // Statements.

    fn emit(&mut self, kind: StatementKind, span: ast::Span) {
        self.owner.first_effect.get_or_insert(span);
        let span = self.span(span);
        if let Some(block) = self.owner.blocks.last_mut() {
            block.push(Statement { kind, span });
        }
    }

    /// Adds statements that were built apart.
    fn emit_all(&mut self, statements: Vec<Statement>) {
        if let Some(block) = self.owner.blocks.last_mut() {
            block.extend(statements);
        }
    }

    /// Runs `build` and returns the statements it emitted apart.
    fn apart<R>(&mut self, build: impl FnOnce(&mut Self) -> R) -> (R, Vec<Statement>) {
        self.owner.blocks.push(Vec::new());
        let result = build(self);
        let statements = self.owner.blocks.pop().unwrap_or_default();
        (result, statements)
    }

    /// Runs `build` where no effects are allowed.
    fn pure<R>(
        &mut self,
        what: &'static str,
        span: ast::Span,
        build: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = self.owner.pure.replace(what);
        let before = self.owner.first_effect.take();
        let (result, statements) = self.apart(build);
        if !statements.is_empty() {
            let at = self.owner.first_effect.unwrap_or(span);
            self.error_hint(
                at,
                format!("{what} must not change anything"),
                "move the change to an update",
            );
        }
        self.owner.pure = outer;
        self.owner.first_effect = before;
        result
    }

    /// Runs `build` with a fresh owner and returns that owner with what was built.
    fn with_owner<R>(&mut self, build: impl FnOnce(&mut Self) -> R) -> (R, Owner<'a>) {
        let outer = std::mem::take(&mut self.owner);
        let result = build(self);
        (result, std::mem::replace(&mut self.owner, outer))
    }

    /// Runs `build` in a scope of its own.
    fn scoped<R>(&mut self, build: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.scope;
        self.scope = self.scopes.open(Some(outer));
        let result = build(self);
        self.scopes.close(self.scope);
        self.scope = outer;
        result
    }

    fn local(&mut self, name: &str, ty: Type, sizes: Vec<u32>) -> LocalId {
        self.owner.locals.push(Local { name: name.to_string(), ty, sizes })
    }

    /// A fresh local that holds the value from now on.
    fn hold(&mut self, value: Expr, span: ast::Span) -> Expr {
        let id = self.temporary();
        self.emit(StatementKind::Assign(Place::local(id), value), span);
        Expr::local(id)
    }

    /// A fresh local for an intermediate result.
    fn temporary(&mut self) -> LocalId {
        let id = self.local("temporary", Type::ANY, Vec::new());
        self.owner.held.insert(id);
        id
    }

    /// Adds statements that come after the evaluation of `earlier`, whose values are kept.
    fn settle(&mut self, earlier: &mut [&mut Expr], after: Vec<Statement>, span: ast::Span) {
        if after.is_empty() {
            return;
        }
        for e in earlier {
            if !self.is_stable(e) {
                **e = self.hold((*e).clone(), span);
            }
        }
        self.emit_all(after);
    }

    /// Whether no statement can change the value.
    fn is_stable(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) => true,
            Expr::Read(Place { base: Base::Local(id), indices }) => {
                indices.is_empty() && self.owner.held.contains(id)
            }
            _ => false,
        }
    }
}
