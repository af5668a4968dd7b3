//! Merging of steps that only their own process can see with the step before (docs/algorithms.md,
//! section 5.2).
//!
//! Let an edge `e` lead to a location `b` that is left by one edge `f`, where `f` is always possible,
//! cannot fail, and touches nothing that others can see. Then in every run that contains `e … f`, the
//! step `f` can be moved forward to stand directly after `e`: what other processes do in between
//! neither changes what `f` does nor notices whether it is done. And a run that ends between `e` and
//! `f` can be continued by `f`. So `e` may be replaced by `e; f`, one step, as long as the property
//! cannot tell the states before `f` from the one after it. What a search finds in the new network
//! is a run of the old one, because `f` is possible directly after `e`.
//!
//! Several edges `f` that leave `b` are just as good if one of them is always possible and what they
//! choose by has the same value before `e`: then `e` is replaced by an `e; f` for each of them.
//! The conditions below see to it that nobody notices: read them as the proof's case analysis.

use crate::chain::{Chain, Growth};
use crate::choice::{Choice, choices, mentions_timeout, one_holds};
use crate::goal;
use crate::survey::Survey;
use crate::traffic::Traffic;
use analysis::Touch;
use network::{
    Action, Edge, EdgeId, Expr, Id, LocationId, LocationKind, Process, ProcessId, Property,
    cancellation,
};

/// How many ways to leave a location are merged with those to it.
const WIDEST: usize = 8;

/// Decides what may be merged.
pub struct Merger<'s, 'a> {
    pub(crate) survey: &'s Survey<'a>,
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
        let goal = goal::where_steps_are_possible(&survey.risk, property)?;
        let mut named = Vec::new();
        survey.touches.expr(&goal, &mut |touch| {
            if let Touch::Name(process, location) = touch {
                named.push((process, location));
            }
        });
        named.sort_unstable();
        // In a deadlock the property may see more.
        let whole = analysis::goal(property)?;
        let useful = survey.useful(&goal::visible(network, &survey.touches, &whole));
        let visible = goal::visible(network, &survey.touches, &goal);
        Some(Merger { survey, traffic: Traffic::of(network), visible, useful, named })
    }

    /// What the new edges of a process consist of, in the order of the old edges that come first.
    pub fn chains(&self, id: ProcessId) -> Vec<Chain> {
        let process = &self.survey.network.processes[id];
        match self.survey.is_disturbed(id) {
            true => process.edges.ids().map(Chain::of).collect(),
            false => Growth::new(self, id, process).chains(),
        }
    }

    /// The ways to leave a location that can be passed: one of them is possible in any case.
    pub(crate) fn passed(
        &self,
        id: ProcessId,
        process: &Process,
        outgoing: &[Vec<EdgeId>],
        location: LocationId,
    ) -> Option<Vec<Choice>> {
        cancellation::check();
        let (code, edges) = (&process.locations[location], &outgoing[location.index()]);
        let is_seen = self.survey.is_named(id, location) || self.sees(id, location);
        // Directly after `e`, a step that leaves no committed location might have to wait.
        let can_go_on = !self.traffic.has_committed || code.kind == LocationKind::Committed;
        let is_plain = code.invariant.is_always() && code.rates.is_empty();
        let is_simple = |edge: &EdgeId| self.is_simple(id, process, &process.edges[*edge]);
        let fits = !is_seen
            && can_go_on
            && is_plain
            && edges.len() <= WIDEST
            && edges.iter().all(is_simple);
        if !fits {
            return None;
        }
        let guard = |edge: &EdgeId| &process.edges[*edge].guard.data;
        let guards: Vec<&Expr> = edges.iter().map(guard).collect();
        one_holds(self.survey.network, &guards).then(|| choices(process, edges))
    }

    fn sees(&self, id: ProcessId, location: LocationId) -> bool {
        self.named.binary_search(&(id, location)).is_ok()
    }

    /// Whether an edge is possible wherever its data guard holds, which is a matter of its process
    /// alone, and cannot fail.
    fn is_simple(&self, id: ProcessId, process: &Process, edge: &Edge) -> bool {
        let risk = &self.survey.risk;
        edge.action == Action::Internal
            && edge.guard.clocks.is_empty()
            // Nor are there selects, which are locals too.
            && edge.locals.is_empty()
            && process.locations[edge.target].invariant.is_always()
            && risk.is_safe(&edge.locals, &edge.guard.data)
            && risk.are_safe(&edge.locals, &edge.update)
            && self.is_own_choice(id, &edge.guard.data)
            && self.is_unseen(edge)
    }

    /// Whether only the process itself changes the value of a guard.
    fn is_own_choice(&self, id: ProcessId, guard: &Expr) -> bool {
        let mut own = !mentions_timeout(guard);
        self.survey.touches.expr(guard, &mut |touch| {
            own &= matches!(touch, Touch::Read(variable, _) if self.survey.is_stable(variable, id));
        });
        own
    }

    /// Whether the property sees nothing of what an edge changes; and whether it does the same as a
    /// later part of a longer step, in which `At` sees the locations before that step.
    fn is_unseen(&self, edge: &Edge) -> bool {
        let mut unseen = true;
        self.survey.touches.statements(&edge.update, &mut |touch| match touch {
            Touch::Read(..) => {}
            Touch::Write(id, _) => unseen &= !self.visible[id.index()],
            _ => unseen = false,
        });
        unseen
    }

    /// Whether others may miss the process at a location.
    pub(crate) fn is_missed(&self, process: &Process, leaving: &[EdgeId]) -> bool {
        leaving.iter().any(|&edge| self.traffic.is_missed(&process.edges[edge]))
    }

    /// Whether all ways on may be merged with what comes before; `missed` says of each location whether
    /// others may miss the process there.
    pub(crate) fn may_continue(
        &self,
        id: ProcessId,
        process: &Process,
        missed: &[bool],
        chain: &Chain,
        next: &[Choice],
    ) -> bool {
        let first = &process.edges[chain.edges[0]];
        let keeps = process.edges[chain.last()].keeps_control;
        chain.may_grow(next)
            && next.iter().all(|choice| {
                self.may_follow(id, process, missed, first, keeps, choice.edge)
                    && !self.changes(process, chain, &choice.guard)
            })
    }

    /// Whether a chain changes a variable that a guard reads.
    fn changes(&self, process: &Process, chain: &Chain, guard: &Expr) -> bool {
        let touches = &self.survey.touches;
        let mut read = Vec::new();
        touches.expr(guard, &mut |touch| {
            if let Touch::Read(variable, _) = touch {
                read.push(variable);
            }
        });
        let mut changes = false;
        for edge in chain.edges.iter().filter(|_| !read.is_empty()) {
            let mut on_touch = |touch: Touch| {
                changes |= matches!(touch, Touch::Write(variable, _) if read.contains(&variable));
            };
            touches.action(&process.edges[*edge].action, &mut on_touch);
            touches.statements(&process.edges[*edge].update, &mut on_touch);
        }
        changes
    }

    /// Whether `next` may follow directly after `first` and what was merged with it, which keeps
    /// control or does not (`keeps`).
    fn may_follow(
        &self,
        id: ProcessId,
        process: &Process,
        missed: &[bool],
        first: &Edge,
        keeps: bool,
        next: EdgeId,
    ) -> bool {
        let next = &process.edges[next];
        if self.sees(id, next.target) || !self.may_wait_there_instead(process, next) {
            return false;
        }
        if self.traffic.has_control_after(first, keeps) {
            // Nobody else can move in between.
            return true;
        }
        self.traffic.nobody_has_control_after(first, keeps)
            // Otherwise others could not come between it and what follows any more.
            && !next.keeps_control
            && self.is_local(id, next)
            && !self.survey.is_named(id, next.target)
            && !missed[next.target.index()]
    }

    /// Whether every delay between the steps can as well come after them.
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
        self.survey.touches.statements(&edge.update, &mut |touch| {
            local &= match touch {
                Touch::Read(variable, _) | Touch::Write(variable, _)
                    if !self.useful[variable.index()] =>
                {
                    true
                }
                Touch::Read(variable, _) => self.survey.is_stable(variable, id),
                Touch::Write(variable, _) => self.survey.is_private(variable, id),
                _ => false,
            }
        });
        local
    }
}
