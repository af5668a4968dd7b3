//! Fewer labels: those that only one system tells apart become one, which loses nothing.
//!
//! A step of the product is one of the same label in every system. If two labels have the same steps in all
//! systems but one, the product has the same steps whether that one has them apart or together.

use super::system::{System, sort};
use network::cancellation;
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Puts labels together that need not be told apart.
pub fn reduce_labels(systems: &mut [System]) {
    let mut left = usize::MAX;
    while labels(systems) < left {
        left = labels(systems);
        let mut signatures = signatures(systems);
        for position in 0..systems.len() {
            cancellation::check();
            if merge_apart_from(systems, position, &signatures) {
                signatures = self::signatures(systems);
            }
        }
    }
}

/// Removes labels that some system never allows; says whether there were any.
pub fn remove_forbidden(systems: &mut [System]) -> bool {
    let is_possible = |label: &usize| !systems.iter().any(|system| system.forbids(*label));
    let kept: Vec<usize> = (0..labels(systems)).filter(is_possible).collect();
    let found = kept.len() < labels(systems);
    for system in systems.iter_mut().filter(|_| found) {
        system.keep_labels(&kept);
        system.tidy();
        system.measure();
    }
    found
}

fn labels(systems: &[System]) -> usize {
    systems.first().map_or(0, |system| system.group_of.len())
}

/// Puts labels together that all systems but one treat alike; says whether there were any.
fn merge_apart_from(systems: &mut [System], position: usize, signatures: &[u64]) -> bool {
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (label, &all) in signatures.iter().enumerate() {
        let own = share(position, systems[position].group_of[label]);
        alike.entry(all.wrapping_sub(own)).or_default().push(label);
    }
    if alike.len() == signatures.len() {
        return false;
    }
    let mut kept = Vec::new();
    for mut together in alike.into_values() {
        while let Some(&first) = together.first() {
            let (same, others): (Vec<usize>, Vec<usize>) =
                together.iter().partition(|&&label| is_same(systems, position, first, label));
            unite(&mut systems[position], &same);
            kept.push(first);
            together = others;
        }
    }
    kept.sort_unstable();
    systems.iter_mut().for_each(|system| system.keep_labels(&kept));
    // Other systems still have a label for each group.
    systems[position].tidy();
    kept.len() < signatures.len()
}

/// For each label what all systems make of it, added up.
fn signatures(systems: &[System]) -> Vec<u64> {
    let mut signatures = vec![0u64; labels(systems)];
    for (position, system) in systems.iter().enumerate() {
        for (signature, &group) in signatures.iter_mut().zip(&system.group_of) {
            *signature = signature.wrapping_add(share(position, group));
        }
    }
    signatures
}

fn share(position: usize, group: u32) -> u64 {
    let mut hasher = FxHasher::default();
    (position, group).hash(&mut hasher);
    hasher.finish()
}

fn is_same(systems: &[System], but: usize, one: usize, other: usize) -> bool {
    let mut others = systems.iter().enumerate().filter(|(position, _)| *position != but);
    others.all(|(_, system)| system.group_of[one] == system.group_of[other])
}

/// Gives the first of some labels the steps of all of them.
fn unite(system: &mut System, labels: &[usize]) {
    let mut groups: Vec<u32> = labels.iter().map(|&label| system.group_of[label]).collect();
    groups.sort_unstable();
    groups.dedup();
    if groups.len() > 1 {
        let mut steps = Vec::new();
        for group in groups {
            steps.append(&mut system.steps_of_group(group));
        }
        sort(&mut steps);
        system.group_of[labels[0]] = system.groups.len() as u32;
        system.groups.push(steps);
    }
}
