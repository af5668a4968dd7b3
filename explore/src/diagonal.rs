//! Extrapolation of models that compare differences of clocks (docs/algorithms.md, section 1.5).
//!
//! Bounds alone do not respect such constraints, so every zone is first split along them; each part
//! is extrapolated by the greatest constants (`Extra_M`) and then cut back to its side of every
//! constraint (Bengtsson and Yi, "On clock difference constraints and termination").

use crate::condition::Difference;
use crate::explorer::{CompileError, constrain};
use crate::layout::Layout;
use network::{
    Arena, ClockConstraint, ClockRef, Expr, Local, LocalId, MAX_CLOCK_BOUND, Network, Property,
    Relation, Span, range_of,
};
use zones::{NO_BOUND, bound};

/// The difference constraints of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagonals {
    constraints: Vec<Difference>,
    maxima: Vec<i32>,
}

/// The most constraints that zones are split along; more would only pretend to end.
const MAX_CONSTRAINTS: usize = 4096;

impl Diagonals {
    /// The difference constraints of a network and of what is asked about it.
    pub fn of(
        network: &Network,
        layout: &Layout,
        property: Option<&Property>,
        maxima: Vec<i32>,
    ) -> Result<Diagonals, CompileError> {
        let mut all = Collector { network, layout, found: Vec::new() };
        for process in &network.processes {
            for location in &process.locations {
                for constraint in &location.invariant.clocks {
                    all.add(&location.locals, constraint, location.invariant.span)?;
                }
            }
            for edge in &process.edges {
                for constraint in &edge.guard.clocks {
                    all.add(&edge.locals, constraint, edge.guard.span)?;
                }
            }
        }
        if let Some(property) = property
            && let Some(expr) = property.claim.expression()
        {
            let mut clocks = Vec::new();
            collect_clocks(expr, &mut clocks);
            for constraint in clocks {
                all.add(&property.locals, constraint, property.span)?;
            }
        }
        all.found.sort_by_key(|d| (d.i, d.j, d.bound));
        all.found.dedup();
        Ok(Diagonals { constraints: all.found, maxima })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.constraints.is_empty()
    }

    /// Visits the extrapolated parts of a zone.
    pub fn extrapolate(&self, zone: &[i32], dim: usize, visit: &mut dyn FnMut(&[i32])) {
        let mut parts: Vec<(Vec<i32>, Vec<Difference>)> = vec![(zone.to_vec(), Vec::new())];
        for &d in &self.constraints {
            let opposite = Difference { i: d.j, j: d.i, bound: bound::negate(d.bound) };
            for (part, sides) in std::mem::take(&mut parts) {
                for side in [d, opposite] {
                    let mut half = part.clone();
                    if constrain(&mut half, dim, side) {
                        let mut sides = sides.clone();
                        sides.push(side);
                        parts.push((half, sides));
                    }
                }
            }
        }
        for (mut part, sides) in parts {
            extrapolate_m(&mut part, dim, &self.maxima);
            if sides.iter().all(|&side| constrain(&mut part, dim, side)) {
                visit(&part);
            }
        }
    }
}

/// `Extra_M`: forgets what lies beyond the greatest constants.
fn extrapolate_m(zone: &mut [i32], dim: usize, maxima: &[i32]) {
    for x in (1..dim).filter(|&x| maxima[x] == NO_BOUND) {
        zones::free(zone, dim, x);
    }
    let known = |x: usize| maxima[x] != NO_BOUND;
    for i in 0..dim {
        for j in (0..dim).filter(|&j| j != i && known(i) && known(j)) {
            let word = &mut zone[i * dim + j];
            if *word == bound::INFINITY {
                continue;
            }
            if i > 0 && *word > bound::le(maxima[i]) {
                *word = bound::INFINITY;
            } else if j > 0 && *word < bound::lt(-maxima[j]) {
                *word = bound::lt(-maxima[j]);
            }
        }
    }
    // Growing a non-empty zone leaves it so.
    zones::close(zone, dim);
}

fn collect_clocks<'a>(expr: &'a Expr, out: &mut Vec<&'a ClockConstraint>) {
    if let Expr::Clock(constraint) = expr {
        out.push(constraint);
    }
    for child in expr.children() {
        collect_clocks(child, out);
    }
}

struct Collector<'a> {
    network: &'a Network,
    layout: &'a Layout,
    found: Vec<Difference>,
}

impl Collector<'_> {
    fn add(
        &mut self,
        locals: &Arena<LocalId, Local>,
        constraint: &ClockConstraint,
        span: Span,
    ) -> Result<(), CompileError> {
        let Some(right) = &constraint.right else { return Ok(()) };
        let (low, high) = range_of(self.network, locals, &constraint.bound);
        // Comparing with more is a run-time error.
        let (low, high) = (low.max(-MAX_CLOCK_BOUND), high.min(MAX_CLOCK_BOUND));
        let (lefts, rights) = (self.elements(&constraint.left), self.elements(right));
        let values = (high as i64 - low as i64 + 1) * (lefts.len() * rights.len()) as i64;
        if values > (MAX_CONSTRAINTS - self.found.len().min(MAX_CONSTRAINTS)) as i64 {
            let message = "not supported: a difference of clocks compared with too many values";
            return Err(CompileError { message: message.into(), span });
        }
        for i in lefts {
            for j in rights.clone().filter(|&j| j != i) {
                for c in low..=high {
                    self.split_at(i, j, constraint.relation, c);
                }
            }
        }
        Ok(())
    }

    fn split_at(&mut self, i: u32, j: u32, relation: Relation, c: i32) {
        // `x - y <= c` and its opposite split zones alike, as do `<` and `>=`.
        if matches!(relation, Relation::Le | Relation::Gt | Relation::Eq) {
            self.found.push(Difference { i, j, bound: bound::le(c) });
        }
        if matches!(relation, Relation::Lt | Relation::Ge | Relation::Eq) {
            self.found.push(Difference { i, j, bound: bound::lt(c) });
        }
    }

    fn elements(&self, clock: &ClockRef) -> std::ops::Range<u32> {
        crate::bounds::elements(self.network, self.layout, clock)
    }
}
