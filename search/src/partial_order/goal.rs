//! Which processes may bring a goal nearer: without a step of one of them it stays out of reach.

use super::access::{Access, Index, Mode, Surveyor};
use super::region::Region;
use crate::problem::Problem;
use analysis::Form;
use network::{Expr, Id, LocationId, ProcessId};
use std::ops::Range;

/// What must hold where a goal is reached.
pub enum Wanted {
    All(Vec<Wanted>),
    Any(Vec<Wanted>),
    /// No step is possible.
    Deadlock,
    /// The process is at the location, or (if false) it is not; the resource that says so.
    At(ProcessId, LocationId, bool, Range<u32>),
    /// A test of data; its value if a state can tell, what it looks at, and what its outcome must be.
    Data(Option<Index>, Vec<Access>, bool),
}

/// More instances of quantifiers than this are not written out.
const MOST_PARTS: usize = 2_000;

impl Wanted {
    /// What a problem looks for; none if it looks for nothing but errors.
    pub fn of(problem: &Problem, surveyor: &Surveyor) -> Option<Wanted> {
        let expr = problem.property().claim.expression()?;
        let (network, locals) = (problem.network(), &problem.property().locals);
        let sign = problem.goal_sign();
        let form = Form::of(network, locals, expr, sign, MOST_PARTS, &|_| false);
        Some(Wanted::write(form, surveyor))
    }

    fn write(form: Form, surveyor: &Surveyor) -> Wanted {
        let each = |parts: Vec<Form>| {
            parts.into_iter().map(|part| Wanted::write(part, surveyor)).collect()
        };
        match form {
            Form::All(parts) => Wanted::All(each(parts)),
            Form::Any(parts) => Wanted::Any(each(parts)),
            Form::Atom(Expr::Deadlock, true) => Wanted::Deadlock,
            // Where a step is possible, this holds already.
            Form::Atom(Expr::Deadlock, false) => Wanted::All(Vec::new()),
            Form::Atom(Expr::At(process, location), sign) => {
                Wanted::At(process, location, sign, surveyor.at(process, location))
            }
            Form::Atom(expr, sign) => {
                Wanted::Data(surveyor.index(&expr), surveyor.reads(&expr), sign)
            }
        }
    }

    /// Whether it mentions something that is not a matter of locations, data or deadlock.
    pub fn is_known(expr: &Expr) -> bool {
        !expr.mentions(&|part| matches!(part, Expr::Clock(_) | Expr::Timeout))
    }

    /// Whether it holds in a state that has steps; none if only the explorer can tell.
    fn holds(&self, state: &[i32]) -> Option<bool> {
        match self {
            Wanted::All(parts) => all_hold(parts.iter().map(|part| part.holds(state))),
            Wanted::Any(parts) => {
                let opposites = parts.iter().map(|part| part.holds(state).map(|it| !it));
                all_hold(opposites).map(|none| !none)
            }
            Wanted::Deadlock => Some(false),
            Wanted::At(process, location, sign, _) => {
                Some((state[process.index()] == location.index() as i32) == *sign)
            }
            Wanted::Data(value, _, sign) => Some((value.as_ref()?.value(state)? != 0) == *sign),
        }
    }

    /// Whether it demands a deadlock, so that nothing else needs to change.
    pub fn is_deadlock(&self) -> bool {
        match self {
            Wanted::Deadlock => true,
            Wanted::All(parts) => parts.iter().any(Wanted::is_deadlock),
            Wanted::Any(parts) => parts.iter().all(Wanted::is_deadlock),
            Wanted::At(..) | Wanted::Data(..) => false,
        }
    }

    /// Adds everything it depends on, as reads.
    pub fn watched(&self, watched: &mut Region) {
        match self {
            Wanted::Deadlock => {}
            Wanted::At(.., at) => watched.add(Mode::Read, at.clone()),
            Wanted::Data(_, reads, _) => reads.iter().for_each(|access| watched.add_all(access)),
            Wanted::All(parts) | Wanted::Any(parts) => {
                parts.iter().for_each(|part| part.watched(watched));
            }
        }
    }

    /// Adds what must change before it can hold, as reads; it does not hold yet. A deadlock needs nothing to
    /// change: as long as a step of some process is left, it is taken before.
    pub fn needs(&self, state: &[i32], needed: &mut Region) {
        match self {
            Wanted::Deadlock => {}
            Wanted::At(.., at) => needed.add(Mode::Read, at.clone()),
            Wanted::Data(_, reads, _) => {
                for access in reads {
                    needed.add(access.mode, access.in_state(state));
                }
            }
            Wanted::Any(parts) => parts.iter().for_each(|part| part.needs(state, needed)),
            Wanted::All(parts) => {
                if self.is_deadlock() {
                    return;
                }
                // One that does not hold is enough; the first is as good as any other, if it is the same one
                // in many states.
                match parts.iter().find(|part| part.holds(state) == Some(false)) {
                    Some(part) => part.needs(state, needed),
                    None => {
                        let open = parts.iter().filter(|part| part.holds(state).is_none());
                        open.for_each(|part| part.needs(state, needed));
                    }
                }
            }
        }
    }
}

/// Whether all of some truths hold, as far as they are known.
fn all_hold(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all = None,
        }
    }
    all
}
