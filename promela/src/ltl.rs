//! Formulas of linear temporal logic, and deterministic monitors for what they say of safety.
//!
//! [`analyse`] is the way in: a formula is brought into negation normal form ([`formula`]) and
//! translated to an automaton with promises ([`automaton`]), whose finite beginnings are made
//! deterministic ([`subsets`]); whether they say all is found out in [`safety`]. Nothing here knows
//! of networks or of names: atoms are expressions, the same one being the same proposition.

mod atoms;
mod automaton;
mod components;
mod diagram;
mod formula;
mod guards;
mod monitor;
mod normal_form;
mod partition;
mod safety;
mod subsets;
#[cfg(test)]
mod tests;

use crate::ast::{Formula, Span};
use automaton::Automaton;
use formula::FormulaId;
pub use monitor::{Guard, Monitor, Move, Target};
use normal_form::NormalForm;

/// What finite runs show about a formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// It is violated by exactly those finite runs of which no continuation satisfies the formula.
    pub monitor: Monitor,
    /// What more the formula says, unless it is a safety property.
    pub beyond: Option<Beyond>,
}

/// What a formula says that no finite run can violate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The part that says it, if there is only one that can.
    pub part: Option<Span>,
}

/// Why a formula is not analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has the operator `X`, here.
    Next(Span),
    /// It is beyond what we are ready to compute.
    TooLarge(&'static str),
}

impl Refusal {
    /// The same for the user.
    pub fn message(&self) -> String {
        match self {
            Refusal::Next(_) => "formulas cannot have the operator `X`".to_string(),
            Refusal::TooLarge(what) => format!("the formula is too large: {what}"),
        }
    }
}

/// What can be refused.
type Fallible<T> = Result<T, Refusal>;

/// Finds out what finite runs show about a formula.
pub fn analyse(formula: &Formula) -> Result<Analysis, Refusal> {
    let mut normal = NormalForm::default();
    let root = normal.formula(formula)?;
    let automaton = pruned(root, &mut normal)?;
    let safety = !normal.formulas.has_until(root) || is_safety(root, &automaton, &mut normal)?;
    let table = subsets::determinise(&automaton, &mut normal.formulas.diagrams)?;
    let monitor = Monitor::new(table, normal)?;
    let beyond = Beyond { part: normal_form::culprit(formula) };
    Ok(Analysis { monitor, beyond: (!safety).then_some(beyond) })
}

/// The automaton of a formula without states that accept nothing.
fn pruned(root: FormulaId, normal: &mut NormalForm) -> Fallible<Automaton> {
    let mut automaton = automaton::translate(root, &mut normal.formulas)?;
    components::prune(&mut automaton);
    automaton.merge(&mut normal.formulas.diagrams)?;
    Ok(automaton)
}

fn is_safety(root: FormulaId, automaton: &Automaton, normal: &mut NormalForm) -> Fallible<bool> {
    let negation = normal.formulas.negate(root)?;
    let complement = pruned(negation, normal)?;
    safety::is_closed(automaton, &complement, &mut normal.formulas.diagrams)
}
