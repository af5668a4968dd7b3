//! A state in the making: the state before a step, and on top of it what the step has written.
//!
//! Reading looks at what was written first. So a step can be tried without copying the state,
//! and the list of changes is what was written and differs.

use std::collections::BTreeMap;

use network::{Change, ChannelId, ClockId, Id, LocationId, ProcessId, VariableId};

use crate::{Message, State};

pub(crate) struct Draft<'s> {
    before: &'s State,
    locations: BTreeMap<ProcessId, LocationId>,
    values: BTreeMap<(VariableId, usize), i32>,
    buffers: BTreeMap<(ChannelId, usize), Vec<Message>>,
    clocks: BTreeMap<(ClockId, usize), i32>,
}

impl<'s> Draft<'s> {
    pub fn new(before: &'s State) -> Self {
        Draft {
            before,
            locations: BTreeMap::new(),
            values: BTreeMap::new(),
            buffers: BTreeMap::new(),
            clocks: BTreeMap::new(),
        }
    }
    pub fn before(&self) -> &'s State {
        self.before
    }
    pub fn location(&self, process: ProcessId) -> LocationId {
        self.locations.get(&process).copied().unwrap_or_else(|| self.before.location(process))
    }
    pub fn value(&self, variable: VariableId, element: usize) -> i32 {
        let written = self.values.get(&(variable, element)).copied();
        written.unwrap_or_else(|| self.before.value(variable, element))
    }
    pub fn buffer(&self, channel: ChannelId, element: usize) -> &[Message] {
        let written = self.buffers.get(&(channel, element));
        written.map_or_else(|| self.before.buffer(channel, element), Vec::as_slice)
    }
    pub fn is_set(&self, clock: ClockId, element: usize) -> bool {
        self.clocks.contains_key(&(clock, element))
    }
    pub fn clock(&self, clock: ClockId, element: usize, scale: i64) -> i128 {
        match self.clocks.get(&(clock, element)) {
            Some(&value) => value as i128 * scale as i128,
            None => self.before.clock(clock, element),
        }
    }

    pub fn go(&mut self, process: ProcessId, to: LocationId) {
        self.locations.insert(process, to);
    }
    pub fn assign(&mut self, variable: VariableId, element: usize, value: i32) {
        self.values.insert((variable, element), value);
    }
    pub fn fill(&mut self, channel: ChannelId, element: usize, messages: Vec<Message>) {
        self.buffers.insert((channel, element), messages);
    }
    pub fn set(&mut self, clock: ClockId, element: usize, value: i32) {
        self.clocks.insert((clock, element), value);
    }

    /// Locations, variables and channels that differ, clocks that were set; each by id and element.
    pub fn changes(&self) -> Vec<Change> {
        let locations = self.locations.iter().filter_map(|(&process, &to)| {
            let from = self.before.location(process);
            (from != to).then_some(Change::Location { process, from, to })
        });
        let variables = self.values.iter().filter_map(|(&(variable, element), &to)| {
            let from = self.before.value(variable, element);
            let element = element as u32;
            (from != to).then_some(Change::Variable { variable, element, from, to })
        });
        let channels = self.buffers.iter().filter_map(|(&(channel, element), to)| {
            let from = self.before.buffer(channel, element);
            (from != to).then(|| Change::Channel {
                channel,
                element: element as u32,
                from: from.to_vec(),
                to: to.clone(),
            })
        });
        let clocks = self.clocks.iter().map(|(&(clock, element), &to)| Change::Clock {
            clock,
            element: element as u32,
            to,
        });
        locations.chain(variables).chain(channels).chain(clocks).collect()
    }

    /// The state with everything that was written.
    pub fn finish(&self, scale: i64) -> State {
        let mut state = self.before.clone();
        for (process, &to) in &self.locations {
            state.locations[process.index()] = to;
        }
        for (&(variable, element), &value) in &self.values {
            state.values[variable.index()][element] = value;
        }
        for (&(channel, element), messages) in &self.buffers {
            state.buffers[channel.index()][element].clone_from(messages);
        }
        for &(clock, element) in self.clocks.keys() {
            state.clocks[clock.index()][element] = self.clock(clock, element, scale);
        }
        state
    }
}
