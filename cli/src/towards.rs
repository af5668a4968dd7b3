//! `--towards`: the state that a saved trace leads to, for heuristics that look for the way to it.

use crate::json::TraceFile;
use crate::load::Model;
use crate::replay as saved;
use explore::{Home, Layout};
use network::{Claim, Id, Property, PropertyId};
use replay::State;
use std::path::Path;

/// The last state of a trace for each property, if the trace leads to a goal of it; or why it does
/// not.
pub fn last_states(
    path: Option<&Path>,
    model: &Model,
    properties: &[PropertyId],
) -> Result<Vec<Option<State>>, String> {
    let Some(path) = path else { return Ok(vec![None; properties.len()]) };
    let file = saved::read_trace(path).map_err(|problem| format!("{problem:#}"))?;
    let fits = |&id: &PropertyId| {
        let property = &model.network.properties[id];
        if matches!(property.claim, Claim::Unsupported(_)) {
            return Ok(None);
        }
        let misfit = |why| {
            let (name, text) = (path.display(), &property.text);
            format!("the trace in `{name}` does not lead to a goal of `{text}`: {why}")
        };
        last_state(model, property, &file).map(Some).map_err(misfit)
    };
    properties.iter().map(fits).collect()
}

fn last_state(model: &Model, property: &Property, file: &TraceFile) -> Result<State, String> {
    saved::run_again(&model.network, property, file).map(|(_, state)| state)
}

/// The state as words of an explorer, clocks aside.
pub fn words_of(state: &State, layout: &Layout) -> Vec<i32> {
    let mut words = vec![0; layout.words()];
    for (word, location) in words.iter_mut().zip(&state.locations) {
        *word = location.index() as i32;
    }
    for (variable, values) in state.values.iter().enumerate() {
        if let Home::State(at) = layout.home(Id::new(variable)) {
            words[at as usize..at as usize + values.len()].copy_from_slice(values);
        }
    }
    let elements = state.buffers.iter().flatten();
    for (buffer, messages) in layout.buffers.iter().zip(elements).filter(|(b, _)| b.capacity > 0) {
        let fields = messages.iter().flatten().copied();
        let content = std::iter::once(messages.len() as i32).chain(fields);
        words[buffer.at as usize..].iter_mut().zip(content).for_each(|(word, is)| *word = is);
    }
    if let (Some(slot), Some(process)) = (layout.control, state.control) {
        words[slot as usize] = process.index() as i32 + 1;
    }
    words
}
