//! Messages: what waits in buffers, which message fits, what sends and receives do.

use network::{
    Action, ChannelKind, ChannelRef, Edge, ErrorKind, Move, Pattern, Poll, Probe, Receive, Send,
    Type,
};

use crate::evaluator::Evaluator;
use crate::frame::Frame;
use crate::offers::Role;
use crate::{Message, Simulator, State, Stop};

/// What each field must be equal to, if anything.
type Wanted = Vec<Option<i32>>;

/// The position of the message that a receive would find.
fn find(messages: &[Message], wanted: &Wanted, anywhere: bool) -> Option<usize> {
    let candidates = if anywhere { messages.len() } else { messages.len().min(1) };
    messages[..candidates].iter().position(|message| fits(message, wanted))
}

fn fits(message: &Message, wanted: &Wanted) -> bool {
    let field = |(value, wanted): (&i32, &Option<i32>)| wanted.is_none_or(|w| w == *value);
    message.len() == wanted.len() && message.iter().zip(wanted).all(field)
}

impl Evaluator<'_> {
    /// The messages in a channel element, given by its number.
    fn held(&self, number: usize) -> &[Message] {
        let (channel, element) = self.simulator.element(number);
        self.draft.buffer(channel, element)
    }

    pub fn probe(
        &mut self,
        probe: Probe,
        channel: &ChannelRef,
        frame: &mut Frame,
    ) -> Result<i32, Stop> {
        let number = self.channel(channel, self.span, frame)?;
        let (held, capacity) = (self.held(number).len(), self.simulator.capacity(number));
        Ok(match probe {
            Probe::Length => i32::try_from(held).unwrap_or(i32::MAX),
            Probe::Full => (held >= capacity).into(),
            Probe::Empty => (held == 0).into(),
        })
    }

    pub fn poll(&mut self, poll: &Poll, frame: &mut Frame) -> Result<i32, Stop> {
        let number = self.channel(&poll.channel, self.span, frame)?;
        // Where there is no message, nothing is compared with one.
        if self.held(number).is_empty() {
            return Ok(0);
        }
        let wanted = self.wanted(&poll.message, frame)?;
        Ok(find(self.held(number), &wanted, poll.anywhere).is_some().into())
    }

    fn wanted(&mut self, patterns: &[Pattern], frame: &mut Frame) -> Result<Wanted, Stop> {
        let mut wanted = Vec::new();
        for pattern in patterns {
            wanted.push(match pattern {
                Pattern::Equal(value) => Some(self.expr(value, frame)?),
                Pattern::Store(_) | Pattern::Any => None,
            });
        }
        Ok(wanted)
    }

    /// Puts a message into a buffer, which must have room.
    pub fn send(&mut self, send: &Send, frame: &mut Frame) -> Result<(), Stop> {
        let number = self.channel(&send.channel, send.span, frame)?;
        let mut values = Vec::new();
        for field in &send.message {
            values.push(self.expr(field, frame)?);
        }
        let mut messages = self.held(number).to_vec();
        if messages.len() >= self.simulator.capacity(number) {
            return self.error(ErrorKind::Blocked);
        }
        // The place is that of the message as it is sent, before its fields are cut.
        let greater = messages.iter().position(|other| send.sorted && *other > values);
        let message = self.fit_message(number, values)?;
        messages.insert(greater.unwrap_or(messages.len()), message);
        self.refill(number, messages)
    }

    /// Takes a message out of a buffer, in which one must fit, and stores its fields.
    pub fn receive(&mut self, receive: &Receive, frame: &mut Frame) -> Result<(), Stop> {
        let number = self.channel(&receive.channel, receive.span, frame)?;
        let wanted = self.wanted(&receive.message, frame)?;
        let mut messages = self.held(number).to_vec();
        let Some(position) = find(&messages, &wanted, receive.anywhere) else {
            return self.error(ErrorKind::Blocked);
        };
        let message = messages[position].clone();
        if !receive.keep {
            messages.remove(position);
            self.refill(number, messages)?;
        }
        self.store_fields(&receive.message, &message, frame)
    }

    fn refill(&mut self, number: usize, messages: Vec<Message>) -> Result<(), Stop> {
        self.check_writing()?;
        let (channel, element) = self.simulator.element(number);
        self.draft.fill(channel, element, messages);
        Ok(())
    }

    /// Stores the fields of a message from first to last.
    pub fn store_fields(
        &mut self,
        patterns: &[Pattern],
        message: &Message,
        frame: &mut Frame,
    ) -> Result<(), Stop> {
        for (pattern, &value) in patterns.iter().zip(message) {
            if let Pattern::Store(place) = pattern {
                self.store(place, value, frame)?;
            }
        }
        Ok(())
    }

    /// The message as the channel keeps it; a message of another length cannot be sent.
    fn fit_message(&self, number: usize, values: Message) -> Result<Message, Stop> {
        let types = self.simulator.fields(number);
        if types.len() != values.len() {
            return self.error(ErrorKind::Blocked);
        }
        values.into_iter().zip(types).map(|(value, &ty)| self.fit(value, ty)).collect()
    }
}

impl Simulator<'_> {
    /// The greatest number of messages in a channel element; 0 without a buffer.
    pub(crate) fn capacity(&self, number: usize) -> usize {
        match self.kind(number) {
            ChannelKind::Buffered { capacity, .. } => *capacity as usize,
            ChannelKind::Handshake | ChannelKind::Broadcast => 0,
        }
    }
    /// The types of the fields of a channel element's messages.
    fn fields(&self, number: usize) -> &[Type] {
        match self.kind(number) {
            ChannelKind::Buffered { fields, .. } => fields,
            ChannelKind::Handshake | ChannelKind::Broadcast => &[],
        }
    }
    /// Whether messages on a channel element have this length.
    pub(crate) fn takes(&self, number: usize, action: &Action) -> bool {
        self.fields(number).len() == action.width()
    }

    /// Whether there is room for what an edge sends to a buffer, or a message that fits what it
    /// receives from one; true for all other edges.
    pub(crate) fn is_buffer_ready(
        &self,
        state: &State,
        edge: &Edge,
        selects: &[i32],
        role: Role,
    ) -> Result<bool, Stop> {
        let held = |number| {
            let (channel, element) = self.element(number);
            state.buffer(channel, element)
        };
        Ok(match (role, &edge.action) {
            (Role::Put(number), _) => held(number).len() < self.capacity(number),
            (Role::Take(number), _) if held(number).is_empty() => false,
            (Role::Take(number), Action::Receive(receive)) => {
                let wanted = self.wanted(state, edge, selects)?;
                find(held(number), &wanted, receive.anywhere).is_some()
            }
            _ => true,
        })
    }

    /// What the fields that an edge receives must be.
    fn wanted(&self, state: &State, edge: &Edge, selects: &[i32]) -> Result<Wanted, Stop> {
        let Action::Receive(receive) = &edge.action else { return Ok(Vec::new()) };
        let mut evaluator = self.evaluator(state);
        evaluator.span = receive.span;
        evaluator.wanted(&receive.message, &mut Frame::of_edge(edge, selects))
    }

    /// The message that an edge sends, as its channel keeps it.
    fn message(
        &self,
        state: &State,
        edge: &Edge,
        selects: &[i32],
        number: usize,
    ) -> Result<Message, Stop> {
        let Action::Send(send) = &edge.action else { return Ok(Vec::new()) };
        let mut evaluator = self.evaluator(state);
        evaluator.span = send.span;
        let mut frame = Frame::of_edge(edge, selects);
        let values: Result<Message, Stop> =
            send.message.iter().map(|field| evaluator.expr(field, &mut frame)).collect();
        evaluator.fit_message(number, values?)
    }

    /// Whether the message of the sender fits the patterns of the receiver; always so on channels
    /// without messages.
    pub(crate) fn is_handed(
        &self,
        state: &State,
        sender: &Move,
        receiver: &Move,
        number: usize,
    ) -> Result<bool, Stop> {
        let message = self.message(state, self.edge_of(sender), &sender.selects, number)?;
        Ok(fits(&message, &self.wanted(state, self.edge_of(receiver), &receiver.selects)?))
    }

    /// The message that is handed over in a step on a channel element without a buffer.
    pub(crate) fn handed(
        &self,
        state: &State,
        moves: &[Move],
        roles: &[Role],
    ) -> Result<Option<Message>, Stop> {
        let ([sender, receiver], Some(&Role::Send(number))) = (moves, roles.first()) else {
            return Ok(None);
        };
        let message = self.message(state, self.edge_of(sender), &sender.selects, number)?;
        // Its errors count, even where the message alone would decide.
        self.wanted(state, self.edge_of(receiver), &receiver.selects)?;
        Ok(Some(message))
    }

    /// Demands that the message or the patterns of an edge raise no run-time error.
    pub(crate) fn try_message(
        &self,
        state: &State,
        edge: &Edge,
        selects: &[i32],
    ) -> Result<(), Stop> {
        let role = self.role(state, edge, selects)?;
        match role {
            Role::Send(number) => self.message(state, edge, selects, number).map(|_| ()),
            Role::Receive(_) => self.wanted(state, edge, selects).map(|_| ()),
            Role::Take(_) => self.is_buffer_ready(state, edge, selects, role).map(|_| ()),
            Role::Internal | Role::Put(_) => Ok(()),
        }
    }
}
