//! Pruning: leaves out steps of a state that others make up for, such as steps that commute with them.

use explore::Steps;

/// Decides which of the steps that are enabled in a state are taken.
///
/// Every goal that can be reached must stay in reach by what is left; of a state with steps at least one
/// must stay, so that nobody takes it for a deadlock.
pub trait Pruning {
    /// Leaves out steps of a state; says whether it did.
    fn prune(&mut self, state: &[i32], steps: &mut Steps) -> bool;

    /// Whether one of the shortest paths to the goal is always left, so that what is shortest here is
    /// shortest in the model.
    fn keeps_shortest(&self) -> bool;

    /// Whether what is left out in one state must be taken in a later one.
    fn needs_progress(&self) -> bool;

    /// Whether so much was left out that a search of its own is worth while.
    fn pays(&self) -> bool;
}
