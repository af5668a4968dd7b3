//! A question on the network on which it is answered: the model, reduced and compiled; the searches in it,
//! and the way back to a run of the model.

use crate::cut_off::Listener;
use crate::follow::{self, Witness};
use crate::improve::Given;
use crate::options::{Method, Switch, Symmetry, cheapest};
use crate::saved_heuristic::{Purpose, SavedHeuristic};
use crate::{Explanation, ImprovedEnd, Model, Options, goal};
use explore::{CompileError, End, Explorer, Path};
use network::{Property, Trace, cancellation};
use reduce::{Passes, Reduced};
use replay::State;
use search::catalog::{Budget, HeuristicEntry, Making, SearchEntry};
use search::heuristics::may_raise_errors;
use search::heuristics::pattern::Explorations;
use search::{
    Best, Costs, Heuristic, Keeps, Limits, Order, Outcome, PartialOrder, Parts, Plan, PlanRun,
    Problem, Reason, SearchSpace, StateSymmetry, Statistics, StubbornSets, TableAccount, Target,
};
use std::collections::HashMap;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub model: &'a Model,
    pub property: &'a Property,
    pub options: &'a Options,
    /// A state that is known to satisfy the goal.
    pub goal: Option<&'a State>,
    /// The trace that is to be replaced by a shorter one.
    pub given: Option<&'a Given>,
}

/// A question, and the network on which it is answered.
pub struct View<'a> {
    pub asked: Asked<'a>,
    passes: Passes,
    reduced: Reduced,
    pub explorer: Explorer,
    known_goal: Option<Vec<i32>>,
    /// The same network for whoever asks how to get to the state that a given trace ends in.
    to_state: Option<Explorer>,
}

/// What there is for searches.
pub struct Means<'m, 'o> {
    /// Told how they go; says whether to go on.
    pub listener: &'m mut Listener<'o>,
    /// What was explored for questions before this one, and is kept for those after it.
    pub explorations: &'m mut Explorations,
}

/// What a search found.
pub struct Found<'a> {
    pub outcome: Outcome,
    pub statistics: Statistics,
    /// The tables that estimates were looked up in.
    pub tables: Vec<TableAccount>,
    /// The heuristic whose infinite estimates prove that there is nothing.
    pub proven_by: Option<&'static HeuristicEntry>,
    /// The heuristic, if it was to be saved and can be.
    pub saved: Option<SavedHeuristic>,
    /// Where it was found, if not in the view that was searched first.
    pub view: Option<View<'a>>,
}

impl<'a> View<'a> {
    /// The model with the reductions that the search allows.
    pub fn new(asked: Asked<'a>) -> Result<View<'a>, String> {
        View::with(asked, asked.options.passes())
    }

    fn with(asked: Asked<'a>, passes: Passes) -> Result<View<'a>, String> {
        let Asked { model, property, options, goal, given } = asked;
        let reduced = reduce::reduce(&model.network, property, passes);
        let compile = |property: &Property| {
            Explorer::compile(reduced.network.clone(), Some(property), options.abstraction)
                .map_err(|error| place_of(model, &error))
        };
        let explorer = compile(property)?;
        let known_goal = goal.map(|state| goal::words_of(state, &explorer.layout));
        let to_same = given.is_some_and(|it| it.end == ImprovedEnd::SameState);
        let same = known_goal.as_ref().filter(|_| to_same);
        let same = same.map(|state| search::reaching(state, &explorer));
        let to_state = same.map(|property| compile(&property)).transpose()?;
        Ok(View { asked, passes, reduced, explorer, known_goal, to_state })
    }

    /// What is interchangeable in its states, if the user wants to know at least where plans are run.
    fn symmetry(&self, costs: Option<&Costs>, in_plan: bool) -> Option<StateSymmetry> {
        let Options { symmetry: wanted, plain, .. } = self.asked.options;
        let choice = wanted.choice().filter(|_| *wanted != Symmetry::Auto || in_plan && !plain)?;
        // A state that is to be reached is one of several that are alike.
        if self.to_state.is_some() {
            return None;
        }
        let found = cancellation::attempt(|| {
            let (network, property) = (self.explorer.network(), self.asked.property);
            let dead = reduce::dead_variables(network, property);
            let mut known = HashMap::new();
            for number in self.explorer.edges() {
                let cost = costs.map_or(1, |it| it.of_edge(number));
                let known = known.entry(self.explorer.edge(number)).or_insert(0_u32);
                // Edges that have two numbers have two costs.
                *known = known.wrapping_mul(31).wrapping_add(cost);
            }
            let cost = |process, edge| known[&(process, edge)];
            let mut found = symmetry::find(network, property, dead, &cost);
            if *wanted == Symmetry::Rotations {
                found.turn();
            }
            StateSymmetry::of(&self.explorer, &found, choice)
        });
        // Where there was no time for it, there is none for a search.
        found.unwrap_or(None)
    }

    fn problem(&self) -> Problem<'_> {
        Problem { known_goal: self.known_goal.as_deref(), ..Problem::of(&self.explorer) }
    }

    /// What heuristics are made for.
    fn guide(&self) -> Problem<'_> {
        let explorer = self.to_state.as_ref().unwrap_or(&self.explorer);
        Problem { explorer, ..self.problem() }
    }

    /// Where a search has to end that improves a trace.
    fn target(&self) -> Option<Target<'_>> {
        let state = self.to_state.as_ref().and(self.known_goal.as_deref());
        let same = state.map(|state| Target::discrete(state, &self.explorer.layout));
        same.or(self.asked.given.map(|_| Target::Any))
    }

    fn limits(&self) -> Limits {
        let below = self.asked.given.map(|given| given.length() as u32);
        Limits { max_states: self.asked.options.limits.states, below, ..Limits::default() }
    }

    /// What steps cost, if they cost anything in particular.
    pub fn costs(&self) -> Option<Costs> {
        let rules = &self.asked.options.costs;
        (!rules.is_empty()).then(|| Costs::by_rules(&self.problem(), rules))
    }

    /// Whether the model may raise errors that a search for something else does not find.
    pub fn may_raise_errors(&self) -> bool {
        may_raise_errors(&self.problem())
    }

    /// Searches as the options say.
    pub fn search(
        &self,
        costs: Option<&Costs>,
        means: &mut Means,
    ) -> Result<Found<'a>, Explanation> {
        if let Some(given) = self.asked.given {
            return self.improve(given, means);
        }
        match self.asked.options.method {
            Method::Plan(plan) if costs.is_none() => self.run_plan(plan, means),
            Method::Plan(_) => self.search_once(cheapest(), costs, means),
            Method::One(search) => self.search_once(search, costs, means),
        }
    }

    /// Looks for a shorter trace than one that was given.
    fn improve(&self, given: &Given, means: &mut Means) -> Result<Found<'a>, Explanation> {
        let Options { method, heuristic, settings, .. } = self.asked.options;
        let plan = match (method, heuristic) {
            (Method::One(search), _) if search.bounds_lengths() => {
                return self.search_once(search, None, means);
            }
            (Method::One(search), _) => {
                return Err(format!("the search {} does not look at lengths", search.name).into());
            }
            (Method::Plan(_), Some(_)) => return self.search_once(cheapest(), None, means),
            (Method::Plan(plan), None) => plan,
        };
        let limits = self.limits();
        let mut run = PlanRun::new(plan, settings, &limits, means.listener)
            .with_explorations(means.explorations);
        let (target, guide) = (self.target(), self.guide());
        let space = SearchSpace { target, guide, ..SearchSpace::of(&self.problem()) };
        let outcome = run.undercut(given.length() as u32, &space)?;
        let (statistics, tables) = (run.statistics(), Vec::new());
        Ok(Found { outcome, statistics, tables, proven_by: None, saved: None, view: None })
    }

    /// Runs one search.
    fn search_once(
        &self,
        search: &SearchEntry,
        costs: Option<&Costs>,
        means: &mut Means,
    ) -> Result<Found<'a>, Explanation> {
        let entry = self.heuristic(search);
        let loaded = self.loaded(entry)?;
        let configuration = search.configuration(&self.asked.options.settings);
        let order = self.order(Switch::On);
        let symmetry = self.symmetry(costs, false);
        let mut parts = match entry {
            Some(entry) => self.parts(search, entry, (costs, loaded), means)?,
            None => Parts { costs, ..Parts::default() },
        };
        parts.target = self.target();
        // Another order of the same steps has other switches between processes, and passes through other
        // states.
        let needs_all = configuration.order == Order::Guided || self.to_state.is_some();
        if let Some(order) = order.as_ref().filter(|_| !needs_all) {
            let is_cost_sensitive = configuration.is_cost_sensitive();
            let keeps = if is_cost_sensitive { Keeps::Lengths } else { Keeps::Verdict };
            parts.pruning = Some(Box::new(StubbornSets::new(order, &self.explorer, keeps)));
        }
        parts.representatives = symmetry.as_ref().map(|it| it.representatives(&self.explorer));
        let tables = parts.heuristic.as_ref().map(|it| it.tables()).unwrap_or_default();
        let to_save = parts.heuristic.as_ref().filter(|_| self.asked.options.save_heuristic);
        let saved = self.to_save(entry, to_save.and_then(|it| it.saved()));
        let (outcome, statistics) =
            search::run_with(&self.explorer, &configuration, parts, &self.limits(), means.listener);
        let is_proof = matches!(outcome, Outcome::Unreachable) && statistics.pruned > 0;
        let proven_by = entry.filter(|_| is_proof);
        Ok(Found { outcome, statistics, tables, proven_by, saved, view: None })
    }

    /// What lets searches leave out steps, if the user says so at least.
    fn order(&self, least: Switch) -> Option<PartialOrder> {
        let Options { partial_order: wanted, plain, .. } = self.asked.options;
        let is_wanted = *wanted == Switch::On || *wanted == least && !plain;
        let order = is_wanted.then(|| cancellation::attempt(|| PartialOrder::of(&self.problem())));
        // Where there was no time for it, there is none for a search.
        order?.unwrap_or(None)
    }

    /// The heuristic that a search is given.
    fn heuristic(&self, search: &SearchEntry) -> Option<&'static HeuristicEntry> {
        let wanted = self.asked.options.heuristic.map(|it| it.0);
        let chosen = || wanted.unwrap_or_else(|| search.usual_heuristic(&self.guide()));
        search.is_directed().then(chosen)
    }

    /// The heuristic and the guidance that a search needs.
    fn parts<'p>(
        &'p self,
        search: &SearchEntry,
        entry: &HeuristicEntry,
        (costs, loaded): (Option<&'p Costs>, Option<&[u8]>),
        means: &mut Means,
    ) -> Result<Parts<'p>, Explanation> {
        let (options, problem) = (self.asked.options, self.guide());
        let mut heuristic = self.build(&problem, entry, (costs, loaded), means)?;
        let guidance = search.guidance(&problem, &options.settings, &mut *heuristic);
        let unguided =
            |why| Explanation::Unguided { search: search.name, heuristic: entry.name, why };
        let guidance = guidance.map_err(unguided)?;
        Ok(Parts { heuristic: Some(heuristic), guidance, costs, ..Parts::default() })
    }

    /// Makes a heuristic within the limits.
    fn build<'p>(
        &self,
        problem: &Problem<'p>,
        entry: &HeuristicEntry,
        (costs, saved): (Option<&Costs>, Option<&[u8]>),
        Means { listener, explorations }: &mut Means,
    ) -> Result<Box<dyn Heuristic + 'p>, Explanation> {
        let Options { settings, limits, .. } = self.asked.options;
        // The other half is for the search.
        let memory = limits.memory.map(|most| most / 2);
        let budget = Budget { states: limits.states, memory, ..Budget::default() };
        let (observer, explorations) = (&mut **listener, Some(&mut **explorations));
        let making = &mut Making { settings, budget, costs, saved, observer, explorations };
        let built = cancellation::attempt(|| entry.build_with(problem, making));
        let late = |cause| Explanation::Unprepared {
            why: Reason::from(cause),
            heuristic: entry.name,
            explored: listener.prepared(),
        };
        built.map_err(late)?.map_err(|why| self.unfit(why))
    }

    /// What a heuristic is made from that was saved, if it was made for this.
    fn loaded(&self, entry: Option<&HeuristicEntry>) -> Result<Option<&'a [u8]>, Explanation> {
        let Some(loaded) = &self.asked.options.load_heuristic else { return Ok(None) };
        let content = match entry {
            Some(_) if self.to_state.is_some() => Err("it leads to a goal, not to a state".into()),
            Some(entry) => loaded.content_for(&self.purpose(entry)),
            None => Err(loaded.unwanted()),
        };
        content.map(Some).map_err(Explanation::Unloaded)
    }

    /// What is saved of a heuristic.
    fn to_save(
        &self,
        entry: Option<&HeuristicEntry>,
        content: Option<Vec<u8>>,
    ) -> Option<SavedHeuristic> {
        let content = content.filter(|_| self.to_state.is_none())?;
        Some(SavedHeuristic::new(self.purpose(entry?), content))
    }

    fn purpose(&self, entry: &HeuristicEntry) -> Purpose {
        Purpose::new(self.asked, self.explorer.network(), entry)
    }

    /// Why the heuristic that the user wants cannot be made.
    fn unfit(&self, why: String) -> Explanation {
        let needs_goal = self.asked.options.heuristic.is_some_and(|it| it.0.needs_known_goal);
        match needs_goal && self.known_goal.is_none() {
            true => Explanation::NoKnownGoal,
            false => Explanation::Words(why),
        }
    }

    /// Runs a plan. The first trace is looked for where steps are merged, so that states are few; but
    /// the shortest need not be one of merged steps, and small models need no merging.
    fn run_plan(&self, plan: &Plan, means: &mut Means) -> Result<Found<'a>, Explanation> {
        let (options, limits) = (self.asked.options, self.limits());
        let wanted = options.heuristic.map(|it| it.0);
        let loaded = self.loaded(wanted)?;
        let mut run = PlanRun::new(plan, &options.settings, &limits, means.listener)
            .with_explorations(means.explorations)
            .with_saved(loaded, options.save_heuristic);
        let lengths = self.reduced.has_merged().then(|| {
            Costs::of_lengths(&self.problem(), |process, edge| self.reduced.length(process, edge))
        });
        let unmerged = Passes { merge: false, ..self.passes };
        let exact = lengths.is_some().then(|| View::with(self.asked, unmerged)).transpose()?;
        let order = self.order(Switch::Auto);
        let symmetry = self.symmetry(lengths.as_ref(), true);
        let space = SearchSpace {
            lengths: lengths.as_ref(),
            order: order.as_ref(),
            symmetry: symmetry.as_ref(),
            ..SearchSpace::of(&self.problem())
        };
        let single_symmetry = exact.as_ref().and_then(|exact| exact.symmetry(None, true));
        let single = exact.as_ref().map(|exact| SearchSpace {
            symmetry: single_symmetry.as_ref(),
            ..SearchSpace::of(&exact.problem())
        });
        let first = run.find(&space, single.as_ref(), wanted);
        let first = first.map_err(|why| self.unfit(why))?;
        let Best { outcome, is_exact, .. } = match lacks_room(&first.outcome) {
            true => first.best(),
            false => run.shorten(first, &space, single.as_ref().unwrap_or(&space))?,
        };
        Ok(Found {
            outcome,
            statistics: run.statistics(),
            tables: run.tables().to_vec(),
            proven_by: run.proven_by(),
            saved: self.to_save(wanted, run.to_save()),
            view: exact.filter(|_| is_exact),
        })
    }

    /// The run of the model that a path stands for, confirmed by `replay`.
    pub fn confirm(&self, path: &Path, end: &End) -> Result<Witness, String> {
        let Asked { model, property, options, .. } = self.asked;
        let trace = self.explorer.trace(path, end);
        let trace = trace.map_err(|problem| format!("it has no delays ({problem:?})"))?;
        let trace = self.replayed(trace).map_err(|mismatch| mismatch.to_string())?;
        follow::tell(model, property, trace, options.states)
    }

    fn replayed(&self, trace: Trace) -> Result<Trace, replay::Mismatch> {
        let Asked { model, property, .. } = self.asked;
        match self.reduced.is_original() {
            true => replay::check(&model.network, Some(property), &trace).map(|_| trace),
            false => {
                let trace = self.reduced.expand(&trace);
                replay::with_changes(&model.network, Some(property), trace)
            }
        }
    }

    /// Said when the zones promise a path for which no run exists or none was found.
    pub fn no_run(&self) -> String {
        let why = if self.explorer.traits().stopwatches {
            "the model stops clocks"
        } else {
            "the model has clock guards on edges of urgent channels"
        };
        format!(
            "{why}, so zones describe more than it can do, and no concrete run was found for the \
             path that the search returned"
        )
    }
}

/// Whether the search ended because there was no room for another process: a reason to begin again with
/// more, not something to look at more closely.
fn lacks_room(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Reached { end: End::Error(raised), .. } => raised.error.lacks_room(),
        _ => false,
    }
}

fn place_of(model: &Model, error: &CompileError) -> String {
    match model.source_path(error.span) {
        Some(path) => {
            format!("{} ({path}:{}:{})", error.message, error.span.line, error.span.column)
        }
        None => error.message.clone(),
    }
}
