//! Priorities: a process moves only where none with a higher priority can.
//!
//! The priority of a process is a number where it never changes, else a local of its proctype that
//! is called `_priority`. Spin calls no process by its number that does not run: `get_priority` is
//! 0 for it, `set_priority` does nothing.

use super::declare::byte;
use super::emit::{Emit, not};
use super::plan::{Plan, Slot};
use super::resolved::{Base, Basic, Leaf, Start, Target, Value};
use super::resolver::{Proctype, Resolver};
use super::runs::Work;
use crate::ast::{Active, Expr as Written, Reference, Span};
use network::{
    Arena, BinaryOp, Expr, Function, FunctionId, Local, LocalId, Place, Priority, Statement,
    StatementKind, Type, VariableId,
};
use source::Diagnostic;

/// The priority of a process where nothing is said.
const DEFAULT: i32 = 1;
/// The priorities that may be given.
const GIVEN: std::ops::RangeInclusive<i32> = 1..=255;

/// The priorities that the processes of a proctype can have.
#[derive(Clone, Debug, Default)]
pub(super) struct Priorities {
    /// That of those that run from the start.
    active: Option<i32>,
    /// Those that `run` gives.
    runs: Vec<i32>,
    /// The local that holds it.
    local: Option<usize>,
}

impl Priorities {
    fn at_start(&self) -> i32 {
        self.active.unwrap_or(DEFAULT)
    }

    /// What the priority is if it never changes.
    fn fixed(&self, active: u32) -> i32 {
        match self.runs.first() {
            Some(&first) if active == 0 => first,
            _ => self.at_start(),
        }
    }

    fn differ(&self, active: u32) -> bool {
        let fixed = self.fixed(active);
        self.runs.iter().any(|&it| it != fixed)
    }
}

/// What the model as a whole says about priorities.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentions {
    /// The first place where they are mentioned.
    first: Option<Span>,
    /// The numbers of processes that `set_priority` names, none where only a run can tell.
    set: Vec<Option<i32>>,
}

// ---- names ----

impl Resolver<'_> {
    pub(super) fn use_priorities(&mut self, span: Span) {
        self.priorities.first.get_or_insert(span);
    }

    /// A priority after `priority`.
    fn given(&mut self, written: &Written) -> Option<i32> {
        self.use_priorities(written.span);
        match self.value(written) {
            Value::Const(value) if GIVEN.contains(&value) => Some(value),
            Value::Const(value) => {
                self.error(
                    format!("{value} is not a priority: priorities are 1 to 255"),
                    written.span,
                );
                None
            }
            _ => {
                self.error("a priority is a number or a symbolic constant", written.span);
                None
            }
        }
    }

    /// The priority that a proctype or `init` declares.
    pub(super) fn declared_priority(
        &mut self,
        proctype: usize,
        written: Option<&Written>,
        active: &Active,
    ) {
        let Some(written) = written else { return };
        self.proctypes[proctype].priorities.active = self.given(written);
        if matches!(active, Active::No) {
            let message = "this priority has no effect: the proctype is not `active`";
            let hint = "what `run` starts has the priority given there, else 1";
            self.diagnostics.push(Diagnostic::warning(message, written.span).hint(hint));
        }
    }

    /// The priority of what a `run` starts.
    pub(super) fn run_priority(&mut self, proctype: usize, written: Option<&Written>) -> i32 {
        let priority = match written {
            Some(written) if matches!(self.value(written), Value::Const(0)) => {
                let message = "the priority 0 is taken as 1, as Spin does";
                self.diagnostics.push(Diagnostic::warning(message, written.span));
                self.use_priorities(written.span);
                DEFAULT
            }
            written => written.and_then(|it| self.given(it)).unwrap_or(DEFAULT),
        };
        let runs = &mut self.proctypes[proctype].priorities.runs;
        if !runs.contains(&priority) {
            runs.push(priority);
        }
        priority
    }

    /// `_priority`; in a claim it is that of the claim itself.
    pub(super) fn own_priority(&mut self, span: Span) -> Option<Value> {
        self.use_priorities(span);
        match (self.current, self.outside) {
            (Some(_), false) => Some(Value::Priority),
            (Some(_), true) => Some(Value::Const(DEFAULT)),
            (None, _) => {
                self.error("`_priority` has no meaning outside a process", span);
                None
            }
        }
    }

    /// `_priority` where it is assigned: beyond a byte it is cut, unlike in `set_priority`.
    pub(super) fn priority_target(&mut self, reference: &Reference) -> Option<Target> {
        self.use_priorities(reference.span);
        let current = self.current.filter(|_| !self.outside);
        let plain = reference.parts.len() == 1 && reference.parts[0].index.is_none();
        match current {
            Some(current) if plain => {
                let local = self.priority_local(current, reference.span);
                Some(Target { base: Base::Local(local), indices: vec![] })
            }
            _ => {
                self.error("`_priority` cannot be assigned like this", reference.span);
                None
            }
        }
    }

    fn priority_local(&mut self, proctype: usize, span: Span) -> usize {
        let Proctype { priorities, locals, .. } = &mut self.proctypes[proctype];
        *priorities.local.get_or_insert_with(|| {
            locals.push(Leaf {
                name: "_priority".to_string(),
                ty: byte(),
                sizes: vec![],
                is_channel: false,
                hidden: false,
                start: Start::Zero,
                assigned: true,
                span,
            });
            locals.len() - 1
        })
    }

    pub(super) fn priority_of(&mut self, process: &Written, span: Span) -> Value {
        self.use_priorities(span);
        Value::PriorityOf(Box::new(self.value(process)))
    }

    pub(super) fn set_priority(
        &mut self,
        process: &Written,
        priority: &Written,
        span: Span,
    ) -> Option<Basic> {
        self.use_priorities(span);
        let (process, priority) = (self.value(process), self.value(priority));
        match (&process, self.current.filter(|_| !self.outside)) {
            (_, None) => {
                self.error("a claim cannot change priorities", span);
                return None;
            }
            (Value::Pid, Some(current)) => drop(self.priority_local(current, span)),
            (Value::Const(number), _) => self.priorities.set.push(Some(*number)),
            _ => self.priorities.set.push(None),
        }
        Some(Basic::SetPriority(process, priority))
    }

    // ---- what changes ----

    /// Makes the locals for priorities that change, when the whole model is known.
    pub(super) fn settle_priorities(&mut self) {
        let Some(first) = self.priorities.first else { return };
        self.refuse_rendezvous(first);
        for proctype in 0..self.proctypes.len() {
            let it = &self.proctypes[proctype];
            if it.priorities.differ(it.active) || self.sets_priority_of(proctype) {
                self.priority_local(proctype, first);
            }
        }
    }

    /// Whether some `set_priority` may mean a process of the proctype by its number.
    fn sets_priority_of(&self, proctype: usize) -> bool {
        let it = &self.proctypes[proctype];
        let before: u32 = self.proctypes[..proctype].iter().map(|it| it.active).sum();
        let own = i64::from(before)..i64::from(before + it.active);
        let runs = !it.priorities.runs.is_empty();
        let means = |number: Option<i32>| number.is_none_or(|it| own.contains(&i64::from(it)));
        self.priorities.set.iter().any(|&number| runs || (it.active > 0 && means(number)))
    }

    fn refuse_rendezvous(&mut self, first: Span) {
        let locals = self.proctypes.iter().flat_map(|it| &it.locals);
        let meets = |leaf: &&Leaf| match &leaf.start {
            Start::Channel(shape) => shape.capacity == 0,
            _ => false,
        };
        if let Some(channel) = self.global_leaves.iter().chain(locals).find(meets) {
            let message = "priorities cannot be combined with rendezvous, in Spin's verifiers too";
            let hint = format!("the channel `{}` has no buffer", channel.name);
            self.diagnostics.push(Diagnostic::error(message, first).hint(hint));
        }
    }
}

// ---- where they are ----

/// The functions for processes that are called by their number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Functions {
    of: FunctionId,
    set: FunctionId,
}

impl Plan<'_> {
    /// Gives priorities their initial values and makes the functions for them.
    pub fn make_priorities(&mut self, mentions: &Mentions) {
        if mentions.first.is_none() {
            return;
        }
        self.has_priorities = true;
        for slot in 0..self.slots.len() {
            let it = &self.slots[slot];
            if let Some(variable) = self.priority_variable(it)
                && it.started.is_some()
            {
                let priority = self.proctypes[it.proctype].priorities.at_start();
                self.network.variables[variable].initial = vec![priority];
            }
        }
        let (of, set) = (priority_of(self), set_priority(self));
        let of = self.network.functions.push(of);
        self.priorities = Some(Functions { of, set: self.network.functions.push(set) });
    }

    pub fn priority_variable(&self, slot: &Slot) -> Option<VariableId> {
        let local = self.proctypes[slot.proctype].priorities.local?;
        slot.places.get(local)?.variable
    }

    pub fn priority(&self, slot: &Slot) -> Priority {
        let proctype = &self.proctypes[slot.proctype];
        match self.priority_variable(slot) {
            Some(variable) => Priority::Variable(variable),
            None if self.has_priorities => {
                Priority::Fixed(proctype.priorities.fixed(proctype.active))
            }
            None => Priority::Fixed(0),
        }
    }

    /// The priorities of the processes that run from the start, up to one of them.
    pub fn first_priorities(&self, slot: Option<usize>) -> Vec<i32> {
        let count = slot.map_or(0, |it| it + 1);
        let started = self.slots.iter().take(count).filter(|it| it.started.is_some());
        started.map(|it| self.proctypes[it.proctype].priorities.at_start()).collect()
    }
}

/// Whether a slot holds the process with a number.
fn is_meant(plan: &Plan, slot: &Slot, number: Expr) -> Expr {
    let own = Emit::new(plan, None).pid(slot);
    match (slot.pid, &own, &number) {
        (None, Expr::Const(own), Expr::Const(number)) if own != number => Expr::Const(0),
        (None, Expr::Const(own), Expr::Const(number)) if own == number => there(plan, slot),
        (None, ..) => Expr::binary(BinaryOp::Eq, own, number).and(there(plan, slot)),
        // Process 0 goes last of all, and a slot without a process says 0.
        (Some(_), ..) if slot.started == Some(0) => Expr::binary(BinaryOp::Eq, own, number),
        (Some(_), ..) => {
            let some = Expr::binary(BinaryOp::Ne, own.clone(), Expr::Const(0));
            some.and(Expr::binary(BinaryOp::Eq, own, number))
        }
    }
}

fn there(plan: &Plan, slot: &Slot) -> Expr {
    not(plan.is_absent(slot))
}

fn priority_of(plan: &Plan) -> Function {
    let mut locals = Arena::new();
    let number = locals.push(local("number", Type::ANY));
    let mut body = vec![];
    for slot in &plan.slots {
        let give = vec![statement(StatementKind::Return(Some(plan.current_priority(slot))))];
        let meant = is_meant(plan, slot, Expr::local(number));
        body.push(statement(StatementKind::If(meant, give, vec![])));
    }
    body.push(statement(StatementKind::Return(Some(Expr::Const(0)))));
    function("get_priority", vec![number], locals, Some(Type::ANY), body)
}

fn set_priority(plan: &Plan) -> Function {
    let mut locals = Arena::new();
    let number = locals.push(local("number", Type::ANY));
    let priority = locals.push(local("priority", Type::ANY));
    let mut body = vec![];
    for slot in &plan.slots {
        let Some(variable) = plan.priority_variable(slot) else { continue };
        let kind = StatementKind::Assign(Place::variable(variable), Expr::local(priority));
        let set = vec![statement(kind), statement(StatementKind::Return(None))];
        let meant = is_meant(plan, slot, Expr::local(number));
        body.push(statement(StatementKind::If(meant, set, vec![])));
    }
    function("set_priority", vec![number, priority], locals, None, body)
}

fn local(name: &str, ty: Type) -> Local {
    Local { name: name.to_string(), ty, sizes: vec![] }
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: network::Span::NONE }
}

fn function(
    name: &str,
    parameters: Vec<LocalId>,
    locals: Arena<LocalId, Local>,
    result: Option<Type>,
    body: Vec<Statement>,
) -> Function {
    let span = network::Span::NONE;
    Function { name: name.to_string(), parameters, locals, result, body, span }
}

impl Plan<'_> {
    fn current_priority(&self, slot: &Slot) -> Expr {
        match self.priority(slot) {
            Priority::Fixed(priority) => Expr::Const(priority),
            Priority::Variable(variable) => Expr::variable(variable),
        }
    }
}

impl Emit<'_> {
    pub fn own_priority(&self) -> Expr {
        self.slot.map_or(Expr::Const(0), |slot| self.plan.current_priority(slot))
    }

    /// `get_priority(process)`
    pub fn get_priority(&self, process: &Value) -> Expr {
        match process {
            Value::Pid => self.own_priority(),
            _ => self.priority_of(self.value(process)),
        }
    }

    /// The priority of the process with a number, 0 if there is none.
    pub fn priority_of(&self, process: Expr) -> Expr {
        match self.plan.priorities {
            Some(functions) => Expr::Call(functions.of, vec![process]),
            None => Expr::Const(0),
        }
    }

    /// Gives a process another priority. Where there is no such process nothing happens, whatever
    /// the priority is.
    pub fn set_priority(&self, process: &Value, priority: &Value, work: &mut Work) {
        let Some(functions) = self.plan.priorities else { return };
        let before = std::mem::take(&mut work.code);
        let value = self.checked(priority, work);
        let own = self.slot.and_then(|slot| self.plan.priority_variable(slot));
        let kind = match (process, own) {
            (Value::Pid, Some(own)) => StatementKind::Assign(Place::variable(own), value),
            _ => StatementKind::Call(None, functions.set, vec![self.value(process), value]),
        };
        work.code.push(self.statement(kind, work.span));
        let set = std::mem::replace(&mut work.code, before);
        match process {
            Value::Pid => work.code.extend(set),
            _ => {
                let kind = StatementKind::If(self.runs(process), set, vec![]);
                work.code.push(self.statement(kind, work.span));
            }
        }
    }

    /// A priority that is to be set; the statements before see to it that it is one.
    fn checked(&self, priority: &Value, work: &mut Work) -> Expr {
        let value = self.value(priority);
        if matches!(value, Expr::Const(value) if GIVEN.contains(&value)) {
            return value;
        }
        let ty = Type::range(*GIVEN.start(), *GIVEN.end());
        let kept = work.locals.push(local("priority", ty));
        let kind = StatementKind::Assign(Place::local(kept), value);
        work.code.push(self.statement(kind, work.span));
        Expr::local(kept)
    }

    /// Whether there is a process with a number.
    fn runs(&self, process: &Value) -> Expr {
        let number = self.value(process);
        let below = Expr::binary(BinaryOp::Lt, number.clone(), self.process_count());
        match number {
            Expr::Const(number) if number >= 0 => below,
            _ => Expr::binary(BinaryOp::Ge, number, Expr::Const(0)).and(below),
        }
    }
}
