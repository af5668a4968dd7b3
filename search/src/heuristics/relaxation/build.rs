//! Builds the model of a problem from its network.

use super::condition::{Condition, alternatives, conjuncts, may_fail, simple};
use super::layers::MOST_LAYERS;
use super::model::{Head, Lists, Model, Op, OpKind};
use super::resolve::{Resolver, Scope};
use super::term::{Action, Elements, Fact, IfImpossible, Target, Term};
use super::values::Values;
use crate::problem::Problem;
use analysis::Risk;
use explore::{EdgeNumber, Home, Layout};
use network::{
    BinaryOp, ChannelKind, ChannelRef, Claim, Edge, Expr, Id, LocalId, Network, Probe, ProcessId,
    cancellation,
};
use rustc_hash::FxHashMap;

/// How many choices of an edge's selects are told apart.
const CHOICES: i64 = 64;

/// What the layers in which values are told apart may be in work, about.
const MOST_WORK: usize = 1 << 20;

/// The least number of such layers.
const LEAST_EXACT: u32 = 16;

impl Model {
    /// The model of a problem.
    pub fn new(problem: &Problem, deadlock: bool) -> Model {
        let Problem { explorer, .. } = problem;
        let (network, property) = (problem.network(), problem.property());
        let layout = &explorer.layout;
        let mut first_facts = vec![0];
        let mut owners = Vec::new();
        for (id, process) in network.processes.enumerate() {
            owners.extend(std::iter::repeat_n(id.index() as u32, process.locations.len()));
            first_facts.push(owners.len() as u32);
        }
        let resolver = Resolver { network, layout, first_facts: &first_facts };
        let functions = resolver.functions();
        let facts = owners.len();
        let mut words: Vec<u32> = (layout.processes as u32..layout.discrete as u32).collect();
        words.retain(|&word| Some(word) != layout.control);
        let notes = Notes {
            users: Vec::new(),
            condition_words: Vec::new(),
            condition_facts: Vec::new(),
            leaving: vec![Vec::new(); facts],
            word_conditions: vec![Vec::new(); layout.discrete],
            fact_conditions: vec![Vec::new(); facts],
            word_readers: vec![Vec::new(); layout.discrete],
            fact_readers: vec![Vec::new(); facts],
        };
        let model = Model {
            coupled: vec![false; layout.buffers.len()],
            buffers: layout.buffers.clone(),
            functions,
            words,
            first_facts: first_facts.clone(),
            owners,
            ranges: ranges(network, layout),
            counts_errors: property.counts_errors,
            edges: explorer.edges().len(),
            ignores_deadlock: !deadlock && problem.seeks_deadlock(),
            ..Model::default()
        };
        let (effects, known) = (Vec::new(), FxHashMap::default());
        let mut builder = Builder { problem, resolver, effects, known, notes, model };
        builder.functions();
        builder.edges();
        builder.goals();
        builder.couple();
        builder.finish()
    }
}

/// Who must be told what, while the model is being built.
#[derive(Debug, Default)]
struct Notes {
    users: Vec<Vec<u32>>,
    condition_words: Vec<Vec<u32>>,
    condition_facts: Vec<Vec<Fact>>,
    leaving: Vec<Vec<u32>>,
    word_conditions: Vec<Vec<u32>>,
    fact_conditions: Vec<Vec<u32>>,
    word_readers: Vec<Vec<u32>>,
    fact_readers: Vec<Vec<u32>>,
}

struct Builder<'a, 'b> {
    problem: &'b Problem<'a>,
    resolver: Resolver<'b>,
    /// What functions read and write, so far.
    effects: Vec<Effect>,
    known: FxHashMap<Condition, u32>,
    notes: Notes,
    model: Model,
}

/// What actions read and write.
#[derive(Debug, Default)]
struct Effect {
    words: Vec<u32>,
    facts: Vec<Fact>,
    writes: Vec<u32>,
    /// Whether there are loops.
    loops: bool,
}

impl Effect {
    fn extend(&mut self, other: &Effect) {
        self.words.extend(&other.words);
        self.facts.extend(&other.facts);
        self.writes.extend(&other.writes);
        self.loops |= other.loops;
    }
}

/// What an edge's channel allows: the element and what else must hold for it to be meant.
type Choice = (u32, Option<Condition>);

impl Builder<'_, '_> {
    /// Functions call only functions before them, so each is looked at once.
    fn functions(&mut self) {
        for number in 0..self.model.functions.len() {
            let mut effect = self.effect(&self.model.functions[number].body);
            [&mut effect.words, &mut effect.facts, &mut effect.writes]
                .into_iter()
                .for_each(distinct);
            self.effects.push(effect);
        }
    }

    fn edges(&mut self) {
        let problem = self.problem;
        for (number, process, edge) in problem.edges() {
            if self.problem.takes_part(process) {
                for choice in selections(edge) {
                    cancellation::check();
                    self.edge(number, process, edge, &choice);
                }
            }
        }
    }

    /// The operations of an edge for one choice of its selects.
    fn edge(
        &mut self,
        number: EdgeNumber,
        process: ProcessId,
        edge: &Edge,
        known: &[(LocalId, Values)],
    ) {
        let scope = Scope { locals: &edge.locals, known };
        let through_buffer = self.problem.explorer.acts_on_buffer(number);
        let guard = self.resolver.term(&scope, &edge.guard.data);
        let mut conditions = Vec::new();
        conjuncts(&guard, true, &mut conditions);
        let op = self.op(number, process, edge, &scope, OpKind::MayFail);
        // The guard is asked first, whether or not there is a channel.
        self.add_failure_tests(&op, &conditions, 0);
        let guards = conditions.len();
        if let Some(channel) = edge.action.channel() {
            // Which one is meant is asked when the guard holds, whether or not there is one.
            let elements = Box::new(self.resolver.elements(&scope, channel));
            self.add_failure_test(&op, &Term::Probe(Probe::Length, elements), &conditions);
        }
        for (element, choice) in self.choices(&scope, edge, through_buffer) {
            let mut conditions = conditions.clone();
            conditions.extend(choice);
            let kind = self.kind(edge, element, through_buffer);
            let mut op = self.op(number, process, edge, &scope, kind);
            op.element = element;
            if through_buffer {
                self.through_buffer(&mut op, &mut conditions, edge, &scope, element);
            } else {
                self.handing_over(&mut op, edge, &scope, element);
                self.add_offer_tests(&op, &conditions, edge, &scope);
            }
            self.add_failure_tests(&op, &conditions, guards);
            self.add(op, conditions);
        }
    }

    fn kind(&self, edge: &Edge, element: u32, through_buffer: bool) -> OpKind {
        let broadcasts = self.channel_of(element).is_some_and(|c| c == &ChannelKind::Broadcast);
        match &edge.action {
            network::Action::Internal => OpKind::Alone,
            _ if through_buffer => OpKind::Alone,
            network::Action::Send(_) if broadcasts => OpKind::Broadcaster,
            network::Action::Send(_) => OpKind::Sender,
            network::Action::Receive(_) if broadcasts => OpKind::Listener,
            network::Action::Receive(_) => OpKind::Receiver,
        }
    }

    fn channel_of(&self, element: u32) -> Option<&ChannelKind> {
        let network: &Network = self.problem.network();
        let mut rest = element as usize;
        for channel in &network.channels {
            if rest < channel.len() {
                return Some(&channel.kind);
            }
            rest -= channel.len();
        }
        None
    }

    /// The elements that the channel of an edge may be.
    fn choices(&self, scope: &Scope, edge: &Edge, through_buffer: bool) -> Vec<Choice> {
        let Some(channel) = edge.action.channel() else { return vec![(0, None)] };
        let fields = match &edge.action {
            network::Action::Send(send) => send.message.len(),
            network::Action::Receive(receive) => receive.message.len(),
            network::Action::Internal => 0,
        };
        let all: Vec<u32> = match channel {
            ChannelRef::Element(id, _) => {
                let first = self.problem.explorer.layout.channel(*id);
                let count = self.problem.network().channels[*id].len() as u32;
                (first..first + count).collect()
            }
            ChannelRef::Value(_) => (0..self.model.buffers.len() as u32).collect(),
        };
        let suits = |&element: &u32| {
            let buffer = &self.model.buffers[element as usize];
            (buffer.capacity > 0) == through_buffer && buffer.fields.len() == fields
        };
        let meant = |element: u32| Some((element, self.is_meant(scope, channel, element)?));
        all.into_iter().filter(suits).filter_map(meant).collect()
    }

    /// What must hold for an element to be meant; nothing at all if it never is.
    fn is_meant(
        &self,
        scope: &Scope,
        channel: &ChannelRef,
        element: u32,
    ) -> Option<Option<Condition>> {
        let equal = |term: Term, value: i32| match term.as_constant() {
            Some(constant) => Term::constant((constant == value) as i32),
            None => Term::Binary(BinaryOp::Eq, Box::new([term, Term::constant(value)])),
        };
        let test = match self.resolver.elements(scope, channel) {
            Elements::Value(term) => equal(term, element as i32 + 1),
            Elements::Of(cells) => {
                let mut rest = element - cells.first;
                let mut test = Term::constant(1);
                for (&size, index) in cells.sizes.iter().zip(cells.indices).rev() {
                    let this = equal(index, (rest % size) as i32);
                    rest /= size;
                    test = match (test.as_constant(), this.as_constant()) {
                        (Some(1), _) => this,
                        (_, Some(1)) => test,
                        (Some(0), _) | (_, Some(0)) => Term::constant(0),
                        _ => Term::Binary(BinaryOp::And, Box::new([this, test])),
                    };
                }
                test
            }
        };
        match test.as_constant() {
            Some(0) => None,
            Some(_) => Some(None),
            None => Some(Some(simple(test, true))),
        }
    }

    fn op(
        &self,
        number: EdgeNumber,
        process: ProcessId,
        edge: &Edge,
        scope: &Scope,
        kind: OpKind,
    ) -> Op {
        Op {
            edge: number,
            process: process.index() as u32,
            kind,
            source: self.resolver.fact(process, edge.source),
            target: self.resolver.fact(process, edge.target),
            actions: self.resolver.actions(scope, &edge.update),
            frame: scope.frame(),
            ..Op::default()
        }
    }

    /// What an edge does to a buffer, as conditions and actions.
    fn through_buffer(
        &self,
        op: &mut Op,
        conditions: &mut Vec<Condition>,
        edge: &Edge,
        scope: &Scope,
        element: u32,
    ) {
        let buffer = &self.model.buffers[element as usize];
        let capacity = buffer.capacity as i32;
        let here = Elements::Value(Term::constant(element as i32 + 1));
        let action = match &edge.action {
            network::Action::Send(send) => {
                conditions.push(Condition::Within(buffer.at, 0, capacity - 1));
                let message = self.resolver.terms(scope, &send.message);
                Action::Send(here, message, IfImpossible::Wait)
            }
            network::Action::Receive(receive) => {
                conditions.push(Condition::Within(buffer.at, 1, capacity));
                let patterns = self.resolver.patterns(scope, &receive.message);
                for (i, pattern) in patterns.iter().enumerate() {
                    let field = Term::Word(buffer.at + 1 + i as u32);
                    conditions.extend(pattern.clone().map(|pattern| {
                        simple(Term::Binary(BinaryOp::Eq, Box::new([field, pattern])), true)
                    }));
                }
                match self.resolver.receive(scope, receive, IfImpossible::Wait) {
                    Action::Receive(mut taken, otherwise) => {
                        taken.from = here;
                        Action::Receive(taken, otherwise)
                    }
                    other => other,
                }
            }
            network::Action::Internal => return,
        };
        op.actions.insert(0, action);
    }

    /// What an edge hands over to another process, or takes from it.
    fn handing_over(&self, op: &mut Op, edge: &Edge, scope: &Scope, element: u32) {
        match &edge.action {
            network::Action::Send(send) => {
                let types = self.model.buffers[element as usize].fields.iter().copied();
                let message = self.resolver.terms(scope, &send.message);
                op.message = message.into_iter().zip(types).collect();
            }
            network::Action::Receive(receive) => {
                op.patterns = self.resolver.patterns(scope, &receive.message);
                op.targets = self.resolver.targets(scope, &receive.message);
            }
            network::Action::Internal => {}
        }
    }

    /// A message that is handed over is made up before anybody is looked for who takes it.
    fn add_offer_tests(&mut self, op: &Op, conditions: &[Condition], edge: &Edge, scope: &Scope) {
        let network::Action::Send(send) = &edge.action else { return };
        for expr in &send.message {
            let term = self.resolver.term(scope, expr);
            self.add_failure_test(op, &term, conditions);
        }
    }

    /// Conditions, from one on, whose evaluation may be a run-time error, once those before them hold.
    fn add_failure_tests(&mut self, op: &Op, conditions: &[Condition], from: usize) {
        for (i, condition) in conditions.iter().enumerate().skip(from) {
            if let Condition::Holds(term) | Condition::Fails(term) = condition {
                self.add_failure_test(op, term, &conditions[..i]);
            }
        }
    }

    /// A term whose evaluation may be a run-time error, once some conditions hold.
    fn add_failure_test(&mut self, op: &Op, term: &Term, conditions: &[Condition]) {
        if !self.model.counts_errors || !may_fail(term) {
            return;
        }
        let operands = Box::new([term.clone(), Term::constant(1)]);
        let test = Op {
            kind: OpKind::MayFail,
            process: op.process,
            edge: op.edge,
            source: op.source,
            frame: op.frame.clone(),
            actions: vec![Action::Demand(Term::Binary(BinaryOp::Or, operands))],
            ..Op::default()
        };
        self.add(test, conditions.to_vec());
    }

    /// Adds an operation with its conditions.
    fn add(&mut self, mut op: Op, conditions: Vec<Condition>) {
        let id = self.model.ops.len() as u32;
        for condition in conditions {
            // Nothing can be done where a constant says no.
            match &condition {
                Condition::Holds(Term::Known(values)) if values.may_hold() => continue,
                Condition::Fails(Term::Known(values)) if values.may_fail() => continue,
                _ => {}
            }
            let condition = self.condition(condition);
            if !op.conditions.contains(&condition) {
                op.conditions.push(condition);
                self.notes.users[condition as usize].push(id);
            }
        }
        op.constants = constants(&op.actions).unwrap_or_default();
        if !op.constants.is_empty() {
            op.actions.clear();
        }
        self.note_effect(&mut op, id);
        self.model.locals = self.model.locals.max(op.frame.len());
        match op.kind {
            OpKind::Goal => self.model.everywhere.push(id),
            _ => self.notes.leaving[op.source as usize].push(id),
        }
        self.model.ops.push(op);
    }

    /// The number of a condition; it is told when what it looks at gains something.
    fn condition(&mut self, condition: Condition) -> u32 {
        if let Some(&id) = self.known.get(&condition) {
            return id;
        }
        let id = self.model.conditions.len() as u32;
        let mut words = Vec::new();
        let mut facts = Vec::new();
        match &condition {
            Condition::Fact(fact) => facts.push(*fact),
            Condition::Within(word, ..) | Condition::Differs(word, _) => words.push(*word),
            Condition::Holds(term) | Condition::Fails(term) => {
                self.read_by(term, &mut words, &mut facts);
            }
        }
        [&mut words, &mut facts].into_iter().for_each(distinct);
        for &word in &words {
            self.notes.word_conditions[word as usize].push(id);
        }
        for &fact in &facts {
            self.notes.fact_conditions[fact as usize].push(id);
        }
        self.notes.condition_words.push(words);
        self.notes.condition_facts.push(facts);
        self.known.insert(condition.clone(), id);
        self.model.conditions.push(condition);
        self.notes.users.push(Vec::new());
        id
    }

    /// Notes what the effect of an operation reads and writes.
    fn note_effect(&mut self, op: &mut Op, id: u32) {
        let Effect { mut words, mut facts, mut writes, loops } = self.effect(&op.actions);
        self.model.blind_spots |= loops;
        op.message.iter().for_each(|(term, _)| self.read_by(term, &mut words, &mut facts));
        let patterns = op.patterns.iter().flatten();
        patterns.for_each(|term| self.read_by(term, &mut words, &mut facts));
        for target in op.targets.iter().flatten() {
            target.walk(&mut |term| self.read_one(term, &mut words, &mut facts));
            written_by(target, &mut writes);
        }
        writes.extend(op.constants.iter().map(|&(word, _)| word));
        [&mut words, &mut facts, &mut writes].into_iter().for_each(distinct);
        (op.reads, op.looks, op.writes) = (words, facts, writes);
        op.enters = enters(&op.actions);
        for &word in &op.reads {
            self.notes.word_readers[word as usize].push(id);
        }
        for &fact in &op.looks {
            self.notes.fact_readers[fact as usize].push(id);
        }
    }

    /// What actions read and write, through the functions that they call too.
    fn effect(&self, actions: &[Action]) -> Effect {
        let mut effect = Effect::default();
        let mut called = Vec::new();
        for action in actions {
            let mut terms: Vec<Term> = Vec::new();
            let Effect { words, facts, writes, loops } = &mut effect;
            action.walk(
                &mut |action| match action {
                    Action::Assign(target, _) => written_by(target, writes),
                    Action::Call(target, function, _) => {
                        target.iter().for_each(|target| written_by(target, writes));
                        called.push(*function);
                    }
                    Action::Send(elements, ..) => {
                        self.buffer_words(elements, words);
                        self.buffer_words(elements, writes);
                    }
                    Action::Receive(receive, _) => {
                        receive.targets.iter().flatten().for_each(|t| written_by(t, writes));
                        self.buffer_words(&receive.from, words);
                        self.buffer_words(&receive.from, writes);
                    }
                    Action::While(..) => *loops = true,
                    _ => {}
                },
                &mut |term| terms.push(term.clone()),
            );
            terms.iter().for_each(|term| self.read_one(term, words, facts));
        }
        distinct(&mut called);
        called.iter().for_each(|&function| effect.extend(&self.effects[function as usize]));
        effect
    }

    /// The words of the buffers that may be meant.
    fn buffer_words(&self, elements: &Elements, out: &mut Vec<u32>) {
        let all = 0..self.model.buffers.len() as u32;
        let meant = match elements {
            Elements::Value(term) => match term.as_constant() {
                Some(number) => number as u32 - 1..number as u32,
                None => all,
            },
            Elements::Of(cells) => {
                let count: u32 = cells.sizes.iter().product();
                cells.first..cells.first + count
            }
        };
        for element in meant {
            if let Some(buffer) = self.model.buffers.get(element as usize)
                && buffer.capacity > 0
            {
                out.extend(buffer.at..=buffer.at + buffer.fields.len() as u32);
            }
        }
    }

    fn read_by(&self, term: &Term, words: &mut Vec<u32>, facts: &mut Vec<Fact>) {
        term.walk(&mut |term| self.read_one(term, words, facts));
    }

    /// What a term itself reads, apart from the terms below it.
    fn read_one(&self, term: &Term, words: &mut Vec<u32>, facts: &mut Vec<Fact>) {
        match term {
            Term::Word(word) => words.push(*word),
            Term::Cell(cells) => {
                let count: u32 = cells.sizes.iter().product();
                words.extend(cells.first..cells.first + count);
            }
            Term::At(fact) => facts.extend(self.model.siblings(*fact)),
            Term::Probe(_, elements) => self.buffer_words(elements, words),
            Term::Poll(elements, _) => self.buffer_words(elements, words),
            Term::Call(function, _) => {
                let effect = &self.effects[*function as usize];
                words.extend(&effect.words);
                facts.extend(&effect.facts);
            }
            _ => {}
        }
    }

    /// The goals: one for each alternative of the property's expression.
    fn goals(&mut self) {
        let property = self.problem.property();
        let (expr, sign) = match &property.claim {
            Claim::Reachable(expr) => (expr, true),
            Claim::Always(expr) => (expr, false),
            Claim::Unsupported(_) => return,
        };
        let expr = &match self.model.ignores_deadlock {
            true => without_deadlock(expr),
            false => expr.clone(),
        };
        let scope = Scope { locals: &property.locals, known: &[] };
        self.model.locals = self.model.locals.max(scope.frame().len());
        let goal = self.resolver.term(&scope, expr);
        // An error in the goal itself is not foreseen, and clocks are not looked at.
        self.model.blind_spots |=
            may_fail(&goal) || Risk::of(self.problem.network()).clocks_may_fail();
        for alternative in alternatives(&goal, sign) {
            let op = Op { process: u32::MAX, kind: OpKind::Goal, ..Op::default() };
            self.add(op, alternative);
        }
    }

    /// Puts everything in its final place.
    fn finish(self) -> Model {
        let Builder { notes, mut model, .. } = self;
        let head = |op: &Op| Head {
            kind: op.kind,
            is_simple: op.actions.is_empty() && op.targets.is_empty(),
            process: op.process,
            edge: op.edge,
            element: op.element,
            target: op.target,
        };
        let depends = |op: &&Op| op.kind == OpKind::Listener && model.coupled[op.element as usize];
        let listeners = model.ops.iter().enumerate().filter(|(_, op)| depends(op));
        model.coupled_listeners = listeners.map(|(id, _)| id as u32).collect();
        model.heads = model.ops.iter().map(head).collect();
        model.waits = Lists::new(model.ops.iter().map(|op| op.conditions.clone()).collect());
        model.constants = Lists::new(model.ops.iter().map(|op| op.constants.clone()).collect());
        model.condition_words = Lists::new(notes.condition_words);
        model.condition_facts = Lists::new(notes.condition_facts);
        model.users = Lists::new(notes.users);
        model.leaving = Lists::new(notes.leaving);
        model.word_conditions = Lists::new(notes.word_conditions);
        model.fact_conditions = Lists::new(notes.fact_conditions);
        model.word_readers = Lists::new(notes.word_readers);
        model.fact_readers = Lists::new(notes.fact_readers);
        model.coarse_from = coarse_from(&model);
        model
    }

    /// Finds the channels whose receivers depend on what their senders do.
    fn couple(&mut self) {
        let model = &mut self.model;
        let mut written = vec![Vec::new(); model.buffers.len()];
        let mut entered = vec![Vec::new(); model.buffers.len()];
        for op in &model.ops {
            match op.kind {
                OpKind::Sender | OpKind::Broadcaster | OpKind::Listener => {
                    written[op.element as usize].extend(op.writes.iter().copied());
                    entered[op.element as usize].extend(op.enters.iter().copied());
                }
                _ => {}
            }
        }
        written.iter_mut().chain(&mut entered).for_each(distinct);
        for op in &model.ops {
            if matches!(op.kind, OpKind::Receiver | OpKind::Listener) {
                let element = op.element as usize;
                model.coupled[element] |= !op.patterns.is_empty()
                    || op.reads.iter().any(|word| written[element].binary_search(word).is_ok())
                    || op.looks.iter().any(|fact| entered[element].binary_search(fact).is_ok());
            }
        }
    }
}

/// All values that the words of a state can have.
fn ranges(network: &Network, layout: &Layout) -> Vec<Values> {
    let mut ranges = vec![Values::EMPTY; layout.discrete];
    for (id, variable) in network.variables.enumerate() {
        if let Home::State(at) = layout.home(id) {
            let range = Values::range(variable.ty.low, variable.ty.high);
            ranges[at as usize..][..variable.len()].fill(range);
        }
    }
    for buffer in layout.buffers.iter().filter(|buffer| buffer.capacity > 0) {
        let at = buffer.at as usize;
        ranges[at] = Values::range(0, buffer.capacity as i32);
        for (word, ty) in ranges[at + 1..].iter_mut().zip(&buffer.fields) {
            *word = Values::range(ty.low, ty.high);
        }
    }
    ranges
}

/// The layer from which on values are no longer told apart one by one: what grows from layer to layer is
/// looked at again in each of them, and all of them together are to be no more work than this.
fn coarse_from(model: &Model) -> u32 {
    let each = |op: &Op| 1 + op.conditions.len() + op.reads.len() + op.looks.len();
    let size: usize = model.ops.iter().map(each).sum();
    ((MOST_WORK / size.max(1)) as u32).clamp(LEAST_EXACT, MOST_LAYERS)
}

/// The expression where nothing is a deadlock.
fn without_deadlock(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    expr.replace(&|part| (*part == Expr::Deadlock).then_some(Expr::Const(0)));
    expr
}

/// Every choice of an edge's selects, or one for all of them if there are too many.
fn selections(edge: &Edge) -> Vec<Vec<(LocalId, Values)>> {
    let size = |&local: &LocalId| {
        let ty = edge.locals[local].ty;
        (i64::from(ty.high) - i64::from(ty.low) + 1).clamp(0, CHOICES + 1)
    };
    let count = edge.selects.iter().map(size).fold(1i64, |all, n| (all * n).min(CHOICES + 1));
    let range = |local: LocalId| {
        let ty = edge.locals[local].ty;
        (local, Values::range(ty.low, ty.high))
    };
    if count > CHOICES {
        return vec![edge.selects.iter().map(|&local| range(local)).collect()];
    }
    let mut all = vec![Vec::new()];
    for &local in &edge.selects {
        let ty = edge.locals[local].ty;
        let extend = |known: &Vec<(LocalId, Values)>| {
            let with = |value| {
                let mut known = known.clone();
                known.push((local, Values::just(value)));
                known
            };
            (ty.low..=ty.high).map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

/// The words that actions set, if they only set words to constants within their types.
fn constants(actions: &[Action]) -> Option<Vec<(u32, i32)>> {
    let mut all: Vec<(u32, i32)> = Vec::new();
    for action in actions {
        let Action::Assign(Target::Word(word, ty), term) = action else { return None };
        let value = Values::just(term.as_constant()?).fit(ty);
        let value = value.values.single().filter(|_| !value.may_fail)?;
        all.retain(|(known, _)| known != word);
        all.push((*word, value));
    }
    Some(all)
}

/// The locations that actions may put processes at.
fn enters(actions: &[Action]) -> Vec<Fact> {
    let mut all = Vec::new();
    for action in actions {
        let mut note = |action: &Action| {
            if let Action::Enter(fact) = action {
                all.push(*fact);
            }
        };
        action.walk(&mut note, &mut |_| ());
    }
    distinct(&mut all);
    all
}

fn written_by(target: &Target, writes: &mut Vec<u32>) {
    match target {
        Target::Word(word, _) => writes.push(*word),
        Target::Cell(cells, _) => {
            let count: u32 = cells.sizes.iter().product();
            writes.extend(cells.first..cells.first + count);
        }
        Target::Local(..) | Target::LocalCell(..) => {}
    }
}

fn distinct(all: &mut Vec<u32>) {
    all.sort_unstable();
    all.dedup();
}
