//! Variables that nobody will read: where they are dead.

use network::{Id, LocationId, ProcessId, VariableId};
use std::collections::{HashMap, HashSet};

/// For each variable that belongs to a process, the locations of that process at which nobody will read the value
/// that it has. What is not listed may be read anywhere.
#[derive(Clone, Debug, Default)]
pub struct DeadVariables {
    variables: HashMap<VariableId, (ProcessId, Vec<bool>)>,
    useless: HashSet<VariableId>,
}

impl DeadVariables {
    /// Takes note of the locations of a process, in their order, at which a variable is dead.
    pub fn insert(&mut self, variable: VariableId, process: ProcessId, locations: Vec<bool>) {
        self.variables.insert(variable, (process, locations));
    }

    /// Takes note that nothing ever depends on a variable.
    pub fn insert_useless(&mut self, variable: VariableId) {
        self.useless.insert(variable);
    }

    /// Whether nothing ever depends on a variable.
    pub fn is_useless(&self, variable: VariableId) -> bool {
        self.useless.contains(&variable)
    }

    /// Whether a variable is dead while a process is at a location.
    pub fn at(&self, process: ProcessId, location: LocationId, variable: VariableId) -> bool {
        let known = self.of(variable).filter(|(owner, _)| *owner == process);
        self.is_useless(variable) || known.is_some_and(|(_, dead)| dead[location.index()])
    }

    /// The process that a variable belongs to, and for each of its locations whether the variable is dead there.
    pub fn of(&self, variable: VariableId) -> Option<(ProcessId, &[bool])> {
        self.variables.get(&variable).map(|(process, dead)| (*process, dead.as_slice()))
    }
}
