//! Queries as properties of the network.

use super::Lowerer;
use crate::ast::{self, ExprKind, QueryKind};
use crate::check::walk;
use network::{Claim, Property};

impl<'a> Lowerer<'a> {
    pub(super) fn queries(&mut self, queries: &'a [ast::Query]) {
        self.scope = self.system_scope;
        self.in_query = true;
        for query in queries {
            let property = self.query(query);
            self.network.properties.push(property);
        }
        self.in_query = false;
    }

    fn query(&mut self, query: &'a ast::Query) -> Property {
        let (claim, owner) = self.with_owner(|it| match &query.kind {
            QueryKind::Reachable(e) => Claim::Reachable(it.claim(e)),
            QueryKind::Invariant(e) => Claim::Always(it.claim(e)),
            QueryKind::Unsupported(reason) => Claim::Unsupported(reason.clone()),
        });
        Property {
            text: query.text.clone(),
            claim,
            locals: owner.locals,
            counts_errors: false,
            observer: None,
            beyond: None,
            span: self.span(query.span),
        }
    }

    fn claim(&mut self, e: &'a ast::Expr) -> network::Expr {
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
