//! What heuristics promise, checked against the whole graph of states, and searches against
//! breadth-first search: for networks of any origin.
//!
//! That nothing comes nearer without some edges was seen to fail with a distance that is one less then.

use super::answer::replay;
use super::case::property;
use super::comparisons::{Estimates, compare_estimates};
use explore::EdgeNumber;
use explore::{Abstraction, End, Explorer};
use network::Network;
use search::catalog::{self, HEURISTICS, HeuristicEntry, SearchEntry, Settings};
use search::{EdgeSet, Limits, Outcome, PLANS, Parts, Problem, UNREACHABLE, Unlimited};
use std::collections::{BTreeMap, HashMap, VecDeque};
use testing::Numbers;

/// All reachable states, told apart by all their words.
#[derive(Default)]
pub struct Graph {
    pub states: Vec<Vec<i32>>,
    /// From where to where, and by which edges of the network.
    pub steps: Vec<(usize, usize, Vec<EdgeNumber>)>,
    pub goals: Vec<bool>,
    /// Whether exploring the state raises an error.
    pub raises: Vec<bool>,
}

impl Graph {
    /// None if there are too many states.
    fn of(explorer: &Explorer, most_states: usize) -> Option<Graph> {
        let mut graph = Graph::default();
        let mut known = HashMap::new();
        let mut ws = explorer.workspace();
        let mut found = Vec::new();
        let _ = explorer.initial(&mut ws, &mut |state, _| found.push((state.to_vec(), Vec::new())));
        let mut from = None;
        loop {
            for (state, edges) in found.drain(..) {
                let to = *known.entry(state).or_insert_with_key(|state| {
                    graph.states.push(state.clone());
                    graph.states.len() - 1
                });
                graph.steps.extend(from.map(|from| (from, to, edges)));
            }
            let next = from.map_or(0, |from| from + 1);
            if next == graph.states.len() {
                return Some(graph);
            }
            if graph.states.len() > most_states {
                return None;
            }
            from = Some(next);
            let state = &graph.states[next];
            let goal = explorer.is_goal(&mut ws, state);
            let expanded = explorer.successors(&mut ws, state, &mut |successor, step| {
                found.push((successor.to_vec(), explorer.edges_of(step).collect()));
            });
            graph.raises.push(goal.is_err() || expanded.is_err());
            graph.goals.push(goal.unwrap_or(false));
        }
    }

    /// The least number of steps to a goal, by steps that count, or to a state in which an error is
    /// raised, if they count.
    pub fn distances(&self, errors: bool, counts: impl Fn(&[EdgeNumber]) -> bool) -> Vec<u32> {
        self.distances_by(|state| self.goals[state] || errors && self.raises[state], counts)
    }

    /// The least number of steps to a state that satisfies a condition.
    pub fn distances_to(&self, is_end: impl Fn(&[i32]) -> bool) -> Vec<u32> {
        self.distances_by(|state| is_end(&self.states[state]), |_| true)
    }

    fn distances_by(
        &self,
        is_end: impl Fn(usize) -> bool,
        counts: impl Fn(&[EdgeNumber]) -> bool,
    ) -> Vec<u32> {
        let mut back = vec![Vec::new(); self.states.len()];
        for (from, to, edges) in &self.steps {
            if counts(edges) {
                back[*to].push(*from);
            }
        }
        let mut distances = vec![UNREACHABLE; self.states.len()];
        let mut queue = VecDeque::new();
        for state in (0..self.states.len()).filter(|&state| is_end(state)) {
            distances[state] = 0;
            queue.push_back(state);
        }
        while let Some(state) = queue.pop_front() {
            for &before in &back[state] {
                if distances[before] > distances[state] + 1 {
                    distances[before] = distances[state] + 1;
                    queue.push_back(before);
                }
            }
        }
        distances
    }

    fn some_goal(&self) -> usize {
        self.goals.iter().position(|goal| *goal).unwrap_or(0)
    }
}

/// What was seen of each heuristic, so that a test cannot pass on nothing.
#[derive(Default, Debug)]
pub struct Seen {
    pub states: usize,
    /// Estimates of 2 or more.
    pub far: usize,
    pub infinite: usize,
    /// Networks for which it promised to be admissible.
    pub admissible: usize,
    /// Estimates that were right, but not 0.
    pub exact: usize,
    /// Estimates that another heuristic, which is never to be lower, exceeds.
    pub less: usize,
}

pub type Tally = BTreeMap<&'static str, Seen>;

/// A network whose states are known.
pub struct Subject<'a> {
    pub network: &'a Network,
    /// What to call it if something is wrong.
    pub name: String,
    pub explorer: Explorer,
    pub graph: Graph,
}

impl<'a> Subject<'a> {
    /// None if it cannot be explored, or has no states or too many.
    pub fn new(network: &'a Network, name: String, most_states: usize) -> Option<Self> {
        Self::abstracted(network, name, most_states, Abstraction::default())
    }

    /// The same with another abstraction of zones.
    pub fn abstracted(
        network: &'a Network,
        name: String,
        most_states: usize,
        abstraction: Abstraction,
    ) -> Option<Self> {
        let compiled = Explorer::compile(network.clone(), Some(property(network)), abstraction);
        let explorer = compiled.ok()?;
        let graph = Graph::of(&explorer, most_states).filter(|graph| !graph.states.is_empty())?;
        Some(Subject { network, name, explorer, graph })
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.graph.states.len()
    }

    pub fn problem(&self) -> Problem<'_> {
        let known_goal = Some(self.graph.states[self.graph.some_goal()].as_slice());
        Problem { known_goal, ..Problem::of(&self.explorer) }
    }
}

/// Checks all heuristics on one network.
pub fn check(subject: &Subject, numbers: &mut Numbers, tally: &mut Tally) {
    let Subject { network, name: case, explorer, graph } = subject;
    let errors = property(network).counts_errors;
    let truth = graph.distances(errors, |_| true);
    let mut removed = EdgeSet::new(explorer.edges().len());
    explorer.edges().filter(|_| numbers.chance(15)).for_each(|edge| removed.insert(edge));
    let without = graph.distances(errors, |edges| !edges.iter().any(|&e| removed.contains(e)));
    let problem = subject.problem();
    let mut all = Estimates::new();
    for named in HEURISTICS {
        if super::is_costly(named) && !numbers.chance(25) {
            continue;
        }
        let Ok(mut heuristic) = super::build(named, &problem) else { continue };
        let promised = heuristic.guarantees();
        let seen = tally.entry(named.name).or_default();
        seen.admissible += promised.admissible as usize;
        let estimates: Vec<u32> =
            graph.states.iter().map(|state| heuristic.estimate(state)).collect();
        for (state, (&estimate, &distance)) in estimates.iter().zip(&truth).enumerate() {
            let about = || {
                format!(
                    "{case}, {}: {estimate} for {distance} in {:?}\n{}",
                    named.name,
                    graph.states[state],
                    network::print(network)
                )
            };
            seen.states += 1;
            seen.far += (2..UNREACHABLE).contains(&estimate) as usize;
            seen.infinite += (estimate == UNREACHABLE) as usize;
            seen.exact += (estimate == distance && estimate > 0) as usize;
            assert!(!promised.admissible || estimate <= distance, "too far: {}", about());
            let hopeless = estimate == UNREACHABLE && distance != UNREACHABLE;
            assert!(!promised.dead_end_safe || !hopeless, "no dead end: {}", about());
            let is_end = graph.goals[state] || errors && graph.raises[state];
            let wrong = is_end && estimate > 0;
            assert!(!promised.consistent || !wrong, "reached: {}", about());
        }
        if promised.consistent {
            for (from, to, _) in &graph.steps {
                let (before, after) = (estimates[*from], estimates[*to]);
                let fell = before > after.saturating_add(1);
                assert!(
                    !fell,
                    "{case}, {}: {before} falls to {after}, from {:?} to {:?}\n{}",
                    named.name,
                    graph.states[*from],
                    graph.states[*to],
                    network::print(network)
                );
            }
        }
        let mut masked = |edges: &EdgeSet, state| heuristic.estimate_without(state, edges);
        for (i, state) in graph.states.iter().enumerate() {
            let nothing = masked(&EdgeSet::new(explorer.edges().len()), state);
            assert!(nothing.is_none_or(|all| all == estimates[i]), "{case}, {}", named.name);
            let less = masked(&removed, state);
            // Without some edges the goal is no nearer (docs/algorithms.md, section 4.1), but h^U may find another way.
            let farther = less.is_none_or(|less| less >= estimates[i]);
            let exempt = named.name == "relaxation-trace";
            assert!(farther || exempt, "{case}, {}: {less:?} < {}", named.name, estimates[i]);
            // An edge that is removed raises no errors.
            if promised.admissible && !errors {
                let fine = less.is_none_or(|less| less <= without[i]);
                assert!(fine, "{case}, {}: {less:?} > {}", named.name, without[i]);
            }
        }
        all.insert(named.name, estimates);
    }
    for (low, less) in compare_estimates(network, case, &all) {
        tally.entry(low).or_default().less += less;
    }
}

/// What a search found: the length of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Goal(usize),
    Error(usize),
    Nothing,
}

impl Found {
    fn length(self) -> Option<usize> {
        match self {
            Found::Goal(length) | Found::Error(length) => Some(length),
            Found::Nothing => None,
        }
    }
}

/// What an outcome says, with its trace replayed, and whether it claims to be the shortest.
fn found(problem: &Problem, outcome: Outcome, case: &str) -> (Found, bool) {
    let (path, end, shortest) = match outcome {
        Outcome::Reached { path, end, shortest } => (path, end, shortest),
        Outcome::Unreachable => return (Found::Nothing, false),
        Outcome::Unknown(reason) => panic!("{case}: {reason:?}"),
    };
    if problem.explorer.is_exact() {
        replay(problem, &path, &end).unwrap_or_else(|why| panic!("{case}: {why}"));
    }
    let found = match end {
        End::Goal => Found::Goal(path.len()),
        End::Error(_) => Found::Error(path.len()),
    };
    (found, shortest)
}

/// What a search with a heuristic finds, and whether that must be the shortest; none if they do not
/// go together.
fn answer(
    problem: &Problem,
    search: &SearchEntry,
    named: &HeuristicEntry,
    case: &str,
) -> Option<(Found, bool, bool)> {
    let settings = Settings::default();
    let mut heuristic = super::build(named, problem).ok()?;
    let admissible = !search.is_directed() || heuristic.guarantees().admissible;
    let guidance = search.guidance(problem, &settings, &mut *heuristic).ok()?;
    let heuristic = search.is_directed().then_some(heuristic);
    let parts = Parts { heuristic, guidance, ..Parts::default() };
    let configuration = search.configuration(&settings);
    let limits = Limits::default();
    let (outcome, _) =
        search::run_with(problem.explorer, &configuration, parts, &limits, &mut Unlimited);
    let (found, shortest) = found(problem, outcome, case);
    Some((found, shortest, configuration.is_optimal() && admissible))
}

/// Compares searches with breadth-first search; returns how many found a goal far away.
pub fn compare<'c>(
    subject: &Subject,
    searches: impl IntoIterator<Item = (&'c SearchEntry, &'c HeuristicEntry)>,
) -> usize {
    let problem = subject.problem();
    let first = breadth_first(&problem, &subject.name);
    let mut far = 0;
    for (search, named) in searches {
        let case = format!("{}, {}, {}", subject.name, search.name, named.name);
        let Some((found, shortest, optimal)) = answer(&problem, search, named, &case) else {
            continue;
        };
        if judge(&problem, first, found, optimal, &case) {
            assert!(!shortest || optimal, "{case}");
            far += matches!(first, Found::Goal(n) if n > 1) as usize;
        }
    }
    far
}

/// Compares plans with breadth-first search; returns how many found a goal far away.
pub fn compare_plans(subject: &Subject) -> usize {
    let problem = subject.problem();
    let first = breadth_first(&problem, &subject.name);
    let mut far = 0;
    for plan in PLANS {
        let case = format!("{}, {}", subject.name, plan.name);
        let (settings, limits) = (Settings::default(), Limits::default());
        let run = search::run_plan(&problem, plan, None, &settings, &limits, &mut Unlimited);
        let (outcome, _) = run.unwrap_or_else(|why| panic!("{case}: {why}"));
        let (found, shortest) = found(&problem, outcome, &case);
        if judge(&problem, first, found, shortest, &case) {
            far += matches!(first, Found::Goal(n) if n > 1) as usize;
        }
    }
    far
}

fn breadth_first(problem: &Problem, case: &str) -> Found {
    let search = catalog::search("bfs").expect("a search");
    answer(problem, search, HEURISTICS[0], case).expect("they go together").0
}

/// Compares what was found first with what was found otherwise, unless that cannot be done.
fn judge(problem: &Problem, first: Found, found: Found, optimal: bool, case: &str) -> bool {
    // An error that does not count may hide from some searches, and end others.
    let ended = |found| matches!(found, Found::Error(_));
    if !problem.property().counts_errors && (ended(first) || ended(found)) {
        return false;
    }
    let about = || format!("{case}: {found:?} {first:?}\n{}", network::print(problem.network()));
    // States that differ in meta variables only are one: which of them counts depends on the order.
    let merged = problem.explorer.layout.has_meta();
    match (first.length(), found.length()) {
        (Some(_), Some(_)) if merged => {}
        (Some(a), Some(b)) if !optimal => assert!(a <= b, "{}", about()),
        (a, b) => assert_eq!(a, b, "{}", about()),
    }
    true
}
