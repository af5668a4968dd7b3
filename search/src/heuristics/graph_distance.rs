//! Distances in the location graphs of processes, put together as the goal says.
//!
//! Of the parts that must all hold the farthest counts (`d^L`), or their sum (`d^U`), or the sum of
//! shares (docs/algorithms.md, section 3.1). Where errors count as goals, the nearest place that
//! may raise one competes with the goal.

use super::goal_form::GoalForm;
use super::local_graph::{FAR, LocalGraph, Measure, STEP};
use super::risks::Risks;
use crate::edge_set::EdgeSet;
use crate::heuristic::{Guarantees, Heuristic, UNREACHABLE};
use crate::problem::Problem;
use explore::EdgeNumber;
use network::{Id, ProcessId};
use rustc_hash::FxHashMap;

/// How the distances of parts that must all hold are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// The farthest counts: a step brings each process one edge nearer at most.
    Max,
    /// They are added up: a step that several processes share is counted several times.
    Sum,
    /// Each process counts its share of the steps; or the farthest counts, if that is more.
    Split,
}

/// Estimates by the distances of processes in their graphs.
#[derive(Debug)]
pub struct GraphDistance {
    guarantees: Guarantees,
    graphs: Vec<LocalGraph>,
    tables: Vec<Table>,
    root: Node,
    /// The distances under the masks that were asked about; empty where they are as without it.
    masked: FxHashMap<EdgeSet, Vec<Vec<u32>>>,
}

/// The distances of a process's locations to something, in half steps.
#[derive(Debug)]
struct Table {
    process: usize,
    measure: Measure,
    targets: Targets,
    distances: Vec<u32>,
    /// How long before the end of the path is near enough.
    before: u32,
}

#[derive(Debug)]
enum Targets {
    Marked(Vec<bool>),
    /// The sources of edges: number and source.
    Sources(Vec<(EdgeNumber, usize)>),
}

#[derive(Debug)]
enum Node {
    Known(u32),
    Table(usize),
    Max(Vec<Node>),
    Sum(Vec<Node>),
    Min(Vec<Node>),
}

/// More masks than this are not remembered.
const MOST_MASKS: usize = 4096;

impl GraphDistance {
    /// Estimates the distance to the goal of a problem.
    pub fn new(problem: &Problem, combination: Combination) -> Self {
        Self::to(problem, &GoalForm::of(problem), combination)
    }

    /// Estimates the distance to states of some form, or to an error if the problem counts them.
    pub fn to(problem: &Problem, form: &GoalForm, combination: Combination) -> Self {
        Self::with_risks(problem, form, combination, Risks::of(problem))
    }

    /// Estimates the distance to states of some form, errors aside.
    pub fn without_errors(problem: &Problem, form: &GoalForm) -> Self {
        Self::with_risks(problem, form, Combination::Max, Risks::default())
    }

    fn with_risks(
        problem: &Problem,
        form: &GoalForm,
        combination: Combination,
        risks: Risks,
    ) -> Self {
        let mut builder = Builder { problem, risks, tables: Vec::new() };
        let root = match combination {
            Combination::Max => builder.goal(form, Combination::Max),
            Combination::Sum => builder.goal(form, Combination::Sum),
            Combination::Split => Node::Max(vec![
                builder.goal(form, Combination::Split),
                builder.goal(form, Combination::Max),
            ]),
        };
        let (tables, graphs) = (builder.tables, LocalGraph::all(problem));
        let guarantees = match combination {
            Combination::Sum => Guarantees::DEAD_ENDS,
            Combination::Max | Combination::Split => Guarantees::ALL,
        };
        let masked = FxHashMap::default();
        let mut made = GraphDistance { guarantees, graphs, tables, root, masked };
        for i in 0..made.tables.len() {
            made.tables[i].distances = made.distances(i, None);
        }
        made
    }

    /// Takes promises back that hold only for the form that was given.
    pub fn promising(self, guarantees: Guarantees) -> Self {
        GraphDistance { guarantees, ..self }
    }

    /// The distances of a table, without some edges.
    fn distances(&mut self, table: usize, removed: Option<&EdgeSet>) -> Vec<u32> {
        let Table { process, measure, targets, .. } = &self.tables[table];
        let graph = &mut self.graphs[*process];
        let mut out = Vec::new();
        match targets {
            Targets::Marked(marks) => {
                let marked = marks.iter().enumerate().filter(|(_, mark)| **mark);
                graph.distances(marked.map(|(at, _)| at), *measure, removed, &mut out);
            }
            Targets::Sources(edges) => {
                let left =
                    edges.iter().filter(|(edge, _)| removed.is_none_or(|r| !r.contains(*edge)));
                graph.distances(left.map(|(_, source)| *source), *measure, removed, &mut out);
            }
        }
        out
    }

    /// The distances of all tables without some edges.
    fn masked(&mut self, removed: &EdgeSet) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        for table in 0..self.tables.len() {
            let touched = match &self.tables[table].targets {
                Targets::Sources(edges) => edges.iter().any(|(edge, _)| removed.contains(*edge)),
                Targets::Marked(_) => false,
            };
            let process = self.tables[table].process;
            all.push(match touched || self.graphs[process].is_touched(removed) {
                true => self.distances(table, Some(removed)),
                false => Vec::new(),
            });
        }
        all
    }

    fn value(&self, node: &Node, state: &[i32], masked: Option<&[Vec<u32>]>) -> u32 {
        let each = |node: &Node| self.value(node, state, masked);
        match node {
            Node::Known(value) => *value,
            Node::Table(number) => {
                let table = &self.tables[*number];
                let other = masked.map(|all| &all[*number]).filter(|own| !own.is_empty());
                let distances = other.unwrap_or(&table.distances);
                let distance = distances[state[table.process] as usize];
                if distance == FAR { FAR } else { distance.saturating_sub(table.before) }
            }
            Node::Max(parts) => parts.iter().map(each).max().unwrap_or(0),
            Node::Sum(parts) => parts.iter().map(each).fold(0, u32::saturating_add),
            Node::Min(parts) => parts.iter().map(each).min().unwrap_or(FAR),
        }
    }
}

fn steps(halves: u32) -> u32 {
    if halves == FAR { UNREACHABLE } else { halves.div_ceil(STEP) }
}

impl Heuristic for GraphDistance {
    fn guarantees(&self) -> Guarantees {
        self.guarantees
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        steps(self.value(&self.root, state, None))
    }

    fn sees_clocks(&self) -> bool {
        false
    }

    fn estimate_without(&mut self, state: &[i32], removed: &EdgeSet) -> Option<u32> {
        if !self.masked.contains_key(removed) {
            if self.masked.len() >= MOST_MASKS {
                self.masked.clear();
            }
            let distances = self.masked(removed);
            self.masked.insert(removed.clone(), distances);
        }
        let masked = self.masked.get(removed).map(Vec::as_slice);
        Some(steps(self.value(&self.root, state, masked)))
    }
}

struct Builder<'a, 'p> {
    problem: &'a Problem<'p>,
    risks: Risks,
    tables: Vec<Table>,
}

impl Builder<'_, '_> {
    /// The goal or an error, whichever is nearer.
    fn goal(&mut self, form: &GoalForm, combination: Combination) -> Node {
        let mut parts = vec![self.node(form, combination)];
        if self.risks.goal {
            parts.push(Node::Known(0));
        }
        let measure = measure(combination);
        for process in self.problem.network().processes.ids() {
            parts.extend(self.risky_edges(process, measure));
            parts.extend(self.risky_locations(process, measure));
        }
        Node::Min(parts)
    }

    /// The path to an edge that may raise an error.
    fn risky_edges(&mut self, process: ProcessId, measure: Measure) -> Option<Node> {
        let explorer = self.problem.explorer;
        let edges = &self.problem.network().processes[process].edges;
        let own = self.risks.edges.iter().filter(|&&edge| explorer.edge(edge).0 == process);
        let source = |edge| (edge, edges[explorer.edge(edge).1].source.index());
        let sources: Vec<_> = own.copied().map(source).collect();
        let targets = Targets::Sources(sources);
        let none = matches!(&targets, Targets::Sources(all) if all.is_empty());
        (!none).then(|| self.table(process, measure, targets, 0))
    }

    /// The path to where a step may lead to a location, or past it, and raise an error there.
    fn risky_locations(&mut self, process: ProcessId, measure: Measure) -> Option<Node> {
        let count = self.problem.network().processes[process].locations.len();
        let risky = |at: usize| self.risks.locations.contains(&(process, Id::new(at)));
        let marks: Vec<bool> = (0..count).map(risky).collect();
        let some = marks.contains(&true);
        some.then(|| self.table(process, measure, Targets::Marked(marks), STEP))
    }

    fn table(
        &mut self,
        process: ProcessId,
        measure: Measure,
        targets: Targets,
        before: u32,
    ) -> Node {
        let process = process.index();
        let distances = Vec::new();
        self.tables.push(Table { process, measure, targets, distances, before });
        Node::Table(self.tables.len() - 1)
    }

    fn node(&mut self, form: &GoalForm, combination: Combination) -> Node {
        match form {
            GoalForm::Known(false) => Node::Known(FAR),
            GoalForm::Known(true) | GoalForm::Open | GoalForm::Data(..) => Node::Known(0),
            GoalForm::At(process, marks) => {
                let targets = Targets::Marked(marks.clone());
                self.table(*process, measure(combination), targets, 0)
            }
            GoalForm::Any(parts) => {
                Node::Min(parts.iter().map(|part| self.node(part, combination)).collect())
            }
            GoalForm::All(parts) if combination != Combination::Split => {
                let parts = parts.iter().map(|part| self.node(part, combination)).collect();
                if combination == Combination::Max { Node::Max(parts) } else { Node::Sum(parts) }
            }
            GoalForm::All(parts) => {
                let groups = groups(parts).into_iter();
                let group = |group: Vec<usize>| {
                    let members = group.into_iter().map(|i| self.node(&parts[i], combination));
                    Node::Max(members.collect())
                };
                Node::Sum(groups.map(group).collect())
            }
        }
    }
}

fn measure(combination: Combination) -> Measure {
    if combination == Combination::Split { Measure::Share } else { Measure::Whole }
}

/// The parts in groups that have no process in common: only between groups may shares be added up.
fn groups(parts: &[GoalForm]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Vec<usize>, Vec<ProcessId>)> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let (mut members, mut processes) = (vec![i], Vec::new());
        part.processes(&mut processes);
        let shares = |group: &(Vec<usize>, Vec<ProcessId>)| {
            group.1.iter().any(|process| processes.contains(process))
        };
        let (meeting, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
        for (others, more) in meeting {
            members.extend(others);
            processes.extend(more);
        }
        groups = apart;
        groups.push((members, processes));
    }
    groups.into_iter().map(|(members, _)| members).collect()
}
