//! Useless transitions (Wehrle, Kupferschmid, Podelski: Transition-based directed model checking).
//!
//! A step is useless if, without its edges and those that depend on them, its source looks no farther
//! from the goal than the state that the step leads to: the step brought nothing. Such states wait
//! (docs/algorithms.md, section 4.1).

use crate::edge_set::EdgeSet;
use crate::footprint::{Spans, data, footprints};
use crate::guidance::{Child, Guidance, Judgement, Parent, movers, probe};
use crate::heuristic::{FARTHEST, Heuristic};
use crate::problem::Problem;
use explore::EdgeNumber;
use network::{Arena, LocationId, ProcessId, cancellation};
use rustc_hash::FxHashMap;

/// Judges steps by whether they were of use.
pub struct UselessTransitions<'a> {
    problem: Problem<'a>,
    consequence: Consequence,
    removals: Removals,
    /// What the current parent is estimated at without some edges.
    known: FxHashMap<EdgeSet, u32>,
    removed: EdgeSet,
}

/// What happens to states after useless steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// A depth is added to their estimates.
    Penalty(Penalty),
    /// They wait until there are no others.
    Queue,
}

/// Which depth is added to the estimate of a state after a useless step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Penalty {
    /// That of the state before the step.
    #[default]
    Pred,
    /// That of the state after it.
    Succ,
}

impl<'a> UselessTransitions<'a> {
    /// The judge for a problem; none if the heuristic cannot leave out edges.
    pub fn new(
        problem: &Problem<'a>,
        consequence: Consequence,
        heuristic: &mut dyn Heuristic,
    ) -> Result<Self, String> {
        let removed = EdgeSet::new(problem.explorer.edges().len());
        let able = |state: &[i32]| heuristic.estimate_without(state, &removed).is_some();
        if !probe(problem, able) {
            let why = "useless transitions need a heuristic that can estimate as if some edges did \
                       not exist, and this one cannot";
            return Err(why.to_string());
        }
        let removals = Removals::new(problem);
        let known = FxHashMap::default();
        Ok(UselessTransitions { problem: *problem, consequence, removals, known, removed })
    }

    fn is_useless(
        &mut self,
        heuristic: &mut dyn Heuristic,
        parent: &Parent,
        child: &Child,
    ) -> bool {
        self.removed.clear();
        let edges = movers(&self.problem, child.step);
        for edge in edges.clone() {
            for mover in edges.clone() {
                self.removed.unite(self.removals.of(edge, mover));
            }
        }
        let without = match self.known.get(&self.removed) {
            Some(&known) => known,
            None => {
                let estimate = heuristic.estimate_without(parent.state, &self.removed);
                let estimate = estimate.map_or(FARTHEST, |estimate| estimate.min(FARTHEST));
                self.known.insert(self.removed.clone(), estimate);
                estimate
            }
        };
        without <= child.estimate
    }
}

impl Guidance for UselessTransitions<'_> {
    fn enter(&mut self, _: &mut dyn Heuristic, _: &Parent) {
        self.known.clear();
    }

    fn judge(
        &mut self,
        heuristic: &mut dyn Heuristic,
        parent: &Parent,
        child: &Child,
    ) -> Judgement {
        if !self.is_useless(heuristic, parent, child) {
            return Judgement::default();
        }
        match self.consequence {
            Consequence::Penalty(Penalty::Pred) => Judgement { queue: 0, penalty: parent.cost },
            Consequence::Penalty(Penalty::Succ) => Judgement { queue: 0, penalty: child.cost },
            Consequence::Queue => Judgement { queue: 1, penalty: 0 },
        }
    }
}

/// What is left out to see how the search would do without a step: for each of its edges something of
/// each process that takes part in it; computed when needed.
struct Removals {
    edges: Arena<EdgeNumber, Ends>,
    sets: FxHashMap<(EdgeNumber, ProcessId), EdgeSet>,
}

struct Ends {
    process: ProcessId,
    target: LocationId,
    reads: Spans,
    writes: Spans,
}

impl Removals {
    fn new(problem: &Problem) -> Self {
        let data = data(&problem.explorer.layout);
        let footprints = footprints(problem);
        let ends = |(number, process, edge): (EdgeNumber, ProcessId, &network::Edge)| Ends {
            process,
            target: edge.target,
            reads: footprints[number].reads.within(data.clone()),
            writes: footprints[number].writes.within(data.clone()),
        };
        let edges = problem.edges().map(ends).collect();
        Removals { edges, sets: FxHashMap::default() }
    }

    /// Of a mover's process: the edges that read a variable that the edge writes, and those with its
    /// target. Processes that do not take part in a step keep theirs: whoever waits for an input
    /// would be left out with each step that sets it, and none of them would ever look useless.
    fn of(&mut self, edge: EdgeNumber, mover: EdgeNumber) -> &EdgeSet {
        let Removals { edges, sets } = self;
        let process = edges[mover].process;
        sets.entry((edge, process)).or_insert_with(|| {
            let left = &edges[edge];
            let mut set = EdgeSet::new(edges.len());
            cancellation::check();
            for (other, ends) in edges.enumerate().filter(|(_, it)| it.process == process) {
                let twin = ends.process == left.process && ends.target == left.target;
                if twin || ends.reads.overlap(&left.writes) {
                    set.insert(other);
                }
            }
            set
        })
    }
}
