//! The passes, one after the other, and the way back from a trace of the result.

use crate::chain::Chain;
use crate::merge::Merger;
use crate::survey::Survey;
use crate::{clear, goal, traffic};
use analysis::DeadVariables;
use network::{
    Arena, Edge, EdgeId, Ending, Expr, Id, Move, Network, Process, ProcessId, Property, Step, Trace,
};
use std::sync::Arc;

/// For each new edge, the old ones that it consists of.
type Parts = Vec<Vec<EdgeId>>;

/// What to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Passes {
    /// Set variables that nobody will read to their initial values; lengths of paths stay the same.
    pub clear: bool,
    /// Merge steps that only their own process can see with the step before.
    pub merge: bool,
}

/// A network that answers one property like the original, and how its edges came about.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The network; everything but edges has the ids that it had.
    pub network: Arc<Network>,
    /// By process and edge, the original edges that it stands for, in order.
    parts: Vec<Parts>,
    is_original: bool,
}

/// Makes the states that a search for the property has to visit fewer. The network must have passed
/// the verifier; the result is good for this property only.
pub fn reduce(network: &Network, property: &Property, passes: Passes) -> Reduced {
    let (survey, goal) = (Survey::of(network, property), analysis::goal(property));
    let Some(goal) = goal else { return Reduced::unchanged(network) };
    let visible = goal::visible(network, &survey.touches, &goal);
    if traffic::depends_on_order(network, &survey.useful(&visible)) {
        return Reduced::unchanged(network);
    }
    let merger = passes.merge.then(|| Merger::of(&survey, property)).flatten();
    let mut reduced = match merger {
        Some(merger) => {
            let chains: Vec<_> = network.processes.ids().map(|it| merger.chains(it)).collect();
            Reduced::joined(network, chains)
        }
        None => Reduced::unchanged(network),
    };
    if passes.clear {
        let survey = Survey::of(&reduced.network, property);
        let clearings = clear::clearings(&survey, &visible);
        reduced.is_original &= clearings.iter().flatten().all(Option::is_none);
        clear::apply(Arc::make_mut(&mut reduced.network), clearings);
    }
    reduced
}

/// Where nobody will read the variables of a network any more while the property is checked.
pub fn dead_variables(network: &Network, property: &Property) -> DeadVariables {
    let Some(goal) = analysis::goal(property) else { return DeadVariables::default() };
    let survey = Survey::of(network, property);
    let visible = goal::visible(network, &survey.touches, &goal);
    if traffic::depends_on_order(network, &survey.useful(&visible)) {
        return DeadVariables::default();
    }
    clear::dead_variables(&survey, &visible)
}

impl Reduced {
    fn unchanged(network: &Network) -> Reduced {
        Reduced { network: Arc::new(network.clone()), parts: alone(network), is_original: true }
    }

    fn joined(network: &Network, chains: Vec<Vec<Chain>>) -> Reduced {
        let mut joined = network.clone();
        for (process, chains) in joined.processes.iter_mut().zip(&chains) {
            let edges = std::mem::take(&mut process.edges);
            process.edges = chains.iter().map(|chain| join(&edges, chain)).collect();
        }
        let edges = |chains: Vec<Chain>| chains.into_iter().map(|chain| chain.edges).collect();
        let parts: Vec<Parts> = chains.into_iter().map(edges).collect();
        // An edge that was left out gives those after it other numbers.
        let is_original = parts == alone(network);
        Reduced { network: Arc::new(joined), parts, is_original }
    }

    /// Whether nothing was reduced: every trace is one of the original.
    pub fn is_original(&self) -> bool {
        self.is_original
    }

    /// Whether there are edges that stand for several.
    pub fn has_merged(&self) -> bool {
        self.parts.iter().flatten().any(|edges| edges.len() > 1)
    }

    /// How many edges of the original one stands for.
    pub fn length(&self, process: ProcessId, edge: EdgeId) -> usize {
        self.parts[process.index()][edge.index()].len()
    }

    /// The trace of the original network that a trace of the reduced one stands for. What its steps
    /// change is left out: `replay::with_changes` knows.
    pub fn expand(&self, trace: &Trace) -> Trace {
        let mut steps = Vec::new();
        for step in &trace.steps {
            let plain = |delay, moves| Step { delay, moves, changes: Vec::new() };
            steps.push(plain(step.delay, self.first(&step.moves)));
            for later in step.moves.iter().flat_map(|it| self.later(it)) {
                steps.push(plain(0, vec![later]));
            }
        }
        let ending = match &trace.ending {
            Ending::Goal => Ending::Goal,
            // Later parts cannot fail.
            Ending::Error { error, moves } => {
                Ending::Error { error: error.clone(), moves: self.first(moves) }
            }
        };
        Trace { scale: trace.scale, steps, final_delay: trace.final_delay, ending }
    }

    fn parts(&self, of: &Move) -> &[EdgeId] {
        &self.parts[of.process.index()][of.edge.index()]
    }

    fn first(&self, moves: &[Move]) -> Vec<Move> {
        moves.iter().map(|it| Move { edge: self.parts(it)[0], ..it.clone() }).collect()
    }

    fn later(&self, of: &Move) -> impl Iterator<Item = Move> + '_ {
        let process = of.process;
        self.parts(of).iter().skip(1).map(move |&edge| Move { process, edge, selects: Vec::new() })
    }
}

/// Every edge as it is, by process.
fn alone(network: &Network) -> Vec<Parts> {
    let of = |process: &Process| process.edges.ids().map(|edge| vec![edge]).collect();
    network.processes.iter().map(of).collect()
}

/// One edge that does what several do one after the other.
fn join(edges: &Arena<EdgeId, Edge>, chain: &Chain) -> Edge {
    let mut joined = edges[chain.edges[0]].clone();
    let guard = std::mem::replace(&mut joined.guard.data, Expr::TRUE);
    joined.guard.data = guard.and(chain.guard.clone());
    for &next in &chain.edges[1..] {
        let next = &edges[next];
        joined.update.extend(next.update.iter().cloned());
        joined.target = next.target;
        joined.keeps_control = next.keeps_control;
    }
    joined
}
