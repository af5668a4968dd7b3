//! From the automaton of a safety property to a deterministic one with as few states as possible.

use super::automaton::Automaton;
use super::diagram::{Diagram, Diagrams};
use super::partition::partition;
use super::{Fallible, Refusal};
use network::cancellation;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The moves of a deterministic automaton, by state, with disjoint guards that leave nothing out.
pub(super) type Table = Vec<Row>;

/// The guards that lead to each state; `None` is where no continuation is fine any more.
pub(super) type Row = BTreeMap<Option<usize>, Diagram>;

const MOST_STATES: usize = 5_000;

/// A set of states of the automaton, sorted.
type Subset = Vec<usize>;

/// The deterministic automaton of all finite runs that some run of `automaton` begins with.
///
/// No state of `automaton` but perhaps the initial one may be without runs.
pub(super) fn determinise(automaton: &Automaton, diagrams: &mut Diagrams) -> Fallible<Table> {
    let closure = automaton.closure(diagrams)?;
    let table = subset_table(&closure, diagrams)?;
    minimise(&table, diagrams)
}

fn subset_table(automaton: &Automaton, diagrams: &mut Diagrams) -> Fallible<Table> {
    let mut numbers: FxHashMap<Subset, usize> = FxHashMap::default();
    let mut subsets = vec![vec![0]];
    numbers.insert(vec![0], 0);
    let mut table = vec![];
    while let Some(subset) = subsets.get(table.len()).cloned() {
        cancellation::check();
        let mut row = Row::new();
        for (subset, guard) in successors(&subset, automaton, diagrams)? {
            let target = (!subset.is_empty()).then(|| {
                *numbers.entry(subset.clone()).or_insert_with(|| {
                    subsets.push(subset);
                    subsets.len() - 1
                })
            });
            row.insert(target, guard);
        }
        table.push(row);
        if subsets.len() > MOST_STATES {
            return Err(Refusal::TooLarge("its monitor has more than 5000 states"));
        }
    }
    Ok(table)
}

/// Where a subset goes, for every condition that makes a difference.
fn successors(
    subset: &Subset,
    automaton: &Automaton,
    diagrams: &mut Diagrams,
) -> Fallible<BTreeMap<Subset, Diagram>> {
    let mut labels: BTreeMap<usize, Diagram> = BTreeMap::new();
    for it in subset.iter().flat_map(|&state| &automaton.states[state].moves) {
        let label = labels.entry(it.target).or_insert(Diagram::FALSE);
        *label = diagrams.or(*label, it.label)?;
    }
    let mut parts = BTreeMap::from([(Subset::new(), Diagram::TRUE)]);
    for (target, label) in labels {
        let mut finer = BTreeMap::new();
        for (subset, guard) in parts {
            diagrams.spend(subset.len())?;
            let with = with_state(&subset, target, automaton);
            add(&mut finer, with, diagrams.and(guard, label)?, diagrams)?;
            add(&mut finer, subset, diagrams.without(guard, label)?, diagrams)?;
        }
        parts = finer;
    }
    Ok(parts)
}

fn add<K: Ord>(
    parts: &mut BTreeMap<K, Diagram>,
    key: K,
    guard: Diagram,
    diagrams: &mut Diagrams,
) -> Fallible<()> {
    if guard != Diagram::FALSE {
        let entry = parts.entry(key).or_insert(Diagram::FALSE);
        *entry = diagrams.or(*entry, guard)?;
    }
    Ok(())
}

/// The subset with one more state, but none whose obligations follow from those of another.
fn with_state(subset: &Subset, state: usize, automaton: &Automaton) -> Subset {
    let allows_no_more_than = |one: usize, other: usize| {
        let (one, other) = (&automaton.states[one], &automaton.states[other]);
        let all_implied = other.obligations.is_some_and(|it| it & !one.implied == 0);
        one.obligations.is_some() && all_implied
    };
    if subset.iter().any(|&other| allows_no_more_than(state, other)) {
        return subset.clone();
    }
    let is_needed = |&other: &usize| !allows_no_more_than(other, state);
    let mut with: Subset = subset.iter().copied().filter(is_needed).collect();
    with.push(state);
    with.sort_unstable();
    with
}

/// Merges states that are violated by the same continuations.
fn minimise(table: &Table, diagrams: &mut Diagrams) -> Fallible<Table> {
    let blocks = partition(table.len(), |state, blocks| {
        let row = on_blocks(&table[state], blocks, diagrams)?;
        Ok(row.into_iter().collect::<Vec<_>>())
    })?;
    let mut merged = Table::new();
    for (row, &block) in table.iter().zip(&blocks) {
        if block == merged.len() {
            merged.push(on_blocks(row, &blocks, diagrams)?);
        }
    }
    Ok(merged)
}

fn on_blocks(row: &Row, blocks: &[usize], diagrams: &mut Diagrams) -> Fallible<Row> {
    let mut merged = Row::new();
    for (target, &guard) in row {
        add(&mut merged, target.map(|it| blocks[it]), guard, diagrams)?;
    }
    Ok(merged)
}
