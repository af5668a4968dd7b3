//! Processes that are started so seldom that it is known where.
//!
//! What starts a process looks for one that waits (`if (P1 at wait) { … enter P1 at … } else if (P2 at wait)
//! … else no room`). If there are no more such places than processes, and each is passed once at most, there is
//! always room. If it is also known how many were passed before, and none of the processes ever waits again, it
//! is known which one waits first.

use network::{
    EdgeId, Expr, Id, LocationId, Network, Process, ProcessId, Statement, StatementKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Processes that wait to be started, in the order in which they are taken.
type Slots = Vec<ProcessId>;

/// A statement that starts one of some processes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Start {
    process: ProcessId,
    edge: EdgeId,
    /// Its position in the update.
    at: usize,
}

/// Removes what cannot happen from the statements that start processes.
pub fn settle(network: &mut Network) {
    let starts = Starts::of(network);
    let mut settled = Vec::new();
    for (slots, places) in &starts.places {
        if starts.has_room(slots) {
            settled.extend(places.iter().map(|&place| (place, starts.choice(slots, place))));
        }
    }
    // From the last one in an update on, so that positions stay right.
    settled.sort_by_key(|(start, _)| std::cmp::Reverse(start.at));
    for (Start { process, edge, at }, choice) in settled {
        let update = &mut network.processes[process].edges[edge].update;
        let statement = update.remove(at);
        let left = match choice {
            Some(number) => branch(statement, number),
            None => with_room(statement),
        };
        update.splice(at..at, left);
    }
}

struct Starts<'a> {
    network: &'a Network,
    places: BTreeMap<Slots, Vec<Start>>,
    /// How often each process is named as one to be put somewhere.
    entered: Vec<usize>,
}

impl<'a> Starts<'a> {
    fn of(network: &'a Network) -> Starts<'a> {
        let mut places: BTreeMap<Slots, Vec<Start>> = BTreeMap::new();
        let mut entered = vec![0; network.processes.len()];
        for (process, it) in network.processes.enumerate() {
            for (edge, it) in it.edges.enumerate() {
                count_entries(&it.update, &mut entered);
                for (at, statement) in it.update.iter().enumerate() {
                    if let Some(slots) = slots(network, statement) {
                        places.entry(slots).or_default().push(Start { process, edge, at });
                    }
                }
            }
        }
        network.functions.iter().for_each(|it| count_entries(&it.body, &mut entered));
        Starts { network, places, entered }
    }

    /// Whether one of the processes always waits where one is to be started.
    fn has_room(&self, slots: &Slots) -> bool {
        let places = &self.places[slots];
        let waits = |&id: &ProcessId| {
            let process = &self.network.processes[id];
            process.edges.iter().all(|edge| edge.source != process.initial)
        };
        let is_only_here = |id: &ProcessId| self.entered[id.index()] == places.len();
        places.len() <= slots.len()
            && slots.iter().all(|id| waits(id) && is_only_here(id))
            && places.iter().all(|&place| self.is_passed_once(place, slots))
    }

    /// Whether a place is passed at most once; `started` are processes that are looked at already.
    fn is_passed_once(&self, place: Start, started: &Slots) -> bool {
        let process = &self.network.processes[place.process];
        let edge = &process.edges[place.edge];
        !reaches(process, edge.target, edge.source)
            && !started.contains(&place.process)
            && match self.entered[place.process.index()] {
                0 => true,
                _ => self.is_started_once(place.process, started),
            }
    }

    /// Whether a process does not move unless it is started, and is started at most once.
    fn is_started_once(&self, id: ProcessId, started: &Slots) -> bool {
        let own = vec![id];
        let Some([place]) = self.places.get(&own).map(Vec::as_slice) else { return false };
        let process = &self.network.processes[id];
        let waits = process.edges.iter().all(|edge| edge.source != process.initial);
        let started: Slots = started.iter().copied().chain([id]).collect();
        waits && self.entered[id.index()] == 1 && self.is_passed_once(*place, &started)
    }

    /// The number of the process that waits first where one is to be started, if it is known.
    fn choice(&self, slots: &Slots, place: Start) -> Option<usize> {
        let places = &self.places[slots];
        let never_waits_again = slots.iter().all(|&id| {
            let process = &self.network.processes[id];
            process.edges.iter().all(|edge| edge.target != process.initial)
        });
        let is_alone = places.iter().all(|it| it.process == place.process);
        match places.len() {
            1 => Some(0),
            _ if never_waits_again && is_alone => self.passed_before(places, place),
            _ => None,
        }
    }

    /// How many of some places of a process are passed before one of them, if that is known.
    fn passed_before(&self, places: &[Start], place: Start) -> Option<usize> {
        let process = &self.network.processes[place.process];
        let passed = |edge: EdgeId| places.iter().filter(|it| it.edge == edge).count();
        let mut counts = vec![BTreeSet::new(); process.locations.len()];
        let mut waiting = vec![(process.initial, 0)];
        while let Some((location, count)) = waiting.pop() {
            if counts[location.index()].insert(count) {
                let leaving = process.edges.enumerate().filter(|(_, it)| it.source == location);
                waiting.extend(leaving.map(|(id, edge)| (edge.target, count + passed(id))));
            }
        }
        let source = process.edges[place.edge].source;
        let in_edge = places.iter().filter(|it| it.edge == place.edge && it.at < place.at).count();
        match counts[source.index()].len() {
            1 => counts[source.index()].first().map(|count| count + in_edge),
            _ => None,
        }
    }
}

/// The processes one of which a statement starts, if it is such a statement.
fn slots(network: &Network, statement: &Statement) -> Option<Slots> {
    let StatementKind::If(Expr::At(process, location), then, otherwise) = &statement.kind else {
        return None;
    };
    let mut entered = vec![0; network.processes.len()];
    count_entries(then, &mut entered);
    let is_only = entered.iter().sum::<usize>() == 1 && entered[process.index()] == 1;
    if !is_only || network.processes[*process].initial != *location {
        return None;
    }
    let mut slots = vec![*process];
    match &otherwise[..] {
        [Statement { kind: StatementKind::NoRoom, .. }] => {}
        [next] => slots.extend(self::slots(network, next)?),
        _ => return None,
    }
    Some(slots)
}

fn count_entries(statements: &[Statement], entered: &mut [usize]) {
    for statement in statements {
        statement.walk(&mut |it| {
            if let StatementKind::Enter(process, _) = it.kind {
                entered[process.index()] += 1;
            }
        });
    }
}

/// Whether a process can get from a location to another, or is there already.
fn reaches(process: &Process, from: LocationId, to: LocationId) -> bool {
    process.reachable(from).contains(&to)
}

/// What starts the process with a number.
fn branch(statement: Statement, number: usize) -> Vec<Statement> {
    match (statement.kind, number) {
        (StatementKind::If(_, then, _), 0) => then,
        (StatementKind::If(_, _, mut otherwise), _) => match otherwise.pop() {
            Some(next) => branch(next, number - 1),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The same, with the last process in the place of no room.
fn with_room(statement: Statement) -> Vec<Statement> {
    let Statement { kind, span } = statement;
    match kind {
        StatementKind::If(condition, then, mut otherwise) => match otherwise.pop() {
            Some(next) if next.kind != StatementKind::NoRoom => {
                let kind = StatementKind::If(condition, then, with_room(next));
                vec![Statement { kind, span }]
            }
            _ => then,
        },
        kind => vec![Statement { kind, span }],
    }
}
