//! What an edge or a block does to the variables of one process, seen from the outside.

use crate::survey::Survey;
use analysis::Touch;
use network::{
    Action, Base, ChannelRef, ClockConstraint, Edge, Expr, Id, Pattern, Place, Statement,
    StatementKind, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The effect of something on the variables of interest, which have small numbers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Flow {
    /// Those whose value before may be read.
    pub uses: BTreeSet<u32>,
    /// Those that get a new value in any case, all elements of them.
    pub kills: BTreeSet<u32>,
    /// What is known about the values of those that were assigned.
    pub after: BTreeMap<u32, Value>,
}

/// What is known about a value that was assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// It is the initial value in any case.
    Initial,
    /// It may be another one.
    Other,
}

/// Follows what happens to the variables of interest.
pub struct Follower<'s, 'a> {
    /// Who touches what.
    pub survey: &'s Survey<'a>,
    /// The numbers of the variables of interest.
    pub numbers: &'s [Option<u32>],
}

impl Follower<'_, '_> {
    /// What an edge does when it fires.
    pub fn edge(&self, edge: &Edge) -> Flow {
        let mut flow = Flow::default();
        let channel = edge.action.channel().map_or(&[][..], ChannelRef::expressions);
        let clocks = edge.guard.clocks.iter().flat_map(ClockConstraint::expressions);
        self.reads(&mut flow, std::iter::once(&edge.guard.data).chain(clocks).chain(channel));
        match &edge.action {
            Action::Internal => {}
            Action::Send(send) => self.reads(&mut flow, &send.message),
            Action::Receive(receive) => self.receive(&mut flow, &receive.message),
        }
        self.follow(&mut flow, &edge.update);
        flow
    }

    /// What statements do, from first to last.
    pub fn statements(&self, statements: &[Statement]) -> Flow {
        let mut flow = Flow::default();
        self.follow(&mut flow, statements);
        flow
    }

    /// The variables that something reads.
    pub fn read(&self, touch: Touch) -> Option<u32> {
        match touch {
            Touch::Read(id, _) => self.number(id),
            _ => None,
        }
    }

    fn number(&self, id: VariableId) -> Option<u32> {
        self.numbers.get(id.index()).copied().flatten()
    }

    fn reads<'e>(&self, flow: &mut Flow, exprs: impl IntoIterator<Item = &'e Expr>) {
        self.survey.touches.exprs(exprs, &mut |touch| flow.read(self.read(touch)));
    }

    fn receive(&self, flow: &mut Flow, message: &[Pattern]) {
        self.reads(flow, message.iter().flat_map(Pattern::expressions));
        for pattern in message {
            if let Pattern::Store(place) = pattern {
                self.write(flow, place, None);
            }
        }
    }

    fn follow(&self, flow: &mut Flow, statements: &[Statement]) {
        for statement in statements {
            self.statement(flow, statement);
        }
    }

    fn statement(&self, flow: &mut Flow, statement: &Statement) {
        self.reads(flow, statement.expressions());
        match &statement.kind {
            StatementKind::Assign(place, value) => self.write(flow, place, Some(value)),
            StatementKind::Call(place, function, _) => {
                for &touch in self.survey.touches.by_function(*function) {
                    self.call(flow, touch);
                }
                place.iter().for_each(|place| self.write(flow, place, None));
            }
            StatementKind::Receive(receive) => self.receive(flow, &receive.message),
            StatementKind::If(_, then, otherwise) => {
                flow.branch(self.statements(then), self.statements(otherwise));
            }
            // The body may not run at all.
            StatementKind::While(_, body) => flow.branch(self.statements(body), Flow::default()),
            _ => {}
        }
    }

    /// A function may or may not do what it can do.
    fn call(&self, flow: &mut Flow, touch: Touch) {
        flow.read(self.read(touch));
        if let Touch::Write(id, _) = touch
            && let Some(number) = self.number(id)
        {
            flow.after.insert(number, Value::Other);
        }
    }

    fn write(&self, flow: &mut Flow, place: &Place, value: Option<&Expr>) {
        let Base::Variable(id) = place.base else { return };
        let Some(number) = self.number(id) else { return };
        let variable = &self.survey.network.variables[id];
        let is_initial = |c: i32| variable.initial.iter().all(|&initial| initial == c);
        let value = match value {
            Some(Expr::Const(c)) if is_initial(*c) => Value::Initial,
            _ => Value::Other,
        };
        if place.indices.is_empty() {
            flow.kills.insert(number);
            flow.after.insert(number, value);
        } else if value == Value::Other {
            flow.after.insert(number, Value::Other);
        }
    }
}

impl Flow {
    fn read(&mut self, number: Option<u32>) {
        self.uses.extend(number.filter(|number| !self.kills.contains(number)));
    }

    /// One of two ways is taken.
    fn branch(&mut self, one: Flow, other: Flow) {
        let uses = one.uses.iter().chain(&other.uses).copied();
        self.uses.extend(uses.filter(|number| !self.kills.contains(number)));
        self.kills.extend(one.kills.intersection(&other.kills));
        for number in one.after.keys().chain(other.after.keys()) {
            match (one.after.get(number), other.after.get(number)) {
                (Some(Value::Other), _) | (_, Some(Value::Other)) => {
                    self.after.insert(*number, Value::Other);
                }
                (Some(Value::Initial), Some(Value::Initial)) => {
                    self.after.insert(*number, Value::Initial);
                }
                // On one way it is as it was, on the other it is initial.
                _ => {}
            }
        }
    }
}
