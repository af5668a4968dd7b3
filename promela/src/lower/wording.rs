//! The words for edges: those of the statements whose transitions they are.

use super::claims::{self, Chosen};
use super::edges::{Made, Origin};
use super::emit::Emit;
use super::flow::{El, Kind};
use super::plan::{Plan, Slot};
use super::resolved::{Basic, Value};
use crate::wording::{EdgeWording, Print, ProcessWording, Wording};
use network::LocationId;

/// The words for the edges of all processes, then of the claims.
pub(super) fn wording(plan: &Plan, processes: &[Made], claims: &[Chosen]) -> Wording {
    let own = plan.slots.iter().zip(processes).map(|(slot, made)| ProcessWording {
        ends: ends(plan, slot.proctype),
        edges: made.origins.iter().map(|origin| edge(plan, slot, origin)).collect(),
    });
    let claimed = claims.iter().map(|claim| ProcessWording {
        ends: ends(plan, claim.proctype),
        edges: claims::origins(plan, claim).iter().map(|way| sequence(plan, claim, way)).collect(),
    });
    Wording { processes: own.chain(claimed).collect() }
}

fn ends(plan: &Plan, proctype: usize) -> Vec<LocationId> {
    let automaton = &plan.automata[proctype];
    let valid = automaton.states.iter().filter(|&&state| automaton.valid_end[state]);
    let valid = valid.filter_map(|&state| plan.location(proctype, state));
    valid.chain([plan.absent(proctype)]).collect()
}

fn edge(plan: &Plan, slot: &Slot, origin: &Origin) -> EdgeWording {
    let element = &plan.proctypes[slot.proctype].flow.elements[origin.element];
    let print = match &element.kind {
        Kind::Basic(Basic::Print(format, values)) if !values.iter().any(Value::has_run) => {
            let emit = Emit::new(plan, Some(slot)).settled();
            let values = values.iter().map(|it| emit.value(it)).collect();
            Some(Print { format: format.clone(), values })
        }
        _ => None,
    };
    EdgeWording { statement: statement(plan, slot.proctype, origin.element), print }
}

fn sequence(plan: &Plan, claim: &Chosen, way: &[Origin]) -> EdgeWording {
    let words = |it: &Origin| statement(plan, claim.proctype, it.element);
    let words: Vec<String> = way.iter().map(words).collect();
    EdgeWording { statement: words.join("; "), print: None }
}

fn statement(plan: &Plan, proctype: usize, element: El) -> String {
    let element = &plan.proctypes[proctype].flow.elements[element];
    match &element.kind {
        Kind::End => "-end-".to_string(),
        Kind::Join | Kind::Exit => "skip".to_string(),
        _ if !element.text.is_empty() => element.text.clone(),
        _ => {
            let source = plan.sources.snippet(element.span);
            source.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    }
}
