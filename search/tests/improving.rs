//! Ways to a certain state, on random networks: heuristics keep their promises where the goal is that state, and
//! searches for a shorter way to it agree with distances in the whole graph of states. Errors on the way are
//! passed by. A failure prints the seed.
//!
//! The checks were seen to fail: with `fsm` counting whole steps for handshakes, with errors that end the search,
//! with buffers left out of what is compared, and with a bound that leaves out what is as long as it.

mod support;

use explore::{End, Explorer};
use network::{Claim, Expr, Network, PropertyId};
use search::catalog::{self, HeuristicEntry, SearchEntry, Settings};
use search::{
    Limits, Outcome, PLANS, Parts, PlanRun, Problem, SearchSpace, Target, Unlimited, reaching,
};
use support::promises::{Subject, Tally, check};
use testing::Numbers;
use testing::random::{self, Options};

const MOST_STATES: usize = 600;

const PLAIN: Options = Options { clockless: true, ..Options::NONE };

const KINDS: [Options; 8] = [
    Options::NONE,
    Options { out_of_range: true, processes: true, ..PLAIN },
    Options { buffers: true, processes: true, ..Options::NONE },
    Options { buffers: true, out_of_range: true, ..PLAIN },
    Options { processes: true, observers: true, ..PLAIN },
    Options { control: true, processes: true, ..PLAIN },
    Options { stopwatches: true, out_of_range: true, ..Options::NONE },
    Options::UNTIMED,
];

/// A network in which every state is a goal.
fn network(seed: u64, options: &Options) -> Network {
    let mut network = random::network(seed, options);
    let property = &mut network.properties[PropertyId(0)];
    property.claim = Claim::Reachable(Expr::TRUE);
    property.counts_errors = false;
    network
}

fn each_subject(seeds: std::ops::Range<u64>, on_subject: &mut dyn FnMut(&Subject, &mut Numbers)) {
    for options in KINDS {
        for seed in seeds.clone() {
            let network = network(seed, &options);
            let name = format!("seed {seed}, {options:?}");
            let Some(subject) = Subject::new(&network, name, MOST_STATES) else { continue };
            on_subject(&subject, &mut Numbers::new(seed));
        }
    }
}

#[test]
fn promises_are_kept_on_the_way_to_a_state() {
    let mut tally = Tally::default();
    each_subject(0..60, &mut |subject, numbers| {
        let state = &subject.graph.states[numbers.below(subject.states())];
        let mut network = subject.network.clone();
        network.properties[PropertyId(0)] = reaching(state, &subject.explorer);
        let to_state = Subject::new(&network, subject.name.clone(), MOST_STATES);
        check(&to_state.expect("the same states"), numbers, &mut tally);
    });
    for (name, seen) in &tally {
        println!("{name}: {seen:?}");
    }
    for name in ["fsm", "graph-split", "relaxation-layers"] {
        let seen = &tally[name];
        assert!(seen.admissible > 250 && seen.far > 1000 && seen.exact > 500, "{name}: {seen:?}");
    }
    assert!(tally["hamming"].far > 1000);
}

/// The way to a state.
struct Way<'a> {
    subject: &'a Subject<'a>,
    to_state: &'a Explorer,
    state: &'a [i32],
    case: String,
}

impl Way<'_> {
    fn guide(&self) -> Problem<'_> {
        Problem { known_goal: Some(self.state), ..Problem::of(self.to_state) }
    }

    fn target(&self) -> Target<'_> {
        Target::discrete(self.state, &self.subject.explorer.layout)
    }

    /// What one search finds that is shorter; none if it does not go with the heuristic.
    fn search(&self, search: &SearchEntry, named: &HeuristicEntry, below: u32) -> Option<Outcome> {
        let settings = Settings::default();
        let heuristic = support::build(named, &self.guide()).ok()?;
        let heuristic = search.is_directed().then_some(heuristic);
        let parts = Parts { heuristic, target: Some(self.target()), ..Parts::default() };
        let limits = Limits { below: Some(below), ..Limits::default() };
        let (explorer, configuration) = (&self.subject.explorer, search.configuration(&settings));
        Some(search::run_with(explorer, &configuration, parts, &limits, &mut Unlimited).0)
    }

    /// What a plan finds that is shorter.
    fn plan(&self, below: u32) -> Outcome {
        let (settings, limits) = (Settings::default(), Limits::default());
        let mut unlimited = Unlimited;
        let mut run = PlanRun::new(&PLANS[0], &settings, &limits, &mut unlimited);
        let space = SearchSpace {
            target: Some(self.target()),
            guide: self.guide(),
            ..SearchSpace::of(&Problem::of(&self.subject.explorer))
        };
        run.undercut(below, &space).unwrap_or_else(|why| panic!("{}: {why}", self.case))
    }

    /// Demands the shortest way, if it is shorter than what is there, and that otherwise there is none.
    fn expect(&self, outcome: &Outcome, distance: u32, below: u32, proves: bool, how: &str) {
        let case = || format!("{}, {how}, {distance} below {below}", self.case);
        match outcome {
            Outcome::Reached { path, end: End::Goal, shortest } => {
                assert!(distance < below, "{}", case());
                assert!(!shortest || path.len() == distance as usize, "{}", case());
                assert!(path.len() < below as usize, "{}", case());
                assert!(!proves || *shortest, "{}", case());
            }
            Outcome::Unreachable => assert!(distance >= below, "{}", case()),
            other => panic!("{}: {other:?}", case()),
        }
    }
}

#[test]
fn searches_find_the_shortest_way_to_a_state() {
    let (mut ways, mut errors) = (0, 0);
    each_subject(100..140, &mut |subject, numbers| {
        let (explorer, graph) = (&subject.explorer, &subject.graph);
        if explorer.layout.has_meta() {
            return;
        }
        let state = &graph.states[numbers.below(subject.states())];
        let property = reaching(state, explorer);
        let to_state =
            Explorer::compile(subject.network.clone(), Some(&property), explorer.abstraction());
        let to_state = to_state.expect("it was compiled before");
        let target = Target::discrete(state, &explorer.layout);
        let distance = graph.distances_to(|it| target.is_at(it))[0];
        let case = subject.name.clone();
        let way = Way { subject, to_state: &to_state, state, case };
        ways += usize::from(distance > 2);
        errors += usize::from(graph.raises.contains(&true) && distance > 2);
        for below in [distance, distance + 1, distance + 4] {
            way.expect(&way.plan(below), distance, below, true, "plan");
            for search in ["bfs", "bounded-dfs", "astar", "weighted-astar"] {
                let entry = catalog::search(search).expect("a search");
                let named = support::heuristics(distance.into());
                for named in named.take(if entry.is_directed() { usize::MAX } else { 1 }) {
                    let Some(outcome) = way.search(entry, named, below) else { continue };
                    let admissible = support::build(named, &way.guide());
                    let admissible = admissible.is_ok_and(|it| it.guarantees().admissible);
                    let proves = search != "weighted-astar" && admissible;
                    let how = format!("{search}, {}", named.name);
                    way.expect(&outcome, distance, below, proves, &how);
                }
            }
        }
    });
    println!("{ways} ways, {errors} past errors");
    assert!(ways > 60 && errors > 10, "{ways}, {errors}");
}
