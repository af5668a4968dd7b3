//! `vizsla replay`: checks a saved trace against its model, without searching.

use crate::arguments::Replay;
use crate::diagnostics;
use crate::exit::{Exit, report_defect};
use crate::json::{ChangeEntry, EdgeEntry, TraceFile};
use crate::load::{self, Model, Refusal, Request, STDIN};
use crate::output::Output;
use crate::words;
use anyhow::{Context, Result, anyhow, bail};
use network::{Property, Trace};
use std::path::{Path, PathBuf};

/// Traces are smaller than this by far.
const LARGEST: u64 = 1 << 30;

/// Checks the trace and says whether it is right.
pub fn run(arguments: &Replay, output: &Output) -> Exit {
    match read(&arguments.trace).and_then(|file| Ok((find_model(arguments, &file)?, file))) {
        Err(problem) => {
            output.complain(&format!("{problem:#}"));
            Exit::Wrong
        }
        Ok((path, file)) => replay(&path, &file, output),
    }
}

fn read(path: &Path) -> Result<TraceFile> {
    let name = load::name(path);
    let bytes = load::bytes(path, LARGEST).map_err(|why| anyhow!("cannot read `{name}`: {why}"))?;
    let file: TraceFile =
        serde_json::from_slice(&bytes).with_context(|| format!("`{name}` is not a trace"))?;
    if file.scale < 1 {
        bail!("`{name}` is not a trace: its scale is {}", file.scale);
    }
    Ok(file)
}

/// The model: as the user says, or as the trace says, seen from the trace or from here.
fn find_model(arguments: &Replay, file: &TraceFile) -> Result<PathBuf> {
    if let Some(path) = &arguments.model {
        return Ok(path.clone());
    }
    if file.model == STDIN {
        bail!("the model was read from standard input: name it with --model");
    }
    let candidates = load::candidates(&file.model, &arguments.trace);
    let found = candidates.iter().find(|path| path.exists());
    let missing = || format!("the model `{}` was not found: name it with --model", file.model);
    found.cloned().with_context(missing)
}

fn replay(path: &Path, file: &TraceFile, output: &Output) -> Exit {
    let (model, property) = match load_for(path, file) {
        Ok(loaded) => loaded,
        Err(Refusal::Defect(what)) => {
            report_defect(&what);
            return Exit::Defect;
        }
        Err(Refusal::Input(diagnostics)) => {
            diagnostics::show(output, &diagnostics);
            return Exit::Wrong;
        }
    };
    match verify(&model, &property, file) {
        Ok(()) => {
            let steps = words::counted(file.steps.len() as u64, "step");
            let word = output.paint.green("ok");
            output.print(&format!("{word}: {steps} in {} time units, checked\n", file.time));
            Exit::Satisfied
        }
        Err(mismatch) => {
            output.print(&format!("{}: {mismatch}\n", output.paint.red("wrong")));
            Exit::Violated
        }
    }
}

/// The model with the property of the trace.
fn load_for(path: &Path, file: &TraceFile) -> Result<(Model, Property), Refusal> {
    let queries = [file.query.clone()];
    let model = load::load(&Request {
        model: path,
        query_file: None,
        queries: &queries,
        promela: Default::default(),
    })?;
    let property = model.network.properties.iter().next().cloned();
    let missing = || Refusal::Defect("a query was read but is no property".to_string());
    Ok((model, property.ok_or_else(missing)?))
}

/// Demands that delays and edges are a run that ends as claimed, and that all that the file says
/// about it is so.
fn verify(model: &Model, property: &Property, file: &TraceFile) -> Result<(), String> {
    let network = &model.network;
    let moves = file.moves(network)?;
    let (final_delay, ending) = file.ending(network)?;
    let say = |mismatch: replay::Mismatch| mismatch.to_string();
    // The final state of an error ending is judged by `check`, which knows the property.
    let goal = network::Ending::Goal;
    let steps = replay::complete(network, Some(property), file.scale, &moves, 0, goal);
    let trace = Trace { final_delay, ending, ..steps.map_err(say)? };
    replay::check(network, Some(property), &trace).map_err(say)?;
    let actual = TraceFile::of(model, property, &trace)?;
    difference(file, &actual).map_or(Ok(()), Err)
}

/// The first thing that a file says otherwise than it is. Places are only for people: a model in
/// which lines were added is still the same model.
fn difference(claimed: &TraceFile, actual: &TraceFile) -> Option<String> {
    for (i, (claimed, actual)) in claimed.steps.iter().zip(&actual.steps).enumerate() {
        let found = edges(&claimed.edges, &actual.edges)
            .or_else(|| changes(&claimed.changes, &actual.changes))
            .or_else(|| differ("the time", &claimed.time, &actual.time));
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
