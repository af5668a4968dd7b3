//! Edges, locations and channels ready to be executed.

use crate::condition::{Compiler, Constraint, Test, Value};
use crate::machine::fit;
use crate::program::{Entry, place_slot, sizes};
use crate::step::{EdgeNumber, ElementNumber};
use network::{
    Action, Arena, ChannelKind, ChannelRef, Edge, EdgeId, Expr, Id, Location, LocationKind,
    MAX_CLOCK_BOUND, Pattern, Place, Poll, Probe, Process, ProcessId, Receive, Span, Statement,
    StatementKind, UnaryOp, cancellation,
};

/// An edge ready to be executed.
#[derive(Debug)]
pub struct EdgeCode {
    /// Its process.
    pub process: ProcessId,
    /// Its id within the process.
    pub edge: EdgeId,
    /// The location it leads to.
    pub target: i32,
    /// Whether its guard says all about when it can fire: it is internal, without selects.
    pub is_plain: bool,
    /// The locals bound by select: slot, least and greatest value.
    pub selects: Vec<(u32, i32, i32)>,
    /// The data part of the guard.
    pub guard: Test,
    /// The clock part of the guard.
    pub clocks: Vec<Constraint>,
    /// What it does with other processes.
    pub sync: Sync,
    /// What goes over when it meets another process.
    pub meeting: Meeting,
    /// What it changes.
    pub update: Update,
    /// The channel element whose buffer it acts on.
    pub buffer: Option<Value>,
    /// Whether the process keeps control afterwards.
    pub keeps_control: bool,
    /// Edges of the same location with a lower preference wait for this one.
    pub preference: i32,
}

/// What goes over when two processes meet.
#[derive(Debug, Default)]
pub struct Meeting {
    /// The fields that a sender sends.
    pub message: Vec<Value>,
    /// For each field, what a receiver wants it to be; none if anything will do.
    pub patterns: Vec<Option<Value>>,
    /// Where a receiver puts fields.
    pub stores: Option<Stores>,
}

impl Meeting {
    /// How many fields the message has.
    pub fn width(&self) -> usize {
        self.message.len().max(self.patterns.len())
    }
}

/// Code, with a frame of some size, that stores fields of a message.
#[derive(Debug)]
pub struct Stores {
    /// Where it starts.
    pub entry: Entry,
    /// The number of words of its locals.
    pub frame: u32,
    /// The fields that it stores.
    pub fields: Vec<usize>,
}

/// What an edge does with other processes.
#[derive(Debug, Clone, Copy)]
pub enum Sync {
    /// Nothing.
    Internal,
    /// Sends on the channel element with this number.
    Send(Value),
    /// Receives from it.
    Receive(Value),
}

/// The effect of an edge; the common form needs no code.
#[derive(Debug)]
pub enum Update {
    /// Sets words of the state and clocks to constants.
    Constants {
        /// State words and their values.
        words: Vec<(u32, i32)>,
        /// Clocks and their values.
        resets: Vec<(u32, i32)>,
    },
    /// Runs code with a frame of this size.
    Code(Entry, u32),
}

/// A location ready to be executed.
#[derive(Debug)]
pub struct LocationCode {
    /// What it does to time and to other processes.
    pub kind: LocationKind,
    /// The data part of the invariant.
    pub invariant: Test,
    /// The clock part of the invariant.
    pub clocks: Vec<Constraint>,
    /// Clock rates: condition, clock, rate, place.
    pub rates: Vec<(Test, Value, Value, Span)>,
    /// The edges that leave it without synchronisation.
    pub internal: Vec<EdgeNumber>,
    /// The edges that leave it and send.
    pub sends: Vec<EdgeNumber>,
    /// Those among them whose channel is urgent and whose guard does not look at clocks.
    pub urgent_sends: Vec<EdgeNumber>,
    /// The edges that leave it and act on a buffer of an urgent channel, without clock guards.
    pub urgent_buffers: Vec<EdgeNumber>,
    /// The edges that leave it and receive.
    pub receives: Vec<EdgeNumber>,
    /// The preferences of its edges, highest first, if they differ.
    pub levels: Vec<i32>,
}

/// One element of a channel.
#[derive(Debug, Clone, Copy)]
pub struct ElementCode {
    /// Whether every process that can receive takes part.
    pub broadcast: bool,
    /// Whether time stands still while it can synchronise.
    pub urgent: bool,
    /// Its priority.
    pub priority: i32,
    /// Whether messages go through a buffer.
    pub buffered: bool,
    /// How many fields messages have.
    pub width: usize,
}

impl LocationCode {
    fn add(&mut self, number: EdgeNumber, code: &EdgeCode, urgent: bool) {
        match code.sync {
            Sync::Internal => self.internal.push(number),
            Sync::Send(_) => {
                self.sends.push(number);
                if urgent && code.clocks.is_empty() {
                    self.urgent_sends.push(number);
                }
            }
            Sync::Receive(_) => self.receives.push(number),
        }
    }

    /// Keeps the levels only if there are several.
    fn settle_levels(&mut self) {
        self.levels.sort_unstable_by(|a, b| b.cmp(a));
        self.levels.dedup();
        if self.levels.len() == 1 {
            self.levels.clear();
        }
    }
}

impl Compiler<'_> {
    /// The elements of all channels, numbered in declaration order.
    pub fn channel_elements(&self) -> Arena<ElementNumber, ElementCode> {
        let mut elements = Vec::new();
        for channel in &self.network.channels {
            let broadcast = channel.kind == ChannelKind::Broadcast;
            let (buffered, width) = match &channel.kind {
                ChannelKind::Buffered { capacity, fields } => (*capacity > 0, fields.len()),
                _ => (false, 0),
            };
            elements.extend(channel.priorities.iter().map(|&priority| ElementCode {
                broadcast,
                urgent: channel.urgent,
                priority,
                buffered,
                width,
            }));
        }
        elements.into_iter().collect()
    }

    /// The code of an edge as an action on a buffer: for others it is an internal edge.
    fn buffered_edge(&mut self, process: ProcessId, id: EdgeId, edge: &Edge) -> EdgeCode {
        let mut code = self.edge(process, id, edge);
        code.guard = self.buffered_guard(edge);
        let mut assembler = self.assembler(&edge.locals, edge.span);
        let frame = assembler.frame();
        let entry = assembler.buffered_update(&edge.selects, &edge.action, &edge.update);
        code.update = Update::Code(entry, frame);
        if let Sync::Send(element) | Sync::Receive(element) = code.sync {
            code.buffer = Some(element);
        }
        code.sync = Sync::Internal;
        code.is_plain = code.selects.is_empty();
        // The update deals with the message.
        code.meeting = Meeting::default();
        code
    }

    /// Whether the guard holds and the action on the buffer can be done.
    fn buffered_guard(&mut self, edge: &Edge) -> Test {
        let span = edge.guard.span;
        if let Some(ChannelRef::Element(..)) = edge.action.channel() {
            let ready = edge.guard.data.clone().and(ready(&edge.action));
            return self.test(&edge.locals, &ready, span);
        }
        let mut assembler = self.assembler(&edge.locals, span);
        let frame = assembler.frame();
        Test::Code(assembler.buffered_guard(&edge.guard.data, &edge.action), frame)
    }

    /// Whether the edge may act on a buffer, and whether it may meet another process.
    fn roles(&self, edge: &Edge) -> (bool, bool) {
        let buffered = |c: &network::Channel| matches!(c.kind, ChannelKind::Buffered { capacity, .. } if capacity > 0);
        match edge.action.channel() {
            None => (false, true),
            Some(ChannelRef::Element(id, _)) => {
                let buffered = buffered(&self.network.channels[*id]);
                (buffered, !buffered)
            }
            Some(ChannelRef::Value(_)) => {
                let channels = &self.network.channels;
                (channels.iter().any(buffered), channels.iter().any(|c| !buffered(c)))
            }
        }
    }

    /// The code of an edge that is internal or meets other processes.
    fn edge(&mut self, process: ProcessId, id: EdgeId, edge: &Edge) -> EdgeCode {
        let span = edge.guard.span;
        let guard = self.test(&edge.locals, &edge.guard.data, span);
        let clocks = self.constraints(&edge.locals, &edge.guard);
        let sync = match &edge.action {
            Action::Internal => Sync::Internal,
            Action::Send(send) => Sync::Send(self.channel(edge, &send.channel, send.span)),
            Action::Receive(receive) => {
                Sync::Receive(self.channel(edge, &receive.channel, receive.span))
            }
        };
        let update = self.update(edge);
        let assembler = self.assembler(&edge.locals, span);
        let selects = edge
            .selects
            .iter()
            .map(|&s| (assembler.local(s), edge.locals[s].ty.low, edge.locals[s].ty.high))
            .collect();
        let target = edge.target.index() as i32;
        let meeting = self.meeting(edge);
        EdgeCode {
            process,
            edge: id,
            target,
            is_plain: edge.selects.is_empty() && edge.action == Action::Internal,
            selects,
            guard,
            clocks,
            sync,
            meeting,
            update,
            buffer: None,
            keeps_control: edge.keeps_control,
            preference: edge.preference,
        }
    }

    /// What goes over when the edge meets another process.
    fn meeting(&mut self, edge: &Edge) -> Meeting {
        match &edge.action {
            Action::Internal => Meeting::default(),
            Action::Send(send) => {
                let value = |e| self.value(&edge.locals, e, send.span);
                Meeting { message: send.message.iter().map(value).collect(), ..Meeting::default() }
            }
            Action::Receive(receive) => {
                let mut patterns = Vec::new();
                for pattern in &receive.message {
                    patterns.push(match pattern {
                        Pattern::Equal(e) => Some(self.value(&edge.locals, e, receive.span)),
                        _ => None,
                    });
                }
                Meeting { patterns, stores: self.stores(edge, receive), ..Meeting::default() }
            }
        }
    }

    fn stores(&mut self, edge: &Edge, receive: &Receive) -> Option<Stores> {
        let is_store = |&i: &usize| matches!(receive.message[i], Pattern::Store(_));
        let fields: Vec<usize> = (0..receive.message.len()).filter(is_store).collect();
        if fields.is_empty() {
            return None;
        }
        let mut assembler = self.assembler(&edge.locals, receive.span);
        let frame = assembler.frame();
        Some(Stores { entry: assembler.stores(&edge.selects, &receive.message), frame, fields })
    }

    fn channel(&mut self, edge: &Edge, channel: &ChannelRef, span: Span) -> Value {
        match channel {
            ChannelRef::Element(id, indices) => {
                let base = self.layout.channel(*id);
                let sizes = sizes(&self.network.channels[*id].dimensions);
                self.element(&edge.locals, base, indices, &sizes, span)
            }
            ChannelRef::Value(_) => {
                let mut assembler = self.assembler(&edge.locals, span);
                let frame = assembler.frame();
                Value::Code(assembler.channel(channel), frame, 0)
            }
        }
    }

    /// Whether the edge synchronises on an urgent channel.
    pub fn is_urgent(&self, edge: &Edge) -> bool {
        let element = |channel: &ChannelRef| match channel {
            ChannelRef::Element(id, _) => self.network.channels[*id].urgent,
            ChannelRef::Value(_) => self.network.channels.iter().any(|c| c.urgent),
        };
        edge.action.channel().is_some_and(element)
    }

    fn update(&mut self, edge: &Edge) -> Update {
        let (mut words, mut resets) = (Vec::new(), Vec::new());
        if edge.update.iter().all(|s| self.constant_effect(s, &mut words, &mut resets)) {
            return Update::Constants { words, resets };
        }
        let stores = matches!(&edge.action, Action::Receive(receive)
            if receive.message.iter().any(|p| matches!(p, Pattern::Store(_))));
        let mut assembler = self.assembler(&edge.locals, edge.span);
        let frame = assembler.frame();
        let entry = match stores {
            true => assembler.update_after_stores(&edge.update),
            false => assembler.update(&edge.selects, &edge.update),
        };
        Update::Code(entry, frame)
    }

    /// Notes the effect of a statement that sets one word or clock to a constant.
    fn constant_effect(
        &self,
        statement: &Statement,
        words: &mut Vec<(u32, i32)>,
        resets: &mut Vec<(u32, i32)>,
    ) -> bool {
        match &statement.kind {
            StatementKind::Assign(place, Expr::Const(value)) => {
                let Some((slot, value)) = self.constant_store(place, *value) else { return false };
                words.push((slot, value));
                true
            }
            StatementKind::Reset(clock, Expr::Const(value)) => {
                let sizes = sizes(&self.network.clocks[clock.clock].dimensions);
                let element = crate::condition::constant_element(&clock.indices, &sizes);
                let small = (0..=MAX_CLOCK_BOUND).contains(value);
                let Some(element) = element.filter(|_| small) else { return false };
                resets.push((self.layout.clock(clock.clock) + element, *value));
                true
            }
            _ => false,
        }
    }

    fn constant_store(&self, place: &Place, value: i32) -> Option<(u32, i32)> {
        let slot = place_slot(self.network, self.layout, place)?;
        let network::Base::Variable(id) = place.base else { return None };
        Some((slot, fit(value, &self.network.variables[id].ty).ok()?))
    }

    /// The code of a location; its edges are added later.
    pub fn location(&mut self, location: &Location) -> LocationCode {
        let span = location.invariant.span;
        let invariant = self.test(&location.locals, &location.invariant.data, span);
        let clocks = self.constraints(&location.locals, &location.invariant);
        let mut rates = Vec::new();
        for rate in &location.rates {
            let when = match &rate.when {
                Some(when) => self.test(&location.locals, when, span),
                None => Test::Always,
            };
            let clock = self.clock(&location.locals, &rate.clock, span);
            let value = self.value(&location.locals, &rate.rate, span);
            rates.push((when, clock, value, span));
        }
        let kind = location.kind;
        LocationCode {
            kind,
            invariant,
            clocks,
            rates,
            internal: Vec::new(),
            sends: Vec::new(),
            urgent_sends: Vec::new(),
            urgent_buffers: Vec::new(),
            receives: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// The code of a process's locations and edges.
    pub fn process(
        &mut self,
        id: ProcessId,
        process: &Process,
        edges: &mut Arena<EdgeNumber, EdgeCode>,
    ) -> Vec<LocationCode> {
        let mut locations: Vec<_> = process.locations.iter().map(|l| self.location(l)).collect();
        for (edge_id, edge) in process.edges.enumerate() {
            cancellation::check();
            let source = &mut locations[edge.source.index()];
            source.levels.push(edge.preference);
            let (through_buffer, by_meeting) = self.roles(edge);
            if through_buffer {
                let number = edges.push(self.buffered_edge(id, edge_id, edge));
                source.internal.push(number);
                if self.is_urgent(edge) && edge.guard.clocks.is_empty() {
                    source.urgent_buffers.push(number);
                }
            }
            if by_meeting {
                let number = edges.push(self.edge(id, edge_id, edge));
                source.add(number, &edges[number], self.is_urgent(edge));
            }
        }
        for location in &mut locations {
            location.settle_levels();
            let preference = |&edge: &EdgeNumber| std::cmp::Reverse(edges[edge].preference);
            if process.observes {
                location.internal.sort_by_key(preference);
            }
        }
        locations
    }
}

/// Whether an action on a buffer can be done.
fn ready(action: &Action) -> Expr {
    match action {
        Action::Internal => Expr::TRUE,
        Action::Send(send) => {
            Expr::unary(UnaryOp::Not, Expr::Probe(Probe::Full, Box::new(send.channel.clone())))
        }
        Action::Receive(receive) => {
            let asked = |pattern: &Pattern| match pattern {
                Pattern::Equal(expr) => Pattern::Equal(expr.clone()),
                Pattern::Store(_) | Pattern::Any => Pattern::Any,
            };
            Expr::Poll(Box::new(Poll {
                channel: receive.channel.clone(),
                message: receive.message.iter().map(asked).collect(),
                anywhere: receive.anywhere,
            }))
        }
    }
}
