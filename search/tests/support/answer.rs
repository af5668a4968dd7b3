//! What searches say, with their traces replayed.

use explore::{End, Path};
use search::{Outcome, Problem};

/// What a search says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Reached {
        length: usize,
        shortest: bool,
    },
    Unreachable,
    /// A run-time error, after so many steps.
    Error(usize),
    /// Stopped by the limit, or no run was found for a path of an inexact zone graph.
    Unknown,
}

/// What an outcome says, with its trace replayed.
pub fn replayed(problem: &Problem, outcome: Outcome, case: &str) -> Answer {
    let (path, end, shortest) = match outcome {
        Outcome::Unknown(_) => return Answer::Unknown,
        Outcome::Unreachable => return Answer::Unreachable,
        Outcome::Reached { path, end, shortest } => (path, end, shortest),
    };
    match (replay(problem, &path, &end), end) {
        (Err(_), _) if !problem.explorer.is_exact() => Answer::Unknown,
        (Err(why), _) => panic!("{case}: {why}"),
        (Ok(()), End::Goal) => Answer::Reached { length: path.len(), shortest },
        (Ok(()), End::Error(_)) => Answer::Error(path.len()),
    }
}

/// Why a path is none of the network.
pub fn replay(problem: &Problem, path: &Path, end: &End) -> Result<(), String> {
    let trace = problem.explorer.trace(path, end);
    let trace = trace.map_err(|why| format!("no trace: {why:?}"))?;
    let run = replay::check(problem.network(), Some(problem.property()), &trace);
    run.map_err(|why| format!("{why:?}\n{}", network::print(problem.network())))?;
    Ok(())
}
