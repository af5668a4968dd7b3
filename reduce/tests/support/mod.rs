//! Searches in a network and in what is left of it; every trace is expanded and replayed.

// Each test file uses another part of this.
#![allow(dead_code)]

pub mod dressed;

use explore::{Abstraction, End, Explorer};
use network::{Network, Property};
use reduce::{Passes, Reduced};
use search::{Configuration, Limits, Order, Outcome};
use testing::StateLimit;

pub const NOTHING: Passes = Passes { clear: false, merge: false };
pub const CLEAR: Passes = Passes { clear: true, merge: false };
pub const MERGE: Passes = Passes { clear: false, merge: true };
pub const BOTH: Passes = Passes { clear: true, merge: true };

/// What a search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The goal, after so many steps.
    Reached(usize),
    Unreachable,
    /// A run-time error, after so many steps.
    Error(usize),
    /// Stopped by the limit, or no run was found for a path of an inexact zone graph.
    Unknown,
}

impl Answer {
    pub fn is_found(self) -> bool {
        matches!(self, Answer::Reached(_) | Answer::Error(_))
    }
}

/// The network of a text without its first line.
pub fn parse(text: &str) -> Network {
    let network = network::parse(&format!("network 1 {text}"));
    let network = network.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(network::verify(&network), []);
    network
}

/// What a search says and how many states it stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub answer: Answer,
    pub stored: u64,
}

/// Searches in the reduced network, as long as it is small.
pub fn search(network: &Network, property: &Property, passes: Passes, order: Order) -> Found {
    search_within(20_000, network, property, passes, order)
}

/// Searches in the reduced network; a path that is none of the original is a failure.
pub fn search_within(
    limit: u64,
    network: &Network,
    property: &Property,
    passes: Passes,
    order: Order,
) -> Found {
    let reduced = reduce::reduce(network, property, passes);
    let show = || format!("{}\n{}", network::print(network), network::print(&reduced.network));
    let defects = network::verify(&reduced.network);
    assert!(defects.is_empty(), "{defects:?}\n{}", show());
    let Ok(explorer) =
        Explorer::compile(reduced.network.clone(), Some(property), Abstraction::default())
    else {
        return Found { answer: Answer::Unknown, stored: 0 };
    };
    let (configuration, limits) = (Configuration::from(order), Limits::default());
    let (outcome, statistics) =
        search::run(&explorer, &configuration, &limits, &mut StateLimit(limit));
    let answer = match outcome {
        Outcome::Unknown(_) => Answer::Unknown,
        Outcome::Unreachable => Answer::Unreachable,
        Outcome::Reached { path, end, .. } => {
            match confirm(network, property, &reduced, &explorer, &path, &end) {
                Ok(length) if matches!(end, End::Goal) => Answer::Reached(length),
                Ok(length) => Answer::Error(length),
                Err(_) if !explorer.is_exact() => Answer::Unknown,
                // Guards that look at an observer see it before its move, or after it: whether a
                // process can go on, and so has control, may depend on that. No language has them.
                Err(_) if passes == NOTHING && property.observer.is_some() => Answer::Unknown,
                Err(why) => panic!("{passes:?}, {:?}: {why}\n{}", property.claim, show()),
            }
        }
    };
    Found { answer, stored: statistics.stored }
}

/// The number of original steps of a path, which `replay` confirms.
pub fn confirm(
    network: &Network,
    property: &Property,
    reduced: &Reduced,
    explorer: &Explorer,
    path: &explore::Path,
    end: &End,
) -> Result<usize, String> {
    let trace = explorer.trace(path, end);
    let trace = reduced.expand(&trace.map_err(|why| format!("no trace: {why:?}"))?);
    let trace = replay::with_changes(network, Some(property), trace);
    Ok(trace.map_err(|mismatch| mismatch.to_string())?.steps.len())
}
