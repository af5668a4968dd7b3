//! Abstract networks that were explored, kept for the next question about a model: what they can do does not
//! depend on the goal (docs/algorithms.md, section 3.10).
//!
//! One is taken again only if everything that its exploration depends on is equal, and if the budget would have
//! let it go the same way. So nobody can tell from a table whether it was made anew.

use super::graph::{Building, Explored, StateGraph};
use super::step_costs::StepCosts;
use crate::catalog::Budget;
use crate::problem::Problem;
use explore::{Behaviour, Explorer};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// What was explored, as much as there is room for; what was not asked for longest is dropped first.
#[derive(Clone, Debug, Default)]
pub struct Explorations {
    /// Those asked for last at the end.
    kept: VecDeque<Kept>,
    most_bytes: u64,
}

/// What one exploration depends on, and what came of it.
#[derive(Clone)]
struct Kept {
    input: Input,
    explored: Arc<Explored>,
    bytes: u64,
}

/// All that an exploration depends on, the goal and the budget aside.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Input {
    behaviour: Behaviour,
    costs: Option<StepCosts>,
    labelled: bool,
}

/// How many bytes a network takes for each character of its text, about.
const BYTES_PER_CHARACTER: usize = 8;

impl Explorations {
    /// From now on they take so many bytes at most.
    pub fn keep_within(&mut self, most_bytes: u64) {
        self.most_bytes = most_bytes;
        self.drop_oldest();
    }

    /// The bytes they take.
    pub fn bytes(&self) -> u64 {
        self.kept.iter().map(|kept| kept.bytes).sum()
    }

    /// Explores an abstract network, or finds what is known of it.
    pub(super) fn explore<'e>(
        &mut self,
        explorer: &'e Explorer,
        building: Building<'e>,
    ) -> StateGraph {
        // Where a deadlock is, is found out while steps are looked at.
        if self.most_bytes == 0 || Problem::of(explorer).seeks_deadlock() {
            return StateGraph::explore_anew(explorer, building);
        }
        let input = Input::of(explorer, &building);
        if let Some(known) = self.find(&input, &building.budget) {
            // Whoever watches hears of it, and may have had enough.
            building.observer.prepares(&known.statistics());
            return StateGraph::with_goals_of(known, explorer);
        }
        let graph = StateGraph::explore_anew(explorer, building);
        self.keep(input, graph.explored.clone());
        graph
    }

    fn find(&mut self, input: &Input, budget: &Budget) -> Option<Arc<Explored>> {
        let serves = |kept: &Kept| kept.explored.would_do(budget) && kept.input == *input;
        let kept = self.kept.remove(self.kept.iter().position(serves)?)?;
        let explored = kept.explored.clone();
        self.kept.push_back(kept);
        Some(explored)
    }

    fn keep(&mut self, input: Input, explored: Arc<Explored>) {
        let bytes = (explored.bytes() + input.bytes()) as u64;
        // What was stopped is not what the budget made of it.
        if !explored.is_stopped() && bytes <= self.most_bytes {
            self.kept.push_back(Kept { input, explored, bytes });
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        while self.bytes() > self.most_bytes {
            self.kept.pop_front();
        }
    }
}

impl Input {
    fn of(explorer: &Explorer, building: &Building) -> Input {
        let (costs, labelled) = (building.costs.cloned(), building.labelled);
        Input { behaviour: Behaviour::of(explorer), costs, labelled }
    }

    fn bytes(&self) -> usize {
        let network = network::print(self.behaviour.network()).len() * BYTES_PER_CHARACTER;
        network + self.costs.as_ref().map_or(0, StepCosts::bytes)
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} nodes, {} bytes", self.explored.nodes.len(), self.bytes)
    }
}

/// What an exploration took of its budget, and so with which others it would have been the same.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    budget: Budget,
    /// A budget must be greater than each of these.
    work: u64,
    work_while_wide: u64,
    memory: u64,
    states: u64,
    /// Whether somebody stopped it.
    pub is_stopped: bool,
}

impl Spent {
    /// Nothing of a budget yet.
    pub fn of(budget: Budget) -> Spent {
        Spent { budget, work: 0, work_while_wide: 0, memory: 0, states: 0, is_stopped: false }
    }

    pub fn note_work(&mut self, work: u64) {
        self.work = self.work.max(work);
    }

    pub fn note_work_while_wide(&mut self, work: u64) {
        self.work_while_wide = self.work_while_wide.max(work);
    }

    pub fn note_memory(&mut self, bytes: usize) {
        self.memory = self.memory.max(bytes as u64);
    }

    pub fn note_states(&mut self, states: usize) {
        self.states = self.states.max(states as u64);
    }

    /// Whether the budget is not used up.
    pub fn is_within_budget(&self) -> bool {
        self.is_within(&self.budget)
    }

    fn is_within(&self, budget: &Budget) -> bool {
        let within = |most: Option<u64>, spent: u64| most.is_none_or(|most| spent < most);
        within(budget.states, self.states)
            && within(budget.work, self.work)
            && within(budget.work_while_wide, self.work_while_wide)
            && within(budget.memory, self.memory)
    }

    /// Whether an exploration that came to its end, or did not, would have been the same with another budget.
    pub fn would_do(&self, budget: &Budget, is_truncated: bool) -> bool {
        match is_truncated {
            true => self.budget == *budget,
            false => self.is_within(budget),
        }
    }
}
