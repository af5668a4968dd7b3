//! All states of an abstract network and the steps between them.
//!
//! Nodes are told apart by their discrete part and their zone. A node is never given up for another that
//! covers it: what leads to it would be lost, and distances with it.

use super::predecessors::Predecessors;
use crate::catalog::Budget;
use crate::chunks::Chunks;
use crate::discrete_table::{DiscreteTable, hash};
use crate::limits::{WORK_PER_STATE, work_per_successor};
use crate::zone_store::{ZoneRef, ZoneStore};
use crate::{Control, Observer, Statistics};
use explore::{Abstraction, Explorer, Layout, Raised, Step, Workspace};
use network::{RunTimeError, cancellation};

/// What a step of the abstract network costs.
pub type StepCost<'a> = dyn Fn(&Explorer, Step) -> u32 + 'a;

/// What there is for building a graph.
pub struct Building<'b> {
    /// How much may be spent; what is not explored then is treated as if the goal were there.
    pub budget: Budget,
    /// What steps cost; 1 each if nothing is said.
    pub costs: Option<&'b StepCost<'b>>,
    /// Whether to keep the first edge of each step, so that costs can be changed later.
    pub labelled: bool,
    /// Told how it goes; says whether to go on.
    pub observer: &'b mut dyn Observer,
}

/// A node of the graph; nodes are numbered as breadth-first search finds them.
pub type NodeNumber = u32;

/// How many expansions pass between two calls of the observer and two looks at the memory.
const TICK: usize = 256;

/// No more nodes, and no more steps, than numbers reach; some are left for the last expansion.
const MOST_NUMBERED: usize = u32::MAX as usize - (1 << 20);

/// The states of an abstract network that can be reached, and the steps between them.
pub struct StateGraph {
    pub(super) nodes: Nodes,
    /// Whether each node that was expanded is a goal.
    pub(super) goals: Vec<bool>,
    pub(super) predecessors: Predecessors,
    roots: Vec<NodeNumber>,
    work: u64,
    raises_errors: bool,
    exact: bool,
}

impl StateGraph {
    /// Explores an abstract network as far as the budget goes.
    ///
    /// Its zones must be extrapolated, so that they are finite in number and equal ones are found again.
    pub fn explore<'e>(explorer: &'e Explorer, building: Building<'e>) -> StateGraph {
        let extrapolated = explorer.abstraction() == Abstraction::ExtraLu;
        assert!(explorer.layout.dim == 0 || extrapolated, "zones are not extrapolated");
        let mut exploration = Exploration::new(explorer, &building);
        exploration.begin();
        while exploration.goals.len() < exploration.nodes.len()
            && exploration.may_go_on(&building.budget, building.observer)
        {
            exploration.expand_next();
        }
        exploration.finish()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none: the abstract network has no initial state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of steps: those from a state to itself do not count, nor do steps that are alike.
    pub fn steps(&self) -> usize {
        self.predecessors.steps()
    }

    /// Whether some nodes were not expanded, so that more may exist.
    pub fn is_truncated(&self) -> bool {
        self.goals.len() < self.len()
    }

    /// Whether every state of the abstract network is a node. Where an error was raised, the concrete
    /// network may go on if it raises none.
    pub fn is_complete(&self) -> bool {
        !self.is_truncated() && !self.raises_errors
    }

    /// Whether every path of it is a run of the abstract network.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// The initial states.
    pub fn roots(&self) -> &[NodeNumber] {
        &self.roots
    }

    /// How much work it was, in the unit of `Heuristic::work`.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.goals.capacity() + self.predecessors.bytes()
    }
}

/// The nodes: packed words, and the number of a zone behind them if there are clocks.
pub(super) struct Nodes {
    keys: DiscreteTable,
    pub zones: ZoneStore,
    pub layout: Layout,
}

impl Nodes {
    fn new(explorer: &Explorer) -> Nodes {
        let layout = explorer.layout.clone();
        let zone = if layout.dim > 0 { size_of::<ZoneRef>() } else { 0 };
        let keys = DiscreteTable::new(packed_bytes(&layout) + zone);
        Nodes { keys, zones: ZoneStore::new(explorer), layout }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    fn bytes(&self) -> usize {
        self.keys.bytes() + self.zones.bytes()
    }

    /// The number of bytes of packed words.
    pub fn packed_bytes(&self) -> usize {
        packed_bytes(&self.layout)
    }

    /// The packed words of a node.
    pub fn packed(&self, node: NodeNumber) -> &[u8] {
        &self.keys.at(node)[..self.packed_bytes()]
    }

    /// The zone of a node of a network with clocks.
    pub fn zone(&self, node: NodeNumber) -> ZoneRef {
        let bytes = self.keys.at(node).last_chunk();
        bytes.map_or(0, |bytes| ZoneRef::from_le_bytes(*bytes))
    }

    /// Appends the key of a state.
    fn push_key(&mut self, explorer: &Explorer, state: &[i32], out: &mut Vec<u8>) {
        pack(&self.layout, state, out);
        if self.layout.dim > 0 {
            self.zones.offer(explorer, state);
            // Equal zones have equal numbers.
            out.extend_from_slice(&self.zones.store_offered().to_le_bytes());
        }
    }

    fn unpack(&mut self, explorer: &Explorer, node: NodeNumber, state: &mut [i32]) {
        let (identity, meta) = (self.layout.identity_packing(), self.layout.meta_packing());
        let packed = self.packed(node);
        identity.unpack(packed, state);
        meta.unpack(&packed[identity.bytes()..], state);
        if self.layout.dim > 0 {
            self.zones.unpack(explorer, self.zone(node), state);
        }
    }
}

pub(crate) fn packed_bytes(layout: &Layout) -> usize {
    layout.identity_packing().bytes() + layout.meta_packing().bytes()
}

/// Appends the packed words of a state, with its meta variables: steps depend on them as on others.
#[inline]
pub(crate) fn pack(layout: &Layout, words: &[i32], out: &mut Vec<u8>) {
    layout.identity_packing().pack(words, out);
    layout.meta_packing().pack(words, out);
}

/// A step to a node that is known by its key in the batch, and later by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GraphStep {
    pub to: NodeNumber,
    pub label: u32,
    pub cost: u32,
}

/// The steps in the order of the nodes that they leave.
pub(super) struct StepLists {
    pub targets: Chunks<NodeNumber>,
    pub costs: Option<Chunks<u32>>,
    pub labels: Option<Chunks<u32>>,
    /// Where those of each node end.
    pub ends: Chunks<u32>,
}

impl StepLists {
    fn push(&mut self, step: GraphStep) {
        self.targets.push(step.to);
        self.costs.iter_mut().for_each(|costs| costs.push(step.cost));
        self.labels.iter_mut().for_each(|labels| labels.push(step.label));
    }

    fn bytes(&self) -> usize {
        let beside = |list: &Option<Chunks<u32>>| list.as_ref().map_or(0, Chunks::bytes);
        self.targets.bytes() + self.ends.bytes() + beside(&self.costs) + beside(&self.labels)
    }
}

struct Exploration<'e> {
    explorer: &'e Explorer,
    costs: Option<&'e StepCost<'e>>,
    workspace: Workspace,
    nodes: Nodes,
    goals: Vec<bool>,
    roots: Vec<NodeNumber>,
    steps: StepLists,
    generated: u64,
    raises_errors: bool,
    state: Vec<i32>,
    batch: Batch,
}

/// The successors of a node: all are packed before one is looked up, so that the waits for memory overlap.
#[derive(Default)]
struct Batch {
    packed: Vec<u8>,
    hashes: Vec<usize>,
    steps: Vec<GraphStep>,
}

impl<'e> Exploration<'e> {
    fn new(explorer: &'e Explorer, building: &Building<'e>) -> Self {
        Exploration {
            explorer,
            costs: building.costs,
            workspace: explorer.workspace(),
            nodes: Nodes::new(explorer),
            goals: Vec::new(),
            roots: Vec::new(),
            steps: StepLists {
                targets: Chunks::new(),
                costs: building.costs.map(|_| Chunks::new()),
                labels: building.labelled.then(Chunks::new),
                ends: Chunks::new(),
            },
            generated: 0,
            raises_errors: false,
            state: vec![0; explorer.layout.words()],
            batch: Batch::default(),
        }
    }

    fn begin(&mut self) {
        let Exploration { explorer, workspace, nodes, batch, .. } = self;
        let initial = explorer.initial(workspace, &mut |state, _| {
            batch.offer(explorer, nodes, state, GraphStep { to: 0, label: 0, cost: 0 });
        });
        self.raises_errors |= initial.is_err();
        self.batch.settle(&mut self.nodes);
        self.roots.extend(self.batch.steps.drain(..).map(|step| step.to));
    }

    /// Whether the budget and the observer allow another expansion.
    fn may_go_on(&self, budget: &Budget, observer: &mut dyn Observer) -> bool {
        cancellation::check();
        let within = |most: Option<u64>, spent: u64| most.is_none_or(|most| spent < most);
        within(budget.states, self.nodes.len() as u64)
            && within(budget.work, self.work())
            && self.nodes.len().max(self.steps.targets.len()) < MOST_NUMBERED
            && !self.nodes.zones.has_overflowed()
            && (!self.goals.len().is_multiple_of(TICK)
                // Counting bytes takes the longer the more there are.
                || within(budget.memory, self.bytes() as u64) && self.is_wanted(observer))
    }

    fn is_wanted(&self, observer: &mut dyn Observer) -> bool {
        let statistics = Statistics {
            explored: self.goals.len() as u64,
            generated: self.generated,
            stored: self.nodes.len() as u64,
            bytes: self.bytes() as u64,
            ..Statistics::default()
        };
        observer.tick(&statistics) == Control::Continue
    }

    fn work(&self) -> u64 {
        let expanded = self.goals.len() as u64;
        expanded * WORK_PER_STATE + self.generated * work_per_successor(self.explorer)
    }

    /// The steps count twice: they are turned round at the end.
    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.goals.capacity() + 2 * self.steps.bytes()
    }

    fn expand_next(&mut self) {
        let node = self.goals.len() as NodeNumber;
        let Exploration { explorer, costs, workspace, nodes, batch, steps, state, .. } = self;
        nodes.unpack(explorer, node, state);
        let labelled = steps.labels.is_some();
        let expanded = explorer.successors(workspace, state, &mut |successor, step| {
            let label = if labelled { first_edge(explorer, step) } else { 0 };
            let cost = costs.map_or(1, |costs| costs(explorer, step));
            batch.offer(explorer, nodes, successor, GraphStep { to: 0, label, cost });
        });
        let successors = batch.steps.len();
        self.generated += successors as u64;
        let is_goal = self.is_end(expanded, successors);
        self.goals.push(is_goal);
        self.batch.settle(&mut self.nodes);
        self.record(node);
    }

    /// Whether a node satisfies the goal or raises an error that is as good.
    fn is_end(&mut self, expanded: Result<(), Raised>, successors: usize) -> bool {
        if let Err(raised) = expanded {
            self.raises_errors = true;
            if self.counts(&raised.error) {
                return true;
            }
        }
        // Whether a step is possible need not be found out twice.
        if self.explorer.seeks_dead_ends() && successors > 0 {
            return false;
        }
        let is_goal = self.explorer.is_goal(&mut self.workspace, &self.state);
        // Where the goal cannot be told it may be reached.
        is_goal.unwrap_or(true)
    }

    fn counts(&self, error: &RunTimeError) -> bool {
        self.explorer.counts_errors() || error.lacks_room()
    }

    /// Keeps the steps of the batch, those that leave out something better aside: no shortest path takes
    /// a step from a state to itself, nor the more expensive one of two that are alike.
    fn record(&mut self, from: NodeNumber) {
        let steps = &mut self.batch.steps;
        steps.retain(|step| step.to != from);
        steps.sort_unstable();
        steps.dedup_by_key(|step| (step.to, step.label));
        for step in steps.drain(..) {
            self.steps.push(step);
        }
        self.steps.ends.push(self.steps.targets.len() as u32);
    }

    fn finish(self) -> StateGraph {
        let (work, count) = (self.work(), self.nodes.len());
        StateGraph {
            predecessors: Predecessors::of(&self.steps, count),
            nodes: self.nodes,
            goals: self.goals,
            roots: self.roots,
            work,
            raises_errors: self.raises_errors,
            exact: self.explorer.is_exact(),
        }
    }
}

impl Batch {
    #[inline]
    fn offer(&mut self, explorer: &Explorer, nodes: &mut Nodes, state: &[i32], step: GraphStep) {
        let from = self.packed.len();
        nodes.push_key(explorer, state, &mut self.packed);
        self.hashes.push(hash(&self.packed[from..]));
        self.steps.push(step);
    }

    /// Finds or stores what was offered, and writes the numbers of the nodes to the steps.
    fn settle(&mut self, nodes: &mut Nodes) {
        let width = nodes.keys.width();
        nodes.keys.touch(self.hashes.iter().copied());
        for (i, (step, hash)) in self.steps.iter_mut().zip(self.hashes.drain(..)).enumerate() {
            (step.to, _) = nodes.keys.insert(hash, &self.packed[i * width..(i + 1) * width]);
        }
        self.packed.clear();
    }
}

/// The number of a step's first edge.
fn first_edge(explorer: &Explorer, step: Step) -> u32 {
    explorer.edges_of(step).next().map_or(0, |edge| network::Id::index(edge) as u32)
}
