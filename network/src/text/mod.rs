//! The text form of a network: [`print`] writes it, [`parse`] reads it back without loss.
//!
//! The grammar is in `docs/network-text.md`. This file holds what the two directions share:
//! the reserved words and the levels of the operators.

mod lexer;
mod parse;
mod parse_body;
mod print;
mod print_body;
mod symbols;

pub use parse::parse;
pub use print::print;

use crate::{BinaryOp, Relation};

/// Words with a meaning of their own: as a name they are quoted.
const KEYWORDS: &[&str] = &[
    "_",
    "abs",
    "always",
    "anywhere",
    "assert",
    "at",
    "await",
    "beyond",
    "bool",
    "broadcast",
    "buffered",
    "call",
    "chan",
    "channel",
    "clock",
    "committed",
    "const",
    "control",
    "counts",
    "deadlock",
    "do",
    "edge",
    "else",
    "empty",
    "enter",
    "errors",
    "exists",
    "fail",
    "failure",
    "forall",
    "from",
    "full",
    "function",
    "handshake",
    "if",
    "imply",
    "init",
    "int",
    "invariant",
    "keep",
    "keeps",
    "len",
    "local",
    "location",
    "max",
    "meta",
    "min",
    "named",
    "names",
    "network",
    "no",
    "observer",
    "observes",
    "of",
    "poll",
    "preference",
    "priority",
    "process",
    "property",
    "rate",
    "reachable",
    "receive",
    "reset",
    "return",
    "room",
    "scalar",
    "select",
    "send",
    "sorted",
    "source",
    "sum",
    "timeout",
    "unsupported",
    "urgent",
    "var",
    "when",
    "while",
    "wrap",
];

/// The reserved word, if it is one.
fn keyword(word: &str) -> Option<&'static str> {
    KEYWORDS.binary_search(&word).ok().map(|i| KEYWORDS[i])
}

/// How tightly an expression holds together; an operand of a lower level is put in parentheses.
mod level {
    pub const LOWEST: u8 = 0;
    pub const IMPLY: u8 = 1;
    pub const AND: u8 = 3;
    pub const COMPARE: u8 = 4;
    pub const UNARY: u8 = 12;
    pub const ATOM: u8 = 13;
}

/// The operators between their operands, with their levels.
const OPERATORS: &[(BinaryOp, &str, u8)] = &[
    (BinaryOp::Or, "||", 2),
    (BinaryOp::And, "&&", level::AND),
    (BinaryOp::Eq, "==", level::COMPARE),
    (BinaryOp::Ne, "!=", level::COMPARE),
    (BinaryOp::Lt, "<", level::COMPARE),
    (BinaryOp::Le, "<=", level::COMPARE),
    (BinaryOp::Gt, ">", level::COMPARE),
    (BinaryOp::Ge, ">=", level::COMPARE),
    (BinaryOp::BitOr, "|", 5),
    (BinaryOp::BitXor, "^", 6),
    (BinaryOp::BitAnd, "&", 7),
    (BinaryOp::Shl, "<<", 8),
    (BinaryOp::Shr, ">>", 8),
    (BinaryOp::Add, "+", 9),
    (BinaryOp::Sub, "-", 9),
    (BinaryOp::Mul, "*", 10),
    (BinaryOp::Div, "/", 10),
    (BinaryOp::Rem, "%", 10),
    (BinaryOp::Pow, "**", 11),
];

const RELATIONS: &[(Relation, &str)] = &[
    (Relation::Lt, "<"),
    (Relation::Le, "<="),
    (Relation::Eq, "=="),
    (Relation::Ge, ">="),
    (Relation::Gt, ">"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }
}
