//! A search of a plan, suspended unless it is its turn.

use super::search_space::SearchSpace;
use super::tally::Tally;
use crate::best_first::{Parts, Search};
use crate::catalog::{SearchEntry, Settings};
use crate::heuristic::Heuristic;
use crate::partial_order::{Keeps, StubbornSets};
use crate::pruning::Pruning;
use crate::{Control, Limits, Observer, Outcome, Statistics};

/// A search and where it searches.
pub struct Member<'a> {
    space: SearchSpace<'a>,
    search: Search<'a>,
}

impl<'a> Member<'a> {
    /// A search of the catalog that does not look ahead. It leaves out steps if that may be.
    pub fn plain(space: &SearchSpace<'a>, entry: &SearchEntry, settings: &Settings) -> Self {
        let explorer = space.problem.explorer;
        let prune = |order| StubbornSets::new(order, explorer, Keeps::Verdict);
        let pruning = space.order.map(|order| Box::new(prune(order)) as Box<dyn Pruning>);
        Member::new(space, entry, settings, Parts { pruning, ..Parts::default() })
    }

    /// A search of the catalog with a heuristic.
    pub fn guided(
        space: &SearchSpace<'a>,
        entry: &SearchEntry,
        settings: &Settings,
        mut heuristic: Box<dyn Heuristic + 'a>,
    ) -> Result<Self, String> {
        let guidance = entry.guidance(&space.guide, settings, &mut *heuristic)?;
        let heuristic = Some(heuristic);
        let parts = Parts { heuristic, guidance, costs: space.lengths, ..Parts::default() };
        Ok(Member::new(space, entry, settings, parts))
    }

    fn new(
        space: &SearchSpace<'a>,
        entry: &SearchEntry,
        settings: &Settings,
        parts: Parts<'a>,
    ) -> Self {
        let representatives = space.symmetry.map(|it| it.representatives(space.problem.explorer));
        let parts = Parts { representatives, ..parts };
        let configuration = entry.configuration(settings);
        let parts = Parts { target: space.target, ..parts };
        let search = Search::new(space.problem.explorer, &configuration, parts);
        Member { space: *space, search }
    }

    /// Goes on until all it did is some work, at most.
    pub fn resume(
        &mut self,
        limits: &Limits,
        tally: &mut Tally,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let (before, work) = (self.search.statistics(), self.search.work());
        let beside = tally.stored_beside(&before);
        let max_states = limits.max_states.map(|most| most.saturating_sub(beside));
        let mut adding = SummingObserver { observer, tally: *tally, before };
        let outcome = self.search.resume(&Limits { max_states, ..*limits }, &mut adding);
        tally.note(&before, &self.search.statistics());
        tally.work += self.search.work() - work;
        self.trust(outcome)
    }

    /// What is shortest here need not be shortest in the model.
    fn trust(&self, mut outcome: Outcome) -> Outcome {
        if let Outcome::Reached { shortest, .. } = &mut outcome {
            *shortest &= self.space.has_all_traces();
        }
        outcome
    }

    /// What was done since it began.
    pub fn work(&self) -> u64 {
        self.search.work()
    }

    /// The space.
    pub fn space(&self) -> &SearchSpace<'a> {
        &self.space
    }

    /// A length that what is left cannot undercut, in searches for what is shortest.
    pub fn reached(&self) -> u32 {
        self.search.reached()
    }

    /// Whether enough steps are left out for it to be worth while; true if none may be.
    pub fn pruning_pays(&self) -> bool {
        self.search.pruning_pays()
    }

    /// How near the goal looks from where it came nearest.
    pub fn nearest(&self) -> u32 {
        self.search.nearest()
    }

    /// What estimates how far states are from the goal.
    pub fn heuristic(&self) -> &dyn Heuristic {
        self.search.heuristic()
    }

    /// What was done, in all detail.
    pub fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

/// Tells the observer of all searches together.
struct SummingObserver<'o> {
    observer: &'o mut dyn Observer,
    tally: Tally,
    before: Statistics,
}

impl Observer for SummingObserver<'_> {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        let mut tally = self.tally;
        tally.note(&self.before, statistics);
        self.observer.tick(&tally.total)
    }
}
