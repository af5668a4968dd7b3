//! Distances in an abstraction that is put together part by part (merge and shrink,
//! docs/algorithms.md, section 3.14).

mod adjacency;
mod atom;
mod clusters;
mod disjuncts;
mod labels;
mod lookup;
mod merging;
mod product;
mod reduction;
mod shrink;
mod system;

use crate::catalog::{Budget, Making};
use crate::heuristic::{Guarantees, Heuristic, UNREACHABLE};
use crate::heuristics::pattern::AbstractProblem;
use crate::heuristics::pattern::saved::{Bytes, DAMAGED, write_list};
use crate::limits::work_per_successor;
use crate::problem::{HeuristicResult, Problem};
use crate::{Control, Statistics};
use abstraction::{Contents, Part, Pattern};
use atom::Room;
use labels::Label;
use lookup::Lookup;
use merging::Merging;
use network::cancellation;
use system::{DEAD, UNKNOWN};

/// How large systems may get.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// How many states a system may have after merging.
    pub states: usize,
    /// How many states parts that begin together may have, as a power of two.
    pub cluster: f64,
}

/// What is usual.
const USUAL_SIZES: Sizes = Sizes { states: 50_000, cluster: 11.0 };

/// What a part may be.
const ROOM: Room = Room { states: 2_000, steps: 400_000 };

/// What an edge is in work for each part.
const WORK_PER_EDGE: u64 = 200;

/// What merging may be in work if nothing is said: some seconds.
const USUAL_WORK: u64 = 300_000_000;

/// What tables may take in memory if nothing is said.
const USUAL_MEMORY: u64 = 1 << 29;

/// The nearest of the ways to reach the goal.
pub struct MergeAndShrink {
    ways: Vec<Merged>,
    estimates: u64,
}

/// The greatest distance in the systems that are left after merging.
struct Merged {
    lookup: Lookup,
    /// The systems: their tables and the distances of their classes.
    systems: Vec<(usize, Vec<u32>)>,
}

impl MergeAndShrink {
    /// Merges the parts of a problem, with the usual sizes.
    pub(crate) fn build(problem: &Problem, making: &mut Making) -> HeuristicResult<'static> {
        Ok(Box::new(match making.saved {
            Some(saved) => MergeAndShrink::load(problem, saved)?,
            None => MergeAndShrink::with_sizes(problem, making, USUAL_SIZES)?,
        }))
    }

    /// Merges the parts of a problem.
    pub fn with_sizes(
        problem: &Problem,
        making: &mut Making,
        sizes: Sizes,
    ) -> Result<MergeAndShrink, String> {
        let Budget { work, memory, states, .. } = making.budget;
        let (work, memory) = (work.unwrap_or(USUAL_WORK), memory.unwrap_or(USUAL_MEMORY));
        let states = states.map_or(sizes.states, |states| sizes.states.min(states as usize));
        let sizes = Sizes { states, ..sizes };
        MergeAndShrink::each_way(problem, &mut |problem, ways| {
            let share = (work / ways, memory / ways);
            Merged::of(problem, making, sizes, share)
        })
    }

    /// Makes something for each of the ways to reach the goal, whose number is told.
    fn each_way(
        problem: &Problem,
        make: &mut dyn FnMut(&Problem, u64) -> Result<Merged, String>,
    ) -> Result<MergeAndShrink, String> {
        let explorers = disjuncts::explorers(problem)?;
        let count = explorers.len() as u64;
        let ways = match count {
            0 => vec![make(problem, 1)?],
            _ => explorers
                .iter()
                .map(|it| make(&Problem::of(it), count))
                .collect::<Result<Vec<Merged>, String>>()?,
        };
        Ok(MergeAndShrink { ways, estimates: 0 })
    }

    /// What was saved for a problem.
    fn load(problem: &Problem, saved: &[u8]) -> Result<MergeAndShrink, String> {
        let mut bytes = Bytes(saved);
        let loaded =
            MergeAndShrink::each_way(problem, &mut |problem, _| Merged::read(problem, &mut bytes));
        if bytes.0.is_empty() { loaded } else { Err(DAMAGED.to_string()) }
    }
}

impl Merged {
    fn of(
        problem: &Problem,
        making: &mut Making,
        sizes: Sizes,
        (work, memory): (u64, u64),
    ) -> Result<Merged, String> {
        let mut merging = parts(problem, sizes, work)?;
        merging.begin();
        while !merging.is_done()
            && merging.work < work
            && (merging.lookup.bytes() as u64) < memory
            && is_wanted(&merging, making)
        {
            merging.merge_next();
        }
        let Merging { systems, tables, lookup, .. } = merging;
        let distances = systems.into_iter().map(|system| system.distances);
        Ok(Merged { lookup, systems: tables.into_iter().zip(distances).collect() })
    }

    fn read(problem: &Problem, bytes: &mut Bytes) -> Result<Merged, String> {
        let lookup = Lookup::read(problem, bytes)?;
        let mut systems = Vec::new();
        for _ in 0..bytes.number().ok_or(DAMAGED)? {
            let table = bytes.number().ok_or(DAMAGED)? as usize;
            let distances = bytes.list(u32::from_le_bytes).ok_or(DAMAGED)?;
            if lookup.classes(table).is_none_or(|classes| classes > distances.len()) {
                return Err(DAMAGED.to_string());
            }
            systems.push((table, distances));
        }
        Ok(Merged { lookup, systems })
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.lookup.write(out);
        out.extend_from_slice(&(self.systems.len() as u32).to_le_bytes());
        for (table, distances) in &self.systems {
            out.extend_from_slice(&(*table as u32).to_le_bytes());
            write_list(out, distances.iter().map(|distance| distance.to_le_bytes()));
        }
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.lookup.look_up(state);
        let distance = |(table, distances): &(usize, Vec<u32>)| match self.lookup.class(*table) {
            DEAD => UNREACHABLE,
            UNKNOWN => 0,
            class => distances[class as usize],
        };
        self.systems.iter().map(distance).max().unwrap_or(0)
    }
}

fn is_wanted(merging: &Merging, making: &mut Making) -> bool {
    let stored = merging.systems.iter().map(|system| system.states as u64).sum();
    let bytes = merging.lookup.bytes() as u64;
    let statistics = Statistics { stored, bytes, ..Statistics::default() };
    making.observer.tick(&statistics) == Control::Continue
}

/// The systems of all parts that are small, as far as the budget goes.
fn parts(problem: &Problem, sizes: Sizes, most_work: u64) -> Result<Merging, String> {
    let labels = labels::labels(problem);
    let (systems, tables, lookup) = (Vec::new(), Vec::new(), Lookup::default());
    let mut merging = Merging { systems, tables, lookup, most_states: sizes.states, work: 0 };
    for cluster in clusters::clusters(problem, sizes.cluster) {
        if merging.work < most_work {
            add_cluster(problem, &cluster, &labels, &mut merging)?;
        }
    }
    Ok(merging)
}

/// Adds the system of some parts; if there is no room for it, those of each of them.
fn add_cluster(
    problem: &Problem,
    cluster: &[Part],
    labels: &[Label],
    merging: &mut Merging,
) -> Result<(), String> {
    let mut pattern = Pattern::nothing(problem.network());
    cluster.iter().for_each(|&part| pattern.add(part));
    if add_system(problem, &pattern, labels, merging)? {
        return Ok(());
    }
    match *cluster {
        // How many messages there are may be enough to know.
        [Part::Channel(channel)] => {
            pattern.limit(channel, Contents::Lengths);
            add_system(problem, &pattern, labels, merging)?;
        }
        [_] => {}
        _ => {
            for part in cluster {
                add_cluster(problem, std::slice::from_ref(part), labels, merging)?;
            }
        }
    }
    Ok(())
}

/// Adds the system of a pattern; says whether there was room for it.
fn add_system(
    problem: &Problem,
    pattern: &Pattern,
    labels: &[Label],
    merging: &mut Merging,
) -> Result<bool, String> {
    cancellation::check();
    let part = AbstractProblem::with_every_step(problem, pattern)?;
    let (atom, steps) = atom::atom(&part, labels, ROOM);
    merging.work += problem.explorer.edges().len() as u64 * WORK_PER_EDGE;
    merging.work += steps as u64 * work_per_successor(&part.explorer);
    let Some(atom) = atom else { return Ok(false) };
    let table = merging.lookup.add_part(&part, &atom.states, atom.system.states);
    merging.systems.push(atom.system);
    merging.tables.push(table);
    Ok(true)
}

impl Heuristic for MergeAndShrink {
    fn guarantees(&self) -> Guarantees {
        Guarantees::ALL
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.estimates += 1;
        self.ways.iter_mut().map(|way| way.estimate(state)).min().unwrap_or(0)
    }

    fn sees_clocks(&self) -> bool {
        false
    }

    fn saved(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        self.ways.iter().for_each(|way| way.write(&mut out));
        Some(out)
    }

    fn work(&self) -> u64 {
        let tables: usize = self.ways.iter().map(|way| way.lookup.len()).sum();
        self.estimates * 3 * tables as u64
    }
}
