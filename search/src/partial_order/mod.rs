//! Partial order: of the steps that are enabled in a state, those of a few processes will do if nothing that the
//! others can ever do depends on them (docs/algorithms.md, section 2.9).
//!
//! `access` finds what edges touch, `future` what processes may do from each location on, `goal` what must change
//! before a goal can be reached; `stubborn` decides state by state.

mod access;
mod future;
mod goal;
mod region;
mod stubborn;

use crate::heuristics::risks::Risks;
use crate::problem::Problem;
use access::{Mode, Surveyor};
use future::{Prospect, Prospects};
use goal::Wanted;
use region::{Buffered, Next, Region, conflict};
pub use stubborn::StubbornSets;

/// What is known about the order of steps before a search begins.
pub struct PartialOrder {
    processes: Vec<Prospects>,
    /// For each process what it may touch when it is started.
    started: Vec<Region>,
    wanted: Option<Wanted>,
    buffered: Buffered,
    /// No resources.
    nothing: Vec<u64>,
    /// For each process the number of its first location, counted over all.
    first_locations: Vec<usize>,
    /// The first resource that is a channel.
    channels: u32,
    resources: u32,
    /// Whether errors are looked for.
    counts_errors: bool,
}

/// What is to stay the same where steps are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Whether there is a goal or an error.
    Verdict,
    /// The lengths of shortest paths, too.
    Lengths,
}

impl PartialOrder {
    /// What is known about a problem; none if steps can have other reasons to wait for each other than data and
    /// messages: time, priorities, invariants, observers.
    pub fn of(problem: &Problem) -> Option<PartialOrder> {
        let explorer = problem.explorer;
        let (traits, layout) = (explorer.traits(), &explorer.layout);
        let expr = problem.property().claim.expression();
        let is_known = expr.is_none_or(Wanted::is_known);
        let has_observer = problem.property().observer.is_some();
        if traits.priorities || traits.conditions || layout.dim > 0 || has_observer || !is_known {
            return None;
        }
        // A state stands for those that differ in meta variables only; an error of the goal is in no edge.
        let risks = Risks::of(problem);
        if layout.has_meta() || risks.goal || !risks.locations.is_empty() {
            return None;
        }
        let surveyor = Surveyor::new(problem);
        let (mut processes, started) = future::prospects(problem, &surveyor)?;
        // A deadlock needs no rule: it is in no state in which somebody has control.
        let wanted = Wanted::of(problem, &surveyor).filter(|wanted| !wanted.is_deadlock());
        let channels = surveyor.channels();
        let resources = surveyor.resources();
        let mut buffered = Region::new(resources);
        for (at, buffer) in channels.clone().zip(&layout.buffers) {
            if buffer.capacity > 0 {
                buffered.add(Mode::Look, at..at + 1);
            }
        }
        let buffered = Buffered(buffered.set(Mode::Look).to_vec());
        if let Some(wanted) = &wanted {
            let mut watched = Region::new(resources);
            wanted.watched(&mut watched);
            processes.iter_mut().for_each(|it| it.stop_where_watched(&watched, &buffered));
        }
        let mut first_locations = vec![0];
        for process in &processes {
            let before = first_locations[first_locations.len() - 1];
            first_locations.push(before + process.at.len());
        }
        Some(PartialOrder {
            processes,
            started,
            wanted,
            nothing: vec![0; buffered.0.len()],
            buffered,
            first_locations,
            channels: channels.start,
            resources,
            counts_errors: !risks.edges.is_empty(),
        })
    }

    /// Whether what is next depends on what another process may ever do, from one of its locations on: by itself,
    /// or by starting processes. It cannot start one that is yet to move.
    fn depends(
        &self,
        process: Option<usize>,
        next: &Next,
        other: &Prospect,
        later: &Region,
    ) -> bool {
        let mut starts = other.starts.iter().filter(|&&it| Some(it) != process);
        conflict(next, later, &self.buffered)
            || starts.any(|&it| conflict(next, &self.started[it], &self.buffered))
    }

    /// The number of all locations.
    fn locations(&self) -> usize {
        self.first_locations[self.processes.len()]
    }

    /// The number of a location of a process, counted over all.
    fn location(&self, process: usize, location: usize) -> usize {
        self.first_locations[process] + location
    }

    /// The locations of all processes from which on something may be done that the next edges of a process
    /// depend on, whatever the state.
    fn dependences(&self, process: usize, location: usize) -> Box<[u64]> {
        let mut row = vec![0; self.locations().div_ceil(64)];
        let (region, nothing) = (&self.processes[process].at[location].next, &self.nothing);
        let next = Next { region, lacks_message: nothing, lacks_room: nothing };
        for (number, other) in self.processes.iter().flat_map(|it| &it.at).enumerate() {
            let depends = self.depends(Some(process), &next, other, &other.later);
            row[number / 64] |= u64::from(depends) << (number % 64);
        }
        row.into()
    }
}
