//! Which heuristic never says less than which other, state by state (docs/algorithms.md, section
//! 3.9).
//!
//! Seen to fail: with every second layer not counted (d^L exceeds h^L), with intervals for h^L and sets
//! for the other, with a d^S that forgets the farthest process, with a d^U that takes the farthest, with
//! `formula-max` counting 1 for any way, with `formula` taking the least of what it adds up, with an h^U
//! that is finite in dead ends, and with one that does not see what conditions and effects need.

use network::{Expr, Network, PropertyId};
use search::UNREACHABLE;
use std::collections::BTreeMap;

/// The estimates of all states by each heuristic.
pub type Estimates = BTreeMap<&'static str, Vec<u32>>;

/// The second of each pair never says less than the first.
const ALWAYS: [(&str, &str); 6] = [
    ("relaxation-intervals", "relaxation-layers"),
    ("relaxation-layers", "relaxation-trace"),
    ("graph-max", "graph-split"),
    ("graph-split", "graph-sum"),
    ("graph-max", "formula-max"),
    ("formula-max", "formula"),
];

/// The relaxation counts no more layers than that.
const MOST_LAYERS: u32 = 10_000;

/// Compares estimates; returns how many of a heuristic were less than those of another one.
pub fn compare_estimates(
    network: &Network,
    case: &str,
    all: &Estimates,
) -> Vec<(&'static str, usize)> {
    let mut less: Vec<_> = ALWAYS
        .iter()
        .map(|&(low, high)| (low, compare(network, case, (low, &all[low]), (high, &all[high]))))
        .collect();
    if names_processes_once(network) {
        // Beyond the last layer the relaxation does not tell what is far from what is impossible.
        let low: Vec<u32> = all["graph-max"].iter().map(|&least| least.min(MOST_LAYERS)).collect();
        let (low, high) = (("graph-max", &low[..]), "relaxation-layers");
        less.push((low.0, compare(network, case, low, (high, &all[high]))));
    }
    let dead_ends = |name| all[name].iter().map(|&estimate| estimate == UNREACHABLE);
    let same = dead_ends("relaxation-layers").eq(dead_ends("relaxation-trace"));
    assert!(same, "{case}: h^L and h^U have other dead ends\n{}", network::print(network));
    less
}

fn compare(
    network: &Network,
    case: &str,
    (low, least): (&str, &[u32]),
    (high, most): (&str, &[u32]),
) -> usize {
    for (state, (least, most)) in least.iter().zip(most).enumerate() {
        assert!(
            least <= most,
            "{case}: {low} says {least}, {high} says {most} of state {state}\n{}",
            network::print(network)
        );
    }
    least.iter().zip(most).filter(|(least, most)| least < most).count()
}

/// Whether the goal speaks of each process in one place at most. If it does not, graph distances are
/// sharper than the relaxation: they know that a process which must be neither at `a` nor at `b` has
/// to be at `c`, while the relaxation is content with `a` for the one demand and `b` for the other.
fn names_processes_once(network: &Network) -> bool {
    let Some(goal) = network.properties[PropertyId(0)].claim.expression() else { return false };
    let (mut seen, mut once) = (Vec::new(), true);
    goal.walk(&mut |part| {
        if let Expr::At(process, _) = part {
            once &= !seen.contains(process);
            seen.push(*process);
        }
    });
    once
}
