//! Channels in variables that are always the same one.
//!
//! Which channels a variable or a field of a message may hold is found out from what is assigned, sent and
//! received, whatever guards say. Where there is but one, it is named itself. What a variable holds before the
//! process that uses it starts does not count, if it is assigned whenever that happens.

use super::flow::{Source, Target, each_flow, fields};
use analysis::{Elements, Touch, Touches};
use network::{
    Base, ChannelId, ChannelRef, Expr, Id, Network, Place, Priority, Process, ProcessId, Reference,
    Statement, StatementKind, VariableId,
};
use std::collections::BTreeSet;

/// The values that something may hold; none if it may be any.
type Values = Option<BTreeSet<i32>>;

/// What may hold more values than this may hold any.
const MOST_VALUES: usize = 64;

/// Names channels where a variable may mean no other.
pub fn resolve(network: &mut Network) {
    let is_value = |it: &ChannelRef| matches!(it, ChannelRef::Value(_));
    let mut has_values = false;
    network.visit_references(&mut |reference| {
        if let Reference::Channel(channel) = reference {
            has_values |= is_value(channel);
        }
    });
    if !has_values {
        return;
    }
    let holdings = Holdings::of(network);
    let elements = elements(network);
    network.visit_references(&mut |reference| {
        let Reference::Channel(channel) = reference else { return };
        let ChannelRef::Value(value) = channel else { return };
        let Some(values) = holdings.of_expr(value) else { return };
        // Another number would be an error.
        if let [number] = values.into_iter().collect::<Vec<_>>()[..]
            && let Some((id, indices)) =
                usize::try_from(number - 1).ok().and_then(|at| elements.get(at))
        {
            *channel = ChannelRef::Element(*id, indices.clone());
        }
    });
}

/// All elements of all channels, in the order in which values number them, from 1.
fn elements(network: &Network) -> Vec<(ChannelId, Vec<Expr>)> {
    let mut elements = Vec::new();
    for (id, channel) in network.channels.enumerate() {
        for element in 0..channel.len() {
            let mut rest = element;
            let mut indices = Vec::new();
            for dimension in channel.dimensions.iter().rev() {
                indices.insert(0, Expr::Const((rest % dimension.size as usize) as i32));
                rest /= dimension.size as usize;
            }
            elements.push((id, indices));
        }
    }
    elements
}

struct Holdings {
    variables: Vec<Values>,
    fields: Vec<Vec<Values>>,
}

impl Holdings {
    fn of(network: &Network) -> Holdings {
        let given = Given::of(network);
        let initial = |id: VariableId| match given.is_assigned_first(id) {
            true => Some(BTreeSet::new()),
            false => Some(network.variables[id].initial.iter().copied().collect()),
        };
        let nothing = || Some(BTreeSet::new());
        let mut holdings = Holdings {
            variables: network.variables.ids().map(initial).collect(),
            fields: network.channels.iter().map(|it| vec![nothing(); fields(it).len()]).collect(),
        };
        let mut grows = true;
        while std::mem::take(&mut grows) {
            network::cancellation::check();
            each_flow(network, &mut |target, source| {
                grows |= holdings.add(network, target, source);
            });
        }
        holdings
    }

    /// Adds what a target may hold; says whether that is new.
    fn add(&mut self, network: &Network, target: Target, source: Source) -> bool {
        let values = match source {
            Source::Value(_, expr) => self.of_expr(expr),
            Source::Field(channel, position) => self.fields[channel.index()][position].clone(),
            Source::Result(_) => None,
        };
        let (held, ty) = match target {
            Target::Variable(id) => (&mut self.variables[id.index()], network.variables[id].ty),
            Target::Field(channel, position) => (
                &mut self.fields[channel.index()][position],
                fields(&network.channels[channel])[position],
            ),
        };
        let Some(known) = held else { return false };
        // What does not fit comes out as something else.
        let values = values.filter(|values| values.iter().all(|&value| ty.contains(value)));
        let Some(values) = values.filter(|values| known.union(values).count() <= MOST_VALUES)
        else {
            *held = None;
            return true;
        };
        let before = known.len();
        known.extend(values);
        known.len() > before
    }

    fn of_expr(&self, expr: &Expr) -> Values {
        match expr {
            Expr::Const(value) => Some(BTreeSet::from([*value])),
            Expr::Read(Place { base: Base::Variable(id), .. }) => {
                self.variables[id.index()].clone()
            }
            Expr::Conditional(_, yes, no) => {
                let (yes, no) = (self.of_expr(yes)?, self.of_expr(no)?);
                Some(yes.union(&no).copied().collect())
            }
            _ => None,
        }
    }
}

/// Who looks at variables, and how processes start.
struct Given<'a> {
    network: &'a Network,
    /// The process that alone looks at a variable; none if nobody or several do.
    reader: Vec<Option<ProcessId>>,
    /// For each process what is assigned before it is put somewhere, each time.
    starts: Vec<Vec<BTreeSet<VariableId>>>,
}

impl<'a> Given<'a> {
    fn of(network: &'a Network) -> Given<'a> {
        let mut given = Given {
            network,
            reader: readers(network),
            starts: vec![Vec::new(); network.processes.len()],
        };
        for edge in network.processes.iter().flat_map(|it| &it.edges) {
            given.note_starts(&edge.update, &BTreeSet::new());
        }
        for function in &network.functions {
            given.note_starts(&function.body, &BTreeSet::new());
        }
        given
    }

    fn note_starts(&mut self, block: &[Statement], before: &BTreeSet<VariableId>) {
        let mut assigned = before.clone();
        for statement in block {
            match &statement.kind {
                StatementKind::Assign(Place { base: Base::Variable(id), indices }, _)
                    if indices.is_empty() =>
                {
                    assigned.insert(*id);
                }
                StatementKind::Enter(process, location)
                    if *location != self.network.processes[*process].initial =>
                {
                    self.starts[process.index()].push(assigned.clone());
                }
                StatementKind::If(_, then, otherwise) => {
                    self.note_starts(then, &assigned);
                    self.note_starts(otherwise, &assigned);
                }
                StatementKind::While(_, body) => self.note_starts(body, &assigned),
                _ => {}
            }
        }
    }

    /// Whether only a process that waits to be started looks at a variable, which is assigned then.
    fn is_assigned_first(&self, id: VariableId) -> bool {
        let Some(reader) = self.reader[id.index()] else { return false };
        waits(&self.network.processes[reader])
            && self.starts[reader.index()].iter().all(|assigned| assigned.contains(&id))
    }
}

/// Whether a process can do nothing until it is put somewhere.
fn waits(process: &Process) -> bool {
    process.edges.iter().all(|edge| edge.source != process.initial)
}

/// For each variable the process whose edges alone look at it.
fn readers(network: &Network) -> Vec<Option<ProcessId>> {
    let touches = Touches::of(network);
    let mut found: Vec<BTreeSet<Option<ProcessId>>> =
        vec![BTreeSet::new(); network.variables.len()];
    let mut note = |process: Option<ProcessId>, touch: Touch| {
        if let Touch::Read(id, _) = touch {
            found[id.index()].insert(process);
        }
    };
    for (id, process) in network.processes.enumerate() {
        for edge in &process.edges {
            touches.condition(&edge.guard, &mut |touch| note(Some(id), touch));
            touches.action(&edge.action, &mut |touch| note(Some(id), touch));
            touches.statements(&edge.update, &mut |touch| note(Some(id), touch));
        }
        for location in &process.locations {
            touches.condition(&location.invariant, &mut |touch| note(None, touch));
            for rate in &location.rates {
                let exprs = rate.when.iter().chain(&rate.clock.indices).chain([&rate.rate]);
                touches.exprs(exprs, &mut |touch| note(None, touch));
            }
        }
        if let Priority::Variable(id) = process.priority {
            note(None, Touch::Read(id, Elements { first: 0, end: 1 }));
        }
    }
    let claims = network.properties.iter().filter_map(|it| it.claim.expression());
    touches.exprs(claims, &mut |touch| note(None, touch));
    let only = |processes: &BTreeSet<Option<ProcessId>>| match processes.len() {
        1 => processes.first().copied().flatten(),
        _ => None,
    };
    found.iter().map(only).collect()
}
