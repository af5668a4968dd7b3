//! Fewer states: those that can do the same become one, and if that is not enough, others too.

use super::adjacency::Adjacency;
use super::system::{State, System};
use network::cancellation;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The classes of a system's states.
pub struct Classes {
    /// That of each state.
    pub class: Vec<State>,
    pub count: usize,
    /// How many steps were looked at, some of them many times.
    pub looked_at: u64,
}

/// Puts the states of a system in so many classes at most.
///
/// Classes hold states that are equally far from the goal, unless there are too many distances: then the
/// farthest are put together. They are split until states in a class can do the same (a bisimulation), those
/// near the goal first, as long as there is room.
pub fn classes(system: &System, most: usize) -> Classes {
    let mut partition = Partition::by_distance(system, most);
    let mut touched: Vec<usize> = (0..partition.members.len()).collect();
    while !touched.is_empty() {
        let moved = partition.split(&touched, most);
        touched = partition.before(&moved);
    }
    let Partition { class, members, looked_at, .. } = partition;
    Classes { class, count: members.len(), looked_at }
}

struct Partition {
    class: Vec<State>,
    members: Vec<Vec<State>>,
    /// How far the states of each class are from the goal.
    distances: Vec<u32>,
    successors: Adjacency,
    predecessors: Adjacency,
    looked_at: u64,
}

impl Partition {
    fn by_distance(system: &System, most: usize) -> Partition {
        let mut distances = system.distances.clone();
        distances.sort_unstable();
        distances.dedup();
        distances.truncate(most.max(1));
        let mut members = vec![Vec::new(); distances.len()];
        let class = system.distances.iter().zip(0..).map(|(distance, state)| {
            let class = distances.partition_point(|it| it < distance).min(distances.len() - 1);
            members[class].push(state);
            class as State
        });
        Partition {
            class: class.collect(),
            members,
            distances,
            successors: Adjacency::forwards(system),
            predecessors: Adjacency::backwards(system),
            looked_at: 0,
        }
    }

    /// Splits classes; returns the states that are in new ones.
    fn split(&mut self, touched: &[usize], most: usize) -> Vec<State> {
        let mut moved = Vec::new();
        for &class in touched {
            cancellation::check();
            let mut alike: FxHashMap<u64, usize> = FxHashMap::default();
            let mut parts: Vec<Vec<State>> = Vec::new();
            for &state in &self.members[class] {
                self.looked_at += self.successors.at(state).len() as u64;
                let part = *alike.entry(self.signature(state)).or_insert(parts.len());
                match parts.get_mut(part) {
                    Some(part) => part.push(state),
                    None => parts.push(vec![state]),
                }
            }
            if parts.len() > 1 && self.members.len() + parts.len() - 1 <= most {
                self.replace(class, parts, &mut moved);
            }
        }
        moved
    }

    /// Puts the parts of a class in classes of their own, the largest one aside.
    fn replace(&mut self, class: usize, mut parts: Vec<Vec<State>>, moved: &mut Vec<State>) {
        let largest = (0..parts.len()).max_by_key(|&part| parts[part].len()).unwrap_or(0);
        self.members[class] = parts.swap_remove(largest);
        for part in parts {
            let fresh = self.members.len();
            part.iter().for_each(|&state| self.class[state as usize] = fresh as State);
            moved.extend(&part);
            self.members.push(part);
            self.distances.push(self.distances[class]);
        }
    }

    /// What a state can do. Two that differ may have the same number: they are put together then, which
    /// lowers estimates and is as right as any other choice.
    fn signature(&self, state: State) -> u64 {
        let steps = self.successors.at(state).iter();
        let mut steps: Vec<(u32, State)> =
            steps.map(|step| (step.group, self.class[step.state as usize])).collect();
        steps.sort_unstable();
        steps.dedup();
        let mut hasher = FxHasher::default();
        steps.hash(&mut hasher);
        hasher.finish()
    }

    /// The classes from which steps lead to some states, those near the goal first.
    fn before(&self, moved: &[State]) -> Vec<usize> {
        let steps = moved.iter().flat_map(|&state| self.predecessors.at(state));
        let mut found: Vec<usize> =
            steps.map(|step| self.class[step.state as usize] as usize).collect();
        found.sort_unstable_by_key(|&class| (self.distances[class], class));
        found.dedup();
        found
    }
}
