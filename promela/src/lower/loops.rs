//! Which states of an automaton, or nodes of another graph, lie on a common loop: its strongly connected
//! components, by Tarjan's algorithm with a stack of its own.

use super::automaton::{Automaton, Transition};
use super::flow::El;

/// The component of every state.
pub(super) struct Loops {
    /// The first state of the component that was reached; none before the component is complete.
    component: Vec<Option<El>>,
}

/// A state whose ways on are being looked at.
struct Visit {
    state: El,
    next: usize,
}

struct Search<'a> {
    targets: &'a [Vec<El>],
    /// When a state was reached, from 1 on.
    order: Vec<usize>,
    /// The earliest state that is known to be reachable.
    low: Vec<usize>,
    component: Vec<Option<El>>,
    /// States whose component is not complete.
    open: Vec<El>,
    count: usize,
}

impl Loops {
    pub fn new(automaton: &Automaton) -> Self {
        let targets = |all: &Vec<Transition>| all.iter().filter_map(|it| it.target).collect();
        let targets: Vec<Vec<El>> = automaton.transitions.iter().map(targets).collect();
        Loops::of(&targets, [automaton.start])
    }

    /// Those of a graph, as far as it can be reached from some of its nodes.
    pub fn of(targets: &[Vec<El>], starts: impl IntoIterator<Item = El>) -> Self {
        let states = targets.len();
        let mut search = Search {
            targets,
            order: vec![0; states],
            low: vec![0; states],
            component: vec![None; states],
            open: vec![],
            count: 0,
        };
        for start in starts {
            search.run(start);
        }
        Loops { component: search.component }
    }

    /// Whether there is a way from each of the two states to the other; trivially if they are one.
    pub fn share(&self, state: El, other: El) -> bool {
        self.component[state].is_some() && self.component[state] == self.component[other]
    }
}

impl Search<'_> {
    fn run(&mut self, start: El) {
        let mut visits = match self.order[start] {
            0 => vec![self.reach(start)],
            _ => vec![],
        };
        while let Some(visit) = visits.last_mut() {
            let state = visit.state;
            let Some(&target) = self.targets[state].get(visit.next) else {
                visits.pop();
                self.leave(state, visits.last());
                continue;
            };
            visit.next += 1;
            if self.order[target] == 0 {
                visits.push(self.reach(target));
            } else if self.component[target].is_none() {
                self.low[state] = self.low[state].min(self.order[target]);
            }
        }
    }

    fn reach(&mut self, state: El) -> Visit {
        self.count += 1;
        (self.order[state], self.low[state]) = (self.count, self.count);
        self.open.push(state);
        Visit { state, next: 0 }
    }

    fn leave(&mut self, state: El, before: Option<&Visit>) {
        if let Some(before) = before {
            self.low[before.state] = self.low[before.state].min(self.low[state]);
        }
        if self.low[state] == self.order[state] {
            while let Some(member) = self.open.pop() {
                self.component[member] = Some(state);
                if member == state {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn automaton(targets: &[&[El]]) -> Automaton {
        let transitions = |targets: &&[El]| targets.iter().copied().map(Transition::to).collect();
        Automaton {
            start: 0,
            transitions: targets.iter().map(transitions).collect(),
            states: (0..targets.len()).collect(),
            valid_end: vec![false; targets.len()],
            progress: vec![false; targets.len()],
        }
    }

    #[test]
    fn states_share_a_loop_iff_each_leads_to_the_other() {
        // 0 -> 1 <-> 2 -> 3 -> 4 -> 3, and 2 -> 5.
        let automaton = automaton(&[&[1], &[2], &[1, 3, 5], &[4], &[3], &[]]);
        let loops = Loops::new(&automaton);
        let pairs = |a: El| (0..6).filter(|&b| loops.share(a, b)).collect::<Vec<_>>();
        let all: Vec<_> = (0..6).map(pairs).collect();
        assert_eq!(all, [vec![0], vec![1, 2], vec![1, 2], vec![3, 4], vec![3, 4], vec![5]]);
    }
}
