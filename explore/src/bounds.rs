//! Lower and upper bounds of clocks (L and U) per location, for extrapolation and covering
//! (docs/algorithms.md, section 1.3).
//!
//! A clock's bounds at a location are the greatest constants it may be compared with before the
//! process resets it: a least fixpoint over the location graph (Behrmann et al., "Static guard
//! analysis"). The bounds of a state are the maxima over its processes, and over the goal.

use crate::condition::constant_element;
use crate::layout::Layout;
use crate::program::sizes;
use network::{
    Action, Arena, BinaryOp, ChannelKind, ChannelRef, ClockConstraint, ClockRef, Edge, Expr,
    FunctionId, Id, Local, LocalId, LocationId, MAX_CLOCK_BOUND, Network, Process, ProcessId,
    Relation, Statement, StatementKind, UnaryOp, cancellation, range_of,
};
use std::ops::Range;
use zones::NO_BOUND;

/// The bounds of one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockBounds {
    /// The clock's index in the zone.
    pub clock: u32,
    /// L: the greatest constant of a lower bound.
    pub lower: i32,
    /// U: the greatest constant of an upper bound.
    pub upper: i32,
}

/// The bounds of all clocks at all locations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    dim: usize,
    goal: Row,
    /// For each process and location, the clocks that have bounds there.
    locations: Vec<Vec<Vec<ClockBounds>>>,
}

/// L and U of every clock, side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    lower: Vec<i32>,
    upper: Vec<i32>,
}

impl Bounds {
    /// The bounds of a network with a goal, which may stand for its opposite (`negated`). With `symmetric`, L = U = max(L, U), as goals that can
    /// see what is *not* possible need.
    pub fn new(
        network: &Network,
        layout: &Layout,
        goal: Option<(&Expr, &Arena<LocalId, Local>)>,
        negated: bool,
        symmetric: bool,
    ) -> Bounds {
        let mut analysis = Analysis { network, layout, resets: Vec::new() };
        analysis.resets = vec![None; network.functions.len()];
        let mut row = Row::new(layout.dim);
        if let Some((expr, locals)) = goal {
            analysis.goal(locals, expr, Some(!negated), &mut row);
        }
        if symmetric {
            row.symmetrise();
        }
        let entered = entered(network);
        let mut sparse = |(id, process): (ProcessId, &Process)| {
            let mut rows = analysis.process(process, &entered[id.index()]);
            if symmetric {
                rows.iter_mut().for_each(Row::symmetrise);
            }
            rows.iter().map(Row::sparse).collect()
        };
        let locations = network.processes.enumerate().map(&mut sparse).collect();
        Bounds { dim: layout.dim, goal: row, locations }
    }

    /// Writes the bounds of a state, given the locations of its processes.
    #[inline]
    pub fn of(&self, locations: &[i32], lower: &mut [i32], upper: &mut [i32]) {
        lower.copy_from_slice(&self.goal.lower);
        upper.copy_from_slice(&self.goal.upper);
        for (rows, &location) in self.locations.iter().zip(locations) {
            for bounds in &rows[location as usize] {
                let clock = bounds.clock as usize;
                lower[clock] = lower[clock].max(bounds.lower);
                upper[clock] = upper[clock].max(bounds.upper);
            }
        }
    }

    /// The greatest bound of each clock anywhere.
    pub fn maxima(&self) -> Vec<i32> {
        let mut maxima: Vec<i32> =
            (0..self.dim).map(|x| self.goal.lower[x].max(self.goal.upper[x])).collect();
        for bounds in self.locations.iter().flatten().flatten() {
            let clock = bounds.clock as usize;
            maxima[clock] = maxima[clock].max(bounds.lower).max(bounds.upper);
        }
        maxima
    }
}

impl Row {
    fn new(dim: usize) -> Row {
        let mut row = Row { lower: vec![NO_BOUND; dim], upper: vec![NO_BOUND; dim] };
        if dim > 0 {
            (row.lower[0], row.upper[0]) = (0, 0);
        }
        row
    }

    fn symmetrise(&mut self) {
        for (lower, upper) in self.lower.iter_mut().zip(&mut self.upper) {
            let both = (*lower).max(*upper);
            (*lower, *upper) = (both, both);
        }
    }

    fn sparse(&self) -> Vec<ClockBounds> {
        let all = self.lower.iter().zip(&self.upper).enumerate().skip(1);
        all.filter(|&(_, (&lower, &upper))| lower != NO_BOUND || upper != NO_BOUND)
            .map(|(clock, (&lower, &upper))| ClockBounds { clock: clock as u32, lower, upper })
            .collect()
    }

    /// Takes over another row's bounds except those of the clocks that are reset on the way.
    fn absorb(&mut self, other: &Row, reset: &[u32]) -> bool {
        let mut changed = false;
        for x in 1..self.lower.len() {
            if reset.binary_search(&(x as u32)).is_ok() {
                continue;
            }
            changed |= other.lower[x] > self.lower[x] || other.upper[x] > self.upper[x];
            self.lower[x] = self.lower[x].max(other.lower[x]);
            self.upper[x] = self.upper[x].max(other.upper[x]);
        }
        changed
    }
}

struct Analysis<'a> {
    network: &'a Network,
    layout: &'a Layout,
    /// The clocks that each function sets on every path through it, once it was asked for: functions
    /// call each other many times.
    resets: Vec<Option<Vec<u32>>>,
}

impl Analysis<'_> {
    /// Adds the clock constraints of a goal; a negation turns lower bounds into upper ones. A sign
    /// of none means that the goal may ask for either.
    fn goal(&self, locals: &Arena<LocalId, Local>, expr: &Expr, sign: Option<bool>, row: &mut Row) {
        match expr {
            Expr::Clock(constraint) => {
                let relations = match sign {
                    Some(true) => [Some(constraint.relation), None],
                    Some(false) => [Some(constraint.relation.flipped()), None],
                    None => [Some(constraint.relation), Some(constraint.relation.flipped())],
                };
                for relation in relations.into_iter().flatten() {
                    self.constraint(locals, constraint, relation, row);
                }
            }
            Expr::Unary(UnaryOp::Not, a) => self.goal(locals, a, sign.map(|s| !s), row),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.goal(locals, a, sign, row);
                self.goal(locals, b, sign, row);
            }
            Expr::Quantified(_, _, a) => self.goal(locals, a, sign, row),
            other => {
                other.children().into_iter().for_each(|e| self.goal(locals, e, None, row));
            }
        }
    }

    /// The bounds at the locations of a process, some of which others may make it enter from anywhere.
    fn process(&mut self, process: &Process, entered: &[LocationId]) -> Vec<Row> {
        cancellation::check();
        let mut rows = vec![Row::new(self.layout.dim); process.locations.len()];
        for (row, location) in rows.iter_mut().zip(&process.locations) {
            for constraint in &location.invariant.clocks {
                self.constraint(&location.locals, constraint, constraint.relation, row);
            }
        }
        let mut incoming = vec![Vec::new(); rows.len()];
        for edge in &process.edges {
            let row = &mut rows[edge.source.index()];
            for constraint in &edge.guard.clocks {
                self.constraint(&edge.locals, constraint, constraint.relation, row);
                if self.may_receive_broadcast(edge) {
                    // Whether the guard does *not* hold matters too: then the sender goes alone.
                    self.constraint(&edge.locals, constraint, constraint.relation.flipped(), row);
                }
            }
            let reset = self.definite_resets(&edge.update);
            incoming[edge.target.index()].push((edge.source.index(), reset));
        }
        for location in entered {
            incoming[location.index()].extend((0..rows.len()).map(|source| (source, Vec::new())));
        }
        let mut work: Vec<usize> = (0..rows.len()).collect();
        while let Some(target) = work.pop() {
            let row = rows[target].clone();
            for (source, reset) in &incoming[target] {
                if rows[*source].absorb(&row, reset) {
                    work.push(*source);
                }
            }
        }
        rows
    }

    /// Adds what a constraint compares its clocks with.
    fn constraint(
        &self,
        locals: &Arena<LocalId, Local>,
        constraint: &ClockConstraint,
        relation: Relation,
        row: &mut Row,
    ) {
        let (low, high) = range_of(self.network, locals, &constraint.bound);
        let difference = constraint.right.is_some();
        let greatest = if difference { high.max(low.saturating_neg()) } else { high };
        if greatest < 0 {
            return;
        }
        // Comparing with more is a run-time error.
        let greatest = greatest.min(MAX_CLOCK_BOUND);
        use Relation::*;
        for clock in std::iter::once(&constraint.left).chain(&constraint.right) {
            for x in self.elements(clock) {
                if difference || matches!(relation, Ge | Gt | Eq) {
                    row.lower[x as usize] = row.lower[x as usize].max(greatest);
                }
                if difference || matches!(relation, Le | Lt | Eq) {
                    row.upper[x as usize] = row.upper[x as usize].max(greatest);
                }
            }
        }
    }

    fn may_receive_broadcast(&self, edge: &Edge) -> bool {
        let Action::Receive(receive) = &edge.action else { return false };
        match &receive.channel {
            ChannelRef::Element(channel, _) => {
                self.network.channels[*channel].kind == ChannelKind::Broadcast
            }
            ChannelRef::Value(_) => true,
        }
    }

    fn elements(&self, clock: &ClockRef) -> Range<u32> {
        elements(self.network, self.layout, clock)
    }

    /// The clocks that statements set on every path through them.
    fn definite_resets(&mut self, statements: &[Statement]) -> Vec<u32> {
        let mut out = Vec::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Reset(clock, _) => {
                    let elements = self.elements(clock);
                    if elements.len() == 1 {
                        out.push(elements.start);
                    }
                }
                StatementKind::Call(_, function, _) => {
                    out.extend(self.resets_of(*function));
                }
                // What stands after a return that may be taken is not certain to run.
                StatementKind::Return(_) => break,
                _ if contains_return(statement) => break,
                _ => {}
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    fn resets_of(&mut self, function: FunctionId) -> &[u32] {
        if self.resets[function.index()].is_none() {
            let network = self.network;
            let resets = self.definite_resets(&network.functions[function].body);
            self.resets[function.index()] = Some(resets);
        }
        self.resets[function.index()].as_deref().unwrap_or_default()
    }
}

/// The locations of each process that steps of others put it at; none if there are no clocks.
fn entered(network: &Network) -> Vec<Vec<LocationId>> {
    let mut entered = vec![Vec::new(); network.processes.len()];
    if network.clocks.is_empty() {
        return entered;
    }
    let updates = network.processes.iter().flat_map(|p| &p.edges).flat_map(|edge| &edge.update);
    for statement in updates.chain(network.functions.iter().flat_map(|f| &f.body)) {
        statement.walk(&mut |s| {
            if let StatementKind::Enter(process, location) = s.kind {
                entered[process.index()].push(location);
            }
        });
    }
    for locations in &mut entered {
        locations.sort_unstable();
        locations.dedup();
    }
    entered
}

fn contains_return(statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |s| found |= matches!(s.kind, StatementKind::Return(_)));
    found
}

/// The zone indices a clock reference may mean.
pub(crate) fn elements(network: &Network, layout: &Layout, clock: &ClockRef) -> Range<u32> {
    let base = layout.clock(clock.clock);
    let declared = &network.clocks[clock.clock];
    match constant_element(&clock.indices, &sizes(&declared.dimensions)) {
        Some(element) => base + element..base + element + 1,
        None => base..base + declared.len() as u32,
    }
}
