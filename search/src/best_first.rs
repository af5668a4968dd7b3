//! The one search loop (docs/algorithms.md, section 2.1). A search algorithm is a configuration of
//! it: an order, whether costs matter, a heuristic, and guidance.

use crate::chunks::Chunks;
use crate::configuration::{Configuration, Order};
use crate::costs::Costs;
use crate::guidance::{Child, Guidance, Judgement, Label, Parent};
use crate::heuristic::{FARTHEST, Heuristic, UNREACHABLE};
use crate::heuristics::Blind;
use crate::limits::{WORK_PER_STATE, work_per_successor};
use crate::node_store::{NodeStore, Origin};
use crate::open_list::{NodeId, OpenList, Waiting};
use crate::progress::Links;
use crate::pruning::Pruning;
use crate::representative::Representatives;
use crate::target::Target;
use crate::{Control, Limits, Observer, Outcome, Reason, Statistics};
use explore::{End, Explorer, Path, Raised, Step, Steps, Workspace};
use network::cancellation;

/// What is plugged into the loop.
#[derive(Default)]
pub struct Parts<'a> {
    /// Estimates how far states are from the goal.
    pub heuristic: Option<Box<dyn Heuristic + 'a>>,
    /// Judges the steps that lead to states.
    pub guidance: Option<Box<dyn Guidance + 'a>>,
    /// What steps cost; 1 each if nothing is said.
    pub costs: Option<&'a Costs>,
    /// Leaves out steps.
    pub pruning: Option<Box<dyn Pruning + 'a>>,
    /// Finds states that are alike under one of them.
    pub representatives: Option<Box<dyn Representatives + 'a>>,
    /// Where to end, if not at whatever comes first.
    pub target: Option<Target<'a>>,
}

/// The greatest cost that the store has room for; whether a path this expensive is cheapest is unknown.
const MAX_COST: u32 = i32::MAX as u32;

/// Stands for the estimate of a discrete part that has none yet.
const UNASKED: u32 = UNREACHABLE - 1;

/// How many expansions and estimates pass between two calls of the observer.
const TICK: u64 = 256;

/// Searches for the explorer's goal without looking ahead.
pub fn run(
    explorer: &Explorer,
    configuration: &Configuration,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> (Outcome, Statistics) {
    run_with(explorer, configuration, Parts::default(), limits, observer)
}

/// Searches for the explorer's goal with a heuristic and guidance.
pub fn run_with(
    explorer: &Explorer,
    configuration: &Configuration,
    parts: Parts,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> (Outcome, Statistics) {
    let mut search = Search::new(explorer, configuration, parts);
    let outcome = search.resume(limits, observer);
    // Nobody will go on, so what there is has to do.
    let outcome = search.conclude(false).unwrap_or(outcome);
    (outcome, search.statistics())
}

/// What the parts of a search prove.
#[derive(Clone, Copy, Debug)]
struct Proof {
    /// What is found first, or best, costs least.
    cheapest: bool,
    /// No estimate is too high.
    admissible: bool,
    /// States with an infinite estimate can be dropped.
    dead_ends: bool,
}

impl Proof {
    fn of(
        explorer: &Explorer,
        configuration: &Configuration,
        heuristic: &dyn Heuristic,
        pruning: Option<&dyn Pruning>,
    ) -> Proof {
        let guarantees = heuristic.guarantees();
        // States that differ in meta variables only are treated as one.
        let exact = !explorer.layout.has_meta() && pruning.is_none_or(Pruning::keeps_shortest);
        let cheapest = configuration.is_optimal() && guarantees.admissible && exact;
        Proof { cheapest, admissible: guarantees.admissible, dead_ends: guarantees.dead_end_safe }
    }
}

/// The best end that was found while the search goes on.
struct Best {
    node: NodeId,
    end: End,
    cost: u32,
}

/// A search at work. When a budget is used up it is suspended; it goes on with a larger one as if nothing
/// had happened.
pub struct Search<'a> {
    explorer: &'a Explorer,
    configuration: Configuration,
    store: NodeStore<'a>,
    open: Box<dyn OpenList>,
    proof: Proof,
    heuristic: Box<dyn Heuristic + 'a>,
    guidance: Option<Box<dyn Guidance + 'a>>,
    costs: Option<&'a Costs>,
    pruning: Option<Box<dyn Pruning + 'a>>,
    target: Option<Target<'a>>,
    /// What became of steps that were left out, if that matters.
    links: Option<Links>,
    /// The estimate of each node, if the order looks at estimates.
    estimates: Chunks<u32>,
    /// Those of discrete parts, if they are estimates of all states with them.
    shared: Option<Chunks<u32>>,
    statistics: Statistics,
    workspace: Workspace,
    /// The nodes that the current expansion has given.
    fresh: Vec<NodeId>,
    waiting: Vec<Waiting>,
    scratch: Vec<i32>,
    best: Option<Best>,
    /// Only paths that cost less are of interest.
    below: u32,
    /// The least estimate of a state that was explored.
    nearest: u32,
    /// When the observer is called again.
    next_tick: u64,
    work_per_successor: u64,
    has_begun: bool,
    /// The node that comes before those in the open list.
    next: Option<NodeId>,
}

impl<'a> Search<'a> {
    /// A search for the explorer's goal that has not begun.
    pub fn new(explorer: &'a Explorer, configuration: &Configuration, parts: Parts<'a>) -> Self {
        let Parts { heuristic, guidance, costs, pruning, representatives, target } = parts;
        let labelled = guidance.as_ref().is_some_and(|guidance| guidance.is_labelled());
        let heuristic = heuristic.unwrap_or_else(|| Box::new(Blind));
        // Labels name processes, which representatives would have to exchange along with the states.
        let representatives = representatives.filter(|_| !labelled);
        Search {
            explorer,
            configuration: *configuration,
            store: NodeStore::new(explorer, configuration.dominance(), labelled, representatives),
            open: configuration.open_list(),
            proof: Proof::of(explorer, configuration, &*heuristic, pruning.as_deref()),
            shared: has_shared_estimates(explorer, &*heuristic).then(Chunks::new),
            heuristic,
            guidance,
            costs,
            links: pruning.as_ref().filter(|it| it.needs_progress()).map(|_| Links::default()),
            pruning,
            target,
            estimates: Chunks::new(),
            statistics: Statistics::default(),
            workspace: explorer.workspace(),
            fresh: Vec::new(),
            waiting: Vec::new(),
            scratch: vec![0; explorer.layout.words()],
            best: None,
            below: u32::MAX,
            nearest: UNREACHABLE,
            next_tick: 0,
            work_per_successor: work_per_successor(explorer),
            has_begun: false,
            next: None,
        }
    }

    /// Goes on until it finds something, has seen everything, or reaches a limit. Budgets count what was
    /// done since the search began. What was found before does not count as found again: only
    /// something better does.
    pub fn resume(&mut self, limits: &Limits, observer: &mut dyn Observer) -> Outcome {
        self.below = self.below.min(limits.below.unwrap_or(u32::MAX));
        let outcome = cancellation::attempt(|| self.run(limits, observer));
        let outcome = outcome.unwrap_or_else(|cause| self.give_up(cause.into()));
        self.update_sizes();
        self.statistics.complete = matches!(outcome, Outcome::Unreachable) && self.has_seen_all();
        outcome
    }

    /// What was done since the search began.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The same as a number, in the unit of `Heuristic::work`.
    pub fn work(&self) -> u64 {
        let Statistics { explored, generated, .. } = self.statistics;
        self.heuristic.work() + explored * WORK_PER_STATE + generated * self.work_per_successor
    }

    /// What estimates how far states are from the goal.
    pub fn heuristic(&self) -> &dyn Heuristic {
        &*self.heuristic
    }

    /// Whether enough steps are left out for it to be worth while; true if none may be.
    pub fn pruning_pays(&self) -> bool {
        self.pruning.as_ref().is_none_or(|pruning| pruning.pays())
    }

    /// The least estimate of a state that was explored.
    pub fn nearest(&self) -> u32 {
        self.nearest
    }

    /// The priority of the state that comes next in a search that was suspended.
    pub fn reached(&self) -> u32 {
        self.next.map_or(0, |node| self.priority(node))
    }

    fn run(&mut self, limits: &Limits, observer: &mut dyn Observer) -> Outcome {
        let mut state = vec![0; self.explorer.layout.words()];
        if !std::mem::replace(&mut self.has_begun, true)
            && let Err(raised) = self.begin()
        {
            self.statistics.explored_until_found = Some(0);
            let path = Path::default();
            return Outcome::Reached { path, end: End::Error(raised), shortest: false };
        }
        while let Some(node) = self.next_node() {
            if self.store.is_stale(node) {
                self.statistics.stale += 1;
                continue;
            }
            if self.is_beaten(node) && self.configuration.order != Order::BoundedDepthFirst {
                self.next = Some(node);
                break;
            }
            if self.exceeds_bound(node) {
                continue;
            }
            if let Some(reason) = self.should_stop(limits, observer) {
                self.next = Some(node);
                return match reason {
                    Reason::Budget => Outcome::Unknown(reason),
                    _ => self.give_up(reason),
                };
            }
            self.store.unpack(node, &mut state);
            let cost = self.store.cost(node);
            let end = match self.explore(node, &state) {
                Ok(false) => continue,
                Ok(true) => Best { node, end: End::Goal, cost },
                Err(raised) => {
                    let cost = cost.saturating_add(self.cost_of_failure(raised.step()));
                    Best { node, end: End::Error(raised), cost }
                }
            };
            if end.cost >= self.below || self.is_passed_by(&end.end, &state) {
                continue;
            }
            self.below = end.cost;
            let is_last = !self.may_improve(&end);
            self.best = Some(end);
            if is_last {
                break;
            }
        }
        let is_saturated = self.best.as_ref().is_some_and(|best| best.cost >= MAX_COST);
        let proven = self.proof.cheapest && !is_saturated;
        self.conclude(proven).unwrap_or(Outcome::Unreachable)
    }

    /// The node to explore next.
    fn next_node(&mut self) -> Option<NodeId> {
        let waiting = self.next.take().or_else(|| self.open.pop());
        waiting.or_else(|| {
            let ignored = self.links.as_mut()?.ignored()?;
            self.store.unmark_explored(ignored);
            Some(ignored)
        })
    }

    /// Whether a cheaper end than this one may turn up.
    fn may_improve(&self, end: &Best) -> bool {
        match self.configuration.order {
            Order::BoundedDepthFirst => true,
            Order::Guided => false,
            _ => self.configuration.is_cost_sensitive() && !self.is_answer(&end.end),
        }
    }

    /// Whether an end says something about the property.
    fn is_answer(&self, end: &End) -> bool {
        matches!(end, End::Goal) || self.explorer.counts_errors()
    }

    /// Whether an end is not one that is looked for. Where there was no room for a process, nothing can be said
    /// about what lies beyond.
    fn is_passed_by(&self, end: &End, state: &[i32]) -> bool {
        let Some(target) = &self.target else { return false };
        let lacks_room = matches!(end, End::Error(raised) if raised.lacks_room());
        !(lacks_room || target.is_at(state) && self.is_answer(end))
    }

    /// Whether the best end found so far is at least as good as what a node promises.
    fn is_beaten(&self, node: NodeId) -> bool {
        self.best.as_ref().is_some_and(|best| best.cost <= self.priority(node))
    }

    /// Whether what lies after a node is of no interest.
    fn exceeds_bound(&self, node: NodeId) -> bool {
        let ahead = match self.configuration.is_directed() && self.proof.admissible {
            true => self.estimates[node],
            false => 0,
        };
        self.store.cost(node).saturating_add(ahead) >= self.below
    }

    /// The place of a node in the order, as far as it depends on costs.
    fn priority(&self, node: NodeId) -> u32 {
        let cost = self.store.cost(node);
        match self.configuration.order {
            Order::CostAndEstimate { weight } => {
                cost.saturating_add(weight.of(self.estimates[node]))
            }
            Order::Greedy | Order::GreedyByTurns | Order::Guided => self.estimates[node],
            _ => cost,
        }
    }

    /// What there is to tell if the search ends early.
    fn give_up(&mut self, reason: Reason) -> Outcome {
        self.conclude(false).unwrap_or(Outcome::Unknown(reason))
    }

    fn conclude(&mut self, proven: bool) -> Option<Outcome> {
        let Best { node, end, .. } = self.best.take()?;
        self.statistics.explored_until_found = Some(self.statistics.explored);
        let mut path = self.store.path(node);
        let End::Error(raised) = end else {
            return Some(Outcome::Reached { path, end, shortest: proven });
        };
        let mut last = Step::default();
        for (position, step) in self.explorer.single_steps(raised.step()).enumerate() {
            if position > 0 {
                path.push(last);
            }
            last = step;
        }
        let end = End::Error(Raised::by(last, raised.error.clone()));
        Some(Outcome::Reached { path, end, shortest: proven })
    }

    fn begin(&mut self) -> Result<(), Raised> {
        let Search { explorer, store, workspace, fresh, statistics, .. } = self;
        explorer.initial(workspace, &mut |state, step| {
            statistics.generated += 1;
            store.offer(state, Origin { parent: None, step, cost: 0, label: 0 });
        })?;
        store.settle(fresh);
        self.enqueue(None);
        Ok(())
    }

    /// Tests a state against the goal and, if it is none, generates its successors.
    fn explore(&mut self, node: NodeId, state: &[i32]) -> Result<bool, Raised> {
        self.statistics.explored += 1;
        self.store.mark_explored(node);
        if self.configuration.is_directed() {
            self.nearest = self.nearest.min(self.estimates[node]);
        }
        let cost = self.store.cost(node);
        self.statistics.depth = self.statistics.depth.max(u64::from(cost));
        let is_there = self.target.is_none_or(|target| target.is_at(state));
        if self.explorer.seeks_dead_ends() {
            // Whether a step is possible need not be found out twice.
            return Ok(self.expand(node, state, cost)? == 0 && is_there && self.is_goal(state)?);
        }
        let is_goal = if is_there { self.is_goal(state) } else { Ok(false) };
        if is_goal == Ok(true) {
            return is_goal;
        }
        // An error may be passed by, and then what comes after the state matters.
        let expanded = self.expand(node, state, cost);
        is_goal.and(expanded).map(|_| false)
    }

    fn is_goal(&mut self, state: &[i32]) -> Result<bool, Raised> {
        let is_goal = self.explorer.is_goal(&mut self.workspace, state);
        is_goal.map_err(Raised::at_state)
    }

    /// Generates the successors of a state; returns their number.
    fn expand(&mut self, node: NodeId, state: &[i32], cost: u32) -> Result<u64, Raised> {
        let Search { explorer, store, workspace, fresh, statistics, .. } = self;
        let Search { guidance, costs, pruning, links, .. } = self;
        let before = statistics.generated;
        let mut labels = guidance.as_mut().filter(|guidance| guidance.is_labelled());
        let last = if labels.is_some() { store.step(node).words().to_vec() } else { Vec::new() };
        let mut visit = |successor: &[i32], step: Step| {
            statistics.generated += 1;
            let label = match &mut labels {
                Some(guidance) => guidance.label(Step::from_words(&last), step),
                None => Label { number: 0, cost: cost_of(explorer, *costs, step) },
            };
            let cost = cost.saturating_add(label.cost).min(MAX_COST);
            let label = label.number;
            store.offer(successor, Origin { parent: Some(node), step, cost, label });
        };
        let is_full = links.as_ref().is_some_and(|links| links.is_full(node));
        let mut has_pruned = false;
        let mut prune = |state: &[i32], steps: &mut Steps| {
            if let Some(pruning) = pruning.as_mut().filter(|_| !is_full) {
                has_pruned = pruning.prune(state, steps);
            }
        };
        // Where costs do not matter, what lies within a longer step need not be stored.
        let result = match self.configuration.is_cost_sensitive() {
            true => explorer.pruned_successors(workspace, state, &mut prune, &mut visit),
            false => explorer.long_successors(workspace, state, &mut prune, &mut visit),
        };
        store.settle(fresh);
        if let (Some(links), Some(successor)) = (links, store.take_successor())
            && (has_pruned || explorer.is_transient(state))
        {
            links.link(node, successor, has_pruned);
        }
        self.enqueue(Some((node, state, cost)));
        self.statistics.max_open = self.statistics.max_open.max(self.open.len() as u64);
        result.map(|()| self.statistics.generated - before)
    }

    /// The cost of a step whose last part fails: the failure itself is free, as the length of a trace
    /// is that of the path to the error. An error that is no answer waits for a goal that is as near.
    fn cost_of_failure(&self, step: Step) -> u32 {
        let Search { explorer, costs, .. } = self;
        let parts = explorer.single_steps(step).count();
        let done = explorer.single_steps(step).take(parts.saturating_sub(1));
        let done: u32 = done.map(|part| cost_of(explorer, *costs, part)).sum();
        done + u32::from(!explorer.counts_errors())
    }

    /// Lets the nodes that were stored wait to be explored.
    fn enqueue(&mut self, parent: Option<(NodeId, &[i32], u32)>) {
        if !self.configuration.is_directed() {
            let below = self.below;
            for node in self.fresh.drain(..) {
                if self.store.cost(node) < below {
                    self.waiting.push(Waiting { node, ..Waiting::default() });
                }
            }
        } else {
            let mut fresh = std::mem::take(&mut self.fresh);
            self.rank(&fresh, parent);
            fresh.clear();
            self.fresh = fresh;
        }
        self.open.extend(&mut self.waiting);
    }

    /// Decides where nodes are to wait.
    fn rank(&mut self, fresh: &[NodeId], parent: Option<(NodeId, &[i32], u32)>) {
        let mut entered = false;
        for &node in fresh {
            if self.store.is_stale(node) {
                // Another successor of the same state covers it, and its zone is gone.
                self.statistics.stale += 1;
                if node as usize == self.estimates.len() {
                    self.estimates.push(FARTHEST);
                }
                continue;
            }
            cancellation::check();
            let estimate = self.estimate(node);
            let child_cost = self.store.cost(node);
            if self.store.is_stale(node) {
                self.statistics.stale += 1;
                continue;
            }
            if estimate == UNREACHABLE {
                self.statistics.pruned += 1;
                continue;
            }
            let ahead = if self.proof.admissible { estimate } else { 0 };
            if child_cost.saturating_add(ahead) >= self.below {
                continue;
            }
            let mut judgement = Judgement::default();
            if let (Some(guidance), Some((parent, state, cost))) = (&mut self.guidance, parent) {
                // The estimate may have been known already.
                self.store.unpack(node, &mut self.scratch);
                let parent = Parent { node: parent, state, cost, step: self.store.step(parent) };
                let heuristic = &mut *self.heuristic;
                if !std::mem::replace(&mut entered, true) {
                    guidance.enter(heuristic, &parent);
                }
                let step = self.store.step(node);
                let child = Child { node, state: &self.scratch, cost: child_cost, step, estimate };
                judgement = guidance.judge(heuristic, &parent, &child);
            }
            let priority = self.priority(node).saturating_add(judgement.penalty);
            self.waiting.push(Waiting { node, queue: judgement.queue, priority, estimate });
        }
    }

    /// The estimate of a node, computed when it is new.
    fn estimate(&mut self, node: NodeId) -> u32 {
        if (node as usize) < self.estimates.len() {
            return self.estimates[node];
        }
        // A sibling that was generated later may have replaced it.
        if self.store.is_stale(node) {
            self.estimates.push(FARTHEST);
            return FARTHEST;
        }
        let estimate = self.shared_estimate(node).unwrap_or_else(|| self.fresh_estimate(node));
        self.estimates.push(estimate);
        estimate
    }

    /// The estimate that another node has left for all with the same discrete part.
    fn shared_estimate(&mut self, node: NodeId) -> Option<u32> {
        let part = self.store.discrete_part(node);
        let shared = self.shared.as_mut()?;
        while shared.len() <= part as usize {
            shared.push(UNASKED);
        }
        Some(shared[part]).filter(|&estimate| estimate != UNASKED)
    }

    fn fresh_estimate(&mut self, node: NodeId) -> u32 {
        self.store.unpack(node, &mut self.scratch);
        self.statistics.evaluated += 1;
        let estimate = match self.heuristic.estimate(&self.scratch) {
            UNREACHABLE if self.proof.dead_ends => UNREACHABLE,
            ahead if self.heuristic.is_in_costs() => ahead.min(FARTHEST),
            steps => {
                // A step costs at least this much, so the steps ahead do.
                let least = self.costs.map_or(1, Costs::least);
                steps.min(FARTHEST).saturating_mul(least).min(FARTHEST)
            }
        };
        if let Some(shared) = &mut self.shared {
            shared[self.store.discrete_part(node)] = estimate;
        }
        estimate
    }

    /// Whether a search without outcome has left nothing out.
    fn has_seen_all(&self) -> bool {
        // Of states that differ in meta variables only, one is explored.
        let exact = !self.explorer.layout.has_meta() && self.pruning.is_none();
        exact && self.statistics.pruned == 0 && self.below == u32::MAX
    }

    fn should_stop(&mut self, limits: &Limits, observer: &mut dyn Observer) -> Option<Reason> {
        if let Some(cause) = cancellation::cause() {
            return Some(cause.into());
        }
        if limits.max_states.is_some_and(|max| self.store.len() > max) || self.store.is_full() {
            return Some(Reason::States);
        }
        if limits.work.is_some_and(|most| self.work() >= most) {
            return Some(Reason::Budget);
        }
        if self.store.has_overflowed() {
            return Some(Reason::ClockRange);
        }
        let Statistics { explored, evaluated, .. } = self.statistics;
        if explored + evaluated < self.next_tick {
            return None;
        }
        self.next_tick = explored + evaluated + TICK;
        self.update_sizes();
        match observer.tick(&self.statistics) {
            Control::Continue => None,
            Control::Stop(reason) => Some(reason),
        }
    }

    fn update_sizes(&mut self) {
        self.statistics.stored = self.store.len();
        self.statistics.reopened = self.store.reopened();
        let shared = self.shared.as_ref().map_or(0, Chunks::bytes);
        let links = self.links.as_ref().map_or(0, Links::bytes);
        let bytes =
            self.store.bytes() + self.open.bytes() + self.estimates.bytes() + shared + links;
        self.statistics.bytes = bytes as u64;
    }
}

/// Whether states that differ in clocks only have the same estimate. Those that differ in meta variables
/// only have the same discrete part, but not the same values.
fn has_shared_estimates(explorer: &Explorer, heuristic: &dyn Heuristic) -> bool {
    let layout = &explorer.layout;
    layout.dim > 0 && !layout.has_meta() && !heuristic.sees_clocks()
}

/// The cost of a step, or of the single steps that a longer one is made of.
fn cost_of(explorer: &Explorer, costs: Option<&Costs>, step: Step) -> u32 {
    match costs {
        None if step.words().len() <= 1 => 1,
        None => explorer.single_steps(step).count() as u32,
        Some(costs) => {
            explorer.single_steps(step).map(|step| costs.of(explorer.edges_of(step))).sum()
        }
    }
}
