//! A goal that is known: the state that a saved trace leads to, for heuristics that look for the path to it.

use crate::replay::run_again;
use crate::{Model, TraceFile};
use explore::{Home, Layout};
use network::{Claim, Id, PropertyId};
use replay::State;

/// The last state of a trace, if it leads to a goal of the property; none if the property cannot be
/// checked at all.
pub fn last_state(
    model: &Model,
    id: PropertyId,
    file: &TraceFile,
) -> Result<Option<State>, String> {
    let property = &model.network.properties[id];
    if matches!(property.claim, Claim::Unsupported(_)) {
        return Ok(None);
    }
    let misfit = |why| format!("does not lead to a goal of `{}`: {why}", property.text);
    let (_, state) = run_again(&model.network, property, file).map_err(misfit)?;
    Ok(Some(state))
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
