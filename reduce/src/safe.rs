//! What can be evaluated without a run-time error, quickly, whatever the values of variables are.

use network::{
    Arena, Base, BinaryOp, Expr, Local, LocalId, Network, Overflow, Place, Statement,
    StatementKind, Type, range_of,
};

/// Judges expressions and statements that share their locals.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The network.
    pub network: &'a Network,
    /// The locals.
    pub locals: &'a Arena<LocalId, Local>,
}

impl Judge<'_> {
    /// Whether statements only assign, and can neither fail nor loop.
    pub fn are_safe(&self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match &statement.kind {
            StatementKind::Assign(place, value) => {
                self.is_safe(value) && self.is_safe_place(place) && self.fits(place, value)
            }
            StatementKind::If(condition, then, otherwise) => {
                self.is_safe(condition) && self.are_safe(then) && self.are_safe(otherwise)
            }
            _ => false,
        })
    }

    /// Whether an expression about data can neither fail nor loop.
    pub fn is_safe(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::At(..) => true,
            Expr::Read(place) => self.is_safe_place(place),
            Expr::Unary(_, operand) => self.is_safe(operand),
            Expr::Binary(op, left, right) => {
                self.is_safe(left) && self.is_safe(right) && self.is_safe_operation(*op, right)
            }
            Expr::Conditional(condition, yes, no) => {
                self.is_safe(condition) && self.is_safe(yes) && self.is_safe(no)
            }
            Expr::Deadlock | Expr::Timeout => true,
            // Calls and quantifiers take rounds, channel values may be none.
            Expr::Quantified(..) | Expr::Call(..) => false,
            Expr::Clock(_) | Expr::Probe(..) | Expr::Poll(_) => false,
        }
    }

    fn is_safe_operation(&self, op: BinaryOp, right: &Expr) -> bool {
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let (low, high) = self.range(right);
                low > 0 || high < 0
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let (low, high) = self.range(right);
                low >= 0 && high <= 31
            }
            BinaryOp::Pow => self.range(right).0 >= 0,
            _ => true,
        }
    }

    fn is_safe_place(&self, place: &Place) -> bool {
        let sizes: Vec<u32> = match place.base {
            Base::Variable(id) => {
                self.network.variables[id].dimensions.iter().map(|d| d.size).collect()
            }
            Base::Local(id) => self.locals[id].sizes.clone(),
        };
        place.indices.len() == sizes.len()
            && place.indices.iter().zip(sizes).all(|(index, size)| {
                let (low, high) = self.range(index);
                self.is_safe(index) && low >= 0 && i64::from(high) < i64::from(size)
            })
    }

    /// Whether a value can be assigned to a place without a range error.
    fn fits(&self, place: &Place, value: &Expr) -> bool {
        let ty: &Type = match place.base {
            Base::Variable(id) => &self.network.variables[id].ty,
            Base::Local(id) => &self.locals[id].ty,
        };
        let (low, high) = self.range(value);
        ty.overflow == Overflow::Wrap || ty.contains(low) && ty.contains(high)
    }

    fn range(&self, expr: &Expr) -> (i32, i32) {
        range_of(self.network, self.locals, expr)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use network::VariableId;

    fn network() -> Network {
        network::parse(
            "network 1 var b : int[0, 255] wrap var n : int[0, 3] var a[4] : int[0, 3] \
             process P { location l; init l; }",
        )
        .unwrap_or_else(|error| panic!("{error:?}"))
    }
    fn judge<R>(test: impl Fn(Judge) -> R) -> R {
        let (network, locals) = (network(), Arena::new());
        test(Judge { network: &network, locals: &locals })
    }
    fn read(id: u32) -> Expr {
        Expr::variable(VariableId(id))
    }
    fn assign(id: u32, value: Expr) -> Vec<Statement> {
        let place = Place::variable(VariableId(id));
        vec![Statement { kind: StatementKind::Assign(place, value), span: network::Span::NONE }]
    }

    #[test]
    fn what_wraps_or_fits_is_safe() {
        let next = |id| Expr::binary(BinaryOp::Add, read(id), Expr::Const(1));
        assert!(judge(|judge| judge.are_safe(&assign(0, next(0)))));
        assert!(!judge(|judge| judge.are_safe(&assign(1, next(1)))));
        let cut = Expr::binary(BinaryOp::Rem, next(1), Expr::Const(4));
        assert!(judge(|judge| judge.are_safe(&assign(1, cut.clone()))));
    }

    #[test]
    fn indices_and_divisors_must_be_in_range() {
        let element =
            |index| Expr::Read(Place { base: Base::Variable(VariableId(2)), indices: vec![index] });
        assert!(judge(|judge| judge.is_safe(&element(read(1)))));
        assert!(!judge(|judge| judge.is_safe(&element(read(0)))));
        let by = |divisor| Expr::binary(BinaryOp::Div, Expr::Const(7), divisor);
        assert!(!judge(|judge| judge.is_safe(&by(read(1)))));
        assert!(judge(|judge| judge.is_safe(&by(Expr::Const(2)))));
    }
}
