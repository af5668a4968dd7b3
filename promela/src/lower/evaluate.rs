//! Values at load time: constants, and what variables hold at first.

use super::resolved::{Target, Value};
use network::{BinaryOp, UnaryOp};

/// The process that an expression is about, when it starts.
pub(super) struct Own {
    pub pid: i32,
    /// Of all processes that run by then, this one is the last.
    pub priorities: Vec<i32>,
}

/// The value of an expression, if it needs no running process but its own; `read` knows the
/// variables.
pub(super) fn evaluate(
    value: &Value,
    own: Option<&Own>,
    read: &dyn Fn(&Target) -> Option<i32>,
) -> Option<i32> {
    let sub = |value: &Value| evaluate(value, own, read);
    match value {
        Value::Pid => own.map(|it| it.pid),
        // While a process starts, it is the youngest one.
        Value::ProcessCount => own.map(|it| it.pid + 1),
        Value::Last => own.map(|_| 0),
        Value::Priority => own?.priorities.last().copied(),
        Value::PriorityOf(process) => {
            let process = usize::try_from(sub(process)?).ok();
            let priority = process.and_then(|it| own?.priorities.get(it));
            Some(priority.copied().unwrap_or(0))
        }
        Value::Const(value) => Some(*value),
        Value::Read(target) => read(target),
        Value::Unary(op, operand) => {
            let operand = sub(operand)?;
            Some(match op {
                UnaryOp::Neg => operand.wrapping_neg(),
                UnaryOp::Not => i32::from(operand == 0),
                UnaryOp::BitNot => !operand,
                UnaryOp::Abs => operand.wrapping_abs(),
            })
        }
        Value::Binary(op, left, right) => binary(*op, sub(left)?, sub(right)?),
        Value::Conditional(condition, yes, no) => {
            if sub(condition)? != 0 {
                sub(yes)
            } else {
                sub(no)
            }
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, left: i32, right: i32) -> Option<i32> {
    let truth = |holds: bool| Some(i32::from(holds));
    let count = u32::try_from(right).ok();
    match op {
        BinaryOp::Add => Some(left.wrapping_add(right)),
        BinaryOp::Sub => Some(left.wrapping_sub(right)),
        BinaryOp::Mul => Some(left.wrapping_mul(right)),
        BinaryOp::Div => (right != 0).then(|| left.wrapping_div(right)),
        BinaryOp::Rem => (right != 0).then(|| left.wrapping_rem(right)),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::Shl => left.checked_shl(count?),
        BinaryOp::Shr => left.checked_shr(count?),
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
        BinaryOp::Lt => truth(left < right),
        BinaryOp::Le => truth(left <= right),
        BinaryOp::Gt => truth(left > right),
        BinaryOp::Ge => truth(left >= right),
        BinaryOp::And => truth(left != 0 && right != 0),
        BinaryOp::Or => truth(left != 0 || right != 0),
        BinaryOp::Pow | BinaryOp::Min | BinaryOp::Max => None,
    }
}
