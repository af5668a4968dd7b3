//! `vizsla replay`: checks a saved trace against its model, without searching.

use crate::arguments::{self, Replay};
use crate::check::Verdict;
use crate::diagnostics;
use crate::exit::{Exit, report_defect};
use crate::follow::{self, Told};
use crate::json::{ChangeEntry, EdgeEntry, HeldEntry, TraceFile};
use crate::load::{self, Model, PromelaRequest, Refusal, Request, STDIN};
use crate::output::Output;
use crate::trail::{self, End, Misfit, Reading};
use crate::{report, words};
use anyhow::{Context, Result, anyhow, bail};
use network::{Claim, Diagnostic, Ending, Network, Property, RunTimeError, Step, Trace};
use promela::trail::Trail;
use replay::State;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

/// Traces are smaller than this by far.
const LARGEST: u64 = 1 << 30;

/// Checks the trace and says whether it is right.
pub fn run(arguments: &Replay, output: &Output) -> Exit {
    let replayed = read(arguments.trace()).and_then(|saved| match saved {
        Saved::Trace(file) => {
            let path = find_model(arguments, &file)?;
            Ok(replay(arguments, &path, &file, output))
        }
        Saved::Trail(trail) => {
            let path = model_of_trail(arguments)?;
            Ok(replay_trail(arguments, &path, &trail, output))
        }
    });
    match replayed {
        Err(problem) => {
            output.complain(&format!("{problem:#}"));
            Exit::Wrong
        }
        Ok(Err(Refusal::Defect(what))) => {
            report_defect(&what);
            Exit::Defect
        }
        Ok(Err(Refusal::Input(diagnostics))) => {
            diagnostics::show(output, &diagnostics);
            Exit::Wrong
        }
        Ok(Ok(exit)) => exit,
    }
}

/// What was saved.
enum Saved {
    Trace(Box<TraceFile>),
    Trail(Trail),
}

fn read(path: &Path) -> Result<Saved> {
    let name = load::name(path);
    let bytes = load::bytes(path, LARGEST).map_err(|why| anyhow!("cannot read `{name}`: {why}"))?;
    if path.extension().is_some_and(|it| it == "trail") || Trail::is_likely(&bytes) {
        let text = String::from_utf8_lossy(&bytes);
        let trail = Trail::parse(&text).with_context(|| format!("`{name}` is not a trail"))?;
        return Ok(Saved::Trail(trail));
    }
    Ok(Saved::Trace(Box::new(parse_trace(&name, &bytes)?)))
}

/// Whether a file is a trace or a trail.
pub fn is_saved(path: &Path) -> bool {
    read(path).is_ok()
}

/// Reads a trace written by `vizsla check --trace`.
pub fn read_trace(path: &Path) -> Result<TraceFile> {
    match read(path)? {
        Saved::Trace(file) => Ok(*file),
        Saved::Trail(_) => bail!("`{}` is a trail, not a trace", load::name(path)),
    }
}

fn parse_trace(name: &str, bytes: &[u8]) -> Result<TraceFile> {
    let file: TraceFile =
        serde_json::from_slice(bytes).with_context(|| format!("`{name}` is not a trace"))?;
    if file.scale < 1 {
        bail!("`{name}` is not a trace: its scale is {}", file.scale);
    }
    Ok(file)
}

/// The model: as the user says, or as the trace says, seen from the trace or from here.
fn find_model(arguments: &Replay, file: &TraceFile) -> Result<PathBuf> {
    if let Some(path) = arguments.model() {
        return Ok(path.to_path_buf());
    }
    if file.model == STDIN {
        bail!("the model was read from standard input: name it with --model");
    }
    let candidates = load::candidates(&file.model, arguments.trace());
    let found = candidates.iter().find(|path| path.exists());
    let missing = || format!("the model `{}` was not found: name it with --model", file.model);
    found.cloned().with_context(missing)
}

fn replay(
    arguments: &Replay,
    path: &Path,
    file: &TraceFile,
    output: &Output,
) -> Result<Exit, Refusal> {
    let Checked { model, property, result } = verify_with_room(arguments, path, file)?;
    let mut text = format!("model  {}\n", words::visible(&model.path));
    text.push_str(&format!("query  {}\n\n", report::text::one_line(&property.text)));
    if file.model_hash.as_ref().is_some_and(|hash| *hash != model.fingerprint) {
        output.warn(
            "the model, or what -D defines, has changed since the trace was written; the trace is \
             checked against the model as it is now",
        );
    }
    let exit = match result {
        Ok((told, ending)) => {
            let steps = Some(&told.file).filter(|_| !arguments.no_trace);
            let error = error_of(&ending);
            text.push_str(&report::text::run(&model, steps, Some(&told.finding), error, output));
            text.push_str(&confirmed(&property, &ending, file, output));
            Exit::Satisfied
        }
        Err(mismatch) => {
            text.push_str(&format!("{}: {mismatch}\n", output.paint.red("wrong")));
            Exit::Violated
        }
    };
    Ok(if output.print(&text) { exit } else { Exit::Wrong })
}

/// A trace held against its model: what it tells and how it ends, or the first thing that is wrong.
struct Checked {
    model: Model,
    property: Property,
    result: Result<(Told, Ending), String>,
}

fn error_of(ending: &Ending) -> Option<&RunTimeError> {
    match ending {
        Ending::Error { error, .. } => Some(error),
        Ending::Goal => None,
    }
}

/// `ok: violated · 12 steps in 3 time units, all of them checked`.
fn confirmed(property: &Property, ending: &Ending, file: &TraceFile, output: &Output) -> String {
    let verdict = match (ending, &property.claim) {
        (Ending::Error { .. }, _) if property.counts_errors => Verdict::Violated,
        (Ending::Error { .. }, _) => Verdict::Unknown,
        (Ending::Goal, Claim::Reachable(_)) => Verdict::Satisfied,
        (Ending::Goal, _) => Verdict::Violated,
    };
    let steps = words::counted(file.steps.len() as u64, "step");
    let time =
        if file.time == "0" { String::new() } else { format!(" in {} time units", file.time) };
    let word = output.paint.green("ok");
    format!("{word}: {} · {steps}{time}, all of it checked\n", verdict.name())
}

/// Verifies a trace; where a model starts processes in loops, with as much room as it takes.
fn verify_with_room(arguments: &Replay, path: &Path, file: &TraceFile) -> Result<Checked, Refusal> {
    let (mut slots, mut processes, mut first) = (load::FEWEST_SLOTS, 0, None);
    loop {
        let (model, property) = load_for(arguments, path, file, slots)?;
        let mismatch = match verify(&model, &property, file, arguments.states) {
            Ok(told) => return Ok(Checked { model, property, result: Ok(told) }),
            Err(mismatch) => first.get_or_insert(mismatch).clone(),
        };
        let grown = model.network.processes.len() > processes && model.numbering.is_some();
        if !grown || slots >= load::MOST_SLOTS {
            return Ok(Checked { model, property, result: Err(mismatch) });
        }
        (slots, processes) = (load::more_slots(slots), model.network.processes.len());
    }
}

/// The model with the property of the trace.
fn load_for(
    arguments: &Replay,
    path: &Path,
    file: &TraceFile,
    slots: u32,
) -> Result<(Model, Property), Refusal> {
    let queries = from_ref(&file.query);
    let promela = PromelaRequest { arguments: Some(&arguments.promela), slots };
    let language = arguments.language;
    let request =
        Request { model: path, query_file: None, queries, errors: false, language, promela };
    let model = load::load(&request)?;
    let asked: Vec<_> = model.network.properties.ids().collect();
    match model.refusal(&asked) {
        Some(refusal) => Err(refusal),
        None => first_property(&model).map(|property| (model, property)),
    }
}

fn first_property(model: &Model) -> Result<Property, Refusal> {
    let property = model.network.properties.iter().next().cloned();
    property.ok_or_else(|| Refusal::Defect("a query was read but is no property".to_string()))
}

/// Demands that delays and edges are a run that ends as claimed, and that all that the file says
/// about it is so.
fn verify(
    model: &Model,
    property: &Property,
    file: &TraceFile,
    states: bool,
) -> Result<(Told, Ending), String> {
    let (trace, _) = run_again(&model.network, property, file)?;
    let with_states = states || file.steps.iter().any(|step| step.state.is_some());
    let told = follow::tell(model, property, &trace, with_states)?;
    difference(file, &told.file).map_or(Ok((told, trace.ending)), Err)
}

/// The run whose delays and edges a file names, and the state it ends in.
pub fn run_again(
    network: &Network,
    property: &Property,
    file: &TraceFile,
) -> Result<(Trace, State), String> {
    let moves = file.moves(network)?;
    let (final_delay, ending) = file.ending(network)?;
    let say = |mismatch: replay::Mismatch| mismatch.to_string();
    let step = |(delay, moves)| Step { delay, moves, changes: Vec::new() };
    let steps = moves.into_iter().map(step).collect();
    let trace = Trace { scale: file.scale, steps, final_delay, ending };
    let mut trace = replay::with_changes(network, Some(property), trace).map_err(say)?;
    let end = replay::check(network, Some(property), &trace).map_err(say)?;
    if let (Ending::Error { error, .. }, Some(raised)) = (&mut trace.ending, end.error) {
        error.span = raised.span;
    }
    Ok((trace, end.state))
}

/// The first thing that a file says otherwise than it is. Places are only for people: a model in
/// which lines were added is still the same model.
fn difference(claimed: &TraceFile, actual: &TraceFile) -> Option<String> {
    if let Some(found) = held(&claimed.initial_state, &actual.initial_state) {
        return Some(format!("at the start: {found}"));
    }
    for (i, (claimed, actual)) in claimed.steps.iter().zip(&actual.steps).enumerate() {
        let found = edges(&claimed.edges, &actual.edges)
            .or_else(|| changes(&claimed.changes, &actual.changes))
            .or_else(|| differ("the time", &claimed.time, &actual.time))
            .or_else(|| held(&claimed.state, &actual.state));
        if let Some(found) = found {
            return Some(format!("step {}: {found}", i + 1));
        }
    }
    let (claimed_error, actual_error) = (&claimed.ending.error, &actual.ending.error);
    let message = |error: &Option<crate::json::ErrorEntry>| {
        error.as_ref().map(|error| error.message.clone()).unwrap_or_default()
    };
    edges(&claimed.ending.edges, &actual.ending.edges)
        .or_else(|| differ("the message", &message(claimed_error), &message(actual_error)))
        .or_else(|| differ("the time", &claimed.time, &actual.time))
        .or_else(|| held(&claimed.final_state, &actual.final_state))
        .map(|found| format!("at the end: {found}"))
}

fn differ(what: &str, claimed: &str, actual: &str) -> Option<String> {
    (claimed != actual).then(|| format!("{what} should be {actual} but is {claimed}"))
}

fn edges(claimed: &[EdgeEntry], actual: &[EdgeEntry]) -> Option<String> {
    let sync = |edge: &EdgeEntry| edge.sync.clone().unwrap_or("nothing".to_string());
    claimed.iter().zip(actual).find_map(|(claimed, actual)| {
        let of = |what: &str| format!("{what} of {}", actual.process);
        differ(&of("the source"), &claimed.source, &actual.source)
            .or_else(|| differ(&of("the target"), &claimed.target, &actual.target))
            .or_else(|| differ(&of("the synchronisation"), &sync(claimed), &sync(actual)))
            .or_else(|| said(&of("the statement"), &claimed.statement, &actual.statement))
            .or_else(|| said(&of("the message"), &claimed.message, &actual.message))
            .or_else(|| said(&of("the message"), &claimed.message_name, &actual.message_name))
            .or_else(|| said(&of("the output"), &claimed.prints, &actual.prints))
    })
}

/// What need not be said must be right if it is.
fn said(what: &str, claimed: &Option<String>, actual: &Option<String>) -> Option<String> {
    let quoted = |text: &str| format!("`{}`", words::visible(text));
    let actual = actual.as_deref().map_or("nothing".to_string(), quoted);
    claimed.as_deref().and_then(|claimed| differ(what, &quoted(claimed), &actual))
}

/// The same for all that a state holds.
fn held(claimed: &Option<Vec<HeldEntry>>, actual: &Option<Vec<HeldEntry>>) -> Option<String> {
    let (claimed, actual) = (claimed.as_ref()?, actual.as_deref().unwrap_or_default());
    let write = |entry: Option<&HeldEntry>| match entry {
        Some(entry) => format!("{} = {}", entry.name, entry.shown()),
        None => "nothing".to_string(),
    };
    let pairs = (0..claimed.len().max(actual.len())).map(|i| (claimed.get(i), actual.get(i)));
    pairs.into_iter().find(|(claimed, actual)| claimed != actual).map(|(claimed, actual)| {
        format!("the state should have {} but has {}", write(actual), write(claimed))
    })
}

fn changes(claimed: &[ChangeEntry], actual: &[ChangeEntry]) -> Option<String> {
    let write = |change: Option<&ChangeEntry>| match change {
        Some(change) => format!("{}: {} -> {}", change.name, change.from, change.to),
        None => "nothing".to_string(),
    };
    let pairs = (0..claimed.len().max(actual.len())).map(|i| (claimed.get(i), actual.get(i)));
    pairs.into_iter().find(|(claimed, actual)| claimed != actual).map(|(claimed, actual)| {
        format!("the change should be {} but is {}", write(actual), write(claimed))
    })
}

// ---- trails ----

/// The model that a trail is named after: `m.pml.trail`, or `m.pml2.trail` for the second error.
fn model_of_trail(arguments: &Replay) -> Result<PathBuf> {
    if let Some(path) = arguments.model() {
        return Ok(path.to_path_buf());
    }
    let trail = arguments.trace();
    let stem = trail.file_stem().unwrap_or_default().to_string_lossy();
    let stems = [stem.as_ref(), stem.trim_end_matches(|c: char| c.is_ascii_digit())];
    let mut found = stems.iter().map(|stem| trail.with_file_name(stem));
    let name = load::name(trail);
    let missing = || format!("which model is `{name}` of? name it: vizsla replay MODEL {name}");
    found.find(|path| path.is_file()).with_context(missing)
}

fn replay_trail(
    arguments: &Replay,
    path: &Path,
    trail: &Trail,
    output: &Output,
) -> Result<Exit, Refusal> {
    let mut slots = load::FEWEST_SLOTS;
    loop {
        let model = load_all(arguments, path, slots)?;
        if model.numbering.is_none() {
            let problem = Diagnostic::error("only Promela models have trails");
            return Err(Refusal::Input(vec![problem]));
        }
        let property = first_property(&model)?;
        match trail::read(&model, &property, trail) {
            Ok(reading) if reading.needs_room() && slots < load::MOST_SLOTS => {
                slots = load::more_slots(slots);
            }
            Ok(reading) => {
                show_notes(trail, reading.claim.is_some(), output);
                return show_reading(arguments, &model, &property, &reading, output);
            }
            Err(misfit) => {
                show_notes(trail, true, output);
                return Ok(show_misfit(&misfit, output));
            }
        }
    }
}

/// The model with all its claims: the trail says which one it is about.
fn load_all(arguments: &Replay, path: &Path, slots: u32) -> Result<Model, Refusal> {
    let promela = arguments::Promela { claim: None, ..arguments.promela.clone() };
    let promela = PromelaRequest { arguments: Some(&promela), slots };
    let language = arguments.language;
    let queries = &[];
    load::load(&Request {
        model: path,
        query_file: None,
        queries,
        errors: false,
        language,
        promela,
    })
}

/// Says what of a trail is not followed.
fn show_notes(trail: &Trail, claim_is_followed: bool, output: &Output) {
    if trail.merged {
        output.note(
            "the trail was written by a verifier that merges statements; the steps that it leaves \
             out are filled in (`spin -o3 -a` makes verifiers that write them all)",
        );
    }
    if trail.claim.is_some() && !claim_is_followed {
        output.note("the steps of the claim are left out, and whether it accepts is not checked");
    }
    if trail.cycle.is_some() {
        output.note("that the trail ends in a cycle is not checked");
    }
}

fn show_reading(
    arguments: &Replay,
    model: &Model,
    property: &Property,
    reading: &Reading,
    output: &Output,
) -> Result<Exit, Refusal> {
    let observed = reading.claim.as_ref().unwrap_or(property);
    let told = follow::tell(model, observed, &reading.trace, arguments.states);
    let told = told.map_err(Refusal::Defect)?;
    let end = match &reading.end {
        End::Error(error) => error.kind.to_string(),
        End::ClaimOver => "the claim comes to its end".to_string(),
        End::Invalid => "an invalid end state".to_string(),
        End::Valid => "a valid end state".to_string(),
        End::Unfinished => "no error, and processes can still move".to_string(),
    };
    let (finding, error) = match &reading.end {
        End::Error(error) => (Some(&told.finding), Some(error)),
        End::ClaimOver => (Some(&told.finding), None),
        End::Invalid if reading.claim.is_none() => (Some(&told.finding), None),
        End::Invalid | End::Valid | End::Unfinished => (None, None),
    };
    let steps = Some(&told.file).filter(|_| !arguments.no_trace);
    let mut text = report::text::run(model, steps, finding, error, output);
    let steps = words::counted(told.file.steps.len() as u64, "step");
    text.push_str(&format!("{}: {steps}, then {end}\n", output.paint.green("ok")));
    Ok(if output.print(&text) { Exit::Satisfied } else { Exit::Wrong })
}

/// More than this many possibilities tell nothing new.
const SHOWN: usize = 20;

fn show_misfit(misfit: &Misfit, output: &Output) -> Exit {
    let mut text = format!("{}: {}\n", output.paint.red("wrong"), misfit.message);
    match misfit.possible.len() {
        0 => text.push_str("nothing was possible there\n"),
        count => {
            text.push_str("possible there, as pid:transition:\n");
            misfit.possible.iter().take(SHOWN).for_each(|it| text.push_str(&format!("  {it}\n")));
            if count > SHOWN {
                text.push_str(&format!("  ... and {} more\n", count - SHOWN));
            }
        }
    }
    output.print(&text);
    Exit::Violated
}
