//! Negation normal form: a formula of atoms, each wanted true or false, with quantifiers written out.

use network::{Arena, BinaryOp, Expr, Local, LocalId, Network, Quantifier, UnaryOp, range_of};

/// What must hold for an expression to be true, or false.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// All of these.
    All(Vec<Form>),
    /// One of these.
    Any(Vec<Form>),
    /// The expression is true, or (if false) it is not.
    Atom(Expr, bool),
}

/// Writes forms down.
struct Writer<'a> {
    network: &'a Network,
    locals: &'a Arena<LocalId, Local>,
    is_atom: &'a dyn Fn(&Expr) -> bool,
    /// How many parts there may still be.
    left: usize,
}

impl Form {
    /// The form of an expression, or (`sign` false) of its opposite. What `is_atom` names is not taken
    /// apart, nor is a quantifier whose instances would be more than so many parts.
    pub fn of(
        network: &Network,
        locals: &Arena<LocalId, Local>,
        expr: &Expr,
        sign: bool,
        most: usize,
        is_atom: &dyn Fn(&Expr) -> bool,
    ) -> Form {
        Writer { network, locals, is_atom, left: most }.form(expr, sign)
    }
}

impl Writer<'_> {
    fn form(&mut self, expr: &Expr, sign: bool) -> Form {
        self.left = self.left.saturating_sub(1);
        if (self.is_atom)(expr) {
            return Form::Atom(expr.clone(), sign);
        }
        match expr {
            Expr::Unary(UnaryOp::Not, a) => self.form(a, !sign),
            Expr::Binary(BinaryOp::And, a, b) => self.both(a, b, sign, sign),
            Expr::Binary(BinaryOp::Or, a, b) => self.both(a, b, sign, !sign),
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                match self.truth(a, b).or_else(|| self.truth(b, a)) {
                    Some((side, value)) => {
                        self.form(side, (sign == (*op == BinaryOp::Eq)) == value)
                    }
                    None => Form::Atom(expr.clone(), sign),
                }
            }
            Expr::Conditional(condition, yes, no) => {
                let yes = Form::All(vec![self.form(condition, true), self.form(yes, sign)]);
                let no = Form::All(vec![self.form(condition, false), self.form(no, sign)]);
                Form::Any(vec![yes, no])
            }
            Expr::Quantified(
                quantifier @ (Quantifier::ForAll | Quantifier::Exists),
                binder,
                body,
            ) if self.has_room(*binder) => {
                let ty = self.locals[*binder].ty;
                let instance = |value| self.form(&body.with(*binder, value), sign);
                let parts = (ty.low..=ty.high).map(instance).collect();
                join(sign == (*quantifier == Quantifier::ForAll), parts)
            }
            _ => Form::Atom(expr.clone(), sign),
        }
    }

    fn both(&mut self, a: &Expr, b: &Expr, sign: bool, all: bool) -> Form {
        join(all, vec![self.form(a, sign), self.form(b, sign)])
    }

    /// A truth value that is compared with a constant is meant itself, or its opposite.
    fn truth<'e>(&self, side: &'e Expr, other: &Expr) -> Option<(&'e Expr, bool)> {
        let range = |expr| range_of(self.network, self.locals, expr);
        match (range(side), range(other)) {
            ((0, 1), (0, 0)) => Some((side, false)),
            ((0, 1), (1, 1)) => Some((side, true)),
            _ => None,
        }
    }

    fn has_room(&self, binder: LocalId) -> bool {
        let ty = self.locals[binder].ty;
        let count = (i64::from(ty.high) - i64::from(ty.low) + 1).max(0);
        count <= self.left as i64
    }
}

fn join(all: bool, parts: Vec<Form>) -> Form {
    if all { Form::All(parts) } else { Form::Any(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use network::PropertyId;

    /// The form of a property's expression in short: `&` and `|` with their parts, atoms with signs.
    fn form(claim: &str, most: usize) -> String {
        let text = format!(
            "network 1 clock x var v : int[0, 3] var b : bool \
             process P {{ location l; init l; }} property \"p\" {claim}"
        );
        let network = network::parse(&text).unwrap_or_else(|error| panic!("{error:?}"));
        let property = &network.properties[PropertyId(0)];
        let expr = property.claim.expression().expect("an expression");
        short(&Form::of(&network, &property.locals, expr, true, most, &|_| false))
    }

    fn short(form: &Form) -> String {
        let all = |parts: &[Form]| parts.iter().map(short).collect::<Vec<_>>().join(" ");
        match form {
            Form::All(parts) => format!("(& {})", all(parts)),
            Form::Any(parts) => format!("(| {})", all(parts)),
            Form::Atom(expr, sign) => {
                let kind = match expr {
                    Expr::Deadlock => "deadlock",
                    Expr::Clock(_) => "clock",
                    Expr::At(..) => "at",
                    Expr::Quantified(..) => "quantified",
                    _ => "data",
                };
                format!("{}{kind}", if *sign { "" } else { "!" })
            }
        }
    }

    #[test]
    fn negations_go_to_the_atoms() {
        assert_eq!(
            form("reachable !(P at l && (deadlock || v == 1))", 9),
            "(| !at (& !deadlock !data))"
        );
        assert_eq!(
            form("reachable deadlock ? x > 1 : v > 1", 9),
            "(| (& deadlock clock) (& !deadlock data))"
        );
    }

    #[test]
    fn truth_values_compared_with_constants_are_meant_themselves() {
        assert_eq!(form("reachable (P at l) == 0", 9), "!at");
        assert_eq!(form("reachable 1 != (P at l)", 9), "!at");
        assert_eq!(form("reachable b == v", 9), "data");
    }

    #[test]
    fn quantifiers_are_written_out_while_there_is_room() {
        let claim = "reachable !(forall (i#0 : int[1, 3]) v == i#0)";
        assert_eq!(form(claim, 9), "(| !data !data !data)");
        assert_eq!(form(claim, 3), "!quantified");
    }
}
