//! Follows a trace that `replay` has checked, to describe it: every step with the values before and
//! after it, and what was found at its end.

use crate::Model;
use crate::describe::Describer;
use crate::finding::{self, Finding};
use crate::time::rational;
use crate::trace_file::{
    ChangeEntry, ChangeKind, EdgeEntry, EndingEntry, EndingKind, ErrorEntry, HeldEntry, PlaceEntry,
    StepEntry, TraceFile, Value, select_names,
};
use crate::values::{self, Values};
use network::{
    Action, Change, ChannelId, Edge, Move, ProcessId, Property, Trace, ValueNames, ValueNamesId,
    element_name,
};
use promela::wording::{LENGTH, RECORD};
use replay::{Simulator, State, Stop};

/// A run of a model that proves an answer.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The run, by the ids of the model's network.
    pub trace: Trace,
    /// The same in the words of the model, step by step.
    pub file: TraceFile,
    /// What is at its end.
    pub finding: Finding,
}

/// Tells a trace; with all that every state on the way holds, if that is wanted.
pub fn tell(
    model: &Model,
    property: &Property,
    trace: Trace,
    states: bool,
) -> Result<Witness, String> {
    let mut walk = Walk::new(model, property, trace.scale, states)?;
    let initial = walk.state.as_ref().map(|state| walk.all(state)).filter(|_| states);
    let mut steps = Vec::new();
    for step in &trace.steps {
        steps.push(walk.step(step)?);
    }
    walk.delay(trace.final_delay)?;
    let file = TraceFile {
        vizsla: env!("CARGO_PKG_VERSION").to_string(),
        model: model.path.clone(),
        model_hash: Some(model.fingerprint.clone()),
        query: property.text.clone(),
        scale: trace.scale,
        initial_state: initial,
        steps,
        final_delay: rational(trace.final_delay.into(), trace.scale),
        time: rational(walk.time, trace.scale),
        ending: walk.ending(&trace.ending),
        final_state: walk.state.as_ref().map(|state| walk.all(state)),
    };
    let finding = match &walk.state {
        Some(state) => {
            let states = (walk.before.as_ref().unwrap_or(state), state);
            finding::of(model, property, &walk.simulator, states, &trace.ending)
        }
        None => Finding::before_all(model, &trace.ending),
    };
    Ok(Witness { trace, file, finding })
}

/// A walk along a trace.
struct Walk<'a> {
    model: &'a Model,
    simulator: Simulator<'a>,
    observer: Option<ProcessId>,
    /// The state before the last step.
    before: Option<State>,
    /// None if the initial state itself raises an error.
    state: Option<State>,
    time: i128,
    states: bool,
}

impl<'a> Walk<'a> {
    fn new(
        model: &'a Model,
        property: &Property,
        scale: i64,
        states: bool,
    ) -> Result<Self, String> {
        let network = &model.network;
        let simulator = Simulator::new(network, scale).map_err(|stop| stop.message(network))?;
        let simulator = simulator.observing(Some(property));
        let state = simulator.initial().ok();
        let (observer, before) = (property.observer, None);
        Ok(Walk { model, simulator, observer, before, state, time: 0, states })
    }

    fn delay(&mut self, ticks: i64) -> Result<(), String> {
        self.time += i128::from(ticks);
        if let (Some(state), 1..) = (&self.state, ticks) {
            let later = self.simulator.delay(state, ticks).map_err(|stop| self.message(&stop))?;
            self.state = Some(later);
        }
        Ok(())
    }

    fn message(&self, stop: &Stop) -> String {
        stop.message(&self.model.network)
    }

    fn all(&self, state: &State) -> Vec<HeldEntry> {
        Values { simulator: &self.simulator, state }.all(self.observer)
    }

    fn step(&mut self, step: &network::Step) -> Result<StepEntry, String> {
        self.delay(step.delay)?;
        let edges = self.edges(&step.moves);
        let state = self.state.as_ref().ok_or("the initial state raises an error")?;
        let changes = step.changes.iter().map(|change| self.change(state, change)).collect();
        let taken = self.simulator.take(state, &step.moves);
        let (next, _) = taken.map_err(|stop| self.message(&stop))?;
        let held = self.states.then(|| self.all(&next));
        self.before = self.state.replace(next);
        let scale = self.simulator.scale();
        let (delay, time) = (rational(step.delay.into(), scale), rational(self.time, scale));
        Ok(StepEntry { delay, time, edges, changes, state: held })
    }

    fn edges(&self, moves: &[Move]) -> Vec<EdgeEntry> {
        let mut edges: Vec<EdgeEntry> = moves.iter().map(|moved| self.edge(moved)).collect();
        for (position, edge) in edges.iter_mut().enumerate() {
            edge.prints = self.printed(moves, position);
        }
        let passed = self.state.as_ref().and_then(|state| {
            let (channel, _) = self.channel(moves.first()?)?;
            Some((channel, self.simulator.message_passed(state, moves)?))
        });
        if let Some((channel, fields)) = passed {
            let (numbers, names) = values::message(&self.model.network, channel, &fields);
            edges[0].message_name = (names != numbers).then_some(names);
            edges[0].message = Some(numbers);
        }
        edges
    }

    fn edge(&self, moved: &Move) -> EdgeEntry {
        let process = &self.model.network.processes[moved.process];
        let edge = &process.edges[moved.edge];
        let names = select_names(edge);
        let wording = self.model.wording.edge(moved.process, moved.edge);
        EdgeEntry {
            process: process.name.clone(),
            edge: network::Id::index(moved.edge),
            source: process.locations[edge.source].name.clone(),
            target: process.locations[edge.target].name.clone(),
            selects: names.into_iter().zip(moved.selects.iter().copied()).collect(),
            sync: self.sync(moved, edge),
            statement: wording.map(|it| it.statement.clone()),
            message: None,
            message_name: None,
            prints: None,
            place: PlaceEntry::of(self.model, edge.span),
        }
    }

    fn channel(&self, moved: &Move) -> Option<(ChannelId, usize)> {
        self.simulator.channel_of(self.state.as_ref()?, moved).ok().flatten()
    }

    /// The element of the channel, or its expression where that raises an error.
    fn sync(&self, moved: &Move, edge: &Edge) -> Option<String> {
        let network = &self.model.network;
        let mark = match edge.action {
            Action::Internal => return None,
            Action::Send(_) => '!',
            Action::Receive(_) => '?',
        };
        match self.channel(moved) {
            Some((channel, element)) => {
                let channel = &network.channels[channel];
                Some(format!("{}{mark}", element_name(&channel.name, &channel.dimensions, element)))
            }
            None => Some(Describer::new(network, &edge.locals).action(&edge.action)),
        }
    }

    /// What the edge of a move prints in the present state, if it prints something.
    fn printed(&self, moves: &[Move], position: usize) -> Option<String> {
        let (state, moved) = (self.state.as_ref()?, &moves[position]);
        let process = self.model.wording.processes.get(network::Id::index(moved.process))?;
        let edge = process.edges.get(network::Id::index(moved.edge))?.recording.as_ref()?;
        let local = |id| self.simulator.local_after(state, moves, position, edge, id);
        let (record, length) = (local(RECORD), local(LENGTH)[0] as usize);
        let mut text = String::new();
        let mut rest = record.get(..length)?;
        while let Some((&number, more)) = rest.split_first() {
            let print = process.prints.get(usize::try_from(number).ok()?)?;
            let (values, others) = more.split_at_checked(print.values.len())?;
            let names = print.values.iter().map(|&names| self.names(names));
            let values: Vec<_> = values.iter().copied().zip(names).collect();
            text.push_str(&format(&print.format, &values));
            rest = others;
        }
        Some(text)
    }

    /// What values are called: by their type, or by the only one that has names.
    fn names(&self, known: Option<ValueNamesId>) -> Option<&ValueNames> {
        let all = &self.model.network.value_names;
        let mut constants = all.iter().filter(|it| it.name.starts_with("mtype"));
        let only = constants.next().filter(|_| constants.next().is_none());
        known.and_then(|id| all.try_at(id)).or(only)
    }

    fn change(&self, before: &State, change: &Change) -> ChangeEntry {
        let network = &self.model.network;
        match change {
            Change::Channel { channel, element, from, to } => {
                let declared = &network.channels[*channel];
                let name = element_name(&declared.name, &declared.dimensions, *element as usize);
                let (from, from_names) = values::messages(network, *channel, from);
                let (to, to_names) = values::messages(network, *channel, to);
                let (from, to) = (Value::Text(from), Value::Text(to));
                ChangeEntry::new(ChangeKind::Channel, name, from, to).named(from_names, to_names)
            }
            &Change::Location { process, from, to } => {
                let process = &network.processes[process];
                let text = |id| Value::Text(process.locations[id].name.clone());
                let (name, from, to) = (process.name.clone(), text(from), text(to));
                ChangeEntry::new(ChangeKind::Location, name, from, to)
            }
            &Change::Variable { variable, element, from, to } => {
                let variable = &network.variables[variable];
                let name = element_name(&variable.name, &variable.dimensions, element as usize);
                let named = |value| values::named(network, Some(&variable.ty), value);
                let numbers = (Value::Number(from), Value::Number(to));
                ChangeEntry::new(ChangeKind::Variable, name, numbers.0, numbers.1)
                    .named(named(from), named(to))
            }
            &Change::Clock { clock, element, to } => {
                let declared = &network.clocks[clock];
                let ticks = before.clock(clock, element as usize);
                let name = element_name(&declared.name, &declared.dimensions, element as usize);
                let from = Value::Text(rational(ticks, self.simulator.scale()));
                ChangeEntry::new(ChangeKind::Clock, name, from, Value::Text(to.to_string()))
            }
        }
    }

    fn ending(&self, ending: &network::Ending) -> EndingEntry {
        match ending {
            network::Ending::Goal => {
                EndingEntry { kind: EndingKind::Goal, error: None, edges: Vec::new() }
            }
            network::Ending::Error { error, moves } => EndingEntry {
                kind: EndingKind::Error,
                error: Some(ErrorEntry::of(self.model, error)),
                edges: self.edges(moves),
            },
        }
    }
}

/// A value, and what values of its type are called.
type Printed<'a> = (i32, Option<&'a ValueNames>);

/// What `printf` makes of a format as it is written, and values; `?` for a value that there is not.
fn format(format: &str, values: &[Printed]) -> String {
    let mut text = String::new();
    let mut values = values.iter().copied();
    let mut rest = format.chars();
    while let Some(character) = rest.next() {
        match character {
            '%' => match rest.next() {
                Some('%') | None => text.push('%'),
                Some(kind) => text.push_str(&converted(kind, values.next())),
            },
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    text
}

fn converted(kind: char, value: Option<Printed>) -> String {
    let Some((value, names)) = value else { return "?".to_string() };
    match kind {
        'c' => u8::try_from(value).map(char::from).unwrap_or('?').to_string(),
        'e' => {
            let name = names.and_then(|names| names.of(value));
            name.map_or_else(|| value.to_string(), str::to_string)
        }
        'o' => format!("{value:o}"),
        'u' => (value as u32).to_string(),
        'x' => format!("{value:x}"),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_of_printf() {
        let mtype = ValueNames { name: "mtype".into(), first: 1, names: vec!["ack".into()] };
        let say = |text: &str, values: &[i32]| {
            let values: Vec<Printed> = values.iter().map(|&value| (value, Some(&mtype))).collect();
            format(text, &values)
        };
        assert_eq!(say("x = %d, %u%%\\n", &[-1, 7]), "x = -1, 7%\n");
        assert_eq!(say("%c%x%o %e %e", &[65, 255, 8, 1, 9]), "Aff10 ack 9");
        assert_eq!(say("%d %d", &[1]), "1 ?");
        assert_eq!(say("100%", &[]), "100%");
    }
}
