//! Pruning: leaves out steps of a state that others make up for, such as steps that commute with them.

use explore::Steps;

/// Decides which of the steps that are enabled in a state are taken.
///
/// Every goal that can be reached must stay in reach by what is left; of a state with steps at least one
/// must stay, so that nobody takes it for a deadlock.
pub trait Pruning {
    /// Leaves out steps of a state.
    fn prune(&mut self, state: &[i32], steps: &mut Steps);

    /// Whether one of the shortest paths to the goal is always left, so that what is shortest here is
    /// shortest in the model.
    fn keeps_shortest(&self) -> bool;
}
