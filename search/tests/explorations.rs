//! Abstract networks that were explored and are kept for other properties: tables are the same with and without
//! them, byte by byte (docs/algorithms.md, section 3.10).

mod support;

use explore::{Abstraction, Explorer};
use network::{Network, Property, PropertyId};
use search::catalog::{self, Budget, Making, Settings};
use search::heuristics::pattern::{Building, Explorations, StateGraph};
use search::{
    Control, Costs, Heuristic, HeuristicResult, Observer, Problem, Reason, Statistics,
    TableAccount, Unlimited,
};
use support::load;
use testing::Numbers;
use testing::random::{self, Options};

const PLAIN: Options = Options { clockless: true, ..Options::NONE };

const KINDS: [Options; 9] = [
    Options::NONE,
    Options { strict: true, negated: true, ..Options::NONE },
    Options { diagonals: true, priorities: true, ..Options::NONE },
    Options { deadlock: true, processes: true, ..Options::NONE },
    Options { out_of_range: true, processes: true, ..Options::NONE },
    PLAIN,
    Options { deadlock: true, observers: true, ..PLAIN },
    Options { out_of_range: true, processes: true, observers: true, ..PLAIN },
    Options { out_of_range: true, deadlock: true, ..Options::UNTIMED },
];

const TABLES: [&str; 6] = [
    "downward-pattern",
    "downward-pattern-clocks",
    "russian-doll",
    "cone-of-influence",
    "patterns",
    "predicate-abstraction",
];

/// More than tests need.
const ROOM: u64 = 1 << 30;

fn roomy() -> Explorations {
    let mut explorations = Explorations::default();
    explorations.keep_within(ROOM);
    explorations
}

/// Properties that differ in the goal, in whether errors count, and in whether somebody watches.
fn properties(network: &Network, numbers: &mut Numbers) -> Vec<Property> {
    let mut varied = Vec::new();
    for property in &network.properties {
        let counts_errors = numbers.chance(50);
        let observer = property.observer.filter(|_| numbers.chance(70));
        varied.push(Property { counts_errors, observer, ..property.clone() });
        varied.push(Property { counts_errors: !counts_errors, ..property.clone() });
    }
    varied
}

/// Budgets of which some are equal, some let everything be explored, and some do not.
fn budget(numbers: &mut Numbers) -> Budget {
    let some = |it: &mut Numbers, all: &[u64]| it.pick(all).copied().filter(|&most| most > 0);
    Budget {
        states: some(numbers, &[0, 0, 20, 100]),
        work: some(numbers, &[0, 20_000, 200_000]),
        work_while_wide: some(numbers, &[0, 0, 5_000]),
        memory: some(numbers, &[0, 0, 40_000]),
    }
}

fn build<'a>(
    name: &str,
    problem: &Problem<'a>,
    (budget, costs): (Budget, Option<&Costs>),
    explorations: Option<&mut Explorations>,
) -> HeuristicResult<'a> {
    let (settings, observer) = (&Settings::default(), &mut Unlimited);
    let making = &mut Making { costs, explorations, ..Making::new(settings, budget, observer) };
    catalog::heuristic(name).expect("a heuristic").build_with(problem, making)
}

fn accounts(heuristic: &dyn Heuristic) -> Vec<TableAccount> {
    let anew = |it| TableAccount { reused: false, ..it };
    heuristic.tables().into_iter().map(anew).collect()
}

/// What was seen, so that the test cannot pass on nothing.
#[derive(Default, Debug)]
struct Seen {
    tables: usize,
    reused: usize,
    truncated: usize,
    timed: usize,
}

/// Seen to fail: without the bounds of clocks in `Behaviour`, without costs in `Input`, with the goals of the
/// first property for all, without errors on the way to others, with every budget taken for large enough, with
/// truncated ones for every larger budget, and without the room that steps of several processes need.
#[test]
fn tables_are_the_same_as_those_made_anew() {
    let mut seen = Seen::default();
    for (options, seed) in KINDS.iter().flat_map(|it| (0..60).map(move |seed| (it, seed))) {
        let network = random::network_with_properties(seed, options, 3);
        let (numbers, table) = (&mut Numbers::new(seed), TABLES[seed as usize % TABLES.len()]);
        let (mut explorations, usual) = (roomy(), budget(numbers));
        for property in properties(&network, numbers) {
            let name = format!("seed {seed}, {options:?}, {table}, {}", property.text);
            let abstraction = Abstraction::default();
            let compiled = Explorer::compile(network.clone(), Some(&property), abstraction);
            let Ok(explorer) = compiled else { continue };
            let cost = |_| numbers.between(0, 1) as u32;
            let costs = Costs::new(explorer.edges().map(cost).collect::<Vec<_>>());
            let budget = if numbers.chance(60) { usual } else { budget(numbers) };
            let means = (budget, Some(&costs).filter(|_| numbers.chance(20)));
            let problem = Problem::of(&explorer);
            let Ok(anew) = build(table, &problem, means, None) else { continue };
            let again = build(table, &problem, means, Some(&mut explorations));
            let again = again.unwrap_or_else(|why| panic!("{name}: {why}"));
            assert!(anew.saved() == again.saved(), "{name}");
            assert_eq!(accounts(&*anew), accounts(&*again), "{name}");
            for account in again.tables() {
                seen.tables += 1;
                seen.reused += account.reused as usize;
                seen.truncated += (account.reused && account.truncated) as usize;
                seen.timed += (account.reused && !account.clocks.is_empty()) as usize;
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.reused > 500 && seen.truncated > 50 && seen.timed > 50, "{seen:?}");
}

/// Two counters; what is asked is different each time, so that goals are told anew.
fn counters(goal: i32) -> Explorer {
    let text = format!(
        "network 1
var v : int[0, 99]
var w : int[0, 99]
process P {{ location a; init a; edge a -> a {{ when v < 99; do {{ v = v + 1; }} }} }}
process Q {{ location a; init a; edge a -> a {{ when w < 99; do {{ w = w + 1; }} }} }}
property \"end\" reachable v == {goal} && w == {goal}
"
    );
    let network = load::network(&text);
    let property = network.properties[PropertyId(0)].clone();
    let compiled = Explorer::compile(network, Some(&property), Abstraction::ExtraLu);
    compiled.unwrap_or_else(|error| panic!("{error:?}"))
}

/// How far the goal is, and whether the states were known.
fn distance(
    goal: i32,
    budget: Budget,
    observer: &mut dyn Observer,
    explorations: &mut Explorations,
) -> (u32, bool) {
    let explorer = counters(goal);
    let building = Building { explorations: Some(explorations), ..Building::new(budget, observer) };
    let graph = StateGraph::explore(&explorer, building);
    (graph.distances()[graph.roots()[0] as usize], graph.is_reused())
}

/// Goals are told for each question; a budget that would not have done is no hindrance to one that does.
///
/// Seen to fail: with any budget, and with the goals of the first question.
#[test]
fn states_are_taken_again_with_other_goals() {
    let mut explorations = roomy();
    let (little, much) = (Budget { states: Some(99), ..Budget::default() }, Budget::default());
    let mut ask = |goal, budget| distance(goal, budget, &mut Unlimited, &mut explorations);
    let (near, is_known) = ask(50, little);
    assert!(near < 100 && !is_known, "{near}");
    assert_eq!(ask(50, much), (100, false));
    assert_eq!(ask(70, much), (140, true));
    assert_eq!(ask(50, little), (near, true));
    assert_eq!(ask(50, Budget { states: Some(10_001), ..little }), (100, true));
    let (also_near, is_known) = ask(50, Budget { states: Some(98), ..little });
    assert!(also_near < 100 && !is_known, "{also_near}");
}

/// Where the goal cannot be told it may be reached, but a deadlock is only looked for where nothing is possible.
///
/// Seen to fail: with deadlocks told from what is kept.
#[test]
fn deadlocks_are_looked_for_anew() {
    let text = "network 1
var v : int[0, 5]
process P { location a; init a; edge a -> a { when v < 5; do { v = v + 1; } } }
property \"end\" reachable v == 3
property \"stuck\" reachable 1 / v == 0 && deadlock
";
    let network = load::network(text);
    let mut explorations = roomy();
    let distances = network.properties.iter().map(|property| {
        let compiled = Explorer::compile(network.clone(), Some(property), Abstraction::ExtraLu);
        let explorer = compiled.unwrap_or_else(|error| panic!("{error:?}"));
        let (observer, explorations) = (&mut Unlimited, Some(&mut explorations));
        let building = Building { explorations, ..Building::new(Budget::default(), observer) };
        StateGraph::explore(&explorer, building).distances()[0]
    });
    assert_eq!(distances.collect::<Vec<_>>(), [3, 5]);
}

/// The bytes of what is kept stay within what is allowed, and the last one asked for stays.
///
/// Seen to fail: without a limit, and with the newest dropped.
#[test]
fn the_oldest_are_dropped() {
    let all = Budget::default();
    let mut explorations = roomy();
    let ask = |explorations: &mut Explorations, states| {
        let budget = Budget { states: Some(states), ..all };
        distance(50, budget, &mut Unlimited, explorations).1
    };
    assert!(!ask(&mut explorations, 2_000) && !ask(&mut explorations, 3_000));
    let both = explorations.bytes();
    assert!(ask(&mut explorations, 2_000));
    explorations.keep_within(both - 1);
    assert!(explorations.bytes() < both);
    assert!(ask(&mut explorations, 2_000));
    assert!(!ask(&mut explorations, 3_000));
    assert!(explorations.bytes() < both);
    assert!(!ask(&mut explorations, 2_000));
    // What is too large by itself drives nothing out.
    assert!(!ask(&mut explorations, 9_000) && !ask(&mut explorations, 9_000));
    assert!(ask(&mut explorations, 2_000));
    explorations.keep_within(0);
    assert_eq!(explorations.bytes(), 0);
}

/// Stops when there are so many states.
struct Impatient(u64);

impl Observer for Impatient {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        match statistics.stored < self.0 {
            true => Control::Continue,
            false => Control::Stop(Reason::Time),
        }
    }
}

/// What somebody stopped is not taken for what the budget allows; and who watches is told of what was known.
///
/// Seen to fail: with everything kept, and with nobody told.
#[test]
fn what_was_stopped_is_not_kept() {
    let (all, mut explorations) = (Budget::default(), roomy());
    let near = distance(50, all, &mut Impatient(500), &mut explorations).0;
    assert!(near < 100, "{near}");
    assert_eq!(distance(50, all, &mut Unlimited, &mut explorations), (100, false));
    struct Told(u64);
    impl Observer for Told {
        fn tick(&mut self, statistics: &Statistics) -> Control {
            self.0 = statistics.stored;
            Control::Continue
        }
    }
    let mut told = Told(0);
    assert_eq!(distance(50, all, &mut told, &mut explorations), (100, true));
    assert_eq!(told.0, 10_000);
}
