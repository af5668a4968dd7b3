//! `vizsla check`: searches for an answer to every property and confirms it before it is reported.

use crate::account::{self, Account};
use crate::arguments::{Check, Format, SearchName};
use crate::cut_off::Listener;
use crate::exit::{Exit, report_defect};
use crate::finding::Finding;
use crate::follow::{self, Told};
use crate::json::TraceFile;
use crate::load::{self, Model, PromelaRequest, Refusal, Request};
use crate::output::Output;
use crate::progress::Watch;
use crate::watchdog::Watchdog;
use crate::{diagnostics, files, memory, report, towards};
use explore::{End, Explorer};
use network::patience::{self, Cause};
use network::{
    Claim, Diagnostic, Ending, ErrorKind, Failure, Id, NO_ERRORS, Property, PropertyId,
    RunTimeError, Trace,
};
use reduce::{Passes, Reduced};
use replay::State;
use search::catalog::{self, Named, SEARCHES, Search, Settings};
use search::heuristics::may_raise_errors;
use search::{
    Best, Costs, Ground, Hunt, Limits, Observer, Outcome, Parts, Plan, Problem, Reason, Statistics,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The answer to one property.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The number of the property, from 1.
    pub number: usize,
    /// The property, as the user wrote it.
    pub query: String,
    /// The answer.
    pub verdict: Verdict,
    /// Why the answer is unknown, or what it means that there is no trace.
    pub reason: Option<String>,
    /// The run-time error that was found instead of an answer.
    pub error: Option<RunTimeError>,
    /// Whether there may be run-time errors that nobody looked for.
    pub may_have_errors: bool,
    /// What is wrong with the query, if that is why the answer is unknown.
    pub mistakes: Vec<Diagnostic>,
    /// The trace that proves it.
    pub trace: Option<TraceFile>,
    /// What it leads to.
    pub finding: Option<Finding>,
    /// Whether no shorter trace exists; no cheaper one, if steps have costs.
    pub shortest: bool,
    /// What ended the search for a shorter one early.
    pub cut_off: Option<Reason>,
    /// What the trace costs, if steps have costs.
    pub cost: Option<u64>,
    /// What the search did.
    pub statistics: Statistics,
    /// The seconds that the search took.
    pub seconds: f64,
    /// The seconds that loading the model and preparing the search took.
    pub setup_seconds: f64,
    /// The greatest number of bytes that the process took.
    pub peak_memory: u64,
    /// Whether the program contradicted itself.
    pub defect: bool,
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
}

impl Answer {
    /// The answer as an exit code.
    pub fn exit(&self) -> Exit {
        match self.verdict {
            _ if self.defect => Exit::Defect,
            _ if self.error.is_some() => Exit::Violated,
            Verdict::Satisfied => Exit::Satisfied,
            Verdict::Violated => Exit::Violated,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

/// Checks the properties that the user asks for.
pub fn run(arguments: &'static Check, output: &Output) -> Exit {
    let watchdog = Watchdog::start(arguments.memory_limit);
    let told = *output;
    watchdog.prepare(Box::new(move |cause| refuse_late(arguments, &told, cause)));
    let mut spent = Spent::new(arguments.time_limit);
    let (mut slots, mut processes, mut account) = (load::FEWEST_SLOTS, 0, None);
    loop {
        watchdog.allow(spent.left(0));
        let start = Instant::now();
        let chosen = patience::attempt(|| choose(arguments, slots));
        spent.add(0, start);
        watchdog.rest();
        let last = slots >= load::MOST_SLOTS;
        let answered = match chosen {
            Err(cause) => Some(refuse_late(arguments, output, cause)),
            Ok(Err(refusal)) => Some(refuse(arguments, output, refusal)),
            // There is no more room than there was.
            Ok(Ok(chosen)) if chosen.model.network.processes.len() == processes && !last => {
                slots = load::MOST_SLOTS;
                continue;
            }
            Ok(Ok(chosen)) => {
                processes = chosen.model.network.processes.len();
                check_all(arguments, output, &watchdog, &chosen, last, &mut spent, &mut account)
            }
        };
        match answered {
            Some(exit) => return exit,
            // A loop starts more processes than there is room for: try again with more room.
            None => slots = load::more_slots(slots),
        }
    }
}

/// The time that was spent on the model and on each property, tries with less room included.
struct Spent {
    limit: Option<Duration>,
    /// By the number of the property; that of the model is 0.
    times: HashMap<usize, Duration>,
}

impl Spent {
    fn new(limit: Option<Duration>) -> Spent {
        Spent { limit, times: HashMap::default() }
    }

    fn left(&self, number: usize) -> Option<Duration> {
        let spent = self.times.get(&number).copied().unwrap_or_default();
        self.limit.map(|limit| limit.saturating_sub(spent))
    }

    fn add(&mut self, number: usize, start: Instant) {
        *self.times.entry(number).or_default() += start.elapsed();
    }
}

/// What is to be checked.
struct Chosen {
    model: Arc<Model>,
    properties: Vec<PropertyId>,
}

/// Loads the model and finds what is to be checked.
fn choose(arguments: &Check, slots: u32) -> Result<Chosen, Refusal> {
    let request = Request {
        model: &arguments.model,
        query_file: arguments.query_file.as_deref(),
        queries: &arguments.query,
        errors: arguments.errors,
        language: arguments.language,
        promela: PromelaRequest { arguments: Some(&arguments.promela), slots },
    };
    let refusal = |problem: Box<Diagnostic>| Refusal::Input(vec![*problem]);
    let model = load::load(&request)?;
    let properties = properties(&model, arguments).map_err(refusal)?;
    if let Some(refusal) = model.refusal(&properties) {
        return Err(refusal);
    }
    if arguments.trail.is_some() && model.numbering.is_none() {
        let message = "--trail writes trails of Promela models only; use --trace";
        return Err(refusal(Box::new(Diagnostic::error(message))));
    }
    check_costs(&model, arguments).map_err(refusal)?;
    check_places(&model, arguments, &properties).map_err(refusal)?;
    Ok(Chosen { model: Arc::new(model), properties })
}

/// Whether traces can be written where the user wants them without losing what was read.
fn check_places(
    model: &Model,
    arguments: &Check,
    properties: &[PropertyId],
) -> Result<(), Box<Diagnostic>> {
    for path in [&arguments.trace, &arguments.trail].into_iter().flatten() {
        for id in properties {
            let place = account::place(path, properties.len(), id.index() + 1);
            files::refuse_input(&place, &model.files).map_err(|why| {
                let message = format!("cannot write a trace to `{}`: {why}", place.display());
                Box::new(Diagnostic::error(message))
            })?;
        }
    }
    Ok(())
}

fn refuse(arguments: &Check, output: &Output, refusal: Refusal) -> Exit {
    match refusal {
        Refusal::Defect(what) => {
            report_defect(&what);
            Exit::Defect
        }
        Refusal::Input(diagnostics) => {
            diagnostics::show(output, &diagnostics);
            if arguments.format == Format::Json {
                let path = load::name(&arguments.model);
                output.print_data(&report::json::refusal(&path, &diagnostics));
            }
            Exit::Wrong
        }
    }
}

/// Says that the model could not be read within the limits.
fn refuse_late(arguments: &Check, output: &Output, cause: Cause) -> Exit {
    let reason = Reason::from(cause).describe();
    let message = format!("{reason} before the model was read");
    refuse(arguments, output, Refusal::Input(vec![Diagnostic::error(message)]));
    Exit::Unknown
}

/// The properties to check.
fn properties(model: &Model, arguments: &Check) -> Result<Vec<PropertyId>, Box<Diagnostic>> {
    let all: Vec<PropertyId> = model.network.properties.ids().collect();
    if all.is_empty() {
        let message = format!("there is no query to check in `{}`", model.path);
        let hint = "give one with --query 'E<> ...', or a file of queries after the model";
        return Err(Box::new(Diagnostic::error(message).hint(hint)));
    }
    if arguments.query_index.is_empty() {
        return Ok(all);
    }
    let find = |&number: &usize| {
        number.checked_sub(1).and_then(|index| all.get(index).copied()).ok_or_else(|| {
            let message = format!("there is no query number {number}");
            let hint = format!("queries are numbered from 1 to {}; see `vizsla info`", all.len());
            Box::new(Diagnostic::error(message).hint(hint))
        })
    };
    let errors = |id: &PropertyId| model.network.properties[*id].text == NO_ERRORS;
    let errors = all.iter().copied().filter(|id| arguments.errors && errors(id)).map(Ok);
    arguments.query_index.iter().map(find).chain(errors).collect()
}

/// Whether the search looks at costs, and the rules for them make sense.
fn check_costs(model: &Model, arguments: &Check) -> Result<(), Box<Diagnostic>> {
    if !arguments.cost.is_empty() && !arguments.search.takes_costs() {
        let name = arguments.search.name();
        let message = format!("--cost: the search {name} does not look at costs");
        let able = SEARCHES.iter().filter(|search| search.takes_costs()).map(|search| search.name);
        let hint = format!("these do: {}", able.collect::<Vec<_>>().join(", "));
        return Err(Box::new(Diagnostic::error(message).hint(hint)));
    }
    arguments.cost.iter().try_for_each(|rule| rule.check(&model.network))
}

fn check_all(
    arguments: &'static Check,
    output: &Output,
    watchdog: &Watchdog,
    chosen: &Chosen,
    final_try: bool,
    spent: &mut Spent,
    account: &mut Option<Account>,
) -> Option<Exit> {
    let Chosen { model, properties } = chosen;
    let account = match account.take() {
        Some(earlier) => account.insert(earlier.goes_on(model)),
        None => account.insert(open_account(arguments, output, chosen)),
    };
    watchdog.allow(spent.left(0));
    let towards = arguments.towards.as_deref();
    let goals = patience::attempt(|| towards::last_states(towards, model, properties));
    watchdog.rest();
    let goals = match goals {
        Ok(Ok(goals)) => goals,
        Err(cause) => return Some(refuse_late(arguments, output, cause)),
        // The trace may need room for more processes.
        Ok(Err(_)) if !final_try && model.numbering.is_some() => return None,
        Ok(Err(why)) => {
            let refusal = Refusal::Input(vec![Diagnostic::error(why)]);
            return Some(refuse(arguments, output, refusal));
        }
    };
    let last_words = account.clone();
    watchdog.prepare(Box::new(move |cause| last_words.give_up(cause)));
    for (&property, goal) in properties.iter().zip(goals).skip(account.count()) {
        let number = property.index() + 1;
        watchdog.allow(spent.left(number));
        let start = Instant::now();
        let answer = check(arguments, watchdog, model, property, goal.as_ref());
        spent.add(number, start);
        watchdog.rest();
        if !final_try && answer.error.as_ref().is_some_and(is_lack_of_room) {
            return None;
        }
        account.add(answer);
    }
    Some(account.conclude())
}

/// Begins to tell: what is odd about the model, and what is asked.
fn open_account(arguments: &'static Check, output: &Output, chosen: &Chosen) -> Account {
    let Chosen { model, properties } = chosen;
    diagnostics::show(output, &model.warnings);
    if let Some(path) = &model.found_queries {
        output.note(&format!("the model has no queries of its own; those in {path} are used"));
    }
    Account::new(arguments, output, model, properties, before_all(model, properties))
}

/// A wrong query is no reason to fail while others can be answered.
fn before_all(model: &Model, properties: &[PropertyId]) -> Exit {
    let is_open =
        |id: &PropertyId| matches!(model.network.properties[*id].claim, Claim::Unsupported(_));
    let is_wrong = |id: &PropertyId| model.mistakes.contains_key(id);
    match properties.iter().all(is_open) && properties.iter().any(is_wrong) {
        true => Exit::Wrong,
        false => Exit::Satisfied,
    }
}

/// Answers one property.
fn check(
    arguments: &Check,
    watchdog: &Watchdog,
    model: &Model,
    id: PropertyId,
    goal: Option<&State>,
) -> Answer {
    memory::forget_peak();
    let property = &model.network.properties[id];
    let mut answer = Answer::unknown(id, property, model.seconds);
    if let Claim::Unsupported(why) = &property.claim {
        answer.mistakes = model.mistakes.get(&id).cloned().unwrap_or_default();
        return answer.because(why.clone());
    }
    let asked = Asked { arguments, model, property, goal };
    let searched = patience::attempt(|| asked.search(&mut answer));
    watchdog.allow_to_confirm();
    answer.peak_memory = memory::peak().unwrap_or(answer.statistics.bytes);
    let (view, found, costs) = match searched {
        Ok(Ok(searched)) => searched,
        Ok(Err(why)) => return answer.because(why),
        Err(cause) => return answer.because(Reason::from(cause).describe()),
    };
    let outcome = found.outcome;
    let view = found.view.as_ref().unwrap_or(&view);
    let confirmed = patience::attempt(|| {
        answer.judge(view, outcome, costs.as_ref());
        answer.may_have_errors = answer.leaves_errors_open(view);
    });
    match confirmed {
        Ok(()) => answer,
        Err(cause) => {
            let reason = Reason::from(cause).describe();
            answer.because(format!("{reason} before the trace was confirmed"))
        }
    }
}

/// The search that finds what is cheapest.
fn optimal() -> &'static Search {
    &catalog::ASTAR
}

/// What is asked.
#[derive(Clone, Copy)]
struct Asked<'a> {
    arguments: &'a Check,
    model: &'a Model,
    property: &'a Property,
    /// A state that is known to satisfy the goal.
    goal: Option<&'a State>,
}

impl<'a> Asked<'a> {
    /// Prepares a search and runs it.
    fn search(&self, answer: &mut Answer) -> Result<(View<'a>, Found<'a>, Option<Costs>), String> {
        let arguments = self.arguments;
        // Another property may have used up all patience.
        patience::check();
        let clock = Clock { start: Instant::now(), seconds: &mut answer.setup_seconds };
        let view = View::of(self, passes(arguments))?;
        let rules = &arguments.cost;
        let costs = (!rules.is_empty()).then(|| Costs::by_rules(&view.problem(), rules));
        drop(clock);
        let clock = Clock { start: Instant::now(), seconds: &mut answer.seconds };
        let mut watch = Watch::start(arguments.memory_limit);
        let mut listener = Listener::new(&mut watch, arguments.max_states);
        let found = match arguments.search {
            SearchName::Plan(plan) if costs.is_none() => view.hunt(plan, &mut listener),
            SearchName::Plan(_) => view.search(optimal(), costs.as_ref(), &mut listener),
            SearchName::One(search) => view.search(search, costs.as_ref(), &mut listener),
        };
        drop(clock);
        let found = found?;
        answer.cut_off = listener.reason(&found.statistics);
        answer.statistics = found.statistics;
        Ok((view, found, costs))
    }
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

/// A question, and the network on which it is answered.
struct View<'a> {
    asked: Asked<'a>,
    passes: Passes,
    reduced: Reduced,
    explorer: Explorer,
    known_goal: Option<Vec<i32>>,
}

/// What a search found.
struct Found<'a> {
    outcome: Outcome,
    statistics: Statistics,
    /// Where it was found, if not in the view that was searched first.
    view: Option<View<'a>>,
}

impl<'a> View<'a> {
    fn of(asked: &Asked<'a>, passes: Passes) -> Result<View<'a>, String> {
        let Asked { arguments, model, property, goal } = *asked;
        let reduced = reduce::reduce(&model.network, property, passes);
        let abstraction = arguments.abstraction.abstraction();
        let explorer = Explorer::compile(reduced.network.clone(), Some(property), abstraction)
            .map_err(|error| place_of(model, &error))?;
        let known_goal = goal.map(|state| towards::words_of(state, &explorer.layout));
        Ok(View { asked: *asked, passes, reduced, explorer, known_goal })
    }

    fn problem(&self) -> Problem<'_> {
        Problem { known_goal: self.known_goal.as_deref(), ..Problem::of(&self.explorer) }
    }

    fn limits(&self) -> Limits {
        Limits { max_states: self.asked.arguments.max_states, ..Limits::default() }
    }

    /// Runs one search.
    fn search(
        &self,
        search: &Search,
        costs: Option<&Costs>,
        observer: &mut dyn Observer,
    ) -> Result<Found<'a>, String> {
        let arguments = self.asked.arguments;
        let (settings, problem) = (arguments.settings(), self.problem());
        let parts = plug(search, arguments.heuristic.0, &settings, &problem, costs)?;
        let configuration = search.configuration(&settings);
        let (outcome, statistics) =
            search::run_with(&self.explorer, &configuration, parts, &self.limits(), observer);
        Ok(Found { outcome, statistics, view: None })
    }

    /// Runs a plan. The first trace is looked for where steps are merged, so that states are few; but
    /// the shortest need not be one of merged steps.
    fn hunt(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<Found<'a>, String> {
        let (arguments, limits) = (self.asked.arguments, self.limits());
        let mut hunt = Hunt::new(plan, &arguments.settings(), &limits, observer);
        let lengths = self.reduced.has_merged().then(|| {
            Costs::of_lengths(&self.problem(), |process, edge| self.reduced.length(process, edge))
        });
        let ground = Ground { problem: self.problem(), lengths: lengths.as_ref() };
        let first = hunt.find(&ground, arguments.heuristic.0)?;
        if !first.outcome.is_unproven() || lacks_room(&first.outcome) {
            let statistics = hunt.statistics();
            return Ok(Found { outcome: first.outcome, statistics, view: None });
        }
        let unmerged = Passes { merge: false, ..self.passes };
        let exact =
            patience::attempt(|| lengths.is_some().then(|| View::of(&self.asked, unmerged)));
        let Ok(exact) = exact else {
            let statistics = hunt.statistics();
            return Ok(Found { outcome: first.outcome, statistics, view: None });
        };
        let exact = exact.transpose()?;
        let problem = exact.as_ref().unwrap_or(self).problem();
        let Best { outcome, is_exact, .. } =
            hunt.shorten(first, &ground, &Ground { problem, lengths: None })?;
        let view = exact.filter(|_| is_exact);
        Ok(Found { outcome, statistics: hunt.statistics(), view })
    }

    /// The trace of a path, as one of the model itself, confirmed by `replay`.
    fn confirm(&self, path: &explore::Path, end: &End) -> Result<(Trace, Told), String> {
        let Asked { arguments, model, property, .. } = self.asked;
        let trace = self.explorer.trace(path, end);
        let trace = trace.map_err(|problem| format!("it has no delays ({problem:?})"))?;
        let say = |mismatch: replay::Mismatch| mismatch.to_string();
        let trace = match self.reduced.is_original() {
            true => replay::check(&model.network, Some(property), &trace).map(|_| trace),
            false => {
                let trace = self.reduced.expand(&trace);
                replay::with_changes(&model.network, Some(property), trace)
            }
        };
        let trace = trace.map_err(say)?;
        let told = follow::tell(model, property, &trace, arguments.states)?;
        Ok((trace, told))
    }
}

/// The heuristic and the guidance that a search needs.
fn plug<'a>(
    search: &Search,
    heuristic: Option<&'static Named>,
    settings: &Settings,
    problem: &Problem<'a>,
    costs: Option<&'a Costs>,
) -> Result<Parts<'a>, String> {
    if !search.is_directed() {
        return Ok(Parts { costs, ..Parts::default() });
    }
    let entry = heuristic.unwrap_or_else(|| search.usual_heuristic(problem));
    let mut heuristic = entry.build(problem)?;
    let guidance = search.guidance(problem, settings, &mut *heuristic);
    let guidance = guidance
        .map_err(|why| format!("--search {} --heuristic {}: {why}", search.name, entry.name))?;
    Ok(Parts { heuristic: Some(heuristic), guidance, costs, ..Parts::default() })
}

/// Whether the search ended because there was no room for another process: a reason to begin again with
/// more, not something to look at more closely.
fn lacks_room(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Reached { end: End::Error(raised), .. } => is_lack_of_room(&raised.error),
        _ => false,
    }
}

fn is_lack_of_room(error: &RunTimeError) -> bool {
    error.kind == ErrorKind::Failure(Failure::NoRoom)
}

/// Which reductions may be made: merged steps are fewer, so the shortest trace need not be one of
/// them; a plan takes that into account.
fn passes(arguments: &Check) -> Passes {
    let clear = !arguments.plain;
    let minds_lengths = match arguments.search {
        SearchName::Plan(_) => !arguments.cost.is_empty(),
        SearchName::One(search) => search.configuration(&arguments.settings()).minds_costs(),
    };
    Passes { clear, merge: clear && !minds_lengths }
}

fn place_of(model: &Model, error: &explore::CompileError) -> String {
    match model.source_path(error.span) {
        Some(path) => {
            format!("{} ({path}:{}:{})", error.message, error.span.line, error.span.column)
        }
        None => error.message.clone(),
    }
}

/// Said when the zones promise a path for which no run exists or none was found.
fn no_run(explorer: &Explorer) -> String {
    let why = if explorer.traits().stopwatches {
        "the model stops clocks"
    } else {
        "the model has clock guards on edges of urgent channels"
    };
    format!(
        "{why}, so zones describe more than it can do, and no concrete run was found for the path \
         that the search returned"
    )
}

impl Answer {
    /// Nothing is known.
    pub fn unknown(id: PropertyId, property: &Property, setup_seconds: f64) -> Answer {
        Answer {
            number: id.index() + 1,
            query: property.text.clone(),
            verdict: Verdict::Unknown,
            reason: None,
            error: None,
            may_have_errors: false,
            mistakes: Vec::new(),
            trace: None,
            finding: None,
            shortest: false,
            cut_off: None,
            cost: None,
            statistics: Statistics::default(),
            seconds: 0.0,
            setup_seconds,
            peak_memory: memory::peak().unwrap_or(0),
            defect: false,
        }
    }

    /// Says why.
    pub fn because(self, reason: impl Into<String>) -> Answer {
        Answer { reason: Some(reason.into()), ..self }
    }

    /// What the outcome of the search says about the property.
    fn judge(&mut self, view: &View, outcome: Outcome, costs: Option<&Costs>) {
        let (property, explorer) = (view.asked.property, &view.explorer);
        let reachable = matches!(property.claim, Claim::Reachable(_));
        match outcome {
            Outcome::Unknown(reason) => self.reason = Some(reason.describe().to_string()),
            Outcome::Unreachable if property.beyond.is_some() => {
                self.reason = property.beyond.clone();
            }
            Outcome::Unreachable if reachable => self.verdict = Verdict::Violated,
            Outcome::Unreachable => self.verdict = Verdict::Satisfied,
            Outcome::Reached { path, end, shortest } => match view.confirm(&path, &end) {
                Ok((trace, told)) => {
                    self.accept(&trace, reachable, property.counts_errors, shortest);
                    self.cost = costs.map(|costs| costs.of_path(explorer, &path));
                    self.trace = Some(told.file);
                    self.finding = Some(told.finding);
                }
                Err(_) if !explorer.is_exact() => self.reason = Some(no_run(explorer)),
                Err(problem) => self.admit(&problem),
            },
        }
    }

    /// Whether the answer says nothing about run-time errors, and they cannot be excluded: a search that
    /// knows that the goal is out of reach, or has found it, does not look at the other states.
    fn leaves_errors_open(&self, view: &View) -> bool {
        let decided = self.verdict != Verdict::Unknown && !view.asked.property.counts_errors;
        decided && !self.statistics.complete && may_raise_errors(&view.problem())
    }

    fn accept(&mut self, trace: &Trace, reachable: bool, counts_errors: bool, shortest: bool) {
        match &trace.ending {
            Ending::Goal if reachable => self.verdict = Verdict::Satisfied,
            Ending::Goal => self.verdict = Verdict::Violated,
            Ending::Error { error, .. } if counts_errors => {
                self.verdict = Verdict::Violated;
                self.error = Some(error.clone());
            }
            Ending::Error { error, .. } => {
                self.reason = Some(format!("run-time error of the model: {}", error.kind));
                self.error = Some(error.clone());
            }
        }
        // Nothing is shorter than no step at all.
        let shortest = shortest || trace.steps.is_empty();
        self.shortest = shortest && (trace.ending == Ending::Goal || counts_errors);
    }

    fn admit(&mut self, problem: &str) {
        let what = format!("the search found a path that is no run of the model: {problem}");
        report_defect(&format!("{what}\n  property {}", self.query));
        self.reason = Some(format!("internal defect: {what}"));
        self.defect = true;
    }
}
