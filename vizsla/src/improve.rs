//! A trace that somebody has, and what becomes of it when a shorter one is looked for.

use crate::replay::run_again;
use crate::view::{Asked, View};
use crate::{Answer, Explanation, Model, TraceFile, Verdict, Witness, follow, goal};
use explore::End;
use network::Property;
use replay::State;
use search::Outcome;

/// A trace that is to be replaced by a shorter one.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// The trace.
    pub given: TraceFile,
    /// Where the shorter one has to end.
    pub end: ImprovedEnd,
}

/// Where a shorter trace has to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImprovedEnd {
    /// In the same state, clocks aside, where it says the same about the property.
    SameState,
    /// Wherever it says the same about the property.
    Any,
}

/// A trace that was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenTrace {
    /// The number of its steps.
    pub length: usize,
    /// Where a shorter one has to end.
    pub end: ImprovedEnd,
}

/// The same, followed again.
pub struct Given {
    witness: Witness,
    /// The state that it ends in.
    pub state: State,
    /// Where a shorter one has to end.
    pub end: ImprovedEnd,
}

impl Given {
    /// Follows the trace; it must say something about the property.
    pub fn follow(
        model: &Model,
        property: &Property,
        improvement: &Improvement,
        states: bool,
    ) -> Result<Given, String> {
        let (trace, state) = run_again(&model.network, property, &improvement.given)?;
        if Verdict::of_run(property, &trace.ending) == Verdict::Unknown {
            return Err("it ends in a run-time error, which says nothing about the query".into());
        }
        let witness = follow::tell(model, property, trace, states)?;
        Ok(Given { witness, state, end: improvement.end })
    }

    /// The number of its steps.
    pub fn length(&self) -> usize {
        self.witness.trace.steps.len()
    }

    /// What is to be told of it.
    pub fn account(&self) -> GivenTrace {
        GivenTrace { length: self.length(), end: self.end }
    }

    /// The other trace, if it ends where it has to.
    fn accepts(&self, view: &View, other: Witness) -> Result<Witness, String> {
        let (network, property) = (&view.asked.model.network, view.asked.property);
        let end = replay::check(network, Some(property), &other.trace);
        let state = end.map_err(|mismatch| mismatch.to_string())?.state;
        let discrete = |state: &State| goal::words_of(state, &view.explorer.layout);
        match self.end == ImprovedEnd::Any || discrete(&state) == discrete(&self.state) {
            true => Ok(other),
            false => Err("it ends in another state".to_string()),
        }
    }
}

impl Answer {
    /// What the outcome of a search for something shorter makes of a trace that was given.
    pub(crate) fn improve(&mut self, view: &View, given: &Given, outcome: Outcome) {
        let (property, explorer) = (view.asked.property, &view.explorer);
        let mut is_shortest = false;
        match outcome {
            Outcome::Reached { end: End::Error(raised), .. } if raised.lacks_room() => {
                self.reason = Some(Explanation::NoRoom);
            }
            Outcome::Reached { path, end, shortest } => {
                let witness = view.confirm(&path, &end);
                match witness.and_then(|witness| given.accepts(view, witness)) {
                    Ok(witness) => return self.accept(witness, property, shortest),
                    // Zones promise more than there is, so nothing is known.
                    Err(_) if !explorer.is_exact() => {}
                    Err(problem) => return self.admit(&problem),
                }
            }
            // Of states that differ in meta variables only, one was explored.
            Outcome::Unreachable => is_shortest = !explorer.layout.has_meta(),
            Outcome::Unknown(_) => {}
        }
        self.accept(given.witness.clone(), property, is_shortest);
    }

    /// The same with the trace that was given, if there is one: no search has come to an end.
    pub(crate) fn or_given(mut self, asked: Asked) -> Answer {
        if let Some(given) = asked.given {
            self.accept(given.witness.clone(), asked.property, false);
        }
        self
    }
}
