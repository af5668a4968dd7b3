//! A deterministic monitor as plain data.

use super::guards::Guards;
use super::normal_form::NormalForm;
use super::subsets::{Row, Table};
use super::{Fallible, atoms};
use crate::ast::Expr;

/// An automaton that reads the states of a run one by one, from its state 0, the initial state of
/// the run included, and notices as early as possible that nothing can satisfy a formula any more.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// The conditions that guards speak of.
    pub atoms: Vec<Expr>,
    /// The moves of every state.
    pub states: Vec<Vec<Move>>,
}

/// A move of a monitor. In every state of a run exactly one move of a state is possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// When it is taken.
    pub guard: Guard,
    /// Where it leads.
    pub target: Target,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To a state, by its number.
    State(usize),
    /// Nowhere: whatever comes, the property is violated.
    Violated,
}

/// A condition, to be evaluated from left to right and no further than necessary.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// Always true.
    True,
    /// The atom with this number, or its negation if the second part is `false`.
    Atom(usize, bool),
    /// Both hold.
    And(Box<Guard>, Box<Guard>),
    /// One of them holds.
    Or(Box<Guard>, Box<Guard>),
    /// The second if the atom holds, else the third.
    Choice(usize, Box<Guard>, Box<Guard>),
}

impl Monitor {
    /// Whether it can be violated at all.
    pub fn can_be_violated(&self) -> bool {
        self.states.iter().flatten().any(|it| it.target == Target::Violated)
    }

    pub(super) fn new(table: Table, mut normal: NormalForm) -> Fallible<Self> {
        let harmless = normal.atoms.list.iter().map(atoms::cannot_fail).collect();
        let mut guards = Guards::new(&mut normal.formulas.diagrams, harmless);
        let states = table.iter().map(|row| moves(row, &mut guards)).collect::<Fallible<_>>()?;
        Ok(Monitor { atoms: normal.atoms.list, states })
    }
}

/// The moves of a state, the one to a violation last.
fn moves(row: &Row, guards: &mut Guards) -> Fallible<Vec<Move>> {
    let (violated, states): (Vec<_>, Vec<_>) = row.iter().partition(|it| it.0.is_none());
    let target = |it: Option<usize>| it.map_or(Target::Violated, Target::State);
    let mut moves = vec![];
    for (&to, &guard) in states.into_iter().chain(violated) {
        moves.push(Move { guard: guards.guard(guard)?, target: target(to) });
    }
    Ok(moves)
}
