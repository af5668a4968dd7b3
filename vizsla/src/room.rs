//! Room for processes. A Promela model that starts processes in a loop is loaded with room for a few of
//! them, since every state has room for every process, and again with more where they do not suffice.

use crate::{Model, Refusal, load};

/// How many processes a `run` in a loop is first given room for.
pub(crate) const FEWEST_SLOTS: u32 = 4;
/// Spin allows no more processes than this.
const MOST_SLOTS: u32 = 255;

/// More room than that, but not much more.
fn more(slots: u32) -> u32 {
    (slots + slots / 2).min(MOST_SLOTS)
}

impl Model {
    /// The same model with room for more processes; none if there is no more to be had.
    pub fn with_more_room(&self) -> Result<Option<Model>, Refusal> {
        let Some(origin) = self.origin.as_ref().filter(|_| self.is_promela()) else {
            return Ok(None);
        };
        // What is bounded by other things grows late or never.
        for slots in [more(origin.slots), MOST_SLOTS] {
            if slots > origin.slots {
                let larger = load::load(origin.input.clone(), slots, origin.reader.clone())?;
                if larger.network.processes.len() > self.network.processes.len() {
                    return Ok(Some(larger));
                }
            }
        }
        Ok(None)
    }

    /// Works with the model; where that lacks room, again with more, as long as there is more to be had.
    /// Gives the model that was worked with last as well.
    pub fn with_room<T>(
        &self,
        mut work: impl FnMut(&Model) -> T,
        lacks_room: impl Fn(&T) -> bool,
    ) -> Result<(Model, T), Refusal> {
        let mut model = self.clone();
        loop {
            let done = work(&model);
            let larger = if lacks_room(&done) { model.with_more_room()? } else { None };
            match larger {
                Some(larger) => model = larger,
                None => return Ok((model, done)),
            }
        }
    }
}
