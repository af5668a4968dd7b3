//! The locations of one process as a graph, and distances in it, counted in half steps.
//!
//! Guards are ignored. A process also moves when another one enters it (`StatementKind::Enter`).

use crate::edge_set::EdgeSet;
use crate::problem::Problem;
use explore::EdgeNumber;
use network::{
    Action, ChannelKind, ChannelRef, Edge, Expr, Id, LocationId, Network, ProcessId, Statement,
    StatementKind,
};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The distance of what cannot be reached.
pub const FAR: u32 = u32::MAX;

/// A whole step.
pub const STEP: u32 = 2;

/// What a move of a process counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The step it is part of.
    Whole,
    /// Its share of that step, so that the shares of all processes add up to one step at most.
    Share,
}

/// A way that a process may move in one step.
#[derive(Clone, Copy, Debug)]
struct Arc {
    /// Where it starts; none if that can be anywhere.
    source: Option<LocationId>,
    target: LocationId,
    share: u32,
    /// The number of the edge that it takes.
    edge: EdgeNumber,
    /// Whether another process makes it move.
    enters: bool,
}

/// Where a process can go.
#[derive(Debug, Default)]
pub struct LocalGraph {
    arcs: Vec<Arc>,
    /// The arcs that lead to each location.
    into: Vec<Vec<usize>>,
    /// Locations that wait for their neighbours to be looked at.
    waiting: BinaryHeap<Reverse<(u32, u32)>>,
}

impl LocalGraph {
    /// The graphs of all processes.
    pub fn all(problem: &Problem) -> Vec<LocalGraph> {
        let network = problem.network();
        let count = |process: &network::Process| process.locations.len();
        let fresh = |count| LocalGraph { into: vec![Vec::new(); count], ..LocalGraph::default() };
        let mut graphs: Vec<LocalGraph> = network.processes.iter().map(count).map(fresh).collect();
        for (number, process, edge) in problem.edges() {
            if !problem.takes_part(process) {
                continue;
            }
            let buffered = problem.explorer.acts_on_buffer(number);
            let observes = network.processes[process].observes;
            let share = if observes { 0 } else { share(network, edge, buffered) };
            let (source, target) = (Some(edge.source), edge.target);
            graphs[process.index()].add(Arc { source, target, share, edge: number, enters: false });
            let mut entered = Vec::new();
            entries(network, &edge.update, None, &mut entered);
            for (other, source, target) in entered {
                // The step is paid for by the process that makes it.
                graphs[other.index()].add(Arc {
                    source,
                    target,
                    share: 0,
                    edge: number,
                    enters: true,
                });
            }
        }
        graphs.iter_mut().for_each(LocalGraph::forget_passed);
        graphs
    }

    /// A step may enter a process twice. Where it could be entered, that it is there does not tell
    /// where it was before the step.
    fn forget_passed(&mut self) {
        let entered: Vec<LocationId> =
            self.arcs.iter().filter(|arc| arc.enters).map(|arc| arc.target).collect();
        for arc in self.arcs.iter_mut().filter(|arc| arc.enters) {
            arc.source = arc.source.filter(|source| !entered.contains(source));
        }
    }

    fn add(&mut self, arc: Arc) {
        self.into[arc.target.index()].push(self.arcs.len());
        self.arcs.push(arc);
    }

    /// Whether some edge of a set is of importance here.
    pub fn is_touched(&self, edges: &EdgeSet) -> bool {
        self.arcs.iter().any(|arc| edges.contains(arc.edge))
    }

    /// The distance of every location to the nearest target, without the edges that are removed.
    pub fn distances(
        &mut self,
        targets: impl Iterator<Item = usize>,
        measure: Measure,
        removed: Option<&EdgeSet>,
        out: &mut Vec<u32>,
    ) {
        out.clear();
        out.resize(self.into.len(), FAR);
        for target in targets {
            out[target] = 0;
            self.waiting.push(Reverse((0, target as u32)));
        }
        while let Some(Reverse((distance, location))) = self.waiting.pop() {
            if out[location as usize] < distance {
                continue;
            }
            for &arc in &self.into[location as usize] {
                let arc = self.arcs[arc];
                if removed.is_some_and(|removed| removed.contains(arc.edge)) {
                    continue;
                }
                let further = distance + if measure == Measure::Whole { STEP } else { arc.share };
                let sources = match arc.source {
                    Some(source) => source.index()..source.index() + 1,
                    None => 0..out.len(),
                };
                for source in sources {
                    if further < out[source] {
                        out[source] = further;
                        self.waiting.push(Reverse((further, source as u32)));
                    }
                }
            }
        }
    }
}

/// What the process of an edge counts in a step with others.
fn share(network: &Network, edge: &Edge, buffered: bool) -> u32 {
    let sends = match &edge.action {
        Action::Internal => return STEP,
        _ if buffered => return STEP,
        Action::Send(_) => true,
        Action::Receive(_) => false,
    };
    let of = |kind: &ChannelKind| match (kind, sends) {
        (ChannelKind::Broadcast, true) => STEP,
        (ChannelKind::Broadcast, false) => 0,
        (ChannelKind::Handshake | ChannelKind::Buffered { .. }, _) => STEP / 2,
    };
    match edge.action.channel() {
        Some(ChannelRef::Element(id, _)) => of(&network.channels[*id].kind),
        _ => network.channels.iter().map(|channel| of(&channel.kind)).min().unwrap_or(0),
    }
}

/// The processes that statements enter: from where, if that is known, and to where.
fn entries(
    network: &Network,
    statements: &[Statement],
    known: Option<(ProcessId, LocationId)>,
    out: &mut Vec<(ProcessId, Option<LocationId>, LocationId)>,
) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Enter(process, target) => {
                let source = known.filter(|(other, _)| other == process).map(|(_, at)| at);
                out.push((*process, source, *target));
            }
            StatementKind::If(condition, then, otherwise) => {
                // An update sees the locations from before the step.
                let here = match condition {
                    Expr::At(process, location) => Some((*process, *location)),
                    _ => known,
                };
                entries(network, then, here, out);
                entries(network, otherwise, known, out);
            }
            StatementKind::While(_, body) => entries(network, body, known, out),
            StatementKind::Call(_, function, _) => {
                entries(network, &network.functions[*function].body, known, out);
            }
            _ => {}
        }
    }
}
