//! Random networks with what the passes look for: variables of one process, steps that only it can
//! see, blocks for parked processes; and with what gets in their way.

use network::{
    Action, Arena, BinaryOp, Claim, Condition, Edge, EdgeId, Expr, Id, Location, LocationId,
    LocationKind, Network, Overflow, Pattern, Place, ProcessId, Property, Span, Statement,
    StatementKind, Storage, Type, UnaryOp, Variable, VariableId,
};
use replay::{Simulator, State};
use testing::Numbers;
use testing::random::{self, Options};

/// A random network with more in it, and properties of many kinds.
pub fn network(seed: u64, options: &Options) -> Network {
    let mut network = random::network(seed, options);
    let program = options.control || options.preferences || options.timeouts;
    if program {
        make_plain(&mut network);
    }
    let mut dresser = Dresser {
        numbers: Numbers::new(seed ^ 0x5EED),
        shared: network.variables.ids().filter(|&id| network.variables[id].len() == 1).collect(),
        own: Vec::new(),
        program,
        control: options.control,
        committed: network
            .processes
            .iter()
            .flat_map(|process| &process.locations)
            .any(|location| location.kind == LocationKind::Committed),
    };
    dresser.variables(&mut network);
    let moving = |network: &Network| {
        let ids = network.processes.ids();
        ids.filter(|&id| !network.processes[id].observes).collect::<Vec<_>>()
    };
    for process in moving(&network) {
        dresser.assignments(&mut network, process);
        dresser.detours(&mut network, process);
    }
    for process in network.processes.ids() {
        dresser.guards(&mut network, process);
    }
    for process in moving(&network) {
        dresser.preparations(&mut network, process);
    }
    network.properties = Arena::new();
    for _ in 0..6 {
        let property = dresser.property(&network);
        network.properties.push(property);
    }
    let defects = network::verify(&network);
    assert!(defects.is_empty(), "seed {seed}: {defects:?}");
    network
}

/// Takes out what cannot be explored beside control, preferences and timeouts.
fn make_plain(network: &mut Network) {
    network.channels.iter_mut().for_each(|channel| channel.priorities.fill(0));
    for location in network.processes.iter_mut().flat_map(|process| process.locations.iter_mut()) {
        location.invariant = Condition::always();
        if location.kind == LocationKind::Committed {
            location.kind = LocationKind::Normal;
        }
    }
}

struct Dresser {
    numbers: Numbers,
    /// The scalars that all processes use.
    shared: Vec<VariableId>,
    /// By process, the variables that mostly only it uses.
    own: Vec<Vec<VariableId>>,
    /// Whether what stands beside control, preferences and timeouts must be plain.
    program: bool,
    control: bool,
    committed: bool,
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NONE }
}

fn assign(id: VariableId, value: Expr) -> Statement {
    statement(StatementKind::Assign(Place::variable(id), value))
}

fn compare(op: BinaryOp, id: VariableId, value: i32) -> Expr {
    Expr::binary(op, Expr::variable(id), Expr::Const(value))
}

impl Dresser {
    fn variables(&mut self, network: &mut Network) {
        for number in 0..network.processes.len() {
            let mut own = Vec::new();
            for letter in ["x", "y"] {
                let overflow =
                    if self.numbers.chance(70) { Overflow::Wrap } else { Overflow::Error };
                let initial = self.numbers.between(0, 1);
                own.push(network.variables.push(Variable {
                    name: format!("P{number}.{letter}"),
                    ty: Type { overflow, ..Type::range(0, 3) },
                    dimensions: Vec::new(),
                    storage: Storage::State,
                    initial: vec![initial],
                    span: Span::NONE,
                }));
            }
            self.own.push(own);
        }
    }

    fn own(&mut self, process: ProcessId) -> VariableId {
        // Sometimes one of another process, which then is nobody's own.
        let process = match self.numbers.chance(4) {
            true => self.numbers.below(self.own.len()),
            false => process.index(),
        };
        let index = self.numbers.below(2);
        self.own[process][index]
    }

    /// Something that only the process touches, mostly.
    fn local(&mut self, network: &Network, process: ProcessId) -> Statement {
        let target = self.own(process);
        let source = self.own(process);
        let next = Expr::binary(BinaryOp::Add, Expr::variable(source), Expr::Const(1));
        let value = match self.numbers.between(0, 9) {
            0..=2 => Expr::Const(self.numbers.between(0, 3)),
            3 | 4 => Expr::variable(source),
            5 if network.variables[target].ty.overflow == Overflow::Wrap => next,
            6 => self.numbers.pick(&self.shared.clone()).map_or(Expr::Const(1), |&shared| {
                Expr::binary(BinaryOp::BitAnd, Expr::variable(shared), Expr::Const(3))
            }),
            7 if self.numbers.chance(25) => next,
            _ => Expr::binary(BinaryOp::Rem, next, Expr::Const(3)),
        };
        let assigned = assign(target, value);
        if self.numbers.chance(20) {
            let condition = compare(BinaryOp::Gt, source, 0);
            let other = assign(self.own(process), Expr::Const(self.numbers.between(0, 3)));
            return statement(StatementKind::If(condition, vec![assigned], vec![other]));
        }
        assigned
    }

    fn assignments(&mut self, network: &mut Network, process: ProcessId) {
        for id in network.processes[process].edges.ids() {
            for _ in 0..self.numbers.between(0, 2) {
                let local = self.local(network, process);
                network.processes[process].edges[id].update.push(local);
            }
            let own = self.own(process);
            if let Some(&shared) = self.numbers.pick(&self.shared.clone())
                && self.numbers.chance(20)
                && network.variables[shared].ty.high >= 1
            {
                let bit = Expr::binary(BinaryOp::BitAnd, Expr::variable(own), Expr::Const(1));
                network.processes[process].edges[id].update.push(assign(shared, bit));
            }
            self.store(network, process, id, own);
        }
    }

    /// Sometimes a field goes to a variable of the process.
    fn store(&mut self, network: &mut Network, process: ProcessId, id: EdgeId, own: VariableId) {
        let stores =
            self.numbers.chance(50) && network.variables[own].ty.overflow == Overflow::Wrap;
        if let Action::Receive(receive) = &mut network.processes[process].edges[id].action
            && stores
        {
            for pattern in receive.message.iter_mut().filter(|it| **it == Pattern::Any) {
                *pattern = Pattern::Store(Place::variable(own));
            }
        }
    }

    /// Makes edges lead to their targets through new locations.
    fn detours(&mut self, network: &mut Network, process: ProcessId) {
        for id in network.processes[process].edges.ids() {
            if self.numbers.chance(60) {
                for _ in 0..self.numbers.between(1, 2) {
                    self.detour(network, process, id);
                }
            }
        }
        if self.numbers.chance(15) {
            self.ring(network, process);
        }
    }

    fn detour(&mut self, network: &mut Network, process: ProcessId, id: EdgeId) {
        let kind = match self.numbers.between(0, 9) {
            0 => LocationKind::Urgent,
            1 | 2 if !self.program => LocationKind::Committed,
            3..=7 if self.committed && !self.program => LocationKind::Committed,
            _ => LocationKind::Normal,
        };
        let mut update = Vec::new();
        for _ in 0..self.numbers.between(0, 2) {
            update.push(self.local(network, process));
        }
        if self.numbers.chance(12)
            && let Some(&shared) = self.numbers.pick(&self.shared.clone())
        {
            let ty = network.variables[shared].ty;
            update.push(assign(shared, Expr::Const(self.numbers.between(ty.low, ty.high))));
        }
        let guard = match self.numbers.chance(8) {
            true => compare(BinaryOp::Le, self.own(process), self.numbers.between(0, 3)),
            false => Expr::TRUE,
        };
        let code = &mut network.processes[process];
        let between = code.locations.push(plain_location(code.locations.len(), kind));
        let keeps_control = self.control && self.numbers.chance(30);
        let target = std::mem::replace(&mut code.edges[id].target, between);
        code.edges.push(plain_edge(between, target, guard, update, keeps_control));
        if self.numbers.chance(8) {
            let other = LocationId::new(self.numbers.below(code.locations.len()));
            code.edges.push(plain_edge(between, other, Expr::TRUE, Vec::new(), false));
        } else if self.numbers.chance(30) {
            self.choice(network, process, between);
        }
    }

    /// Makes the only edge that leaves a location one of two, of which mostly one is possible.
    fn choice(&mut self, network: &mut Network, process: ProcessId, between: LocationId) {
        let (own, value) = (self.own(process), self.numbers.between(0, 2));
        let update = vec![self.local(network, process)];
        let (yes, no) = match self.numbers.between(0, 9) {
            0 => (compare(BinaryOp::Eq, own, value), compare(BinaryOp::Gt, own, value)),
            1 => (compare(BinaryOp::Le, own, value), compare(BinaryOp::Ge, own, value)),
            2..=5 => (compare(BinaryOp::Ne, own, value), compare(BinaryOp::Eq, own, value)),
            _ => (compare(BinaryOp::Gt, own, value), Expr::TRUE),
        };
        let code = &mut network.processes[process];
        let other = LocationId::new(self.numbers.below(code.locations.len()));
        let mut alternative = plain_edge(between, other, no, update, false);
        if self.program && alternative.guard.is_always() {
            alternative.preference = -1;
        }
        if let Some(edge) = code.edges.iter_mut().find(|edge| edge.source == between) {
            edge.guard.data = yes;
            alternative.keeps_control = edge.keeps_control && self.numbers.chance(80);
        }
        code.edges.push(alternative);
    }

    /// A cycle of steps that only the process can see, with a way in.
    fn ring(&mut self, network: &mut Network, process: ProcessId) {
        let update = vec![self.local(network, process)];
        let code = &mut network.processes[process];
        let first = code.locations.push(plain_location(code.locations.len(), LocationKind::Normal));
        let second =
            code.locations.push(plain_location(code.locations.len(), LocationKind::Normal));
        code.edges.push(plain_edge(first, second, Expr::TRUE, update, false));
        code.edges.push(plain_edge(second, first, Expr::TRUE, Vec::new(), false));
        let from = LocationId::new(self.numbers.below(code.locations.len()));
        code.edges.push(plain_edge(from, first, Expr::TRUE, Vec::new(), false));
    }

    /// Guards that ask for own variables and for where others are.
    fn guards(&mut self, network: &mut Network, process: ProcessId) {
        for id in network.processes[process].edges.ids() {
            let mut guard = network.processes[process].edges[id].guard.data.clone();
            if !guard.is_true() || self.numbers.chance(15) {
                let own = self.own(process);
                let op = if self.numbers.chance(50) { BinaryOp::Eq } else { BinaryOp::Ne };
                if self.numbers.chance(50) {
                    guard = guard.and(compare(op, own, self.numbers.between(0, 3)));
                }
                if self.numbers.chance(15) {
                    let at = self.some_place(network);
                    let at =
                        if self.numbers.chance(50) { Expr::unary(UnaryOp::Not, at) } else { at };
                    guard = guard.and(at);
                }
            }
            network.processes[process].edges[id].guard.data = guard;
        }
    }

    fn some_place(&mut self, network: &Network) -> Expr {
        let process = ProcessId::new(self.numbers.below(network.processes.len()));
        let locations = network.processes[process].locations.len();
        Expr::At(process, LocationId::new(self.numbers.below(locations)))
    }

    /// Blocks that prepare a process where it is parked, before it is started there.
    fn preparations(&mut self, network: &mut Network, process: ProcessId) {
        for id in network.processes[process].edges.ids() {
            let mut update = std::mem::take(&mut network.processes[process].edges[id].update);
            for statement in &mut update {
                if let StatementKind::If(Expr::At(other, _), then, _) = &mut statement.kind {
                    for _ in 0..self.numbers.between(0, 2) {
                        then.insert(0, self.local(network, *other));
                    }
                }
            }
            network.processes[process].edges[id].update = update;
        }
    }

    /// About what some run comes to, or not quite.
    fn property(&mut self, network: &Network) -> Property {
        let mut goal = match self.numbers.between(0, 9) {
            0 | 1 => Expr::Deadlock,
            2 => Expr::unary(UnaryOp::Not, Expr::Deadlock),
            _ => Expr::TRUE,
        };
        if let Some(state) = self.walk(network) {
            goal = goal.and(self.facts(network, &state));
        }
        if self.numbers.chance(20) {
            goal = goal.and(self.some_place(network));
        }
        let mut observers = network.processes.ids().filter(|&id| network.processes[id].observes);
        let observer = observers.next().filter(|_| self.numbers.chance(60));
        let claim = match self.numbers.chance(50) {
            true => Claim::Reachable(goal),
            false => Claim::Always(Expr::unary(UnaryOp::Not, goal)),
        };
        Property {
            text: "random".to_string(),
            claim,
            locals: Arena::new(),
            counts_errors: self.numbers.chance(50),
            observer,
            beyond: None,
            span: Span::NONE,
        }
    }

    /// Some things that hold in a state.
    fn facts(&mut self, network: &Network, state: &State) -> Expr {
        let mut facts = Expr::TRUE;
        for (process, &location) in network.processes.ids().zip(&state.locations) {
            if self.numbers.chance(25) {
                facts = facts.and(Expr::At(process, location));
            } else if self.numbers.chance(15) {
                let other = self.some_place(network);
                if other != Expr::At(process, location) {
                    facts = facts.and(Expr::unary(UnaryOp::Not, other));
                }
            }
        }
        for id in network.variables.ids().filter(|&id| network.variables[id].len() == 1) {
            let is_shared = self.shared.contains(&id);
            if self.numbers.chance(if is_shared { 50 } else { 12 }) {
                facts = facts.and(compare(BinaryOp::Eq, id, state.value(id, 0)));
            }
        }
        facts
    }

    fn walk(&mut self, network: &Network) -> Option<State> {
        let simulator = Simulator::new(network, 1).ok()?;
        let mut state = simulator.initial().ok()?;
        for _ in 0..self.numbers.between(1, 25) {
            for _ in 0..self.numbers.between(0, 2) {
                state = simulator.delay(&state, 1).unwrap_or(state);
            }
            if let Some(moves) = self.numbers.pick(&simulator.possible_steps(&state)) {
                state = simulator.take(&state, moves).map_or(state, |(after, _)| after);
            }
        }
        Some(state)
    }
}

fn plain_location(number: usize, kind: LocationKind) -> Location {
    Location {
        name: format!("d{number}"),
        kind,
        invariant: Condition::always(),
        rates: Vec::new(),
        locals: Arena::new(),
        span: Span::NONE,
    }
}

fn plain_edge(
    source: LocationId,
    target: LocationId,
    guard: Expr,
    update: Vec<Statement>,
    keeps_control: bool,
) -> Edge {
    Edge {
        source,
        target,
        selects: Vec::new(),
        guard: Condition { data: guard, clocks: Vec::new(), span: Span::NONE },
        action: Action::Internal,
        update,
        keeps_control,
        preference: 0,
        locals: Arena::new(),
        span: Span::NONE,
    }
}
