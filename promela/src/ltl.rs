//! Formulas of linear temporal logic that speak of safety, as deterministic monitors.
//!
//! [`monitor`] is the way in: a formula is brought into negation normal form ([`formula`]),
//! translated to an automaton with promises ([`automaton`]), and where it is a safety property
//! ([`safety`]) that automaton is made deterministic ([`subsets`]). Nothing here knows of networks
//! or of names: atoms are expressions, the same one being the same proposition.

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
use crate::diagnostic::Diagnostic;
use automaton::Automaton;
use formula::FormulaId;
pub use monitor::{Guard, Monitor, Move, Target};
use normal_form::NormalForm;

/// Why a formula has no monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has the operator `X`, here.
    Next(Span),
    /// It is no safety property; if one part alone makes it so, that part.
    NeedsAcceptance(Option<Span>),
    /// It is beyond what we are ready to compute.
    TooLarge(&'static str),
}

impl Refusal {
    /// What to tell the user about a formula that stands at `span`.
    pub fn diagnostic(&self, span: Span) -> Diagnostic {
        match self {
            Refusal::Next(at) => Diagnostic::error("formulas cannot have the operator `X`", *at)
                .hint(
                    "Spin takes it only if built for it: a run that ends would need further steps",
                ),
            Refusal::NeedsAcceptance(part) => Diagnostic::warning(
                "checking this formula needs acceptance cycles, which are not searched for yet",
                part.unwrap_or(span),
            )
            .label("no finite run shows that this is violated"),
            Refusal::TooLarge(what) => {
                Diagnostic::warning(format!("the formula is too large: {what}"), span)
            }
        }
    }
}

/// What can be refused.
type Fallible<T> = Result<T, Refusal>;

/// The monitor of a safety property: it is violated by exactly those finite runs of which no
/// continuation satisfies the formula.
pub fn monitor(formula: &Formula) -> Result<Monitor, Refusal> {
    let mut normal = NormalForm::default();
    let root = normal.formula(formula)?;
    let automaton = pruned(root, &mut normal)?;
    if normal.formulas.has_until(root) && !is_safety(root, &automaton, &mut normal)? {
        return Err(Refusal::NeedsAcceptance(normal_form::culprit(formula)));
    }
    let table = subsets::determinise(&automaton, &mut normal.formulas.diagrams)?;
    Monitor::new(table, normal)
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
