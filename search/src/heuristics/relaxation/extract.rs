//! Reads a path to the goal from the layers, backwards (h^U; docs/algorithms.md, section 3.6): what
//! makes the goal possible, what makes that possible, and so on down to layer 0. Its length is the
//! number of transitions, each counted once in each layer in which it is needed.

use super::condition::Condition;
use super::layers::Run;
use super::memory::{NOBODY, Support};
use super::model::{Model, OpKind};
use super::term::{Fact, Term};
use super::values::Values;
use crate::edge_set::EdgeSet;
use explore::EdgeNumber;
use network::{BinaryOp, UnaryOp};
use rustc_hash::FxHashSet;

/// Something that must become possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mark {
    /// A process at a location.
    Fact(Fact),
    /// A value of a word.
    Value(u32, i32),
}

/// Something that is restricted, and what must become possible for it.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    only: Only,
    mark: Option<Mark>,
}

/// What is left of the possible.
#[derive(Clone, Copy, Debug)]
enum Only {
    /// A word has certain values.
    Values(u32, Values),
    /// Of its possible places, a process is at one from this number on and before that one.
    Places(Choice, usize, usize),
}

/// The numbers of a process's possible places: the first, and the one after the last.
type Choice = (usize, usize);

/// How many values of a word are tried in search of one that will do.
const TRIES: usize = 64;

/// Room for the extraction.
#[derive(Debug, Default)]
pub struct Extraction {
    /// What must become possible in each layer.
    marks: Vec<Vec<Mark>>,
    seen: FxHashSet<Mark>,
    /// The transitions that were chosen in each layer.
    chosen: Vec<Vec<Support>>,
    count: u32,
    /// What is restricted, in search of values and locations that will do together.
    fixed: Vec<Fixed>,
    /// The words and locations that matter.
    reads: Vec<u32>,
    looks: Vec<Fact>,
    /// The possible places of the processes that are looked at, those that came first in front.
    places: Vec<Fact>,
}

impl Extraction {
    /// The number of transitions on a path to the goal, whose layers were computed just now. The edges
    /// of the first of them go to `preferred`.
    pub fn extract(&mut self, model: &Model, run: &mut Run, preferred: &mut EdgeSet) -> u32 {
        let last = run.memory.layer;
        self.clear(last as usize + 1);
        match (run.goal, run.failure) {
            (Some(goal), _) => self.conditions(model, run, goal, last),
            (None, Some(support)) => self.risk(model, run, support, last),
            // The layers came to no end: the goal is at least as far away as the last.
            (None, None) => return last,
        }
        for layer in (1..=last).rev() {
            let mut at = 0;
            while let Some(&mark) = self.marks[layer as usize].get(at) {
                self.explain(model, run, mark, layer - 1);
                at += 1;
            }
        }
        preferred.clear();
        for support in self.chosen.first().into_iter().flatten() {
            for op in [support.first, support.second].into_iter().filter(|&op| op != NOBODY) {
                preferred.insert(model.ops[op as usize].edge);
            }
        }
        // The transition that fails is not part of the path to it.
        let count = self.count - run.goal.is_none() as u32;
        // Each layer takes a transition, also where it could not be told which.
        count.max(last)
    }

    /// The edges of the transitions that were chosen.
    pub fn edges(&self, model: &Model) -> impl Iterator<Item = EdgeNumber> {
        let chosen = self.chosen.iter().flatten();
        let ops = chosen.flat_map(|support| [support.first, support.second]);
        ops.filter(|&op| op != NOBODY).map(|op| model.ops[op as usize].edge)
    }

    fn clear(&mut self, layers: usize) {
        let grown = self.marks.len().max(layers);
        self.marks.resize_with(grown, Vec::new);
        self.chosen.resize_with(grown, Vec::new);
        self.marks.iter_mut().for_each(Vec::clear);
        self.chosen.iter_mut().for_each(Vec::clear);
        self.seen.clear();
        self.count = 0;
    }

    fn mark(&mut self, run: &Run, mark: Mark) {
        let layer = match mark {
            Mark::Fact(fact) => run.memory.levels[fact as usize],
            Mark::Value(word, value) => match gain(run, word, value) {
                Some((layer, _)) => layer,
                None => 0,
            },
        };
        if layer > 0 && (layer as usize) < self.marks.len() && self.seen.insert(mark) {
            self.marks[layer as usize].push(mark);
        }
    }

    /// Chooses a transition of a layer that makes something possible in the next.
    fn explain(&mut self, model: &Model, run: &mut Run, mark: Mark, layer: u32) {
        let support = match mark {
            Mark::Fact(fact) => run.memory.supports[fact as usize],
            Mark::Value(word, value) => match gain(run, word, value) {
                Some((_, support)) if support != Support::NONE => support,
                _ => return,
            },
        };
        let known = self.chosen[layer as usize].iter();
        let known = known.copied().find(|&known| known == support || gives(model, known, mark));
        let support = known.unwrap_or(support);
        if known.is_none() {
            self.choose(model, run, support, layer);
        }
        match mark {
            Mark::Value(word, value) => self.inputs(model, run, support, (word, value), layer),
            Mark::Fact(fact) => self.location_inputs(model, run, support, fact, layer),
        }
    }

    /// Adds a transition, and marks what it needs.
    fn choose(&mut self, model: &Model, run: &mut Run, support: Support, layer: u32) {
        let broadcasts = model.ops[support.first as usize].kind == OpKind::Broadcaster;
        let same = |other: &Support| broadcasts && other.first == support.first;
        // Whoever receives a broadcast moves in the same step as the others.
        self.count += !self.chosen[layer as usize].iter().any(same) as u32;
        self.chosen[layer as usize].push(support);
        for op in [support.first, support.second] {
            if op != NOBODY {
                self.mark(run, Mark::Fact(model.ops[op as usize].source));
                self.conditions(model, run, op, layer);
            }
        }
    }

    /// Marks what a possible run-time error needs.
    fn risk(&mut self, model: &Model, run: &mut Run, support: Support, layer: u32) {
        self.choose(model, run, support, layer);
        self.effect_inputs(model, run, support, layer, &mut |run| {
            run.memory.failed = false;
            run.compute(model, support);
            std::mem::replace(&mut run.memory.failed, false)
        });
    }

    /// Marks the values that a transition must read to give a word a value.
    fn inputs(
        &mut self,
        model: &Model,
        run: &mut Run,
        support: Support,
        (word, value): (u32, i32),
        layer: u32,
    ) {
        let ops = [support.first, support.second];
        let constant = |&op: &u32| {
            let op = &model.ops[op as usize];
            op.constants.contains(&(word, value))
        };
        if ops.iter().filter(|&&op| op != NOBODY).any(constant) {
            return;
        }
        self.effect_inputs(model, run, support, layer, &mut |run| {
            run.compute(model, support) && run.memory.given(word).contains(value)
        });
    }

    /// Marks what a transition must read to put a process at a location.
    fn location_inputs(
        &mut self,
        model: &Model,
        run: &mut Run,
        support: Support,
        fact: Fact,
        layer: u32,
    ) {
        let ops = [support.first, support.second].into_iter().filter(|&op| op != NOBODY);
        let is_target = |op: u32| model.heads[op as usize].target == fact;
        let leads = ops.clone().any(is_target);
        if ops.clone().all(|op| model.heads[op as usize].is_simple) {
            return;
        }
        self.effect_inputs(model, run, support, layer, &mut |run| {
            run.compute(model, support) && (leads || run.memory.entered.contains(&fact))
        });
    }

    fn effect_inputs(
        &mut self,
        model: &Model,
        run: &mut Run,
        support: Support,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) {
        self.reads.clear();
        self.looks.clear();
        for op in [support.first, support.second] {
            if op != NOBODY {
                self.reads.extend_from_slice(&model.ops[op as usize].reads);
                self.looks.extend_from_slice(&model.ops[op as usize].looks);
            }
        }
        self.reads.sort_unstable();
        self.reads.dedup();
        self.looks.sort_unstable();
        self.looks.dedup();
        // Whoever receives a broadcast may depend on what others do in the same step.
        let is_listener =
            support.second != NOBODY && model.coupled_listeners.contains(&support.second);
        self.witness(model, run, layer + is_listener as u32, check);
    }

    /// Marks what the conditions of an operation need in a layer.
    fn conditions(&mut self, model: &Model, run: &mut Run, op: u32, layer: u32) {
        for i in 0..model.ops[op as usize].conditions.len() {
            let id = model.ops[op as usize].conditions[i];
            match &model.conditions[id as usize] {
                Condition::Fact(fact) => self.mark(run, Mark::Fact(*fact)),
                Condition::Within(word, low, high) => {
                    let wanted = Values::range(*low, *high);
                    self.first_value(run, *word, |values| values.intersect(wanted));
                }
                Condition::Differs(word, value) => {
                    let (word, value) = (*word, *value);
                    let other = Values::just(value);
                    self.first_value(run, word, |values| {
                        if values.single() == Some(value) {
                            Values::EMPTY
                        } else {
                            values.minus(other)
                        }
                    });
                }
                Condition::Holds(term) => self.term(model, run, (id, term, true), layer),
                Condition::Fails(term) => self.term(model, run, (id, term, false), layer),
            }
        }
    }

    /// Marks the first, and then the least, of the values of a word that are wanted.
    fn first_value(&mut self, run: &Run, word: u32, wanted: impl Fn(Values) -> Values) {
        if !wanted(run.memory.initial[word as usize]).is_empty() {
            return;
        }
        let gains = &run.memory.gains[word as usize];
        let found = gains.iter().map(|gain| wanted(gain.values)).find(|values| !values.is_empty());
        if let Some(values) = found {
            self.mark(run, Mark::Value(word, values.low()));
        }
    }

    /// Marks what a term of a condition needs to hold, or to fail, in a layer.
    fn term(
        &mut self,
        model: &Model,
        run: &mut Run,
        (id, term, sign): (u32, &Term, bool),
        layer: u32,
    ) {
        match (term, sign) {
            (Term::Unary(UnaryOp::Not, operand), _) => {
                self.term(model, run, (id, operand, !sign), layer);
            }
            (Term::Binary(BinaryOp::And, operands), true)
            | (Term::Binary(BinaryOp::Or, operands), false) => {
                for operand in operands.iter() {
                    self.term(model, run, (id, operand, sign), layer);
                }
            }
            (Term::Binary(BinaryOp::Or, operands), true)
            | (Term::Binary(BinaryOp::And, operands), false) => {
                let [first, second] = &**operands;
                let (early, late) =
                    (since(model, run, first, sign), since(model, run, second, sign));
                let operand = if early <= late { first } else { second };
                self.term(model, run, (id, operand, sign), layer);
            }
            (Term::At(fact), true) => self.mark(run, Mark::Fact(*fact)),
            (Term::At(fact), false) => {
                let others = model.siblings(*fact).filter(|other| other != fact);
                let level = |&other: &u32| run.memory.levels[other as usize];
                if let Some(other) = others.min_by_key(level) {
                    self.mark(run, Mark::Fact(other));
                }
            }
            _ => {
                self.reads.clear();
                self.reads.extend_from_slice(model.condition_words.of(id));
                self.looks.clear();
                self.looks.extend_from_slice(model.condition_facts.of(id));
                self.witness(model, run, layer, &mut |run| {
                    let values = model.eval(&mut run.memory, term);
                    if sign { values.may_hold() } else { values.may_fail() }
                });
            }
        }
    }

    /// Marks values of the words in `reads`, and locations of the processes in `looks`, that are
    /// possible in a layer and pass a check together.
    fn witness(
        &mut self,
        model: &Model,
        run: &mut Run,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) {
        let current = run.memory.layer;
        run.memory.horizon = layer;
        self.fixed.clear();
        self.places.clear();
        for i in 0..self.reads.len() {
            let word = self.reads[i];
            let gains = &run.memory.gains[word as usize];
            if gains.is_empty() || gains[0].layer > layer {
                continue;
            }
            let only = Only::Values(word, run.memory.initial[word as usize]);
            if !self.passes(run, Fixed { only, mark: None }, check)
                && !self.first_value_that_passes(run, word, layer, check)
            {
                self.first_values_that_pass(run, word, layer, check);
            }
        }
        let mut at = 0;
        while let Some(&fact) = self.looks.get(at) {
            self.first_place(model, run, fact, layer, check);
            // The locations of a process stand together.
            let end = model.siblings(fact).end;
            at += self.looks[at..].iter().take_while(|&&other| other < end).count();
        }
        run.memory.horizon = current;
        run.memory.begin();
        for i in 0..self.fixed.len() {
            if let Some(mark) = self.fixed[i].mark {
                self.mark(run, mark);
            }
        }
    }

    /// Restricts a process to the first of its locations with which a check is passed; or to the first
    /// ones, if what is demanded of it needs several.
    fn first_place(
        &mut self,
        model: &Model,
        run: &mut Run,
        fact: Fact,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) {
        let level = |&place: &Fact| run.memory.levels[place as usize];
        let first = self.places.len();
        self.places.extend(model.siblings(fact).filter(|place| level(place) <= layer));
        let end = self.places.len();
        self.places[first..].sort_unstable_by_key(|place| (level(place), *place));
        if end - first < 2 {
            return;
        }
        let alone = (first..end).map(|last| (last, last));
        let up_to = (first..end).map(|last| (first, last));
        for (from, last) in alone.chain(up_to) {
            let only = Only::Places((first, end), from, last + 1);
            let mark = Some(Mark::Fact(self.places[last]));
            if self.passes(run, Fixed { only, mark }, check) {
                return;
            }
        }
    }

    /// Restricts a word to the first of its values with which a check is passed.
    fn first_value_that_passes(
        &mut self,
        run: &mut Run,
        word: u32,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) -> bool {
        let mut tries = 0;
        for i in 0..run.memory.gains[word as usize].len() {
            let gain = run.memory.gains[word as usize][i];
            if gain.layer > layer {
                break;
            }
            for value in gain.values.iter() {
                tries += 1;
                if tries > TRIES {
                    return false;
                }
                let only = Only::Values(word, Values::just(value));
                let mark = Some(Mark::Value(word, value));
                if self.passes(run, Fixed { only, mark }, check) {
                    return true;
                }
            }
        }
        false
    }

    /// Restricts a word to the values of the first layers, where none of them is enough by itself.
    fn first_values_that_pass(
        &mut self,
        run: &mut Run,
        word: u32,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) {
        let mut values = run.memory.initial[word as usize];
        for i in 0..run.memory.gains[word as usize].len().min(TRIES) {
            let gain = run.memory.gains[word as usize][i];
            values = values.union(gain.values);
            let mark = Some(Mark::Value(word, gain.values.low()));
            let fixed = Fixed { only: Only::Values(word, values), mark };
            if gain.layer > layer || self.passes(run, fixed, check) {
                return;
            }
        }
    }

    /// Whether a check is passed with one restriction more; if so, it is kept.
    fn passes(
        &mut self,
        run: &mut Run,
        more: Fixed,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) -> bool {
        self.fixed.push(more);
        run.memory.begin();
        for fixed in &self.fixed {
            match fixed.only {
                Only::Values(word, values) => run.memory.pretend(word, values),
                Only::Places((first, end), from, to) => {
                    run.memory.hidden.extend_from_slice(&self.places[first..from]);
                    run.memory.hidden.extend_from_slice(&self.places[to..end]);
                }
            }
        }
        let passed = check(run);
        if !passed {
            self.fixed.pop();
        }
        passed
    }
}

/// The first layer, from which transition, in which a word gains a value.
fn gain(run: &Run, word: u32, value: i32) -> Option<(u32, Support)> {
    if run.memory.initial[word as usize].contains(value) {
        return None;
    }
    let mut gains = run.memory.gains[word as usize].iter();
    gains.find(|gain| gain.values.contains(value)).map(|gain| (gain.layer, gain.support))
}

/// Whether a transition certainly makes something possible.
fn gives(model: &Model, support: Support, mark: Mark) -> bool {
    let ops = [support.first, support.second].into_iter().filter(|&op| op != NOBODY);
    let mut ops = ops.map(|op| &model.ops[op as usize]);
    match mark {
        Mark::Fact(fact) => ops.any(|op| op.target == fact),
        Mark::Value(word, value) => ops.any(|op| op.constants.contains(&(word, value))),
    }
}

/// The first layer in which a term can hold, or fail: from then on it always can.
fn since(model: &Model, run: &mut Run, term: &Term, sign: bool) -> u32 {
    let current = run.memory.layer;
    let (mut first, mut end) = (0, current + 1);
    while first < end {
        let middle = first.midpoint(end);
        run.memory.begin();
        run.memory.horizon = middle;
        let values = model.eval(&mut run.memory, term);
        match if sign { values.may_hold() } else { values.may_fail() } {
            true => end = middle,
            false => first = middle + 1,
        }
    }
    run.memory.horizon = current;
    if first > current { u32::MAX } else { first }
}
