//! Merging of steps that only their own process can see with the step before.
//!
//! Let an edge `e` lead to a location `b` that only one edge `f` leaves, where `f` is always
//! possible, cannot fail, and touches nothing that others can see. Then in every run that contains
//! `e … f`, the step `f` can be moved forward to stand directly behind `e`: what other processes do
//! in between neither changes what `f` does nor notices whether it is done. And a run that ends
//! between `e` and `f` can be continued by `f`. So `e` may be replaced by `e; f`, one step, as long
//! as the property cannot tell the states before `f` from the one behind it. What a search finds in
//! the new network is a run of the old one, because `f` is possible directly behind `e`.
//! The conditions below see to it that nobody notices: read them as the proof's case analysis.

use crate::goal;
use crate::safe::Judge;
use crate::survey::Survey;
use crate::touch::Touch;
use crate::traffic::{Traffic, outgoing};
use network::{Action, Edge, EdgeId, Id, LocationId, LocationKind, Process, ProcessId, Property};

/// For each new edge, the old ones that it consists of.
pub type Parts = Vec<Vec<EdgeId>>;

/// How many edges one edge may consist of.
const LONGEST: usize = 64;

/// How many parts the edges of a process may have on average, so that its size stays bounded.
const PARTS_PER_EDGE: usize = 4;

/// Decides what may be merged.
pub struct Merger<'s, 'a> {
    survey: &'s Survey<'a>,
    traffic: Traffic,
    /// The variables that the property sees where steps are possible.
    visible: Vec<bool>,
    /// The variables on which something depends.
    useful: Vec<bool>,
    /// The locations that it sees there.
    named: Vec<(ProcessId, LocationId)>,
}

impl<'s, 'a> Merger<'s, 'a> {
    /// None if nothing may be merged.
    pub fn of(survey: &'s Survey<'a>, property: &Property) -> Option<Merger<'s, 'a>> {
        let network = survey.network;
        // An observer counts the steps.
        if crate::traffic::forbids_merging(network) || property.observer.is_some() {
            return None;
        }
        let goal = goal::where_steps_are_possible(network, property)?;
        let mut named = Vec::new();
        survey.functions.expr(&goal, &mut |touch| {
            if let Touch::Name(process, location) = touch {
                named.push((process, location));
            }
        });
        named.sort_unstable();
        // In a deadlock the property may see more.
        let whole = goal::goal(property)?;
        let useful = survey.useful(&goal::visible(network, &survey.functions, &whole));
        let visible = goal::visible(network, &survey.functions, &goal);
        Some(Merger { survey, traffic: Traffic::of(network), visible, useful, named })
    }

    /// The parts of the new edges of a process, in the order of the old edges that they begin with.
    pub fn parts(&self, id: ProcessId) -> Parts {
        let process = &self.survey.network.processes[id];
        if self.survey.is_disturbed(id) {
            return process.edges.ids().map(|edge| vec![edge]).collect();
        }
        let outgoing = outgoing(process);
        let passed: Vec<Option<EdgeId>> =
            process.locations.ids().map(|it| self.passed(id, process, &outgoing, it)).collect();
        let mut room = PARTS_PER_EDGE * process.edges.len();
        let mut parts = Parts::new();
        for first in process.edges.ids() {
            let mut chain = vec![first];
            while room > 0 && self.extend(id, process, &outgoing, &passed, &mut chain) {
                room -= 1;
            }
            parts.push(chain);
        }
        let reached = reached(self.survey, id, process, &parts);
        // What was passed by all is gone.
        parts.retain(|chain| {
            let source = process.edges[chain[0]].source.index();
            reached[source] || passed[source].is_none()
        });
        parts
    }

    /// The edge `f` of a location that can be passed: it leaves the location in any case.
    fn passed(
        &self,
        id: ProcessId,
        process: &Process,
        outgoing: &[Vec<EdgeId>],
        location: LocationId,
    ) -> Option<EdgeId> {
        let &[only] = outgoing[location.index()].as_slice() else { return None };
        let (code, edge) = (&process.locations[location], &process.edges[only]);
        let is_seen = self.survey.is_named(id, location) || self.sees(id, location);
        // Directly behind `e`, a step that leaves no committed location might have to wait.
        let can_go_on = !self.traffic.has_committed || code.kind == LocationKind::Committed;
        let is_plain = code.invariant.is_always() && code.rates.is_empty();
        (!is_seen && can_go_on && is_plain && self.is_always_possible(process, edge))
            .then_some(only)
    }

    fn sees(&self, id: ProcessId, location: LocationId) -> bool {
        self.named.binary_search(&(id, location)).is_ok()
    }

    /// Whether an edge is possible wherever its process is at its source, and cannot fail.
    fn is_always_possible(&self, process: &Process, edge: &Edge) -> bool {
        let judge = Judge { network: self.survey.network, locals: &edge.locals };
        edge.action == Action::Internal
            && edge.guard.is_always()
            && edge.selects.is_empty()
            && edge.locals.is_empty()
            && process.locations[edge.target].invariant.is_always()
            && judge.are_safe(&edge.update)
            && self.is_unseen(edge)
    }

    /// Whether the property sees nothing of what an edge changes; and whether it does the same as a
    /// later part of a longer step, in which `At` sees the locations before that step.
    fn is_unseen(&self, edge: &Edge) -> bool {
        let mut unseen = true;
        self.survey.functions.statements(&edge.update, &mut |touch| match touch {
            Touch::Read(_) => {}
            Touch::Write(id) => unseen &= !self.visible[id.index()],
            Touch::Name(..) | Touch::Enter(..) => unseen = false,
        });
        unseen
    }

    /// Adds the edge that follows, if that may be merged with those before.
    fn extend(
        &self,
        id: ProcessId,
        process: &Process,
        outgoing: &[Vec<EdgeId>],
        passed: &[Option<EdgeId>],
        chain: &mut Vec<EdgeId>,
    ) -> bool {
        let first = &process.edges[chain[0]];
        let last = &process.edges[chain[chain.len() - 1]];
        let Some(next) = passed[last.target.index()] else { return false };
        let fits = chain.len() < LONGEST
            && !chain.contains(&next)
            && self.may_follow(id, process, outgoing, first, last.keeps_control, next);
        if fits {
            chain.push(next);
        }
        fits
    }

    /// Whether `next` may follow directly behind `first` and what was merged with it, which keeps
    /// control or does not (`keeps`).
    fn may_follow(
        &self,
        id: ProcessId,
        process: &Process,
        outgoing: &[Vec<EdgeId>],
        first: &Edge,
        keeps: bool,
        next: EdgeId,
    ) -> bool {
        let next = &process.edges[next];
        if self.sees(id, next.target) || !self.may_wait_there_instead(process, next) {
            return false;
        }
        if self.traffic.has_control_behind(first, keeps) {
            // Nobody else can move in between.
            return true;
        }
        let is_missed = |edge: &EdgeId| self.traffic.is_missed(&process.edges[*edge]);
        self.traffic.nobody_has_control_behind(first, keeps)
            // Otherwise others could not come between it and what follows any more.
            && !next.keeps_control
            && self.is_local(id, next)
            && !self.survey.is_named(id, next.target)
            && !outgoing[next.target.index()].iter().any(is_missed)
    }

    /// Whether every delay between the steps can as well come behind them.
    fn may_wait_there_instead(&self, process: &Process, next: &Edge) -> bool {
        let kind = |location: LocationId| process.locations[location].kind;
        !self.traffic.is_timed
            || kind(next.source) != LocationKind::Normal
            // Invariants, rates and urgent channels were excluded before.
            || kind(next.target) == LocationKind::Normal
    }

    /// Whether what an edge does has nothing to do with what other processes do.
    fn is_local(&self, id: ProcessId, edge: &Edge) -> bool {
        let mut local = true;
        self.survey.functions.statements(&edge.update, &mut |touch| {
            local &= match touch {
                Touch::Read(variable) | Touch::Write(variable)
                    if !self.useful[variable.index()] =>
                {
                    true
                }
                Touch::Read(variable) => self.survey.is_stable(variable, id),
                Touch::Write(variable) => self.survey.is_private(variable, id),
                Touch::Name(..) | Touch::Enter(..) => false,
            }
        });
        local
    }
}

/// The locations that a process can reach by its new edges.
fn reached(survey: &Survey, id: ProcessId, process: &Process, parts: &Parts) -> Vec<bool> {
    let mut targets = vec![Vec::new(); process.locations.len()];
    for chain in parts {
        let last = chain[chain.len() - 1];
        targets[process.edges[chain[0]].source.index()].push(process.edges[last].target);
    }
    let mut reached = vec![false; process.locations.len()];
    let mut open: Vec<LocationId> =
        process.locations.ids().filter(|&location| survey.is_entered(id, location)).collect();
    open.push(process.initial);
    while let Some(location) = open.pop() {
        if !std::mem::replace(&mut reached[location.index()], true) {
            open.extend(&targets[location.index()]);
        }
    }
    reached
}
