//! Every node of a search: its state, cost, parent and the step that led to it.
//!
//! Discrete parts are packed, stored once and found by hashing; the nodes with the same discrete
//! part form a chain. A node whose zone another one covers at no higher cost gives its zone back,
//! but stays as a possible ancestor (section 1.4 of the specification: "offer").

use crate::chunks::Chunks;
use crate::open_list::NodeId;
use crate::zone_store::{ZoneRef, ZoneStore};
use explore::Explorer;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// No node, no zone.
const NONE: u32 = u32::MAX;

/// The bit of a node's cost that says it was explored.
const EXPLORED: u32 = 1 << 31;

/// Whether an offered state was new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It was stored under this number.
    New(NodeId),
    /// A stored state covers it at no higher cost.
    Covered,
}

/// Where an offered state comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The node it is a successor of; none for the initial state.
    pub parent: Option<NodeId>,
    /// The words of the step.
    pub step: &'a [i32],
    /// The cost of the way to it.
    pub cost: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: NodeId,
    step: u32,
    /// The cost, and whether the node was explored: see [`EXPLORED`].
    cost: u32,
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

/// The store.
pub struct NodeStore<'a> {
    explorer: &'a Explorer,
    nodes: Chunks<Node>,
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
    /// Whether states are offered in the order of their cost.
    by_cost: bool,
    /// The packed meta variables of each node.
    meta: Vec<u8>,
    steps: StepTable,
    packed: Vec<u8>,
}

impl<'a> NodeStore<'a> {
    /// An empty store for an explorer's states. If they are offered in the order of their cost
    /// (`by_cost`), an explored node has done its duty: a covering one replaces it at any cost.
    pub fn new(explorer: &'a Explorer, by_cost: bool) -> Self {
        NodeStore {
            explorer,
            nodes: Chunks::new(),
            live: 0,
            transient: 0,
            offered_transient: false,
            discrete: DiscreteTable::new(explorer.layout.identity_bytes()),
            heads: Chunks::new(),
            zones: ZoneStore::new(explorer),
            timed: explorer.layout.dim > 0,
            by_cost,
            meta: Vec::new(),
            steps: StepTable::default(),
            packed: Vec::new(),
        }
    }

    /// Stores a state unless one in the store covers it at no higher cost.
    pub fn offer(&mut self, state: &[i32], origin: Origin) -> Offer {
        self.offered_transient = self.explorer.is_transient(state);
        self.packed.clear();
        self.explorer.layout.pack_identity(state, &mut self.packed);
        let (discrete, known) = self.discrete.insert(&self.packed);
        if !known {
            self.heads.push(NONE);
        }
        if !self.timed {
            if known && self.drop_worse(discrete, origin.cost) {
                return Offer::Covered;
            }
            return Offer::New(self.insert(state, origin, discrete, NONE - 1));
        }
        self.zones.offer(self.explorer, state);
        if known && self.is_covered(discrete, origin.cost) {
            return Offer::Covered;
        }
        if known {
            self.drop_covered(discrete, origin.cost);
        }
        let zone = self.zones.store_offered();
        Offer::New(self.insert(state, origin, discrete, zone))
    }

    /// For states without clocks: whether the one in the store is as good; if not, it is dropped.
    fn drop_worse(&mut self, discrete: u32, cost: u32) -> bool {
        let head = self.heads[discrete];
        if head == NONE {
            return false;
        }
        if self.nodes[head].cost() <= cost {
            return true;
        }
        self.nodes[head].zone = NONE;
        self.heads[discrete] = NONE;
        self.forget();
        false
    }

    /// Counts a node with the offered discrete part as gone.
    fn forget(&mut self) {
        self.live -= 1;
        self.transient -= self.offered_transient as u64;
    }

    fn is_covered(&self, discrete: u32, cost: u32) -> bool {
        let mut at = self.heads[discrete];
        while at != NONE {
            let node = &self.nodes[at];
            if node.cost() <= cost && self.zones.covers_offered(node.zone) {
                return true;
            }
            at = node.next;
        }
        false
    }

    fn drop_covered(&mut self, discrete: u32, cost: u32) {
        let mut before = NONE;
        let mut at = self.heads[discrete];
        while at != NONE {
            let node = self.nodes[at];
            let Node { next, zone, .. } = node;
            let replaceable = cost <= node.cost() || self.by_cost && node.is_explored();
            if replaceable && self.zones.offered_covers(zone) {
                self.zones.release(zone);
                self.nodes[at].zone = NONE;
                match before {
                    NONE => self.heads[discrete] = next,
                    _ => self.nodes[before].next = next,
                }
                self.forget();
            } else {
                before = at;
            }
            at = next;
        }
    }

    fn insert(&mut self, state: &[i32], origin: Origin, discrete: u32, zone: ZoneRef) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let head = &mut self.heads[discrete];
        self.nodes.push(Node {
            parent: origin.parent.unwrap_or(NONE),
            step: self.steps.intern(origin.step),
            cost: origin.cost,
            discrete,
            zone,
            next: *head,
        });
        *head = id;
        self.live += 1;
        self.transient += self.offered_transient as u64;
        self.explorer.layout.pack_meta(state, &mut self.meta);
        id
    }

    /// Whether a better node has replaced this one.
    pub fn is_stale(&self, node: NodeId) -> bool {
        self.nodes[node].zone == NONE
    }

    /// The cost of the way to a node.
    pub fn cost(&self, node: NodeId) -> u32 {
        self.nodes[node].cost()
    }

    /// Notes that a node is explored now.
    pub fn mark_explored(&mut self, node: NodeId) {
        self.nodes[node].cost |= EXPLORED;
    }

    /// Writes out the state of a node that is not stale.
    pub fn unpack(&mut self, node: NodeId, state: &mut [i32]) {
        let Node { discrete, zone, .. } = self.nodes[node];
        let layout = &self.explorer.layout;
        layout.unpack_identity(self.discrete.at(discrete), state);
        let meta = layout.meta_bytes();
        if meta > 0 {
            let at = node as usize * meta;
            layout.unpack_meta(&self.meta[at..at + meta], state);
        }
        if self.timed {
            self.zones.unpack(self.explorer, zone, state);
        }
    }

    /// The steps from the initial state to a node.
    pub fn path(&self, node: NodeId) -> Vec<Vec<i32>> {
        let mut path = Vec::new();
        let mut at = node;
        loop {
            let Node { parent, step, .. } = self.nodes[at];
            if parent == NONE {
                break;
            }
            path.push(self.steps.at(step).to_vec());
            at = parent;
        }
        path.reverse();
        path
    }

    /// The number of states in the store, without those that were replaced and those in the middle
    /// of a longer step.
    pub fn len(&self) -> u64 {
        self.live - self.transient
    }

    /// Whether a clock difference grew beyond what zones can compute with.
    pub fn has_overflown(&self) -> bool {
        self.zones.has_overflown()
    }

    /// Whether node numbers have run out.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= NONE as usize - 2
    }

    /// The bytes the store takes.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.heads.bytes()
            + self.meta.capacity()
            + self.discrete.bytes()
            + self.zones.bytes()
            + self.steps.words.capacity() * 4
    }
}

/// Packed discrete parts of equal length: an arena of bytes and a table of numbers into it.
struct DiscreteTable {
    width: usize,
    bytes: Vec<u8>,
    count: usize,
    /// Open addressing with linear probing; `NONE` marks a free slot.
    slots: Vec<u32>,
}

impl DiscreteTable {
    fn new(width: usize) -> Self {
        DiscreteTable { width, bytes: Vec::new(), count: 0, slots: vec![NONE; 64] }
    }

    fn at(&self, id: u32) -> &[u8] {
        &self.bytes[id as usize * self.width..(id as usize + 1) * self.width]
    }

    /// The number of a discrete part, and whether it was known.
    fn insert(&mut self, packed: &[u8]) -> (u32, bool) {
        if self.count * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(packed) & mask;
        loop {
            match self.slots[slot] {
                NONE => break,
                id if self.at(id) == packed => return (id, true),
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = self.count as u32;
        self.slots[slot] = id;
        self.bytes.extend_from_slice(packed);
        self.count += 1;
        (id, false)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![NONE; mask + 1];
        for id in 0..self.count as u32 {
            let mut slot = hash(self.at(id)) & mask;
            while slots[slot] != NONE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = id;
        }
        self.slots = slots;
    }

    fn bytes(&self) -> usize {
        self.bytes.capacity() + self.slots.capacity() * 4
    }
}

fn hash(bytes: &[u8]) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish() as usize
}

/// The different steps of a search, each stored once.
#[derive(Default)]
struct StepTable {
    words: Vec<i32>,
    ends: Vec<u32>,
    known: FxHashMap<Box<[i32]>, u32>,
}

impl StepTable {
    fn intern(&mut self, step: &[i32]) -> u32 {
        if let Some(&id) = self.known.get(step) {
            return id;
        }
        self.words.extend_from_slice(step);
        self.ends.push(self.words.len() as u32);
        let id = self.ends.len() as u32 - 1;
        self.known.insert(step.into(), id);
        id
    }

    fn at(&self, id: u32) -> &[i32] {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.words[start as usize..self.ends[id as usize] as usize]
    }
}
