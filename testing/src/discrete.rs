//! A naive explorer in discrete time: the oracle for the symbolic search.
//!
//! Breadth first over concrete states; time passes tick by tick and costs nothing. Every run found
//! is a real run, so `Reached` is never wrong and never below the true minimum. It *is* the minimum,
//! and `Unreachable` is true,
//! - with one tick per unit if truth in dense time needs only closed constraints: no strict ones, and
//!   none that is ever negated (by broadcast receivers, urgent channels or priorities with clock
//!   guards, `deadlock`, or `!` in the goal), and no stopped clocks;
//! - with `scale` ticks for runs of at most `scale - 2` steps without stopped clocks: differences
//!   between that many moments never need finer fractions.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use network::{Network, Property, RunTimeError};
use replay::{Simulator, State, Stop};

use crate::bounds::bounds;

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A goal is reached with this number of steps, and with no fewer.
    Reached(usize),
    /// No state that was reached is a goal, and none is left out.
    Unreachable,
    /// There are more states than allowed.
    GaveUp,
    /// A run-time error is raised after this number of steps, with no goal at so few steps.
    Error(RunTimeError, usize),
}

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Ticks per unit of time.
    pub scale: i64,
    /// The greatest number of states.
    pub max_states: usize,
    /// The greatest number of steps; beyond it the search gives up.
    pub max_steps: usize,
}

/// The fewest steps to a goal, with one tick per unit of time.
pub fn shortest(network: &Network, property: &Property, max_states: usize) -> Outcome {
    shortest_within(network, property, Limits { scale: 1, max_states, max_steps: usize::MAX })
}

/// The fewest steps to a goal within limits.
pub fn shortest_within(network: &Network, property: &Property, limits: Limits) -> Outcome {
    let Ok(simulator) = Simulator::new(network, limits.scale) else {
        return Outcome::GaveUp;
    };
    let initial = match simulator.initial() {
        Ok(state) => state,
        Err(Stop::Illegal(_)) => return Outcome::Unreachable,
        Err(Stop::Error(error)) => return Outcome::Error(error, 0),
    };
    let bounds = bounds(network, property);
    let ticks = |units: i64| units as i128 * limits.scale as i128;
    let mut search = Search {
        simulator: simulator.observing(Some(property)),
        property,
        limits,
        cap: bounds.clock.map(|units| ticks(units) + 1),
        longest: bounds.delay.map_or(i128::MAX, ticks),
        steps: 0,
        seen: FxHashMap::default(),
        costs: Vec::new(),
        open: VecDeque::new(),
        error: None,
        cut: false,
    };
    search.offer(initial, Cost { steps: 0, waited: 0 });
    search.run()
}

/// Fewer steps are better, then less waiting since the last one: that leaves more to wait.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Cost {
    steps: usize,
    waited: i128,
}

/// A state that waits to be explored.
struct Open {
    state: Rc<State>,
    number: usize,
    cost: Cost,
}

struct Search<'n> {
    simulator: Simulator<'n>,
    property: &'n Property,
    limits: Limits,
    /// Clocks above this many ticks are all alike; none if they never are.
    cap: Option<i128>,
    /// The ticks of the longest delay that is needed.
    longest: i128,
    /// The steps to the state under way.
    steps: usize,
    /// The number of each state that was met.
    seen: FxHashMap<Rc<State>, usize>,
    /// By number, the least cost of a state so far.
    costs: Vec<Cost>,
    /// States by number of steps; those of the current number come first.
    open: VecDeque<Open>,
    /// The first error among states with the current number of steps.
    error: Option<RunTimeError>,
    /// Whether something was left out that takes more steps than allowed.
    cut: bool,
}

impl Search<'_> {
    fn run(mut self) -> Outcome {
        while let Some(Open { state, number, cost }) = self.open.pop_front() {
            if self.costs[number] != cost {
                continue;
            }
            let steps = cost.steps;
            if steps > self.steps && self.error.is_some() {
                break;
            }
            if self.seen.len() > self.limits.max_states {
                return Outcome::GaveUp;
            }
            self.steps = steps;
            match self.simulator.is_goal(&state, self.property) {
                Ok(true) => return Outcome::Reached(steps),
                Ok(false) => {}
                Err(stop) => self.note(stop),
            }
            self.expand(&state, cost);
        }
        match self.error {
            Some(error) => Outcome::Error(error, self.steps),
            None if self.cut => Outcome::GaveUp,
            None => Outcome::Unreachable,
        }
    }

    fn expand(&mut self, state: &State, cost: Cost) {
        match self.simulator.delay(state, 1) {
            Ok(later) if cost.waited < self.longest => {
                self.offer(later, Cost { waited: cost.waited + 1, ..cost });
            }
            Ok(_) => {}
            Err(stop) => self.note(stop),
        }
        let choices = self.simulator.choices(state);
        for moves in &choices.steps {
            // That something lies beyond the last step need be found only once.
            if self.cut && cost.steps == self.limits.max_steps {
                break;
            }
            if let Ok(after) = self.simulator.after(state, moves) {
                self.offer(after, Cost { steps: cost.steps + 1, waited: 0 });
            }
        }
        for raised in choices.errors {
            self.note(Stop::Error(raised.error));
        }
    }

    fn note(&mut self, stop: Stop) {
        if let Stop::Error(error) = stop {
            self.error.get_or_insert(error);
        }
    }

    /// Keeps a state unless it is known at no greater cost, or too many steps away.
    fn offer(&mut self, mut state: State, cost: Cost) {
        if let Some(cap) = self.cap {
            state.clocks.iter_mut().flatten().for_each(|ticks| *ticks = (*ticks).min(cap));
        }
        if cost.steps > self.limits.max_steps {
            self.cut |= !self.seen.contains_key(&state);
            return;
        }
        let state = Rc::new(state);
        let number = match self.seen.entry(state.clone()) {
            Entry::Occupied(known) if self.costs[*known.get()] <= cost => return,
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.costs.push(cost);
                *new.insert(self.costs.len() - 1)
            }
        };
        self.costs[number] = cost;
        let open = Open { state, number, cost };
        match cost.steps == self.steps {
            true => self.open.push_front(open),
            false => self.open.push_back(open),
        }
    }
}
