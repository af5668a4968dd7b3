//! Whether a formula is a safety property: every run that violates it has a finite beginning that
//! no continuation makes good (Alpern and Schneider, "Recognizing safety and liveness", 1987).

use super::Fallible;
use super::Refusal;
use super::automaton::{Automaton, Move, State};
use super::components;
use super::diagram::{Diagram, Diagrams};
use network::cancellation;
use rustc_hash::FxHashMap;

/// Whether the runs whose beginnings are all fine are those that satisfy the formula; both
/// automata have no states that accept nothing.
pub(super) fn is_closed(
    automaton: &Automaton,
    complement: &Automaton,
    diagrams: &mut Diagrams,
) -> Fallible<bool> {
    let closure = automaton.closure(diagrams)?;
    let both = product(&closure, complement, diagrams)?;
    Ok(!components::accepts(&both))
}

const MOST_STATES: usize = 100_000;

/// Runs of both, with the promises of the second.
fn product(one: &Automaton, other: &Automaton, diagrams: &mut Diagrams) -> Fallible<Automaton> {
    let mut product = Automaton { promises: other.promises, ..Automaton::default() };
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let mut pairs = vec![(0, 0)];
    numbers.insert((0, 0), 0);
    while let Some(&(first, second)) = pairs.get(product.states.len()) {
        cancellation::check();
        let mut moves = vec![];
        for left in &one.states[first].moves {
            for right in &other.states[second].moves {
                let label = diagrams.and(left.label, right.label)?;
                if label == Diagram::FALSE {
                    continue;
                }
                let pair = (left.target, right.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    pairs.len() - 1
                });
                moves.push(Move { label, promises: right.promises, target });
            }
        }
        product.states.push(State { moves, ..State::default() });
        if pairs.len() > MOST_STATES {
            return Err(Refusal::TooLarge("whether it is a safety property takes too long"));
        }
    }
    Ok(product)
}
