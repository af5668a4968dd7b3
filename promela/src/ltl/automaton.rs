//! The automaton of a formula: it accepts the runs that satisfy it.
//!
//! A state is a set of obligations, which are untils and releases. A move reads one state of the
//! run, and may *promise* that an until is fulfilled later; a run is accepting iff for every until
//! infinitely many of its moves do not promise it. This is the tableau of Couvreur, "On-the-fly
//! verification of linear temporal logic" (1999).

use super::diagram::{Diagram, Diagrams};
use super::formula::{FormulaId, Formulas, Node};
use super::partition::partition;
use super::{Fallible, Refusal};
use network::cancellation;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A set of untils and releases, by their numbers.
pub(super) type Obligations = u128;

/// An automaton whose state 0 is the initial one.
#[derive(Clone, Debug, Default)]
pub(super) struct Automaton {
    pub states: Vec<State>,
    /// All untils that may be promised.
    pub promises: Obligations,
}

/// A state of an automaton.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    /// What must hold from here on; an initial state may have no such set.
    pub obligations: Option<Obligations>,
    /// The same with all that follows from it.
    pub implied: Obligations,
    pub moves: Vec<Move>,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Move {
    pub label: Diagram,
    pub promises: Obligations,
    pub target: usize,
}

/// A cover of a formula, one set of demands that satisfies it: now, later, and by promises.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cover {
    now: Diagram,
    later: Obligations,
    promises: Obligations,
}

impl Cover {
    const FREE: Cover = Cover { now: Diagram::TRUE, later: 0, promises: 0 };
}

/// The automaton of a formula.
pub(super) fn translate(root: FormulaId, formulas: &mut Formulas) -> Fallible<Automaton> {
    Tableau::new(root, formulas)?.automaton(root)
}

struct Tableau<'a> {
    formulas: &'a mut Formulas,
    /// The untils and releases.
    temporal: Vec<FormulaId>,
    bits: FxHashMap<FormulaId, u32>,
    /// For each of them, what follows from it, itself included. This is transitive.
    implied: Vec<Obligations>,
    known: FxHashMap<FormulaId, Vec<Cover>>,
}

impl<'a> Tableau<'a> {
    const MOST_STATES: usize = 5_000;

    fn new(root: FormulaId, formulas: &'a mut Formulas) -> Fallible<Self> {
        let mut temporal = formulas.reached(root);
        temporal.retain(|&id| matches!(formulas.node(id), Node::Until(..) | Node::Release(..)));
        if temporal.len() > Obligations::BITS as usize {
            return Err(Refusal::TooLarge("it has more than 128 temporal operators"));
        }
        let bits = temporal.iter().zip(0..).map(|(&id, bit)| (id, bit)).collect();
        let implied = implications(&temporal, formulas)?;
        Ok(Tableau { formulas, temporal, bits, implied, known: FxHashMap::default() })
    }

    fn automaton(&mut self, root: FormulaId) -> Fallible<Automaton> {
        let mut automaton = Automaton { promises: self.promises(), ..Automaton::default() };
        let mut numbers: FxHashMap<Obligations, usize> = FxHashMap::default();
        let mut sets = vec![None];
        let mut next = 0;
        while let Some(&set) = sets.get(next) {
            cancellation::check();
            next += 1;
            let covers = match set {
                None => self.covers(root)?,
                Some(set) => self.covers_of_all(set)?,
            };
            let mut moves = vec![];
            for Cover { now: label, later, promises } in covers {
                let target = *numbers.entry(later).or_insert_with(|| {
                    sets.push(Some(later));
                    sets.len() - 1
                });
                moves.push(Move { label, promises, target });
            }
            let implied = set.map_or(0, |it| self.with_implied(it));
            automaton.states.push(State { obligations: set, implied, moves });
            if sets.len() > Self::MOST_STATES {
                return Err(Refusal::TooLarge("its automaton has more than 5000 states"));
            }
        }
        Ok(automaton)
    }

    fn promises(&self) -> Obligations {
        let is_until =
            |bit: &usize| matches!(self.formulas.node(self.temporal[*bit]), Node::Until(..));
        (0..self.temporal.len()).filter(is_until).fold(0, |set, bit| set | 1 << bit)
    }

    fn with_implied(&self, set: Obligations) -> Obligations {
        members(set).fold(0, |implied, bit| implied | self.implied[bit])
    }

    /// Leaves out what follows from others; of several that say the same the first one stays.
    fn without_implied(&self, set: Obligations) -> Obligations {
        let follows = |&bit: &usize| {
            let implies = |other: usize| self.implied[other] >> bit & 1 == 1;
            let is_first = |other: usize| bit < other && self.implied[bit] >> other & 1 == 1;
            !members(set).any(|other| other != bit && implies(other) && !is_first(other))
        };
        members(set).filter(follows).fold(0, |set, bit| set | 1 << bit)
    }

    fn covers_of_all(&mut self, set: Obligations) -> Fallible<Vec<Cover>> {
        let mut covers = vec![Cover::FREE];
        for bit in members(set) {
            let more = self.covers(self.temporal[bit])?;
            covers = self.both(&covers, &more)?;
        }
        Ok(covers)
    }

    /// The covers of a formula.
    fn covers(&mut self, id: FormulaId) -> Fallible<Vec<Cover>> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let covers = match self.formulas.node(id).clone() {
            Node::Condition(Diagram::FALSE) => vec![],
            Node::Condition(now) => vec![Cover { now, ..Cover::FREE }],
            Node::And(list) => {
                let mut covers = vec![Cover::FREE];
                for id in list {
                    let more = self.covers(id)?;
                    covers = self.both(&covers, &more)?;
                }
                covers
            }
            Node::Or(list) => {
                let mut covers = vec![];
                for id in list {
                    covers.extend(self.covers(id)?);
                }
                self.without_harder(covers)?
            }
            Node::Until(left, right) => {
                let later = 1 << self.bits[&id];
                let waiting = Cover { later, promises: later, ..Cover::FREE };
                let mut covers = self.covers(left)?;
                covers = self.both(&covers, &[waiting])?;
                covers.extend(self.covers(right)?);
                self.without_harder(covers)?
            }
            Node::Release(left, right) => {
                let waiting = Cover { later: 1 << self.bits[&id], ..Cover::FREE };
                let mut covers = self.covers(left)?;
                covers.push(waiting);
                let right = self.covers(right)?;
                self.both(&covers, &right)?
            }
        };
        self.known.insert(id, covers.clone());
        Ok(covers)
    }

    fn both(&mut self, one: &[Cover], other: &[Cover]) -> Fallible<Vec<Cover>> {
        let mut covers = vec![];
        for first in one {
            for second in other {
                let now = self.formulas.diagrams.and(first.now, second.now)?;
                let later = self.without_implied(first.later | second.later);
                let promises = first.promises | second.promises;
                covers.push(Cover { now, later, promises });
            }
        }
        self.without_harder(covers)
    }

    /// Drops impossible covers and those that are harder than another, and joins labels.
    fn without_harder(&mut self, covers: Vec<Cover>) -> Fallible<Vec<Cover>> {
        let mut joined: BTreeMap<(Obligations, Obligations), Diagram> = BTreeMap::new();
        for Cover { now, later, promises } in covers {
            if now != Diagram::FALSE {
                let label = joined.entry((later, promises)).or_insert(Diagram::FALSE);
                *label = self.formulas.diagrams.or(*label, now)?;
            }
        }
        let cover = |((later, promises), now)| Cover { now, later, promises };
        let covers: Vec<Cover> = joined.into_iter().map(cover).collect();
        let mut kept = vec![];
        for cover in &covers {
            let implied = self.with_implied(cover.later);
            let is_easier =
                |it: &Cover| it.later & !implied == 0 && it.promises & !cover.promises == 0;
            let mut needed = true;
            for other in &covers {
                self.formulas.diagrams.spend(1)?;
                if cover != other && is_easier(other) {
                    needed &= !self.formulas.diagrams.implies(cover.now, other.now)?;
                }
            }
            kept.extend(needed.then_some(*cover));
        }
        Ok(kept)
    }
}

fn members(mut set: Obligations) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// For every formula those of the list that follow from it, transitively.
fn implications(list: &[FormulaId], formulas: &mut Formulas) -> Fallible<Vec<Obligations>> {
    let mut implied: Vec<Obligations> = vec![0; list.len()];
    for (set, &left) in implied.iter_mut().zip(list) {
        for (bit, &right) in list.iter().enumerate() {
            *set |= Obligations::from(formulas.implies(left, right)?) << bit;
        }
    }
    for middle in 0..list.len() {
        let further = implied[middle];
        let before = implied.iter_mut().filter(|it| **it >> middle & 1 == 1);
        before.for_each(|it| *it |= further);
    }
    Ok(implied)
}

// ---- merging ----

/// The moves of a state, with blocks for targets.
type Signature = BTreeMap<(usize, Obligations), Diagram>;

impl Automaton {
    /// Makes one state of those that cannot be told apart by any sequence of moves.
    pub fn merge(&mut self, diagrams: &mut Diagrams) -> Fallible<()> {
        let blocks = partition(self.states.len(), |state, blocks| {
            let signature = signature(&self.states[state].moves, blocks, diagrams)?;
            Ok(signature.into_iter().collect::<Vec<_>>())
        })?;
        let mut states: Vec<State> = vec![];
        for (state, &block) in self.states.iter().zip(&blocks) {
            // Blocks are numbered in the order of their first states.
            if block == states.len() {
                let moves = signature(&state.moves, &blocks, diagrams)?
                    .into_iter()
                    .map(|((target, promises), label)| Move { label, promises, target });
                states.push(State { moves: moves.collect(), ..*state });
            } else if states[block].obligations.is_none() {
                (states[block].obligations, states[block].implied) =
                    (state.obligations, state.implied);
            }
        }
        self.states = states;
        Ok(())
    }

    /// The same without promises: any run is accepting.
    pub fn closure(&self, diagrams: &mut Diagrams) -> Fallible<Automaton> {
        let mut closure = Automaton { states: self.states.clone(), promises: 0 };
        let moves = closure.states.iter_mut().flat_map(|it| &mut it.moves);
        moves.for_each(|it| it.promises = 0);
        closure.merge(diagrams)?;
        Ok(closure)
    }
}

fn signature(moves: &[Move], blocks: &[usize], diagrams: &mut Diagrams) -> Fallible<Signature> {
    let mut signature = Signature::new();
    for it in moves {
        let label = signature.entry((blocks[it.target], it.promises)).or_insert(Diagram::FALSE);
        *label = diagrams.or(*label, it.label)?;
    }
    Ok(signature)
}
