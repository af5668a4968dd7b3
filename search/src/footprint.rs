//! What edges read and write: locations, variables, buffers and clocks, arrays by element where the
//! index is a constant.
//!
//! Everything is known by its words in the state: a buffer by the word with its length, clocks by
//! words that follow the discrete part.

use crate::problem::Problem;
use explore::{EdgeNumber, Home, Layout};
use network::{
    Action, Arena, Base, ChannelRef, ClockConstraint, ClockRef, Condition, Dimension, Edge, Expr,
    Id, Network, Pattern, Place, ProcessId, Receive, Send, Statement, StatementKind, VariableId,
    patience,
};
use std::ops::Range;

/// A set of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans(Vec<Range<u32>>);

/// What an edge, a function or an expression reads and writes.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// What it looks at.
    pub reads: Spans,
    /// What it may change.
    pub writes: Spans,
}

impl Footprint {
    fn settled(mut self) -> Footprint {
        self.reads.settle();
        self.writes.settle();
        self
    }
}

impl Spans {
    /// Adds words.
    pub fn add(&mut self, span: Range<u32>) {
        if !span.is_empty() {
            self.0.push(span);
        }
    }

    /// Puts the parts in order, without any word twice.
    fn settle(&mut self) {
        self.0.sort_unstable_by_key(|span| (span.start, span.end));
        self.0.dedup_by(|next, span| {
            let meets = next.start < span.end;
            if meets {
                span.end = span.end.max(next.end);
            }
            meets
        });
    }

    /// Adds the words of another set.
    pub fn extend(&mut self, other: &Spans) {
        other.0.iter().for_each(|span| self.add(span.clone()));
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The parts it consists of.
    pub fn iter(&self) -> impl Iterator<Item = &Range<u32>> {
        self.0.iter()
    }

    /// Whether a word is in both sets.
    pub fn overlap(&self, other: &Spans) -> bool {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            if a.start < b.end && b.start < a.end {
                return true;
            }
            if a.end <= b.end {
                left.next()
            } else {
                right.next()
            };
        }
        false
    }

    /// The words within limits.
    pub fn within(&self, limits: Range<u32>) -> Spans {
        let cut = |span: &Range<u32>| span.start.max(limits.start)..span.end.min(limits.end);
        Spans(self.0.iter().map(cut).filter(|span| !span.is_empty()).collect())
    }
}

/// The footprints of a problem's edges, by their numbers.
pub fn footprints(problem: &Problem) -> Arena<EdgeNumber, Footprint> {
    let surveyor = Surveyor::new(problem.network(), &problem.explorer.layout);
    let of_edge = |(_, process, edge)| {
        patience::check();
        surveyor.edge(process, edge)
    };
    problem.edges().map(of_edge).collect()
}

/// The words of variables and buffers.
pub fn data(layout: &Layout) -> Range<u32> {
    layout.processes as u32..layout.discrete as u32
}

/// Finds out what parts of a network read and write.
pub struct Surveyor<'a> {
    network: &'a Network,
    layout: &'a Layout,
    functions: Vec<Footprint>,
}

impl<'a> Surveyor<'a> {
    /// One that knows what functions do.
    pub fn new(network: &'a Network, layout: &'a Layout) -> Self {
        let mut surveyor = Surveyor { network, layout, functions: Vec::new() };
        // Functions call only functions before them.
        for function in &network.functions {
            let mut found = Footprint::default();
            surveyor.statements(&function.body, &mut found);
            surveyor.functions.push(found.settled());
        }
        surveyor
    }

    fn edge(&self, process: ProcessId, edge: &Edge) -> Footprint {
        let mut found = Footprint::default();
        found.reads.add(self.location(process));
        found.writes.add(self.location(process));
        self.condition(&edge.guard, &mut found);
        // What must hold in the target decides, too, whether the edge can be taken.
        self.condition(
            &self.network.processes[process].locations[edge.target].invariant,
            &mut found,
        );
        match &edge.action {
            Action::Internal => {}
            Action::Send(send) => self.send(send, &mut found),
            Action::Receive(receive) => self.receive(receive, &mut found),
        }
        self.statements(&edge.update, &mut found);
        found.settled()
    }

    fn condition(&self, condition: &Condition, found: &mut Footprint) {
        self.expr(&condition.data, found);
        condition.clocks.iter().for_each(|constraint| self.constraint(constraint, found));
    }

    fn constraint(&self, constraint: &ClockConstraint, found: &mut Footprint) {
        constraint.expressions().for_each(|expr| self.expr(expr, found));
        found.reads.add(self.clock(&constraint.left));
        if let Some(right) = &constraint.right {
            found.reads.add(self.clock(right));
        }
    }

    /// What an expression reads, by itself.
    pub fn reads(&self, expr: &Expr) -> Spans {
        let mut found = Footprint::default();
        self.expr(expr, &mut found);
        found.settled().reads
    }

    /// What an expression reads.
    pub fn expr(&self, expr: &Expr, found: &mut Footprint) {
        expr.walk(&mut |part| match part {
            Expr::Read(place) => found.reads.add(self.place(place)),
            Expr::At(process, _) => found.reads.add(self.location(*process)),
            Expr::Call(function, _) => self.call(function.index(), found),
            Expr::Clock(constraint) => self.constraint(constraint, found),
            Expr::Probe(_, channel) => self.add_buffers(channel, &mut found.reads),
            Expr::Poll(poll) => self.add_buffers(&poll.channel, &mut found.reads),
            _ => {}
        });
    }

    fn call(&self, function: usize, found: &mut Footprint) {
        if let Some(footprint) = self.functions.get(function) {
            found.reads.extend(&footprint.reads);
            found.writes.extend(&footprint.writes);
        }
    }

    fn statements(&self, statements: &[Statement], found: &mut Footprint) {
        for statement in statements {
            statement.walk(&mut |part| self.statement(part, found));
        }
    }

    fn statement(&self, statement: &Statement, found: &mut Footprint) {
        statement.expressions().into_iter().for_each(|expr| self.expr(expr, found));
        match &statement.kind {
            StatementKind::Assign(place, _) => found.writes.add(self.place(place)),
            StatementKind::Reset(clock, _) => found.writes.add(self.clock(clock)),
            StatementKind::Call(place, function, _) => {
                self.call(function.index(), found);
                place.iter().for_each(|place| found.writes.add(self.place(place)));
            }
            StatementKind::Send(send) => self.send(send, found),
            StatementKind::Receive(receive) => self.receive(receive, found),
            StatementKind::Enter(process, _) => found.writes.add(self.location(*process)),
            _ => {}
        }
    }

    fn send(&self, send: &Send, found: &mut Footprint) {
        self.exchange(&send.channel, found);
        send.message.iter().for_each(|field| self.expr(field, found));
    }

    fn receive(&self, receive: &Receive, found: &mut Footprint) {
        self.exchange(&receive.channel, found);
        for pattern in &receive.message {
            pattern.expressions().iter().for_each(|expr| self.expr(expr, found));
            if let Pattern::Store(place) = pattern {
                found.writes.add(self.place(place));
            }
        }
    }

    /// Whoever puts a message into a buffer, or takes one out, looks at it and changes it.
    fn exchange(&self, channel: &ChannelRef, found: &mut Footprint) {
        channel.expressions().iter().for_each(|expr| self.expr(expr, found));
        self.add_buffers(channel, &mut found.reads);
        self.add_buffers(channel, &mut found.writes);
    }

    fn place(&self, place: &Place) -> Range<u32> {
        match place.base {
            Base::Variable(id) => self.variable(id, &place.indices),
            Base::Local(_) => 0..0,
        }
    }

    fn location(&self, process: ProcessId) -> Range<u32> {
        let at = self.layout.location(process) as u32;
        at..at + 1
    }

    fn variable(&self, id: VariableId, indices: &[Expr]) -> Range<u32> {
        let variable = &self.network.variables[id];
        let Home::State(first) = self.layout.home(id) else { return 0..0 };
        element(first..first + variable.len() as u32, &variable.dimensions, indices)
    }

    fn clock(&self, clock: &ClockRef) -> Range<u32> {
        let first = self.layout.discrete as u32 + self.layout.clock(clock.clock);
        let clocks = &self.network.clocks[clock.clock];
        element(first..first + clocks.len() as u32, &clocks.dimensions, &clock.indices)
    }

    fn add_buffers(&self, channel: &ChannelRef, spans: &mut Spans) {
        let elements = match channel {
            ChannelRef::Element(id, indices) => {
                let channel = &self.network.channels[*id];
                let first = self.layout.channel(*id);
                element(first..first + channel.len() as u32, &channel.dimensions, indices)
            }
            // Elements are numbered from 1.
            ChannelRef::Value(Expr::Const(value)) => {
                let at = u32::try_from(*value).unwrap_or(0);
                at.saturating_sub(1)..at
            }
            // It may be any of them.
            ChannelRef::Value(_) => 0..self.layout.buffers.len() as u32,
        };
        let buffers = elements.filter_map(|at| self.layout.buffers.get(at as usize));
        for buffer in buffers.filter(|buffer| buffer.capacity > 0) {
            spans.add(buffer.at..buffer.at + 1);
        }
    }
}

/// The element of an array, or the whole array if the index is not a constant.
pub fn element(all: Range<u32>, dimensions: &[Dimension], indices: &[Expr]) -> Range<u32> {
    let mut at = 0;
    for (dimension, index) in dimensions.iter().zip(indices) {
        let Expr::Const(value) = index else { return all };
        let Some(index) = u32::try_from(*value).ok().filter(|&index| index < dimension.size) else {
            return all;
        };
        at = at * dimension.size as usize + index as usize;
    }
    one_of(all, at)
}

fn one_of(all: Range<u32>, at: usize) -> Range<u32> {
    let start = all.start + at as u32;
    start.min(all.end)..(start + 1).min(all.end)
}
