//! Values of a state in the words of the model.

use crate::time::rational;
use crate::trace_file::{ChangeKind, HeldEntry, Value};
use network::{
    Arena, Base, BinaryOp, ChannelId, ChannelKind, ChannelRef, ClockId, ClockRef, Dimension, Expr,
    Local, LocalId, Network, Place, ProcessId, Storage, Type, VariableId, element_name,
};
use replay::{Simulator, State};

/// A value by its name, or as a number.
pub fn named(network: &Network, ty: Option<&Type>, value: i32) -> String {
    let name = ty.and_then(|&ty| network.value_name(ty, value));
    name.map_or_else(|| value.to_string(), str::to_string)
}

/// A message on a channel as numbers and by names: `[1,2]`.
pub fn message(network: &Network, channel: ChannelId, fields: &[i32]) -> (String, String) {
    let types = match &network.channels[channel].kind {
        ChannelKind::Buffered { fields, .. } => fields.as_slice(),
        ChannelKind::Handshake | ChannelKind::Broadcast => &[],
    };
    let write = |list: Vec<String>| format!("[{}]", list.join(","));
    let numbers = fields.iter().map(i32::to_string).collect();
    let name = |(field, &value): (usize, &i32)| named(network, types.get(field), value);
    (write(numbers), write(fields.iter().enumerate().map(name).collect()))
}

/// The messages of a channel, the first to be received first: `[1,2] [3,4]`.
pub fn messages(network: &Network, channel: ChannelId, held: &[Vec<i32>]) -> (String, String) {
    let all: (Vec<String>, Vec<String>) =
        held.iter().map(|fields| message(network, channel, fields)).unzip();
    let write = |list: Vec<String>| match list.is_empty() {
        true => "empty".to_string(),
        false => list.join(" "),
    };
    (write(all.0), write(all.1))
}

/// The values of a state.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// The rules by which expressions are evaluated.
    pub simulator: &'a Simulator<'a>,
    /// The state.
    pub state: &'a State,
}

impl<'a> Values<'a> {
    fn network(&self) -> &'a Network {
        self.simulator.network()
    }

    /// The name of a channel's element.
    pub fn channel_name(&self, channel: ChannelId, element: usize) -> String {
        let channel = &self.network().channels[channel];
        element_name(&channel.name, &channel.dimensions, element)
    }

    /// The messages in a channel's element, by name.
    pub fn held(&self, channel: ChannelId, element: usize) -> String {
        messages(self.network(), channel, self.state.buffer(channel, element)).1
    }

    fn location(&self, id: ProcessId) -> HeldEntry {
        let process = &self.network().processes[id];
        let location = process.locations[self.state.location(id)].name.clone();
        let (name, value) = (process.name.clone(), Value::Text(location.clone()));
        HeldEntry::new(ChangeKind::Location, name, value, location)
    }

    fn variable(&self, id: VariableId, element: usize) -> HeldEntry {
        let variable = &self.network().variables[id];
        let value = self.state.value(id, element);
        let name = element_name(&variable.name, &variable.dimensions, element);
        let shown = named(self.network(), Some(&variable.ty), value);
        HeldEntry::new(ChangeKind::Variable, name, Value::Number(value), shown)
    }

    fn channel(&self, id: ChannelId, element: usize) -> HeldEntry {
        let held = self.state.buffer(id, element);
        let (numbers, names) = messages(self.network(), id, held);
        let name = self.channel_name(id, element);
        HeldEntry::new(ChangeKind::Channel, name, Value::Text(numbers), names)
    }

    fn clock(&self, id: ClockId, element: usize) -> HeldEntry {
        let clock = &self.network().clocks[id];
        let name = element_name(&clock.name, &clock.dimensions, element);
        let value = rational(self.state.clock(id, element), self.simulator.scale());
        HeldEntry::new(ChangeKind::Clock, name, Value::Text(value.clone()), value)
    }

    /// All there is: where processes are, variables, channels with buffers, clocks. Observers that
    /// do not take part are left out.
    pub fn all(&self, observer: Option<ProcessId>) -> Vec<HeldEntry> {
        let network = self.network();
        let mut list = Vec::new();
        for (id, process) in network.processes.enumerate() {
            if !process.observes || observer == Some(id) {
                list.push(self.location(id));
            }
        }
        for (id, variable) in network.variables.enumerate() {
            if variable.storage != Storage::Constant {
                list.extend((0..variable.len()).map(|element| self.variable(id, element)));
            }
        }
        for (id, channel) in network.channels.enumerate() {
            if matches!(channel.kind, ChannelKind::Buffered { capacity: 1.., .. }) {
                list.extend((0..channel.len()).map(|element| self.channel(id, element)));
            }
        }
        for (id, clock) in network.clocks.enumerate() {
            list.extend((0..clock.len()).map(|element| self.clock(id, element)));
        }
        list
    }

    /// What an expression looks at: variables, buffers, clocks, and locals with the values given.
    pub fn seen_by(
        &self,
        expr: &Expr,
        locals: &Arena<LocalId, Local>,
        bound: &[(LocalId, i32)],
    ) -> Vec<HeldEntry> {
        let mut look = Look { values: *self, locals, bound, seen: Vec::new() };
        look.at(expr);
        look.seen
    }

    /// What clocks show.
    pub fn of_clock(
        &self,
        clock: &ClockRef,
        locals: &Arena<LocalId, Local>,
        bound: &[(LocalId, i32)],
    ) -> Option<HeldEntry> {
        let look = Look { values: *self, locals, bound, seen: Vec::new() };
        let dimensions = &self.network().clocks[clock.clock].dimensions;
        Some(self.clock(clock.clock, look.element(dimensions, &clock.indices)?))
    }

    /// The parts of a conjunction that do not hold.
    pub fn failing<'e>(
        &self,
        expr: &'e Expr,
        locals: &Arena<LocalId, Local>,
        bound: &[(LocalId, i32)],
    ) -> Vec<&'e Expr> {
        let fails =
            |part: &&Expr| self.simulator.evaluate(self.state, part, locals, bound) == Ok(0);
        conjuncts(expr).into_iter().filter(fails).collect()
    }
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Binary(BinaryOp::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        other => vec![other],
    }
}

/// Quantifiers over more values than this are not looked at.
const MOST_CHOICES: i64 = 16;

/// A look at all parts of an expression.
struct Look<'a, 'e> {
    values: Values<'a>,
    locals: &'e Arena<LocalId, Local>,
    bound: &'e [(LocalId, i32)],
    seen: Vec<HeldEntry>,
}

impl Look<'_, '_> {
    fn at(&mut self, expr: &Expr) {
        match expr {
            Expr::Quantified(_, binder, operand) => return self.each(*binder, operand),
            Expr::At(process, _) => self.note(self.values.location(*process)),
            Expr::Read(place) => self.read(place),
            Expr::Clock(constraint) => {
                for clock in std::iter::once(&constraint.left).chain(&constraint.right) {
                    let found = self.values.of_clock(clock, self.locals, self.bound);
                    found.into_iter().for_each(|entry| self.note(entry));
                }
            }
            Expr::Probe(_, channel) => self.buffer(channel),
            Expr::Poll(poll) => self.buffer(&poll.channel),
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.at(child));
    }

    /// What the operand of a quantifier looks at, if there are not too many.
    fn each(&mut self, binder: LocalId, operand: &Expr) {
        let ty = self.locals[binder].ty;
        if i64::from(ty.high) - i64::from(ty.low) < MOST_CHOICES {
            (ty.low..=ty.high).for_each(|value| self.at(&operand.with(binder, value)));
        }
    }

    fn note(&mut self, entry: HeldEntry) {
        if !self.seen.contains(&entry) {
            self.seen.push(entry);
        }
    }

    fn read(&mut self, place: &Place) {
        match place.base {
            Base::Variable(id) => {
                let variable = &self.values.network().variables[id];
                let element = self.element(&variable.dimensions, &place.indices);
                if let (Some(element), true) = (element, variable.storage != Storage::Constant) {
                    self.note(self.values.variable(id, element));
                }
            }
            Base::Local(id) => {
                let bound = self.bound.iter().find(|(local, _)| *local == id);
                if let Some(&(_, value)) = bound {
                    let name = self.locals[id].name.clone();
                    let shown = named(self.values.network(), Some(&self.locals[id].ty), value);
                    let value = Value::Number(value);
                    self.note(HeldEntry::new(ChangeKind::Variable, name, value, shown));
                }
            }
        }
    }

    fn buffer(&mut self, channel: &ChannelRef) {
        let network = self.values.network();
        let found = match channel {
            ChannelRef::Element(id, indices) => {
                self.element(&network.channels[*id].dimensions, indices).map(|it| (*id, it))
            }
            ChannelRef::Value(value) => self.number(value).and_then(|number| {
                let number = usize::try_from(number).ok()?.checked_sub(1)?;
                let elements = network.channels.enumerate();
                let all = elements.flat_map(|(id, it)| (0..it.len()).map(move |el| (id, el)));
                all.into_iter().nth(number)
            }),
        };
        if let Some((channel, element)) = found {
            self.note(self.values.channel(channel, element));
        }
    }

    fn number(&self, expr: &Expr) -> Option<i32> {
        let Values { simulator, state } = self.values;
        simulator.evaluate(state, expr, self.locals, self.bound).ok()
    }

    /// Which element the indices mean, if they are within bounds.
    fn element(&self, dimensions: &[Dimension], indices: &[Expr]) -> Option<usize> {
        let mut element = 0;
        for (dimension, index) in dimensions.iter().zip(indices) {
            let index = usize::try_from(self.number(index)?).ok()?;
            let size = dimension.size as usize;
            element = (index < size).then_some(element * size + index)?;
        }
        Some(element)
    }
}
