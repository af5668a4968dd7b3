//! Fewer labels: those that only one system tells apart become one, which loses nothing.
//!
//! A step of the product is one of the same label in every system. If two labels have the same steps in all
//! systems but one, the product has the same steps whether that one has them apart or together.

use super::system::{IRRELEVANT, System, sort};
use network::cancellation;
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Puts labels together that need not be told apart.
pub fn reduce_labels(systems: &mut [System]) {
    let mut left = usize::MAX;
    let mut views: Vec<View> = (0..labels(systems)).map(|it| View::of(systems, it)).collect();
    while views.len() < left {
        left = views.len();
        for position in 0..systems.len() {
            cancellation::check();
            merge_apart_from(systems, position, &mut views);
        }
    }
}

/// What systems make of a label: the groups of those that it is relevant to.
struct View {
    groups: Vec<(usize, u32)>,
    /// Their shares, added up.
    signature: u64,
}

impl View {
    fn of(systems: &[System], label: usize) -> View {
        let groups = systems.iter().map(|system| system.group_of[label]).enumerate();
        let groups: Vec<_> = groups.filter(|(_, group)| *group != IRRELEVANT).collect();
        let signature = groups.iter().map(|&it| share(it)).fold(0, u64::wrapping_add);
        View { groups, signature }
    }

    /// The same after a system has changed.
    fn update(&mut self, position: usize, group: u32) {
        self.signature = self.signature.wrapping_sub(self.share_of(position));
        self.groups.retain(|it| it.0 != position);
        if group != IRRELEVANT {
            let at = self.groups.partition_point(|it| it.0 < position);
            self.groups.insert(at, (position, group));
        }
        self.signature = self.signature.wrapping_add(self.share_of(position));
    }

    fn share_of(&self, position: usize) -> u64 {
        self.groups.iter().find(|it| it.0 == position).map_or(0, |&it| share(it))
    }

    fn apart_from(&self, position: usize) -> impl Iterator<Item = &(usize, u32)> {
        self.groups.iter().filter(move |it| it.0 != position)
    }
}

fn share(view: (usize, u32)) -> u64 {
    let mut hasher = FxHasher::default();
    view.hash(&mut hasher);
    hasher.finish()
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

/// Puts labels together that all systems but one treat alike.
fn merge_apart_from(systems: &mut [System], position: usize, views: &mut Vec<View>) {
    let mut alike: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (label, view) in views.iter().enumerate() {
        let signature = view.signature.wrapping_sub(view.share_of(position));
        alike.entry(signature).or_default().push(label);
    }
    if alike.len() == views.len() {
        return;
    }
    let mut kept = Vec::new();
    for mut together in alike.into_values() {
        while let Some(&first) = together.first() {
            let is_same = |label: usize| {
                views[first].apart_from(position).eq(views[label].apart_from(position))
            };
            let (same, others): (Vec<usize>, Vec<usize>) =
                together.iter().partition(|&&label| is_same(label));
            unite(&mut systems[position], &same);
            kept.push(first);
            together = others;
        }
    }
    kept.sort_unstable();
    systems.iter_mut().for_each(|system| system.keep_labels(&kept));
    // Other systems still have a label for each group.
    systems[position].tidy();
    let mut stays = vec![false; views.len()];
    kept.iter().for_each(|&label| stays[label] = true);
    let mut stays = stays.into_iter();
    views.retain(|_| stays.next() == Some(true));
    for (view, &group) in views.iter_mut().zip(&systems[position].group_of) {
        view.update(position, group);
    }
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
