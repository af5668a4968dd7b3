//! A process that watches the others of a random network.

use network::{
    Action, Arena, Condition, Edge, EdgeId, Expr, Location, LocationId, LocationKind, Priority,
    Process, ProcessId, Span, Statement, StatementKind,
};

use super::Builder;

/// It has this many locations.
const LOCATIONS: i32 = 3;

impl Builder {
    /// Adds an observer to some networks.
    pub(super) fn observer(&mut self) -> Option<ProcessId> {
        if !self.options.observers || self.numbers.chance(40) {
            return None;
        }
        let location = |number: i32| Location {
            name: format!("o{number}"),
            kind: LocationKind::Normal,
            invariant: Condition::always(),
            rates: Vec::new(),
            locals: Arena::new(),
            span: Span::NONE,
        };
        let edges = self.looks();
        Some(self.network.processes.push(Process {
            name: "O".to_string(),
            template: "O".to_string(),
            arguments: Vec::new(),
            locations: (0..LOCATIONS).map(location).collect(),
            edges,
            initial: LocationId(0),
            priority: Priority::Fixed(0),
            observes: true,
            span: Span::NONE,
        }))
    }

    /// Mostly an observer lets everything pass in each location, and goes on sooner or later.
    fn looks(&mut self) -> Arena<EdgeId, Edge> {
        let mut edges = Arena::new();
        for location in 0..LOCATIONS {
            if self.numbers.chance(80) {
                edges.push(self.look(location, location, Expr::TRUE));
            }
            for _ in 0..self.numbers.between(1, 2) {
                let target = self.numbers.between(0, LOCATIONS - 1);
                let guard = self.sight();
                edges.push(self.look(location, target, guard));
            }
        }
        edges
    }

    fn sight(&mut self) -> Expr {
        if self.options.timeouts && self.numbers.chance(15) {
            return Expr::Timeout;
        }
        if self.numbers.chance(40) { self.place_of_some() } else { self.data_condition(&[]) }
    }

    fn look(&mut self, source: i32, target: i32, data: Expr) -> Edge {
        let mut update = Vec::new();
        if self.options.out_of_range && self.numbers.chance(10) {
            let kind = StatementKind::Assert(self.data_condition(&[]));
            update.push(Statement { kind, span: Span::NONE });
        }
        let preferred = self.options.preferences && self.numbers.chance(20);
        Edge {
            source: LocationId(source as u32),
            target: LocationId(target as u32),
            selects: Vec::new(),
            guard: Condition { data, ..Condition::always() },
            action: Action::Internal,
            update,
            keeps_control: false,
            preference: if preferred { self.numbers.between(-1, 1) } else { 0 },
            locals: Arena::new(),
            span: Span::NONE,
        }
    }
}
