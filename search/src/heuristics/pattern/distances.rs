//! How far the nodes of a graph are from its goals.
//!
//! A node that was not expanded counts as a goal: what lies behind it is unknown, so nothing may be
//! promised.

use super::graph::{NodeNumber, StateGraph};
use crate::heuristic::{FARTHEST, UNREACHABLE};
use explore::EdgeNumber;
use network::{Id, cancellation};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl StateGraph {
    /// The cost of a cheapest path to a goal from each node, [`UNREACHABLE`] if there is none.
    pub fn distances(&self) -> Vec<u32> {
        let distances = match self.explored.predecessors.has_unit_costs() {
            true => self.breadth_first(),
            false => self.cheapest(|_, cost| cost),
        };
        self.with_absorbed(distances)
    }

    /// The same with other costs, by the first edges of steps; none if the graph does not know them.
    pub fn distances_by(&self, cost: impl Fn(EdgeNumber) -> u32) -> Option<Vec<u32>> {
        let labelled = self.explored.predecessors.is_labelled();
        let cost = |label: u32, _| cost(EdgeNumber::new(label as usize));
        labelled.then(|| self.with_absorbed(self.cheapest(cost)))
    }

    /// What was given up for another node is as far as that.
    fn with_absorbed(&self, mut distances: Vec<u32>) -> Vec<u32> {
        for &(node, by) in &self.explored.absorbed {
            distances[node as usize] = distances[by as usize];
        }
        distances
    }

    fn ends(&self) -> impl Iterator<Item = NodeNumber> {
        let is_end = |node: &usize| self.goals.get(*node).copied().unwrap_or(true);
        (0..self.len()).filter(is_end).map(|node| node as NodeNumber)
    }

    fn breadth_first(&self) -> Vec<u32> {
        let mut distances = vec![UNREACHABLE; self.len()];
        let (mut layer, mut next): (Vec<NodeNumber>, Vec<NodeNumber>) =
            (self.ends().collect(), Vec::new());
        layer.iter().for_each(|&node| distances[node as usize] = 0);
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            for node in layer.drain(..) {
                cancellation::check();
                for step in self.explored.predecessors.to(node) {
                    let known = &mut distances[step.to as usize];
                    if *known == UNREACHABLE {
                        *known = distance;
                        next.push(step.to);
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        distances
    }

    /// By Dijkstra's algorithm, with what a step costs by its label and the cost that it was given.
    fn cheapest(&self, cost: impl Fn(u32, u32) -> u32) -> Vec<u32> {
        let mut distances = vec![UNREACHABLE; self.len()];
        let mut waiting = BinaryHeap::new();
        for node in self.ends() {
            distances[node as usize] = 0;
            waiting.push(Reverse((0, node)));
        }
        while let Some(Reverse((distance, node))) = waiting.pop() {
            cancellation::check();
            if distance > distances[node as usize] {
                continue;
            }
            for step in self.explored.predecessors.to(node) {
                let through = distance.saturating_add(cost(step.label, step.cost)).min(FARTHEST);
                let known = &mut distances[step.to as usize];
                if through < *known {
                    *known = through;
                    waiting.push(Reverse((through, step.to)));
                }
            }
        }
        distances
    }
}
