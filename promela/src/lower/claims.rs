//! Never claims: observers of the processes, which are violated where the claim comes to its end.
//!
//! In Spin a claim moves before every step of the processes; in the network it moves along with it,
//! by what it saw before. Atomic sequences of a claim become single edges.

use super::edges;
use super::emit::{not, or};
use super::flow::Kind;
use super::loops::Loops;
use super::plan::{Plan, Slot};
use super::resolver::Resolver;
use crate::ast::{Model, Name, Never, Span, Unit};
use crate::diagnostic::Diagnostic;
use crate::load::Options;
use network::{
    Action, Arena, Claim, Condition, Edge, EdgeId, Expr, Id, LocationId, Process, ProcessId,
    Property, StatementKind,
};

/// A claim that is to be checked.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Its automaton, among those of the proctypes.
    pub proctype: usize,
    /// What the user calls it.
    pub text: String,
    pub span: Span,
}

/// An atomic sequence of a claim with more ways through it than this is refused.
const MOST_WAYS: usize = 1000;

/// The name of a claim on the command line: Spin calls the first without a name `never_0`.
fn is_called(name: Option<&Name>, chosen: &str) -> bool {
    match name {
        Some(name) => name.text == chosen,
        None => matches!(chosen, "never" | "never_0"),
    }
}

/// Whether a claim or formula is to be checked.
pub(super) fn is_chosen(name: Option<&Name>, options: &Options) -> bool {
    options.claim.as_ref().is_none_or(|chosen| is_called(name, chosen))
}

/// The name by which a claim or formula of the model can be chosen.
fn name_of(unit: &Unit) -> Option<&str> {
    let name = match unit {
        Unit::Never(it) => it.name.as_ref(),
        Unit::Ltl(it) => it.name.as_ref(),
        _ => return None,
    };
    Some(name.map_or("never", |name| name.text.as_str()))
}

impl Resolver<'_> {
    /// Reports a name on the command line that no claim has.
    pub(super) fn check_choice(&mut self, model: &Model, options: &Options) {
        let Some(chosen) = &options.claim else { return };
        let names: Vec<&str> = model.units.iter().filter_map(name_of).collect();
        if names.contains(&chosen.as_str()) || (chosen == "never_0" && names.contains(&"never")) {
            return;
        }
        let message = format!("there is no never claim or formula `{chosen}`");
        let hint = match names.is_empty() {
            true => "the model has none".to_string(),
            false => format!("the model has {}", names.join(", ")),
        };
        self.diagnostics.push(Diagnostic::error(message, Span::default()).hint(hint));
    }

    /// Builds the flow of a claim, as if it were a proctype that nobody starts.
    pub(super) fn never(&mut self, it: &Never) {
        let text = it
            .name
            .as_ref()
            .map_or("never claim".to_string(), |name| format!("never claim {}", name.text));
        let proctype = self.add_proctype(text.clone(), it.span);
        self.current = Some(proctype);
        (self.scope_count, self.loops, self.outside) = (0, vec![], true);
        self.enter_scope();
        let body = self.body(&it.body);
        self.leave_scope();
        (self.current, self.outside) = (None, false);
        self.proctypes[proctype].body = body;
        self.claims.push(Chosen { proctype, text, span: it.span });
    }
}

/// The observers of the claims with their properties, and what a claim must not do.
pub(super) fn observers(
    plan: &Plan,
    claims: &[Chosen],
) -> (Vec<Process>, Vec<Property>, Vec<(String, Span)>) {
    let (mut processes, mut properties, mut refused) = (vec![], vec![], vec![]);
    for (number, claim) in claims.iter().enumerate() {
        let slot = Slot {
            proctype: claim.proctype,
            name: claim.text.clone(),
            process: ProcessId::new(plan.slots.len() + number),
            started: Some(0),
            pid: None,
            places: vec![],
        };
        let mut process = edges::process(plan, &slot, &mut refused).process;
        process.observes = true;
        refused.extend(look_only(plan, claim, &mut process));
        properties.push(property(plan, claim, &slot));
        processes.push(process);
    }
    (processes, properties, refused)
}

/// A claim is violated where it comes to an end. What leads to acceptance needs more than that.
fn property(plan: &Plan, claim: &Chosen, slot: &Slot) -> Property {
    let automaton = &plan.automata[claim.proctype];
    let ends = automaton.states.iter().filter(|&&state| automaton.valid_end[state]);
    let ends = ends.filter_map(|&state| plan.location(claim.proctype, state));
    let over = ends.fold(Expr::Const(0), |any, end| or(any, Expr::At(slot.process, end)));
    Property {
        text: claim.text.clone(),
        claim: Claim::Always(not(over)),
        locals: Arena::new(),
        counts_errors: true,
        observer: Some(slot.process),
        beyond: may_accept_for_ever(plan, claim.proctype).then(|| {
            "the claim does not come to its end, but it has accept labels: whether it accepts a \
             run that never ends takes a search for acceptance cycles, which is not supported yet"
                .to_string()
        }),
        span: plan.span(claim.span),
    }
}

/// Whether a state with an accept label can be entered again and again.
fn may_accept_for_ever(plan: &Plan, proctype: usize) -> bool {
    let (automaton, labels) = (&plan.automata[proctype], &plan.proctypes[proctype].flow.labels);
    let loops = Loops::new(automaton);
    automaton.states.iter().any(|&state| {
        let accepts = labels.at(state).any(|label| label.name.starts_with("accept"));
        let mut next = automaton.transitions[state].iter().filter_map(|it| it.target);
        accepts && next.any(|next| loops.share(state, next))
    })
}

/// Makes an observer of the process of a claim; gives what it does more than look.
fn look_only(plan: &Plan, claim: &Chosen, process: &mut Process) -> Vec<(String, Span)> {
    let mut refused = vec![];
    let automaton = &plan.automata[claim.proctype];
    let is_end = |location: LocationId| {
        let state = automaton.states.get(location.index());
        let elements = &plan.proctypes[claim.proctype].flow.elements;
        state.is_some_and(|&state| matches!(elements[state].kind, Kind::End))
    };
    // Where it is over it stays.
    let edges: Vec<Edge> = process.edges.iter().filter(|it| !is_end(it.source)).cloned().collect();
    let looks = |edge: &Edge| {
        let asserts = edge.update.iter().all(|it| matches!(it.kind, StatementKind::Assert(_)));
        edge.action == Action::Internal && asserts
    };
    if !edges.iter().all(looks) {
        let what = "a never claim that sends, receives, assigns or starts something";
        refused.push((what.to_string(), claim.span));
    }
    match in_one_step(&edges) {
        Some(edges) => process.edges = edges,
        None => {
            let what = "a loop, or too many ways, in an atomic sequence of a never claim";
            refused.push((what.to_string(), claim.span));
        }
    }
    refused
}

/// The edges with each way through an atomic sequence put together; none if there are too many.
fn in_one_step(edges: &[Edge]) -> Option<Arena<EdgeId, Edge>> {
    let mut done = Arena::new();
    let mut open: Vec<Edge> = edges.iter().rev().cloned().collect();
    let mut ways = 0;
    while let Some(edge) = open.pop() {
        if !edge.keeps_control {
            done.push(edge);
            continue;
        }
        for (position, next) in edges.iter().enumerate().rev() {
            if next.source == edge.target {
                ways += 1;
                open.push(both(&edge, next, edges, position));
            }
        }
        if ways > MOST_WAYS {
            return None;
        }
    }
    Some(done)
}

/// One edge for two in a row. Nothing changes in between, so both guards are about the same state.
fn both(first: &Edge, second: &Edge, edges: &[Edge], position: usize) -> Edge {
    let mut guard = first.guard.data.clone();
    for (other, edge) in edges.iter().enumerate() {
        let preferred = edge.source == second.source && edge.preference > second.preference;
        if other != position && preferred {
            guard = guard.and(not(edge.guard.data.clone()));
        }
    }
    let mut update = first.update.clone();
    update.extend(second.update.iter().cloned());
    Edge {
        target: second.target,
        guard: Condition { data: guard.and(second.guard.data.clone()), ..first.guard.clone() },
        update,
        keeps_control: second.keeps_control,
        ..first.clone()
    }
}
