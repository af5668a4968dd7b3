//! Abstractions whose steps know the edges of the model that they stand for, so that each may count a part of
//! every step (docs/algorithms.md, section 3.13).

use super::graph::{NodeNumber, StateGraph};
use super::keyed_numbers::KeyedNumbers;
use super::{AbstractProblem, PatternTable, StateMap, pack};
use crate::catalog::{Budget, Making};
use crate::costs::Costs;
use crate::heuristic::UNREACHABLE;
use crate::problem::Problem;
use explore::EdgeNumber;
use network::{EdgeId, Id, ProcessId, cancellation};

/// The edges of a network, numbered over all processes, and what steps cost that begin with them.
pub struct FirstEdges {
    first: Vec<usize>,
    pub costs: Vec<u32>,
    pub in_costs: bool,
}

impl FirstEdges {
    pub fn of(problem: &Problem, costs: Option<&Costs>) -> FirstEdges {
        let mut count = 0;
        let mut first = Vec::new();
        for process in &problem.network().processes {
            first.push(count);
            count += process.edges.len();
        }
        let mut edges = FirstEdges { first, costs: vec![1; count], in_costs: costs.is_some() };
        if let Some(costs) = costs {
            edges.costs.fill(u32::MAX);
            for number in problem.explorer.edges() {
                // An edge with two numbers costs the same by both.
                let at = edges.of_edge(problem.explorer.edge(number));
                edges.costs[at] = edges.costs[at].min(costs.of(std::iter::once(number)));
            }
        }
        edges
    }

    fn of_edge(&self, (process, edge): (ProcessId, EdgeId)) -> usize {
        self.first[process.index()] + edge.index()
    }
}

/// An abstraction that was explored.
pub struct LabelledGraph<'a> {
    pub abstracted: AbstractProblem<'a>,
    graph: StateGraph,
    /// For each edge of the abstraction those of the model, numbered over all processes.
    origins: Vec<Vec<usize>>,
}

impl<'a> LabelledGraph<'a> {
    /// Explores an abstraction.
    pub fn explore(
        abstracted: AbstractProblem<'a>,
        edges: &FirstEdges,
        making: &mut Making,
        budget: Budget,
    ) -> LabelledGraph<'a> {
        let graph = making.explore(&abstracted.explorer, budget, None, true);
        let origins = |number: EdgeNumber| {
            let (process, edge) = abstracted.explorer.edge(number);
            let origins = &abstracted.projection.origins[process.index()][edge.index()];
            origins.iter().map(|&it| edges.of_edge(it)).collect()
        };
        let origins = abstracted.explorer.edges().map(origins).collect();
        LabelledGraph { abstracted, graph, origins }
    }

    /// How much work it was.
    pub fn work(&self) -> u64 {
        self.graph.work()
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.graph.steps()
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
    }

    /// Whether it was not explored to its end.
    pub fn is_truncated(&self) -> bool {
        self.graph.is_truncated()
    }

    /// The distances if the steps that begin with an edge cost what is left for it.
    pub fn distances(&self, left: &[u32]) -> Vec<u32> {
        let cost = |edge: EdgeNumber| {
            let origins = self.origins[edge.index()].iter();
            origins.map(|&origin| left[origin]).min().unwrap_or(0)
        };
        self.graph.distances_by(cost).unwrap_or_default()
    }

    /// What distances need of the steps that begin with each of so many edges: the most that such a step comes
    /// nearer to the goal.
    pub fn needs(&self, distances: &[u32], edges: usize) -> Vec<u32> {
        let mut needed = vec![0; edges];
        for to in 0..self.graph.len() as NodeNumber {
            cancellation::check();
            let near = distances[to as usize];
            for step in self.graph.steps_to(to) {
                let far = distances[step.to as usize];
                // No step leads from a dead end to another state.
                if far == UNREACHABLE || near == UNREACHABLE || far <= near {
                    continue;
                }
                for &origin in &self.origins[step.label as usize] {
                    needed[origin] = (far - near).max(needed[origin]);
                }
            }
        }
        needed
    }

    /// The table of several distances of its states, in columns.
    pub fn table(&self, columns: &[&[u32]], in_costs: bool) -> PatternTable {
        self.abstracted.table_of(&self.graph, columns, in_costs)
    }

    /// How many steps lead from each of its own states to the goal.
    pub fn own_table(&self) -> PatternTable {
        let distances = self.graph.distances_by(|_| 1).unwrap_or_default();
        let identity = StateMap::identity(&self.abstracted.explorer.layout);
        PatternTable::of(&self.graph, &distances, false, identity)
    }

    /// For each of some states a node with the same words; none if there is not any. Which one of several with
    /// different zones is not said.
    pub fn places<'s>(
        &self,
        states: impl Iterator<Item = &'s Vec<i32>>,
    ) -> Vec<Option<NodeNumber>> {
        let layout = &self.abstracted.explorer.layout;
        let nodes = self.graph.len() as NodeNumber;
        let width = self.graph.explored.nodes.packed_bytes();
        let mut numbers = KeyedNumbers::with_room(nodes as usize, width, nodes);
        for node in 0..nodes {
            let words = self.graph.explored.nodes.packed(node);
            if layout.dim == 0 || numbers.get(words).is_none() {
                numbers.insert(words, node);
            }
        }
        let mut words = vec![0; layout.discrete];
        let place = |state: &'s Vec<i32>| {
            let mut packed = Vec::new();
            self.abstracted.map.project(state, &mut words);
            pack(layout, &words, &mut packed);
            numbers.get(&packed)
        };
        states.map(place).collect()
    }
}
