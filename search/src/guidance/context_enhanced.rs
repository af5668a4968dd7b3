//! Context-enhanced search (Wehrle and Kupferschmid): steps that interact with the one before, or
//! that make a part of the goal true, come first (docs/algorithms.md, section 4.3).

use crate::footprint::{Spans, footprints};
use crate::guidance::atoms::Atoms;
use crate::guidance::interference::Interference;
use crate::guidance::{Child, Guidance, Judgement, Parent, movers};
use crate::heuristic::Heuristic;
use crate::problem::Problem;
use explore::EdgeNumber;
use network::Arena;

/// Judges steps by their distance from the one before.
pub struct ContextEnhanced<'a> {
    problem: Problem<'a>,
    interference: Interference,
    atoms: Atoms,
    /// By edge, the atoms about something that it writes.
    concerned: Arena<EdgeNumber, Vec<usize>>,
}

impl<'a> ContextEnhanced<'a> {
    /// The judge for a problem.
    pub fn new(problem: &Problem<'a>) -> Self {
        let atoms = Atoms::of(problem);
        let touches = |writes: &Spans| {
            let all = atoms.mentions.iter().enumerate();
            all.filter(|(_, mentions)| mentions.overlap(writes)).map(|(atom, _)| atom).collect()
        };
        let concerned = footprints(problem).iter().map(|print| touches(&print.writes)).collect();
        let interference = Interference::new(problem);
        ContextEnhanced { problem: *problem, interference, atoms, concerned }
    }

    /// Whether the step wrote something that a part of the goal is about, and this part holds.
    fn serves_goal(&mut self, child: &Child) -> bool {
        let ContextEnhanced { problem, atoms, concerned, .. } = self;
        let mut concerned =
            problem.explorer.edges_of(child.step).flat_map(|edge| &concerned[edge]).peekable();
        if concerned.peek().is_some() {
            atoms.look_at(child.state);
        }
        concerned.any(|&atom| atoms.holds(atom))
    }
}

impl Guidance for ContextEnhanced<'_> {
    fn judge(&mut self, _: &mut dyn Heuristic, parent: &Parent, child: &Child) -> Judgement {
        let queue = if self.serves_goal(child) {
            0
        } else if parent.step.is_none() {
            1
        } else {
            let before = movers(&self.problem, parent.step);
            self.interference.distance(before, movers(&self.problem, child.step))
        };
        Judgement { queue: queue.into(), penalty: 0 }
    }
}
