//! What an estimate needs of a graph and its distances, in little memory.

use super::graph::{NodeNumber, StateGraph, pack};
use super::keyed_numbers::KeyedNumbers;
use super::state_map::StateMap;
use super::zone_runs::ZoneRuns;
use crate::heuristic::{Guarantees, Heuristic, TableAccount, UNREACHABLE};
use explore::Layout;
use network::cancellation;

/// The distances of abstract states, found by the concrete ones that they stand for.
pub struct PatternTable {
    map: StateMap,
    layout: Layout,
    distances: Distances,
    /// Whether every abstract state that some reachable state stands for is there.
    complete: bool,
    /// Whether the concrete states are all real, so that they must be there.
    exact: bool,
    truncated: bool,
    initial: u32,
    in_costs: bool,
    /// The parts that it is made of; no sizes.
    parts: TableAccount,
    estimates: u64,
    words: Vec<i32>,
    packed: Vec<u8>,
}

/// The distances under packed words.
enum Distances {
    /// One for each discrete part; a number beyond them stands for [`UNREACHABLE`].
    Discrete { numbers: KeyedNumbers, entries: usize, unreachable: u32 },
    /// Those of the zones of each discrete part, which has the number of a run.
    Zones { numbers: KeyedNumbers, runs: Box<ZoneRuns> },
}

/// What an estimate is in work, apart from the words and zones.
const WORK_PER_ESTIMATE: u64 = 2;

impl PatternTable {
    /// The table of a graph's distances; `in_costs` says whether they are costs instead of numbers of
    /// steps.
    pub fn of(graph: &StateGraph, distances: &[u32], in_costs: bool, map: StateMap) -> Self {
        let layout = graph.nodes.layout.clone();
        assert_eq!((map.words(), map.dim()), (layout.discrete, layout.dim), "states do not match");
        let roots = graph.roots().iter().map(|&root| distances[root as usize]).min();
        // Without an initial state there is no path, unless an error was in the way.
        let none = if graph.is_complete() { UNREACHABLE } else { 0 };
        PatternTable {
            words: vec![0; layout.discrete],
            distances: Distances::of(graph, distances),
            map,
            layout,
            complete: graph.is_complete(),
            exact: graph.is_exact(),
            truncated: graph.is_truncated(),
            initial: roots.unwrap_or(none),
            in_costs,
            parts: TableAccount::default(),
            estimates: 0,
            packed: Vec::new(),
        }
    }

    /// The same, with the names of the parts that it is made of.
    pub fn with_parts(self, parts: TableAccount) -> Self {
        PatternTable { parts, ..self }
    }

    /// The distance of the initial state in the abstraction.
    pub fn initial_distance(&self) -> u32 {
        self.initial
    }

    /// Whether the abstraction was not explored to its end.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The number of distances.
    pub fn entries(&self) -> usize {
        match &self.distances {
            Distances::Discrete { entries, .. } => *entries,
            Distances::Zones { runs, .. } => runs.len(),
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        match &self.distances {
            Distances::Discrete { numbers, .. } => numbers.bytes(),
            Distances::Zones { numbers, runs } => numbers.bytes() + runs.bytes(),
        }
    }
}

impl Distances {
    fn of(graph: &StateGraph, distances: &[u32]) -> Distances {
        match graph.nodes.layout.dim {
            0 => Distances::discrete(graph, distances),
            _ => Distances::zones(graph, distances),
        }
    }

    fn discrete(graph: &StateGraph, distances: &[u32]) -> Distances {
        let finite = distances.iter().filter(|&&distance| distance != UNREACHABLE);
        let unreachable = finite.max().map_or(0, |greatest| greatest + 1);
        let mut numbers = table(graph, graph.len(), unreachable);
        for (node, &distance) in (0..).zip(distances) {
            cancellation::check();
            numbers.insert(graph.nodes.packed(node), distance.min(unreachable));
        }
        Distances::Discrete { numbers, entries: distances.len(), unreachable }
    }

    fn zones(graph: &StateGraph, distances: &[u32]) -> Distances {
        let nodes = &graph.nodes;
        let mut sorted: Vec<NodeNumber> = (0..graph.len() as NodeNumber).collect();
        sorted.sort_unstable_by(|&a, &b| {
            cancellation::check();
            let farther = distances[b as usize].cmp(&distances[a as usize]);
            nodes.packed(a).cmp(nodes.packed(b)).then(farther).then(a.cmp(&b))
        });
        let mut runs = Box::new(ZoneRuns::new(nodes.layout.dim));
        let mut keys = Vec::new();
        runs.add(nodes, &sorted, distances, &mut |node| keys.push(node));
        let mut numbers = table(graph, keys.len(), keys.len() as u32);
        for (number, &node) in (0..).zip(&keys) {
            cancellation::check();
            numbers.insert(nodes.packed(node), number);
        }
        Distances::Zones { numbers, runs }
    }
}

/// A table for the packed words of a graph.
fn table(graph: &StateGraph, keys: usize, greatest: u32) -> KeyedNumbers {
    KeyedNumbers::with_room(keys, graph.nodes.packed_bytes(), greatest)
}

impl PatternTable {
    /// The distance of the abstract state; none if it is not there.
    #[inline]
    fn look_up(&mut self, state: &[i32]) -> Option<u32> {
        self.map.project(state, &mut self.words);
        self.packed.clear();
        pack(&self.layout, &self.words, &mut self.packed);
        match &mut self.distances {
            Distances::Discrete { numbers, unreachable, .. } => {
                let distance = numbers.get(&self.packed)?;
                Some(if distance == *unreachable { UNREACHABLE } else { distance })
            }
            Distances::Zones { numbers, runs } => {
                let run = numbers.get(&self.packed)?;
                runs.estimate(run, self.complete, |zone| self.map.project_zone(state, zone))
            }
        }
    }
}

impl Heuristic for PatternTable {
    /// Without clocks it is consistent, truncated or not: if a state's abstraction was expanded, that of
    /// a successor is a node one step on; and if not, the estimate is 0, from where it cannot fall. With
    /// clocks a state and its successor may be served by nodes that have nothing to do with each other.
    fn guarantees(&self) -> Guarantees {
        Guarantees { consistent: !self.sees_clocks(), ..Guarantees::ALL }
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.estimates += 1;
        self.look_up(state).unwrap_or_else(|| {
            debug_assert!(!self.complete || !self.exact, "the abstraction lacks {state:?}");
            0
        })
    }

    fn sees_clocks(&self) -> bool {
        matches!(self.distances, Distances::Zones { .. })
    }

    fn is_in_costs(&self) -> bool {
        self.in_costs
    }

    fn tables(&self) -> Vec<TableAccount> {
        vec![TableAccount {
            states: self.entries() as u64,
            bytes: self.bytes() as u64,
            truncated: self.truncated,
            ..self.parts.clone()
        }]
    }

    fn work(&self) -> u64 {
        let bounds = (self.layout.dim * self.layout.dim) as u64;
        // Words are projected and packed one by one, bounds are compared many at a time.
        let each = WORK_PER_ESTIMATE + (self.words.len() as u64 + bounds) / 4;
        let compared = match &self.distances {
            Distances::Discrete { .. } => 0,
            Distances::Zones { runs, .. } => runs.compared(),
        };
        self.estimates * each + compared * (1 + bounds / 32)
    }
}
