//! Which states of an automaton accept anything: those from which a strongly connected component
//! can be reached in whose moves every promise is sometimes not made.

use super::automaton::{Automaton, Move, Obligations};

/// Removes the states that accept nothing, except the initial one, and the moves to them.
pub(super) fn prune(automaton: &mut Automaton) {
    let alive = alive(automaton);
    let mut numbers = vec![None; alive.len()];
    let kept = (0..alive.len()).filter(|&state| state == 0 || alive[state]);
    kept.enumerate().for_each(|(number, state)| numbers[state] = Some(number));
    let mut state = 0;
    automaton.states.retain(|_| {
        state += 1;
        numbers[state - 1].is_some()
    });
    for state in &mut automaton.states {
        state.moves.retain(|it| alive[it.target]);
        state.moves.iter_mut().for_each(|it| it.target = numbers[it.target].unwrap_or(0));
    }
}

/// Whether some run from the initial state is accepting.
pub(super) fn accepts(automaton: &Automaton) -> bool {
    alive(automaton).first().is_some_and(|&it| it)
}

/// For every state, whether some run from it is accepting.
fn alive(automaton: &Automaton) -> Vec<bool> {
    let component = components(automaton);
    let count = component.iter().map(|&it| it + 1).max().unwrap_or(0);
    let mut has_move = vec![false; count];
    let mut always_made: Vec<Obligations> = vec![automaton.promises; count];
    for (state, it) in moves(automaton) {
        if component[state] == component[it.target] {
            has_move[component[state]] = true;
            always_made[component[state]] &= it.promises;
        }
    }
    let mut alive: Vec<bool> = (0..count).map(|it| has_move[it] && always_made[it] == 0).collect();
    // A component is numbered after all that can be reached from it.
    let mut order: Vec<usize> = (0..component.len()).collect();
    order.sort_by_key(|&state| component[state]);
    for state in order {
        let mut targets = automaton.states[state].moves.iter().map(|it| component[it.target]);
        let reaches = targets.any(|it| alive[it]);
        alive[component[state]] |= reaches;
    }
    component.iter().map(|&it| alive[it]).collect()
}

fn moves(automaton: &Automaton) -> impl Iterator<Item = (usize, &Move)> {
    let states = automaton.states.iter().enumerate();
    states.flat_map(|(index, state)| state.moves.iter().map(move |it| (index, it)))
}

/// The number of each state's strongly connected component (Tarjan 1972).
fn components(automaton: &Automaton) -> Vec<usize> {
    let mut search = Search::new(automaton.states.len());
    for state in 0..automaton.states.len() {
        if search.found[state] == 0 {
            search.from(state, automaton);
        }
    }
    search.component
}

/// A depth-first search that keeps its own stack.
struct Search {
    /// When a state was found, from 1.
    found: Vec<usize>,
    /// The earliest state found that can be reached and has no component yet.
    lowest: Vec<usize>,
    component: Vec<usize>,
    /// States without a component.
    open: Vec<usize>,
    time: usize,
    count: usize,
}

impl Search {
    const NONE: usize = usize::MAX;

    fn new(states: usize) -> Self {
        Search {
            found: vec![0; states],
            lowest: vec![0; states],
            component: vec![Self::NONE; states],
            open: vec![],
            time: 0,
            count: 0,
        }
    }

    fn from(&mut self, root: usize, automaton: &Automaton) {
        self.find(root);
        let mut stack = vec![(root, 0)];
        while let Some((state, next)) = stack.pop() {
            let Some(it) = automaton.states[state].moves.get(next) else {
                self.leave(state);
                if let Some(&(caller, _)) = stack.last() {
                    self.lowest[caller] = self.lowest[caller].min(self.lowest[state]);
                }
                continue;
            };
            stack.push((state, next + 1));
            if self.found[it.target] == 0 {
                self.find(it.target);
                stack.push((it.target, 0));
            } else if self.component[it.target] == Self::NONE {
                self.lowest[state] = self.lowest[state].min(self.found[it.target]);
            }
        }
    }

    fn find(&mut self, state: usize) {
        self.time += 1;
        (self.found[state], self.lowest[state]) = (self.time, self.time);
        self.open.push(state);
    }

    fn leave(&mut self, root: usize) {
        if self.lowest[root] != self.found[root] {
            return;
        }
        while let Some(state) = self.open.pop() {
            self.component[state] = self.count;
            if state == root {
                break;
            }
        }
        self.count += 1;
    }
}
