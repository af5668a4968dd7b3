//! Spin's trails: what a verifier writes when it finds an error, and what Spin replays.
//!
//! A line `depth:pid:id` is a step of the process `pid`; `id` is the number that verifiers made by
//! `spin -o1 -o2 -o3 -a` give to the transition ([`Numbering`]). A rendezvous takes two lines, the
//! sender's first. Lines with a negative depth say how the trail came about.

use network::{EdgeId, Id, LocationId, ProcessId, VariableId};

/// How trails name the steps of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Numbering {
    /// One for each process of the network, but not for the observers of formulas.
    pub processes: Vec<ProcessNumbers>,
}

/// How trails name the steps of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessNumbers {
    /// The number of a claim among the proctypes; none for other processes.
    pub claim: Option<u32>,
    /// The number of the process.
    pub pid: Pid,
    /// Where it is while it does not run.
    pub absent: LocationId,
    /// What each edge does: one transition, or several in an atomic sequence of a claim.
    pub transitions: Vec<Vec<TransitionNumbers>>,
}

/// The number of a process while it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pid {
    /// Always the same.
    Fixed(i32),
    /// The value of a variable.
    Variable(VariableId),
}

/// What `pan -d` says about a transition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransitionNumbers {
    /// Its number in trails; none if that depends on a claim in a way that is not understood.
    pub id: Option<u32>,
    /// The state it leaves.
    pub source: u32,
    /// The state it enters; 0 after the end of the process.
    pub target: u32,
}

impl Numbering {
    /// What trails call an edge: the number of its transition, or several in a row.
    pub fn ids(&self, process: ProcessId, edge: EdgeId) -> Option<Vec<u32>> {
        let transitions = self.processes.get(process.index())?.transitions.get(edge.index())?;
        transitions.iter().map(|it| it.id).collect()
    }

    /// What trails call an edge that is a single transition.
    pub fn id(&self, process: ProcessId, edge: EdgeId) -> Option<u32> {
        let ids = self.ids(process, edge)?;
        ids.first().copied().filter(|_| ids.len() == 1)
    }
}

/// A trail as it is written in its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trail {
    /// The number of the claim among the proctypes, if one was in use. Then its steps are those of
    /// process 0, and the numbers of all others are greater by one.
    pub claim: Option<i64>,
    /// Whether the verifier merged statements (`-4:-4:-4`): then a line may stand for several.
    pub merged: bool,
    /// The steps.
    pub steps: Vec<TrailStep>,
    /// The number of steps before the cycle, if the trail ends in one.
    pub cycle: Option<usize>,
}

/// A line of a trail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrailStep {
    /// How deep it is; depths may be left out.
    pub depth: i64,
    /// The number of the process.
    pub pid: i64,
    /// The number of the transition.
    pub id: i64,
}

/// Why a text is no trail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoTrail {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for NoTrail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for NoTrail {}

/// The three numbers of a line.
fn numbers(line: &str) -> Option<[i64; 3]> {
    let mut parts = line.trim().split(':').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

impl Trail {
    /// Whether a text looks like a trail, going by its first line.
    pub fn is_likely(bytes: &[u8]) -> bool {
        let start = &bytes[..bytes.len().min(100)];
        let text = String::from_utf8_lossy(start);
        text.trim_start().lines().next().is_some_and(|line| numbers(line).is_some())
    }

    /// Reads a trail.
    pub fn parse(text: &str) -> Result<Trail, NoTrail> {
        let mut trail = Trail::default();
        for (index, line) in text.lines().enumerate() {
            let wrong = |message: String| NoTrail { line: index + 1, message };
            if line.trim().is_empty() {
                continue;
            }
            let expected = || format!("expected `depth:pid:transition`, found `{}`", line.trim());
            let [depth, pid, id] = numbers(line).ok_or_else(|| wrong(expected()))?;
            match depth {
                -1 => trail.cycle = Some(trail.steps.len()),
                -2 => trail.claim = Some(pid),
                -4 => trail.merged = true,
                // The order in which the verifier searched.
                -8..=-5 => {}
                0.. => trail.steps.push(TrailStep { depth, pid, id }),
                _ => return Err(wrong(format!("the meaning of `{}` is unknown", line.trim()))),
            }
        }
        Ok(trail)
    }
}

impl std::fmt::Display for Trail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(claim) = self.claim {
            writeln!(f, "-2:{claim}:-2")?;
        }
        if self.merged {
            writeln!(f, "-4:-4:-4")?;
        }
        for (index, step) in self.steps.iter().enumerate() {
            if self.cycle == Some(index) {
                writeln!(f, "-1:-1:-1")?;
            }
            writeln!(f, "{}:{}:{}", step.depth, step.pid, step.id)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "-2:1:-2\n-4:-4:-4\n1:0:8\n2:1:0\n-1:-1:-1\n3:0:8\n5:1:2\n";

    #[test]
    fn a_trail_is_read_and_written() {
        let trail = Trail::parse(TEXT).expect("a trail");
        assert_eq!((trail.claim, trail.merged, trail.cycle), (Some(1), true, Some(2)));
        let last = trail.steps.last().copied();
        assert_eq!(last, Some(TrailStep { depth: 5, pid: 1, id: 2 }));
        assert_eq!(trail.to_string(), TEXT);
    }

    #[test]
    fn how_the_search_went_does_not_matter() {
        let text = "-5:0:0\n-6:1:0\n-7:0:0\n-8:0:17\n1:0:1\n\n";
        assert_eq!(Trail::parse(text).map(|it| it.steps.len()), Ok(1));
    }

    #[test]
    fn other_text_is_refused_with_its_line() {
        for (text, line) in [("1:2\n", 1), ("1:0:1\n1:0:1:1", 2), ("1:0:x", 1), ("-9:0:0", 1)] {
            assert_eq!(Trail::parse(text).map_err(|it| it.line), Err(line), "{text}");
        }
        assert!(Trail::is_likely(b"\n-2:3:-2\n1:0:1") && Trail::is_likely(b"1:0:1"));
        assert!(!Trail::is_likely(b"{ \"vizsla\": 1 }") && !Trail::is_likely(b""));
    }
}
