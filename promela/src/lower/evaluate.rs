//! Values at load time: constants, and what variables hold at first.

use super::resolved::{Target, Value};

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
        Value::Unary(op, operand) => Some(op.apply(sub(operand)?)),
        Value::Binary(op, left, right) => op.apply(sub(left)?, sub(right)?).ok(),
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
