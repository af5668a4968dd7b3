//! What is changed in finished processes: control, preferences, timeouts, starts and ends.

use network::{
    Arena, Condition, Expr, Failure, FailureId, Id, Location, LocationId, LocationKind, ProcessId,
    Span, Statement, StatementKind, UnaryOp,
};

use super::Builder;
use super::edges::statement;

/// Two errors to be told apart.
pub(super) fn failures() -> Arena<FailureId, Failure> {
    let failure = |name: &str| Failure { name: name.to_string(), message: name.to_string() };
    ["even", "odd"].map(failure).into_iter().collect()
}

impl Builder {
    pub(super) fn change_processes(&mut self) {
        let processes: Vec<ProcessId> = self.network.processes.ids().collect();
        let ending = match self.options.processes {
            true => processes.iter().filter_map(|&process| self.ending(process)).collect(),
            false => Vec::new(),
        };
        for process in processes {
            self.change_edges(process, &ending);
        }
    }

    /// Gives a process a location without edges, where it is idle; sometimes it starts there.
    fn ending(&mut self, process: ProcessId) -> Option<(ProcessId, LocationId)> {
        if !self.numbers.chance(60) {
            return None;
        }
        let changed = &mut self.network.processes[process];
        let idle = changed.locations.push(Location {
            name: "idle".to_string(),
            kind: LocationKind::Normal,
            invariant: Condition::always(),
            rates: Vec::new(),
            locals: Arena::new(),
            span: Span::NONE,
        });
        if process.index() > 0 && self.numbers.chance(25) {
            changed.initial = idle;
        }
        Some((process, idle))
    }

    fn change_edges(&mut self, process: ProcessId, ending: &[(ProcessId, LocationId)]) {
        for id in self.network.processes[process].edges.ids() {
            let keeps_control = self.options.control && self.numbers.chance(35);
            let preference = self.preference();
            let timeout = self.timeout();
            let entered = if ending.is_empty() { None } else { self.entering(ending) };
            let idle = ending.iter().find(|(other, _)| *other == process).map(|(_, idle)| *idle);
            let ends = idle.filter(|_| self.numbers.chance(6));
            let edge = &mut self.network.processes[process].edges[id];
            edge.keeps_control = keeps_control;
            edge.preference = preference;
            edge.target = ends.unwrap_or(edge.target);
            edge.update.extend(entered);
            if let Some(timeout) = timeout {
                edge.guard.data = timeout.and(edge.guard.data.clone());
            }
        }
    }

    /// Below the others, as an `else`; above them, as an escape.
    fn preference(&mut self) -> i32 {
        if !self.options.preferences {
            return 0;
        }
        match self.numbers.between(0, 9) {
            0 | 1 => -1,
            2 => 1,
            _ => 0,
        }
    }

    fn timeout(&mut self) -> Option<Expr> {
        if !self.options.timeouts || !self.numbers.chance(12) {
            return None;
        }
        let negated = self.numbers.chance(15);
        Some(if negated { Expr::unary(UnaryOp::Not, Expr::Timeout) } else { Expr::Timeout })
    }

    /// A statement that is an error whenever it is reached.
    fn mistake(&mut self) -> StatementKind {
        match self.numbers.below(8) {
            0 => StatementKind::NoRoom,
            number => StatementKind::Fail(FailureId(number as u32 % 2)),
        }
    }

    /// A statement that starts a process that is idle or ends one, sometimes.
    fn entering(&mut self, ending: &[(ProcessId, LocationId)]) -> Option<Statement> {
        if !self.numbers.chance(25) {
            return None;
        }
        let &(process, idle) = self.numbers.pick(ending)?;
        let start = statement(StatementKind::Enter(process, LocationId(0)));
        if self.numbers.chance(25) {
            return Some(statement(StatementKind::Enter(process, idle)));
        }
        let otherwise = match self.options.out_of_range && self.numbers.chance(20) {
            true => vec![statement(self.mistake())],
            false => Vec::new(),
        };
        Some(statement(StatementKind::If(Expr::At(process, idle), vec![start], otherwise)))
    }
}
