//! Channels with messages, and what edges do with them.

use network::{
    Action, Base, BinaryOp, Channel, ChannelId, ChannelKind, ChannelRef, Dimension, Expr, LocalId,
    Overflow, Pattern, Place, Poll, Probe, Receive, Send, Span, Statement, StatementKind, Type,
    UnaryOp,
};

use super::Builder;
use super::edges::{Locals, binary, local, statement};

impl Builder {
    pub(super) fn message_channels(&mut self) {
        if !self.options.buffers {
            return;
        }
        let least = if self.options.private { 3 } else { 1 };
        for number in 0..self.numbers.between(least, least + 1) {
            let size = if self.numbers.chance(15) { 2 } else { 1 };
            let capacity = *self.numbers.pick(&[0, 1, 1, 2, 2]).unwrap_or(&1);
            let fields = (0..self.numbers.between(1, 2)).map(|_| self.field()).collect();
            let priority = match self.options.priorities && self.numbers.chance(40) {
                true => self.numbers.between(-1, 2),
                false => 0,
            };
            let id = self.network.channels.push(Channel {
                name: format!("q{number}"),
                dimensions: vec![Dimension { size: size as u32, first: 0, scalar: None }; size - 1],
                kind: ChannelKind::Buffered { capacity, fields },
                urgent: self.numbers.chance(10),
                priorities: vec![priority; size],
                span: Span::NONE,
            });
            self.carriers.push(id);
        }
    }

    fn field(&mut self) -> Type {
        match self.numbers.between(0, 3) {
            0 => Type { overflow: Overflow::Wrap, ..Type::range(0, 1) },
            1 => Type::range(-1, 1),
            _ => Type::range(0, self.numbers.between(1, 2)),
        }
    }

    fn fields(&self, id: ChannelId) -> Vec<Type> {
        match &self.network.channels[id].kind {
            ChannelKind::Buffered { fields, .. } => fields.clone(),
            ChannelKind::Handshake | ChannelKind::Broadcast => Vec::new(),
        }
    }

    fn carrier(&mut self) -> ChannelId {
        let some = self.numbers.below(self.carriers.len());
        self.carriers[some]
    }

    /// A way to write the channel or one of its elements; sometimes another with such messages, or
    /// with messages of any length.
    fn reference(
        &mut self,
        id: ChannelId,
        any_length: bool,
        selects: &[LocalId],
        locals: &Locals,
    ) -> ChannelRef {
        let size = self.network.channels[id].len() as i32;
        if size > 1 {
            return ChannelRef::Element(id, vec![self.index(size, selects, locals)]);
        }
        if !self.numbers.chance(15) {
            return ChannelRef::Element(id, Vec::new());
        }
        let other = self.carrier();
        let alike = any_length || self.fields(id).len() == self.fields(other).len();
        let own = Expr::Const(self.channel_number(id));
        if self.options.out_of_range && self.numbers.chance(20) {
            let none = Box::new(Expr::Const(0));
            let condition = Box::new(self.data_condition(selects));
            return ChannelRef::Value(Expr::Conditional(condition, Box::new(own), none));
        }
        if !alike || other == id {
            return ChannelRef::Value(own);
        }
        let other = Box::new(Expr::Const(self.channel_number(other)));
        let condition = Box::new(self.data_condition(selects));
        ChannelRef::Value(Expr::Conditional(condition, Box::new(own), other))
    }

    /// A value of the type.
    fn value_of(&mut self, ty: Type, selects: &[LocalId], locals: &Locals) -> Expr {
        let fits = |other: Type| ty.low <= other.low && other.high <= ty.high;
        let wraps = ty.overflow == Overflow::Wrap || self.options.out_of_range;
        let variables: Vec<_> =
            self.integers.iter().copied().filter(|&v| wraps || fits(self.ty(v))).collect();
        let select = selects.iter().find(|&&select| wraps || fits(locals[select].ty));
        match (self.numbers.between(0, 3), select, self.numbers.pick(&variables)) {
            (0, Some(&select), _) => Expr::local(select),
            (0 | 1, _, Some(&variable)) => Expr::variable(variable),
            _ => Expr::Const(self.numbers.between(ty.low, ty.high)),
        }
    }

    pub(super) fn message_action(&mut self, selects: &[LocalId], locals: &mut Locals) -> Action {
        let id = self.carrier();
        match self.sends_next(id) {
            true => Action::Send(self.send(id, selects, locals)),
            false => Action::Receive(self.receive(id, selects, locals)),
        }
    }

    /// A send; through a channel value to wherever it leads, so its fields must fit everywhere.
    fn send(&mut self, id: ChannelId, selects: &[LocalId], locals: &Locals) -> Send {
        let channel = self.reference(id, true, selects, locals);
        let fields = self.fields(id);
        let message = match channel {
            // 0 and 1 are values of every field.
            ChannelRef::Value(_) => fields.iter().map(|_| self.bit()).collect(),
            _ => fields.iter().map(|&ty| self.value_of(ty, selects, locals)).collect(),
        };
        Send { channel, message, sorted: self.numbers.chance(25), span: Span::NONE }
    }
    fn bit(&mut self) -> Expr {
        Expr::Const(self.numbers.between(0, 1))
    }

    fn receive(&mut self, id: ChannelId, selects: &[LocalId], locals: &mut Locals) -> Receive {
        let channel = self.reference(id, true, selects, locals);
        let exact = matches!(channel, ChannelRef::Element(..));
        let fields = self.fields(id);
        let message = fields.iter().map(|&ty| self.pattern(ty, exact, selects, locals)).collect();
        let (anywhere, keep) = (self.numbers.chance(25), self.numbers.chance(15));
        Receive { channel, message, anywhere, keep, span: Span::NONE }
    }

    /// What a field must look like; where the channel is not known, nothing is stored.
    fn pattern(
        &mut self,
        ty: Type,
        exact: bool,
        selects: &[LocalId],
        locals: &mut Locals,
    ) -> Pattern {
        match self.numbers.between(0, 9) {
            0..=2 => Pattern::Equal(self.value_of(ty, selects, locals)),
            3 if exact => Pattern::Store(Place::local(locals.push(local("m", ty)))),
            4..=7 if exact => self.stored(ty).map_or(Pattern::Any, Pattern::Store),
            _ => Pattern::Any,
        }
    }

    /// A place that holds every value of the type.
    fn stored(&mut self, ty: Type) -> Option<Place> {
        let risky = self.options.out_of_range;
        let holds = |other: Type| risky || (other.low <= ty.low && ty.high <= other.high);
        if let Some(array) = self.array
            && holds(self.ty(array))
            && self.numbers.chance(30)
        {
            let size = self.network.variables[array].len() as i32;
            let indices = vec![self.index(size, &[], &Locals::new())];
            return Some(Place { base: Base::Variable(array), indices });
        }
        let variables: Vec<_> =
            self.integers.iter().copied().filter(|&v| holds(self.ty(v))).collect();
        self.numbers.pick(&variables).map(|&variable| Place::variable(variable))
    }

    // ---- questions ----

    pub(super) fn length(&self, id: ChannelId) -> Expr {
        let indices = vec![Expr::Const(0); self.network.channels[id].dimensions.len()];
        Expr::Probe(Probe::Length, Box::new(ChannelRef::Element(id, indices)))
    }

    /// A condition on what waits in a channel.
    pub(super) fn question(&mut self, selects: &[LocalId], locals: &mut Locals) -> Expr {
        let id = self.carrier();
        let channel = self.reference(id, false, selects, locals);
        let asked = match self.numbers.between(0, 4) {
            0 => {
                let length = Expr::Probe(Probe::Length, Box::new(channel));
                return binary(BinaryOp::Ge, length, self.numbers.between(0, 2));
            }
            1 => Expr::Probe(Probe::Full, Box::new(channel)),
            2 => Expr::Probe(Probe::Empty, Box::new(channel)),
            _ => {
                let fields = self.fields(id);
                let message =
                    fields.iter().map(|&ty| self.pattern(ty, false, selects, locals)).collect();
                let anywhere = self.numbers.chance(40);
                Expr::Poll(Box::new(Poll { channel, message, anywhere }))
            }
        };
        if self.numbers.chance(30) { Expr::unary(UnaryOp::Not, asked) } else { asked }
    }

    // ---- statements ----

    /// Uses what was received, and sometimes sends or receives in the middle of the update.
    pub(super) fn message_statements(
        &mut self,
        action: &Action,
        selects: &[LocalId],
        locals: &Locals,
        update: &mut Vec<Statement>,
    ) {
        if let Action::Receive(receive) = action {
            for pattern in &receive.message {
                if let Pattern::Store(Place { base: Base::Local(id), .. }) = pattern
                    && let Some(place) = self.stored(locals[*id].ty)
                {
                    update.push(statement(StatementKind::Assign(place, Expr::local(*id))));
                }
            }
        }
        if self.numbers.chance(15) {
            update.extend(self.exchange(selects, locals));
        }
    }

    /// A send or receive on a buffer that is asked first, mostly.
    fn exchange(&mut self, selects: &[LocalId], locals: &Locals) -> Option<Statement> {
        let id = self.carrier();
        let channel = &self.network.channels[id];
        if matches!(channel.kind, ChannelKind::Buffered { capacity: 0, .. }) {
            return None;
        }
        let channel = ChannelRef::Element(id, vec![Expr::Const(0); channel.dimensions.len()]);
        let (asked, kind) = match self.numbers.chance(50) {
            true => self.send_statement(id, channel, selects, locals),
            false => self.receive_statement(id, channel, selects, locals),
        };
        if self.options.out_of_range && self.numbers.chance(30) {
            return Some(statement(kind));
        }
        Some(statement(StatementKind::If(asked, vec![statement(kind)], Vec::new())))
    }

    /// Whether there is room, and the statement.
    fn send_statement(
        &mut self,
        id: ChannelId,
        channel: ChannelRef,
        selects: &[LocalId],
        locals: &Locals,
    ) -> (Expr, StatementKind) {
        let fields = self.fields(id);
        let message = fields.iter().map(|&ty| self.value_of(ty, selects, locals)).collect();
        let full = Expr::Probe(Probe::Full, Box::new(channel.clone()));
        let sorted = self.numbers.chance(25);
        let send = Send { channel, message, sorted, span: Span::NONE };
        (Expr::unary(UnaryOp::Not, full), StatementKind::Send(send))
    }

    /// Whether there is a message that fits, and the statement.
    fn receive_statement(
        &mut self,
        id: ChannelId,
        channel: ChannelRef,
        selects: &[LocalId],
        locals: &Locals,
    ) -> (Expr, StatementKind) {
        let anywhere = self.numbers.chance(25);
        let (mut asked, mut message) = (Vec::new(), Vec::new());
        for ty in self.fields(id) {
            if self.numbers.chance(40) {
                let equal = Pattern::Equal(self.value_of(ty, selects, locals));
                asked.push(equal.clone());
                message.push(equal);
            } else {
                asked.push(Pattern::Any);
                message.push(self.stored(ty).map_or(Pattern::Any, Pattern::Store));
            }
        }
        let poll = Poll { channel: channel.clone(), message: asked, anywhere };
        let keep = self.numbers.chance(15);
        let receive = Receive { channel, message, anywhere, keep, span: Span::NONE };
        (Expr::Poll(Box::new(poll)), StatementKind::Receive(receive))
    }
}
