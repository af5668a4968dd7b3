//! `ltl` formulas: observers with the states of the formula's monitor, and one more location where
//! they come to once it is violated.

use super::edges::location;
use super::emit::{Emit, not, or};
use super::plan::Plan;
use super::resolved::Value;
use super::resolver::Resolver;
use crate::ast::{self, Ltl};
use crate::ltl::{Beyond, Guard, Monitor, Refusal, Target, analyse};
use network::{
    Action, Arena, Claim, Condition, Edge, Expr, Id, LocationId, Priority, Process, ProcessId,
    Property,
};
use source::Diagnostic;

/// A formula that is to be checked.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// What its observer is called.
    name: String,
    /// What of it can be checked, or why nothing can.
    safety: Result<Safety, String>,
    beyond: Option<Beyond>,
    span: ast::Span,
}

/// A monitor and what its atoms are.
#[derive(Clone, Debug)]
struct Safety {
    monitor: Monitor,
    atoms: Vec<Value>,
}

impl Resolver<'_> {
    /// Finds the monitor of a formula and resolves its atoms.
    pub(super) fn formula(&mut self, it: &Ltl, name: &str) {
        let (safety, beyond) = match analyse(&it.formula) {
            Ok(analysis) => (Ok(self.safety(analysis.monitor)), analysis.beyond),
            Err(refusal) => {
                self.refuse_next(&refusal);
                (Err(refusal.message()), None)
            }
        };
        self.formulas.push(Watched { name: format!("ltl {name}"), safety, beyond, span: it.span });
    }

    fn safety(&mut self, monitor: Monitor) -> Safety {
        self.outside = true;
        let atoms = monitor.atoms.iter().map(|it| self.value(it)).collect();
        self.outside = false;
        Safety { monitor, atoms }
    }

    /// A formula that is only too large leaves the rest of the model to be checked.
    fn refuse_next(&mut self, refusal: &Refusal) {
        if let Refusal::Next(span) = refusal {
            let hint = "Spin takes it only if built for it: a run that ends would need more steps";
            self.diagnostics.push(Diagnostic::error(refusal.message(), *span).hint(hint));
        }
    }
}

impl Watched {
    /// The observer, if there is anything to observe, and the property.
    pub fn lower(&self, plan: &Plan, id: ProcessId) -> (Option<Process>, Property) {
        let text = text(plan.sources.snippet(self.span));
        let beyond = self.beyond.as_ref().map(|it| it.message(plan));
        let (observer, claim) = match (&self.safety, &beyond) {
            (Err(why), _) => (None, Claim::Unsupported(why.clone())),
            (Ok(safety), Some(why)) if !safety.monitor.can_be_violated() => {
                (None, Claim::Unsupported(why.clone()))
            }
            (Ok(safety), _) => {
                let violated = Expr::At(id, safety.violated());
                let observer = safety.observer(plan, &self.name, plan.span(self.span));
                (Some(observer), Claim::Always(not(violated)))
            }
        };
        let property = Property {
            text,
            claim,
            locals: Arena::new(),
            counts_errors: true,
            observer: observer.as_ref().map(|_| id),
            beyond,
            span: plan.span(self.span),
        };
        (observer, property)
    }
}

/// A formula as written, on one line and without comments.
fn text(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        let close = if rest[at..].starts_with("/*") { "*/" } else { "\n" };
        let end = rest[at + 2..].find(close).map_or(rest.len(), |end| at + 2 + end + close.len());
        text.extend([&rest[..at], " "]);
        rest = &rest[end..];
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Beyond {
    fn message(&self, plan: &Plan) -> String {
        let part = self.part.map(|span| format!(" in `{}`", text(plan.sources.snippet(span))));
        format!(
            "no finite run violates the formula, but what it demands of infinite ones{} takes a \
             search for acceptance cycles, which is not supported yet",
            part.unwrap_or_default()
        )
    }
}

impl Safety {
    fn violated(&self) -> LocationId {
        LocationId::new(self.monitor.states.len())
    }

    fn observer(&self, plan: &Plan, name: &str, span: network::Span) -> Process {
        let numbers = 0..self.monitor.states.len();
        let names = numbers.map(|number| number.to_string()).chain(["violated".to_string()]);
        let mut observer = Process {
            name: name.to_string(),
            template: name.to_string(),
            arguments: vec![],
            locations: names.map(|name| location(name, span)).collect(),
            edges: Arena::new(),
            initial: LocationId::new(0),
            priority: Priority::Fixed(0),
            observes: true,
            span,
        };
        for (number, moves) in self.monitor.states.iter().enumerate() {
            for it in moves {
                let target = match it.target {
                    Target::State(number) => LocationId::new(number),
                    Target::Violated => self.violated(),
                };
                let guard = self.guard(&it.guard, &Emit::new(plan, None));
                observer.edges.push(edge(LocationId::new(number), target, guard, span));
            }
        }
        observer
    }

    fn guard(&self, guard: &Guard, emit: &Emit) -> Expr {
        let inner = |guard: &Guard| self.guard(guard, emit);
        match guard {
            Guard::True => Expr::TRUE,
            Guard::Atom(atom, true) => emit.value(&self.atoms[*atom]),
            Guard::Atom(atom, false) => not(emit.value(&self.atoms[*atom])),
            Guard::And(left, right) => inner(left).and(inner(right)),
            Guard::Or(left, right) => or(inner(left), inner(right)),
            Guard::Choice(atom, yes, no) => Expr::Conditional(
                Box::new(emit.value(&self.atoms[*atom])),
                Box::new(inner(yes)),
                Box::new(inner(no)),
            ),
        }
    }
}

fn edge(source: LocationId, target: LocationId, guard: Expr, span: network::Span) -> Edge {
    Edge {
        source,
        target,
        selects: vec![],
        guard: Condition { data: guard, clocks: vec![], span },
        action: Action::Internal,
        update: vec![],
        keeps_control: false,
        preference: 0,
        locals: Arena::new(),
        span,
    }
}
