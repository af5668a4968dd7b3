//! Which processes can move in a state.

use crate::explorer::{Explorer, Workspace};
use network::Id;

impl Explorer {
    /// The number of processes that some step of a state moves, without the property's observer. A
    /// step that raises an error ends the count; its own process is counted.
    pub fn active_processes(&self, ws: &mut Workspace, state: &[i32]) -> u32 {
        ws.current.copy_from_slice(state);
        let mut active = std::mem::take(&mut ws.active);
        active.clear();
        active.resize(self.layout.processes, false);
        let counted = self.each_possible_step(ws, &mut |explorer, ws| {
            for candidate in &ws.moves {
                active[explorer.edges[candidate.edge as usize].process.index()] = true;
            }
            Ok(())
        });
        if let Err(raised) = counted {
            let edges = self.edges_of(&raised.step);
            edges.for_each(|edge| active[self.edges[edge].process.index()] = true);
        }
        let count = active.iter().filter(|moves| **moves).count() as u32;
        ws.active = active;
        count
    }
}
