//! A concrete state: where every process is and what every variable, channel and clock holds.

use network::{ChannelId, ClockId, Id, LocationId, Network, ProcessId, VariableId};

/// The fields of a message.
pub type Message = Vec<i32>;

/// A concrete state; times are in ticks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// The elements of each variable.
    pub values: Vec<Vec<i32>>,
    /// The messages in each element of each channel, the first to be received first.
    pub buffers: Vec<Vec<Vec<Message>>>,
    /// The process that has control, if any.
    pub control: Option<ProcessId>,
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
            buffers: network.channels.iter().map(|c| vec![Vec::new(); c.len()]).collect(),
            control: None,
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
    /// The messages in a channel's element.
    pub fn buffer(&self, channel: ChannelId, element: usize) -> &[Message] {
        &self.buffers[channel.index()][element]
    }
    /// The ticks that a clock's element shows.
    pub fn clock(&self, clock: ClockId, element: usize) -> i128 {
        self.clocks[clock.index()][element]
    }
}
