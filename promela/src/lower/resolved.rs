//! Expressions and basic statements with every name looked up, still once per proctype: a local
//! stands for one variable in each process of its proctype.

use super::events::Event;
use crate::ast::Span;
use network::{BinaryOp, Probe, Type, UnaryOp};

/// A variable, or one field of a struct variable, of a scalar type.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// `x`, `s.f`, `a[].f`: indices go where the brackets are, then after.
    pub name: String,
    pub ty: Type,
    pub sizes: Vec<u32>,
    pub is_channel: bool,
    pub hidden: bool,
    pub start: Start,
    /// Whether some statement changes it.
    pub assigned: bool,
    pub span: Span,
}

/// What a leaf holds at first.
#[derive(Clone, Debug)]
pub(super) enum Start {
    Zero,
    /// In every element.
    Value(Value),
    /// One after the other; the rest is 0.
    List(Vec<Value>),
    /// A new channel in every element.
    Channel(ChannelShape),
}

/// What a channel carries.
#[derive(Clone, Debug)]
pub(super) struct ChannelShape {
    pub capacity: u32,
    pub fields: Vec<Type>,
    /// Which of the fields hold channels.
    pub channels: Vec<usize>,
}

/// Which variable: an index into the globals or into the locals of a proctype.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Base {
    Global(usize),
    Local(usize),
}

/// A leaf with its indices.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub base: Base,
    pub indices: Vec<Value>,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Const(i32),
    Read(Target),
    Unary(UnaryOp, Box<Value>),
    Binary(BinaryOp, Box<Value>, Box<Value>),
    Conditional(Box<Value>, Box<Value>, Box<Value>),
    Probe(Probe, Target),
    Poll(Box<Incoming>),
    Timeout,
    Pid,
    ProcessCount,
    /// The number of the process that moved last.
    Last,
    /// Whether no process is at a `progress` label.
    NonProgress,
    /// Whether the process with a number can move.
    Enabled(Box<Value>),
    /// The control state of the process with a number.
    StateOf(Box<Value>),
    /// The priority of the process itself.
    Priority,
    /// That of the process with a number.
    PriorityOf(Box<Value>),
    At(Remote),
    RemoteRead(Remote, Box<Target>),
    /// Starts a process and is its number.
    Run(Box<Run>),
}

/// A process of some proctype, seen from outside.
#[derive(Clone, Debug)]
pub(super) struct Remote {
    pub proctype: usize,
    /// Its number; without one, any process of the proctype.
    pub process: Option<Box<Value>>,
    /// The label, for `@`.
    pub label: String,
}

/// A receive or poll.
#[derive(Clone, Debug)]
pub(super) struct Incoming {
    pub channel: Target,
    pub fields: Vec<Field>,
    pub anywhere: bool,
    pub keep: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Field {
    Equal(Value),
    Store(Target),
    Any,
}

/// A send.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    pub channel: Target,
    pub fields: Vec<Value>,
    pub sorted: bool,
}

/// The creation of a process.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub proctype: usize,
    pub arguments: Vec<Value>,
    pub priority: i32,
    pub span: Span,
}

/// A basic statement.
#[derive(Clone, Debug)]
pub(super) enum Basic {
    Guard(Value),
    Assign(Target, Value),
    Assert(Value),
    Send(Outgoing),
    Receive(Incoming),
    Run(Run),
    /// `set_priority(process, priority)`
    SetPriority(Value, Value),
    /// Prints values, by a format: that is nothing but the evaluation of them.
    Print(String, Vec<Value>),
    /// What a trace waits for.
    Event(Event),
    /// A value that goes nowhere.
    Evaluate(Value),
    Nothing,
}

impl Value {
    pub fn binary(op: BinaryOp, left: Value, right: Value) -> Value {
        Value::Binary(op, Box::new(left), Box::new(right))
    }

    /// The values directly below.
    pub fn children(&self) -> Vec<&Value> {
        match self {
            Value::Const(_) | Value::Timeout | Value::Pid | Value::ProcessCount => vec![],
            Value::Last | Value::NonProgress | Value::Priority => vec![],
            Value::Read(target) | Value::Probe(_, target) => target.indices.iter().collect(),
            Value::Unary(_, operand) => vec![operand],
            Value::StateOf(it) | Value::PriorityOf(it) | Value::Enabled(it) => vec![it],
            Value::Binary(_, left, right) => vec![left, right],
            Value::Conditional(condition, yes, no) => vec![condition, yes, no],
            Value::Poll(incoming) => incoming.channel.indices.iter().collect(),
            Value::At(remote) => remote.process.as_deref().into_iter().collect(),
            Value::RemoteRead(remote, target) => {
                remote.process.as_deref().into_iter().chain(&target.indices).collect()
            }
            Value::Run(run) => run.arguments.iter().collect(),
        }
    }

    /// Calls `visit` for every start of a process in it.
    pub fn each_run<'a>(&'a self, visit: &mut dyn FnMut(&'a Run)) {
        if let Value::Run(run) = self {
            visit(run);
        }
        self.children().into_iter().for_each(|it| it.each_run(visit));
    }

    /// Whether a process is started in it.
    pub fn has_run(&self) -> bool {
        let mut found = false;
        self.each_run(&mut |_| found = true);
        found
    }

    /// Whether its evaluation can do anything but give a value: start a process or fail.
    pub fn matters(&self) -> bool {
        let here = match self {
            Value::Run(_) => true,
            Value::Read(target) => !target.indices.is_empty(),
            Value::Binary(op, ..) => {
                use BinaryOp as Op;
                matches!(op, Op::Div | Op::Rem | Op::Shl | Op::Shr)
            }
            Value::Probe(..) | Value::Poll(_) | Value::At(_) | Value::RemoteRead(..) => true,
            _ => false,
        };
        here || self.children().into_iter().any(Value::matters)
    }

    pub fn negated(self) -> Value {
        Value::Unary(UnaryOp::Not, Box::new(self))
    }
}

impl Basic {
    /// Calls `visit` for every process that is started.
    pub fn each_run<'a>(&'a self, visit: &mut dyn FnMut(&'a Run)) {
        match self {
            Basic::Run(run) => visit(run),
            Basic::Assign(_, value) | Basic::Assert(value) | Basic::Evaluate(value) => {
                value.each_run(visit);
            }
            Basic::Print(_, values) => values.iter().for_each(|it| it.each_run(visit)),
            Basic::Guard(_) | Basic::Send(_) | Basic::Receive(_) => {}
            Basic::SetPriority(..) | Basic::Event(_) | Basic::Nothing => {}
        }
    }

    pub fn starts_process(&self) -> bool {
        let mut found = false;
        self.each_run(&mut |_| found = true);
        found
    }

    /// `skip`, `true` or `1`.
    pub fn is_skip(&self) -> bool {
        matches!(self, Basic::Guard(Value::Const(1)))
    }
}
