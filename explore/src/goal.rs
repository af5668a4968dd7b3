//! The goal: a formula over data, clocks and deadlock that some valuation of a zone may satisfy
//! (docs/algorithms.md, section 1.6).
//!
//! The formula is in negation normal form. Parts without clocks are tests of data; for the rest,
//! [`Explorer::goal_part`] searches the branches of the formula for one that leaves a part of the
//! zone. `deadlock` is exact: the zone minus all valuations from which a step is or becomes possible.

use crate::condition::{Compiler, Constraint, Difference, Test, evaluate};
use crate::explorer::{CompileError, Explorer, constrain};
use crate::machine::Machine;
use crate::successors::{Expansion, Workspace, without};
use analysis::Form;
use network::{Claim, Expr, Property, RunTimeError};

/// A goal ready to be tested.
#[derive(Debug)]
pub struct Goal {
    formula: Formula,
}

#[derive(Debug, Clone)]
enum Formula {
    /// The test has this outcome.
    Data(Test, bool),
    /// All these constraints hold, or (if false) not all of them do.
    Clock(Vec<Constraint>, bool),
    /// No step is possible now or later, or (if false) some is.
    Deadlock(bool),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

/// A more than large enough number of constraints for a goal with quantifiers over clocks.
const MAX_PARTS: usize = 100_000;

impl Goal {
    /// The goal of a property; without one, nothing is a goal.
    pub fn compile(
        compiler: &mut Compiler,
        property: Option<&Property>,
    ) -> Result<Goal, CompileError> {
        let formula = match property.map(|p| (&p.claim, p)) {
            Some((Claim::Reachable(expr), p)) => {
                Builder { compiler, property: p }.build(expr, true)?
            }
            Some((Claim::Always(expr), p)) => {
                Builder { compiler, property: p }.build(expr, false)?
            }
            _ => Formula::Or(Vec::new()),
        };
        Ok(Goal { formula })
    }

    /// Whether the goal asks for deadlocks.
    pub fn sees_deadlock(&self) -> bool {
        self.formula.any(&|f| matches!(f, Formula::Deadlock(_)))
    }
}

impl Formula {
    fn demands_deadlock(&self) -> bool {
        match self {
            Formula::Deadlock(sign) => *sign,
            Formula::And(parts) => parts.iter().any(Formula::demands_deadlock),
            _ => false,
        }
    }

    /// What holds where this does not.
    fn opposite(&self) -> Formula {
        let all = |parts: &[Formula]| parts.iter().map(Formula::opposite).collect();
        match self {
            Formula::Data(test, sign) => Formula::Data(test.clone(), !sign),
            Formula::Clock(constraints, sign) => Formula::Clock(constraints.clone(), !sign),
            Formula::Deadlock(sign) => Formula::Deadlock(!sign),
            Formula::And(parts) => Formula::Or(all(parts)),
            Formula::Or(parts) => Formula::And(all(parts)),
        }
    }

    fn is_never(&self) -> bool {
        matches!(self, Formula::Or(parts) if parts.is_empty())
    }

    fn any(&self, wanted: &dyn Fn(&Formula) -> bool) -> bool {
        wanted(self)
            || match self {
                Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| p.any(wanted)),
                _ => false,
            }
    }
}

/// Makes tests of the atoms of a goal.
struct Builder<'a, 'b> {
    compiler: &'a mut Compiler<'b>,
    property: &'a Property,
}

impl Builder<'_, '_> {
    /// The formula for an expression, or (sign false) for its opposite.
    fn build(&mut self, expr: &Expr, sign: bool) -> Result<Formula, CompileError> {
        let (network, locals) = (self.compiler.network, &self.property.locals);
        let is_atom = |expr: &Expr| !is_timed(expr);
        self.compile(Form::of(network, locals, expr, sign, MAX_PARTS, &is_atom))
    }

    fn compile(&mut self, form: Form) -> Result<Formula, CompileError> {
        let Property { locals, span, .. } = self.property;
        Ok(match form {
            Form::All(parts) => Formula::And(self.compile_all(parts)?),
            Form::Any(parts) => Formula::Or(self.compile_all(parts)?),
            Form::Atom(Expr::Deadlock, sign) => Formula::Deadlock(sign),
            Form::Atom(Expr::Clock(constraint), sign) => {
                Formula::Clock(self.compiler.constraint(locals, &constraint, *span), sign)
            }
            Form::Atom(expr, sign) if !is_timed(&expr) => {
                Formula::Data(self.compiler.test(locals, &expr, *span), sign)
            }
            Form::Atom(Expr::Quantified(..), _) => {
                return Err(self.refuse("the property has too many clock constraints"));
            }
            Form::Atom(..) => {
                return Err(self.refuse("a clock constraint or deadlock inside arithmetic"));
            }
        })
    }

    fn compile_all(&mut self, parts: Vec<Form>) -> Result<Vec<Formula>, CompileError> {
        parts.into_iter().map(|part| self.compile(part)).collect()
    }

    fn refuse(&self, message: &str) -> CompileError {
        CompileError { message: message.into(), span: self.property.span }
    }
}

fn is_timed(expr: &Expr) -> bool {
    expr.mentions(&|part| matches!(part, Expr::Clock(_) | Expr::Deadlock))
}

impl Explorer {
    /// Whether a state, for some valuation of its zone, satisfies the goal.
    pub fn is_goal(&self, ws: &mut Workspace, state: &[i32]) -> Result<bool, RunTimeError> {
        if let Formula::Data(test, sign) = &self.goal.formula {
            let discrete = self.layout.discrete;
            let Expansion { machine, state: own, .. } = &mut ws.expansion;
            own[..discrete].copy_from_slice(&state[..discrete]);
            return Ok(test.holds(&self.program, machine, own)? == *sign);
        }
        Ok(self.goal_part(ws, state)?.is_some())
    }

    /// Whether the goal can hold only where no step is possible, so that it is enough to look at
    /// states without successors. Only said of models without clocks and observers.
    pub fn seeks_dead_ends(&self) -> bool {
        self.layout.dim == 0 && self.observer.is_none() && self.goal.formula.demands_deadlock()
    }

    /// Whether a state in which some process has control may be a goal.
    pub(crate) fn may_be_goal(&self, machine: &mut Machine, state: &mut [i32]) -> bool {
        match &self.goal.formula {
            Formula::Data(test, sign) => {
                // An error is reported when the state is explored.
                test.holds(&self.program, machine, state).map_or(true, |holds| holds == *sign)
            }
            // A process with control can move.
            formula => !formula.demands_deadlock() && !formula.is_never(),
        }
    }

    /// A part of the state's zone, all of which satisfies the goal; empty without clocks.
    pub(crate) fn goal_part(
        &self,
        ws: &mut Workspace,
        state: &[i32],
    ) -> Result<Option<Vec<i32>>, RunTimeError> {
        ws.expansion.state.copy_from_slice(state);
        let zone = state[self.layout.zone()].to_vec();
        self.solve(&mut ws.expansion, zone, vec![&self.goal.formula])
    }

    /// A part of the zone that satisfies all formulas.
    fn solve(
        &self,
        expansion: &mut Expansion,
        mut zone: Vec<i32>,
        mut todo: Vec<&Formula>,
    ) -> Result<Option<Vec<i32>>, RunTimeError> {
        while let Some(formula) = todo.pop() {
            match formula {
                Formula::Data(test, sign) => {
                    if self.ask(expansion, test)? != *sign {
                        return Ok(None);
                    }
                }
                Formula::And(parts) => todo.extend(parts.iter().rev()),
                Formula::Or(parts) => return self.solve_either(expansion, zone, parts, todo),
                Formula::Clock(constraints, sign) => {
                    let mut demands = Vec::new();
                    let Expansion { machine, state, .. } = expansion;
                    evaluate(constraints, &self.program, machine, state, &mut demands)?;
                    if !sign {
                        let pieces =
                            demands.into_iter().filter_map(|d| outside(&zone, d, self.layout.dim));
                        return self.solve_some(expansion, pieces.collect(), todo);
                    }
                    if !demands.into_iter().all(|d| constrain(&mut zone, self.layout.dim, d)) {
                        return Ok(None);
                    }
                }
                Formula::Deadlock(sign) => {
                    let pieces = self.deadlock_pieces(expansion, &zone, *sign);
                    return self.solve_some(expansion, pieces, todo);
                }
            }
        }
        Ok(Some(zone))
    }

    fn ask(&self, expansion: &mut Expansion, test: &Test) -> Result<bool, RunTimeError> {
        test.holds(&self.program, &mut expansion.machine, &mut expansion.state)
    }

    /// A part of the zone that satisfies one of the parts, and the rest.
    fn solve_either(
        &self,
        expansion: &mut Expansion,
        zone: Vec<i32>,
        parts: &[Formula],
        todo: Vec<&Formula>,
    ) -> Result<Option<Vec<i32>>, RunTimeError> {
        for (number, part) in parts.iter().enumerate() {
            if let Formula::Data(test, sign) = part
                && self.ask(expansion, test) == Ok(*sign)
            {
                // What stands after it is not evaluated, and cannot fail.
                return self.solve(expansion, zone, todo);
            }
            let mut rest = todo.clone();
            rest.push(part);
            let mut found = self.solve(expansion, zone.clone(), rest.clone());
            if found.is_err() {
                // It is evaluated only where those before it do not hold.
                let refuted: Vec<Formula> = parts[..number].iter().map(Formula::opposite).collect();
                rest.extend(refuted.iter().rev());
                found = self.solve(expansion, zone.clone(), rest);
            }
            if let Some(part) = found? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    fn solve_some(
        &self,
        expansion: &mut Expansion,
        pieces: Vec<Vec<i32>>,
        todo: Vec<&Formula>,
    ) -> Result<Option<Vec<i32>>, RunTimeError> {
        for piece in pieces {
            let found = self.solve(expansion, piece, todo.clone())?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The parts of a zone that are (or are not) deadlocks. Where a step raises an error and no other
    /// is possible neither is said: the error itself is reported when the state is expanded.
    fn deadlock_pieces(
        &self,
        expansion: &mut Expansion,
        zone: &[i32],
        deadlock: bool,
    ) -> Vec<Vec<i32>> {
        if self.layout.dim == 0 {
            let is_sought = self.can_step(expansion) == Some(!deadlock);
            return if is_sought { vec![zone.to_vec()] } else { Vec::new() };
        }
        let dim = self.layout.dim;
        let Possible { fired, failed } = self.possible_zones(expansion);
        if !deadlock {
            let meet = |part: Vec<i32>| {
                let mut piece = zone.to_vec();
                zones::intersect(&mut piece, &part, dim).then_some(piece)
            };
            return fired.into_iter().filter_map(meet).collect();
        }
        let mut pieces = vec![zone.to_vec()];
        for part in fired.iter().chain(&failed) {
            pieces = pieces.iter().flat_map(|piece| without(piece, part, dim)).collect();
        }
        pieces
    }

    /// Whether some step of the state is possible, in a model without clocks; none if there are only
    /// steps that raise an error.
    fn can_step(&self, expansion: &mut Expansion) -> Option<bool> {
        self.enabled(expansion);
        let Expansion { machine, state, steps, next, .. } = expansion;
        let mut failed = steps.failure.is_some();
        for position in 0..steps.len() {
            match self.fire(machine, state, steps.get(position), next) {
                Ok(true) => return Some(true),
                Ok(false) => {}
                Err(_) => failed = true,
            }
        }
        (!failed).then_some(false)
    }

    /// From where a step is possible in the discrete state, now or after a delay.
    fn possible_zones(&self, expansion: &mut Expansion) -> Possible {
        let (dim, zone) = (self.layout.dim, self.layout.zone());
        let mut possible = Possible::default();
        let mut everywhere = vec![0; zone.len()];
        zones::universe(&mut everywhere, dim);
        // Enter the state anew, from all valuations: this finds its invariants and urgency.
        let Expansion { machine, state, steps, next, .. } = expansion;
        next.state.copy_from_slice(state);
        next.state[zone.clone()].copy_from_slice(&everywhere);
        next.entry.reset_to.fill(-1);
        match self.enter(machine, next) {
            Ok(true) => {}
            Ok(false) => return possible,
            Err(_) => {
                possible.failed.push(everywhere);
                return possible;
            }
        }
        // Where delays are only over-approximated, a step after a delay is not certain.
        let delay = next.entry.may_delay && self.is_exact();
        let mut from_anywhere = next.state.clone();
        self.collect_enabled(machine, &mut from_anywhere, steps);
        for position in 0..steps.len() {
            let step = steps.get(position);
            let (part, list) = match self.fire(machine, &mut from_anywhere, step, next) {
                Ok(false) => continue,
                Ok(true) => (&next.state[zone.clone()], &mut possible.fired),
                Err(_) => (&next.state[zone.clone()], &mut possible.failed),
            };
            list.push(part.to_vec());
            if delay && let Some(part) = list.last_mut() {
                zones::down(part, dim);
            }
        }
        if steps.failure.is_some() {
            possible.failed.push(everywhere);
        }
        possible
    }
}

/// From where steps are possible.
#[derive(Default)]
struct Possible {
    fired: Vec<Vec<i32>>,
    /// Those that raise an error.
    failed: Vec<Vec<i32>>,
}

/// The part of a zone outside a bound.
fn outside(zone: &[i32], d: Difference, dim: usize) -> Option<Vec<i32>> {
    let mut piece = zone.to_vec();
    constrain(&mut piece, dim, d.opposite()).then_some(piece)
}
