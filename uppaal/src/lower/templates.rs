//! Processes: the locations and edges of a template with its parameters bound.

use super::joint::JointEdge;
use super::system::ProcessPlan;
use super::{Lowerer, ProcessFacts};
use crate::ast::{self, Direction, Endpoint};
use crate::check::scope::{Access, Leaf, Symbol, View};
use crate::check::types::Ty;
use network::{
    Action, Arena, Base, ChannelRef, Condition, Edge, EdgeId, Id, LocalId, Location, LocationId,
    LocationKind, Priority, Process, ProcessId, Receive, Send, Statement, cancellation,
};
use rustc_hash::FxHashMap;
use source::Diagnostic;

/// More choices than this of the selects of one edge would take seconds in every state.
const MAX_CHOICES: u64 = 100_000_000;

impl<'a> Lowerer<'a> {
    /// Lists the locations of every template by name.
    pub(super) fn index_locations(&mut self) {
        let model = self.model;
        for template in &model.templates {
            let mut names = FxHashMap::default();
            for (number, location) in template.locations.iter().enumerate() {
                let name = &location.name;
                if names.insert(name.text.as_str(), number).is_some() {
                    let message = format!("the location `{}` is declared twice", name.text);
                    self.error(name.span, message);
                }
            }
            self.locations.push(names);
        }
    }

    /// Makes a process of a template whose parameters are declared in `scope`.
    pub(super) fn build_process(&mut self, plan: ProcessPlan, scope: usize) -> Option<ProcessId> {
        let template = &self.model.templates[plan.template];
        let outer = (self.scope, std::mem::replace(&mut self.prefix, "".into()));
        self.scope = scope;
        self.prefix = format!("{}.", plan.name).into();
        self.declarations(&template.declarations);
        self.check_location_names(template);
        let locations: Arena<LocationId, Location> =
            template.locations.iter().map(|it| self.location(it)).collect();
        let edges = self.edges(template);
        (self.scope, self.prefix) = outer;
        let initial = template.initial.filter(|&it| it < locations.len());
        let Some(initial) = initial else {
            if self.holes {
                return None;
            }
            self.report.push(Diagnostic::error(
                format!("the template `{}` has no initial location", template.name.text),
                template.name.span,
            ));
            return None;
        };
        let span = self.span(template.name.span);
        let facts = ProcessFacts { template: plan.template, scope };
        self.process_facts.push(facts);
        self.instantiated[plan.template] = true;
        Some(self.network.processes.push(Process {
            name: plan.name,
            template: template.name.text.clone(),
            arguments: plan.arguments,
            locations,
            edges,
            initial: LocationId::new(initial),
            priority: Priority::Fixed(plan.priority),
            observes: false,
            span,
        }))
    }

    fn check_location_names(&mut self, template: &'a ast::Template) {
        for location in template.locations.iter().filter(|it| !it.anonymous) {
            if self.scopes.local(self.scope, &location.name.text).is_some() {
                let name = &location.name;
                let message = format!("`{}` is both a location and a declared name", name.text);
                self.error(name.span, message);
            }
        }
    }

    fn location(&mut self, location: &'a ast::Location) -> Location {
        let (parts, owner) =
            self.with_owner(|it| it.condition(location.invariant.as_ref(), "an invariant"));
        Location {
            name: location.name.text.clone(),
            kind: match (location.committed, location.urgent) {
                (true, _) => LocationKind::Committed,
                (_, true) => LocationKind::Urgent,
                _ => LocationKind::Normal,
            },
            invariant: parts.condition,
            rates: parts.rates,
            locals: owner.locals,
            span: self.span(location.span),
        }
    }

    fn edges(&mut self, template: &'a ast::Template) -> Arena<EdgeId, Edge> {
        let mut branches: Vec<Vec<&'a ast::Edge>> = vec![Vec::new(); template.branchpoints.len()];
        for edge in &template.edges {
            if let Endpoint::Branchpoint(point) = edge.source {
                self.check_branch(edge);
                branches[point].push(edge);
            }
        }
        let mut edges = Arena::new();
        for edge in &template.edges {
            cancellation::check();
            match (edge.source, edge.target) {
                (Endpoint::Location(source), Endpoint::Location(target)) => {
                    self.edge(edge, None, (source, target), &mut edges);
                }
                (Endpoint::Location(source), Endpoint::Branchpoint(point)) => {
                    for branch in &branches[point] {
                        if let Endpoint::Location(target) = branch.target {
                            self.edge(edge, Some(branch), (source, target), &mut edges);
                        }
                    }
                }
                (Endpoint::Branchpoint(_), _) => {}
            }
        }
        edges
    }

    /// What may not stand on an edge that leaves a branchpoint.
    fn check_branch(&mut self, edge: &'a ast::Edge) {
        if let Endpoint::Branchpoint(_) = edge.target {
            self.error(edge.span, "an edge cannot lead from a branchpoint to a branchpoint");
        }
        if edge.guard.is_some() || edge.sync.is_some() {
            self.error_hint(
                edge.span,
                "an edge that leaves a branchpoint has neither guard nor synchronisation",
                "put them on the edge that leads to the branchpoint",
            );
        }
    }

    /// An edge, with the choices and updates of the branch that follows it.
    fn edge(
        &mut self,
        edge: &'a ast::Edge,
        branch: Option<&'a ast::Edge>,
        (source, target): (usize, usize),
        edges: &mut Arena<EdgeId, Edge>,
    ) {
        let (parts, owner) = self.with_owner(|it| {
            let mut parts = it.scoped(|it| it.edge_parts(edge));
            if let Some(branch) = branch {
                // Neither of the two sees what the other selects.
                parts.follow(it.scoped(|it| it.edge_parts(branch)));
            }
            parts
        });
        if parts.choices > MAX_CHOICES {
            let message = format!("the selects of this edge give {} choices", parts.choices);
            self.error_hint(edge.span, message, format!("at most {MAX_CHOICES} are possible"));
        }
        if parts.choices == 0 {
            // A select over an empty range never finds a value.
            return;
        }
        let id = edges.push(Edge {
            source: LocationId::new(source),
            target: LocationId::new(target),
            selects: parts.selects,
            guard: parts.guard,
            action: parts.action,
            update: parts.update,
            keeps_control: false,
            preference: 0,
            locals: owner.locals,
            span: self.span(edge.span),
        });
        if let Some(sync) = edge.sync.as_ref().filter(|sync| sync.direction == Direction::Csp) {
            let process = ProcessId::new(self.network.processes.len());
            self.joint.push(JointEdge { process, edge: id, span: sync.span });
        }
    }

    fn edge_parts(&mut self, edge: &'a ast::Edge) -> EdgeParts {
        let mut selects = Vec::new();
        let mut choices = 1_u64;
        for binding in &edge.selects {
            let Some(ty) = self.binder_type(binding) else {
                self.declare(&binding.name, Symbol::Error);
                continue;
            };
            choices = choices.saturating_mul(ty.values().map_or(0, |values| values.count() as u64));
            let local = self.local(&binding.name.text, ty.range(), Vec::new());
            selects.push(local);
            let leaves = vec![Leaf::Base(Base::Local(local))];
            let view = View::whole(ty, leaves, Access::ReadOnly("a selected value"));
            self.declare(&binding.name, Symbol::Object(view));
        }
        let guard = self.condition(edge.guard.as_ref(), "a guard").condition;
        let action = match &edge.sync {
            Some(sync) => self.action(sync, &guard),
            None => Action::Internal,
        };
        let (_, update) = self.apart(|it| edge.updates.iter().for_each(|e| it.effect(e)));
        EdgeParts { selects, choices, guard, action, update }
    }

    fn action(&mut self, sync: &'a ast::Sync, guard: &Condition) -> Action {
        let what = "a synchronisation";
        let value = self.pure(what, sync.span, |it| it.value(&sync.channel));
        let super::values::Value::View(view) = value else {
            if !matches!(value, super::values::Value::Error) {
                self.error(sync.channel.span, "only channels can synchronise");
            }
            return Action::Internal;
        };
        let (Ty::Channel { urgent, .. }, Leaf::Channel(channel)) =
            (&view.ty, &view.leaves[view.first])
        else {
            self.not_a_channel(&view.ty, sync.channel.span);
            return Action::Internal;
        };
        if self.network.channels[*channel].urgent || *urgent {
            self.warn_about_urgency(sync, guard);
        }
        let channel = ChannelRef::Element(*channel, view.indices.clone());
        let span = self.span(sync.span);
        match sync.direction {
            // Which side of a joint action is the receiver is settled when all processes are there.
            Direction::Send | Direction::Csp => {
                Action::Send(Send { channel, message: Vec::new(), sorted: false, span })
            }
            Direction::Receive => Action::Receive(Receive {
                channel,
                message: Vec::new(),
                anywhere: false,
                keep: false,
                span,
            }),
        }
    }

    fn not_a_channel(&mut self, ty: &Ty, span: ast::Span) {
        match ty {
            Ty::Error => {}
            Ty::Array(array) if matches!(array.element, Ty::Channel { .. }) => {
                self.error_hint(span, "an array of channels needs an index here", "write `c[0]!`");
            }
            ty => self.error(span, format!("only channels can synchronise, found `{ty}`")),
        }
    }

    fn warn_about_urgency(&mut self, sync: &ast::Sync, guard: &Condition) {
        if !guard.clocks.is_empty() {
            self.warn(
                sync.span,
                "a clock guard on an edge with an urgent channel",
                "UPPAAL's documentation forbids it; here time stops as soon as the guard holds",
            );
        }
    }
}

/// What the labels of an edge say.
struct EdgeParts {
    selects: Vec<LocalId>,
    /// How many ways there are to choose the values of the selects.
    choices: u64,
    guard: Condition,
    action: Action,
    update: Vec<Statement>,
}

impl EdgeParts {
    /// Adds the branch that is taken in the same step; it has neither guard nor action.
    fn follow(&mut self, branch: EdgeParts) {
        self.selects.extend(branch.selects);
        self.choices = self.choices.saturating_mul(branch.choices);
        self.update.extend(branch.update);
    }
}
