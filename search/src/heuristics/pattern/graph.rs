//! All states of an abstract network and the steps between them.
//!
//! A state whose zone lies within that of a node is taken for that node: what the state can do, the node
//! can do, so that distances get lower at most. A node that was expanded is never given up for a larger
//! one: it knows more. One that was not yet is absorbed.

use super::explorations::{Explorations, Spent};
use super::predecessors::Predecessors;
use super::step_costs::StepCosts;
use crate::catalog::Budget;
use crate::chunks::Chunks;
use crate::discrete_table::{DiscreteTable, hash};
use crate::limits::{WORK_PER_STATE, work_per_successor};
use crate::zone_store::{ZoneRef, ZoneStore};
use crate::{Control, Observer, Statistics};
use explore::{Abstraction, Explorer, Layout, Raised, Step, Workspace};
use network::cancellation;
use std::sync::Arc;

/// What there is for building a graph.
pub struct Building<'b> {
    /// How much may be spent; what is not explored then is treated as if the goal were there.
    pub budget: Budget,
    /// What steps cost; 1 each if nothing is said.
    pub costs: Option<&'b StepCosts>,
    /// Whether to keep the first edge of each step, so that costs can be changed later.
    pub labelled: bool,
    /// Told how it goes; says whether to go on.
    pub observer: &'b mut dyn Observer,
    /// What was explored before, to be found again here; nothing is kept if there is none.
    pub explorations: Option<&'b mut Explorations>,
}

impl<'b> Building<'b> {
    /// Nothing but a budget and somebody who watches.
    pub fn new(budget: Budget, observer: &'b mut dyn Observer) -> Building<'b> {
        Building { budget, costs: None, labelled: false, observer, explorations: None }
    }
}

/// A node of the graph; nodes are numbered as breadth-first search finds them.
pub type NodeNumber = u32;

/// How many expansions pass between two calls of the observer and two looks at the memory.
const TICK: usize = 256;

/// Many nodes wait if they are more than this part of those that were expanded.
const WIDE: usize = 16;

/// No more nodes, and no more steps, than numbers reach; some are left for the last expansion.
const MOST_NUMBERED: usize = u32::MAX as usize - (1 << 20);

/// How many steps of several processes one node may have: where choices multiply, it could be any number.
const MOST_MEETINGS: usize = 1 << 20;

/// The states of an abstract network that can be reached, the steps between them, and which are goals.
pub struct StateGraph {
    pub(super) explored: Arc<Explored>,
    /// Whether each node that was expanded is a goal, or has too many steps to look at.
    pub(super) goals: Vec<bool>,
    /// Whether the states were known before.
    reused: bool,
}

/// What does not depend on the goal.
pub(super) struct Explored {
    pub nodes: Nodes,
    /// The number of nodes that were expanded: the first ones.
    pub expanded: usize,
    /// Those of them that are the end of a path whatever the goal is, in order.
    endings: Vec<(NodeNumber, Ending)>,
    pub predecessors: Predecessors,
    /// The nodes that were given up before they were expanded, and those that stand for them.
    pub absorbed: Vec<(NodeNumber, NodeNumber)>,
    roots: Vec<NodeNumber>,
    work: u64,
    leaves_out_steps: bool,
    raises_errors: bool,
    exact: bool,
    spent: Spent,
}

/// Why a node is the end of a path, whatever the goal is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// A step raises an error: it is an end if errors count.
    Error,
    /// A step finds no room for a process, or steps were left out that may lead to a goal.
    Always,
}

impl StateGraph {
    /// Explores an abstract network as far as the budget goes.
    ///
    /// Its zones must be extrapolated, so that they are finite in number and equal ones are found again.
    pub fn explore<'e>(explorer: &'e Explorer, mut building: Building<'e>) -> StateGraph {
        let extrapolated = explorer.abstraction() == Abstraction::ExtraLu;
        assert!(explorer.layout.dim == 0 || extrapolated, "zones are not extrapolated");
        match building.explorations.take() {
            Some(explorations) => explorations.explore(explorer, building),
            None => StateGraph::explore_anew(explorer, building),
        }
    }

    /// The same, whatever was explored before.
    pub(super) fn explore_anew<'e>(explorer: &'e Explorer, building: Building<'e>) -> StateGraph {
        let mut exploration = Exploration::new(explorer, &building);
        exploration.begin();
        while exploration.goals.len() < exploration.nodes.len()
            && exploration.may_go_on(building.observer)
        {
            exploration.expand_next(&building.budget);
        }
        exploration.finish()
    }

    /// What was explored before, with the goals of an explorer that behaves in the same way. It must not ask for
    /// deadlocks: about these more would have to be known.
    pub(super) fn with_goals_of(explored: Arc<Explored>, explorer: &Explorer) -> StateGraph {
        StateGraph { goals: explored.goals(explorer), explored, reused: true }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.explored.nodes.len()
    }

    /// Whether there are none: the abstract network has no initial state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The steps that lead to a node, each with the node it leaves in the place of its target.
    pub(super) fn steps_to(&self, node: NodeNumber) -> impl Iterator<Item = GraphStep> {
        self.explored.predecessors.to(node)
    }

    /// The number of steps: those from a state to itself do not count, nor do steps that are alike.
    pub fn steps(&self) -> usize {
        self.explored.predecessors.steps()
    }

    /// Whether some nodes were not expanded, or not quite, so that more may exist.
    pub fn is_truncated(&self) -> bool {
        self.explored.is_truncated()
    }

    /// Whether every state of the abstract network is a node. Where an error was raised, the concrete
    /// network may go on if it raises none.
    pub fn is_complete(&self) -> bool {
        !self.is_truncated() && !self.explored.raises_errors
    }

    /// Whether every path of it is a run of the abstract network.
    pub(super) fn is_exact(&self) -> bool {
        self.explored.exact
    }

    /// Whether the states were known from an exploration before.
    pub fn is_reused(&self) -> bool {
        self.reused
    }

    /// The initial states.
    pub fn roots(&self) -> &[NodeNumber] {
        &self.explored.roots
    }

    /// How much work it was, in the unit of `Heuristic::work`; the same if it was done before.
    pub fn work(&self) -> u64 {
        self.explored.work
    }

    /// The bytes it takes; the same if others have a part of them as well.
    pub fn bytes(&self) -> usize {
        self.explored.bytes()
    }
}

impl Explored {
    fn is_truncated(&self) -> bool {
        self.expanded < self.nodes.len() || self.leaves_out_steps
    }

    /// The bytes it takes, goals included.
    pub fn bytes(&self) -> usize {
        let endings = self.endings.capacity() * size_of::<(NodeNumber, Ending)>();
        self.nodes.bytes() + self.expanded + endings + self.predecessors.bytes()
    }

    /// Whether somebody put an end to it.
    pub fn is_stopped(&self) -> bool {
        self.spent.is_stopped
    }

    /// Whether it would have been the same with another budget.
    pub fn would_do(&self, budget: &Budget) -> bool {
        self.spent.would_do(budget, self.is_truncated())
    }

    /// What there is to tell somebody who watches.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            explored: self.expanded as u64,
            stored: self.nodes.len() as u64,
            bytes: self.bytes() as u64,
            ..Statistics::default()
        }
    }

    /// Whether each node that was expanded is an end for an explorer that asks for no deadlock; of those that
    /// were given up nobody asks.
    fn goals(&self, explorer: &Explorer) -> Vec<bool> {
        let (mut workspace, mut state) = (explorer.workspace(), vec![0; explorer.layout.words()]);
        let mut endings = self.endings.iter().peekable();
        let is_goal = |node: NodeNumber| {
            cancellation::check();
            let ending = endings.next_if(|(at, _)| *at == node).map(|(_, ending)| *ending);
            is_end_of_path(explorer, ending).unwrap_or_else(|| {
                self.nodes.unpack(node, &mut state);
                is_goal(explorer, &mut workspace, &state)
            })
        };
        (0..self.expanded as NodeNumber).map(is_goal).collect()
    }
}

/// Whether a node is an end because of what its steps do; none if the goal decides.
fn is_end_of_path(explorer: &Explorer, ending: Option<Ending>) -> Option<bool> {
    let is_end = match ending? {
        Ending::Always => true,
        Ending::Error => explorer.counts_errors(),
    };
    is_end.then_some(true)
}

/// Whether a state satisfies the goal, or that cannot be told.
fn is_goal(explorer: &Explorer, workspace: &mut Workspace, state: &[i32]) -> bool {
    explorer.is_goal(workspace, state).unwrap_or(true)
}

/// The nodes: one for each discrete part or, if there are clocks, for some zones of it.
pub(super) struct Nodes {
    discrete: DiscreteTable,
    /// The latest node of each discrete part, if there are clocks.
    heads: Chunks<NodeNumber>,
    /// What belongs to each node, if there are clocks.
    links: Chunks<Link>,
    packed: Vec<u8>,
    pub zones: ZoneStore,
    /// All clocks: extrapolated zones know each of them.
    clocks: Vec<usize>,
    pub layout: Layout,
}

/// A node of a network with clocks.
#[derive(Clone, Copy)]
struct Link {
    discrete: u32,
    zone: ZoneRef,
    /// The node with the same discrete part that was found before.
    next: NodeNumber,
    /// The node that took its place before it was expanded.
    absorbed_by: NodeNumber,
}

/// No node.
const NONE: NodeNumber = NodeNumber::MAX;

impl Nodes {
    fn new(explorer: &Explorer) -> Nodes {
        let layout = explorer.layout.clone();
        Nodes {
            discrete: DiscreteTable::new(packed_bytes(&layout)),
            heads: Chunks::new(),
            links: Chunks::new(),
            packed: Vec::new(),
            zones: ZoneStore::new(explorer),
            clocks: (0..layout.dim).collect(),
            layout,
        }
    }

    pub fn len(&self) -> usize {
        if self.is_timed() { self.links.len() } else { self.discrete.len() }
    }

    fn is_timed(&self) -> bool {
        self.layout.dim > 0
    }

    fn bytes(&self) -> usize {
        self.discrete.bytes() + self.zones.bytes() + self.heads.bytes() + self.links.bytes()
    }

    /// The number of bytes of packed words.
    pub fn packed_bytes(&self) -> usize {
        packed_bytes(&self.layout)
    }

    /// The packed words of a node.
    pub fn packed(&self, node: NodeNumber) -> &[u8] {
        let discrete = if self.is_timed() { self.links[node].discrete } else { node };
        self.discrete.at(discrete)
    }

    /// The zone of a node of a network with clocks.
    pub fn zone(&self, node: NodeNumber) -> ZoneRef {
        self.links[node].zone
    }

    /// The node that stands for a state of a network with clocks: the smallest whose zone covers that of the
    /// state, or a new one. Nodes up to `expanded` were expanded, or are about to be.
    fn find_timed(
        &mut self,
        explorer: &Explorer,
        state: &[i32],
        expanded: Option<NodeNumber>,
    ) -> NodeNumber {
        self.packed.clear();
        pack(&self.layout, state, &mut self.packed);
        let (discrete, known) = self.discrete.insert(hash(&self.packed), &self.packed);
        if !known {
            self.heads.push(NONE);
        }
        self.zones.offer(explorer, state);
        // Those found earlier lie within later ones, if any.
        let mut found = NONE;
        let mut at = self.heads[discrete];
        while at != NONE {
            if self.zones.covers_offered(self.links[at].zone) {
                found = at;
            }
            at = self.links[at].next;
        }
        if found != NONE {
            return found;
        }
        let node = self.links.len() as NodeNumber;
        self.absorb(discrete, node, expanded);
        let zone = self.zones.store_offered();
        let next = std::mem::replace(&mut self.heads[discrete], node);
        self.links.push(Link { discrete, zone, next, absorbed_by: NONE });
        node
    }

    /// Gives up the nodes within the offered zone that were not expanded yet, for the one that comes next.
    fn absorb(&mut self, discrete: u32, by: NodeNumber, expanded: Option<NodeNumber>) {
        let mut before = NONE;
        let mut at = self.heads[discrete];
        while at != NONE {
            let Link { zone, next, .. } = self.links[at];
            let is_open = expanded.is_none_or(|expanded| at > expanded);
            if is_open && self.zones.offered_covers(zone) {
                self.links[at].absorbed_by = by;
                match before {
                    NONE => self.heads[discrete] = next,
                    before => self.links[before].next = next,
                }
            } else {
                before = at;
            }
            at = next;
        }
    }

    /// The node that stands for another one.
    fn standing_for(&self, mut node: NodeNumber) -> NodeNumber {
        while self.is_timed() && self.links[node].absorbed_by != NONE {
            node = self.links[node].absorbed_by;
        }
        node
    }

    fn is_absorbed(&self, node: NodeNumber) -> bool {
        self.is_timed() && self.links[node].absorbed_by != NONE
    }

    fn unpack(&self, node: NodeNumber, state: &mut [i32]) {
        let (identity, meta) = (self.layout.identity_packing(), self.layout.meta_packing());
        let packed = self.packed(node);
        identity.unpack(packed, state);
        meta.unpack(&packed[identity.bytes()..], state);
        if self.is_timed() {
            let zone = self.zones.at(self.zone(node));
            zone.unpack(&self.clocks, &mut state[self.layout.zone()], self.layout.dim);
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
    costs: Option<&'e StepCosts>,
    workspace: Workspace,
    nodes: Nodes,
    goals: Vec<bool>,
    endings: Vec<(NodeNumber, Ending)>,
    roots: Vec<NodeNumber>,
    steps: StepLists,
    generated: u64,
    leaves_out_steps: bool,
    raises_errors: bool,
    spent: Spent,
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
            endings: Vec::new(),
            roots: Vec::new(),
            steps: StepLists {
                targets: Chunks::new(),
                costs: building.costs.map(|_| Chunks::new()),
                labels: building.labelled.then(Chunks::new),
                ends: Chunks::new(),
            },
            generated: 0,
            leaves_out_steps: false,
            raises_errors: false,
            spent: Spent::of(building.budget),
            state: vec![0; explorer.layout.words()],
            batch: Batch::default(),
        }
    }

    fn begin(&mut self) {
        let Exploration { explorer, workspace, nodes, batch, .. } = self;
        let initial = explorer.initial(workspace, &mut |state, _| {
            batch.offer(explorer, nodes, (state, None), GraphStep { to: 0, label: 0, cost: 0 });
        });
        self.raises_errors |= initial.is_err();
        self.batch.settle(&mut self.nodes);
        self.roots.extend(self.batch.steps.drain(..).map(|step| step.to));
    }

    /// Whether the budget and the observer allow another expansion.
    fn may_go_on(&mut self, observer: &mut dyn Observer) -> bool {
        cancellation::check();
        self.spent.note_work(self.work());
        if self.is_wide() {
            self.spent.note_work_while_wide(self.work());
        }
        self.spent.note_states(self.nodes.len());
        // Counting bytes takes the longer the more there are.
        let bytes = self.goals.len().is_multiple_of(TICK).then(|| self.bytes());
        bytes.into_iter().for_each(|bytes| self.spent.note_memory(bytes));
        self.spent.is_within_budget()
            && self.nodes.len().max(self.steps.targets.len()) < MOST_NUMBERED
            && !self.nodes.zones.has_overflowed()
            && bytes.is_none_or(|bytes| self.is_wanted(bytes, observer))
    }

    /// Whether many states wait: then they become more or have just begun to become fewer.
    fn is_wide(&self) -> bool {
        let (expanded, waiting) = (self.goals.len(), self.nodes.len() - self.goals.len());
        waiting > expanded / WIDE
    }

    fn is_wanted(&mut self, bytes: usize, observer: &mut dyn Observer) -> bool {
        let statistics = Statistics {
            explored: self.goals.len() as u64,
            generated: self.generated,
            stored: self.nodes.len() as u64,
            bytes: bytes as u64,
            ..Statistics::default()
        };
        let is_wanted = observer.prepares(&statistics) == Control::Continue;
        self.spent.is_stopped |= !is_wanted;
        is_wanted
    }

    fn work(&self) -> u64 {
        let expanded = self.goals.len() as u64;
        expanded * WORK_PER_STATE + self.generated * work_per_successor(self.explorer)
    }

    /// The steps count twice: they are turned round at the end.
    fn bytes(&self) -> usize {
        let endings = self.endings.capacity() * size_of::<(NodeNumber, Ending)>();
        self.nodes.bytes() + self.goals.capacity() + endings + 2 * self.steps.bytes()
    }

    fn expand_next(&mut self, budget: &Budget) {
        let node = self.goals.len() as NodeNumber;
        if self.nodes.is_absorbed(node) {
            self.goals.push(false);
            return self.record(node);
        }
        self.workspace.look_at_most(self.most_meetings(budget));
        let Exploration { explorer, costs, workspace, nodes, batch, steps, state, .. } = self;
        nodes.unpack(node, state);
        let labelled = steps.labels.is_some();
        let expanded = explorer.successors(workspace, state, &mut |successor, step| {
            let label = if labelled { first_edge(explorer, step) } else { 0 };
            let cost = costs.map_or(1, |costs| costs.of(explorer, step));
            let offered = (successor, Some(node));
            batch.offer(explorer, nodes, offered, GraphStep { to: 0, label, cost });
        });
        self.note_meetings();
        let successors = self.batch.steps.len();
        self.generated += successors as u64;
        let ending = self.ending(expanded);
        self.endings.extend(ending.map(|ending| (node, ending)));
        let is_goal = self.is_end(ending, successors);
        self.goals.push(is_goal);
        self.batch.settle(&mut self.nodes);
        self.record(node);
    }

    /// How many steps of several processes may be looked at before the budget is used up.
    fn most_meetings(&self, budget: &Budget) -> usize {
        let left = budget.work.map_or(u64::MAX, |most| most.saturating_sub(self.work()));
        let most = left / work_per_successor(self.explorer);
        usize::try_from(most).unwrap_or(MOST_MEETINGS).clamp(1, MOST_MEETINGS)
    }

    /// Notes for how many steps of several processes the budget had to have room.
    fn note_meetings(&mut self) {
        let meetings = self.workspace.steps_to_look_at() as u64;
        // One is always looked at.
        if meetings > 1 && !self.workspace.left_out_steps() {
            let work = self.work() + meetings * work_per_successor(self.explorer);
            self.spent.note_work(work - 1);
        }
    }

    /// Why the node that was expanded is an end whatever the goal is, if it is.
    fn ending(&mut self, expanded: Result<(), Raised>) -> Option<Ending> {
        // What was left out may be a step to a goal.
        let leaves_out = self.workspace.left_out_steps();
        self.leaves_out_steps |= leaves_out;
        self.raises_errors |= expanded.is_err();
        match expanded {
            _ if leaves_out => Some(Ending::Always),
            Err(raised) if raised.error.lacks_room() => Some(Ending::Always),
            Err(_) => Some(Ending::Error),
            Ok(()) => None,
        }
    }

    /// Whether a node satisfies the goal or raises an error that is as good.
    fn is_end(&mut self, ending: Option<Ending>, successors: usize) -> bool {
        is_end_of_path(self.explorer, ending).unwrap_or_else(|| {
            // Whether a step is possible need not be found out twice.
            (!self.explorer.seeks_dead_ends() || successors == 0)
                && is_goal(self.explorer, &mut self.workspace, &self.state)
        })
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

    fn finish(mut self) -> StateGraph {
        let (work, count) = (self.work(), self.nodes.len());
        let Exploration { nodes, steps, roots, .. } = &mut self;
        let absorbed = (0..count as NodeNumber).filter(|&node| nodes.is_absorbed(node));
        let absorbed: Vec<_> = absorbed.map(|node| (node, nodes.standing_for(node))).collect();
        if !absorbed.is_empty() {
            for step in 0..steps.targets.len() as u32 {
                steps.targets[step] = nodes.standing_for(steps.targets[step]);
            }
            roots.iter_mut().for_each(|root| *root = nodes.standing_for(*root));
        }
        let explored = Explored {
            predecessors: Predecessors::of(&self.steps, count),
            nodes: self.nodes,
            expanded: self.goals.len(),
            endings: self.endings,
            absorbed,
            roots: self.roots,
            work,
            leaves_out_steps: self.leaves_out_steps,
            raises_errors: self.raises_errors,
            exact: self.explorer.is_exact(),
            spent: self.spent,
        };
        StateGraph { explored: Arc::new(explored), goals: self.goals, reused: false }
    }
}

impl Batch {
    /// Takes note of a state; `expanded` is the node that it comes from.
    #[inline]
    fn offer(
        &mut self,
        explorer: &Explorer,
        nodes: &mut Nodes,
        (state, expanded): (&[i32], Option<NodeNumber>),
        step: GraphStep,
    ) {
        if nodes.is_timed() {
            let to = nodes.find_timed(explorer, state, expanded);
            return self.steps.push(GraphStep { to, ..step });
        }
        let from = self.packed.len();
        pack(&nodes.layout, state, &mut self.packed);
        self.hashes.push(hash(&self.packed[from..]));
        self.steps.push(step);
    }

    /// Finds or stores what was offered, and writes the numbers of the nodes to the steps.
    fn settle(&mut self, nodes: &mut Nodes) {
        if nodes.is_timed() {
            return;
        }
        let width = nodes.discrete.width();
        nodes.discrete.touch(self.hashes.iter().copied());
        for (i, (step, hash)) in self.steps.iter_mut().zip(self.hashes.drain(..)).enumerate() {
            (step.to, _) = nodes.discrete.insert(hash, &self.packed[i * width..(i + 1) * width]);
        }
        self.packed.clear();
    }
}

/// The number of a step's first edge.
fn first_edge(explorer: &Explorer, step: Step) -> u32 {
    explorer.edges_of(step).next().map_or(0, |edge| network::Id::index(edge) as u32)
}
