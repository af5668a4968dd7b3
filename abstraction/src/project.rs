//! Projection: a network in which dropped parts can do whatever they can do in the model, and more.
//!
//! A dropped process has one place, where it offers what its edges offer. What depends on a dropped part is
//! possible: guards and invariants lose what is not seen (`sight`), updates choose (`slice`). Where it
//! matters that something is *not* possible, what was weakened must not count: committed locations, urgent
//! channels, receivers of broadcasts, priorities, preferences, control, timeout.

use crate::errors::{Errors, expressions, may_answer};
use crate::pattern::{Contents, Part, Pattern};
use crate::sight::{FunctionView, Sight, has_buffer};
use crate::slice::{Exchange, NeedsChoice, Slicer};
use crate::stuck::stuck;
use analysis::{Risk, Touch, Touches};
use network::{
    Action, Arena, Base, Channel, ChannelId, ChannelKind, Claim, ClockConstraint, ClockId,
    Condition, Edge, EdgeId, Expr, Id, Local, LocalId, Location, LocationId, LocationKind, Network,
    Priority, Process, ProcessId, Property, Rate, Reference, Span, Statement, Storage,
};
use std::collections::BTreeSet;

/// A network without some of its parts. Processes, locations of kept ones, variables and channels keep
/// their ids; there may be one more process.
pub struct Projection {
    /// The network; its only property is the one below.
    pub network: Network,
    /// Asks for all states that those of the model which the property asks for may become.
    pub property: Property,
    /// The parts that could be kept.
    pub pattern: Pattern,
    /// The clocks that are kept, in order.
    pub clocks: Vec<ClockId>,
    /// For each edge of each process the edges of the model that it stands for.
    pub origins: Vec<Vec<Vec<(ProcessId, EdgeId)>>>,
    /// For each location of each process whether it is known that the process has control there.
    pub keeps_control: Vec<Vec<bool>>,
    /// Whether the steps are those of the model and no more.
    pub is_exact: bool,
}

/// Drops the parts of a network that a pattern does not keep, and those that cannot be kept without them.
/// Steps that change nothing that is kept may be left out.
pub fn project(network: &Network, property: &Property, pattern: &Pattern) -> Projection {
    projected(network, property, pattern, false)
}

/// The same with an edge for every edge of the model, receivers of broadcasts aside: every step of the
/// model is one of the result, whose edges stand for its edges. Alone the observer of the property moves
/// only if it is kept.
pub fn project_every_step(network: &Network, property: &Property, pattern: &Pattern) -> Projection {
    projected(network, property, pattern, true)
}

fn projected(
    network: &Network,
    property: &Property,
    pattern: &Pattern,
    keeps_idle: bool,
) -> Projection {
    let (touches, risk) = (Touches::of(network), Risk::of(network));
    let mut pattern = pattern.clone();
    let mut sees_timeout = true;
    loop {
        network::cancellation::check();
        let sight = Sight::new(network, (&touches, &risk), &pattern, sees_timeout);
        let mut projector = Projector { keeps_idle, ..Projector::new(&sight, property) };
        if sees_timeout && !projector.sees_everything() {
            sees_timeout = false;
            continue;
        }
        let result = projector.run();
        if sees_timeout && projector.has_choices {
            sees_timeout = false;
            continue;
        }
        if projector.excess.is_empty() {
            return result;
        }
        let excess = std::mem::take(&mut projector.excess);
        excess.into_iter().for_each(|part| pattern.weaken(part));
    }
}

impl<'a> Sight<'a> {
    fn new(
        network: &'a Network,
        (touches, risk): (&'a Touches<'a>, &'a Risk<'a>),
        pattern: &'a Pattern,
        sees_timeout: bool,
    ) -> Sight<'a> {
        let functions = Vec::new();
        let mut sight = Sight { network, touches, risk, pattern, sees_timeout, functions };
        // A function calls only functions before it.
        for function in &network.functions {
            let mut slicer = Slicer::of_function(&sight, function);
            let body = slicer.block(&function.body).ok();
            let (is_exact, result_is_exact) = (body.is_some(), slicer.result_is_exact);
            let is_whole =
                body.as_ref() == Some(&function.body) && sight.calls_whole(&function.body);
            sight.functions.push(FunctionView {
                is_exact,
                result_is_exact: is_exact && result_is_exact,
                is_whole,
            });
        }
        sight
    }
}

struct Projector<'s, 'a> {
    sight: &'s Sight<'a>,
    property: &'s Property,
    /// For each channel whether all offers on it are known.
    known_channels: Vec<bool>,
    /// Whether a dropped process may be in a committed location.
    hides_committed: bool,
    /// For each process whether others start or end it.
    entered: Vec<bool>,
    /// Parts that turned out not to be kept.
    excess: BTreeSet<Part>,
    /// Whether some update chooses.
    has_choices: bool,
    /// Whether edges stay that change nothing.
    keeps_idle: bool,
    /// Whether some process loses control that it has in the model.
    loses_control: bool,
    errors: Errors,
}

/// An edge of the result and the edges of the model that it stands for.
struct Image {
    edge: Edge,
    origins: Vec<(ProcessId, EdgeId)>,
}

impl<'s, 'a> Projector<'s, 'a> {
    fn new(sight: &'s Sight<'a>, property: &'s Property) -> Self {
        let network = sight.network;
        let mut projector = Projector {
            sight,
            property,
            known_channels: vec![true; network.channels.len()],
            hides_committed: false,
            entered: vec![false; network.processes.len()],
            excess: BTreeSet::new(),
            has_choices: false,
            keeps_idle: false,
            loses_control: false,
            errors: Errors::default(),
        };
        for (id, process) in projector.moving() {
            let is_dropped = !sight.pattern.keeps(Part::Process(id));
            let is_committed = |it: &Location| it.kind == LocationKind::Committed;
            projector.hides_committed |= is_dropped && process.locations.iter().any(is_committed);
            for edge in &process.edges {
                sight.touches.statements(&edge.update, &mut |touch| {
                    if let Touch::Enter(entered, _) = touch {
                        projector.entered[entered.index()] = true;
                    }
                });
                if let Some(channel) = edge.action.channel()
                    && !sight.sees_offer(id, edge)
                {
                    let unknown = sight.candidates(channel);
                    unknown.iter().for_each(|it| projector.known_channels[it.index()] = false);
                }
            }
        }
        projector
    }

    /// The processes that take part while the property is checked.
    fn moving(&self) -> impl Iterator<Item = (ProcessId, &'a Process)> + use<'a> {
        let observer = self.property.observer;
        let processes = self.sight.network.processes.enumerate();
        processes.filter(move |(id, it)| !it.observes || observer == Some(*id))
    }

    fn keeps(&self, process: ProcessId) -> bool {
        self.sight.pattern.keeps(Part::Process(process))
    }

    /// Whether it is known which steps are possible.
    fn sees_everything(&self) -> bool {
        self.moving().all(|(id, process)| {
            let sees_priority = match process.priority {
                Priority::Fixed(_) => true,
                Priority::Variable(id) => self.sight.pattern.keeps(Part::Variable(id)),
            };
            sees_priority
                && self.keeps(id)
                && process.edges.iter().all(|edge| self.sight.sees_offer(id, edge))
                && process.locations.iter().all(|it| self.sees_location(it))
        })
    }

    fn sees_location(&self, location: &Location) -> bool {
        let blind = &vec![false; location.locals.len()];
        self.sight.sees_condition(blind, &location.invariant)
            && location.rates.iter().all(|it| self.sees_rate(blind, it))
    }

    fn sees_rate(&self, blind: &[bool], rate: &Rate) -> bool {
        let Rate { when, clock, rate } = rate;
        self.sight.pattern.keeps(Part::Clock(clock.clock))
            && self.sight.sees_all(blind, when.iter().chain(&clock.indices).chain([rate]))
    }

    /// Whether it is known when an edge can be the first of a step.
    fn sees_step(&self, process: ProcessId, edge: &Edge) -> bool {
        let sees_partners = edge.action.channel().is_none_or(|channel| {
            let mut candidates = self.sight.candidates(channel).into_iter();
            candidates.all(|id| self.known_channels[id.index()])
        });
        sees_partners && self.sight.sees_offer(process, edge)
    }

    /// Whether it is known whether a process can move from a location.
    fn sees_moves(&self, id: ProcessId, process: &Process, from: LocationId) -> bool {
        let mut leaving = process.edges.iter().filter(|edge| edge.source == from);
        leaving.all(|edge| self.sees_step(id, edge))
    }

    // ---- the whole ----

    fn run(&mut self) -> Projection {
        let network = self.sight.network;
        let is_exact = self.sight.sees_timeout;
        let mut images = Vec::new();
        let mut keeps_control = Vec::new();
        let mut processes: Arena<ProcessId, Process> = Arena::new();
        let moving: BTreeSet<ProcessId> = self.moving().map(|(id, _)| id).collect();
        for (id, process) in network.processes.enumerate() {
            keeps_control.push(self.controlled(id, process));
            let (process, edges) = match self.keeps(id) {
                true => self.kept(id, process, moving.contains(&id), &keeps_control[id.index()]),
                false => self.dropped(id, process, moving.contains(&id)),
            };
            processes.push(process);
            images.push(edges);
        }
        self.remove_idle(&mut images);
        let observer = self.property.observer.filter(|&id| self.keeps(id));
        if let (Some(observer), false) = (observer, is_exact) {
            self.free_observer(&processes[observer], &mut images[observer.index()]);
            processes.push(bystander());
            images.push(vec![self.idle_step()]);
            keeps_control.push(vec![false]);
        }
        let mut origins = Vec::new();
        for (process, images) in processes.iter_mut().zip(images) {
            origins.push(images.iter().map(|image| image.origins.clone()).collect());
            process.edges = images.into_iter().map(|image| image.edge).collect();
        }
        let property = Property { observer, ..self.goal() };
        let mut result = Network {
            processes,
            functions: self.functions(),
            variables: self.variables(),
            channels: self.channels(),
            properties: Arena::from_iter([property]),
            ..network.clone()
        };
        let clocks: Vec<ClockId> =
            network.clocks.ids().filter(|&id| self.sight.pattern.keeps(Part::Clock(id))).collect();
        renumber_clocks(&mut result, &clocks);
        let property = result.properties[Id::new(0)].clone();
        let pattern = self.sight.pattern.clone();
        Projection { network: result, property, pattern, clocks, origins, keeps_control, is_exact }
    }

    fn variables(&self) -> Arena<network::VariableId, network::Variable> {
        let mut variables = self.sight.network.variables.clone();
        for id in self.sight.network.variables.ids() {
            let variable = &mut variables[id];
            variable.storage = match variable.storage {
                Storage::Constant => Storage::Constant,
                _ if self.sight.pattern.keeps(Part::Variable(id)) => Storage::State,
                _ => Storage::Constant,
            };
        }
        variables
    }

    fn channels(&self) -> Arena<ChannelId, Channel> {
        let channel = |(id, channel): (ChannelId, &Channel)| Channel {
            kind: match &channel.kind {
                ChannelKind::Buffered { capacity, fields } => {
                    let contents = self.sight.pattern.contents(id);
                    ChannelKind::Buffered {
                        capacity: if contents > Contents::Nothing { *capacity } else { 0 },
                        fields: match contents {
                            Contents::Messages => fields.clone(),
                            _ => Vec::new(),
                        },
                    }
                }
                kind => kind.clone(),
            },
            // Time must not stand still for a step that the model may not have.
            urgent: channel.urgent && self.known_channels[id.index()],
            priorities: match self.sight.sees_timeout {
                true => channel.priorities.clone(),
                false => vec![0; channel.priorities.len()],
            },
            ..channel.clone()
        };
        self.sight.network.channels.enumerate().map(channel).collect()
    }

    fn functions(&self) -> Arena<network::FunctionId, network::Function> {
        let function = |function: &network::Function| {
            let mut slicer = Slicer::of_function(self.sight, function);
            // Nobody calls one of which it is not known what it does.
            let body = slicer.block(&function.body).unwrap_or_default();
            network::Function { body, ..function.clone() }
        };
        self.sight.network.functions.iter().map(function).collect()
    }

    // ---- processes ----

    /// The locations in which it is known that a process keeps control if it gets there with it.
    fn controlled(&self, id: ProcessId, process: &Process) -> Vec<bool> {
        let locations = process.locations.ids();
        let has_priorities = || {
            let mut priorities = self.sight.network.processes.iter().map(|it| it.priority);
            let first = priorities.next();
            priorities.any(|it| Some(it) != first || matches!(it, Priority::Variable(_)))
        };
        let is_known = self.keeps(id) && (self.sight.sees_timeout || !has_priorities());
        let is_known =
            |it| is_known && self.sees_moves(id, process, it) && self.arrives_last(process, it);
        locations.map(is_known).collect()
    }

    /// Whether it is known that a process which arrives at a location with control is the last one that moves:
    /// nobody else who hears a broadcast is overlooked.
    fn arrives_last(&self, process: &Process, at: LocationId) -> bool {
        let mut arriving = process.edges.iter().filter(|it| it.target == at && it.keeps_control);
        arriving.all(|edge| {
            let channel = edge.action.channel();
            let mut candidates =
                channel.map_or(Vec::new(), |it| self.sight.candidates(it)).into_iter();
            candidates.all(|id| self.known_channels[id.index()] || !self.is_broadcast(id))
        })
    }

    fn kept(
        &mut self,
        id: ProcessId,
        process: &Process,
        moves: bool,
        controlled: &[bool],
    ) -> (Process, Vec<Image>) {
        let mut images = Vec::new();
        for (number, edge) in process.edges.enumerate().filter(|_| moves) {
            let keeps_control = edge.keeps_control && controlled[edge.target.index()];
            self.loses_control |= edge.keeps_control && !keeps_control;
            let settled = Edge {
                keeps_control,
                preference: self.preference(id, process, edge),
                ..edge.clone()
            };
            let mut edges = self.edge(id, &settled);
            if process.observes && !self.sight.sees_timeout {
                edges.iter_mut().for_each(|image| self.silence(image));
            }
            self.errors.note(self.sight, self.property, (id, edge), &edges);
            let origins = vec![(id, number)];
            images.extend(edges.into_iter().map(|edge| Image { edge, origins: origins.clone() }));
        }
        let locations: Vec<Location> =
            process.locations.enumerate().map(|(at, it)| self.location(id, at, it)).collect();
        let left = Process {
            locations: locations.into_iter().collect(),
            priority: self.priority(process),
            ..process.clone()
        };
        (left, images)
    }

    /// An observer may look where it does not in the model: an error there must not keep others from moving.
    fn silence(&self, edge: &mut Edge) {
        edge.update.clear();
        if self.sight.risk.expr_may_fail(&edge.locals, &edge.guard.data) {
            edge.guard.data = Expr::TRUE;
        }
    }

    fn priority(&self, process: &Process) -> Priority {
        if self.sight.sees_timeout { process.priority } else { Priority::Fixed(0) }
    }

    /// An edge counts beside others with a higher preference, unless it is known whether those can fire.
    fn preference(&self, id: ProcessId, process: &Process, edge: &Edge) -> i32 {
        let leaving = || process.edges.iter().filter(|it| it.source == edge.source);
        let least = leaving().map(|it| it.preference).min().unwrap_or(0);
        let mut higher = leaving().filter(|it| it.preference > least);
        if higher.all(|it| self.sees_step(id, it)) { edge.preference } else { 0 }
    }

    fn location(&mut self, id: ProcessId, at: LocationId, location: &Location) -> Location {
        let blind = &vec![false; location.locals.len()];
        // Where clocks cannot run, a goal may yet be reached before time passes.
        let may_fail = self.sight.risk.rates_may_fail(location);
        for rate in &location.rates {
            if may_fail || !self.sees_rate(blind, rate) {
                self.unsteady(rate);
            }
        }
        if !self.sees_location(location) {
            self.errors.note_location(self.sight, self.property, id, at);
        }
        let keeps = |rate: &&Rate| self.sight.pattern.keeps(Part::Clock(rate.clock.clock));
        let kind = match location.kind {
            LocationKind::Committed if self.hides_committed => LocationKind::Urgent,
            kind => kind,
        };
        let invariant = self.condition(&location.locals, &location.invariant);
        let rates = location.rates.iter().filter(keeps).cloned().collect();
        Location { kind, invariant, rates, ..location.clone() }
    }

    /// A clock of which it is not known whether it runs cannot be kept.
    fn unsteady(&mut self, rate: &Rate) {
        let part = Part::Clock(rate.clock.clock);
        self.excess.extend(self.sight.pattern.keeps(part).then_some(part));
    }

    /// A process of which it is not known where it is offers everything at any time.
    fn dropped(&mut self, id: ProcessId, process: &Process, moves: bool) -> (Process, Vec<Image>) {
        let mut images: Vec<Image> = Vec::new();
        for (number, edge) in process.edges.enumerate().filter(|_| moves) {
            let here = LocationId(0);
            let free = Edge {
                source: here,
                target: here,
                keeps_control: false,
                preference: 0,
                ..edge.clone()
            };
            self.loses_control |= edge.keeps_control;
            let edges = self.edge(id, &free);
            // An observer that is dropped does not move.
            let moving = if process.observes { &edges[..0] } else { &edges[..] };
            self.errors.note(self.sight, self.property, (id, edge), moving);
            for edge in edges {
                add_image(&mut images, edge, (id, number));
            }
        }
        for (at, location) in process.locations.enumerate().filter(|_| moves) {
            location.rates.iter().for_each(|rate| self.unsteady(rate));
            self.errors.note_location(self.sight, self.property, id, at);
        }
        let left = Process {
            locations: Arena::from_iter([somewhere(process.span)]),
            initial: LocationId(0),
            priority: Priority::Fixed(0),
            ..process.clone()
        };
        (left, images)
    }

    // ---- edges ----

    fn condition(&self, locals: &Arena<LocalId, Local>, condition: &Condition) -> Condition {
        let blind = &vec![false; locals.len()];
        let is_seen = |it: &&ClockConstraint| self.sight.sees_constraint(blind, it);
        Condition {
            data: self.sight.weakened(locals, &condition.data, true, None),
            clocks: condition.clocks.iter().filter(is_seen).cloned().collect(),
            span: condition.span,
        }
    }

    /// What an edge becomes: several edges, if it may or may not need others.
    fn edge(&mut self, id: ProcessId, edge: &Edge) -> Vec<Edge> {
        let mut slicer = Slicer::of_edge(self.sight, edge);
        let (actions, update) = slice(&mut slicer, edge)
            .unwrap_or_else(|NeedsChoice| unreachable!("an edge can choose"));
        self.excess.append(&mut slicer.excess);
        self.has_choices |= !slicer.choices.is_empty();
        let mut selects = edge.selects.clone();
        selects.extend(&slicer.choices);
        let guard = self.condition(&edge.locals, &edge.guard);
        let left = Edge { selects, guard, update, locals: slicer.into_locals(), ..edge.clone() };
        let mut edges: Vec<Edge> =
            actions.into_iter().map(|action| Edge { action, ..left.clone() }).collect();
        if self.is_broadcast_receiver(edge) && !self.sight.sees_offer(id, edge) {
            edges.extend(edges.first().map(unheard));
            // One that takes part stays where it is, whoever puts it elsewhere.
            let is_put = self.keeps(id) && self.entered[id.index()];
            self.excess.extend(is_put.then_some(Part::Process(id)));
        }
        edges.iter_mut().for_each(drop_unused_selects);
        edges
    }

    fn is_broadcast_receiver(&self, edge: &Edge) -> bool {
        let Action::Receive(receive) = &edge.action else { return false };
        self.sight.candidates(&receive.channel).iter().any(|it| self.is_broadcast(*it))
    }

    /// Whether an edge is taken with broadcasts of others and never else.
    fn only_hears(&self, edge: &Edge) -> bool {
        let Action::Receive(receive) = &edge.action else { return false };
        self.sight.candidates(&receive.channel).iter().all(|it| self.is_broadcast(*it))
    }

    fn is_broadcast(&self, channel: ChannelId) -> bool {
        self.sight.network.channels[channel].kind == ChannelKind::Broadcast
    }

    /// Removes what changes nothing: steps of dropped processes alone, and what they do for each other.
    fn remove_idle(&self, images: &mut [Vec<Image>]) {
        let mut needs = Needs::new(self.sight.network.channels.len());
        for (process, images) in images.iter().enumerate() {
            let is_kept = self.keeps(Id::new(process));
            let active = images.iter().filter(|it| is_kept || self.has_effect(&it.edge));
            active.for_each(|image| needs.note(self.sight, &image.edge.action));
        }
        for (process, images) in images.iter_mut().enumerate() {
            if !self.keeps(Id::new(process)) {
                let needs = Needs { listeners: self.listeners(images), ..needs.clone() };
                images.retain(|Image { edge, .. }| {
                    let stays = self.keeps_idle && !self.only_hears(edge);
                    stays || self.has_effect(edge) || self.is_needed(edge, &needs)
                });
            }
        }
    }

    /// The broadcasts that a process may hear, with an effect.
    fn listeners(&self, images: &[Image]) -> Vec<bool> {
        let mut needs = Needs::new(self.sight.network.channels.len());
        let active = images.iter().filter(|it| self.has_effect(&it.edge));
        active.for_each(|image| needs.note(self.sight, &image.edge.action));
        needs.senders
    }

    /// Whether an edge of a dropped process changes something by itself, or may be an answer.
    fn has_effect(&self, edge: &Edge) -> bool {
        let mut changes = may_answer(self.sight, self.property, edge);
        let mut note = |touch| changes |= !self.sight.kept_effect(touch).is_empty();
        self.sight.touches.statements(&edge.update, &mut note);
        self.sight.touches.action(&edge.action, &mut note);
        changes
    }

    fn is_needed(&self, edge: &Edge, needs: &Needs) -> bool {
        let Some(channel) = edge.action.channel() else { return false };
        let channels = &self.sight.network.channels;
        self.sight.candidates(channel).into_iter().any(|id| {
            match (&edge.action, &channels[id].kind) {
                (_, kind) if has_buffer(kind) => false,
                (Action::Send(_), _) => needs.senders[id.index()],
                // One that may have an effect must be able to have none.
                (_, ChannelKind::Broadcast) => needs.listeners[id.index()],
                _ => needs.receivers[id.index()],
            }
        })
    }

    // ---- observers ----

    /// Where it is not known who has control, an observer may stand still.
    fn free_observer(&self, observer: &Process, images: &mut Vec<Image>) {
        if !self.loses_control {
            return;
        }
        images.iter_mut().for_each(|image| image.edge.preference = 0);
        for location in observer.locations.ids() {
            let edge = plain_edge(location);
            images.push(Image { edge, origins: self.all_edges() });
        }
    }

    /// A step of others that changes nothing that is kept; the observer moves along with it.
    fn idle_step(&self) -> Image {
        Image { edge: plain_edge(LocationId(0)), origins: self.all_edges() }
    }

    /// The edges of steps that may go unseen; the observer's, since it may move alone.
    fn all_edges(&self) -> Vec<(ProcessId, EdgeId)> {
        let edges = |(id, process): (ProcessId, &'a Process)| {
            process.edges.ids().map(move |edge| (id, edge))
        };
        self.moving().flat_map(edges).collect()
    }

    // ---- the property ----

    fn goal(&mut self) -> Property {
        let property = self.property;
        let stuck = (!self.sight.sees_timeout).then(|| stuck(self.sight, self.moving()));
        let claim = match analysis::goal(property) {
            None => property.claim.clone(),
            Some(goal) => {
                let blind = &vec![false; property.locals.len()];
                if !self.sight.sees(blind, &goal) {
                    self.errors.note_goal(self.sight, property, &goal);
                }
                let stuck = stuck.as_ref();
                let weakened = self.sight.weakened(&property.locals, &goal, true, stuck);
                Claim::Reachable(self.errors.or(weakened))
            }
        };
        Property { claim, ..property.clone() }
    }
}

/// Which channels there must be someone for.
#[derive(Clone)]
struct Needs {
    senders: Vec<bool>,
    receivers: Vec<bool>,
    /// Someone who hears a broadcast without doing anything.
    listeners: Vec<bool>,
}

impl Needs {
    fn new(channels: usize) -> Needs {
        let none = || vec![false; channels];
        Needs { senders: none(), receivers: none(), listeners: none() }
    }

    fn note(&mut self, sight: &Sight, action: &Action) {
        let needed = match action {
            Action::Internal => return,
            Action::Send(_) => &mut self.receivers,
            Action::Receive(_) => &mut self.senders,
        };
        for channel in action.channel().map(|it| sight.candidates(it)).unwrap_or_default() {
            needed[channel.index()] = true;
        }
    }
}

/// The actions that may be left of an edge, and its update.
fn slice(slicer: &mut Slicer, edge: &Edge) -> Result<(Vec<Action>, Vec<Statement>), NeedsChoice> {
    let mut update = Vec::new();
    let actions = match &edge.action {
        Action::Internal => vec![Action::Internal],
        Action::Send(send) => {
            let Exchange { exchange, is_free } = slicer.send(send)?;
            actions(exchange.map(Action::Send), is_free)
        }
        Action::Receive(receive) => {
            let (Exchange { exchange, is_free }, stores) = slicer.receive(receive)?;
            update = stores;
            actions(exchange.map(Action::Receive), is_free)
        }
    };
    update.extend(slicer.block(&edge.update)?);
    Ok((actions, update))
}

fn actions(exchange: Option<Action>, is_free: bool) -> Vec<Action> {
    exchange.into_iter().chain(is_free.then_some(Action::Internal)).collect()
}

/// Adds an edge, unless there is one that does the same.
fn add_image(images: &mut Vec<Image>, edge: Edge, origin: (ProcessId, EdgeId)) {
    let is_same = |other: &Edge| {
        let span = |it: &Edge| Edge { span: Span::NONE, ..it.clone() };
        span(other) == span(&edge)
    };
    match images.iter_mut().find(|image| is_same(&image.edge)) {
        Some(image) => image.origins.push(origin),
        None => images.push(Image { edge, origins: vec![origin] }),
    }
}

/// A receiver of a broadcast that may not have been able to: it stays where it is.
fn unheard(receiver: &Edge) -> Edge {
    let guard = Condition { clocks: Vec::new(), ..receiver.guard.clone() };
    Edge {
        target: receiver.source,
        guard,
        update: Vec::new(),
        keeps_control: false,
        ..receiver.clone()
    }
}

/// A select that nothing looks at would only multiply steps.
fn drop_unused_selects(edge: &mut Edge) {
    let mut used = vec![false; edge.locals.len()];
    let mut note = |expr: &Expr| {
        expr.walk(&mut |part| {
            if let Expr::Read(network::Place { base: Base::Local(id), .. }) = part {
                used[id.index()] = true;
            }
        });
    };
    note(&edge.guard.data);
    edge.guard.clocks.iter().flat_map(ClockConstraint::expressions).for_each(&mut note);
    expressions(&edge.action).into_iter().for_each(&mut note);
    for statement in &edge.update {
        statement.walk(&mut |it| it.expressions().into_iter().for_each(&mut note));
    }
    edge.selects.retain(|id| used[id.index()]);
}

fn somewhere(span: Span) -> Location {
    Location {
        name: "somewhere".to_string(),
        kind: LocationKind::Normal,
        invariant: Condition::always(),
        rates: Vec::new(),
        locals: Arena::new(),
        span,
    }
}

/// A process that stands for steps of others that cannot be seen.
fn bystander() -> Process {
    Process {
        name: "(others)".to_string(),
        template: String::new(),
        arguments: Vec::new(),
        locations: Arena::from_iter([somewhere(Span::NONE)]),
        edges: Arena::new(),
        initial: LocationId(0),
        priority: Priority::Fixed(0),
        observes: false,
        span: Span::NONE,
    }
}

/// An edge that does nothing.
fn plain_edge(at: LocationId) -> Edge {
    Edge {
        source: at,
        target: at,
        selects: Vec::new(),
        guard: Condition::always(),
        action: Action::Internal,
        update: Vec::new(),
        keeps_control: false,
        preference: 0,
        locals: Arena::new(),
        span: Span::NONE,
    }
}

// ---- clocks ----

/// Numbers the clocks that are kept anew.
fn renumber_clocks(network: &mut Network, kept: &[ClockId]) {
    let mut numbers = vec![ClockId(0); network.clocks.len()];
    for (number, id) in kept.iter().enumerate() {
        numbers[id.index()] = Id::new(number);
    }
    network.clocks = kept.iter().map(|&id| network.clocks[id].clone()).collect();
    network.visit_references(&mut |reference| {
        if let Reference::Clock(clock) = reference {
            clock.clock = numbers[clock.clock.index()];
        }
    });
}
