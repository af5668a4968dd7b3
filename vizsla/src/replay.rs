//! A saved trace, checked against its model without searching.

use crate::follow::{self, Witness};
use crate::trace_file::{ChangeEntry, EdgeEntry, ErrorEntry, HeldEntry, TraceFile};
use crate::trail::{self, Reading, TrailMismatch};
use crate::{Model, Refusal};
use network::{Ending, Network, Property, PropertyId, Step, Trace};
use promela::trail::Trail;
use replay::State;

/// A trace held against its model.
#[derive(Clone, Debug)]
pub struct Replayed<R> {
    /// The model with as much room for processes as the trace takes.
    pub model: Model,
    /// The run, or what is wrong with it.
    pub result: R,
}

/// Demands that a trace is a run of the model that says something about the property, by the ids of
/// the model's network.
pub fn replay(model: &Model, property: PropertyId, trace: Trace) -> Result<Witness, String> {
    let property = &model.network.properties[property];
    let trace = replay::with_changes(&model.network, Some(property), trace);
    follow::tell(model, property, trace.map_err(|mismatch| mismatch.to_string())?, false)
}

/// Demands that delays and edges of a saved trace are a run that ends as claimed, and that all that
/// the file says about it is so; or says what is wrong first.
pub fn replay_file(
    model: &Model,
    property: PropertyId,
    file: &TraceFile,
    states: bool,
) -> Result<Replayed<Result<Witness, String>>, Refusal> {
    let mut first = None;
    // What does not fit may need more room; if that does not help, it is not what is wrong.
    let (model, result) = model.with_room(
        |model| {
            let verified = verify(model, &model.network.properties[property], file, states);
            verified.map_err(|mismatch| first.get_or_insert(mismatch).clone())
        },
        Result::is_err,
    )?;
    Ok(Replayed { model, result })
}

/// Follows a trail of Spin in a Promela model that was loaded with all its claims: the trail says which
/// one it is about. The property tells which end states are invalid.
pub fn replay_trail(
    model: &Model,
    property: PropertyId,
    trail: &Trail,
) -> Result<Replayed<Result<Reading, TrailMismatch>>, Refusal> {
    let needs_room =
        |read: &Result<Reading, TrailMismatch>| read.as_ref().is_ok_and(Reading::needs_room);
    let read = |model: &Model| trail::read(model, &model.network.properties[property], trail);
    let (model, result) = model.with_room(read, needs_room)?;
    Ok(Replayed { model, result })
}

fn verify(
    model: &Model,
    property: &Property,
    file: &TraceFile,
    states: bool,
) -> Result<Witness, String> {
    let (trace, _) = run_again(&model.network, property, file)?;
    let with_states = states || file.steps.iter().any(|step| step.state.is_some());
    let witness = follow::tell(model, property, trace, with_states)?;
    difference(file, &witness.file).map_or(Ok(witness), Err)
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
    let message = |error: &Option<ErrorEntry>| {
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
    let quoted = |text: &str| format!("`{text}`");
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
