//! Which systems are merged, how much is kept of them, and when that ends.

use super::lookup::Lookup;
use super::product::{Product, product};
use super::reduction::{reduce_labels, remove_forbidden};
use super::shrink::classes;
use super::system::{IRRELEVANT, State, System};
use crate::heuristic::UNREACHABLE;
use network::cancellation;
use std::collections::BTreeMap;

/// So many pairs of states a table has room for.
const MOST_PAIRS: usize = 1 << 22;

/// So many steps a product may have before it is shrunk.
const MOST_STEPS: usize = 3_000_000;

/// What a step of a product is in work: it is found, sorted and turned round.
const WORK_PER_STEP: u64 = 15;

/// What a step is in work that is looked at when states are told apart.
const WORK_PER_LOOK: u64 = 2;

/// Systems that are still apart.
pub struct Merging {
    pub systems: Vec<System>,
    /// The table of each.
    pub tables: Vec<usize>,
    pub lookup: Lookup,
    /// How many states a system may have.
    pub most_states: usize,
    pub work: u64,
}

impl Merging {
    /// Shrinks the systems that there are.
    pub fn begin(&mut self) {
        (0..self.systems.len()).for_each(|position| self.remove_useless(position));
        self.reduce();
        (0..self.systems.len()).for_each(|position| self.shrink(position, self.most_states));
    }

    /// Whether nothing can be gained by going on.
    pub fn is_done(&self) -> bool {
        self.systems.len() < 2
            || self.systems.iter().any(|system| system.states == 0)
            || self.systems.iter().all(System::says_nothing)
    }

    /// Removes what cannot matter any more.
    fn reduce(&mut self) {
        while remove_forbidden(&mut self.systems) {
            (0..self.systems.len()).for_each(|position| self.remove_useless(position));
        }
        reduce_labels(&mut self.systems);
    }

    /// Merges two systems.
    pub fn merge_next(&mut self) {
        let (left, right) = self.best_pair();
        let Product { system, table } = self.product(left, right);
        let width = self.systems[right].states;
        let table = self.lookup.add_pair(self.tables[left], self.tables[right], width, table);
        self.systems.remove(right);
        self.tables.remove(right);
        self.systems[left] = system;
        self.tables[left] = table;
        self.remove_useless(left);
        self.reduce();
        self.shrink(left, self.most_states);
    }

    /// The product of two systems, which are made smaller until it is small enough.
    fn product(&mut self, left: usize, right: usize) -> Product {
        loop {
            let sizes = [left, right].map(|position| self.systems[position].states);
            if sizes[0] * sizes[1] <= MOST_PAIRS {
                let found = product(&self.systems[left], &self.systems[right], MOST_STEPS);
                let steps = found.as_ref().map_or(MOST_STEPS, |it| it.system.steps());
                self.work += (steps + sizes[0] * sizes[1] / 16) as u64 * WORK_PER_STEP;
                if let Some(found) = found {
                    return found;
                }
            }
            let larger = if sizes[0] >= sizes[1] { left } else { right };
            self.shrink(larger, sizes[0].max(sizes[1]) / 2);
        }
    }

    fn remove_useless(&mut self, position: usize) {
        let (classes, count) = self.systems[position].useful();
        self.replace(position, &classes, count);
    }

    fn shrink(&mut self, position: usize, most: usize) {
        cancellation::check();
        if self.systems[position].states > 0 {
            let found = classes(&self.systems[position], most);
            self.work += found.looked_at * WORK_PER_LOOK;
            self.replace(position, &found.class, found.count);
        }
    }

    fn replace(&mut self, position: usize, classes: &[State], count: usize) {
        if count < classes.len() {
            self.lookup.replace(self.tables[position], classes);
            self.systems[position].replace(classes, count);
        }
    }

    /// Of the pairs that move together, the one with the fewest states: large systems have to shrink in every
    /// merge, so they are put together late. Of several, the one that moves nearest to the goal.
    fn best_pair(&self) -> (usize, usize) {
        let weights = self.weights();
        let pairs =
            (0..self.systems.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        let rank = |pair: &(usize, usize)| {
            let size = self.systems[pair.0].states * self.systems[pair.1].states;
            let weight = weights.get(pair).copied().unwrap_or(UNREACHABLE);
            (!weights.contains_key(pair), size, weight, *pair)
        };
        pairs.min_by_key(rank).unwrap_or((0, 1))
    }

    /// For each pair of systems that some label is relevant to, the least distance from the goal, in the
    /// farther of them, after a step with such a label.
    fn weights(&self) -> BTreeMap<(usize, usize), u32> {
        let ranks: Vec<Vec<u32>> = self.systems.iter().map(ranks).collect();
        let labels = self.systems.first().map_or(0, |system| system.group_of.len());
        let mut weights = BTreeMap::new();
        for label in 0..labels {
            let group = |position: &usize| self.systems[*position].group_of[label];
            let relevant = (0..self.systems.len()).filter(|it| group(it) != IRRELEVANT);
            let relevant: Vec<usize> = relevant.collect();
            let rank = |position: usize| ranks[position][group(&position) as usize];
            for (i, &right) in relevant.iter().enumerate() {
                for &left in &relevant[..i] {
                    let weight = rank(left).max(rank(right));
                    let known = weights.entry((left, right)).or_insert(UNREACHABLE);
                    *known = weight.min(*known);
                }
            }
        }
        weights
    }
}

/// For each group of labels the least distance after one of its steps.
fn ranks(system: &System) -> Vec<u32> {
    let nearest = |steps: &Vec<(State, State)>| {
        steps.iter().map(|&(_, to)| system.distances[to as usize]).min().unwrap_or(UNREACHABLE)
    };
    system.groups.iter().map(nearest).collect()
}
