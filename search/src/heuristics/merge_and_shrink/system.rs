//! Transition systems: states, labels, and the steps between states that each label allows.

use super::adjacency::Adjacency;
use crate::heuristic::UNREACHABLE;
use rustc_hash::FxHashMap;

/// A state of a system.
pub type State = u32;

/// In the place of a state: one from which the goal cannot be reached.
pub const DEAD: State = u32::MAX;

/// In the place of a state: one that nobody should ask about.
pub const UNKNOWN: State = u32::MAX - 1;

/// The group of labels that change nothing and are possible in every state.
pub const IRRELEVANT: u32 = u32::MAX;

/// The steps of a group of labels, sorted and without repetition.
pub type Steps = Vec<(State, State)>;

/// A part of the model or several of them together. Every step of the model with a label leads from the
/// state that the model's state stands for to that of its successor, by one of the steps of the label.
pub struct System {
    pub states: usize,
    pub initial: Vec<State>,
    /// Whether the goal may be reached, as far as this system can tell.
    pub goals: Vec<bool>,
    /// The group of each label: those in a group have the same steps.
    pub group_of: Vec<u32>,
    pub groups: Vec<Steps>,
    /// How many steps lead from each state to a goal.
    pub distances: Vec<u32>,
}

impl System {
    /// The number of steps of all groups.
    pub fn steps(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// The steps of all groups, each with its group.
    pub fn labelled_steps(&self) -> impl Iterator<Item = (u32, State, State)> + Clone {
        let groups = (0..).zip(&self.groups);
        groups.flat_map(|(group, steps)| steps.iter().map(move |&(from, to)| (group, from, to)))
    }

    /// The steps of a group.
    pub fn steps_of_group(&self, group: u32) -> Steps {
        match group {
            IRRELEVANT => (0..self.states as State).map(|state| (state, state)).collect(),
            group => self.groups[group as usize].clone(),
        }
    }

    /// Brings groups into their usual form: each is used, no two are the same, none changes nothing
    /// everywhere.
    pub fn tidy(&mut self) {
        let mut known: FxHashMap<Steps, u32> = FxHashMap::default();
        let mut kept = vec![None; self.groups.len()];
        let mut groups = std::mem::take(&mut self.groups);
        for group in &mut self.group_of {
            if *group != IRRELEVANT {
                let old = *group as usize;
                let fresh = known.len() as u32;
                *group = *kept[old].get_or_insert_with(|| {
                    let steps = std::mem::take(&mut groups[old]);
                    match is_identity(&steps, self.states) {
                        true => IRRELEVANT,
                        false => *known.entry(steps).or_insert(fresh),
                    }
                });
            }
        }
        self.groups = vec![Vec::new(); known.len()];
        known.into_iter().for_each(|(steps, group)| self.groups[group as usize] = steps);
    }

    /// Whether a label is possible nowhere.
    pub fn forbids(&self, label: usize) -> bool {
        let group = self.group_of[label];
        group != IRRELEVANT && self.groups[group as usize].is_empty()
    }

    /// Keeps some labels only. Groups may be left without labels then.
    pub fn keep_labels(&mut self, kept: &[usize]) {
        self.group_of = kept.iter().map(|&label| self.group_of[label]).collect();
    }

    /// Whether every state may be a goal.
    pub fn says_nothing(&self) -> bool {
        self.goals.iter().all(|&is_goal| is_goal)
    }

    /// Puts each state in a class, or takes it out.
    pub fn replace(&mut self, classes: &[State], count: usize) {
        let class = |state: State| classes[state as usize];
        let stays = |state: &State| *state < UNKNOWN;
        let mut goals = vec![false; count];
        for (state, &class) in classes.iter().enumerate().filter(|(_, class)| stays(class)) {
            goals[class as usize] |= self.goals[state];
        }
        self.goals = goals;
        self.initial = self.initial.iter().map(|&it| class(it)).filter(stays).collect();
        self.initial.sort_unstable();
        self.initial.dedup();
        for steps in &mut self.groups {
            steps.iter_mut().for_each(|(from, to)| (*from, *to) = (class(*from), class(*to)));
            steps.retain(|(from, to)| stays(from) && stays(to));
            sort(steps);
        }
        self.states = count;
        self.tidy();
        self.measure();
    }

    /// Computes distances.
    pub fn measure(&mut self) {
        let predecessors = Adjacency::backwards(self);
        self.distances = vec![UNREACHABLE; self.states];
        let mut layer: Vec<State> =
            (0..).zip(&self.goals).filter(|it| *it.1).map(|it| it.0).collect();
        let (mut distance, mut next) = (0, Vec::new());
        while !layer.is_empty() {
            for state in layer.drain(..) {
                let known = &mut self.distances[state as usize];
                if *known == UNREACHABLE {
                    *known = distance;
                    next.extend(predecessors.at(state).iter().map(|step| step.state));
                }
            }
            distance += 1;
            std::mem::swap(&mut layer, &mut next);
        }
    }

    /// The states without those that cannot be reached or from which the goal cannot be, and how many they
    /// are.
    pub fn useful(&self) -> (Vec<State>, usize) {
        let mut classes = vec![UNKNOWN; self.states];
        let successors = Adjacency::forwards(self);
        let mut waiting = self.initial.clone();
        while let Some(state) = waiting.pop() {
            if classes[state as usize] == UNKNOWN {
                classes[state as usize] = 0;
                waiting.extend(successors.at(state).iter().map(|step| step.state));
            }
        }
        let mut count = 0;
        for (class, &distance) in classes.iter_mut().zip(&self.distances) {
            if distance == UNREACHABLE {
                *class = DEAD;
            } else if *class != UNKNOWN {
                *class = count;
                count += 1;
            }
        }
        (classes, count as usize)
    }
}

/// Brings steps into their usual form.
pub fn sort(steps: &mut Steps) {
    steps.sort_unstable();
    steps.dedup();
}

fn is_identity(steps: &Steps, states: usize) -> bool {
    steps.len() == states && steps.iter().all(|(from, to)| from == to)
}
