//! `--improve`: finds the trace that is to be replaced by a shorter one, and refuses what is none.

use crate::arguments::Check;
use crate::output::Output;
use crate::replay::{self, Saved};
use crate::{input, words};
use network::{Diagnostic, PropertyId};
use std::path::Path;
use vizsla::trail::{End, Reading, Trail};
use vizsla::{
    ImprovedEnd, Improvement, Input, Model, Refusal, Replayed, TraceFile, Verdict, Witness,
};

/// A model with the question that a trace is about, and the trace.
pub struct Given {
    pub model: Model,
    pub property: PropertyId,
    pub improvement: Improvement,
}

/// Replays the trace, says how long it is, and refuses what does not fit the model or violates nothing.
pub fn read(
    arguments: &Check,
    (path, end): (&Path, ImprovedEnd),
    output: &Output,
) -> Result<Given, Refusal> {
    let name = input::name(path);
    let (model, property, witness) = match replay::read(path) {
        Err(problem) => return Err(refuse(format!("{problem:#}"))),
        Ok(Saved::Trace(file)) => replay_trace(arguments, &name, &file, output)?,
        Ok(Saved::Trail(trail)) => replay_trail(arguments, &name, &trail, output)?,
    };
    let asked = &model.network.properties[property];
    if Verdict::of_run(asked, &witness.trace.ending) == Verdict::Unknown {
        let why = format!("`{name}` ends in a run-time error, which says nothing about its query");
        return Err(refuse(why));
    }
    let steps = words::counted(witness.trace.steps.len() as u64, "step");
    output.note(&format!("the trace in {name} has {steps}, all of it checked"));
    let improvement = Improvement { given: witness.file, end };
    Ok(Given { model, property, improvement })
}

fn refuse(why: String) -> Refusal {
    Refusal::because(Diagnostic::error(why))
}

/// The model as the user wants it to be read.
fn reading(arguments: &Check) -> Result<Input, Refusal> {
    Ok(Input {
        language: arguments.language.map(Into::into),
        promela: arguments.promela.reading(),
        ..Input::of(input::source(&arguments.model, "model")?)
    })
}

type Followed = (Model, PropertyId, Witness);

fn replay_trace(
    arguments: &Check,
    name: &str,
    file: &TraceFile,
    output: &Output,
) -> Result<Followed, Refusal> {
    let model = Model::load(reading(arguments)?.query(&file.query))?;
    let asked: Vec<PropertyId> = model.properties().collect();
    if let Some(refusal) = model.refusal(&asked) {
        return Err(refusal);
    }
    let property = replay::first_property(&model)?;
    replay::warn_of_change(&model, file, output);
    let Replayed { model, result } = vizsla::replay_file(&model, property, file, arguments.states)?;
    let misfit = |why| refuse(format!("the trace in `{name}` does not fit the model: {why}"));
    Ok((model, property, result.map_err(misfit)?))
}

fn replay_trail(
    arguments: &Check,
    name: &str,
    trail: &Trail,
    output: &Output,
) -> Result<Followed, Refusal> {
    let model = Model::load(reading(arguments)?)?;
    if !model.is_promela() {
        return Err(refuse("only Promela models have trails".to_string()));
    }
    let first = replay::first_property(&model)?;
    let Replayed { model, result } = vizsla::replay_trail(&model, first, trail)?;
    let misfit = |why| refuse(format!("the trail in `{name}` does not fit the model: {why}"));
    let reading = result.map_err(|mismatch| misfit(mismatch.message))?;
    replay::show_notes(trail, reading.claim.is_some(), output);
    let property = violated(&model, first, &reading);
    let property = property.map_err(|why| refuse(format!("the trail in `{name}` {why}")))?;
    let witness = vizsla::replay(&model, property, reading.trace).map_err(misfit)?;
    Ok((model, property, witness))
}

/// The property that a trail violates, or that it "violates none".
fn violated(model: &Model, first: PropertyId, reading: &Reading) -> Result<PropertyId, String> {
    let observer = reading.claim.as_ref().and_then(|claim| claim.observer);
    let is_claim = |id: &PropertyId| model.network.properties[*id].observer == observer;
    match reading.end {
        End::Valid => Err("violates nothing: it ends in a valid end state".to_string()),
        End::Unfinished => {
            Err("violates nothing: there is no error where it ends, and processes can still move"
                .to_string())
        }
        End::Error(_) | End::ClaimOver | End::Invalid => {
            Ok(observer.and_then(|_| model.properties().find(is_claim)).unwrap_or(first))
        }
    }
}
