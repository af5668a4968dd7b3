//! What an estimate needs of a graph and its distances, in little memory.

use super::graph::{NodeNumber, StateGraph, pack, packed_bytes};
use super::keyed_numbers::KeyedNumbers;
use super::rows::Rows;
use super::saved::{Bytes, write_list};
use super::state_map::StateMap;
use super::zone_runs::ZoneRuns;
use crate::heuristic::{Guarantees, Heuristic, TableAccount, UNREACHABLE};
use explore::Layout;
use network::cancellation;

/// The distances of abstract states, found by the concrete ones that they stand for: one for each, or several
/// if the table shares steps with others in several ways.
pub struct PatternTable {
    map: StateMap,
    layout: Layout,
    distances: Distances,
    rows: Rows,
    traits: Traits,
    parts: TableParts,
    estimates: u64,
    words: Vec<i32>,
    packed: Vec<u8>,
    /// What was looked up last.
    found: Vec<u32>,
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
    /// A row for each discrete part.
    Discrete { numbers: KeyedNumbers, entries: usize },
    /// Those of the zones of each discrete part, which has the number of a run.
    Zones { numbers: KeyedNumbers, runs: Box<ZoneRuns> },
}

/// What an estimate is in work, apart from the words and zones.
const WORK_PER_ESTIMATE: u64 = 2;

impl PatternTable {
    /// The table of a graph's distances; `in_costs` says whether they are costs instead of numbers of
    /// steps.
    pub fn of(graph: &StateGraph, distances: &[u32], in_costs: bool, map: StateMap) -> Self {
        PatternTable::of_columns(graph, &[distances], in_costs, map)
    }

    /// The table of several distances for each node of a graph, in columns.
    pub(super) fn of_columns(
        graph: &StateGraph,
        columns: &[&[u32]],
        in_costs: bool,
        map: StateMap,
    ) -> Self {
        let layout = graph.explored.nodes.layout.clone();
        assert_eq!((map.words(), map.dim()), (layout.discrete, layout.dim), "states do not match");
        let nearest =
            |column: &&[u32]| graph.roots().iter().map(|&root| column[root as usize]).min();
        // Without an initial state there is no path, unless an error was in the way.
        let none = if graph.is_complete() { UNREACHABLE } else { 0 };
        let traits = Traits {
            complete: graph.is_complete(),
            exact: graph.is_exact(),
            truncated: graph.is_truncated(),
            in_costs,
            initial: columns.iter().filter_map(nearest).max().unwrap_or(none),
        };
        let (rows, row_of) = Rows::of(columns);
        let distances = Distances::of(graph, &rows, &row_of);
        PatternTable::new(map, layout, (distances, rows), traits)
    }

    fn new(
        map: StateMap,
        layout: Layout,
        (distances, rows): (Distances, Rows),
        traits: Traits,
    ) -> Self {
        let (parts, packed) = Default::default();
        let (words, found) = (vec![0; layout.discrete], vec![0; rows.width()]);
        PatternTable {
            map,
            layout,
            distances,
            rows,
            traits,
            parts,
            estimates: 0,
            words,
            packed,
            found,
        }
    }

    /// The same, with the parts that it is made of.
    pub fn with_parts(self, parts: TableParts) -> Self {
        PatternTable { parts, ..self }
    }

    /// The table that was written, with a map and a layout like those of the one that it was.
    pub fn read(bytes: &mut Bytes, map: StateMap, layout: Layout) -> Option<Self> {
        let traits = Traits::read(bytes)?;
        let rows = Rows::read(bytes)?;
        let distances = Distances::read(bytes, &layout, rows.len())?;
        Some(PatternTable::new(map, layout, (distances, rows), traits))
    }

    /// Appends what `AbstractProblem::read` makes it from.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_list(out, self.parts.codes.iter().map(|&code| [code]));
        out.extend_from_slice(&self.parts.fingerprint.to_le_bytes());
        self.traits.write(out);
        self.rows.write(out);
        self.distances.write(self.rows.len(), out);
    }

    /// The distance of the initial state in the abstraction, the greatest one if it has several.
    pub fn initial_distance(&self) -> u32 {
        self.traits.initial
    }

    /// Whether the abstraction was not explored to its end.
    pub fn is_truncated(&self) -> bool {
        self.traits.truncated
    }

    /// How many distances each state has.
    pub(super) fn width(&self) -> usize {
        self.rows.width()
    }

    /// The number of abstract states.
    pub fn entries(&self) -> usize {
        match &self.distances {
            Distances::Discrete { entries, .. } => *entries,
            Distances::Zones { runs, .. } => runs.len(),
        }
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        let runs = match &self.distances {
            Distances::Discrete { numbers, .. } => numbers.bytes(),
            Distances::Zones { numbers, runs } => numbers.bytes() + runs.bytes(),
        };
        runs + self.rows.bytes()
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
    fn write(&self, rows: usize, out: &mut Vec<u8>) {
        match self {
            Distances::Discrete { numbers, .. } => numbers.write(rows as u32, out),
            Distances::Zones { numbers, runs } => {
                numbers.write(runs.runs() as u32, out);
                runs.write(out);
            }
        }
    }

    fn read(bytes: &mut Bytes, layout: &Layout, rows: usize) -> Option<Distances> {
        let (numbers, entries, _) = KeyedNumbers::read(bytes, packed_bytes(layout))?;
        let reach = |count: usize| numbers.iter().all(|(_, number)| (number as usize) < count);
        if layout.dim == 0 {
            return reach(rows).then_some(Distances::Discrete { numbers, entries });
        }
        let runs = Box::new(ZoneRuns::read(bytes, layout.dim, rows)?);
        reach(runs.runs()).then_some(Distances::Zones { numbers, runs })
    }

    fn of(graph: &StateGraph, rows: &Rows, row_of: &[u32]) -> Distances {
        match graph.explored.nodes.layout.dim {
            0 => Distances::discrete(graph, rows, row_of),
            _ => Distances::zones(graph, rows, row_of),
        }
    }

    fn discrete(graph: &StateGraph, rows: &Rows, row_of: &[u32]) -> Distances {
        let mut numbers = table(graph, graph.len(), rows.len() as u32);
        for (node, &row) in (0..).zip(row_of) {
            cancellation::check();
            numbers.insert(graph.explored.nodes.packed(node), row);
        }
        Distances::Discrete { numbers, entries: row_of.len() }
    }

    fn zones(graph: &StateGraph, rows: &Rows, row_of: &[u32]) -> Distances {
        let nodes = &graph.explored.nodes;
        let mut sorted: Vec<NodeNumber> = (0..graph.len() as NodeNumber).collect();
        let row = |node: NodeNumber| rows.at(row_of[node as usize]);
        sorted.sort_unstable_by(|&a, &b| {
            cancellation::check();
            nodes.packed(a).cmp(nodes.packed(b)).then(row(b).cmp(row(a))).then(a.cmp(&b))
        });
        let mut runs = Box::new(ZoneRuns::new(nodes.layout.dim));
        let mut keys = Vec::new();
        runs.add(nodes, &sorted, (rows, row_of), &mut |node| keys.push(node));
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
    KeyedNumbers::with_room(keys, graph.explored.nodes.packed_bytes(), greatest)
}

impl PatternTable {
    /// The distances of the abstract state; 0 if it is not there.
    #[inline]
    pub(super) fn look_up(&mut self, state: &[i32]) -> &[u32] {
        self.estimates += 1;
        if !self.find(state) {
            debug_assert!(
                !self.traits.complete || !self.traits.exact,
                "the abstraction lacks {state:?}"
            );
            self.found.fill(0);
        }
        &self.found
    }

    /// Writes down the distances of the abstract state; says whether it is there.
    fn find(&mut self, state: &[i32]) -> bool {
        self.map.project(state, &mut self.words);
        self.packed.clear();
        pack(&self.layout, &self.words, &mut self.packed);
        match &mut self.distances {
            Distances::Discrete { numbers, .. } => {
                let Some(row) = numbers.get(&self.packed) else { return false };
                self.found.copy_from_slice(self.rows.at(row));
                true
            }
            Distances::Zones { numbers, runs } => {
                let Some(run) = numbers.get(&self.packed) else { return false };
                let write = |zone: &mut Vec<i32>| self.map.project_zone(state, zone);
                let run = (run, self.traits.complete);
                runs.estimate(run, &self.rows, write, &mut self.found)
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
        self.look_up(state).iter().copied().max().unwrap_or(0)
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
        self.write(&mut out);
        Some(out)
    }

    fn work(&self) -> u64 {
        let bounds = (self.layout.dim * self.layout.dim) as u64;
        // Words are projected and packed one by one, bounds are compared many at a time.
        let each = WORK_PER_ESTIMATE + (self.words.len() as u64 + self.width() as u64 + bounds) / 4;
        let compared = match &self.distances {
            Distances::Discrete { .. } => 0,
            Distances::Zones { runs, .. } => runs.compared(),
        };
        self.estimates * each + compared * (1 + bounds / 32)
    }
}
