//! Iterative context bounding (Musuvathi and Qadeer): few switches between processes come first.
//!
//! The queue of a state is the number of switches on the path to it (docs/algorithms.md, section 4.2).

use crate::guidance::{Child, Guidance, Judgement, Label, Parent, movers};
use crate::heuristic::Heuristic;
use crate::problem::Problem;
use explore::{EdgeNumber, Step};
use network::{Arena, Id, ProcessId};
use rustc_hash::FxHashMap;

/// Counts switches.
pub struct ContextBounding<'a> {
    problem: Problem<'a>,
    contexts: Contexts,
    /// The process of each edge.
    owners: Arena<EdgeNumber, ProcessId>,
    /// Sets of processes that moved together, and their numbers, from 1.
    numbers: FxHashMap<Vec<ProcessId>, u32>,
    sets: Vec<Vec<ProcessId>>,
    /// The switches on the path to each node.
    switches: Vec<u32>,
    scratch: Vec<ProcessId>,
}

/// When a step is a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Contexts {
    /// If other processes take part in it than in the step before.
    #[default]
    Equal,
    /// If no process takes part in both.
    Intersect,
    /// As `Equal`, and states are the same only if the same processes moved last: the number of
    /// switches is the least.
    Exact,
}

impl<'a> ContextBounding<'a> {
    /// The judge for a problem.
    pub fn new(problem: &Problem<'a>, contexts: Contexts) -> Self {
        ContextBounding {
            problem: *problem,
            contexts,
            owners: problem.edges().map(|(_, process, _)| process).collect(),
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            switches: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// The number of the set of processes that take part in a single step.
    fn context(&mut self, step: Step) -> u32 {
        self.scratch.clear();
        self.scratch.extend(movers(&self.problem, step).map(|edge| self.owners[edge]));
        self.scratch.sort_unstable_by_key(|process| process.index());
        if let Some(&number) = self.numbers.get(&self.scratch) {
            return number;
        }
        self.sets.push(self.scratch.clone());
        let number = self.sets.len() as u32;
        self.numbers.insert(self.scratch.clone(), number);
        number
    }

    fn is_switch(&self, before: u32, after: u32) -> bool {
        let set = |number: u32| &self.sets[number as usize - 1];
        before != after
            && match self.contexts {
                Contexts::Equal | Contexts::Exact => true,
                Contexts::Intersect => !set(before).iter().any(|p| set(after).contains(p)),
            }
    }

    /// The switches within a longer step, and before it if something came before.
    fn count(&mut self, last: Step, step: Step) -> u32 {
        let explorer = self.problem.explorer;
        let mut before = match last.is_none() {
            true => None,
            false => explorer.single_steps(last).last().map(|step| self.context(step)),
        };
        let mut switches = 0;
        for single in explorer.single_steps(step) {
            let after = self.context(single);
            switches += before.is_some_and(|before| self.is_switch(before, after)) as u32;
            before = Some(after);
        }
        switches
    }
}

impl Guidance for ContextBounding<'_> {
    fn judge(&mut self, _: &mut dyn Heuristic, parent: &Parent, child: &Child) -> Judgement {
        if self.is_labelled() {
            // Switches are what the path costs.
            return Judgement { queue: child.cost, penalty: 0 };
        }
        let so_far = self.switches.get(parent.node as usize).copied().unwrap_or(0);
        let switches = so_far + self.count(parent.step, child.step);
        let at = child.node as usize;
        if self.switches.len() <= at {
            self.switches.resize(at + 1, 0);
        }
        self.switches[at] = switches;
        Judgement { queue: switches, penalty: 0 }
    }

    fn label(&mut self, before: Step, step: Step) -> Label {
        let cost = self.count(before, step);
        let last = self.problem.explorer.single_steps(step).last();
        Label { number: last.map_or(0, |step| self.context(step)), cost }
    }

    fn is_labelled(&self) -> bool {
        self.contexts == Contexts::Exact
    }
}
