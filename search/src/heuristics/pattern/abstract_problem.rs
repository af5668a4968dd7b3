//! A problem without some of its parts, ready to be explored, and the way from its states to abstract ones.

use super::abstract_costs::abstract_costs;
use super::graph::StateGraph;
use super::saved::{Bytes, DAMAGED, pattern_codes, pattern_of};
use super::state_map::{StateMap, WordSource};
use super::step_costs::StepCosts;
use super::table::{PatternTable, TableParts};
use crate::catalog::Making;
use crate::discrete_table::hash;
use crate::heuristic::TableAccount;
use crate::problem::Problem;
use abstraction::{Contents, Part, Pattern, Projection, project, project_every_step};
use explore::{Abstraction, Explorer, Home, Layout};
use network::Network;

/// An abstraction of a problem.
pub struct AbstractProblem<'a> {
    problem: Problem<'a>,
    /// The network without some of its parts.
    pub projection: Projection,
    /// Explores it.
    pub explorer: Explorer,
    pub(crate) map: StateMap,
    /// What is kept of each part, as it was asked for: what cannot be kept is found out again.
    codes: Vec<u8>,
}

impl<'a> AbstractProblem<'a> {
    /// What is left of a problem by a pattern.
    pub fn new(problem: &Problem<'a>, pattern: &Pattern) -> Result<Self, String> {
        Self::of(problem, pattern, project(problem.network(), problem.property(), pattern))
    }

    /// The same with every step of the problem, those that change nothing included.
    pub(crate) fn with_every_step(
        problem: &Problem<'a>,
        pattern: &Pattern,
    ) -> Result<Self, String> {
        let projection = project_every_step(problem.network(), problem.property(), pattern);
        Self::of(problem, pattern, projection)
    }

    /// The same from what is kept of each part.
    pub(crate) fn with_every_step_of(problem: &Problem<'a>, codes: &[u8]) -> Result<Self, String> {
        let pattern = pattern_of(problem.network(), codes).ok_or(DAMAGED)?;
        Self::with_every_step(problem, &pattern)
    }

    /// What is kept of each part, as it was asked for.
    pub(crate) fn codes(&self) -> &[u8] {
        &self.codes
    }

    fn of(
        problem: &Problem<'a>,
        pattern: &Pattern,
        projection: Projection,
    ) -> Result<Self, String> {
        let network = projection.network.clone();
        let explorer = Explorer::compile(network, Some(&projection.property), Abstraction::ExtraLu)
            .map_err(|error| error.message)?;
        let map = state_map(problem.network(), &problem.explorer.layout, &projection, &explorer);
        let codes = pattern_codes(problem.network(), pattern);
        Ok(AbstractProblem { problem: *problem, projection, explorer, map, codes })
    }

    /// The table that was saved for a problem.
    pub fn load(problem: &Problem<'a>, saved: &[u8]) -> Result<PatternTable, String> {
        let mut bytes = Bytes(saved);
        let table = AbstractProblem::read(problem, &mut bytes)?;
        if bytes.0.is_empty() { Ok(table) } else { Err(DAMAGED.to_string()) }
    }

    /// The table that was written next.
    pub(super) fn read(problem: &Problem<'a>, bytes: &mut Bytes) -> Result<PatternTable, String> {
        let codes = bytes.list(|[code]: [u8; 1]| code).ok_or(DAMAGED)?;
        let pattern = pattern_of(problem.network(), &codes).ok_or(DAMAGED)?;
        let abstracted = AbstractProblem::new(problem, &pattern)?;
        // A program that leaves parts out in another way has other states.
        if bytes.take(size_of::<u64>()).ok_or(DAMAGED)? != abstracted.fingerprint().to_le_bytes() {
            return Err("the saved table is of another abstraction of the model".to_string());
        }
        let (map, layout) = (abstracted.map.clone(), abstracted.explorer.layout.clone());
        let table = PatternTable::read(bytes, map, layout).ok_or(DAMAGED)?;
        Ok(table.with_parts(abstracted.parts()))
    }

    /// The abstract state that a state stands for.
    pub(super) fn image(&self, state: &[i32]) -> Vec<i32> {
        let mut words = vec![0; self.explorer.layout.discrete];
        self.map.project(state, &mut words);
        if self.explorer.layout.dim > 0 {
            let mut zone = Vec::new();
            self.map.project_zone(state, &mut zone);
            words.append(&mut zone);
        }
        words
    }

    fn parts(&self) -> TableParts {
        let names = kept_parts(&self.problem, &self.projection.pattern);
        TableParts { names, codes: self.codes.clone(), fingerprint: self.fingerprint() }
    }

    /// What tells the abstract network from others.
    fn fingerprint(&self) -> u64 {
        hash(network::print(&self.projection.network).as_bytes()) as u64
    }

    /// The distances of all its states; in costs, if steps have some.
    pub fn table(&self, making: &mut Making) -> PatternTable {
        let costs = making
            .costs
            .map(|costs| abstract_costs(&self.problem, &self.projection, &self.explorer, costs))
            .map(StepCosts::OfEdges);
        let graph = making.explore(&self.explorer, making.budget, costs.as_ref(), false);
        self.table_of(&graph, &[&graph.distances()], costs.is_some())
    }

    /// The table of some distances of its states, in columns.
    pub(super) fn table_of(
        &self,
        graph: &StateGraph,
        columns: &[&[u32]],
        in_costs: bool,
    ) -> PatternTable {
        let table = PatternTable::of_columns(graph, columns, in_costs, self.map.clone());
        let mut parts = self.parts();
        parts.names.reused = graph.is_reused();
        table.with_parts(parts)
    }
}

/// The names of the parts that a pattern keeps; observers of other properties do not move.
fn kept_parts(problem: &Problem, pattern: &Pattern) -> TableAccount {
    let network = problem.network();
    let mut kept = TableAccount::default();
    for part in pattern.parts(network) {
        let (list, name) = match part {
            Part::Process(id) if !problem.takes_part(id) => continue,
            Part::Process(id) => (&mut kept.processes, &network.processes[id].name),
            Part::Variable(id) => (&mut kept.variables, &network.variables[id].name),
            Part::Clock(id) => (&mut kept.clocks, &network.clocks[id].name),
            Part::Channel(id) => match pattern.contents(id) {
                Contents::Messages => (&mut kept.channels, &network.channels[id].name),
                _ => (&mut kept.lengths, &network.channels[id].name),
            },
        };
        list.push(name.clone());
    }
    kept
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
