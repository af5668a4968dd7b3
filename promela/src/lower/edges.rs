//! The processes of the network: a location per state, an edge per transition.

use super::automaton::Transition;
use super::dstep::Code;
use super::emit::{Buffer, Emit, not};
use super::flow::{El, Flow, Kind, Seq};
use super::plan::{Plan, Slot};
use super::resolved::Basic;
use crate::ast;
use network::{
    Action, Arena, BinaryOp, Condition, Edge, Expr, Local, LocalId, Location, LocationKind,
    Priority, Probe, Process, Span, Statement, StatementKind,
};
use rustc_hash::FxHashMap;

/// A process and the transition that each of its edges is.
pub(super) struct Made {
    pub process: Process,
    pub origins: Vec<Origin>,
}

/// The processes, and what of the model cannot be lowered.
pub(super) fn processes(plan: &Plan) -> (Vec<Made>, Vec<(String, ast::Span)>) {
    let mut refused = vec![];
    let processes = plan.slots.iter().map(|slot| process(plan, slot, &mut refused)).collect();
    (processes, refused)
}

/// The process of a slot.
pub(super) fn process(plan: &Plan, slot: &Slot, refused: &mut Vec<(String, ast::Span)>) -> Made {
    let emit = Emit { plan, slot: Some(slot) };
    let flow = &plan.proctypes[slot.proctype].flow;
    let mut edges = Edges { plan, slot, emit, flow, origins: vec![], refused };
    Made { process: edges.process(), origins: edges.origins }
}

/// The transition that an edge is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The element whose statement it does.
    pub element: El,
    pub source: El,
    /// None behind the end of the process.
    pub target: Option<El>,
}

struct Edges<'a> {
    plan: &'a Plan<'a>,
    slot: &'a Slot,
    emit: Emit<'a>,
    flow: &'a Flow,
    /// One for each edge.
    origins: Vec<Origin>,
    refused: &'a mut Vec<(String, ast::Span)>,
}

/// The names of the locations so far, each with how often it was asked for.
#[derive(Default)]
struct Names(FxHashMap<String, u32>);

impl Names {
    /// The name itself, or with a number behind it if it is taken.
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
struct Effect {
    guard: Expr,
    action: Action,
    update: Vec<Statement>,
    locals: Arena<LocalId, Local>,
}

impl Effect {
    fn new(guard: Expr, update: Vec<Statement>) -> Self {
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
            priority: Priority::Fixed(0),
            observes: false,
            span: self.plan.span(proctype.span),
        };
        if self.slot.started.is_some() {
            let start = self.plan.location(self.slot.proctype, automaton.start);
            process.initial = start.unwrap_or(process.initial);
        }
        for &state in &automaton.states {
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
            (None, Kind::End) => "end".to_string(),
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
            let effect = match self.is_else(element) {
                false => Some(self.effect(element)),
                true => self.otherwise(transitions, position, &mut preference),
            };
            if let Some(effect) = effect {
                edges.push(self.edge(state, transition, effect, preference));
                self.origins.push(Origin { element, source: state, target: transition.target });
            }
        }
        edges
    }

    fn edge(&self, state: El, it: &Transition, effect: Effect, preference: i32) -> Edge {
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
            Kind::End => update.insert(0, statement),
            _ => update.push(statement),
        }
    }

    fn effect(&mut self, element: El) -> Effect {
        let it = &self.flow.elements[element];
        match &it.kind {
            Kind::Basic(basic) => self.basic(basic, it.span),
            Kind::DStep(seq) => self.d_step(*seq),
            Kind::End => self.end(it.span),
            _ => Effect::new(Expr::TRUE, vec![]),
        }
    }

    fn basic(&mut self, basic: &Basic, span: ast::Span) -> Effect {
        let mut effect = Effect::new(Expr::TRUE, vec![]);
        match basic {
            Basic::Guard(value) => effect.guard = self.emit.value(value),
            Basic::Send(send) => effect.action = Action::Send(self.emit.send(send, span)),
            Basic::Receive(receive) => {
                effect.action = Action::Receive(self.emit.receive(receive, span));
            }
            other => effect.update = self.emit.effect(other, span),
        }
        effect
    }

    fn d_step(&mut self, seq: Seq) -> Effect {
        let first = self.flow.sequences[seq].first;
        let first = first.map(|it| &self.flow.elements[it]);
        let mut code = Code::new(self.emit, self.flow);
        let mut effect = match first.map(|it| (&it.kind, it.span)) {
            Some((
                Kind::Basic(basic @ (Basic::Send(_) | Basic::Receive(_) | Basic::Guard(_))),
                span,
            )) => {
                let mut effect = self.basic(basic, span);
                effect.update = code.sequence(seq, true);
                effect
            }
            _ => Effect::new(code.guard(seq), code.sequence(seq, false)),
        };
        effect.locals = code.locals;
        self.refused.append(&mut code.refused);
        effect
    }

    /// Only the youngest process can go.
    fn end(&self, span: ast::Span) -> Effect {
        let youngest = match (self.plan.process_count, self.slot.started) {
            (Some(_), _) => {
                let last = Expr::binary(BinaryOp::Sub, self.emit.process_count(), Expr::Const(1));
                Expr::binary(BinaryOp::Eq, self.emit.pid(self.slot), last)
            }
            (None, number) => {
                let younger = number.and_then(|it| self.plan.slots.get(it as usize + 1));
                younger.map_or(Expr::TRUE, |it| self.plan.is_absent(it))
            }
        };
        Effect::new(youngest, self.emit.finish(self.slot, span))
    }

    // ---- else ----

    fn is_else(&self, element: El) -> bool {
        match self.flow.elements[element].kind {
            Kind::Else => true,
            Kind::DStep(seq) => {
                let first = self.flow.sequences[seq].first;
                first.is_some_and(|it| matches!(self.flow.elements[it].kind, Kind::Else))
            }
            _ => false,
        }
    }

    /// `else` is possible iff nothing that is tried before it is. None if that never happens.
    fn otherwise(
        &mut self,
        transitions: &[Transition],
        position: usize,
        preference: &mut i32,
    ) -> Option<Effect> {
        let element = transitions[position].element?;
        let mut effect = match self.flow.elements[element].kind {
            Kind::DStep(seq) => self.d_step(seq),
            _ => Effect::new(Expr::TRUE, vec![]),
        };
        let before: Vec<_> = transitions[..position].iter().filter_map(|it| it.element).collect();
        if before.iter().any(|&it| self.is_else(it)) {
            return None;
        }
        let group = transitions[position].escape;
        let is_last = transitions[position + 1..].iter().all(|it| it.escape != group);
        let executable: Option<Vec<_>> = before.iter().map(|&it| self.executable(it)).collect();
        let meets = before.iter().any(|&it| self.may_meet(it));
        match executable {
            Some(guards) if guards.iter().any(Expr::is_true) => return None,
            Some(guards) if meets || !is_last => {
                let none = guards.into_iter().map(not).fold(Expr::TRUE, Expr::and);
                effect.guard = none.and(effect.guard);
            }
            _ => *preference -= 1,
        }
        Some(effect)
    }

    /// Whether a statement receives in a rendezvous: Spin's `else` takes no notice of those.
    fn may_meet(&self, element: El) -> bool {
        match &self.flow.elements[element].kind {
            Kind::Basic(Basic::Receive(it)) => self.emit.buffer(&it.channel) == Buffer::No,
            _ => false,
        }
    }

    /// When a statement is possible in the eyes of an `else`, if an expression can say it.
    fn executable(&self, element: El) -> Option<Expr> {
        match &self.flow.elements[element].kind {
            Kind::Basic(Basic::Guard(value)) => Some(self.emit.value(value)),
            Kind::Basic(Basic::Send(send)) => match self.emit.buffer(&send.channel) {
                Buffer::Yes => {
                    let channel = Box::new(self.emit.channel(&send.channel));
                    Some(not(Expr::Probe(Probe::Full, channel)))
                }
                Buffer::No | Buffer::Unknown => None,
            },
            Kind::Basic(Basic::Receive(it)) => match self.emit.buffer(&it.channel) {
                Buffer::Yes => Some(self.emit.poll(it)),
                Buffer::No => Some(Expr::Const(0)),
                Buffer::Unknown => None,
            },
            Kind::DStep(seq) => Some(Code::new(self.emit, self.flow).guard(*seq)),
            Kind::End => None,
            _ => Some(Expr::TRUE),
        }
    }
}

fn location(name: String, span: Span) -> Location {
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
    valid.fold(plan.is_absent(slot), |any, location| {
        Expr::binary(BinaryOp::Or, any, Expr::At(slot.process, location))
    })
}
