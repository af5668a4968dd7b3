//! The rules of `docs/semantics.md` for concrete states: the entry points and what they share.
//!
//! `delay.rs` says when time may pass, `take.rs` judges a given step, `offers.rs` and `steps.rs`
//! find all steps, `exchange.rs` moves messages, `timeout.rs` says when nothing is possible,
//! `deadlock.rs` looks for steps after any delay, `observe.rs` adds the moves of an observer.

use network::{
    ChannelId, ChannelKind, Claim, Edge, EdgeId, Expr, Id, LocationKind, Move, Network, Process,
    ProcessId, Property, RunTimeError,
};

use crate::State;
use crate::atom::{Atom, Rates};
use crate::evaluator::Evaluator;
use crate::frame::Frame;
use crate::moments::Moments;

/// Executes a network concretely, with `scale` ticks to a unit of time.
pub struct Simulator<'n> {
    network: &'n Network,
    scale: i64,
    /// The number of the first element of each channel.
    first: Vec<usize>,
    /// The channel and its element behind each number.
    elements: Vec<(ChannelId, usize)>,
    /// The edges that leave each location of each process.
    leaving: Vec<Vec<Vec<EdgeId>>>,
    /// Whether `timeout` stands in some guard.
    pub(crate) has_timeout: bool,
    /// Whether some edge has a preference other than 0.
    pub(crate) has_preferences: bool,
    /// The process that moves along with the others.
    pub(crate) observer: Option<ProcessId>,
}

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The rules do not allow it, for the reason given.
    Illegal(String),
    /// The model raises a run-time error.
    Error(RunTimeError),
}

/// What may happen next in a state without any delay.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// The steps that may be taken.
    pub steps: Vec<Vec<Move>>,
    /// The run-time errors that guards and the effects of steps raise.
    pub errors: Vec<Raised>,
}

/// A run-time error and the moves whose evaluation raised it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raised {
    /// The error.
    pub error: RunTimeError,
    /// The moves; none if the state itself raised it.
    pub moves: Vec<Move>,
}

impl Stop {
    pub(crate) fn illegal(reason: impl Into<String>) -> Stop {
        Stop::Illegal(reason.into())
    }

    /// The reason in words, where it is one of this network.
    pub fn message(&self, network: &Network) -> String {
        match self {
            Stop::Illegal(reason) => reason.clone(),
            Stop::Error(error) => {
                format!("a run-time error is raised: {}", error.kind.message(network))
            }
        }
    }
}

impl<'n> Simulator<'n> {
    /// A simulator, unless there are no ticks.
    pub fn new(network: &'n Network, scale: i64) -> Result<Self, Stop> {
        if scale < 1 {
            return Err(Stop::illegal(format!("{scale} ticks per unit of time are too few")));
        }
        let (mut first, mut elements) = (Vec::new(), Vec::new());
        for (id, channel) in network.channels.enumerate() {
            first.push(elements.len());
            elements.extend((0..channel.len()).map(|element| (id, element)));
        }
        let (has_timeout, has_preferences) = (has_timeout(network), has_preferences(network));
        Ok(Simulator {
            network,
            scale,
            first,
            elements,
            leaving: network.processes.iter().map(leaving).collect(),
            has_timeout,
            has_preferences,
            observer: None,
        })
    }
    /// The network.
    pub fn network(&self) -> &'n Network {
        self.network
    }
    /// Ticks per unit of time.
    pub fn scale(&self) -> i64 {
        self.scale
    }

    /// The initial state, if its invariants hold.
    pub fn initial(&self) -> Result<State, Stop> {
        let state = State::declared(self.network, self.scale);
        self.check_invariants(&mut self.evaluator(&state))?;
        Ok(state)
    }

    /// Whether a state is what the property looks for: for `Always(e)` that is `!e`.
    pub fn is_goal(&self, state: &State, property: &Property) -> Result<bool, Stop> {
        let mut frame = Frame::new(&property.locals);
        let mut evaluator = self.evaluator(state);
        evaluator.span = property.span;
        match &property.claim {
            Claim::Reachable(expr) => Ok(evaluator.expr(expr, &mut frame)? != 0),
            Claim::Always(expr) => Ok(evaluator.expr(expr, &mut frame)? == 0),
            Claim::Unsupported(why) => {
                Err(Stop::illegal(format!("the property cannot be checked: {why}")))
            }
        }
    }

    pub(crate) fn evaluator<'a>(&'a self, state: &'a State) -> Evaluator<'a> {
        Evaluator::new(self, state)
    }
    /// The number of channel elements.
    pub(crate) fn elements(&self) -> usize {
        self.elements.len()
    }
    pub(crate) fn first_element(&self, channel: ChannelId) -> usize {
        self.first[channel.index()]
    }
    /// The channel and its element behind a number.
    pub(crate) fn element(&self, number: usize) -> (ChannelId, usize) {
        self.elements[number]
    }
    pub(crate) fn kind(&self, number: usize) -> &'n ChannelKind {
        &self.network.channels[self.elements[number].0].kind
    }
    /// The edges that leave the location where a process is.
    pub(crate) fn leaving(&self, state: &State, process: ProcessId) -> &[EdgeId] {
        &self.leaving[process.index()][state.location(process).index()]
    }
    pub(crate) fn edge_of(&self, moved: &Move) -> &'n Edge {
        &self.network.processes[moved.process].edges[moved.edge]
    }

    /// Whether a process is in a location of a kind.
    pub(crate) fn is_at(&self, state: &State, process: ProcessId, kind: LocationKind) -> bool {
        self.network.processes[process].locations[state.location(process)].kind == kind
    }

    /// Demands that every invariant holds in the draft.
    pub(crate) fn check_invariants(&self, evaluator: &mut Evaluator) -> Result<(), Stop> {
        for process in self.network.processes.ids() {
            let atoms = self.invariant(evaluator, process)?;
            if let Some(atom) = atoms.iter().find(|atom| !atom.holds(&evaluator.draft, self.scale))
            {
                let reason = atom.describe(&evaluator.draft, self);
                let place = self.place(evaluator, process);
                return Err(Stop::illegal(format!(
                    "the invariant of {place} does not hold: {reason}"
                )));
            }
        }
        Ok(())
    }

    /// The delays after which every invariant holds; none if the data part of one is false.
    pub(crate) fn invariant_moments(
        &self,
        evaluator: &mut Evaluator,
        rates: &Rates,
    ) -> Result<Moments, Stop> {
        let mut moments = Moments::ALL;
        for process in self.network.processes.ids() {
            for atom in self.invariant(evaluator, process)? {
                moments = moments.and(atom.moments(&evaluator.draft, Some(rates), self.scale));
            }
        }
        Ok(moments)
    }

    /// The clock constraints of a process's invariant; its data part must hold.
    pub(crate) fn invariant(
        &self,
        evaluator: &mut Evaluator,
        process: ProcessId,
    ) -> Result<Vec<Atom>, Stop> {
        let location =
            &self.network.processes[process].locations[evaluator.draft.location(process)];
        let mut frame = Frame::new(&location.locals);
        evaluator.condition(&location.invariant, &mut frame)?.ok_or_else(|| {
            let place = self.place(evaluator, process);
            Stop::illegal(format!("the invariant of {place} does not hold: its data part is false"))
        })
    }

    fn place(&self, evaluator: &Evaluator, process: ProcessId) -> String {
        let location = evaluator.draft.location(process);
        let process = &self.network.processes[process];
        format!("{} {}", process.name, process.locations[location].name)
    }
}

fn leaving(process: &Process) -> Vec<Vec<EdgeId>> {
    let mut leaving = vec![Vec::new(); process.locations.len()];
    for (id, edge) in process.edges.enumerate() {
        leaving[edge.source.index()].push(id);
    }
    leaving
}

fn edges(network: &Network) -> impl Iterator<Item = &Edge> {
    network.processes.iter().flat_map(|process| &process.edges)
}

fn has_preferences(network: &Network) -> bool {
    edges(network).any(|edge| edge.preference != 0)
}

fn has_timeout(network: &Network) -> bool {
    let mut found = false;
    for edge in edges(network) {
        edge.guard.data.walk(&mut |expr| found |= *expr == Expr::Timeout);
    }
    found
}
