//! Checks that a network is well formed; a network with a defect may not be given to anything else.
//!
//! The rules, in the order in which they are checked:
//! - **Ids** are in bounds wherever they stand; spans point to an existing source or nowhere.
//! - **Types** have `low <= high`; with `Wrap` the range is that of some number of bits, signed or
//!   not; the type of a scalar set is `0..=size - 1`.
//! - **Scalar sets** have 1 to 2^31 - 1 elements; a dimension or argument of a scalar set fits it.
//! - **Failures** have names of their own.
//! - **Arrays** have no dimension of size 0; variables, clocks and channels together have at most
//!   [`MAX_ELEMENTS`] elements, the locals of one owner too. There is one initial value (priority)
//!   per element, in range; clocks start at 0 to [`MAX_CLOCK_BOUND`].
//! - **Functions** call only functions before them. Parameters are scalar locals, none twice.
//!   Calls have an argument for each; only functions with a result are used for one; within
//!   expressions only functions that assign no variable, reset no clock, send or receive nothing
//!   and start or end no process, directly or through others, are called. `return` stands only in functions, with a value iff there is a result.
//! - **Processes** have names of their own, and so have the locations of a process. A priority is
//!   fixed or that of a scalar variable.
//! - **Observers** only look: their edges are internal, without selects, clocks and control, and do
//!   nothing but assert; their locations are normal and have no invariants or rates; nobody enters
//!   them. Only an observer observes for a property.
//! - **Places**: as many indices as dimensions; constants are never assigned.
//! - **Selects** are scalar locals, none twice.
//! - **Quantifiers** bind scalar locals that are used for nothing else: they are no parameters or
//!   selects, are never assigned, are read only within the quantifier and not bound again there.
//! - **Messages** have as many fields as the channel says; other than buffered channels have none,
//!   and nothing is sorted, taken from anywhere or kept there. A poll stores nothing. Probes, polls
//!   and `Send` and `Receive` statements are about buffered channels or channel values.
//! - **Clock constraints and `Deadlock`** as expressions stand only in properties, `Timeout` only in
//!   the data part of edges' guards.
//! - **Nesting** of expressions within expressions and statements is at most [`MAX_DEPTH`] deep.

mod body;

use crate::{
    Action, Arena, ChannelKind, Condition, Dimension, Edge, Function, FunctionId, Id, Local,
    LocalId, Location, LocationKind, MAX_CLOCK_BOUND, Network, Overflow, Priority, Process,
    Property, Rate, ScalarSetId, Span, Statement, StatementKind, Type, cancellation,
};
use body::Scope;
use std::collections::HashSet;

/// How deeply expressions and statements may be nested: the height of the tree of an update or
/// function body, in which expressions stand below their statements.
pub const MAX_DEPTH: usize = 1000;

/// How many elements all variables, clocks and channels together may have.
pub const MAX_ELEMENTS: u64 = 1 << 26;

/// A rule that a network breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The part of the network: `process P(1), edge 3`.
    pub place: String,
    /// The nearest place in the user's files.
    pub span: Span,
}

impl std::fmt::Display for Defect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Every defect of a network; none if it is well formed.
pub fn verify(network: &Network) -> Vec<Defect> {
    let mut verifier = Verifier::new(network);
    verifier.declarations();
    for (id, function) in network.functions.enumerate() {
        verifier.function(id, function);
    }
    verifier.process_names();
    for process in &network.processes {
        verifier.process(process);
    }
    for (id, property) in network.properties.enumerate() {
        verifier.property(id.index(), property);
    }
    verifier.defects
}

struct Verifier<'a> {
    network: &'a Network,
    defects: Vec<Defect>,
    /// What is being checked, for the reports.
    place: String,
    span: Span,
    /// Which functions have side effects.
    impure: Vec<bool>,
    scope: Scope<'a>,
}

impl<'a> Verifier<'a> {
    fn new(network: &'a Network) -> Self {
        Verifier {
            network,
            defects: Vec::new(),
            place: String::new(),
            span: Span::NONE,
            impure: body::impure_functions(network),
            scope: Scope::default(),
        }
    }

    // ---- reports ----

    fn report(&mut self, message: impl Into<String>) {
        let (place, span) = (self.place.clone(), self.span);
        self.defects.push(Defect { message: message.into(), place, span });
    }
    fn demand(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.report(message());
        }
    }
    /// Reports are about this part of the network from now on.
    fn turn_to(&mut self, place: String, span: Span) {
        self.place = place;
        self.span = span;
        self.check_span(span);
    }
    fn check_span(&mut self, span: Span) {
        let valid = span.is_none() || self.network.sources.try_at(span.source).is_some();
        self.demand(valid, || {
            format!("the span points to source {}, which is missing", span.source.0)
        });
    }

    // ---- types and arrays ----

    fn ty(&mut self, ty: &Type, of: &str) {
        self.demand(ty.low <= ty.high, || {
            format!("the type of {of} is the empty range {}..{}", ty.low, ty.high)
        });
        if ty.overflow == Overflow::Wrap && !is_width(ty) {
            self.report(format!(
                "the type of {of} wraps, but {}..{} is not the range of a number of bits",
                ty.low, ty.high
            ));
        }
        if let Some(id) = ty.names {
            let known = self.network.value_names.try_at(id).is_some();
            self.demand(known, || format!("there are no value names {}", id.0));
        }
        let Some(size) = self.scalar_size(ty.scalar) else { return };
        let matches = ty.low == 0 && i64::from(ty.high) == i64::from(size) - 1;
        self.demand(matches, || format!("the type of {of} is not the range of its scalar set"));
    }

    /// The size of a scalar set; an id out of bounds is reported.
    fn scalar_size(&mut self, id: Option<ScalarSetId>) -> Option<u32> {
        let id = id?;
        let set = self.network.scalar_sets.try_at(id);
        self.demand(set.is_some(), || format!("there is no scalar set {}", id.0));
        set.map(|set| set.size)
    }

    fn dimensions(&mut self, dimensions: &[Dimension]) {
        for dimension in dimensions {
            self.demand(dimension.size > 0, || "an array has a dimension of size 0".to_string());
            if let Some(size) = self.scalar_size(dimension.scalar) {
                let fits = dimension.size == size;
                self.demand(fits, || {
                    "a dimension does not have the size of its scalar set".to_string()
                });
            }
        }
    }

    /// Checks that there is a value per element, each in the given range.
    fn values(&mut self, values: &[i32], dimensions: &[Dimension], low: i32, high: i32) {
        let length = elements(dimensions.iter().map(|d| d.size));
        let fits = length == Some(values.len() as u64);
        self.demand(fits, || {
            let length = length.map_or("too many".to_string(), |length| length.to_string());
            format!("{} values for {length} elements", values.len())
        });
        if let Some(value) = values.iter().find(|&&value| value < low || value > high) {
            self.report(format!("the value {value} is outside the range {low}..{high}"));
        }
    }

    // ---- declarations ----

    fn declarations(&mut self) {
        let network = self.network;
        for set in &network.scalar_sets {
            self.turn_to(format!("scalar set {}", set.name), set.span);
            let valid = (1..=i32::MAX as u32).contains(&set.size);
            self.demand(valid, || format!("it has {} elements", set.size));
        }
        self.failures();
        for variable in &network.variables {
            self.turn_to(format!("variable {}", variable.name), variable.span);
            self.ty(&variable.ty, "the variable");
            self.dimensions(&variable.dimensions);
            self.values(&variable.initial, &variable.dimensions, variable.ty.low, variable.ty.high);
        }
        for clock in &network.clocks {
            self.turn_to(format!("clock {}", clock.name), clock.span);
            self.dimensions(&clock.dimensions);
            self.values(&clock.initial, &clock.dimensions, 0, MAX_CLOCK_BOUND);
        }
        self.channels();
        self.turn_to("network".to_string(), Span::NONE);
        self.total();
    }

    fn failures(&mut self) {
        let mut names = HashSet::new();
        for failure in &self.network.failures {
            self.turn_to(format!("failure {}", failure.name), Span::NONE);
            let unique = names.insert(&failure.name);
            self.demand(unique, || "another failure has the same name".to_string());
        }
    }

    fn channels(&mut self) {
        for channel in &self.network.channels {
            self.turn_to(format!("channel {}", channel.name), channel.span);
            self.dimensions(&channel.dimensions);
            self.values(&channel.priorities, &channel.dimensions, i32::MIN, i32::MAX);
            if let ChannelKind::Buffered { fields, .. } = &channel.kind {
                fields.iter().for_each(|field| self.ty(field, "a field"));
            }
        }
    }

    fn total(&mut self) {
        let network = self.network;
        let variables = network.variables.iter().map(|variable| &variable.dimensions);
        let clocks = network.clocks.iter().map(|clock| &clock.dimensions);
        let channels = network.channels.iter().map(|channel| &channel.dimensions);
        let arrays = variables.chain(clocks).chain(channels);
        let sizes = arrays.map(|dimensions| elements(dimensions.iter().map(|d| d.size)));
        self.demand(fits(sizes), || format!("the arrays have more than {MAX_ELEMENTS} elements"));
    }

    fn locals(&mut self, locals: &Arena<LocalId, Local>) {
        for (id, local) in locals.enumerate() {
            self.ty(&local.ty, &format!("local {} ({})", id.0, local.name));
            let positive = local.sizes.iter().all(|&size| size > 0);
            self.demand(positive, || format!("local {} has a dimension of size 0", id.0));
        }
        let sizes = locals.iter().map(|local| elements(local.sizes.iter().copied()));
        self.demand(fits(sizes), || format!("the locals have more than {MAX_ELEMENTS} elements"));
    }

    /// Checks locals that are bound from outside: scalar, in bounds, none twice.
    fn bindings(&mut self, ids: &[LocalId], locals: &Arena<LocalId, Local>, what: &str) {
        let mut seen = HashSet::new();
        for &id in ids {
            self.demand(seen.insert(id), || format!("local {} is a {what} twice", id.0));
            let scalar = locals.try_at(id).map(|local| local.sizes.is_empty());
            self.demand(scalar.is_some(), || format!("there is no local {}", id.0));
            self.demand(scalar != Some(false), || format!("the {what} {} is an array", id.0));
        }
    }

    // ---- owners of expressions ----

    fn function(&mut self, id: FunctionId, function: &'a Function) {
        self.turn_to(format!("function {}", function.name), function.span);
        self.locals(&function.locals);
        self.bindings(&function.parameters, &function.locals, "parameter");
        if let Some(result) = &function.result {
            self.ty(result, "the result");
        }
        self.scope = Scope::of_function(function, id);
        self.statements(&function.body);
        self.check_binders(&function.parameters);
    }

    fn process_names(&mut self) {
        let mut seen = HashSet::new();
        for process in &self.network.processes {
            self.turn_to(format!("process {}", process.name), process.span);
            let unique = seen.insert(&process.name);
            self.demand(unique, || "another process has the same name".to_string());
        }
    }

    fn process(&mut self, process: &'a Process) {
        let own_place = format!("process {}", process.name);
        self.turn_to(own_place.clone(), process.span);
        for argument in &process.arguments {
            if let Some(size) = self.scalar_size(argument.scalar) {
                let fits = argument.value >= 0 && i64::from(argument.value) < i64::from(size);
                self.demand(fits, || {
                    format!("the argument {} is not in its scalar set", argument.name)
                });
            }
        }
        if let Priority::Variable(id) = process.priority {
            let variable = self.network.variables.try_at(id);
            let scalar = variable.is_some_and(|variable| variable.dimensions.is_empty());
            self.demand(scalar, || format!("its priority is not a scalar variable: {}", id.0));
        }
        let initial = process.locations.try_at(process.initial).is_some();
        self.demand(initial, || format!("there is no initial location {}", process.initial.0));
        let mut names = HashSet::new();
        for location in &process.locations {
            self.turn_to(format!("{own_place}, location {}", location.name), location.span);
            let unique = names.insert(&location.name);
            self.demand(unique, || "another location of the process has the same name".to_string());
            self.location(location);
            if process.observes {
                self.observer_location(location);
            }
        }
        for (id, edge) in process.edges.enumerate() {
            cancellation::check();
            self.turn_to(format!("{own_place}, edge {}", id.0), edge.span);
            for end in [edge.source, edge.target] {
                let exists = process.locations.try_at(end).is_some();
                self.demand(exists, || format!("there is no location {}", end.0));
            }
            self.edge(edge);
            if process.observes {
                self.observer_edge(edge);
            }
        }
    }

    fn observer_location(&mut self, location: &Location) {
        let plain = location.kind == LocationKind::Normal
            && location.invariant.is_always()
            && location.rates.is_empty();
        self.demand(plain, || "a location of an observer has an effect".to_string());
    }

    fn observer_edge(&mut self, edge: &Edge) {
        let asserts = |s: &Statement| matches!(s.kind, StatementKind::Assert(_));
        let looks = edge.action == Action::Internal
            && edge.selects.is_empty()
            && edge.guard.clocks.is_empty()
            && !edge.keeps_control
            && edge.update.iter().all(asserts);
        self.demand(looks, || "an edge of an observer has an effect".to_string());
    }

    fn location(&mut self, location: &'a Location) {
        self.locals(&location.locals);
        self.scope = Scope::of_automaton(&location.locals);
        self.condition(&location.invariant);
        for Rate { when, clock, rate } in &location.rates {
            when.iter().for_each(|when| self.root(when));
            self.clock_ref(clock);
            self.root(rate);
        }
        self.check_binders(&[]);
    }

    fn edge(&mut self, edge: &'a Edge) {
        self.locals(&edge.locals);
        self.bindings(&edge.selects, &edge.locals, "select");
        self.scope = Scope::of_automaton(&edge.locals);
        self.guard(&edge.guard);
        self.action(&edge.action);
        self.statements(&edge.update);
        self.check_binders(&edge.selects);
    }

    fn guard(&mut self, guard: &'a Condition) {
        self.check_span(guard.span);
        self.scope.allows_timeout = true;
        self.root(&guard.data);
        self.scope.allows_timeout = false;
        guard.clocks.iter().for_each(|constraint| self.constraint(constraint));
    }

    fn condition(&mut self, condition: &'a Condition) {
        self.check_span(condition.span);
        self.root(&condition.data);
        for constraint in &condition.clocks {
            self.constraint(constraint);
        }
    }

    fn property(&mut self, index: usize, property: &'a Property) {
        self.turn_to(format!("property {index}"), property.span);
        self.locals(&property.locals);
        self.scope = Scope::of_property(&property.locals);
        if let Some(observer) = property.observer {
            let observes = self.network.processes.try_at(observer).is_some_and(|p| p.observes);
            self.demand(observes, || {
                format!("its observer, process {}, is not an observer", observer.0)
            });
        }
        if let Some(expr) = property.claim.expression() {
            self.root(expr);
        }
        self.check_binders(&[]);
    }
}

/// The number of elements of an array, if it can be counted.
fn elements(sizes: impl Iterator<Item = u32>) -> Option<u64> {
    let mut sizes = sizes;
    sizes.try_fold(1_u64, |n, size| n.checked_mul(size.into()))
}

/// Whether arrays of these lengths are small enough together.
fn fits(lengths: impl Iterator<Item = Option<u64>>) -> bool {
    let mut lengths = lengths;
    let total = lengths.try_fold(0_u64, |total, length| total.checked_add(length?));
    total.is_some_and(|total| total <= MAX_ELEMENTS)
}

/// Whether the range is that of some number of bits, at least one.
fn is_width(ty: &Type) -> bool {
    let (low, high) = (i64::from(ty.low), i64::from(ty.high));
    let unsigned = low == 0 && high > 0 && (high + 1).count_ones() == 1;
    let signed = low < 0 && high == -low - 1 && (-low).count_ones() == 1;
    unsigned || signed
}
