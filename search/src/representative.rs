//! Representatives: states that are alike are found under one of them, and each is kept as it is.

/// Chooses, among states that are alike, the one under which all of them are found.
///
/// States are alike only if what can be done from one can be done, in as many steps, from the other, and
/// both are goals or none is. The search explores states as they were reached, so that its paths are
/// paths of the model.
pub trait Representatives {
    /// Turns a state into the one that it is found under; says how, so that it can be turned back.
    fn represent(&mut self, state: &mut [i32]) -> u32;

    /// Turns a state that others are found under into the one that was kept.
    fn restore(&mut self, state: &mut [i32], how: u32);

    /// Takes note of how many states were offered, and how many of them were found under a state that they are not,
    /// so that it can see whether it is worth while.
    fn account(&mut self, _offered: u64, _alike: u64) {}

    /// The bytes that it takes.
    fn bytes(&self) -> usize {
        0
    }
}
