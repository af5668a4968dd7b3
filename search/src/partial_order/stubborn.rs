//! Stubborn sets of processes: what the others can do before one of these moves has nothing to do with their next
//! steps.

use super::access::Mode;
use super::future::{Exchange, Prospect};
use super::region::{Next, Region};
use super::{Keeps, PartialOrder};
use crate::pruning::Pruning;
use explore::{Explorer, Steps};
use network::{EdgeId, Id};

/// Leaves out the steps of processes outside a stubborn set.
pub struct StubbornSets<'a> {
    order: &'a PartialOrder,
    explorer: &'a Explorer,
    keeps: Keeps,
    patience: Patience,
    /// The processes that have a next edge.
    alive: Vec<usize>,
    /// For each process, how many enabled steps it takes part in.
    enabled: Vec<u32>,
    /// The edges that take part in enabled steps, by process.
    enabled_edges: Vec<Vec<EdgeId>>,
    /// For each process what it may do next and later, with what the state tells.
    moments: Vec<Moment>,
    /// For each process those that must join it, if that is known.
    partners: Vec<Set>,
    has_partners: Vec<bool>,
    /// For each location of each process, those of others from which it depends on what they may ever do,
    /// whatever the state; found when first asked for.
    fixed: Vec<Option<Box<[u64]>>>,
    needed: Region,
    base: Set,
    set: Set,
    best: Set,
    closed: Set,
}

/// A set of processes.
type Set = Vec<u64>;

/// Decides when to look for a stubborn set: where hardly any leaves out something, it is not worth the time, until
/// another part of the state space is explored.
struct Patience {
    /// States that were looked at in a row, and how many of them have fewer steps now.
    looked: u32,
    gained: u32,
    /// How many states are yet to be passed over, and how many there will be next time.
    rest: u32,
    pause: u32,
    /// The states of the whole search that were looked at, and those with fewer steps now.
    all_looked: u64,
    all_gained: u64,
}

/// How many states in a row are looked at.
const LOOKS: u32 = 256;

/// One in so many must gain something.
const GAIN: u32 = 10;

/// How many states are passed over at first, and at most.
const PAUSES: [u32; 2] = [1024, 1 << 18];

impl Patience {
    fn new() -> Self {
        Patience { looked: 0, gained: 0, rest: 0, pause: PAUSES[0], all_looked: 0, all_gained: 0 }
    }

    /// Whether to look at the next state.
    fn looks(&mut self) -> bool {
        let looks = self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        looks
    }

    /// Learns from a state that was looked at.
    fn learn(&mut self, has_gained: bool) {
        self.looked += 1;
        self.gained += u32::from(has_gained);
        self.all_looked += 1;
        self.all_gained += u64::from(has_gained);
        if self.looked < LOOKS {
            return;
        }
        if self.gained * GAIN < self.looked {
            self.rest = self.pause;
            self.pause = (2 * self.pause).min(PAUSES[1]);
        } else {
            self.pause = PAUSES[0];
        }
        (self.looked, self.gained) = (0, 0);
    }
}

/// What a process may do in a state, where the state has a say in it.
struct Moment {
    /// What it may touch next, and whether the state tells more of it than the location.
    next: Region,
    is_next_told: bool,
    /// The same for ever after.
    later: Region,
    is_later_told: bool,
    /// Channels that it could receive from if there were a message, and send on if there were room.
    lacks_message: Vec<u64>,
    lacks_room: Vec<u64>,
    is_lacking: bool,
}

impl<'a> StubbornSets<'a> {
    /// For searches of the explorer that was asked what is known.
    pub fn new(order: &'a PartialOrder, explorer: &'a Explorer, keeps: Keeps) -> Self {
        let count = order.processes.len();
        let nothing = &order.nothing;
        let empty = vec![0; count.div_ceil(64)];
        let moment = || Moment {
            next: Region::new(order.resources),
            is_next_told: false,
            later: Region::new(order.resources),
            is_later_told: false,
            lacks_message: nothing.clone(),
            lacks_room: nothing.clone(),
            is_lacking: false,
        };
        StubbornSets {
            order,
            explorer,
            keeps,
            patience: Patience::new(),
            alive: Vec::new(),
            enabled: vec![0; count],
            enabled_edges: vec![Vec::new(); count],
            moments: (0..count).map(|_| moment()).collect(),
            partners: vec![empty.clone(); count],
            has_partners: vec![false; count],
            fixed: vec![None; order.locations()],
            needed: Region::new(order.resources),
            base: empty.clone(),
            set: empty.clone(),
            best: empty.clone(),
            closed: empty,
        }
    }

    fn prospect(&self, process: usize, state: &[i32]) -> &'a Prospect {
        &self.order.processes[process].at[state[process] as usize]
    }

    /// Notes which processes could move, and which do.
    fn look_at(&mut self, state: &[i32], steps: &Steps) {
        self.enabled.fill(0);
        self.enabled_edges.iter_mut().for_each(Vec::clear);
        for position in 0..steps.len() {
            for number in steps.edges(position) {
                let (process, edge) = self.explorer.edge(number);
                self.enabled[process.index()] += 1;
                self.enabled_edges[process.index()].push(edge);
            }
        }
        self.has_partners.fill(false);
        self.alive.clear();
        for process in 0..self.enabled.len() {
            if self.prospect(process, state).is_alive {
                self.alive.push(process);
                self.tell(process, state);
            }
        }
    }

    /// Finds out what a process may do next and later, as far as the state has a say in it.
    fn tell(&mut self, process: usize, state: &[i32]) {
        let prospect = self.prospect(process, state);
        let dynamic = &self.order.processes[process].dynamic;
        let add = |region: &mut Region, fixed: &Region, numbers: &[u32]| {
            if numbers.is_empty() {
                return false;
            }
            region.copy_from(fixed);
            for access in numbers.iter().map(|&number| &dynamic[number as usize]) {
                region.add(access.mode, access.in_state(state));
            }
            true
        };
        let moment = &mut self.moments[process];
        moment.is_next_told = add(&mut moment.next, &prospect.next, &prospect.next_dynamic);
        moment.is_later_told = add(&mut moment.later, &prospect.later, &prospect.later_dynamic);
        moment.is_lacking = false;
        for Exchange { edge, access, anywhere } in &prospect.exchanges {
            let is_enabled = self.enabled_edges[process].contains(edge);
            for channel in access.in_state(state) {
                let at = (channel - self.order.channels) as usize;
                let buffer = &self.explorer.layout.buffers[at];
                // Without a buffer both must be in the set anyway.
                if buffer.capacity == 0 {
                    continue;
                }
                let length = state[buffer.at as usize] as u32;
                match access.mode {
                    // Where the first message does not fit, others behind it are of no use.
                    Mode::Receive if length == 0 || *anywhere && !is_enabled => {
                        moment.lack(channel, true);
                    }
                    Mode::Send if length >= buffer.capacity => moment.lack(channel, false),
                    _ => {}
                }
            }
        }
    }

    /// Finds the processes that must be in every set that a process is in.
    fn find_partners(&mut self, process: usize, state: &[i32]) {
        if std::mem::replace(&mut self.has_partners[process], true) {
            return;
        }
        let mut partners = std::mem::take(&mut self.partners[process]);
        partners.fill(0);
        for &other in self.alive.iter().filter(|&&other| other != process) {
            let joins = self.prospect(process, state).stops_all
                || self.prospect(other, state).commits
                || depends(self.order, &mut self.fixed, &self.moments, (process, other), state);
            partners[other / 64] |= u64::from(joins) << (other % 64);
        }
        self.partners[process] = partners;
    }

    /// Finds the processes without whose steps nothing that is looked for can be reached.
    fn find_needed(&mut self, state: &[i32]) {
        self.base.fill(0);
        let errors = self.order.counts_errors && self.keeps == Keeps::Lengths;
        if errors {
            for &process in &self.alive {
                let fails = self.prospect(process, state).fails;
                self.base[process / 64] |= u64::from(fails) << (process % 64);
            }
        }
        let Some(wanted) = &self.order.wanted else { return };
        self.needed.clear();
        wanted.needs(state, &mut self.needed);
        let nothing = &self.order.nothing;
        let goal = Next { region: &self.needed, lacks_message: nothing, lacks_room: nothing };
        for &process in &self.alive {
            let prospect = self.prospect(process, state);
            let later = self.moments[process].later(prospect);
            let is_needed = self.order.depends(None, &goal, prospect, later);
            self.base[process / 64] |= u64::from(is_needed) << (process % 64);
        }
    }

    /// Adds to the set what must join it. Returns how many enabled steps its processes take part in; none as soon
    /// as these are not fewer than some number.
    fn close(&mut self, state: &[i32], below: u32) -> Option<u32> {
        self.closed.fill(0);
        let mut weight = 0;
        loop {
            let open = (0..self.set.len()).find_map(|at| {
                let left = self.set[at] & !self.closed[at];
                (left != 0).then(|| at * 64 + left.trailing_zeros() as usize)
            });
            let Some(process) = open else { return Some(weight) };
            weight += self.enabled[process];
            if weight >= below {
                return None;
            }
            self.closed[process / 64] |= 1 << (process % 64);
            self.find_partners(process, state);
            self.set.iter_mut().zip(&self.partners[process]).for_each(|(word, more)| *word |= more);
        }
    }

    /// Makes the best set a stubborn one with an enabled step that leaves out some; says whether there is one.
    fn choose(&mut self, state: &[i32]) -> bool {
        let all: u32 = self.enabled.iter().sum();
        self.find_needed(state);
        self.set.clone_from(&self.base);
        match self.close(state, all) {
            Some(0) => self.base.clone_from(&self.set),
            weight => {
                self.best.clone_from(&self.set);
                return weight.is_some();
            }
        }
        let mut least = all;
        for at in 0..self.alive.len() {
            let process = self.alive[at];
            if self.enabled[process] == 0 {
                continue;
            }
            self.set.clone_from(&self.base);
            self.set[process / 64] |= 1 << (process % 64);
            if let Some(weight) = self.close(state, least) {
                least = weight;
                self.best.clone_from(&self.set);
            }
        }
        least < all
    }
}

/// Whether what a process may do next in a state depends on what another one may ever do.
fn depends(
    order: &PartialOrder,
    fixed: &mut [Option<Box<[u64]>>],
    moments: &[Moment],
    (process, other): (usize, usize),
    state: &[i32],
) -> bool {
    let [own, to] = [process, other].map(|it| order.location(it, state[it] as usize));
    let row = fixed[own].get_or_insert_with(|| order.dependences(process, state[process] as usize));
    if row[to / 64] & 1 << (to % 64) != 0 {
        return true;
    }
    let (moment, later) = (&moments[process], &moments[other]);
    if !moment.is_next_told && !moment.is_lacking && !later.is_later_told {
        return false;
    }
    let [own, to] = [process, other].map(|it| &order.processes[it].at[state[it] as usize]);
    order.depends(Some(process), &moment.next(own, &order.nothing), to, later.later(to))
}

impl Moment {
    /// Notes that the process waits for a message, or for room.
    fn lack(&mut self, channel: u32, is_message: bool) {
        if !std::mem::replace(&mut self.is_lacking, true) {
            self.lacks_message.fill(0);
            self.lacks_room.fill(0);
        }
        let lacks = if is_message { &mut self.lacks_message } else { &mut self.lacks_room };
        lacks[channel as usize / 64] |= 1 << (channel % 64);
    }

    fn next<'m>(&'m self, prospect: &'m Prospect, nothing: &'m [u64]) -> Next<'m> {
        let region = if self.is_next_told { &self.next } else { &prospect.next };
        match self.is_lacking {
            true => {
                Next { region, lacks_message: &self.lacks_message, lacks_room: &self.lacks_room }
            }
            false => Next { region, lacks_message: nothing, lacks_room: nothing },
        }
    }

    fn later<'m>(&'m self, prospect: &'m Prospect) -> &'m Region {
        if self.is_later_told { &self.later } else { &prospect.later }
    }
}

impl Pruning for StubbornSets<'_> {
    fn prune(&mut self, state: &[i32], steps: &mut Steps) -> bool {
        // While somebody has control or is in a committed location, all others wait.
        if steps.len() < 2 || steps.is_timeout() || self.explorer.is_transient(state) {
            return false;
        }
        if self.explorer.is_committed(state) || !self.patience.looks() {
            return false;
        }
        self.look_at(state, steps);
        let has_gained = self.choose(state);
        self.patience.learn(has_gained);
        if !has_gained {
            return false;
        }
        let (explorer, set) = (self.explorer, &self.best);
        steps.retain(|steps, position| {
            steps.edges(position).any(|edge| has(set, explorer.edge(edge).0.index()))
        });
        true
    }

    fn keeps_shortest(&self) -> bool {
        self.keeps == Keeps::Lengths || !self.order.counts_errors
    }

    fn needs_progress(&self) -> bool {
        self.order.counts_errors && self.keeps == Keeps::Verdict
    }

    /// A quarter of the states have fewer steps.
    fn pays(&self) -> bool {
        self.patience.all_gained * 4 >= self.patience.all_looked
    }
}

fn has(set: &[u64], process: usize) -> bool {
    set[process / 64] & 1 << (process % 64) != 0
}
