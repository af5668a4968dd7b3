//! Finds what is interchangeable in a network while a property is checked.

use crate::candidates::{Candidates, Change, Scene, called};
use crate::cells::Cells;
use crate::code;
use crate::permutation::Permutation;
use crate::position::{Class, Elements, Exchanges, Group, Position, Values, positions};
use crate::sorts::{Sort, Sorts};
use analysis::DeadVariables;
use network::{
    Action, Base, ChannelKind, ChannelRef, EdgeId, Expr, FunctionId, Id, Network, Priority,
    Process, ProcessId, Property, Span, StatementKind, Storage,
};
use std::collections::{BTreeMap, HashMap};

/// Larger classes are not looked for.
const MOST_ATOMS: usize = 4096;

/// A sort of less variables says nothing, unless they are indices.
const SEVERAL: usize = 2;

/// How many groups of values a further value is tried in.
const MOST_TRIES: usize = 4;

/// What is interchangeable in the states of a network.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// The classes of what may be permuted.
    pub classes: Vec<Class>,
    /// The numbers of what may change its place.
    pub elements: Elements,
    /// Where each element belongs.
    pub positions: Vec<Position>,
    /// What values mean, by sort.
    pub values: Vec<Values>,
    /// For each variable, what its values mean: a number in `values`.
    pub variables: Vec<Option<usize>>,
    /// For each channel, what the fields of its messages mean.
    pub fields: Vec<Vec<Option<usize>>>,
    /// What the numbers of processes, from 1 on, mean.
    pub processes: Values,
    /// Where values mean nothing, since nobody will read them.
    pub dead: DeadVariables,
    /// When states may be permuted.
    pub settled: Settled,
    /// Processes that look interchangeable, and are not.
    pub obstacles: Vec<Obstacle>,
}

/// When everything that is to be started has been started: for each process, at which of its locations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Processes that must be at certain locations.
    pub processes: Vec<(ProcessId, Vec<bool>)>,
}

/// Why processes made from one template are not interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The template.
    pub template: String,
    /// What tells them apart.
    pub what: &'static str,
    /// Where.
    pub span: Span,
}

/// Finds what is interchangeable in a network while a property is checked. Where variables are `dead`, their values
/// do not matter; edges are alike only if they cost the same.
pub fn find(
    network: &Network,
    property: &Property,
    dead: DeadVariables,
    cost: &dyn Fn(ProcessId, EdgeId) -> u32,
) -> Symmetry {
    let elements = Elements::of(network);
    if network.variables.iter().any(|it| it.storage == Storage::Meta) {
        return Symmetry::none(network, elements, dead);
    }
    let (settled, edges) = settle(network, property);
    let functions = functions(network, property, &edges);
    let mut sorts = sorts(network, property, &edges, &functions);
    let has_channel_values = has_channel_values(network, &edges, &functions);
    loop {
        let scene = Scene {
            network,
            property,
            sorts: &sorts,
            dead: &dead,
            edges: edges.clone(),
            functions: functions.clone(),
            has_channel_values,
            cost,
        };
        let candidates = Candidates::new(&scene);
        let alike = candidates.sorts_of_same_constants();
        if alike.is_empty() {
            let mut finder = Finder::new(&scene, &candidates, &elements);
            finder.look_at_values();
            finder.look_at_processes();
            finder.look_at_channels();
            return finder.symmetry(settled);
        }
        alike.into_iter().for_each(|(one, other)| sorts.join(one, other));
    }
}

impl Symmetry {
    /// Lets everything only go round.
    pub fn turn(&mut self) {
        self.classes.iter_mut().for_each(|it| it.group = Group::Rotations);
    }

    /// Nothing is interchangeable.
    fn none(network: &Network, elements: Elements, dead: DeadVariables) -> Symmetry {
        let stays = |element| Position { family: element, atoms: Vec::new() };
        Symmetry {
            classes: Vec::new(),
            positions: (0..elements.count).map(stays).collect(),
            elements,
            values: Vec::new(),
            variables: vec![None; network.variables.len()],
            fields: network.channels.iter().map(|it| vec![None; fields_of(&it.kind)]).collect(),
            processes: Values::default(),
            dead,
            settled: Settled::default(),
            obstacles: Vec::new(),
        }
    }
}

fn fields_of(kind: &ChannelKind) -> usize {
    match kind {
        ChannelKind::Buffered { fields, .. } => fields.len(),
        ChannelKind::Handshake | ChannelKind::Broadcast => 0,
    }
}

/// Whether a process takes part while the property is checked.
fn takes_part(property: &Property, id: ProcessId, process: &Process) -> bool {
    !process.observes || property.observer == Some(id)
}

/// When everything has been started, and the edges that there are from then on, by process.
fn settle(network: &Network, property: &Property) -> (Settled, Vec<Vec<EdgeId>>) {
    let mut settled = Settled::default();
    let mut edges = Vec::new();
    for (id, process) in network.processes.enumerate() {
        if !takes_part(property, id, process) {
            edges.push(Vec::new());
            continue;
        }
        let is_settled = settled_locations(process);
        if !is_settled.contains(&true) {
            // Processes are started for ever.
            return (Settled::default(), all_edges(network, property));
        }
        let counts = |edge: &EdgeId| is_settled[process.edges[*edge].source.index()];
        edges.push(process.edges.ids().filter(counts).collect());
        if is_settled.contains(&false) {
            settled.processes.push((id, is_settled));
        }
    }
    (settled, edges)
}

fn all_edges(network: &Network, property: &Property) -> Vec<Vec<EdgeId>> {
    let of = |(id, process): (ProcessId, &Process)| match takes_part(property, id, process) {
        true => process.edges.ids().collect(),
        false => Vec::new(),
    };
    network.processes.enumerate().map(of).collect()
}

/// For each location of a process, whether it starts nothing from there on.
fn settled_locations(process: &Process) -> Vec<bool> {
    let starts = |edge: &network::Edge| {
        let mut found = false;
        edge.update.iter().for_each(|it| {
            it.walk(&mut |part| found |= matches!(part.kind, StatementKind::Enter(..)));
        });
        found
    };
    let starting: Vec<_> =
        process.edges.iter().filter(|it| starts(it)).map(|it| it.source).collect();
    let is_settled = |location| {
        starting.is_empty() || !process.reachable(location).iter().any(|it| starting.contains(it))
    };
    process.locations.ids().map(is_settled).collect()
}

/// The functions that are called by what counts.
fn functions(network: &Network, property: &Property, edges: &[Vec<EdgeId>]) -> Vec<FunctionId> {
    let mut roots = Vec::new();
    let mut visit = |function| roots.push(function);
    for (process, edges) in network.processes.iter().zip(edges) {
        for edge in edges.iter().map(|&it| &process.edges[it]) {
            each_expression(edge, &mut |expr| code::calls_in(expr, &mut visit));
            edge.update.iter().for_each(|it| code::calls(it, &mut visit));
        }
        for location in &process.locations {
            let rates = location.rates.iter();
            let rates =
                rates.flat_map(|it| it.when.iter().chain([&it.rate]).chain(&it.clock.indices));
            let clocks = location.invariant.clocks.iter().flat_map(|it| it.expressions());
            let exprs = std::iter::once(&location.invariant.data).chain(clocks).chain(rates);
            exprs.for_each(|expr| code::calls_in(expr, &mut visit));
        }
    }
    property.claim.expression().into_iter().for_each(|it| code::calls_in(it, &mut visit));
    called(network, roots.into_iter())
}

/// The expressions of an edge outside of its statements.
fn each_expression(edge: &network::Edge, visit: &mut dyn FnMut(&Expr)) {
    visit(&edge.guard.data);
    edge.guard.clocks.iter().flat_map(|it| it.expressions()).for_each(&mut *visit);
    match &edge.action {
        Action::Internal => {}
        Action::Send(send) => {
            send.channel.expressions().iter().chain(&send.message).for_each(visit)
        }
        Action::Receive(receive) => {
            let patterns = receive.message.iter().flat_map(|it| it.expressions());
            receive.channel.expressions().iter().chain(patterns).for_each(visit);
        }
    }
}

/// Whether channels are values in what counts.
fn has_channel_values(network: &Network, edges: &[Vec<EdgeId>], functions: &[FunctionId]) -> bool {
    let is_value = |channel: &ChannelRef| matches!(channel, ChannelRef::Value(_));
    let in_expr = |expr: &Expr| {
        expr.mentions(&|part| match part {
            Expr::Probe(_, channel) => is_value(channel),
            Expr::Poll(poll) => is_value(&poll.channel),
            _ => false,
        })
    };
    let in_statement = |statement: &network::Statement| {
        let mut found = false;
        statement.walk(&mut |part| {
            found |= part.expressions().into_iter().any(in_expr);
            found |= match &part.kind {
                StatementKind::Send(send) => is_value(&send.channel),
                StatementKind::Receive(receive) => is_value(&receive.channel),
                _ => false,
            };
        });
        found
    };
    let in_edge = |edge: &network::Edge| {
        let mut found = edge.action.channel().is_some_and(is_value);
        each_expression(edge, &mut |expr| found |= in_expr(expr));
        found || edge.update.iter().any(in_statement)
    };
    let mut counted = network.processes.iter().zip(edges);
    counted.any(|(process, edges)| edges.iter().any(|&it| in_edge(&process.edges[it])))
        || functions.iter().any(|&it| network.functions[it].body.iter().any(in_statement))
}

/// The sorts of values in what counts.
fn sorts<'a>(
    network: &'a Network,
    property: &Property,
    edges: &[Vec<EdgeId>],
    functions: &[FunctionId],
) -> Sorts<'a> {
    let mut sorts = Sorts::new(network, Cells::of(network, &property.locals));
    for (id, process) in network.processes.enumerate() {
        if !takes_part(property, id, process) {
            continue;
        }
        if let Priority::Variable(variable) = process.priority {
            sorts.priority(variable, process.span);
        }
        for (number, location) in process.locations.iter().enumerate() {
            sorts.location(id.index(), number, location);
        }
        for &edge in &edges[id.index()] {
            sorts.edge(id.index(), edge.index(), &process.edges[edge]);
        }
    }
    functions.iter().for_each(|&it| sorts.function(it));
    if let Some(expr) = property.claim.expression() {
        sorts.goal(&property.locals, expr, property.span);
    }
    sorts
}

/// A class that was found.
struct Found {
    sort: Option<Sort>,
    exchanges: Exchanges,
}

/// Tries candidates, and keeps what it finds.
struct Finder<'a> {
    scene: &'a Scene<'a>,
    candidates: &'a Candidates<'a>,
    elements: &'a Elements,
    found: Vec<Found>,
    atoms: u32,
    /// By template, why its processes are not interchangeable.
    failed: BTreeMap<String, Change>,
}

/// What may be known of a sort beforehand.
#[derive(Default)]
struct Extent {
    /// The least number of elements that its values are indices of.
    size: Option<u32>,
    /// How many variables and kinds of messages have values of it; processes count as several.
    values: usize,
}

impl<'a> Finder<'a> {
    fn new(scene: &'a Scene<'a>, candidates: &'a Candidates<'a>, elements: &'a Elements) -> Self {
        Finder { scene, candidates, elements, found: Vec::new(), atoms: 0, failed: BTreeMap::new() }
    }

    /// Looks for values that may be exchanged.
    fn look_at_values(&mut self) {
        for (sort, extent) in self.extents() {
            let values = self.domain(sort, &extent);
            let sorts = self.scene.sorts;
            if values.len() < 2 || values.len() > MOST_ATOMS {
                continue;
            }
            if let Some(span) = sorts.number(sort) {
                self.fail(sort, Change { what: "an id is used as a number here", span });
                continue;
            }
            match sorts.ring(sort) {
                None => self.exchange_values(sort, &values),
                Some((around, span)) => {
                    let all: Vec<i32> = (0..around).collect();
                    let (low, high) = sorts.constants(sort).unwrap_or((0, 0));
                    if values.len() >= all.len() && 0 <= low && high < around {
                        self.rotate_values(sort, &all);
                    } else {
                        self.fail(sort, Change { what: "an id is used as a number here", span });
                    }
                }
            }
        }
    }

    /// The sorts of values that may mean something, in the order of the network.
    fn extents(&self) -> BTreeMap<Sort, Extent> {
        let Scene { network, sorts, .. } = self.scene;
        let cells = &sorts.cells;
        let mut extents: BTreeMap<Sort, Extent> = BTreeMap::new();
        let mut index = |cell, size: u32| {
            let extent = extents.entry(sorts.of(cell)).or_default();
            extent.size = Some(extent.size.map_or(size, |known| known.min(size)));
        };
        for (id, it) in network.variables.enumerate() {
            it.dimensions
                .iter()
                .enumerate()
                .for_each(|(at, d)| index(cells.variable_index(id, at), d.size));
        }
        for (id, it) in network.clocks.enumerate() {
            it.dimensions
                .iter()
                .enumerate()
                .for_each(|(at, d)| index(cells.clock_index(id, at), d.size));
        }
        for (id, it) in network.channels.enumerate() {
            it.dimensions
                .iter()
                .enumerate()
                .for_each(|(at, d)| index(cells.channel_index(id, at), d.size));
        }
        let mut value = |cell| extents.entry(sorts.of(cell)).or_default().values += 1;
        let useful = network.variables.ids().filter(|&id| !self.scene.dead.is_useless(id));
        useful.for_each(|id| value(cells.variable(id)));
        for (id, it) in network.channels.enumerate() {
            (0..fields_of(&it.kind)).for_each(|field| value(cells.field(id, field)));
            if self.scene.has_channel_values {
                (0..it.dimensions.len()).for_each(|at| value(cells.channel_index(id, at)));
            }
        }
        for sort in network.processes.ids().flat_map(|it| self.candidates.sorts_in(it)) {
            extents.entry(sort).or_default().values += SEVERAL;
        }
        let numbers = sorts.of(cells.channel_number);
        // What is compared with nothing else needs no order.
        let counts = |it: &Extent| it.values >= SEVERAL || it.values > 0 && it.size.is_some();
        extents.retain(|&sort, extent| counts(extent) && sort != numbers);
        extents
    }

    /// The values of a sort that may be exchanged.
    fn domain(&self, sort: Sort, extent: &Extent) -> Vec<i32> {
        let processes = &self.scene.network.processes;
        if let Some(size) = extent.size {
            return (0..size.min(MOST_ATOMS as u32 + 1) as i32).collect();
        }
        let mut values: Vec<i32> =
            processes.ids().flat_map(|it| self.candidates.constants(it, sort)).collect();
        match self.started_with(sort) {
            Some(started) => values.extend(started),
            // Ids of processes, most likely.
            None => values.extend(0..=processes.len() as i32),
        }
        values.sort_unstable();
        values.dedup();
        values
    }

    /// The values that variables of a sort have when everything has been started; none if that cannot be said.
    fn started_with(&self, sort: Sort) -> Option<Vec<i32>> {
        let Scene { network, sorts, edges, .. } = self.scene;
        let is_own = |id| sorts.of(sorts.cells.variable(id)) == sort;
        let variables = network.variables.enumerate().filter(|(id, _)| is_own(*id));
        let mut values: Vec<i32> =
            variables.flat_map(|(_, it)| it.initial.iter().copied()).collect();
        let mut is_known = true;
        for (process, counted) in network.processes.iter().zip(edges) {
            let before = process.edges.enumerate().filter(|(id, _)| !counted.contains(id));
            for statement in before.flat_map(|(_, edge)| &edge.update) {
                statement.walk(&mut |part| match &part.kind {
                    StatementKind::Assign(place, value) => {
                        let is_own = matches!(place.base, Base::Variable(id) if is_own(id));
                        match code::constant(value) {
                            Some(value) if is_own => values.push(value),
                            _ => is_known &= !is_own,
                        }
                    }
                    StatementKind::Call(..)
                    | StatementKind::Send(_)
                    | StatementKind::Receive(_) => {
                        is_known = false;
                    }
                    _ => {}
                });
            }
            let mut before = process.edges.enumerate().filter(|(id, _)| !counted.contains(id));
            is_known &= before.all(|(_, edge)| edge.action == Action::Internal);
        }
        is_known.then_some(values)
    }

    fn exchange_values(&mut self, sort: Sort, values: &[i32]) {
        let mut groups: Vec<(Vec<i32>, Vec<Permutation>)> = Vec::new();
        let mut failure = None;
        for &value in values {
            let mut fits = None;
            for (number, (members, _)) in groups.iter().enumerate().rev().take(MOST_TRIES) {
                let last = members[members.len() - 1];
                let exchange = HashMap::from([(last, value), (value, last)]);
                match self.candidates.with_values(sort, exchange, false) {
                    Ok(permutation) => {
                        fits = Some((number, permutation));
                        break;
                    }
                    Err(change) => failure = failure.or(Some(change)),
                }
            }
            match fits {
                Some((number, permutation)) => {
                    groups[number].0.push(value);
                    groups[number].1.push(permutation);
                }
                None => groups.push((vec![value], Vec::new())),
            }
        }
        let is_any = groups.iter().any(|it| it.0.len() > 1);
        if !is_any && self.rotate_values(sort, values) {
            return;
        }
        for (members, permutations) in groups.into_iter().filter(|it| it.0.len() > 1) {
            self.keep(Some(sort), members, Group::All, &permutations);
        }
        if let Some(change) = failure.filter(|_| !is_any) {
            self.fail(sort, change);
        }
    }

    fn rotate_values(&mut self, sort: Sort, values: &[i32]) -> bool {
        let next =
            values.iter().zip(values.iter().cycle().skip(1)).map(|(a, b)| (*a, *b)).collect();
        match self.candidates.with_values(sort, next, true) {
            Ok(permutation) => {
                self.keep(Some(sort), values.to_vec(), Group::Rotations, &[permutation]);
                true
            }
            Err(change) => {
                self.fail(sort, change);
                false
            }
        }
    }

    /// Looks for processes that differ in nothing but their names.
    fn look_at_processes(&mut self) {
        let network = self.scene.network;
        let moved: Vec<bool> = network.processes.ids().map(|id| self.moves(id.index())).collect();
        let mut groups: Vec<(Vec<ProcessId>, Vec<Permutation>)> = Vec::new();
        let plain = network.processes.enumerate();
        for (id, process) in plain.filter(|(id, it)| !it.observes && !moved[id.index()]) {
            let mut fits = None;
            for (number, (members, _)) in groups.iter().enumerate().rev().take(MOST_TRIES) {
                let last = members[members.len() - 1];
                if !self.candidates.are_alike(last, id) {
                    if network.processes[last].template == process.template {
                        let what = "the processes differ in more than names";
                        let change = Change { what, span: process.span };
                        self.failed.entry(process.template.clone()).or_insert(change);
                    }
                    continue;
                }
                match self.candidates.with_processes(last, id) {
                    Ok(permutation) => {
                        fits = Some((number, permutation));
                        break;
                    }
                    Err(change) => {
                        self.failed.entry(process.template.clone()).or_insert(change);
                    }
                }
            }
            match fits {
                Some((number, permutation)) => {
                    groups[number].0.push(id);
                    groups[number].1.push(permutation);
                }
                None => groups.push((vec![id], Vec::new())),
            }
        }
        for (_, permutations) in groups.into_iter().filter(|it| it.0.len() > 1) {
            self.keep(None, Vec::new(), Group::All, &permutations);
        }
    }

    /// Looks for single channels that are only known by their numbers.
    fn look_at_channels(&mut self) {
        let network = self.scene.network;
        if !self.scene.has_channel_values {
            return;
        }
        let mut groups: Vec<(network::ChannelId, Vec<Permutation>)> = Vec::new();
        for (id, _) in network.channels.enumerate().filter(|(_, it)| it.dimensions.is_empty()) {
            let mut fits = None;
            for (number, (last, _)) in groups.iter().enumerate().rev().take(MOST_TRIES) {
                if let Ok(permutation) = self.candidates.with_channels(*last, id) {
                    fits = Some((number, permutation));
                    break;
                }
            }
            match fits {
                Some((number, permutation)) => {
                    groups[number].0 = id;
                    groups[number].1.push(permutation);
                }
                None => groups.push((id, Vec::new())),
            }
        }
        for (_, permutations) in groups.into_iter().filter(|it| !it.1.is_empty()) {
            self.keep(None, Vec::new(), Group::All, &permutations);
        }
    }

    /// Whether an element is moved by what was found.
    fn moves(&self, element: usize) -> bool {
        let images = self.found.iter().flat_map(|it| &it.exchanges.images);
        images.into_iter().any(|images| images[element] as usize != element)
    }

    fn fail(&mut self, sort: Sort, change: Change) {
        for (id, process) in self.scene.network.processes.enumerate() {
            if self.candidates.sorts_in(id).contains(&sort) {
                self.failed.entry(process.template.clone()).or_insert_with(|| change.clone());
            }
        }
    }

    /// Keeps a class if it goes together with those before it.
    fn keep(
        &mut self,
        sort: Option<Sort>,
        values: Vec<i32>,
        group: Group,
        permutations: &[Permutation],
    ) {
        let Scene { network, sorts, .. } = self.scene;
        let images: Vec<Vec<u32>> =
            permutations.iter().map(|it| self.elements.images(network, sorts, it)).collect();
        let size = match group {
            Group::All => images.len() as u32 + 1,
            Group::Rotations => values.len() as u32,
        };
        let is_moved =
            |id: &ProcessId| images.iter().any(|it| it[id.index()] as usize != id.index());
        let processes = network.processes.ids().filter(is_moved);
        let processes = processes.map(|id| network.processes[id].name.clone()).collect();
        let names = sort.map(|sort| self.names(sort)).unwrap_or_default();
        let class = Class { first: self.atoms, size, group, processes, values, names };
        self.found.push(Found { sort, exchanges: Exchanges { class, images } });
        let all: Vec<&Exchanges> = self.found.iter().map(|it| &it.exchanges).collect();
        let known = positions(&all, self.elements.count as usize);
        let is_fine = known.is_some_and(|positions| {
            // The number of a channel or process can mean one atom only.
            let mut counted = self.elements.counted(network);
            counted.all(|element| positions[element as usize].atoms.len() <= 1)
        });
        match is_fine {
            true => self.atoms += size,
            false => drop(self.found.pop()),
        }
    }

    /// What has values of a sort, or has them as indices.
    fn names(&self, sort: Sort) -> Vec<String> {
        let Scene { network, sorts, dead, .. } = self.scene;
        let cells = &sorts.cells;
        let mut names = Vec::new();
        for (id, it) in network.variables.enumerate().filter(|(id, _)| !dead.is_useless(*id)) {
            let mut all = std::iter::once(cells.variable(id))
                .chain((0..it.dimensions.len()).map(|at| cells.variable_index(id, at)));
            if all.any(|cell| sorts.of(cell) == sort) {
                names.push(it.name.clone());
            }
        }
        for (id, it) in network.channels.enumerate() {
            let indices = (0..it.dimensions.len()).map(|at| cells.channel_index(id, at));
            let mut all = indices.chain((0..fields_of(&it.kind)).map(|at| cells.field(id, at)));
            if all.any(|cell| sorts.of(cell) == sort) {
                names.push(it.name.clone());
            }
        }
        names
    }

    /// Puts together what was found.
    fn symmetry(self, settled: Settled) -> Symmetry {
        let Scene { network, sorts, dead, .. } = self.scene;
        let all: Vec<&Exchanges> = self.found.iter().map(|it| &it.exchanges).collect();
        let none = Symmetry::none(network, self.elements.clone(), (*dead).clone());
        let Some(positions) = positions(&all, self.elements.count as usize) else { return none };
        let mut values: Vec<(Sort, Values)> = Vec::new();
        for Found { sort, exchanges } in &self.found {
            let Some(sort) = *sort else { continue };
            let class = &exchanges.class;
            let known = values.iter().position(|it| it.0 == sort);
            let at = known.unwrap_or_else(|| {
                values.push((sort, Values::default()));
                values.len() - 1
            });
            let atoms =
                class.values.iter().zip(class.first..).map(|(&value, atom)| (value, (0, atom)));
            values[at].1.atoms.extend(atoms);
            values[at].1.closed |= sorts.ring(sort).is_some();
        }
        let numbered = |elements: std::ops::Range<u32>| {
            let mean = |(number, element): (i32, u32)| {
                let Position { family, atoms } = &positions[element as usize];
                Some((number, (*family, *atoms.first()?)))
            };
            Values { atoms: (1..).zip(elements).filter_map(mean).collect(), closed: false }
        };
        if self.scene.has_channel_values {
            let numbers = numbered(self.elements.channels());
            values.push((sorts.of(sorts.cells.channel_number), numbers));
        }
        let meaning = |cell| values.iter().position(|it| it.0 == sorts.of(cell));
        let variables =
            network.variables.ids().map(|id| meaning(sorts.cells.variable(id))).collect();
        let field = |(id, it): (network::ChannelId, &network::Channel)| {
            (0..fields_of(&it.kind)).map(|at| meaning(sorts.cells.field(id, at))).collect()
        };
        let fields = network.channels.enumerate().map(field).collect();
        let processes = numbered(0..network.processes.len() as u32);
        let is_moved = |template: &str| {
            let mut named = network.processes.enumerate().filter(|(_, it)| it.template == template);
            named.any(|(id, _)| !positions[id.index()].atoms.is_empty())
        };
        let is_several = |template: &str| {
            network.processes.iter().filter(|it| it.template == template).count() > 1
        };
        let failed = self.failed.into_iter().filter(|(it, _)| is_several(it) && !is_moved(it));
        let obstacles = failed
            .map(|(template, Change { what, span })| Obstacle { template, what, span })
            .collect();
        Symmetry {
            classes: self.found.into_iter().map(|it| it.exchanges.class).collect(),
            positions,
            values: values.into_iter().map(|it| it.1).collect(),
            variables,
            fields,
            processes,
            settled,
            obstacles,
            ..none
        }
    }
}
