//! Projections of random networks and programs: what the model can do, its image can do. Every state has
//! its image, every step leads from image to image (or to the same one), goals and errors that count are
//! goals or errors there. A failure prints the seed.
//!
//! Seen to fail: with committed locations, preferences, priorities and control as they are in the model, with
//! receivers of broadcasts that must take part, with conditions weakened within a negation, with the least
//! value in the place of an unknown one, with `timeout` taken for known, without errors that are not seen,
//! without the idle step of others, with locals taken for known; each of the examples without the rule it is about.

mod support;

use abstraction::{Contents, Part, Pattern, Projection, project};
use explore::{Abstraction, Explorer, Home};
use network::{ChannelId, Id, Network, ProcessId, Storage, VariableId};
use std::collections::HashSet;
use support::case::property;
use support::load;
use testing::Numbers;
use testing::random::{self, Options};
use testing::texts::{Weights, generate};

const MOST_STATES: usize = 600;
const MOST_IMAGES: usize = 5_000;
const NOTHING: Options = Options::NONE;
const PLAIN: Options = Options { clockless: true, ..NOTHING };

const KINDS: [Options; 12] = [
    NOTHING,
    PLAIN,
    Options { strict: true, negated: true, ..NOTHING },
    Options { priorities: true, ..NOTHING },
    Options { deadlock: true, processes: true, ..NOTHING },
    Options { buffers: true, processes: true, ..NOTHING },
    Options { stopwatches: true, out_of_range: true, ..NOTHING },
    Options { control: true, priorities: true, processes: true, ..PLAIN },
    Options { out_of_range: true, processes: true, buffers: true, ..PLAIN },
    Options::UNTIMED,
    Options { deadlock: true, ..Options::UNTIMED },
    Options { out_of_range: true, ..Options::UNTIMED },
];

/// Some parts of a network, without clocks.
fn some_pattern(network: &Network, numbers: &mut Numbers) -> Pattern {
    let mut pattern = Pattern::nothing(network);
    let chance = numbers.between(20, 95) as u32;
    for part in abstraction::parts(network) {
        if numbers.chance(chance) {
            pattern.add(part);
            if let (Part::Channel(id), true) = (part, numbers.chance(30)) {
                pattern.limit(id, Contents::Lengths);
            }
        }
    }
    pattern.without_clocks()
}

/// A state of the model, as the projection sees it.
struct Image<'a> {
    network: &'a Network,
    projection: &'a Projection,
    concrete: &'a Explorer,
    projected: &'a Explorer,
}

impl Image<'_> {
    fn of(&self, state: &[i32]) -> Vec<i32> {
        let layout = &self.projected.layout;
        let mut image = vec![0; layout.words()];
        for process in self.network.processes.ids() {
            if self.projection.pattern.keeps(Part::Process(process)) {
                image[process.index()] = state[process.index()];
            }
        }
        for variable in self.network.variables.ids() {
            self.copy_variable(variable, state, &mut image);
        }
        for channel in self.network.channels.ids() {
            self.copy_channel(channel, state, &mut image);
        }
        if let (Some(to), Some(from)) = (layout.control, self.concrete.layout.control) {
            let control = state[from as usize];
            let is_kept = control != 0 && {
                let process = ProcessId::new(control as usize - 1);
                let location = state[process.index()] as usize;
                self.projection.pattern.keeps(Part::Process(process))
                    && self.projection.keeps_control[process.index()][location]
            };
            image[to as usize] = if is_kept { control } else { 0 };
        }
        image
    }

    fn copy_variable(&self, id: VariableId, state: &[i32], image: &mut [i32]) {
        if self.projection.network.variables[id].storage == Storage::Constant {
            return;
        }
        let (Home::State(from), Home::State(to)) =
            (self.concrete.layout.home(id), self.projected.layout.home(id))
        else {
            panic!("a variable of the state");
        };
        let length = self.network.variables[id].len();
        image[to as usize..][..length].copy_from_slice(&state[from as usize..][..length]);
    }

    fn copy_channel(&self, id: ChannelId, state: &[i32], image: &mut [i32]) {
        let (first, count) = (self.concrete.layout.channel(id), self.network.channels[id].len());
        for element in first as usize..first as usize + count {
            let from = &self.concrete.layout.buffers[element];
            let to = &self.projected.layout.buffers[element];
            if to.capacity > 0 {
                let words = 1 + to.fields.len() * to.capacity as usize;
                image[to.at as usize..][..words]
                    .copy_from_slice(&state[from.at as usize..][..words]);
            }
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    projections: usize,
    steps: usize,
    standing: usize,
    exact: usize,
    goals: usize,
}

fn check(network: &Network, pattern: &Pattern, case: &str, tally: &mut Tally) {
    let property = property(network);
    let Ok(concrete) = Explorer::compile(network.clone(), Some(property), Abstraction::default())
    else {
        return;
    };
    let projection = project(network, property, pattern);
    let defects = network::verify(&projection.network);
    assert!(defects.is_empty(), "{case}: {defects:?}");
    let projected = Explorer::compile(
        projection.network.clone(),
        Some(&projection.property),
        Abstraction::ExtraLu,
    )
    .unwrap_or_else(|error| panic!("{case}: {error:?}"));
    let image =
        Image { network, projection: &projection, concrete: &concrete, projected: &projected };
    tally.projections += 1;
    tally.exact += usize::from(projection.is_exact);
    let (mut ws, mut projected_ws) = (concrete.workspace(), projected.workspace());
    projected_ws.look_at_most(MOST_IMAGES);
    let mut waiting = Vec::new();
    let _ = concrete.initial(&mut ws, &mut |state, _| waiting.push(state.to_vec()));
    let mut initial = Vec::new();
    let _ = projected.initial(&mut projected_ws, &mut |state, _| initial.push(state.to_vec()));
    for state in &waiting {
        assert!(initial.contains(&image.of(state)), "{case}: the initial state");
    }
    let mut known: HashSet<Vec<i32>> = waiting.iter().cloned().collect();
    while let Some(state) = waiting.pop() {
        if known.len() > MOST_STATES {
            break;
        }
        let mine = image.of(&state);
        let goal = concrete.is_goal(&mut ws, &state);
        let is_goal = projected.is_goal(&mut projected_ws, &mine);
        let mut successors = Vec::new();
        let expanded = concrete.successors(&mut ws, &state, &mut |successor, step| {
            successors.push((successor.to_vec(), step.words().to_vec()));
        });
        let mut images = HashSet::new();
        let failed = projected.successors(&mut projected_ws, &mine, &mut |successor, _| {
            images.insert(successor.to_vec());
        });
        // Choices multiply where processes meet.
        if projected_ws.left_out_steps() || images.len() > MOST_IMAGES {
            return;
        }
        let about = || {
            format!(
                "{case}: {:?}, {state:?} as {mine:?}\n{}",
                projection.pattern,
                network::print(&projection.network)
            )
        };
        // An error in the goal is one where errors count, and may hide what follows.
        let found_error = goal.is_err() || expanded.is_err();
        let counts = property.counts_errors && found_error
            || expanded.as_ref().is_err_and(|raised| raised.error.lacks_room());
        if counts || goal == Ok(true) {
            let is_end = is_goal != Ok(false) || failed.is_err();
            assert!(is_end, "{}: no end: {goal:?} {expanded:?}", about());
            tally.goals += usize::from(goal == Ok(true));
        }
        for (successor, step) in successors {
            let its = image.of(&successor);
            let stands = its == mine;
            assert!(
                stands || images.contains(&its),
                "{}\nstep {step:?} to {successor:?} as {its:?}",
                about()
            );
            tally.steps += usize::from(!stands);
            tally.standing += usize::from(stands);
            if known.insert(successor.clone()) {
                waiting.push(successor);
            }
        }
    }
}

#[test]
fn steps_have_images() {
    let mut tally = Tally::default();
    let seeds = std::env::var("SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(150);
    for options in KINDS {
        for seed in 0..seeds {
            let mut numbers = Numbers::new(seed);
            let mut network = random::network(seed, &options);
            network.properties[Id::new(0)].counts_errors = seed.is_multiple_of(2);
            let pattern = some_pattern(&network, &mut numbers);
            check(&network, &pattern, &format!("seed {seed}, {options:?}"), &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.steps > 10_000 && tally.exact > 10 && tally.goals > 500, "{tally:?}");
}

/// The same for programs: control, preferences, messages and processes as the front end makes them.
#[test]
fn steps_of_programs_have_images() {
    let mut tally = Tally::default();
    let seeds = std::env::var("SEEDS").ok().and_then(|it| it.parse().ok()).unwrap_or(300);
    for seed in 0..seeds {
        let mut numbers = Numbers::new(seed);
        let text = generate(seed, &Weights::default()).to_string();
        let options = promela::Options { deadlock: seed.is_multiple_of(2), ..Default::default() };
        let network = load::promela(&text, &[], options);
        let pattern = some_pattern(&network, &mut numbers);
        check(&network, &pattern, &format!("program {seed}"), &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.steps > 5_000 && tally.goals > 50, "{tally:?}");
}

/// Checks a network of which some variables are dropped.
fn check_without(variables: &[u32], text: &str) -> Tally {
    let network = network::parse(text).unwrap_or_else(|error| panic!("{error:?}"));
    let mut pattern = Pattern::everything(&network);
    variables.iter().for_each(|&id| pattern.remove(Part::Variable(VariableId(id))));
    let mut tally = Tally::default();
    check(&network, &pattern, "an example", &mut tally);
    tally
}

/// With `n` unknown, `a[i]` must not be looked at: the model does not, and there is no such element.
#[test]
fn what_protects_from_errors_is_missed() {
    let tally = check_without(
        &[0],
        "network 1 var n : int[0, 3] var i : int[0, 3] = 2 var a[2] : int[0, 1]
         process P { location l0; location l1; init l0;
           edge l0 -> l1 { when n == 1 && a[i] == 1 || i == 2; } }
         property \"p\" reachable P at l1",
    );
    assert_eq!((tally.steps, tally.goals), (1, 1));
}

/// In each round another value is stored, so that one choice for all rounds would not do.
#[test]
fn loops_do_not_choose_once_for_all_rounds() {
    let tally = check_without(
        &[0],
        "network 1 var n : int[0, 3] var a[2] : int[0, 3]
         process P { location l0; location l1; init l0;
           edge l0 -> l1 { local k#0 : int[0, 3];
             do { while (k#0 < 2) { a[k#0] = n; n = n + 1; k#0 = k#0 + 1; } } } }
         property \"p\" reachable P at l1",
    );
    assert_eq!((tally.steps, tally.goals), (1, 1));
}

/// A receiver that may not hear stays where it is, but here the sender puts it elsewhere.
#[test]
fn who_does_not_hear_can_still_be_moved() {
    let tally = check_without(
        &[0],
        "network 1 var n : int[0, 3] chan c : broadcast
         process P { location l0; location l1; init l0;
           edge l0 -> l1 { send c; do { enter Q at away; } } }
         process Q { location q0; location q1; location away; init q0;
           edge q0 -> q1 { when n == 1; receive c; } }
         property \"p\" reachable P at l1",
    );
    assert_eq!((tally.steps, tally.goals), (1, 1));
}

/// The function does to kept parts what it does in the model, but what it asserts is not seen.
#[test]
fn functions_assert_what_is_dropped() {
    let tally = check_without(
        &[0],
        "network 1 var n : int[0, 3] var x : int[0, 3]
         function f() { assert n == 0; x = 1; }
         process P { location l0; location l1; init l0;
           edge l0 -> l0 { do { n = 1; } }
           edge l0 -> l1 { do { call f(); } } }
         property \"p\" counts errors reachable x == 3",
    );
    assert_eq!(tally.steps, 1);
}

/// Q hears what P sends and moves last, so that P has no control afterwards, although Q is not seen.
#[test]
fn who_is_dropped_may_move_last() {
    let network = network::parse(
        "network 1 chan c : broadcast
         process P { location l0; location l1; location l2; init l0;
           edge l0 -> l1 { send c; keeps control; } edge l1 -> l2; }
         process Q { location q0; location q1; init q0; edge q0 -> q1 { receive c; } }
         property \"p\" reachable P at l2",
    )
    .unwrap_or_else(|error| panic!("{error:?}"));
    let mut pattern = Pattern::everything(&network);
    pattern.remove(Part::Process(ProcessId(1)));
    let mut tally = Tally::default();
    check(&network, &pattern, "an example", &mut tally);
    assert_eq!((tally.steps, tally.goals), (2, 1));
}
