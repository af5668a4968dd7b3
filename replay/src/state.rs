//! A concrete state: where every process is and what every variable and clock holds.

use network::{ClockId, Id, LocationId, Network, ProcessId, VariableId};

/// A concrete state; times are in ticks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The elements of each variable.
    pub values: Vec<Vec<i32>>,
    /// The elements of each clock, in ticks.
    pub clocks: Vec<Vec<i128>>,
}

impl State {
    /// What the network declares, whether or not the invariants hold.
    pub(crate) fn declared(network: &Network, scale: i64) -> State {
        let ticks = |values: &Vec<i32>| values.iter().map(|&v| v as i128 * scale as i128).collect();
        State {
            locations: network.processes.iter().map(|process| process.initial).collect(),
            values: network.variables.iter().map(|variable| variable.initial.clone()).collect(),
            clocks: network.clocks.iter().map(|clock| ticks(&clock.initial)).collect(),
        }
    }
    /// Where a process is.
    pub fn location(&self, process: ProcessId) -> LocationId {
        self.locations[process.index()]
    }
    /// The value of a variable's element.
    pub fn value(&self, variable: VariableId, element: usize) -> i32 {
        self.values[variable.index()][element]
    }
    /// The ticks that a clock's element shows.
    pub fn clock(&self, clock: ClockId, element: usize) -> i128 {
        self.clocks[clock.index()][element]
    }
}
