//! Where everything lies in a state, and how its discrete part is packed for storage.
//!
//! A state is one slice of words: `[locations | variables | buffers | control | meta variables |
//! zone]`. All before the meta variables is the state's identity. States in use are unpacked, one word
//! per value; stored ones are packed by the ranges of their values (`packing.rs`).

use crate::packing::{Field, Packing};
use network::{ChannelKind, Id, Network, ProcessId, Storage, Type, VariableId};
use std::ops::Range;

/// Where the words of a state lie.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The number of processes; their locations come first.
    pub processes: usize,
    /// The number of words that identify a state, apart from its zone.
    pub identity: usize,
    /// The number of words before the zone.
    pub discrete: usize,
    /// The dimension of the zone: the number of clocks plus one, or 0 without clocks.
    pub dim: usize,
    homes: Vec<Home>,
    clock_base: Vec<u32>,
    /// The word that says which process has control (its number plus 1), if any edge keeps it.
    pub control: Option<u32>,
    /// The buffer of each channel element, elements numbered over all channels.
    pub buffers: Vec<Buffer>,
    channel_base: Vec<u32>,
    identity_packing: Packing,
    meta_packing: Packing,
}

/// Where the messages of a channel element are kept: their number, then their fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The word with the number of messages; of no meaning if the capacity is 0.
    pub at: u32,
    /// The greatest number of messages.
    pub capacity: u32,
    /// The types of a message's fields; none for channels that carry no messages.
    pub fields: Vec<Type>,
}

/// Where the values of a variable are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// From this word of the state on.
    State(u32),
    /// From this word of the constant pool on.
    Constant(u32),
}

impl Layout {
    /// The layout of a network's states.
    pub fn new(network: &Network) -> Layout {
        let mut fields: Vec<Field> = network
            .processes
            .iter()
            .map(|p| Field::new(0, p.locations.len().saturating_sub(1) as i32))
            .collect();
        let mut homes = vec![Home::Constant(0); network.variables.len()];
        let mut constants = 0;
        let mut identity = 0;
        let (mut buffers, mut control) = (Vec::new(), None);
        for storage in [Storage::State, Storage::Meta, Storage::Constant] {
            for (id, variable) in network.variables.enumerate() {
                if variable.storage != storage {
                    continue;
                }
                if storage == Storage::Constant {
                    homes[id.index()] = Home::Constant(constants);
                    constants += variable.len() as u32;
                } else {
                    homes[id.index()] = Home::State(fields.len() as u32);
                    let field = Field::new(variable.ty.low, variable.ty.high);
                    fields.extend(std::iter::repeat_n(field, variable.len()));
                }
            }
            if storage == Storage::State {
                buffers = place_buffers(network, &mut fields);
                let keeps = |p: &network::Process| p.edges.iter().any(|e| e.keeps_control);
                if network.processes.iter().any(keeps) {
                    control = Some(fields.len() as u32);
                    fields.push(Field::new(0, network.processes.len() as i32));
                }
                identity = fields.len();
            }
        }
        let mut clocks = 0;
        let mut clock_base = Vec::new();
        for clock in &network.clocks {
            clock_base.push(clocks + 1);
            clocks += clock.len() as u32;
        }
        let mut elements = 0;
        let mut channel_base = Vec::new();
        for channel in &network.channels {
            channel_base.push(elements);
            elements += channel.len() as u32;
        }
        Layout {
            processes: network.processes.len(),
            identity,
            discrete: fields.len(),
            dim: if clocks == 0 { 0 } else { clocks as usize + 1 },
            homes,
            clock_base,
            control,
            buffers,
            channel_base,
            identity_packing: Packing::new(0, &fields[..identity]),
            meta_packing: Packing::new(identity, &fields[identity..]),
        }
    }

    /// The number of words of a state.
    pub fn words(&self) -> usize {
        self.discrete + self.dim * self.dim
    }

    /// Where a process's location is.
    pub fn location(&self, process: ProcessId) -> usize {
        process.index()
    }

    /// Where a variable's values are.
    pub fn home(&self, variable: VariableId) -> Home {
        self.homes[variable.index()]
    }

    /// The index, in the zone, of a clock's first element.
    pub fn clock(&self, clock: network::ClockId) -> u32 {
        self.clock_base[clock.index()]
    }

    /// The number of a channel's first element, counted over all channels.
    pub fn channel(&self, channel: network::ChannelId) -> u32 {
        self.channel_base[channel.index()]
    }

    /// The words of the zone.
    pub fn zone(&self) -> Range<usize> {
        self.discrete..self.words()
    }

    /// How the identity of a state is packed.
    pub fn identity_packing(&self) -> &Packing {
        &self.identity_packing
    }

    /// Whether there are meta variables: states that differ in nothing else are treated as one.
    pub fn has_meta(&self) -> bool {
        self.meta_packing.bytes() > 0
    }

    /// How meta variables are packed.
    pub fn meta_packing(&self) -> &Packing {
        &self.meta_packing
    }
}

/// Makes room for the messages of every channel element.
fn place_buffers(network: &Network, fields: &mut Vec<Field>) -> Vec<Buffer> {
    let mut buffers = Vec::new();
    for channel in &network.channels {
        let (capacity, types) = match &channel.kind {
            ChannelKind::Buffered { capacity, fields } => (*capacity, fields.clone()),
            _ => (0, Vec::new()),
        };
        for _ in 0..channel.len() {
            let at = fields.len() as u32;
            if capacity > 0 {
                fields.push(Field::new(0, capacity as i32));
            }
            for _ in 0..capacity {
                fields.extend(types.iter().map(|ty| Field::new(ty.low.min(0), ty.high.max(0))));
            }
            buffers.push(Buffer { at, capacity, fields: types.clone() });
        }
    }
    buffers
}
