//! Where values go: from expressions to variables and messages, and from messages to variables.

use network::{
    Action, Arena, Base, Channel, ChannelId, ChannelKind, ChannelRef, Expr, Local, LocalId,
    Network, Pattern as Field, Place, Receive, Send, Statement, StatementKind, Type, VariableId,
};

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Variable(VariableId),
    /// A field of the messages of a channel, by its position.
    Field(ChannelId, usize),
}

/// Where it comes from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// An expression, with the locals of its owner.
    Value(&'a Arena<LocalId, Local>, &'a Expr),
    /// A message.
    Field(ChannelId, usize),
    /// The result of a function.
    Result(Type),
}

/// Calls `visit` for everything that is stored in variables or sent, whatever guards say.
pub fn each_flow<'a>(network: &'a Network, visit: &mut dyn FnMut(Target, Source<'a>)) {
    let mut flows = Flows { network, visit };
    for process in &network.processes {
        for edge in &process.edges {
            match &edge.action {
                Action::Internal => {}
                Action::Send(send) => flows.send(&edge.locals, send),
                Action::Receive(receive) => flows.receive(receive),
            }
            flows.statements(&edge.locals, &edge.update);
        }
    }
    for function in &network.functions {
        flows.statements(&function.locals, &function.body);
    }
}

struct Flows<'a, 'v> {
    network: &'a Network,
    visit: &'v mut dyn FnMut(Target, Source<'a>),
}

impl<'a> Flows<'a, '_> {
    fn statements(&mut self, locals: &'a Arena<LocalId, Local>, statements: &'a [Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(place, value) => {
                    self.store(place, Source::Value(locals, value));
                }
                StatementKind::Call(Some(place), function, _) => {
                    let result = self.network.functions[*function].result;
                    self.store(place, Source::Result(result.unwrap_or(Type::ANY)));
                }
                StatementKind::Send(send) => self.send(locals, send),
                StatementKind::Receive(receive) => self.receive(receive),
                StatementKind::If(_, then, otherwise) => {
                    self.statements(locals, then);
                    self.statements(locals, otherwise);
                }
                StatementKind::While(_, body) => self.statements(locals, body),
                _ => {}
            }
        }
    }

    fn store(&mut self, place: &Place, source: Source<'a>) {
        if let Base::Variable(id) = place.base {
            (self.visit)(Target::Variable(id), source);
        }
    }

    fn send(&mut self, locals: &'a Arena<LocalId, Local>, send: &'a Send) {
        for (position, field) in send.message.iter().enumerate() {
            for channel in self.candidates(&send.channel, position) {
                (self.visit)(Target::Field(channel, position), Source::Value(locals, field));
            }
        }
    }

    fn receive(&mut self, receive: &Receive) {
        for (position, field) in receive.message.iter().enumerate() {
            let Field::Store(place) = field else { continue };
            for channel in self.candidates(&receive.channel, position) {
                self.store(place, Source::Field(channel, position));
            }
        }
    }

    /// The channels that may be meant, if they have such a field.
    fn candidates(&self, channel: &ChannelRef, position: usize) -> Vec<ChannelId> {
        let channels = &self.network.channels;
        let is_meant = |id: &ChannelId| match channel {
            ChannelRef::Element(meant, _) => meant == id,
            ChannelRef::Value(_) => true,
        };
        let fits = |id: &ChannelId| position < fields(&channels[*id]).len();
        channels.ids().filter(is_meant).filter(fits).collect()
    }
}

/// The types of the fields of a channel's messages.
pub fn fields(channel: &Channel) -> &[Type] {
    match &channel.kind {
        ChannelKind::Buffered { fields, .. } => fields,
        ChannelKind::Handshake | ChannelKind::Broadcast => &[],
    }
}
