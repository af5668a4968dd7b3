//! Clearing of dead variables: a value that nobody will read is set to its initial value
//! (docs/algorithms.md, section 5.1).
//!
//! A variable of a process is *live* at a location if some path on from there reads it before it is
//! overwritten. Two states that differ only in dead variables can do the same, step by step: no
//! guard, message, invariant, update or property that is evaluated before the variable is written
//! again reads it. So wherever an edge of the process leads to a location where the variable is
//! dead, it may assign what it likes, and assigns the initial value. Lengths of paths stay the same,
//! and so does everything that a search can find.

use crate::flow::{Flow, Follower, Value};
use crate::matrix::{self, Matrix};
use crate::survey::{Survey, location_touches};
use analysis::{DeadVariables, Touch};
use network::{
    Base, Edge, EdgeId, Expr, Id, LocationId, Network, Place, ProcessId, Span, Statement,
    StatementKind, Storage, Variable, VariableId, cancellation, element_indices,
};

/// Larger arrays are left alone: every element takes an assignment.
const LARGEST_ARRAY: usize = 32;

/// Processes with more places times variables than this are left alone.
const LARGEST_TABLE: usize = 1 << 28;

/// The updates that take the place of others, by process and edge.
pub type Clearings = Vec<Vec<Option<Vec<Statement>>>>;

/// Variables that may be cleared.
struct Candidates {
    /// Those on which nothing depends.
    useless: Vec<bool>,
    /// The others, by the process that they belong to.
    owned: Vec<Vec<VariableId>>,
}

fn candidates(survey: &Survey, visible: &[bool]) -> Candidates {
    let network = survey.network;
    let useful = survey.useful(visible);
    let is_candidate = |id: &VariableId| {
        let variable = &network.variables[*id];
        variable.storage == Storage::State
            && variable.len() <= LARGEST_ARRAY
            && !visible[id.index()]
    };
    let mut useless = vec![false; network.variables.len()];
    let mut owned: Vec<Vec<VariableId>> = vec![Vec::new(); network.processes.len()];
    for id in network.variables.ids().filter(is_candidate) {
        match survey.owner(id) {
            _ if !useful[id.index()] => useless[id.index()] = true,
            Some(owner) => owned[owner.index()].push(id),
            None => {}
        }
    }
    Candidates { useless, owned }
}

/// Where variables that belong to processes are dead.
pub fn dead_variables(survey: &Survey, visible: &[bool]) -> DeadVariables {
    let Candidates { useless, owned } = candidates(survey, visible);
    let mut numbers = vec![None; survey.network.variables.len()];
    let mut found = DeadVariables::default();
    let useless = survey.network.variables.ids().filter(|id| useless[id.index()]);
    useless.for_each(|id| found.insert_useless(id));
    for (process, owned) in survey.network.processes.ids().zip(&owned) {
        let Some(arcs) = arcs_of(survey, process, owned, &mut numbers) else { continue };
        let live = arcs.live();
        for (number, &id) in (0_u32..).zip(owned) {
            let is_dead = |location| !matrix::has(live.row(location), number);
            found.insert(id, process, (0..arcs.locations).map(is_dead).collect());
        }
    }
    found
}

/// What every edge should do instead; `visible` variables are part of the property.
pub fn clearings(survey: &Survey, visible: &[bool]) -> Clearings {
    let network = survey.network;
    let Candidates { useless, owned } = candidates(survey, visible);
    let mut numbers = vec![None; network.variables.len()];
    let of_process = |process: ProcessId| {
        let dead = dead(survey, process, &owned[process.index()], &mut numbers);
        let edges = network.processes[process].edges.iter().zip(dead);
        edges.map(|(edge, dead)| cleared(survey, edge, &dead, &useless)).collect()
    };
    network.processes.ids().map(of_process).collect()
}

/// Replaces the updates of edges.
pub fn apply(network: &mut Network, clearings: Clearings) {
    for (process, clearings) in network.processes.iter_mut().zip(clearings) {
        for (edge, cleared) in process.edges.iter_mut().zip(clearings) {
            if let Some(cleared) = cleared {
                edge.update = cleared;
            }
        }
    }
}

/// The update of an edge that clears what is dead after it, and what matters for nothing; none if there is nothing
/// to clear.
fn cleared(
    survey: &Survey,
    edge: &Edge,
    dead: &[VariableId],
    useless: &[bool],
) -> Option<Vec<Statement>> {
    let mut update = edge.update.clone();
    let mut last = dead.to_vec();
    survey.touches.action(&edge.action, &mut |touch| add_useless(touch, useless, &mut last));
    let is_changed = clear_useless(survey, &mut update, useless);
    update.extend(last.iter().flat_map(|&id| initialise(id, &survey.network.variables[id])));
    (is_changed || !last.is_empty()).then_some(update)
}

/// A variable on which nothing depends is cleared where it is written, whoever owns it: at the end of the same
/// block, so that who does not write it has nothing to do with it.
fn clear_useless(survey: &Survey, statements: &mut Vec<Statement>, useless: &[bool]) -> bool {
    let mut written = Vec::new();
    let mut is_changed = false;
    for statement in statements.iter_mut() {
        match &mut statement.kind {
            StatementKind::If(_, then, otherwise) => {
                is_changed |= clear_useless(survey, then, useless);
                is_changed |= clear_useless(survey, otherwise, useless);
            }
            StatementKind::While(_, body) => is_changed |= clear_useless(survey, body, useless),
            _ => survey.touches.statements(std::slice::from_ref(statement), &mut |touch| {
                add_useless(touch, useless, &mut written);
            }),
        }
    }
    is_changed |= !written.is_empty();
    statements.extend(written.iter().flat_map(|&id| initialise(id, &survey.network.variables[id])));
    is_changed
}

fn add_useless(touch: Touch, useless: &[bool], written: &mut Vec<VariableId>) {
    if let Touch::Write(id, _) = touch
        && useless[id.index()]
        && !written.contains(&id)
    {
        written.push(id);
    }
}

/// Assignments of the initial values.
fn initialise(id: VariableId, variable: &Variable) -> impl Iterator<Item = Statement> + '_ {
    variable.initial.iter().enumerate().map(move |(element, &value)| {
        let indices = element_indices(&variable.dimensions, element);
        let indices = indices.into_iter().map(Expr::Const).collect();
        let place = Place { base: Base::Variable(id), indices };
        Statement { kind: StatementKind::Assign(place, Expr::Const(value)), span: Span::NONE }
    })
}

/// The arcs of a process, as far as they are about the variables that belong to it; none if these are too many.
fn arcs_of(
    survey: &Survey,
    process: ProcessId,
    owned: &[VariableId],
    numbers: &mut [Option<u32>],
) -> Option<Arcs> {
    let places = survey.network.processes[process].locations.len();
    if owned.is_empty() || places.saturating_mul(owned.len()) > LARGEST_TABLE {
        return None;
    }
    for (number, id) in owned.iter().enumerate() {
        numbers[id.index()] = Some(number as u32);
    }
    let arcs = Arcs::of(survey, process, owned.len(), numbers);
    owned.iter().for_each(|id| numbers[id.index()] = None);
    Some(arcs)
}

/// What the edges of a process should clear of the variables that belong to it.
fn dead(
    survey: &Survey,
    process: ProcessId,
    owned: &[VariableId],
    numbers: &mut [Option<u32>],
) -> Vec<Vec<VariableId>> {
    let Some(arcs) = arcs_of(survey, process, owned, numbers) else {
        return vec![Vec::new(); survey.network.processes[process].edges.len()];
    };
    let live = arcs.live();
    let changed = arcs.changed(&live);
    let to_clear = |arc: &Arc| {
        let bits = arcs.after(arc, &changed, &live, true);
        matrix::columns(&bits).map(|number| owned[number as usize]).collect()
    };
    arcs.own().iter().map(to_clear).collect()
}

/// An arc from one location to another: an edge, or a block that others run.
struct Arc {
    from: usize,
    to: usize,
    flow: Flow,
}

/// All arcs of a process, its own edges first.
struct Arcs {
    all: Vec<Arc>,
    own: usize,
    locations: usize,
    variables: usize,
    /// What invariants and rates read.
    read: Matrix,
    outgoing: Vec<Vec<u32>>,
    incoming: Vec<Vec<u32>>,
}

impl Arcs {
    fn of(survey: &Survey, process: ProcessId, variables: usize, numbers: &[Option<u32>]) -> Arcs {
        let follower = Follower { survey, numbers };
        let code = &survey.network.processes[process];
        let arc = |id: EdgeId| {
            cancellation::check();
            let edge = &code.edges[id];
            let (from, to) = (edge.source.index(), edge.target.index());
            Arc { from, to, flow: follower.edge(edge) }
        };
        let mut all: Vec<Arc> = code.edges.ids().map(arc).collect();
        let own = all.len();
        for block in survey.blocks(process) {
            let flow = follower.statements(block.statements);
            for to in block_targets(survey, process, block.at, block.statements) {
                all.push(Arc { from: block.at.index(), to, flow: flow.clone() });
            }
        }
        let locations = code.locations.len();
        let mut read = Matrix::new(locations, variables);
        for (row, location) in code.locations.iter().enumerate() {
            let mut bits = vec![0; variables.div_ceil(64)];
            location_touches(&survey.touches, location, &mut |touch| {
                follower.read(touch).iter().for_each(|&number| matrix::set(&mut bits, number));
            });
            read.add(row, &bits);
        }
        Arcs { all, own, locations, variables, read, outgoing: vec![], incoming: vec![] }.linked()
    }

    fn linked(mut self) -> Arcs {
        self.outgoing = vec![Vec::new(); self.locations];
        self.incoming = vec![Vec::new(); self.locations];
        for (number, arc) in (0_u32..).zip(&self.all) {
            self.outgoing[arc.from].push(number);
            self.incoming[arc.to].push(number);
        }
        self
    }

    fn own(&self) -> &[Arc] {
        &self.all[..self.own]
    }

    /// By location, the variables that are live there.
    fn live(&self) -> Matrix {
        let mut live = Matrix::new(self.locations, self.variables);
        for row in 0..self.locations {
            live.add(row, self.read.row(row));
        }
        let mut open: Vec<usize> = (0..self.locations).collect();
        let mut is_open = vec![true; self.locations];
        let mut bits = Vec::new();
        while let Some(to) = open.pop() {
            cancellation::check();
            is_open[to] = false;
            for &number in &self.incoming[to] {
                let arc = &self.all[number as usize];
                bits.clear();
                bits.extend_from_slice(live.row(to));
                arc.flow.kills.iter().for_each(|&number| matrix::unset(&mut bits, number));
                arc.flow.uses.iter().for_each(|&number| matrix::set(&mut bits, number));
                if live.add(arc.from, &bits) && !std::mem::replace(&mut is_open[arc.from], true) {
                    open.push(arc.from);
                }
            }
        }
        live
    }

    /// By location, the variables that may have other than their initial values there.
    fn changed(&self, live: &Matrix) -> Matrix {
        let mut changed = Matrix::new(self.locations, self.variables);
        let mut open: Vec<usize> = (0..self.locations).rev().collect();
        let mut is_open = vec![true; self.locations];
        while let Some(from) = open.pop() {
            cancellation::check();
            is_open[from] = false;
            for &number in &self.outgoing[from] {
                let arc = &self.all[number as usize];
                let mut bits = self.after(arc, &changed, live, false);
                if number as usize >= self.own {
                    // Others clear nothing.
                    let left = self.after(arc, &changed, live, true);
                    bits.iter_mut().zip(left).for_each(|(bits, left)| *bits |= left);
                }
                if changed.add(arc.to, &bits) && !std::mem::replace(&mut is_open[arc.to], true) {
                    open.push(arc.to);
                }
            }
        }
        changed
    }

    /// The variables that may have other than initial values after an arc, and are dead or live there.
    fn after(&self, arc: &Arc, changed: &Matrix, live: &Matrix, dead: bool) -> Vec<u64> {
        let mut bits = changed.row(arc.from).to_vec();
        for (&number, &value) in &arc.flow.after {
            match value {
                Value::Initial => matrix::unset(&mut bits, number),
                Value::Other => matrix::set(&mut bits, number),
            }
        }
        let wanted = live.row(arc.to).iter().map(|live| if dead { !live } else { *live });
        bits.iter_mut().zip(wanted).for_each(|(bits, wanted)| *bits &= wanted);
        bits
    }
}

/// Where a process can be after a block that others run while it is parked.
fn block_targets(
    survey: &Survey,
    process: ProcessId,
    at: LocationId,
    statements: &[Statement],
) -> Vec<usize> {
    let mut targets = vec![at.index()];
    survey.touches.statements(statements, &mut |touch| {
        if let Touch::Enter(entered, location) = touch
            && entered == process
            && !targets.contains(&location.index())
        {
            targets.push(location.index());
        }
    });
    targets
}
