//! What an expression can say about other processes: remote references, `pc_value`, `np_`.
//!
//! Which process a number means is known only at run time, so most of it is a function of the
//! network that looks through the slots.

use super::declare::ShapeKind;
use super::emit::{Emit, any, not};
use super::failures::Failure;
use super::flow::El;
use super::plan::{Plan, Slot};
use super::resolved::{Remote, Target};
use super::resolver::Uses;
use crate::ast;
use network::{
    Arena, BinaryOp, Expr, Function, FunctionId, Id, Local, LocalId, Place, Span, Statement,
    StatementKind, Type,
};
use rustc_hash::FxHashMap;

/// The functions of the network that expressions call.
#[derive(Clone, Debug, Default)]
pub(super) struct Functions {
    pc_value: Option<FunctionId>,
    /// For each proctype whose processes `run` starts: the number of the oldest one, or -1.
    oldest: Vec<Option<FunctionId>>,
    /// For each place where a channel is asked for a message: one that fails there.
    polled: FxHashMap<ast::Span, FunctionId>,
}

impl Plan<'_> {
    /// Makes the functions that the model needs.
    pub fn make_functions(&mut self, uses: Uses, polls: &[ast::Span]) {
        let mut list = vec![];
        if uses.pc_value {
            self.functions.pc_value = Some(FunctionId::new(list.len()));
            list.push(pc_value(self));
        }
        for proctype in 0..self.proctypes.len() {
            let id = (uses.oldest && self.may_restart(proctype)).then(|| {
                list.push(oldest(self, proctype));
                FunctionId::new(list.len() - 1)
            });
            self.functions.oldest.push(id);
        }
        for &place in polls.iter().filter(|_| self.shapes.iter().any(|it| !it.has_buffer)) {
            self.functions.polled.insert(place, FunctionId::new(list.len()));
            list.push(polled(self, place));
        }
        self.network.functions = list.into_iter().collect();
    }

    /// Whether another process than the first of its kind can be the oldest one.
    fn may_restart(&self, proctype: usize) -> bool {
        self.slots_of(proctype).filter(|it| it.pid.is_some()).count() > 1
    }

    /// The number that Spin gives a state.
    pub fn state_number(&self, state: El) -> i32 {
        state as i32 + 1
    }
}

pub(super) fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NONE }
}

pub(super) fn give(value: Expr) -> Vec<Statement> {
    vec![statement(StatementKind::Return(Some(value)))]
}

pub(super) fn scalar(name: &str) -> Local {
    Local { name: name.to_string(), ty: Type::ANY, sizes: vec![] }
}

pub(super) fn equal(left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (Expr::Const(left), Expr::Const(right)) => Expr::Const(i32::from(left == right)),
        _ => Expr::binary(BinaryOp::Eq, left, right),
    }
}

/// `pc_value(p)`: the number of the state in which process p is, 0 if there is none.
fn pc_value(plan: &Plan) -> Function {
    let mut locals = Arena::new();
    let process = locals.push(scalar("p"));
    let emit = Emit::new(plan, None);
    let mut body = vec![];
    for slot in &plan.slots {
        let automaton = &plan.automata[slot.proctype];
        let mut states = vec![];
        for &state in &automaton.states {
            let Some(location) = plan.location(slot.proctype, state) else { continue };
            let number = give(Expr::Const(plan.state_number(state)));
            let kind = StatementKind::If(Expr::At(slot.process, location), number, vec![]);
            states.push(statement(kind));
        }
        let meant = equal(emit.pid(slot), Expr::local(process));
        body.push(statement(StatementKind::If(meant, states, vec![])));
    }
    body.extend(give(Expr::Const(0)));
    function("pc_value".to_string(), vec![process], locals, body)
}

/// The number of the oldest process of a proctype, -1 if there is none.
fn oldest(plan: &Plan, proctype: usize) -> Function {
    let mut locals = Arena::new();
    let found = locals.push(scalar("found"));
    let emit = Emit::new(plan, None);
    let assign = |value: Expr| vec![statement(StatementKind::Assign(Place::local(found), value))];
    let mut body = assign(Expr::Const(-1));
    for slot in plan.slots_of(proctype) {
        let none = Expr::binary(BinaryOp::Lt, Expr::local(found), Expr::Const(0));
        let older = Expr::binary(BinaryOp::Lt, emit.pid(slot), Expr::local(found));
        let better = not(plan.is_absent(slot)).and(any(vec![none, older]));
        body.push(statement(StatementKind::If(better, assign(emit.pid(slot)), vec![])));
    }
    body.extend(give(Expr::local(found)));
    let name = format!("oldest {}", plan.proctypes[proctype].name);
    function(name, vec![], locals, body)
}

fn polled(plan: &Plan, place: ast::Span) -> Function {
    let fail = Failure::PolledRendezvous.statement();
    let body = vec![Statement { kind: fail, span: plan.span(place) }];
    let body = [body, give(Expr::Const(0))].concat();
    function("poll of a rendezvous channel".to_string(), vec![], Arena::new(), body)
}

pub(super) fn function(
    name: String,
    parameters: Vec<LocalId>,
    locals: Arena<LocalId, Local>,
    body: Vec<Statement>,
) -> Function {
    Function { name, parameters, locals, result: Some(Type::ANY), body, span: Span::NONE }
}

impl Emit<'_> {
    /// A value whose evaluation is the error that a channel without a buffer is asked for a message.
    pub fn polled(&self, place: ast::Span) -> Option<Expr> {
        let function = self.plan.functions.polled.get(&place)?;
        Some(Expr::Call(*function, vec![]))
    }

    pub fn pc_value(&self, process: Expr) -> Expr {
        match self.plan.functions.pc_value {
            Some(function) => Expr::Call(function, vec![process]),
            None => Expr::Const(0),
        }
    }

    /// Whether no process is in a state that is marked as progress.
    pub fn non_progress(&self) -> Expr {
        let mut list = vec![];
        for slot in &self.plan.slots {
            let automaton = &self.plan.automata[slot.proctype];
            for &state in automaton.states.iter().filter(|&&it| automaton.progress[it]) {
                let location = self.plan.location(slot.proctype, state);
                list.extend(location.map(|it| Expr::At(slot.process, it)));
            }
        }
        not(any(list))
    }

    /// The number of the process that a remote reference means; without one it is the oldest
    /// process of the proctype.
    fn meant(&self, remote: &Remote) -> Expr {
        if let Some(process) = &remote.process {
            return self.value(process);
        }
        let oldest = self.plan.functions.oldest.get(remote.proctype).copied().flatten();
        match (oldest, self.plan.slots_of(remote.proctype).next()) {
            (Some(function), _) => Expr::Call(function, vec![]),
            // Processes go in the opposite order of their coming, so the first is the oldest.
            (None, Some(slot)) => self.pid(slot),
            (None, None) => Expr::Const(-1),
        }
    }

    /// Whether a process is at a label. Spin compares the numbers of the states alone, so a
    /// process of another proctype may seem to be there.
    pub fn at(&self, remote: &Remote) -> Expr {
        let flow = &self.plan.proctypes[remote.proctype].flow;
        let Some(state) = flow.labels.last(&remote.label) else { return Expr::Const(0) };
        let process = self.meant(remote);
        let mut list = vec![];
        for slot in &self.plan.slots {
            let own = slot.proctype == remote.proctype;
            if let Some(location) = self.plan.location(slot.proctype, state)
                && (own || remote.process.is_some())
            {
                let meant = equal(self.pid(slot), process.clone());
                list.push(both(meant, Expr::At(slot.process, location)));
            }
        }
        any(list)
    }

    /// A local of another process, 0 if that is no process of the proctype.
    pub fn remote_read(&self, remote: &Remote, target: &Target) -> Expr {
        let process = self.meant(remote);
        match remote.label.as_str() {
            "_p" => return self.pc_value(process),
            "_pid" => return self.pid_of(process),
            "_priority" => return self.priority_of(process),
            _ => {}
        }
        let mut value = Expr::Const(0);
        let slots: Vec<_> = self.plan.slots_of(remote.proctype).collect();
        for slot in slots.into_iter().rev() {
            let meant = equal(self.pid(slot), process.clone());
            let alive = both(meant, not(self.plan.is_absent(slot)));
            if alive != Expr::Const(0) {
                let read = self.local_of(slot, remote, target);
                value = Expr::Conditional(Box::new(alive), Box::new(read), Box::new(value));
            }
        }
        value
    }

    fn local_of(&self, slot: &Slot, remote: &Remote, target: &Target) -> Expr {
        let known = self.plan.proctypes[remote.proctype].names.get(&remote.label);
        let Some(ShapeKind::Leaf(base)) = known.map(|it| &it.kind) else {
            return Expr::Const(0);
        };
        let place = Emit::new(self.plan, Some(slot)).place_of(*base);
        match (place.variable, place.channel) {
            (Some(variable), _) => Expr::Read(self.indexed(variable, target)),
            (None, Some(channel)) => Expr::Const(self.plan.numbers[channel.index()]),
            (None, None) => Expr::Const(0),
        }
    }

    /// The number of a process as it is kept in the process: 0 if there is no such process.
    fn pid_of(&self, process: Expr) -> Expr {
        let there = |slot: &Slot| {
            both(equal(self.pid(slot), process.clone()), not(self.plan.is_absent(slot)))
        };
        let list = self.plan.slots.iter().map(there).collect();
        Expr::Conditional(Box::new(any(list)), Box::new(process.clone()), Box::new(Expr::Const(0)))
    }
}

fn both(left: Expr, right: Expr) -> Expr {
    match left {
        Expr::Const(0) => left,
        _ => left.and(right),
    }
}
