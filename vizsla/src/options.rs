//! How to look for an answer.

use crate::{ImprovedEnd, Improvement, SavedHeuristic, TraceFile};
use explore::Abstraction;
use network::cancellation::Cancellation;
use reduce::Passes;
use search::catalog::{self, HeuristicEntry, SearchEntry, Settings};
use search::{Choice, PLANS, Plan, Rule};
use std::fmt;
use std::time::Duration;

/// How to look for an answer. The default is what suits most models.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The order in which states are explored.
    pub method: Method,
    /// What estimates the distance of states from the goal; none if the search may choose.
    pub heuristic: Option<Estimator>,
    /// What can be said about the search beside its name.
    pub settings: Settings,
    /// What steps cost; one each, without rules.
    pub costs: Vec<Rule>,
    /// How clock zones are abstracted, so that there are finitely many.
    pub abstraction: Abstraction,
    /// Whether steps are left out whose order does not matter. Where it pays is in plans, while only the verdict
    /// matters; searches for what is shortest leave out fewer, so that it stays shortest.
    pub partial_order: Switch,
    /// How states that differ only in the order of what is interchangeable are taken for one.
    pub symmetry: Symmetry,
    /// Whether to explore the model step by step as it is, without reductions.
    pub plain: bool,
    /// When to give up.
    pub limits: Limits,
    /// The cancellation of whoever waits for the answer and may want to end the work from another thread; that
    /// of the thread if there is none.
    pub cancellation: Option<Cancellation>,
    /// A trace that leads to the goal, for heuristics that need a known goal.
    pub towards: Option<TraceFile>,
    /// A trace that is to be replaced by a shorter one, instead of answering the question anew; costs are not
    /// looked at then.
    pub improve: Option<Improvement>,
    /// The heuristic as it was saved, so that it need not be made again.
    pub load_heuristic: Option<SavedHeuristic>,
    /// Whether the heuristic is to be saved, if it is one that can be.
    pub save_heuristic: bool,
    /// Whether a trace is told with all that every state on the way holds.
    pub states: bool,
}

/// When to give up a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The greatest number of states to store.
    pub states: Option<u64>,
    /// The greatest time to take.
    pub time: Option<Duration>,
    /// The greatest number of bytes that the states may take.
    pub memory: Option<u64>,
}

/// Whether something is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Switch {
    /// Where it pays.
    #[default]
    Auto,
    /// Wherever it can be done.
    On,
    /// Never.
    Off,
}

/// How states that differ only in the order of what is interchangeable are taken for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// In plans, all of them, if that does not take long.
    #[default]
    Auto,
    /// All of them.
    Full,
    /// All of them, by trying all orders of what looks alike at first sight.
    Segmented,
    /// Those that are the same once what looks different at first sight is sorted.
    Sorted,
    /// Those that are the same once all go round in a ring.
    Rotations,
    /// None.
    None,
}

impl Symmetry {
    /// How representatives are chosen.
    pub(crate) fn choice(self) -> Option<Choice> {
        match self {
            Symmetry::Auto => Some(Choice::Quick),
            Symmetry::Full | Symmetry::Rotations => Some(Choice::Full),
            Symmetry::Segmented => Some(Choice::Segmented),
            Symmetry::Sorted => Some(Choice::Sorted),
            Symmetry::None => None,
        }
    }
}

/// A search of the catalog, or a plan of several.
#[derive(Clone, Copy)]
pub enum Method {
    /// One search.
    One(&'static SearchEntry),
    /// Several, by turns.
    Plan(&'static Plan),
}

/// A heuristic of the catalog.
#[derive(Clone, Copy)]
pub struct Estimator(pub &'static HeuristicEntry);

impl Options {
    /// The default with the search of this name, if there is one.
    pub fn searching(name: &str) -> Option<Options> {
        Method::named(name).map(|method| Options { method, ..Options::default() })
    }

    /// Which reductions may be made: merged steps are fewer, so the shortest trace need not be one of
    /// them; a plan takes that into account.
    pub(crate) fn passes(&self) -> Passes {
        let clear = !self.plain;
        match self.improve.as_ref().map(|improvement| improvement.end) {
            // Where a variable was cleared it is not the same state any more, and merged steps pass by some.
            Some(ImprovedEnd::SameState) => return Passes::default(),
            Some(ImprovedEnd::Any) => return Passes { clear, merge: false },
            None => {}
        }
        let is_length_sensitive = match self.method {
            Method::Plan(_) => !self.costs.is_empty(),
            Method::One(search) => search.configuration(&self.settings).is_cost_sensitive(),
        };
        Passes { clear, merge: clear && !is_length_sensitive }
    }
}

/// The plan that is taken if nobody cares.
const USUAL: &str = "auto";

impl Method {
    /// The search or plan of this name.
    pub fn named(name: &str) -> Option<Method> {
        let plan = search::plan(name).map(Method::Plan);
        plan.or_else(|| catalog::search(name).map(Method::One))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Method::One(search) => search.name,
            Method::Plan(plan) => plan.name,
        }
    }

    /// Whether it can look for a trace that is shorter than another one.
    pub fn can_improve(self) -> bool {
        match self {
            Method::One(search) => search.bounds_lengths(),
            Method::Plan(_) => true,
        }
    }

    /// Whether it looks for what is cheapest if steps have costs; `auto` is A* then.
    pub fn takes_costs(self) -> bool {
        match self {
            Method::One(search) => search.takes_costs(),
            Method::Plan(plan) => plan.name == USUAL,
        }
    }
}

/// The search that finds what is cheapest.
pub(crate) fn cheapest() -> &'static SearchEntry {
    &catalog::ASTAR
}

impl Estimator {
    /// The heuristic of this name.
    pub fn named(name: &str) -> Option<Estimator> {
        catalog::heuristic(name).map(Estimator)
    }
}

impl Default for Method {
    fn default() -> Method {
        Method::named(USUAL).unwrap_or(Method::Plan(&PLANS[0]))
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}
