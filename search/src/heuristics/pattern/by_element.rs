//! Problems whose arrays are split, so that abstractions can keep single elements.

use crate::catalog::Making;
use crate::problem::{HeuristicResult, Problem};
use explore::Explorer;

/// Makes a heuristic of a problem whose arrays are split where that is possible. Edges have the same numbers
/// there and states the same words, so it is one of the problem itself.
pub(crate) fn by_element(
    problem: &Problem,
    making: &mut Making,
    build: impl FnOnce(&Problem, &mut Making) -> HeuristicResult<'static>,
) -> HeuristicResult<'static> {
    let Some(network) = abstraction::split(problem.network(), problem.property()) else {
        return build(problem, making);
    };
    let property = network.properties.iter().next().cloned();
    let explorer = Explorer::compile(network, property.as_ref(), problem.explorer.abstraction())
        .map_err(|error| error.message)?;
    debug_assert_eq!(explorer.layout.words(), problem.explorer.layout.words());
    build(&Problem::of(&explorer), making)
}
