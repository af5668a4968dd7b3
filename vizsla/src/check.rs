//! From a question to its answer: search, confirm, and begin again where there was too little room.

use crate::cut_off::Listener;
use crate::improve::Given;
use crate::view::{Asked, Found, Means, View};
use crate::{
    Answer, Explanation, Model, Observer, Options, Phase, Reason, TraceFile, Verdict, goal, timer,
};
use network::cancellation::{self, Cause};
use network::{Claim, PropertyId};
use search::heuristics::pattern::Explorations;
use search::{Costs, Outcome};
use std::time::Instant;

/// Answers a question about a model.
///
/// Where the model starts more processes than there is room for, it is loaded again with more; whoever
/// asks several questions about such a model may want to keep the larger one: see [`Session`].
pub fn check(
    model: &Model,
    property: PropertyId,
    options: &Options,
    observer: &mut dyn Observer,
) -> Answer {
    Session::new(model).check(property, options, observer)
}

impl Model {
    /// The answers to all its questions, in order.
    pub fn check_all(&self, options: &Options) -> Vec<Answer> {
        let mut session = Session::new(self);
        self.properties().map(|property| session.check(property, options, &mut ())).collect()
    }
}

/// A model that is asked one question after the other, with as much room as they took so far.
#[derive(Clone, Debug)]
pub struct Session {
    model: Model,
    /// What was explored to answer the questions so far, for those to come.
    explorations: Explorations,
}

/// What is kept for the questions to come takes so many bytes at most.
const KEPT_MEMORY: u64 = 1 << 28;

/// Where memory is limited, it takes so small a part of it: the rest is for searches.
const KEPT_PART: u64 = 16;

impl Session {
    /// Begins with a model.
    pub fn new(model: &Model) -> Session {
        Session { model: model.clone(), explorations: Explorations::default() }
    }

    /// The model with as much room as it took so far.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Answers a question.
    pub fn check(
        &mut self,
        property: PropertyId,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Answer {
        timer::within(options, observer, |observer| self.answer(property, options, observer))
    }

    fn answer(
        &mut self,
        property: PropertyId,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Answer {
        if let Some(loaded) = &options.load_heuristic
            && let Err(why) = self.make_room(loaded.processes())
        {
            return self.unknown(property).because(why);
        }
        self.explorations.keep_within(self.memory_to_keep(options));
        loop {
            let explorations = &mut self.explorations;
            let answer = check_once(&self.model, property, options, explorations, observer);
            if !answer.lacks_room() {
                return answer;
            }
            observer.enters(Phase::Reload);
            let late = |cause| format!("{} before the model was read again", describe(cause));
            let why = match cancellation::attempt(|| self.model.with_more_room()) {
                Ok(Ok(Some(larger))) => {
                    self.model = larger;
                    continue;
                }
                // It is an error of the model after all.
                Ok(Ok(None)) => return answer,
                Ok(Err(refusal)) => refusal.to_string(),
                Err(cause) => late(cause),
            };
            return Answer { statistics: answer.statistics, ..self.unknown(property) }.because(why);
        }
    }

    /// How much memory may be spent on what another question may need.
    fn memory_to_keep(&self, options: &Options) -> u64 {
        match self.model.network.properties.len() {
            0 | 1 => 0,
            _ => {
                options.limits.memory.map_or(KEPT_MEMORY, |most| KEPT_MEMORY.min(most / KEPT_PART))
            }
        }
    }

    /// Sees to room for so many processes, if there is as much to be had.
    fn make_room(&mut self, processes: usize) -> Result<(), String> {
        let count = |model: &Model| model.network.processes.len();
        let more = || self.model.with_room(count, |&room| room < processes);
        let late = |cause| format!("{} before the model was read again", describe(cause));
        let (model, room) =
            cancellation::attempt(more).map_err(late)?.map_err(|refusal| refusal.to_string())?;
        if room == processes {
            self.model = model;
        }
        Ok(())
    }

    /// Whether a trace leads to goals of all these properties, or that it "does not ...".
    pub fn leads_to_goals(
        &mut self,
        properties: &[PropertyId],
        towards: &TraceFile,
    ) -> Result<(), String> {
        let all = |model: &Model| {
            properties.iter().try_for_each(|&it| goal::last_state(model, it, towards).map(|_| ()))
        };
        let tried = self.model.with_room(all, Result::is_err);
        let (model, result) = tried.map_err(|refusal| refusal.to_string())?;
        self.model = model;
        result
    }

    fn unknown(&self, property: PropertyId) -> Answer {
        Answer::unknown(&self.model, property)
    }
}

/// Answers a question, as far as there is room for processes.
fn check_once(
    model: &Model,
    property: PropertyId,
    options: &Options,
    explorations: &mut Explorations,
    observer: &mut dyn Observer,
) -> Answer {
    observer.enters(Phase::Search);
    let mut answer = Answer::unknown(model, property);
    let asked = &model.network.properties[property];
    if let Claim::Unsupported(why) = &asked.claim {
        return answer.because(why.clone());
    }
    let goal = options.towards.as_ref().map(|file| goal::last_state(model, property, file));
    let goal = match goal.transpose() {
        Ok(goal) => goal.flatten(),
        Err(why) => return answer.because(format!("the known trace {why}")),
    };
    let follow = |it| Given::follow(model, asked, it, options.states);
    let given = match options.improve.as_ref().map(follow).transpose() {
        Ok(given) => given,
        Err(why) => return answer.because(format!("the given trace does not fit: {why}")),
    };
    let given = given.as_ref();
    answer.given = given.map(Given::account);
    let goal = goal.as_ref().or(given.map(|given| &given.state));
    let asked = Asked { model, property: asked, options, goal, given };
    let searched = cancellation::attempt(|| search(asked, &mut answer, explorations, observer));
    observer.enters(Phase::Confirm);
    let (view, found, costs) = match searched {
        Ok(Ok(searched)) => searched,
        Ok(Err(why)) => return answer.because(why).or_given(asked),
        Err(cause) => return answer.because(describe(cause)).or_given(asked),
    };
    let view = found.view.as_ref().unwrap_or(&view);
    let confirmed = cancellation::attempt(|| match given {
        Some(given) => answer.improve(view, given, found.outcome),
        None => answer.judge(view, found.outcome, costs.as_ref()),
    });
    let late = |cause| format!("{} before the trace was confirmed", describe(cause));
    match confirmed {
        Ok(()) => answer,
        Err(cause) => answer.because(late(cause)).or_given(asked),
    }
}

fn describe(cause: Cause) -> &'static str {
    Reason::from(cause).describe()
}

/// What was searched, what was found there, and what steps cost.
type Searched<'a> = (View<'a>, Found<'a>, Option<Costs>);

/// Prepares a search and runs it.
fn search<'a>(
    asked: Asked<'a>,
    answer: &mut Answer,
    explorations: &mut Explorations,
    observer: &mut dyn Observer,
) -> Result<Searched<'a>, Explanation> {
    // Another question may have used up all patience.
    cancellation::check();
    let clock = Clock { start: Instant::now(), seconds: &mut answer.setup_seconds };
    let view = View::new(asked)?;
    let costs = view.costs();
    drop(clock);
    let clock = Clock { start: Instant::now(), seconds: &mut answer.seconds };
    let mut listener = Listener::new(observer, asked.options.limits);
    let found = view.search(costs.as_ref(), &mut Means { listener: &mut listener, explorations });
    drop(clock);
    let mut found = found?;
    answer.tables = std::mem::take(&mut found.tables);
    answer.saved_heuristic = found.saved.take();
    answer.proven_by = found.proven_by.map(|entry| entry.name);
    answer.cut_off = listener.reason(&found.statistics);
    answer.statistics = found.statistics;
    Ok((view, found, costs))
}

/// Adds the time until it is dropped, which may be because nobody has any patience left.
struct Clock<'a> {
    start: Instant,
    seconds: &'a mut f64,
}

impl Drop for Clock<'_> {
    fn drop(&mut self) {
        *self.seconds += self.start.elapsed().as_secs_f64();
    }
}

impl Answer {
    /// What the outcome of the search says about the property.
    fn judge(&mut self, view: &View, outcome: Outcome, costs: Option<&Costs>) {
        let (property, explorer) = (view.asked.property, &view.explorer);
        match outcome {
            Outcome::Unknown(reason) => self.reason = Some(reason.describe().into()),
            Outcome::Unreachable if property.beyond.is_some() => {
                self.reason = property.beyond.clone().map(Explanation::Words);
            }
            Outcome::Unreachable => {
                self.verdict = match property.claim {
                    Claim::Reachable(_) => Verdict::Violated,
                    _ => Verdict::Satisfied,
                };
            }
            Outcome::Reached { path, end, shortest } => match view.confirm(&path, &end) {
                Ok(witness) => {
                    self.accept(witness, property, shortest);
                    self.cost = costs.map(|costs| costs.of_path(explorer, &path));
                }
                Err(_) if !explorer.is_exact() => self.reason = Some(view.no_run().into()),
                Err(problem) => self.admit(&problem),
            },
        }
        self.may_have_errors = self.leaves_errors_open(view);
    }

    /// Whether the answer says nothing about run-time errors, and they cannot be excluded: a search that
    /// knows that the goal is out of reach, or has found it, does not look at the other states.
    fn leaves_errors_open(&self, view: &View) -> bool {
        let decided = self.verdict != Verdict::Unknown && !view.asked.property.counts_errors;
        decided && !self.statistics.complete && view.may_raise_errors()
    }
}
