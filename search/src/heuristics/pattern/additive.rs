//! Tables of groups of processes, added up: a step counts in the group of its first edge alone
//! (docs/algorithms.md, section 3.15).

use super::selection::{Dependencies, usual};
use super::{AbstractProblem, Collection, StepCosts};
use crate::catalog::{Budget, Making};
use crate::problem::{HeuristicResult, Problem};
use abstraction::{Part, Pattern};
use explore::EdgeNumber;
use network::{Id, ProcessId};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How many states the parts of a group usually have together, as a power of two, at most.
const MOST_BITS: f64 = 20.0;

/// A part with more values, as a power of two, is left out.
const MOST_PART_BITS: f64 = 10.0;

/// Tables of the usual size.
pub(crate) fn build(problem: &Problem, making: &mut Making) -> HeuristicResult<'static> {
    Ok(Box::new(match making.saved {
        Some(saved) => Collection::load(problem, saved)?,
        None => tables_of_groups(problem, making, MOST_BITS)?,
    }))
}

/// A table for each group of processes, unless it says nothing; its parts have so many states together at
/// most, as a power of two, or are those of one process.
pub fn tables_of_groups(
    problem: &Problem,
    making: &mut Making,
    most_bits: f64,
) -> Result<Collection, String> {
    let groups = Groups::of(problem, most_bits);
    let Budget { work, memory, .. } = usual(making.budget);
    let share = |most: Option<u64>| most.map(|most| most / groups.members.len().max(1) as u64);
    let budget = Budget { work: share(work), memory: share(memory), ..making.budget };
    let mut tables = Vec::new();
    for group in 0..groups.members.len() {
        let part = AbstractProblem::new(problem, &groups.pattern(problem, group))?;
        let costs = StepCosts::OfFirstEdge(groups.costs(group, &part));
        let graph = making.explore(&part.explorer, budget, Some(&costs), false);
        let distances = graph.distances();
        if distances.iter().any(|&distance| distance > 0) {
            tables.push(part.table_of(&graph, &[&distances], false));
        }
    }
    Ok(Collection::added_up(tables, false))
}

/// Processes by groups.
struct Groups {
    members: Vec<Vec<ProcessId>>,
    /// For each group the variables and channels that its processes touch and that are small.
    touched: Vec<BTreeSet<Part>>,
    /// The group of each process; none for observers that stand still.
    group_of: Vec<Option<usize>>,
    most_bits: f64,
}

impl Groups {
    /// Processes that have much in common come together, as far as there is room.
    fn of(problem: &Problem, most_bits: f64) -> Groups {
        let dependencies = Dependencies::of(problem.network());
        let moving = problem.network().processes.ids().filter(|&id| problem.takes_part(id));
        let mut members: Vec<Vec<ProcessId>> = moving.map(|id| vec![id]).collect();
        let mut touched: Vec<BTreeSet<Part>> =
            members.iter().map(|it| touched_by(problem, &dependencies, it[0])).collect();
        while let Some((one, other)) = nearest(&dependencies, &members, &touched, most_bits) {
            let (moved, parts) = (members.remove(other), touched.remove(other));
            members[one].extend(moved);
            touched[one].extend(parts);
        }
        let is_small = |part: &Part| dependencies.bits(*part) <= MOST_PART_BITS;
        touched.iter_mut().for_each(|parts| parts.retain(is_small));
        let mut group_of = vec![None; problem.network().processes.len()];
        for (group, members) in members.iter().enumerate() {
            members.iter().for_each(|id| group_of[id.index()] = Some(group));
        }
        Groups { members, touched, group_of, most_bits }
    }

    /// The processes of a group and, as far as there is room, what they touch, the smallest first.
    fn pattern(&self, problem: &Problem, group: usize) -> Pattern {
        let dependencies = Dependencies::of(problem.network());
        let mut pattern = Pattern::nothing(problem.network());
        let mut bits = 0.0;
        for &id in &self.members[group] {
            pattern.add(Part::Process(id));
            bits += dependencies.bits(Part::Process(id));
        }
        let mut parts: Vec<Part> = self.touched[group].iter().copied().collect();
        parts.sort_by(|&one, &other| dependencies.bits(one).total_cmp(&dependencies.bits(other)));
        for part in parts {
            bits += dependencies.bits(part);
            if bits <= self.most_bits {
                pattern.add(part);
            }
        }
        pattern
    }

    /// What abstract steps cost in a group by their first edges: 1 if all steps that they stand for begin there.
    fn costs(&self, group: usize, part: &AbstractProblem) -> Vec<u32> {
        let is_own = |id: ProcessId| self.group_of[id.index()] == Some(group);
        let cost = |first: EdgeNumber| {
            let (process, edge) = part.explorer.edge(first);
            let origins = &part.projection.origins[process.index()][edge.index()];
            u32::from(!origins.is_empty() && origins.iter().all(|(id, _)| is_own(*id)))
        };
        part.explorer.edges().map(cost).collect()
    }
}

/// The variables and channels that the edges of a process touch.
fn touched_by(problem: &Problem, dependencies: &Dependencies, id: ProcessId) -> BTreeSet<Part> {
    let mut parts = BTreeSet::new();
    for edge in &problem.network().processes[id].edges {
        let touched = dependencies.of_edge(id, edge).into_iter();
        parts.extend(touched.filter(|it| matches!(it, Part::Variable(_) | Part::Channel(_))));
        parts.extend(dependencies.channels(&edge.action).into_iter().map(Part::Channel));
    }
    parts
}

/// The two groups with most in common that there is room for together.
fn nearest(
    dependencies: &Dependencies,
    members: &[Vec<ProcessId>],
    touched: &[BTreeSet<Part>],
    most_bits: f64,
) -> Option<(usize, usize)> {
    let own_bits = |it: &Vec<ProcessId>| -> f64 {
        it.iter().map(|&id| dependencies.bits(Part::Process(id))).sum()
    };
    let bits = |one: usize, other: usize| {
        let parts = touched[one].union(&touched[other]).map(|&part| dependencies.bits(part));
        let small: f64 = parts.filter(|&bits| bits <= MOST_PART_BITS).sum();
        own_bits(&members[one]) + own_bits(&members[other]) + small
    };
    let pairs = (0..members.len()).flat_map(|other| (0..other).map(move |one| (one, other)));
    let related = pairs.filter_map(|(one, other)| {
        let common = touched[one].intersection(&touched[other]).count();
        (common > 0 && bits(one, other) <= most_bits).then_some((Reverse(common), one, other))
    });
    related.min().map(|(_, one, other)| (one, other))
}
