//! Never claims: observers of the processes, which are violated where the claim reaches its end.
//!
//! In Spin a claim moves before every step of the processes; in the network it moves along with it,
//! by what it saw before. Atomic sequences of a claim become single edges.

use super::edges::{self, Made, Origin};
use super::emit::{not, or};
use super::flow::ElementKind;
use super::loops::Loops;
use super::plan::{Plan, Slot};
use super::resolver::Resolver;
use crate::ast::{Block, Ltl, Model, Never, Span, Unit};
use crate::load::Options;
use network::{
    Action, Arena, Claim, Condition, Edge, EdgeId, Expr, Id, Process, ProcessId, Property,
    StatementKind,
};
use source::Diagnostic;

/// A claim that is to be checked.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Its automaton, among those of the proctypes.
    pub proctype: usize,
    /// What the user calls it.
    pub text: String,
    pub span: Span,
}

/// An atomic sequence of a claim with more paths through it than this is refused.
const MOST_JOINED: usize = 1000;

/// The name of every claim or formula of the model on the command line, by unit. Those without a
/// name have the names that Spin gives them: `never_0`, `never_1`, and `ltl_0`, `ltl_1`.
pub(super) fn names(model: &Model) -> Vec<Option<String>> {
    let (mut claims, mut formulas) = (0.., 0..);
    let name = |unit: &Unit| match unit {
        Unit::Never(Never { name: Some(name), .. }) | Unit::Ltl(Ltl { name: Some(name), .. }) => {
            Some(name.text.clone())
        }
        Unit::Never(_) => claims.next().map(|number: u32| format!("never_{number}")),
        Unit::Ltl(_) => formulas.next().map(|number: u32| format!("ltl_{number}")),
        _ => None,
    };
    model.units.iter().map(name).collect()
}

/// Whether a claim or formula of this name is to be checked.
pub(super) fn is_chosen(name: &str, options: &Options) -> bool {
    let called = |chosen: &str| chosen == name || (chosen == "never" && name == "never_0");
    options.claim.as_deref().is_none_or(called)
}

impl Resolver<'_> {
    /// Reports a name on the command line that no claim has.
    pub(super) fn check_choice(&mut self, model: &Model, options: &Options) {
        let Some(chosen) = &options.claim else { return };
        let names: Vec<String> = names(model).into_iter().flatten().collect();
        if names.iter().any(|name| is_chosen(name, options)) {
            return;
        }
        let message = format!("there is no never claim or formula `{chosen}`");
        let hint = match names.is_empty() {
            true => "the model has none".to_string(),
            false => format!("the model has {}", names.join(", ")),
        };
        self.diagnostics.push(Diagnostic::error(message, Span::default()).hint(hint));
    }

    /// Reports claims of the same name.
    pub(super) fn check_names(&mut self, model: &Model) {
        let names = names(model);
        for (number, name) in names.iter().enumerate() {
            if let Some(text) = name
                && names[..number].contains(name)
            {
                let message = format!("the claim `{text}` is declared twice");
                self.error(message, model.units[number].span());
            }
        }
    }

    /// Builds the flow of a claim, as if it were a proctype that nobody starts.
    pub(super) fn never(&mut self, it: &Never, name: &str) {
        let text = match name {
            "never_0" => "never claim".to_string(),
            _ => format!("never claim {name}"),
        };
        let proctype = self.add_proctype(text.clone(), it.span);
        self.outside_flow(proctype, &it.body);
        self.claims.push(Chosen { proctype, text, span: it.span });
    }

    /// Builds the flow of a claim or trace: what stands outside all processes.
    pub(super) fn outside_flow(&mut self, proctype: usize, body: &Block) {
        self.current = Some(proctype);
        (self.scope_count, self.loops, self.outside) = (0, vec![], true);
        self.enter_scope();
        let body = self.body(body);
        self.leave_scope();
        (self.current, self.outside) = (None, false);
        self.proctypes[proctype].body = body;
    }
}

/// The observers of the claims with their properties, and what a claim must not do.
pub(super) fn observers(
    plan: &Plan,
    claims: &[Chosen],
) -> (Vec<Process>, Vec<Property>, Vec<(String, Span)>) {
    let (mut processes, mut properties, mut refused) = (vec![], vec![], vec![]);
    for (number, claim) in claims.iter().enumerate() {
        let slot = slot(plan, claim, number);
        let made = edges::process(plan, &slot);
        let (edges, more) = look_only(plan, claim, &made);
        refused.extend(more);
        properties.push(property(plan, claim, &slot));
        processes.push(Process { observes: true, edges, ..made.process });
    }
    (processes, properties, refused)
}

fn slot(plan: &Plan, claim: &Chosen, number: usize) -> Slot {
    Slot {
        proctype: claim.proctype,
        name: claim.text.clone(),
        process: ProcessId::new(plan.slots.len() + number),
        started: Some(0),
        pid: None,
        places: vec![],
    }
}

/// The transitions that each edge of a claim's observer is: several for an atomic sequence.
pub(super) fn origins(plan: &Plan, claim: &Chosen) -> Vec<Vec<Origin>> {
    let made = edges::process(plan, &slot(plan, claim, 0));
    let (edges, origins) = until_the_end(plan, claim, &made);
    let joined = in_one_step(&edges).unwrap_or_default();
    let transitions = |chain: JoinedEdge| chain.parts.iter().map(|&part| origins[part]).collect();
    joined.into_iter().map(transitions).collect()
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
            "the claim does not reach its end, but it has accept labels: whether it accepts a \
             run that never ends requires a search for acceptance cycles, which is not supported yet"
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

/// The edges of an observer, and what the claim does more than look.
fn look_only(
    plan: &Plan,
    claim: &Chosen,
    made: &Made,
) -> (Arena<EdgeId, Edge>, Vec<(String, Span)>) {
    let mut refused = vec![];
    let (edges, _) = until_the_end(plan, claim, made);
    let looks = |edge: &Edge| {
        let asserts = edge.update.iter().all(|it| matches!(it.kind, StatementKind::Assert(_)));
        edge.action == Action::Internal && asserts
    };
    if !edges.iter().all(looks) {
        let what = "a never claim that sends, receives, assigns or starts something";
        refused.push((what.to_string(), claim.span));
    }
    let Some(joined) = in_one_step(&edges) else {
        let what = "a loop, or too many paths, in an atomic sequence of a never claim";
        refused.push((what.to_string(), claim.span));
        return (Arena::new(), refused);
    };
    (joined.into_iter().map(|chain| chain.edge).collect(), refused)
}

/// The edges of a claim with their transitions. Where it is over it stays.
fn until_the_end(plan: &Plan, claim: &Chosen, made: &Made) -> (Vec<Edge>, Vec<Origin>) {
    let elements = &plan.proctypes[claim.proctype].flow.elements;
    let all = made.process.edges.iter().zip(&made.origins);
    let kept = all.filter(|(_, it)| !matches!(elements[it.source].kind, ElementKind::End));
    kept.map(|(edge, origin)| (edge.clone(), *origin)).unzip()
}

/// An edge and those that were put together in it, by their positions.
#[derive(Clone)]
struct JoinedEdge {
    edge: Edge,
    parts: Vec<usize>,
}

/// The edges with each path through an atomic sequence put together; none if there are too many.
fn in_one_step(edges: &[Edge]) -> Option<Vec<JoinedEdge>> {
    let mut done = vec![];
    let single =
        |(position, edge): (usize, &Edge)| JoinedEdge { edge: edge.clone(), parts: vec![position] };
    let mut open: Vec<JoinedEdge> = edges.iter().enumerate().map(single).rev().collect();
    let mut joined = 0;
    while let Some(chain) = open.pop() {
        if !chain.edge.keeps_control {
            done.push(chain);
            continue;
        }
        for (position, next) in edges.iter().enumerate().rev() {
            if next.source == chain.edge.target {
                joined += 1;
                let edge = both(&chain.edge, next, edges, position);
                open.push(JoinedEdge { edge, parts: [&chain.parts[..], &[position]].concat() });
            }
        }
        if joined > MOST_JOINED {
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
