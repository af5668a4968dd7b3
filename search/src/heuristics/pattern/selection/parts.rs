//! Which parts of a network depend on which.

use crate::problem::Problem;
use abstraction::Part;
use analysis::{Touch, Touches};
use network::{
    Action, ChannelId, Condition, Edge, Expr, Network, ProcessId, Statement, StatementKind,
};
use std::collections::BTreeSet;

/// Knows what edges and goals look at and change.
pub struct Dependencies<'a> {
    pub network: &'a Network,
    touches: Touches<'a>,
}

impl<'a> Dependencies<'a> {
    pub fn of(network: &'a Network) -> Self {
        Dependencies { network, touches: Touches::of(network) }
    }

    /// The parts that the goal of a problem is about.
    pub fn of_goal(&self, problem: &Problem) -> BTreeSet<Part> {
        let property = problem.property();
        let mut parts = BTreeSet::new();
        if let Some(goal) = property.claim.expression() {
            self.touches.expr(goal, &mut |touch| parts.extend(self.parts(touch)));
        }
        parts.extend(property.observer.map(Part::Process));
        if property.counts_errors {
            self.add_assertions(problem, &mut parts);
        }
        parts
    }

    /// What errors depend on that a model raises on purpose.
    fn add_assertions(&self, problem: &Problem, parts: &mut BTreeSet<Part>) {
        for (_, id, edge) in problem.edges().filter(|(_, id, _)| problem.takes_part(*id)) {
            let asserted: Vec<&Expr> = assertions(edge);
            if !asserted.is_empty() {
                parts.insert(Part::Process(id));
                let mut note = |touch| parts.extend(self.parts(touch));
                asserted.iter().for_each(|expr| self.touches.expr(expr, &mut note));
            }
        }
    }

    /// The parts that an edge looks at or changes, its process among them.
    pub fn of_edge(&self, process: ProcessId, edge: &Edge) -> BTreeSet<Part> {
        let mut parts = BTreeSet::from([Part::Process(process)]);
        self.touch_edge(edge, &mut |touch| parts.extend(self.parts(touch)));
        parts
    }

    /// The parts that a statement looks at or changes.
    pub fn of_statement(&self, statement: &Statement) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        let statements = std::slice::from_ref(statement);
        self.touches.statements(statements, &mut |touch| parts.extend(self.parts(touch)));
        parts
    }

    /// The parts that an action looks at or changes.
    pub fn of_action(&self, action: &Action) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        self.touches.action(action, &mut |touch| parts.extend(self.parts(touch)));
        parts
    }

    /// The parts that a condition looks at.
    pub fn of_condition(&self, condition: &Condition) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        self.touches.condition(condition, &mut |touch| parts.extend(self.parts(touch)));
        parts
    }

    /// The parts that an expression looks at.
    pub fn of_expr(&self, expr: &Expr) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        self.touches.expr(expr, &mut |touch| parts.extend(self.parts(touch)));
        parts
    }

    /// The parts that an edge changes.
    pub fn changed_by(&self, process: ProcessId, edge: &Edge) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        if edge.source != edge.target {
            parts.insert(Part::Process(process));
        }
        self.touch_edge(edge, &mut |touch| {
            if let Touch::Write(..) | Touch::Set(..) | Touch::Enter(..) | Touch::Change(..) = touch
            {
                parts.extend(self.parts(touch));
            }
        });
        parts
    }

    fn touch_edge(&self, edge: &Edge, note: &mut dyn FnMut(Touch)) {
        self.touches.condition(&edge.guard, note);
        self.touches.action(&edge.action, note);
        self.touches.statements(&edge.update, note);
    }

    /// The clocks in the invariants of a process.
    pub fn of_invariants(&self, process: ProcessId) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        for location in &self.network.processes[process].locations {
            let note = &mut |touch| parts.extend(self.parts(touch));
            self.touches.condition(&location.invariant, note);
        }
        parts
    }

    /// The channels that an action may be about.
    pub fn channels(&self, action: &Action) -> Vec<ChannelId> {
        action
            .channel()
            .map(|it| self.touches.channels(self.touches.channel(it)))
            .unwrap_or_default()
    }

    /// The parts that something touches.
    fn parts(&self, touch: Touch) -> Vec<Part> {
        match touch {
            Touch::Read(id, _) | Touch::Write(id, _) => vec![Part::Variable(id)],
            Touch::Name(id, _) | Touch::Enter(id, _) => vec![Part::Process(id)],
            Touch::Compare(id, _) | Touch::Set(id, _) => vec![Part::Clock(id)],
            Touch::Look(elements) | Touch::Change(elements) => {
                self.touches.channels(elements).into_iter().map(Part::Channel).collect()
            }
        }
    }

    /// How much a part multiplies states, as a power of two.
    pub fn bits(&self, part: Part) -> f64 {
        let network = self.network;
        match part {
            Part::Process(id) => (network.processes[id].locations.len() as f64).log2(),
            Part::Variable(id) => {
                let variable = &network.variables[id];
                let values = f64::from(variable.ty.high) - f64::from(variable.ty.low) + 1.0;
                values.log2() * variable.len() as f64
            }
            // A clock is like a variable with ten values.
            Part::Clock(id) => 10f64.log2() * network.clocks[id].len() as f64,
            Part::Channel(id) => channel_bits(&network.channels[id]),
        }
    }
}

fn channel_bits(channel: &network::Channel) -> f64 {
    let network::ChannelKind::Buffered { capacity, fields } = &channel.kind else { return 0.0 };
    let field = |ty: &network::Type| (f64::from(ty.high) - f64::from(ty.low) + 1.0).log2();
    let message: f64 = fields.iter().map(field).sum();
    let length = (f64::from(*capacity) + 1.0).log2();
    (message * f64::from(*capacity) + length) * channel.len() as f64
}

/// What an edge asserts.
fn assertions(edge: &Edge) -> Vec<&Expr> {
    let mut found = Vec::new();
    let mut waiting: Vec<&network::Statement> = edge.update.iter().collect();
    while let Some(statement) = waiting.pop() {
        if let StatementKind::Assert(condition) = &statement.kind {
            found.push(condition);
        }
        waiting.extend(statement.children());
    }
    found
}
