//! What edges read and write: locations, variables, buffers and clocks, arrays by element where the
//! index is a constant.
//!
//! Everything is known by its words in the state: a buffer by the word with its length, clocks by
//! words that follow the discrete part.

use crate::problem::Problem;
use analysis::{Elements, Touch, Touches};
use explore::{EdgeNumber, Home, Layout};
use network::{Arena, ClockId, Edge, Expr, Network, ProcessId, VariableId, cancellation};
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
        cancellation::check();
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
    touches: Touches<'a>,
}

impl<'a> Surveyor<'a> {
    /// One that knows what functions do.
    pub fn new(network: &'a Network, layout: &'a Layout) -> Self {
        Surveyor { network, layout, touches: Touches::of(network) }
    }

    fn edge(&self, process: ProcessId, edge: &Edge) -> Footprint {
        let mut found = Footprint::default();
        found.reads.add(self.location(process));
        found.writes.add(self.location(process));
        let add = &mut |touch| self.add(touch, &mut found);
        self.touches.condition(&edge.guard, add);
        // What must hold in the target decides, too, whether the edge can be taken.
        let target = &self.network.processes[process].locations[edge.target];
        self.touches.condition(&target.invariant, add);
        self.touches.action(&edge.action, add);
        self.touches.statements(&edge.update, add);
        found.settled()
    }

    /// What an expression reads, by itself.
    pub fn reads(&self, expr: &Expr) -> Spans {
        let mut found = Footprint::default();
        self.touches.expr(expr, &mut |touch| self.add(touch, &mut found));
        found.settled().reads
    }

    fn add(&self, touch: Touch, found: &mut Footprint) {
        match touch {
            Touch::Read(id, elements) => found.reads.add(self.variable(id, elements)),
            Touch::Write(id, elements) => found.writes.add(self.variable(id, elements)),
            Touch::Name(process, _) => found.reads.add(self.location(process)),
            Touch::Enter(process, _) => found.writes.add(self.location(process)),
            Touch::Compare(id, elements) => found.reads.add(self.clock(id, elements)),
            Touch::Set(id, elements) => found.writes.add(self.clock(id, elements)),
            Touch::Look(channels) => self.add_buffers(channels, &mut found.reads),
            Touch::Change(channels) => self.add_buffers(channels, &mut found.writes),
        }
    }

    fn location(&self, process: ProcessId) -> Range<u32> {
        let at = self.layout.location(process) as u32;
        at..at + 1
    }

    fn variable(&self, id: VariableId, elements: Elements) -> Range<u32> {
        match self.layout.home(id) {
            Home::State(first) => first + elements.first..first + elements.end,
            Home::Constant(_) => 0..0,
        }
    }

    fn clock(&self, id: ClockId, elements: Elements) -> Range<u32> {
        let first = self.layout.discrete as u32 + self.layout.clock(id);
        first + elements.first..first + elements.end
    }

    fn add_buffers(&self, channels: Elements, spans: &mut Spans) {
        let buffers = &self.layout.buffers[channels.first as usize..channels.end as usize];
        for buffer in buffers.iter().filter(|buffer| buffer.capacity > 0) {
            spans.add(buffer.at..buffer.at + 1);
        }
    }
}
