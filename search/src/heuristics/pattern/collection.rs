//! Several tables at once, whose estimates are added up: saturated cost partitioning (docs/algorithms.md,
//! section 3.13).

use super::graph::{NodeNumber, StateGraph};
use super::table::PatternTable;
use super::{AbstractProblem, Building};
use crate::catalog::{Budget, Making};
use crate::costs::Costs;
use crate::heuristic::{FARTHEST, Guarantees, Heuristic, TableAccount, UNREACHABLE};
use crate::problem::Problem;
use explore::EdgeNumber;
use network::{EdgeId, Id, ProcessId, cancellation};

/// Tables that are added up: each order shares the steps between its tables in another way.
pub struct Collection {
    orders: Vec<Vec<PatternTable>>,
    in_costs: bool,
}

/// An abstraction whose steps know the edges of the model that they stand for.
pub struct LabelledGraph<'a> {
    abstracted: AbstractProblem<'a>,
    graph: StateGraph,
    /// For each edge of the abstraction those of the model, numbered over all processes.
    origins: Vec<Vec<usize>>,
}

/// The edges of a network, numbered over all processes, and what steps cost that begin with them.
pub struct FirstEdges {
    first: Vec<usize>,
    costs: Vec<u32>,
    in_costs: bool,
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

impl<'a> LabelledGraph<'a> {
    /// Explores an abstraction.
    pub fn explore(
        abstracted: AbstractProblem<'a>,
        edges: &FirstEdges,
        making: &mut Making,
        budget: Budget,
    ) -> LabelledGraph<'a> {
        let building =
            Building { budget, costs: None, labelled: true, observer: &mut *making.observer };
        let graph = StateGraph::explore(&abstracted.explorer, building);
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

    /// The distances if the steps that begin with an edge cost what is left for it.
    fn distances(&self, left: &[u32]) -> Vec<u32> {
        let cost = |edge: EdgeNumber| {
            let origins = self.origins[edge.index()].iter();
            origins.map(|&origin| left[origin]).min().unwrap_or(0)
        };
        self.graph.distances_by(cost).unwrap_or_default()
    }

    /// Takes from what is left for each edge what the distances need: the most that a step which begins with
    /// it comes nearer to the goal.
    fn take(&self, distances: &[u32], left: &mut [u32]) {
        let mut needed = vec![0; left.len()];
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
        left.iter_mut().zip(needed).for_each(|(left, needed)| *left = left.saturating_sub(needed));
    }

    /// What it says about the initial state, with steps that cost 1 each.
    pub fn initial_distance(&self) -> u32 {
        let distances = self.graph.distances_by(|_| 1).unwrap_or_default();
        let roots = self.graph.roots().iter();
        roots.map(|&root| distances[root as usize]).min().unwrap_or(0)
    }
}

impl Collection {
    /// Tables between which the steps are shared out already.
    pub(super) fn added_up(tables: Vec<PatternTable>) -> Collection {
        Collection { orders: vec![tables], in_costs: false }
    }

    /// The tables of graphs, with the steps given to them in each of the orders.
    pub fn of(graphs: &[LabelledGraph], orders: &[Vec<usize>], edges: &FirstEdges) -> Collection {
        let orders = orders.iter().map(|order| Collection::partition(graphs, order, edges));
        Collection { orders: orders.collect(), in_costs: edges.in_costs }
    }

    /// Gives each graph in turn what the ones before it did not need.
    fn partition(
        graphs: &[LabelledGraph],
        order: &[usize],
        edges: &FirstEdges,
    ) -> Vec<PatternTable> {
        let mut left = edges.costs.clone();
        let mut tables = Vec::new();
        for graph in order.iter().map(|&at| &graphs[at]) {
            let distances = graph.distances(&left);
            // What says 0 everywhere is of no use.
            if distances.iter().all(|&distance| distance == 0) {
                continue;
            }
            graph.take(&distances, &mut left);
            tables.push(graph.abstracted.table_of(&graph.graph, &distances, edges.in_costs));
        }
        tables
    }
}

impl Heuristic for Collection {
    /// The sum of consistent estimates, each of which counts a part of every step, is consistent, and so is the
    /// greatest of such sums.
    fn guarantees(&self) -> Guarantees {
        Guarantees { consistent: !self.sees_clocks(), ..Guarantees::ALL }
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        let mut greatest = 0;
        for order in &mut self.orders {
            let mut sum = 0;
            for table in order {
                match table.estimate(state) {
                    UNREACHABLE => return UNREACHABLE,
                    estimate => sum = estimate.saturating_add(sum).min(FARTHEST),
                }
            }
            greatest = sum.max(greatest);
        }
        greatest
    }

    fn sees_clocks(&self) -> bool {
        self.orders.iter().flatten().any(|table| table.sees_clocks())
    }

    fn is_in_costs(&self) -> bool {
        self.in_costs
    }

    fn tables(&self) -> Vec<TableAccount> {
        // The others are made of the same parts.
        self.orders.iter().take(1).flatten().flat_map(|table| table.tables()).collect()
    }

    fn work(&self) -> u64 {
        self.orders.iter().flatten().map(|table| table.work()).sum()
    }
}
