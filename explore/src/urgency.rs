//! Whether a step on an urgent channel is enabled, so that time stands still.

use crate::candidates::View;
use crate::edge::EdgeCode;
use crate::explorer::Explorer;
use crate::step::{EdgeNumber, ElementNumber};
use network::{Id, RunTimeError};

impl Explorer {
    /// Whether a step on an urgent channel is enabled. What raises an error is not; the error itself is
    /// reported when the state is explored.
    pub(crate) fn is_urgent(&self, view: &mut View) -> bool {
        (0..self.locations.len()).any(|p| {
            let location = &self.locations[p][view.state[p] as usize];
            let by_buffer = |view: &mut View, number: EdgeNumber| {
                let fires = self.can_fire(number, view).unwrap_or(false);
                fires && self.acts_urgently(number, view).unwrap_or(false)
            };
            location.urgent_buffers.iter().any(|&number| by_buffer(view, number))
                || location.urgent_sends.iter().any(|&number| self.can_meet_urgently(number, view))
        })
    }

    /// Whether an edge that can fire acts on the buffer of an urgent channel.
    fn acts_urgently(&self, number: EdgeNumber, view: &mut View) -> Result<bool, RunTimeError> {
        let Some(buffer) = &self.edges[number].buffer else { return Ok(false) };
        let element = buffer.of(&self.program, view.machine, view.state)?;
        Ok(self.elements[ElementNumber::new(element as usize)].urgent)
    }

    /// Whether a sender without clock guard is enabled on an urgent channel and, if it needs one, has a
    /// partner without clock guard.
    fn can_meet_urgently(&self, number: EdgeNumber, view: &mut View) -> bool {
        let is_unguarded = |edge: &EdgeCode| edge.clocks.is_empty();
        let kept = view.values.len();
        let mut sends = Vec::new();
        let collected = self.collect(number, view, &mut sends, |_| true);
        let found = collected.is_ok()
            && sends.into_iter().any(|send| {
                let element = self.elements[send.element];
                element.urgent
                    && (element.broadcast
                        || self.has_receiver(send, view, is_unguarded) == Ok(true))
            });
        view.values.truncate(kept);
        found
    }
}
