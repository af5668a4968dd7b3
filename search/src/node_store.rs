//! Every node of a search: its state, cost, parent and the step that led to it.
//!
//! Discrete parts are packed, stored once and found by hashing; the nodes with the same discrete
//! part form a chain. A node whose zone another one covers at no higher cost gives its zone back,
//! but stays as a possible ancestor (docs/algorithms.md, section 1.4).

use crate::chunks::Chunks;
use crate::configuration::Dominance;
use crate::discrete_table::{DiscreteTable, hash};
use crate::open_list::NodeId;
use crate::representative::Representatives;
use crate::zone_store::{ZoneRef, ZoneStore};
use explore::{Explorer, Path, Step};
use rustc_hash::FxHashMap;

/// No node, no zone.
const NONE: u32 = u32::MAX;

/// The bit of a node's cost that says it was explored.
const EXPLORED: u32 = 1 << 31;

/// Where an offered state comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The node it is a successor of; none for the initial state.
    pub parent: Option<NodeId>,
    /// The step.
    pub step: Step<'a>,
    /// The cost of the path to it.
    pub cost: u32,
    /// What must be equal, beside the state, for two nodes to be the same.
    pub label: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: NodeId,
    step: u32,
    /// The cost, and whether the node was explored: see [`EXPLORED`].
    cost: u32,
}

/// What a node of a model with clocks has beside that. Without clocks there is one node for each
/// discrete part, and both have the same number.
#[derive(Clone, Copy, Debug)]
struct Link {
    discrete: u32,
    zone: ZoneRef,
    /// The next node with the same discrete part.
    next: NodeId,
}

impl Node {
    fn cost(&self) -> u32 {
        self.cost & !EXPLORED
    }
    fn is_explored(&self) -> bool {
        self.cost & EXPLORED != 0
    }
}

/// A state without clocks that was offered; its packed form and its step lie in the batch.
#[derive(Clone, Copy, Debug)]
struct Offered {
    hash: usize,
    parent: NodeId,
    cost: u32,
    /// Behind the last word of its step.
    steps_end: u32,
    transient: bool,
}

/// Offered states that are not looked up yet.
#[derive(Debug, Default)]
struct Batch {
    offers: Vec<Offered>,
    packed: Vec<u8>,
    beside: Vec<u8>,
    steps: Vec<i32>,
}

impl Batch {
    fn clear(&mut self) {
        self.offers.clear();
        self.packed.clear();
        self.beside.clear();
        self.steps.clear();
    }
}

/// The store.
pub struct NodeStore<'a> {
    explorer: &'a Explorer,
    nodes: Chunks<Node>,
    links: Chunks<Link>,
    live: u64,
    /// How many of them are in the middle of a longer step.
    transient: u64,
    /// Whether the state that is being offered is one of those.
    offered_transient: bool,
    discrete: DiscreteTable,
    /// The first node of each discrete part.
    heads: Chunks<NodeId>,
    zones: ZoneStore,
    timed: bool,
    dominance: Dominance,
    /// Whether labels tell nodes apart.
    labelled: bool,
    reopened: u64,
    /// What each node has beside its key: see [`NodeStore::push_beside`].
    beside: Vec<u8>,
    bytes_beside: usize,
    steps: StepTable,
    packed: Vec<u8>,
    batch: Batch,
    /// The nodes that were stored since the last [`NodeStore::settle`].
    fresh: Vec<NodeId>,
    /// See [`NodeStore::take_successor`].
    successor: Option<NodeId>,
    representatives: Option<Box<dyn Representatives + 'a>>,
    /// The state that the offered one is found under.
    key: Vec<i32>,
}

impl<'a> NodeStore<'a> {
    /// An empty store for an explorer's states.
    pub fn new(
        explorer: &'a Explorer,
        dominance: Dominance,
        labelled: bool,
        representatives: Option<Box<dyn Representatives + 'a>>,
    ) -> Self {
        let label = if labelled { size_of::<u32>() } else { 0 };
        let how = if representatives.is_some() { size_of::<u32>() } else { 0 };
        // A cheaper path to a state may have other meta variables, on which later steps depend.
        let meta = explorer.layout.has_meta();
        let dominance = if meta { Dominance::AnyCost } else { dominance };
        NodeStore {
            explorer,
            nodes: Chunks::new(),
            links: Chunks::new(),
            live: 0,
            transient: 0,
            offered_transient: false,
            discrete: DiscreteTable::new(explorer.layout.identity_packing().bytes() + label),
            heads: Chunks::new(),
            zones: ZoneStore::new(explorer),
            timed: explorer.layout.dim > 0,
            dominance,
            labelled,
            reopened: 0,
            beside: Vec::new(),
            bytes_beside: explorer.layout.meta_packing().bytes() + how,
            steps: StepTable::new(explorer.edges().len()),
            packed: Vec::new(),
            batch: Batch::default(),
            fresh: Vec::new(),
            successor: None,
            representatives,
            key: vec![0; explorer.layout.words()],
        }
    }

    /// Takes note of a state, to be stored by [`Self::settle`] unless one in the store covers it at no
    /// higher cost. All successors of a state are offered before one is looked up: looking up is
    /// waiting for memory, and so the waits overlap.
    pub fn offer(&mut self, state: &[i32], origin: Origin) {
        let Some(representatives) = &mut self.representatives else {
            return self.offer_under(state, state, 0, origin);
        };
        let mut key = std::mem::take(&mut self.key);
        key.copy_from_slice(state);
        let how = representatives.represent(&mut key);
        self.offer_under(&key, state, how, origin);
        self.key = key;
    }

    /// Takes note of a state that is found under another one.
    #[inline(always)]
    fn offer_under(&mut self, key: &[i32], state: &[i32], how: u32, origin: Origin) {
        if self.timed {
            let fresh = self.offer_timed(key, state, how, origin);
            self.fresh.extend(fresh);
            return;
        }
        let from = self.batch.packed.len();
        self.explorer.layout.identity_packing().pack(key, &mut self.batch.packed);
        if self.labelled {
            self.batch.packed.extend_from_slice(&origin.label.to_le_bytes());
        }
        if self.bytes_beside > 0 {
            let mut beside = std::mem::take(&mut self.batch.beside);
            self.push_beside(state, how, &mut beside);
            self.batch.beside = beside;
        }
        self.batch.steps.extend_from_slice(origin.step.words());
        self.batch.offers.push(Offered {
            hash: hash(&self.batch.packed[from..]),
            parent: origin.parent.unwrap_or(NONE),
            cost: origin.cost,
            steps_end: self.batch.steps.len() as u32,
            transient: self.explorer.is_transient(state),
        });
    }

    /// Stores what was offered, and appends the new nodes.
    pub fn settle(&mut self, fresh: &mut Vec<NodeId>) {
        fresh.append(&mut self.fresh);
        if self.batch.offers.is_empty() {
            return;
        }
        self.discrete.touch(self.batch.offers.iter().map(|offered| offered.hash));
        let mut batch = std::mem::take(&mut self.batch);
        let (width, beside) = (self.discrete.width(), self.bytes_beside);
        let mut step = 0;
        let mut alike = 0;
        for (i, offered) in batch.offers.iter().enumerate() {
            let steps_end = offered.steps_end as usize;
            let packed = &batch.packed[i * width..(i + 1) * width];
            let (id, known) = self.discrete.insert(offered.hash, packed);
            let cheaper = known && self.is_cheaper(offered.cost, id);
            alike +=
                u64::from(known && self.is_alike(id, &batch.beside[i * beside..(i + 1) * beside]));
            // One that is yet to be explored leads farther.
            if self.successor.is_none() || !known || !self.nodes[id].is_explored() {
                self.successor = Some(id);
            }
            if !known || cheaper {
                let step = self.steps.intern(&batch.steps[step..steps_end]);
                let node = Node { parent: offered.parent, step, cost: offered.cost };
                let own = &batch.beside[i * beside..(i + 1) * beside];
                if cheaper {
                    self.reopened += self.nodes[id].is_explored() as u64;
                    self.nodes[id] = node;
                    let at = id as usize * beside;
                    self.beside[at..at + beside].copy_from_slice(own);
                } else {
                    self.nodes.push(node);
                    self.beside.extend_from_slice(own);
                    self.live += 1;
                    self.transient += offered.transient as u64;
                }
                fresh.push(id);
            }
            step = steps_end;
        }
        if let Some(representatives) = &mut self.representatives {
            representatives.account(batch.offers.len() as u64, alike);
        }
        batch.clear();
        self.batch = batch;
    }

    /// Whether a state that was found under a node is another one than the node's.
    fn is_alike(&self, node: NodeId, beside: &[u8]) -> bool {
        let meta = self.explorer.layout.meta_packing().bytes();
        let own = &self.beside[node as usize * self.bytes_beside..][..self.bytes_beside];
        self.representatives.is_some() && own[meta..] != beside[meta..]
    }

    /// Whether a path to a known state is worth following because of its cost.
    fn is_cheaper(&self, cost: u32, known: NodeId) -> bool {
        self.dominance == Dominance::Reopen && cost < self.nodes[known].cost()
    }

    /// What a node has beside its key: its meta variables, and how its state differs from the key.
    fn push_beside(&self, state: &[i32], how: u32, out: &mut Vec<u8>) {
        self.explorer.layout.meta_packing().pack(state, out);
        if self.representatives.is_some() {
            out.extend_from_slice(&how.to_le_bytes());
        }
    }

    fn offer_timed(
        &mut self,
        key: &[i32],
        state: &[i32],
        how: u32,
        origin: Origin,
    ) -> Option<NodeId> {
        self.offered_transient = self.explorer.is_transient(state);
        if let Some(representatives) = &mut self.representatives {
            representatives.account(1, 0);
        }
        self.packed.clear();
        self.explorer.layout.identity_packing().pack(key, &mut self.packed);
        if self.labelled {
            self.packed.extend_from_slice(&origin.label.to_le_bytes());
        }
        let (discrete, known) = self.discrete.insert(hash(&self.packed), &self.packed);
        if !known {
            self.heads.push(NONE);
        }
        self.zones.offer(self.explorer, key);
        if known && let Some(node) = self.covering(discrete, origin.cost) {
            self.account_for(node, how);
            return None;
        }
        if known {
            self.drop_covered(discrete, origin.cost);
        }
        let zone = self.zones.store_offered();
        let next = std::mem::replace(&mut self.heads[discrete], self.nodes.len() as NodeId);
        self.links.push(Link { discrete, zone, next });
        Some(self.insert(state, how, origin))
    }

    /// Counts a node with the offered discrete part as gone.
    fn forget(&mut self) {
        self.live -= 1;
        self.transient -= self.offered_transient as u64;
    }

    /// Tells the representatives of a state that is covered.
    fn account_for(&mut self, node: NodeId, how: u32) {
        let meta = self.explorer.layout.meta_packing().bytes();
        let at = node as usize * self.bytes_beside + meta;
        if let Some(representatives) = &mut self.representatives {
            let is_alike = self.beside[at..at + size_of::<u32>()] != how.to_le_bytes();
            representatives.account(0, u64::from(is_alike));
        }
    }

    /// A node that covers the offered state.
    fn covering(&self, discrete: u32, cost: u32) -> Option<NodeId> {
        let mut at = self.heads[discrete];
        while at != NONE {
            let Link { zone, next, .. } = self.links[at];
            let cheap = self.dominance == Dominance::AnyCost || self.nodes[at].cost() <= cost;
            if cheap && self.zones.covers_offered(zone) {
                return Some(at);
            }
            at = next;
        }
        None
    }

    fn drop_covered(&mut self, discrete: u32, cost: u32) {
        let mut before = NONE;
        let mut at = self.heads[discrete];
        while at != NONE {
            let node = self.nodes[at];
            let Link { next, zone, .. } = self.links[at];
            let replaceable = match self.dominance {
                Dominance::AnyCost => true,
                // An explored node has done its duty: a covering one replaces it at any cost.
                Dominance::InOrder => cost <= node.cost() || node.is_explored(),
                Dominance::Reopen => cost <= node.cost(),
            };
            if replaceable && self.zones.offered_covers(zone) {
                let cheaper = self.dominance == Dominance::Reopen && cost < node.cost();
                self.reopened += (cheaper && node.is_explored()) as u64;
                self.zones.release(zone);
                self.links[at].zone = NONE;
                match before {
                    NONE => self.heads[discrete] = next,
                    _ => self.links[before].next = next,
                }
                self.forget();
            } else {
                before = at;
            }
            at = next;
        }
    }

    fn insert(&mut self, state: &[i32], how: u32, origin: Origin) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let parent = origin.parent.unwrap_or(NONE);
        let step = self.steps.intern(origin.step.words());
        self.nodes.push(Node { parent, step, cost: origin.cost });
        self.live += 1;
        self.transient += self.offered_transient as u64;
        let mut beside = std::mem::take(&mut self.beside);
        self.push_beside(state, how, &mut beside);
        self.beside = beside;
        id
    }

    /// Whether a better node has replaced this one, or it was explored already.
    pub fn is_stale(&self, node: NodeId) -> bool {
        self.nodes[node].is_explored() || self.timed && self.links[node].zone == NONE
    }

    /// How many explored states were reached again at a lower cost.
    pub fn reopened(&self) -> u64 {
        self.reopened
    }

    /// The step that led to a node; none for an initial state.
    pub fn step(&self, node: NodeId) -> Step<'_> {
        let Node { parent, step, .. } = self.nodes[node];
        if parent == NONE { Step::default() } else { Step::from_words(self.steps.at(step)) }
    }

    /// The cost of the path to a node.
    pub fn cost(&self, node: NodeId) -> u32 {
        self.nodes[node].cost()
    }

    /// One of the nodes of the states that were offered since this was asked last. (Of models with clocks
    /// nothing is known.)
    pub fn take_successor(&mut self) -> Option<NodeId> {
        self.successor.take()
    }

    /// Notes that a node is explored now.
    pub fn mark_explored(&mut self, node: NodeId) {
        self.nodes[node].cost |= EXPLORED;
    }

    /// Notes that a node is to be explored again.
    pub fn unmark_explored(&mut self, node: NodeId) {
        self.nodes[node].cost &= !EXPLORED;
    }

    /// The number of a node's discrete part.
    pub fn discrete_part(&self, node: NodeId) -> u32 {
        if self.timed { self.links[node].discrete } else { node }
    }

    /// Writes out the state of a node that is not stale.
    pub fn unpack(&mut self, node: NodeId, state: &mut [i32]) {
        let discrete = self.discrete_part(node);
        let layout = &self.explorer.layout;
        layout.identity_packing().unpack(self.discrete.at(discrete), state);
        if self.timed {
            self.zones.unpack(self.explorer, self.links[node].zone, state);
        }
        let bytes = self.bytes_beside;
        if bytes == 0 {
            return;
        }
        let meta = layout.meta_packing().bytes();
        let beside = &self.beside[node as usize * bytes..][..bytes];
        if let Some(representatives) = &mut self.representatives
            && let Ok(how) = beside[meta..].try_into()
        {
            representatives.restore(state, u32::from_le_bytes(how));
        }
        layout.meta_packing().unpack(&beside[..meta], state);
    }

    /// The steps from the initial state to a node.
    pub fn path(&self, node: NodeId) -> Path {
        let mut steps = Vec::new();
        let mut at = node;
        loop {
            let Node { parent, step, .. } = self.nodes[at];
            if parent == NONE {
                break;
            }
            steps.push(Step::from_words(self.steps.at(step)));
            at = parent;
        }
        let mut path = Path::default();
        for step in steps.into_iter().rev() {
            self.explorer.single_steps(step).for_each(|single| path.push(single));
        }
        path
    }

    /// The number of states in the store, without those that were replaced and those in the middle
    /// of a longer step.
    pub fn len(&self) -> u64 {
        self.live - self.transient
    }

    /// Whether a clock difference grew beyond what zones can compute with.
    pub fn has_overflowed(&self) -> bool {
        self.zones.has_overflowed()
    }

    /// Whether node numbers have run out.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= NONE as usize - 2
    }

    /// The bytes the store takes.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.links.bytes()
            + self.heads.bytes()
            + self.beside.capacity()
            + self.discrete.bytes()
            + self.zones.bytes()
            + self.representatives.as_ref().map_or(0, |it| it.bytes())
            + self.steps.words.capacity() * 4
    }
}

/// The different steps of a search, each stored once. A step of one edge without selects is known
/// by the number of the edge alone: most steps are.
struct StepTable {
    edges: Vec<i32>,
    words: Vec<i32>,
    ends: Vec<u32>,
    known: FxHashMap<Box<[i32]>, u32>,
}

impl StepTable {
    fn new(edges: usize) -> Self {
        let (words, ends, known) = (Vec::new(), Vec::new(), FxHashMap::default());
        StepTable { edges: (0..edges as i32).collect(), words, ends, known }
    }

    fn intern(&mut self, step: &[i32]) -> u32 {
        if let [edge] = step {
            return *edge as u32;
        }
        if let Some(&id) = self.known.get(step) {
            return id;
        }
        self.words.extend_from_slice(step);
        self.ends.push(self.words.len() as u32);
        let id = (self.edges.len() + self.ends.len() - 1) as u32;
        self.known.insert(step.into(), id);
        id
    }

    fn at(&self, id: u32) -> &[i32] {
        if let Some(edge) = self.edges.get(id as usize) {
            return std::slice::from_ref(edge);
        }
        let id = id - self.edges.len() as u32;
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.words[start as usize..self.ends[id as usize] as usize]
    }
}
