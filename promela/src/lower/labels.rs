//! The labels of a proctype, found by name, by scope and by element.

use super::flow::El;
use rustc_hash::FxHashMap;

/// A name for an element.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub name: String,
    pub element: El,
}

/// Labels in their written order. Generated models have tens of thousands, so nothing here looks
/// through all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    list: Vec<Label>,
    by_name: FxHashMap<String, Vec<usize>>,
    /// The first label of a name within a scope, which its number identifies.
    by_scope: FxHashMap<(String, u32), usize>,
    by_element: FxHashMap<El, Vec<usize>>,
}

impl Labels {
    /// Adds a label in a scope, given by its path; false if that scope has one of this name.
    pub fn add(&mut self, name: &str, scope: &[u32], element: El) -> bool {
        let index = self.list.len();
        self.list.push(Label { name: name.to_string(), element });
        self.by_name.entry(name.to_string()).or_default().push(index);
        self.by_element.entry(element).or_default().push(index);
        let known = self.by_scope.entry((name.to_string(), innermost(scope))).or_insert(index);
        *known == index
    }

    /// All names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// The labels of an element.
    pub fn at(&self, element: El) -> impl Iterator<Item = &Label> {
        self.by_element.get(&element).into_iter().flatten().map(|&it| &self.list[it])
    }

    /// The last label of a name in the whole proctype.
    pub fn last(&self, name: &str) -> Option<El> {
        let index = *self.by_name.get(name)?.last()?;
        Some(self.list[index].element)
    }

    /// The label that a jump from a scope means: in that scope, else the first one written in
    /// those around it, else the last one anywhere.
    pub fn seen_from(&self, name: &str, scope: &[u32]) -> Option<El> {
        if !self.by_name.contains_key(name) {
            return None;
        }
        let within = |number: u32| self.by_scope.get(&(name.to_string(), number)).copied();
        let around = || scope.iter().filter_map(|&number| within(number)).min();
        match within(innermost(scope)).or_else(around) {
            Some(index) => Some(self.list[index].element),
            None => self.last(name),
        }
    }

    /// Moves the last label of an element to another one.
    pub fn move_last(&mut self, from: El, to: El) {
        if let Some(index) = self.by_element.get_mut(&from).and_then(Vec::pop) {
            self.list[index].element = to;
            self.by_element.entry(to).or_default().push(index);
        }
    }
}

fn innermost(scope: &[u32]) -> u32 {
    scope.last().copied().unwrap_or(0)
}
