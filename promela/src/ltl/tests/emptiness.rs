//! Which states accept something, against the definition, on random automata.

use super::super::automaton::{Automaton, Move, State};
use super::super::components::{accepts, prune};
use super::super::diagram::Diagram;
use testing::Numbers;

const PROMISES: u128 = 0b11;

fn automaton(numbers: &mut Numbers) -> Automaton {
    let count = 2 + numbers.below(7);
    let mut automaton = Automaton { states: vec![], promises: PROMISES };
    for _ in 0..count {
        let a_move = |_| Move {
            label: Diagram::TRUE,
            promises: numbers.below(4) as u128,
            target: numbers.below(count),
        };
        let moves = (0..1 + count % 2).map(a_move).collect();
        automaton.states.push(State { moves, ..State::default() });
    }
    automaton
}

/// For every pair of states, whether the second can be reached from the first by moves.
fn reaches(automaton: &Automaton) -> Vec<Vec<bool>> {
    let count = automaton.states.len();
    let mut reaches = vec![vec![false; count]; count];
    for (from, state) in automaton.states.iter().enumerate() {
        state.moves.iter().for_each(|it| reaches[from][it.target] = true);
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    reaches
}

/// Whether a run from a state can come back to some state again and again, each promise being
/// left out on the way.
fn is_alive(from: usize, automaton: &Automaton, reaches: &[Vec<bool>]) -> bool {
    let on_cycle = |state: usize, it: &Move, at: usize| {
        (state == at || reaches[at][state]) && (it.target == at || reaches[it.target][at])
    };
    let left_out = |promise: u128, at: usize| {
        automaton.states.iter().enumerate().any(|(state, it)| {
            it.moves.iter().any(|it| it.promises & promise == 0 && on_cycle(state, it, at))
        })
    };
    let recurs = |at: usize| reaches[at][at] && left_out(1, at) && left_out(2, at);
    (0..automaton.states.len()).any(|at| (at == from || reaches[from][at]) && recurs(at))
}

#[test]
fn states_that_accept_nothing_are_pruned() {
    let mut kept_all = 0;
    for seed in 0..2000 {
        let mut automaton = automaton(&mut Numbers::new(seed));
        let reaches = reaches(&automaton);
        let count = automaton.states.len();
        let alive: Vec<usize> =
            (0..count).filter(|&state| is_alive(state, &automaton, &reaches)).collect();
        assert_eq!(accepts(&automaton), alive.contains(&0), "{seed}: {automaton:?}");
        prune(&mut automaton);
        let kept = alive.len() + usize::from(!alive.contains(&0));
        assert_eq!(automaton.states.len(), kept, "{seed}: {automaton:?}");
        kept_all += usize::from(kept == count);
    }
    assert!((200..1800).contains(&kept_all), "{kept_all}");
}
