//! Longer steps: while a process has control, the states in between need not be stored
//! (docs/algorithms.md, section 1.8).
//!
//! They are passed through, one step at a time, unless a goal is among them; a search whose order
//! does not depend on lengths can do so.

use crate::explorer::Explorer;
use crate::step::{Raised, THEN};
use crate::successors::{Fired, Prune, Visit, Workspace, keep_all};

/// How many states are passed through at most from one that is stored. Beyond that they are stored as
/// well: paths that branch or never end would be followed again and again.
const MOST_PASSED: u32 = 200;

impl Explorer {
    /// Visits the states at the ends of all longer steps from a state whose first part is not pruned, and
    /// then tells of the first error.
    pub fn long_successors(
        &self,
        ws: &mut Workspace,
        state: &[i32],
        prune: &mut Prune,
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        ws.expansion.state.copy_from_slice(state);
        ws.expansion.prefix.clear();
        let mut left = MOST_PASSED;
        self.pass_on(ws, &mut left, prune, visit)
    }

    fn pass_on(
        &self,
        ws: &mut Workspace,
        left: &mut u32,
        prune: &mut Prune,
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        let Workspace { expansion, deeper, bounds, .. } = ws;
        self.each_successor(expansion, prune, &mut |fired| {
            let Fired { machine, next, words, .. } = fired;
            let passes = self.is_transient(&next.state) && *left > 0;
            if passes && !self.may_be_goal(machine, &mut next.state) {
                *left -= 1;
                let deeper = deeper.get_or_insert_with(|| Box::new(self.workspace()));
                deeper.expansion.state.copy_from_slice(&next.state);
                deeper.expansion.prefix.clear();
                deeper.expansion.prefix.extend_from_slice(words);
                deeper.expansion.prefix.push(THEN);
                // While a process has control there is nothing to choose.
                return self.pass_on(deeper, left, &mut keep_all, visit);
            }
            self.emit(next, words, bounds, visit);
            Ok(())
        })
    }
}
