//! The search of a plan that goes through everything.

use super::SMALL;
use super::ground::Ground;
use super::pursuit::Pursuit;
use crate::catalog::Settings;

/// Breadth-first search of single steps, which says what is shortest, too; and, where there are others, the
/// search of merged steps that takes over when the model is not small.
pub struct Sweep<'a> {
    ground: Ground<'a>,
    settings: Settings,
    /// The search of single steps.
    pub breadth: Option<Pursuit<'a>>,
    /// That of merged steps, once it has begun.
    pub merged: Option<Pursuit<'a>>,
}

impl<'a> Sweep<'a> {
    /// A search of a ground, or of another one that has all traces.
    pub fn new(
        ground: &Ground<'a>,
        exact: Option<&Ground<'a>>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let exact = if ground.has_all_traces() { Some(ground) } else { exact };
        let breadth = exact.map(|exact| Pursuit::plain(exact, "bfs", settings)).transpose()?;
        Ok(Sweep { ground: *ground, settings: *settings, breadth, merged: None })
    }

    /// The search whose turn it is.
    pub fn turn(&mut self) -> Result<&mut Pursuit<'a>, String> {
        let is_single = self.ground.has_single_steps();
        match &mut self.breadth {
            Some(breadth) if is_single || breadth.work() < SMALL => Ok(breadth),
            _ => {
                if self.merged.is_none() {
                    let merged = Pursuit::plain(&self.ground, "merged-bfs", &self.settings)?;
                    self.merged = Some(merged);
                }
                Ok(self.merged.as_mut().expect("it has just been made"))
            }
        }
    }

    /// What was done since it began.
    pub fn work(&self) -> u64 {
        [&self.breadth, &self.merged].into_iter().flatten().map(Pursuit::work).sum()
    }

    /// Whether a search is in the way of the other.
    pub fn is_divided(&self) -> bool {
        self.breadth.is_some() && !self.ground.has_single_steps()
    }

    /// Gives up the search of single steps.
    pub fn unite(&mut self) -> Option<Pursuit<'a>> {
        self.breadth.take()
    }
}
