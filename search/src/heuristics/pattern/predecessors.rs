//! The steps of a graph by the nodes they lead to.

use super::graph::{GraphStep, NodeNumber, StepLists};
use crate::chunks::Chunks;
use network::cancellation;

/// Where the steps to each node come from, side by side in one list.
pub struct Predecessors {
    /// Where those of each node begin, and the end of the last.
    starts: Vec<u32>,
    sources: Vec<NodeNumber>,
    /// What each step costs; 1 if nothing is kept.
    costs: Option<Vec<u32>>,
    labels: Option<Vec<u32>>,
}

impl Predecessors {
    /// Turns the steps between so many nodes round.
    pub fn of(steps: &StepLists, nodes: usize) -> Predecessors {
        let count = steps.targets.len();
        cancellation::check_room((nodes + count) * size_of::<u32>());
        let beside = |list: &Option<Chunks<u32>>| list.as_ref().map(|_| vec![0; count]);
        let mut turned = Predecessors {
            starts: vec![0; nodes + 1],
            sources: vec![0; count],
            costs: beside(&steps.costs),
            labels: beside(&steps.labels),
        };
        turned.count(steps);
        turned.place(steps);
        turned
    }

    /// Writes behind each node where the steps to it end.
    fn count(&mut self, steps: &StepLists) {
        for step in 0..steps.targets.len() as u32 {
            self.starts[steps.targets[step] as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
    }

    /// Fills the places from their ends on, so that the ends become starts.
    fn place(&mut self, steps: &StepLists) {
        let mut step = steps.targets.len() as u32;
        for node in (0..steps.ends.len() as u32).rev() {
            cancellation::check();
            let first = if node == 0 { 0 } else { steps.ends[node - 1] };
            while step > first {
                step -= 1;
                let at = &mut self.starts[steps.targets[step] as usize];
                *at -= 1;
                let at = *at as usize;
                self.sources[at] = node;
                copy(&steps.costs, step, &mut self.costs, at);
                copy(&steps.labels, step, &mut self.labels, at);
            }
        }
    }

    /// The steps that lead to a node, each with its source in the place of its target.
    pub fn to(&self, node: NodeNumber) -> impl Iterator<Item = GraphStep> {
        let node = node as usize;
        (self.starts[node] as usize..self.starts[node + 1] as usize).map(|at| GraphStep {
            to: self.sources[at],
            cost: self.costs.as_ref().map_or(1, |costs| costs[at]),
            label: self.labels.as_ref().map_or(0, |labels| labels[at]),
        })
    }

    /// Whether every step costs 1.
    pub fn has_unit_costs(&self) -> bool {
        self.costs.is_none()
    }

    /// Whether the first edges of steps are known.
    pub fn is_labelled(&self) -> bool {
        self.labels.is_some()
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.sources.len()
    }

    /// The bytes they take.
    pub fn bytes(&self) -> usize {
        let beside = |list: &Option<Vec<u32>>| list.as_ref().map_or(0, Vec::capacity);
        let words = self.starts.capacity() + self.sources.capacity();
        (words + beside(&self.costs) + beside(&self.labels)) * size_of::<u32>()
    }
}

fn copy(from: &Option<Chunks<u32>>, step: u32, to: &mut Option<Vec<u32>>, at: usize) {
    if let (Some(from), Some(to)) = (from, to) {
        to[at] = from[step];
    }
}
