//! How far clocks need to be told apart, and how long a delay needs to be, estimated from above.

use network::{
    Base, BinaryOp, ClockConstraint, Expr, Local, LocalId, Network, Property, Statement,
    StatementKind, UnaryOp,
};

type Locals = network::Arena<LocalId, Local>;

/// Bounds in units of time; none where there is no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// Clocks above need not be told apart, unless differences of clocks matter.
    pub clock: Option<i64>,
    /// Longer delays lead to nothing that shorter ones do not lead to.
    ///
    /// After a delay longer than every bound and every value set, a clock differs by more than any
    /// bound from 0 and from all clocks set later; so the delay can be cut by whole units. A clock
    /// that was stopped may be further behind, so there is no such bound if clocks are stopped.
    pub delay: Option<i64>,
}

/// The bounds for a search of a property's goal.
pub(crate) fn bounds(network: &Network, property: &Property) -> Bounds {
    let largest = largest(network, property);
    let locations = network.processes.iter().flat_map(|process| &process.locations);
    let stopped = locations.into_iter().any(|location| !location.rates.is_empty());
    Bounds {
        clock: largest.value.filter(|_| !largest.diagonal),
        delay: largest.value.filter(|_| !stopped).map(|value| 2 * value + 2),
    }
}

fn largest<'n>(network: &'n Network, property: &Property) -> Largest<'n> {
    let mut largest = Largest { network, value: Some(0), diagonal: false };
    for &value in network.clocks.iter().flat_map(|clock| &clock.initial) {
        largest.include(Some((value as i64, value as i64)));
    }
    for process in &network.processes {
        for location in &process.locations {
            largest.constraints(&location.invariant.clocks, &location.locals);
        }
        for edge in &process.edges {
            largest.constraints(&edge.guard.clocks, &edge.locals);
            largest.statements(&edge.update, &edge.locals);
        }
    }
    for function in &network.functions {
        largest.statements(&function.body, &function.locals);
    }
    if let Some(expr) = property.claim.expression() {
        expr.walk(&mut |expr| {
            if let Expr::Clock(constraint) = expr {
                largest.constraint(constraint, &property.locals);
            }
        });
    }
    largest
}

/// The largest absolute value that any clock is compared with or set to.
struct Largest<'n> {
    network: &'n Network,
    /// None if it cannot be estimated.
    value: Option<i64>,
    /// Whether differences of clocks are compared.
    diagonal: bool,
}

impl Largest<'_> {
    fn constraints(&mut self, constraints: &[ClockConstraint], locals: &Locals) {
        for constraint in constraints {
            self.constraint(constraint, locals);
        }
    }
    fn constraint(&mut self, constraint: &ClockConstraint, locals: &Locals) {
        self.diagonal |= constraint.right.is_some();
        self.include(self.range(&constraint.bound, locals));
    }
    fn statements(&mut self, statements: &[Statement], locals: &Locals) {
        for statement in statements {
            statement.walk(&mut |statement| {
                if let StatementKind::Reset(_, value) = &statement.kind {
                    self.include(self.range(value, locals));
                }
            });
        }
    }
    fn include(&mut self, range: Option<(i64, i64)>) {
        self.value =
            self.value.zip(range).map(|(value, (low, high))| value.max(low.abs()).max(high.abs()));
    }

    /// The values that an expression can have, at least.
    fn range(&self, expr: &Expr, locals: &Locals) -> Option<(i64, i64)> {
        let (low, high) = match expr {
            Expr::Const(value) => (*value as i64, *value as i64),
            Expr::Read(place) => {
                let ty = match place.base {
                    Base::Variable(variable) => self.network.variables[variable].ty,
                    Base::Local(local) => locals[local].ty,
                };
                (ty.low as i64, ty.high as i64)
            }
            Expr::Unary(UnaryOp::Neg, operand) => {
                let (low, high) = self.range(operand, locals)?;
                (-high, -low)
            }
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let (left, right) = (self.range(left, locals)?, self.range(right, locals)?);
                match op {
                    BinaryOp::Add => (left.0 + right.0, left.1 + right.1),
                    _ => (left.0 - right.1, left.1 - right.0),
                }
            }
            Expr::Conditional(_, yes, no) => {
                let (yes, no) = (self.range(yes, locals)?, self.range(no, locals)?);
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            Expr::Call(function, _) => {
                let ty = self.network.functions[*function].result?;
                (ty.low as i64, ty.high as i64)
            }
            _ => return None,
        };
        // Beyond 32 bits the value wraps, so the estimate would be wrong.
        let fits = |value| i32::try_from(value).is_ok();
        (fits(low) && fits(high)).then_some((low, high))
    }
}
