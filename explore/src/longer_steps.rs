//! Longer steps: while a process has control, the states in between need not be stored.
//!
//! They are passed through, one step at a time, unless a goal is among them; a search whose order
//! does not depend on lengths can do so.

use crate::explorer::{Explorer, Raised, Visit, Workspace};

/// Stands between the steps that a longer one is made of, where the number of an edge is expected.
const THEN: i32 = -1;

/// How many states are passed through at most from one that is stored. Beyond that they are stored as
/// well: ways that branch or never end would be followed again and again.
const MOST_PASSED: u32 = 200;

impl Explorer {
    /// The steps that the words of a longer step stand for.
    pub fn single_steps<'a>(&'a self, words: &'a [i32]) -> impl Iterator<Item = &'a [i32]> {
        let mut rest = Some(words);
        std::iter::from_fn(move || {
            let words = rest?;
            let end = self.end_of_step(words);
            rest = words.get(end + 1..);
            Some(&words[..end])
        })
    }

    /// Where the first single step ends; values of selects may look like a mark.
    fn end_of_step(&self, words: &[i32]) -> usize {
        let mut at = 0;
        while at < words.len() && words[at] != THEN {
            at += 1 + self.edges[words[at] as usize].selects.len();
        }
        at
    }

    /// Gives the states at the ends of all longer steps from a state, with their words.
    pub fn long_successors(
        &self,
        ws: &mut Workspace,
        state: &[i32],
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        ws.current.copy_from_slice(state);
        ws.way.clear();
        let mut left = MOST_PASSED;
        self.pass_on(ws, true, &mut left, visit)
    }

    fn pass_on(
        &self,
        ws: &mut Workspace,
        first: bool,
        left: &mut u32,
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        self.each_successor(ws, &mut |explorer, ws| {
            if explorer.is_transient(&ws.next) && *left > 0 && !explorer.is_goal_next(ws) {
                *left -= 1;
                return explorer.pass_through(ws, left, visit);
            }
            if first {
                explorer.emit(ws, visit);
                return Ok(());
            }
            explorer.write_step(ws);
            let Workspace { way, step, next, .. } = ws;
            let before = way.len();
            way.extend_from_slice(step);
            visit(next, way);
            way.truncate(before);
            Ok(())
        })
    }

    /// Goes on from `next` in a workspace of its own.
    fn pass_through(
        &self,
        ws: &mut Workspace,
        left: &mut u32,
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        self.write_step(ws);
        let mut deeper = ws.deeper.take().unwrap_or_else(|| Box::new(self.workspace()));
        deeper.current.copy_from_slice(&ws.next);
        deeper.machine.timeout = false;
        deeper.way.clear();
        deeper.way.extend_from_slice(&ws.way);
        deeper.way.extend_from_slice(&ws.step);
        deeper.way.push(THEN);
        let result = self.pass_on(&mut deeper, false, left, visit).map_err(|raised| {
            let step = [&ws.step[..], &[THEN], &raised.step].concat();
            Raised { step, ..raised }
        });
        ws.deeper = Some(deeper);
        result
    }
}
