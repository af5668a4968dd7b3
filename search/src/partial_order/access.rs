//! What edges touch, as resources: words of the state, channels, and whether processes are at locations that
//! somebody asks about. Where an index is computed from variables,
//! it is kept as an expression, so that a state says which element is meant.

use crate::problem::Problem;
use analysis::{Elements, Touch, Touches};
use explore::{Home, Layout};
use network::{
    Action, Base, BinaryOp, ChannelRef, Dimension, Edge, Expr, LocationId, Network, Pattern, Place,
    ProcessId, Statement, StatementKind, UnaryOp, VariableId, cancellation,
};
use std::ops::Range;

/// What is done to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// A word is looked at.
    Read,
    /// A word may be changed.
    Write,
    /// It matters which messages wait in a channel.
    Look,
    /// A step sends on a channel.
    Send,
    /// A step receives from a channel.
    Receive,
    /// The messages of a channel are changed in a way that must not meet any other.
    Change,
}

/// Something that an edge touches.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    pub mode: Mode,
    /// The resources that may be meant.
    pub range: Range<u32>,
    /// Which of them is meant, counted from the first, if a state can tell.
    pub index: Option<Index>,
    /// A process that must be where it cannot go on by itself, or nothing is touched: one that is started.
    pub guard: Option<ProcessId>,
}

/// A number that is computed from words of the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Index {
    Const(i32),
    Word(u32),
    Unary(UnaryOp, Box<Index>),
    Binary(BinaryOp, Box<Index>, Box<Index>),
}

impl Index {
    /// Its value in a state; none where it cannot be computed.
    pub fn value(&self, state: &[i32]) -> Option<i32> {
        match self {
            Index::Const(value) => Some(*value),
            Index::Word(word) => Some(state[*word as usize]),
            Index::Unary(op, a) => Some(op.apply(a.value(state)?)),
            Index::Binary(op, a, b) => op.apply(a.value(state)?, b.value(state)?).ok(),
        }
    }

    /// The words it is computed from.
    pub fn words(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Index::Const(_) => {}
            Index::Word(word) => visit(*word),
            Index::Unary(_, a) => a.words(visit),
            Index::Binary(_, a, b) => {
                a.words(visit);
                b.words(visit);
            }
        }
    }
}

impl Access {
    /// The resources that are meant in a state.
    pub fn in_state(&self, state: &[i32]) -> Range<u32> {
        let value = self.index.as_ref().and_then(|index| index.value(state));
        let at = value.and_then(|value| self.range.start.checked_add(u32::try_from(value).ok()?));
        match at.filter(|at| self.range.contains(at)) {
            Some(at) => at..at + 1,
            None => self.range.clone(),
        }
    }
}

/// Finds what edges touch.
pub struct Surveyor<'a> {
    network: &'a Network,
    layout: &'a Layout,
    touches: Touches<'a>,
    /// The locations that somebody asks about.
    named: Vec<(ProcessId, LocationId)>,
}

impl<'a> Surveyor<'a> {
    pub fn new(problem: &Problem<'a>) -> Self {
        let (network, layout) = (problem.network(), &problem.explorer.layout);
        let touches = Touches::of(network);
        let mut named = Vec::new();
        let note = &mut |touch| {
            if let Touch::Name(process, location) = touch {
                named.push((process, location));
            }
        };
        for edge in network.processes.iter().flat_map(|process| &process.edges) {
            cancellation::check();
            touches.condition(&edge.guard, note);
            touches.action(&edge.action, note);
            touches.statements(&edge.update, note);
        }
        touches.exprs(problem.property().claim.expression(), note);
        named.sort_unstable();
        named.dedup();
        Surveyor { network, layout, touches, named }
    }

    /// The number of resources: the words of a state, then the channels, then locations.
    pub fn resources(&self) -> u32 {
        self.channels().end + self.named.len() as u32
    }

    /// Whether a process is at a location, which somebody asks.
    pub fn at(&self, process: ProcessId, location: LocationId) -> Range<u32> {
        let at = self.named.binary_search(&(process, location)).expect("it is asked about");
        let resource = self.channels().end + at as u32;
        resource..resource + 1
    }

    /// The same for all locations of a process that somebody asks about.
    fn named_of(&self, process: ProcessId) -> impl Iterator<Item = (LocationId, Range<u32>)> + '_ {
        let own = self.named.iter().filter(move |(it, _)| *it == process);
        own.map(|&(process, location)| (location, self.at(process, location)))
    }

    /// The channels, one resource for each element.
    pub fn channels(&self) -> Range<u32> {
        let first = self.layout.discrete as u32;
        first..first + self.layout.buffers.len() as u32
    }

    /// What an edge touches. Its own location it always reads and writes.
    pub fn edge(&self, process: ProcessId, edge: &Edge) -> Vec<Access> {
        let mut found = Vec::new();
        for mode in [Mode::Read, Mode::Write] {
            found.push(Access { mode, range: self.location(process), index: None, guard: None });
        }
        for (location, range) in self.named_of(process) {
            if (edge.source == location) != (edge.target == location) {
                found.push(Access { mode: Mode::Write, range, index: None, guard: None });
            }
        }
        self.expr(&edge.guard.data, &mut found);
        let before = found.len();
        self.action(&edge.action, &mut found);
        self.statements(&edge.update, None, &mut found);
        widen_changed(&mut found, before);
        found
    }

    /// What an expression looks at.
    pub fn reads(&self, expr: &Expr) -> Vec<Access> {
        let mut found = Vec::new();
        self.expr(expr, &mut found);
        found
    }

    /// An expression over constants and variables, as far as it can be computed from words.
    pub fn index(&self, expr: &Expr) -> Option<Index> {
        Some(match expr {
            Expr::Const(value) => Index::Const(*value),
            Expr::Read(Place { base: Base::Variable(id), indices }) => self.word(*id, indices)?,
            Expr::Unary(op, a) => Index::Unary(*op, Box::new(self.index(a)?)),
            Expr::Binary(op, a, b) => {
                Index::Binary(*op, Box::new(self.index(a)?), Box::new(self.index(b)?))
            }
            _ => return None,
        })
    }

    fn word(&self, id: VariableId, indices: &[Expr]) -> Option<Index> {
        let variable = &self.network.variables[id];
        let Elements { first, end } = analysis::element(&variable.dimensions, indices);
        match self.layout.home(id) {
            Home::State(home) if end == first + 1 => Some(Index::Word(home + first)),
            Home::Constant(_) if end == first + 1 => {
                Some(Index::Const(variable.initial[first as usize]))
            }
            _ => None,
        }
    }

    fn location(&self, process: ProcessId) -> Range<u32> {
        let at = self.layout.location(process) as u32;
        at..at + 1
    }

    fn expr(&self, expr: &Expr, found: &mut Vec<Access>) {
        expr.walk(&mut |part| match part {
            Expr::Read(place) => self.place(place, Mode::Read, found),
            Expr::Probe(_, channel) => self.channel(channel, Mode::Look, found),
            Expr::Poll(poll) => self.channel(&poll.channel, Mode::Look, found),
            Expr::At(process, location) => {
                let range = self.at(*process, *location);
                found.push(Access { mode: Mode::Read, range, index: None, guard: None });
            }
            Expr::Call(function, _) => {
                self.touches.by_function(*function).iter().for_each(|&it| self.touch(it, found));
            }
            _ => {}
        });
    }

    fn action(&self, action: &Action, found: &mut Vec<Access>) {
        let channel = action.channel().map_or(&[][..], ChannelRef::expressions);
        channel.iter().for_each(|expr| self.expr(expr, found));
        match action {
            Action::Internal => {}
            Action::Send(send) => {
                send.message.iter().for_each(|expr| self.expr(expr, found));
                let mode = if send.sorted { Mode::Change } else { Mode::Send };
                self.channel(&send.channel, mode, found);
            }
            Action::Receive(receive) => {
                self.patterns(&receive.message, found);
                self.channel(&receive.channel, Mode::Receive, found);
            }
        }
    }

    fn patterns(&self, patterns: &[Pattern], found: &mut Vec<Access>) {
        for pattern in patterns {
            pattern.expressions().iter().for_each(|expr| self.expr(expr, found));
            if let Pattern::Store(place) = pattern {
                self.place(place, Mode::Write, found);
            }
        }
    }

    fn statements(
        &self,
        statements: &[Statement],
        guard: Option<(ProcessId, LocationId)>,
        found: &mut Vec<Access>,
    ) {
        for statement in statements {
            let before = found.len();
            self.statement(statement, guard, found);
            found[before..].iter_mut().for_each(|access| access.guard = guard.map(|it| it.0));
            // Where a process is is asked of every starter; so is what it does to that.
            let is_named = |access: &&mut Access| access.range.start >= self.channels().end;
            found[before..].iter_mut().filter(is_named).for_each(|access| access.guard = None);
            match &statement.kind {
                StatementKind::If(condition, then, otherwise) => {
                    self.statements(then, self.idle(condition).or(guard), found);
                    self.statements(otherwise, guard, found);
                }
                StatementKind::While(_, body) => self.statements(body, guard, found),
                _ => {}
            }
        }
    }

    /// The process of which a condition demands that it is where it cannot go on by itself, and the location.
    fn idle(&self, condition: &Expr) -> Option<(ProcessId, LocationId)> {
        let Expr::At(process, location) = condition else { return None };
        let mut edges = self.network.processes[*process].edges.iter();
        edges.all(|edge| edge.source != *location).then_some((*process, *location))
    }

    fn statement(
        &self,
        statement: &Statement,
        guard: Option<(ProcessId, LocationId)>,
        found: &mut Vec<Access>,
    ) {
        statement.expressions().into_iter().for_each(|expr| self.expr(expr, found));
        match &statement.kind {
            StatementKind::Assign(place, _) => self.place(place, Mode::Write, found),
            StatementKind::Call(place, function, _) => {
                self.touches.by_function(*function).iter().for_each(|&it| self.touch(it, found));
                place.iter().for_each(|place| self.place(place, Mode::Write, found));
            }
            StatementKind::Send(send) => self.channel(&send.channel, Mode::Change, found),
            StatementKind::Receive(receive) => {
                self.patterns(&receive.message, found);
                self.channel(&receive.channel, Mode::Change, found);
            }
            StatementKind::Enter(process, to) => {
                let from = guard.filter(|(it, _)| it == process).map(|(_, from)| from);
                self.enter(*process, |it| from.is_none_or(|from| it == from || it == *to), found);
            }
            _ => {}
        }
    }

    /// A process is put somewhere: it leaves or enters the locations that are such.
    fn enter(
        &self,
        process: ProcessId,
        is_such: impl Fn(LocationId) -> bool,
        found: &mut Vec<Access>,
    ) {
        let named = self.named_of(process).filter(|(location, _)| is_such(*location));
        let named = named.map(|(_, range)| range);
        for range in std::iter::once(self.location(process)).chain(named) {
            found.push(Access { mode: Mode::Write, range, index: None, guard: None });
        }
    }

    /// What a function touches is known without the values of its locals.
    fn touch(&self, touch: Touch, found: &mut Vec<Access>) {
        let (mode, range) = match touch {
            Touch::Read(id, elements) => (Mode::Read, self.variable(id, elements)),
            Touch::Write(id, elements) => (Mode::Write, self.variable(id, elements)),
            Touch::Name(process, location) => (Mode::Read, self.at(process, location)),
            Touch::Enter(process, _) => return self.enter(process, |_| true, found),
            Touch::Look(Elements { first, end }) | Touch::Change(Elements { first, end }) => {
                let channels = self.channels().start;
                (Mode::Change, channels + first..channels + end)
            }
            // There are no clocks where steps are left out.
            Touch::Compare(..) | Touch::Set(..) => return,
        };
        if !range.is_empty() {
            found.push(Access { mode, range, index: None, guard: None });
        }
    }

    fn variable(&self, id: VariableId, Elements { first, end }: Elements) -> Range<u32> {
        match self.layout.home(id) {
            Home::State(home) => home + first..home + end,
            Home::Constant(_) => 0..0,
        }
    }

    fn place(&self, place: &Place, mode: Mode, found: &mut Vec<Access>) {
        let Base::Variable(id) = place.base else { return };
        let Home::State(home) = self.layout.home(id) else { return };
        let dimensions = &self.network.variables[id].dimensions;
        found.push(self.element(mode, home, dimensions, &place.indices));
    }

    fn channel(&self, channel: &ChannelRef, mode: Mode, found: &mut Vec<Access>) {
        let all = self.channels();
        let access = match channel {
            ChannelRef::Element(id, indices) => {
                let home = all.start + self.layout.channel(*id);
                self.element(mode, home, &self.network.channels[*id].dimensions, indices)
            }
            ChannelRef::Value(expr) => {
                // Channel values are numbered from 1.
                let number = self.index(expr).map(|value| {
                    Index::Binary(BinaryOp::Sub, Box::new(value), Box::new(Index::Const(1)))
                });
                Access { mode, range: all, index: number, guard: None }
            }
        };
        found.push(access);
    }

    /// An element of an array that begins at a resource.
    fn element(&self, mode: Mode, home: u32, dimensions: &[Dimension], indices: &[Expr]) -> Access {
        let Elements { first, end } = analysis::element(dimensions, indices);
        let range = home + first..home + end;
        let index = if end == first + 1 { None } else { self.position(dimensions, indices) };
        Access { mode, range, index, guard: None }
    }

    fn position(&self, dimensions: &[Dimension], indices: &[Expr]) -> Option<Index> {
        let mut position = None;
        for (dimension, index) in dimensions.iter().zip(indices) {
            let index = self.index(index)?;
            position = Some(match position {
                None => index,
                Some(before) => {
                    let size = Index::Const(dimension.size as i32);
                    let before = Index::Binary(BinaryOp::Mul, Box::new(before), Box::new(size));
                    Index::Binary(BinaryOp::Add, Box::new(before), Box::new(index))
                }
            });
        }
        position
    }
}

/// Forgets the indices, from a position on, that are computed from what is changed there or before: they may
/// have other values than in the state before the step.
fn widen_changed(all: &mut [Access], from: usize) {
    let written: Vec<Range<u32>> = all
        .iter()
        .filter(|access| access.mode == Mode::Write)
        .map(|access| access.range.clone())
        .collect();
    // The channel of a step is known before anything is changed.
    let is_later = |access: &&mut Access| !matches!(access.mode, Mode::Send | Mode::Receive);
    for access in all[from..].iter_mut().filter(is_later) {
        let mut is_changed = false;
        if let Some(index) = &access.index {
            index.words(&mut |word| is_changed |= written.iter().any(|it| it.contains(&word)));
        }
        if is_changed {
            access.index = None;
        }
    }
}
