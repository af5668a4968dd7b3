//! Traces of random searches and walks, and what becomes of them: on random programs and timed models, searches
//! of all kinds find ways to the same state that are as short as those of a naive breadth-first search, and ways
//! to any violation that are as short as those of ours.
//!
//! Seen to fail: with variables cleared on the way to the same state.

use network::{Ending, Trace};
use replay::{Simulator, State};
use std::collections::{HashSet, VecDeque};
use testing::Numbers;
use testing::texts::{Weights, generate, uppaal};
use vizsla::{
    Answer, Estimator, ImprovedEnd, Improvement, Input, Limits, Model, Options, Property,
    PropertyId, Verdict, Witness, check,
};

/// What is searched longer is left out.
const MOST_STATES: u64 = 3_000;

const QUESTION: PropertyId = PropertyId(0);

fn options(search: &str, heuristic: Option<&str>) -> Options {
    let options = Options::searching(search).expect("a search");
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    let heuristic = heuristic.map(|name| Estimator::named(name).expect("a heuristic"));
    Options { heuristic, limits, ..options }
}

/// A model with a trace.
struct Case {
    name: String,
    model: Model,
    given: Witness,
}

impl Case {
    /// A trace that a search finds.
    fn found(name: &str, model: &Model) -> Option<Case> {
        let options = Options { plain: true, ..options("random-dfs", None) };
        let answer = check(model, QUESTION, &options, &mut ());
        let given = answer.witness.filter(|_| answer.verdict != Verdict::Unknown)?;
        Some(Case { name: format!("{name}, found"), model: answer.model, given })
    }

    /// A walk that takes no time, in a model in which every state is a goal.
    fn walked(name: &str, model: &Model, numbers: &mut Numbers) -> Option<Case> {
        let property = &model.network.properties[QUESTION];
        let simulator = Simulator::new(&model.network, 1).ok()?.observing(Some(property));
        let (mut state, mut steps) = (simulator.initial().ok()?, Vec::new());
        for _ in 0..15 {
            let possible = simulator.possible_steps(&state);
            let Some(moves) = numbers.pick(&possible) else { break };
            let Ok((next, changes)) = simulator.take(&state, moves) else { continue };
            steps.push(network::Step { delay: 0, moves: moves.clone(), changes });
            state = next;
        }
        let trace = Trace { scale: 1, steps, final_delay: 0, ending: Ending::Goal };
        let given = vizsla::replay(model, QUESTION, trace).expect("a walk");
        Some(Case { name: format!("{name}, walked"), model: model.clone(), given })
    }

    fn property(&self) -> &Property {
        &self.model.network.properties[QUESTION]
    }

    fn length(&self) -> usize {
        self.given.trace.steps.len()
    }

    /// The state that a trace ends in, without clocks.
    fn last_state(&self, trace: &Trace) -> State {
        let end = replay::check(&self.model.network, Some(self.property()), trace);
        State { clocks: Vec::new(), ..end.expect("a trace").state }
    }

    /// The length of the best trace and the state that it ends in, if it is proven to be the best.
    fn improve(&self, end: ImprovedEnd, options: Options) -> Option<(usize, State)> {
        let improve = Some(Improvement { given: self.given.file.clone(), end });
        let answer = check(&self.model, QUESTION, &Options { improve, ..options }, &mut ());
        assert_eq!(answer.defect, None, "{}", self.name);
        let expected = Verdict::of_run(self.property(), &self.given.trace.ending);
        assert_eq!(answer.verdict, expected, "{}", self.name);
        let trace = answer.trace().expect("a trace").clone();
        // With more room for processes there are other states.
        let is_comparable =
            answer.model.network.processes.len() == self.model.network.processes.len();
        (answer.shortest && is_comparable).then(|| (trace.steps.len(), self.last_state(&trace)))
    }

    /// The number of steps to a state of a model without clocks; none if it is too far away.
    fn naive_distance(&self, state: &State) -> Option<usize> {
        let simulator = Simulator::new(&self.model.network, 1).ok()?;
        let simulator = simulator.observing(Some(self.property()));
        let initial = simulator.initial().ok()?;
        let mut known = HashSet::from([initial.clone()]);
        let mut open = VecDeque::from([(initial, 0)]);
        while let Some((at, distance)) = open.pop_front() {
            if at == *state {
                return Some(distance);
            }
            if known.len() > MOST_STATES as usize {
                return None;
            }
            for moves in simulator.possible_steps(&at) {
                if let Ok((next, _)) = simulator.take(&at, &moves)
                    && known.insert(next.clone())
                {
                    open.push_back((next, distance + 1));
                }
            }
        }
        panic!("{}: the state is not reached", self.name)
    }
}

const WAYS: [(&str, Option<&str>); 5] = [
    ("auto", None),
    ("bfs", None),
    ("bounded-dfs", None),
    ("astar", Some("fsm")),
    ("astar", Some("relaxation-layers")),
];

#[derive(Default, Debug)]
struct Seen {
    shortened: usize,
    naive: usize,
    any: usize,
}

impl Seen {
    /// All searches find the shortest way to the same state.
    fn compare_same(&mut self, case: &Case) {
        let state = case.last_state(&case.given.trace);
        let improve =
            |(search, heuristic)| case.improve(ImprovedEnd::SameState, options(search, heuristic));
        let found: Vec<(usize, State)> = WAYS.into_iter().filter_map(improve).collect();
        let Some((shortest, _)) = found.first() else { return };
        for (length, end) in &found {
            assert_eq!((length, end), (shortest, &state), "{}", case.name);
        }
        self.shortened += usize::from(*shortest < case.length());
        if case.model.network.clocks.is_empty()
            && let Some(distance) = case.naive_distance(&state)
        {
            assert_eq!(distance, *shortest, "{}", case.name);
            self.naive += 1;
        }
    }

    /// All searches find the shortest way to any end.
    fn compare_any(&mut self, case: &Case) {
        let nearest: Answer = check(&case.model, QUESTION, &options("bfs", None), &mut ());
        for (search, heuristic) in WAYS {
            let any = case.improve(ImprovedEnd::Any, options(search, heuristic));
            if let (Some((found, _)), true) = (any, nearest.shortest) {
                assert_eq!(Some(found), nearest.trace().map(|trace| trace.steps.len()));
                self.any += 1;
            }
        }
    }

    fn compare(&mut self, name: &str, input: impl Fn(Option<&str>) -> Input, seed: u64) {
        if let Ok(model) = Model::load(input(None))
            && let Some(case) = Case::found(name, &model)
        {
            self.compare_same(&case);
            self.compare_any(&case);
        }
        if let Ok(model) = Model::load(input(Some("E<> true")))
            && let Some(case) = Case::walked(name, &model, &mut Numbers::new(seed))
        {
            self.compare_same(&case);
        }
    }
}

#[test]
fn programs_are_improved() {
    let mut seen = Seen::default();
    for seed in 0..250 {
        let text = generate(seed, &Weights::default()).to_string();
        let input = |query: Option<&str>| Input {
            queries: query.map(str::to_string).into_iter().collect(),
            ..Input::text("m.pml", text.clone())
        };
        seen.compare(&format!("seed {seed}"), input, seed);
    }
    println!("{seen:?}");
    assert!(seen.shortened > 30 && seen.naive > 60 && seen.any > 300, "{seen:?}");
}

#[test]
fn timed_models_are_improved() {
    let mut seen = Seen::default();
    for seed in 0..250 {
        let model = uppaal::generate(seed);
        let input = |query: Option<&str>| {
            let own = model.query();
            Input::text("m.xta", model.to_string()).query(query.unwrap_or(&own))
        };
        seen.compare(&format!("seed {seed}"), input, seed);
    }
    println!("{seen:?}");
    assert!(seen.shortened > 30 && seen.naive > 20 && seen.any > 100, "{seen:?}");
}
