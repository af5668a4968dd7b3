//! Random networks for the tests, from a seed that the tests print.
//!
//! A tame generator makes well-formed networks with every construct; a wild one sprinkles ids,
//! sizes and counts that break the rules.
#![allow(dead_code)]

use network::*;
use testing::Numbers;

pub const UNARY: [UnaryOp; 4] = [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot, UnaryOp::Abs];

pub const BINARY: [BinaryOp; 21] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Pow,
    BinaryOp::Min,
    BinaryOp::Max,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::And,
    BinaryOp::Or,
];

const RELATIONS: [Relation; 5] =
    [Relation::Lt, Relation::Le, Relation::Eq, Relation::Ge, Relation::Gt];

const NAMES: [&str; 22] = [
    "x",
    "y",
    "i",
    "P(0).x",
    "config.speed",
    "a b",
    "\"quoted\"",
    "back\\slash",
    "über",
    "var",
    "location",
    "_",
    "_x1",
    "",
    "line\nbreak",
    "bell\u{7}\u{85}",
    "x.",
    ".x",
    "x..y",
    "3x",
    "tab\there",
    "// no comment",
];

/// A well-formed network.
pub fn tame(seed: u64) -> Network {
    Generator::new(seed, false).network()
}

/// A network that most likely is not.
pub fn wild(seed: u64) -> Network {
    Generator::new(seed, true).network()
}

struct Generator {
    numbers: Numbers,
    wild: bool,
    network: Network,
    /// The number of locations of each process.
    locations: Vec<usize>,
    /// Which processes observe; never the first.
    observers: Vec<bool>,
    pure: Vec<bool>,
    scope: Scope,
    /// How many places the expression being made is within the indices of.
    indexing: usize,
}

#[derive(Default)]
struct Scope {
    locals: Vec<Local>,
    binders: Vec<bool>,
    active: Vec<bool>,
    function: Option<usize>,
    in_property: bool,
    only_locals: bool,
    in_guard: bool,
}

impl Generator {
    fn new(seed: u64, wild: bool) -> Self {
        Generator {
            numbers: Numbers::new(seed),
            wild,
            network: Network::default(),
            locations: Vec::new(),
            observers: Vec::new(),
            pure: Vec::new(),
            scope: Scope::default(),
            indexing: 0,
        }
    }

    fn network(mut self) -> Network {
        for _ in 0..self.numbers.below(3) {
            let path = self.name();
            self.network.sources.push(Source { path });
        }
        for _ in 0..self.numbers.below(3) {
            let (name, span) = (self.name(), self.span());
            let size = self.size();
            self.network.scalar_sets.push(ScalarSet { name, size, span });
        }
        for _ in 0..self.numbers.below(3) {
            let (name, first) = (self.name(), self.numbers.between(-2, 2));
            let names = (0..self.numbers.below(3)).map(|_| self.name()).collect();
            self.network.value_names.push(ValueNames { name, first, names });
        }
        for number in 0..1 + self.numbers.below(3) {
            // Names are their own, unless the network is to be wild.
            let name = if self.wild { self.name() } else { format!("failure {number}") };
            let message = self.name();
            self.network.failures.push(Failure { name, message });
        }
        for _ in 0..1 + self.numbers.below(5) {
            self.variable();
        }
        for _ in 0..self.numbers.below(3) {
            self.clock();
        }
        for _ in 0..self.numbers.below(4) {
            self.channel();
        }
        self.locations =
            (0..1 + self.numbers.below(3)).map(|_| 1 + self.numbers.below(3)).collect();
        self.observers =
            (0..self.locations.len()).map(|i| i > 0 && self.numbers.chance(30)).collect();
        for _ in 0..self.numbers.below(4) {
            self.function();
        }
        for index in 0..self.locations.len() {
            self.process(index);
        }
        for _ in 0..self.numbers.below(4) {
            self.property();
        }
        self.network
    }

    // ---- pieces ----

    fn odd(&mut self) -> bool {
        self.wild && self.numbers.chance(3)
    }
    /// An id below the limit, or anything if wild.
    fn id<I: Id>(&mut self, limit: usize) -> I {
        let extremes = [limit, limit + 1, u32::MAX as usize, u32::MAX as usize - 1];
        let any = *self.numbers.one(&extremes);
        if limit == 0 || self.odd() { I::new(any) } else { I::new(self.numbers.below(limit)) }
    }
    /// A length as it should be, or nearly.
    fn length(&mut self, length: usize) -> usize {
        if self.odd() { self.numbers.below(4) } else { length }
    }
    fn size(&mut self) -> u32 {
        let any = *self.numbers.one(&[0, 7, u32::MAX, 1 << 31]);
        if self.odd() { any } else { 1 + self.numbers.below(3) as u32 }
    }
    fn name(&mut self) -> String {
        self.numbers.one(&NAMES).to_string()
    }
    fn span(&mut self) -> Span {
        if self.network.sources.is_empty() && !self.wild || self.numbers.chance(50) {
            return Span::NONE;
        }
        let source = self.id(self.network.sources.len());
        let line = 1 + self.numbers.below(300) as u32;
        let column = 1 + self.numbers.below(80) as u32;
        let end_line = line + self.numbers.below(2) as u32;
        Span { source, line, column, end_line, end_column: column + self.numbers.below(9) as u32 }
    }
    fn scalar(&mut self) -> Option<ScalarSetId> {
        let any = !self.network.scalar_sets.is_empty() || self.odd();
        (any && self.numbers.chance(30)).then(|| self.id(self.network.scalar_sets.len()))
    }
    fn scalar_size(&self, id: ScalarSetId) -> u32 {
        self.network.scalar_sets.try_at(id).map_or(3, |set| set.size)
    }
    fn ty(&mut self) -> Type {
        let any = !self.network.value_names.is_empty() || self.odd();
        let names =
            (any && self.numbers.chance(30)).then(|| self.id(self.network.value_names.len()));
        Type { names, ..self.range() }
    }
    fn range(&mut self) -> Type {
        if let Some(id) = self.scalar() {
            let high = self.scalar_size(id).wrapping_sub(1) as i32;
            return Type { scalar: Some(id), ..Type::range(0, high) };
        }
        let wraps = [(0, 1), (0, 255), (-128, 127), (i32::MIN, i32::MAX), (0, i32::MAX), (-1, 0)];
        if self.numbers.chance(30) {
            let (low, high) = *self.numbers.one(&wraps);
            return Type { overflow: Overflow::Wrap, ..Type::range(low, high) };
        }
        let low = self.numbers.between(-3, 3);
        let high = low + self.numbers.below(4) as i32;
        let range = Type::range(low, if self.odd() { low - 1 } else { high });
        *self.numbers.one(&[Type::BOOL, Type::ANY, range, range])
    }
    fn dimensions(&mut self) -> Vec<Dimension> {
        let count = *self.numbers.one(&[0, 0, 1, 2]);
        let dimension = |this: &mut Self| match this.scalar() {
            Some(id) => Dimension { size: this.scalar_size(id), first: 0, scalar: Some(id) },
            None => Dimension {
                size: this.size(),
                first: (this.size() as i32).wrapping_sub(2),
                scalar: None,
            },
        };
        (0..count).map(|_| dimension(self)).collect()
    }
    fn values(&mut self, dimensions: &[Dimension], low: i32, high: i32) -> Vec<i32> {
        let product = dimensions.iter().fold(1_usize, |n, d| n.saturating_mul(d.size as usize));
        let length = self.length(product.min(100));
        let value = |this: &mut Self| this.numbers.between(low, high.max(low));
        match self.numbers.below(3) {
            0 => vec![if low <= 0 && 0 <= high { 0 } else { low }; length],
            1 => vec![value(self); length],
            _ => (0..length).map(|_| value(self)).collect(),
        }
    }

    // ---- declarations ----

    fn variable(&mut self) {
        let (name, ty, dimensions, span) = (self.name(), self.ty(), self.dimensions(), self.span());
        let storage = *self.numbers.one(&[Storage::State, Storage::Meta, Storage::Constant]);
        let initial = self.values(&dimensions, ty.low, ty.high);
        self.network.variables.push(Variable { name, ty, dimensions, storage, initial, span });
    }
    fn clock(&mut self) {
        let (name, dimensions, span) = (self.name(), self.dimensions(), self.span());
        let initial = self.values(&dimensions, if self.wild { -1 } else { 0 }, 5);
        self.network.clocks.push(Clock { name, dimensions, initial, span });
    }
    fn channel(&mut self) {
        let (name, dimensions, span) = (self.name(), self.dimensions(), self.span());
        let kind = match self.numbers.below(3) {
            0 => ChannelKind::Handshake,
            1 => ChannelKind::Broadcast,
            _ => {
                let fields = (0..self.numbers.below(3)).map(|_| self.ty()).collect();
                let capacity = if self.numbers.chance(20) { 0 } else { self.size() };
                ChannelKind::Buffered { capacity, fields }
            }
        };
        let priorities = self.values(&dimensions, -2, 2);
        let urgent = self.numbers.chance(30);
        self.network.channels.push(Channel { name, dimensions, kind, urgent, priorities, span });
    }

    // ---- owners ----

    fn enter(&mut self) {
        self.scope = Scope::default();
        for _ in 0..self.numbers.below(3) {
            self.local(false);
        }
    }
    fn local(&mut self, scalar: bool) -> LocalId {
        let (name, ty) = (self.name(), self.ty());
        let dimensions = if scalar && !self.odd() { 0 } else { self.numbers.below(3) };
        let sizes = (0..dimensions).map(|_| self.size()).collect();
        self.scope.locals.push(Local { name, ty, sizes });
        self.scope.binders.push(false);
        self.scope.active.push(false);
        LocalId::new(self.scope.locals.len() - 1)
    }
    fn leave(&mut self) -> Arena<LocalId, Local> {
        std::mem::take(&mut self.scope).locals.into_iter().collect()
    }

    fn function(&mut self) {
        self.enter();
        self.scope.function = Some(self.network.functions.len());
        self.scope.only_locals = self.numbers.chance(60);
        let only_locals = self.scope.only_locals;
        let (name, span) = (self.name(), self.span());
        let parameters = (0..self.numbers.below(3)).map(|_| self.local(true)).collect();
        let result = self.numbers.chance(70).then(|| self.ty());
        let mut body = self.statements(3);
        let value = result.is_some().then(|| self.expr(2));
        body.push(Statement { kind: StatementKind::Return(value), span: self.span() });
        let locals = self.leave();
        self.network.functions.push(Function { name, parameters, locals, result, body, span });
        self.pure.push(only_locals);
    }

    fn process(&mut self, index: usize) {
        let name = format!("{}{index}", self.name());
        let template = if self.numbers.chance(50) { name.clone() } else { self.name() };
        let arguments = (0..self.numbers.below(3)).map(|_| self.argument()).collect();
        let count = self.locations[index];
        let mut locations: Arena<LocationId, Location> =
            (0..count).map(|i| self.location(i)).collect();
        let mut edges: Arena<EdgeId, Edge> =
            (0..self.numbers.below(4)).map(|_| self.edge(count)).collect();
        let observes = self.observers[index];
        if observes {
            locations.iter_mut().for_each(only_be);
            edges.iter_mut().for_each(only_look);
        }
        let initial = self.id(count);
        let priority = self.priority();
        let span = self.span();
        self.network.processes.push(Process {
            name,
            template,
            arguments,
            locations,
            edges,
            initial,
            priority,
            observes,
            span,
        });
    }
    fn priority(&mut self) -> Priority {
        let scalars = self.network.variables.enumerate().filter(|(_, v)| v.dimensions.is_empty());
        let scalars: Vec<VariableId> = scalars.map(|(id, _)| id).collect();
        if !scalars.is_empty() && self.numbers.chance(30) {
            return Priority::Variable(*self.numbers.one(&scalars));
        }
        Priority::Fixed(self.numbers.between(-1, 1))
    }
    fn argument(&mut self) -> Argument {
        let (name, scalar) = (self.name(), self.scalar());
        let high = scalar.map_or(9, |id| i64::from(self.scalar_size(id)) - 1);
        Argument { name, value: self.numbers.within(0, high.max(0)) as i32, scalar }
    }
    fn location(&mut self, index: usize) -> Location {
        self.enter();
        let kinds = [LocationKind::Normal, LocationKind::Urgent, LocationKind::Committed];
        let kind = *self.numbers.one(&kinds);
        let name = format!("{}{index}", self.name());
        let (invariant, span) = (self.condition(), self.span());
        let rates = if self.has_clocks() { self.numbers.below(3) } else { 0 };
        let rates = (0..rates).map(|_| self.rate()).collect();
        Location { name, kind, invariant, rates, locals: self.leave(), span }
    }
    fn rate(&mut self) -> Rate {
        let when = self.numbers.chance(50).then(|| self.expr(2));
        Rate { when, clock: self.clock_ref(), rate: self.expr(1) }
    }
    fn edge(&mut self, locations: usize) -> Edge {
        self.enter();
        let (source, target) = (self.id(locations), self.id(locations));
        let selects = (0..self.numbers.below(3)).map(|_| self.local(true)).collect();
        let mut guard = self.condition();
        self.scope.in_guard = true;
        if self.numbers.chance(30) {
            guard.data = self.expr(3);
        }
        self.scope.in_guard = false;
        let (action, span) = (self.action(), self.span());
        let update = self.statements(3);
        let keeps_control = self.numbers.chance(30);
        let preference = *self.numbers.one(&[0, 0, -1, 1, i32::MIN]);
        Edge {
            source,
            target,
            selects,
            guard,
            action,
            update,
            keeps_control,
            preference,
            locals: self.leave(),
            span,
        }
    }
    fn property(&mut self) {
        self.enter();
        self.scope.in_property = true;
        let claim = match self.numbers.below(3) {
            0 => Claim::Reachable(self.expr(4)),
            1 => Claim::Always(self.expr(4)),
            _ => Claim::Unsupported(self.name()),
        };
        let (text, span) = (self.name(), self.span());
        let locals = self.leave();
        let counts_errors = self.numbers.chance(30);
        let observer = (0..self.observers.len()).find(|&i| self.observers[i]);
        let observer = observer.map(ProcessId::new).filter(|_| self.numbers.chance(50));
        let beyond = self.numbers.chance(20).then(|| self.name());
        let property = Property { text, claim, locals, counts_errors, observer, beyond, span };
        self.network.properties.push(property);
    }

    // ---- actions and conditions ----

    fn has_clocks(&self) -> bool {
        !self.network.clocks.is_empty()
    }
    fn condition(&mut self) -> Condition {
        if self.numbers.chance(30) {
            return Condition::always();
        }
        let data = if self.numbers.chance(30) { Expr::TRUE } else { self.expr(3) };
        let clocks = if self.has_clocks() { self.numbers.below(4) } else { 0 };
        let clocks = (0..clocks).map(|_| self.constraint()).collect();
        Condition { data, clocks, span: self.span() }
    }
    fn constraint(&mut self) -> ClockConstraint {
        ClockConstraint {
            when: self.numbers.chance(30).then(|| self.expr(2)),
            left: self.clock_ref(),
            right: self.numbers.chance(30).then(|| self.clock_ref()),
            relation: *self.numbers.one(&RELATIONS),
            bound: self.expr(2),
        }
    }
    fn clock_ref(&mut self) -> ClockRef {
        let clock: ClockId = self.id(self.network.clocks.len());
        let dimensions = self.network.clocks.try_at(clock).map_or(0, |c| c.dimensions.len());
        ClockRef { clock, indices: self.exprs(dimensions, 1) }
    }
    fn action(&mut self) -> Action {
        if self.network.channels.is_empty() || self.numbers.chance(20) {
            return Action::Internal;
        }
        let id = self.id(self.network.channels.len());
        if self.numbers.chance(50) {
            Action::Send(self.send(id))
        } else {
            Action::Receive(self.receive(id))
        }
    }
    fn channel_ref(&mut self, id: ChannelId) -> ChannelRef {
        let dimensions = self.network.channels.try_at(id).map_or(0, |c| c.dimensions.len());
        match self.numbers.chance(20) {
            true => ChannelRef::Value(self.expr(2)),
            false => ChannelRef::Element(id, self.exprs(dimensions, 1)),
        }
    }
    /// The number of fields of a message, and whether there may be messages at all.
    fn fields(&mut self, id: ChannelId) -> (usize, bool) {
        let (fields, buffered) = match self.network.channels.try_at(id).map(|c| &c.kind) {
            Some(ChannelKind::Buffered { fields, .. }) => (fields.len(), true),
            _ => (0, false),
        };
        (self.length(fields), buffered)
    }
    fn send(&mut self, id: ChannelId) -> Send {
        let channel = self.channel_ref(id);
        let (fields, buffered) = self.fields(id);
        let message = (0..fields).map(|_| self.expr(2)).collect();
        Send { channel, message, sorted: buffered && self.numbers.chance(50), span: self.span() }
    }
    fn receive(&mut self, id: ChannelId) -> Receive {
        let channel = self.channel_ref(id);
        let (fields, buffered) = self.fields(id);
        let message = (0..fields).map(|_| self.pattern()).collect();
        let anywhere = buffered && self.numbers.chance(50);
        let keep = buffered && self.numbers.chance(50);
        Receive { channel, message, anywhere, keep, span: self.span() }
    }
    /// A channel with messages, or any if wild.
    fn buffered(&mut self) -> Option<ChannelId> {
        let odd = self.odd();
        let suits = |c: &Channel| odd || matches!(c.kind, ChannelKind::Buffered { .. });
        let channels = self.network.channels.enumerate().filter(|(_, c)| suits(c));
        let ids: Vec<_> = channels.map(|(id, _)| id).collect();
        if ids.is_empty() { None } else { Some(*self.numbers.one(&ids)) }
    }
    fn pattern(&mut self) -> Pattern {
        match (self.numbers.below(3), self.target()) {
            (0, Some(place)) => Pattern::Store(place),
            (1, _) => Pattern::Equal(self.expr(2)),
            _ => Pattern::Any,
        }
    }

    // ---- statements ----

    fn statements(&mut self, depth: usize) -> Vec<Statement> {
        (0..self.numbers.below(4)).map(|_| self.statement(depth)).collect()
    }
    fn statement(&mut self, depth: usize) -> Statement {
        let kind = match self.numbers.below(if depth == 0 { 4 } else { 6 }) {
            0 => self.assignment(),
            1 => self.call_statement(),
            2 if self.has_clocks() && !self.scope.only_locals => {
                StatementKind::Reset(self.clock_ref(), self.expr(2))
            }
            4 => {
                let condition = self.expr(2);
                StatementKind::If(condition, self.statements(depth - 1), self.statements(depth - 1))
            }
            5 => StatementKind::While(self.expr(2), self.statements(depth - 1)),
            3 if !self.scope.only_locals => self.exchange(),
            _ => StatementKind::Assert(self.expr(2)),
        };
        let span = match &kind {
            StatementKind::Send(send) if self.numbers.chance(50) => send.span,
            StatementKind::Receive(receive) if self.numbers.chance(50) => receive.span,
            _ => self.span(),
        };
        Statement { kind, span }
    }
    fn exchange(&mut self) -> StatementKind {
        match (self.numbers.below(5), self.buffered()) {
            (0, Some(id)) => StatementKind::Send(self.send(id)),
            (1, Some(id)) => StatementKind::Receive(self.receive(id)),
            (2, _) => StatementKind::Await(self.expr(2)),
            (3, _) => StatementKind::Fail(self.id(self.network.failures.len())),
            _ => {
                let (process, location) = self.process_location();
                if self.observers.get(process.index()) == Some(&true) {
                    return StatementKind::NoRoom;
                }
                StatementKind::Enter(process, location)
            }
        }
    }
    fn process_location(&mut self) -> (ProcessId, LocationId) {
        let process: ProcessId = self.id(self.locations.len());
        let limit = self.locations.get(process.index()).copied().unwrap_or(1);
        (process, self.id(limit))
    }
    fn assignment(&mut self) -> StatementKind {
        match self.target() {
            Some(place) => StatementKind::Assign(place, self.expr(3)),
            None => StatementKind::Assert(self.expr(1)),
        }
    }
    fn call_statement(&mut self) -> StatementKind {
        let limit = self.scope.function.unwrap_or(self.network.functions.len());
        let only_locals = self.scope.only_locals && !self.odd();
        let callable = (0..limit).filter(|&f| self.pure[f] || !only_locals).collect::<Vec<_>>();
        if callable.is_empty() {
            return StatementKind::Assert(self.expr(1));
        }
        let id = FunctionId::new(*self.numbers.one(&callable));
        let parameters = self.network.functions[id].parameters.len();
        let with_result = self.network.functions[id].result.is_some() || self.odd();
        let place = if with_result && self.numbers.chance(60) { self.target() } else { None };
        let arguments = self.exprs(parameters, 2);
        StatementKind::Call(place, id, arguments)
    }
    /// A place that may be assigned.
    fn target(&mut self) -> Option<Place> {
        let odd = self.odd();
        let mut bases = Vec::new();
        for (i, &binder) in self.scope.binders.iter().enumerate() {
            if !binder || odd {
                bases.push(Base::Local(LocalId::new(i)));
            }
        }
        for (id, variable) in self.network.variables.enumerate() {
            if odd || (variable.storage != Storage::Constant && !self.scope.only_locals) {
                bases.push(Base::Variable(id));
            }
        }
        if bases.is_empty() {
            return None;
        }
        let base = *self.numbers.one(&bases);
        Some(self.place(base))
    }
    fn place(&mut self, base: Base) -> Place {
        let dimensions = match base {
            Base::Variable(id) => self.network.variables.try_at(id).map(|v| v.dimensions.len()),
            Base::Local(id) => self.scope.locals.get(id.index()).map(|l| l.sizes.len()),
        };
        self.indexing += 1;
        let indices = self.exprs(dimensions.unwrap_or(0), 1);
        self.indexing -= 1;
        Place { base, indices }
    }

    // ---- expressions ----

    fn exprs(&mut self, count: usize, depth: usize) -> Vec<Expr> {
        let count = self.length(count);
        (0..count).map(|_| self.expr(depth)).collect()
    }
    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let next = depth - 1;
        match self.numbers.below(13) {
            12 => self.question(next),
            0..=4 => {
                let op = *self.numbers.one(&BINARY);
                Expr::binary(op, self.expr(next), self.expr(next))
            }
            5 => Expr::unary(*self.numbers.one(&UNARY), self.expr(next)),
            6 => {
                let [a, b, c] = [(); 3].map(|()| Box::new(self.expr(next)));
                Expr::Conditional(a, b, c)
            }
            7 => self.quantified(next),
            8 => self.call(next),
            9 if self.has_clocks() && (self.scope.in_property || self.odd()) => {
                Expr::Clock(Box::new(self.constraint()))
            }
            _ => self.leaf(),
        }
    }
    fn question(&mut self, depth: usize) -> Expr {
        let Some(id) = self.buffered().filter(|_| depth > 0) else { return self.leaf() };
        let channel = self.channel_ref(id);
        if self.numbers.chance(50) {
            let probe = *self.numbers.one(&[Probe::Length, Probe::Full, Probe::Empty]);
            return Expr::Probe(probe, Box::new(channel));
        }
        let (fields, _) = self.fields(id);
        let message = (0..fields).map(|_| self.question_pattern(depth - 1)).collect();
        Expr::Poll(Box::new(Poll { channel, message, anywhere: self.numbers.chance(50) }))
    }
    fn question_pattern(&mut self, depth: usize) -> Pattern {
        if self.odd() {
            return self.pattern();
        }
        if self.numbers.chance(50) { Pattern::Any } else { Pattern::Equal(self.expr(depth)) }
    }
    fn leaf(&mut self) -> Expr {
        if self.indexing > 2 {
            return Expr::Const(self.numbers.between(-9, 9));
        }
        match self.numbers.below(6) {
            0 => Expr::Const(*self.numbers.one(&[0, 1, -1, 7, -300, i32::MIN, i32::MAX])),
            1 => {
                let (process, location) = self.process_location();
                Expr::At(process, location)
            }
            2 if self.scope.in_guard => Expr::Timeout,
            2 if self.scope.in_property || self.odd() => Expr::Deadlock,
            3 => {
                let id = self.id(self.network.variables.len());
                Expr::Read(self.place(Base::Variable(id)))
            }
            _ => self.local_read(),
        }
    }
    fn local_read(&mut self) -> Expr {
        let odd = self.odd();
        let readable = |i: usize| odd || !self.scope.binders[i] || self.scope.active[i];
        let readable = (0..self.scope.locals.len()).filter(|&i| readable(i)).collect::<Vec<_>>();
        if readable.is_empty() {
            return Expr::Const(self.numbers.between(-9, 9));
        }
        let id = LocalId::new(*self.numbers.one(&readable));
        Expr::Read(self.place(Base::Local(id)))
    }
    fn quantified(&mut self, depth: usize) -> Expr {
        let quantifiers = [Quantifier::ForAll, Quantifier::Exists, Quantifier::Sum];
        let quantifier = *self.numbers.one(&quantifiers);
        let count = self.scope.locals.len();
        let free = |i: &usize| self.scope.binders[*i] && !self.scope.active[*i];
        let reusable = (0..count).find(free).filter(|_| self.numbers.chance(30));
        let binder = reusable.map_or_else(|| self.local(true), LocalId::new);
        self.scope.binders[binder.index()] = true;
        self.scope.active[binder.index()] = true;
        let operand = self.expr(depth);
        self.scope.active[binder.index()] = false;
        Expr::Quantified(quantifier, binder, Box::new(operand))
    }
    fn call(&mut self, depth: usize) -> Expr {
        let limit = self.scope.function.unwrap_or(self.network.functions.len());
        let odd = self.odd();
        let suits =
            |f: usize| self.pure[f] && self.network.functions[FunctionId::new(f)].result.is_some();
        let callable = (0..limit).filter(|&f| odd || suits(f)).collect::<Vec<_>>();
        if callable.is_empty() {
            return self.leaf();
        }
        let id = FunctionId::new(*self.numbers.one(&callable));
        let parameters = self.network.functions[id].parameters.len();
        Expr::Call(id, self.exprs(parameters, depth.min(2)))
    }
}

/// Takes from a location what an observer must not have.
fn only_be(location: &mut Location) {
    location.kind = LocationKind::Normal;
    location.invariant = Condition::always();
    location.rates.clear();
    location.locals = Arena::new();
}

/// Takes from an edge what an observer must not do.
fn only_look(edge: &mut Edge) {
    edge.selects.clear();
    edge.guard = Condition::always();
    edge.action = Action::Internal;
    edge.keeps_control = false;
    let kind = StatementKind::Assert(Expr::Const(1));
    edge.update = vec![Statement { kind, span: Span::NONE }];
    edge.locals = Arena::new();
}
