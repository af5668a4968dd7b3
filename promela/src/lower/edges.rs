//! The processes of the network: a location per state, an edge per transition.

use super::automaton::Transition;
use super::dstep::Code;
use super::emit::{Buffer, Emit, any, not};
use super::executable::is_else;
use super::failures::Failure;
use super::flow::{El, Element, ElementKind, Flow, Seq};
use super::messages::Exchange;
use super::plan::{Plan, Slot};
use super::recording::{self, Prints};
use super::resolved::{Basic, Target};
use crate::ast;
use network::{
    Action, Arena, Condition, Edge, Expr, Local, LocalId, Location, LocationKind, Process, Span,
    Statement, StatementKind, cancellation,
};
use rustc_hash::FxHashMap;

/// A process and the transition that each of its edges is.
pub(super) struct Made {
    pub process: Process,
    pub origins: Vec<Origin>,
}

/// The processes.
pub(super) fn processes(plan: &Plan) -> Vec<Made> {
    plan.slots.iter().map(|slot| process(plan, slot)).collect()
}

/// The process of a slot.
pub(super) fn process(plan: &Plan, slot: &Slot) -> Made {
    process_with(plan, slot, Emit::new(plan, Some(slot)))
}

/// The same, but its edges keep a record of what they print.
pub(super) fn recording(plan: &Plan, slot: &Slot, prints: &Prints) -> Made {
    process_with(plan, slot, Emit { prints: Some(prints), ..Emit::new(plan, Some(slot)) })
}

fn process_with<'a>(plan: &'a Plan, slot: &'a Slot, emit: Emit<'a>) -> Made {
    let flow = &plan.proctypes[slot.proctype].flow;
    let mut edges = Edges { plan, slot, emit, flow, origins: vec![] };
    Made { process: edges.process(), origins: edges.origins }
}

/// The transition that an edge is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The element whose statement it does.
    pub element: El,
    pub source: El,
    /// None after the end of the process.
    pub target: Option<El>,
}

pub(super) struct Edges<'a> {
    plan: &'a Plan<'a>,
    slot: &'a Slot,
    pub emit: Emit<'a>,
    pub flow: &'a Flow,
    /// One for each edge.
    pub origins: Vec<Origin>,
}

/// The names of the locations so far, each with how often it was asked for.
#[derive(Default)]
struct Names(FxHashMap<String, u32>);

impl Names {
    /// The name itself, or with a number after it if it is taken.
    fn fresh(&mut self, base: String) -> String {
        let mut name = base.clone();
        while self.0.contains_key(&name) {
            let number = self.0.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}_{number}");
        }
        self.0.insert(name.clone(), 1);
        name
    }
}

/// What an edge does apart from where it leads.
pub(super) struct Effect {
    pub guard: Expr,
    pub action: Action,
    pub update: Vec<Statement>,
    pub locals: Arena<LocalId, Local>,
}

impl Effect {
    pub fn new(guard: Expr, update: Vec<Statement>) -> Self {
        Effect { guard, action: Action::Internal, update, locals: Arena::new() }
    }
}

impl Edges<'_> {
    fn process(&mut self) -> Process {
        let proctype = &self.plan.proctypes[self.slot.proctype];
        let automaton = &self.plan.automata[self.slot.proctype];
        let mut process = Process {
            name: self.slot.name.clone(),
            template: proctype.name.clone(),
            arguments: vec![],
            locations: self.locations(),
            edges: Arena::new(),
            initial: self.plan.absent(self.slot.proctype),
            priority: self.plan.priority(self.slot),
            observes: false,
            span: self.plan.span(proctype.span),
        };
        if self.slot.started.is_some() {
            let start = self.plan.location(self.slot.proctype, automaton.start);
            process.initial = start.unwrap_or(process.initial);
        }
        for &state in &automaton.states {
            cancellation::check();
            for edge in self.edges_from(state, &automaton.transitions[state]) {
                process.edges.push(edge);
            }
        }
        process
    }

    // ---- locations ----

    fn locations(&self) -> Arena<network::LocationId, Location> {
        let automaton = &self.plan.automata[self.slot.proctype];
        let mut names = Names::default();
        let mut list: Vec<_> =
            automaton.states.iter().map(|&state| self.location(state, &mut names)).collect();
        list.push(location("-".to_string(), Span::NONE));
        list.into_iter().collect()
    }

    fn location(&self, state: El, names: &mut Names) -> Location {
        let span = self.plan.span(self.flow.elements[state].span);
        let label = self.flow.labels.at(state).next();
        let base = match (label, &self.flow.elements[state].kind) {
            (Some(label), _) => label.name.clone(),
            (None, ElementKind::End) => "end".to_string(),
            _ => format!("s{}", span.line),
        };
        location(names.fresh(base), span)
    }

    // ---- edges ----

    fn edges_from(&mut self, state: El, transitions: &[Transition]) -> Vec<Edge> {
        let mut groups: Vec<Option<El>> = vec![];
        for transition in transitions.iter().filter(|it| it.element.is_some()) {
            if groups.last() != Some(&transition.escape) {
                groups.push(transition.escape);
            }
        }
        let mut edges = vec![];
        for (position, transition) in transitions.iter().enumerate() {
            let Some(element) = transition.element else { continue };
            let group = groups.iter().position(|it| *it == transition.escape).unwrap_or(0);
            // Two apart, so that an `else` fits below its group and above the next one.
            let mut preference = 2 * (groups.len() - 1 - group) as i32;
            let effects = match is_else(self.flow, element) {
                false => self.effects(element),
                true => self.otherwise(transitions, position, &mut preference),
            };
            for effect in effects {
                edges.push(self.edge(state, transition, effect, preference));
                self.origins.push(Origin { element, source: state, target: transition.target });
            }
        }
        if self.plan.proctypes[self.slot.proctype].deterministic {
            for (group, escape) in groups.iter().enumerate() {
                let of_group: Vec<_> =
                    transitions.iter().filter(|it| it.escape == *escape).collect();
                let preference = 2 * (groups.len() - 1 - group) as i32;
                edges.extend(self.second_options(state, &of_group, preference));
            }
        }
        edges
    }

    pub fn edge(&self, state: El, it: &Transition, effect: Effect, preference: i32) -> Edge {
        let proctype = self.slot.proctype;
        let absent = self.plan.absent(proctype);
        let location = |state| self.plan.location(proctype, state).unwrap_or(absent);
        let element = it.element.unwrap_or(state);
        let span = self.plan.span(self.flow.elements[element].span);
        let provided = self.plan.proctypes[proctype].provided.as_ref();
        let provided = provided.map_or(Expr::TRUE, |it| self.emit.value(it));
        let mut update = effect.update;
        self.remember(element, &mut update);
        Edge {
            source: location(state),
            target: it.target.map_or(absent, location),
            selects: vec![],
            guard: Condition { data: provided.and(effect.guard), clocks: vec![], span },
            action: effect.action,
            update,
            keeps_control: it.keeps_control,
            preference,
            locals: effect.locals,
            span,
        }
    }

    /// Writes down who moves, after everything else; the number of a process that ends is lost
    /// then.
    fn remember(&self, element: El, update: &mut Vec<Statement>) {
        let Some(last) = self.plan.last.filter(|_| !self.plan.is_observer(self.slot)) else {
            return;
        };
        let place = network::Place::variable(last);
        let kind = StatementKind::Assign(place, self.emit.pid(self.slot));
        let statement = self.emit.statement(kind, self.flow.elements[element].span);
        match self.flow.elements[element].kind {
            ElementKind::End => update.insert(0, statement),
            _ => update.push(statement),
        }
    }

    /// What a transition does: usually one edge.
    fn effects(&mut self, element: El) -> Vec<Effect> {
        let it = &self.flow.elements[element];
        match &it.kind {
            ElementKind::Basic(basic) => self.basic(self.emit, basic, it.span),
            ElementKind::DStep(seq) => self.d_step(*seq, it.span),
            ElementKind::End => vec![self.end(it.span)],
            _ => vec![Effect::new(Expr::TRUE, vec![])],
        }
    }

    pub fn basic(&self, emit: Emit, basic: &Basic, span: ast::Span) -> Vec<Effect> {
        let mut effect =
            Effect { locals: recording::locals(&emit), ..Effect::new(Expr::TRUE, vec![]) };
        match basic {
            Basic::Guard(value) => effect.guard = emit.value(value),
            Basic::Send(send) => {
                let options = emit.settled().sends(send, span);
                return self.exchanges(options, &send.channel, span);
            }
            Basic::Receive(receive) => {
                let options = emit.settled().receives(receive, span);
                let mut effects = self.exchanges(options, &receive.channel, span);
                if receive.keep {
                    effects.push(Effect::new(emit.poll_error(receive), vec![]));
                    effects.retain(|it| it.guard != Expr::Const(0));
                }
                return effects;
            }
            other => effect.update = emit.effect(other, span, &mut effect.locals),
        }
        vec![effect]
    }

    fn exchanges(&self, options: Vec<Exchange>, channel: &Target, span: ast::Span) -> Vec<Effect> {
        if options.is_empty() {
            return vec![Effect::new(self.emit.no_channel(channel), vec![])];
        }
        let wrong = || vec![self.emit.statement(Failure::WrongFields.statement(), span)];
        let effect = |it: Exchange| Effect {
            action: it.action,
            ..Effect::new(Expr::TRUE, if it.is_wrong { wrong() } else { vec![] })
        };
        options.into_iter().map(effect).collect()
    }

    /// Within the sequence `timeout` keeps its value, so one that mentions it is two edges.
    fn d_step(&mut self, seq: Seq, span: ast::Span) -> Vec<Effect> {
        if !self.flow.timed.contains(&seq) {
            return self.d_step_with(self.emit, seq, span);
        }
        let usual = Emit { timeout: Some(false), ..self.emit };
        let waiting = Emit { timeout: Some(true), ..self.emit };
        let usual = self.d_step_with(usual, seq, span);
        if usual.iter().any(|it| it.guard.is_true() && matches!(it.action, Action::Internal)) {
            return usual;
        }
        let mut waiting = self.d_step_with(waiting, seq, span);
        for effect in &mut waiting {
            effect.guard = Expr::Timeout.and(std::mem::replace(&mut effect.guard, Expr::TRUE));
        }
        usual.into_iter().chain(waiting).filter(|it| it.guard != Expr::Const(0)).collect()
    }

    fn d_step_with(&mut self, emit: Emit, seq: Seq, span: ast::Span) -> Vec<Effect> {
        let mut code = Code::new(emit, self.flow);
        let elements = code.elements(seq);
        let mut done = 0;
        let mut effects = match elements.first().map(|&it| &self.flow.elements[it]) {
            Some(Element { kind: ElementKind::Basic(basic), span, .. })
                if self.can_be_action(emit, basic) =>
            {
                done = 1;
                self.basic(emit, basic, *span)
            }
            _ => vec![Effect::new(code.guard(seq), vec![])],
        };
        let update = match code.has_jumps(seq) {
            true => code.with_jumps(&elements[done..], span),
            false => code.list(&elements[done..]),
        };
        for effect in &mut effects {
            effect.update.extend(update.iter().cloned());
            effect.locals = code.locals.clone();
        }
        effects.extend(self.meetings_at_start(emit, seq, &elements, span));
        effects
    }

    /// Whether the first statement of a `d_step` can be what its edge does with others. A
    /// rendezvous cannot be sent there: Spin's verifiers report the attempt.
    fn can_be_action(&self, emit: Emit, basic: &Basic) -> bool {
        match basic {
            Basic::Guard(_) | Basic::Receive(_) => true,
            Basic::Send(send) => emit.buffer(&send.channel) == Buffer::Yes,
            _ => false,
        }
    }

    fn end(&self, span: ast::Span) -> Effect {
        Effect::new(self.emit.youngest(self.slot), self.emit.finish(self.slot, span))
    }

    // ---- else ----

    /// `else` is possible iff nothing that is tried before it is. Nothing if that never happens.
    fn otherwise(
        &mut self,
        transitions: &[Transition],
        position: usize,
        preference: &mut i32,
    ) -> Vec<Effect> {
        let Some(element) = transitions[position].element else { return vec![] };
        let mut effects = match self.flow.elements[element] {
            Element { kind: ElementKind::DStep(seq), span, .. } => self.d_step(seq, span),
            _ => vec![Effect::new(Expr::TRUE, vec![])],
        };
        let before: Vec<_> = transitions[..position].iter().filter_map(|it| it.element).collect();
        if before.iter().any(|&it| is_else(self.flow, it)) {
            return vec![];
        }
        let group = transitions[position].escape;
        let is_last = transitions[position + 1..].iter().all(|it| it.escape != group);
        let executable: Option<Vec<_>> =
            before.iter().map(|&it| self.emit.executable(self.flow, it)).collect();
        let meets = before.iter().any(|&it| self.may_meet(it));
        match executable {
            Some(guards) if guards.iter().any(Expr::is_true) => return vec![],
            Some(guards) if meets || !is_last => {
                let none = not(any(guards));
                for effect in &mut effects {
                    effect.guard =
                        none.clone().and(std::mem::replace(&mut effect.guard, Expr::TRUE));
                }
            }
            _ => *preference -= 1,
        }
        effects
    }

    /// Whether a statement receives in a rendezvous: Spin's `else` takes no notice of those.
    fn may_meet(&self, element: El) -> bool {
        match &self.flow.elements[element].kind {
            ElementKind::Basic(Basic::Receive(it)) => self.emit.buffer(&it.channel) == Buffer::No,
            ElementKind::DStep(seq) | ElementKind::Block(seq) => {
                let code = Code::new(self.emit, self.flow);
                let meets = !code.heads(&code.elements(*seq)).is_empty();
                meets || self.flow.sequences[*seq].first.is_some_and(|first| self.may_meet(first))
            }
            _ => false,
        }
    }
}

pub(super) fn location(name: String, span: Span) -> Location {
    Location {
        name,
        kind: LocationKind::Normal,
        invariant: Condition::always(),
        rates: vec![],
        locals: Arena::new(),
        span,
    }
}

/// Whether a process may stay for ever where it is: it is gone, or at a valid end.
pub(super) fn may_stay(plan: &Plan, slot: &Slot) -> Expr {
    let automaton = &plan.automata[slot.proctype];
    let valid = automaton.states.iter().filter(|&&state| automaton.valid_end[state]);
    let valid = valid.filter_map(|&state| plan.location(slot.proctype, state));
    let at = |location| Expr::At(slot.process, location);
    any(std::iter::once(plan.is_absent(slot)).chain(valid.map(at)).collect())
}
