//! Random networks: walks replay, mutated traces are judged rightly, the oracle agrees with itself.

use std::collections::BTreeMap;

use network::{Change, ChannelKind, Ending, Expr, Move, Network, PropertyId, Step, Trace};
use replay::{Simulator, State, check, with_changes};
use testing::Numbers;
use testing::discrete::{Limits, Outcome, shortest, shortest_within};
use testing::random::{Options, network};

const NETWORKS: u64 = 400;

/// Everything but observers: those move only for a property, and these walks have none.
const EVERYTHING: Options = Options { observers: false, ..Options::EVERYTHING };
const UNTIMED: Options = Options { observers: false, ..Options::UNTIMED };

/// A walk of up to 12 steps with random delays.
fn walk(network: &Network, scale: i64, numbers: &mut Numbers) -> Option<Vec<(i64, Vec<Move>)>> {
    let simulator = Simulator::new(network, scale).ok()?;
    let mut state = simulator.initial().ok()?;
    let mut steps = Vec::new();
    for _ in 0..12 {
        let (delay, moves, next) = some_step(&simulator, &state, numbers)?;
        let Some(moves) = moves else { break };
        steps.push((delay, moves));
        state = next;
    }
    Some(steps)
}

type Taken = (i64, Option<Vec<Move>>, State);

/// Some delay after which a step may be taken, and that step.
fn some_step(simulator: &Simulator, state: &State, numbers: &mut Numbers) -> Option<Taken> {
    for _ in 0..10 {
        let delay = numbers.between(0, 3 * simulator.scale() as i32) as i64;
        let Ok(later) = simulator.delay(state, delay) else { continue };
        let steps = simulator.possible_steps(&later);
        if let Some(moves) = numbers.pick(&steps) {
            let (next, _) = simulator.take(&later, moves).expect("an offered step may be taken");
            return Some((delay, Some(moves.clone()), next));
        }
    }
    Some((0, None, state.clone()))
}

fn walked(seed: u64) -> Option<(Network, Trace)> {
    walked_with(seed, &Options::ALL)
}

fn walked_with(seed: u64, options: &Options) -> Option<(Network, Trace)> {
    let mut numbers = Numbers::new(seed);
    let scale = numbers.between(1, 4) as i64;
    let network = network(seed, options);
    let steps = walk(&network, scale, &mut numbers)?;
    let bare = |(delay, moves)| Step { delay, moves, changes: Vec::new() };
    let steps = steps.into_iter().map(bare).collect();
    let trace = Trace { scale, steps, final_delay: 0, ending: Ending::Goal };
    let trace = with_changes(&network, None, trace);
    let trace = trace.unwrap_or_else(|mismatch| panic!("seed {seed}: {mismatch}"));
    Some((network, trace))
}

#[test]
fn walks_replay() {
    let mut total = 0;
    for (network, trace) in (0..NETWORKS).filter_map(walked) {
        total += trace.steps.len();
        assert_eq!(check(&network, None, &trace).map(|_| ()), Ok(()));
    }
    assert!(total > 1000, "only {total} steps in all");
}

#[test]
fn networks_are_well_formed() {
    let closed = Options::default();
    for seed in 0..NETWORKS {
        for options in [&closed, &Options::ALL, &UNTIMED, &EVERYTHING] {
            assert_eq!(network::verify(&network(seed, options)), [], "seed {seed}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_network() {
    assert_eq!(network(7, &Options::ALL), network(7, &Options::ALL));
    assert_ne!(network(7, &Options::ALL), network(8, &Options::ALL));
}

/// Walks replay with messages, control, preferences, timeouts and started processes, and all of
/// these happen.
#[test]
fn walks_with_messages_replay() {
    let mut total = 0;
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for options in [UNTIMED, EVERYTHING] {
        for seed in 0..NETWORKS {
            let Some((network, trace)) = walked_with(seed, &options) else { continue };
            total += trace.steps.len();
            assert_eq!(check(&network, None, &trace).map(|_| ()), Ok(()), "seed {seed}");
            count(&network, &trace, &mut counts);
        }
    }
    println!("{total} steps, {counts:?}");
    assert!(total > 2000, "only {total} steps in all");
    for what in ["put", "take", "rendezvous", "start", "end", "control", "preference", "timeout"] {
        assert!(counts.get(what).is_some_and(|&n| n > 20), "{what}: {counts:?}");
    }
}

/// Counts what happens in the steps of a trace.
fn count(network: &Network, trace: &Trace, counts: &mut BTreeMap<&str, u32>) {
    let simulator = Simulator::new(network, trace.scale).expect("a scale");
    let mut state = simulator.initial().expect("the walk began");
    for step in &trace.steps {
        state = simulator.delay(&state, step.delay).expect("a legal delay");
        let first = &step.moves[0];
        let edge = &network.processes[first.process].edges[first.edge];
        let mut note = |what, happens| *counts.entry(what).or_default() += u32::from(happens);
        let channel = simulator.channel_of(&state, first).expect("a legal step");
        let buffered = channel.is_some_and(|(id, _)| {
            matches!(network.channels[id].kind, ChannelKind::Buffered { .. })
        });
        note("rendezvous", buffered && step.moves.len() == 2);
        for change in &step.changes {
            if let Change::Channel { from, to, .. } = change {
                note("put", from.len() < to.len());
                note("take", from.len() > to.len());
            }
            if let Change::Location { process, from, to } = change {
                let idle =
                    |location| network.processes[*process].locations[location].name == "idle";
                note("start", idle(*from));
                note("end", idle(*to));
            }
        }
        note("control", state.control == Some(first.process));
        note("preference", edge.preference != 0);
        note("timeout", edge.guard.data == Expr::Timeout);
        state = simulator.take(&state, &step.moves).expect("a legal step").0;
    }
}

/// Delays and moves of a trace are legal iff the simulator offers them one after the other.
fn is_offered(network: &Network, trace: &Trace) -> bool {
    let Ok(simulator) = Simulator::new(network, trace.scale) else { return false };
    let Ok(mut state) = simulator.initial() else { return false };
    for step in &trace.steps {
        // Tick by tick, so that nothing is skipped that long delays might.
        for _ in 0..step.delay {
            let Ok(later) = simulator.delay(&state, 1) else { return false };
            state = later;
        }
        if step.delay < 0 || !simulator.possible_steps(&state).contains(&step.moves) {
            return false;
        }
        let Ok((next, changes)) = simulator.take(&state, &step.moves) else { return false };
        if changes != step.changes {
            return false;
        }
        state = next;
    }
    true
}

/// Changes a trace somewhere; the name says how.
fn mutate(trace: &mut Trace, numbers: &mut Numbers) -> &'static str {
    let position = numbers.below(trace.steps.len());
    let step = &mut trace.steps[position];
    match numbers.below(7) {
        0 => {
            step.delay += numbers.between(-2, 2) as i64;
            "delay"
        }
        1 if step.moves.len() > 1 => {
            step.moves.pop();
            "drop"
        }
        2 if step.moves.len() > 2 => {
            step.moves.swap(1, 2);
            "order"
        }
        3 if !step.changes.is_empty() => {
            let change = numbers.below(step.changes.len());
            match &mut step.changes[change] {
                Change::Variable { to, .. } | Change::Clock { to, .. } => *to += 1,
                Change::Location { to, .. } => to.0 += 1,
                Change::Channel { to, .. } => to.push(vec![0]),
            }
            "value"
        }
        4 => {
            let moved = numbers.below(step.moves.len());
            step.moves[moved].edge.0 = numbers.between(0, 6) as u32;
            "edge"
        }
        5 if trace.steps.len() > 1 => {
            trace.steps.remove(position);
            "skip"
        }
        _ => {
            let other = numbers.below(trace.steps.len());
            trace.steps.swap(position, other);
            "swap"
        }
    }
}

#[test]
fn mutated_traces_are_judged_rightly() {
    let mut counts: BTreeMap<(&str, bool), u32> = BTreeMap::new();
    let timed = (0..NETWORKS).map(|seed| (seed, Options::ALL));
    for (seed, options) in timed.chain((0..2 * NETWORKS).map(|seed| (seed, EVERYTHING))) {
        let Some((network, trace)) = walked_with(seed, &options) else { continue };
        if trace.steps.is_empty() {
            continue;
        }
        let mut numbers = Numbers::new(seed + 1_000_000);
        for _ in 0..40 {
            let mut mutant = trace.clone();
            let how = mutate(&mut mutant, &mut numbers);
            let accepted = check(&network, None, &mutant).is_ok();
            assert_eq!(accepted, is_offered(&network, &mutant), "seed {seed}, {how}: {mutant:?}");
            if mutant != trace {
                *counts.entry((how, accepted)).or_default() += 1;
            }
        }
    }
    for how in ["delay", "drop", "order", "value", "edge", "skip", "swap"] {
        assert!(counts.get(&(how, false)).is_some_and(|&n| n > 5), "{how}: {counts:?}");
    }
    assert_eq!(counts.get(&("value", true)), None);
    assert_eq!(counts.get(&("order", true)), None);
    assert!(counts.contains_key(&("delay", true)), "{counts:?}");
}

/// Deadlock is what nothing follows: compare with trying every half tick.
#[test]
fn deadlocks_agree_with_trying() {
    let (mut dead, mut alive) = (0, 0);
    let untimed = (0..NETWORKS).filter_map(|seed| walked_with(seed, &EVERYTHING));
    for (network, trace) in (0..NETWORKS).filter_map(walked).chain(untimed) {
        let scale = 2 * trace.scale;
        let simulator = Simulator::new(&network, scale).expect("supported");
        let mut state = simulator.initial().expect("the walk began");
        for step in &trace.steps {
            let Ok(deadlock) = simulator.is_deadlock(&state) else { break };
            assert_eq!(deadlock, nothing_follows(&simulator, &state), "{trace:?}");
            if deadlock {
                dead += 1
            } else {
                alive += 1
            }
            state = simulator.delay(&state, 2 * step.delay).expect("a legal delay");
            state = simulator.take(&state, &step.moves).expect("a legal step").0;
        }
        let Ok(deadlock) = simulator.is_deadlock(&state) else { continue };
        assert_eq!(deadlock, nothing_follows(&simulator, &state), "{trace:?}");
        if deadlock { dead += 1 } else { alive += 1 }
    }
    assert!(dead > 20 && alive > 200, "{dead} dead, {alive} alive");
}

/// Beyond 12 units nothing changes: no clock is compared with more than 4.
fn nothing_follows(simulator: &Simulator, state: &State) -> bool {
    let mut state = state.clone();
    for _ in 0..12 * simulator.scale() {
        if !simulator.possible_steps(&state).is_empty() {
            return false;
        }
        match simulator.delay(&state, 1) {
            Ok(later) => state = later,
            Err(_) => return true,
        }
    }
    true
}

fn outcome(seed: u64, options: &Options) -> Outcome {
    let network = network(seed, options);
    shortest(&network, &network.properties[PropertyId(0)], 20_000)
}

#[test]
fn goals_are_a_healthy_mix() {
    let timed = Options { clockless: false, ..UNTIMED };
    for options in [Options::default(), timed, UNTIMED] {
        mix_of_goals(&options);
    }
}

fn mix_of_goals(options: &Options) {
    let mut lengths: BTreeMap<usize, u32> = BTreeMap::new();
    let (mut unreachable, mut gave_up) = (0, 0);
    for seed in 0..NETWORKS {
        match outcome(seed, options) {
            Outcome::Reached(steps) => *lengths.entry(steps).or_default() += 1,
            Outcome::Unreachable => unreachable += 1,
            Outcome::GaveUp => gave_up += 1,
            Outcome::Error(error, _) => panic!("seed {seed}: {error:?}"),
        }
    }
    println!("lengths {lengths:?}, {unreachable} unreachable, {gave_up} gave up");
    let reached: u32 = lengths.values().sum();
    let long: u32 = lengths.range(4..).map(|(_, count)| count).sum();
    assert!(reached > 150 && unreachable > 60 && gave_up < 10 && long > 40);
}

#[test]
fn finer_ticks_change_nothing_where_constraints_are_closed() {
    let plain = (0..150).map(|seed| (seed, Options::default()));
    let messages = Options { clockless: false, ..UNTIMED };
    for (seed, options) in plain.chain((0..150).map(|seed| (seed, messages))) {
        let coarse = outcome(seed, &options);
        let network = network(seed, &options);
        let limits = Limits { scale: 2, max_states: 100_000, max_steps: usize::MAX };
        let fine = shortest_within(&network, &network.properties[PropertyId(0)], limits);
        let known = coarse != Outcome::GaveUp && fine != Outcome::GaveUp;
        assert!(!known || coarse == fine, "seed {seed}: {coarse:?} and {fine:?}");
    }
}

#[test]
fn finer_ticks_matter_where_they_are_not() {
    let options = Options { strict: true, negated: true, ..Options::default() };
    let differs = (0..NETWORKS).filter(|&seed| {
        let network = network(seed, &options);
        let property = &network.properties[PropertyId(0)];
        let limits = Limits { scale: 6, max_states: 100_000, max_steps: 4 };
        let fine = shortest_within(&network, property, limits);
        fine != Outcome::GaveUp && fine != shortest(&network, property, 20_000)
    });
    let differs = differs.count();
    println!("{differs} networks need finer ticks");
    assert!(differs > 3);
}
