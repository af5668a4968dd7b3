//! The property of a random network.

use network::{Arena, BinaryOp, Claim, Expr, Id, LocationId, ProcessId, Property, Span, UnaryOp};

use super::edges::{Locals, binary};
use super::{Builder, LARGEST};
use replay::{Simulator, State};

impl Builder {
    /// A goal about locations, variables and clocks that is often hard enough to reach.
    pub(super) fn property(&mut self) -> Property {
        let mut locals = Arena::new();
        let goal = self.goal(&mut locals);
        let always = self.numbers.chance(25);
        let (text, claim) = match always {
            true => ("A[] of a random expression", Claim::Always(Expr::unary(UnaryOp::Not, goal))),
            false => ("E<> of a random expression", Claim::Reachable(goal)),
        };
        let text = text.to_string();
        Property {
            text,
            claim,
            locals,
            counts_errors: false,
            observer: None,
            beyond: None,
            span: Span::NONE,
        }
    }

    fn goal(&mut self, locals: &mut Locals) -> Expr {
        if self.options.deadlock && self.numbers.chance(40) {
            let place = self.place_of_some();
            return if self.numbers.chance(50) {
                Expr::Deadlock
            } else {
                Expr::Deadlock.and(place)
            };
        }
        let planted = if self.options.buffers { 60 } else { 40 };
        if self.numbers.chance(planted) {
            return self.planted();
        }
        let first = self.conjunction(locals);
        if self.numbers.chance(15) {
            let second = self.conjunction(locals);
            return Expr::binary(BinaryOp::Or, first, second);
        }
        first
    }

    /// Where a random walk leads: a goal that can be reached, and not always soon.
    fn planted(&mut self) -> Expr {
        // Of several walks the one that went furthest along the chains of locations.
        let walks: Vec<State> = (0..4).filter_map(|_| self.walk()).collect();
        let far = |state: &&State| state.locations.iter().map(|location| location.0).sum::<u32>();
        let Some(state) = walks.iter().max_by_key(far) else { return self.place_of_some() };
        let mut goal = Expr::TRUE;
        for (process, &location) in state.locations.iter().enumerate() {
            // The walk was not watched.
            if !self.network.processes[ProcessId::new(process)].observes && self.numbers.chance(90)
            {
                goal = goal.and(Expr::At(ProcessId::new(process), location));
            }
        }
        for variable in self.integers.clone() {
            if self.numbers.chance(50) {
                let value = state.value(variable, 0);
                goal = goal.and(binary(BinaryOp::Eq, Expr::variable(variable), value));
            }
        }
        for id in self.carriers.clone() {
            if self.numbers.chance(50) {
                let length = state.buffer(id, 0).len() as i32;
                goal = goal.and(binary(BinaryOp::Eq, self.length(id), length));
            }
        }
        if goal.is_true() { self.place_of_some() } else { goal }
    }

    fn walk(&mut self) -> Option<State> {
        let simulator = Simulator::new(&self.network, 1).ok()?;
        let mut state = simulator.initial().ok()?;
        for _ in 0..self.numbers.between(6, 20) {
            for _ in 0..self.numbers.between(0, LARGEST) {
                state = simulator.delay(&state, 1).unwrap_or(state);
            }
            if let Some(moves) = self.numbers.pick(&simulator.possible_steps(&state)) {
                state = simulator.take(&state, moves).map_or(state, |(after, _)| after);
            }
        }
        Some(state)
    }

    fn conjunction(&mut self, locals: &mut Locals) -> Expr {
        let mut goal = Expr::TRUE;
        // Often every process has to get somewhere, which takes more steps than one alone.
        let percent = if self.numbers.chance(40) { 75 } else { 25 };
        for process in 0..self.network.processes.len() {
            if self.numbers.chance(percent) {
                goal = goal.and(self.place(ProcessId::new(process)));
            }
        }
        if self.numbers.chance(40) {
            goal = goal.and(self.data_goal(locals));
        }
        // Alone it would often hold at the start.
        if self.options.buffers && !goal.is_true() && self.numbers.chance(20) {
            goal = goal.and(self.question(&[], locals));
        }
        if self.numbers.chance(30) {
            let atom = self.constraint();
            goal = goal.and(atom.map_or(Expr::TRUE, |atom| Expr::Clock(Box::new(atom))));
        }
        if goal.is_true() { self.place_of_some() } else { goal }
    }

    fn data_goal(&mut self, locals: &mut Locals) -> Expr {
        if let Some(array) = self.array
            && self.numbers.chance(30)
        {
            return self.quantified(array, locals);
        }
        self.data_condition(&[])
    }

    pub(super) fn place_of_some(&mut self) -> Expr {
        let process = self.numbers.below(self.network.processes.len());
        self.place(ProcessId::new(process))
    }

    /// A process at one of its later locations, mostly.
    fn place(&mut self, process: ProcessId) -> Expr {
        let count = self.network.processes[process].locations.len();
        let location = match self.numbers.chance(60) {
            true => count - 1,
            false => 1 + self.numbers.below(count - 1),
        };
        Expr::At(process, LocationId::new(location))
    }
}
