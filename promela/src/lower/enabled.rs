//! `enabled(p)`: whether process p could move by itself, as functions of the network.
//!
//! A function for each slot says whether its process can move: by an `else` always, and whatever
//! `provided` says, as in Spin. Who asks about a number that is not known before goes through a
//! function of its own, which looks for the slot. A process that waits for `enabled` asks on
//! behalf of whoever asks about it; that must come to an end.

use super::emit::{Emit, any, not};
use super::executable::is_else;
use super::failures::Failure;
use super::flow::El;
use super::others::{equal, function, give, scalar, statement};
use super::plan::{Plan, Slot};
use network::{Arena, ChannelKind, Expr, Function, FunctionId, Id, Local, LocalId};
use network::{StatementKind, UnaryOp};

/// More states than this are not looked at.
const MOST_STATES: usize = 100_000;

/// The functions that answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Enabled {
    /// For each node below, if it is there.
    ids: Vec<Option<FunctionId>>,
    /// Whether some process waits for `timeout`, which must be told to every function.
    timeout: bool,
}

/// What a function is about: its position among `Enabled::ids`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    /// Whether the process of a slot can move.
    Slot(usize),
    /// Whether the process with a number can, asked by that of a slot.
    Asker(usize),
    /// The same, asked from outside: by a claim or query.
    Outside,
}

impl Node {
    fn position(self, slots: usize) -> usize {
        match self {
            Node::Slot(slot) => slot,
            Node::Asker(slot) => slots + slot,
            Node::Outside => 2 * slots,
        }
    }

    fn at(position: usize, slots: usize) -> Node {
        match position {
            it if it < slots => Node::Slot(it),
            it if it < 2 * slots => Node::Asker(it - slots),
            _ => Node::Outside,
        }
    }
}

/// Why `enabled` cannot be lowered: what to say, and the proctype in which it stands.
pub(super) struct Refused(pub String, pub Option<usize>);

impl Plan<'_> {
    /// Makes the functions, after all others, which they may call.
    pub fn make_enabled(&mut self) -> Result<(), Refused> {
        self.check_enabled()?;
        let before = self.network.functions.len();
        let count = 2 * self.slots.len() + 1;
        // The order is known only when it is known who asks whom.
        self.enabled.ids = (0..count).map(|it| Some(FunctionId::new(before + it))).collect();
        let (calls, done) = (self.look(), vec![None; count]);
        let mut order = Order { plan: self, before, calls, done, list: vec![] };
        let timeout = order.timeout();
        (0..count).try_for_each(|node| order.visit(node))?;
        let list = order.list;
        self.enabled = Enabled { ids: vec![None; count], timeout };
        for (position, &node) in list.iter().enumerate() {
            self.enabled.ids[node] = Some(FunctionId::new(before + position));
        }
        for node in list {
            let answer = self.answer(Node::at(node, self.slots.len()));
            self.network.functions.push(answer);
        }
        Ok(())
    }

    fn check_enabled(&self) -> Result<(), Refused> {
        let is_rendezvous =
            |it: &network::Channel| matches!(it.kind, ChannelKind::Buffered { capacity: 0, .. });
        let asks = self.proctypes.iter().position(|it| it.asks_enabled.is_some());
        if self.network.channels.iter().any(is_rendezvous) {
            let message = "`enabled` in a model with rendezvous channels, which Spin refuses too";
            return Err(Refused(message.to_string(), asks));
        }
        let states = self.slots.iter().map(|it| self.automata[it.proctype].states.len());
        if states.sum::<usize>() > MOST_STATES {
            let message = format!("`enabled` in a model with more than {MOST_STATES} states");
            return Err(Refused(message, asks));
        }
        Ok(())
    }

    /// For each slot, when its process can move.
    fn look(&self) -> Vec<Vec<Expr>> {
        let states = |slot: &Slot| {
            let states = self.automata[slot.proctype].states.iter();
            states.map(|&it| self.can_leave(slot, it)).collect()
        };
        self.slots.iter().map(states).collect()
    }

    fn answer(&self, node: Node) -> Function {
        match node {
            Node::Slot(slot) => can_move(self, &self.slots[slot]),
            Node::Asker(slot) => find(self, Some(&self.slots[slot])),
            Node::Outside => find(self, None),
        }
    }

    /// Whether the process of a slot can move in a state.
    fn can_leave(&self, slot: &Slot, state: El) -> Expr {
        let emit = Emit::new(self, Some(slot));
        let flow = &self.proctypes[slot.proctype].flow;
        let transitions = &self.automata[slot.proctype].transitions[state];
        let elements: Vec<_> = transitions.iter().filter_map(|it| it.element).collect();
        if elements.iter().any(|&it| is_else(flow, it)) {
            return Expr::TRUE;
        }
        // There is no rendezvous, so only the end of a process is left to be asked about.
        let possible = |&it: &El| emit.executable(flow, it).unwrap_or_else(|| emit.youngest(slot));
        any(elements.iter().map(possible).collect())
    }
}

/// Finds an order in which every function stands after those that it calls.
struct Order<'a, 'b> {
    plan: &'a Plan<'b>,
    before: usize,
    /// For each slot, when its process can move.
    calls: Vec<Vec<Expr>>,
    /// Whether a node is in the list already; none before it is visited.
    done: Vec<Option<bool>>,
    list: Vec<usize>,
}

impl Order<'_, '_> {
    fn timeout(&self) -> bool {
        let mut found = false;
        for expr in self.calls.iter().flatten() {
            expr.walk(&mut |it| found |= *it == Expr::Timeout);
        }
        found
    }

    /// The functions that another calls.
    fn callees(&self, node: Node) -> Vec<usize> {
        let mut list = vec![];
        match node {
            Node::Slot(slot) => self.calls[slot].iter().for_each(|expr| {
                expr.walk(&mut |it| {
                    if let Expr::Call(function, _) = it {
                        list.extend(function.index().checked_sub(self.before));
                    }
                });
            }),
            Node::Asker(own) => list.extend((0..self.plan.slots.len()).filter(|&it| it != own)),
            Node::Outside => list.extend(0..self.plan.slots.len()),
        }
        list
    }

    fn visit(&mut self, position: usize) -> Result<(), Refused> {
        let slots = self.plan.slots.len();
        let node = Node::at(position, slots);
        match (self.done[position], node) {
            (Some(true), _) => return Ok(()),
            (Some(false), Node::Slot(slot) | Node::Asker(slot)) => {
                let proctype = self.plan.slots[slot].proctype;
                let message = "`enabled` about a process that may itself wait for `enabled` about \
                               this one";
                return Err(Refused(message.to_string(), Some(proctype)));
            }
            _ => {}
        }
        if let Node::Asker(slot) = node
            && self.plan.proctypes[self.plan.slots[slot].proctype].asks_enabled.is_none()
        {
            return Ok(());
        }
        self.done[position] = Some(false);
        self.callees(node).into_iter().try_for_each(|it| self.visit(it))?;
        self.done[position] = Some(true);
        self.list.push(position);
        Ok(())
    }
}

// ---- functions ----

/// The local that says whether nothing else is possible, if anybody wants to know.
fn timeout(plan: &Plan, locals: &mut Arena<LocalId, Local>) -> Option<LocalId> {
    plan.enabled.timeout.then(|| locals.push(scalar("timeout")))
}

fn can_move(plan: &Plan, slot: &Slot) -> Function {
    let mut locals = Arena::new();
    let timeout = timeout(plan, &mut locals);
    let absent = StatementKind::If(plan.is_absent(slot), give(Expr::Const(0)), vec![]);
    let mut body = vec![statement(absent)];
    for &state in &plan.automata[slot.proctype].states {
        let possible = plan.can_leave(slot, state);
        let location = plan.location(slot.proctype, state);
        let Some(location) = location.filter(|_| !possible.is_true()) else { continue };
        let possible = match timeout {
            Some(timeout) => with_timeout(possible, &Expr::local(timeout)),
            None => possible,
        };
        let at = Expr::At(slot.process, location);
        body.push(statement(StatementKind::If(at, give(truth(possible)), vec![])));
    }
    body.extend(give(Expr::TRUE));
    let name = format!("enabled {}", slot.name);
    function(name, timeout.into_iter().collect(), locals, body)
}

/// 0 or 1.
fn truth(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i32::from(value != 0)),
        other => Expr::unary(UnaryOp::Not, Expr::unary(UnaryOp::Not, other)),
    }
}

/// The same expression with `timeout` given from outside.
fn with_timeout(expr: Expr, timeout: &Expr) -> Expr {
    let sub = |it: Box<Expr>| Box::new(with_timeout(*it, timeout));
    match expr {
        Expr::Timeout => timeout.clone(),
        Expr::Unary(op, operand) => Expr::Unary(op, sub(operand)),
        Expr::Binary(op, left, right) => Expr::Binary(op, sub(left), sub(right)),
        Expr::Conditional(condition, yes, no) => {
            Expr::Conditional(sub(condition), sub(yes), sub(no))
        }
        Expr::Call(function, arguments) => {
            let arguments = arguments.into_iter().map(|it| with_timeout(it, timeout));
            Expr::Call(function, arguments.collect())
        }
        other => other,
    }
}

fn find(plan: &Plan, asker: Option<&Slot>) -> Function {
    let mut locals = Arena::new();
    let process = locals.push(scalar("p"));
    let timeout = timeout(plan, &mut locals);
    let emit = Emit::new(plan, None);
    let mut body = vec![];
    if let Some(asker) = asker {
        let own = equal(emit.pid(asker), Expr::local(process));
        let place = plan.proctypes[asker.proctype].asks_enabled.unwrap_or_default();
        let fail = emit.statement(Failure::OwnProcess.statement(), place);
        body.push(statement(StatementKind::If(own, vec![fail], vec![])));
    }
    let others =
        plan.slots.iter().filter(|it| asker.is_none_or(|asker| asker.process != it.process));
    for slot in others {
        let meant = equal(emit.pid(slot), Expr::local(process)).and(not(plan.is_absent(slot)));
        let arguments = timeout.into_iter().map(Expr::local).collect();
        let answer = plan.call_enabled(Node::Slot(slot.process.index()), arguments);
        body.push(statement(StatementKind::If(meant, give(answer), vec![])));
    }
    body.extend(give(Expr::Const(0)));
    let by = asker.map_or("outside".to_string(), |it| it.name.clone());
    let parameters = [process].into_iter().chain(timeout).collect();
    function(format!("enabled, asked by {by}"), parameters, locals, body)
}

// ---- calls ----

impl Plan<'_> {
    fn call_enabled(&self, node: Node, arguments: Vec<Expr>) -> Expr {
        let position = node.position(self.slots.len());
        match self.enabled.ids.get(position).copied().flatten() {
            Some(function) => Expr::Call(function, arguments),
            None => Expr::Const(0),
        }
    }

    /// The slot of a process whose number never changes; none if several come into question.
    fn slot_of(&self, process: &Expr) -> Option<&Slot> {
        let Expr::Const(number) = process else { return None };
        let fixed = self.process_count.is_none();
        self.slots.iter().find(|it| fixed && it.started.map(|it| it as i32) == Some(*number))
    }
}

impl Emit<'_> {
    /// Whether the process with a number can move.
    pub fn enabled(&self, process: Expr) -> Expr {
        let timeout = match (self.slot, self.timeout) {
            (Some(_), None) => Expr::Timeout,
            (_, known) => Expr::Const(known.unwrap_or(false).into()),
        };
        let timeout = self.plan.enabled.timeout.then_some(timeout);
        let asker = self.slot.filter(|it| !self.plan.is_observer(it));
        if let Some(slot) = self.plan.slot_of(&process)
            && asker.is_none_or(|asker| asker.process != slot.process)
        {
            let node = Node::Slot(slot.process.index());
            return self.plan.call_enabled(node, timeout.into_iter().collect());
        }
        let node = asker.map_or(Node::Outside, |it| Node::Asker(it.process.index()));
        self.plan.call_enabled(node, [process].into_iter().chain(timeout).collect())
    }
}
