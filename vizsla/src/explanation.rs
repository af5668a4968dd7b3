//! Why an answer is unknown.

use crate::Reason;
use std::fmt;

/// Why an answer is unknown, or what it means that there is no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explanation {
    /// The search needs a heuristic that can do more.
    Unguided {
        /// The name of the search.
        search: &'static str,
        /// The name of the heuristic.
        heuristic: &'static str,
        /// What the heuristic cannot do.
        why: String,
    },
    /// A limit was reached, or somebody had no more patience, before the search could begin.
    Unprepared {
        /// What ended it.
        why: Reason,
        /// The name of the heuristic that was not ready.
        heuristic: &'static str,
        /// How many abstract states were explored for it.
        explored: u64,
    },
    /// The heuristic needs a trace that leads to the goal (`Options::towards`).
    NoKnownGoal,
    /// The heuristic that was saved is not the one that is needed: "it ...".
    Unloaded(String),
    /// There is no room for as many processes as a shorter trace may need.
    NoRoom,
    /// Another reason, in words.
    Words(String),
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Explanation::Unguided { search, heuristic, why } => {
                write!(f, "the search {search} with the heuristic {heuristic}: {why}")
            }
            Explanation::Unprepared { why, heuristic, explored } => {
                write!(f, "{} before the heuristic {heuristic} was ready", why.describe())?;
                match explored {
                    0 => Ok(()),
                    _ => write!(f, "; {explored} abstract states were explored for it"),
                }
            }
            Explanation::NoKnownGoal => {
                f.write_str("the heuristic needs a trace that leads to the goal")
            }
            Explanation::Unloaded(why) => write!(f, "the saved heuristic cannot be used: {why}"),
            Explanation::NoRoom => f.write_str("there is no room for more processes"),
            Explanation::Words(text) => f.write_str(text),
        }
    }
}

impl From<String> for Explanation {
    fn from(text: String) -> Explanation {
        Explanation::Words(text)
    }
}

impl From<&str> for Explanation {
    fn from(text: &str) -> Explanation {
        Explanation::Words(text.to_string())
    }
}
