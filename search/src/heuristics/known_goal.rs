//! Distances to a known goal state, as an earlier search has found it (docs/algorithms.md, section
//! 3.2). Another goal state may be nearer, so in general nothing is promised.

use super::goal_form::GoalForm;
use super::graph_distance::{Combination, GraphDistance};
use crate::heuristic::{Guarantees, Heuristic};
use crate::problem::{HeuristicResult, Problem};
use explore::Layout;
use network::Id;

/// Counts the bits in which a packed state differs from the known one.
pub struct Hamming<'a> {
    layout: &'a Layout,
    goal: Vec<u8>,
    packed: Vec<u8>,
}

fn known<'a>(problem: &Problem<'a>) -> Result<&'a [i32], String> {
    problem.known_goal.ok_or_else(|| "the heuristic needs a state that is a goal".to_string())
}

impl<'a> Hamming<'a> {
    /// For the known goal of a problem.
    pub fn build(problem: &Problem<'a>) -> HeuristicResult<'a> {
        let layout = &problem.explorer.layout;
        let mut goal = Vec::new();
        layout.identity_packing().pack(known(problem)?, &mut goal);
        Ok(Box::new(Hamming { layout, goal, packed: Vec::new() }))
    }
}

impl Heuristic for Hamming<'_> {
    fn guarantees(&self) -> Guarantees {
        Guarantees::NONE
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.packed.clear();
        self.layout.identity_packing().pack(state, &mut self.packed);
        let bytes = self.packed.iter().zip(&self.goal);
        bytes.map(|(a, b)| (a ^ b).count_ones()).sum()
    }
}

/// The distances of all processes to where they are in the known goal, each counting its share.
pub fn fsm<'a>(problem: &Problem<'a>) -> HeuristicResult<'a> {
    let goal = known(problem)?;
    let mut places = Vec::new();
    for (process, own) in problem.network().processes.enumerate() {
        if problem.takes_part(process) {
            let at = |location: usize| location as i32 == goal[process.index()];
            places.push(GoalForm::At(process, (0..own.locations.len()).map(at).collect()));
        }
    }
    let places = GoalForm::All(places);
    let promised = match demands(&GoalForm::of(problem), &places) {
        true => Guarantees::ALL,
        false => Guarantees::NONE,
    };
    let distance = GraphDistance::to(problem, &places, Combination::Split);
    Ok(Box::new(distance.promising(promised)))
}

/// Whether a goal, wherever it is reached, has all processes at these places.
fn demands(goal: &GoalForm, places: &GoalForm) -> bool {
    match (goal, places) {
        (GoalForm::Known(false), _) => true,
        (_, GoalForm::All(places)) => places.iter().all(|place| demands(goal, place)),
        (GoalForm::All(parts), place) => parts.contains(place),
        (goal, place) => goal == place,
    }
}
