//! How many processes can take a step: where none can, there is a deadlock (docs/algorithms.md,
//! section 3.8). One step may block several processes, so nothing is promised.

use crate::heuristic::{Guarantees, Heuristic};
use crate::problem::Problem;
use explore::{Explorer, Workspace};

/// Counts the processes that can move.
pub struct ActiveProcesses<'a> {
    explorer: &'a Explorer,
    workspace: Workspace,
    work: u64,
    work_per_state: u64,
}

impl<'a> ActiveProcesses<'a> {
    /// For the states of a problem.
    pub fn new(problem: &Problem<'a>) -> Self {
        let explorer = problem.explorer;
        ActiveProcesses {
            explorer,
            workspace: explorer.workspace(),
            work: 0,
            work_per_state: (40 + 2 * explorer.layout.processes) as u64,
        }
    }
}

impl Heuristic for ActiveProcesses<'_> {
    fn guarantees(&self) -> Guarantees {
        Guarantees::NONE
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.work += self.work_per_state;
        self.explorer.active_processes(&mut self.workspace, state)
    }

    fn work(&self) -> u64 {
        self.work
    }
}
