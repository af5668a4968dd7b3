//! How edges grow: which of the steps that may be merged with the one before are merged with it.
//!
//! A step that is the only one on is merged with every edge that leads to it: the process gets no more
//! edges by that. Where there is a choice, each edge that leads to it becomes several, so that there is only
//! room for some; all parts of a process have the same share in it, as it is given out by rounds.
//! Only where the process still gets by its new edges there is something to merge.

use crate::choice::Choice;
use crate::merge::Merger;
use crate::traffic::outgoing;
use network::{EdgeId, Expr, Id, LocationId, Process, ProcessId, cancellation};

/// Edges that become one, and what it needs beyond the guard of the first.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The edges, in order.
    pub edges: Vec<EdgeId>,
    /// What chooses between chains with the same first edge.
    pub guard: Expr,
    /// How often there was a choice.
    choices: usize,
}

/// How many edges one edge may consist of.
const LONGEST: usize = 64;

/// How many choices one edge may consist of.
const MOST_CHOICES: usize = 8;

/// How many parts choices may add for each edge of a process on average, so that its size stays bounded.
const PARTS_PER_EDGE: usize = 4;

impl Chain {
    /// An edge by itself.
    pub fn of(edge: EdgeId) -> Chain {
        Chain { edges: vec![edge], guard: Expr::TRUE, choices: 0 }
    }

    /// The last edge; there is always one.
    pub fn last(&self) -> EdgeId {
        self.edges[self.edges.len() - 1]
    }

    /// Whether it does not get too long by one of the ways on, nor goes in a circle.
    pub fn may_grow(&self, next: &[Choice]) -> bool {
        self.edges.len() < LONGEST
            && (next.len() == 1 || self.choices < MOST_CHOICES)
            && !next.iter().any(|choice| self.edges.contains(&choice.edge))
    }

    fn continued(&self, choice: &Choice) -> Chain {
        Chain {
            edges: self.edges.iter().copied().chain([choice.edge]).collect(),
            guard: self.guard.clone().and(choice.guard.clone()),
            choices: self.choices + usize::from(!choice.guard.is_true()),
        }
    }
}

/// The edges of a process as they grow.
pub struct Growth<'g, 's, 'a> {
    merger: &'g Merger<'s, 'a>,
    id: ProcessId,
    process: &'g Process,
    outgoing: Vec<Vec<EdgeId>>,
    /// By location, the ways to leave it if it can be passed.
    passed: Vec<Option<Vec<Choice>>>,
    /// By location, whether others may miss the process there.
    missed: Vec<bool>,
    /// By location, what the edges that leave it have become, once it was reached.
    leaving: Vec<Option<Vec<Chain>>>,
    /// How many parts there is room for.
    room: usize,
}

impl<'g, 's, 'a> Growth<'g, 's, 'a> {
    /// Nothing has been merged yet.
    pub fn new(merger: &'g Merger<'s, 'a>, id: ProcessId, process: &'g Process) -> Self {
        let outgoing = outgoing(process);
        let passed = process.locations.ids().map(|it| merger.passed(id, process, &outgoing, it));
        Growth {
            merger,
            id,
            process,
            passed: passed.collect(),
            missed: outgoing.iter().map(|it| merger.is_missed(process, it)).collect(),
            leaving: vec![None; outgoing.len()],
            outgoing,
            room: PARTS_PER_EDGE * process.edges.len(),
        }
    }

    /// What the edges become, in the order of those that come first.
    pub fn chains(mut self) -> Vec<Chain> {
        let reached = loop {
            let room = self.room;
            let reached = self.round();
            if self.room == room {
                break reached;
            }
        };
        let mut chains = Vec::new();
        for (location, edges) in self.outgoing.iter().enumerate() {
            match self.leaving[location].take().filter(|_| reached[location]) {
                Some(leaving) => chains.extend(leaving),
                // What was passed by all is gone.
                None if self.passed[location].is_some() => {}
                None => chains.extend(edges.iter().copied().map(Chain::of)),
            }
        }
        // Those that begin with the same edge stay in order.
        chains.sort_by_key(|chain| chain.edges[0]);
        chains
    }

    /// Lets every edge that the process gets to grow by one choice; gives the locations that it gets to by
    /// what comes of that.
    fn round(&mut self) -> Vec<bool> {
        let (survey, mut reached) = (self.merger.survey, vec![false; self.outgoing.len()]);
        let entered = |&location: &LocationId| survey.is_entered(self.id, location);
        let mut open: Vec<LocationId> = self.process.locations.ids().filter(entered).collect();
        open.push(self.process.initial);
        while let Some(location) = open.pop() {
            if std::mem::replace(&mut reached[location.index()], true) {
                continue;
            }
            let chains = self.leaving[location.index()].take().unwrap_or_else(|| {
                let edges = self.outgoing[location.index()].iter();
                edges.map(|&edge| self.straight(Chain::of(edge))).collect()
            });
            let chains: Vec<Chain> = chains.into_iter().flat_map(|it| self.branched(it)).collect();
            open.extend(chains.iter().map(|chain| self.target(chain)));
            self.leaving[location.index()] = Some(chains);
        }
        reached
    }

    fn target(&self, chain: &Chain) -> LocationId {
        self.process.edges[chain.last()].target
    }

    /// The ways on from the end of a chain, if it may be continued by them.
    fn next(&self, chain: &Chain) -> Option<&[Choice]> {
        cancellation::check();
        let Growth { merger, id, process, missed, .. } = self;
        let next = self.passed[self.target(chain).index()].as_deref()?;
        merger.may_continue(*id, process, missed, chain, next).then_some(next)
    }

    /// The chain as far as there is only one way on.
    fn straight(&self, mut chain: Chain) -> Chain {
        while let Some([only]) = self.next(&chain) {
            chain = chain.continued(only);
        }
        chain
    }

    /// The chain with each of the ways on from its end, if there are several and there is room for them.
    fn branched(&mut self, chain: Chain) -> Vec<Chain> {
        let Some(next) = self.next(&chain) else { return vec![chain] };
        let ways = next.iter().map(|choice| self.straight(chain.continued(choice)));
        let ways: Vec<Chain> = ways.collect();
        let parts = ways.iter().map(|way| way.edges.len() - chain.edges.len()).sum();
        match self.room.checked_sub(parts) {
            Some(room) => {
                self.room = room;
                ways
            }
            None => vec![chain],
        }
    }
}
