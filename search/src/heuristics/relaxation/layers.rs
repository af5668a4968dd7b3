//! The layers of the relaxation: what is possible after 0, 1, 2 … steps if nothing is ever lost
//! (docs/algorithms.md, section 3.5).
//!
//! All effects of a layer are computed from that layer alone. An operation is looked at when its
//! location becomes possible, a condition when something it reads gains values, an effect when it
//! becomes possible and again when something it reads gains values: work follows change.
//!
//! From some layer on, words with many values have all of their range, so that change comes to an end. Which
//! layer that is depends on the model alone, and what is widened on the values of that layer alone: so a step
//! still leads at most one layer ahead.

use super::condition::Condition;
use super::memory::{Memory, NOBODY, Support};
use super::model::{Head, Model, OpKind};
use super::values::Values;
use crate::edge_set::EdgeSet;
use network::cancellation;
use std::rc::Rc;

/// The greatest number of layers; a goal beyond them is at least that far away.
pub const MOST_LAYERS: u32 = 10_000;

/// What is known about a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knowledge {
    /// Nobody has asked.
    Unasked,
    /// It cannot hold yet.
    No,
    /// It can hold.
    Yes,
}

/// What an operation whose location is out of reach waits for.
const ASLEEP: u32 = u32::MAX;

/// A model and the layers of a state.
#[derive(Debug)]
pub struct Layers {
    /// What is relaxed.
    pub model: Rc<Model>,
    /// What is possible.
    pub run: Run,
}

/// The layers of a state.
#[derive(Debug)]
pub struct Run {
    /// What is possible.
    pub memory: Memory,
    knowledge: Vec<Knowledge>,
    /// How many conditions each operation waits for; 0 if it is ready.
    missing: Vec<u32>,
    /// Whether it has had an effect.
    active: Vec<bool>,
    /// The operations that are ready on each channel element.
    senders: Vec<Side>,
    receivers: Vec<Side>,
    touched: Vec<u32>,
    /// The operations whose effects are to be computed in this layer.
    firing: Vec<u32>,
    is_firing: Vec<bool>,
    /// Those whose effects depend on others of the same layer.
    later: Vec<u32>,
    new_facts: Vec<u32>,
    changed: Vec<u32>,
    /// The goal that was reached.
    pub goal: Option<u32>,
    /// What a receiver is handed.
    handed: Vec<Values>,
    /// What can raise an error in the last layer.
    pub failure: Option<Support>,
}

/// The senders, or the receivers, that are ready on a channel element.
#[derive(Clone, Debug, Default)]
struct Side {
    ready: Vec<u32>,
    /// How many of them had no effect yet, for want of a partner.
    idle: u32,
}

impl Side {
    fn push(&mut self, op: u32) {
        self.ready.push(op);
        self.idle += 1;
    }

    fn clear(&mut self) {
        self.ready.clear();
        self.idle = 0;
    }
}

impl Layers {
    /// Layers for a model.
    pub fn new(model: Rc<Model>) -> Layers {
        let (ops, elements) = (model.ops.len(), model.buffers.len());
        let run = Run {
            memory: Memory::new(&model),
            knowledge: vec![Knowledge::Unasked; model.conditions.len()],
            missing: vec![ASLEEP; ops],
            active: vec![false; ops],
            senders: vec![Side::default(); elements],
            receivers: vec![Side::default(); elements],
            touched: Vec::new(),
            firing: Vec::new(),
            is_firing: vec![false; ops],
            later: Vec::new(),
            new_facts: Vec::new(),
            changed: Vec::new(),
            goal: None,
            handed: Vec::new(),
            failure: None,
        };
        Layers { model, run }
    }

    /// The first layer in which the goal or an error that counts is possible; none if there is no such layer.
    pub fn distance(&mut self, state: &[i32], removed: Option<&EdgeSet>) -> Option<u32> {
        let Layers { model, run } = self;
        run.begin(model, state);
        loop {
            run.look(model, removed);
            if run.goal.is_some() {
                return Some(run.memory.layer);
            }
            run.fire(model);
            if run.failure.is_some() {
                return Some(run.memory.layer);
            }
            if run.memory.next_facts.is_empty() && run.memory.next_words.is_empty() {
                return None;
            }
            run.advance(model);
            if run.memory.layer == MOST_LAYERS {
                return Some(MOST_LAYERS);
            }
        }
    }
}

impl Run {
    fn begin(&mut self, model: &Model, state: &[i32]) {
        self.memory.clear();
        let size = self.knowledge.len() + self.missing.len() + self.memory.sets.len();
        self.memory.work += size as u64 / 16;
        self.memory.next_words.clear();
        self.knowledge.fill(Knowledge::Unasked);
        self.missing.fill(ASLEEP);
        self.active.fill(false);
        for element in self.touched.drain(..) {
            self.senders[element as usize].clear();
            self.receivers[element as usize].clear();
        }
        self.firing.drain(..).for_each(|op| self.is_firing[op as usize] = false);
        self.later.clear();
        self.new_facts.clear();
        self.changed.clear();
        (self.goal, self.failure) = (None, None);
        let memory = &mut self.memory;
        for &word in &model.words {
            memory.sets[word as usize] = Values::just(state[word as usize]);
        }
        for buffer in model.buffers.iter().filter(|buffer| buffer.capacity > 0) {
            let (at, fields) = (buffer.at as usize, buffer.fields.len());
            let count = state[at].max(0) as usize;
            for i in 0..fields {
                let field = |message: usize| Values::just(state[at + 1 + message * fields + i]);
                let all = (0..count).map(field).fold(Values::EMPTY, Values::union);
                let hull = memory.convex && !all.is_empty();
                memory.sets[at + 1 + i] = if hull { all.hull() } else { all };
            }
        }
        if memory.traced {
            memory.initial.copy_from_slice(&memory.sets);
        }
        let places = model.first_facts.iter().zip(state);
        for (&first, &location) in places.take(model.first_facts.len() - 1) {
            let fact = first + location as u32;
            memory.levels[fact as usize] = 0;
            self.new_facts.push(fact);
        }
    }

    /// Finds out what becomes ready in this layer.
    fn look(&mut self, model: &Model, removed: Option<&EdgeSet>) {
        // No effect is in the making.
        self.memory.begin();
        if self.memory.layer == 0 {
            for &op in &model.everywhere {
                self.wake(model, op);
            }
        }
        for i in 0..self.new_facts.len() {
            let fact = self.new_facts[i];
            for &op in model.leaving.of(fact) {
                let edge = model.heads[op as usize].edge;
                if removed.is_none_or(|removed| !removed.contains(edge)) {
                    self.wake(model, op);
                }
            }
            for &condition in model.fact_conditions.of(fact) {
                self.ask_again(model, condition);
            }
            for &op in model.fact_readers.of(fact) {
                self.repeat(op);
            }
        }
        for i in 0..self.changed.len() {
            let word = self.changed[i];
            for &condition in model.word_conditions.of(word) {
                self.ask_again(model, condition);
            }
            for &op in model.word_readers.of(word) {
                self.repeat(op);
            }
        }
    }

    /// An operation's location is possible: from now on it waits for its conditions.
    fn wake(&mut self, model: &Model, op: u32) {
        cancellation::check();
        self.memory.work += 1;
        let mut missing = 0;
        for &condition in model.waits.of(op) {
            let knowledge = match self.knowledge[condition as usize] {
                Knowledge::Unasked => self.ask(model, condition),
                known => known,
            };
            missing += (knowledge == Knowledge::No) as u32;
        }
        self.missing[op as usize] = missing;
        if missing == 0 {
            self.make_ready(model, op);
        }
    }

    fn ask(&mut self, model: &Model, condition: u32) -> Knowledge {
        let holds = self.can_hold(model, condition);
        let knowledge = if holds { Knowledge::Yes } else { Knowledge::No };
        self.knowledge[condition as usize] = knowledge;
        knowledge
    }

    /// Something that a condition reads has gained values.
    fn ask_again(&mut self, model: &Model, condition: u32) {
        if self.knowledge[condition as usize] != Knowledge::No || !self.can_hold(model, condition) {
            return;
        }
        self.knowledge[condition as usize] = Knowledge::Yes;
        for &op in model.users.of(condition) {
            let missing = &mut self.missing[op as usize];
            if *missing == ASLEEP {
                continue;
            }
            *missing -= 1;
            if *missing == 0 {
                self.make_ready(model, op);
            }
        }
    }

    /// Whether a condition can hold in the layer that questions are about.
    #[inline]
    fn can_hold(&mut self, model: &Model, condition: u32) -> bool {
        let memory = &mut self.memory;
        memory.work += 1;
        match &model.conditions[condition as usize] {
            Condition::Fact(fact) => memory.has(*fact),
            Condition::Within(word, low, high) => {
                let values = memory.word(*word);
                values.low() <= *high
                    && *low <= values.high()
                    && !values.intersect(Values::range(*low, *high)).is_empty()
            }
            Condition::Differs(word, value) => {
                let values = memory.word(*word);
                !values.is_empty() && values.single() != Some(*value)
            }
            Condition::Holds(term) => model.eval(memory, term).may_hold(),
            Condition::Fails(term) => model.eval(memory, term).may_fail(),
        }
    }

    fn make_ready(&mut self, model: &Model, op: u32) {
        let head = &model.heads[op as usize];
        match head.kind {
            OpKind::Goal => {
                self.goal = Some(self.goal.map_or(op, |goal| goal.min(op)));
                return;
            }
            OpKind::Sender | OpKind::Broadcaster => {
                self.touched.push(head.element);
                self.senders[head.element as usize].push(op);
            }
            OpKind::Receiver | OpKind::Listener => {
                self.touched.push(head.element);
                self.receivers[head.element as usize].push(op);
            }
            OpKind::Alone | OpKind::MayFail => {}
        }
        self.schedule(op);
    }

    /// Something that the effect of an operation reads has gained values.
    fn repeat(&mut self, op: u32) {
        if self.missing[op as usize] == 0 {
            self.schedule(op);
        }
    }

    fn schedule(&mut self, op: u32) {
        if !std::mem::replace(&mut self.is_firing[op as usize], true) {
            self.firing.push(op);
        }
    }

    /// Computes the effects of this layer. What supports what depends on the order, which is that of
    /// the model.
    fn fire(&mut self, model: &Model) {
        // Conditions that fail to evaluate are looked at by operations of their own.
        self.memory.failed = false;
        let mut firing = std::mem::take(&mut self.firing);
        if self.memory.traced {
            firing.sort_unstable();
        }
        for &op in &firing {
            self.is_firing[op as usize] = false;
            self.fire_one(model, op);
        }
        firing.clear();
        self.firing = firing;
        if !model.coupled_listeners.is_empty() {
            self.fire_later(model);
        }
    }

    /// Computes what receivers of broadcasts do that depend on what those do in the same step. They
    /// see all that this layer adds, and so must be looked at whenever that is something new.
    fn fire_later(&mut self, model: &Model) {
        self.memory.wide = true;
        for &op in &model.coupled_listeners {
            let due = self.later.contains(&op);
            let listener = &model.ops[op as usize];
            let ready = self.missing[op as usize] == 0;
            let anew = listener.reads.iter().any(|&word| self.memory.gains_in_next(word))
                || listener.looks.iter().any(|&fact| self.memory.adds_in_next(fact));
            if ready && (due || anew) {
                self.receive_broadcast(model, op);
            }
        }
        self.memory.wide = false;
        self.later.clear();
    }

    fn fire_one(&mut self, model: &Model, op: u32) {
        cancellation::check();
        self.memory.work += 1;
        let head = &model.heads[op as usize];
        let element = head.element as usize;
        match head.kind {
            OpKind::Alone | OpKind::MayFail => {
                self.apply_half(model, op, Support { first: op, second: NOBODY });
            }
            OpKind::Goal => {}
            OpKind::Sender | OpKind::Receiver if model.coupled[element] => self.meet_all(model, op),
            OpKind::Sender | OpKind::Receiver => self.meet_any(model, op),
            OpKind::Broadcaster => {
                self.apply_half(model, op, Support { first: op, second: NOBODY });
                for i in 0..self.receivers[element].ready.len() {
                    let listener = self.receivers[element].ready[i];
                    if model.coupled[element] {
                        self.later.push(listener);
                    } else if !self.active[listener as usize] {
                        self.receive_broadcast(model, listener);
                    }
                }
            }
            OpKind::Listener => match model.coupled[element] {
                true => self.later.push(op),
                false => self.receive_broadcast(model, op),
            },
        }
    }

    /// Lets an operation meet each of its partners, on whom its effect depends.
    fn meet_all(&mut self, model: &Model, op: u32) {
        let head = &model.heads[op as usize];
        let sends = head.kind == OpKind::Sender;
        for i in 0..self.partners(head).ready.len() {
            let other = self.partners(head).ready[i];
            if model.heads[other as usize].process != head.process {
                let (first, second) = if sends { (op, other) } else { (other, op) };
                self.apply_both(model, Support { first, second });
            }
        }
    }

    /// Lets an operation, and those that waited for it, do what they do with anybody.
    fn meet_any(&mut self, model: &Model, op: u32) {
        let head = &model.heads[op as usize];
        let sends = head.kind == OpKind::Sender;
        let pair = |other| match sends {
            true => Support { first: op, second: other },
            false => Support { first: other, second: op },
        };
        let is_other = |&&other: &&u32| model.heads[other as usize].process != head.process;
        let Some(&partner) = self.partners(head).ready.iter().find(is_other) else { return };
        if !self.active[op as usize] || !head.is_simple {
            self.apply_half(model, op, pair(partner));
        }
        for i in 0..self.partners(head).ready.len() {
            if self.partners(head).idle == 0 {
                break;
            }
            let other = self.partners(head).ready[i];
            if !self.active[other as usize] && is_other(&&other) {
                self.apply_half(model, other, pair(other));
            }
        }
    }

    /// Those whom an operation can meet.
    fn partners(&self, head: &Head) -> &Side {
        match head.kind {
            OpKind::Sender | OpKind::Broadcaster => &self.receivers[head.element as usize],
            _ => &self.senders[head.element as usize],
        }
    }

    /// A process receives from whoever can send.
    fn receive_broadcast(&mut self, model: &Model, listener: u32) {
        let head = &model.heads[listener as usize];
        let senders = self.senders[head.element as usize].ready.iter().copied();
        let others = senders.filter(|&op| model.heads[op as usize].process != head.process);
        if let Some(first) = others.min() {
            self.apply_half(model, listener, Support { first, second: listener });
        }
    }

    /// Adds the effect of one operation to the next layer.
    fn apply_half(&mut self, model: &Model, op: u32, support: Support) {
        let head = &model.heads[op as usize];
        if !std::mem::replace(&mut self.active[op as usize], true) {
            match head.kind {
                OpKind::Sender => self.senders[head.element as usize].idle -= 1,
                OpKind::Receiver => self.receivers[head.element as usize].idle -= 1,
                _ => {}
            }
        }
        if head.is_simple {
            self.memory.add_fact(head.target, support);
            for &(word, value) in model.constants.of(op) {
                if !self.memory.sets[word as usize].contains(value) {
                    self.memory.add_values(word, Values::just(value), support);
                }
            }
            return;
        }
        self.memory.begin();
        self.perform(model, op);
        self.note_failure(model, support);
        if head.kind != OpKind::MayFail && !self.memory.dead {
            self.memory.add_fact(head.target, support);
            self.keep_effect(support);
        }
    }

    /// Adds the effect of two operations together to the next layer.
    fn apply_both(&mut self, model: &Model, support: Support) {
        self.memory.begin();
        let possible = self.compute(model, support);
        self.note_failure(model, support);
        if possible {
            for op in [support.first, support.second] {
                self.memory.add_fact(model.heads[op as usize].target, support);
            }
            self.keep_effect(support);
        }
    }

    /// Computes what a transition does; false if it is impossible.
    pub fn compute(&mut self, model: &Model, Support { first, second }: Support) -> bool {
        if second == NOBODY {
            self.perform(model, first);
            return !self.memory.dead;
        }
        let coupled = model.coupled[model.heads[first as usize].element as usize];
        if coupled && !self.hand_over(model, first, second) {
            return false;
        }
        self.perform(model, first);
        self.enter_frame(model, second);
        if coupled {
            self.take_over(model, second);
        }
        self.act(model, second);
        !self.memory.dead
    }

    /// Evaluates a message; false if the receiver does not want it.
    fn hand_over(&mut self, model: &Model, sender: u32, receiver: u32) -> bool {
        let Run { memory, handed, .. } = self;
        let (sender, receiver) = (&model.ops[sender as usize], &model.ops[receiver as usize]);
        handed.clear();
        for (i, (field, ty)) in sender.message.iter().enumerate() {
            let values = model.fit_field(memory, field, ty);
            if let Some(Some(pattern)) = receiver.patterns.get(i) {
                let wanted = model.eval(memory, pattern);
                if values.intersect(wanted).is_empty() {
                    return false;
                }
            }
            handed.push(values);
        }
        handed.len() == receiver.targets.len()
    }

    /// Stores the message where the receiver wants it.
    fn take_over(&mut self, model: &Model, receiver: u32) {
        let Run { memory, handed, .. } = self;
        for (target, &values) in model.ops[receiver as usize].targets.iter().zip(&*handed) {
            if let Some(target) = target {
                model.store(memory, target, values);
            }
        }
    }

    /// Computes the effect of an operation.
    fn perform(&mut self, model: &Model, op: u32) {
        self.enter_frame(model, op);
        self.act(model, op);
    }

    /// Gives the locals of an operation their first values.
    fn enter_frame(&mut self, model: &Model, op: u32) {
        for (slot, &value) in model.ops[op as usize].frame.iter().enumerate() {
            self.memory.locals[slot] = Values::just(value);
        }
    }

    fn act(&mut self, model: &Model, op: u32) {
        let memory = &mut self.memory;
        let op = &model.ops[op as usize];
        for &(word, value) in &op.constants {
            memory.write(word, Values::just(value), true);
        }
        model.run(memory, &op.actions, true);
    }

    /// Adds what was computed to the next layer.
    fn keep_effect(&mut self, support: Support) {
        let memory = &mut self.memory;
        for i in 0..memory.entered.len() {
            memory.add_fact(memory.entered[i], support);
        }
        for i in 0..memory.written.len() {
            let word = memory.written[i];
            let values = memory.given(word);
            memory.add_values(word, values, support);
        }
    }

    fn note_failure(&mut self, model: &Model, support: Support) {
        if std::mem::replace(&mut self.memory.failed, false) && model.counts_errors {
            self.failure = Some(self.failure.map_or(support, |failure| failure.min(support)));
        }
    }

    /// Goes on to the next layer.
    fn advance(&mut self, model: &Model) {
        let memory = &mut self.memory;
        if memory.layer + 1 == memory.coarse_from {
            model.words.iter().for_each(|&word| memory.coarsen(word));
        }
        memory.settle();
        self.changed.clear();
        self.changed.append(&mut memory.next_words);
        self.new_facts.clear();
        self.new_facts.append(&mut memory.next_facts);
        memory.layer += 1;
        memory.horizon = memory.layer;
    }
}
