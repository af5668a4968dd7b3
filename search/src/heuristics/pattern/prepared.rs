//! Problems that say as much as they can before parts of them are left out.

use crate::catalog::Making;
use crate::problem::{HeuristicResult, Problem};
use explore::Explorer;

/// Makes a heuristic of a problem that does the same and says more (`abstraction::prepare`). States have the
/// same words there, so it is one of the problem itself.
pub(crate) fn prepared(
    problem: &Problem,
    making: &mut Making,
    build: impl FnOnce(&Problem, &mut Making) -> HeuristicResult<'static>,
) -> HeuristicResult<'static> {
    let network = abstraction::prepare(problem.network(), problem.property());
    let property = network.properties.iter().next().cloned();
    let explorer = Explorer::compile(network, property.as_ref(), problem.explorer.abstraction())
        .map_err(|error| error.message)?;
    debug_assert_eq!(explorer.layout.words(), problem.explorer.layout.words());
    let costs = making.costs.map(|costs| costs.renumbered(problem.explorer, &explorer));
    let making = &mut Making { costs: costs.as_ref(), ..making.within(making.budget) };
    build(&Problem::of(&explorer), making)
}
