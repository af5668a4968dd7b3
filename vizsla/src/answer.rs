//! The answer to a question.

use crate::{
    Explanation, GivenTrace, Model, Reason, SavedHeuristic, Statistics, TableAccount, Witness,
};
use network::{Diagnostic, Ending, Property, PropertyId, RunTimeError, Trace};

/// The answer to a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The model that was searched: the one that was asked about, with as much room for processes as it
    /// took. The ids in the trace are those of its network.
    pub model: Model,
    /// The question.
    pub property: PropertyId,
    /// The answer.
    pub verdict: Verdict,
    /// Why the answer is unknown, or what it means that there is no trace.
    pub reason: Option<Explanation>,
    /// The run-time error that was found instead of an answer, or that is one.
    pub error: Option<RunTimeError>,
    /// Whether there may be run-time errors that nobody looked for.
    pub may_have_errors: bool,
    /// The run that proves it, confirmed by `replay`.
    pub witness: Option<Witness>,
    /// Whether no shorter trace exists; no cheaper one, if steps have costs.
    pub shortest: bool,
    /// The trace that was to be improved, if one was. The shortest is then the shortest of those that end where
    /// it says.
    pub given: Option<GivenTrace>,
    /// What ended the search for a shorter one early.
    pub cut_off: Option<Reason>,
    /// What the trace costs, if steps have costs.
    pub cost: Option<u64>,
    /// The name of the heuristic without whose infinite estimates it would not be known that there is no
    /// trace.
    pub proven_by: Option<&'static str>,
    /// The tables that the heuristic looked its estimates up in.
    pub tables: Vec<TableAccount>,
    /// The heuristic, if it was to be saved and can be.
    pub saved_heuristic: Option<SavedHeuristic>,
    /// What the search did.
    pub statistics: Statistics,
    /// The seconds that the search took.
    pub seconds: f64,
    /// The seconds that loading the model and preparing the search took.
    pub setup_seconds: f64,
    /// How the program contradicted itself, if it did. That is a mistake in Vizsla, not in the model.
    pub defect: Option<String>,
}

/// Whether a property holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does.
    Satisfied,
    /// It does not.
    Violated,
    /// Nobody knows.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Satisfied => "satisfied",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }

    /// What a run that ends so says about a property.
    pub fn of_run(property: &Property, ending: &Ending) -> Verdict {
        let reachable = matches!(property.claim, network::Claim::Reachable(_));
        match ending {
            Ending::Goal if reachable => Verdict::Satisfied,
            Ending::Goal => Verdict::Violated,
            Ending::Error { .. } if property.counts_errors => Verdict::Violated,
            Ending::Error { .. } => Verdict::Unknown,
        }
    }
}

impl Answer {
    /// Nothing is known.
    pub fn unknown(model: &Model, property: PropertyId) -> Answer {
        Answer {
            model: model.clone(),
            property,
            verdict: Verdict::Unknown,
            reason: None,
            error: None,
            may_have_errors: false,
            witness: None,
            shortest: false,
            given: None,
            cut_off: None,
            cost: None,
            proven_by: None,
            tables: Vec::new(),
            saved_heuristic: None,
            statistics: Statistics::default(),
            seconds: 0.0,
            setup_seconds: model.seconds,
            defect: None,
        }
    }

    /// Says why.
    pub fn because(self, reason: impl Into<Explanation>) -> Answer {
        Answer { reason: Some(reason.into()), ..self }
    }

    /// The question as the user wrote it.
    pub fn query(&self) -> &str {
        &self.model.network.properties[self.property].text
    }

    /// The trace that proves it.
    pub fn trace(&self) -> Option<&Trace> {
        self.witness.as_ref().map(|witness| &witness.trace)
    }

    /// What is wrong with the question, if that is why the answer is unknown.
    pub fn mistakes(&self) -> &[Diagnostic] {
        self.model.mistakes.get(&self.property).map_or(&[], Vec::as_slice)
    }

    /// Whether the search ended because there was no room for another process.
    pub(crate) fn lacks_room(&self) -> bool {
        self.error.as_ref().is_some_and(RunTimeError::lacks_room)
            || self.reason == Some(Explanation::NoRoom)
    }

    /// Takes a run that was confirmed.
    pub(crate) fn accept(&mut self, witness: Witness, property: &Property, shortest: bool) {
        let ending = &witness.trace.ending;
        self.verdict = Verdict::of_run(property, ending);
        if let Ending::Error { error, .. } = ending {
            self.error = Some(error.clone());
            if self.verdict == Verdict::Unknown {
                let message = error.kind.message(&self.model.network);
                self.reason = Some(format!("run-time error of the model: {message}").into());
            }
        }
        // Nothing is shorter than no step at all.
        let shortest = shortest || witness.trace.steps.is_empty();
        self.shortest = shortest && self.verdict != Verdict::Unknown;
        self.witness = Some(witness);
    }

    /// Admits that what was found is wrong.
    pub(crate) fn admit(&mut self, problem: &str) {
        let what = format!("the search found a path that is not a run of the model: {problem}");
        self.reason = Some(format!("internal defect: {what}").into());
        self.defect = Some(what);
    }
}
