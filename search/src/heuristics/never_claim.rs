//! How far the observer of the property, its never claim, is from where the property is violated
//! (`h^c`; docs/algorithms.md, section 3.4). In each step it takes one edge at most.

use super::goal_form::GoalForm;
use super::graph_distance::{Combination, GraphDistance};
use crate::problem::{HeuristicResult, Problem};

/// The distance of the property's observer alone.
pub fn never_claim<'a>(problem: &Problem<'a>) -> HeuristicResult<'a> {
    let Some(observer) = problem.property().observer else {
        return Err("the property has no never claim whose distance could be estimated".to_string());
    };
    let own = |part: &GoalForm| matches!(part, GoalForm::At(process, _) if *process == observer);
    let form = GoalForm::of(problem).keep(&own);
    Ok(Box::new(GraphDistance::to(problem, &form, Combination::Max)))
}
