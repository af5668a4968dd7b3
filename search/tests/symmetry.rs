//! States that are permuted do the same: random models whose processes are interchangeable, or would be but for a line.
//! In every state that is reached, after a random permutation: the representative is the same, it is a goal if the
//! other one is, the representatives of its successors are the same, and so are the estimates of heuristics that say so.
//!
//! Seen to fail: with permutations that forget clocks, what messages hold, or ids in variables.
//!
//! `SYMMETRIC=20000 cargo test -p vizsla-search --test symmetry` looks at more of them.

mod support;

use explore::{Abstraction, Explorer};
use network::{Network, Property};
use reduce::Passes;
use search::catalog::HEURISTICS;
use search::{Choice, Heuristic, Problem, Representatives, StateSymmetry};
use std::collections::{BTreeSet, HashSet};
use symmetry::Group;
use testing::symmetric::{self, Symmetric};
use testing::{Numbers, setting};

/// How many states of a model are looked at.
const STATES: usize = 150;

fn load(numbers: &mut Numbers, kind: u64) -> (Network, String) {
    let Symmetric { text, queries } = match kind {
        0 => symmetric::promela(numbers),
        1 => symmetric::uppaal(numbers, false),
        _ => symmetric::uppaal(numbers, true),
    };
    let query = numbers.one(&queries).clone();
    let network = match kind {
        0 => support::load::promela(&text, &[query], promela::Options::default()),
        _ => support::load::uppaal(&text, &query),
    };
    (network, text)
}

/// Some way to bring atoms in another order.
fn permutation(symmetry: &StateSymmetry, numbers: &mut Numbers) -> Vec<u32> {
    let mut permutation = Vec::new();
    for class in symmetry.classes() {
        let mut atoms: Vec<u32> = (class.first..class.first + class.size).collect();
        match class.group {
            Group::All => (1..atoms.len()).for_each(|i| atoms.swap(i, numbers.below(i + 1))),
            Group::Rotations => atoms.rotate_left(numbers.below(class.size as usize)),
        }
        permutation.extend(atoms);
    }
    permutation
}

/// What a state leads to, each found under its representative; or that it leads to an error.
type Steps = Result<BTreeSet<Vec<i32>>, ()>;

struct Subject<'a> {
    explorer: &'a Explorer,
    representatives: Box<dyn Representatives + 'a>,
    /// Those that promise to estimate states alike.
    heuristics: Vec<(&'static str, Box<dyn Heuristic + 'a>)>,
}

impl Subject<'_> {
    fn represented(&mut self, state: &[i32]) -> Vec<i32> {
        let mut state = state.to_vec();
        self.representatives.represent(&mut state);
        state
    }

    fn successors(&self, state: &[i32]) -> Option<Vec<Vec<i32>>> {
        let mut found = Vec::new();
        let mut workspace = self.explorer.workspace();
        let done =
            self.explorer.successors(&mut workspace, state, &mut |it, _| found.push(it.to_vec()));
        done.is_ok().then_some(found)
    }

    fn steps(&mut self, state: &[i32]) -> Steps {
        let found = self.successors(state).ok_or(())?;
        Ok(found.iter().map(|it| self.represented(it)).collect())
    }

    fn is_goal(&self, state: &[i32]) -> Option<bool> {
        self.explorer.is_goal(&mut self.explorer.workspace(), state).ok()
    }
}

/// How many states were permuted.
fn check(network: &Network, property: &Property, numbers: &mut Numbers, about: &str) -> u64 {
    // Without clearing, states would differ in what nobody will read.
    let passes = Passes { clear: true, merge: numbers.chance(50) };
    let network = reduce::reduce(network, property, passes).network;
    let dead = reduce::dead_variables(&network, property);
    let found = symmetry::find(&network, property, dead, &|_, _| 1);
    let explorer = Explorer::compile(network, Some(property), Abstraction::default());
    let Ok(explorer) = explorer else { return 0 };
    let Some(symmetry) = StateSymmetry::of(&explorer, &found, Choice::Full) else { return 0 };
    let representatives = symmetry.representatives(&explorer);
    let problem = Problem::of(&explorer);
    let named = HEURISTICS.iter().filter(|it| it.symmetric);
    let heuristics = named.filter_map(|it| Some((it.name, it.build(&problem).ok()?))).collect();
    let mut subject = Subject { explorer: &explorer, representatives, heuristics };
    let mut open = Vec::new();
    let _ = explorer.initial(&mut explorer.workspace(), &mut |state, _| open.push(state.to_vec()));
    let mut known: HashSet<Vec<i32>> = open.iter().cloned().collect();
    let mut permuted = 0;
    let mut next = 0;
    while let Some(state) = open.get(next).cloned() {
        next += 1;
        for successor in subject.successors(&state).unwrap_or_default() {
            if known.len() < STATES && known.insert(successor.clone()) {
                open.push(successor);
            }
        }
        if symmetry.applies(&state) {
            permuted += 1;
            let twin = symmetry.permuted(&permutation(&symmetry, numbers), &state);
            assert_eq!(subject.represented(&twin), subject.represented(&state), "{about}");
            assert_eq!(subject.is_goal(&twin), subject.is_goal(&state), "{about}");
            assert_eq!(subject.steps(&twin), subject.steps(&state), "{about}");
            for (name, heuristic) in &mut subject.heuristics {
                let estimates = [&twin, &state].map(|it| heuristic.estimate(it));
                assert_eq!(estimates[0], estimates[1], "{name}, {about}");
            }
        }
    }
    permuted
}

#[test]
fn permuted_states_do_the_same() {
    let mut permuted = [0; 3];
    for seed in 0..setting("SYMMETRIC", 600) {
        let mut numbers = Numbers::new(seed);
        let (network, text) = load(&mut numbers, seed % 3);
        let about = format!("seed {seed}\n{text}");
        for property in &network.properties {
            permuted[seed as usize % 3] += check(&network, property, &mut numbers, &about);
        }
    }
    eprintln!("{permuted:?} states");
    assert!(permuted.iter().all(|&it| it > 1000), "{permuted:?}");
}
