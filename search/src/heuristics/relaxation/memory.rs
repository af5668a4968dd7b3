//! What is possible in each layer: the values of words, the locations of processes, and since when.

use super::model::Model;
use super::term::Fact;
use super::values::Values;

/// The layer of what is never possible.
pub const NEVER: u32 = u32::MAX;

/// No partner.
pub const NOBODY: u32 = u32::MAX;

/// What makes something possible: an operation, and its partner if it needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Support {
    /// The operation, the sender if there are two.
    pub first: u32,
    /// The receiver, or [`NOBODY`].
    pub second: u32,
}

impl Support {
    /// Nothing in particular.
    pub const NONE: Support = Support { first: NOBODY, second: NOBODY };
}

/// Values that a word gains in a layer.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// The layer.
    pub layer: u32,
    /// The values.
    pub values: Values,
    /// Where they come from.
    pub support: Support,
}

/// What is possible, and the scratch space in which effects are computed.
#[derive(Debug)]
pub struct Memory {
    /// The values that each word can have in the layer looked at.
    pub sets: Vec<Values>,
    /// The values that it has in layer 0.
    pub initial: Vec<Values>,
    /// The first layer in which each fact is possible.
    pub levels: Vec<u32>,
    /// What makes it possible.
    pub supports: Vec<Support>,
    /// What each word gains in which layer; only kept if `traced`.
    pub gains: Vec<Vec<Gain>>,
    gained: Vec<u32>,
    /// Whether gains are kept.
    pub traced: bool,
    /// Whether words keep intervals only.
    pub convex: bool,
    /// The current layer.
    pub layer: u32,
    /// The layer that questions are about: the current one, or an earlier one.
    pub horizon: u32,
    /// From this layer on, a word that has so many values that they are an interval has all of its range.
    pub coarse_from: u32,
    /// All values that each word can ever have.
    ranges: Vec<Values>,
    /// The facts and words that are new in the next layer.
    pub next_facts: Vec<Fact>,
    /// The words that change in the next layer.
    pub next_words: Vec<u32>,
    next: Vec<Values>,
    in_next: Vec<bool>,
    /// Whether reading a word sees what the next layer gains, too.
    pub wide: bool,
    /// What the effect in the making has done to words.
    overlay: Vec<Values>,
    stamps: Vec<u32>,
    stamp: u32,
    /// The words it has changed.
    pub written: Vec<u32>,
    /// The locations it has put processes at.
    pub entered: Vec<Fact>,
    /// Locations that count as impossible for the effect in the making.
    pub hidden: Vec<Fact>,
    /// Locals of the effect and of the functions it calls.
    pub locals: Vec<Values>,
    /// Where the locals of the running code begin.
    pub base: usize,
    /// Whether some choice ended in a run-time error.
    pub failed: bool,
    /// Whether every choice did.
    pub dead: bool,
    /// Whether some choice has left the running function already.
    pub left: bool,
    /// Whether an assignment has enlarged something; whether it gives every value of the type.
    pub grown: bool,
    /// See `grown`.
    pub widened: bool,
    /// Cells and elements that indices mean.
    pub stack: Vec<u32>,
    /// How many terms, actions, conditions and effects were looked at, ever.
    pub work: u64,
}

impl Memory {
    /// Room for the words, facts and locals of a model.
    pub fn new(model: &Model) -> Memory {
        let (words, facts) = (model.ranges.len(), model.facts());
        let empty = vec![Values::EMPTY; words];
        Memory {
            sets: empty.clone(),
            initial: empty.clone(),
            levels: vec![NEVER; facts],
            supports: vec![Support::NONE; facts],
            gains: vec![Vec::new(); words],
            gained: Vec::new(),
            traced: false,
            convex: false,
            layer: 0,
            horizon: 0,
            coarse_from: model.coarse_from,
            ranges: model.ranges.clone(),
            next_facts: Vec::new(),
            next_words: Vec::new(),
            next: empty.clone(),
            in_next: vec![false; words],
            wide: false,
            overlay: empty,
            stamps: vec![0; words],
            stamp: 0,
            written: Vec::new(),
            entered: Vec::new(),
            hidden: Vec::new(),
            locals: vec![Values::EMPTY; model.locals],
            base: 0,
            failed: false,
            dead: false,
            left: false,
            grown: false,
            widened: false,
            stack: Vec::new(),
            work: 0,
        }
    }

    /// Forgets everything but its size.
    pub fn clear(&mut self) {
        self.levels.fill(NEVER);
        for word in self.gained.drain(..) {
            self.gains[word as usize].clear();
        }
        self.settle();
        self.next_facts.clear();
        self.layer = 0;
        self.horizon = 0;
        self.failed = false;
    }

    /// Takes over what the next layer gains; its words are in `next_words` until they are cleared.
    pub fn settle(&mut self) {
        for &word in &self.next_words {
            let word = word as usize;
            self.sets[word] = self.next[word];
            self.in_next[word] = false;
        }
    }

    /// Begins an effect.
    pub fn begin(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
        self.written.clear();
        self.entered.clear();
        self.hidden.clear();
        self.base = 0;
        self.dead = false;
        self.grown = false;
        self.widened = false;
    }

    /// The values of a word as the effect in the making sees it.
    #[inline]
    pub fn word(&self, word: u32) -> Values {
        let at = word as usize;
        if self.stamps[at] == self.stamp {
            self.overlay[at]
        } else if self.horizon < self.layer {
            self.at(word, self.horizon)
        } else if self.wide && self.in_next[at] {
            self.next[at]
        } else {
            self.sets[at]
        }
    }

    /// Whether the next layer gives a word new values.
    pub fn gains_in_next(&self, word: u32) -> bool {
        self.in_next[word as usize]
    }

    /// The values of a word in a layer.
    pub fn at(&self, word: u32, layer: u32) -> Values {
        let gains = self.gains[word as usize].iter().take_while(|gain| gain.layer <= layer);
        gains.fold(self.initial[word as usize], |all, gain| all.union(gain.values))
    }

    /// Whether a fact is possible in the layer that questions are about.
    #[inline]
    pub fn has(&self, fact: Fact) -> bool {
        self.levels[fact as usize] <= self.horizon
    }

    /// Whether a fact is possible as the effect in the making sees it, which may have put processes
    /// somewhere itself.
    pub fn sees(&self, fact: Fact) -> bool {
        let level = self.levels[fact as usize];
        level <= self.horizon.saturating_add(self.wide as u32) && !self.hidden.contains(&fact)
            || self.entered.contains(&fact)
    }

    /// Whether the next layer makes a fact possible.
    pub fn adds_in_next(&self, fact: Fact) -> bool {
        self.levels[fact as usize] == self.layer + 1
    }

    /// Gives a word values: only those, or those too.
    pub fn write(&mut self, word: u32, values: Values, instead: bool) {
        let at = word as usize;
        let old = self.word(word);
        let new = if instead { values } else { old.union(values) };
        self.grown |= new != old;
        if self.stamps[at] != self.stamp {
            self.stamps[at] = self.stamp;
            self.written.push(word);
        }
        self.overlay[at] = new;
    }

    /// Restricts a word for the effect in the making.
    pub fn pretend(&mut self, word: u32, values: Values) {
        self.stamps[word as usize] = self.stamp;
        self.overlay[word as usize] = values;
    }

    /// What the effect in the making has given a word.
    pub fn given(&self, word: u32) -> Values {
        match self.stamps[word as usize] == self.stamp {
            true => self.overlay[word as usize],
            false => Values::EMPTY,
        }
    }

    /// Makes a location possible in the next layer.
    #[inline]
    pub fn add_fact(&mut self, fact: Fact, support: Support) {
        let level = &mut self.levels[fact as usize];
        if *level == NEVER {
            *level = self.layer + 1;
            self.supports[fact as usize] = support;
            self.next_facts.push(fact);
        }
    }

    /// Makes values of a word possible in the next layer.
    #[inline]
    pub fn add_values(&mut self, word: u32, values: Values, support: Support) {
        let at = word as usize;
        let known = if self.in_next[at] { self.next[at] } else { self.sets[at] };
        let fresh = values.minus(known);
        if fresh.is_empty() {
            return;
        }
        let all = known.union(fresh);
        let all = if self.convex { all.hull() } else { all };
        if all == known {
            return;
        }
        let fresh = if self.convex { all.minus(known) } else { fresh };
        self.gain(word, all, fresh, support);
        if self.layer + 1 >= self.coarse_from {
            self.coarsen(word);
        }
    }

    /// Gives a word all of its range in the next layer, if its values are too many to be told apart.
    pub fn coarsen(&mut self, word: u32) {
        let at = word as usize;
        let known = if self.in_next[at] { self.next[at] } else { self.sets[at] };
        let all = known.union(self.ranges[at]);
        if !known.is_empty() && !known.is_small() && all != known {
            self.gain(word, all, all.minus(known), Support::NONE);
        }
    }

    /// Notes the values of a word in the next layer, and which of them are new.
    fn gain(&mut self, word: u32, all: Values, fresh: Values, support: Support) {
        let at = word as usize;
        if !self.in_next[at] {
            self.in_next[at] = true;
            self.next_words.push(word);
        }
        self.next[at] = all;
        if self.traced {
            if self.gains[at].is_empty() {
                self.gained.push(word);
            }
            self.gains[at].push(Gain { layer: self.layer + 1, values: fresh, support });
        }
    }
}
