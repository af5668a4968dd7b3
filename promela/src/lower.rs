//! From a syntax tree to a network: names, control flow, processes, properties.
//!
//! The meaning is that of Spin's verifiers without optimisations (`spin -o1 -o2 -o3 -a`): every
//! proctype gets the states and transitions that such a verifier has.

mod automaton;
mod body;
mod claims;
mod declare;
mod determinism;
mod dstep;
mod dstep_rules;
mod edges;
mod emit;
mod enabled;
mod evaluate;
mod events;
mod executable;
mod expression;
mod failures;
mod flow;
mod formulas;
mod holdings;
mod jumps;
mod labels;
mod loops;
mod meetings;
mod messages;
mod numbers;
mod others;
mod plan;
mod priorities;
mod recording;
mod remotes;
mod resolved;
mod resolver;
mod runs;
mod slots;
mod trace;
mod watch;
mod wording;

use crate::ast::{Active, Init, Model, Proctype, Query, QueryKind, Span, Unit};
use crate::load::Options;
use crate::trail::Numbering;
use crate::wording::Wording;
use automaton::Automaton;
use declare::{Shape, ShapeKind};
use emit::{Emit, not, or};
use network::{Arena, Claim, Expr, Id, Network, Probe, ProcessId, Property};
use numbers::{MovedJump, Numbers, Position, RemoteLabel};
use plan::Plan;
use resolved::Value;
use resolver::{RemoteVariable, Resolver};
use source::{Diagnostic, Diagnostics, SourceMap};

/// What lowering yields.
pub(crate) struct Lowered {
    pub network: Network,
    pub numbering: Numbering,
    pub wording: Wording,
    pub diagnostics: Vec<Diagnostic>,
}

/// Lowers a model with its queries; the network is of use only if there are no errors.
pub(crate) fn lower(
    model: &Model,
    queries: &[Query],
    sources: &SourceMap,
    options: &Options,
) -> Lowered {
    let mut diagnostics = Diagnostics::default();
    let lowered = try_lower(model, queries, sources, options, &mut diagnostics);
    let (network, numbering, wording) = lowered.unwrap_or_default();
    Lowered { network, numbering, wording, diagnostics: diagnostics.finish(sources) }
}

fn try_lower(
    model: &Model,
    queries: &[Query],
    sources: &SourceMap,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<(Network, Numbering, Wording)> {
    let mut resolver = Resolver::new(diagnostics);
    resolver.model(model, options);
    let goals = resolver.goals(queries);
    let automata = resolver.automata();
    resolver.settle_priorities();
    let Resolver {
        proctypes,
        global_leaves,
        moved_jumps,
        claims,
        formulas,
        uses,
        polls,
        priorities,
        tracing,
        value_names,
        ..
    } = resolver;
    if diagnostics.has_errors() {
        return None;
    }
    let order: Vec<usize> = (0..proctypes.len()).collect();
    let in_loops = options.slots_in_loops;
    let mut plan = Plan::new(&proctypes, &automata, &global_leaves, &order, in_loops, sources);
    plan.network.value_names = value_names;
    plan.name_channels();
    if uses.last || remotes::mention_last(model) {
        plan.remember_last();
    }
    plan.make_functions(uses, &polls);
    plan.make_priorities(&priorities);
    if let Some(first) = uses.enabled
        && let Err(enabled::Refused(what, proctype)) = plan.make_enabled()
    {
        let span = proctype.and_then(|it| proctypes[it].asks_enabled).unwrap_or(first);
        diagnostics.push(Diagnostic::error(format!("not supported: {what}"), span));
    }
    check_size(&plan, diagnostics);
    let traced = tracing.map_or(Ok(()), |it| plan.make_trace(it));
    let mut processes = edges::processes(&plan);
    let (mut observers, mut claimed, mut refused) = claims::observers(&plan, &claims);
    refused.extend(traced.err());
    refused.extend(watch::watch(&plan, &mut processes));
    for formula in &formulas {
        let id = ProcessId::new(plan.slots.len() + observers.len());
        let (observer, property) = formula.lower(&plan, id);
        observers.extend(observer);
        claimed.push(property);
    }
    for (what, span) in refused {
        diagnostics.push(Diagnostic::error(format!("not supported yet: {what}"), span));
    }
    let properties = properties(&plan, queries, &goals, claimed, options);
    let numbers = Numbers::new(model, &proctypes, &claims, &moved_jumps);
    let origins = processes.iter().map(|it| it.origins.as_slice());
    let mut numbering = numbers.of_processes(&plan, origins);
    numbering.processes.extend(claims.iter().map(|it| numbers.claim(model, &plan, it)));
    let wording = wording::wording(&plan, &processes, &claims);
    let processes = processes.into_iter().map(|it| it.process);
    plan.network.processes = processes.chain(observers).collect();
    plan.network.properties = properties.into_iter().collect();
    if !options.asserts {
        drop_asserts(&mut plan.network);
    }
    Some((plan.network, numbering, wording))
}

fn check_size(plan: &Plan, diagnostics: &mut Diagnostics) {
    let started = plan.slots.iter().filter(|it| it.started.is_some()).count();
    if started > slots::MOST_PROCESSES as usize {
        let message = format!("{started} processes run from the start, but 255 are the most");
        diagnostics.push(Diagnostic::error(message, Span::default()));
    }
    if plan.slots.is_empty() {
        let place = plan.proctypes.first().map_or(Span::default(), |it| it.span);
        let diagnostic = Diagnostic::warning("no process ever runs", place);
        diagnostics.push(diagnostic.hint("add `init { ... }` or `active` before a proctype"));
    }
}

impl Resolver<'_> {
    fn model(&mut self, model: &Model, options: &Options) {
        self.check_names(model);
        self.check_choice(model, options);
        self.types(model);
        for unit in &model.units {
            if let Unit::Variables(variables) = unit {
                self.variables(variables, true);
            }
        }
        self.heads(model);
        let names = claims::names(model);
        let chosen =
            |unit: usize| names[unit].as_deref().filter(|name| claims::is_chosen(name, options));
        let mut next = 0;
        for (number, unit) in model.units.iter().enumerate() {
            self.unit = number;
            match (unit, chosen(number)) {
                (Unit::Proctype(it), _) => self.process_type(next, it),
                (Unit::Init(it), _) => self.initial_process(next, it),
                (Unit::Never(it), Some(name)) => self.never(it, name),
                (Unit::Ltl(it), Some(name)) => self.formula(it, name),
                (Unit::Trace(it), _) => self.trace(it),
                _ => continue,
            }
            next += usize::from(matches!(unit, Unit::Proctype(_) | Unit::Init(_)));
        }
        for (unit, proctype, label) in remotes::labels_in_claims(model) {
            // What a claim refers to that is checked is known already, with its position.
            if self.claims.iter().any(|it| it.span == model.units[unit].span()) {
                continue;
            }
            if let Some(proctype) = self.proctype(&proctype.text) {
                let position = Some(Position { unit, element: 0 });
                self.remote_labels.push(RemoteLabel { proctype, label, position });
            }
        }
    }

    fn types(&mut self, model: &Model) {
        for unit in &model.units {
            match unit {
                Unit::Mtype(mtype) => self.mtype(mtype),
                Unit::Typedef(typedef) => self.typedef(typedef),
                _ => {}
            }
        }
    }

    /// Makes every proctype known before bodies refer to it.
    fn heads(&mut self, model: &Model) {
        for unit in &model.units {
            let (name, span) = match unit {
                Unit::Proctype(it) => (it.name.text.clone(), it.name.span),
                Unit::Init(it) => ("init".to_string(), it.span),
                _ => continue,
            };
            if self.proctype(&name).is_some() {
                self.error(format!("the proctype `{name}` is declared twice"), span);
            }
            self.add_proctype(name, span);
        }
    }

    fn process_type(&mut self, index: usize, it: &Proctype) {
        self.current = Some(index);
        (self.scope_count, self.loops) = (0, vec![]);
        self.declared_priority(index, it.priority.as_ref(), &it.active);
        self.proctypes[index].deterministic = it.deterministic;
        self.enter_scope();
        let parameters = self.parameters(&it.parameters);
        let body = self.body(&it.body);
        let provided = it.provided.as_ref().map(|it| self.value(it));
        self.leave_scope();
        self.current = None;
        let active = match &it.active {
            Active::No => 0,
            Active::One => 1,
            Active::Many(count) => self.active_count(count),
        };
        let proctype = &mut self.proctypes[index];
        (proctype.parameters, proctype.body) = (parameters, body);
        (proctype.provided, proctype.active) = (provided, active);
    }

    fn active_count(&mut self, count: &crate::ast::Expr) -> u32 {
        let value = self.constant(count, "the number of processes").unwrap_or(0);
        if !(0..=255).contains(&value) {
            self.error(format!("{value} processes cannot run, only 0 to 255"), count.span);
        }
        value.clamp(0, 255) as u32
    }

    fn initial_process(&mut self, index: usize, it: &Init) {
        self.current = Some(index);
        (self.scope_count, self.loops) = (0, vec![]);
        self.declared_priority(index, it.priority.as_ref(), &Active::One);
        self.enter_scope();
        let body = self.body(&it.body);
        self.leave_scope();
        self.current = None;
        (self.proctypes[index].body, self.proctypes[index].active) = (body, 1);
    }

    fn goals(&mut self, queries: &[Query]) -> Vec<Value> {
        self.outside = true;
        let goal = |query: &Query| match &query.kind {
            QueryKind::Reachable(expr) | QueryKind::Invariant(expr) => self.value(expr),
        };
        queries.iter().map(goal).collect()
    }

    fn automata(&mut self) -> Vec<Automaton> {
        self.check_jumps();
        self.check_runs();
        self.check_remotes();
        let mut list = vec![];
        for index in 0..self.proctypes.len() {
            let body = self.proctypes[index].body;
            let flow = &mut self.proctypes[index].flow;
            if flow.sequences.is_empty() {
                continue;
            }
            self.diagnostics.extend(dstep_rules::check(flow));
            flow.tie_ends();
            match automaton::automaton(flow, body) {
                Ok(automaton) => list.push(automaton),
                // A label that there is not leads nowhere either, and that was said.
                Err(_) if self.diagnostics.has_errors() => {}
                Err(automaton::Confusing(element)) => {
                    let span = self.proctypes[index].flow.elements[element].span;
                    self.error("this jump has no target", span);
                }
            }
        }
        list
    }

    fn check_jumps(&mut self) {
        for (proctype, name) in std::mem::take(&mut self.gotos) {
            let labels = &self.proctypes[proctype].flow.labels;
            if labels.last(&name.text).is_none() {
                let hint = resolver::alike(&name.text, labels.names());
                let message = format!("there is no label `{}`", name.text);
                let diagnostic = Diagnostic::error(message, name.span);
                self.diagnostics.push(Diagnostic { hint, ..diagnostic });
            }
        }
    }

    fn check_runs(&mut self) {
        for (proctype, given, span) in std::mem::take(&mut self.runs) {
            let proctype = &self.proctypes[proctype];
            let (name, wanted) = (&proctype.name, proctype.parameters.len());
            if given != wanted {
                let message = format!("`{name}` has {wanted} parameters, but {given} are given");
                let is_field = |&it: &usize| proctype.locals[it].name.contains('.');
                let mut diagnostic = Diagnostic::error(message, span);
                if proctype.parameters.iter().any(is_field) {
                    diagnostic = diagnostic.hint("each field of a struct counts");
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    fn check_remotes(&mut self) {
        let mut references = std::mem::take(&mut self.remote_labels);
        references.sort_by_key(|it| (it.position.is_none(), it.position));
        for RemoteLabel { proctype, label, position } in references {
            let flow = &mut self.proctypes[proctype].flow;
            let before = flow.elements.len();
            if flow.remote_label(&label.text).is_none() {
                let proctype = &self.proctypes[proctype];
                let hint = resolver::alike(&label.text, proctype.flow.labels.names());
                let message = format!("`{}` has no label `{}`", proctype.name, label.text);
                let diagnostic = Diagnostic::error(message, label.span);
                self.diagnostics.push(Diagnostic { hint, ..diagnostic });
            } else if flow.elements.len() > before {
                self.moved_jumps.push(MovedJump { proctype, position });
            }
        }
        for it in std::mem::take(&mut self.remote_variables) {
            self.check_remote_variable(&it);
        }
    }

    fn check_remote_variable(&mut self, it: &RemoteVariable) {
        let (name, span) = (&it.name.text, it.name.span);
        let proctype = &self.proctypes[it.proctype];
        let message = match proctype.names.get(name) {
            None if matches!(name.as_str(), "_p" | "_pid" | "_priority") && !it.has_index => return,
            None => format!("`{}` has no variable `{name}`", proctype.name),
            Some(Shape { kind: ShapeKind::Struct(..), .. }) => {
                format!("`{name}` is a struct, which cannot be read from outside its process")
            }
            Some(shape) => match (shape.size, it.has_index) {
                (Some(_), false) => format!("`{name}` is an array and needs an index"),
                (None, true) => format!("`{name}` is not an array"),
                _ => return,
            },
        };
        self.error(message, span);
    }
}

// ---- properties ----

fn properties(
    plan: &Plan,
    queries: &[Query],
    goals: &[Value],
    claimed: Vec<Property>,
    options: &Options,
) -> Vec<Property> {
    if queries.is_empty() {
        return match options.claim {
            Some(_) => claimed,
            None => [vec![no_errors(plan, options)], claimed].concat(),
        };
    }
    let emit = Emit::new(plan, None);
    let property = |(query, goal): (&Query, &Value)| {
        let goal = emit.value(goal);
        Property {
            text: query.text.clone(),
            claim: match query.kind {
                QueryKind::Reachable(_) => Claim::Reachable(goal),
                QueryKind::Invariant(_) => Claim::Always(goal),
            },
            locals: Arena::new(),
            counts_errors: false,
            observer: None,
            beyond: None,
            span: plan.span(query.span),
        }
    };
    queries.iter().zip(goals).map(property).collect()
}

fn no_errors(plan: &Plan, options: &Options) -> Property {
    let mut stuck = Expr::Const(0);
    if options.deadlock {
        for slot in &plan.slots {
            stuck = or(stuck, not(edges::may_stay(plan, slot)));
        }
        // Where messages count, Spin does not look at the trace.
        stuck = match options.strict_end {
            true => or(stuck, messages_left(plan)),
            false => or(stuck, plan.trace_is_open()),
        };
        stuck = stuck.and(Expr::Deadlock);
    }
    Property { claim: Claim::Always(not(stuck)), ..Property::no_errors() }
}

/// Whether some message was never received.
fn messages_left(plan: &Plan) -> Expr {
    let mut left = Expr::Const(0);
    for (channel, it) in plan.network.channels.enumerate() {
        for element in 0..it.len() {
            let number = plan.numbers[network::Id::index(channel)] + element as i32;
            let reference = network::ChannelRef::Value(Expr::Const(number));
            left = or(left, not(Expr::Probe(Probe::Empty, Box::new(reference))));
        }
    }
    left
}

/// Assertions that do not count are taken out.
fn drop_asserts(network: &mut Network) {
    fn clean(list: &mut Vec<network::Statement>) {
        list.retain(|it| !matches!(it.kind, network::StatementKind::Assert(_)));
        for it in list {
            match &mut it.kind {
                network::StatementKind::If(_, then, otherwise) => {
                    clean(then);
                    clean(otherwise);
                }
                network::StatementKind::While(_, body) => clean(body),
                _ => {}
            }
        }
    }
    for process in network.processes.iter_mut() {
        process.edges.iter_mut().for_each(|edge| clean(&mut edge.update));
    }
}
