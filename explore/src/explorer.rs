//! The executable network: initial states, successors, and what a search must know about them.
//!
//! Start at [`Explorer::compile`] and [`Explorer::successors`]; `enabled` finds which edges can fire
//! together, `fire` what comes of it (`docs/semantics.md`, zones as in Behrmann, Bouyer, Larsen,
//! Pelánek). Nothing allocates once a `Workspace` has grown, except for models with priorities, clock
//! guards on broadcast receivers, or diagonal constraints.

use crate::bounds::Bounds;
use crate::condition::{Compiler, Difference};
use crate::diagonal::Diagonals;
use crate::edge::{EdgeCode, ElementCode, LocationCode};
use crate::goal::Goal;
use crate::layout::{Home, Layout};
use crate::observer::Observer;
use crate::program::Program;
use crate::step::{EdgeNumber, ElementNumber};
use network::{
    Arena, Claim, EdgeId, Expr, Id, LocationKind, Network, Priority, Process, ProcessId, Property,
    Storage,
};
use std::sync::Arc;

/// A network ready to be explored for one goal.
#[derive(Debug)]
pub struct Explorer {
    network: Arc<Network>,
    property: Property,
    /// Where everything lies in a state.
    pub layout: Layout,
    pub(crate) program: Program,
    pub(crate) edges: Arena<EdgeNumber, EdgeCode>,
    pub(crate) locations: Vec<Vec<LocationCode>>,
    pub(crate) elements: Arena<ElementNumber, ElementCode>,
    pub(crate) priorities: Vec<Rank>,
    pub(crate) observer: Option<Observer>,
    pub(crate) goal: Goal,
    pub(crate) traits: Traits,
    pub(crate) bounds: Bounds,
    pub(crate) diagonals: Diagonals,
    pub(crate) abstraction: Abstraction,
    counts_errors: bool,
    pub(crate) initial: Vec<i32>,
    pub(crate) initial_clocks: Vec<i32>,
}

/// What the model makes use of; what it does not use costs nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Traits {
    /// Some channel is urgent.
    pub urgent_channels: bool,
    /// Some step has another priority than others.
    pub priorities: bool,
    /// Some clock can be stopped.
    pub stopwatches: bool,
    /// Some edge on an urgent channel has a clock guard.
    pub guarded_urgency: bool,
    /// Some guard waits for a timeout.
    pub timeouts: bool,
    /// Some location is committed.
    pub committed: bool,
    /// There are clocks, or some location has an invariant: entering a state may fail.
    pub conditions: bool,
}

/// Where the priority of a process is found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rank {
    /// It is always the same.
    Fixed(i32),
    /// In a word of the state.
    Slot(u32),
}

/// How zones are made finite in number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Abstraction {
    /// Not at all: the search may not end.
    None,
    /// Zones grow as far as the bounds allow (`Extra_LU+`), and cover what they include.
    ExtraLu,
    /// Zones grow as above, and cover all that their `aLU` abstraction includes.
    #[default]
    ExtraLuCoverAlu,
    /// Zones stay exact, and cover all that their `aLU` abstraction includes.
    CoverAlu,
}

/// A reason why a network cannot be explored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileError {
    /// What is in the way.
    pub message: String,
    /// Where it stands.
    pub span: network::Span,
}

impl Explorer {
    /// Makes a network executable for a property's goal, or for no goal.
    pub fn compile(
        network: impl Into<Arc<Network>>,
        property: Option<&Property>,
        abstraction: Abstraction,
    ) -> Result<Explorer, CompileError> {
        Explorer::compile_shared(network.into(), property, abstraction)
    }

    fn compile_shared(
        shared: Arc<Network>,
        property: Option<&Property>,
        abstraction: Abstraction,
    ) -> Result<Explorer, CompileError> {
        let network = &*shared;
        let layout = Layout::new(network);
        let program = Program::new(network, &layout);
        let mut compiler = Compiler { network, layout: &layout, program };
        let mut edges = Arena::new();
        let mut locations = Vec::new();
        for (id, process) in network.processes.enumerate() {
            locations.push(compiler.process(id, process, &mut edges));
        }
        let observer = Observer::take(network, property, &mut locations);
        let elements = compiler.channel_elements();
        let traits = Traits::of(&compiler, network, &elements);
        refuse_mixture(network, &elements)?;
        let goal = Goal::compile(&mut compiler, property)?;
        let program = compiler.program;
        let claim = property.filter(|p| !matches!(p.claim, Claim::Unsupported(_)));
        let expression = claim.and_then(|p| Some((p.claim.expression()?, &p.locals)));
        let negated = claim.is_some_and(|p| matches!(p.claim, Claim::Always(_)));
        let symmetric = goal.sees_deadlock() || traits.priorities;
        let bounds = Bounds::new(network, &layout, expression, negated, symmetric);
        let diagonals = Diagonals::of(network, &layout, property, bounds.maxima())?;
        let abstraction = if diagonals.is_empty() || abstraction == Abstraction::None {
            abstraction
        } else {
            Abstraction::ExtraLu
        };
        let initial = initial_words(network, &layout);
        let initial_clocks = network.clocks.iter().flat_map(|c| c.initial.clone()).collect();
        let priorities = network.processes.iter().map(|p| Rank::of(p, network, &layout)).collect();
        Ok(Explorer {
            network: shared,
            property: property.cloned().unwrap_or_else(Property::unreachable),
            layout,
            program,
            edges,
            locations,
            elements,
            priorities,
            observer,
            goal,
            traits,
            bounds,
            diagonals,
            abstraction,
            counts_errors: property.is_some_and(|p| p.counts_errors),
            initial,
            initial_clocks,
        })
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The property whose goal is looked for.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The numbers of the edges.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = EdgeNumber> + use<> {
        self.edges.ids()
    }

    /// The process and the edge that a number stands for.
    pub fn edge(&self, number: EdgeNumber) -> (ProcessId, EdgeId) {
        let code = &self.edges[number];
        (code.process, code.edge)
    }

    /// Whether the edge with a number sends to a buffer or receives from one.
    pub fn acts_on_buffer(&self, number: EdgeNumber) -> bool {
        self.edges[number].buffer.is_some()
    }

    /// Whether a run-time error of the model answers the property.
    pub fn counts_errors(&self) -> bool {
        self.counts_errors
    }

    /// How zones are abstracted.
    pub fn abstraction(&self) -> Abstraction {
        self.abstraction
    }

    /// Whether every path of the zone graph is a run of the model. If not, the zone graph has *more*
    /// paths than the model, and a path counts only if a trace with delays is found for it.
    pub fn is_exact(&self) -> bool {
        !self.traits.stopwatches && !self.traits.guarded_urgency
    }

    /// What the model makes use of.
    pub fn traits(&self) -> Traits {
        self.traits
    }

    /// Writes L and U of a state's clocks.
    pub fn clock_bounds(&self, state: &[i32], lower: &mut [i32], upper: &mut [i32]) {
        self.bounds.of(&state[..self.layout.processes], lower, upper);
    }

    /// The greatest constant each clock is compared with.
    pub fn clock_maxima(&self) -> Vec<i32> {
        self.bounds.maxima()
    }
}

/// Applies a bound to a zone; false if nothing is left.
#[inline]
pub(crate) fn constrain(zone: &mut [i32], dim: usize, d: Difference) -> bool {
    let (i, j) = (d.i as usize, d.j as usize);
    d.bound >= zone[i * dim + j] || zones::constrain(zone, dim, i, j, d.bound)
}

impl Traits {
    fn of(
        compiler: &Compiler,
        network: &Network,
        elements: &Arena<ElementNumber, ElementCode>,
    ) -> Traits {
        let edges = || network.processes.iter().flat_map(|p| &p.edges);
        let locations = || network.processes.iter().flat_map(|p| &p.locations);
        let mut priorities = network.processes.iter().map(|p| p.priority);
        let first = priorities.next().unwrap_or(Priority::Fixed(0));
        let differ = matches!(first, Priority::Variable(_)) || priorities.any(|p| p != first);
        Traits {
            urgent_channels: network.channels.iter().any(|c| c.urgent),
            priorities: elements.iter().any(|e| e.priority != 0) || differ,
            stopwatches: locations().any(|l| !l.rates.is_empty()),
            guarded_urgency: edges().any(|e| compiler.is_urgent(e) && !e.guard.clocks.is_empty()),
            timeouts: edges().any(|e| mentions_timeout(&e.guard.data)),
            committed: locations().any(|l| l.kind == LocationKind::Committed),
            conditions: !network.clocks.is_empty() || locations().any(|l| !l.invariant.is_always()),
        }
    }
}

impl Rank {
    fn of(process: &Process, network: &Network, layout: &Layout) -> Rank {
        match process.priority {
            Priority::Fixed(priority) => Rank::Fixed(priority),
            Priority::Variable(id) => match layout.home(id) {
                Home::State(slot) => Rank::Slot(slot),
                Home::Constant(_) => Rank::Fixed(network.variables[id].initial[0]),
            },
        }
    }
}

fn initial_words(network: &Network, layout: &Layout) -> Vec<i32> {
    let of = |storage: Storage| {
        let stored = network.variables.iter().filter(move |v| v.storage == storage);
        stored.flat_map(|v| v.initial.iter().copied())
    };
    let mut words: Vec<i32> = network.processes.iter().map(|p| p.initial.index() as i32).collect();
    words.extend(of(Storage::State));
    // Buffers are empty and nobody has control.
    words.resize(layout.identity, 0);
    words.extend(of(Storage::Meta));
    words
}

/// Control, preferences and timeouts look at what *can* happen; they do so by data alone, as programs
/// that pass messages need it. Whatever else has a say in that is refused beside them.
fn refuse_mixture(
    network: &Network,
    elements: &Arena<ElementNumber, ElementCode>,
) -> Result<(), CompileError> {
    let odd = |e: &&network::Edge| {
        e.keeps_control || e.preference != 0 || mentions_timeout(&e.guard.data)
    };
    let edges = || network.processes.iter().flat_map(|p| &p.edges);
    let Some(edge) = edges().find(odd) else { return Ok(()) };
    let mut locations = network.processes.iter().flat_map(|p| &p.locations);
    let plain =
        |l: &network::Location| l.kind != LocationKind::Committed && l.invariant.is_always();
    let beside = if !network.clocks.is_empty() {
        "clocks"
    } else if elements.iter().any(|e| e.priority != 0) {
        "priorities of channels"
    } else if !locations.all(plain) {
        "invariants or committed locations"
    } else {
        return Ok(());
    };
    let message = format!("not supported: control, preferences or timeout together with {beside}");
    Err(CompileError { message, span: edge.span })
}

fn mentions_timeout(expr: &Expr) -> bool {
    expr.mentions(&|part| *part == Expr::Timeout)
}
