//! The layers of the relaxation: what is possible after 0, 1, 2 … steps if nothing is ever lost.
//!
//! All effects of a layer are computed from that layer alone. An operation is looked at when its
//! location becomes possible, a condition when something it reads gains values, an effect when it
//! becomes possible and again when something it reads gains values: work follows change.

use super::memory::{Memory, NOBODY, Support};
use super::model::{Condition, Kind, Model};
use super::values::Values;
use crate::edge_set::EdgeSet;

/// The greatest number of layers; a goal behind them is at least that far away.
const MOST_LAYERS: u32 = 10_000;

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

/// How far an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Its location is out of reach.
    Asleep,
    /// It waits for so many conditions.
    Waits(u32),
    /// Its conditions can hold.
    Ready,
    /// It has had an effect.
    Active,
}

/// Computes layers.
#[derive(Debug)]
pub struct Layers {
    /// What is relaxed.
    pub model: Model,
    /// What is possible.
    pub memory: Memory,
    knowledge: Vec<Knowledge>,
    stages: Vec<Stage>,
    /// The operations that are ready on each channel element.
    senders: Vec<Vec<u32>>,
    receivers: Vec<Vec<u32>>,
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
    /// What can raise an error, and the layer before that.
    pub peril: Option<Support>,
}

impl Layers {
    /// Layers for a model.
    pub fn new(model: Model) -> Layers {
        let (ops, elements) = (model.ops.len(), model.buffers.len());
        let facts = model.leaving.len();
        Layers {
            memory: Memory::new(model.size, facts, model.locals),
            knowledge: vec![Knowledge::Unasked; model.conditions.len()],
            stages: vec![Stage::Asleep; ops],
            senders: vec![Vec::new(); elements],
            receivers: vec![Vec::new(); elements],
            touched: Vec::new(),
            firing: Vec::new(),
            is_firing: vec![false; ops],
            later: Vec::new(),
            new_facts: Vec::new(),
            changed: Vec::new(),
            goal: None,
            handed: Vec::new(),
            peril: None,
            model,
        }
    }

    /// The first layer in which the goal is possible; none if there is no such layer.
    pub fn distance(&mut self, state: &[i32], removed: Option<&EdgeSet>) -> Option<u32> {
        self.begin(state);
        loop {
            self.look(removed);
            if self.goal.is_some() {
                return Some(self.memory.layer);
            }
            self.fire();
            if self.peril.is_some() {
                return Some(self.memory.layer + 1);
            }
            if self.memory.next_facts.is_empty() && self.memory.next_words.is_empty() {
                return None;
            }
            self.advance();
            if self.memory.layer == MOST_LAYERS {
                return Some(MOST_LAYERS);
            }
        }
    }

    fn begin(&mut self, state: &[i32]) {
        self.memory.clear();
        self.memory.next_words.clear();
        self.knowledge.fill(Knowledge::Unasked);
        self.stages.fill(Stage::Asleep);
        for element in self.touched.drain(..) {
            self.senders[element as usize].clear();
            self.receivers[element as usize].clear();
        }
        self.firing.drain(..).for_each(|op| self.is_firing[op as usize] = false);
        self.later.clear();
        self.new_facts.clear();
        self.changed.clear();
        (self.goal, self.peril) = (None, None);
        let memory = &mut self.memory;
        for &word in &self.model.words {
            memory.sets[word as usize] = Values::just(state[word as usize]);
        }
        for buffer in self.model.buffers.iter().filter(|buffer| buffer.capacity > 0) {
            let (at, fields) = (buffer.at as usize, buffer.fields.len());
            let count = state[at].max(0) as usize;
            for i in 0..fields {
                let field = |message: usize| Values::just(state[at + 1 + message * fields + i]);
                let all = (0..count).map(field).fold(Values::EMPTY, Values::union);
                memory.sets[at + 1 + i] = all;
            }
        }
        if memory.traced {
            memory.initial.copy_from_slice(&memory.sets);
        }
        let places = self.model.first_facts.iter().zip(state);
        for (&first, &location) in places.take(self.model.first_facts.len() - 1) {
            let fact = first + location as u32;
            memory.levels[fact as usize] = 0;
            self.new_facts.push(fact);
        }
    }

    /// Finds out what becomes ready in this layer.
    fn look(&mut self, removed: Option<&EdgeSet>) {
        // No effect is in the making.
        self.memory.begin();
        if self.memory.layer == 0 {
            for i in 0..self.model.everywhere.len() {
                self.wake(self.model.everywhere[i]);
            }
        }
        for i in 0..self.new_facts.len() {
            let fact = self.new_facts[i] as usize;
            for j in 0..self.model.leaving[fact].len() {
                let op = self.model.leaving[fact][j];
                let edge = self.model.ops[op as usize].edge as usize;
                if removed.is_none_or(|removed| !removed.contains(edge)) {
                    self.wake(op);
                }
            }
            for j in 0..self.model.fact_conditions[fact].len() {
                self.ask_again(self.model.fact_conditions[fact][j]);
            }
            for j in 0..self.model.fact_readers[fact].len() {
                self.repeat(self.model.fact_readers[fact][j]);
            }
        }
        for i in 0..self.changed.len() {
            let word = self.changed[i] as usize;
            for j in 0..self.model.word_conditions[word].len() {
                self.ask_again(self.model.word_conditions[word][j]);
            }
            for j in 0..self.model.word_readers[word].len() {
                self.repeat(self.model.word_readers[word][j]);
            }
        }
    }

    /// An operation's location is possible: from now on it waits for its conditions.
    fn wake(&mut self, op: u32) {
        let mut missing = 0;
        for i in 0..self.model.ops[op as usize].conditions.len() {
            let condition = self.model.ops[op as usize].conditions[i];
            if self.knowledge[condition as usize] == Knowledge::Unasked {
                self.ask(condition);
            }
            missing += (self.knowledge[condition as usize] == Knowledge::No) as u32;
        }
        self.stages[op as usize] = Stage::Waits(missing);
        if missing == 0 {
            self.make_ready(op);
        }
    }

    fn ask(&mut self, condition: u32) {
        let holds = self.can_hold(condition);
        self.knowledge[condition as usize] = if holds { Knowledge::Yes } else { Knowledge::No };
    }

    /// Something that a condition reads has gained values.
    fn ask_again(&mut self, condition: u32) {
        if self.knowledge[condition as usize] != Knowledge::No || !self.can_hold(condition) {
            return;
        }
        self.knowledge[condition as usize] = Knowledge::Yes;
        for i in 0..self.model.users[condition as usize].len() {
            let op = self.model.users[condition as usize][i];
            if let Stage::Waits(missing) = self.stages[op as usize] {
                self.stages[op as usize] = Stage::Waits(missing - 1);
                if missing == 1 {
                    self.make_ready(op);
                }
            }
        }
    }

    /// Whether a condition can hold in the layer that questions are about.
    pub fn can_hold(&mut self, condition: u32) -> bool {
        let Layers { model, memory, .. } = self;
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

    fn make_ready(&mut self, op: u32) {
        self.stages[op as usize] = Stage::Ready;
        let (kind, element) = {
            let op = &self.model.ops[op as usize];
            (op.kind, op.element)
        };
        match kind {
            Kind::Goal => {
                self.goal = Some(self.goal.map_or(op, |goal| goal.min(op)));
                return;
            }
            Kind::Sender | Kind::Caster => {
                self.touched.push(element);
                self.senders[element as usize].push(op);
            }
            Kind::Receiver | Kind::Hearer => {
                self.touched.push(element);
                self.receivers[element as usize].push(op);
            }
            Kind::Alone | Kind::Peril => {}
        }
        self.schedule(op);
    }

    /// Something that the effect of an operation reads has gained values.
    fn repeat(&mut self, op: u32) {
        if matches!(self.stages[op as usize], Stage::Active | Stage::Ready) {
            self.schedule(op);
        }
    }

    fn schedule(&mut self, op: u32) {
        if !std::mem::replace(&mut self.is_firing[op as usize], true) {
            self.firing.push(op);
        }
    }

    /// Computes the effects of this layer, in the order of the model.
    fn fire(&mut self) {
        // Conditions that fail to evaluate are looked at by operations of their own.
        self.memory.failed = false;
        let mut firing = std::mem::take(&mut self.firing);
        firing.sort_unstable();
        for &op in &firing {
            self.is_firing[op as usize] = false;
            self.fire_one(op);
        }
        firing.clear();
        self.firing = firing;
        let mut later = std::mem::take(&mut self.later);
        later.sort_unstable();
        later.dedup();
        self.memory.wide = true;
        for &op in &later {
            self.hear(op);
        }
        self.memory.wide = false;
        later.clear();
        self.later = later;
    }

    fn fire_one(&mut self, number: u32) {
        let op = &self.model.ops[number as usize];
        let element = op.element as usize;
        match op.kind {
            Kind::Alone | Kind::Peril => self.apply(Support { first: number, second: NOBODY }),
            Kind::Goal => {}
            Kind::Sender => {
                for i in 0..self.receivers[element].len() {
                    let receiver = self.receivers[element][i];
                    self.meet(number, receiver, number);
                }
            }
            Kind::Receiver => {
                for i in 0..self.senders[element].len() {
                    let sender = self.senders[element][i];
                    self.meet(sender, number, number);
                }
            }
            Kind::Caster => {
                self.apply(Support { first: number, second: NOBODY });
                self.stages[number as usize] = Stage::Active;
                let coupled = self.model.coupled[element];
                for i in 0..self.receivers[element].len() {
                    let hearer = self.receivers[element][i];
                    if coupled {
                        self.later.push(hearer);
                    } else if self.stages[hearer as usize] == Stage::Ready {
                        self.hear(hearer);
                    }
                }
            }
            Kind::Hearer => match self.model.coupled[element] {
                true => self.later.push(number),
                false => self.hear(number),
            },
        }
    }

    /// A sender and a receiver can meet; `because` of one of them.
    fn meet(&mut self, sender: u32, receiver: u32, because: u32) {
        if self.process(sender) == self.process(receiver) {
            return;
        }
        let support = Support { first: sender, second: receiver };
        if self.model.coupled[self.model.ops[sender as usize].element as usize] {
            self.apply(support);
            return;
        }
        // Each does what it does, whoever the other is.
        for op in [sender, receiver] {
            if op == because || self.stages[op as usize] == Stage::Ready {
                self.apply_half(op, support);
            }
        }
    }

    fn process(&self, op: u32) -> u32 {
        self.model.ops[op as usize].process
    }

    /// A process hears whoever can send.
    fn hear(&mut self, hearer: u32) {
        let element = self.model.ops[hearer as usize].element as usize;
        let process = self.process(hearer);
        let senders = self.senders[element].iter().copied();
        let caster = senders.filter(|&op| self.model.ops[op as usize].process != process).min();
        if let Some(first) = caster {
            self.apply_half(hearer, Support { first, second: hearer });
        }
    }

    /// Adds the effect of one operation to the next layer.
    fn apply_half(&mut self, op: u32, support: Support) {
        self.stages[op as usize] = Stage::Active;
        if self.simple_effect(op, support) {
            return;
        }
        self.memory.begin();
        self.perform(op);
        self.note_peril(support);
        self.keep_effect(&[op], support);
    }

    /// Adds the effect of an operation, or of two together, to the next layer.
    fn apply(&mut self, support: Support) {
        if support.second == NOBODY {
            return self.apply_half(support.first, support);
        }
        self.memory.begin();
        if self.compute(support) {
            self.keep_effect(&[support.first, support.second], support);
        }
        self.note_peril(support);
    }

    /// Computes what a transition does; false if it is impossible.
    pub fn compute(&mut self, Support { first, second }: Support) -> bool {
        if second == NOBODY {
            self.perform(first);
            return !self.memory.dead;
        }
        let coupled = self.model.coupled[self.model.ops[first as usize].element as usize];
        if coupled && !self.hand_over(first, second) {
            return false;
        }
        self.perform(first);
        if coupled {
            self.take_over(second);
        }
        self.perform(second);
        !self.memory.dead
    }

    /// Evaluates a message; false if the receiver does not want it.
    fn hand_over(&mut self, sender: u32, receiver: u32) -> bool {
        let Layers { model, memory, handed, .. } = self;
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
    fn take_over(&mut self, receiver: u32) {
        let Layers { model, memory, handed, .. } = self;
        for (target, &values) in model.ops[receiver as usize].targets.iter().zip(&*handed) {
            if let Some(target) = target {
                model.store(memory, target, values);
            }
        }
    }

    /// The effect of an operation that needs no computing.
    fn simple_effect(&mut self, op: u32, support: Support) -> bool {
        let Layers { model, memory, .. } = self;
        let op = &model.ops[op as usize];
        if !op.actions.is_empty() || !op.targets.is_empty() {
            return false;
        }
        memory.add_fact(op.target, support);
        for &(word, value) in &op.constants {
            if !memory.sets[word as usize].contains(value) {
                memory.add_values(word, Values::just(value), support);
            }
        }
        true
    }

    /// Computes the effect of an operation.
    fn perform(&mut self, op: u32) {
        let Layers { model, memory, .. } = self;
        let op = &model.ops[op as usize];
        for (slot, &value) in op.frame.iter().enumerate() {
            memory.locals[slot] = Values::just(value);
        }
        for &(word, value) in &op.constants {
            memory.write(word, Values::just(value), true);
        }
        model.run(memory, &op.actions, true);
    }

    /// Adds what was computed to the next layer.
    fn keep_effect(&mut self, ops: &[u32], support: Support) {
        if self.memory.dead || self.model.ops[ops[0] as usize].kind == Kind::Peril {
            return;
        }
        for &op in ops {
            self.memory.add_fact(self.model.ops[op as usize].target, support);
        }
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

    fn note_peril(&mut self, support: Support) {
        if std::mem::replace(&mut self.memory.failed, false) && self.model.counts_errors {
            self.peril = Some(self.peril.unwrap_or(support));
        }
    }

    /// Goes on to the next layer.
    fn advance(&mut self) {
        let memory = &mut self.memory;
        memory.settle();
        self.changed.clear();
        self.changed.append(&mut memory.next_words);
        self.new_facts.clear();
        self.new_facts.append(&mut memory.next_facts);
        memory.layer += 1;
        memory.horizon = memory.layer;
    }
}
