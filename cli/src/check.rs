//! `vizsla check`: asks the library about every property, within the limits.

use crate::account::{self, Account, Entry};
use crate::arguments::{Check, Format};
use crate::exit::{Exit, report_defect};
use crate::improve::{self, Given};
use crate::output::Output;
use crate::progress::Watch;
use crate::watchdog::Watchdog;
use crate::{diagnostics, files, input, refusal, replay, report};
use network::cancellation::{self, Cause};
use network::{Claim, Diagnostic, Id, NO_ERRORS, PropertyId};
use std::time::Instant;
use vizsla::catalog::SEARCHES;
use vizsla::{Improvement, Input, Model, Options, Reason, Refusal, SavedHeuristic, Session};

/// The bytes of a saved heuristic, at most.
const LARGEST_HEURISTIC: u64 = 16 << 30;

/// Checks the properties that the user asks for.
pub fn run(arguments: &'static Check, output: &Output) -> Exit {
    let watchdog = Watchdog::start(arguments.memory_limit);
    let told = *output;
    watchdog.prepare(Box::new(move |cause| refuse_late(arguments, &told, cause)));
    let answered = watchdog.cancellation.during(|| check_all(arguments, output, &watchdog));
    watchdog.rest();
    match answered {
        Ok(exit) => exit,
        Err(Why::Refused(refusal)) => refuse(arguments, output, refusal),
        Err(Why::Late(cause)) => refuse_late(arguments, output, cause),
    }
}

/// Why nothing was searched.
enum Why {
    Refused(Refusal),
    /// The model could not be read within the limits.
    Late(Cause),
}

impl From<Refusal> for Why {
    fn from(refusal: Refusal) -> Why {
        Why::Refused(refusal)
    }
}

impl From<Cause> for Why {
    fn from(cause: Cause) -> Why {
        Why::Late(cause)
    }
}

fn check_all(arguments: &'static Check, output: &Output, watchdog: &Watchdog) -> Result<Exit, Why> {
    let start = Instant::now();
    watchdog.allow(arguments.time_limit);
    let chosen = cancellation::attempt(|| choose(arguments, output))??;
    let Chosen { model, properties, improvement } = chosen;
    watchdog.rest();
    let account = open_account(arguments, output, &model, &properties);
    let mut session = Session::new(&model);
    watchdog.allow(arguments.time_limit.map(|limit| limit.saturating_sub(start.elapsed())));
    let options = cancellation::attempt(|| options(arguments, &mut session, &properties))??;
    let options = Options { improve: improvement, ..options };
    let saved = cancellation::attempt(|| saved_heuristics(arguments, &properties))??;
    watchdog.rest();
    let last_words = account.clone();
    watchdog.prepare(Box::new(move |cause| last_words.give_up(cause)));
    for (&property, load_heuristic) in properties.iter().zip(saved) {
        let options = Options { load_heuristic, ..options.clone() };
        watchdog.allow(arguments.time_limit);
        let mut watch = Watch::new(watchdog, arguments.memory_limit);
        let answer = session.check(property, &options, &mut watch);
        watchdog.rest();
        let peak_memory = watch.peak().unwrap_or(answer.statistics.bytes);
        drop(watch);
        account.add(Entry { answer, peak_memory });
    }
    Ok(account.conclude())
}

/// What is to be checked.
struct Chosen {
    model: Model,
    properties: Vec<PropertyId>,
    improvement: Option<Improvement>,
}

/// Loads the model and finds what is to be checked.
fn choose(arguments: &Check, output: &Output) -> Result<Chosen, Refusal> {
    let chosen = match arguments.improved() {
        Some(improved) => {
            check_shortening(arguments)?;
            let given = improve::read(arguments, improved, output)?;
            let Given { model, property, improvement } = given;
            Chosen { model, properties: vec![property], improvement: Some(improvement) }
        }
        None => choose_properties(arguments)?,
    };
    let Chosen { model, properties, .. } = &chosen;
    if arguments.trail.is_some() && !model.is_promela() {
        let message = "--trail writes trails of Promela models only; use --trace";
        return Err(Refusal::because(Diagnostic::error(message)));
    }
    check_costs(model, arguments)?;
    check_places(model, arguments, properties)?;
    Ok(chosen)
}

fn choose_properties(arguments: &Check) -> Result<Chosen, Refusal> {
    let query_file = arguments.query_file.as_ref();
    let model = Model::load(Input {
        model: input::source(&arguments.model, "model")?,
        language: arguments.language.map(Into::into),
        query_file: query_file.map(|path| input::source(path, "query file")).transpose()?,
        queries: arguments.query.clone(),
        errors: arguments.errors,
        promela: arguments.promela.reading(),
    })?;
    let properties = properties(&model, arguments)?;
    match model.refusal(&properties) {
        Some(refusal) => Err(refusal),
        None => Ok(Chosen { model, properties, improvement: None }),
    }
}

/// How to look for answers, with a trace that leads to a goal of every property, if there is one.
fn options(
    arguments: &Check,
    session: &mut Session,
    properties: &[PropertyId],
) -> Result<Options, Refusal> {
    let options = arguments.options();
    let Some(path) = &arguments.towards else { return Ok(options) };
    let refusal = |why: String| Refusal::because(Diagnostic::error(why));
    let file = replay::read_trace(path).map_err(|problem| refusal(format!("{problem:#}")))?;
    let misfit = |why| refusal(format!("the trace in `{}` {why}", path.display()));
    session.leads_to_goals(properties, &file).map_err(misfit)?;
    Ok(Options { towards: Some(file), ..options })
}

/// The heuristics that were saved for the properties.
fn saved_heuristics(
    arguments: &Check,
    properties: &[PropertyId],
) -> Result<Vec<Option<SavedHeuristic>>, Refusal> {
    let Some(path) = &arguments.load_heuristic else { return Ok(vec![None; properties.len()]) };
    let read = |id: &PropertyId| {
        let path = account::place(path, properties.len(), id.index() + 1);
        let bytes = input::bytes(&path, LARGEST_HEURISTIC);
        let heuristic = bytes.and_then(|bytes| SavedHeuristic::from_bytes(&bytes));
        heuristic.map(Some).map_err(|why| {
            let message = format!("cannot load the heuristic in `{}`: {why}", path.display());
            Refusal::because(Diagnostic::error(message))
        })
    };
    properties.iter().map(read).collect()
}

/// Whether traces and heuristics can be written where the user wants them without losing what was read.
fn check_places(
    model: &Model,
    arguments: &Check,
    properties: &[PropertyId],
) -> Result<(), Box<Diagnostic>> {
    let Check { trace, trail, save_heuristic, .. } = arguments;
    let written = [("trace", trace), ("trace", trail), ("heuristic", save_heuristic)];
    for (what, path) in written.into_iter().filter_map(|(what, path)| Some((what, path.as_ref()?)))
    {
        for id in properties {
            let place = account::place(path, properties.len(), id.index() + 1);
            files::refuse_input(&place, &model.files).map_err(|why| {
                let message = format!("cannot write a {what} to `{}`: {why}", place.display());
                Box::new(Diagnostic::error(message))
            })?;
        }
    }
    Ok(())
}

fn refuse(arguments: &Check, output: &Output, refusal: Refusal) -> Exit {
    match refusal::diagnostics(refusal) {
        Err(what) => {
            report_defect(&what);
            Exit::Defect
        }
        Ok(diagnostics) => {
            diagnostics::show(output, &diagnostics);
            if arguments.format == Format::Json {
                let path = input::name(&arguments.model);
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
    refuse(arguments, output, Refusal::because(Diagnostic::error(message)));
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

/// Whether the search can look for something shorter.
fn check_shortening(arguments: &Check) -> Result<(), Box<Diagnostic>> {
    if arguments.search.can_improve() {
        return Ok(());
    }
    let name = arguments.search.name();
    let message = format!("--improve: the search {name} does not look at lengths");
    let able = SEARCHES.iter().filter(|search| search.bounds_lengths()).map(|search| search.name);
    let hint = format!("these do: auto, anytime, {}", able.collect::<Vec<_>>().join(", "));
    Err(Box::new(Diagnostic::error(message).hint(hint)))
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
    arguments.cost.iter().try_for_each(|rule| {
        rule.check(&model.network).map_err(|mut problem| {
            problem.message = format!("--cost: {}", problem.message);
            problem
        })
    })
}

/// Begins to tell: what is odd about the model, and what is asked.
fn open_account(
    arguments: &'static Check,
    output: &Output,
    model: &Model,
    properties: &[PropertyId],
) -> Account {
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
