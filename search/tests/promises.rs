//! Every heuristic of the catalog keeps its promises on random networks: for *every* reachable state,
//! against true distances in the whole graph of states (section 9 of the specification), and the
//! searches that rely on them give the same answers as breadth-first search. A failure prints the
//! seed. New rows of the catalog are covered without further ado.
//!
//! The checks were seen to fail: without the risks of errors, with whole steps for handshakes, for
//! receivers of broadcasts or for observers, without processes that are entered, with shares of a
//! process added twice, with `graph-sum` and `fsm` promising everything, with a relaxation that forgot
//! what a function returned earlier, and with an estimate of a state that its sibling had covered.

use explore::{Abstraction, End, Explorer};
use network::{
    BinaryOp, Claim, Expr, Id, LocationId, Network, ProcessId, Property, PropertyId, UnaryOp,
};
use replay::random::{self, Numbers, Options};
use search::catalog::{self, HEURISTICS, Settings};
use search::{
    Configuration, EdgeSet, Guarantees, Limits, Order, Outcome, Parts, Problem, UNREACHABLE,
    Unlimited,
};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Larger graphs are left out.
const MOST_STATES: usize = 1500;

fn property(network: &Network) -> &Property {
    &network.properties[PropertyId(0)]
}

/// All reachable states, told apart by all their words.
#[derive(Default)]
struct Graph {
    states: Vec<Vec<i32>>,
    /// From where to where, and by which edges of the network.
    steps: Vec<(usize, usize, Vec<usize>)>,
    goals: Vec<bool>,
    /// Whether exploring the state raises an error.
    raises: Vec<bool>,
}

impl Graph {
    /// None if there are too many states.
    fn of(explorer: &Explorer) -> Option<Graph> {
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
            if graph.states.len() > MOST_STATES {
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

    /// The least number of steps to a goal, by steps that count; errors lie one step ahead, if they
    /// count.
    fn distances(&self, errors: bool, counts: impl Fn(&[usize]) -> bool) -> Vec<u32> {
        let mut back = vec![Vec::new(); self.states.len()];
        for (from, to, edges) in &self.steps {
            if counts(edges) {
                back[*to].push(*from);
            }
        }
        let mut distances = vec![UNREACHABLE; self.states.len()];
        let mut queue = VecDeque::new();
        for (distance, ends) in [(0, &self.goals), (1, &self.raises)] {
            for (state, _) in ends.iter().enumerate().filter(|(_, ends)| **ends) {
                if (distance == 0 || errors) && distances[state] == UNREACHABLE {
                    distances[state] = distance;
                    queue.push_back(state);
                }
            }
        }
        // Those at distance 1 stand behind the goals, where they belong.
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
struct Seen {
    states: usize,
    /// Estimates of 2 or more.
    far: usize,
    infinite: usize,
    /// Networks for which it promised to be admissible.
    admissible: usize,
    /// Estimates that were right, but not 0.
    exact: usize,
}

type Tally = BTreeMap<&'static str, Seen>;

/// Checks all heuristics on one network.
fn check(network: &Network, case: &str, numbers: &mut Numbers, tally: &mut Tally) {
    let Ok(explorer) = Explorer::compile(network, Some(property(network)), Abstraction::default())
    else {
        return;
    };
    let Some(graph) = Graph::of(&explorer) else { return };
    if graph.states.is_empty() {
        return;
    }
    let errors = property(network).counts_errors;
    let truth = graph.distances(errors, |_| true);
    let mut removed = EdgeSet::new(explorer.edges());
    (0..explorer.edges()).filter(|_| numbers.chance(15)).for_each(|edge| removed.insert(edge));
    let without = graph.distances(errors, |edges| !edges.iter().any(|&e| removed.contains(e)));
    let known_goal = Some(graph.states[graph.some_goal()].as_slice());
    let problem = Problem { network, property: property(network), explorer: &explorer, known_goal };
    for named in HEURISTICS {
        let Ok(mut heuristic) = named.build(&problem) else { continue };
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
            let wrong = (graph.goals[state] && estimate > 0)
                || (errors && graph.raises[state] && estimate > 1);
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
            let nothing = masked(&EdgeSet::new(explorer.edges()), state);
            assert!(nothing.is_none_or(|all| all == estimates[i]), "{case}, {}", named.name);
            // An edge that is removed raises no errors.
            if promised.admissible && !errors {
                let less = masked(&removed, state);
                let fine = less.is_none_or(|less| less <= without[i]);
                assert!(fine, "{case}, {}: {less:?} > {}", named.name, without[i]);
            }
        }
    }
}

/// What a search found: the length of the way, errors one step behind its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Goal(usize),
    Error(usize),
    Nothing,
}

fn search(
    problem: &Problem,
    configuration: Configuration,
    name: &str,
) -> (Found, Guarantees, bool) {
    let heuristic = catalog::heuristic(name).expect("a heuristic").build(problem);
    let heuristic = heuristic.expect("built before");
    let guarantees = heuristic.guarantees();
    let parts = Parts { heuristic: Some(heuristic), ..Parts::default() };
    let limits = Limits::default();
    let (outcome, _) =
        search::run_with(problem.explorer, &configuration, parts, &limits, &mut Unlimited);
    match outcome {
        Outcome::Reached { path, end, shortest } => {
            let trace = problem.explorer.trace(problem.network, &path, &end);
            if problem.explorer.is_exact() {
                let trace = trace.expect("a trace");
                replay::check(problem.network, Some(problem.property), &trace).expect("a run");
            }
            let found = match end {
                End::Goal => Found::Goal(path.len()),
                End::Error(_) => Found::Error(path.len() + 1),
            };
            (found, guarantees, shortest)
        }
        Outcome::Unreachable => (Found::Nothing, guarantees, false),
        Outcome::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// Compares the searches that make use of heuristics with breadth-first search.
fn compare(network: &Network, case: &str, tally: &mut usize) {
    let property = property(network);
    let compiled = Explorer::compile(network, Some(property), Abstraction::default());
    let Ok(explorer) = compiled else { return };
    let Some(graph) = Graph::of(&explorer) else { return };
    let Some(known_goal) = graph.states.get(graph.some_goal()) else { return };
    let known_goal = Some(known_goal.as_slice());
    let problem = Problem { network, property, explorer: &explorer, known_goal };
    let length = |found| match found {
        Found::Goal(length) => Some(length),
        Found::Error(length) => Some(length),
        Found::Nothing => None,
    };
    let settings = Settings::default();
    let (first, ..) = search(&problem, Configuration::from(Order::BreadthFirst), "blind");
    for order in ["bounded-dfs", "astar", "greedy", "weighted-astar"] {
        let entry = catalog::search(order).expect("a search");
        for named in HEURISTICS.iter().filter(|named| named.build(&problem).is_ok()) {
            if !entry.is_directed() && named.name != "blind" {
                continue;
            }
            let configuration = entry.configuration(&settings);
            let (found, guarantees, shortest) = search(&problem, configuration, named.name);
            let case = format!("{case}, {order}, {}: {found:?} {first:?}", named.name);
            // An error that does not count may hide from some searches, and end others.
            let ended = |found| matches!(found, Found::Error(_));
            if !property.counts_errors && (ended(first) || ended(found)) {
                continue;
            }
            let optimal = configuration.is_optimal() && guarantees.admissible;
            assert!(!shortest || optimal, "{case}");
            match (length(first), length(found)) {
                (a, b) if optimal => assert_eq!(a, b, "{case}\n{}", network::print(network)),
                (Some(a), Some(b)) => assert!(a <= b, "{case}"),
                (a, b) => assert_eq!(a, b, "{case}\n{}", network::print(network)),
            }
            *tally += matches!(first, Found::Goal(n) if n > 1) as usize;
        }
    }
}

/// Networks of each kind.
const SEEDS: u64 = 250;

const PLAIN: Options = Options { clockless: true, ..NOTHING };
const NOTHING: Options = Options {
    strict: false,
    negated: false,
    diagonals: false,
    stopwatches: false,
    priorities: false,
    out_of_range: false,
    deadlock: false,
    buffers: false,
    control: false,
    preferences: false,
    timeouts: false,
    processes: false,
    observers: false,
    clockless: false,
};

const KINDS: [Options; 14] = [
    NOTHING,
    PLAIN,
    Options { strict: true, negated: true, ..NOTHING },
    Options { diagonals: true, priorities: true, ..NOTHING },
    Options { deadlock: true, processes: true, ..NOTHING },
    Options { out_of_range: true, ..NOTHING },
    Options { buffers: true, processes: true, ..NOTHING },
    Options { stopwatches: true, out_of_range: true, ..NOTHING },
    Options { processes: true, observers: true, ..PLAIN },
    Options { control: true, priorities: true, processes: true, ..PLAIN },
    Options { out_of_range: true, processes: true, ..PLAIN },
    Options::UNTIMED,
    Options { deadlock: true, ..Options::UNTIMED },
    Options { out_of_range: true, ..Options::UNTIMED },
];

/// A network whose errors count if its number is even, and whose goal is sometimes another one.
fn network(seed: u64, options: &Options, numbers: &mut Numbers) -> Network {
    let mut network = random::network(seed, options);
    let goal = numbers.chance(40).then(|| wish(&network, numbers, 3));
    let property = &mut network.properties[PropertyId(0)];
    property.counts_errors = seed.is_multiple_of(2);
    if let Some(goal) = goal {
        property.claim = match numbers.chance(50) {
            true => Claim::Reachable(goal),
            false => Claim::Always(goal),
        };
    }
    network
}

/// A goal about locations in which everything that can be said of them occurs.
fn wish(network: &Network, numbers: &mut Numbers, depth: i32) -> Expr {
    let process = ProcessId::new(numbers.below(network.processes.len()));
    let locations = network.processes[process].locations.len();
    let place = Expr::At(process, LocationId::new(numbers.below(locations)));
    if depth == 0 {
        return place;
    }
    let below = |numbers: &mut Numbers| wish(network, numbers, depth - 1);
    match numbers.between(0, 9) {
        0 => place,
        1 | 2 => Expr::unary(UnaryOp::Not, below(numbers)),
        3..=5 => below(numbers).and(below(numbers)),
        6 | 7 => Expr::binary(BinaryOp::Or, below(numbers), below(numbers)),
        8 => {
            let value = Expr::Const(numbers.between(0, 1));
            let op = if numbers.chance(50) { BinaryOp::Eq } else { BinaryOp::Ne };
            Expr::binary(op, below(numbers), value)
        }
        _ => Expr::Conditional(
            Box::new(below(numbers)),
            Box::new(below(numbers)),
            Box::new(below(numbers)),
        ),
    }
}

#[test]
fn every_promise_is_kept_in_every_state() {
    let mut tally = Tally::default();
    for options in KINDS {
        for seed in 0..SEEDS {
            let mut numbers = Numbers::new(seed);
            let network = network(seed, &options, &mut numbers);
            check(&network, &format!("seed {seed}, {options:?}"), &mut numbers, &mut tally);
        }
    }
    for (name, seen) in &tally {
        println!("{name}: {seen:?}");
    }
    for named in HEURISTICS.iter().filter(|named| named.name != "blind") {
        let seen = tally.get(named.name).unwrap_or_else(|| panic!("{} not seen", named.name));
        assert!(seen.far > 50 && seen.exact > 100, "{}: {seen:?}", named.name);
    }
    for name in ["graph-max", "graph-split", "formula-max", "never-claim", "fsm"] {
        assert!(tally[name].admissible > 20, "{name}: {:?}", tally[name]);
    }
}

#[test]
fn searches_that_rely_on_promises_agree_with_breadth_first_search() {
    let mut compared = 0;
    for options in KINDS {
        for seed in 1000..1060 {
            let network = network(seed, &options, &mut Numbers::new(seed));
            compare(&network, &format!("seed {seed}, {options:?}"), &mut compared);
        }
    }
    println!("{compared} compared");
    assert!(compared > 3000, "{compared}");
}
