//! Two systems as one: they move together, by steps of the same label.

use super::adjacency::{Adjacency, End};
use super::system::{IRRELEVANT, State, Steps, System, UNKNOWN, sort};
use network::cancellation;
use rustc_hash::FxHashMap;

/// A product that was built.
pub struct Product {
    pub system: System,
    /// The state of each pair of states, those of the right system side by side.
    pub table: Vec<State>,
}

/// The product of two systems, as far as it can be reached; none if it has more steps than allowed.
pub fn product(left: &System, right: &System, most_steps: usize) -> Option<Product> {
    let mut builder = Builder::new(left, right);
    for &one in &left.initial {
        for &other in &right.initial {
            let state = builder.number((one, other));
            builder.system.initial.push(state);
        }
    }
    while builder.system.goals.len() < builder.pairs.len() {
        if builder.count > most_steps {
            return None;
        }
        builder.expand_next();
    }
    Some(builder.finish())
}

struct Builder<'s> {
    left: &'s System,
    right: &'s System,
    left_steps: Adjacency,
    right_steps: Adjacency,
    /// For each group of the left system, the last one for irrelevant labels, the groups of the right one
    /// that it moves along with, and the group that they become.
    partners: Vec<Vec<(u32, u32)>>,
    table: Vec<State>,
    pairs: Vec<(State, State)>,
    system: System,
    count: usize,
}

impl<'s> Builder<'s> {
    fn new(left: &'s System, right: &'s System) -> Self {
        let mut partners = vec![Vec::new(); left.groups.len() + 1];
        let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut group_of = Vec::with_capacity(left.group_of.len());
        for (&one, &other) in left.group_of.iter().zip(&right.group_of) {
            if (one, other) == (IRRELEVANT, IRRELEVANT) {
                group_of.push(IRRELEVANT);
                continue;
            }
            let fresh = known.len() as u32;
            group_of.push(*known.entry((one, other)).or_insert_with(|| {
                partners[(one as usize).min(left.groups.len())].push((other, fresh));
                fresh
            }));
        }
        let groups = vec![Steps::new(); known.len()];
        Builder {
            left,
            right,
            left_steps: Adjacency::forwards(left),
            right_steps: Adjacency::forwards(right),
            partners,
            table: vec![UNKNOWN; left.states * right.states],
            pairs: Vec::new(),
            system: System {
                states: 0,
                initial: Vec::new(),
                goals: Vec::new(),
                group_of,
                groups,
                distances: Vec::new(),
            },
            count: 0,
        }
    }

    fn number(&mut self, (one, other): (State, State)) -> State {
        let entry = &mut self.table[one as usize * self.right.states + other as usize];
        if *entry == UNKNOWN {
            *entry = self.pairs.len() as State;
            self.pairs.push((one, other));
        }
        *entry
    }

    fn expand_next(&mut self) {
        cancellation::check();
        let from = self.system.goals.len();
        let (one, other) = self.pairs[from];
        let is_goal = self.left.goals[one as usize] && self.right.goals[other as usize];
        self.system.goals.push(is_goal);
        let still = [End { group: self.left.groups.len() as u32, state: one }];
        let mut found = Vec::new();
        for step in self.left_steps.at(one).iter().chain(&still) {
            for &(partner, group) in &self.partners[step.group as usize] {
                let answers = answers(&self.right_steps, other, partner);
                found.extend(answers.map(|state| (group, (step.state, state))));
            }
        }
        self.count += found.len();
        for (group, pair) in found {
            let to = self.number(pair);
            self.system.groups[group as usize].push((from as State, to));
        }
    }

    fn finish(mut self) -> Product {
        self.system.states = self.pairs.len();
        self.system.groups.iter_mut().for_each(sort);
        self.system.tidy();
        self.system.measure();
        Product { system: self.system, table: self.table }
    }
}

/// Where steps of a group lead to from a state.
fn answers(steps: &Adjacency, from: State, group: u32) -> impl Iterator<Item = State> {
    let steps = steps.at(from);
    let first = steps.partition_point(|step| step.group < group);
    let moves = steps[first..].iter().take_while(move |step| step.group == group);
    let still = (group == IRRELEVANT).then_some(from);
    moves.map(|step| step.state).chain(still)
}
