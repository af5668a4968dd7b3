//! A problem without some of its parts, ready to be explored, and the way from its states to abstract ones.

use super::graph::{Building, StateGraph};
use super::state_map::{StateMap, WordSource};
use super::table::PatternTable;
use crate::catalog::Making;
use crate::problem::Problem;
use abstraction::{Part, Pattern, Projection, project, project_every_step};
use explore::{Abstraction, Explorer, Home, Layout};
use network::Network;

/// An abstraction of a problem.
pub struct AbstractProblem {
    /// The network without some of its parts.
    pub projection: Projection,
    /// Explores it.
    pub explorer: Explorer,
    pub(crate) map: StateMap,
}

impl AbstractProblem {
    /// What is left of a problem by a pattern.
    pub fn new(problem: &Problem, pattern: &Pattern) -> Result<AbstractProblem, String> {
        Self::of(problem, project(problem.network(), problem.property(), pattern))
    }

    /// The same with every step of the problem, those that change nothing included.
    pub(crate) fn with_every_step(problem: &Problem, pattern: &Pattern) -> Result<Self, String> {
        Self::of(problem, project_every_step(problem.network(), problem.property(), pattern))
    }

    fn of(problem: &Problem, projection: Projection) -> Result<AbstractProblem, String> {
        let network = projection.network.clone();
        let explorer = Explorer::compile(network, Some(&projection.property), Abstraction::ExtraLu)
            .map_err(|error| error.message)?;
        let map = state_map(problem.network(), &problem.explorer.layout, &projection, &explorer);
        Ok(AbstractProblem { projection, explorer, map })
    }

    /// The distances of all its states.
    pub fn table(&self, making: &mut Making) -> PatternTable {
        let Making { budget, observer, .. } = making;
        let building =
            Building { budget: *budget, costs: None, labelled: false, observer: *observer };
        let graph = StateGraph::explore(&self.explorer, building);
        PatternTable::of(&graph, &graph.distances(), false, self.map.clone())
    }
}

/// Where the words and clocks of a projection's states come from.
fn state_map(
    network: &Network,
    concrete: &Layout,
    projection: &Projection,
    explorer: &Explorer,
) -> StateMap {
    let layout = &explorer.layout;
    let mut words = vec![WordSource::Constant(0); layout.discrete];
    let mut copy = |from: u32, to: u32, count: usize| {
        for offset in 0..count {
            words[to as usize + offset] = WordSource::Copy(from as usize + offset);
        }
    };
    for process in network.processes.ids() {
        if projection.pattern.keeps(Part::Process(process)) {
            copy(concrete.location(process) as u32, layout.location(process) as u32, 1);
        }
    }
    for (id, variable) in network.variables.enumerate() {
        if let (Home::State(from), Home::State(to)) = (concrete.home(id), layout.home(id)) {
            copy(from, to, variable.len());
        }
    }
    for (from, to) in concrete.buffers.iter().zip(&layout.buffers) {
        if to.capacity > 0 {
            copy(from.at, to.at, 1 + to.fields.len() * to.capacity as usize);
        }
    }
    if let (Some(from), Some(to)) = (concrete.control, layout.control) {
        let known = projection.keeps_control.clone();
        words[to as usize] = WordSource::Control { word: from as usize, known };
    }
    StateMap::new(concrete, words, &clocks(network, concrete, projection))
}

/// The indices of kept clocks in the zones of the model.
fn clocks(network: &Network, concrete: &Layout, projection: &Projection) -> Vec<usize> {
    let elements = projection.clocks.iter().flat_map(|&id| {
        let first = concrete.clock(id) as usize;
        first..first + network.clocks[id].len()
    });
    elements.collect()
}
