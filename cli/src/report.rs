//! What the user is told, in words and as JSON.

pub mod finding;
pub mod json;
mod state;
pub mod text;
mod trace;

use vizsla::{Answer, Explanation};

/// Why an answer is unknown, with the flags that are to blame.
fn reason(answer: &Answer) -> Option<String> {
    Some(match answer.reason.as_ref()? {
        Explanation::Unguided { search, heuristic, why } => {
            format!("--search {search} --heuristic {heuristic}: {why}")
        }
        it @ Explanation::NoKnownGoal => format!("{it}: name one with --towards"),
        Explanation::Unloaded(why) => format!("--load-heuristic: {why}"),
        it @ (Explanation::Unprepared { .. } | Explanation::NoRoom | Explanation::Words(_)) => {
            it.to_string()
        }
    })
}
