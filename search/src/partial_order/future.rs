//! What processes may do next and ever after, from each of their locations.

use super::access::{Access, Index, Mode, Surveyor};
use super::region::{Buffered, Next, Region, conflict};
use crate::problem::Problem;
use analysis::{Risk, Touch, Touches};
use network::{
    Action, Edge, EdgeId, Id, LocationId, LocationKind, Process, ProcessId, cancellation,
};
use std::collections::BTreeSet;
use std::ops::Range;

/// What one process may do.
pub struct Prospects {
    /// For each location.
    pub at: Vec<Prospect>,
    /// Accesses whose elements a state tells.
    pub dynamic: Vec<Access>,
}

/// What a process may do from one of its locations.
pub struct Prospect {
    /// Its next edges touch this, and what `next_dynamic` says.
    pub next: Region,
    /// Numbers of dynamic accesses.
    pub next_dynamic: Vec<u32>,
    /// All edges that it may ever take touch this, and what `later_dynamic` says.
    pub later: Region,
    /// Numbers of dynamic accesses.
    pub later_dynamic: Vec<u32>,
    /// The processes that it may ever start, and that those may start.
    pub starts: Vec<usize>,
    /// The next edges that meet others or exchange messages.
    pub exchanges: Vec<Exchange>,
    /// Whether there are next edges.
    pub is_alive: bool,
    /// Whether one of them makes others wait.
    pub stops_all: bool,
    /// Whether after one of them the process may go on alone, so that others miss the states in between.
    pub goes_on: bool,
    /// Whether an edge that it may ever take makes others wait.
    pub commits: bool,
    /// Whether one may raise an error.
    pub fails: bool,
}

impl Prospects {
    /// Makes steps stop all others that pass through states in which something watched has changed: others may
    /// have to move before, so that a goal is met there.
    pub fn stop_where_watched(&mut self, watched: &Region, buffered: &Buffered) {
        let nothing = vec![0; buffered.0.len()];
        let watched = Next { region: watched, lacks_message: &nothing, lacks_room: &nothing };
        for prospect in self.at.iter_mut().filter(|prospect| prospect.goes_on) {
            let mut touched = prospect.next.clone();
            let dynamic = prospect.next_dynamic.iter().map(|&at| &self.dynamic[at as usize]);
            dynamic.for_each(|access| touched.add_all(access));
            prospect.stops_all |= conflict(&watched, &touched, buffered);
        }
    }
}

/// A next edge that meets others or exchanges messages.
#[derive(Clone)]
pub struct Exchange {
    pub edge: EdgeId,
    /// The channel, and what is done to it.
    pub access: Access,
    /// Whether it receives a message from anywhere in the buffer.
    pub anywhere: bool,
}

/// The most that all regions together may take, in bytes.
const MOST_BYTES: usize = 1 << 28;

/// What all processes may do, and what each may do when it is started; none if that would take too much memory.
pub fn prospects(problem: &Problem, surveyor: &Surveyor) -> Option<(Vec<Prospects>, Vec<Region>)> {
    let network = problem.network();
    let locations: usize = network.processes.iter().map(|it| it.locations.len()).sum();
    let bytes = surveyor.resources() as usize / 8 * 6 * 3;
    if locations.checked_mul(bytes).is_none_or(|all| all > MOST_BYTES) {
        return None;
    }
    let touches = Touches::of(network);
    let risk = Risk::of(network);
    let mut parts: Vec<Part> = Vec::new();
    for (id, process) in network.processes.enumerate() {
        parts.push(Part::of(problem, id, process, surveyor, &touches, &risk));
    }
    leave_to_owners(&mut parts, &goal_reads(problem, surveyor));
    let started = started(&parts);
    let written: Vec<Vec<(Range<u32>, Vec<ProcessId>)>> = parts.iter().map(Part::writes).collect();
    let of_part = |(at, part): (usize, &Part)| {
        let others = written.iter().enumerate().filter(|(other, _)| *other != at);
        let is_foreign = |word: u32| {
            others.clone().flat_map(|(_, writes)| writes).any(|(range, starts)| {
                range.contains(&word) && !starts.iter().any(|id| id.index() == at)
            })
        };
        part.prospects(&is_foreign, &started)
    };
    let prospects = parts.iter().enumerate().map(of_part).collect();
    Some((prospects, started.into_iter().map(|reach| reach.region).collect()))
}

/// What the goal looks at.
fn goal_reads(problem: &Problem, surveyor: &Surveyor) -> Region {
    let mut reads = Region::new(surveyor.resources());
    let goal = problem.property().claim.expression().map(|expr| surveyor.reads(expr));
    goal.iter().flatten().for_each(|access| reads.add(Mode::Read, access.range.clone()));
    reads
}

/// Forgets what is done to the variables of a process by those who start it: as long as it is there, nobody does,
/// and that it is not there is asked by every starter.
fn leave_to_owners(parts: &mut [Part], goal: &Region) {
    let Some(resources) = parts.first().map(|part| part.resources) else { return };
    // For each resource the processes that may be its owner, if anything was touched.
    let mut owners: Vec<Option<Vec<ProcessId>>> = vec![None; resources as usize];
    for (id, part) in parts.iter().enumerate() {
        let fixed = part.edges.iter().flat_map(|edge| &edge.fixed);
        for access in fixed.chain(&part.dynamic) {
            for resource in access.range.clone() {
                let may_be = |it: &ProcessId| it.index() == id || access.guard == Some(*it);
                match &mut owners[resource as usize] {
                    Some(owners) => owners.retain(may_be),
                    none => {
                        let all = std::iter::once(ProcessId::new(id)).chain(access.guard);
                        *none = Some(all.collect());
                    }
                }
            }
        }
    }
    let is_owned = |resource: u32, by: ProcessId| {
        let owners = owners[resource as usize].as_ref();
        !goal.has(Mode::Read, resource) && owners.is_some_and(|owners| owners.contains(&by))
    };
    for (id, part) in parts.iter_mut().enumerate() {
        for edge in &mut part.edges {
            edge.fixed.retain(|access| {
                let guard = access.guard.filter(|guard| guard.index() != id);
                guard.is_none_or(|by| access.range.clone().any(|it| !is_owned(it, by)))
            });
        }
    }
}

/// A process taken apart.
struct Part<'a> {
    process: &'a Process,
    resources: u32,
    edges: Vec<EdgePart>,
    /// Accesses whose elements a state tells, each once.
    dynamic: Vec<Access>,
    /// For each location the edges that leave it.
    leaving: Vec<Vec<EdgeId>>,
    /// Whether a step of the process may go on with each location, before any other process moves.
    is_amid: Vec<bool>,
    /// Whether the edges that leave each location differ in preference.
    has_preferences: Vec<bool>,
}

/// What is known of an edge.
struct EdgePart {
    source: usize,
    target: usize,
    fixed: Vec<Access>,
    /// Numbers of dynamic accesses.
    dynamic: Vec<u32>,
    exchange: Option<Exchange>,
    /// The processes that it starts, and where.
    starts: Vec<(ProcessId, LocationId)>,
    keeps_control: bool,
    commits: bool,
    fails: bool,
}

impl<'a> Part<'a> {
    fn of(
        problem: &Problem,
        id: ProcessId,
        process: &'a Process,
        surveyor: &Surveyor,
        touches: &Touches,
        risk: &Risk,
    ) -> Part<'a> {
        let count = process.locations.len();
        let mut part = Part {
            process,
            resources: surveyor.resources(),
            edges: Vec::new(),
            dynamic: Vec::new(),
            leaving: vec![Vec::new(); count],
            is_amid: vec![false; count],
            has_preferences: vec![false; count],
        };
        if !problem.takes_part(id) {
            return part;
        }
        for (id, edge) in process.edges.enumerate() {
            let leaving = &mut part.leaving[edge.source.index()];
            let first = leaving.first().copied();
            leaving.push(id);
            part.has_preferences[edge.source.index()] |=
                first.is_some_and(|first| process.edges[first].preference != edge.preference);
            part.is_amid[edge.target.index()] |= edge.keeps_control;
        }
        for (number, edge) in process.edges.enumerate() {
            cancellation::check();
            let accesses = surveyor.edge(id, edge);
            let mut starts = Vec::new();
            touches.statements(&edge.update, &mut |touch| {
                if let Touch::Enter(other, location) = touch {
                    starts.push((other, location));
                }
            });
            let fails = risk.edge_may_fail(edge);
            part.add(number, edge, accesses, starts, fails);
        }
        part
    }

    fn add(
        &mut self,
        number: EdgeId,
        edge: &Edge,
        mut all: Vec<Access>,
        starts: Vec<(ProcessId, LocationId)>,
        fails: bool,
    ) {
        let is_exchange = |it: &&Access| matches!(it.mode, Mode::Send | Mode::Receive);
        let anywhere = matches!(&edge.action, Action::Receive(receive) if receive.anywhere);
        let exchange = all.iter().find(is_exchange);
        let exchange =
            exchange.map(|access| Exchange { edge: number, access: access.clone(), anywhere });
        let mut more = Vec::new();
        for access in all.iter().filter(|it| it.mode >= Mode::Look) {
            // Whether an edge of less preference counts depends on whether the others can fire.
            if self.has_preferences[edge.source.index()] {
                more.push(Access { mode: Mode::Look, ..access.clone() });
            }
            // In the middle of a step it matters whether it can go on.
            if self.is_amid[edge.source.index()] {
                more.push(Access { mode: Mode::Change, ..access.clone() });
            }
        }
        all.extend(more);
        let (dynamic, fixed): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.index.is_some());
        let dynamic = dynamic.into_iter().map(|access| self.number(access)).collect();
        let target = &self.process.locations[edge.target];
        self.edges.push(EdgePart {
            source: edge.source.index(),
            target: edge.target.index(),
            fixed,
            dynamic,
            exchange,
            starts,
            keeps_control: edge.keeps_control,
            commits: target.kind == LocationKind::Committed,
            fails,
        });
    }

    fn number(&mut self, access: Access) -> u32 {
        let known = self.dynamic.iter().position(|it| *it == access);
        known.unwrap_or_else(|| {
            self.dynamic.push(access);
            self.dynamic.len() - 1
        }) as u32
    }

    /// What its edges write, with the processes that they start.
    fn writes(&self) -> Vec<(Range<u32>, Vec<ProcessId>)> {
        let mut writes = Vec::new();
        for edge in &self.edges {
            let dynamic = edge.dynamic.iter().map(|&at| &self.dynamic[at as usize]);
            for access in edge.fixed.iter().chain(dynamic).filter(|it| it.mode == Mode::Write) {
                let starts = edge.starts.iter().map(|(id, _)| *id).collect();
                writes.push((access.range.clone(), starts));
            }
        }
        writes.sort_by(|a, b| (a.0.start, a.0.end, &a.1).cmp(&(b.0.start, b.0.end, &b.1)));
        writes.dedup();
        writes
    }

    fn prospects(&self, is_foreign: &dyn Fn(u32) -> bool, started: &[Reach]) -> Prospects {
        let unstable: Vec<Vec<bool>> =
            self.dynamic.iter().map(|access| self.unstable(access, is_foreign)).collect();
        let later = self.later();
        let chains = self.chains();
        let is_endless = self.endless();
        let at = (0..self.process.locations.len()).map(|location| {
            cancellation::check();
            let mut next = Region::new(self.resources);
            let mut next_dynamic: Vec<u32> = Vec::new();
            let mut later_dynamic: Vec<u32> = Vec::new();
            let (mut exchanges, mut stops_all, mut goes_on) = (Vec::new(), false, false);
            for &id in &self.leaving[location] {
                let edge = &self.edges[id.index()];
                edge.fixed.iter().for_each(|access| next.add_all(access));
                next_dynamic.extend(&edge.dynamic);
                exchanges.extend(edge.exchange.clone());
                stops_all |= edge.commits;
                goes_on |= edge.keeps_control;
                if edge.keeps_control {
                    let chain = &chains[edge.target];
                    next.unite(&chain.region);
                    stops_all |= chain.commits || is_endless[edge.target];
                    self.settle(&chain.dynamic, location, &unstable, &mut next, &mut next_dynamic);
                }
            }
            let Reach { mut region, dynamic, starts, mut commits, mut fails } =
                later[location].clone();
            let starts = all_started(&starts, started);
            for &other in &starts {
                commits |= started[other].commits;
                fails |= started[other].fails;
            }
            self.settle(&dynamic, location, &unstable, &mut region, &mut later_dynamic);
            next_dynamic.sort_unstable();
            next_dynamic.dedup();
            let is_alive = !self.leaving[location].is_empty();
            Prospect {
                next,
                next_dynamic,
                later: region,
                later_dynamic,
                starts,
                exchanges,
                is_alive,
                stops_all,
                goes_on,
                commits,
                fails,
            }
        });
        Prospects { at: at.collect(), dynamic: self.dynamic.clone() }
    }

    /// Sorts dynamic accesses into those that the state at a location tells, and those that mean anything.
    fn settle(
        &self,
        dynamic: &[bool],
        location: usize,
        unstable: &[Vec<bool>],
        region: &mut Region,
        told: &mut Vec<u32>,
    ) {
        for number in (0..dynamic.len()).filter(|&number| dynamic[number]) {
            match unstable[number][location] {
                true => region.add_all(&self.dynamic[number]),
                false => told.push(number as u32),
            }
        }
    }

    /// From which locations an access may mean another element than the state tells there: where what the
    /// index is computed from is changed before the access.
    fn unstable(&self, access: &Access, is_foreign: &dyn Fn(u32) -> bool) -> Vec<bool> {
        let count = self.process.locations.len();
        let mut words = Vec::new();
        access.index.iter().for_each(|index: &Index| index.words(&mut |word| words.push(word)));
        if words.iter().any(|&word| is_foreign(word)) {
            return vec![true; count];
        }
        let number = self.dynamic.iter().position(|it| it == access).map(|at| at as u32);
        let uses = |edge: &EdgePart| number.is_some_and(|number| edge.dynamic.contains(&number));
        let used = self.backwards(|edge| uses(edge));
        let writes = |edge: &EdgePart| {
            let dynamic = edge.dynamic.iter().map(|&at| &self.dynamic[at as usize]);
            let mut written = edge.fixed.iter().chain(dynamic).filter(|it| it.mode == Mode::Write);
            written.any(|access| words.iter().any(|word| access.range.contains(word)))
        };
        self.backwards(|edge| writes(edge) && used[edge.target])
    }

    /// The locations from which an edge can be reached that is such.
    fn backwards(&self, is_such: impl Fn(&EdgePart) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.process.locations.len()];
        self.edges.iter().filter(|edge| is_such(edge)).for_each(|edge| reached[edge.source] = true);
        let mut changed = true;
        while changed {
            cancellation::check();
            changed = false;
            for edge in self.edges.iter().rev() {
                if reached[edge.target] {
                    changed |= !std::mem::replace(&mut reached[edge.source], true);
                }
            }
        }
        reached
    }

    fn nothing(&self) -> Reach {
        Reach {
            region: Region::new(self.resources),
            dynamic: vec![false; self.dynamic.len()],
            starts: BTreeSet::new(),
            commits: false,
            fails: false,
        }
    }

    /// What the edges touch that can follow from each location while the process has control.
    fn chains(&self) -> Vec<Reach> {
        self.closure(|edge| edge.keeps_control, |location| self.is_amid[location])
    }

    /// From which locations the process may keep control forever, so that no other ever moves again.
    fn endless(&self) -> Vec<bool> {
        let mut is_endless = self.is_amid.clone();
        let mut changed = true;
        while changed {
            cancellation::check();
            changed = false;
            for location in 0..is_endless.len() {
                let mut next = self.leaving[location].iter().map(|id| &self.edges[id.index()]);
                let goes_on = next.any(|edge| edge.keeps_control && is_endless[edge.target]);
                if is_endless[location] && !goes_on {
                    is_endless[location] = false;
                    changed = true;
                }
            }
        }
        is_endless
    }

    /// What all edges touch that can be reached from each location.
    fn later(&self) -> Vec<Reach> {
        self.closure(|_| true, |_| true)
    }

    /// For each location that counts what the edges touch that leave it, and those after them that follow an
    /// edge that goes on.
    fn closure(
        &self,
        goes_on: impl Fn(&EdgePart) -> bool,
        counts: impl Fn(usize) -> bool,
    ) -> Vec<Reach> {
        let mut reach: Vec<Reach> =
            (0..self.process.locations.len()).map(|_| self.nothing()).collect();
        for edge in self.edges.iter().filter(|edge| counts(edge.source)) {
            let own = &mut reach[edge.source];
            edge.fixed.iter().for_each(|access| own.region.add_all(access));
            edge.dynamic.iter().for_each(|&number| own.dynamic[number as usize] = true);
            own.commits |= edge.commits;
            own.fails |= edge.fails;
            own.starts.extend(edge.starts.iter().map(|(other, _)| other.index()));
        }
        let mut changed = true;
        while changed {
            cancellation::check();
            changed = false;
            for edge in self.edges.iter().rev().filter(|edge| goes_on(edge)) {
                if edge.source != edge.target && counts(edge.source) {
                    let [source, target] = reach
                        .get_disjoint_mut([edge.source, edge.target])
                        .expect("two different locations");
                    changed |= source.unite(target);
                }
            }
        }
        reach
    }
}

/// What edges touch that can be reached.
#[derive(Clone)]
struct Reach {
    region: Region,
    /// Which dynamic accesses are among it.
    dynamic: Vec<bool>,
    /// The processes that they start.
    starts: BTreeSet<usize>,
    commits: bool,
    fails: bool,
}

impl Reach {
    fn unite(&mut self, other: &Reach) -> bool {
        let mut changed = self.region.unite(&other.region);
        for (own, &more) in self.dynamic.iter_mut().zip(&other.dynamic) {
            changed |= more && !*own;
            *own |= more;
        }
        changed |= other.commits && !self.commits || other.fails && !self.fails;
        self.commits |= other.commits;
        self.fails |= other.fails;
        let before = self.starts.len();
        self.starts.extend(&other.starts);
        changed | (self.starts.len() > before)
    }
}

/// What each process may touch once it is started by others, whatever indices mean.
fn started(parts: &[Part]) -> Vec<Reach> {
    let mut entries = vec![BTreeSet::new(); parts.len()];
    for (other, location) in parts.iter().flat_map(|part| &part.edges).flat_map(|it| &it.starts) {
        entries[other.index()].insert(location.index());
    }
    let of_part = |(part, entries): (&Part, &BTreeSet<usize>)| {
        let mut all = part.nothing();
        let later = if entries.is_empty() { Vec::new() } else { part.later() };
        entries.iter().for_each(|&location| {
            all.unite(&later[location]);
        });
        for (access, _) in part.dynamic.iter().zip(&all.dynamic).filter(|(_, is)| **is) {
            all.region.add_all(access);
        }
        all
    };
    parts.iter().zip(&entries).map(of_part).collect()
}

/// Some processes, those that they may start, and so on.
fn all_started(some: &BTreeSet<usize>, started: &[Reach]) -> Vec<usize> {
    let mut all = some.clone();
    let mut open: Vec<usize> = some.iter().copied().collect();
    while let Some(process) = open.pop() {
        open.extend(started[process].starts.iter().filter(|&&other| all.insert(other)));
    }
    all.into_iter().collect()
}
