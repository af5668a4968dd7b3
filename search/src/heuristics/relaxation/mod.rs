//! The relaxation heuristics (monotonicity abstraction): every component keeps every value it ever
//! had (docs/algorithms.md, sections 3.5 to 3.7).
//!
//! `model` is the network as the relaxation sees it, made by `build`; `layers` computes what is possible after 0, 1,
//! 2 … steps, `extract` reads a path to the goal from them.

mod build;
mod condition;
mod evaluate;
mod extract;
mod layers;
mod memory;
mod model;
mod resolve;
mod term;
mod values;

use crate::edge_set::EdgeSet;
use crate::heuristic::{Guarantees, Heuristic, UNREACHABLE};
use crate::problem::Problem;
use layers::Layers;
use model::Model;
use std::rc::Rc;

/// What is read from the layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The number of layers to the goal (h^L).
    Layers,
    /// The same, with intervals instead of sets.
    Intervals,
    /// The length of a path to the goal through the layers (h^U).
    Trace,
}

/// What the relaxation sees of the goals of a problem. About deadlocks it knows nothing: whatever is
/// possible stays possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All of them: none is a deadlock.
    Everything,
    /// What they demand beside a deadlock, which bounds the length of traces but leads to none.
    BesideDeadlock,
    /// Run-time errors, to which it leads. It bounds no length: a deadlock, of which hardly more is
    /// demanded, may be nearer.
    Errors,
}

/// A relaxation heuristic.
pub struct Relaxation {
    layers: Layers,
    reading: Reading,
    extraction: extract::Extraction,
    preferred: EdgeSet,
}

impl Relaxation {
    /// What it would see of a problem.
    pub fn sight(problem: &Problem) -> Sight {
        match (problem.seeks_deadlock(), problem.property().counts_errors) {
            (false, _) => Sight::Everything,
            (true, false) => Sight::BesideDeadlock,
            (true, true) => Sight::Errors,
        }
    }

    /// A heuristic for a problem.
    pub fn new(problem: &Problem, reading: Reading) -> Relaxation {
        Relaxation::of(Rc::new(Model::new(problem, true)), reading)
    }

    /// A heuristic that looks for everything but deadlocks.
    pub fn without_deadlock(problem: &Problem, reading: Reading) -> Relaxation {
        Relaxation::of(Rc::new(Model::new(problem, false)), reading)
    }

    /// Another heuristic for the same problem; what takes long to make is not made again.
    pub fn again(&self, reading: Reading) -> Relaxation {
        Relaxation::of(self.layers.model.clone(), reading)
    }

    fn of(model: Rc<Model>, reading: Reading) -> Relaxation {
        let edges = model.edges;
        let mut layers = Layers::new(model);
        layers.run.memory.traced = reading == Reading::Trace;
        layers.run.memory.convex = reading == Reading::Intervals;
        let extraction = extract::Extraction::default();
        Relaxation { layers, reading, extraction, preferred: EdgeSet::new(edges) }
    }

    /// The edges of a path to the goal through the layers; none if there is none.
    pub(crate) fn path_edges(&mut self, state: &[i32]) -> Option<EdgeSet> {
        let is_reached = self.estimate(state) != UNREACHABLE;
        is_reached.then(|| {
            let mut edges = EdgeSet::new(self.layers.model.edges);
            self.extraction.edges(&self.layers.model).for_each(|edge| edges.insert(edge));
            edges
        })
    }

    fn read(&mut self, state: &[i32], removed: Option<&EdgeSet>) -> u32 {
        let distance = self.layers.distance(state, removed);
        match (distance, self.reading) {
            (None, _) => {
                self.preferred.clear();
                UNREACHABLE
            }
            (Some(_), Reading::Trace) => {
                let Layers { model, run } = &mut self.layers;
                self.extraction.extract(model, run, &mut self.preferred)
            }
            (Some(layers), _) => layers,
        }
    }
}

impl Heuristic for Relaxation {
    fn guarantees(&self) -> Guarantees {
        let model = &self.layers.model;
        if model.ignores_deadlock || model.counts_errors && model.blind_spots {
            return Guarantees::NONE;
        }
        match self.reading {
            Reading::Layers | Reading::Intervals => Guarantees::ALL,
            Reading::Trace => Guarantees::DEAD_ENDS,
        }
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.read(state, None)
    }

    fn sees_clocks(&self) -> bool {
        false
    }

    fn estimate_without(&mut self, state: &[i32], removed: &EdgeSet) -> Option<u32> {
        Some(self.read(state, Some(removed)))
    }

    fn work(&self) -> u64 {
        self.layers.run.memory.work
    }

    fn preferred(&self) -> Option<&EdgeSet> {
        (self.reading == Reading::Trace).then_some(&self.preferred)
    }
}
