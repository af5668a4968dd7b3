//! Patterns: which parts of a network an abstraction keeps.

use network::{
    ChannelId, ChannelKind, ClockId, Id, Network, ProcessId, Storage, Variable, VariableId,
};

/// Something that an abstraction keeps or drops as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// Where a process is.
    Process(ProcessId),
    /// The values of a variable.
    Variable(VariableId),
    /// The values of a clock.
    Clock(ClockId),
    /// What waits in the buffers of a channel; of one without buffers, the messages that are handed over.
    Channel(ChannelId),
}

/// What is kept of the messages of a channel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Contents {
    /// Nothing; without a buffer, sender and receiver still move together.
    Nothing,
    /// How many there are.
    Lengths,
    /// All of them.
    Messages,
}

/// The parts of a network that are kept.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    processes: Vec<bool>,
    variables: Vec<bool>,
    clocks: Vec<bool>,
    channels: Vec<Contents>,
}

impl Pattern {
    /// Keeps all parts.
    pub fn everything(network: &Network) -> Pattern {
        Pattern::all(network, true, Contents::Messages)
    }

    /// Keeps no part; what has no part in a state stays: constants, and channels that carry no messages.
    pub fn nothing(network: &Network) -> Pattern {
        Pattern::all(network, false, Contents::Nothing)
    }

    fn all(network: &Network, kept: bool, contents: Contents) -> Pattern {
        let variable = |it: &Variable| kept || it.storage == Storage::Constant;
        let channel = |kind: &ChannelKind| match kind {
            ChannelKind::Buffered { .. } => contents,
            _ => Contents::Messages,
        };
        Pattern {
            processes: vec![kept; network.processes.len()],
            variables: network.variables.iter().map(variable).collect(),
            clocks: vec![kept; network.clocks.len()],
            channels: network.channels.iter().map(|it| channel(&it.kind)).collect(),
        }
    }

    /// Whether a part is kept, if only in part.
    pub fn keeps(&self, part: Part) -> bool {
        match part {
            Part::Process(id) => self.processes[id.index()],
            Part::Variable(id) => self.variables[id.index()],
            Part::Clock(id) => self.clocks[id.index()],
            Part::Channel(id) => self.channels[id.index()] > Contents::Nothing,
        }
    }

    /// What is kept of the messages of a channel.
    pub fn contents(&self, channel: ChannelId) -> Contents {
        self.channels[channel.index()]
    }

    /// Keeps a part, whole.
    pub fn add(&mut self, part: Part) {
        match part {
            Part::Process(id) => self.processes[id.index()] = true,
            Part::Variable(id) => self.variables[id.index()] = true,
            Part::Clock(id) => self.clocks[id.index()] = true,
            Part::Channel(id) => self.channels[id.index()] = Contents::Messages,
        }
    }

    /// Keeps of a channel what is said, at most.
    pub fn limit(&mut self, channel: ChannelId, contents: Contents) {
        let kept = &mut self.channels[channel.index()];
        *kept = contents.min(*kept);
    }

    /// Drops a part.
    pub fn remove(&mut self, part: Part) {
        match part {
            Part::Process(id) => self.processes[id.index()] = false,
            Part::Variable(id) => self.variables[id.index()] = false,
            Part::Clock(id) => self.clocks[id.index()] = false,
            Part::Channel(id) => self.channels[id.index()] = Contents::Nothing,
        }
    }

    /// Keeps less of a part: of the messages of a channel first their number, then nothing.
    pub(crate) fn weaken(&mut self, part: Part) {
        match part {
            Part::Channel(id) if self.contents(id) == Contents::Messages => {
                self.limit(id, Contents::Lengths);
            }
            _ => self.remove(part),
        }
    }

    /// Drops all clocks.
    pub fn without_clocks(mut self) -> Pattern {
        self.clocks.fill(false);
        self
    }

    /// The parts that are kept and could be dropped.
    pub fn parts(&self, network: &Network) -> Vec<Part> {
        parts(network).into_iter().filter(|&part| self.keeps(part)).collect()
    }
}

/// The parts of a network that can be dropped: processes, variables, channels, clocks.
pub fn parts(network: &Network) -> Vec<Part> {
    let is_stored = |id: &VariableId| network.variables[*id].storage != Storage::Constant;
    let carries =
        |id: &ChannelId| matches!(network.channels[*id].kind, ChannelKind::Buffered { .. });
    let processes = network.processes.ids().map(Part::Process);
    let variables = network.variables.ids().filter(is_stored).map(Part::Variable);
    let channels = network.channels.ids().filter(carries).map(Part::Channel);
    let clocks = network.clocks.ids().map(Part::Clock);
    processes.chain(variables).chain(channels).chain(clocks).collect()
}
