//! What operators compute: 32-bit integers that wrap around (`docs/semantics.md`, run-time errors).
//! `explore` has its own in the loop of its machine; so has `replay`, which checks the others.

use crate::{BinaryOp, ErrorKind, UnaryOp};

impl UnaryOp {
    /// The value for an operand.
    #[inline]
    pub fn apply(self, a: i32) -> i32 {
        match self {
            UnaryOp::Neg => a.wrapping_neg(),
            UnaryOp::Not => (a == 0) as i32,
            UnaryOp::BitNot => !a,
            UnaryOp::Abs => a.wrapping_abs(),
        }
    }
}

impl BinaryOp {
    /// The value for two operands.
    #[inline]
    pub fn apply(self, a: i32, b: i32) -> Result<i32, ErrorKind> {
        Ok(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(ErrorKind::DivisionByZero),
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::Pow if b < 0 => return Err(ErrorKind::NegativeExponent(b)),
            BinaryOp::Pow => a.wrapping_pow(b as u32),
            BinaryOp::Min => a.min(b),
            BinaryOp::Max => a.max(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&b) => {
                return Err(ErrorKind::Shift(b));
            }
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
            BinaryOp::Eq => (a == b) as i32,
            BinaryOp::Ne => (a != b) as i32,
            BinaryOp::Lt => (a < b) as i32,
            BinaryOp::Le => (a <= b) as i32,
            BinaryOp::Gt => (a > b) as i32,
            BinaryOp::Ge => (a >= b) as i32,
            BinaryOp::And => (a != 0 && b != 0) as i32,
            BinaryOp::Or => (a != 0 || b != 0) as i32,
        })
    }
}
