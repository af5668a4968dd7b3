//! What expressions and statements touch: variables, locations, clocks, buffers, and processes that they
//! start or end; arrays by element where the index is a constant.

use network::{
    Action, Base, ChannelId, ChannelRef, ClockConstraint, ClockId, ClockRef, Condition, Dimension,
    Expr, FunctionId, Id, LocationId, Network, Pattern, Place, ProcessId, Receive, Send, Statement,
    StatementKind, VariableId,
};

/// One thing that an expression or statement touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Touch {
    /// The value of a variable's elements is read.
    Read(VariableId, Elements),
    /// One of a variable's elements may be assigned.
    Write(VariableId, Elements),
    /// Something depends on whether a process is at a location.
    Name(ProcessId, LocationId),
    /// A process may be put at a location.
    Enter(ProcessId, LocationId),
    /// A clock is compared with something.
    Compare(ClockId, Elements),
    /// A clock may be set.
    Set(ClockId, Elements),
    /// The channels, numbered over all of them, are looked into if they have buffers.
    Look(Elements),
    /// Their buffers may be changed.
    Change(Elements),
}

/// Elements of an array, numbered from 0; of what is not an array, the only one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Elements {
    /// The first.
    pub first: u32,
    /// The one after the last.
    pub end: u32,
}

/// The element that indices mean, or all of them if these are not constants.
pub fn element(dimensions: &[Dimension], indices: &[Expr]) -> Elements {
    let mut at = 0;
    let mut is_known = dimensions.len() == indices.len();
    for (dimension, index) in dimensions.iter().zip(indices) {
        match index {
            Expr::Const(value) if (0..i64::from(dimension.size)).contains(&i64::from(*value)) => {
                at = at * dimension.size + *value as u32;
            }
            _ => is_known = false,
        }
    }
    match is_known {
        true => Elements { first: at, end: at + 1 },
        false => Elements { first: 0, end: dimensions.iter().map(|it| it.size).product() },
    }
}

/// Finds what parts of a network touch.
pub struct Touches<'a> {
    network: &'a Network,
    /// The number of each channel's first element, and of all elements.
    channels: Vec<u32>,
    /// What every function touches, through the functions that it calls too.
    functions: Vec<Vec<Touch>>,
}

impl<'a> Touches<'a> {
    /// Knows what functions touch: they call only functions before them, so one pass does.
    pub fn of(network: &'a Network) -> Self {
        let mut channels = vec![0];
        for channel in &network.channels {
            channels.push(channels[channels.len() - 1] + channel.len() as u32);
        }
        let mut touches = Touches { network, channels, functions: Vec::new() };
        for function in &network.functions {
            let mut found = Vec::new();
            touches.statements(&function.body, &mut |touch| found.push(touch));
            found.sort_unstable();
            found.dedup();
            touches.functions.push(found);
        }
        touches
    }

    /// What a function touches, each thing once.
    pub fn by_function(&self, function: FunctionId) -> &[Touch] {
        self.functions.get(function.index()).map_or(&[], Vec::as_slice)
    }

    /// The elements that a channel may be, numbered over all channels.
    pub fn channel(&self, channel: &ChannelRef) -> Elements {
        let all = self.channels[self.channels.len() - 1];
        match channel {
            ChannelRef::Element(id, indices) => self.channel_element(*id, indices),
            // Channel values are numbered from 1.
            ChannelRef::Value(Expr::Const(value)) => {
                let end = u32::try_from(*value).map_or(0, |value| value.min(all));
                Elements { first: end.saturating_sub(1), end }
            }
            ChannelRef::Value(_) => Elements { first: 0, end: all },
        }
    }

    /// The channels that some elements, numbered over all channels, belong to.
    pub fn channels(&self, elements: Elements) -> Vec<ChannelId> {
        let is_meant = |id: &ChannelId| {
            let (first, end) = (self.channels[id.index()], self.channels[id.index() + 1]);
            first < elements.end && elements.first < end
        };
        self.network.channels.ids().filter(is_meant).collect()
    }

    fn channel_element(&self, id: ChannelId, indices: &[Expr]) -> Elements {
        let first = self.channels[id.index()];
        let own = element(&self.network.channels[id].dimensions, indices);
        Elements { first: first + own.first, end: first + own.end }
    }

    /// Everything in an expression.
    pub fn expr(&self, expr: &Expr, visit: &mut dyn FnMut(Touch)) {
        expr.walk(&mut |part| match part {
            Expr::Read(place) => self.place(place, Touch::Read, visit),
            Expr::At(process, location) => visit(Touch::Name(*process, *location)),
            Expr::Call(function, _) => self.by_function(*function).iter().for_each(|&t| visit(t)),
            // Its expressions are children.
            Expr::Clock(constraint) => self.clocks(constraint, visit),
            Expr::Probe(_, channel) => visit(Touch::Look(self.channel(channel))),
            Expr::Poll(poll) => visit(Touch::Look(self.channel(&poll.channel))),
            _ => {}
        });
    }

    /// Everything in several expressions.
    pub fn exprs<'e>(
        &self,
        exprs: impl IntoIterator<Item = &'e Expr>,
        visit: &mut dyn FnMut(Touch),
    ) {
        exprs.into_iter().for_each(|expr| self.expr(expr, visit));
    }

    /// Everything in a condition.
    pub fn condition(&self, condition: &Condition, visit: &mut dyn FnMut(Touch)) {
        self.expr(&condition.data, visit);
        for constraint in &condition.clocks {
            self.exprs(constraint.expressions(), visit);
            self.clocks(constraint, visit);
        }
    }

    fn clocks(&self, constraint: &ClockConstraint, visit: &mut dyn FnMut(Touch)) {
        for clock in std::iter::once(&constraint.left).chain(&constraint.right) {
            visit(Touch::Compare(clock.clock, self.clock(clock)));
        }
    }

    fn clock(&self, clock: &ClockRef) -> Elements {
        element(&self.network.clocks[clock.clock].dimensions, &clock.indices)
    }

    /// Everything in an action; what a receive stores is written.
    pub fn action(&self, action: &Action, visit: &mut dyn FnMut(Touch)) {
        let channel = action.channel().map_or(&[][..], ChannelRef::expressions);
        self.exprs(channel, visit);
        match action {
            Action::Internal => {}
            Action::Send(send) => {
                self.exprs(&send.message, visit);
                self.send(send, visit);
            }
            Action::Receive(receive) => {
                self.exprs(receive.message.iter().flat_map(Pattern::expressions), visit);
                self.receive(receive, visit);
            }
        }
    }

    /// Everything in statements and those below them.
    pub fn statements(&self, statements: &[Statement], visit: &mut dyn FnMut(Touch)) {
        for statement in statements {
            statement.walk(&mut |part| self.statement(part, visit));
        }
    }

    /// What stands in a statement itself.
    pub fn statement(&self, statement: &Statement, visit: &mut dyn FnMut(Touch)) {
        self.exprs(statement.expressions(), visit);
        match &statement.kind {
            StatementKind::Assign(place, _) => self.place(place, Touch::Write, visit),
            StatementKind::Reset(clock, _) => visit(Touch::Set(clock.clock, self.clock(clock))),
            StatementKind::Call(place, function, _) => {
                self.by_function(*function).iter().for_each(|&touch| visit(touch));
                place.iter().for_each(|place| self.place(place, Touch::Write, visit));
            }
            StatementKind::Send(send) => self.send(send, visit),
            StatementKind::Receive(receive) => self.receive(receive, visit),
            StatementKind::Enter(process, location) => visit(Touch::Enter(*process, *location)),
            _ => {}
        }
    }

    fn send(&self, send: &Send, visit: &mut dyn FnMut(Touch)) {
        self.exchange(&send.channel, visit);
    }

    fn receive(&self, receive: &Receive, visit: &mut dyn FnMut(Touch)) {
        self.exchange(&receive.channel, visit);
        for pattern in &receive.message {
            if let Pattern::Store(place) = pattern {
                self.place(place, Touch::Write, visit);
            }
        }
    }

    /// Whoever puts a message into a buffer, or takes one out, looks at it and changes it.
    fn exchange(&self, channel: &ChannelRef, visit: &mut dyn FnMut(Touch)) {
        let elements = self.channel(channel);
        visit(Touch::Look(elements));
        visit(Touch::Change(elements));
    }

    /// Locals belong to whoever runs.
    fn place(
        &self,
        place: &Place,
        touch: fn(VariableId, Elements) -> Touch,
        visit: &mut dyn FnMut(Touch),
    ) {
        if let Base::Variable(id) = place.base {
            visit(touch(id, element(&self.network.variables[id].dimensions, &place.indices)));
        }
    }
}
