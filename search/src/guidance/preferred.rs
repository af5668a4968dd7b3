//! Preferred steps (helpful actions of planning): those that the heuristic would take itself
//! (docs/algorithms.md, section 4.4).

use crate::edge_set::EdgeSet;
use crate::guidance::{Child, Guidance, Judgement, Parent, movers, probe};
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::problem::Problem;
use network::{Action, ChannelKind, ChannelRef};

/// Lets states after preferred steps come first.
pub struct PreferredSteps<'a> {
    problem: Problem<'a>,
    preferred: EdgeSet,
    /// Edges that are taken along whether they help or not: receivers of broadcasts.
    taken_along: EdgeSet,
}

impl<'a> PreferredSteps<'a> {
    /// The judge for a problem; none if the heuristic has no preferences.
    pub fn new(problem: &Problem<'a>, heuristic: &mut dyn Heuristic) -> Result<Self, String> {
        // Where the goal is out of reach there is nothing to prefer.
        let able = |state: &[i32]| {
            heuristic.estimate(state) == UNREACHABLE || heuristic.preferred().is_some()
        };
        if !probe(problem, able) {
            let why = "preferred steps need a heuristic that says which edges it would take, and \
                       this one does not";
            return Err(why.to_string());
        }
        let mut taken_along = EdgeSet::new(problem.explorer.edges().len());
        for (number, _, edge) in problem.edges() {
            if receives_broadcast(problem, &edge.action) {
                taken_along.insert(number);
            }
        }
        let preferred = EdgeSet::new(problem.explorer.edges().len());
        Ok(PreferredSteps { problem: *problem, preferred, taken_along })
    }
}

fn receives_broadcast(problem: &Problem, action: &Action) -> bool {
    let Action::Receive(receive) = action else { return false };
    match &receive.channel {
        ChannelRef::Element(id, _) => {
            problem.network().channels[*id].kind == ChannelKind::Broadcast
        }
        ChannelRef::Value(_) => false,
    }
}

impl Guidance for PreferredSteps<'_> {
    fn enter(&mut self, heuristic: &mut dyn Heuristic, parent: &Parent) {
        heuristic.estimate(parent.state);
        self.preferred.clear();
        if let Some(preferred) = heuristic.preferred() {
            self.preferred.unite(preferred);
        }
    }

    fn judge(&mut self, _: &mut dyn Heuristic, _: &Parent, child: &Child) -> Judgement {
        // What was estimated is where a longer step begins.
        let first = self.problem.explorer.single_steps(child.step).next().unwrap_or_default();
        let mut edges = movers(&self.problem, first);
        let helps = |edge| self.preferred.contains(edge) || self.taken_along.contains(edge);
        Judgement { queue: !edges.all(helps) as u32, penalty: 0 }
    }
}
