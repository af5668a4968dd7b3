//! What an estimate needs of a graph and its distances, in little memory.

use super::graph::{NodeNumber, StateGraph, pack, packed_bytes};
use super::keyed_numbers::KeyedNumbers;
use super::saved::{Bytes, write_list};
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
    traits: Traits,
    parts: TableParts,
    estimates: u64,
    words: Vec<i32>,
    packed: Vec<u8>,
}

/// The parts that a table is made of.
#[derive(Clone, Debug, Default)]
pub struct TableParts {
    /// Their names; no sizes.
    pub names: TableAccount,
    /// What is kept of each part of the network.
    pub codes: Vec<u8>,
    /// What tells the abstract network from others.
    pub fingerprint: u64,
}

/// What is known about a table as a whole.
#[derive(Clone, Copy, Debug)]
struct Traits {
    /// Whether every abstract state that some reachable state stands for is there.
    complete: bool,
    /// Whether the concrete states are all real, so that they must be there.
    exact: bool,
    truncated: bool,
    in_costs: bool,
    /// The distance of the initial state.
    initial: u32,
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
        let traits = Traits {
            complete: graph.is_complete(),
            exact: graph.is_exact(),
            truncated: graph.is_truncated(),
            in_costs,
            initial: roots.unwrap_or(none),
        };
        PatternTable::new(map, layout, Distances::of(graph, distances), traits)
    }

    fn new(map: StateMap, layout: Layout, distances: Distances, traits: Traits) -> Self {
        let (parts, packed) = Default::default();
        let words = vec![0; layout.discrete];
        PatternTable { map, layout, distances, traits, parts, estimates: 0, words, packed }
    }

    /// The same, with the parts that it is made of.
    pub fn with_parts(self, parts: TableParts) -> Self {
        PatternTable { parts, ..self }
    }

    /// The table that was written, with a map and a layout like those of the one that it was.
    pub fn read(bytes: &mut Bytes, map: StateMap, layout: Layout) -> Option<Self> {
        let traits = Traits::read(bytes)?;
        let distances = Distances::read(bytes, &layout)?;
        bytes.0.is_empty().then(|| PatternTable::new(map, layout, distances, traits))
    }

    /// The distance of the initial state in the abstraction.
    pub fn initial_distance(&self) -> u32 {
        self.traits.initial
    }

    /// Whether the abstraction was not explored to its end.
    pub fn is_truncated(&self) -> bool {
        self.traits.truncated
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

impl Traits {
    fn write(&self, out: &mut Vec<u8>) {
        let Traits { complete, exact, truncated, in_costs, initial } = *self;
        out.extend([complete, exact, truncated, in_costs].map(u8::from));
        out.extend_from_slice(&initial.to_le_bytes());
    }

    fn read(bytes: &mut Bytes) -> Option<Traits> {
        let flags = bytes.take(4)?;
        let [complete, exact, truncated, in_costs] = [0, 1, 2, 3].map(|at| flags[at] != 0);
        Some(Traits { complete, exact, truncated, in_costs, initial: bytes.number()? })
    }
}

impl Distances {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Distances::Discrete { numbers, unreachable, .. } => numbers.write(*unreachable, out),
            Distances::Zones { numbers, runs } => {
                numbers.write(runs.runs() as u32, out);
                runs.write(out);
            }
        }
    }

    fn read(bytes: &mut Bytes, layout: &Layout) -> Option<Distances> {
        let (numbers, entries, greatest) = KeyedNumbers::read(bytes, packed_bytes(layout))?;
        if layout.dim == 0 {
            return Some(Distances::Discrete { numbers, entries, unreachable: greatest });
        }
        let runs = Box::new(ZoneRuns::read(bytes, layout.dim)?);
        let fits = numbers.iter().all(|(_, run)| (run as usize) < runs.runs());
        fits.then_some(Distances::Zones { numbers, runs })
    }

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
                runs.estimate(run, self.traits.complete, |zone| self.map.project_zone(state, zone))
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
            debug_assert!(
                !self.traits.complete || !self.traits.exact,
                "the abstraction lacks {state:?}"
            );
            0
        })
    }

    fn sees_clocks(&self) -> bool {
        matches!(self.distances, Distances::Zones { .. })
    }

    fn is_in_costs(&self) -> bool {
        self.traits.in_costs
    }

    fn tables(&self) -> Vec<TableAccount> {
        vec![TableAccount {
            states: self.entries() as u64,
            bytes: self.bytes() as u64,
            truncated: self.traits.truncated,
            ..self.parts.names.clone()
        }]
    }

    fn saved(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        write_list(&mut out, self.parts.codes.iter().map(|&code| [code]));
        out.extend_from_slice(&self.parts.fingerprint.to_le_bytes());
        self.traits.write(&mut out);
        self.distances.write(&mut out);
        Some(out)
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
