//! `vizsla replay`: checks a saved trace against its model, without searching.

use crate::arguments::Replay;
use crate::exit::Exit;
use crate::input::{self, STDIN};
use crate::output::Output;
use crate::{refusal, report, words};
use anyhow::{Context, Result, anyhow, bail};
use network::{Diagnostic, Ending, PropertyId, RunTimeError};
use std::path::{Path, PathBuf};
use vizsla::trail::{End, Reading, Trail, TrailMismatch};
use vizsla::{Input, Model, Refusal, Replayed, TraceFile, Verdict};

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
        Ok(Err(refusal)) => refusal::show(refusal, output),
        Ok(Ok(exit)) => exit,
    }
}

/// What was saved.
pub enum Saved {
    /// A trace of ours.
    Trace(Box<TraceFile>),
    /// A trail of Spin.
    Trail(Trail),
}

/// Reads a trace or a trail.
pub fn read(path: &Path) -> Result<Saved> {
    let name = input::name(path);
    let bytes =
        input::bytes(path, LARGEST).map_err(|why| anyhow!("cannot read `{name}`: {why}"))?;
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
        Saved::Trail(_) => bail!("`{}` is a trail, not a trace", input::name(path)),
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
    let candidates = vizsla::candidates(&file.model, arguments.trace());
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
    let model = load_for(arguments, path, file)?;
    let id = first_property(&model)?;
    let Replayed { model, result } = vizsla::replay_file(&model, id, file, arguments.states)?;
    let property = &model.network.properties[id];
    let mut text = format!("model  {}\n", words::visible(&model.path));
    text.push_str(&format!("query  {}\n\n", report::text::one_line(&property.text)));
    warn_of_change(&model, file, output);
    let exit = match result {
        Ok(witness) => {
            let (steps, ending) = (&witness.file, &witness.trace.ending);
            let steps = Some(steps).filter(|_| !arguments.no_trace);
            let (finding, error) = (Some(&witness.finding), error_of(ending));
            text.push_str(&report::text::run(&model, steps, finding, error, output));
            text.push_str(&confirmed(Verdict::of_run(property, ending), file, output));
            Exit::Satisfied
        }
        Err(mismatch) => {
            let mismatch = words::visible(&mismatch);
            text.push_str(&format!("{}: {mismatch}\n", output.paint.red("wrong")));
            Exit::Violated
        }
    };
    Ok(if output.print(&text) { exit } else { Exit::Wrong })
}

/// Says that a trace was written for another model.
pub fn warn_of_change(model: &Model, file: &TraceFile, output: &Output) {
    if file.model_hash.as_ref().is_some_and(|hash| *hash != model.fingerprint) {
        output.warn(
            "the model, or what -D defines, has changed since the trace was written; the trace is \
             checked against the model as it is now",
        );
    }
}

fn error_of(ending: &Ending) -> Option<&RunTimeError> {
    match ending {
        Ending::Error { error, .. } => Some(error),
        Ending::Goal => None,
    }
}

/// `ok: violated · 12 steps in 3 time units, all of them checked`.
fn confirmed(verdict: Verdict, file: &TraceFile, output: &Output) -> String {
    let steps = words::counted(file.steps.len() as u64, "step");
    let time =
        if file.time == "0" { String::new() } else { format!(" in {} time units", file.time) };
    let word = output.paint.green("ok");
    format!("{word}: {} · {steps}{time}, all of it checked\n", verdict.name())
}

/// The model with the property of the trace.
fn load_for(arguments: &Replay, path: &Path, file: &TraceFile) -> Result<Model, Refusal> {
    let model = Model::load(reading(arguments, path)?.query(&file.query))?;
    let asked: Vec<_> = model.properties().collect();
    match model.refusal(&asked) {
        Some(refusal) => Err(refusal),
        None => Ok(model),
    }
}

/// How the user wants the model to be read.
fn reading(arguments: &Replay, path: &Path) -> Result<Input, Refusal> {
    Ok(Input {
        language: arguments.language.map(Into::into),
        promela: arguments.promela.reading(),
        ..Input::of(input::source(path, "model")?)
    })
}

/// The first question about a model.
pub fn first_property(model: &Model) -> Result<PropertyId, Refusal> {
    let property = model.properties().next();
    property.ok_or_else(|| Refusal::Defect("a query was read but is no property".to_string()))
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
    let name = input::name(trail);
    let missing = || format!("which model is `{name}` of? name it: vizsla replay MODEL {name}");
    found.find(|path| path.is_file()).with_context(missing)
}

fn replay_trail(
    arguments: &Replay,
    path: &Path,
    trail: &Trail,
    output: &Output,
) -> Result<Exit, Refusal> {
    let model = load_all(arguments, path)?;
    if !model.is_promela() {
        return Err(Refusal::because(Diagnostic::error("only Promela models have trails")));
    }
    let id = first_property(&model)?;
    let Replayed { model, result } = vizsla::replay_trail(&model, id, trail)?;
    match result {
        Ok(reading) => {
            show_notes(trail, reading.claim.is_some(), output);
            show_reading(arguments, &model, id, &reading, output)
        }
        Err(misfit) => {
            show_notes(trail, true, output);
            Ok(show_misfit(&misfit, output))
        }
    }
}

/// The model with all its claims: the trail says which one it is about.
fn load_all(arguments: &Replay, path: &Path) -> Result<Model, Refusal> {
    let mut input = reading(arguments, path)?;
    input.promela.claim = None;
    Model::load(input)
}

/// Says what of a trail is not followed.
pub fn show_notes(trail: &Trail, claim_is_followed: bool, output: &Output) {
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
    property: PropertyId,
    reading: &Reading,
    output: &Output,
) -> Result<Exit, Refusal> {
    let observed = reading.claim.as_ref().unwrap_or(&model.network.properties[property]);
    let told = vizsla::tell(model, observed, reading.trace.clone(), arguments.states);
    let told = told.map_err(Refusal::Defect)?;
    let end = match &reading.end {
        End::Error(error) => error.kind.message(&model.network),
        End::ClaimOver => "the claim reaches its end".to_string(),
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

fn show_misfit(misfit: &TrailMismatch, output: &Output) -> Exit {
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
