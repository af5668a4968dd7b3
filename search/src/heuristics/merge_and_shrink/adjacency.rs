//! The steps of a system by the states they leave or lead to.

use super::system::{State, System};
use network::cancellation;

/// A step at one of its ends: its group, and the state at the other end.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub group: u32,
    pub state: State,
}

/// Steps side by side in one list; those at a state are sorted by group.
pub struct Adjacency {
    starts: Vec<u32>,
    ends: Vec<End>,
}

impl Adjacency {
    /// The steps that leave each state.
    pub fn forwards(system: &System) -> Adjacency {
        let steps = system.labelled_steps();
        Adjacency::of(
            system.states,
            steps.map(|(group, from, to)| (from, End { group, state: to })),
        )
    }

    /// The steps that lead to each state.
    pub fn backwards(system: &System) -> Adjacency {
        let steps = system.labelled_steps();
        Adjacency::of(
            system.states,
            steps.map(|(group, from, to)| (to, End { group, state: from })),
        )
    }

    fn of(states: usize, steps: impl Iterator<Item = (State, End)> + Clone) -> Adjacency {
        cancellation::check();
        let mut starts = vec![0; states + 1];
        steps.clone().for_each(|(at, _)| starts[at as usize + 1] += 1);
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut free = starts.clone();
        let mut ends = vec![End { group: 0, state: 0 }; starts[states] as usize];
        for (at, end) in steps {
            let place = &mut free[at as usize];
            ends[*place as usize] = end;
            *place += 1;
        }
        Adjacency { starts, ends }
    }

    /// The steps at a state.
    pub fn at(&self, state: State) -> &[End] {
        let state = state as usize;
        &self.ends[self.starts[state] as usize..self.starts[state + 1] as usize]
    }
}
