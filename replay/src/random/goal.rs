//! The property of a random network.

use network::{Arena, BinaryOp, Claim, Expr, Id, LocationId, ProcessId, Property, Span, UnaryOp};

use super::Builder;
use super::edges::Locals;

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
        Property { text: text.to_string(), claim, locals, span: Span::NONE }
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
        let first = self.conjunction(locals);
        if self.numbers.chance(15) {
            let second = self.conjunction(locals);
            return Expr::binary(BinaryOp::Or, first, second);
        }
        first
    }

    fn conjunction(&mut self, locals: &mut Locals) -> Expr {
        let mut goal = Expr::TRUE;
        // Often every process has to get somewhere, which takes more steps than one alone.
        let percent = if self.numbers.chance(50) { 85 } else { 30 };
        for process in 0..self.network.processes.len() {
            if self.numbers.chance(percent) {
                goal = goal.and(self.place(ProcessId::new(process)));
            }
        }
        if self.numbers.chance(40) {
            goal = goal.and(self.data_goal(locals));
        }
        if self.numbers.chance(30) {
            let atom = self.constraint();
            goal = goal.and(atom.map_or(Expr::TRUE, |atom| Expr::Clock(Box::new(atom))));
        }
        if goal.is_true() { self.place_of_some() } else { goal }
    }

    fn data_goal(&mut self, locals: &mut Locals) -> Expr {
        if let Some(array) = self.array {
            if self.numbers.chance(30) {
                return self.quantified(array, locals);
            }
        }
        self.data_condition(&[])
    }

    fn place_of_some(&mut self) -> Expr {
        let process = self.numbers.below(self.network.processes.len());
        self.place(ProcessId::new(process))
    }

    /// A process at one of its later locations, mostly.
    fn place(&mut self, process: ProcessId) -> Expr {
        let count = self.network.processes[process].locations.len();
        let location = match self.numbers.chance(60) {
            true => count - 1,
            false => self.numbers.below(count),
        };
        Expr::At(process, LocationId::new(location))
    }
}
