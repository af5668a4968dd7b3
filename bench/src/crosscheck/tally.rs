//! How much was compared, so that nobody trusts a run that compared nothing.

use super::answer::Outcome;
use super::combination::Combination;
use super::text::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter, Result};

/// Counts of everything that was done.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Models by language.
    pub models: BTreeMap<&'static str, u64>,
    /// Models that were refused or too large, and why.
    pub left_out: BTreeMap<String, u64>,
    /// Runs of the command by what came out.
    pub runs: BTreeMap<&'static str, u64>,
    /// Runs that could not be compared, and why.
    pub skipped: BTreeMap<String, u64>,
    /// Comparisons by kind.
    pub compared: BTreeMap<&'static str, u64>,
    /// Pairs of search and heuristic that gave an answer.
    pub combinations: BTreeSet<(String, String)>,
    /// Things that do not fit.
    pub findings: u64,
}

impl Tally {
    /// Notes a model.
    pub fn model(&mut self, language: Language) {
        let name = match language {
            Language::Uppaal => "UPPAAL",
            Language::Promela => "Promela",
        };
        *self.models.entry(name).or_default() += 1;
    }

    /// Notes a run.
    pub fn run(&mut self, combination: &Combination, outcome: &Outcome) {
        if let Outcome::Unknown(why) | Outcome::Refused(why) = outcome {
            *self.skipped.entry(without_names(why)).or_default() += 1;
        } else {
            let names = (combination.search.clone(), combination.heuristic.clone());
            self.combinations.insert(names);
        }
        let name = match outcome {
            Outcome::Goal => "goal",
            Outcome::NoGoal => "no goal",
            Outcome::Error => "error",
            Outcome::Unknown(_) => "unknown",
            Outcome::Refused(_) => "refused",
            Outcome::Late => "no end",
            Outcome::Crash => "crash",
        };
        *self.runs.entry(name).or_default() += 1;
    }

    /// Notes a comparison.
    pub fn comparison(&mut self, kind: &'static str) {
        *self.compared.entry(kind).or_default() += 1;
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "models: {}", listed(&self.models))?;
        writeln!(f, "left out: {}", listed(&commonest(&self.left_out)))?;
        writeln!(f, "runs: {}", listed(&self.runs))?;
        writeln!(f, "skipped: {}", listed(&commonest(&self.skipped)))?;
        writeln!(f, "compared: {}", listed(&self.compared))?;
        writeln!(f, "searches with heuristics: {}", self.combinations.len())?;
        writeln!(f, "findings: {}", self.findings)
    }
}

fn listed<K: Display>(counts: &BTreeMap<K, u64>) -> String {
    let all: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if all.is_empty() { "none".into() } else { all.join(", ") }
}

/// The most frequent reasons; those that name something of a model are many.
fn commonest(counts: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut all: Vec<_> = counts.clone().into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let rest: u64 = all.iter().skip(12).map(|(_, count)| count).sum();
    let mut top: BTreeMap<String, u64> = all.into_iter().take(12).collect();
    if rest > 0 {
        top.insert("others".into(), rest);
    }
    top
}

/// A reason without what differs from model to model.
pub fn without_names(why: &str) -> String {
    // What does not go together is named first.
    let why = if why.starts_with("--search") { "the search needs another heuristic" } else { why };
    let mut text = String::new();
    for (part, i) in why.split('`').zip(0..) {
        text += if i % 2 == 0 { part } else { "…" };
    }
    text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).take(70).collect()
}
