//! Queries as properties of the network.

use super::Lowerer;
use crate::ast::{self, ExprKind, QueryKind};
use crate::check::walk;
use network::{Arena, Claim, Property};
use source::Diagnostic;

impl<'a> Lowerer<'a> {
    pub(super) fn queries(&mut self, queries: &'a [ast::Query]) {
        self.scope = self.system_scope;
        self.in_query = true;
        for query in queries {
            let (property, mistakes) = self.query(query);
            let id = self.network.properties.push(property);
            if !mistakes.is_empty() {
                self.mistakes.push((id, mistakes));
            }
        }
        self.in_query = false;
    }

    /// A query as a property, and what is wrong with it alone.
    fn query(&mut self, query: &'a ast::Query) -> (Property, Vec<Diagnostic>) {
        let outer = std::mem::take(&mut self.report);
        // One query that is too large leaves room for the next.
        self.unrolled = 0;
        let (claim, owner) = self.with_owner(|it| match &query.kind {
            QueryKind::Reachable(e) => Claim::Reachable(it.claim(e)),
            QueryKind::Invariant(e) => Claim::Always(it.claim(e)),
            QueryKind::Unsupported(reason) => Claim::Unsupported(reason.clone()),
            QueryKind::Mistaken(mistakes) => {
                it.report.extend(mistakes.iter().cloned());
                Claim::Unsupported(String::new())
            }
        });
        let report = std::mem::replace(&mut self.report, outer);
        // A function that a query calls may be wrong too, and then the model is.
        let (mistakes, others): (Vec<_>, Vec<_>) =
            report.finish().into_iter().partition(|it| it.is_error() && query.span.holds(it.span));
        self.report.extend(others);
        let (claim, locals) = match mistakes.first() {
            Some(first) => {
                (Claim::Unsupported(format!("wrong query: {}", first.message)), Arena::new())
            }
            None => (claim, owner.locals),
        };
        let property = Property {
            text: query.text.clone(),
            claim,
            locals,
            counts_errors: false,
            observer: None,
            beyond: None,
            span: self.span(query.span),
        };
        (property, mistakes)
    }

    fn claim(&mut self, e: &'a ast::Expr) -> network::Expr {
        if self.assigns(e, "a query") {
            return network::Expr::Const(0);
        }
        let formula = self.pure("a query", e.span, |it| it.formula(e));
        self.goal(formula, e.span)
    }

    /// Whether the expression names a process by a value that depends on the bound name.
    pub(super) fn names_process_with(&self, e: &'a ast::Expr, name: &str) -> bool {
        let mut found = false;
        walk::expr(e, &mut |e| {
            let ExprKind::Call(callee, arguments) = &e.kind else { return };
            let ExprKind::Name(callee) = &callee.kind else { return };
            found |= self.process_sets.contains_key(callee.as_str())
                && arguments.iter().any(|argument| walk::mentions(argument, name));
        });
        found
    }
}
