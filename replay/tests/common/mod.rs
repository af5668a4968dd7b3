//! Short ways to write networks and traces down in tests.
#![allow(dead_code)]

use network::*;

/// A process under construction.
pub struct ProcessBuilder(pub Process);

pub fn process(name: &str, locations: &[&str]) -> ProcessBuilder {
    let location = |name: &&str| Location {
        name: name.to_string(),
        kind: LocationKind::Normal,
        invariant: Condition::always(),
        rates: Vec::new(),
        locals: Arena::new(),
        span: Span::NONE,
    };
    ProcessBuilder(Process {
        name: name.to_string(),
        template: name.to_string(),
        arguments: Vec::new(),
        locations: locations.iter().map(location).collect(),
        edges: Arena::new(),
        initial: LocationId(0),
        priority: Priority::Fixed(0),
        observes: false,
        span: Span::NONE,
    })
}

impl ProcessBuilder {
    pub fn edge(mut self, source: u32, target: u32, change: impl FnOnce(&mut Edge)) -> Self {
        let mut edge = Edge {
            source: LocationId(source),
            target: LocationId(target),
            selects: Vec::new(),
            guard: Condition::always(),
            action: Action::Internal,
            update: Vec::new(),
            keeps_control: false,
            preference: 0,
            locals: Arena::new(),
            span: Span::NONE,
        };
        change(&mut edge);
        self.0.edges.push(edge);
        self
    }
    pub fn location(mut self, location: u32, change: impl FnOnce(&mut Location)) -> Self {
        change(&mut self.0.locations[LocationId(location)]);
        self
    }
    pub fn invariant(self, location: u32, constraint: ClockConstraint) -> Self {
        self.location(location, |l| l.invariant.clocks.push(constraint))
    }
    pub fn kind(self, location: u32, kind: LocationKind) -> Self {
        self.location(location, |l| l.kind = kind)
    }
    pub fn priority(mut self, priority: i32) -> Self {
        self.0.priority = Priority::Fixed(priority);
        self
    }
}

pub fn network(processes: impl IntoIterator<Item = ProcessBuilder>) -> Network {
    Network { processes: processes.into_iter().map(|p| p.0).collect(), ..Network::default() }
}

pub trait Declare {
    fn clock(self, name: &str) -> Self;
    fn variable(self, name: &str, low: i32, high: i32, initial: i32) -> Self;
    fn array(self, name: &str, ty: Type, initial: &[i32]) -> Self;
    fn channel(self, name: &str, kind: ChannelKind, urgent: bool, priority: i32) -> Self;
    fn goal(self, expr: Expr) -> Self;
}

impl Declare for Network {
    fn clock(mut self, name: &str) -> Self {
        let (name, dimensions) = (name.to_string(), Vec::new());
        self.clocks.push(Clock { name, dimensions, initial: vec![0], span: Span::NONE });
        self
    }
    fn variable(mut self, name: &str, low: i32, high: i32, initial: i32) -> Self {
        self.variables.push(Variable {
            name: name.to_string(),
            ty: Type::range(low, high),
            dimensions: Vec::new(),
            storage: Storage::State,
            initial: vec![initial],
            span: Span::NONE,
        });
        self
    }
    fn array(mut self, name: &str, ty: Type, initial: &[i32]) -> Self {
        self.variables.push(Variable {
            name: name.to_string(),
            ty,
            dimensions: vec![Dimension { size: initial.len() as u32, first: 0, scalar: None }],
            storage: Storage::State,
            initial: initial.to_vec(),
            span: Span::NONE,
        });
        self
    }
    fn channel(mut self, name: &str, kind: ChannelKind, urgent: bool, priority: i32) -> Self {
        self.channels.push(Channel {
            name: name.to_string(),
            dimensions: Vec::new(),
            kind,
            urgent,
            priorities: vec![priority],
            span: Span::NONE,
        });
        self
    }
    fn goal(mut self, expr: Expr) -> Self {
        self.properties.push(Property {
            text: "the goal".to_string(),
            claim: Claim::Reachable(expr),
            locals: Arena::new(),
            counts_errors: false,
            observer: None,
            beyond: None,
            span: Span::NONE,
        });
        self
    }
}

pub fn first_property(network: &Network) -> &Property {
    &network.properties[PropertyId(0)]
}

pub fn clock(id: u32) -> ClockRef {
    ClockRef { clock: ClockId(id), indices: Vec::new() }
}
pub fn constraint(clock_id: u32, relation: Relation, bound: i32) -> ClockConstraint {
    ClockConstraint {
        when: None,
        left: clock(clock_id),
        right: None,
        relation,
        bound: Expr::Const(bound),
    }
}
pub fn ge(clock: u32, bound: i32) -> ClockConstraint {
    constraint(clock, Relation::Ge, bound)
}
pub fn le(clock: u32, bound: i32) -> ClockConstraint {
    constraint(clock, Relation::Le, bound)
}
pub fn lt(clock: u32, bound: i32) -> ClockConstraint {
    constraint(clock, Relation::Lt, bound)
}
pub fn gt(clock: u32, bound: i32) -> ClockConstraint {
    constraint(clock, Relation::Gt, bound)
}
pub fn at(process: u32, location: u32) -> Expr {
    Expr::At(ProcessId(process), LocationId(location))
}
pub fn var(id: u32) -> Expr {
    Expr::variable(VariableId(id))
}
pub fn op(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::binary(op, left, Expr::Const(right))
}
pub fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NONE }
}
pub fn assign(variable: u32, value: Expr) -> Statement {
    statement(StatementKind::Assign(Place::variable(VariableId(variable)), value))
}
pub fn reset(id: u32, value: i32) -> Statement {
    statement(StatementKind::Reset(clock(id), Expr::Const(value)))
}
pub fn channel_ref(id: u32) -> ChannelRef {
    ChannelRef::Element(ChannelId(id), Vec::new())
}
pub fn send(id: u32) -> Action {
    Action::Send(Send {
        channel: channel_ref(id),
        message: Vec::new(),
        sorted: false,
        span: Span::NONE,
    })
}
pub fn receive(id: u32) -> Action {
    Action::Receive(Receive {
        channel: channel_ref(id),
        message: Vec::new(),
        anywhere: false,
        keep: false,
        span: Span::NONE,
    })
}

pub fn moved(process: u32, edge: u32) -> Move {
    Move { process: ProcessId(process), edge: EdgeId(edge), selects: Vec::new() }
}
pub fn location_change(process: u32, from: u32, to: u32) -> Change {
    let (from, to) = (LocationId(from), LocationId(to));
    Change::Location { process: ProcessId(process), from, to }
}
pub fn variable_change(variable: u32, element: u32, from: i32, to: i32) -> Change {
    Change::Variable { variable: VariableId(variable), element, from, to }
}
pub fn clock_change(clock: u32, to: i32) -> Change {
    Change::Clock { clock: ClockId(clock), element: 0, to }
}
pub fn step(delay: i64, moves: &[Move], changes: &[Change]) -> Step {
    Step { delay, moves: moves.to_vec(), changes: changes.to_vec() }
}
pub fn trace(scale: i64, steps: &[Step]) -> Trace {
    Trace { scale, steps: steps.to_vec(), final_delay: 0, ending: Ending::Goal }
}

/// X3 of docs/algorithms.md, section 6: the shortest path to l2 has 4 steps.
pub fn x3() -> Network {
    let process = process("A", &["l0", "l1", "l2"])
        .invariant(0, le(0, 2))
        .invariant(1, le(0, 1))
        .edge(0, 1, |e| {
            e.guard.clocks.push(ge(0, 1));
            e.update.push(reset(0, 0));
        })
        .edge(1, 2, |e| e.guard.clocks.push(ge(1, 4)))
        .edge(1, 0, |e| {
            e.guard.clocks.push(ge(0, 1));
            e.update.push(reset(0, 0));
        });
    network([process]).clock("x").clock("y").goal(at(0, 2))
}

/// The run e1, e3, e1, e2 of X3 at 2, 3, 5 and 5 units of time, two ticks to a unit.
pub fn x3_trace() -> Trace {
    trace(
        2,
        &[
            step(4, &[moved(0, 0)], &[location_change(0, 0, 1), clock_change(0, 0)]),
            step(2, &[moved(0, 2)], &[location_change(0, 1, 0), clock_change(0, 0)]),
            step(4, &[moved(0, 0)], &[location_change(0, 0, 1), clock_change(0, 0)]),
            step(0, &[moved(0, 1)], &[location_change(0, 1, 2)]),
        ],
    )
}

/// Demands that a trace is wrong, and why.
#[track_caller]
pub fn rejected(network: &Network, trace: &Trace, message: &str) {
    let found = replay::check(network, network.properties.iter().next(), trace);
    match found {
        Ok(_) => panic!("accepted, but should say: {message}"),
        Err(mismatch) => assert_eq!(mismatch.message, message),
    }
}

/// Demands that a trace is right.
#[track_caller]
pub fn accepted(network: &Network, trace: &Trace) {
    if let Err(mismatch) = replay::check(network, network.properties.iter().next(), trace) {
        panic!("rejected: {mismatch}");
    }
}

/// The trace of single moves without delays, with the changes filled in.
#[track_caller]
pub fn completed(network: &Network, steps: &[(i64, Vec<Move>)]) -> Trace {
    complete(network, 1, steps, 0, Ending::Goal).expect("the steps are legal")
}

/// The trace of delays and moves, with the changes filled in, if they are legal.
pub fn complete(
    network: &Network,
    scale: i64,
    steps: &[(i64, Vec<Move>)],
    final_delay: i64,
    ending: Ending,
) -> Result<Trace, replay::Mismatch> {
    let steps = steps.iter().map(|(delay, moves)| step(*delay, moves, &[])).collect();
    replay::with_changes(network, None, Trace { scale, steps, final_delay, ending })
}
