//! Permutations of a network's parts.

use crate::sorts::Sort;
use network::{ChannelId, ClockId, FunctionId, Id, Network, Overflow, ProcessId, Type, VariableId};
use std::collections::HashMap;

/// What becomes of each part of a network.
#[derive(Clone, Debug)]
pub struct Permutation {
    pub processes: Vec<ProcessId>,
    pub variables: Vec<VariableId>,
    pub clocks: Vec<ClockId>,
    pub channels: Vec<ChannelId>,
    pub functions: Vec<FunctionId>,
    /// What becomes of values, by sort; those that are not there stay.
    pub values: HashMap<Sort, HashMap<i32, i32>>,
    /// The sort whose values go round, and how many there are.
    pub rotated: Option<(Sort, i32)>,
    /// The process that a variable goes along with.
    pub owners: HashMap<VariableId, ProcessId>,
}

impl Permutation {
    /// Everything stays where it is.
    pub fn identity(network: &Network) -> Permutation {
        Permutation {
            processes: network.processes.ids().collect(),
            variables: network.variables.ids().collect(),
            clocks: network.clocks.ids().collect(),
            channels: network.channels.ids().collect(),
            functions: network.functions.ids().collect(),
            values: HashMap::new(),
            rotated: None,
            owners: HashMap::new(),
        }
    }

    /// What becomes of a process.
    pub fn process(&self, id: ProcessId) -> ProcessId {
        self.processes[id.index()]
    }
    /// What becomes of a variable.
    pub fn variable(&self, id: VariableId) -> VariableId {
        self.variables[id.index()]
    }
    /// What becomes of a clock.
    pub fn clock(&self, id: ClockId) -> ClockId {
        self.clocks[id.index()]
    }
    /// What becomes of a channel.
    pub fn channel(&self, id: ChannelId) -> ChannelId {
        self.channels[id.index()]
    }
    /// What becomes of a function.
    pub fn function(&self, id: FunctionId) -> FunctionId {
        self.functions[id.index()]
    }
    /// What becomes of a value.
    pub fn value(&self, sort: Option<Sort>, value: i32) -> i32 {
        let values = sort.and_then(|sort| self.values.get(&sort));
        values.and_then(|values| values.get(&value)).copied().unwrap_or(value)
    }

    /// Whether the values of a sort are moved.
    pub fn moves(&self, sort: Option<Sort>) -> bool {
        sort.is_some_and(|sort| self.values.contains_key(&sort))
    }

    /// Whether what a type does to values of a sort stays as it is. What wraps around would do so to another value.
    pub fn keeps_type(&self, sort: Option<Sort>, ty: &Type) -> bool {
        let wraps = ty.overflow == Overflow::Wrap;
        let values = sort.and_then(|sort| self.values.get(&sort));
        let is_inside = |values: &HashMap<i32, i32>| values.keys().all(|&it| ty.contains(it));
        self.keeps_range(sort, ty.low, ty.high) && (!wraps || values.is_none_or(is_inside))
    }

    /// Whether a range of values of a sort stays as it is.
    pub fn keeps_range(&self, sort: Option<Sort>, low: i32, high: i32) -> bool {
        let Some(values) = sort.and_then(|sort| self.values.get(&sort)) else { return true };
        let range = low..=high;
        values.iter().all(|(from, to)| range.contains(from) == range.contains(to))
    }
}
