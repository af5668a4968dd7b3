//! Conditions that operations wait for, made of terms.

use super::term::{Elements, Fact, Term};
use network::{BinaryOp, UnaryOp};

/// Something that operations wait for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// A process can be at a location.
    Fact(Fact),
    /// A word can be within a range.
    Within(u32, i32, i32),
    /// A word can have another value.
    Differs(u32, i32),
    /// A term can be other than 0.
    Holds(Term),
    /// A term can be 0.
    Fails(Term),
}

/// How many alternatives of a goal are told apart.
const ALTERNATIVES: usize = 32;

/// Splits a term into conditions that must all hold.
pub fn conjuncts(term: &Term, sign: bool, out: &mut Vec<Condition>) {
    match (term, sign) {
        (Term::Binary(BinaryOp::And, operands), true)
        | (Term::Binary(BinaryOp::Or, operands), false) => {
            operands.iter().for_each(|operand| conjuncts(operand, sign, out));
        }
        (Term::Unary(UnaryOp::Not, operand), _) => conjuncts(operand, !sign, out),
        _ => out.push(simple(term.clone(), sign)),
    }
}

/// Splits a term into alternatives, each a list of conditions that must all hold.
pub fn alternatives(term: &Term, sign: bool) -> Vec<Vec<Condition>> {
    match (term, sign) {
        (Term::Unary(UnaryOp::Not, operand), _) => alternatives(operand, !sign),
        (Term::Binary(BinaryOp::Or, operands), true)
        | (Term::Binary(BinaryOp::And, operands), false) => {
            let mut all = alternatives(&operands[0], sign);
            all.extend(alternatives(&operands[1], sign));
            if all.len() <= ALTERNATIVES { all } else { vec![vec![simple(term.clone(), sign)]] }
        }
        (Term::Binary(BinaryOp::And, operands), true)
        | (Term::Binary(BinaryOp::Or, operands), false) => {
            let (first, second) =
                (alternatives(&operands[0], sign), alternatives(&operands[1], sign));
            if first.len() * second.len() > ALTERNATIVES {
                let mut all = Vec::new();
                conjuncts(term, sign, &mut all);
                return vec![all];
            }
            let join = |a: &Vec<Condition>| {
                let with = |b: &Vec<Condition>| [a.clone(), b.clone()].concat();
                second.iter().map(with).collect::<Vec<_>>()
            };
            first.iter().flat_map(join).collect()
        }
        _ => vec![vec![simple(term.clone(), sign)]],
    }
}

/// A condition in its simplest form.
pub fn simple(term: Term, sign: bool) -> Condition {
    let compared = match &term {
        Term::Word(word) => Some((*word, BinaryOp::Ne, 0)),
        Term::Binary(op, operands) => match (&operands[0], &operands[1]) {
            (Term::Word(word), other) => other.as_constant().map(|c| (*word, *op, c)),
            (other, Term::Word(word)) => {
                other.as_constant().and_then(|c| Some((*word, flipped(*op)?, c)))
            }
            _ => None,
        },
        Term::At(fact) if sign => return Condition::Fact(*fact),
        _ => None,
    };
    let range = compared.and_then(|(word, op, value)| compare(word, op, value, sign));
    range.unwrap_or(if sign { Condition::Holds(term) } else { Condition::Fails(term) })
}

fn flipped(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq | BinaryOp::Ne => op,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}

/// The comparison of a word with a constant.
fn compare(word: u32, op: BinaryOp, value: i32, sign: bool) -> Option<Condition> {
    let op = match (op, sign) {
        (op, true) => op,
        (BinaryOp::Eq, false) => BinaryOp::Ne,
        (BinaryOp::Ne, false) => BinaryOp::Eq,
        (BinaryOp::Lt, false) => BinaryOp::Ge,
        (BinaryOp::Le, false) => BinaryOp::Gt,
        (BinaryOp::Gt, false) => BinaryOp::Le,
        (BinaryOp::Ge, false) => BinaryOp::Lt,
        _ => return None,
    };
    Some(match op {
        BinaryOp::Eq => Condition::Within(word, value, value),
        BinaryOp::Ne => Condition::Differs(word, value),
        BinaryOp::Lt => Condition::Within(word, i32::MIN, value.checked_sub(1)?),
        BinaryOp::Le => Condition::Within(word, i32::MIN, value),
        BinaryOp::Gt => Condition::Within(word, value.checked_add(1)?, i32::MAX),
        BinaryOp::Ge => Condition::Within(word, value, i32::MAX),
        _ => return None,
    })
}

/// Whether the evaluation of a term may be a run-time error.
pub fn may_fail(term: &Term) -> bool {
    let mut found = false;
    term.walk(&mut |term| {
        found |= match term {
            Term::Cell(_) | Term::Table(..) | Term::LocalCell(_) | Term::Call(..) => true,
            Term::Probe(_, elements) | Term::Poll(elements, _) => match &**elements {
                Elements::Value(_) => true,
                Elements::Of(cells) => !cells.indices.is_empty(),
            },
            Term::Quantified(..) => true,
            Term::Binary(BinaryOp::Div | BinaryOp::Rem, operands) => {
                operands[1].as_constant().is_none_or(|c| c == 0)
            }
            Term::Binary(BinaryOp::Shl | BinaryOp::Shr | BinaryOp::Pow, operands) => {
                operands[1].as_constant().is_none_or(|c| !(0..32).contains(&c))
            }
            _ => false,
        }
    });
    found
}
