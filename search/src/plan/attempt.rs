//! How a plan looks for shorter traces than the one that is there.

use super::finder::Relaxations;
use super::member::Member;
use super::search_space::SearchSpace;
use super::tables::Tables;
use crate::Outcome;
use crate::catalog::{self, Making, Settings};
use crate::configuration::Weight;
use crate::heuristics::{Hamming, fsm};

/// What breadth-first search may be in work for a plan without patience, if no proof is near.
#[derive(Clone, Copy, Debug)]
pub struct Allowance(u64);

/// About two thirds of a second.
const LEAST: u64 = 40_000_000;

/// About two.
const MOST: u64 = 120_000_000;

impl Allowance {
    /// Nothing ends them but a proof.
    pub const ENDLESS: Allowance = Allowance(u64::MAX);

    /// Twice what it took to find a trace: who waited long for it will wait a little longer.
    pub fn after(work: u64) -> Allowance {
        Allowance(work.saturating_mul(2).clamp(LEAST, MOST))
    }
}

/// What an estimate counts in careless attempts.
const CARELESS: Weight = Weight(500);

/// The same on the way to a certain state: the trace that somebody has may be very long, so that any that is
/// shorter is welcome.
const RASH: Weight = Weight(1000);

/// An attempt to find shorter traces, or to prove that there are none.
pub struct Attempt<'a> {
    kind: AttemptKind,
    /// The search, once it has begun.
    pub member: Option<Member<'a>>,
    /// What that was in work before there was a trace to shorten.
    before: u64,
    /// After each turn, its work and a length that what is left cannot undercut.
    progress: Vec<(u64, u32)>,
    /// When it makes tables, if it looks up its estimates.
    tables: Tables,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AttemptKind {
    /// Breadth first.
    Breadth,
    /// With an estimate that is never too high.
    Layers,
    /// With another one, looked up in tables that take their time to make.
    Tables,
    /// With the distances of processes to their places in the state to end in: they cost little, so that this
    /// has most of the turns, where there is such a state.
    Places,
    /// With one that counts as much as the path so far.
    Careful,
    /// With one that counts much.
    Careless,
    /// With one that counts very much.
    Rash,
    /// With the bits that differ from the state to end in, which cost little as well and count very much.
    Bits,
}

impl<'a> Attempt<'a> {
    fn new(kind: AttemptKind, tables: Tables) -> Attempt<'a> {
        Attempt { kind, member: None, before: 0, progress: Vec::new(), tables }
    }

    /// All attempts; the first is breadth-first search, which may have begun. There is none with estimates
    /// that are never too high where those say nothing.
    pub fn all(breadth: Option<Member<'a>>, has_layers: bool, tables: Tables) -> Vec<Attempt<'a>> {
        let attempt = |kind| Attempt::new(kind, tables);
        let before = breadth.as_ref().map_or(0, Member::work);
        let mut all = vec![Attempt { member: breadth, before, ..attempt(AttemptKind::Breadth) }];
        all.extend(has_layers.then(|| attempt(AttemptKind::Layers)));
        let others = [AttemptKind::Tables, AttemptKind::Careful, AttemptKind::Careless];
        all.extend(others.map(attempt));
        all
    }

    /// All attempts to get to a certain state.
    pub fn towards_state(has_layers: bool, tables: Tables) -> Vec<Attempt<'a>> {
        let attempt = |kind| Attempt::new(kind, tables);
        let mut all = vec![attempt(AttemptKind::Places)];
        all.extend(has_layers.then(|| attempt(AttemptKind::Layers)));
        all.extend([AttemptKind::Tables, AttemptKind::Rash, AttemptKind::Bits].map(attempt));
        all
    }

    /// What it may be in work to find a shorter trace than one of some length, or to prove that there is none.
    pub fn most(&self, Allowance(all): Allowance, length: u32) -> u64 {
        let share = match self.kind {
            AttemptKind::Careful | AttemptKind::Careless => all / 8,
            AttemptKind::Rash | AttemptKind::Bits => all / 8,
            _ if self.is_near(length) => all.saturating_mul(2),
            AttemptKind::Breadth | AttemptKind::Places => all,
            AttemptKind::Layers | AttemptKind::Tables => all / 2,
        };
        self.before.saturating_add(share)
    }

    /// Whether it has done what it may, or waits for others to have done much.
    pub fn is_spent(&self, allowance: Allowance, length: u32) -> bool {
        let work = self.member.as_ref().map(Member::work);
        match (work, self.kind) {
            (None, AttemptKind::Tables) => true,
            (work, _) => work.unwrap_or(0) >= self.most(allowance, length),
        }
    }

    /// Whether a proof will be there with four times the work, if that gains as much as it did before.
    fn is_near(&self, length: u32) -> bool {
        let Some(&(work, reached)) = self.progress.last() else { return false };
        let long_ago = self.progress.iter().rev().find(|(then, _)| then * 4 <= work);
        let before = long_ago.map_or(0, |&(_, reached)| reached);
        reached + (reached - before) >= length
    }

    /// Remembers how far it has come.
    pub fn note_progress(&mut self) {
        let Some(member) = &self.member else { return };
        // A search that has just found a trace does not say what comes next.
        let before = self.progress.last().map_or(0, |&(_, reached)| reached);
        self.progress.push((member.work(), member.reached().max(before)));
    }

    /// What it may be in work when the first attempt may be so much: all others together little more than half
    /// of that.
    pub fn part(&self, turn: u64) -> u64 {
        match self.kind {
            AttemptKind::Breadth | AttemptKind::Places => turn,
            AttemptKind::Layers | AttemptKind::Tables => turn / 4,
            AttemptKind::Bits => turn / 8,
            AttemptKind::Careful | AttemptKind::Careless | AttemptKind::Rash => turn / 16,
        }
    }

    /// Whether it is made on the space with all traces of the model.
    pub fn is_exact(&self) -> bool {
        self.kind != AttemptKind::Careless
    }

    /// Makes the search, if that was not done before; one with tables when breadth-first search may be so much
    /// work, and again when there is room for larger ones. Gives back a search that another has replaced.
    pub fn begin(
        &mut self,
        spaces: &mut Spaces<'a>,
        found: &Outcome,
        making: &mut Making,
        turn: u64,
    ) -> Result<Option<Member<'a>>, String> {
        if self.member.is_some() && self.kind != AttemptKind::Tables {
            return Ok(None);
        }
        let made = self.make(spaces, found, making, turn)?;
        Ok(made.and_then(|made| self.member.replace(made)))
    }

    /// None if it is not yet time for it, or if it would be of no use.
    fn make(
        &mut self,
        spaces: &mut Spaces<'a>,
        found: &Outcome,
        making: &mut Making,
        turn: u64,
    ) -> Result<Option<Member<'a>>, String> {
        let Spaces { space, exact, .. } = *spaces;
        let settings = making.settings;
        let weigh = |weight| Settings { weight, ..*settings };
        let made = match self.kind {
            AttemptKind::Breadth => Ok(Member::plain(&exact, &catalog::BFS, settings)),
            AttemptKind::Layers => {
                let layers = spaces.exactly().layers();
                Member::guided(&exact, &catalog::ASTAR, settings, Box::new(layers))
            }
            AttemptKind::Tables => {
                let Some(made) = self.tables.make(turn, &exact, making) else { return Ok(None) };
                // What sees less far than the relaxation is no gain.
                if made.initial < spaces.least_length().max(1) {
                    return Ok(None);
                }
                Member::guided(&exact, &catalog::ASTAR, settings, made.heuristic)
            }
            AttemptKind::Places => {
                Member::guided(&exact, &catalog::ASTAR, settings, fsm(&exact.guide)?)
            }
            AttemptKind::Careful => {
                let heuristic = spaces.exactly().of_end(found);
                Member::guided(&exact, &catalog::WEIGHTED_ASTAR, &weigh(Weight::ONE), heuristic)
            }
            AttemptKind::Careless => {
                let heuristic = spaces.relaxations.of_end(found);
                Member::guided(&space, &catalog::WEIGHTED_ASTAR, &weigh(CARELESS), heuristic)
            }
            AttemptKind::Rash => {
                let heuristic = spaces.exactly().of_end(found);
                Member::guided(&exact, &catalog::WEIGHTED_ASTAR, &weigh(RASH), heuristic)
            }
            AttemptKind::Bits => {
                let heuristic = Hamming::build(&exact.guide)?;
                Member::guided(&exact, &catalog::WEIGHTED_ASTAR, &weigh(RASH), heuristic)
            }
        };
        made.map(Some)
    }
}

/// Where traces are shortened.
pub struct Spaces<'a> {
    /// Where the first trace was found.
    pub space: SearchSpace<'a>,
    /// A space that has all traces of the model; the same, if that one has.
    pub exact: SearchSpace<'a>,
    relaxations: Relaxations<'a>,
    exact_relaxations: Option<Relaxations<'a>>,
}

impl<'a> Spaces<'a> {
    /// The spaces, and what is known of the first.
    pub fn new(
        space: &SearchSpace<'a>,
        exact: &SearchSpace<'a>,
        relaxations: Relaxations<'a>,
    ) -> Self {
        Spaces { space: *space, exact: *exact, relaxations, exact_relaxations: None }
    }

    /// The heuristics of the space with all traces.
    fn exactly(&mut self) -> &mut Relaxations<'a> {
        match self.space.has_all_traces() {
            true => &mut self.relaxations,
            false => {
                let problem = &self.exact.guide;
                self.exact_relaxations.get_or_insert_with(|| Relaxations::new(problem))
            }
        }
    }

    /// A length that no trace undercuts.
    pub fn least_length(&mut self) -> u32 {
        let exact = self.exact;
        exact.least_length(self.exactly())
    }
}
