//! Context-enhanced search (Wehrle and Kupferschmid): steps that interact with the one before, or
//! that make a part of the goal true, come first.

use crate::footprint::{Spans, footprints};
use crate::guidance::atoms::{Atom, atoms};
use crate::guidance::interference::Interference;
use crate::guidance::{Child, Guidance, Judgement, Parent, movers};
use crate::heuristic::Heuristic;
use crate::problem::Problem;

/// Judges steps by their distance from the one before.
pub struct ContextEnhanced<'a> {
    problem: Problem<'a>,
    interference: Interference,
    atoms: Vec<Atom>,
    /// By edge, the atoms about something that it writes.
    concerned: Vec<Vec<u32>>,
}

impl<'a> ContextEnhanced<'a> {
    /// The judge for a problem.
    pub fn new(problem: &Problem<'a>) -> Self {
        let atoms = atoms(problem);
        let touches = |writes: &Spans| {
            let all = atoms.iter().enumerate();
            all.filter(|(_, atom)| atom.mentions.overlap(writes)).map(|(at, _)| at as u32).collect()
        };
        let concerned = footprints(problem).iter().map(|print| touches(&print.writes)).collect();
        let interference = Interference::new(problem);
        ContextEnhanced { problem: *problem, interference, atoms, concerned }
    }

    /// Whether the step wrote something that a part of the goal is about, and this part holds.
    fn serves_goal(&self, child: &Child) -> bool {
        let layout = &self.problem.explorer.layout;
        let mut edges = self.problem.explorer.edges_of(child.step);
        edges.any(|edge| {
            let mut concerned = self.concerned[edge].iter();
            concerned.any(|&atom| self.atoms[atom as usize].holds(layout, child.state))
        })
    }
}

impl Guidance for ContextEnhanced<'_> {
    fn judge(&mut self, _: &mut dyn Heuristic, parent: &Parent, child: &Child) -> Judgement {
        let queue = if self.serves_goal(child) {
            0
        } else if parent.step.is_empty() {
            1
        } else {
            let before: Vec<usize> = movers(&self.problem, parent.step).collect();
            let after: Vec<usize> = movers(&self.problem, child.step).collect();
            self.interference.distance(before.into_iter(), after.into_iter())
        };
        Judgement { queue: queue.into(), penalty: 0 }
    }
}
