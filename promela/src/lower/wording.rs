//! The words for edges: those of the statements whose transitions they are.

use super::claims::{self, Chosen};
use super::edges::{self, Made, Origin};
use super::flow::{El, ElementKind};
use super::plan::{Plan, Slot};
use super::recording::Prints;
use super::resolved::Basic;
use crate::wording::{EdgeWording, ProcessWording, RECORD, Wording};
use network::{Base, Edge, LocationId, StatementKind};

/// The words for the edges of all processes, then of the claims.
pub(super) fn wording(plan: &Plan, processes: &[Made], claims: &[Chosen]) -> Wording {
    let own = plan.slots.iter().zip(processes).map(|(slot, made)| process(plan, slot, made));
    let claimed = claims.iter().map(|claim| ProcessWording {
        ends: ends(plan, claim.proctype),
        prints: vec![],
        edges: claims::origins(plan, claim)
            .iter()
            .map(|chain| sequence(plan, claim, chain))
            .collect(),
    });
    Wording { processes: own.chain(claimed).collect() }
}

fn process(plan: &Plan, slot: &Slot, made: &Made) -> ProcessWording {
    let words = |origin: &Origin| EdgeWording {
        statement: statement(plan, slot.proctype, origin.element),
        recording: None,
    };
    let mut edges: Vec<_> = made.origins.iter().map(words).collect();
    let prints = Prints::default();
    if has_prints(plan, slot.proctype) {
        let recording = edges::recording(plan, slot, &prints).process.edges;
        for (words, edge) in edges.iter_mut().zip(recording.iter()) {
            words.recording = keeps_record(edge).then(|| Box::new(edge.clone()));
        }
    }
    ProcessWording { ends: ends(plan, slot.proctype), prints: prints.into_list(), edges }
}

fn has_prints(plan: &Plan, proctype: usize) -> bool {
    let elements = &plan.proctypes[proctype].flow.elements;
    elements.iter().any(|it| matches!(it.kind, ElementKind::Basic(Basic::Print(..))))
}

fn keeps_record(edge: &Edge) -> bool {
    let mut found = false;
    let record = Base::Local(RECORD);
    for statement in &edge.update {
        statement.walk(&mut |it| {
            found |= matches!(&it.kind, StatementKind::Assign(place, _) if place.base == record);
        });
    }
    found
}

fn ends(plan: &Plan, proctype: usize) -> Vec<LocationId> {
    let automaton = &plan.automata[proctype];
    let valid = automaton.states.iter().filter(|&&state| automaton.valid_end[state]);
    let valid = valid.filter_map(|&state| plan.location(proctype, state));
    valid.chain([plan.absent(proctype)]).collect()
}

fn sequence(plan: &Plan, claim: &Chosen, chain: &[Origin]) -> EdgeWording {
    let words = |it: &Origin| statement(plan, claim.proctype, it.element);
    let words: Vec<String> = chain.iter().map(words).collect();
    EdgeWording { statement: words.join("; "), recording: None }
}

fn statement(plan: &Plan, proctype: usize, element: El) -> String {
    let element = &plan.proctypes[proctype].flow.elements[element];
    match &element.kind {
        ElementKind::End => "-end-".to_string(),
        ElementKind::Join | ElementKind::Exit => "skip".to_string(),
        _ if !element.text.is_empty() => element.text.clone(),
        _ => {
            let source = plan.sources.snippet(element.span);
            source.split_whitespace().collect::<Vec<_>>().join(" ")
        }
    }
}
