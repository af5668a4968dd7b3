//! The search of a plan that goes through everything.

use super::SMALL;
use super::member::Member;
use super::search_space::SearchSpace;
use crate::catalog::{self, Settings};

/// Breadth-first search of single steps, which says what is shortest, too; and, where there are others, the
/// search of merged steps that takes over when the model is not small.
pub struct Exhaustive<'a> {
    space: SearchSpace<'a>,
    settings: Settings,
    /// The search of single steps.
    pub breadth: Option<Member<'a>>,
    /// That of merged steps, once it has begun.
    pub merged: Option<Member<'a>>,
}

impl<'a> Exhaustive<'a> {
    /// A search of a space, or of another one that has all traces.
    pub fn new(
        space: &SearchSpace<'a>,
        exact: Option<&SearchSpace<'a>>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let exact = if space.has_all_traces() { Some(space) } else { exact };
        // It says what is shortest, so nothing is left out.
        let breadth = exact.map(|exact| {
            Member::plain(&SearchSpace { order: None, ..*exact }, &catalog::BFS, settings)
        });
        Ok(Exhaustive { space: *space, settings: *settings, breadth, merged: None })
    }

    /// The search whose turn it is.
    pub fn turn(&mut self) -> Result<&mut Member<'a>, String> {
        let is_single = self.is_single();
        match &mut self.breadth {
            Some(breadth) if is_single || breadth.work() < SMALL => Ok(breadth),
            _ => {
                if self.merged.is_none() {
                    let merged = Member::plain(&self.space, &catalog::MERGED_BFS, &self.settings);
                    self.merged = Some(merged);
                }
                Ok(self.merged.as_mut().expect("it has just been made"))
            }
        }
    }

    /// Whether there are neither merged steps nor enough that can be left out, so that another search than
    /// breadth-first search of single steps would be none the shorter.
    fn is_single(&self) -> bool {
        let leaves_out = self.space.order.is_some()
            && self.merged.as_ref().is_none_or(|merged| merged.pruning_pays());
        self.space.has_single_steps() && !leaves_out
    }

    /// What was done since it began.
    pub fn work(&self) -> u64 {
        [&self.breadth, &self.merged].into_iter().flatten().map(Member::work).sum()
    }

    /// Whether a search is in the way of the other.
    pub fn is_divided(&self) -> bool {
        self.breadth.is_some() && !self.is_single()
    }

    /// Gives up the search of single steps.
    pub fn unite(&mut self) -> Option<Member<'a>> {
        self.breadth.take()
    }
}
