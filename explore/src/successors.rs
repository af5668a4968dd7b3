//! From a state to its successors: the steps that are enabled fire, in the parts of the zone where no
//! better one is possible, and time passes.

use crate::explorer::{Abstraction, Explorer};
use crate::fire::Successor;
use crate::machine::Machine;
use crate::step::{EdgeNumber, Raised, Step};
use crate::steps::{Enabled, Steps};
use network::{Id, RunTimeError};

/// Buffers for computing successors; one per thread.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) expansion: Expansion,
    /// For going on from a successor at once.
    pub(crate) deeper: Option<Box<Workspace>>,
    pub(crate) bounds: ClockBounds,
    /// The processes that can move.
    active: Vec<bool>,
}

/// A state and what is found out about its steps.
#[derive(Debug)]
pub(crate) struct Expansion {
    pub machine: Machine,
    pub state: Vec<i32>,
    pub steps: Steps,
    pub next: Successor,
    /// The edges that the observer can take.
    pub observed: Vec<EdgeNumber>,
    /// The words of the steps that led to the state within a longer one, each followed by a mark.
    pub prefix: Vec<i32>,
    /// Those and the words of a step.
    pub words: Vec<i32>,
}

/// L and U of a state's clocks.
#[derive(Debug)]
pub(crate) struct ClockBounds {
    lower: Vec<i32>,
    upper: Vec<i32>,
}

/// A step that has fired.
pub(crate) struct Fired<'a> {
    pub machine: &'a mut Machine,
    pub step: &'a Enabled<'a>,
    pub next: &'a mut Successor,
    /// The words before the step, if it is part of a longer one.
    pub prefix: &'a [i32],
    /// All words, once time has passed.
    pub words: &'a mut Vec<i32>,
}

/// Receives successors: the state and the step that leads to it.
pub type Visit<'a> = dyn FnMut(&[i32], Step) + 'a;

/// Leaves out enabled steps of a state; see `search::Pruning`.
pub type Prune<'a> = dyn FnMut(&[i32], &mut Steps) + 'a;

/// Leaves out nothing.
pub(crate) fn keep_all(_: &[i32], _: &mut Steps) {}

/// Told of each step that has fired.
pub(crate) type OnFired<'a> = dyn FnMut(&mut Fired) -> Result<(), Raised> + 'a;

impl Expansion {
    fn new(explorer: &Explorer) -> Self {
        Expansion {
            machine: Machine::default(),
            state: vec![0; explorer.layout.words()],
            steps: Steps::default(),
            next: Successor::new(explorer),
            observed: Vec::new(),
            prefix: Vec::new(),
            words: Vec::new(),
        }
    }
}

impl Workspace {
    /// From now on no more steps of several processes are looked at, in each state, than are said: their
    /// number is exponential in that of the processes.
    pub fn look_at_most(&mut self, steps: usize) {
        (self.expansion.steps.most, self.expansion.steps.wanted_most) = (Some(steps), 0);
    }

    /// How many steps of several processes would have had to be allowed since then for none to be left out.
    /// With as many or more allowed, everything is the same.
    pub fn steps_to_look_at(&self) -> usize {
        self.expansion.steps.wanted_most
    }

    /// Whether steps of the last state were left out, because there were too many.
    pub fn left_out_steps(&self) -> bool {
        self.expansion.steps.leaves_out
    }
}

impl Explorer {
    /// Buffers for this explorer.
    pub fn workspace(&self) -> Workspace {
        let dim = self.layout.dim;
        Workspace {
            expansion: Expansion::new(self),
            deeper: None,
            bounds: ClockBounds { lower: vec![0; dim], upper: vec![0; dim] },
            active: vec![false; self.layout.processes],
        }
    }

    /// Visits the initial states: none if they violate an invariant, several only if the zone had to
    /// be split.
    pub fn initial(&self, ws: &mut Workspace, visit: &mut Visit) -> Result<(), Raised> {
        let Workspace { expansion: Expansion { machine, next, .. }, bounds, .. } = ws;
        if self.enter_initial(machine, next)? {
            self.emit(next, &[], bounds, visit);
        }
        Ok(())
    }

    /// Makes the exact initial state; false if there is none.
    pub(crate) fn enter_initial(
        &self,
        machine: &mut Machine,
        next: &mut Successor,
    ) -> Result<bool, Raised> {
        next.state[..self.initial.len()].copy_from_slice(&self.initial);
        let zone = self.layout.zone();
        if !zone.is_empty() {
            zones::zero(&mut next.state[zone], self.layout.dim);
        }
        next.guards.clear();
        next.entry.reset_to.fill(-1);
        for (x, &value) in self.initial_clocks.iter().enumerate() {
            next.entry.reset_to[x + 1] = value;
        }
        let possible = self.enter(machine, next).map_err(Raised::at_state)?;
        if possible {
            self.elapse(next);
        }
        Ok(possible)
    }

    /// Visits every successor of a state with the step that leads to it, and then tells of an error
    /// that a step has raised.
    pub fn successors(
        &self,
        ws: &mut Workspace,
        state: &[i32],
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        self.pruned_successors(ws, state, &mut keep_all, visit)
    }

    /// The same for the steps that are left after pruning.
    pub fn pruned_successors(
        &self,
        ws: &mut Workspace,
        state: &[i32],
        prune: &mut Prune,
        visit: &mut Visit,
    ) -> Result<(), Raised> {
        let Workspace { expansion, bounds, .. } = ws;
        expansion.state.copy_from_slice(state);
        expansion.prefix.clear();
        self.each_successor(expansion, prune, &mut |fired| {
            self.emit(fired.next, fired.words, bounds, visit);
            Ok(())
        })
    }

    /// Finds the steps of the state.
    pub(crate) fn enabled(&self, expansion: &mut Expansion) {
        let Expansion { machine, state, steps, .. } = expansion;
        self.collect_enabled(machine, state, steps);
    }

    /// Fires every step that may be taken of those that were found, and then tells of the first error.
    /// Says whether there was a step.
    pub(crate) fn each_fired(
        &self,
        expansion: &mut Expansion,
        on_fired: &mut OnFired,
    ) -> Result<bool, Raised> {
        match self.traits.priorities {
            true => self.fire_best(expansion, on_fired),
            false => self.fire_all(expansion, on_fired),
        }
    }

    fn fire_all(&self, expansion: &mut Expansion, on_fired: &mut OnFired) -> Result<bool, Raised> {
        let Expansion { machine, state, steps, next, prefix, words, .. } = expansion;
        let mut failure = steps.failure.take().map(|raised| raised.after(prefix));
        let mut any = false;
        for position in 0..steps.len() {
            let step = steps.get(position);
            let result = match self.fire(machine, state, step, next) {
                Ok(false) => continue,
                Ok(true) => on_fired(&mut Fired { machine, step: &step, next, prefix, words }),
                Err(error) => Err(self.raised(prefix, step, next, error)),
            };
            any = true;
            if let Err(raised) = result {
                raised.note(&mut failure);
            }
        }
        failure.map_or(Ok(any), Err)
    }

    /// Fires the steps of a model with priorities, each only where no better one is possible.
    fn fire_best(&self, expansion: &mut Expansion, on_fired: &mut OnFired) -> Result<bool, Raised> {
        let Expansion { machine, state, steps, next, prefix, words, .. } = expansion;
        let mut failure = steps.failure.take().map(|raised| raised.after(prefix));
        // Where steps are possible; a model without clocks has one point.
        let mut taken: Vec<((i32, i32), Vec<i32>)> = Vec::new();
        for position in 0..steps.len() {
            let step = steps.get(position);
            let priority = self.priority(state, step.moves);
            let better = taken.iter().filter(|(p, _)| *p > priority).map(|(_, zone)| &zone[..]);
            let pieces = match self.guard(machine, state, step, next) {
                Ok(true) => self.outside(&next.state[self.layout.zone()], better),
                Ok(false) => Vec::new(),
                Err(error) => {
                    self.raised(prefix, step, next, error).note(&mut failure);
                    taken.push((priority, next.state[self.layout.zone()].to_vec()));
                    Vec::new()
                }
            };
            for piece in pieces {
                let step = step.within(&piece);
                let fired = self.fire(machine, state, step, next);
                if fired != Ok(false) {
                    taken.push((priority, next.state[self.layout.zone()].to_vec()));
                }
                let result = match fired {
                    Ok(false) => Ok(()),
                    Ok(true) => on_fired(&mut Fired { machine, step: &step, next, prefix, words }),
                    Err(error) => Err(self.raised(prefix, step, next, error)),
                };
                if let Err(raised) = result {
                    raised.note(&mut failure);
                }
            }
        }
        failure.map_or(Ok(!taken.is_empty()), Err)
    }

    /// The parts of a zone outside others; in a model without clocks all of it or nothing.
    fn outside<'a>(&self, zone: &[i32], others: impl Iterator<Item = &'a [i32]>) -> Vec<Vec<i32>> {
        let dim = self.layout.dim;
        let mut pieces = vec![zone.to_vec()];
        for minus in others {
            match dim {
                0 => pieces.clear(),
                _ => pieces = pieces.iter().flat_map(|piece| without(piece, minus, dim)).collect(),
            }
        }
        pieces
    }

    /// An error that a step raised while the successor was made.
    pub(crate) fn raised(
        &self,
        prefix: &[i32],
        step: Enabled,
        next: &Successor,
        error: RunTimeError,
    ) -> Raised {
        let mut words = prefix.to_vec();
        self.write(step, &mut words);
        Raised::by(Step::from_words(&words), error).within(&next.state[self.layout.zone()])
    }

    /// Whether some process has control, so that the state is one in the middle of a longer step.
    pub fn is_transient(&self, state: &[i32]) -> bool {
        self.layout.control.is_some_and(|slot| state[slot as usize] != 0)
    }

    /// Abstracts the zone of a successor and hands the state over.
    pub(crate) fn emit(
        &self,
        next: &mut Successor,
        words: &[i32],
        bounds: &mut ClockBounds,
        visit: &mut Visit,
    ) {
        let (dim, zone) = (self.layout.dim, self.layout.zone());
        let (state, step) = (&mut next.state, Step::from_words(words));
        if dim == 0 || matches!(self.abstraction, Abstraction::None | Abstraction::CoverAlu) {
            return visit(state, step);
        }
        if self.diagonals.is_empty() {
            let ClockBounds { lower, upper } = bounds;
            self.clock_bounds(state, lower, upper);
            zones::extrapolate_lu_plus(&mut state[zone], dim, lower, upper);
            return visit(state, step);
        }
        let whole = state[zone.clone()].to_vec();
        self.diagonals.extrapolate(&whole, dim, &mut |piece| {
            state[zone.clone()].copy_from_slice(piece);
            visit(state, step);
        });
    }

    /// The number of processes that some step of a state moves, without the property's observer.
    pub fn active_processes(&self, ws: &mut Workspace, state: &[i32]) -> u32 {
        let Workspace { expansion, active, .. } = ws;
        expansion.state.copy_from_slice(state);
        expansion.prefix.clear();
        active.fill(false);
        self.enabled(expansion);
        let counted = self.each_fired(expansion, &mut |fired| {
            fired.step.moves.iter().for_each(|&candidate| active[self.process(candidate)] = true);
            Ok(())
        });
        if let Err(raised) = counted {
            for edge in self.edges_of(raised.step()) {
                active[self.edges[edge].process.index()] = true;
            }
        }
        active.iter().filter(|moves| **moves).count() as u32
    }
}

/// The disjoint parts of a zone outside another.
pub(crate) fn without(zone: &[i32], minus: &[i32], dim: usize) -> Vec<Vec<i32>> {
    let mut pieces = Vec::new();
    let mut scratch = Vec::new();
    zones::subtract(zone, minus, dim, &mut scratch, &mut |piece| pieces.push(piece.to_vec()));
    pieces
}
