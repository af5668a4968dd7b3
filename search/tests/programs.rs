//! Heuristics keep their promises, and searches and plans agree with breadth-first search, on random
//! Promela programs: processes, channels, control and errors as the front end puts them together, with
//! and without reductions. The goals are errors of all kinds, errors without invalid ends, and values
//! of variables and lengths of channels. The checks are those of `promises.rs`.
//!
//! Seen to fail: with a relaxation that did not expect an index out of bounds where an edge names its
//! channel, one that did not store the values of messages, and one whose buffers never grew longer.
//!
//! `PROGRAMS=20000 cargo test -p vizsla-search --test programs` looks at more of them.

mod support;

use network::Network;
use reduce::Passes;
use search::catalog::{HEURISTICS, HeuristicEntry, SEARCHES, SearchEntry};
use support::case::property;
use support::load;
use support::promises::{Subject, Tally, check, compare, compare_plans};
use testing::Numbers;
use testing::texts::{Weights, generate};

/// Larger graphs are left out; much smaller ones if the program has wide variables: a counter takes
/// the relaxation through a layer for each value, in every state.
const MOST_STATES: [usize; 2] = [1000, 30];

/// Searches, of which there are many, are compared on those that are not larger than that.
const MOST_SEARCHED: usize = 200;

/// How many programs to look at.
fn programs() -> u64 {
    std::env::var("PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

/// Every other program has more to do with messages that wait in channels.
fn weights(seed: u64) -> Weights {
    let mut weights = Weights::default();
    if !(seed / 16).is_multiple_of(2) {
        for weight in ["send=40", "receive=40", "channel=100", "rendezvous=10"] {
            weights.set(weight).expect("a weight");
        }
    }
    weights
}

/// Names of globals with a letter before a number, as they are declared.
fn names(text: &str, letter: char) -> Vec<&str> {
    let globals = text.split("proctype").next().unwrap_or_default();
    let words = globals.split(|c: char| !c.is_ascii_alphanumeric());
    let named = |word: &&str| {
        let number = word.strip_prefix(letter).unwrap_or_default();
        !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    };
    let mut found: Vec<&str> = words.filter(named).collect();
    found.dedup();
    found
}

/// A question about one to three variables and channels.
fn query(text: &str, numbers: &mut Numbers) -> Option<String> {
    let (variables, channels) = (names(text, 'g'), names(text, 'q'));
    let mut parts = Vec::new();
    for _ in 0..numbers.between(1, 3) {
        let op = *numbers.pick(&["==", "==", "==", "!=", ">"])?;
        let value = numbers.between(0, 3);
        parts.push(match numbers.pick(&channels) {
            Some(channel) if numbers.chance(30) => format!("len({channel}) {op} {value}"),
            _ => format!("{} {op} {value}", numbers.pick(&variables)?),
        });
    }
    let join = if numbers.chance(75) { " && " } else { " || " };
    Some(format!("E<> {}", parts.join(join)))
}

/// A program with a property that depends on the seed.
fn network(seed: u64, text: &str, numbers: &mut Numbers) -> Option<Network> {
    let queries: Vec<String> = match seed % 4 {
        0 | 1 => Vec::new(),
        _ => vec![query(text, numbers)?],
    };
    let options = promela::Options { deadlock: seed.is_multiple_of(4), ..Default::default() };
    let network = load::promela(text, &queries, options);
    let reduced = seed / 4 % 4;
    let passes = Passes { clear: reduced > 0, merge: reduced > 1 };
    let reduced = reduce::reduce(&network, property(&network), passes);
    Some(Network::clone(&reduced.network))
}

/// Each search with some heuristic and one search with all, by turns.
fn searches(seed: u64) -> impl Iterator<Item = (&'static SearchEntry, &'static HeuristicEntry)> {
    let named = HEURISTICS[seed as usize / 4 % HEURISTICS.len()];
    let search = SEARCHES[seed as usize / 4 % SEARCHES.len()];
    let each = SEARCHES.iter().map(move |search| (*search, named));
    let is_quick =
        move |named: &&&HeuristicEntry| seed.is_multiple_of(8) || !support::is_costly(named);
    each.chain(HEURISTICS.iter().filter(is_quick).map(move |named| (search, *named)))
}

#[test]
fn promises_are_kept_on_programs() {
    let (mut tally, mut looked_at, mut compared, mut planned) = (Tally::default(), 0, 0, 0);
    for seed in 0..programs() {
        let mut numbers = Numbers::new(seed);
        let text = generate(seed, &weights(seed)).to_string();
        let Some(network) = network(seed, &text, &mut numbers) else { continue };
        let wide = text.contains("int ") || text.contains("short ");
        let (name, most) = (format!("seed {seed}"), MOST_STATES[wide as usize]);
        let Some(subject) = Subject::new(&network, name, most) else { continue };
        looked_at += 1;
        check(&subject, &mut numbers, &mut tally);
        if subject.states() <= MOST_SEARCHED {
            compared += compare(&subject, searches(seed));
            planned += compare_plans(&subject);
        }
    }
    println!("{looked_at} programs, {compared} searches, {planned} plans");
    for (name, seen) in &tally {
        println!("{name}: {seen:?}");
    }
    assert!(looked_at > 500 && compared > 1000 && planned > 100);
    for name in ["graph-max", "formula-max", "relaxation-layers", "relaxation-intervals"] {
        let seen = &tally[name];
        assert!(seen.admissible > 400 && seen.far > 50 && seen.exact > 1000, "{name}: {seen:?}");
    }
    for name in ["graph-max", "formula-max", "relaxation-intervals"] {
        assert!(tally[name].less > 50, "{name}: {:?}", tally[name]);
    }
}
