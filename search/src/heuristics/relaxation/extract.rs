//! Reads a way to the goal from the layers, backwards (h^U): what makes the goal possible, what
//! makes that possible, and so on down to layer 0. Its length is the number of transitions, each
//! counted once in each layer in which it is needed.

use super::condition::Condition;
use super::layers::Run;
use super::memory::{NOBODY, Support};
use super::model::{Kind, Model};
use super::term::{Fact, Term};
use super::values::Values;
use crate::edge_set::EdgeSet;
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
    /// Words that are restricted to a value, in search of values that will do together.
    fixed: Vec<(u32, Values)>,
    reads: Vec<u32>,
}

impl Extraction {
    /// The number of transitions on a way to the goal, whose layers were computed just now. The edges
    /// of the first of them go to `preferred`.
    pub fn extract(&mut self, model: &Model, run: &mut Run, preferred: &mut EdgeSet) -> u32 {
        let last = run.memory.layer;
        self.clear(last as usize + 1);
        match (run.goal, run.peril) {
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
                preferred.insert(model.ops[op as usize].edge as usize);
            }
        }
        self.count
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
                Some((_, support)) => support,
                None => return,
            },
        };
        let known = self.chosen[layer as usize].iter();
        let known = known.copied().find(|&known| known == support || gives(model, known, mark));
        let support = known.unwrap_or(support);
        if known.is_none() {
            self.choose(model, run, support, layer);
        }
        if let Mark::Value(word, value) = mark {
            self.inputs(model, run, support, (word, value), layer);
        }
    }

    /// Adds a transition, and marks what it needs.
    fn choose(&mut self, model: &Model, run: &mut Run, support: Support, layer: u32) {
        let casts = model.ops[support.first as usize].kind == Kind::Caster;
        let same = |other: &Support| casts && other.first == support.first;
        // Whoever hears a broadcast moves in the same step as the others.
        self.count += !self.chosen[layer as usize].iter().any(same) as u32;
        self.chosen[layer as usize].push(support);
        for op in [support.first, support.second] {
            if op != NOBODY {
                self.mark(run, Mark::Fact(model.ops[op as usize].source));
                self.conditions(model, run, op, layer);
            }
        }
        if support.second != NOBODY && !model.ops[support.second as usize].patterns.is_empty() {
            self.effect_inputs(model, run, support, layer, &mut |run| run.compute(model, support));
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

    fn effect_inputs(
        &mut self,
        model: &Model,
        run: &mut Run,
        support: Support,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) {
        self.reads.clear();
        for op in [support.first, support.second] {
            if op != NOBODY {
                self.reads.extend_from_slice(&model.ops[op as usize].reads);
            }
        }
        self.reads.sort_unstable();
        self.reads.dedup();
        self.witness(run, layer, check);
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
                Condition::Holds(term) => self.term(model, run, term, true, layer),
                Condition::Fails(term) => self.term(model, run, term, false, layer),
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

    /// Marks what a term needs to hold, or to fail, in a layer.
    fn term(&mut self, model: &Model, run: &mut Run, term: &Term, sign: bool, layer: u32) {
        match (term, sign) {
            (Term::Unary(UnaryOp::Not, operand), _) => self.term(model, run, operand, !sign, layer),
            (Term::Binary(BinaryOp::And, operands), true)
            | (Term::Binary(BinaryOp::Or, operands), false) => {
                operands.iter().for_each(|operand| self.term(model, run, operand, sign, layer));
            }
            (Term::Binary(BinaryOp::Or, operands), true)
            | (Term::Binary(BinaryOp::And, operands), false) => {
                let [first, second] = &**operands;
                let (early, late) =
                    (since(model, run, first, sign), since(model, run, second, sign));
                let operand = if early <= late { first } else { second };
                self.term(model, run, operand, sign, layer);
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
                let (reads, size) = (&mut self.reads, model.size as u32);
                words_of(term, reads);
                reads.retain(|&word| word < size);
                reads.sort_unstable();
                reads.dedup();
                self.witness(run, layer, &mut |run| {
                    let values = model.eval(&mut run.memory, term);
                    if sign { values.may_hold() } else { values.may_fail() }
                });
            }
        }
    }

    /// Marks values of the words in `reads` that are possible in a layer and pass a check together.
    fn witness(&mut self, run: &mut Run, layer: u32, check: &mut dyn FnMut(&mut Run) -> bool) {
        let current = run.memory.layer;
        run.memory.horizon = layer;
        self.fixed.clear();
        for i in 0..self.reads.len() {
            let word = self.reads[i];
            let gains = &run.memory.gains[word as usize];
            if gains.is_empty() || gains[0].layer > layer {
                continue;
            }
            let initial = run.memory.initial[word as usize];
            if self.passes(run, (word, initial), check) {
                self.fixed.push((word, initial));
                continue;
            }
            if let Some(value) = self.first_that_passes(run, word, layer, check) {
                self.fixed.push((word, Values::just(value)));
            }
        }
        run.memory.horizon = current;
        run.memory.begin();
        for i in 0..self.fixed.len() {
            let (word, values) = self.fixed[i];
            if let Some(value) = values.single() {
                self.mark(run, Mark::Value(word, value));
            }
        }
    }

    fn first_that_passes(
        &mut self,
        run: &mut Run,
        word: u32,
        layer: u32,
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) -> Option<i32> {
        let mut tries = 0;
        for i in 0..run.memory.gains[word as usize].len() {
            let gain = run.memory.gains[word as usize][i];
            if gain.layer > layer {
                break;
            }
            for value in gain.values.iter() {
                tries += 1;
                if tries > TRIES {
                    return None;
                }
                if self.passes(run, (word, Values::just(value)), check) {
                    return Some(value);
                }
            }
        }
        None
    }

    /// Whether a check is passed if some words have certain values only.
    fn passes(
        &self,
        run: &mut Run,
        (word, values): (u32, Values),
        check: &mut dyn FnMut(&mut Run) -> bool,
    ) -> bool {
        run.memory.begin();
        for &(word, values) in &self.fixed {
            run.memory.pretend(word, values);
        }
        run.memory.pretend(word, values);
        check(run)
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

/// The first layer in which a term can hold, or fail.
fn since(model: &Model, run: &mut Run, term: &Term, sign: bool) -> u32 {
    let current = run.memory.layer;
    let mut found = u32::MAX;
    for layer in 0..=current {
        run.memory.begin();
        run.memory.horizon = layer;
        let values = model.eval(&mut run.memory, term);
        if if sign { values.may_hold() } else { values.may_fail() } {
            found = layer;
            break;
        }
    }
    run.memory.horizon = current;
    found
}

/// The words that a term reads directly.
fn words_of(term: &Term, out: &mut Vec<u32>) {
    term.walk(&mut |term| match term {
        Term::Word(word) => out.push(*word),
        Term::Cell(cells) => {
            let count: u32 = cells.sizes.iter().product();
            out.extend(cells.first..cells.first + count);
        }
        _ => {}
    });
}
