//! The searches and heuristics a user can name; help texts and tests are made from these tables.

use crate::configuration::{Configuration, Order, Ties, Weight};
use crate::costs::Costs;
use crate::guidance::{
    Consequence, ContextBounding, ContextEnhanced, Contexts, Guidance, Penalty, PreferredSteps,
    UselessTransitions,
};
use crate::heuristic::Heuristic;
use crate::heuristics::pattern::{
    Building, Explorations, StateGraph, StepCosts, additive, prepared, selection,
};
use crate::heuristics::{
    ActiveProcesses, Blind, Combination, Formula, GraphDistance, Hamming, MergeAndShrink, Reading,
    Relaxation, fsm, never_claim,
};
use crate::limits::{Observer, Unlimited};
use crate::problem::{HeuristicResult, Problem};
use explore::Explorer;

/// A search a user can name.
pub struct SearchEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// The field of [`Settings`] that it is all about, if there is one.
    pub setting: Option<&'static str>,
    configure: fn(&Settings) -> Order,
    guide: Option<Guide>,
}

type Guide = for<'a> fn(&Problem<'a>, &Settings, &mut dyn Heuristic) -> GuidanceResult<'a>;

/// Guidance ready for use, or why there is none for the problem and the heuristic.
pub type GuidanceResult<'a> = Result<Box<dyn Guidance + 'a>, String>;

/// What can be said about a search beside its name.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The seed of random choices.
    pub seed: u64,
    /// Which of equally good states comes first.
    pub ties: Ties,
    /// What an estimate counts in weighted A*.
    pub weight: Weight,
    /// Which depth useless steps are punished with.
    pub penalty: Penalty,
    /// When a step counts as a switch between processes.
    pub contexts: Contexts,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 0,
            ties: Ties::default(),
            weight: Weight(300),
            penalty: Penalty::default(),
            contexts: Contexts::default(),
        }
    }
}

impl SearchEntry {
    /// The configuration of the search loop.
    pub fn configuration(&self, settings: &Settings) -> Configuration {
        Configuration { order: (self.configure)(settings), ties: settings.ties }
    }

    /// Whether it makes random choices.
    pub fn is_seeded(&self) -> bool {
        self.setting == Some("seed")
    }

    /// Whether it is given a heuristic.
    pub fn is_directed(&self) -> bool {
        self.configuration(&Settings::default()).is_directed()
    }

    /// Whether it looks for what is cheapest if steps have costs.
    pub fn takes_costs(&self) -> bool {
        let order = self.configuration(&Settings::default()).order;
        matches!(order, Order::BoundedDepthFirst | Order::CostAndEstimate { .. })
    }

    /// Whether what lies beyond a length can be left out without missing something nearer.
    pub fn bounds_lengths(&self) -> bool {
        let order = self.configuration(&Settings::default()).order;
        order == Order::BreadthFirst || self.takes_costs()
    }

    /// The heuristic that suits it and the problem, if the user does not care.
    pub fn usual_heuristic(&self, problem: &Problem) -> &'static HeuristicEntry {
        let is_cost_sensitive = self.configuration(&Settings::default()).is_cost_sensitive();
        match (problem.seeks_deadlock(), is_cost_sensitive) {
            (false, false) => &RELAXATION_TRACE,
            (false, true) => &RELAXATION_LAYERS,
            // Guidance asks more of a heuristic than a number.
            (true, false) if self.guide.is_some() => &RELAXATION_TRACE,
            (true, false) => &ACTIVE_PROCESSES,
            (true, true) => &BLIND,
        }
    }

    /// The guidance it needs, or why the heuristic does not go with it.
    pub fn guidance<'a>(
        &self,
        problem: &Problem<'a>,
        settings: &Settings,
        heuristic: &mut dyn Heuristic,
    ) -> Result<Option<Box<dyn Guidance + 'a>>, String> {
        self.guide.map(|guide| guide(problem, settings, heuristic)).transpose()
    }
}

/// Every search.
pub static SEARCHES: &[&SearchEntry] = &[
    &BFS,
    &MERGED_BFS,
    &DFS,
    &RANDOM_DFS,
    &BOUNDED_DFS,
    &GREEDY,
    &ASTAR,
    &WEIGHTED_ASTAR,
    &USELESS_PENALTY,
    &USELESS_QUEUES,
    &CONTEXT_BOUNDING,
    &CONTEXT_ENHANCED,
    &PREFERRED,
];

/// The search `bfs`.
pub static BFS: SearchEntry = SearchEntry {
    name: "bfs",
    summary: "Breadth-first: the shortest trace, at the price of all states nearer than it",
    setting: None,
    configure: |_| Order::BreadthFirst,
    guide: None,
};

/// The search `merged-bfs`.
pub static MERGED_BFS: SearchEntry = SearchEntry {
    name: "merged-bfs",
    summary: "Breadth-first over merged steps: fewer states than bfs, fairly short traces",
    setting: None,
    configure: |_| Order::OldestFirst,
    guide: None,
};

/// The search `dfs`.
pub static DFS: SearchEntry = SearchEntry {
    name: "dfs",
    summary: "Depth-first: few waiting states, long traces",
    setting: None,
    configure: |_| Order::DepthFirst,
    guide: None,
};

/// The search `random-dfs`.
pub static RANDOM_DFS: SearchEntry = SearchEntry {
    name: "random-dfs",
    summary: "Depth-first with successors in random order",
    setting: Some("seed"),
    configure: |settings| Order::RandomDepthFirst { seed: settings.seed },
    guide: None,
};

/// The search `bounded-dfs`.
pub static BOUNDED_DFS: SearchEntry = SearchEntry {
    name: "bounded-dfs",
    summary: "Depth-first; after each trace only shorter ones, until the shortest is proven",
    setting: None,
    configure: |_| Order::BoundedDepthFirst,
    guide: None,
};

/// The search `greedy`.
pub static GREEDY: SearchEntry = SearchEntry {
    name: "greedy",
    summary: "Least estimate first (greedy best-first): fast, traces need not be short",
    setting: None,
    configure: |_| Order::Greedy,
    guide: None,
};

/// The search `astar`.
pub static ASTAR: SearchEntry = SearchEntry {
    name: "astar",
    summary: "Least length so far plus estimate first (A*): the shortest trace, if the heuristic \
              never overestimates",
    setting: None,
    configure: |_| Order::CostAndEstimate { weight: Weight::ONE },
    guide: None,
};

/// The search `weighted-astar`.
pub static WEIGHTED_ASTAR: SearchEntry = SearchEntry {
    name: "weighted-astar",
    summary: "A* that trusts its heuristic more",
    setting: Some("weight"),
    configure: |settings| Order::CostAndEstimate { weight: settings.weight },
    guide: None,
};

/// The search `useless-penalty`.
pub static USELESS_PENALTY: SearchEntry = SearchEntry {
    name: "useless-penalty",
    summary: "Greedy; a penalty for useless steps, those that the heuristic could do without",
    setting: Some("penalty"),
    configure: |_| Order::Greedy,
    guide: Some(|problem, settings, heuristic| {
        let consequence = Consequence::Penalty(settings.penalty);
        Ok(Box::new(UselessTransitions::new(problem, consequence, heuristic)?))
    }),
};

/// The search `useless-queues`.
pub static USELESS_QUEUES: SearchEntry = SearchEntry {
    name: "useless-queues",
    summary: "Greedy; useless steps, those that the heuristic could do without, come last",
    setting: None,
    configure: |_| Order::Greedy,
    guide: Some(|problem, _, heuristic| {
        Ok(Box::new(UselessTransitions::new(problem, Consequence::Queue, heuristic)?))
    }),
};

/// The search `context-bounding`.
pub static CONTEXT_BOUNDING: SearchEntry = SearchEntry {
    name: "context-bounding",
    summary: "Few switches between processes first, then greedy",
    setting: Some("contexts"),
    configure: |settings| match settings.contexts {
        Contexts::Equal | Contexts::Intersect => Order::Greedy,
        Contexts::Exact => Order::Guided,
    },
    guide: Some(|problem, settings, _| {
        Ok(Box::new(ContextBounding::new(problem, settings.contexts)))
    }),
};

/// The search `context-enhanced`.
pub static CONTEXT_ENHANCED: SearchEntry = SearchEntry {
    name: "context-enhanced",
    summary: "Steps that interact with the one before first, then greedy",
    setting: None,
    configure: |_| Order::Greedy,
    guide: Some(|problem, _, _| Ok(Box::new(ContextEnhanced::new(problem)))),
};

/// The search `preferred`.
pub static PREFERRED: SearchEntry = SearchEntry {
    name: "preferred",
    summary: "Steps that the heuristic would take itself first, then greedy",
    setting: None,
    configure: |_| Order::GreedyByTurns,
    guide: Some(|problem, _, heuristic| Ok(Box::new(PreferredSteps::new(problem, heuristic)?))),
};

/// The search with a name.
pub fn search(name: &str) -> Option<&'static SearchEntry> {
    SEARCHES.iter().copied().find(|entry| entry.name == name)
}

/// A heuristic a user can name.
pub struct HeuristicEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its symbol in the literature; empty if it has none.
    pub symbol: &'static str,
    /// What it estimates, in one sentence.
    pub summary: &'static str,
    /// Whether it needs to be told a state that satisfies the goal.
    pub needs_known_goal: bool,
    /// Whether it estimates states alike that differ only in the order of what is interchangeable.
    pub symmetric: bool,
    build: for<'a> fn(&Problem<'a>, &mut Making) -> HeuristicResult<'a>,
}

/// What there is for making a heuristic; those that explore something first make use of it.
pub struct Making<'m> {
    /// What the user says beside its name.
    pub settings: &'m Settings,
    /// How much may be spent.
    pub budget: Budget,
    /// What steps cost; 1 each if nothing is said.
    pub costs: Option<&'m Costs>,
    /// What `Heuristic::saved` gave for the same problem, heuristic and costs.
    pub saved: Option<&'m [u8]>,
    /// Told how it goes; says whether to go on.
    pub observer: &'m mut dyn Observer,
    /// What was explored for others, and is kept for others again; nothing is if there is none.
    pub explorations: Option<&'m mut Explorations>,
}

impl<'m> Making<'m> {
    /// Nothing but settings, a budget and somebody who watches.
    pub fn new(settings: &'m Settings, budget: Budget, observer: &'m mut dyn Observer) -> Self {
        Making { settings, budget, costs: None, saved: None, observer, explorations: None }
    }

    /// The same with another budget.
    pub fn within(&mut self, budget: Budget) -> Making<'_> {
        let Making { settings, costs, saved, .. } = *self;
        let (observer, explorations) = (&mut *self.observer, self.explorations.as_deref_mut());
        Making { settings, budget, costs, saved, observer, explorations }
    }

    /// Explores an abstract network, unless that was done before.
    pub(crate) fn explore(
        &mut self,
        explorer: &Explorer,
        budget: Budget,
        costs: Option<&StepCosts>,
        labelled: bool,
    ) -> StateGraph {
        let (observer, explorations) = (&mut *self.observer, self.explorations.as_deref_mut());
        let building = Building { budget, costs, labelled, observer, explorations };
        StateGraph::explore(explorer, building)
    }
}

/// How much may be spent on making a heuristic; no limit where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// In the unit of `Heuristic::work`.
    pub work: Option<u64>,
    /// The same while many states wait to be explored, so that nobody knows how much more it will be.
    pub work_while_wide: Option<u64>,
    /// In bytes.
    pub memory: Option<u64>,
    /// In states that are stored.
    pub states: Option<u64>,
}

impl HeuristicEntry {
    /// The heuristic for a problem, with usual settings and while nobody watches. Problems can be shared
    /// between threads, so that each worker makes its own.
    pub fn build<'a>(&self, problem: &Problem<'a>) -> HeuristicResult<'a> {
        let (settings, budget) = (&Settings::default(), Budget::default());
        self.build_with(problem, &mut Making::new(settings, budget, &mut Unlimited))
    }

    /// The heuristic for a problem.
    pub fn build_with<'a>(
        &self,
        problem: &Problem<'a>,
        making: &mut Making,
    ) -> HeuristicResult<'a> {
        (self.build)(problem, making)
    }
}

/// Every heuristic.
pub static HEURISTICS: &[&HeuristicEntry] = &[
    &BLIND,
    &GRAPH_MAX,
    &GRAPH_SUM,
    &GRAPH_SPLIT,
    &FORMULA,
    &FORMULA_MAX,
    &HAMMING,
    &FSM,
    &NEVER_CLAIM,
    &ACTIVE_PROCESSES,
    &RELAXATION_LAYERS,
    &RELAXATION_TRACE,
    &RELAXATION_INTERVALS,
    &DOWNWARD_PATTERN,
    &DOWNWARD_PATTERN_CLOCKS,
    &RUSSIAN_DOLL,
    &CONE_OF_INFLUENCE,
    &MERGE_AND_SHRINK,
    &PREDICATE_ABSTRACTION,
    &PATTERNS,
];

/// The heuristic `blind`.
pub static BLIND: HeuristicEntry = HeuristicEntry {
    name: "blind",
    symbol: "0",
    summary: "Knows nothing",
    needs_known_goal: false,
    symmetric: true,
    build: |_, _| Ok(Box::new(Blind)),
};

/// The heuristic `graph-max`.
pub static GRAPH_MAX: HeuristicEntry = HeuristicEntry {
    name: "graph-max",
    symbol: "d^L",
    summary: "Edges from the locations of processes to those of the goal: the farthest process",
    needs_known_goal: false,
    symmetric: true,
    build: |problem, _| Ok(Box::new(GraphDistance::new(problem, Combination::Max))),
};

/// The heuristic `graph-sum`.
pub static GRAPH_SUM: HeuristicEntry = HeuristicEntry {
    name: "graph-sum",
    symbol: "d^U",
    summary: "Edges from the locations of processes to those of the goal, added up",
    needs_known_goal: false,
    symmetric: true,
    build: |problem, _| Ok(Box::new(GraphDistance::new(problem, Combination::Sum))),
};

/// The heuristic `graph-split`.
pub static GRAPH_SPLIT: HeuristicEntry = HeuristicEntry {
    name: "graph-split",
    symbol: "d^S",
    summary: "As graph-sum, but steps that processes take together count once",
    needs_known_goal: false,
    symmetric: true,
    build: |problem, _| Ok(Box::new(GraphDistance::new(problem, Combination::Split))),
};

/// The heuristic `formula`.
pub static FORMULA: HeuristicEntry = HeuristicEntry {
    name: "formula",
    symbol: "H_f",
    summary: "What is missing of each part of the goal, added up",
    needs_known_goal: false,
    symmetric: true,
    build: |problem, _| Ok(Box::new(Formula::new(problem, true))),
};

/// The heuristic `formula-max`.
pub static FORMULA_MAX: HeuristicEntry = HeuristicEntry {
    name: "formula-max",
    symbol: "",
    summary: "As formula, but the part that is farthest from being true",
    needs_known_goal: false,
    symmetric: true,
    build: |problem, _| Ok(Box::new(Formula::new(problem, false))),
};

/// The heuristic `hamming`.
pub static HAMMING: HeuristicEntry = HeuristicEntry {
    name: "hamming",
    symbol: "H^e",
    summary: "Bits that differ from a known goal",
    needs_known_goal: true,
    symmetric: false,
    build: |problem, _| Hamming::build(problem),
};

/// The heuristic `fsm`.
pub static FSM: HeuristicEntry = HeuristicEntry {
    name: "fsm",
    symbol: "FD^e",
    summary: "Edges to where the processes are in a known goal",
    needs_known_goal: true,
    symmetric: false,
    build: |problem, _| fsm(problem),
};

/// The heuristic `never-claim`.
pub static NEVER_CLAIM: HeuristicEntry = HeuristicEntry {
    name: "never-claim",
    symbol: "h^c",
    summary: "Edges from where the never claim is to where it is violated",
    needs_known_goal: false,
    symmetric: true,
    build: |problem, _| never_claim(problem),
};

/// The heuristic `active-processes`.
pub static ACTIVE_PROCESSES: HeuristicEntry = HeuristicEntry {
    name: "active-processes",
    symbol: "H_ap",
    summary: "Processes that can move: for deadlocks",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, _| Ok(Box::new(ActiveProcesses::new(problem))),
};

/// The heuristic `relaxation-layers`.
pub static RELAXATION_LAYERS: HeuristicEntry = HeuristicEntry {
    name: "relaxation-layers",
    symbol: "h^L",
    summary: "Steps until the goal is possible if no value is ever lost",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, _| Ok(Box::new(Relaxation::new(problem, Reading::Layers))),
};

/// The heuristic `relaxation-trace`.
pub static RELAXATION_TRACE: HeuristicEntry = HeuristicEntry {
    name: "relaxation-trace",
    symbol: "h^U",
    summary: "Steps of a path to the goal on which no value is ever lost",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, _| Ok(Box::new(Relaxation::new(problem, Reading::Trace))),
};

/// The heuristic `relaxation-intervals`.
pub static RELAXATION_INTERVALS: HeuristicEntry = HeuristicEntry {
    name: "relaxation-intervals",
    symbol: "interval h^L",
    summary: "As relaxation-layers, with intervals instead of sets of values",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, _| Ok(Box::new(Relaxation::new(problem, Reading::Intervals))),
};

/// The heuristic `downward-pattern`.
pub static DOWNWARD_PATTERN: HeuristicEntry = HeuristicEntry {
    name: "downward-pattern",
    symbol: "h^dpr",
    summary: "Distances without the parts that h^U can do without, and with all clocks",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| table(problem, making, selection::downward),
};

/// The heuristic `downward-pattern-clocks`.
pub static DOWNWARD_PATTERN_CLOCKS: HeuristicEntry = HeuristicEntry {
    name: "downward-pattern-clocks",
    symbol: "h^dprc",
    summary: "As downward-pattern, with only those clocks that make the goal farther",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| table(problem, making, selection::downward_clocks),
};

/// The heuristic `russian-doll`.
pub static RUSSIAN_DOLL: HeuristicEntry = HeuristicEntry {
    name: "russian-doll",
    symbol: "h^rd",
    summary: "Distances in the parts of the model that the path of h^U touches",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| table(problem, making, selection::russian_doll),
};

/// The heuristic `patterns`.
pub static PATTERNS: HeuristicEntry = HeuristicEntry {
    name: "patterns",
    symbol: "h^SCP",
    summary: "Distances in many small parts of the model, added up by sharing out the steps",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| prepared(problem, making, selection::tables),
};

/// The heuristic `cone-of-influence`.
pub static CONE_OF_INFLUENCE: HeuristicEntry = HeuristicEntry {
    name: "cone-of-influence",
    symbol: "h^coi",
    summary: "Distances in the parts of the model that are near to the goal",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| table(problem, making, selection::cone_of_influence),
};

/// The heuristic `merge-and-shrink`.
pub static MERGE_AND_SHRINK: HeuristicEntry = HeuristicEntry {
    name: "merge-and-shrink",
    symbol: "h^aa",
    summary: "Distances in all parts of the model together, with states put together that are alike",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| prepared(problem, making, MergeAndShrink::build),
};

/// The heuristic `predicate-abstraction`.
pub static PREDICATE_ABSTRACTION: HeuristicEntry = HeuristicEntry {
    name: "predicate-abstraction",
    symbol: "h^pa",
    summary: "Distances in groups of processes, added up: each step counts in one of them",
    needs_known_goal: false,
    symmetric: false,
    build: |problem, making| prepared(problem, making, additive::build),
};

fn table<'a>(
    problem: &Problem<'a>,
    making: &mut Making,
    select: selection::Select,
) -> HeuristicResult<'a> {
    prepared(problem, making, |problem, making| selection::table(problem, making, select))
}

/// The heuristic with a name.
pub fn heuristic(name: &str) -> Option<&'static HeuristicEntry> {
    HEURISTICS.iter().copied().find(|entry| entry.name == name)
}
