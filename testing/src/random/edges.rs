//! Edges and functions of random networks.

use network::{
    Action, Arena, BinaryOp, ChannelId, ChannelKind, ChannelRef, ClockConstraint, Condition, Edge,
    EdgeId, Expr, Function, Id, Local, LocalId, LocationId, Place, Quantifier, Receive, Relation,
    Send, Span, Statement, StatementKind, Type, UnaryOp, VariableId,
};

use super::{Builder, LARGEST};

pub(super) type Locals = Arena<LocalId, Local>;

pub(super) fn local(name: &str, ty: Type) -> Local {
    Local { name: name.to_string(), ty, sizes: Vec::new() }
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: i32) -> Expr {
    Expr::binary(op, left, Expr::Const(right))
}

pub(super) fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NONE }
}

impl Builder {
    /// A pure function and one with an effect, if there is a variable.
    pub(super) fn functions(&mut self) {
        let Some(&variable) = self.integers.first() else { return };
        let ty = self.ty(variable);
        self.next = Some(self.network.functions.push(next_value(ty)));
        self.bump = Some(self.network.functions.push(bump(variable, ty)));
    }

    /// Mostly a chain through the locations, with some edges across.
    pub(super) fn edges(&mut self, locations: i32) -> Arena<EdgeId, Edge> {
        let mut edges = Arena::new();
        for source in 0..locations - 1 {
            if self.numbers.chance(95) {
                edges.push(self.edge(source, source + 1));
            }
        }
        for _ in 0..self.numbers.between(1, 3) {
            let source = self.numbers.between(0, locations - 1);
            // Backwards more often than forwards: short cuts make short traces.
            let target = match self.numbers.chance(70) {
                true => self.numbers.between(0, source),
                false => self.numbers.between(0, locations - 1),
            };
            edges.push(self.edge(source, target));
        }
        edges
    }

    fn edge(&mut self, source: i32, target: i32) -> Edge {
        let mut locals = Arena::new();
        let mut selects = Vec::new();
        if self.numbers.chance(15) {
            let ty = Type::range(0, self.numbers.between(1, 2));
            selects.push(locals.push(local("s", ty)));
        }
        let action = match self.options.buffers && self.numbers.chance(40) {
            true => self.message_action(&selects, &mut locals),
            false if self.options.private && self.numbers.chance(60) => Action::Internal,
            false => self.action(&selects, &locals),
        };
        let guard = self.guard(&action, &mut locals, &selects);
        let mut update = self.update(&selects, &locals);
        if self.options.buffers {
            self.message_statements(&action, &selects, &locals, &mut update);
        }
        let (source, target) = (LocationId(source as u32), LocationId(target as u32));
        Edge {
            source,
            target,
            selects,
            guard,
            action,
            update,
            keeps_control: false,
            preference: 0,
            locals,
            span: Span::NONE,
        }
    }

    fn action(&mut self, selects: &[LocalId], locals: &Locals) -> Action {
        if self.numbers.chance(45) {
            return Action::Internal;
        }
        // Those with messages come last.
        let is_plain = |it: &&network::Channel| !matches!(it.kind, ChannelKind::Buffered { .. });
        let count = self.network.channels.iter().filter(is_plain).count();
        let id = ChannelId::new(self.numbers.below(count));
        let size = self.network.channels[id].len() as i32;
        let indices = match size {
            1 => Vec::new(),
            size => vec![self.index(size, selects, locals)],
        };
        let channel = match self.numbers.chance(8) && size == 1 {
            true => ChannelRef::Value(Expr::Const(self.channel_number(id))),
            false => ChannelRef::Element(id, indices),
        };
        if self.sends_next(id) {
            return Action::Send(Send {
                channel,
                message: Vec::new(),
                sorted: false,
                span: Span::NONE,
            });
        }
        Action::Receive(Receive {
            channel,
            message: Vec::new(),
            anywhere: false,
            keep: false,
            span: Span::NONE,
        })
    }

    /// Whether to send: mostly so if other processes receive more often than they send.
    pub(super) fn sends_next(&mut self, id: ChannelId) -> bool {
        let edges = self.network.processes.iter().flat_map(|process| &process.edges);
        let balance: i32 = edges
            .map(|edge| match &edge.action {
                Action::Send(Send { channel: ChannelRef::Element(c, _), .. }) if *c == id => 1,
                Action::Receive(Receive { channel: ChannelRef::Element(c, _), .. }) if *c == id => {
                    -1
                }
                _ => 0,
            })
            .sum();
        let even = match self.network.channels[id].kind {
            ChannelKind::Broadcast => 35,
            ChannelKind::Handshake => 45,
            // A buffer must be filled before anything else can happen.
            ChannelKind::Buffered { .. } => 60,
        };
        self.numbers.chance((even - 35 * balance.clamp(-1, 1)) as u32)
    }

    /// The value that stands for a channel's first element.
    pub(super) fn channel_number(&self, id: ChannelId) -> i32 {
        let before = self.network.channels.iter().take(id.index());
        1 + before.map(|channel| channel.len() as i32).sum::<i32>()
    }

    /// An index that is never out of bounds.
    pub(super) fn index(&mut self, size: i32, selects: &[LocalId], locals: &Locals) -> Expr {
        if self.options.constant_indices {
            return Expr::Const(self.numbers.between(0, size - 1));
        }
        let select = selects.iter().find(|&&select| locals[select].ty.high < size);
        if let Some(&select) = select
            && self.numbers.chance(70)
        {
            return Expr::local(select);
        }
        let natural: Vec<VariableId> =
            self.integers.iter().copied().filter(|&v| self.ty(v).low >= 0).collect();
        if let Some(&variable) = self.numbers.pick(&natural)
            && self.numbers.chance(40)
        {
            return binary(BinaryOp::Rem, Expr::variable(variable), size);
        }
        Expr::Const(self.numbers.between(0, size - 1))
    }

    fn guard(&mut self, action: &Action, locals: &mut Locals, selects: &[LocalId]) -> Condition {
        let mut condition = Condition::always();
        if self.numbers.chance(25) {
            condition.data = match self.array {
                Some(array) if self.numbers.chance(25) => self.quantified(array, locals),
                _ => self.data_condition(selects),
            };
        }
        if self.options.buffers && self.numbers.chance(15) {
            let probe = self.question(selects, locals);
            condition.data = condition.data.and(probe);
        }
        let may_be_negated = self.is_negated(action);
        let percent = if may_be_negated { 30 } else { 40 };
        if (!may_be_negated || self.options.negated) && self.numbers.chance(percent) {
            if self.options.strict && self.numbers.chance(20) {
                condition.clocks.extend(self.window());
                return condition;
            }
            let count = if self.numbers.chance(25) { 2 } else { 1 };
            for _ in 0..count {
                condition.clocks.extend(self.constraint());
            }
        }
        condition
    }

    /// Whether it matters that the guard of an edge with the action does not hold.
    fn is_negated(&self, action: &Action) -> bool {
        let options = &self.options;
        if options.control || options.preferences || options.timeouts {
            return true;
        }
        let channel = match action.channel() {
            None => return false,
            Some(ChannelRef::Element(id, _)) => *id,
            // Rare; whatever the channel is.
            Some(ChannelRef::Value(_)) => return true,
        };
        let channel = &self.network.channels[channel];
        let receives = matches!(action, Action::Receive(_));
        channel.urgent || (receives && channel.kind == ChannelKind::Broadcast)
    }

    /// `c < x && x < c + 1`: true between whole units of time only.
    fn window(&mut self) -> Vec<ClockConstraint> {
        let Some(left) = self.clock() else { return Vec::new() };
        let low = self.numbers.between(0, 2);
        let side = |relation, bound| ClockConstraint {
            when: None,
            left: left.clone(),
            right: None,
            relation,
            bound: Expr::Const(bound),
        };
        vec![side(Relation::Gt, low), side(Relation::Lt, low + 1)]
    }

    pub(super) fn constraint(&mut self) -> Option<ClockConstraint> {
        let left = self.clock()?;
        let right = match self.options.diagonals && self.numbers.chance(25) {
            true => self.clock().filter(|right| *right != left),
            false => None,
        };
        let relation = match self.numbers.between(0, 9) {
            0 | 1 if self.options.strict => Relation::Gt,
            5 | 6 if self.options.strict => Relation::Lt,
            0..=5 => Relation::Ge,
            7 => Relation::Eq,
            _ => Relation::Le,
        };
        let low = if right.is_some() { -2 } else { 0 };
        let bound = match self.numbers.pick(&self.integers).copied() {
            Some(variable) if self.numbers.chance(15) => Expr::variable(variable),
            _ => Expr::Const(self.numbers.between(low, LARGEST)),
        };
        let when = self.when();
        Some(ClockConstraint { when, left, right, relation, bound })
    }

    /// A condition on variables and selects.
    pub(super) fn data_condition(&mut self, selects: &[LocalId]) -> Expr {
        let first = self.comparison(selects).unwrap_or(Expr::TRUE);
        match self.numbers.between(0, 9) {
            0 => {
                let second = self.comparison(selects).unwrap_or(Expr::TRUE);
                Expr::binary(BinaryOp::Or, first, second)
            }
            1 => Expr::unary(UnaryOp::Not, first),
            _ => first,
        }
    }

    pub(super) fn quantified(&mut self, array: VariableId, locals: &mut Locals) -> Expr {
        if self.options.constant_indices {
            return self.data_condition(&[]);
        }
        let size = self.network.variables[array].len() as i32;
        let binder = locals.push(local("i", Type::range(0, size - 1)));
        let ty = self.ty(array);
        let element = Expr::Read(Place {
            base: network::Base::Variable(array),
            indices: vec![Expr::local(binder)],
        });
        let value = self.numbers.between(ty.low, ty.high);
        let quantifier =
            if self.numbers.chance(50) { Quantifier::ForAll } else { Quantifier::Exists };
        let operand = binary(BinaryOp::Eq, element, value);
        Expr::Quantified(quantifier, binder, Box::new(operand))
    }

    /// A comparison of a variable with a constant or a select.
    pub(super) fn comparison(&mut self, selects: &[LocalId]) -> Option<Expr> {
        let (value, ty) = self.value()?;
        let op = match self.numbers.between(0, 4) {
            0 => BinaryOp::Ne,
            1 => BinaryOp::Ge,
            2 => BinaryOp::Le,
            _ => BinaryOp::Eq,
        };
        if let Some(&select) = selects.first()
            && self.numbers.chance(50)
        {
            return Some(Expr::binary(op, value, Expr::local(select)));
        }
        Some(binary(op, value, self.numbers.between(ty.low, ty.high)))
    }

    /// A variable or an element of the array.
    fn value(&mut self) -> Option<(Expr, Type)> {
        let element = self.array.is_some() && (self.integers.is_empty() || self.numbers.chance(30));
        if let (Some(array), true) = (self.array, element) {
            let size = self.network.variables[array].len() as i32;
            let indices = vec![self.index(size, &[], &Arena::new())];
            let place = Place { base: network::Base::Variable(array), indices };
            return Some((Expr::Read(place), self.ty(array)));
        }
        let variable = *self.numbers.pick(&self.integers)?;
        Some((Expr::variable(variable), self.ty(variable)))
    }

    fn update(&mut self, selects: &[LocalId], locals: &Locals) -> Vec<Statement> {
        let mut update = Vec::new();
        if self.numbers.chance(50)
            && let Some(clock) = self.clock()
        {
            let value = if self.numbers.chance(75) { 0 } else { self.numbers.between(1, 2) };
            update.push(statement(StatementKind::Reset(clock, Expr::Const(value))));
        }
        for _ in 0..self.numbers.between(0, 2) {
            if let Some(kind) = self.assignment(selects, locals) {
                update.push(statement(kind));
            }
        }
        update
    }

    fn assignment(&mut self, selects: &[LocalId], locals: &Locals) -> Option<StatementKind> {
        if let Some(array) = self.array
            && self.numbers.chance(30)
        {
            let size = self.network.variables[array].len() as i32;
            let indices = vec![self.index(size, selects, locals)];
            let place = Place { base: network::Base::Variable(array), indices };
            let ty = self.ty(array);
            let value = Expr::Const(self.numbers.between(ty.low, ty.high));
            return Some(StatementKind::Assign(place, value));
        }
        let variable = *self.numbers.pick(&self.integers)?;
        let (place, ty) = (Place::variable(variable), self.ty(variable));
        let incremented = binary(BinaryOp::Add, Expr::variable(variable), 1);
        if self.options.out_of_range && self.numbers.chance(25) {
            return Some(StatementKind::Assign(place, incremented));
        }
        let select = selects.iter().find(|&&select| locals[select].ty.high <= ty.high);
        Some(match self.numbers.between(0, 9) {
            0..=3 => {
                let below = binary(BinaryOp::Lt, Expr::variable(variable), ty.high);
                let then = statement(StatementKind::Assign(place, incremented));
                StatementKind::If(below, vec![then], Vec::new())
            }
            4 | 5 if self.bump.is_some() => {
                let argument = Expr::Const(self.numbers.between(1, 2));
                StatementKind::Call(None, self.bump?, vec![argument])
            }
            6 if self.next.is_some() && self.integers.first() == Some(&variable) => {
                let call = Expr::Call(self.next?, vec![Expr::variable(variable)]);
                StatementKind::Assign(place, call)
            }
            7 if select.is_some() => StatementKind::Assign(place, Expr::local(*select?)),
            _ => {
                let value = self.numbers.between(ty.low, ty.high);
                StatementKind::Assign(place, Expr::Const(value))
            }
        })
    }
}

/// `next(p) { if (p < high) return p + 1; return low; }`
fn next_value(ty: Type) -> Function {
    let mut locals = Arena::new();
    let parameter = locals.push(local("p", ty));
    let read = || Expr::local(parameter);
    let more = statement(StatementKind::Return(Some(binary(BinaryOp::Add, read(), 1))));
    let condition = binary(BinaryOp::Lt, read(), ty.high);
    let body = vec![
        statement(StatementKind::If(condition, vec![more], Vec::new())),
        statement(StatementKind::Return(Some(Expr::Const(ty.low)))),
    ];
    Function {
        name: "next".to_string(),
        parameters: vec![parameter],
        locals,
        result: Some(ty),
        body,
        span: Span::NONE,
    }
}

/// `bump(n) { int i; while (i < n && v < high) { v = v + 1; i = i + 1; } }`
fn bump(variable: VariableId, ty: Type) -> Function {
    let mut locals = Arena::new();
    let count = locals.push(local("n", Type::range(0, 3)));
    let round = locals.push(local("i", Type::range(0, 3)));
    let add = |place: Place| {
        let more = binary(BinaryOp::Add, Expr::Read(place.clone()), 1);
        statement(StatementKind::Assign(place, more))
    };
    let wanted = Expr::binary(BinaryOp::Lt, Expr::local(round), Expr::local(count));
    let room = binary(BinaryOp::Lt, Expr::variable(variable), ty.high);
    let rounds = vec![add(Place::variable(variable)), add(Place::local(round))];
    Function {
        name: "bump".to_string(),
        parameters: vec![count],
        locals,
        result: None,
        body: vec![statement(StatementKind::While(wanted.and(room), rounds))],
        span: Span::NONE,
    }
}
