//! The executable network: initial states, successors, and what a search must know about them.
//!
//! Start at [`Explorer::compile`] and [`Explorer::successors`]; `steps` enumerates which edges can
//! fire together, this file computes what comes of it (`docs/semantics.md`, zones as in
//! Behrmann, Bouyer, Larsen, Pelánek). Nothing here allocates once a [`Workspace`] has grown, except
//! for models with priorities, clock guards on broadcast receivers, or diagonal constraints.

use crate::bounds::Bounds;
use crate::condition::{Compiler, Difference, evaluate};
use crate::diagonal::Diagonals;
use crate::edge::{EdgeCode, ElementCode, LocationCode, Update};
use crate::goal::Goal;
use crate::layout::{Home, Layout};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::program::Program;
use crate::steps::{Candidate, OnStep};
use network::{
    Claim, EdgeId, ErrorKind, Expr, Id, LocationKind, Network, Priority, Process, ProcessId,
    Property, RunTimeError, Storage, patience,
};
use zones::bound;

/// A network ready to be explored for one goal.
#[derive(Debug)]
pub struct Explorer {
    /// Where everything lies in a state.
    pub layout: Layout,
    pub(crate) program: Program,
    pub(crate) edges: Vec<EdgeCode>,
    pub(crate) locations: Vec<Vec<LocationCode>>,
    pub(crate) elements: Vec<ElementCode>,
    pub(crate) priorities: Vec<Rank>,
    pub(crate) observer: Option<Observer>,
    pub(crate) goal: Goal,
    pub(crate) traits: Traits,
    bounds: Bounds,
    diagonals: Diagonals,
    abstraction: Abstraction,
    counts_errors: bool,
    initial: Vec<i32>,
    initial_clocks: Vec<i32>,
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

/// A run-time error of the model, and the step that raised it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// The error.
    pub error: RunTimeError,
    /// The step, as in [`Explorer::moves`]; empty if the state itself raised it.
    pub step: Vec<i32>,
}

/// Buffers for computing successors; one per thread.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) machine: Machine,
    /// The state whose successors are wanted.
    pub(crate) current: Vec<i32>,
    /// The successor in the making.
    pub(crate) next: Vec<i32>,
    pub(crate) internal: Vec<Candidate>,
    pub(crate) sends: Vec<Candidate>,
    pub(crate) receives: Vec<Candidate>,
    pub(crate) selects: Vec<i32>,
    pub(crate) wanted: Vec<bool>,
    /// The processes that can move.
    pub(crate) active: Vec<bool>,
    pub(crate) groups: Vec<(u32, u32, u32)>,
    pub(crate) part: Vec<Candidate>,
    /// The edges that fire together, the sender first.
    pub(crate) moves: Vec<Candidate>,
    /// The words of the steps that led to `current` within a longer one, each followed by a mark.
    pub(crate) way: Vec<i32>,
    /// For going on from `next` at once.
    pub(crate) deeper: Option<Box<Workspace>>,
    /// The edges that the observer can take.
    pub(crate) observed: Vec<u32>,
    /// A part of the current zone that the step is limited to.
    pub(crate) cell: Option<Vec<i32>>,
    /// The moves as words: edge number and select values of each.
    pub(crate) step: Vec<i32>,
    /// What the guards of the moves demand.
    pub(crate) guards: Vec<Difference>,
    /// What the invariants of the successor demand.
    pub(crate) invariants: Vec<Difference>,
    /// The value each clock is set to, or -1.
    pub(crate) reset_to: Vec<i32>,
    /// Whether time may pass in the successor.
    pub(crate) may_delay: bool,
    pub(crate) stopped: Vec<bool>,
    /// The upper bounds among the invariants.
    caps: Vec<(usize, i32)>,
    lower: Vec<i32>,
    upper: Vec<i32>,
}

/// Receives successors: the state and the step that leads to it.
pub type Visit<'a> = dyn FnMut(&[i32], &[i32]) + 'a;

impl Explorer {
    /// Makes a network executable for a property's goal, or for no goal.
    pub fn compile(
        network: &Network,
        property: Option<&Property>,
        abstraction: Abstraction,
    ) -> Result<Explorer, CompileError> {
        let layout = Layout::new(network);
        let program = Program::new(network, &layout);
        let mut compiler = Compiler { network, layout: &layout, program };
        let mut edges = Vec::new();
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

    /// Buffers for this explorer.
    pub fn workspace(&self) -> Workspace {
        let (words, dim) = (self.layout.words(), self.layout.dim);
        Workspace {
            machine: Machine::default(),
            current: vec![0; words],
            next: vec![0; words],
            internal: Vec::new(),
            sends: Vec::new(),
            receives: Vec::new(),
            selects: Vec::new(),
            wanted: vec![false; self.elements.len()],
            active: Vec::new(),
            groups: Vec::new(),
            part: Vec::new(),
            moves: Vec::new(),
            way: Vec::new(),
            deeper: None,
            observed: Vec::new(),
            cell: None,
            step: Vec::new(),
            guards: Vec::new(),
            invariants: Vec::new(),
            reset_to: vec![-1; dim],
            may_delay: false,
            stopped: vec![false; dim],
            caps: Vec::new(),
            lower: vec![0; dim],
            upper: vec![0; dim],
        }
    }

    /// The number of edges; steps name them by their numbers.
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The process and the edge that a number stands for. An edge of the network has two numbers if
    /// its channel may be one with a buffer or one without.
    pub fn edge(&self, number: usize) -> (ProcessId, EdgeId) {
        let code = &self.edges[number];
        (code.process, code.edge)
    }

    /// Whether the edge with a number sends to a buffer or receives from one.
    pub fn acts_on_buffer(&self, number: usize) -> bool {
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

    /// Gives the initial states: none if they violate an invariant, several only if the zone had to
    /// be split.
    pub fn initial(&self, ws: &mut Workspace, visit: &mut Visit) -> Result<(), Raised> {
        if self.enter_initial(ws)? {
            self.emit(ws, visit);
        }
        Ok(())
    }

    /// Puts the exact initial state into `next`; false if there is none.
    pub(crate) fn enter_initial(&self, ws: &mut Workspace) -> Result<bool, Raised> {
        ws.step.clear();
        ws.next[..self.initial.len()].copy_from_slice(&self.initial);
        let zone = self.layout.zone();
        if !zone.is_empty() {
            zones::zero(&mut ws.next[zone.clone()], self.layout.dim);
        }
        ws.reset_to.fill(-1);
        for (x, &value) in self.initial_clocks.iter().enumerate() {
            ws.reset_to[x + 1] = value;
        }
        let possible = self.enter(ws).map_err(|error| Raised { error, step: Vec::new() })?;
        if possible {
            self.elapse(ws);
        }
        Ok(possible)
    }

    /// Gives every successor of a state with the step that leads to it.
    pub fn successors(
        &self,
        ws: &mut Workspace,
        state: &[i32],
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        ws.current.copy_from_slice(state);
        self.each_successor(ws, &mut |explorer, ws| {
            explorer.emit(ws, visit);
            Ok(())
        })
    }

    /// Fires every step of the current state that may be taken; if there is none, `timeout` is true
    /// in a second try. Says whether there was one.
    pub(crate) fn each_possible_step(
        &self,
        ws: &mut Workspace,
        on_fired: &mut OnStep,
    ) -> Result<bool, Raised> {
        let any = self.each_fired(ws, on_fired)?;
        if any || !self.traits.timeouts {
            return Ok(any);
        }
        ws.machine.timeout = true;
        let result = self.each_fired(ws, on_fired);
        ws.machine.timeout = false;
        result
    }

    fn each_fired(&self, ws: &mut Workspace, on_fired: &mut OnStep) -> Result<bool, Raised> {
        if self.traits.priorities {
            return self.prioritised(ws, on_fired);
        }
        let mut any = false;
        self.each_step(ws, &mut |explorer, ws| {
            if explorer.fire(ws)? {
                any = true;
                on_fired(explorer, ws)?;
            }
            Ok(())
        })?;
        Ok(any)
    }

    /// Lets the moves of the workspace happen, up to and including the invariants of the state that
    /// is entered, without delay; false if they cannot.
    pub(crate) fn fire(&self, ws: &mut Workspace) -> Result<bool, Raised> {
        patience::check();
        let fired = self.guard(ws).and_then(|open| if open { self.update(ws) } else { Ok(false) });
        let fired = fired.map_err(|error| {
            self.write_step(ws);
            Raised { error, step: ws.step.clone() }
        })?;
        if fired {
            self.settle_control(ws);
        }
        Ok(fired)
    }

    /// Notes in `next` whether the last process that moved has control.
    fn settle_control(&self, ws: &mut Workspace) {
        let (Some(slot), Some(last)) = (self.layout.control, ws.moves.last()) else {
            return;
        };
        let edge = &self.edges[last.edge as usize];
        let process = edge.process.index();
        // Whoever looks at `next` from here on must not see the control of the state before.
        ws.next[slot as usize] = 0;
        let timeout = std::mem::replace(&mut ws.machine.timeout, false);
        let keeps = edge.keeps_control && self.can_go_on(ws, process);
        ws.machine.timeout = timeout;
        if keeps {
            ws.next[slot as usize] = process as i32 + 1;
        }
    }

    /// Whether some process has control, so that the state is one in the middle of a longer step.
    pub fn is_transient(&self, state: &[i32]) -> bool {
        self.layout.control.is_some_and(|slot| state[slot as usize] != 0)
    }

    /// Copies the current state to `next` and applies the clock guards of the moves.
    pub(crate) fn guard(&self, ws: &mut Workspace) -> Result<bool, RunTimeError> {
        ws.next.copy_from_slice(&ws.current);
        let zone = self.layout.zone();
        if zone.is_empty() {
            return Ok(true);
        }
        if let Some(cell) = &ws.cell {
            ws.next[zone.clone()].copy_from_slice(cell);
        }
        ws.guards.clear();
        for i in 0..ws.moves.len() {
            let candidate = ws.moves[i];
            let edge = &self.edges[candidate.edge as usize];
            if !edge.clocks.is_empty() {
                self.bind(ws, candidate);
                let Workspace { machine, current, guards, next, .. } = ws;
                if let Err(error) = evaluate(&edge.clocks, &self.program, machine, current, guards)
                {
                    // It counts only where what was asked before it can hold.
                    let zone = &mut next[zone];
                    let met = guards.iter().all(|g| constrain(zone, self.layout.dim, *g));
                    return if met { Err(error) } else { Ok(false) };
                }
            }
        }
        let zone = &mut ws.next[zone];
        Ok(ws.guards.iter().all(|g| constrain(zone, self.layout.dim, *g)))
    }

    /// Runs the updates of the moves on `next` and enters the targets.
    pub(crate) fn update(&self, ws: &mut Workspace) -> Result<bool, RunTimeError> {
        ws.machine.begin_step();
        ws.reset_to.fill(-1);
        for i in 0..ws.moves.len() {
            let candidate = ws.moves[i];
            self.hand_over(ws, candidate)?;
            match &self.edges[candidate.edge as usize].update {
                Update::Constants { words, resets } => {
                    words.iter().for_each(|&(slot, value)| ws.next[slot as usize] = value);
                    resets.iter().for_each(|&(x, value)| ws.reset_to[x as usize] = value);
                }
                Update::Code(entry, frame) => {
                    self.bind(ws, candidate);
                    let before = ws.machine.resets.len();
                    ws.machine.run(&self.program, *entry, *frame, &mut ws.next)?;
                    for &(x, value) in &ws.machine.resets[before..] {
                        ws.reset_to[x as usize] = value;
                    }
                }
            }
        }
        for i in 0..ws.moves.len() {
            let edge = &self.edges[ws.moves[i].edge as usize];
            ws.next[edge.process.index()] = edge.target;
        }
        self.enter(ws)
    }

    /// Stores the message of the sender where its receiver wants it.
    fn hand_over(&self, ws: &mut Workspace, receiver: Candidate) -> Result<(), RunTimeError> {
        let Some(stores) = &self.edges[receiver.edge as usize].meeting.stores else {
            return Ok(());
        };
        self.bind(ws, receiver);
        let from = ws.moves[0].message as usize;
        let Workspace { machine, next, selects, .. } = ws;
        let fields = stores.fields.iter().rev().map(|&field| selects[from + field]);
        machine.run_with(&self.program, stores.entry, stores.frame, next, fields)
    }

    /// Resets clocks and applies the invariants of the locations entered; the constraints on the
    /// zone *before* the resets are those invariants with the values of set clocks put in, so that
    /// what is left before the resets is exactly where the step is possible.
    pub(crate) fn enter(&self, ws: &mut Workspace) -> Result<bool, RunTimeError> {
        if !self.traits.conditions {
            return Ok(true);
        }
        ws.invariants.clear();
        for (p, locations) in self.locations.iter().enumerate() {
            let location = &locations[ws.next[p] as usize];
            let Workspace { machine, next, invariants, .. } = ws;
            if !location.invariant.holds(&self.program, machine, next)? {
                return Ok(false);
            }
            evaluate(&location.clocks, &self.program, machine, next, invariants)?;
        }
        if self.traits.stopwatches {
            self.find_stopped(ws)?;
        }
        ws.may_delay = self.may_delay(ws);
        let Workspace { next, invariants, reset_to, caps, .. } = ws;
        let zone = &mut next[self.layout.zone()];
        caps.clear();
        for &d in invariants.iter() {
            match before_resets(d, reset_to) {
                Ok(Difference { i, j: 0, bound }) => caps.push((i as usize, bound)),
                Ok(d) if constrain(zone, self.layout.dim, d) => {}
                Err(true) => {}
                _ => return Ok(false),
            }
        }
        Ok(zones::constrain_above(zone, self.layout.dim, caps))
    }

    /// Sets clocks and lets time pass where it may.
    pub(crate) fn elapse(&self, ws: &mut Workspace) {
        let dim = self.layout.dim;
        if dim == 0 {
            return;
        }
        let zone = &mut ws.next[self.layout.zone()];
        for (x, &value) in ws.reset_to.iter().enumerate().skip(1) {
            if value >= 0 {
                zones::reset(zone, dim, x, value);
            }
        }
        if !ws.may_delay {
            return;
        }
        if self.traits.stopwatches {
            zones::up_with_stopped(zone, dim, &ws.stopped);
        } else {
            zones::up(zone, dim);
        }
        // The zone before the delay satisfied the invariants, so it cannot become empty.
        let is_cap = |d: &&Difference| d.j == 0;
        ws.caps.clear();
        ws.caps.extend(ws.invariants.iter().filter(is_cap).map(|d| (d.i as usize, d.bound)));
        zones::constrain_above(zone, dim, &ws.caps);
        for &d in ws.invariants.iter().filter(|d| !is_cap(d)) {
            constrain(zone, dim, d);
        }
    }

    /// Abstracts the zone of `next` and hands the state over.
    pub(crate) fn emit(&self, ws: &mut Workspace, visit: &mut Visit) {
        self.write_step(ws);
        let (dim, zone) = (self.layout.dim, self.layout.zone());
        if dim == 0 || matches!(self.abstraction, Abstraction::None | Abstraction::CoverAlu) {
            return visit(&ws.next, &ws.step);
        }
        if self.diagonals.is_empty() {
            self.clock_bounds(&ws.next, &mut ws.lower, &mut ws.upper);
            zones::extrapolate_lu_plus(&mut ws.next[zone], dim, &ws.lower, &ws.upper);
            return visit(&ws.next, &ws.step);
        }
        let Workspace { next, step, .. } = ws;
        let whole = next[zone.clone()].to_vec();
        self.diagonals.extrapolate(&whole, dim, &mut |piece| {
            next[zone.clone()].copy_from_slice(piece);
            visit(next, step);
        });
    }

    /// Notes which clocks stand still in `next`.
    fn find_stopped(&self, ws: &mut Workspace) -> Result<(), RunTimeError> {
        const UNKNOWN: i32 = -1;
        let mut rates = vec![UNKNOWN; self.layout.dim];
        let Workspace { machine, next, stopped, .. } = ws;
        for (p, locations) in self.locations.iter().enumerate() {
            for (when, clock, rate, span) in &locations[next[p] as usize].rates {
                if !when.holds(&self.program, machine, next)? {
                    continue;
                }
                let clock = clock.of(&self.program, machine, next)? as usize;
                let rate = rate.of(&self.program, machine, next)?;
                if !(0..=1).contains(&rate) || ![UNKNOWN, rate].contains(&rates[clock]) {
                    return Err(RunTimeError { kind: ErrorKind::Rate(rate), span: *span });
                }
                rates[clock] = rate;
            }
        }
        stopped.iter_mut().zip(&rates).for_each(|(stopped, &rate)| *stopped = rate == 0);
        Ok(())
    }

    /// Whether time may pass in `next`, as far as locations and urgent channels say.
    fn may_delay(&self, ws: &mut Workspace) -> bool {
        let stands_still = |(all, &l): (&Vec<LocationCode>, &i32)| {
            matches!(all[l as usize].kind, LocationKind::Urgent | LocationKind::Committed)
        };
        !self.locations.iter().zip(&ws.next).any(stands_still)
            && (!self.traits.urgent_channels || !self.is_urgent(ws))
    }

    /// The numbers of the edges in a step, or in the single steps that a longer one is made of.
    pub fn edges_of<'a>(&'a self, step: &'a [i32]) -> impl Iterator<Item = usize> + Clone + 'a {
        let mut rest = step;
        std::iter::from_fn(move || {
            while let [word, tail @ ..] = rest {
                rest = tail;
                // A longer step has marks between its parts.
                if let Ok(edge) = usize::try_from(*word) {
                    rest = &rest[self.edges[edge].selects.len()..];
                    return Some(edge);
                }
            }
            None
        })
    }

    /// The moves that a step's words stand for: process, edge and select values.
    pub fn moves(&self, step: &[i32]) -> Vec<network::Move> {
        let mut moves = Vec::new();
        let mut rest = step;
        while let [edge, tail @ ..] = rest {
            let edge = &self.edges[*edge as usize];
            let (selects, tail) = tail.split_at(edge.selects.len());
            moves.push(network::Move {
                process: edge.process,
                edge: edge.edge,
                selects: selects.to_vec(),
            });
            rest = tail;
        }
        moves
    }
}

/// Applies a bound to a zone; false if nothing is left.
#[inline]
pub(crate) fn constrain(zone: &mut [i32], dim: usize, d: Difference) -> bool {
    let (i, j) = (d.i as usize, d.j as usize);
    d.bound >= zone[i * dim + j] || zones::constrain(zone, dim, i, j, d.bound)
}

/// The bound that must hold before some clocks are set for the given one to hold afterwards; or
/// whether it does, if no other clock is left in it.
pub(crate) fn before_resets(d: Difference, to: &[i32]) -> Result<Difference, bool> {
    let value = |x: u32| if x == 0 { -1 } else { to[x as usize] };
    let (vi, vj) = (value(d.i), value(d.j));
    if vi < 0 && vj < 0 {
        return Ok(d);
    }
    let (i, ci) = if vi >= 0 { (0, vi) } else { (d.i, 0) };
    let (j, cj) = if vj >= 0 { (0, vj) } else { (d.j, 0) };
    // (x_i or ci) - (x_j or cj) within bound.
    let limit = bound::add(d.bound, bound::le(cj - ci));
    if i == j { Err(limit >= bound::LE_ZERO) } else { Ok(Difference { i, j, bound: limit }) }
}

impl Traits {
    fn of(compiler: &Compiler, network: &Network, elements: &[ElementCode]) -> Traits {
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
fn refuse_mixture(network: &Network, elements: &[ElementCode]) -> Result<(), CompileError> {
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
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e, Expr::Timeout));
    found
}
