//! What operators compute: 32-bit integers that wrap around.

use network::{BinaryOp, UnaryOp};

/// An operator with one operand.
pub fn unary(op: UnaryOp, a: i32) -> i32 {
    match op {
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Not => (a == 0) as i32,
        UnaryOp::BitNot => !a,
        UnaryOp::Abs => a.wrapping_abs(),
    }
}

/// An operator with two operands; none for a run-time error.
pub fn binary(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div if b == 0 => return None,
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem if b == 0 => return None,
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Pow => {
            let exponent = u32::try_from(b).ok()?;
            a.wrapping_pow(exponent)
        }
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&b) => return None,
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
