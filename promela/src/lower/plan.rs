//! What stands where in the network: the processes, their variables, channels and locations.

use super::automaton::Automaton;
use super::declare::{byte, wrapping};
use super::enabled::Enabled;
use super::evaluate::{Own, evaluate};
use super::failures::Failure;
use super::flow::El;
use super::holdings::{Holdings, Shape};
use super::others::Functions;
use super::priorities;
use super::resolved::{Base, Leaf, Start, Target, Value};
use super::resolver::Proctype;
use super::slots;
use super::trace::Watch;
use crate::ast;
use source::SourceMap;

use network::{
    Channel, ChannelId, ChannelKind, Dimension, Expr, Id, LocationId, Network, ProcessId, Source,
    SourceId, Span, Storage, Type, ValueNames, Variable, VariableId, element_name,
};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Where a leaf is kept in the network.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub variable: Option<VariableId>,
    /// The channel that the leaf stands for: for ever, if there is no variable in the state.
    pub channel: Option<ChannelId>,
    pub direct: bool,
}

/// A process of the network.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub proctype: usize,
    pub name: String,
    pub process: ProcessId,
    /// The number of a process that runs from the start.
    pub started: Option<u32>,
    /// Where its number is kept, if `run` may start it.
    pub pid: Option<VariableId>,
    pub places: Vec<Place>,
}

/// The layout of the network.
pub(super) struct Plan<'a> {
    pub proctypes: &'a [Proctype],
    pub automata: &'a [Automaton],
    pub sources: &'a SourceMap,
    pub globals: &'a [Leaf],
    pub global_places: Vec<Place>,
    pub slots: Vec<Slot>,
    /// How many processes run; none if it follows from their locations.
    pub process_count: Option<VariableId>,
    /// The number of the process that moved last, if anybody wants to know.
    pub last: Option<VariableId>,
    pub functions: Functions,
    pub enabled: Enabled,
    pub trace: Option<Watch>,
    /// The number of the first element of every channel.
    pub numbers: Vec<i32>,
    /// Whether the model says anything about priorities.
    pub has_priorities: bool,
    pub priorities: Option<priorities::Functions>,
    /// The shapes of all channels.
    pub shapes: BTreeSet<Shape>,
    pub holdings: Holdings,
    /// What holds the number of a channel.
    channel_type: Type,
    /// The place that was looked up last: the statements of a `run` are many and share theirs.
    last_span: Cell<(ast::Span, Span)>,
    pub network: Network,
}

impl<'a> Plan<'a> {
    pub fn new(
        proctypes: &'a [Proctype],
        automata: &'a [Automaton],
        globals: &'a [Leaf],
        order: &[usize],
        in_loops: u32,
        sources: &'a SourceMap,
    ) -> Self {
        let mut plan = Plan {
            proctypes,
            automata,
            sources,
            globals,
            global_places: vec![],
            slots: vec![],
            process_count: None,
            last: None,
            functions: Functions::default(),
            enabled: Enabled::default(),
            trace: None,
            numbers: vec![],
            has_priorities: false,
            priorities: None,
            shapes: BTreeSet::new(),
            holdings: Holdings::new(proctypes, globals),
            channel_type: byte(),
            last_span: Cell::new((ast::Span::default(), Span::NONE)),
            network: Network { failures: Failure::table(), ..Network::default() },
        };
        for path in sources.paths() {
            plan.network.sources.push(Source { path: path.to_string() });
        }
        let counts = slots::count(proctypes, automata, in_loops);
        plan.make_slots(order, &counts);
        plan.make_channels();
        plan.make_variables(&counts);
        plan
    }

    /// Makes room for the number of the process that moved last.
    pub fn remember_last(&mut self) {
        self.last = Some(self.make_number("_last".to_string(), 0));
    }

    /// Processes that run from the start come first, in the order of their numbers.
    fn make_slots(&mut self, order: &[usize], counts: &[(u32, bool)]) {
        let mut started = 0;
        let mut made = vec![0; self.proctypes.len()];
        for &proctype in order {
            for _ in 0..self.proctypes[proctype].active {
                self.make_slot(proctype, Some(started), &mut made, counts);
                started += 1;
            }
        }
        for &proctype in order {
            for _ in self.proctypes[proctype].active..counts[proctype].0 {
                self.make_slot(proctype, None, &mut made, counts);
            }
        }
    }

    fn make_slot(
        &mut self,
        proctype: usize,
        started: Option<u32>,
        made: &mut [u32],
        counts: &[(u32, bool)],
    ) {
        made[proctype] += 1;
        let base = &self.proctypes[proctype].name;
        let name = match (counts[proctype], started) {
            ((1, _), _) => base.clone(),
            ((_, false), Some(number)) => format!("{base}({number})"),
            _ => format!("{base}({})", made[proctype]),
        };
        let process = ProcessId::new(self.slots.len());
        let places = vec![Place::default(); self.proctypes[proctype].locals.len()];
        self.slots.push(Slot { proctype, name, process, started, pid: None, places });
    }

    // ---- channels ----

    fn make_channels(&mut self) {
        let globals = self.globals;
        self.global_places = globals.iter().map(|leaf| self.make_channel(leaf, "")).collect();
        for slot in 0..self.slots.len() {
            let locals = &self.proctypes[self.slots[slot].proctype].locals;
            let prefix = format!("{}.", self.slots[slot].name);
            let places = locals.iter().map(|leaf| self.make_channel(leaf, &prefix)).collect();
            self.slots[slot].places = places;
        }
        let mut number = 1;
        for channel in &self.network.channels {
            self.numbers.push(number);
            number += channel.len() as i32;
            self.shapes.extend(shape(channel));
        }
        // Spin counts only channels that exist; ours keep their numbers, so there may be more.
        if number > 256 {
            let most = (number as u32).next_power_of_two() - 1;
            self.channel_type = wrapping(0, most as i32);
            self.widen_fields();
        }
    }

    fn widen_fields(&mut self) {
        let ty = self.channel_type;
        for (leaf, place) in self.leaves() {
            let (Start::Channel(shape), Some(id)) = (&leaf.start, place.channel) else { continue };
            if let ChannelKind::Buffered { fields, .. } = &mut self.network.channels[id].kind {
                shape.channels.iter().for_each(|&it| fields[it] = ty);
            }
        }
    }

    /// Lets variables and messages that hold channels show them by name.
    pub fn name_channels(&mut self) {
        let channels = self.network.channels.iter();
        let elements = channels.flat_map(|channel| {
            let name = |element| element_name(&channel.name, &channel.dimensions, element);
            (0..channel.len()).map(name)
        });
        let names = ValueNames { name: "chan".to_string(), first: 1, names: elements.collect() };
        let leaves = self.leaves();
        let carries = |leaf: &Leaf| match &leaf.start {
            Start::Channel(shape) => !shape.channels.is_empty(),
            _ => false,
        };
        if !leaves.iter().any(|(leaf, place)| leaf.is_channel && !place.direct || carries(leaf)) {
            return;
        }
        let names = Some(self.network.value_names.push(names));
        for (leaf, place) in leaves {
            if let Some(variable) = place.variable.filter(|_| leaf.is_channel && !place.direct) {
                self.network.variables[variable].ty.names = names;
            }
            let (Start::Channel(shape), Some(id)) = (&leaf.start, place.channel) else { continue };
            if let ChannelKind::Buffered { fields, .. } = &mut self.network.channels[id].kind {
                shape.channels.iter().for_each(|&it| fields[it].names = names);
            }
        }
    }

    /// All variables of the model with their places.
    fn leaves(&self) -> Vec<(&'a Leaf, Place)> {
        let globals = self.globals.iter().zip(self.global_places.iter().copied());
        let proctypes = self.proctypes;
        let of_slot = |slot: &Slot| {
            let places = slot.places.clone();
            proctypes[slot.proctype].locals.iter().zip(places)
        };
        globals.chain(self.slots.iter().flat_map(of_slot)).collect()
    }

    fn make_channel(&mut self, leaf: &Leaf, prefix: &str) -> Place {
        let Start::Channel(shape) = &leaf.start else { return Place::default() };
        let dimensions = dimensions(&leaf.sizes);
        let elements: u32 = leaf.sizes.iter().product();
        let kind = ChannelKind::Buffered { capacity: shape.capacity, fields: shape.fields.clone() };
        let channel = self.network.channels.push(Channel {
            name: format!("{prefix}{}", leaf.name),
            dimensions,
            kind,
            urgent: false,
            priorities: vec![0; elements as usize],
            span: self.span(leaf.span),
        });
        Place { variable: None, channel: Some(channel), direct: !leaf.assigned }
    }

    // ---- variables ----

    fn make_variables(&mut self, counts: &[(u32, bool)]) {
        let globals = self.globals;
        for (index, leaf) in globals.iter().enumerate() {
            let initial = self.initial_values(leaf, self.global_places[index], None);
            self.global_places[index].variable =
                self.make_variable(leaf, "", self.global_places[index], initial);
        }
        for slot in 0..self.slots.len() {
            self.make_locals(slot, counts[self.slots[slot].proctype].1);
        }
        if counts.iter().any(|it| it.1) {
            let started = self.slots.iter().filter(|it| it.started.is_some()).count() as i32;
            self.process_count = Some(self.make_number("_nr_pr".to_string(), started));
        }
    }

    fn make_locals(&mut self, slot: usize, is_run: bool) {
        let proctype = self.slots[slot].proctype;
        let locals = &self.proctypes[proctype].locals;
        let prefix = format!("{}.", self.slots[slot].name);
        if is_run {
            let number = self.slots[slot].started.unwrap_or(0) as i32;
            self.slots[slot].pid = Some(self.make_number(format!("{prefix}_pid"), number));
        }
        for (index, leaf) in locals.iter().enumerate() {
            let place = self.slots[slot].places[index];
            let initial = match self.slots[slot].started {
                Some(_) => self.initial_values(leaf, place, Some(slot)),
                None if place.direct => self.initial_values(leaf, place, Some(slot)),
                None => vec![0; elements(leaf)],
            };
            let variable = self.make_variable(leaf, &prefix, place, initial);
            self.slots[slot].places[index].variable = variable;
        }
    }

    fn make_number(&mut self, name: String, value: i32) -> VariableId {
        self.network.variables.push(Variable {
            name,
            ty: Type::range(0, slots::MOST_PROCESSES as i32),
            dimensions: vec![],
            storage: Storage::State,
            initial: vec![value],
            span: Span::NONE,
        })
    }

    fn type_of(&self, leaf: &Leaf, place: Place) -> Type {
        match place.direct {
            true => wide(),
            false if leaf.is_channel => self.channel_type,
            false => leaf.ty,
        }
    }

    fn make_variable(
        &mut self,
        leaf: &Leaf,
        prefix: &str,
        place: Place,
        initial: Vec<i32>,
    ) -> Option<VariableId> {
        if place.direct && leaf.sizes.is_empty() {
            return None;
        }
        let storage = match (place.direct, leaf.hidden) {
            (true, _) => Storage::Constant,
            (_, true) => Storage::Meta,
            _ => Storage::State,
        };
        let name = match place.direct {
            true => format!("{prefix}{} (numbers)", leaf.name),
            false => format!("{prefix}{}", leaf.name),
        };
        Some(self.network.variables.push(Variable {
            name,
            ty: self.type_of(leaf, place),
            dimensions: dimensions(&leaf.sizes),
            storage,
            initial,
            span: self.span(leaf.span),
        }))
    }

    /// What a leaf holds in the initial state.
    fn initial_values(&self, leaf: &Leaf, place: Place, slot: Option<usize>) -> Vec<i32> {
        let count = elements(leaf);
        let value = |value: &Value| {
            let found = self.initial(value, slot).unwrap_or(0);
            fit(found, &self.type_of(leaf, place))
        };
        match (&leaf.start, place.channel) {
            (_, Some(channel)) => {
                let first = self.numbers[channel.index()];
                (first..).take(count).collect()
            }
            (Start::Value(start), _) => vec![value(start); count],
            (Start::List(values), _) => {
                let mut list: Vec<_> = values.iter().map(value).collect();
                list.resize(count, list.last().copied().unwrap_or(0));
                list
            }
            _ => vec![0; count],
        }
    }

    fn initial(&self, value: &Value, slot: Option<usize>) -> Option<i32> {
        let number = slot.and_then(|it| self.slots[it].started).map(|it| it as i32);
        let own = number.map(|pid| Own { pid, priorities: self.first_priorities(slot) });
        evaluate(value, own.as_ref(), &|target: &Target| {
            let (leaf, place) = match target.base {
                Base::Global(index) => (&self.globals[index], self.global_places[index]),
                Base::Local(index) => {
                    let slot = &self.slots[slot?];
                    (&self.proctypes[slot.proctype].locals[index], slot.places[index])
                }
            };
            let mut element = 0;
            for (index, size) in target.indices.iter().zip(&leaf.sizes) {
                let index = u32::try_from(self.initial(index, slot)?).ok()?;
                element = element * *size as usize + index as usize;
            }
            self.initial_values(leaf, place, slot).get(element).copied()
        })
    }

    // ---- where things are ----

    pub fn location(&self, proctype: usize, state: El) -> Option<LocationId> {
        self.automata[proctype].states.binary_search(&state).ok().map(LocationId::new)
    }

    /// The location of a slot without a process.
    pub fn absent(&self, proctype: usize) -> LocationId {
        LocationId::new(self.automata[proctype].states.len())
    }

    pub fn slots_of(&self, proctype: usize) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(move |it| it.proctype == proctype)
    }

    /// Whether a slot is that of a claim.
    pub fn is_observer(&self, slot: &Slot) -> bool {
        slot.process.index() >= self.slots.len()
    }

    pub fn is_absent(&self, slot: &Slot) -> Expr {
        Expr::At(slot.process, self.absent(slot.proctype))
    }

    pub fn span(&self, span: ast::Span) -> Span {
        let (last, found) = self.last_span.get();
        if last == span && found != Span::NONE {
            return found;
        }
        let found = self.look_up(span);
        self.last_span.set((span, found));
        found
    }

    fn look_up(&self, span: ast::Span) -> Span {
        // Every fragment is a file of its own.
        let place = self.sources.resolve(span);
        place.map_or(Span::NONE, |place| place.span(SourceId(span.fragment)))
    }
}

/// What matters about a channel to those who use it.
pub(super) fn shape(channel: &Channel) -> Option<Shape> {
    match &channel.kind {
        ChannelKind::Buffered { capacity, fields } => {
            Some(Shape { width: fields.len(), has_buffer: *capacity > 0 })
        }
        _ => None,
    }
}

fn elements(leaf: &Leaf) -> usize {
    leaf.sizes.iter().map(|&size| size as usize).product()
}

fn dimensions(sizes: &[u32]) -> Vec<Dimension> {
    sizes.iter().map(|&size| Dimension { size, first: 0, scalar: None }).collect()
}

/// A type for channel numbers that are never stored.
fn wide() -> Type {
    Type::ANY
}

/// A value cut to the bits of a type.
fn fit(value: i32, ty: &Type) -> i32 {
    let width = i64::from(ty.high) - i64::from(ty.low) + 1;
    let offset = (i64::from(value) - i64::from(ty.low)).rem_euclid(width);
    (offset + i64::from(ty.low)) as i32
}
